//! Positions as text: five fields, as vchess writes them (rules section 12).

mod undo;

use std::fmt;

use super::castling::{Castling, Rights, SIDES, rook_file};
use super::expulsion::is_in_check;
use super::{Board, Position};
use crate::board::{Bitboard, Color, File, Rank, Role, Square};
use crate::rules::CastlingSide;

/// Something that is wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenFault {
    /// Not five fields.
    #[error("a FEN of Dynamo has 5 fields (board, side, halfmoves, rights, undo), not {0}")]
    Fields(usize),
    /// Not eight ranks.
    #[error("the board has {0} ranks instead of 8")]
    Ranks(usize),
    /// A rank without eight squares.
    #[error("rank {} has {squares} squares instead of 8", .rank.digit())]
    RankWidth {
        /// Which one.
        rank: Rank,
        /// How many squares it describes.
        squares: usize,
    },
    /// A character that stands for no man and no number of empty squares.
    #[error("'{0}' is neither a man nor a number of empty squares, 1 to 8")]
    UnknownMan(char),
    /// Not exactly one king.
    #[error("{color} has {kings} kings instead of one")]
    Kings {
        /// Whose.
        color: Color,
        /// How many.
        kings: usize,
    },
    /// A pawn that would have promoted.
    #[error("the pawn on {0} stands on its own last rank")]
    PawnOnLastRank(Square),
    /// The side is neither `w` nor `b`.
    #[error("the side to move is w or b, not '{0}'")]
    Side(String),
    /// No number of turns.
    #[error("the halfmoves are a number from 0 to 4294967295, not '{0}'")]
    Halfmoves(String),
    /// Not four letters a or i, h or i, a or i, h or i.
    #[error("the castling rights are four letters such as ahah, with i for a lost one, not '{0}'")]
    Rights(String),
    /// A right whose king or rook is not at home.
    #[error("{color} has a right to castle {side}, but the king or that rook is not at home")]
    RightWithoutMen {
        /// Whose.
        color: Color,
        /// Which.
        side: CastlingSide,
    },
    /// The undo record is not `-` or two lists of men.
    #[error(
        "the undo record is - or men that appeared/men that vanished, such as wnb1.bpc3/wnc3.bpd5, not '{0}'"
    )]
    Undo(String),
    /// The undo record tells of no turn that could have led to this board.
    #[error("the undo record tells of no turn that leads to this board")]
    UndoOfNoTurn,
    /// The side that has just moved left its king in check.
    #[error("{0} is in check and not to move")]
    OpponentInCheck(Color),
}

/// Everything that is wrong with a FEN; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenFaults(pub Vec<FenFault>);

impl fmt::Display for FenFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&faults.join("; "))
    }
}

impl std::error::Error for FenFaults {}

impl Position {
    /// Reads a FEN of five fields, `board side halfmoves rights undo`.
    ///
    /// The undo record may name its men in any order; [`Position`] writes the front man first.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_fen(fen: &str) -> Result<Self, FenFaults> {
        let mut faults = Vec::new();
        let position = read(fen, &mut faults);
        match position {
            Some(position) if faults.is_empty() => Ok(position),
            _ => Err(FenFaults(faults)),
        }
    }
}

/// The FEN, which reads back to an equal position.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {} ", self.board, self.side.letter(), self.halfmoves, self.rights)?;
        undo::write(self, f)
    }
}

/// The position, if there is no fault; faults of every field that can be judged.
fn read(fen: &str, faults: &mut Vec<FenFault>) -> Option<Position> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let &[board, side, halfmoves, rights, undo] = fields.as_slice() else {
        faults.push(FenFault::Fields(fields.len()));
        return None;
    };
    let board = read_board(board, faults);
    let side = keep(read_side(side), faults);
    let halfmoves = keep(read_halfmoves(halfmoves), faults);
    let rights = keep(read_rights(rights), faults);
    let men = keep(undo::read_men(undo), faults);
    let board = board?;
    judge_men(&board, faults);
    if let Some(rights) = rights {
        judge_rights(&board, rights, faults);
    }
    let undo = men.and_then(|men| keep(undo::find_turn(men, &board, side), faults));
    let side = side?;
    if is_in_check(&board, !side) {
        faults.push(FenFault::OpponentInCheck(!side));
    }
    Some(Position { board, side, halfmoves: halfmoves?, rights: rights?, undo: undo? })
}

fn keep<T>(read: Result<T, FenFault>, faults: &mut Vec<FenFault>) -> Option<T> {
    read.map_err(|fault| faults.push(fault)).ok()
}

fn read_board(text: &str, faults: &mut Vec<FenFault>) -> Option<Board> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        faults.push(FenFault::Ranks(ranks.len()));
        return None;
    }
    let mut board = Board::default();
    let known = faults.len();
    for (text, rank) in ranks.into_iter().zip(Rank::ALL.into_iter().rev()) {
        read_rank(text, rank, &mut board, faults);
    }
    (faults.len() == known).then_some(board)
}

fn read_rank(text: &str, rank: Rank, board: &mut Board, faults: &mut Vec<FenFault>) {
    let mut squares = 0;
    for letter in text.chars() {
        match (letter.to_digit(9), Role::from_letter(letter)) {
            (Some(empty @ 1..), _) => squares += empty as usize,
            (_, Some(role)) => {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                if let Some(&file) = File::ALL.get(squares) {
                    board.put(Square::at(file, rank), color, role);
                }
                squares += 1;
            }
            _ => faults.push(FenFault::UnknownMan(letter)),
        }
    }
    if squares != 8 {
        faults.push(FenFault::RankWidth { rank, squares });
    }
}

fn read_side(text: &str) -> Result<Color, FenFault> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenFault::Side(text.to_owned())),
    }
}

fn read_halfmoves(text: &str) -> Result<u32, FenFault> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.ok_or_else(|| FenFault::Halfmoves(text.to_owned()))
}

fn read_rights(text: &str) -> Result<Rights, FenFault> {
    let fault = || FenFault::Rights(text.to_owned());
    let places = Color::ALL.into_iter().flat_map(|color| SIDES.map(|side| (color, side)));
    if text.chars().count() != 4 {
        return Err(fault());
    }
    text.chars().zip(places).try_fold(Rights::NONE, |rights, (letter, (color, side))| match letter {
        'i' => Ok(rights),
        _ if letter == rook_file(side).letter() => Ok(rights.with(color, side)),
        _ => Err(fault()),
    })
}

fn judge_men(board: &Board, faults: &mut Vec<FenFault>) {
    for color in Color::ALL {
        let kings = (board.role(Role::King) & board.of(color)).len();
        if kings != 1 {
            faults.push(FenFault::Kings { color, kings });
        }
        let stuck = board.role(Role::Pawn) & board.of(color) & Bitboard::rank(color.last_rank());
        faults.extend(stuck.into_iter().map(FenFault::PawnOnLastRank));
    }
}

fn judge_rights(board: &Board, rights: Rights, faults: &mut Vec<FenFault>) {
    for color in Color::ALL {
        for side in SIDES.into_iter().filter(|&side| rights.has(color, side)) {
            let castling = Castling::of(color, side);
            let own = |role| board.role(role) & board.of(color);
            if !own(Role::King).contains(castling.king.from) || !own(Role::Rook).contains(castling.rook.from)
            {
                faults.push(FenFault::RightWithoutMen { color, side });
            }
        }
    }
}
