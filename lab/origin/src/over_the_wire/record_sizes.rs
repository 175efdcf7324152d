//! The TLS records of responses, as they are on the wire.

use super::Origin;
use super::client_tls::client_tls;
use super::clients::local;
use rustls::ClientConnection;
use rustls::pki_types::ServerName;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

/// Less than a client lets an h2 server send before it reads (RFC 9113 §6.9.2).
const FILE_BYTES: u64 = 60_000;
/// A record of 16 KiB in TLS 1.3: content, its type, tag (RFC 8446 §5.2).
const MAX_RECORD_BYTES: usize = 16 * 1024 + 17;
const RECORD_HEAD_BYTES: usize = 5;
/// The least that a frame of settings has.
const SETTINGS_BYTES: u64 = 9;
/// Ethernet, IPv4.
const SEGMENT_BYTES: usize = 1460;

/// A socket that remembers what came.
struct Remembering {
    socket: TcpStream,
    came: Vec<u8>,
}

impl Read for Remembering {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.socket.read(bytes)?;
        self.came.extend(&bytes[..count]);
        Ok(count)
    }
}

impl Write for Remembering {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.socket.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

struct RawClient {
    tls: ClientConnection,
    wire: Remembering,
}

impl RawClient {
    fn connect(port: u16, alpn: &str) -> RawClient {
        let config = Arc::new(client_tls(alpn, Arc::default()));
        RawClient {
            tls: ClientConnection::new(config, ServerName::try_from("localhost").unwrap()).unwrap(),
            wire: Remembering {
                socket: TcpStream::connect(local(port)).unwrap(),
                came: vec![],
            },
        }
    }

    /// Sends `request`, and returns the sizes of the records that the answer came in, of at least so many bytes.
    fn records(&mut self, request: &[u8], answer_bytes: u64) -> Vec<usize> {
        let before = self.wire.came.len();
        let mut stream = rustls::Stream::new(&mut self.tls, &mut self.wire);
        stream.write_all(request).unwrap();
        let mut answer = vec![0; usize::try_from(answer_bytes).unwrap()];
        stream.read_exact(&mut answer).unwrap();
        let mut bytes = &self.wire.came[before..];
        let mut sizes = vec![];
        while let [_, _, _, high, low, ..] = *bytes {
            let size = usize::from(high) << 8 | usize::from(low);
            sizes.push(size);
            bytes = bytes.get(RECORD_HEAD_BYTES + size..).unwrap_or_default();
        }
        sizes
    }
}

const HTTP1_REQUEST: &[u8] = b"GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n";
const HTTP1_HEAD: &[u8] = b"HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A request for `/a` in HPACK's static table (RFC 7541, appendix A).
fn http2_request(stream: u8) -> Vec<u8> {
    let mut block = vec![0x82, 0x87, 0x04, 2];
    block.extend(b"/a");
    block.extend([0x41, 9]);
    block.extend(b"localhost");
    // END_STREAM and END_HEADERS.
    let mut frame = vec![0, 0, u8::try_from(block.len()).unwrap(), 1, 5, 0, 0, 0, stream];
    frame.extend(block);
    frame
}

/// The connection preface and empty settings (RFC 9113 §3.4).
fn http2_begin() -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    bytes
}

/// Whether no record is more than a segment longer than the longest before it, and the first fits in one.
fn assert_growing(sizes: &[usize], what: &str) {
    let mut longest = 0;
    for size in sizes {
        let on_the_wire = size + RECORD_HEAD_BYTES;
        assert!(on_the_wire <= longest + SEGMENT_BYTES, "{what}: {sizes:?}");
        longest = longest.max(on_the_wire);
    }
    assert!(longest > 5 * SEGMENT_BYTES, "{what}: {sizes:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn responses_begin_with_a_record_of_one_segment() {
    let origin = Origin::start(&[("a", FILE_BYTES)], &[]);
    let port = origin.serving.https_port;
    tokio::task::spawn_blocking(move || {
        let mut client = RawClient::connect(port, "http/1.1");
        // The session tickets come before the first answer.
        client.records(HTTP1_HEAD, 100);
        let first = client.records(HTTP1_REQUEST, FILE_BYTES);
        assert_growing(&first, "h1");
        assert_growing(
            &client.records(HTTP1_REQUEST, FILE_BYTES),
            "h1, on the same connection",
        );
        let mut client = RawClient::connect(port, "h2");
        client.records(&http2_begin(), SETTINGS_BYTES);
        assert_growing(&client.records(&http2_request(1), FILE_BYTES), "h2");
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_are_as_large_as_possible_on_demand() {
    let origin = Origin::start(&[("a", FILE_BYTES)], &["--tls-records=16k"]);
    let port = origin.serving.https_port;
    tokio::task::spawn_blocking(move || {
        let mut client = RawClient::connect(port, "http/1.1");
        client.records(HTTP1_HEAD, 100);
        let sizes = client.records(HTTP1_REQUEST, FILE_BYTES);
        assert!(sizes.contains(&MAX_RECORD_BYTES), "{sizes:?}");
    })
    .await
    .unwrap();
}
