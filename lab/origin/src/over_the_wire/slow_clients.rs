//! Tests with clients that hold a connection open with as little as they can: the origin closes each in time, logs one
//! line, and serves others meanwhile.

use super::Origin;
use super::client_tls::Seen;
use super::clients::{ALL, Client, Protocol, local, quic, tls};
use super::log_lines::{lines_with, listen};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

const EVERY: Duration = Duration::from_millis(100);
/// Time that a busy machine may take for what is due after one second.
const MOST: Duration = Duration::from_secs(8);

fn origin(idle: &str) -> Origin {
    listen();
    Origin::start(&[("a", 10)], &["--request-within=1", idle])
}

/// Sends `begin`, then one letter after the other, until the other side closes. Returns how long that took.
async fn trickle(mut stream: impl AsyncRead + AsyncWrite + Unpin, begin: &[u8], letter: &[u8]) -> Duration {
    let began = Instant::now();
    stream.write_all(begin).await.unwrap();
    let mut answer = [0; 1024];
    while began.elapsed() < MOST {
        match tokio::time::timeout(EVERY, stream.read(&mut answer)).await {
            Ok(Ok(0) | Err(_)) => break,
            Ok(Ok(_)) => {}
            Err(_) if stream.write_all(letter).await.is_err() || stream.flush().await.is_err() => break,
            Err(_) => {}
        }
    }
    began.elapsed()
}

async fn others_are_served(origin: &Origin) {
    for protocol in ALL {
        let mut client = Client::connect(protocol, origin.serving.https_port, 65_535).await;
        assert_eq!(
            client.ask("GET", "/a", &[]).await.whole().await.len(),
            10,
            "{protocol:?}"
        );
    }
}

fn was_let_go_once(remote: std::net::SocketAddr, lasted: Duration) {
    assert!(
        lasted >= Duration::from_millis(900) && lasted < MOST,
        "{remote} was let go after {lasted:?}"
    );
    let lines = lines_with(&format!("{remote} "));
    assert_eq!(lines.len(), 1, "{lines:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_that_never_end_over_h1() {
    let origin = origin("--idle=60");
    let stream = TcpStream::connect(local(origin.serving.http_port)).await.unwrap();
    let remote = stream.local_addr().unwrap();
    let trickling = tokio::spawn(trickle(
        stream,
        b"GET /a HTTP/1.1\r\nHost: localhost\r\nX-A: ",
        b"a",
    ));
    others_are_served(&origin).await;
    was_let_go_once(remote, trickling.await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handshake_that_never_ends() {
    let origin = origin("--idle=60");
    let stream = TcpStream::connect(local(origin.serving.https_port))
        .await
        .unwrap();
    let remote = stream.local_addr().unwrap();
    // The client sends a TLS record of 512 bytes, a byte at a time.
    let trickling = tokio::spawn(trickle(stream, &[22, 3, 1, 2, 0, 1, 0, 1], &[0]));
    others_are_served(&origin).await;
    was_let_go_once(remote, trickling.await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_that_never_end_over_h2() {
    let origin = origin("--idle=60");
    let stream = tls(
        origin.serving.https_port,
        "h2",
        "localhost",
        Arc::<Seen>::default(),
    )
    .await;
    let remote = stream.get_ref().0.local_addr().unwrap();
    let mut begin = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec();
    // The client sends HEADERS of 1000 bytes: one field, again and again.
    begin.extend([0, 3, 0xe8, 1, 4, 0, 0, 0, 1, 0x82]);
    let trickling = tokio::spawn(async move { trickle(stream, &begin, &[0x84]).await });
    others_are_served(&origin).await;
    was_let_go_once(remote, trickling.await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_that_never_end_over_h3() {
    let origin = origin("--idle=60");
    let (endpoint, connection) = quic(origin.serving.https_port, 65_535).await;
    let (mut send, mut receive) = connection.open_bi().await.unwrap();
    let began = Instant::now();
    // The client begins HEADERS of 1000 bytes.
    send.write_all(&[1, 0x43, 0xe8, 0, 0]).await.unwrap();
    let trickling = async {
        while send.write_all(&[0xc1]).await.is_ok() {
            tokio::time::sleep(EVERY).await;
        }
    };
    tokio::time::timeout(MOST, trickling)
        .await
        .expect("the stream is stopped");
    assert!(!matches!(receive.read(&mut [0; 8]).await, Ok(Some(1..))));
    let remote = local(endpoint.local_addr().unwrap().port());
    others_are_served(&origin).await;
    was_let_go_once(remote, began.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_on_which_nothing_is_asked() {
    let origin = origin("--idle=2");
    let port = origin.serving.https_port;
    let began = Instant::now();
    // QUIC's client sends a PING now and then: it is connected, and asks for nothing.
    let (_endpoint, quic) = quic(port, 65_535).await;
    let h2 = tls(port, "h2", "localhost", Arc::<Seen>::default()).await;
    let plain = TcpStream::connect(local(origin.serving.http_port)).await.unwrap();
    let remotes = [h2.get_ref().0.local_addr().unwrap(), plain.local_addr().unwrap()];
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    // PING frames are whole, but no requests.
    let ping = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    let (h2, plain, quic) = tokio::join!(
        trickle(h2, preface, &ping),
        trickle(plain, b"", b""),
        tokio::time::timeout(MOST, quic.closed())
    );
    quic.expect("QUIC is closed");
    was_let_go_once(remotes[0], h2);
    was_let_go_once(remotes[1], plain);
    assert!(began.elapsed() >= Duration::from_millis(1900));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_reads_slowly_is_served() {
    let origin = Origin::start(&[("large", 4_000_000)], &["--request-within=1", "--idle=3"]);
    let port = origin.serving.https_port;
    let reading = ALL.map(|protocol| tokio::spawn(read_slowly(protocol, port)));
    for reading in reading {
        assert_eq!(reading.await.unwrap(), 4_000_000);
    }
}

/// Reads a response with pauses of a second, which together are longer than the origin's timeouts.
async fn read_slowly(protocol: Protocol, port: u16) -> usize {
    let mut client = Client::connect(protocol, port, 500_000).await;
    let mut answer = client.ask("GET", "/large", &[]).await;
    let (mut size_bytes, mut paused_at) = (0, 0);
    while let Some(piece) = answer.piece().await {
        size_bytes += piece.len();
        if size_bytes - paused_at > 900_000 {
            paused_at = size_bytes;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    size_bytes
}
