//! What a connection did last: who holds one open and does not use it is let go.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long is waited for a client.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From the first byte of a request to the end of its headers.
    pub request: Duration,
    /// Without a request, and without a byte of a response that goes out.
    pub idle: Duration,
}

pub struct Activity {
    opened: Instant,
    /// Milliseconds after it was opened, like the next one.
    progress_ms: AtomicU64,
    /// Since when a request is begun and not whole. 0: none is.
    unfinished_ms: AtomicU64,
    in_progress: AtomicUsize,
    requests: AtomicU64,
}

impl Default for Activity {
    fn default() -> Activity {
        Activity {
            opened: Instant::now(),
            progress_ms: AtomicU64::new(0),
            unfinished_ms: AtomicU64::new(0),
            in_progress: AtomicUsize::new(0),
            requests: AtomicU64::new(0),
        }
    }
}

impl Activity {
    /// A whole request came.
    pub fn begin_answer(&self) {
        self.in_progress.fetch_add(1, Relaxed);
        self.requests.fetch_add(1, Relaxed);
        self.unfinished(false);
        self.progress();
    }

    /// The response to one is over.
    pub fn end_answer(&self) {
        self.in_progress.fetch_sub(1, Relaxed);
        self.progress();
    }

    /// A request came, or something of a response went out.
    pub fn progress(&self) {
        self.progress_ms.store(self.now_ms(), Relaxed);
    }

    /// Whether a part of a request is there and the rest is not.
    pub fn unfinished(&self, is: bool) {
        if !is {
            self.unfinished_ms.store(0, Relaxed);
        } else if self.unfinished_ms.load(Relaxed) == 0 {
            self.unfinished_ms.store(self.now_ms().max(1), Relaxed);
        }
    }

    /// How many have come.
    pub fn requests(&self) -> u64 {
        self.requests.load(Relaxed)
    }

    pub fn is_answering(&self) -> bool {
        self.in_progress.load(Relaxed) > 0
    }

    /// Settles, with the reason, when nobody should wait any longer.
    pub async fn overdue(&self, timeouts: Timeouts) -> String {
        let every = (timeouts.request.min(timeouts.idle) / 4).max(Duration::from_millis(10));
        loop {
            if let Some(reason) = self.reason(timeouts) {
                return reason;
            }
            tokio::time::sleep(every).await;
        }
    }

    fn reason(&self, timeouts: Timeouts) -> Option<String> {
        let lasts = |since_ms: u64| Duration::from_millis(self.now_ms().saturating_sub(since_ms));
        let unfinished_ms = self.unfinished_ms.load(Relaxed);
        if unfinished_ms > 0 && lasts(unfinished_ms) >= timeouts.request {
            return Some(format!(
                "no whole request within {} s",
                timeouts.request.as_secs_f64()
            ));
        }
        (lasts(self.progress_ms.load(Relaxed)) >= timeouts.idle)
            .then(|| format!("nothing happened for {} s", timeouts.idle.as_secs_f64()))
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
