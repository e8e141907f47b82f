//! From what a person or a peer wrote to displacements that make sense on a board, whatever their order.

use super::turns::PROMOTIONS;
use super::{Board, Refusal};
use crate::board::{Role, Square};
use crate::rules::{Action, CastlingSide, Displacement, Turn};

/// Whether displacements make sense on a board, in either order. Says nothing of who could cause them.
pub(super) fn check(board: &Board, turn: &Turn) -> Result<(), Refusal> {
    let parts = || std::iter::once(&turn.lead).chain(&turn.trail);
    if parts().any(|part| !board.occupied().contains(part.from)) {
        return Err(Refusal::NoMan);
    }
    let twice = turn.trail.is_some_and(|trail| trail.from == turn.lead.from);
    if twice || parts().any(|part| part.to == Some(part.from)) {
        return Err(Refusal::NotDisplaced);
    }
    let staying = parts().fold(board.occupied(), |men, part| men.without(part.from));
    let same_end = turn.trail.is_some_and(|trail| trail.to.is_some() && trail.to == turn.lead.to);
    if same_end || parts().filter_map(|part| part.to).any(|to| staying.contains(to)) {
        return Err(Refusal::NotEmpty);
    }
    parts().try_for_each(|part| check_promotion(board, part))
}

fn check_promotion(board: &Board, part: &Displacement) -> Result<(), Refusal> {
    let due = part.to.is_some_and(|to| board.promotion_squares(part.from).contains(to));
    match part.promotion {
        None if due => Err(Refusal::PromotionMissing),
        Some(role) if !due || !PROMOTIONS.contains(&role) => Err(Refusal::NoPromotion),
        _ => Ok(()),
    }
}

/// What a person's text may mean on a board: one action, or one for each piece to which a pawn may promote if that
/// was left out. Empty if the text is none.
///
/// Beside the canonical text, these are read: capitals, zeros for castling, blanks, `-` or `>` between squares, `;`,
/// `+` or a blank between displacements, a promotion without `=`.
pub(super) fn read(board: &Board, text: &str) -> Vec<Action> {
    let text = text.trim().to_ascii_lowercase();
    match text.replace('0', "o").as_str() {
        "o-o" | "oo" => return vec![Action::Castle(CastlingSide::King)],
        "o-o-o" | "ooo" => return vec![Action::Castle(CastlingSide::Queen)],
        _ => {}
    }
    let parts = text.split([',', ';', '+', ' ', '\t']).filter(|part| !part.is_empty());
    let parts: Option<Vec<Displacement>> = parts.map(read_part).collect();
    let turn = match parts.as_deref() {
        Some(&[lead]) => Turn { lead, trail: None },
        Some(&[lead, trail]) => Turn { lead, trail: Some(trail) },
        _ => return Vec::new(),
    };
    choices(board, turn).into_iter().map(Action::Turn).collect()
}

fn read_part(part: &str) -> Option<Displacement> {
    let (from, rest) = read_square(part)?;
    let rest = rest.trim_start_matches(['-', '>']);
    if rest == "x" {
        return Some(Displacement { from, to: None, promotion: None });
    }
    let (to, rest) = read_square(rest)?;
    let mut letters = rest.strip_prefix('=').unwrap_or(rest).chars();
    let promotion = match (letters.next(), letters.next()) {
        (None, _) if rest.is_empty() => None,
        (Some(letter), None) => Some(Role::from_letter(letter)?),
        _ => return None,
    };
    Some(Displacement { from, to: Some(to), promotion })
}

fn read_square(text: &str) -> Option<(Square, &str)> {
    let (square, rest) = text.split_at_checked(2)?;
    Some((square.parse().ok()?, rest))
}

/// The turn itself, or with each promotion where one is missing.
fn choices(board: &Board, turn: Turn) -> Vec<Turn> {
    let missing = |part: &Displacement| check_promotion(board, part) == Err(Refusal::PromotionMissing);
    if missing(&turn.lead) {
        let choose = |role| Turn { lead: Displacement { promotion: Some(role), ..turn.lead }, ..turn };
        return PROMOTIONS.map(choose).to_vec();
    }
    match turn.trail.filter(missing) {
        Some(trail) => PROMOTIONS
            .map(|role| Turn { trail: Some(Displacement { promotion: Some(role), ..trail }), ..turn })
            .to_vec(),
        None => vec![turn],
    }
}
