//! How a CUBIC window grows after a loss (RFC 9438 §4.2 and §4.3).

use super::multcp::alpha;
use std::time::{Duration, Instant};

/// Segments per second cubed (RFC 9438 §5.1).
const C: f64 = 0.4;
/// The window grows at most by half per round trip (RFC 9438 §4.2).
const MAX_GROWTH: f64 = 1.5;

/// Growth since the last loss.
#[derive(Clone, Debug)]
pub struct CubicEpoch {
    since: Instant,
    k_s: f64,
    origin_bytes: f64,
    prior_bytes: f64,
    friendly_bytes: f64,
}

pub struct LostAt {
    pub prior_bytes: f64,
    pub max_bytes: f64,
    pub left_bytes: f64,
    pub packet_bytes: f64,
}

pub struct Acknowledgement {
    /// Since the beginning of the epoch, one round trip ahead.
    pub after: Duration,
    pub bytes: f64,
    pub packet_bytes: f64,
    pub connections: f64,
}

impl CubicEpoch {
    /// Growth without a loss before it: the present window is the origin.
    pub fn beginning(now: Instant, window: f64) -> CubicEpoch {
        CubicEpoch {
            since: now,
            k_s: 0.0,
            origin_bytes: window,
            prior_bytes: window,
            friendly_bytes: window,
        }
    }

    pub fn after_loss(now: Instant, lost: LostAt) -> CubicEpoch {
        let missing_packets = (lost.max_bytes - lost.left_bytes).max(0.0) / lost.packet_bytes;
        CubicEpoch {
            since: now,
            k_s: (missing_packets / C).cbrt(),
            origin_bytes: lost.max_bytes.max(lost.left_bytes),
            prior_bytes: lost.prior_bytes,
            friendly_bytes: lost.left_bytes,
        }
    }

    pub fn pauses_for(&mut self, pause: Duration) {
        self.since += pause;
    }

    pub fn lasts_until(&self, now: Instant) -> Duration {
        now - self.since
    }

    /// What becomes of `window`: CUBIC's own curve, or Reno's where that is ahead.
    pub fn grown(&mut self, window: f64, acknowledged: Acknowledgement) -> f64 {
        let Acknowledgement {
            after,
            bytes,
            packet_bytes,
            connections,
        } = acknowledged;
        let cubic = C * (after.as_secs_f64() - self.k_s).powi(3) * packet_bytes + self.origin_bytes;
        let alpha = alpha(connections, self.friendly_bytes >= self.prior_bytes);
        self.friendly_bytes += alpha * packet_bytes * bytes / window;
        if cubic < self.friendly_bytes {
            window.max(self.friendly_bytes)
        } else {
            window + (cubic.clamp(window, window * MAX_GROWTH) - window) * bytes / window
        }
    }
}
