//! The server of the browser board answers its own pages, and gives nothing to other sites, programs and names.

use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};

use serde_json::json;

use crate::http::{Answer, ask, request};
use crate::site::{Site, text};

/// Every route of data, with a body where one is sent. `GAME` stands for the name of a game.
const ROUTES: [(&str, &str, &str); 15] = [
    ("GET", "/api/lobby", ""),
    ("POST", "/api/offers", r#"{"variant":"chakart","color":"white"}"#),
    ("GET", "/api/offers/GAME", ""),
    ("DELETE", "/api/offers/GAME", ""),
    ("POST", "/api/join", r#"{"invite":"chakart:","name":null}"#),
    ("POST", "/api/invites/GAME", "{}"),
    ("GET", "/api/games/GAME", ""),
    ("POST", "/api/games/GAME/deeds", r#"{"deed":"resign"}"#),
    ("GET", "/api/games/GAME/odds?action=e2e4", ""),
    ("GET", "/api/games/GAME/luck", ""),
    ("GET", "/api/games/GAME/transcript", ""),
    ("GET", "/api/luck", ""),
    ("GET", "/api/rules/chakart", ""),
    ("GET", "/api/events", ""),
    ("GET", "/api/anything-else", ""),
];

#[test]
fn requests_of_strangers_get_nothing() {
    let (host, guest) = (Site::open(), Site::open());
    let [game, _] = host.begin_with(&guest, "chakart", "white");
    for (method, path, body) in ROUTES {
        let path = path.replace("GAME", &game);
        let own =
            [("Cookie", host.cookie()), ("Origin", host.origin()), ("Content-Type", "application/json")];
        let send = |headers: &[(&str, &str)]| request(host.port(), method, &path, headers, body.as_bytes());
        for (changed, what) in strangers(&host, &guest) {
            let mut headers = own.to_vec();
            headers.retain(|(name, _)| !changed.iter().any(|(new, _)| new == name));
            headers.extend(changed.iter().filter(|(_, value)| !value.is_empty()));
            let status = if changed[0].0 == "Cookie" { 401 } else { 403 };
            refused(&send(&headers), status, &format!("{method} {path}: {what}"));
        }
        if method != "GET" {
            refused(&send(&[own[0], own[2]]), 403, &format!("{method} {path}: without an origin"));
        }
    }
    // None of all that has touched the game.
    let table = host.table(&game);
    assert_eq!((&table["finished"], &table["me"]), (&json!(false), &json!("white")));
}

/// What a stranger's request has otherwise than an own one: headers (empty: left out), and words for it.
fn strangers<'a>(host: &'a Site, other: &'a Site) -> Vec<(Vec<(&'a str, &'a str)>, &'a str)> {
    let only = |name: &'a str, value: &'a str| vec![(name, value)];
    vec![
        (only("Cookie", ""), "no cookie"),
        (only("Cookie", "chakart-1=1"), "a foreign cookie"),
        (only("Cookie", other.cookie()), "the cookie of another server"),
        (only("Cookie", wrong_cookie(host)), "a wrong cookie"),
        (only("Origin", "null"), "no honest origin"),
        (only("Origin", "http://friend.example"), "a foreign site"),
        (only("Origin", other.origin()), "another port"),
        (vec![("Host", "friend.example"), ("Origin", "http://friend.example")], "a name that leads here"),
        (only("Host", "127.0.0.1"), "a host without the port"),
        (only("Host", other.origin().trim_start_matches("http://")), "another server's host"),
    ]
}

fn wrong_cookie(host: &Site) -> &str {
    host.cookie().split_at(host.cookie().len() - 1).0
}

fn refused(answer: &Answer, status: u16, what: &str) {
    assert_eq!((answer.status, answer.text().as_str()), (status, ""), "{what}");
    guarded(answer, what);
}

#[test]
fn own_requests_pass() {
    let site = Site::open();
    assert!(site.get("/api/lobby")["games"].as_array().is_some_and(Vec::is_empty));
    let by_name = [("Host", format!("localhost:{}", site.port())), ("Cookie", site.cookie().to_owned())];
    let headers: Vec<_> = by_name.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(request(site.port(), "GET", "/api/lobby", &headers, b"").status, 200);
    let events = site.send("GET", "/api/events", b"");
    assert_eq!((events.status, events.header("content-type")), (200, Some("text/event-stream")));
    // Two programs beside each other: neither takes the cookie of the other away.
    let other = Site::open();
    assert_ne!(name_of(site.cookie()), name_of(other.cookie()));
    let both = format!("{}; {}", other.cookie(), site.cookie());
    for port in [site.port(), other.port()] {
        assert_eq!(request(port, "GET", "/api/lobby", &[("Cookie", &both)], b"").status, 200);
    }
}

fn name_of(cookie: &str) -> &str {
    cookie.split_once('=').expect("name and value").0
}

#[test]
fn only_the_printed_token_buys_a_cookie() {
    let (site, other) = (Site::open(), Site::open());
    assert_eq!(site.token().len(), 64);
    for token in ["", &site.token()[1..], other.token(), &"0".repeat(64)] {
        let body = json!({ "token": token }).to_string();
        let answer = site.send("POST", "/api/session", body.as_bytes());
        refused(&answer, 403, token);
        assert_eq!(answer.header("set-cookie"), None);
    }
    let body = json!({ "token": site.token() }).to_string();
    let foreign = [("Origin", "http://friend.example"), ("Content-Type", "application/json")];
    refused(&request(site.port(), "POST", "/api/session", &foreign, body.as_bytes()), 403, "a foreign site");
    let bought = site.send("POST", "/api/session", body.as_bytes());
    let cookie = bought.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(site.token()));
}

#[test]
fn malformed_requests_are_told_what_is_wrong_and_the_server_lives_on() {
    let (host, guest) = (Site::open(), Site::open());
    let [game, _] = host.begin_with(&guest, "chakart", "white");
    let deeds = format!("/api/games/{game}/deeds");
    let cases = [
        ("POST", deeds.as_str(), "{", 400),
        ("POST", &deeds, "[]", 400),
        ("POST", &deeds, r#"{"deed":"fly"}"#, 400),
        ("POST", &deeds, r#"{"deed":"act","action":"nonsense"}"#, 409),
        ("POST", &deeds, r#"{"deed":"act","action":"e2e4","more":1}"#, 400),
        ("POST", &deeds, r#"{"deed":"claim"}"#, 409),
        ("POST", "/api/offers", r#"{"variant":"draughts","color":"white"}"#, 400),
        ("POST", "/api/offers", r#"{"variant":"chakart","color":"green"}"#, 400),
        ("POST", "/api/offers", r#"{"variant":"chakart","color":"white","days":3}"#, 400),
        ("POST", "/api/join", r#"{"invite":"chakart:AAAA","name":null}"#, 400),
        ("GET", "/api/games/nothing-of-that-name", "", 404),
        ("GET", "/api/games/%00%1b%5b31m", "", 404),
        ("GET", "/api/offers/nothing-of-that-name", "", 404),
        ("GET", "/api/rules/draughts", "", 400),
    ];
    for (method, path, body, status) in cases {
        let answer = host.send(method, path, body.as_bytes());
        let what = format!("{method} {path} {body}: {}", answer.text());
        assert_eq!(answer.status, status, "{what}");
        assert!(!text(&answer.json()["error"]).is_empty() && !answer.text().contains('\u{1b}'), "{what}");
        guarded(&answer, &what);
    }
    let plain = [("Cookie", host.cookie()), ("Origin", host.origin()), ("Content-Type", "text/plain")];
    let answer = request(host.port(), "POST", &deeds, &plain, br#"{"deed":"resign"}"#);
    assert_eq!(answer.status, 400, "a form of another site can send plain text: {}", answer.text());
    let answer = host.send("POST", &deeds, &vec![b' '; 70_000]);
    assert!((400..500).contains(&answer.status), "a body that is too large: {}", answer.status);
    garbage(host.port());
    assert_eq!(host.table(&game)["finished"], json!(false));
}

/// Bytes that are no request.
fn garbage(port: u16) {
    for head in ["\u{0}\u{1}\u{2}", "GET", "GET / HTTP/9.9", "GET http://friend.example/ HTTP/1.1\r\nHost: x"]
    {
        assert!((400..600).contains(&ask(port, &[head.to_owned()], b"").status), "{head:?}");
    }
    let two_hosts =
        ["GET / HTTP/1.1".to_owned(), format!("Host: 127.0.0.1:{port}"), "Host: friend.example".to_owned()];
    assert_ne!(ask(port, &two_hosts, b"").status, 200);
    refused(&ask(port, &["GET / HTTP/1.0".to_owned()], b""), 403, "no host");
}

#[test]
fn every_answer_forbids_what_pages_do_not_need() {
    let site = Site::open();
    for path in ["/", "/main.js", "/style.css", "/symbols.svg", "/nothing", "/../Cargo.toml", "/api/lobby"] {
        guarded(&site.send("GET", path, b""), path);
    }
    let page = request(site.port(), "GET", "/", &[], b"");
    assert_eq!(page.status, 200, "the page itself holds no secret");
    assert!(!page.text().contains(site.token()));
    assert_eq!(site.send("GET", "/../Cargo.toml", b"").status, 404);
    assert_eq!(site.send("GET", "/nothing", b"").status, 404);
}

fn guarded(answer: &Answer, what: &str) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{what}");
    }
    let policy = answer.header("content-security-policy").unwrap_or_default();
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.contains(part), "{what}: {policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
    assert_eq!(answer.header("access-control-allow-origin"), None, "{what}");
}

#[test]
fn it_listens_on_loopback_alone() {
    let site = Site::open();
    assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, site.port())).is_ok());
    // Whoever listens on every address keeps others from this one.
    let other = TcpListener::bind((Ipv4Addr::new(127, 0, 0, 2), site.port()));
    assert!(other.is_ok(), "{other:?}");
    drop(other);
    if let Some(own) = outer_address() {
        assert!(TcpStream::connect((own, site.port())).is_err(), "reached by {own}");
    }
}

/// The address by which this machine reaches others; nothing is sent.
fn outer_address() -> Option<std::net::IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback())
}
