//! Bodies: bytes at hand and pieces of files, read when the transport wants them.

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt, combinators::UnsyncBoxBody};
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

pub type Body = UnsyncBoxBody<Bytes, io::Error>;

/// What is read at once: large enough that reading costs little, small enough for 500 slow clients at a time.
const CHUNK_BYTES: u64 = 64 * 1024;

pub enum Part {
    Bytes(Bytes),
    File {
        file: Arc<File>,
        offset: u64,
        size_bytes: u64,
    },
}

impl Part {
    fn size_bytes(&self) -> u64 {
        match self {
            Part::Bytes(bytes) => bytes.len() as u64,
            Part::File { size_bytes, .. } => *size_bytes,
        }
    }
}

pub fn empty() -> Body {
    Parts {
        parts: VecDeque::new(),
    }
    .boxed_unsync()
}

pub fn text(text: impl Into<Bytes>) -> Body {
    parts([Part::Bytes(text.into())])
}

pub fn parts(parts: impl IntoIterator<Item = Part>) -> Body {
    let parts = parts.into_iter().filter(|part| part.size_bytes() > 0).collect();
    Parts { parts }.boxed_unsync()
}

struct Parts {
    parts: VecDeque<Part>,
}

impl http_body::Body for Parts {
    type Data = Bytes;
    type Error = io::Error;

    // The file is read here and now: what a player asks for is in the page cache, and reading 64 KiB from there takes
    // less time than handing the work to another thread.
    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let Some(part) = self.parts.pop_front() else {
            return Poll::Ready(None);
        };
        let (file, offset, size_bytes) = match part {
            Part::Bytes(bytes) => return Poll::Ready(Some(Ok(Frame::data(bytes)))),
            Part::File {
                file,
                offset,
                size_bytes,
            } => (file, offset, size_bytes),
        };
        let chunk = match read(&file, offset, size_bytes.min(CHUNK_BYTES)) {
            Ok(chunk) => chunk,
            Err(error) => return Poll::Ready(Some(Err(error))),
        };
        let read_bytes = chunk.len() as u64;
        if read_bytes < size_bytes {
            let rest = Part::File {
                file,
                offset: offset + read_bytes,
                size_bytes: size_bytes - read_bytes,
            };
            self.parts.push_front(rest);
        }
        Poll::Ready(Some(Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.parts.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.parts.iter().map(Part::size_bytes).sum())
    }
}

/// At least one byte, or an error: a file that was cut short meanwhile cannot fill the announced length.
fn read(file: &File, offset: u64, most: u64) -> io::Result<Bytes> {
    let mut buffer = vec![0; usize::try_from(most).unwrap_or(usize::MAX)];
    let size = read_at(file, &mut buffer, offset)?;
    if size == 0 {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the file became shorter while it was sent",
        ));
    }
    buffer.truncate(size);
    Ok(buffer.into())
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
