//! RFC 9218 over real connections: who ends first, and how far the other one is by then.

use super::Origin;
use super::clients::{Answer, Client, Protocol};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

const MIB: u64 = 1024 * 1024;
const FIRST_BYTES: u64 = 4 * SECOND_BYTES;
/// Over h3 and on a busy machine, up to 2.4 MB of the first response are sent before the origin knows of the second request,
/// whatever the sizes. The second response is large beside that.
const SECOND_BYTES: u64 = 16 * MIB;
const SMALL_BYTES: u64 = 4 * MIB;
const LARGE_WINDOW_BYTES: u32 = 128 * 1024 * 1024;
const BOTH: [Protocol; 2] = [Protocol::H2, Protocol::H3];

/// A window of some packets makes h3 slow enough that a client on a busy machine keeps up, as the reader of h2 does: what
/// lies unread at the client was sent before the other one was asked for.
fn origin() -> Origin {
    Origin::start(
        &[
            ("first", FIRST_BYTES),
            ("second", SECOND_BYTES),
            ("small", SMALL_BYTES),
        ],
        &["--max-window=4"],
    )
}

/// Asks for `first`, then, when that flows, for `second`; how much of `first` came while `second` was read to its end.
async fn meanwhile(protocol: Protocol, first: &str, second: &str) -> u64 {
    let origin = origin();
    let mut client = Client::connect(protocol, origin.serving.https_port, LARGE_WINDOW_BYTES).await;
    let mut one = client.ask("GET", "/first", &[("priority", first)]).await;
    let mut before = 0;
    while before < 200_000 {
        before += one.piece().await.unwrap().len() as u64;
    }
    let mut other = client.ask("GET", "/second", &[("priority", second)]).await;
    let (read, ignored) = (AtomicU64::new(0), AtomicU64::new(0));
    tokio::select! {
        biased;
        () = drain(&mut other, &ignored) => {}
        () = drain(&mut one, &read) => {}
    }
    read.into_inner()
}

async fn drain(answer: &mut Answer, read_bytes: &AtomicU64) {
    while let Some(piece) = answer.piece().await {
        read_bytes.fetch_add(piece.len() as u64, Relaxed);
        // The other one may read, too.
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_more_urgent_of_two_ends_first() {
    for protocol in BOTH {
        let meanwhile = meanwhile(protocol, "u=5", "u=1").await;
        assert!(
            meanwhile < SECOND_BYTES / 2,
            "{protocol:?}: {meanwhile} bytes of the less urgent one"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_one_urgency_who_came_first_ends_first() {
    for protocol in BOTH {
        let meanwhile = meanwhile(protocol, "u=1", "u=1").await;
        assert!(
            meanwhile > FIRST_BYTES / 4 * 3,
            "{protocol:?}: only {meanwhile} bytes of the first"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_incremental_share() {
    for protocol in BOTH {
        let meanwhile = meanwhile(protocol, "u=1, i", "u=1, i").await;
        let share = SECOND_BYTES / 8 * 3..SECOND_BYTES * 3;
        assert!(
            share.contains(&meanwhile),
            "{protocol:?}: {meanwhile} bytes beside {SECOND_BYTES}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_urgent_response_that_nobody_reads_stops_no_other() {
    for protocol in BOTH {
        let origin = origin();
        let mut client = Client::connect(protocol, origin.serving.https_port, 65_535).await;
        let unread = client.ask("GET", "/first", &[("priority", "u=0")]).await;
        let mut read = client.ask("GET", "/small", &[("priority", "u=7")]).await;
        let whole = tokio::time::timeout(Duration::from_secs(20), read.whole()).await;
        let size_bytes = whole.map_or(0, |whole| whole.len() as u64);
        assert_eq!(size_bytes, SMALL_BYTES, "{protocol:?}");
        drop(unread);
    }
}
