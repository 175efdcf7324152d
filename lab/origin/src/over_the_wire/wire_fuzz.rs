//! Bytes of any kind at every port: whatever comes, no task breaks, and the next client is served.

use super::Origin;
use super::client_tls::Seen;
use super::clients::{ALL, Client, local, quic, tls};
use crate::fuzz::{Budget, Random, garbled, http1_request, http2_frames};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UdpSocket};

static PANICS: AtomicUsize = AtomicUsize::new(0);
/// After so many cases somebody asks for a file.
const BETWEEN: u64 = 50;
/// Enough for an answer; most inputs get none until the client goes.
const ANSWER: Duration = Duration::from_millis(3);

async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, bytes: &[u8]) {
    if stream.write_all(bytes).await.is_ok() {
        let _ = tokio::time::timeout(ANSWER, stream.read_to_end(&mut Vec::new())).await;
    }
}

/// Streams of any kind on a real connection, cut off anywhere.
async fn over_quic(random: &mut Random, port: u16) {
    let (_endpoint, connection) = quic(port, 65_535).await;
    for _ in 0..1 + random.below(6) {
        // The type of a stream or of a frame, a length that may be right, and anything.
        let mut bytes = vec![random.byte() % 16, random.byte() % 64];
        bytes.extend((0..random.below(100)).map(|_| random.byte()));
        let bytes = garbled(random, bytes);
        let sent = if random.one_in(3) {
            connection.open_uni().await
        } else {
            connection.open_bi().await.map(|(send, _)| send)
        };
        let Ok(mut stream) = sent else {
            return;
        };
        let _ = stream.write_all(&bytes).await;
        if random.one_in(2) {
            let _ = stream.finish();
        } else {
            let _ = stream.reset(random.byte().into());
        }
    }
    tokio::time::sleep(ANSWER).await;
}

/// Datagrams that claim to be QUIC's first, or something later.
async fn over_udp(random: &mut Random, port: u16) {
    let socket = UdpSocket::bind(local(0)).await.unwrap();
    for _ in 0..20 {
        let mut packet: Vec<u8> = (0..1 + random.below(1400)).map(|_| random.byte()).collect();
        if random.one_in(2) {
            // A long header: type, version 1, and lengths of connection ids that may be right.
            let head = [0xc0 | random.byte() & 0x3f, 0, 0, 0, 1, random.byte() % 24];
            packet.splice(..head.len().min(packet.len()), head);
        }
        let _ = socket.send_to(&packet, local(port)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fuzz_bytes_at_every_port() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |why| {
        PANICS.fetch_add(1, Relaxed);
        before(why);
    }));
    let mut budget = Budget::of("bytes at every port");
    let origin = Origin::start(&[("a", 10)], &["--request-within=1", "--idle=2"]);
    let (http, https) = (origin.serving.http_port, origin.serving.https_port);
    let mut random = Random::of(budget.seed);
    let mut cases = 0;
    while budget.goes_on() {
        match random.below(5) {
            0 => {
                exchange(
                    TcpStream::connect(local(http)).await.unwrap(),
                    &http1_request(&mut random),
                )
                .await
            }
            1 => {
                let stream = tls(https, "h2", "localhost", Arc::<Seen>::default()).await;
                exchange(stream, &http2_frames(&mut random)).await;
            }
            2 => {
                let hello = garbled(&mut random, vec![22, 3, 1, 0, 40, 1, 0, 0, 36, 3, 3]);
                exchange(TcpStream::connect(local(https)).await.unwrap(), &hello).await;
            }
            3 => over_quic(&mut random, https).await,
            _ => over_udp(&mut random, https).await,
        }
        cases += 1;
        if cases % BETWEEN == 0 {
            for protocol in ALL {
                let mut client = Client::connect(protocol, https, 65_535).await;
                assert_eq!(
                    client.ask("GET", "/a", &[]).await.whole().await.len(),
                    10,
                    "{protocol:?}"
                );
            }
        }
    }
    assert_eq!(PANICS.load(Relaxed), 0, "tasks broke, from seed {}", budget.seed);
}
