//! How a game ends.

use std::fmt;
use std::str::FromStr;

use crate::board::Color;

/// A finished game, as text `1-0`, `0-1` or `1/2-1/2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Color),
    /// The game is drawn.
    Draw,
}

/// A text that is no outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an outcome is 1-0, 0-1 or 1/2-1/2")]
pub struct ParseOutcomeError;

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

impl FromStr for Outcome {
    type Err = ParseOutcomeError;

    fn from_str(text: &str) -> Result<Self, ParseOutcomeError> {
        match text {
            "1-0" => Ok(Self::Win(Color::White)),
            "0-1" => Ok(Self::Win(Color::Black)),
            "1/2-1/2" => Ok(Self::Draw),
            _ => Err(ParseOutcomeError),
        }
    }
}
