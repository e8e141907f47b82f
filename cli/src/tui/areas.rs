//! What is drawn where in a window, and what a click hits.

use chakart_core::board::{Color, File, Rank, Square};
use ratatui::layout::{Rect, Size};

use super::pointing::Point;

/// Sizes of a square in cells, the largest first: a cell is about twice as high as wide.
const SQUARES: [Size; 4] = [Size::new(11, 5), Size::new(7, 3), Size::new(5, 2), Size::new(3, 1)];
/// Squares of this size have room for sprites.
pub(super) const SPRITE_SQUARE: Size = SQUARES[0];
/// Narrowest words beside the board, in cells.
const MIN_PANEL: u16 = 28;
/// Ranks are named left of the board, in so many cells.
const RANK_LABEL: u16 = 2;
/// Files are named under it.
const FILE_LABEL: u16 = 1;
/// Between board and words.
const GAP: u16 = 2;
/// Title above; standing, prompt and keys below.
const LINES_AROUND: u16 = 4;
/// The smallest window.
pub(super) const MIN_WIDTH: u16 = 8 * 3 + RANK_LABEL + GAP + MIN_PANEL;
pub(super) const MIN_HEIGHT: u16 = 8 + FILE_LABEL + LINES_AROUND;

/// The parts of a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Areas {
    /// One line: who plays whom.
    pub(super) title: Rect,
    /// Everything between title and standing.
    pub(super) body: Rect,
    /// The board with its labels.
    pub(super) board: Rect,
    /// Words beside the board.
    pub(super) panel: Rect,
    /// One line: what is waited for, path, delivery.
    pub(super) standing: Rect,
    /// One line: what is typed or told.
    pub(super) prompt: Rect,
    /// One line: keys.
    pub(super) keys: Rect,
    /// One square of the board.
    pub(super) square: Size,
}

impl Areas {
    /// The parts of a window of a size; of a smaller one than the smallest, whatever is left.
    #[must_use]
    pub fn new(window: Size) -> Self {
        let Size { width, height } = window;
        let body = Rect::new(0, 1.min(height), width, height.saturating_sub(LINES_AROUND));
        let fits = |square: &&Size| {
            board_height(**square) <= body.height && board_width(**square) + GAP + MIN_PANEL <= width
        };
        let square = *SQUARES.iter().find(fits).unwrap_or(&SQUARES[3]);
        let board = Rect::new(0, body.y, board_width(square), board_height(square)).intersection(body);
        let panel_x = board.width + GAP;
        let line = |from_bottom: u16| {
            Rect::new(0, height.saturating_sub(from_bottom), width, u16::from(height >= from_bottom))
        };
        Self {
            title: Rect::new(0, 0, width, 1.min(height)),
            body,
            board,
            panel: Rect::new(panel_x, body.y, width.saturating_sub(panel_x), body.height),
            standing: line(3),
            prompt: line(2),
            keys: line(1),
            square,
        }
    }

    /// Whether a window has room for a board.
    #[must_use]
    pub const fn is_enough(window: Size) -> bool {
        window.width >= MIN_WIDTH && window.height >= MIN_HEIGHT
    }

    /// Where a square is drawn.
    pub(super) fn rect_of(&self, square: Square, bottom: Color) -> Rect {
        let (file, rank) = (square.file() as u16, square.rank() as u16);
        let (column, row) = match bottom {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        let Size { width, height } = self.square;
        Rect::new(self.board.x + RANK_LABEL + column * width, self.board.y + row * height, width, height)
    }

    /// What a click in the board's part of the window points at.
    pub(super) fn point_at(&self, column: u16, row: u16, bottom: Color) -> Option<Point> {
        let hit = |square: &Square| self.rect_of(*square, bottom).contains((column, row).into());
        if let Some(square) = Square::all().find(hit) {
            return Some(Point::On(square));
        }
        let beside = Rect { width: self.board.width + GAP, height: self.body.height, ..self.board };
        beside.contains((column, row).into()).then_some(Point::Off)
    }

    /// Where the name of a rank is drawn.
    pub(super) fn rank_label(&self, rank: Rank, bottom: Color) -> (u16, u16) {
        let square = self.rect_of(Square::at(File::A, rank), bottom);
        (self.board.x, square.y + middle(self.square.height))
    }

    /// Where the name of a file is drawn.
    pub(super) fn file_label(&self, file: File, bottom: Color) -> (u16, u16) {
        let square = self.rect_of(Square::at(file, Rank::First), bottom);
        (square.x + middle(self.square.width), self.board.y + 8 * self.square.height)
    }
}

/// The middle of so many cells, rather before it than after.
pub(super) const fn middle(cells: u16) -> u16 {
    cells.saturating_sub(1) / 2
}

const fn board_width(square: Size) -> u16 {
    RANK_LABEL + 8 * square.width
}

const fn board_height(square: Size) -> u16 {
    8 * square.height + FILE_LABEL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_grow_with_the_window() {
        let square = |width, height| Areas::new(Size::new(width, height)).square;
        assert_eq!(square(MIN_WIDTH, MIN_HEIGHT), Size::new(3, 1));
        assert_eq!(square(80, 24), Size::new(5, 2));
        assert_eq!(square(100, 30), Size::new(7, 3));
        assert_eq!(square(140, 45), Size::new(11, 5));
    }

    #[test]
    fn a_click_on_a_square_is_that_square() {
        for window in [Size::new(80, 24), Size::new(140, 45)] {
            let areas = Areas::new(window);
            for bottom in Color::ALL {
                for square in Square::all() {
                    let Rect { x, y, width, height } = areas.rect_of(square, bottom);
                    for (column, row) in [(x, y), (x + width - 1, y + height - 1)] {
                        assert_eq!(areas.point_at(column, row, bottom), Some(Point::On(square)));
                    }
                }
                assert_eq!(areas.point_at(areas.panel.x + 1, areas.panel.y, bottom), None);
                assert_eq!(areas.point_at(0, areas.board.y, bottom), Some(Point::Off));
            }
        }
    }

    #[test]
    fn no_window_is_too_small_to_be_divided() {
        for (width, height) in [(0, 0), (1, 1), (3, 2), (10, 3)] {
            let areas = Areas::new(Size::new(width, height));
            for part in [areas.title, areas.board, areas.standing, areas.prompt, areas.keys] {
                assert!(part.right() <= width && part.bottom() <= height, "{width} x {height}: {part:?}");
            }
        }
    }
}
