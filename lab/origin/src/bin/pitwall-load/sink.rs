//! Reads a response and counts its bytes.

use crate::progress::{Pace, Total, unix_ms};
use http::Response;
use std::sync::Arc;

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The outcome of one request.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub status: u16,
    pub headers_at_unix_ms: f64,
    /// Time of the first byte of the body; None without a body.
    pub first_body_at_unix_ms: Option<f64>,
    pub bytes: u64,
    /// Length of the body by Content-Length.
    pub promised_bytes: Option<u64>,
    pub server_timing: Option<String>,
    pub is_whole: bool,
}

/// Receiver of the bytes of one connection's bodies.
pub struct Sink {
    pub total: Arc<Total>,
    pub pace: Pace,
    /// Outcome so far of the request that is under way.
    pub answer: Answer,
}

impl Sink {
    pub fn begin<T>(&mut self, response: &Response<T>) {
        let header = |name: &str| response.headers().get(name)?.to_str().ok();
        self.answer = Answer {
            status: response.status().as_u16(),
            headers_at_unix_ms: unix_ms(),
            promised_bytes: header("content-length").and_then(|text| text.parse().ok()),
            server_timing: header("server-timing").map(str::to_owned),
            ..Answer::default()
        };
    }

    pub async fn take(&mut self, bytes: usize) {
        self.answer.first_body_at_unix_ms.get_or_insert_with(unix_ms);
        self.answer.bytes += bytes as u64;
        self.total.add(bytes as u64);
        self.pace.after(bytes as u64).await;
    }

    pub fn end(&mut self) {
        self.answer.is_whole = self
            .answer
            .promised_bytes
            .is_none_or(|bytes| bytes == self.answer.bytes);
    }
}
