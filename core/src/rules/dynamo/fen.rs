//! Positions as text: five fields, as vchess writes them (rules section 12).

mod undo;

use std::fmt;

use super::castling::{Castling, Rights, SIDES, rook_file};
use super::expulsion::is_in_check;
use super::{Board, Position};
use crate::board::{Bitboard, Color, File, Rank, Role, Square};
use crate::rules::{FenFault, FenFaults, MAX_FEN_BYTES};

impl Position {
    /// Reads a FEN of five fields, `board side halfmoves rights undo`.
    ///
    /// The undo record may name its men in any order; [`Position`] writes the front man first.
    ///
    /// # Errors
    /// [`FenFaults`]: everything that is wrong with it.
    pub fn from_fen(fen: &str) -> Result<Self, FenFaults> {
        if fen.len() > MAX_FEN_BYTES {
            return Err(FenFaults(vec![FenFault::TooLong]));
        }
        let mut faults = Vec::new();
        match read(fen, &mut faults) {
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
    let mut fields = fen.split_ascii_whitespace();
    let mut field = |name| fields.next().ok_or(FenFault::Missing(name));
    let board = field("the board");
    let side = field("the side to move").and_then(read_side);
    let halfmoves = field("the number of turns played").and_then(read_halfmoves);
    let rights = field("the field of castling rights").and_then(read_rights);
    let men = field("the undo record").and_then(undo::read_men);
    let board = keep(board, faults).and_then(|text| read_board(text, faults));
    let side = keep(side, faults);
    let halfmoves = keep(halfmoves, faults);
    let rights = keep(rights, faults);
    let men = keep(men, faults);
    if let Some(rest) = fields.next() {
        faults.push(FenFault::Trailing(rest.to_owned()));
    }
    let board = board?;
    judge_men(&board, faults);
    if let Some(rights) = rights {
        judge_rights(&board, rights, faults);
    }
    let side = side?;
    let undo = men.and_then(|men| keep(undo::find_turn(men, &board, side), faults));
    if is_in_check(&board, !side) {
        faults.push(FenFault::OpponentInCheck(!side));
    }
    Some(Position { board, side, halfmoves: halfmoves?, rights: rights?, undo: undo? })
}

fn keep<T>(read: Result<T, FenFault>, faults: &mut Vec<FenFault>) -> Option<T> {
    read.map_err(|fault| faults.push(fault)).ok()
}

/// The board, if all its ranks are in order.
fn read_board(text: &str, faults: &mut Vec<FenFault>) -> Option<Board> {
    let known = faults.len();
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != Rank::ALL.len() {
        faults.push(FenFault::RankCount(ranks.len()));
    }
    let mut board = Board::default();
    for (rank, letters) in Rank::ALL.into_iter().rev().zip(ranks) {
        read_rank(rank, letters, &mut board, faults);
    }
    (faults.len() == known).then_some(board)
}

fn read_rank(rank: Rank, letters: &str, board: &mut Board, faults: &mut Vec<FenFault>) {
    let mut squares = 0;
    for letter in letters.chars() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            squares += empty as usize;
            continue;
        }
        match (Role::from_letter(letter), File::ALL.get(squares)) {
            (None, _) => faults.push(FenFault::Letter(letter)),
            (Some(role), Some(&file)) => {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                board.put(Square::at(file, rank), color, role);
            }
            (Some(_), None) => {}
        }
        squares += 1;
    }
    if squares != File::ALL.len() {
        faults.push(FenFault::RankLength { rank: rank as usize + 1, squares });
    }
}

fn read_side(text: &str) -> Result<Color, FenFault> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenFault::Turn(text.to_owned())),
    }
}

fn read_halfmoves(text: &str) -> Result<u32, FenFault> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.ok_or_else(|| FenFault::Ply(text.to_owned()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::CastlingSide;

    fn faults(fen: &str) -> Vec<FenFault> {
        Position::from_fen(fen).expect_err("the FEN is wrong").0
    }

    #[test]
    fn every_fault_is_named() {
        assert_eq!(
            faults("rnbqkbnr/ppppppp/8/8/8/8/PPPPxPPP/RNBQKBNR x -1 ahha wb2"),
            [
                FenFault::RankLength { rank: 7, squares: 7 },
                FenFault::Letter('x'),
                FenFault::Turn("x".into()),
                FenFault::Ply("-1".into()),
                FenFault::Rights("ahha".into()),
                FenFault::Undo("wb2".into()),
            ]
        );
        assert_eq!(
            faults("3P4/8/8/8/8/8/8/K6R w 0 ihii wra1/wrb1"),
            [
                FenFault::PawnOnLastRank("d8".parse().expect("a square")),
                FenFault::Kings { color: Color::Black, kings: 0 },
                FenFault::RightWithoutMen { color: Color::White, side: CastlingSide::King },
                FenFault::UndoOfNoTurn,
            ]
        );
        assert_eq!(faults("k7/8/8/8/8/8/8/4K2r w 0 iiii - x").len(), 1);
        assert_eq!(faults("").len(), 5);
    }

    #[test]
    fn the_side_not_to_move_may_not_be_in_check() {
        assert_eq!(faults("8/8/8/8/8/8/1k6/K7 b 0 iiii -"), [FenFault::OpponentInCheck(Color::White)]);
    }

    #[test]
    fn undo_records_are_written_front_man_first() {
        for (read, written) in [
            (
                "rnbqk1nr/pppppp1p/6p1/8/3b4/1P6/PBPPPPPP/RN1QKBNR w 6 ahah bbd4.wbb2/bbg7.wbd4",
                "rnbqk1nr/pppppp1p/6p1/8/3b4/1P6/PBPPPPPP/RN1QKBNR w 6 ahah wbb2.bbd4/wbd4.bbg7",
            ),
            (
                "4k3/8/8/8/8/8/8/5RK1 b 1 iiii wrf1.wkg1/wrh1.wke1",
                "4k3/8/8/8/8/8/8/5RK1 b 1 iiii wkg1.wrf1/wke1.wrh1",
            ),
            // The rook on c6 cannot have been pushed off: the man on a6 stands in the way.
            (
                "4k3/8/n5R1/8/8/8/8/4K3 b 1 iiii wrg6/wrc6.wrh6",
                "4k3/8/n5R1/8/8/8/8/4K3 b 1 iiii wrg6/wrh6.wrc6",
            ),
        ] {
            assert_eq!(Position::from_fen(read).map(|position| position.to_string()), Ok(written.to_owned()));
        }
    }

    #[test]
    fn undo_records_of_no_turn_are_refused() {
        for undo in [
            "-/-",
            "wkb1/wkb1",
            "wkb1/bkc1",
            "wkb1/-",
            "wkb1/wke2",
            "-/wkc1",
            "wkb1/wkc1.wpd8",
            "wkb1/wkc1.wnd1.wne1",
            "wkb1/wkh8",
            "wkb1.wkb1/wkc1.wkd1",
        ] {
            let fen = format!("7k/8/8/8/8/8/8/1K6 b 1 iiii {undo}");
            assert_eq!(faults(&fen), [FenFault::UndoOfNoTurn], "{undo}");
        }
    }
}
