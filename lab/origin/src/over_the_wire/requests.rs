//! What HTTP asks of a server of files, alike over h1, h2 and h3.

use super::Origin;
use super::clients::{ALL, Client, Protocol, quic};

/// Method, path and headers; status and size of the body.
type Case<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], u16, usize);

const WINDOW_BYTES: u32 = 1_000_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn conditions_ranges_and_head() {
    let origin = Origin::start(&[("a.m4s", 1000), ("live.mpd", 7)], &[]);
    for protocol in ALL {
        let mut client = Client::connect(protocol, origin.serving.https_port, WINDOW_BYTES).await;
        let mut whole = client.ask("GET", "/a.m4s", &[]).await;
        let told = |name: &str| {
            whole
                .headers()
                .get(name)
                .map(|value| value.to_str().unwrap().to_owned())
        };
        let (etag, modified) = (told("etag").unwrap(), told("last-modified").unwrap());
        assert_eq!(told("content-type").as_deref(), Some("video/mp4"), "{protocol:?}");
        assert_eq!(whole.whole().await.len(), 1000);
        let cases: &[Case<'_>] = &[
            ("HEAD", "/a.m4s", &[], 200, 0),
            ("HEAD", "/a.m4s", &[("range", "bytes=0-9")], 200, 0),
            ("HEAD", "/status/503/a", &[], 503, 0),
            ("GET", "/a.m4s", &[("if-none-match", &etag)], 304, 0),
            ("GET", "/a.m4s", &[("if-none-match", "\"other\"")], 200, 1000),
            ("GET", "/a.m4s", &[("if-modified-since", &modified)], 304, 0),
            ("GET", "/a.m4s", &[("if-match", "\"other\"")], 412, 0),
            ("GET", "/a.m4s", &[("range", "bytes=990-")], 206, 10),
            (
                "GET",
                "/a.m4s",
                &[("range", "bytes=990-"), ("if-range", &etag)],
                206,
                10,
            ),
            (
                "GET",
                "/a.m4s",
                &[("range", "bytes=990-"), ("if-range", "\"other\"")],
                200,
                1000,
            ),
            ("GET", "/a.m4s", &[("range", "bytes=2000-")], 416, 0),
            (
                "GET",
                "/a.m4s",
                &[("range", "bytes=99999999999999999999-")],
                416,
                0,
            ),
            ("GET", "/none", &[], 404, 0),
            ("GET", "/%2e%2e/a.m4s", &[], 404, 0),
            ("PUT", "/a.m4s", &[], 405, 0),
            ("OPTIONS", "/a.m4s", &[], 204, 0),
        ];
        for (method, path, headers, status, size_bytes) in cases {
            let mut answer = client.ask(method, path, headers).await;
            let case = format!("{protocol:?} {method} {path} {headers:?}");
            assert_eq!(answer.status(), *status, "{case}");
            if *method == "HEAD" && *status == 200 {
                assert_eq!(answer.headers()["content-length"], "1000", "{case}");
            }
            assert_eq!(answer.whole().await.len(), *size_bytes, "{case}");
        }
        let mut manifest = client.ask("GET", "/live.mpd", &[]).await;
        assert_eq!(manifest.headers()["content-type"], "application/dash+xml");
        assert_eq!(manifest.headers()["cache-control"], "no-store");
        assert_eq!(manifest.whole().await.len(), 7);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_headers_than_anyone_needs_are_refused_and_others_served() {
    let origin = Origin::start(&[("a", 10)], &[]);
    let names: Vec<String> = (0..10_000).map(|index| format!("x-{index}")).collect();
    let many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let port = origin.serving.https_port;
    for protocol in ALL {
        let mut client = Client::connect(protocol, port, WINDOW_BYTES).await;
        // A client may not even get to read the answer: what it sends on is refused first.
        if let Ok(answer) = client.try_to_ask("GET", "/a", &many).await {
            assert_eq!(answer.status(), 431, "{protocol:?}");
        }
        let mut client = Client::connect(protocol, port, WINDOW_BYTES).await;
        assert_eq!(
            client.ask("GET", "/a", &[]).await.whole().await.len(),
            10,
            "{protocol:?}"
        );
    }
}

/// By hand: a client of ours knows the server's limit and does not even try.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_headers_than_anyone_needs_in_one_frame_of_h3() {
    let origin = Origin::start(&[("a", 10)], &[]);
    let (_endpoint, connection) = quic(origin.serving.https_port, 1_000_000).await;
    // QPACK (RFC 9204 §4.5): no dynamic table; GET, https, / and localhost; then `x: 1`, 10,000 times.
    let mut block = vec![0, 0, 0xc0 | 17, 0xc0 | 23, 0xc0 | 1, 0x50, 9];
    block.extend(b"localhost");
    block.extend(b"\x21x\x011".repeat(10_000));
    let mut frame = vec![1];
    frame.extend((0x8000_0000 | u32::try_from(block.len()).unwrap()).to_be_bytes());
    frame.extend(block);
    let (mut send, mut receive) = connection.open_bi().await.unwrap();
    let _ = send.write_all(&frame).await;
    let _ = send.finish();
    let answer = receive.read_to_end(1000).await.unwrap();
    // HEADERS: :status by its number in the static table, and 431 in Huffman's code.
    assert_eq!(answer, [1, 8, 0, 0, 0x5f, 9, 0x83, 0x69, 0x90, 0xff]);
    let mut client = Client::connect(Protocol::H3, origin.serving.https_port, WINDOW_BYTES).await;
    assert_eq!(client.ask("GET", "/a", &[]).await.whole().await.len(), 10);
}
