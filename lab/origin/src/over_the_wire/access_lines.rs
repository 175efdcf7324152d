//! When a response has ended, by the access log.

use super::Origin;
use super::clients::{ALL, Client, Protocol};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// More than the buffers of a TCP server hold.
const SIZE_BYTES: u64 = 16 * 1024 * 1024;
/// So much may be on its way before the client reads.
const WINDOW_BYTES: u32 = 65_535;
const UNREAD: Duration = Duration::from_millis(400);

/// The only line, which may come a moment after the body.
async fn line(log: &Path) -> Value {
    loop {
        let text = std::fs::read_to_string(log).unwrap();
        if text.ends_with('\n') {
            return serde_json::from_str(&text).unwrap();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_that_waits_for_its_client_has_not_ended() {
    for protocol in ALL {
        let folder = std::env::temp_dir();
        let log = folder.join(format!("pitwall-lines-{}-{protocol:?}.jsonl", std::process::id()));
        let origin = Origin::start(&[("a", SIZE_BYTES)], &["--access-log", log.to_str().unwrap()]);
        let mut client = Client::connect(protocol, origin.serving.https_port, WINDOW_BYTES).await;
        let mut answer = client.ask("GET", "/a", &[]).await;
        tokio::time::sleep(UNREAD).await;
        assert_eq!(answer.whole().await.len() as u64, SIZE_BYTES);
        let line = line(&log).await;
        std::fs::remove_file(&log).unwrap();

        let seconds = |name: &str| line[name].as_f64();
        assert_eq!(line["size"], SIZE_BYTES, "{protocol:?}");
        assert!(
            seconds("duration") >= Some(UNREAD.as_secs_f64()),
            "{protocol:?}: {line}"
        );
        match protocol {
            Protocol::H3 => assert!(seconds("acknowledged") >= seconds("duration"), "{line}"),
            _ => assert!(line["acknowledged"].is_null(), "{line}"),
        }
    }
}
