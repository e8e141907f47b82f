//! Figures of a running node: a port of the loopback, and only where they are asked for.

use chakart_node::home::Home;
use chakart_node::metrics::PATH;
use chakart_node::runtime::{HelperRole, Node, NodeConfig, NodeError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::players::key;

const LOOPBACK: &str = "/ip4/127.0.0.1/tcp/0";

fn config(metrics: u16) -> NodeConfig {
    let helper = HelperRole { mailbox_for: vec![key(2).public()], ..HelperRole::default() };
    NodeConfig {
        listen: vec![LOOPBACK.to_owned()],
        metrics: Some(metrics),
        helper: Some(helper),
        ..NodeConfig::default()
    }
}

async fn page(port: u16) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("somebody listens");
    let request = format!("GET {PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("text");
    answer
}

#[tokio::test]
async fn a_relay_with_a_mailbox_tells_its_figures() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let home = Home::open(folder.path().join("home")).expect("a fresh folder");
    let taken = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let port = taken.local_addr().expect("an address").port();
    let failed = Node::start(&home, key(1), config(port)).await;
    let Err(error @ NodeError::Metrics(_)) = failed else { unreachable!("the port is taken") };
    assert!(error.to_string().contains(&format!("port {port}")), "{error}");
    drop(taken);

    let node = Node::start(&home, key(1), config(port)).await.expect("loopback");
    let answer = page(port).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    for figure in [
        "chakart_connections 0",
        "chakart_reservations_held 0",
        "chakart_reservations_served 0",
        "chakart_circuits 0",
        "chakart_letters_kept 0",
        "chakart_letter_bytes_kept 0",
        "chakart_letters_refused 0",
        "chakart_games_open 0",
        "chakart_entries_stored 0",
        "libp2p_",
    ] {
        assert!(answer.contains(figure), "{figure}: {answer}");
    }
    node.stop().await;
    assert!(TcpStream::connect(("127.0.0.1", port)).await.is_err(), "served as long as the node runs");
}
