//! A stream that is read slowly: tens of megabytes a second, which TCP passes on to whoever sends.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

const PORTION_BYTES: usize = 64 * 1024;
const PAUSE: Duration = Duration::from_millis(1);

pub struct Slowly<S> {
    stream: S,
    read_bytes: usize,
    pause: Option<Pin<Box<Sleep>>>,
}

impl<S> Slowly<S> {
    pub fn new(stream: S) -> Slowly<S> {
        Slowly {
            stream,
            read_bytes: 0,
            pause: None,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Slowly<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.read_bytes += buffer.filled().len() - before;
        if self.read_bytes >= PORTION_BYTES {
            self.read_bytes = 0;
            self.pause = Some(Box::pin(tokio::time::sleep(PAUSE)));
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Slowly<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
