//! The window of one Cubic sender that takes the share of N.
//!
//! CUBIC is RFC 9438. That one sender may stand for N is mulTCP (Crowcroft and Oechslin, "Differentiated end-to-end
//! Internet services using a weighted proportional fair sharing TCP", ACM CCR 28(3), 1998): a loss hits one of the N, so
//! that the whole shrinks by a Nth of what one would, and all N grow. For CUBIC that gives
//!
//!     β_N = (N − 1 + β) / N            β = 0.7
//!     α_N = 3 N² (1 − β_N) / (1 + β_N)
//!     K_N = ∛(W_max (1 − β_N) / C)     C = 0.4
//!
//! α_N is what makes the Reno-friendly estimate N times that of one Reno flow: the mean window of additive increase α and
//! decrease β is √(α (1 + β) / (2 (1 − β) p)), Reno's is √(1.5 / p). K_N needs no other C: the one flow that lost has
//! W_max (1 − β_N) to win back, on its own curve. With N = 1 this is CUBIC as the RFC has it.

use std::time::{Duration, Instant};

const BETA: f64 = 0.7;
/// Segments per second cubed (RFC 9438 §5.1).
const C: f64 = 0.4;
/// The window grows at most by half per round trip (RFC 9438 §4.2).
const MOST_GROWTH: f64 = 1.5;
const LEAST_PACKETS: f64 = 2.0;

#[derive(Clone, Debug)]
pub struct CubicWindow {
    connections: f64,
    packet_bytes: f64,
    bytes: f64,
    slow_start_until_bytes: f64,
    max_bytes: f64,
    epoch: Option<Epoch>,
    recovery_since: Option<Instant>,
    limited_since: Option<Instant>,
}

/// Growth since the last loss.
#[derive(Clone, Debug)]
struct Epoch {
    since: Instant,
    k_s: f64,
    origin_bytes: f64,
    prior_bytes: f64,
    friendly_bytes: f64,
}

impl CubicWindow {
    pub fn new(connections: u32, initial_bytes: f64, packet_bytes: f64) -> CubicWindow {
        CubicWindow {
            connections: f64::from(connections.max(1)),
            packet_bytes,
            bytes: initial_bytes,
            slow_start_until_bytes: f64::INFINITY,
            max_bytes: 0.0,
            epoch: None,
            recovery_since: None,
            limited_since: None,
        }
    }

    pub fn bytes(&self) -> f64 {
        self.bytes
    }

    pub fn packet_is(&mut self, packet_bytes: f64) {
        self.packet_bytes = packet_bytes;
        self.bytes = self.bytes.max(self.least_bytes());
    }

    pub fn on_acknowledged(&mut self, now: Instant, sent: Instant, acknowledged_bytes: f64, rtt: Duration) {
        if self.is_recovering(sent) {
            return;
        }
        if self.bytes < self.slow_start_until_bytes {
            self.bytes += acknowledged_bytes;
            return;
        }
        let limited = self.limited_since.take();
        let (packet_bytes, window) = (self.packet_bytes, self.bytes);
        let epoch = self.epoch.get_or_insert_with(|| Epoch::beginning(now, window));
        // Time in which nothing was tried is no time to grow in (RFC 9438 §5.8).
        if let Some(since) = limited {
            epoch.since += now - since;
        }
        let t_s = (now - epoch.since + rtt).as_secs_f64();
        let cubic = C * (t_s - epoch.k_s).powi(3) * packet_bytes + epoch.origin_bytes;
        let alpha = alpha(self.connections, epoch.friendly_bytes >= epoch.prior_bytes);
        epoch.friendly_bytes += alpha * packet_bytes * acknowledged_bytes / window;
        self.bytes = if cubic < epoch.friendly_bytes {
            window.max(epoch.friendly_bytes)
        } else {
            window + (cubic.clamp(window, window * MOST_GROWTH) - window) * acknowledged_bytes / window
        };
    }

    /// What arrived was held back by the application: it proves nothing about the path.
    pub fn on_limited(&mut self, now: Instant) {
        self.limited_since.get_or_insert(now);
    }

    pub fn on_lost(&mut self, now: Instant, sent: Instant, is_persistent: bool) {
        if self.is_recovering(sent) {
            return;
        }
        let (prior, beta) = (self.bytes, beta(self.connections));
        // Fast convergence: who lost before its old maximum leaves room (RFC 9438 §4.7).
        self.max_bytes = if prior < self.max_bytes {
            prior * (1.0 + beta) / 2.0
        } else {
            prior
        };
        self.bytes = (prior * beta).max(self.least_bytes());
        self.slow_start_until_bytes = self.bytes;
        self.recovery_since = Some(now);
        self.limited_since = None;
        let missing_packets = (self.max_bytes - self.bytes).max(0.0) / self.packet_bytes;
        self.epoch = Some(Epoch {
            since: now,
            k_s: (missing_packets / C).cbrt(),
            origin_bytes: self.max_bytes.max(self.bytes),
            prior_bytes: prior,
            friendly_bytes: self.bytes,
        });
        if is_persistent {
            // RFC 9002 §7.6.2.
            self.bytes = self.least_bytes();
            self.recovery_since = None;
            self.epoch = None;
        }
    }

    fn is_recovering(&self, sent: Instant) -> bool {
        self.recovery_since.is_some_and(|since| sent <= since)
    }

    fn least_bytes(&self) -> f64 {
        LEAST_PACKETS * self.packet_bytes
    }
}

impl Epoch {
    /// Growth without a loss before it: the present window is the origin.
    fn beginning(now: Instant, window: f64) -> Epoch {
        Epoch {
            since: now,
            k_s: 0.0,
            origin_bytes: window,
            prior_bytes: window,
            friendly_bytes: window,
        }
    }
}

fn beta(connections: f64) -> f64 {
    (connections - 1.0 + BETA) / connections
}

/// Packets per round trip of the Reno-friendly estimate; as N Reno flows would once the old window is reached again.
fn alpha(connections: f64, has_recovered: bool) -> f64 {
    if has_recovered {
        return connections;
    }
    let beta = beta(connections);
    3.0 * connections * connections * (1.0 - beta) / (1.0 + beta)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: f64 = 1200.0;

    /// A path that loses every `period`-th packet; the mean window in packets over many losses.
    fn mean_window(connections: u32, period: u64, rtt: Duration) -> f64 {
        let mut window = CubicWindow::new(connections, 10.0 * PACKET, PACKET);
        let mut now = Instant::now();
        let (mut sent, mut sum, mut rounds) = (0u64, 0.0, 0u32);
        for round in 0..20_000 {
            let sent_at = now;
            now += rtt;
            let packets = (window.bytes() / PACKET) as u64;
            let loses = sent / period != (sent + packets) / period;
            sent += packets;
            for _ in 0..packets {
                window.on_acknowledged(now, sent_at, PACKET, rtt);
            }
            if loses {
                window.on_lost(now, sent_at, false);
            }
            if round >= 2_000 {
                sum += window.bytes() / PACKET;
                rounds += 1;
            }
        }
        sum / f64::from(rounds)
    }

    fn after_a_loss(connections: u32) -> (CubicWindow, Instant) {
        let start = Instant::now();
        let mut window = CubicWindow::new(connections, 100.0 * PACKET, PACKET);
        window.on_lost(start + Duration::from_millis(10), start, false);
        (window, start + Duration::from_millis(10))
    }

    #[test]
    fn one_of_n_loses() {
        for (connections, left) in [(1, 0.7), (2, 0.85), (6, 0.95)] {
            let (window, _) = after_a_loss(connections);
            assert!((window.bytes() / PACKET - 100.0 * left).abs() < 1e-9);
        }
    }

    #[test]
    fn a_loss_of_the_same_flight_counts_once() {
        let (mut window, lost_at) = after_a_loss(1);
        window.on_lost(lost_at + Duration::from_millis(1), lost_at, false);
        assert!((window.bytes() / PACKET - 70.0).abs() < 1e-9);
        window.on_acknowledged(
            lost_at + Duration::from_millis(2),
            lost_at,
            PACKET,
            Duration::from_millis(10),
        );
        assert!((window.bytes() / PACKET - 70.0).abs() < 1e-9);
    }

    /// W_max (1 − β) = C K³: 30 packets are won back in ∛(30 / 0.4) = 4.2 s.
    #[test]
    fn is_back_at_its_maximum_after_k() {
        let (mut window, mut now) = after_a_loss(1);
        let rtt = Duration::from_millis(200);
        let end = now + Duration::from_secs_f64((30.0f64 / 0.4).cbrt());
        while now + rtt < end {
            let sent = now;
            now += rtt;
            for _ in 0..(window.bytes() / PACKET) as u64 {
                window.on_acknowledged(now, sent, PACKET, rtt);
            }
        }
        let packets = window.bytes() / PACKET;
        assert!((packets - 100.0).abs() < 2.0, "{packets} packets");
    }

    /// Short round trips: the Reno-friendly region, where the model is √(α (1 + β) / (2 (1 − β) p)).
    #[test]
    fn n_connections_take_n_shares_where_cubic_is_as_reno() {
        let mean = |connections| mean_window(connections, 1000, Duration::from_millis(5));
        let one = mean(1);
        assert!(
            (one / (1.5f64 * 1000.0).sqrt() - 1.0).abs() < 0.2,
            "{one} packets, Reno has 38.7"
        );
        let (two, six) = (mean(2) / one, mean(6) / one);
        assert!((two - 2.0).abs() < 0.3, "2 connections take {two} shares");
        assert!((six - 6.0).abs() < 1.0, "6 connections take {six} shares");
    }

    #[test]
    fn a_pause_is_no_time_to_grow_in() {
        let (mut paused, lost_at) = after_a_loss(1);
        let mut steady = paused.clone();
        let rtt = Duration::from_millis(50);
        let pause = Duration::from_secs(30);
        let at = lost_at + Duration::from_secs(1);
        paused.on_limited(at);
        paused.on_acknowledged(at + pause, at + pause - rtt, PACKET, rtt);
        steady.on_acknowledged(at, at - rtt, PACKET, rtt);
        assert!((paused.bytes() - steady.bytes()).abs() < 1e-6);
    }

    #[test]
    fn persistent_congestion_begins_anew() {
        let (mut window, lost_at) = after_a_loss(2);
        let later = lost_at + Duration::from_secs(5);
        window.on_lost(later, later - Duration::from_millis(1), true);
        assert_eq!(window.bytes(), 2.0 * PACKET);
        window.on_acknowledged(later, later, PACKET, Duration::from_millis(50));
        assert_eq!(window.bytes(), 3.0 * PACKET);
    }
}
