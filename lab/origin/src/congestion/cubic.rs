//! CUBIC (RFC 9438) as a congestion controller of quinn, which can take the share of N connections.
//!
//! That one sender may stand for N is mulTCP (Crowcroft and Oechslin, "Differentiated end-to-end
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
//!
//! Windows are in bytes, and names are those of RFC 9438 §4.1.2.

use quinn_proto::RttEstimator;
use quinn_proto::congestion::{Controller, ControllerFactory};
use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Segments per second cubed (§5.1).
const C: f64 = 0.4;
/// What is left of the window of one connection after a loss (§4.6).
const BETA_CUBIC: f64 = 0.7;
/// The window grows at most by half per round trip (§4.2).
const MAX_TARGET: f64 = 1.5;
/// Segments of a new connection (RFC 9002 §7.2).
const INITIAL_SEGMENTS: u64 = 10;
/// Segments that are left after any loss (RFC 9002 §7.2).
const MIN_SEGMENTS: f64 = 2.0;

pub struct CubicConfig {
    /// Count of the connections that this one stands for.
    pub connections: u32,
    /// None: `INITIAL_SEGMENTS`.
    pub initial_cwnd: Option<u64>,
}

impl ControllerFactory for CubicConfig {
    fn build(self: Arc<Self>, _now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let initial_cwnd = self
            .initial_cwnd
            .unwrap_or(INITIAL_SEGMENTS * u64::from(current_mtu));
        Box::new(Cubic::new(self.connections, initial_cwnd, current_mtu))
    }
}

#[derive(Clone, Debug)]
struct Cubic {
    connections: f64,
    initial_cwnd: u64,
    smss: f64,
    cwnd: f64,
    ssthresh: f64,
    w_max: f64,
    /// None in slow start, and until something is acknowledged after it.
    epoch: Option<Epoch>,
    /// A loss of what was sent until then is part of the one that was answered.
    recovery_start: Option<Instant>,
    app_limited_since: Option<Instant>,
}

/// Congestion avoidance since the last loss (§4.1.2).
#[derive(Clone, Debug)]
struct Epoch {
    epoch_start: Instant,
    /// Seconds.
    k: f64,
    w_max: f64,
    cwnd_prior: f64,
    w_est: f64,
}

impl Cubic {
    fn new(connections: u32, initial_cwnd: u64, smss: u16) -> Cubic {
        Cubic {
            connections: f64::from(connections.max(1)),
            initial_cwnd,
            smss: f64::from(smss),
            cwnd: initial_cwnd as f64,
            ssthresh: f64::INFINITY,
            w_max: 0.0,
            epoch: None,
            recovery_start: None,
            app_limited_since: None,
        }
    }

    fn acknowledge(&mut self, now: Instant, sent: Instant, acknowledged: f64, rtt: Duration) {
        if self.is_in_recovery(sent) {
            return;
        }
        if self.cwnd < self.ssthresh {
            self.cwnd += acknowledged;
            return;
        }
        let app_limited_since = self.app_limited_since.take();
        let epoch = self
            .epoch
            .get_or_insert_with(|| Epoch::without_loss(now, self.cwnd));
        // Time in which nothing was tried is no time to grow in (§5.8).
        if let Some(since) = app_limited_since {
            epoch.epoch_start += now - since;
        }
        let t = now - epoch.epoch_start;
        let w_cubic = epoch.w_cubic(t + rtt, self.smss);
        let alpha = alpha_cubic(self.connections, epoch.w_est >= epoch.cwnd_prior);
        // Figure 4 of §4.3.
        epoch.w_est += alpha * self.smss * acknowledged / self.cwnd;
        self.cwnd = if w_cubic < epoch.w_est {
            self.cwnd.max(epoch.w_est)
        } else {
            let target = w_cubic.clamp(self.cwnd, self.cwnd * MAX_TARGET);
            self.cwnd + (target - self.cwnd) * acknowledged / self.cwnd
        };
    }

    fn lose(&mut self, now: Instant, sent: Instant, is_persistent_congestion: bool) {
        if self.is_in_recovery(sent) {
            return;
        }
        let beta = beta_cubic(self.connections);
        let cwnd_prior = self.cwnd;
        // Fast convergence: a loss below the old maximum lowers the maximum (§4.7).
        self.w_max = if cwnd_prior < self.w_max {
            cwnd_prior * (1.0 + beta) / 2.0
        } else {
            cwnd_prior
        };
        self.cwnd = (cwnd_prior * beta).max(self.min_cwnd());
        self.ssthresh = self.cwnd;
        self.recovery_start = Some(now);
        self.app_limited_since = None;
        self.epoch = Some(Epoch {
            epoch_start: now,
            k: ((self.w_max - self.cwnd).max(0.0) / self.smss / C).cbrt(),
            w_max: self.w_max.max(self.cwnd),
            cwnd_prior,
            w_est: self.cwnd,
        });
        if is_persistent_congestion {
            // RFC 9002 §7.6.2.
            self.cwnd = self.min_cwnd();
            self.recovery_start = None;
            self.epoch = None;
        }
    }

    fn is_in_recovery(&self, sent: Instant) -> bool {
        self.recovery_start.is_some_and(|start| sent <= start)
    }

    fn min_cwnd(&self) -> f64 {
        MIN_SEGMENTS * self.smss
    }
}

impl Epoch {
    /// No loss came before it: the present window is the origin of the curve (§4.10).
    fn without_loss(now: Instant, cwnd: f64) -> Epoch {
        Epoch {
            epoch_start: now,
            k: 0.0,
            w_max: cwnd,
            cwnd_prior: cwnd,
            w_est: cwnd,
        }
    }

    /// W_cubic(t), Figure 1 of §4.2.
    fn w_cubic(&self, t: Duration, smss: f64) -> f64 {
        C * (t.as_secs_f64() - self.k).powi(3) * smss + self.w_max
    }
}

/// β_N: what is left of the window after a loss.
fn beta_cubic(connections: f64) -> f64 {
    (connections - 1.0 + BETA_CUBIC) / connections
}

/// α_N: segments per round trip of the Reno-friendly estimate. As N Reno flows once the old window is reached again (§4.3).
fn alpha_cubic(connections: f64, is_at_prior: bool) -> f64 {
    if is_at_prior {
        return connections;
    }
    let beta = beta_cubic(connections);
    3.0 * connections * connections * (1.0 - beta) / (1.0 + beta)
}

impl Controller for Cubic {
    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, app_limited: bool, rtt: &RttEstimator) {
        if app_limited {
            // What arrived was held back by the application: it proves nothing about the path.
            self.app_limited_since.get_or_insert(now);
        } else {
            self.acknowledge(now, sent, bytes as f64, rtt.get());
        }
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        _lost_bytes: u64,
    ) {
        self.lose(now, sent, is_persistent_congestion);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.smss = f64::from(new_mtu);
        self.cwnd = self.cwnd.max(self.min_cwnd());
    }

    fn window(&self) -> u64 {
        self.cwnd as u64
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        self.initial_cwnd
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMSS: u16 = 1200;

    fn cubic(connections: u32, segments: u64) -> Cubic {
        Cubic::new(connections, segments * u64::from(SMSS), SMSS)
    }

    /// With a window of 100 segments before it.
    fn after_a_loss(connections: u32) -> (Cubic, Instant) {
        let start = Instant::now();
        let mut cubic = cubic(connections, 100);
        cubic.lose(start + Duration::from_millis(10), start, false);
        (cubic, start + Duration::from_millis(10))
    }

    fn segments(cubic: &Cubic) -> f64 {
        cubic.cwnd / cubic.smss
    }

    #[test]
    fn one_of_n_loses() {
        for (connections, left) in [(1, 0.7), (2, 0.85), (6, 0.95)] {
            let (cubic, _) = after_a_loss(connections);
            assert!((segments(&cubic) - 100.0 * left).abs() < 1e-9);
        }
    }

    #[test]
    fn a_loss_of_the_same_flight_counts_once() {
        let (mut cubic, lost_at) = after_a_loss(1);
        cubic.lose(lost_at + Duration::from_millis(1), lost_at, false);
        assert!((segments(&cubic) - 70.0).abs() < 1e-9);
        cubic.acknowledge(
            lost_at + Duration::from_millis(2),
            lost_at,
            f64::from(SMSS),
            Duration::from_millis(10),
        );
        assert!((segments(&cubic) - 70.0).abs() < 1e-9);
    }

    /// W_max (1 − β) = C K³: 30 segments are won back in ∛(30 / 0.4) = 4.2 s.
    #[test]
    fn is_back_at_its_maximum_after_k() {
        let (mut cubic, mut now) = after_a_loss(1);
        let rtt = Duration::from_millis(200);
        let end = now + Duration::from_secs_f64((30.0f64 / 0.4).cbrt());
        while now + rtt < end {
            let sent = now;
            now += rtt;
            for _ in 0..segments(&cubic) as u64 {
                cubic.acknowledge(now, sent, f64::from(SMSS), rtt);
            }
        }
        let segments = segments(&cubic);
        assert!((segments - 100.0).abs() < 2.0, "{segments} segments");
    }

    #[test]
    fn a_pause_is_no_time_to_grow_in() {
        let (mut paused, lost_at) = after_a_loss(1);
        let mut steady = paused.clone();
        let rtt = Duration::from_millis(50);
        let pause = Duration::from_secs(30);
        let at = lost_at + Duration::from_secs(1);
        paused.app_limited_since = Some(at);
        paused.acknowledge(at + pause, at + pause - rtt, f64::from(SMSS), rtt);
        steady.acknowledge(at, at - rtt, f64::from(SMSS), rtt);
        assert!((paused.cwnd - steady.cwnd).abs() < 1e-6);
    }

    #[test]
    fn persistent_congestion_begins_anew() {
        let (mut cubic, lost_at) = after_a_loss(2);
        let later = lost_at + Duration::from_secs(5);
        cubic.lose(later, later - Duration::from_millis(1), true);
        assert_eq!(segments(&cubic), 2.0);
        cubic.acknowledge(later, later, f64::from(SMSS), Duration::from_millis(50));
        assert_eq!(segments(&cubic), 3.0);
    }

    /// A path that loses every `period`-th segment; the mean window in segments over many losses.
    fn mean_window(connections: u32, period: u64, rtt: Duration) -> f64 {
        let mut cubic = cubic(connections, 10);
        let mut now = Instant::now();
        let (mut sent, mut sum, mut rounds) = (0u64, 0.0, 0u32);
        for round in 0..20_000 {
            let sent_at = now;
            now += rtt;
            let flight = segments(&cubic) as u64;
            let loses = sent / period != (sent + flight) / period;
            sent += flight;
            for _ in 0..flight {
                cubic.acknowledge(now, sent_at, f64::from(SMSS), rtt);
            }
            if loses {
                cubic.lose(now, sent_at, false);
            }
            if round >= 2_000 {
                sum += segments(&cubic);
                rounds += 1;
            }
        }
        sum / f64::from(rounds)
    }

    /// Short round trips: the Reno-friendly region, where the model is √(α (1 + β) / (2 (1 − β) p)).
    #[test]
    fn n_connections_take_n_shares_where_cubic_is_as_reno() {
        let mean = |connections| mean_window(connections, 1000, Duration::from_millis(5));
        let one = mean(1);
        assert!(
            (one / (1.5f64 * 1000.0).sqrt() - 1.0).abs() < 0.2,
            "{one} segments, Reno has 38.7"
        );
        let (two, six) = (mean(2) / one, mean(6) / one);
        assert!((two - 2.0).abs() < 0.3, "2 connections take {two} shares");
        assert!((six - 6.0).abs() < 1.0, "6 connections take {six} shares");
    }
}
