//! quinn's streams as h3 wants them, with a priority each. `h3-quinn` serves everything but the streams of requests, whose
//! `set_priority` it keeps to itself.

use super::quic_failures::{of_connection, of_read, of_write};
use bytes::{Buf, Bytes};
use h3::quic::{self, ConnectionErrorIncoming, SendStream, StreamErrorIncoming, StreamId, WriteBuf};
use quinn::VarInt;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

/// What is read of a request's stream at once.
const READ_BYTES: usize = 4096;

/// Settles when the client has acknowledged a whole stream, or wants no more of it, or is gone.
type Acknowledged = Pin<Box<dyn Future<Output = Result<Option<VarInt>, quinn::StoppedError>> + Send + Sync>>;

type Accepted = Result<(quinn::SendStream, quinn::RecvStream), quinn::ConnectionError>;

/// One QUIC connection, as h3 sees it.
pub struct QuicStreams {
    quic: quinn::Connection,
    others: h3_quinn::Connection,
    accepting: Option<Pin<Box<dyn Future<Output = Accepted> + Send>>>,
    priorities: Priorities,
}

/// Priorities that were given and not yet set, by stream; larger ones go first.
#[derive(Clone, Default)]
pub struct Priorities(Arc<Mutex<HashMap<StreamId, i32>>>);

impl Priorities {
    pub fn give(&self, stream: StreamId, priority: i32) {
        self.change(|given| given.insert(stream, priority));
    }

    fn change<T>(&self, change: impl FnOnce(&mut HashMap<StreamId, i32>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl QuicStreams {
    pub fn new(quic: quinn::Connection, priorities: Priorities) -> QuicStreams {
        QuicStreams {
            others: h3_quinn::Connection::new(quic.clone()),
            quic,
            accepting: None,
            priorities,
        }
    }
}

impl<B: Buf> quic::Connection<B> for QuicStreams {
    type RecvStream = h3_quinn::RecvStream;
    type OpenStreams = QuicStreams;

    fn poll_accept_recv(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Self::RecvStream, ConnectionErrorIncoming>> {
        quic::Connection::<B>::poll_accept_recv(&mut self.others, context)
    }

    fn poll_accept_bidi(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Self::BidiStream, ConnectionErrorIncoming>> {
        let quic = &self.quic;
        let accepting = self.accepting.get_or_insert_with(|| {
            let quic = quic.clone();
            Box::pin(async move { quic.accept_bi().await })
        });
        let accepted = ready!(accepting.as_mut().poll(context));
        self.accepting = None;
        let (send, receive) = accepted.map_err(of_connection)?;
        Poll::Ready(Ok(RequestStream {
            send,
            receive,
            writing: None,
            acknowledged: None,
            priorities: self.priorities.clone(),
        }))
    }

    fn opener(&self) -> QuicStreams {
        QuicStreams::new(self.quic.clone(), self.priorities.clone())
    }
}

impl<B: Buf> quic::OpenStreams<B> for QuicStreams {
    type BidiStream = RequestStream<B>;
    type SendStream = h3_quinn::SendStream<B>;

    /// A server of HTTP/3 opens none (RFC 9114 §6.1).
    fn poll_open_bidi(&mut self, _: &mut Context<'_>) -> Poll<Result<RequestStream<B>, StreamErrorIncoming>> {
        Poll::Ready(Err(StreamErrorIncoming::Unknown(
            "a server asks for nothing".into(),
        )))
    }

    fn poll_open_send(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Self::SendStream, StreamErrorIncoming>> {
        self.others.poll_open_send(context)
    }

    fn close(&mut self, code: h3::error::Code, reason: &[u8]) {
        quic::OpenStreams::<B>::close(&mut self.others, code, reason);
    }
}

/// The stream of one request.
pub struct RequestStream<B: Buf> {
    send: quinn::SendStream,
    receive: quinn::RecvStream,
    writing: Option<WriteBuf<B>>,
    /// Once all is written.
    acknowledged: Option<Acknowledged>,
    priorities: Priorities,
}

impl<B: Buf> SendStream<B> for RequestStream<B> {
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        while let Some(data) = self.writing.as_mut().filter(|data| data.has_remaining()) {
            let written = Pin::new(&mut self.send).poll_write(context, data.chunk());
            data.advance(ready!(written).map_err(of_write)?);
        }
        self.writing = None;
        Poll::Ready(Ok(()))
    }

    fn send_data<T: Into<WriteBuf<B>>>(&mut self, data: T) -> Result<(), StreamErrorIncoming> {
        let id = self.send_id();
        if let Some(priority) = self.priorities.change(|given| given.remove(&id)) {
            // A stream that is closed meanwhile says so when it is written to.
            let _ = self.send.set_priority(priority);
        }
        self.writing = Some(data.into());
        Ok(())
    }

    /// Not before the client has everything: quinn takes long bodies at once and sends them later.
    fn poll_finish(&mut self, context: &mut Context<'_>) -> Poll<Result<(), StreamErrorIncoming>> {
        let acknowledged = match &mut self.acknowledged {
            Some(acknowledged) => acknowledged,
            None => {
                let finished = self.send.finish();
                finished.map_err(|error| StreamErrorIncoming::Unknown(error.into()))?;
                self.acknowledged.insert(Box::pin(self.send.stopped()))
            }
        };
        Poll::Ready(match ready!(acknowledged.as_mut().poll(context)) {
            Ok(None) => Ok(()),
            Ok(Some(code)) => Err(of_write(quinn::WriteError::Stopped(code))),
            Err(error) => Err(of_write(error.into())),
        })
    }

    fn reset(&mut self, code: u64) {
        let _ = self.send.reset(VarInt::from_u64(code).unwrap_or(VarInt::MAX));
    }

    fn send_id(&self) -> StreamId {
        id(self.send.id())
    }
}

impl<B: Buf> quic::RecvStream for RequestStream<B> {
    type Buf = Bytes;

    fn poll_data(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Bytes>, StreamErrorIncoming>> {
        let mut buffer = [0; READ_BYTES];
        let size = ready!(self.receive.poll_read(context, &mut buffer)).map_err(of_read)?;
        Poll::Ready(Ok((size > 0).then(|| Bytes::copy_from_slice(&buffer[..size]))))
    }

    fn stop_sending(&mut self, code: u64) {
        let _ = self.receive.stop(VarInt::from_u64(code).unwrap_or(VarInt::MAX));
    }

    fn recv_id(&self) -> StreamId {
        id(self.receive.id())
    }
}

impl<B: Buf> Drop for RequestStream<B> {
    fn drop(&mut self) {
        let id = self.send_id();
        self.priorities.change(|given| given.remove(&id));
    }
}

fn id(stream: quinn::StreamId) -> StreamId {
    // Both are the same 62 bits.
    StreamId::try_from(u64::from(VarInt::from(stream)))
        .expect("a stream's number is a variable-length integer")
}
