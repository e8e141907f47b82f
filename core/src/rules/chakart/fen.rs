//! Positions as text (section 2): `board turn ply {"flags":"1111"}`, in the first edition
//! `board turn ply 1111 000000000000`.

mod reader;
mod tail;

use std::fmt::Write as _;

use super::{Hidden, Pending, Position};
use crate::board::{Color, File, Rank, Role, Square};
use crate::rules::Occupant;

/// Order of the twelve counters, White's first.
const COUNTED: [Role; 6] = [Role::Pawn, Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King];

impl Position {
    /// The one canonical FEN of this position.
    pub(super) fn write_fen(&self) -> String {
        let mut text = String::with_capacity(112);
        self.write_board(&mut text);
        let _ = write!(text, " {} {}", self.turn.letter(), self.ply);
        if self.edition.toadette_returns_captured {
            let _ = write!(text, " {} {}", self.flags(), self.counters());
        }
        let tail = self.tail();
        if !tail.is_empty() {
            let _ = write!(text, " {{{tail}}}");
        }
        text
    }

    fn write_board(&self, text: &mut String) {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.fen_letter(Square::at(file, rank)) {
                    None => empty += 1,
                    Some(letter) => {
                        push_count(text, &mut empty);
                        text.push(letter);
                    }
                }
            }
            push_count(text, &mut empty);
            if rank != Rank::First {
                text.push('/');
            }
        }
    }

    fn fen_letter(&self, square: Square) -> Option<char> {
        if self.hidden == Hidden::At(square) {
            return Some(match self.turn {
                Color::White => 'i',
                Color::Black => 'I',
            });
        }
        self.occupant_at(square).map(|occupant| match occupant {
            Occupant::Man(man) => man.letter(),
            Occupant::Object(object) => object.letter(),
        })
    }

    fn flags(&self) -> String {
        let [white, black] = [Color::White, Color::Black].map(Color::index);
        let powers = self.powers;
        [powers.shell[white], powers.stealth[white], powers.shell[black], powers.stealth[black]]
            .map(|unused| if unused { '1' } else { '0' })
            .iter()
            .collect()
    }

    fn counters(&self) -> String {
        Color::ALL
            .into_iter()
            .flat_map(|color| COUNTED.map(|role| self.captured.count(color, role)))
            .filter_map(|count| char::from_digit(u32::from(count), 36))
            .collect()
    }

    /// The members of the JSON object at the end, without its braces.
    fn tail(&self) -> String {
        let mut members = Vec::new();
        if !self.edition.toadette_returns_captured {
            members.push(format!("\"flags\":\"{}\"", self.flags()));
        }
        if let Some(pending) = self.pending {
            members.push(format!("\"pending\":\"{pending}\""));
        }
        if self.passes > 0 {
            members.push(format!("\"passes\":{}", self.passes));
        }
        if let Hidden::From(origin) = self.hidden {
            members.push(format!("\"hidden\":\"{origin}\""));
        }
        members.join(",")
    }
}

fn push_count(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

impl std::fmt::Display for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Daisy { piece } => f.write_str("daisy").and_then(|()| write_detail(f, *piece)),
            Self::KingBoo { piece } => f.write_str("kingboo").and_then(|()| write_detail(f, *piece)),
            Self::Toadette { role } => {
                f.write_str("toadette").and_then(|()| write_detail(f, role.map(Role::letter)))
            }
        }
    }
}

fn write_detail(f: &mut std::fmt::Formatter<'_>, detail: Option<impl std::fmt::Display>) -> std::fmt::Result {
    match detail {
        Some(detail) => write!(f, ":{detail}"),
        None => Ok(()),
    }
}
