//! What came, and how fast it may be read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Bytes of bodies that all connections have read.
#[derive(Default)]
pub struct Total(AtomicU64);

impl Total {
    pub fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Holds one connection's reading down to a rate.
pub struct Pace {
    kbps: Option<f64>,
    since: Instant,
    bytes: u64,
}

impl Pace {
    pub fn new(kbps: Option<f64>) -> Pace {
        Pace {
            kbps,
            since: Instant::now(),
            bytes: 0,
        }
    }

    /// Resolves when so many bytes more could have been read at the rate.
    pub async fn after(&mut self, bytes: u64) {
        self.bytes += bytes;
        if let Some(wait) = self.wait(self.since.elapsed()) {
            tokio::time::sleep(wait).await;
        }
    }

    fn wait(&self, elapsed: Duration) -> Option<Duration> {
        let due = Duration::from_secs_f64(self.bytes as f64 * 8.0 / 1000.0 / self.kbps?);
        due.checked_sub(elapsed)
    }
}

/// Returns the wall clock in Unix milliseconds, as in the origin's logs.
pub fn unix_ms() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_reader_waits_for_what_it_read_too_early() {
        let mut pace = Pace::new(Some(100.0));
        pace.bytes = 25_000;
        // 200,000 bits at 100 kbit/s are 2 s.
        assert_eq!(
            pace.wait(Duration::from_millis(500)),
            Some(Duration::from_millis(1500))
        );
        assert_eq!(pace.wait(Duration::from_secs(3)), None);
    }

    #[test]
    fn others_never_wait() {
        let mut pace = Pace::new(None);
        pace.bytes = 1 << 40;
        assert_eq!(pace.wait(Duration::ZERO), None);
    }
}
