//! When the body of an HTTP/2 response begins to come. hyper hands a DATA frame on once the whole of it is there; browsers
//! take what is there of it.

use crate::progress::unix_ms;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

const HEAD_BYTES: usize = 9;
/// RFC 9113 §6.1.
const DATA: u8 = 0;

/// The first byte of a body since it was last asked for; shared with the stream that is watched.
#[derive(Clone, Default)]
pub struct FirstData(Arc<Mutex<Option<f64>>>);

impl FirstData {
    /// None where none came. The next one counts anew.
    pub fn take(&self) -> Option<f64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn comes(&self) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(unix_ms);
    }
}

/// Where one is in the frames that a server sends (RFC 9113 §4.1).
#[derive(Default)]
struct Frames {
    head: [u8; HEAD_BYTES],
    head_bytes: usize,
    left_bytes: usize,
}

impl Frames {
    /// Whether a part of a body is in there.
    fn take(&mut self, mut bytes: &[u8]) -> bool {
        let mut has_data = false;
        while !bytes.is_empty() {
            let part = bytes.len().min(HEAD_BYTES - self.head_bytes);
            self.head[self.head_bytes..][..part].copy_from_slice(&bytes[..part]);
            self.head_bytes += part;
            bytes = &bytes[part..];
            if part > 0 && self.head_bytes == HEAD_BYTES {
                let [high, middle, low, ..] = self.head;
                self.left_bytes = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
            }
            let payload = bytes.len().min(self.left_bytes);
            has_data |= payload > 0 && self.head[3] == DATA;
            self.left_bytes -= payload;
            bytes = &bytes[payload..];
            if self.head_bytes == HEAD_BYTES && self.left_bytes == 0 {
                self.head_bytes = 0;
            }
        }
        has_data
    }
}

/// A stream of an HTTP/2 client, watched.
pub struct Watched<S> {
    stream: S,
    frames: Frames,
    first: FirstData,
}

impl<S> Watched<S> {
    pub fn new(stream: S, first: FirstData) -> Watched<S> {
        Watched {
            stream,
            frames: Frames::default(),
            first,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        if self.frames.take(&buffer.filled()[before..]) {
            self.first.comes();
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, payload_bytes: u8) -> Vec<u8> {
        let mut frame = vec![0, 0, payload_bytes, kind, 0, 0, 0, 0, 1];
        frame.resize(HEAD_BYTES + usize::from(payload_bytes), 0);
        frame
    }

    #[test]
    fn finds_the_first_byte_of_a_body_however_the_bytes_come() {
        let pieces = [
            (4, 6, false),
            (1, 40, false),
            (0, 0, false),
            (0, 200, true),
            (6, 8, false),
        ];
        for at_once in [1, 8, 9, 10, 1000] {
            let mut frames = Frames::default();
            for (kind, payload_bytes, expected) in pieces {
                let piece = frame(kind, payload_bytes);
                let has_data = piece
                    .chunks(at_once)
                    .fold(false, |has, chunk| frames.take(chunk) | has);
                assert_eq!(has_data, expected, "type {kind} by {at_once}");
            }
        }
        let mut frames = Frames::default();
        assert!(!frames.take(&frame(0, 200)[..HEAD_BYTES]));
        assert!(frames.take(&[0]));
    }
}
