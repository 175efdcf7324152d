//! Sizes of TLS records. A client can use nothing of a record before it has all of it (RFC 8446 §5.2): where the first
//! record of a response has 16 KiB, the response's headers wait for as long as 16 KiB take on the path.

use super::guarded::Stream;
use crate::transport::Connection;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Sizes of the records over TCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum TlsRecords {
    /// One segment at the start of a response and after a pause, then one segment more each time, up to 16 KiB: the
    /// growth of Go's crypto/tls, which Caddy uses.
    Dynamic,
    /// As large as possible.
    #[value(name = "16k")]
    Full,
}

/// Greatest length of a record's content (RFC 8446 §5.1).
const MAX_PLAINTEXT_BYTES: usize = 16 * 1024;
/// Bytes of a record beyond its content: head, nonce and tag of AES-GCM in TLS 1.2 (RFC 5288). TLS 1.3 adds 22.
const OVERHEAD_BYTES: usize = 29;
/// Greatest payload of a TCP segment: Ethernet, IPv4, no TCP options. Loopback's segments are longer than any path's.
const MAX_SEGMENT_BYTES: usize = 1460;
/// Pause without a write after which a response begins anew: its reader waits for the next bytes.
const PAUSE: Duration = Duration::from_secs(1);

/// How many bytes the next record may take.
#[derive(Debug)]
struct RecordSizes {
    segment_bytes: usize,
    /// Segments that the next record may fill.
    segments: usize,
    /// Count of the requests that had come at the last write.
    requests: u64,
    written_at: Instant,
}

impl RecordSizes {
    fn new(segment_bytes: usize, now: Instant) -> RecordSizes {
        RecordSizes {
            segment_bytes: segment_bytes.clamp(OVERHEAD_BYTES + 1, MAX_SEGMENT_BYTES),
            segments: 1,
            requests: 0,
            written_at: now,
        }
    }

    /// Returns how many bytes one write may take. There is no limit from 16 KiB on: rustls divides them into several records.
    fn limit(&mut self, requests: u64, now: Instant) -> usize {
        if requests != self.requests || now.duration_since(self.written_at) >= PAUSE {
            self.segments = 1;
            self.requests = requests;
        }
        let bytes = self.segments * self.segment_bytes - OVERHEAD_BYTES;
        if bytes < MAX_PLAINTEXT_BYTES {
            bytes
        } else {
            usize::MAX
        }
    }

    /// Notes a write. Only a full record lets the next one grow: after headers that go out alone, a small record follows, too.
    fn wrote(&mut self, bytes: usize, limit: usize, now: Instant) {
        self.written_at = now;
        if bytes >= limit {
            self.segments += 1;
        }
    }
}

/// A TLS stream whose records are small where a response begins.
pub struct SizedRecords<S> {
    stream: S,
    connection: Arc<Connection>,
    /// Sizes of the records; None: all records are as large as possible.
    sizes: Option<RecordSizes>,
}

impl<S> SizedRecords<S> {
    /// Wraps a TLS stream. `segment_bytes`: the payload of one TCP segment, where the system states it.
    pub fn new(
        stream: S,
        records: TlsRecords,
        connection: &Arc<Connection>,
        segment_bytes: Option<usize>,
    ) -> SizedRecords<S> {
        let sizes = || RecordSizes::new(segment_bytes.unwrap_or(MAX_SEGMENT_BYTES), Instant::now());
        SizedRecords {
            stream,
            connection: connection.clone(),
            sizes: (records == TlsRecords::Dynamic).then(sizes),
        }
    }

    /// Writes one record by `write`, which takes no more bytes than it is allowed.
    fn write_record(
        &mut self,
        write: impl FnOnce(Pin<&mut S>, usize) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>>
    where
        S: Unpin,
    {
        let stream = Pin::new(&mut self.stream);
        let Some(sizes) = &mut self.sizes else {
            return write(stream, usize::MAX);
        };
        let now = Instant::now();
        let limit = sizes.limit(self.connection.activity.requests(), now);
        let written = write(stream, limit);
        if let Poll::Ready(Ok(bytes)) = written {
            sizes.wrote(bytes, limit, now);
        }
        written
    }
}

impl<S: Stream> AsyncWrite for SizedRecords<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.write_record(|stream, limit| stream.poll_write(context, &bytes[..bytes.len().min(limit)]))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.write_record(|stream, limit| {
            let all = buffers.iter().map(|buffer| buffer.len()).sum::<usize>();
            if all <= limit {
                return stream.poll_write_vectored(context, buffers);
            }
            stream.poll_write_vectored(context, &first_bytes(buffers, limit))
        })
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

impl<S: Stream> AsyncRead for SizedRecords<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

/// Returns the first `bytes` bytes of the buffers.
fn first_bytes<'a>(buffers: &'a [IoSlice<'_>], bytes: usize) -> Vec<IoSlice<'a>> {
    let mut left = bytes;
    buffers
        .iter()
        .map_while(|buffer| {
            let part = buffer.len().min(left);
            left -= part;
            (part > 0 || buffer.is_empty()).then(|| IoSlice::new(&buffer[..part]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEGMENT: usize = 1448;

    /// Returns the sizes of the records of a response of many bytes.
    fn response(sizes: &mut RecordSizes, requests: u64, now: Instant) -> Vec<usize> {
        (0..14)
            .map(|_| {
                let limit = sizes.limit(requests, now);
                sizes.wrote(limit.min(64 * 1024), limit, now);
                limit
            })
            .collect()
    }

    #[test]
    fn grow_by_a_segment_until_they_are_as_large_as_possible() {
        let now = Instant::now();
        let limits = response(&mut RecordSizes::new(SEGMENT, now), 1, now);
        let growing: Vec<usize> = (1..=11).map(|count| count * SEGMENT - OVERHEAD_BYTES).collect();
        assert_eq!(limits[..11], growing);
        assert_eq!(limits[11..], [usize::MAX; 3]);
        assert!(growing.iter().all(|bytes| *bytes < MAX_PLAINTEXT_BYTES));
    }

    #[test]
    fn begin_anew_with_each_request_and_after_a_pause() {
        let start = Instant::now();
        let mut sizes = RecordSizes::new(SEGMENT, start);
        let small = SEGMENT - OVERHEAD_BYTES;
        response(&mut sizes, 1, start);
        assert_eq!(sizes.limit(2, start), small);
        response(&mut sizes, 2, start);
        let just_before = start + PAUSE - Duration::from_millis(1);
        assert_eq!(sizes.limit(2, just_before), usize::MAX);
        assert_eq!(sizes.limit(2, start + PAUSE), small);
    }

    #[test]
    fn stay_small_while_they_are_not_full() {
        let now = Instant::now();
        let mut sizes = RecordSizes::new(SEGMENT, now);
        let limit = sizes.limit(1, now);
        sizes.wrote(200, limit, now);
        assert_eq!(sizes.limit(1, now), limit);
        sizes.wrote(limit, limit, now);
        assert_eq!(sizes.limit(1, now), limit + SEGMENT);
    }

    #[test]
    fn fit_in_one_segment_of_any_path() {
        let now = Instant::now();
        for (told, expected) in [(536, 507), (1220, 1191), (65_483, 1431), (0, 1)] {
            assert_eq!(RecordSizes::new(told, now).limit(0, now), expected, "{told}");
        }
    }

    #[test]
    fn take_the_first_bytes_of_several_buffers() {
        let buffers = [IoSlice::new(b"head"), IoSlice::new(b""), IoSlice::new(b"body")];
        for (bytes, expected) in [(3, "hea"), (4, "head"), (6, "headbo"), (100, "headbody")] {
            let taken: Vec<u8> = first_bytes(&buffers, bytes)
                .iter()
                .flat_map(|part| part.iter().copied())
                .collect();
            assert_eq!(String::from_utf8(taken).unwrap(), expected);
        }
    }
}
