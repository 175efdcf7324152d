//! Follows a stream of HTTP/2 frames (RFC 9113 §4.1): nothing else shows that a client began a frame, or a block of
//! headers, and does not go on.

const PREFACE_BYTES: usize = 24;
const HEAD_BYTES: usize = 9;
/// Frame types and the flag that ends a block of headers (RFC 9113 §6.2, §6.10).
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
const END_HEADERS: u8 = 4;

pub struct Http2Frames {
    head: [u8; HEAD_BYTES],
    head_bytes: usize,
    /// Bytes that are still to come of the preface, or of a frame whose head is known.
    left_bytes: usize,
    is_block_open: bool,
}

impl Default for Http2Frames {
    fn default() -> Http2Frames {
        Http2Frames {
            head: [0; HEAD_BYTES],
            head_bytes: 0,
            left_bytes: PREFACE_BYTES,
            is_block_open: false,
        }
    }
}

impl Http2Frames {
    /// Takes the next bytes. Returns whether they end a frame, the preface or a block of headers at some point.
    pub fn take(&mut self, mut bytes: &[u8]) -> bool {
        let mut was_whole = false;
        while !bytes.is_empty() {
            let skipped = self.left_bytes.min(bytes.len());
            self.left_bytes -= skipped;
            bytes = &bytes[skipped..];
            was_whole |= !self.is_amid();
            let part = bytes.len().min(HEAD_BYTES - self.head_bytes);
            self.head[self.head_bytes..][..part].copy_from_slice(&bytes[..part]);
            self.head_bytes += part;
            bytes = &bytes[part..];
            if self.head_bytes == HEAD_BYTES {
                self.begin();
            }
        }
        was_whole || !self.is_amid()
    }

    /// Tells whether the stream is inside of a frame, of the preface or of a block of headers.
    pub fn is_amid(&self) -> bool {
        self.left_bytes > 0 || self.head_bytes > 0 || self.is_block_open
    }

    fn begin(&mut self) {
        let [high, middle, low, kind, flags, ..] = self.head;
        self.head_bytes = 0;
        self.left_bytes = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        if kind == HEADERS || kind == CONTINUATION {
            self.is_block_open = flags & END_HEADERS == 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, flags: u8, payload_bytes: u8) -> Vec<u8> {
        let mut frame = vec![0, 0, payload_bytes, kind, flags, 0, 0, 0, 1];
        frame.resize(HEAD_BYTES + usize::from(payload_bytes), 7);
        frame
    }

    #[test]
    fn knows_the_ends_however_the_bytes_come() {
        let pieces = [
            (vec![0; PREFACE_BYTES], false),
            (frame(4, 0, 0), false),
            (frame(HEADERS, 0, 5), true),
            (frame(CONTINUATION, 0, 3), true),
            (frame(CONTINUATION, END_HEADERS, 3), false),
            (frame(HEADERS, END_HEADERS, 200), false),
            (frame(0, 0, 255), false),
        ];
        for at_once in [1, 2, 9, 10, 1000] {
            let mut frames = Http2Frames::default();
            for (piece, is_amid) in &pieces {
                let was_whole = piece
                    .chunks(at_once)
                    .fold(false, |was_whole, chunk| frames.take(chunk) | was_whole);
                assert_eq!(frames.is_amid(), *is_amid, "{piece:?} by {at_once}");
                assert!(was_whole || *is_amid, "{piece:?} by {at_once}");
            }
            frames.take(&[0, 0]);
            assert!(frames.is_amid());
            // These bytes are the end of one frame and the beginning of the next.
            assert!(frames.take(&[0, 0, 0, 0, 0, 0, 1, 0, 0]) && frames.is_amid());
            assert!(!frames.take(&[0]));
        }
    }
}
