//! Where one is in a stream of HTTP/1.1 requests (RFC 9112): hyper takes a line that ends with LF alone, which others on the
//! way read in another way, so that two could disagree on where a request ends.

/// What a header can be of which we look at the name and the value; longer ones are neither of both.
const MAX_LINE_BYTES: usize = 64;

#[derive(Default)]
pub struct Http1Heads {
    place: Place,
    /// The beginning of the line, in lower case.
    line: Vec<u8>,
    is_after_cr: bool,
    next_body: Body,
}

#[derive(Default)]
enum Place {
    #[default]
    Head,
    /// So many bytes of a body are left.
    Body(u64),
    /// In a body without a length, after which the connection is closed.
    Rest,
}

#[derive(Clone, Copy, Default)]
enum Body {
    #[default]
    None,
    Sized(u64),
    Chunked,
}

impl Http1Heads {
    /// Looks at what came; every LF in a head that has no CR before it becomes a NUL, which nobody takes for a line's end.
    pub fn refuse_bare_lf(&mut self, bytes: &mut [u8]) {
        let mut at = 0;
        while at < bytes.len() {
            match &mut self.place {
                Place::Rest => return,
                Place::Body(left) => {
                    let skipped = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len() - at);
                    *left -= skipped as u64;
                    at += skipped;
                    if *left == 0 {
                        self.place = Place::Head;
                    }
                }
                Place::Head => {
                    self.head_byte(&mut bytes[at]);
                    at += 1;
                }
            }
        }
    }

    fn head_byte(&mut self, byte: &mut u8) {
        let was_after_cr = std::mem::replace(&mut self.is_after_cr, *byte == b'\r');
        match *byte {
            b'\n' if was_after_cr => self.end_line(),
            b'\n' => *byte = 0,
            b'\r' => {}
            other if self.line.len() < MAX_LINE_BYTES => self.line.push(other.to_ascii_lowercase()),
            _ => {}
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            self.place = match std::mem::take(&mut self.next_body) {
                Body::None | Body::Sized(0) => Place::Head,
                Body::Sized(size_bytes) => Place::Body(size_bytes),
                Body::Chunked => Place::Rest,
            };
        } else if line.starts_with(b"transfer-encoding:") {
            self.next_body = Body::Chunked;
        } else if let (Some(value), Body::None) = (line.strip_prefix(b"content-length:"), self.next_body) {
            let digits = std::str::from_utf8(value).map_or("", str::trim);
            // hyper refuses what is no number.
            self.next_body = digits.parse().map_or(Body::None, Body::Sized);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of the text after each way of cutting it.
    fn refused(text: &str) -> String {
        let results = [1, 2, 3, 7, 1000].map(|at_once| {
            let mut heads = Http1Heads::default();
            let mut bytes = text.as_bytes().to_vec();
            for chunk in bytes.chunks_mut(at_once) {
                heads.refuse_bare_lf(chunk);
            }
            String::from_utf8(bytes).unwrap()
        });
        assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
        results[0].clone()
    }

    #[test]
    fn takes_lines_that_end_as_they_should() {
        for text in [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "\r\nPOST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n\n\n\nGET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n0\r\n\r\n",
        ] {
            assert_eq!(refused(text), text);
        }
    }

    #[test]
    fn refuses_lf_alone_anywhere_in_a_head() {
        for (text, expected) in [
            ("GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\0Host: a\0\0"),
            (
                "GET / HTTP/1.1\r\nHost: a\r\n\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\0",
            ),
            (
                "POST / HTTP/1.1\r\nCONTENT-LENGTH:  2 \r\n\r\n\n\nGET / HTTP/1.1\n",
                "POST / HTTP/1.1\r\nCONTENT-LENGTH:  2 \r\n\r\n\n\nGET / HTTP/1.1\0",
            ),
        ] {
            assert_eq!(refused(text), expected);
        }
    }
}
