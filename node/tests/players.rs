//! Automatic players and their stores.

use chakart_core::board::Square;
use chakart_core::protocol::entry::{ColorChoice, EntryId, Name, Party, TimeControl};
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::session::{OfferSettings, Session};
use chakart_core::rules::{Action, Rules, Setup, Variant};
use chakart_node::store::{GameNo, Salt, Store};

/// Any moment; the tests' clock stands still unless they move it.
pub(crate) const NOW_MS: u64 = 1_790_000_000_000;

/// A stream of numbers that is the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }
}

pub(crate) fn key(number: u8) -> SecretKey {
    SecretKey::from_seed(&[number; 32])
}

pub(crate) fn store(number: u8) -> Store {
    Store::in_memory(key(number)).expect("memory")
}

pub(crate) fn settings() -> OfferSettings {
    OfferSettings {
        variant: Variant::Chakart,
        setup: Setup::Asymmetric,
        color: ColorChoice::Random,
        time: TimeControl::None,
        name: name("Hana"),
        guest: None,
    }
}

pub(crate) fn name(text: &str) -> Name {
    Name::new(text).expect("a short name")
}

/// The guest joins an offer of the host, without telling it yet.
pub(crate) fn join(host: &mut Store, guest: &mut Store, salt: u8) -> (GameNo, EntryId) {
    let offer =
        host.create_offer(&settings(), Salt::from_bytes([salt; 32]), NOW_MS).expect("room for an offer");
    let game = guest
        .join(&offer.offer, name("Gil"), Salt::from_bytes([salt ^ 0xff; 32]), NOW_MS)
        .expect("a fresh offer");
    (game, offer.id)
}

/// Joins, and carries accept and set-up by hand; the game's numbers with host and guest.
pub(crate) fn begin(host: &mut Store, guest: &mut Store, salt: u8) -> (GameNo, GameNo) {
    let (with_guest, offer) = join(host, guest, salt);
    let accept = guest.session(with_guest).expect("just joined").entries()[1].clone();
    let receipt = host.receive_accept(&guest.player(), offer, &accept, NOW_MS).expect("the offer is open");
    carry_game(host, guest, receipt.game);
    (receipt.game, with_guest)
}

/// Carries everything of every common game from one store to the other.
pub(crate) fn carry(from: &mut Store, to: &mut Store) {
    for game in from.games().expect("readable") {
        carry_game(from, to, game.game);
    }
}

fn carry_game(from: &mut Store, to: &mut Store, game: GameNo) {
    let id = from.game(game).expect("kept").id;
    let Some(theirs) = to.game_of(id).expect("readable") else { return };
    let tail = from.tail(game, theirs.length).expect("readable");
    let receipt = to.receive(&from.player(), id, &tail.entries, &tail.statements, NOW_MS).expect("shared");
    assert_eq!(receipt.refused, None);
}

/// Some action that is legal, mostly one of the list, sometimes a stealth move.
pub(crate) fn choose(session: &Session, numbers: &mut Numbers) -> Action {
    let game = session.game().expect("the board is set up");
    let actions = game.legal_actions();
    let action = actions[numbers.below(actions.len())];
    let Action::Unseen { from } = action else { return action };
    let squares: Vec<Square> = game.stealth_destinations(from).into_iter().collect();
    Action::Stealth { from, to: squares[numbers.below(squares.len())] }
}

/// Acts if it is this store's turn; whether it was.
pub(crate) fn act(store: &mut Store, game: GameNo, numbers: &mut Numbers, draw_offer: bool) -> bool {
    let session = store.session(game).expect("readable");
    if !session.is_my_turn() {
        return false;
    }
    if draw_offer && session.is_draw_offered() {
        store.accept_draw(game, NOW_MS).expect("the draw is offered");
    } else {
        store.act(game, choose(&session, numbers), draw_offer, NOW_MS).expect("the action is legal");
    }
    true
}

/// Both players' copies after the same entries.
pub(crate) fn assert_alike(host: &Store, guest: &Store, games: (GameNo, GameNo)) {
    let (a, b) = (host.game(games.0).expect("kept"), guest.game(games.1).expect("kept"));
    assert_eq!((a.id, a.length, a.head, a.statements), (b.id, b.length, b.head, b.statements));
    assert_eq!((a.finished, a.result), (b.finished, b.result));
    assert_eq!((a.me, b.me), (Party::Host, Party::Guest));
}
