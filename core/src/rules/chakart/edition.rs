//! The points on which the editions differ: one engine, three values of these switches.

use crate::rules::Variant;

/// An edition of the rules. Section numbers are those of `core/rules/chakart.md`.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Edition {
    /// The variant that this edition is.
    pub variant: Variant,
    /// Where a knight leaves its egg (section 6).
    pub knight_trail: KnightTrail,
    /// A pawn may step twice over a banana or a bomb (section 5).
    pub double_step_over_traps: bool,
    /// After a double step a mushroom repeats both squares, not one (section 8).
    pub double_step_repeats_whole: bool,
    /// A mushroom lets rooks, bishops and queens jump over an adjacent piece (section 8).
    pub sliders_jump: bool,
    /// Bananas and bombs never send a piece onto one of its own side (section 7).
    pub redirect_spares_own: bool,
    /// An egg gives only what can apply (section 9); otherwise one of all eight.
    pub eggs_give_only_applicable: bool,
    /// Eggs hatch in every sub-turn (section 9); otherwise only in the first.
    pub eggs_hatch_in_later_sub_turns: bool,
    /// King Boo and Daisy are about the piece that moved (section 9); otherwise about any.
    pub bound_to_mover: bool,
    /// King Boo may swap immobilised pieces (section 9).
    pub immobilised_may_swap: bool,
    /// Toadette returns a captured piece of the player's choice, and captures are counted (sections 9 and 13);
    /// otherwise she gives a random new one.
    pub toadette_returns_captured: bool,
    /// A rook or bishop dropped by Toadette leaves its object (section 6).
    pub drops_leave_objects: bool,
    /// Immobilised pieces are freed when their owner's next turn ends (section 12); otherwise with the first segment
    /// of their owner's next sub-move.
    pub freed_at_end_of_turn: bool,
}

/// Where a knight leaves its egg.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KnightTrail {
    /// On the square that it left.
    Origin,
    /// One square along the long leg of its jump; on the square that it left if a piece stands there.
    LongLeg,
}

impl Edition {
    /// The current edition.
    pub const CURRENT: &'static Self = &Self {
        variant: Variant::Chakart,
        knight_trail: KnightTrail::Origin,
        double_step_over_traps: false,
        double_step_repeats_whole: false,
        sliders_jump: false,
        redirect_spares_own: false,
        eggs_give_only_applicable: false,
        eggs_hatch_in_later_sub_turns: true,
        bound_to_mover: false,
        immobilised_may_swap: false,
        toadette_returns_captured: false,
        drops_leave_objects: true,
        freed_at_end_of_turn: false,
    };

    /// The second edition.
    pub const SECOND: &'static Self =
        &Self { variant: Variant::Chakart2nd, sliders_jump: true, ..*Self::CURRENT };

    /// The first edition.
    pub const FIRST: &'static Self = &Self {
        variant: Variant::Chakart1st,
        knight_trail: KnightTrail::LongLeg,
        double_step_over_traps: true,
        double_step_repeats_whole: true,
        sliders_jump: true,
        redirect_spares_own: true,
        eggs_give_only_applicable: true,
        eggs_hatch_in_later_sub_turns: false,
        bound_to_mover: true,
        immobilised_may_swap: true,
        toadette_returns_captured: true,
        drops_leave_objects: false,
        freed_at_end_of_turn: true,
    };
}
