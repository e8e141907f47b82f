//! A home with ten thousand games, and the home of one opponent of a tenth of them. Made once, in half a minute, and kept in the
//! target folder; whoever measures gets copies.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chakart_core::chance::NoChance;
use chakart_core::protocol::entry::{ColorChoice, EntryId, Name, TimeControl};
use chakart_core::protocol::keys::SecretKey;
use chakart_core::protocol::phase::Phase;
use chakart_core::protocol::session::{OfferSettings, Session};
use chakart_core::rules::{Action, Rules, Setup, Variant};
use chakart_node::home::Home;
use chakart_node::identity;
use chakart_node::runtime::unix_ms;
use chakart_node::store::{GameNo, SCHEMA, Salt, Store};
use tempfile::TempDir;

/// Games of the home in a real run.
pub(crate) const GAMES: usize = 10_000;
/// Games with the peer, one in so many.
const ONE_IN: usize = 10;
/// Games with each other opponent.
const GAMES_PER_OPPONENT: usize = 3;
/// Three days.
const MOVE_MS: u64 = 3 * 86_400_000;
/// After a pause of thirty days in a game, nodes ask their person: older homes are made anew.
const KEPT_FOR: Duration = Duration::from_secs(20 * 86_400);

/// Copies of both homes, for one measurement.
pub(crate) struct Homes {
    folder: TempDir,
    /// That of all the games. In those with the peer it is the peer's turn: the last own act is not known there yet.
    pub(crate) owner: Home,
    /// That of the peer.
    pub(crate) peer: Home,
}

/// The key of a player: 0 is the owner, 1 the peer.
pub(crate) fn key(number: usize) -> SecretKey {
    let mut seed = [0x5a; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    SecretKey::from_seed(&seed)
}

impl Homes {
    /// Copies the homes that are kept in `folder`, and makes them before if there are none.
    pub(crate) fn copy(folder: &Path, games: usize) -> io::Result<Self> {
        let kept = kept(folder, games)?;
        let copy = tempfile::tempdir_in(folder)?;
        let home = |name: &str| {
            let home = Home::open(copy.path().join(name)).map_err(io::Error::other)?;
            fs::copy(kept.join(name).join("games.sqlite"), home.store_file())?;
            fs::copy(kept.join(name).join("identity.key"), home.key_file())?;
            Ok::<_, io::Error>(home)
        };
        Ok(Self { owner: home("owner")?, peer: home("peer")?, folder: copy })
    }

    /// A further home, without games.
    pub(crate) fn empty(&self, number: usize) -> Home {
        let home = Home::open(self.folder.path().join(format!("empty-{number}"))).expect("a fresh folder");
        identity::export(&key(number), &home.key_file(), None).expect("a fresh folder");
        home
    }
}

/// Where the homes are kept.
fn kept(folder: &Path, games: usize) -> io::Result<PathBuf> {
    let kept = folder.join(format!("homes-{games}-{SCHEMA}"));
    let age = fs::metadata(&kept).and_then(|found| found.modified()).map(|made| made.elapsed());
    if matches!(age, Ok(Ok(age)) if age < KEPT_FOR) {
        return Ok(kept);
    }
    if kept.exists() {
        fs::remove_dir_all(&kept)?;
    }
    println!("making a home of {games} games in {}", kept.display());
    let unfinished = tempfile::tempdir_in(folder)?;
    make(unfinished.path(), games);
    fs::rename(unfinished.keep(), &kept)?;
    Ok(kept)
}

fn make(folder: &Path, games: usize) {
    let mut owner = Store::in_memory(key(0)).expect("memory");
    let mut peer = Store::in_memory(key(1)).expect("memory");
    let with_peer: Vec<[GameNo; 2]> = (0..games / ONE_IN)
        .map(|number| {
            let mut pair = Pair::begin([&mut owner, &mut peer], number);
            pair.play(2 + number % 6);
            pair.play_to_turn_of_owner();
            pair.games
        })
        .collect();
    for opponent in 2..2 + (games - with_peer.len()).div_ceil(GAMES_PER_OPPONENT) {
        let mut other = Store::in_memory(key(opponent)).expect("memory");
        for number in 0..GAMES_PER_OPPONENT {
            Pair::begin([&mut owner, &mut other], opponent + number).play_somehow(opponent + number);
        }
    }
    keep(&peer, &folder.join("peer"), 1);
    for games in with_peer {
        Pair::of([&mut owner, &mut peer], games).act_alone();
    }
    keep(&owner, &folder.join("owner"), 0);
}

fn keep(store: &Store, folder: &Path, number: usize) {
    let home = Home::open(folder).expect("a fresh folder");
    identity::export(&key(number), &home.key_file(), None).expect("a fresh folder");
    store.copy_to(&home.store_file()).expect("a fresh folder");
}

/// One game in the stores of both players.
struct Pair<'a> {
    stores: [&'a mut Store; 2],
    games: [GameNo; 2],
    id: EntryId,
}

impl<'a> Pair<'a> {
    /// Begins a game; each of the two is the host in every other one.
    fn begin(stores: [&'a mut Store; 2], number: usize) -> Self {
        let (host, guest) = (number % 2, 1 - number % 2);
        let (salt, now_ms) = (|| Salt::fresh().expect("randomness"), unix_ms());
        let offer = stores[host].create_offer(&settings(number), salt(), now_ms).expect("room for an offer");
        let name = Name::new(format!("Guest {number}")).expect("a short name");
        let joined = stores[guest].join(&offer.offer, name, salt(), now_ms).expect("an open offer");
        let accept = stores[guest].session(joined).expect("just joined").entries()[1].clone();
        let player = stores[guest].player();
        let begun = stores[host].receive_accept(&player, offer.id, &accept, now_ms).expect("an open offer");
        let games = if host == 0 { [begun.game, joined] } else { [joined, begun.game] };
        let mut pair = Self { stores, games, id: accept.id() };
        pair.carry();
        pair
    }

    fn of(stores: [&'a mut Store; 2], games: [GameNo; 2]) -> Self {
        let id = stores[0].game(games[0]).expect("kept").id;
        Self { stores, games, id }
    }

    fn session(&mut self, side: usize) -> Session {
        self.stores[side].session(self.games[side]).expect("kept")
    }

    fn turn(&mut self) -> Option<usize> {
        (0..2).find(|&side| self.session(side).is_my_turn())
    }

    /// Some acts, and then a resignation, an agreed draw, or nothing.
    fn play_somehow(&mut self, number: usize) {
        self.play(1 + number % 9);
        match number % 4 {
            // A king may have fallen before.
            0 if self.turn().is_some() => {
                self.stores[number % 2].resign(self.games[number % 2], unix_ms()).expect("it goes on");
            }
            1 => self.agree(),
            _ => {}
        }
        self.carry();
    }

    fn play(&mut self, acts: usize) {
        for _ in 0..acts {
            let Some(side) = self.turn() else { return };
            self.act(side, false);
        }
    }

    fn play_to_turn_of_owner(&mut self) {
        if self.turn() == Some(1) {
            self.act(1, false);
        }
    }

    /// An act of the owner that the peer does not get.
    fn act_alone(&mut self) {
        let session = self.session(0);
        if session.is_my_turn() {
            self.stores[0].act(self.games[0], quiet_action(&session), false, unix_ms()).expect("legal");
        }
    }

    fn agree(&mut self) {
        for _ in 0..2 {
            match self.turn() {
                Some(side) if self.session(side).is_draw_offered() => {
                    self.stores[side].accept_draw(self.games[side], unix_ms()).expect("offered");
                }
                Some(side) => self.act(side, true),
                None => return,
            }
        }
    }

    fn act(&mut self, side: usize, draw: bool) {
        let session = self.session(side);
        let action = some_action(&session);
        self.stores[side].act(self.games[side], action, draw, unix_ms()).expect("legal");
        self.carry();
    }

    /// Carries what either has and the other lacks, answers and acknowledgements included.
    fn carry(&mut self) {
        for side in [0, 1, 0, 1] {
            let known = self.stores[1 - side].game(self.games[1 - side]).expect("kept").length;
            let tail = self.stores[side].tail(self.games[side], known).expect("memory");
            let player = self.stores[side].player();
            let taken = self.stores[1 - side]
                .receive(&player, self.id, &tail.entries, &tail.statements, unix_ms())
                .expect("a common game");
            assert_eq!(taken.refused, None);
            let sent = self.stores[side].game(self.games[side]).expect("kept");
            self.stores[side].acknowledge(&[(sent, taken.head)]).expect("memory");
        }
    }
}

/// An action that no chance follows, and no end of the game.
pub(crate) fn quiet_action(session: &Session) -> Action {
    let Phase::ExpectAct(due) = session.log().phase() else { unreachable!("it is somebody's turn") };
    let game = &due.midgame.game;
    let goes_on = |action: &Action| {
        game.play(action, &mut NoChance).is_ok_and(|played| played.next.outcome().is_none())
    };
    let mut actions = visible_actions(session);
    actions.retain(|action| due.reveal_due(action) == Some(false) && goes_on(action));
    some_of(session, &actions).unwrap_or_else(|| some_action(session))
}

fn some_action(session: &Session) -> Action {
    some_of(session, &visible_actions(session)).expect("the game goes on")
}

fn visible_actions(session: &Session) -> Vec<Action> {
    let mut actions = session.game().expect("set up").legal_actions();
    actions.retain(|action| !matches!(action, Action::Unseen { .. }));
    actions
}

/// A choice that differs from game to game and from turn to turn.
fn some_of(session: &Session, actions: &[Action]) -> Option<Action> {
    let number = usize::from(session.log().head().id.0[0]);
    actions.get(number % actions.len().max(1)).copied()
}

fn settings(number: usize) -> OfferSettings {
    OfferSettings {
        variant: Variant::Chakart,
        setup: Setup::Asymmetric,
        color: ColorChoice::Random,
        time: if number.is_multiple_of(3) {
            TimeControl::PerMove { move_ms: MOVE_MS }
        } else {
            TimeControl::None
        },
        name: Name::new(format!("Host {number}")).expect("a short name"),
        guest: None,
    }
}
