//! How one CUBIC sender (RFC 9438) takes the share of N.
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
//! W_max (1 − β_N) to win back, on its own curve.

const BETA: f64 = 0.7;

/// What is left of the window after a loss.
pub fn beta(connections: f64) -> f64 {
    (connections - 1.0 + BETA) / connections
}

/// Packets per round trip of the Reno-friendly estimate; as N Reno flows would once the old window is reached again.
pub fn alpha(connections: f64, has_recovered: bool) -> f64 {
    if has_recovered {
        return connections;
    }
    let beta = beta(connections);
    3.0 * connections * connections * (1.0 - beta) / (1.0 + beta)
}

#[cfg(test)]
mod tests {
    use crate::congestion::cubic_window::CubicWindow;
    use std::time::{Duration, Instant};

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
}
