//! A response until its line can be written.

use super::{Headers, Line, Pending};
use crate::transport::Sample;
use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// For a transport that learns what became of the last byte.
#[derive(Clone)]
pub struct Delivery(Arc<Answer>);

impl Delivery {
    pub fn of(answer: Arc<Answer>) -> Delivery {
        Delivery(answer)
    }

    /// The client has everything: the last byte was sent at `sent`.
    pub fn acknowledged(&self, sent: Option<Instant>) {
        let now = Instant::now();
        let sent = sent.unwrap_or(now);
        let _ = self.0.delivered.set(Delivered { sent, now });
    }
}

/// A response of which the line is still to be written.
pub struct Answer {
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
    pub fn new(pending: Pending, status: u16, headers: Headers) -> Answer {
        Answer {
            status,
            headers,
            pending,
            taken: OnceLock::new(),
            delivered: OnceLock::new(),
        }
    }

    pub fn is_taken(&self, size_bytes: u64) {
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
