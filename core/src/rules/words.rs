//! What happened, in English: one sentence for each event; and what may be chosen.

use super::{
    Action, Candidate, CastlingSide, ChanceKind, Displacement, Effect, Event, Man, Object, Occupant, Outcome,
    Squares,
};
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

/// What a legal action is, in words, on the visible board before it: to tell it from others before it is chosen. No
/// full stop.
#[must_use]
pub fn action_words(board: &Squares, action: &Action) -> String {
    match *action {
        Action::Move { from, to, promotion } => {
            let sure = is_compulsory(board, from, to);
            format!("{} {from} {}{}", role_on(board, from), reach(board, to), promoted(promotion, sure))
        }
        Action::Stealth { from, to } => format!("{} {from} to {to}, unseen", role_on(board, from)),
        Action::Unseen { from } => format!("{} {from} goes unseen", role_on(board, from)),
        Action::Shell { from, to } => {
            format!("{} {from} throws its shell at {} on {to}", role_on(board, from), target(board, to))
        }
        Action::Drop { role, to, promotion } => {
            format!("a {role} {}{}", reach(board, to), promoted(promotion, false))
        }
        Action::Swap { low, high } => {
            format!("{} on {low} and {} on {high} change places", target(board, low), target(board, high))
        }
        Action::Pass => "pass: nothing else is legal".to_owned(),
        Action::Turn(turn) => {
            let parts = std::iter::once(&turn.lead).chain(&turn.trail);
            parts.map(|part| displaced(board, part)).collect::<Vec<_>>().join(", ")
        }
        Action::Castle(CastlingSide::King) => "castle with the rook on the h-file".to_owned(),
        Action::Castle(CastlingSide::Queen) => "castle with the rook on the a-file".to_owned(),
    }
}

fn man_on(board: &Squares, square: Square) -> Option<Man> {
    match board[square.index()] {
        Some(Occupant::Man(man)) => Some(man),
        _ => None,
    }
}

fn role_on(board: &Squares, square: Square) -> String {
    man_on(board, square).map_or_else(|| "piece".to_owned(), |man| man.role.to_string())
}

fn target(board: &Squares, square: Square) -> String {
    match board[square.index()] {
        Some(Occupant::Man(man)) => name(man),
        Some(Occupant::Object(object)) => the(object),
        None => "the empty square".to_owned(),
    }
}

/// What arriving on a square does first.
fn reach(board: &Squares, to: Square) -> String {
    match board[to.index()] {
        Some(Occupant::Man(man)) => format!("takes {} on {to}", name(man)),
        Some(Occupant::Object(object)) => format!("onto {} on {to}", the(object)),
        None => format!("to {to}"),
    }
}

fn is_compulsory(board: &Squares, from: Square, to: Square) -> bool {
    man_on(board, from).is_some_and(|man| to.rank() == man.color.last_rank())
}

fn promoted(promotion: Option<Role>, sure: bool) -> String {
    match promotion {
        None => String::new(),
        Some(role) if sure => format!(", becomes a {role}"),
        Some(role) => format!(", a {role} if carried to the last rank"),
    }
}

fn displaced(board: &Squares, part: &Displacement) -> String {
    let man = format!("{} {}", target(board, part.from), part.from);
    match part.to {
        None => format!("{man} off the board"),
        Some(to) => format!("{man} to {to}{}", promoted(part.promotion, true)),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, Rules as _, Variant};

    fn words(variant: Variant, fen: &str, texts: &[&str]) -> Vec<String> {
        let game = Game::from_fen(variant, fen).expect("the FEN is valid");
        let board = game.view(None, None).board;
        let action = |text: &&str| {
            let action = game.parse_action(text).expect("an action");
            assert_eq!(game.check(&action), Ok(()), "{text}");
            action_words(&board, &action)
        };
        texts.iter().map(action).collect()
    }

    #[test]
    fn what_may_be_chosen_is_told() {
        let fen = r#"r5k1/1P6/8/4p3/4d3/3P4/4e3/3QK3 w 20 {"flags":"1111"}"#;
        let texts = ["d1d2", "d1e2", "d1g4s", "e1e2", "d3e4", "d3e4=n", "b7b8q", "b7a8k", "e1e4t"];
        assert_eq!(
            words(Variant::Chakart, fen, &texts),
            [
                "queen d1 to d2",
                "queen d1 onto the egg on e2",
                "queen d1 to g4, unseen",
                "king e1 onto the egg on e2",
                "pawn d3 onto the banana on e4",
                "pawn d3 onto the banana on e4, a knight if carried to the last rank",
                "pawn b7 to b8, becomes a queen",
                "pawn b7 takes Black's rook on a8, becomes a king",
                "king e1 throws its shell at the banana on e4",
            ]
        );
        let pending = |egg| format!(r#"7k/8/8/8/8/8/8/R3K3 w 20 {{"flags":"0000","pending":"{egg}"}}"#);
        assert_eq!(words(Variant::Chakart, &pending("toadette:n"), &["n@e4"]), ["a knight to e4"]);
        assert_eq!(
            words(Variant::Chakart, &pending("kingboo"), &["a1~h8"]),
            ["White's rook on a1 and Black's king on h8 change places"]
        );
        let fen = "4k3/8/8/8/8/8/8/R3K2R w 20 iiii -";
        assert_eq!(
            words(Variant::Dynamo, fen, &["a1a8", "a1x", "h1h4"]),
            ["White's rook a1 to a8", "White's rook a1 off the board", "White's rook h1 to h4"]
        );
    }

    #[test]
    fn standing_answers_are_offered_where_an_object_may_carry_a_pawn_on() {
        let fen = r#"7k/8/8/8/8/2P1d3/3P4/4K3 w 20 {"flags":"0000"}"#;
        let game = Game::from_fen(Variant::Chakart, fen).expect("the FEN is valid");
        let answers = |text: &str| {
            let action = game.parse_action(text).expect("an action");
            let answers = game.standing_answers(&action);
            answers.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(answers("d2e3"), ["d2e3=k", "d2e3=q", "d2e3=r", "d2e3=b", "d2e3=n"]);
        assert_eq!(answers("c3c4"), Vec::<String>::new());
        assert_eq!(answers("d2f4"), Vec::<String>::new());
    }
}
