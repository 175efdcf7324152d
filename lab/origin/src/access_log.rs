//! One JSON line per finished request, in the form of Caddy's access log, so that one reader reads both.

mod answer;
mod counted;

use crate::http::body::Body;
use crate::line_log::LineLog;
use crate::transport::{Connection, Sample};
use answer::Answer;
pub use answer::Delivery;
use counted::Counted;
use http::{HeaderMap, Response, Version, request};
use http_body_util::BodyExt;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

type Headers = BTreeMap<String, Vec<String>>;

/// Headers whose values never go into a file.
const SECRET: [&str; 3] = ["authorization", "cookie", "set-cookie"];

#[derive(Serialize)]
struct Line {
    /// Unix seconds at the end: the transport had taken the last byte; over h3, it had sent it.
    ts: f64,
    request: RequestLine,
    /// Seconds from the request to the end of the response, as `ts` has it.
    duration: f64,
    /// Seconds until the client had acknowledged everything; null where that is unknown (TCP) or never came.
    acknowledged: Option<f64>,
    /// Bytes of the body that the transport took.
    size: u64,
    status: u16,
    resp_headers: Headers,
    connection: u64,
    /// State of the connection when the last byte had been handed over.
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

    /// Returns the response with a body that writes the log line once it has been sent, or dropped half-way, and once
    /// the `Delivery` in the response's extensions, if it was taken out, has been dropped, too.
    pub fn until_sent(self, response: Response<Body>) -> Response<Body> {
        let (status, headers) = (response.status().as_u16(), readable(response.headers()));
        let answer = Arc::new(Answer::new(self, status, headers));
        let mut response = response.map(|body| Counted::new(body, answer.clone()).boxed_unsync());
        response.extensions_mut().insert(Delivery::of(answer));
        response
    }
}

/// Returns the host of a request. HTTP/2 and 3 name it in the URI, HTTP/1.1 in a header.
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
