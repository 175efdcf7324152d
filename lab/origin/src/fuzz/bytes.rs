//! Makes bytes for the wire: correct ones, of which some are then changed.

use super::pieces;
use super::random::Random;

/// Makes a request of http/1.1 that is nearly correct.
pub fn http1_request(random: &mut Random) -> Vec<u8> {
    let method = random.of_these(&["GET", "HEAD", "POST", "OPTIONS", "G\0T", ""]);
    let version = random.of_these(&["HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9"]);
    let mut text = format!(
        "{method} {} {version}\r\nHost: localhost\r\n",
        pieces::path(random)
    );
    for _ in 0..random.below(6) {
        let line = match random.below(7) {
            0 => format!("Range: {}", pieces::range(random)),
            1 => format!("Priority: {}", pieces::priority(random)),
            2 => format!("If-Range: {}", pieces::tags(random)),
            3 => format!(
                "Content-Length: {}",
                random.of_these(&["0", "5", "-1", "99999999999999999999"])
            ),
            4 => "Transfer-Encoding: chunked".to_owned(),
            5 => format!("X-{}: {}", random.number(), "y".repeat(random.below(5000))),
            _ => "Connection: close".to_owned(),
        };
        text.push_str(&line);
        text.push_str(random.of_these(&["\r\n", "\r\n", "\r\n", "\n", "\r", ""]));
    }
    text.push_str(random.of_these(&["\r\n", "\r\n", "\r\n5\r\nhello\r\n0\r\n\r\n", ""]));
    garbled(random, text.into_bytes())
}

/// Makes the preface, SETTINGS, and frames of every kind with any flags, streams and lengths.
pub fn http2_frames(random: &mut Random) -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec();
    for _ in 0..random.below(12) {
        let payload_bytes = random.below(40);
        // Some frames state a length that is not the payload's.
        let said = if random.one_in(8) {
            random.below(1 << 24)
        } else {
            payload_bytes
        };
        let said = u32::try_from(said).unwrap_or(0).to_be_bytes();
        let kind = if random.one_in(3) {
            random.byte()
        } else {
            random.byte() % 11
        };
        let stream = if random.one_in(4) {
            random.byte()
        } else {
            1 + 2 * (random.byte() % 4)
        };
        bytes.extend([said[1], said[2], said[3], kind, random.byte(), 0, 0, 0, stream]);
        // Indexed fields of HPACK's static table begin with a bit that is set: some blocks are right by chance.
        bytes.extend((0..payload_bytes).map(|_| {
            if random.one_in(2) {
                0x80 | (random.byte() % 62)
            } else {
                random.byte()
            }
        }));
    }
    garbled(random, bytes)
}

/// Returns the bytes, mostly with some of them changed, inserted or cut off.
pub fn garbled(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] = random.byte(),
            1 => bytes[at] ^= 1 << random.below(8),
            2 if random.one_in(3) => bytes.truncate(at),
            _ => bytes.insert(at, random.byte()),
        }
    }
    bytes
}
