//! Short notation of actions (section 16), from what everybody sees.

use super::Position;
use crate::board::{Role, Square};
use crate::rules::{Action, Event};

impl Position {
    /// The notation of a legal action, before its result is known. A stealth move shows its square.
    pub(super) fn write_notation(&self, action: &Action) -> String {
        match *action {
            Action::Move { from, to, promotion } => self.move_notation(from, to, promotion),
            Action::Stealth { from, to } => format!("Q{from}??{to}"),
            Action::Unseen { from } => format!("Q{from}??"),
            Action::Shell { from, to } => format!("K{}~{to}", self.thrower(from, to)),
            Action::Drop { role, to, promotion } => {
                format!("{}@{to}{}", piece_letter(role), answer(promotion))
            }
            Action::Swap { .. } => action.to_string(),
            Action::Pass => "-".to_owned(),
            Action::Turn(_) | Action::Castle(_) => action.to_string(),
        }
    }

    fn move_notation(&self, from: Square, to: Square, promotion: Option<Role>) -> String {
        let role = self.board.role_at(from).unwrap_or(Role::Pawn);
        let takes = if self.occupant_at(to).is_some() { "x" } else { "" };
        let origin = match role {
            Role::Pawn if takes.is_empty() => String::new(),
            Role::Pawn => from.file().letter().to_string(),
            _ => self.mover(role, from, to),
        };
        format!("{}{origin}{takes}{to}{}", piece_letter(role), answer(promotion))
    }

    /// As much of the origin as tells a moving piece from others of its kind that reach the same square.
    fn mover(&self, role: Role, from: Square, to: Square) -> String {
        let terrain = self.terrain();
        let rivals = self.movable() & self.board.role(role);
        distinguish(from, rivals.into_iter().filter(|rival| terrain.reach(role, *rival).contains(to)))
    }

    /// The same for a king that throws its shell.
    fn thrower(&self, from: Square, to: Square) -> String {
        let terrain = self.terrain();
        let rivals = self.movable() & self.board.role(Role::King);
        distinguish(from, rivals.into_iter().filter(|rival| terrain.shell(*rival).contains(to)))
    }
}

/// Adds what an egg gave: `*D`, `*W`, verbose `*Wg8`.
pub(super) fn push_egg(events: &[Event], verbose: bool, text: &mut String) {
    for event in events {
        match event {
            Event::Hatched { effect } => text.extend(['*', effect.letter()]),
            Event::Turned { square, .. } if verbose => text.push_str(&square.to_string()),
            _ => {}
        }
    }
}

fn distinguish(from: Square, rivals: impl Iterator<Item = Square>) -> String {
    let others: Vec<Square> = rivals.filter(|rival| *rival != from).collect();
    if others.is_empty() {
        String::new()
    } else if others.iter().all(|other| other.file() != from.file()) {
        from.file().letter().to_string()
    } else if others.iter().all(|other| other.rank() != from.rank()) {
        from.rank().digit().to_string()
    } else {
        from.to_string()
    }
}

/// The letter before a move or a drop; a pawn has none.
pub(super) fn piece_letter(role: Role) -> String {
    match role {
        Role::Pawn => String::new(),
        _ => role.letter().to_ascii_uppercase().to_string(),
    }
}

fn answer(promotion: Option<Role>) -> String {
    promotion.map(|role| format!("={}", role.letter().to_ascii_uppercase())).unwrap_or_default()
}
