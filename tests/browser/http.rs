//! Requests over plain sockets: what a stranger on this machine can send, with nothing that a library would put right.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// Longest wait for a peer that says nothing.
const SILENCE: Duration = Duration::from_secs(60);

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    /// The value of the first header of this name, in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// Sends exactly this head and body to a port of the loopback; lines of the head are given without their ends.
///
/// A body without a known length, as a stream of events has, is not read.
pub fn ask(port: u16, head: &[String], body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("the server listens");
    stream.set_read_timeout(Some(SILENCE)).expect("a time limit");
    let text = format!("{}\r\n\r\n", head.join("\r\n"));
    stream.write_all(text.as_bytes()).expect("the server reads the head");
    // A server that has refused the head may have closed.
    let _ = stream.write_all(body);
    read(&mut stream)
}

/// A request as a well-behaved client writes it, with more headers.
pub fn request(port: u16, method: &str, path: &str, more: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut head = vec![format!("{method} {path} HTTP/1.1"), "Connection: close".to_owned()];
    if !more.iter().any(|(name, _)| *name == "Host") {
        head.push(format!("Host: 127.0.0.1:{port}"));
    }
    head.extend(more.iter().map(|(name, value)| format!("{name}: {value}")));
    if !body.is_empty() || method == "POST" {
        head.push(format!("Content-Length: {}", body.len()));
    }
    ask(port, &head, body)
}

fn read(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        assert!(
            read_more(stream, &mut bytes),
            "an answer was broken off: {}",
            String::from_utf8_lossy(&bytes)
        );
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let mut answer = Answer { status: status.expect("a status"), headers, body: bytes.split_off(end + 4) };
    let length = answer.header("content-length").and_then(|length| length.parse().ok());
    while answer.body.len() < length.unwrap_or(0) && read_more(stream, &mut answer.body) {}
    answer
}

/// Reads what has come; whether there was anything.
fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> bool {
    let mut piece = [0; 16 * 1024];
    match stream.read(&mut piece) {
        Ok(count) => {
            bytes.extend_from_slice(&piece[..count]);
            count > 0
        }
        Err(error) if error.kind() == ErrorKind::ConnectionReset => false,
        Err(error) => panic!("the answer does not come: {error}"),
    }
}
