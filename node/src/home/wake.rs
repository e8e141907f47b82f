//! How a process that wrote to the store wakes the running node of the same home.
//!
//! A datagram on loopback, whose port and secret token stand in a private file of the home. A socket file would be
//! simpler to find, but its path may have at most 108 bytes, and homes lie deeper than that.

use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, UdpSocket};
use std::path::{Path, PathBuf};

use super::{Home, create_private_file};

/// Length of the token, in bytes.
const TOKEN_BYTES: usize = 16;

/// The ear of a running node.
#[derive(Debug)]
pub struct WakeSocket {
    socket: tokio::net::UdpSocket,
    token: [u8; TOKEN_BYTES],
    file: PathBuf,
}

impl WakeSocket {
    /// Listens, and says in the home how to be woken. To be called by the holder of the home's lock, inside a tokio
    /// runtime.
    ///
    /// # Errors
    /// Of the socket, the file or the system's randomness.
    pub fn bind(home: &Home) -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_nonblocking(true)?;
        let mut token = [0; TOKEN_BYTES];
        getrandom::fill(&mut token)?;
        let file = home.wake_file();
        write_card(&file, socket.local_addr()?.port(), &token)?;
        Ok(Self { socket: tokio::net::UdpSocket::from_std(socket)?, token, file })
    }

    /// Waits for the next call. Datagrams without the token are passed over.
    pub async fn woken(&self) {
        let mut buffer = [0; TOKEN_BYTES + 1];
        loop {
            match self.socket.recv(&mut buffer).await {
                Ok(length) if buffer.get(..length) == Some(&self.token) => return,
                Ok(_) => {}
                // An error of one datagram must not become a busy loop.
                Err(_) => tokio::time::sleep(std::time::Duration::from_secs(1)).await,
            }
        }
    }
}

impl Drop for WakeSocket {
    fn drop(&mut self) {
        // A card that stays behind only costs its readers a lost datagram.
        let _ = fs::remove_file(&self.file);
    }
}

/// Sends the call to whoever left its card; silently does nothing if that fails.
pub(super) fn send(file: &Path) {
    if let Some((port, token)) = read_card(file) {
        let sent = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|socket| socket.send_to(&token, (Ipv4Addr::LOCALHOST, port)));
        if let Err(error) = sent {
            tracing::debug!(%error, "the running node was not woken");
        }
    }
}

fn write_card(file: &Path, port: u16, token: &[u8]) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut card = port.to_le_bytes().to_vec();
    card.extend_from_slice(token);
    create_private_file(file)?.write_all(&card)
}

fn read_card(file: &Path) -> Option<(u16, [u8; TOKEN_BYTES])> {
    let card = fs::read(file).ok()?;
    let (port, token) = card.split_first_chunk()?;
    Some((u16::from_le_bytes(*port), token.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_with_the_token_wakes() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let home = Home::open(folder.path()).expect("a fresh folder");
        home.wake();
        let ear = WakeSocket::bind(&home).expect("loopback");
        home.wake();
        ear.woken().await;
        drop(ear);
        assert!(!home.wake_file().exists());
    }
}
