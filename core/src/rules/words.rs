//! What happened, in English: one sentence for each event.

use super::{Candidate, ChanceKind, Effect, Event, Man, Object, Outcome};
use crate::board::{Color, Role, Square};

/// One sentence for each event of one action, in their order. Sentences have no full stop.
#[must_use]
pub fn sentences(events: &[Event]) -> Vec<String> {
    let mut teller = Teller::default();
    events.iter().map(|event| teller.tell(event)).collect()
}

/// Remembers what later sentences refer to.
#[derive(Default)]
struct Teller {
    /// The man that is on its way.
    mover: Option<Man>,
    /// The object on which it landed last.
    object: Option<Object>,
    /// Where it has gone already. Another man of the same action starts elsewhere.
    reached: Option<Square>,
}

impl Teller {
    fn tell(&mut self, event: &Event) -> String {
        match event {
            Event::Moved { man, from, to } => self.moved(*man, *from, *to),
            Event::Dropped { man, to } => {
                self.mover = Some(*man);
                format!("{} is dropped on {to}", name(*man))
            }
            Event::Consumed { object, square } => {
                self.object = Some(*object);
                format!("{} on {square} is hit", the(*object))
            }
            Event::Placed { object, square } => {
                format!("{} leaves {} on {square}", self.leaver(*object), a(*object))
            }
            Event::Promoted { square, role } => {
                let pawn = self.mover();
                self.mover = self.mover.map(|man| Man { role: *role, ..man });
                format!("{pawn} becomes a {role} on {square}")
            }
            Event::Chance { kind, candidates, chosen } => {
                let chosen = candidates.get(*chosen).map(candidate).unwrap_or_default();
                format!("{} (of {})", self.choice(*kind, &chosen), listed(candidates))
            }
            Event::Forced { kind, candidate: only } => {
                format!("{} (nothing else fits)", self.choice(*kind, &candidate(only)))
            }
            Event::Returned { from, to } if from == to => format!("{} stays on {to}", self.mover()),
            Event::Returned { to, .. } => format!("{} goes back to {to}", self.mover()),
            Event::Withdrawn { square } => format!("{} leaves the board again from {square}", self.mover()),
            Event::Hatched { effect } => self.hatched(*effect),
            other => plain(other),
        }
    }

    fn moved(&mut self, man: Man, from: Square, to: Square) -> String {
        let again = self.reached.replace(to) == Some(from);
        self.mover = Some(man);
        if again {
            format!("{} goes on to {to}", name(man))
        } else {
            format!("{} goes from {from} to {to}", name(man))
        }
    }

    fn mover(&self) -> String {
        self.mover.map_or_else(|| "the piece".to_owned(), name)
    }

    /// Who leaves an object: a mushroom comes from a pawn, also from one that has just become something better.
    fn leaver(&self, object: Object) -> String {
        match (self.mover, object) {
            (Some(man), Object::Mushroom) => name(Man { role: Role::Pawn, ..man }),
            _ => self.mover(),
        }
    }

    fn choice(&self, kind: ChanceKind, chosen: &str) -> String {
        match kind {
            ChanceKind::Redirect => {
                let object = self.object.map_or_else(|| "the object".to_owned(), the);
                format!("{object} sends it to {chosen}")
            }
            ChanceKind::Egg => format!("the egg holds {chosen}"),
            ChanceKind::Luigi | ChanceKind::Waluigi => format!("the piece on {chosen} is picked"),
            ChanceKind::Placement => format!("{} picks {chosen}", self.mover()),
            ChanceKind::Toadette => format!("Toadette brings a {chosen}"),
        }
    }

    fn hatched(&self, effect: Effect) -> String {
        let mover = self.mover();
        match effect {
            Effect::KingBoo => "King Boo: two pieces change places".to_owned(),
            Effect::Koopa => format!("Koopa: {mover} goes back to where it started"),
            Effect::Toadette => "Toadette: a piece comes onto the board".to_owned(),
            Effect::Chomp => format!("Chomp: {mover} is eaten"),
            Effect::Daisy => "Daisy: another move".to_owned(),
            Effect::Bowser => format!("Bowser: {mover} cannot move for now"),
            Effect::Luigi => "Luigi: a piece of the other side is won".to_owned(),
            Effect::Waluigi => "Waluigi: a piece is lost to the other side".to_owned(),
        }
    }
}

/// Sentences that refer to nothing before them.
fn plain(event: &Event) -> String {
    match event {
        Event::Hid { color, from } => format!("{color}'s queen leaves {from} unseen"),
        Event::Revealed { color, square } => format!("{color}'s hidden queen shows herself on {square}"),
        Event::Captured { man, square } => format!("{} on {square} is taken", name(*man)),
        Event::Destroyed { object, square } => format!("the shell destroys {} on {square}", the(*object)),
        Event::ShellThrown { from, to } => format!("the king on {from} throws its shell at {to}"),
        Event::Swapped { low, high } => format!("the pieces on {low} and {high} change places"),
        Event::Passed { color } => format!("{color} has no legal action and passes"),
        Event::Freed { square } => format!("the piece on {square} may move again"),
        Event::Chomped { man, square } => format!("{} on {square} is gone", name(*man)),
        Event::Immobilised { square } => format!("the piece on {square} is immobilised"),
        Event::Turned { square, color } => format!("the piece on {square} is now {color}'s"),
        Event::WentOff { man, from } => format!("{} leaves the board from {from}", name(*man)),
        Event::Ended { outcome } => ended(*outcome),
        _ => String::new(),
    }
}

fn ended(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(color) => format!("{color} wins"),
        Outcome::Draw => "the game is drawn".to_owned(),
    }
}

fn name(man: Man) -> String {
    let Man { color, role, .. } = man;
    format!("{color}'s {role}")
}

fn the(object: Object) -> String {
    format!("the {object}")
}

fn a(object: Object) -> String {
    match object {
        Object::Egg => format!("an {object}"),
        Object::Bomb | Object::Banana | Object::Mushroom => format!("a {object}"),
    }
}

fn candidate(candidate: &Candidate) -> String {
    match candidate {
        Candidate::Square(square) => square.to_string(),
        Candidate::Effect(effect) => effect.to_string(),
        Candidate::Role(role) => role.to_string(),
    }
}

fn listed(candidates: &[Candidate]) -> String {
    candidates.iter().map(candidate).collect::<Vec<_>>().join(", ")
}

/// How a side is told of a decision that it has to take (used by views).
#[must_use]
pub fn pending_sentence(color: Color, effect: Effect, detail: Option<&str>) -> String {
    match (effect, detail) {
        (Effect::KingBoo, None) => format!("King Boo: {color} swaps two pieces"),
        (Effect::KingBoo, Some(square)) => {
            format!("King Boo: {color} swaps the piece on {square} with another")
        }
        (Effect::Daisy, None) => format!("Daisy: {color} moves again"),
        (Effect::Daisy, Some(square)) => format!("Daisy: {color} moves the piece on {square} again"),
        (Effect::Toadette, Some(role)) => format!("Toadette: {color} drops a {role}"),
        (Effect::Toadette, None) => format!("Toadette: {color} drops a captured piece"),
        _ => format!("{effect}: {color} decides"),
    }
}
