//! Sync messages on a stream: one message, then the end of the stream.

use std::io;

use futures::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use libp2p::StreamProtocol;
use libp2p::request_response::Codec;

use crate::sync::limits::MAX_MESSAGE_BYTES;
use crate::sync::message::{BadMessage, Request, Response};

/// Reads and writes the messages of `/chakart/sync/1`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SyncCodec;

impl Codec for SyncCodec {
    type Protocol = StreamProtocol;
    type Request = Request;
    type Response = Response;

    async fn read_request<T>(&mut self, _: &StreamProtocol, stream: &mut T) -> io::Result<Request>
    where
        T: AsyncRead + Unpin + Send,
    {
        Request::decode(&read(stream).await?).map_err(invalid)
    }

    async fn read_response<T>(&mut self, _: &StreamProtocol, stream: &mut T) -> io::Result<Response>
    where
        T: AsyncRead + Unpin + Send,
    {
        Response::decode(&read(stream).await?).map_err(invalid)
    }

    async fn write_request<T>(
        &mut self,
        _: &StreamProtocol,
        stream: &mut T,
        request: Request,
    ) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        stream.write_all(&request.encode()).await
    }

    async fn write_response<T>(
        &mut self,
        _: &StreamProtocol,
        stream: &mut T,
        response: Response,
    ) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        stream.write_all(&response.encode()).await
    }
}

/// The bytes of a message; one byte over the limit is enough to see that it is too long.
async fn read<T: AsyncRead + Unpin + Send>(stream: &mut T) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(MAX_MESSAGE_BYTES as u64 + 1).read_to_end(&mut bytes).await?;
    Ok(bytes)
}

fn invalid(error: BadMessage) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
