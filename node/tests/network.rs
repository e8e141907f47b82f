//! Two nodes with homes of their own over loopback.

use std::future::Future;
use std::time::{Duration, Instant};

use chakart_core::protocol::keys::PublicKey;
use chakart_core::protocol::note::NoteText;
use chakart_node::carrier::{Carrier, Delivered};
use chakart_node::home::{Home, HomeError};
use chakart_node::runtime::{ConnectError, Node, NodeConfig, NodeError, NodeEvent, unix_ms};
use chakart_node::store::{GameNo, Salt, Store};
use chakart_node::sync::engine::SyncEvent;
use tempfile::TempDir;

use super::players::{Numbers, choose, key, name, settings};

/// Longer than anything here takes on a busy machine; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

const QUIC: &str = "/ip4/127.0.0.1/udp/0/quic-v1";
const TCP: &str = "/ip4/127.0.0.1/tcp/0";

/// A player at a machine of its own.
struct Table {
    _folder: TempDir,
    home: Home,
    number: u8,
    store: Store,
}

impl Table {
    fn new(number: u8) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let home = Home::open(folder.path().join("home")).expect("a fresh folder");
        let store = Store::open(&home.store_file(), key(number)).expect("a fresh file");
        Self { _folder: folder, home, number, store }
    }

    fn player(&self) -> PublicKey {
        key(self.number).public()
    }

    async fn node(&self, listen: &str) -> Node {
        let config = NodeConfig { listen: vec![listen.to_owned()], ..NodeConfig::default() };
        Node::start(&self.home, key(self.number), config).await.expect("loopback")
    }

    async fn carrier(&self, listen: &str) -> Carrier {
        let config = NodeConfig { listen: vec![listen.to_owned()], ..NodeConfig::default() };
        Carrier::open(&self.home, key(self.number), config).await.expect("loopback")
    }

    /// Acts if it is this player's turn; whether it was.
    fn act(&mut self, game: GameNo, numbers: &mut Numbers, draw: bool) -> bool {
        let session = self.store.session(game).expect("kept");
        if !session.is_my_turn() {
            return false;
        }
        if draw && session.is_draw_offered() {
            self.store.accept_draw(game, unix_ms()).expect("offered");
        } else {
            self.store.act(game, choose(&session, numbers), draw, unix_ms()).expect("legal");
        }
        true
    }

    fn finished(&self, game: GameNo) -> bool {
        self.store.game(game).expect("kept").finished
    }
}

/// The guest joins an offer of the host; nothing is carried yet.
fn join(host: &mut Table, guest: &mut Table) -> GameNo {
    let salt = Salt::from_bytes([host.number; 32]);
    let offer = host.store.create_offer(&settings(), salt, unix_ms()).expect("room");
    let salt = Salt::from_bytes([guest.number; 32]);
    guest.store.join(&offer.offer, name("Gil"), salt, unix_ms()).expect("open")
}

async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("long enough")
}

/// Waits until the store says so, looking again at every event.
async fn until(table: &Table, carrier: &mut Carrier, holds: impl Fn(&Store) -> bool) {
    in_time(async {
        while !holds(&table.store) {
            carrier.next_event().await.expect("the node runs");
        }
    })
    .await;
}

async fn play_over(listen: &str) {
    let (mut host, mut guest) = (Table::new(1), Table::new(2));
    let with_guest = join(&mut host, &mut guest);
    let (mut host_node, mut guest_node) = (host.carrier(listen).await, guest.carrier(listen).await);
    meet(&host, &host_node, &guest_node).await;
    until(&host, &mut host_node, |store| !store.games().expect("readable").is_empty()).await;
    let with_host = host.store.games().expect("readable")[0].game;
    let mut numbers = Numbers::new(9);
    let mut acts = 0;
    while !host.finished(with_host) {
        let length = guest.store.game(with_guest).expect("kept").length;
        if host.act(with_host, &mut numbers, acts > 12) {
            acts += 1;
            host_node.wake();
        } else if guest.act(with_guest, &mut numbers, acts > 12) {
            acts += 1;
            guest_node.wake();
        } else {
            until(&guest, &mut guest_node, |store| store.game(with_guest).expect("kept").length > length)
                .await;
            continue;
        }
        settled(&host, &mut host_node, with_host).await;
        settled(&guest, &mut guest_node, with_guest).await;
        let longest = host.store.game(with_host).expect("kept").length;
        until(&guest, &mut guest_node, |store| store.game(with_guest).expect("kept").length >= longest).await;
    }
    until(&guest, &mut guest_node, |store| store.game(with_guest).expect("kept").finished).await;
    let (a, b) = (host.store.game(with_host).expect("kept"), guest.store.game(with_guest).expect("kept"));
    assert_eq!((a.id, a.head, a.result), (b.id, b.head, b.result));
    host_node.close().await;
    guest_node.close().await;
}

/// Everything that is here has been acknowledged.
async fn settled(table: &Table, carrier: &mut Carrier, game: GameNo) {
    until(table, carrier, |store| store.game(game).expect("kept").delivery.complete).await;
}

fn own(carrier: &Carrier) -> &Node {
    match carrier {
        Carrier::Own { node, .. } => Some(node),
        Carrier::Other(_) => None,
    }
    .expect("the home was free")
}

async fn meet(host: &Table, host_node: &Carrier, guest_node: &Carrier) {
    let (host_node, guest_node) = (own(host_node), own(guest_node));
    let addresses = host_node.handle().listen_addresses().await.expect("it runs");
    in_time(guest_node.handle().connect(host.player(), addresses)).await.expect("loopback");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_over_quic() {
    play_over(QUIC).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_over_tcp() {
    play_over(TCP).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_tell_of_connections_and_games() {
    let (mut host, mut guest) = (Table::new(1), Table::new(2));
    join(&mut host, &mut guest);
    let (host_node, guest_node) = (host.node(QUIC).await, guest.node(QUIC).await);
    let mut events = host_node.handle().events();
    let addresses = host_node.handle().listen_addresses().await.expect("it runs");
    in_time(guest_node.handle().connect(host.player(), addresses)).await.expect("loopback");
    let first = in_time(events.next()).await;
    assert!(
        matches!(first, Some(NodeEvent::PeerConnected { peer, .. }) if peer == guest.player()),
        "{first:?}"
    );
    in_time(async {
        while !matches!(events.next().await, Some(NodeEvent::Game(SyncEvent::GameChanged { length: 3, .. })))
        {
        }
    })
    .await;
    assert_eq!(host_node.handle().peers().await.expect("it runs").len(), 1);
    guest_node.stop().await;
    in_time(async { while !matches!(events.next().await, Some(NodeEvent::PeerDisconnected { .. })) {} })
        .await;
    host_node.stop().await;
    assert!(events.next().await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_node_of_a_home_is_refused_and_watches_instead() {
    let (mut host, mut guest) = (Table::new(1), Table::new(2));
    let with_guest = join(&mut host, &mut guest);
    let (host_node, first) = (host.carrier(QUIC).await, guest.carrier(QUIC).await);
    let again = Node::start(&guest.home, key(2), NodeConfig::default()).await;
    assert!(matches!(again, Err(NodeError::Home(HomeError::Running { .. }))));
    let mut watching = guest.carrier(QUIC).await;
    assert!(matches!(watching, Carrier::Other(_)));
    meet(&host, &host_node, &first).await;
    until(&guest, &mut watching, |store| store.game(with_guest).expect("kept").length >= 3).await;
    // What a command writes beside the running node is carried by it.
    guest.store.resign(with_guest, unix_ms()).expect("begun");
    let delivered = watching.deliver(&guest.store, with_guest, PATIENCE).await.expect("readable");
    assert!(matches!(delivered, Delivered::Complete), "{delivered:?}");
    assert!(host.finished(host.store.games().expect("readable")[0].game));
    first.close().await;
    host_node.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_for_the_length_of_a_command_delivers() {
    let (mut host, mut guest) = (Table::new(1), Table::new(2));
    let with_guest = join(&mut host, &mut guest);
    let host_node = host.node(QUIC).await;
    for address in host_node.handle().listen_addresses().await.expect("it runs") {
        guest.store.keep_address(&host.player(), &address, unix_ms()).expect("writable");
    }
    let mut command = guest.carrier(QUIC).await;
    let delivered = command.deliver(&guest.store, with_guest, PATIENCE).await.expect("readable");
    assert!(matches!(delivered, Delivered::Complete), "{delivered:?}");
    command.close().await;
    assert_eq!(host.store.games().expect("readable").len(), 1);
    host_node.stop().await;
    // With nobody there the command says so at once and loses nothing.
    guest.store.resign(with_guest, unix_ms()).ok();
    let mut command = guest.carrier(QUIC).await;
    let outcome = command.deliver(&guest.store, with_guest, PATIENCE).await.expect("readable");
    if !guest.store.game(with_guest).expect("kept").delivery.complete {
        assert!(matches!(
            outcome,
            Delivered::NotYet { unreached: Some(ConnectError::Unreachable(_) | ConnectError::NoAddress) }
        ));
    }
    command.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_node_dials_for_a_command_of_another_process() {
    let (mut host, mut guest) = (Table::new(1), Table::new(2));
    let host_node = host.node(TCP).await;
    let running = guest.node(TCP).await;
    let with_guest = join(&mut host, &mut guest);
    for address in host_node.handle().listen_addresses().await.expect("it runs") {
        guest.store.keep_address(&host.player(), &address, unix_ms()).expect("writable");
    }
    let mut command = guest.carrier(TCP).await;
    let delivered = command.deliver(&guest.store, with_guest, PATIENCE).await.expect("readable");
    assert!(matches!(delivered, Delivered::Complete), "{delivered:?}");
    running.stop().await;
    host_node.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_peer_at_the_address_is_not_taken_for_the_right_one() {
    let (host, guest) = (Table::new(1), Table::new(2));
    let (host_node, guest_node) = (host.node(TCP).await, guest.node(TCP).await);
    let addresses = host_node.handle().listen_addresses().await.expect("it runs");
    let wrong = in_time(guest_node.handle().connect(key(3).public(), addresses)).await;
    assert!(matches!(wrong, Err(ConnectError::Unreachable(_))), "{wrong:?}");
    let unknown = in_time(guest_node.handle().connect(key(4).public(), Vec::new())).await;
    assert!(matches!(unknown, Err(ConnectError::NoAddress)), "{unknown:?}");
    let text = in_time(guest_node.handle().connect(key(4).public(), vec!["over there".to_owned()])).await;
    assert!(matches!(text, Err(ConnectError::Address(_))), "{text:?}");
    host_node.stop().await;
    guest_node.stop().await;
}

/// Prints how long a move takes from the store of one to the acknowledgement of the other.
#[tokio::test(flavor = "multi_thread")]
async fn a_pushed_move_is_acknowledged_soon() {
    let (mut host, mut guest) = (Table::new(1), Table::new(2));
    let with_guest = join(&mut host, &mut guest);
    let (mut host_node, mut guest_node) = (host.carrier(QUIC).await, guest.carrier(QUIC).await);
    meet(&host, &host_node, &guest_node).await;
    until(&guest, &mut guest_node, |store| store.game(with_guest).expect("kept").length >= 3).await;
    let with_host = host.store.games().expect("readable")[0].game;
    settled(&host, &mut host_node, with_host).await;
    let mut numbers = Numbers::new(4);
    let begun = Instant::now();
    if host.act(with_host, &mut numbers, false) {
        host_node.wake();
        settled(&host, &mut host_node, with_host).await;
    } else if guest.act(with_guest, &mut numbers, false) {
        guest_node.wake();
        settled(&guest, &mut guest_node, with_guest).await;
    }
    println!("signed to acknowledged: {:?}", begun.elapsed());
    host_node.close().await;
    guest_node.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_and_rematches_cross_the_network() {
    let (mut host, mut guest) = (Table::new(1), Table::new(2));
    let with_guest = join(&mut host, &mut guest);
    let (mut host_node, mut guest_node) = (host.carrier(QUIC).await, guest.carrier(QUIC).await);
    meet(&host, &host_node, &guest_node).await;
    until(&host, &mut host_node, |store| !store.games().expect("readable").is_empty()).await;
    let with_host = host.store.games().expect("readable")[0].game;
    let text = NoteText::new("good luck").expect("a text");
    host.store.write_note(with_host, text.clone(), unix_ms()).expect("room");
    host_node.wake();
    until(&host, &mut host_node, |store| store.notes(with_host).expect("kept")[0].delivered).await;
    assert_eq!(guest.store.notes(with_guest).expect("kept")[0].note.text, text);
    until(&guest, &mut guest_node, |store| store.game(with_guest).expect("kept").length > 2).await;
    guest.store.resign(with_guest, unix_ms()).expect("begun");
    guest_node.wake();
    until(&host, &mut host_node, |store| store.game(with_host).expect("kept").finished).await;
    host.store.rematch(with_host, Salt::from_bytes([7; 32]), unix_ms()).expect("over");
    host_node.wake();
    in_time(async {
        loop {
            let event = guest_node.next_event().await.expect("the node runs");
            if matches!(event, NodeEvent::Game(SyncEvent::Invite { .. })) {
                break;
            }
        }
    })
    .await;
    assert_eq!(guest.store.invites().expect("readable").len(), 1);
    host_node.close().await;
    guest_node.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_node_with_the_same_key_is_noticed() {
    let (one, other) = (Table::new(1), Table::new(1));
    let (node, second) = (one.node(TCP).await, other.node(TCP).await);
    let mut events = second.handle().events();
    let addresses = node.handle().listen_addresses().await.expect("it runs");
    let refused = in_time(second.handle().connect(one.player(), addresses)).await;
    assert!(matches!(refused, Err(ConnectError::Unreachable(_))), "{refused:?}");
    in_time(async { while !matches!(events.next().await, Some(NodeEvent::SecondNode { .. })) {} }).await;
    node.stop().await;
    second.stop().await;
}
