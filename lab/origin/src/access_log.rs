//! One JSON line per finished request, in the form of Caddy's access log, so that one reader reads both.

mod counted;

use crate::body::Body;
use crate::line_log::LineLog;
use crate::transport::{Connection, Sample};
use counted::Counted;
use http::{HeaderMap, Response, Version, request};
use http_body_util::BodyExt;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

type Headers = BTreeMap<String, Vec<String>>;

/// Their values never go into a file.
const SECRET: [&str; 3] = ["authorization", "cookie", "set-cookie"];

#[derive(Serialize)]
struct Line {
    /// Unix seconds at the end: the transport had taken the last byte; over h3, it had sent it.
    ts: f64,
    request: RequestLine,
    /// Seconds to that end.
    duration: f64,
    /// Seconds until the client had acknowledged everything; null where that is not told (TCP) or never came.
    acknowledged: Option<f64>,
    /// Bytes of the body that the transport took.
    size: u64,
    status: u16,
    resp_headers: Headers,
    connection: u64,
    /// The connection when the last byte had been handed over.
    transport: Option<Sample>,
}

#[derive(Serialize, Default)]
struct RequestLine {
    remote_ip: String,
    remote_port: String,
    proto: &'static str,
    method: String,
    host: String,
    uri: String,
    headers: Headers,
}

/// A request that is being answered.
pub struct Pending {
    log: LineLog,
    started_at: Instant,
    request: RequestLine,
    connection: Arc<Connection>,
}

impl Pending {
    pub fn new(log: LineLog, asked: &request::Parts, connection: Arc<Connection>) -> Pending {
        let request = RequestLine {
            remote_ip: connection.remote.ip().to_string(),
            remote_port: connection.remote.port().to_string(),
            proto: protocol(asked.version),
            method: asked.method.to_string(),
            host: host(asked),
            uri: asked
                .uri
                .path_and_query()
                .map_or("/", |path| path.as_str())
                .to_owned(),
            headers: readable(&asked.headers),
        };
        Pending {
            log,
            started_at: Instant::now(),
            request,
            connection,
        }
    }

    /// The same response. Its line is written when its body has been sent, or dropped half-way, and who takes the
    /// `Delivery` out of its extensions has let go of that too.
    pub fn until_sent(self, response: Response<Body>) -> Response<Body> {
        let answer = Arc::new(Answer {
            status: response.status().as_u16(),
            headers: readable(response.headers()),
            pending: self,
            taken: OnceLock::new(),
            delivered: OnceLock::new(),
        });
        let mut response = response.map(|body| Counted::new(body, answer.clone()).boxed_unsync());
        response.extensions_mut().insert(Delivery(answer));
        response
    }
}

/// For a transport that learns what became of the last byte.
#[derive(Clone)]
pub struct Delivery(Arc<Answer>);

impl Delivery {
    /// The client has everything: the last byte was sent at `sent`.
    pub fn acknowledged(&self, sent: Option<Instant>) {
        let now = Instant::now();
        let sent = sent.unwrap_or(now);
        let _ = self.0.delivered.set(Delivered { sent, now });
    }
}

/// A response of which the line is still to be written.
struct Answer {
    status: u16,
    headers: Headers,
    pending: Pending,
    taken: OnceLock<Taken>,
    delivered: OnceLock<Delivered>,
}

/// The transport took the last byte that it will.
struct Taken {
    at: Instant,
    size_bytes: u64,
    transport: Option<Sample>,
}

struct Delivered {
    sent: Instant,
    now: Instant,
}

impl Answer {
    fn is_taken(&self, size_bytes: u64) {
        let _ = self.taken.set(Taken {
            at: Instant::now(),
            size_bytes,
            transport: self.pending.connection.sample(),
        });
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        let Some(taken) = self.taken.take() else {
            return;
        };
        let Pending {
            log,
            started_at,
            request,
            connection,
        } = &mut self.pending;
        let delivered = self.delivered.get();
        // What was sent had been taken before.
        let end = delivered.map_or(taken.at, |delivered| delivered.sent.max(taken.at));
        let end_unix = SystemTime::now() - end.elapsed();
        let seconds_to = |at: Instant| (at - *started_at).as_secs_f64();
        log.write(&Line {
            ts: end_unix
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default()
                .as_secs_f64(),
            request: std::mem::take(request),
            duration: seconds_to(end),
            acknowledged: delivered.map(|delivered| seconds_to(delivered.now)),
            size: taken.size_bytes,
            status: self.status,
            resp_headers: std::mem::take(&mut self.headers),
            connection: connection.id,
            transport: taken.transport,
        });
    }
}

/// HTTP/2 and 3 name the host in the URI, HTTP/1.1 in a header.
fn host(asked: &request::Parts) -> String {
    let authority = asked.uri.authority().map(|authority| authority.as_str());
    let header = asked
        .headers
        .get(http::header::HOST)
        .and_then(|value| value.to_str().ok());
    authority.or(header).unwrap_or("").to_owned()
}

fn protocol(version: Version) -> &'static str {
    match version {
        Version::HTTP_3 => "HTTP/3.0",
        Version::HTTP_2 => "HTTP/2.0",
        Version::HTTP_10 => "HTTP/1.0",
        _ => "HTTP/1.1",
    }
}

fn readable(headers: &HeaderMap) -> Headers {
    let mut readable = Headers::new();
    for (name, value) in headers {
        let value = if SECRET.contains(&name.as_str()) {
            "REDACTED".into()
        } else {
            String::from_utf8_lossy(value.as_bytes())
        };
        readable
            .entry(name.to_string())
            .or_default()
            .push(value.into_owned());
    }
    readable
}
