//! The window of one Cubic sender that takes the share of N.
//!
//! CUBIC is RFC 9438; what is of the N is in `multcp.rs`. With N = 1 this is CUBIC as the RFC has it.

use super::cubic_epoch::{Acknowledgement, CubicEpoch, LostAt};
use super::multcp::beta;
use std::time::{Duration, Instant};

const MIN_PACKETS: f64 = 2.0;

#[derive(Clone, Debug)]
pub struct CubicWindow {
    connections: f64,
    packet_bytes: f64,
    bytes: f64,
    slow_start_until_bytes: f64,
    max_bytes: f64,
    epoch: Option<CubicEpoch>,
    recovery_since: Option<Instant>,
    limited_since: Option<Instant>,
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
        let window = self.bytes;
        let epoch = self
            .epoch
            .get_or_insert_with(|| CubicEpoch::beginning(now, window));
        // Time in which nothing was tried is no time to grow in (RFC 9438 §5.8).
        if let Some(since) = limited {
            epoch.pauses_for(now - since);
        }
        self.bytes = epoch.grown(
            window,
            Acknowledgement {
                after: epoch.lasts_until(now) + rtt,
                bytes: acknowledged_bytes,
                packet_bytes: self.packet_bytes,
                connections: self.connections,
            },
        );
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
        // Fast convergence: a loss below the old maximum lowers the maximum (RFC 9438 §4.7).
        self.max_bytes = if prior < self.max_bytes {
            prior * (1.0 + beta) / 2.0
        } else {
            prior
        };
        self.bytes = (prior * beta).max(self.least_bytes());
        self.slow_start_until_bytes = self.bytes;
        self.recovery_since = Some(now);
        self.limited_since = None;
        let packet_bytes = self.packet_bytes;
        self.epoch = Some(CubicEpoch::after_loss(
            now,
            LostAt {
                prior_bytes: prior,
                max_bytes: self.max_bytes,
                left_bytes: self.bytes,
                packet_bytes,
            },
        ));
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
        MIN_PACKETS * self.packet_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: f64 = 1200.0;

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
