//! Two players in memory: sessions that hand each other what they sign.

use chakart_core::protocol::codec::{SignedEntry, SignedStatement};
use chakart_core::protocol::entry::{ColorChoice, Name, Party, TimeControl};
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::log::Log;
use chakart_core::protocol::session::{
    CannotSign, Confirmation, Effect, OfferSettings, Rejection, Session, make_accept, make_offer,
};
use chakart_core::rules::{Action, Rules, Setup, Variant};
use chakart_core::transcript::export::Source;

/// The start of all games in tests: 1 January 2026, in milliseconds of Unix time.
pub const START_MS: u64 = 1_767_225_600_000;

/// A small generator for choices of tests: SplitMix64.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("below n")
    }

    pub fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes());
        }
        bytes
    }
}

/// The key of a player in tests.
pub fn key(seed: u8) -> SecretKey {
    SecretKey::from_seed(&[seed; 32])
}

pub fn host_key() -> SecretKey {
    key(1)
}

pub fn guest_key() -> SecretKey {
    key(2)
}

pub fn settings(variant: Variant) -> OfferSettings {
    let setup = if variant.allows(Setup::Asymmetric) { Setup::Asymmetric } else { Setup::Fixed };
    OfferSettings {
        variant,
        setup,
        color: ColorChoice::Random,
        time: TimeControl::None,
        name: Name::new("Ada").expect("a plain name"),
        guest: None,
    }
}

/// Two sessions that have begun a game.
#[derive(Clone, Debug)]
pub struct Pair {
    pub sessions: [Session; 2],
    pub now_ms: u64,
}

impl Pair {
    pub fn begin(settings: &OfferSettings, seed: u64) -> Self {
        let mut dice = Dice(seed);
        let offer = make_offer(&host_key(), settings, dice.bytes(), START_MS);
        let log = Log::open(&offer).expect("an own offer");
        let name = Name::new("Grace").expect("a plain name");
        let accept =
            make_accept(&guest_key(), &log, name, dice.bytes(), START_MS + 1_000).expect("for any guest");
        let open = |key, entries| {
            Session::restore(key, entries, vec![], vec![], Confirmation::default()).expect("a fresh game")
        };
        let mut host = open(host_key(), vec![offer.clone()]);
        let guest = open(guest_key(), vec![offer, accept.clone()]);
        let now_ms = START_MS + 2_000;
        let effects = host.receive_entry(&accept, now_ms).expect("the guest's accept");
        let mut pair = Self { sessions: [host, guest], now_ms };
        pair.deliver(Party::Host, effects);
        pair
    }

    pub fn session(&mut self, party: Party) -> &mut Session {
        &mut self.sessions[party.index()]
    }

    /// Who is to decide.
    pub fn decider(&self) -> Option<Party> {
        Party::ALL.into_iter().find(|party| self.sessions[party.index()].is_my_turn())
    }

    /// One act of the player to decide, with everything that follows from it on both sides.
    pub fn act(&mut self, action: Action, draw_offer: bool) -> Result<(), CannotSign> {
        let party = self.decider().ok_or(CannotSign::Over)?;
        self.now_ms += 1_000;
        let now_ms = self.now_ms;
        let effects = self.session(party).act(action, draw_offer, now_ms)?;
        self.deliver(party, effects);
        Ok(())
    }

    pub fn resign(&mut self, party: Party) {
        let effects = self.session(party).resign().expect("a game to resign");
        self.deliver(party, effects);
    }

    pub fn accept_draw(&mut self) {
        let party = self.decider().expect("somebody to decide");
        let now_ms = self.now_ms;
        let effects = self.session(party).accept_draw(now_ms).expect("an offered draw");
        self.deliver(party, effects);
    }

    /// Gives what `from` signed to the other side, and what that signs in answer back, until nothing is left.
    pub fn deliver(&mut self, from: Party, effects: Vec<Effect>) {
        let answer = self.give(from.other(), effects);
        if !answer.is_empty() {
            self.deliver(from.other(), answer);
        }
    }

    fn give(&mut self, to: Party, effects: Vec<Effect>) -> Vec<Effect> {
        let now_ms = self.now_ms;
        let mut answers = Vec::new();
        for effect in effects {
            match effect {
                Effect::StoreEntry { entry, own: true, .. } => {
                    answers.extend(self.session(to).receive_entry(&entry, now_ms).expect("a valid entry"));
                }
                Effect::StoreStatement { statement, own: true, .. } => {
                    answers
                        .extend(self.session(to).receive_statement(&statement).expect("a valid statement"));
                }
                _ => {}
            }
        }
        answers
    }

    /// Random acts until the game is over or `acts` are done.
    pub fn play_randomly(&mut self, dice: &mut Dice, acts: usize) {
        for _ in 0..acts {
            let Some(party) = self.decider() else { return };
            let game = self.sessions[party.index()].game().expect("a board").clone();
            let legal = game.legal_actions();
            let stealth: Vec<_> =
                legal.iter().filter(|action| matches!(action, Action::Stealth { .. })).copied().collect();
            let action = if !stealth.is_empty() && dice.below(4) == 0 {
                stealth[dice.below(stealth.len())]
            } else {
                legal[dice.below(legal.len())]
            };
            self.act(action, dice.below(10) == 0).expect("a listed action");
        }
    }

    pub fn transcript(&self, party: Party) -> String {
        Source::of(&self.sessions[party.index()]).transcript()
    }
}

/// Gives entries of one session to another, as a carrier would.
pub fn feed(session: &mut Session, entries: &[SignedEntry], now_ms: u64) -> Result<Vec<Effect>, Rejection> {
    let mut effects = Vec::new();
    for entry in entries {
        effects.extend(session.receive_entry(entry, now_ms)?);
    }
    Ok(effects)
}

/// The own entries among effects.
pub fn own_entries(effects: &[Effect]) -> Vec<SignedEntry> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::StoreEntry { entry, own: true, .. } => Some(entry.clone()),
            _ => None,
        })
        .collect()
}

/// The own statements among effects.
pub fn own_statements(effects: &[Effect]) -> Vec<SignedStatement> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::StoreStatement { statement, own: true, .. } => Some(statement.clone()),
            _ => None,
        })
        .collect()
}
