//! Messages on a stream: one message, then the end of the stream.

use std::io;
use std::marker::PhantomData;

use futures::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use libp2p::StreamProtocol;
use libp2p::request_response::Codec;

use crate::mailbox::message as letters;
use crate::sync::limits::MAX_MESSAGE_BYTES;
use crate::sync::message::{BadMessage, Request, Response};
use crate::sync::note::{NoteRequest, NoteResponse};

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
        Q::from_bytes(&read(stream, Q::MAX_BYTES).await?).map_err(invalid)
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

/// The bytes of a message; one byte over the limit is enough to see that it is too long.
async fn read<T: AsyncRead + Unpin + Send>(stream: &mut T, max_bytes: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(max_bytes as u64 + 1).read_to_end(&mut bytes).await?;
    Ok(bytes)
}

fn invalid(error: BadMessage) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
