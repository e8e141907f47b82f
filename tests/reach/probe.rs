//! A UDP socket on standard streams, to be run in a namespace.
//!
//! `reach-probe PORT`. A line `to ADDRESS WORD` sends a datagram and prints `sent`; one that arrives prints
//! `from ADDRESS WORD`. Ends with its standard input.

use std::io::{BufRead, Write};
use std::net::{Ipv4Addr, UdpSocket};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).ok_or("which port?")?.parse::<u16>()?;
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
