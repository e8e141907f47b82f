//! What an action did, step by step. Boards, words, notation and the luck statistics are all made from events.

use std::fmt;

use serde::Serialize;

use super::Outcome;
use crate::board::{Color, Role, Square};

/// A man on the board with its colour and condition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Man {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    #[serde(serialize_with = "role_letter")]
    pub role: Role,
    /// Hit by Bowser: cannot move for now.
    pub immobilised: bool,
}

/// A thing without a colour that lies on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the objects are those of the rules text, section 2")]
pub enum Object {
    Bomb,
    Banana,
    Egg,
    Mushroom,
}

/// What stands or lies on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(untagged)]
pub enum Occupant {
    /// A man of a side.
    Man(Man),
    /// A thing of nobody.
    Object(Object),
}

/// What an egg gives (rules section 9), in the order in which candidates are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the effects are those of the rules text, section 9")]
pub enum Effect {
    KingBoo,
    Koopa,
    Toadette,
    Chomp,
    Daisy,
    Bowser,
    Luigi,
    Waluigi,
}

/// What a random choice decides (rules section 15).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChanceKind {
    /// Where a banana or a bomb sends the piece.
    Redirect,
    /// What an egg gives.
    Egg,
    /// Which enemy piece Luigi turns.
    Luigi,
    /// Which own piece Waluigi turns.
    Waluigi,
    /// Where a rook leaves its banana or a bishop its bomb.
    Placement,
    /// Which kind Toadette gives.
    Toadette,
}

/// One of the things that a random choice chose among.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(untagged)]
pub enum Candidate {
    /// A square, in ascending order among its like.
    Square(#[serde(serialize_with = "square_text")] Square),
    /// An effect of an egg.
    Effect(Effect),
    /// A kind of piece.
    Role(#[serde(serialize_with = "role_letter")] Role),
}

/// One thing that happened.
///
/// Events of one action, applied in order to the visible board before it, give the visible board after it
/// ([`apply`](super::apply)): `Moved`, `Returned`, `Swapped`, `Dropped` carry men; `Hid`, `Captured`, `Chomped`,
/// `Withdrawn`, `WentOff`, `Destroyed`, `Consumed` empty a square; `Placed`, `Revealed` fill one; `Promoted`,
/// `Immobilised`, `Freed`, `Turned` change a man where it stands; the others only tell.
///
/// A hidden queen that is taken is `Revealed` first, then `Captured`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[expect(
    missing_docs,
    reason = "field names are squares, men and objects of the event that the variant describes"
)]
pub enum Event {
    /// A man goes from a square to another, by choice or carried on by an object. What was there has been
    /// `Captured` or `Consumed` by an event before.
    Moved {
        man: Man,
        #[serde(serialize_with = "square_text")]
        from: Square,
        #[serde(serialize_with = "square_text")]
        to: Square,
    },
    /// A queen leaves her square unseen. Her destination is in no event.
    Hid {
        color: Color,
        #[serde(serialize_with = "square_text")]
        from: Square,
    },
    /// A hidden queen becomes visible.
    Revealed {
        color: Color,
        #[serde(serialize_with = "square_text")]
        square: Square,
    },
    /// A man is taken: by displacement, a jump, a shell, or the mushroom of a double step (a hidden queen).
    Captured {
        man: Man,
        #[serde(serialize_with = "square_text")]
        square: Square,
    },
    /// An object is landed on and gone.
    Consumed {
        object: Object,
        #[serde(serialize_with = "square_text")]
        square: Square,
    },
    /// A shell destroys an object.
    Destroyed {
        object: Object,
        #[serde(serialize_with = "square_text")]
        square: Square,
    },
    /// An object is left on a square and replaces an object there.
    Placed {
        object: Object,
        #[serde(serialize_with = "square_text")]
        square: Square,
    },
    /// A king throws its shell at a square.
    ShellThrown {
        #[serde(serialize_with = "square_text")]
        from: Square,
        #[serde(serialize_with = "square_text")]
        to: Square,
    },
    /// A piece comes onto the board.
    Dropped {
        man: Man,
        #[serde(serialize_with = "square_text")]
        to: Square,
    },
    /// Two pieces change places.
    Swapped {
        #[serde(serialize_with = "square_text")]
        low: Square,
        #[serde(serialize_with = "square_text")]
        high: Square,
    },
    /// The player had no legal action.
    Passed { color: Color },
    /// A pawn becomes something better.
    Promoted {
        #[serde(serialize_with = "square_text")]
        square: Square,
        #[serde(serialize_with = "role_letter")]
        role: Role,
    },
    /// An immobilised piece may move again.
    Freed {
        #[serde(serialize_with = "square_text")]
        square: Square,
    },
    /// A random choice of two or more candidates; `chosen` is an index into them.
    Chance { kind: ChanceKind, candidates: Vec<Candidate>, chosen: usize },
    /// A choice that had one candidate.
    Forced { kind: ChanceKind, candidate: Candidate },
    /// An egg gives this; what it does follows in further events, if it applies.
    Hatched { effect: Effect },
    /// Koopa sends the piece back to where it started. An object there is gone.
    Returned {
        #[serde(serialize_with = "square_text")]
        from: Square,
        #[serde(serialize_with = "square_text")]
        to: Square,
    },
    /// Koopa sends back a piece that came from nowhere.
    Withdrawn {
        #[serde(serialize_with = "square_text")]
        square: Square,
    },
    /// Chomp eats the piece.
    Chomped {
        man: Man,
        #[serde(serialize_with = "square_text")]
        square: Square,
    },
    /// Bowser immobilises the piece.
    Immobilised {
        #[serde(serialize_with = "square_text")]
        square: Square,
    },
    /// A piece changes sides and is now of this colour.
    Turned {
        #[serde(serialize_with = "square_text")]
        square: Square,
        color: Color,
    },
    /// A man leaves the board over its edge (Dynamo).
    WentOff {
        man: Man,
        #[serde(serialize_with = "square_text")]
        from: Square,
    },
    /// The game is over by the rules.
    Ended {
        #[serde(serialize_with = "outcome_text")]
        outcome: Outcome,
    },
}

fn square_text<S: serde::Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

fn role_letter<S: serde::Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(role.letter())
}

fn outcome_text<S: serde::Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(outcome)
}

impl Man {
    /// A man that may move.
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Self {
        Self { color, role, immobilised: false }
    }

    /// The letter of FEN: p r n b q k, immobilised s u o c t l; upper case for White.
    #[must_use]
    pub const fn letter(self) -> char {
        let letter = if self.immobilised { immobilised_letter(self.role) } else { self.role.letter() };
        match self.color {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        }
    }

    /// The man of a letter of FEN. Hidden queens (`I`, `i`) have none: they are no part of a visible board.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        [false, true]
            .into_iter()
            .flat_map(|immobilised| Role::ALL.map(|role| Self { color, role, immobilised }))
            .find(|man| man.letter() == letter)
    }
}

const fn immobilised_letter(role: Role) -> char {
    match role {
        Role::Pawn => 's',
        Role::Rook => 'u',
        Role::Knight => 'o',
        Role::Bishop => 'c',
        Role::Queen => 't',
        Role::King => 'l',
    }
}

impl Object {
    /// Every object.
    pub const ALL: [Self; 4] = [Self::Bomb, Self::Banana, Self::Egg, Self::Mushroom];

    /// 0 to 3.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of FEN: w, d, e or m.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Bomb => 'w',
            Self::Banana => 'd',
            Self::Egg => 'e',
            Self::Mushroom => 'm',
        }
    }

    /// The object of a letter of FEN; upper case is refused.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|object| object.letter() == letter)
    }
}

impl Effect {
    /// Every effect, in the order in which candidates are listed.
    pub const ALL: [Self; 8] = [
        Self::KingBoo,
        Self::Koopa,
        Self::Toadette,
        Self::Chomp,
        Self::Daisy,
        Self::Bowser,
        Self::Luigi,
        Self::Waluigi,
    ];

    /// The letter of notation: B K T C D M L W.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::KingBoo => 'B',
            Self::Koopa => 'K',
            Self::Toadette => 'T',
            Self::Chomp => 'C',
            Self::Daisy => 'D',
            Self::Bowser => 'M',
            Self::Luigi => 'L',
            Self::Waluigi => 'W',
        }
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bomb => "bomb",
            Self::Banana => "banana",
            Self::Egg => "egg",
            Self::Mushroom => "mushroom",
        })
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KingBoo => "King Boo",
            Self::Koopa => "Koopa",
            Self::Toadette => "Toadette",
            Self::Chomp => "Chomp",
            Self::Daisy => "Daisy",
            Self::Bowser => "Bowser",
            Self::Luigi => "Luigi",
            Self::Waluigi => "Waluigi",
        })
    }
}
