//! What the situations need on a host beside the program.
//!
//! `reach-probe udp PORT`: a UDP socket on standard streams. A line `to ADDRESS WORD` sends a datagram and prints `sent`; one
//! that arrives prints `from ADDRESS WORD`. Ends with its standard input.
//!
//! `reach-probe flood KIND COUNT RELAY TABLE`: peers that wish a relay no good; see `probe/flood.rs`.

#[path = "probe/flood.rs"]
mod flood;

use std::error::Error;
use std::io::{BufRead, Write};
use std::net::{Ipv4Addr, UdpSocket};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["udp", port] => udp(port.parse()?),
        ["flood", kind, count, relay, table] => {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            runtime.block_on(flood::flood(kind.parse()?, count.parse()?, relay, table))
        }
        _ => Err("udp PORT, or flood KIND COUNT RELAY TABLE".into()),
    }
}

fn udp(port: u16) -> Result<(), Box<dyn Error>> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, port))?;
    say("bound")?;
    let ear = socket.try_clone()?;
    std::thread::spawn(move || {
        let mut datagram = [0; 64];
        loop {
            // An unreachable endpoint is told here as an error; the next datagram may be a good one.
            if let Ok((length, sender)) = ear.recv_from(&mut datagram) {
                let word = String::from_utf8_lossy(&datagram[..length]).into_owned();
                // The other end of standard output is gone only if the test is.
                let _ = say(&format!("from {sender} {word}"));
            }
        }
    });
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split(' ').skip(1);
        let (Some(address), Some(word)) = (words.next(), words.next()) else { return Err(line.into()) };
        // A network that is unreachable is no news either.
        let _ = socket.send_to(word.as_bytes(), address);
        say("sent")?;
    }
    Ok(())
}

fn say(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
