//! UDP that falls silent for a while: what was asked is answered afterwards.

use super::Origin;
use super::clients::{Client, Protocol};
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn h3_waits_for_the_end_of_a_silence_and_h2_does_not() {
    let file = std::env::temp_dir().join(format!("pitwall-silence-{}.json", std::process::id()));
    std::fs::write(&file, "[]").unwrap();
    let faults = format!("--faults={}", file.display());
    let origin = Origin::start(&[("a", 100_000)], &[&faults]);
    let port = origin.serving.https_port;
    let mut h3 = Client::connect(Protocol::H3, port, 1_000_000).await;
    let mut h2 = Client::connect(Protocol::H2, port, 1_000_000).await;
    for direction in ["in", "out", "both"] {
        assert_eq!(h3.ask("GET", "/a", &[]).await.whole().await.len(), 100_000);
        let rule =
            format!(r#"[{{"untilMs":1000,"fault":{{"kind":"udp-silence","direction":"{direction}"}}}}]"#);
        std::fs::write(&file, rule).unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
        let began = Instant::now();
        assert_eq!(h2.ask("GET", "/a", &[]).await.whole().await.len(), 100_000);
        assert!(
            began.elapsed() < Duration::from_millis(900),
            "h2 while {direction} is silent"
        );
        assert_eq!(h3.ask("GET", "/a", &[]).await.whole().await.len(), 100_000);
        assert!(
            began.elapsed() > Duration::from_millis(900),
            "h3 while {direction} is silent"
        );
    }
    std::fs::remove_file(&file).unwrap();
}
