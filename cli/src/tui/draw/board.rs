//! The board: squares, men, objects and marks.

use chakart_core::board::{File, Rank, Square};
use chakart_core::rules::{Man, Occupant};
use chakart_core::view::View;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::show::board;
use crate::tui::areas::{Areas, SPRITE_SQUARE, middle};
use crate::tui::look::{Corners, Look};
use crate::tui::sprites::{self, Sprite};
use crate::tui::table::{Focus, Table};

/// What is marked on one square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Marks {
    last: bool,
    chosen: bool,
    target: bool,
    cursor: bool,
}

/// Draws the board of a table.
pub(super) fn draw(buffer: &mut Buffer, areas: &Areas, look: Look, table: &Table) {
    let bottom = table.bottom;
    for rank in Rank::ALL {
        let (x, y) = areas.rank_label(rank, bottom);
        buffer.set_string(x, y, rank.digit().to_string(), look.quiet());
    }
    for file in File::ALL {
        let (x, y) = areas.file_label(file, bottom);
        buffer.set_string(x, y, file.letter().to_string(), look.quiet());
    }
    let Some(view) = table.view() else {
        let area = areas.rect_of(Square::at(File::A, Rank::Eighth), bottom);
        buffer.set_string(area.x, area.y, "The board is not set up yet.", look.quiet());
        return;
    };
    let (last, origin, targets) = (table.last_squares(), table.origin(), table.targets());
    let proposed = table.proposed();
    for square in Square::all() {
        let marks = Marks {
            last: last.contains(square),
            chosen: origin == Some(square) || proposed.contains(square),
            target: targets.contains(square),
            cursor: table.focus == Focus::Board && table.shown.is_none() && table.cursor == square,
        };
        draw_square(buffer, areas.rect_of(square, bottom), look, view, square, marks);
    }
}

fn draw_square(buffer: &mut Buffer, area: Rect, look: Look, view: &View, square: Square, marks: Marks) {
    let light = is_light(square);
    let ground = look.ground(light, marks.last, marks.chosen);
    fill(buffer, area, look, light, ground);
    let (x, y) = (area.x + middle(area.width), area.y + middle(area.height));
    let (sign, style) = sign(look, view, square, marks);
    let sprite = sprite(look, view, square).filter(|_| area.as_size() == SPRITE_SQUARE);
    if let Some(sprite) = sprite {
        for (row, cells) in (area.y..).zip(sprites::rows(sprite)) {
            buffer.set_string(area.x + 1, row, cells, style.patch(ground));
        }
    } else if let Some(sign) = sign {
        buffer.set_string(x, y, sign.to_string(), style.patch(ground));
    }
    if is_immobilised(view, square) {
        let (x, y) = if sprite.is_some() { (area.right() - 1, y + 1) } else { (x + 1, y) };
        buffer.set_string(x, y, "z", look.mark_style().patch(ground));
    }
    draw_marks(
        buffer,
        area,
        look,
        marks,
        look.mark_style().patch(ground),
        Occupied::of(view, square, sprite.is_some()),
    );
}

/// What stands on a square, as far as marks have to give way to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Occupied {
    No,
    BySign,
    BySprite,
}

impl Occupied {
    fn of(view: &View, square: Square, sprite: bool) -> Self {
        match view.at(square) {
            None => Self::No,
            Some(_) if sprite => Self::BySprite,
            Some(_) => Self::BySign,
        }
    }
}

/// What is drawn large on a square, where it has room.
fn sprite(look: Look, view: &View, square: Square) -> Option<&'static Sprite> {
    match view.at(square).filter(|_| look.has_sprites())? {
        Occupant::Man(man) => Some(sprites::man(man.role)),
        Occupant::Object(object) => Some(sprites::object(object)),
    }
}

fn is_light(square: Square) -> bool {
    (square.file() as u8 + square.rank() as u8) % 2 == 1
}

fn fill(buffer: &mut Buffer, area: Rect, look: Look, light: bool, ground: Style) {
    let filling = if look.colour || light { ' ' } else { look.filling() };
    for y in area.top()..area.bottom() {
        buffer.set_string(area.x, y, filling.to_string().repeat(usize::from(area.width)), ground);
    }
}

/// The sign in the middle of a square, and how it is written.
fn sign(look: Look, view: &View, square: Square, marks: Marks) -> (Option<char>, Style) {
    match view.at(square) {
        // An immobilised man has a mark beside it.
        Some(Occupant::Man(man)) => {
            (Some(look.man(Man { immobilised: false, ..man })), look.man_style(man.color))
        }
        Some(Occupant::Object(object)) => (Some(look.object(object)), look.object_style(object)),
        None => match board::letter(view, square) {
            '.' if marks.target => (Some(look.target()), look.mark_style()),
            '.' => (None, Style::new()),
            hidden => (Some(hidden), look.mark_style()),
        },
    }
}

fn is_immobilised(view: &View, square: Square) -> bool {
    matches!(view.at(square), Some(Occupant::Man(man)) if man.immobilised)
}

/// Marks by shape: brackets close to the sign, corners around the square.
fn draw_marks(buffer: &mut Buffer, area: Rect, look: Look, marks: Marks, style: Style, occupied: Occupied) {
    let y = area.y + middle(area.height);
    let (left, right) = match occupied {
        Occupied::BySprite => (area.x, area.right() - 1),
        _ => (area.x + middle(area.width) - 1, area.x + middle(area.width) + 1),
    };
    let close = if marks.chosen {
        Some((">", "<"))
    } else if marks.target && occupied != Occupied::No {
        Some(("(", ")"))
    } else {
        None
    };
    let low = area.height == 1;
    let around = match (marks.cursor, marks.last && low) {
        (true, _) if low => Some(("{", "}")),
        (_, true) => Some(("[", "]")),
        _ => None,
    };
    for (before, after) in around.into_iter().chain(close) {
        buffer.set_string(left, y, before, style);
        buffer.set_string(right, y, after, style);
    }
    if low && marks.cursor && close.is_some() {
        buffer.set_style(area, Style::new().add_modifier(Modifier::UNDERLINED));
    }
    if !low && marks.cursor {
        corners(buffer, area, look.cursor_corners(), style);
    } else if !low && marks.last {
        corners(buffer, area, look.last_corners(), style);
    }
}

fn corners(buffer: &mut Buffer, area: Rect, corners: Corners, style: Style) {
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    let places = [(area.x, area.y), (right, area.y), (area.x, bottom), (right, bottom)];
    for ((x, y), corner) in places.into_iter().zip(corners) {
        buffer.set_string(x, y, corner, style);
    }
}
