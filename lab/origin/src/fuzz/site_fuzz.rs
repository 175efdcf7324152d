//! The whole handler with requests of any kind: never a byte from outside of the root, never a length that is wrong.

use super::{Budget, Random, pieces};
use crate::faults::Rules;
use crate::hosts::Hosts;
use crate::http::byte_ranges::{ByteRanges, byte_ranges};
use crate::priority::Priority;
use crate::site::{Mount, Port, Site};
use crate::transport::{Connection, Connections, Timeouts};
use http::{HeaderMap, HeaderValue, Request, Response, header};
use http_body_util::BodyExt;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const SECRET: &[u8] = b"outside of the root";
const INSIDE: &[u8] = b"0123456789";

/// A root with files and links, and something beside it that nobody may see.
struct Tree(PathBuf);

impl Tree {
    fn plant(name: &str) -> Tree {
        let folder = std::env::temp_dir().join(format!("pitwall-fuzz-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("root/sub")).unwrap();
        fs::write(folder.join("secret"), SECRET).unwrap();
        for file in ["root/a.m4s", "root/sub/index.html", "root/ü", "root/secret.m4s"] {
            fs::write(folder.join(file), INSIDE).unwrap();
        }
        #[cfg(unix)]
        for (to, from) in [
            ("../secret", "out"),
            ("..", "up"),
            ("a.m4s", "in"),
            ("../../secret", "sub/out"),
        ] {
            std::os::unix::fs::symlink(to, folder.join("root").join(from)).unwrap();
        }
        Tree(folder)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn site(root: PathBuf, faults: &Path) -> Site {
    Site {
        hosts: Hosts::new(&[], &[]),
        private: vec![],
        mounts: vec![
            ("/media".into(), Mount::Folder(root.clone())),
            ("/".into(), Mount::Folder(root)),
        ],
        app: None,
        answers: BTreeMap::new(),
        h3_port: Some(1),
        access_log: None,
        faults: Some(Arc::new(Rules::of(faults.into()).unwrap())),
        timeouts: Timeouts {
            request: Duration::from_secs(30),
            idle: Duration::from_secs(30),
        },
    }
}

fn any_request(random: &mut Random) -> Option<Request<crate::http::body::Body>> {
    let method = random.of_these(&["GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "X"]);
    let mut request = Request::builder().method(method).uri(pieces::path(random));
    if !random.one_in(20) {
        request = request.header(header::HOST, "localhost");
    }
    for _ in 0..random.below(5) {
        let (name, value) = match random.below(6) {
            0 | 1 => (header::RANGE.as_str(), pieces::range(random)),
            2 => ("priority", pieces::priority(random)),
            3 => (header::IF_RANGE.as_str(), pieces::tags(random)),
            4 => (header::IF_NONE_MATCH.as_str(), pieces::tags(random)),
            _ => (header::IF_MODIFIED_SINCE.as_str(), pieces::tags(random)),
        };
        request = request.header(name, value);
    }
    request.body(crate::http::body::empty()).ok()
}

async fn check(response: Response<crate::http::body::Body>, is_head: bool, case: &str) {
    let (parts, body) = response.into_parts();
    // Where a fault of the body was asked for it fails: then there is nothing to compare.
    let Ok(collected) = body.collect().await else {
        return;
    };
    let bytes = collected.to_bytes();
    assert!(
        !bytes.windows(SECRET.len()).any(|window| window == SECRET),
        "{case}"
    );
    assert!(!is_head || bytes.is_empty(), "{case}");
    let told: Option<u64> = parts
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse().ok());
    if let Some(told) = told.filter(|_| !is_head) {
        assert_eq!(bytes.len() as u64, told, "{case}");
    }
    assert!(bytes.len() <= 16 * 200 + INSIDE.len(), "{case}");
}

#[tokio::test]
async fn fuzz_requests() {
    let mut budget = Budget::of("requests");
    let tree = Tree::plant("requests");
    let faults = tree.0.join("faults.json");
    fs::write(&faults, "[]").unwrap();
    let site = site(tree.0.join("root"), &faults);
    let connections = Connections::new(None);
    let observed = connections.observe_tcp(-1, "h2", ([127, 0, 0, 1], 1).into());
    let connection: &Arc<Connection> = &observed.connection;
    let mut random = Random::of(budget.seed);
    while budget.goes_on() {
        let Some(request) = any_request(&mut random) else {
            continue;
        };
        let is_head = request.method() == "HEAD";
        let case = format!(
            "seed {}: {} {} {:?}",
            budget.seed,
            request.method(),
            request.uri(),
            request.headers()
        );
        check(site.answer(request, Port::Tls, connection).await, is_head, &case).await;
    }
    assert!(!connection.activity.is_answering());
}

#[test]
fn fuzz_headers_and_rules() {
    let mut budget = Budget::of("headers and rules");
    let mut random = Random::of(budget.seed);
    let file = std::env::temp_dir().join(format!("pitwall-fuzz-rules-{}.json", std::process::id()));
    while budget.goes_on() {
        let size_bytes = random.number() >> random.below(64);
        let text = pieces::range(&mut random);
        if let ByteRanges::Some(ranges) = byte_ranges(Some(&text), size_bytes) {
            let total: u64 = ranges.iter().map(|range| range.size_bytes()).sum();
            assert!(
                total <= size_bytes && ranges.len() <= 16,
                "{text} of {size_bytes}"
            );
            assert!(
                ranges
                    .iter()
                    .all(|range| range.first <= range.last && range.last < size_bytes),
                "{text}"
            );
        }
        let value = HeaderValue::from_str(&pieces::priority(&mut random)).unwrap();
        assert!(
            Priority::of(&HeaderMap::from_iter([(
                header::HeaderName::from_static("priority"),
                value
            )]))
            .urgency
                <= 7
        );
        // A file costs more than a thousand headers.
        if random.one_in(1000) {
            fs::write(&file, pieces::rules(&mut random)).unwrap();
            if let Ok(rules) = Rules::of(file.clone()) {
                rules.fault_for(&pieces::path(&mut random));
            }
        }
    }
    let _ = fs::remove_file(&file);
}
