//! The vocabulary that all variants share: squares, sets of squares, colours, roles, and how men reach squares.

pub mod attacks;
mod bitboard;
mod color;
mod role;
mod square;

pub use bitboard::Bitboard;
pub use color::Color;
pub use role::{Role, UnknownRole};
pub use square::{Direction, File, ParseSquareError, Rank, Square, SquareOutOfRange};
