//! Messages on a stream: one message, then the end of the stream.

use std::io;
use std::marker::PhantomData;

use futures::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use libp2p::StreamProtocol;
use libp2p::request_response::Codec;
use tokio::sync::Semaphore;

use crate::mailbox::message as letters;
use crate::sync::limits::MAX_MESSAGE_BYTES;
use crate::sync::message::{BadMessage, Request, Response};
use crate::sync::note::{NoteRequest, NoteResponse};

/// Up to so many bytes a message is short.
const SHORT_BYTES: usize = 4 * 1024;
/// KiB for longer messages that nobody has asked for and that are being read, in all.
static LONG_KIB: Semaphore = Semaphore::const_new(32 * 1024);

/// A message that fills a stream.
pub(crate) trait Wire: Sized + Send + 'static {
    /// Longest message of its protocol, in bytes.
    const MAX_BYTES: usize;

    /// Its bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Reads it.
    fn from_bytes(bytes: &[u8]) -> Result<Self, BadMessage>;
}

macro_rules! wire {
    ($max:expr; $($message:ty),*) => {
        $(impl Wire for $message {
            const MAX_BYTES: usize = $max;

            fn to_bytes(&self) -> Vec<u8> {
                self.encode()
            }

            fn from_bytes(bytes: &[u8]) -> Result<Self, BadMessage> {
                Self::decode(bytes)
            }
        })*
    };
}

wire!(MAX_MESSAGE_BYTES; Request, Response, NoteRequest, NoteResponse);
wire!(letters::MAX_MESSAGE_BYTES; letters::Request, letters::Response);

/// Reads and writes requests `Q` and responses `A`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WireCodec<Q, A>(PhantomData<fn() -> (Q, A)>);

impl<Q, A> WireCodec<Q, A> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<Q: Wire, A: Wire> Codec for WireCodec<Q, A>
where
    Self: Clone,
{
    type Protocol = StreamProtocol;
    type Request = Q;
    type Response = A;

    async fn read_request<T>(&mut self, _: &StreamProtocol, stream: &mut T) -> io::Result<Q>
    where
        T: AsyncRead + Unpin + Send,
    {
        Q::from_bytes(&read_unasked(stream, Q::MAX_BYTES).await?).map_err(invalid)
    }

    async fn read_response<T>(&mut self, _: &StreamProtocol, stream: &mut T) -> io::Result<A>
    where
        T: AsyncRead + Unpin + Send,
    {
        A::from_bytes(&read(stream, A::MAX_BYTES).await?).map_err(invalid)
    }

    async fn write_request<T>(&mut self, _: &StreamProtocol, stream: &mut T, request: Q) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        stream.write_all(&request.to_bytes()).await
    }

    async fn write_response<T>(&mut self, _: &StreamProtocol, stream: &mut T, response: A) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        stream.write_all(&response.to_bytes()).await
    }
}

/// The bytes of a message that nobody has asked for. Whoever sends many long ones slowly keeps out other long ones, but not
/// the short ones, of which games are made.
async fn read_unasked<T: AsyncRead + Unpin + Send>(stream: &mut T, max_bytes: usize) -> io::Result<Vec<u8>> {
    let mut bytes = read(stream, SHORT_BYTES - 1).await?;
    if bytes.len() == SHORT_BYTES {
        let kib = u32::try_from(max_bytes / 1024).map_err(io::Error::other)?;
        let busy = |_| io::Error::other("too many long messages are under way");
        let _room = LONG_KIB.try_acquire_many(kib).map_err(busy)?;
        bytes.append(&mut read(stream, max_bytes - SHORT_BYTES).await?);
    }
    Ok(bytes)
}

/// The bytes of a message; one byte over the limit is enough to see that it is too long.
async fn read<T: AsyncRead + Unpin + Send>(stream: &mut T, max_bytes: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(max_bytes as u64 + 1).read_to_end(&mut bytes).await?;
    Ok(bytes)
}

fn invalid(error: BadMessage) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn long_messages_wait_for_others_and_short_ones_do_not() {
        let short = vec![7; 300];
        let long = vec![7; 2 * MAX_MESSAGE_BYTES];
        let read = async |bytes: &[u8]| {
            read_unasked(&mut &bytes[..], MAX_MESSAGE_BYTES).await.map(|bytes| bytes.len())
        };
        assert_eq!(read(&long).await.expect("room"), MAX_MESSAGE_BYTES + 1);
        let all = u32::try_from(LONG_KIB.available_permits()).expect("few");
        let _room = LONG_KIB.try_acquire_many(all).expect("all of it");
        assert!(read(&long).await.is_err());
        assert_eq!(read(&short).await.expect("no room is needed"), short.len());
    }
}
