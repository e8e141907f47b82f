//! Glyphs and colours: two skins, and a palette that tells the sides and all marks apart by lightness and by shape.

use chakart_core::board::{Color as Side, Role};
use chakart_core::rules::{Man, Object};
use ratatui::style::{Color, Modifier, Style};

/// Which signs are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skin {
    /// Chess glyphs, one cell each.
    Glyphs,
    /// Letters and ASCII alone.
    Ascii,
}

/// How everything is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Which signs.
    pub skin: Skin,
    /// Whether colours are used; without them everything is still told apart by shape.
    pub colour: bool,
}

/// Corners around a square: of the last action, of the cursor.
pub(super) type Corners = [&'static str; 4];

// The 256 colours that nearly every terminal has. Both squares are of middle lightness, so that white men and black men
// both stand out on both; marks are blue, orange and yellow, which no common colour blindness confuses.
const LIGHT_SQUARE: Color = Color::Indexed(67);
const DARK_SQUARE: Color = Color::Indexed(60);
const LAST_LIGHT: Color = Color::Indexed(137);
const LAST_DARK: Color = Color::Indexed(94);
const CHOSEN: Color = Color::Indexed(30);
const WHITE_MAN: Color = Color::Indexed(231);
const BLACK_MAN: Color = Color::Indexed(16);
const MARK: Color = Color::Indexed(226);
const BANANA: Color = Color::Indexed(227);
const EGG: Color = Color::Indexed(225);
const MUSHROOM: Color = Color::Indexed(159);
const BOMB: Color = Color::Indexed(222);
const QUIET: Color = Color::Indexed(245);
const ACCENT: Color = Color::Indexed(215);

impl Look {
    /// The look that the environment asks for: glyphs where the locale is UTF-8, colours unless `NO_COLOR` is set.
    #[must_use]
    pub fn of_environment() -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let utf8 =
            cfg!(windows) || ["UTF-8", "utf-8", "utf8", "UTF8"].iter().any(|name| locale.contains(name));
        let skin = if utf8 { Skin::Glyphs } else { Skin::Ascii };
        Self { skin, colour: set("NO_COLOR").is_none() }
    }

    const fn pick<T: Copy>(self, glyphs: T, ascii: T) -> T {
        match self.skin {
            Skin::Glyphs => glyphs,
            Skin::Ascii => ascii,
        }
    }

    /// The sign of a man.
    pub(super) const fn man(self, man: Man) -> char {
        match self.skin {
            Skin::Ascii => man.letter(),
            // Without colours, outlines are White's.
            Skin::Glyphs if !self.colour && matches!(man.color, Side::White) => outlined(man.role),
            Skin::Glyphs => filled(man.role),
        }
    }

    /// The sign of an object.
    pub(super) const fn object(self, object: Object) -> char {
        match (self.skin, object) {
            (Skin::Ascii, _) => object.letter(),
            (Skin::Glyphs, Object::Bomb) => '●',
            (Skin::Glyphs, Object::Banana) => '☾',
            (Skin::Glyphs, Object::Egg) => '○',
            (Skin::Glyphs, Object::Mushroom) => '♠',
        }
    }

    /// Whether men and objects are drawn large where squares have room: without colours the sides would look alike.
    pub(super) const fn has_sprites(self) -> bool {
        matches!(self.skin, Skin::Glyphs) && self.colour
    }

    /// A square to which an action may go.
    pub(super) const fn target(self) -> char {
        self.pick('•', '*')
    }

    /// What fills a dark square where there are no colours.
    pub(super) const fn filling(self) -> char {
        self.pick('·', '.')
    }

    /// Corners of a square of the last action: top left, top right, bottom left, bottom right.
    pub(super) const fn last_corners(self) -> Corners {
        self.pick(["┌", "┐", "└", "┘"], ["+", "+", "+", "+"])
    }

    /// Corners of the square under the cursor.
    pub(super) const fn cursor_corners(self) -> Corners {
        self.pick(["┏", "┓", "┗", "┛"], ["/", "\\", "\\", "/"])
    }

    /// Between two facts in a line.
    pub(super) const fn separator(self) -> &'static str {
        self.pick(" · ", " | ")
    }

    /// Before the thing that is chosen in a list.
    pub(super) const fn pointer(self) -> &'static str {
        self.pick("▶ ", "> ")
    }

    /// The line between board and words.
    pub(super) const fn rule(self) -> &'static str {
        self.pick("─", "-")
    }

    /// One cell of a bar that is filled to so many eighths.
    pub(super) fn bar(self, eighths: usize) -> char {
        let glyphs = ['·', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
        match self.skin {
            Skin::Glyphs => glyphs.get(eighths).copied().unwrap_or('█'),
            Skin::Ascii if eighths >= 4 => '#',
            Skin::Ascii => '.',
        }
    }

    /// How a side's men are written.
    pub(super) fn man_style(self, side: Side) -> Style {
        let color = if side == Side::White { WHITE_MAN } else { BLACK_MAN };
        self.colored(color).add_modifier(Modifier::BOLD)
    }

    /// How an object is written.
    pub(super) fn object_style(self, object: Object) -> Style {
        self.colored(match object {
            Object::Bomb => BOMB,
            Object::Banana => BANANA,
            Object::Egg => EGG,
            Object::Mushroom => MUSHROOM,
        })
    }

    /// The ground of a square; `last`: of the last action; `chosen`: the one from which an action is chosen.
    pub(super) fn ground(self, light: bool, last: bool, chosen: bool) -> Style {
        if !self.colour {
            return Style::new();
        }
        Style::new().bg(match (chosen, last, light) {
            (true, _, _) => CHOSEN,
            (_, true, true) => LAST_LIGHT,
            (_, true, false) => LAST_DARK,
            (_, _, true) => LIGHT_SQUARE,
            (_, _, false) => DARK_SQUARE,
        })
    }

    /// Marks on squares.
    pub(super) fn mark_style(self) -> Style {
        self.colored(MARK).add_modifier(Modifier::BOLD)
    }

    /// What matters now.
    pub(super) fn strong(self) -> Style {
        self.colored(ACCENT).add_modifier(Modifier::BOLD)
    }

    /// Blocks of a QR code: light on dark, whatever the terminal's own colours are.
    pub(super) fn paper(self) -> Style {
        self.colored(WHITE_MAN).bg(BLACK_MAN)
    }

    /// What may be overlooked.
    pub(super) fn quiet(self) -> Style {
        if self.colour { Style::new().fg(QUIET) } else { Style::new() }
    }

    /// The line that is chosen in a list.
    pub(super) const fn chosen_line(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    fn colored(self, color: Color) -> Style {
        if self.colour { Style::new().fg(color) } else { Style::new() }
    }
}

const fn filled(role: Role) -> char {
    match role {
        Role::King => '♚',
        Role::Queen => '♛',
        Role::Rook => '♜',
        Role::Bishop => '♝',
        Role::Knight => '♞',
        Role::Pawn => '♟',
    }
}

const fn outlined(role: Role) -> char {
    match role {
        Role::King => '♔',
        Role::Queen => '♕',
        Role::Rook => '♖',
        Role::Bishop => '♗',
        Role::Knight => '♘',
        Role::Pawn => '♙',
    }
}
