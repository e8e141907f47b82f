//! The sets of rules that exist, their names and their frozen numbers.

use std::fmt;
use std::str::FromStr;

/// A set of rules. Its number is frozen: a correction that changes any position's legality or outcome takes another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u16)]
pub enum Variant {
    /// Chakart, current edition.
    Chakart = 1,
    /// Chakart, second edition.
    Chakart2nd = 2,
    /// Chakart, first edition.
    Chakart1st = 3,
    /// Dynamo chess.
    Dynamo = 4,
}

/// A name that is no variant's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a variant; known are {known}", known = names())]
pub struct ParseVariantError(pub String);

/// What a person reads of a variant in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariantInfo {
    /// The name in commands and FEN requests.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
}

/// How the back ranks are filled (rules section 3 of Chakart).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Setup {
    /// The orthodox array on both sides.
    Fixed = 0,
    /// One random array, mirrored.
    Symmetric = 1,
    /// Two random arrays.
    #[default]
    Asymmetric = 2,
}

impl Variant {
    /// Every variant, by number.
    pub const ALL: [Self; 4] = [Self::Chakart, Self::Chakart2nd, Self::Chakart1st, Self::Dynamo];

    /// The frozen number of this variant in an offer.
    #[must_use]
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The variant with this number.
    #[must_use]
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.number() == number)
    }

    /// Whether games of this variant may begin with this set-up.
    #[must_use]
    pub fn allows(self, setup: Setup) -> bool {
        self.setups().contains(&setup)
    }

    /// The ways to fill the back ranks that this variant knows.
    #[must_use]
    pub const fn setups(self) -> &'static [Setup] {
        match self {
            Self::Chakart | Self::Chakart2nd | Self::Chakart1st => &Setup::ALL,
            Self::Dynamo => &[Setup::Fixed],
        }
    }

    /// Name and summary.
    #[must_use]
    pub const fn info(self) -> VariantInfo {
        match self {
            Self::Chakart => VariantInfo {
                name: "chakart",
                summary: "Chakart, current edition: objects, eggs, shells and one unseen queen move a side",
            },
            Self::Chakart2nd => VariantInfo {
                name: "chakart-2nd",
                summary: "Chakart, second edition: as the current one, but mushrooms let sliders jump",
            },
            Self::Chakart1st => VariantInfo {
                name: "chakart-1st",
                summary: "Chakart, first edition: eggs give only what applies, captured pieces can be dropped",
            },
            Self::Dynamo => VariantInfo {
                name: "dynamo",
                summary: "Dynamo chess: men push and pull each other off the board; no chance, nothing hidden",
            },
        }
    }
}

impl Setup {
    /// Every set-up, by number.
    pub const ALL: [Self; 3] = [Self::Fixed, Self::Symmetric, Self::Asymmetric];

    /// The set-up with this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The name in commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Symmetric => "symmetric",
            Self::Asymmetric => "asymmetric",
        }
    }
}

fn names() -> String {
    Variant::ALL.map(|variant| variant.info().name).join(", ")
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Variant {
    type Err = ParseVariantError;

    fn from_str(text: &str) -> Result<Self, ParseVariantError> {
        Self::ALL
            .into_iter()
            .find(|variant| variant.info().name == text)
            .ok_or_else(|| ParseVariantError(text.to_owned()))
    }
}
