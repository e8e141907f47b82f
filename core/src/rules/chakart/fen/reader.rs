//! Reads a FEN and names all its faults.

use super::COUNTED;
use super::tail::{Tail, read_tail};
use crate::board::{Bitboard, Color, File, Rank, Role, Square};
use crate::rules::chakart::{Captured, Edition, Hidden, Pending, Position, Powers};
use crate::rules::{FenFault, FenFaults, MAX_FEN_BYTES, Man, Object};

impl Position {
    /// Reads a FEN of this edition.
    ///
    /// A board that shows `I` or `i` gives a true state; the key `hidden` gives a public one. A side without king
    /// makes a finished position.
    ///
    /// # Errors
    /// [`FenFaults`]: everything that is wrong with it.
    pub fn from_fen(edition: &'static Edition, fen: &str) -> Result<Self, FenFaults> {
        if fen.len() > MAX_FEN_BYTES {
            return Err(FenFaults(vec![FenFault::TooLong]));
        }
        let mut reader = Reader { position: Self::empty(edition), hidden: Vec::new(), faults: Vec::new() };
        reader.read(fen);
        let Reader { position, faults, .. } = reader;
        if faults.is_empty() { Ok(position) } else { Err(FenFaults(faults)) }
    }
}

struct Reader {
    position: Position,
    /// Hidden queens that the board shows.
    hidden: Vec<(Color, Square)>,
    faults: Vec<FenFault>,
}

impl Reader {
    fn read(&mut self, fen: &str) {
        let mut rest = fen.trim();
        let mut field = || next_field(&mut rest);
        let counted = self.position.edition.toadette_returns_captured;
        let (board, turn, ply) = (field(), field(), field());
        let first_edition = counted.then(|| (field(), field()));
        self.read_board(board);
        self.read_turn(turn);
        self.read_ply(ply);
        if let Some((flags, counters)) = first_edition {
            self.read_flags(flags);
            self.read_counters(counters);
        }
        self.read_keys(rest);
        self.judge_pawns();
        self.judge_hidden();
        self.judge_pending();
    }

    fn read_board(&mut self, text: &str) {
        if text.is_empty() {
            return self.faults.push(FenFault::Missing("the board"));
        }
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != Rank::ALL.len() {
            self.faults.push(FenFault::RankCount(ranks.len()));
        }
        for (rank, letters) in Rank::ALL.into_iter().rev().zip(ranks) {
            self.read_rank(rank, letters);
        }
    }

    fn read_rank(&mut self, rank: Rank, letters: &str) {
        let mut squares = 0;
        for letter in letters.chars() {
            match letter.to_digit(10) {
                Some(empty @ 1..=8) => squares += empty as usize,
                _ => {
                    self.read_letter(letter, File::ALL.get(squares).map(|file| Square::at(*file, rank)));
                    squares += 1;
                }
            }
        }
        if squares != File::ALL.len() {
            self.faults.push(FenFault::RankLength { rank: rank as usize + 1, squares });
        }
    }

    /// Puts what a letter stands for on a square; beyond the edge of the board the letter is only judged.
    fn read_letter(&mut self, letter: char, square: Option<Square>) {
        let hidden = match letter {
            'I' => Some(Color::White),
            'i' => Some(Color::Black),
            _ => None,
        };
        let man = Man::from_letter(letter);
        let object = Object::from_letter(letter);
        match (hidden, man, object, square) {
            (None, None, None, _) => self.faults.push(unknown_letter(letter)),
            (Some(color), _, _, Some(square)) => self.hidden.push((color, square)),
            (_, Some(man), _, Some(square)) => self.position.board.put_man(square, man),
            (_, _, Some(object), Some(square)) => self.position.board.put_object(square, object),
            (_, _, _, None) => {}
        }
    }

    fn read_turn(&mut self, text: &str) {
        match text {
            "w" => self.position.turn = Color::White,
            "b" => self.position.turn = Color::Black,
            "" => self.faults.push(FenFault::Missing("the side to move")),
            _ => self.faults.push(FenFault::Turn(text.to_owned())),
        }
    }

    fn read_ply(&mut self, text: &str) {
        if text.is_empty() {
            return self.faults.push(FenFault::Missing("the number of turns played"));
        }
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(ply) if digits => self.position.ply = ply,
            _ => self.faults.push(FenFault::Ply(text.to_owned())),
        }
    }

    fn read_flags(&mut self, text: &str) {
        let unused = |byte| match byte {
            b'0' => Some(false),
            b'1' => Some(true),
            _ => None,
        };
        let flags: Option<Vec<bool>> = text.bytes().map(unused).collect();
        match flags.as_deref() {
            Some(&[shell_w, stealth_w, shell_b, stealth_b]) => {
                self.position.powers = Powers { shell: [shell_w, shell_b], stealth: [stealth_w, stealth_b] };
            }
            _ if text.is_empty() => self.faults.push(FenFault::Missing("the field of flags")),
            _ => self.faults.push(FenFault::Flags(text.to_owned())),
        }
    }

    fn read_counters(&mut self, text: &str) {
        let slots = Color::ALL.into_iter().flat_map(|color| COUNTED.map(|role| (color, role)));
        let mut captured = Captured::default();
        for ((color, role), letter) in slots.zip(text.chars()) {
            captured.set(color, role, counter(letter).unwrap_or(0));
        }
        if text.is_empty() {
            self.faults.push(FenFault::Missing("the field of captured men"));
        } else if text.chars().count() != 12 || text.chars().any(|letter| counter(letter).is_none()) {
            self.faults.push(FenFault::Counters(text.to_owned()));
        }
        self.position.captured = captured;
    }

    fn read_keys(&mut self, text: &str) {
        let flags_expected = !self.position.edition.toadette_returns_captured;
        let Tail { flags, pending, passes, hidden } = read_tail(text, flags_expected, &mut self.faults);
        if let Some(flags) = flags {
            self.read_flags(&flags);
        }
        self.position.passes = passes.unwrap_or(0);
        if let Some(origin) = hidden {
            self.position.hidden = Hidden::From(origin);
        }
        if let Some(text) = pending {
            match read_pending(&text, self.position.edition) {
                Some(pending) => self.position.pending = Some(pending),
                None => self.faults.push(FenFault::Pending(text)),
            }
        }
    }

    fn judge_pawns(&mut self) {
        for color in Color::ALL {
            let pawns = self.position.board.side(color) & self.position.board.role(Role::Pawn);
            let misplaced = pawns & Bitboard::rank(color.last_rank());
            self.faults.extend(misplaced.into_iter().map(FenFault::PawnOnLastRank));
        }
    }

    fn judge_hidden(&mut self) {
        let marked = self.position.hidden != Hidden::None;
        if self.hidden.len() + usize::from(marked) > 1 {
            self.faults.push(FenFault::TwoHidden);
        }
        if self.hidden.iter().any(|(color, _)| *color == self.position.turn) {
            self.faults.push(FenFault::HiddenOfMover);
        }
        if let &[(_, square)] = self.hidden.as_slice() {
            self.position.hidden = Hidden::At(square);
        }
        if self.position.hidden == Hidden::None {
            return;
        }
        if self.position.powers.stealth[(!self.position.turn).index()] {
            self.faults.push(FenFault::HiddenWithPower);
        }
        if self.position.pending.is_some() {
            self.faults.push(FenFault::HiddenWithPending);
        }
    }

    fn judge_pending(&mut self) {
        let square = match self.position.pending {
            Some(Pending::KingBoo { piece } | Pending::Daisy { piece }) => piece,
            Some(Pending::Toadette { .. }) | None => None,
        };
        let own = self.position.board.side(self.position.turn);
        if let Some(square) = square.filter(|square| !own.contains(*square)) {
            self.faults.push(FenFault::PendingNowhere(square));
        }
    }
}

fn unknown_letter(letter: char) -> FenFault {
    match Object::from_letter(letter.to_ascii_lowercase()) {
        Some(_) => FenFault::UpperCaseObject(letter),
        None => FenFault::Letter(letter),
    }
}

fn counter(letter: char) -> Option<u8> {
    if letter.is_ascii_uppercase() {
        return None;
    }
    letter.to_digit(36).and_then(|count| u8::try_from(count).ok())
}

fn read_pending(text: &str, edition: &Edition) -> Option<Pending> {
    let (name, detail) = match text.split_once(':') {
        Some((name, detail)) => (name, Some(detail)),
        None => (text, None),
    };
    let piece = detail.and_then(|detail| detail.parse().ok());
    let role = detail.and_then(given_role);
    let bound = edition.bound_to_mover;
    match name {
        "daisy" if piece.is_some() == bound && detail.is_some() == bound => Some(Pending::Daisy { piece }),
        "kingboo" if piece.is_some() == bound && detail.is_some() == bound => {
            Some(Pending::KingBoo { piece })
        }
        "toadette" if edition.toadette_returns_captured && detail.is_none() => {
            Some(Pending::Toadette { role: None })
        }
        "toadette" if !edition.toadette_returns_captured && role.is_some() => {
            Some(Pending::Toadette { role })
        }
        _ => None,
    }
}

/// The kind that Toadette has given: any but a pawn, in lower case.
fn given_role(text: &str) -> Option<Role> {
    match text {
        "q" | "r" | "n" | "b" | "k" => text.chars().next().and_then(Role::from_letter),
        _ => None,
    }
}

/// Cuts the next field off, with the blanks after it. Empty if nothing is left.
fn next_field<'a>(rest: &mut &'a str) -> &'a str {
    let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    *rest = after.trim_start();
    field
}
