//! QUIC handshakes that nobody finishes: they are few at a time and end, and others are served meanwhile.

use super::Origin;
use super::client_tls::client_tls;
use super::clients::{Client, Protocol, local};
use super::first_packets::begin_only;
use crate::net::MAX_UNPROVEN;
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{ClientConfig, Endpoint};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

const FLOOD: usize = 1500;
/// An idle timeout of two seconds; then a closed connection is remembered for three timeouts of a second (RFC 9000 §10.2).
const OVER_WITHIN: Duration = Duration::from_secs(12);

/// One memory of sessions for all its connections.
fn returning_client() -> ClientConfig {
    let mut tls = client_tls("h3", Arc::default());
    tls.enable_early_data = true;
    ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls).unwrap()))
}

/// The status of a first request, and whether it went with the first packet and was taken.
async fn first_answer(config: &ClientConfig, port: u16) -> (u16, bool) {
    let mut endpoint = Endpoint::client((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    endpoint.set_default_client_config(config.clone());
    let connecting = endpoint.connect(local(port), "localhost").unwrap();
    let (quic, early) = match connecting.into_0rtt() {
        Ok((quic, accepted)) => (quic, Some(accepted)),
        Err(connecting) => (connecting.await.unwrap(), None),
    };
    let (mut driver, mut requests) = h3::client::new(h3_quinn::Connection::new(quic)).await.unwrap();
    let driving = tokio::spawn(async move { driver.wait_idle().await });
    let request = http::Request::get("https://localhost/a").body(()).unwrap();
    let mut stream = requests.send_request(request).await.unwrap();
    stream.finish().await.unwrap();
    let status = stream.recv_response().await.unwrap().status().as_u16();
    while stream.recv_data().await.unwrap().is_some() {}
    let is_early = match early {
        Some(accepted) => accepted.await,
        None => false,
    };
    // Tickets come behind the handshake.
    tokio::time::sleep(Duration::from_millis(100)).await;
    endpoint.close(0u32.into(), b"");
    driving.abort();
    (status, is_early)
}

async fn survives_a_flood(more: &[&str], is_early: bool) {
    let origin = Origin::start(&[("a", 10)], &[&["--request-within=2"], more].concat());
    let port = origin.serving.https_port;
    let client = returning_client();
    assert_eq!(first_answer(&client, port).await, (200, false));
    let attacker = returning_client();
    let flood = tokio::task::spawn_blocking(move || {
        for _ in 0..FLOOD {
            begin_only(&attacker, local(port), "localhost").unwrap();
        }
    });
    let mut most = 0;
    while !flood.is_finished() {
        assert_eq!(first_answer(&client, port).await, (200, is_early));
        let mut other = Client::connect(Protocol::H3, port, 65_535).await;
        assert_eq!(other.ask("GET", "/a", &[]).await.whole().await.len(), 10);
        most = most.max(origin.serving.open_quic_connections());
    }
    flood.await.unwrap();
    most = most.max(origin.serving.open_quic_connections());
    // Those of the clients above are remembered for a while after their end.
    assert!(most < 2 * MAX_UNPROVEN, "{most} connections at a time");
    assert!(most > 10, "{most} connections: the flood did not arrive");
    let ended = Instant::now();
    while origin.serving.open_quic_connections() > 0 {
        assert!(ended.elapsed() < OVER_WITHIN, "connections are left");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(first_answer(&client, port).await, (200, is_early));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_open_handshakes_are_few_and_end() {
    survives_a_flood(&[], false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_they_are_with_0_rtt() {
    survives_a_flood(&["--zero-rtt"], true).await;
}
