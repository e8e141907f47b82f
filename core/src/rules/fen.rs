//! What can be wrong with a FEN, all of it named at once.

use std::fmt;

use super::CastlingSide;
use crate::board::{Color, Square};

/// Longest FEN that is read, in bytes. The longest that is written has under 200.
pub const MAX_FEN_BYTES: usize = 512;

/// Everything that is wrong with a FEN; at least one fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct FenFaults(pub Vec<FenFault>);

/// One thing that is wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum FenFault {
    #[error("it is longer than {MAX_FEN_BYTES} bytes")]
    TooLong,
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("after the last field stands '{0}'")]
    Trailing(String),
    #[error("the board has {0} ranks, not 8")]
    RankCount(usize),
    #[error("rank {rank} has {squares} squares, not 8")]
    RankLength { rank: usize, squares: usize },
    #[error("'{0}' is no piece and no object")]
    Letter(char),
    #[error("objects are written in lower case, not '{0}'")]
    UpperCaseObject(char),
    #[error("a pawn stands on its last rank, on {0}")]
    PawnOnLastRank(Square),
    #[error("two queens are hidden")]
    TwoHidden,
    #[error("the hidden queen belongs to the side to move")]
    HiddenOfMover,
    #[error("the side of the hidden queen still has its stealth move")]
    HiddenWithPower,
    #[error("a queen is hidden while a decision is pending")]
    HiddenWithPending,
    #[error("'{0}' is not a side to move (w or b)")]
    Turn(String),
    #[error("'{0}' is not a number of turns played")]
    Ply(String),
    #[error("'{0}' is not four flags of 0 and 1")]
    Flags(String),
    #[error("'{0}' is not twelve counters of 0-9 and a-z")]
    Counters(String),
    #[error("the last field is not a JSON object: {0}")]
    Json(String),
    #[error("the key '{0}' is unknown here")]
    UnknownKey(String),
    #[error("the key '{0}' stands twice")]
    DoubleKey(String),
    #[error("'{0}' is not a pending decision of this edition")]
    Pending(String),
    #[error("the pending decision is about {0}, where the side to move has no piece")]
    PendingNowhere(Square),
    #[error("passes is 1 or 2, not {0}")]
    Passes(String),
    #[error("hidden is the square that a queen has left, not {0}")]
    Hidden(String),
    #[error("{color} has {kings} kings, not one")]
    Kings { color: Color, kings: usize },
    #[error("'{0}' is not four castling rights, the file of each rook (a, h) or i for a lost right")]
    Rights(String),
    #[error("{color} has the right to {side}, but its king or that rook is not at home")]
    RightWithoutMen { color: Color, side: CastlingSide },
    #[error("'{0}' is not an undo record, - or the men of the last turn such as wnb1.bpc3/wnc3.bpd5")]
    Undo(String),
    #[error("the undo record tells of no turn that leads to this board")]
    UndoOfNoTurn,
    #[error("{0} is in check and not to move")]
    OpponentInCheck(Color),
}

impl fmt::Display for FenFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}
