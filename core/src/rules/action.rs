//! What a player may decide, in any variant, and its canonical text.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Role, Square};

/// A decision of a player (rules section 16 of Chakart, section 11 of Dynamo).
///
/// The canonical text is that of [`fmt::Display`]; [`Action::parse_chakart`] and [`Action::parse_dynamo`] read exactly that text
/// back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// An open move of a piece; the origin and the chosen square.
    Move {
        /// Where the piece stands.
        from: Square,
        /// The chosen square.
        to: Square,
        /// Compulsory on the last rank; elsewhere a standing answer.
        promotion: Option<Role>,
    },
    /// A queen moves unseen, as its player knows it.
    Stealth {
        /// Where the queen stands.
        from: Square,
        /// Where she goes.
        to: Square,
    },
    /// A queen moves unseen, as everybody else knows it.
    Unseen {
        /// The square that she left.
        from: Square,
    },
    /// A king throws its shell.
    Shell {
        /// Where the king stands.
        from: Square,
        /// What is hit.
        to: Square,
    },
    /// A piece given by Toadette comes onto the board.
    Drop {
        /// The kind of the piece.
        role: Role,
        /// Where it is dropped.
        to: Square,
        /// Standing answer of a dropped pawn (first edition).
        promotion: Option<Role>,
    },
    /// King Boo swaps two pieces; `low` has the lower index.
    Swap {
        /// The square with the lower index.
        low: Square,
        /// The square with the higher index.
        high: Square,
    },
    /// Nothing else is legal.
    Pass,
    /// A turn of Dynamo: one or two displacements.
    Turn(Turn),
    /// Castling of Dynamo.
    Castle(CastlingSide),
}

/// One or two men displaced in one atomic turn (Dynamo section 11). All squares refer to the board before the turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// The man in front.
    pub lead: Displacement,
    /// The man behind, if it moves.
    pub trail: Option<Displacement>,
}

/// A man goes to a square or leaves the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Displacement {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes; `None`: off the board.
    pub to: Option<Square>,
    /// What a pawn on its last rank becomes.
    pub promotion: Option<Role>,
}

/// The rook with which the king castles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum CastlingSide {
    /// The rook of the h-file: `O-O`.
    King,
    /// The rook of the a-file: `O-O-O`.
    Queen,
}

/// A text that is not the canonical spelling of any action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the text of an action")]
pub struct ParseActionError;

impl Action {
    /// Reads the canonical text of a Chakart action: `e2e4`, `e7e8k`, `f6g7=n`, `d1h5s`, `d1??`, `e1e7t`, `n@e4`,
    /// `p@c4=n`, `a1~h8`, `pass`. Says nothing of legality.
    ///
    /// # Errors
    /// [`ParseActionError`] for any other text.
    pub fn parse_chakart(text: &str) -> Result<Self, ParseActionError> {
        if !text.is_ascii() {
            return Err(ParseActionError);
        }
        if text == "pass" {
            return Ok(Self::Pass);
        }
        if let Some((role, rest)) = text.split_once('@') {
            let (to, answer) = split_square(rest)?;
            let promotion = standing_answer(answer)?;
            return Ok(Self::Drop { role: role_letter(role)?, to, promotion });
        }
        if let Some((a, b)) = text.split_once('~') {
            let (low, high) = (square(a)?, square(b)?);
            return if low < high { Ok(Self::Swap { low, high }) } else { Err(ParseActionError) };
        }
        let (from, rest) = split_square(text)?;
        if rest == "??" {
            return Ok(Self::Unseen { from });
        }
        let (to, rest) = split_square(rest)?;
        Ok(match rest {
            "" => Self::Move { from, to, promotion: None },
            "s" => Self::Stealth { from, to },
            "t" => Self::Shell { from, to },
            _ if is_edge_rank(to) => Self::Move { from, to, promotion: Some(role_letter(rest)?) },
            _ => Self::Move { from, to, promotion: standing_answer(rest)? },
        })
    }

    /// Reads the text of a Dynamo turn: `e2e4`, `e2x`, `d4b2,g7d4`, `b8x,a7b8=q`, `O-O`, `O-O-O`. Says nothing of
    /// legality, nor whether the spelling is the one that is signed.
    ///
    /// # Errors
    /// [`ParseActionError`] for any other text.
    pub fn parse_dynamo(text: &str) -> Result<Self, ParseActionError> {
        if !text.is_ascii() {
            return Err(ParseActionError);
        }
        match text {
            "O-O" => return Ok(Self::Castle(CastlingSide::King)),
            "O-O-O" => return Ok(Self::Castle(CastlingSide::Queen)),
            _ => {}
        }
        Ok(Self::Turn(match text.split_once(',') {
            None => Turn { lead: displacement(text)?, trail: None },
            Some((lead, trail)) => Turn { lead: displacement(lead)?, trail: Some(displacement(trail)?) },
        }))
    }
}

/// Whether a pawn that moves here by choice must promote, whatever its colour: pawns never move to their own last
/// rank without it, and never reach the opposite edge.
fn is_edge_rank(square: Square) -> bool {
    use crate::board::Rank;
    matches!(square.rank(), Rank::First | Rank::Eighth)
}

fn square(text: &str) -> Result<Square, ParseActionError> {
    text.parse().map_err(|_| ParseActionError)
}

fn split_square(text: &str) -> Result<(Square, &str), ParseActionError> {
    let (head, rest) = text.split_at_checked(2).ok_or(ParseActionError)?;
    Ok((square(head)?, rest))
}

fn role_letter(text: &str) -> Result<Role, ParseActionError> {
    match text.as_bytes() {
        &[byte] if byte.is_ascii_lowercase() => Role::from_letter(char::from(byte)).ok_or(ParseActionError),
        _ => Err(ParseActionError),
    }
}

fn standing_answer(text: &str) -> Result<Option<Role>, ParseActionError> {
    match text.strip_prefix('=') {
        Some(letter) => role_letter(letter).map(Some),
        None if text.is_empty() => Ok(None),
        None => Err(ParseActionError),
    }
}

fn displacement(text: &str) -> Result<Displacement, ParseActionError> {
    let (from, rest) = split_square(text)?;
    if rest == "x" {
        return Ok(Displacement { from, to: None, promotion: None });
    }
    let (to, rest) = split_square(rest)?;
    Ok(Displacement { from, to: Some(to), promotion: standing_answer(rest)? })
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Move { from, to, promotion: None } => write!(f, "{from}{to}"),
            Self::Move { from, to, promotion: Some(role) } if is_edge_rank(to) => {
                write!(f, "{from}{to}{}", role.letter())
            }
            Self::Move { from, to, promotion: Some(role) } => {
                write!(f, "{from}{to}={}", role.letter())
            }
            Self::Stealth { from, to } => write!(f, "{from}{to}s"),
            Self::Unseen { from } => write!(f, "{from}??"),
            Self::Shell { from, to } => write!(f, "{from}{to}t"),
            Self::Drop { role, to, promotion: None } => write!(f, "{}@{to}", role.letter()),
            Self::Drop { role, to, promotion: Some(answer) } => {
                write!(f, "{}@{to}={}", role.letter(), answer.letter())
            }
            Self::Swap { low, high } => write!(f, "{low}~{high}"),
            Self::Pass => f.write_str("pass"),
            Self::Turn(turn) => turn.fmt(f),
            Self::Castle(side) => side.fmt(f),
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lead.fmt(f)?;
        if let Some(trail) = self.trail {
            write!(f, ",{trail}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Displacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            None => write!(f, "{}x", self.from),
            Some(to) => write!(f, "{}{to}", self.from),
        }?;
        if let Some(role) = self.promotion {
            write!(f, "={}", role.letter())?;
        }
        Ok(())
    }
}

impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::King => "O-O",
            Self::Queen => "O-O-O",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_texts_read_back() {
        for text in
            ["e2e4", "e7e8k", "e2e1q", "f6g7=n", "d1h5s", "d1??", "e1e7t", "n@e4", "p@c4=n", "a1~h8", "pass"]
        {
            assert_eq!(Action::parse_chakart(text).map(|a| a.to_string()), Ok(text.to_owned()));
        }
        for text in ["e2e4", "e2x", "d4b2,g7d4", "b8x,a7b8=q", "O-O", "O-O-O"] {
            assert_eq!(Action::parse_dynamo(text).map(|a| a.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "", "e2", "e2e9", "e7e8=k", "f6g7n", "E2E4", "h8~a1", "a1~a1", "N@e4", "e2e4 ", "é2e4", "pass ",
            "e2e4ss", "x@e4", "n@e4=",
        ] {
            assert_eq!(Action::parse_chakart(text), Err(ParseActionError), "{text}");
        }
        for text in ["", "e2x=q", "e2e4,", "0-0", "e2e4,e2x,e2x", "O-o", "a7a8q"] {
            assert_eq!(Action::parse_dynamo(text), Err(ParseActionError), "{text}");
        }
    }
}
