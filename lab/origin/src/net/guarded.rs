//! The stream of a connection, watched: what is begun and not whole, and what goes out.

use super::http1_heads::Http1Heads;
use super::http2_frames::Http2Frames;
use crate::transport::Observed;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Stream for S {}

/// A stream whose connection leaves the list of open ones before its socket is closed: fields are dropped in order.
pub struct Guarded<S> {
    pub observed: Observed,
    stream: S,
    spoken: Spoken,
}

enum Spoken {
    /// Every byte between two requests is the beginning of one.
    Http1(Http1Heads),
    Http2(Http2Frames),
}

impl<S> Guarded<S> {
    pub fn new(observed: Observed, stream: S) -> Guarded<S> {
        let spoken = match observed.connection.protocol {
            "h2" => Spoken::Http2(Http2Frames::default()),
            _ => Spoken::Http1(Http1Heads::default()),
        };
        Guarded {
            observed,
            stream,
            spoken,
        }
    }

    fn has_read(&mut self, bytes: &mut [u8]) {
        let activity = &self.observed.connection.activity;
        match &mut self.spoken {
            Spoken::Http2(frames) => {
                if frames.take(bytes) {
                    activity.unfinished(false);
                }
                activity.unfinished(frames.is_amid());
            }
            Spoken::Http1(heads) => {
                heads.refuse_bare_lf(bytes);
                if !bytes.is_empty() && !activity.is_answering() {
                    activity.unfinished(true);
                }
            }
        }
    }

    fn has_written(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let activity = &self.observed.connection.activity;
        // The answer to a PING is no progress.
        if matches!(written, Poll::Ready(Ok(1..))) && activity.is_answering() {
            activity.progress();
        }
        written
    }
}

impl<S: Stream> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.has_read(&mut buffer.filled_mut()[before..]);
        polled
    }
}

impl<S: Stream> AsyncWrite for Guarded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.has_written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.has_written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
