//! Why an action is no legal turn of a position.

use std::fmt;

/// Why an action is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// An action of another game.
    NotOfDynamo,
    /// The rules have ended the game.
    GameOver,
    /// A displacement from an empty square.
    NoMan,
    /// Both displacements from one square, or one that stays where it is.
    NotDisplaced,
    /// A man displaced onto another, or two onto one square.
    NotEmpty,
    /// A pawn arrives on its last rank without a choice.
    PromotionMissing,
    /// A choice where nothing promotes, or of a pawn or king.
    NoPromotion,
    /// No own man can do it.
    BeyondPower,
    /// The board would be what it was before the opponent's turn.
    Undoes,
    /// The own king could be put off.
    LeavesInCheck,
    /// The king or that rook has been displaced before.
    RightLost,
    /// Men between king and rook.
    CastlingBlocked,
    /// The king could be put off where it stands or from the square that it crosses.
    CastlingThroughCheck,
    /// Legal, but in another spelling than the one that is signed.
    NotCanonical,
}

impl Refusal {
    /// The reason in words for the player of the action.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NotOfDynamo => "Dynamo has only turns and castling",
            Self::GameOver => "the game is over",
            Self::NoMan => "there is no man on a square from which one would be displaced",
            Self::NotDisplaced => "each displaced man must go somewhere else, and once only",
            Self::NotEmpty => "a man can only go to an empty square; nothing is captured",
            Self::PromotionMissing => "a pawn that arrives on its last rank promotes: add =q, =r, =b or =n",
            Self::NoPromotion => "only a pawn that arrives on its last rank promotes, to =q, =r, =b or =n",
            Self::BeyondPower => "no man of the player to move has the power to displace men like this",
            Self::Undoes => "it would restore the board from before the opponent's turn",
            Self::LeavesInCheck => "the own king could be put off the board afterwards",
            Self::RightLost => "the king or that rook has been displaced before",
            Self::CastlingBlocked => "a man stands between king and rook",
            Self::CastlingThroughCheck => "the king may not castle out of or through check",
            Self::NotCanonical => {
                "it is another spelling of a legal turn: the shortest one counts, with the man in front first, or \
                 the lower square if both leave the board"
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl std::error::Error for Refusal {}
