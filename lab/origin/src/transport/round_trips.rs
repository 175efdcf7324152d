//! How long QUIC's round trips take, measured to the moment that their acknowledgement is seen.

use std::time::{Duration, Instant};

/// RFC 9002 §5, from samples that still hold the peer's delay of acknowledgements, as the kernel's for TCP do.
#[derive(Clone, Copy)]
pub struct Rtt {
    pub smoothed: Duration,
    pub min: Duration,
    pub deviation: Duration,
}

#[derive(Default)]
pub struct RoundTrips {
    rtt: Option<Rtt>,
    newest_acknowledged: Option<Instant>,
    /// The acknowledgement at hand is the first of the newest packet.
    has_round_trip: bool,
}

impl RoundTrips {
    /// None before the first acknowledgement.
    pub fn rtt(&self) -> Option<Rtt> {
        self.rtt
    }

    /// When the newest packet that was acknowledged had been sent.
    pub fn newest_acknowledged(&self) -> Option<Instant> {
        self.newest_acknowledged
    }

    pub fn on_acknowledged(&mut self, sent: Instant) {
        if self.newest_acknowledged.is_none_or(|newest| sent > newest) {
            self.newest_acknowledged = Some(sent);
            self.has_round_trip = true;
        }
    }

    /// One sample per acknowledgement: the newest of the packets that it acknowledges (RFC 9002 §5.1). Until `now`, which
    /// is a clock read after the acknowledgement came: quinn reads its own before it asks the socket, and what arrives
    /// while the thread is off the processor in between is stamped too early.
    pub fn on_end_of_acknowledgement(&mut self, now: Instant) {
        let (Some(sent), true) = (self.newest_acknowledged, std::mem::take(&mut self.has_round_trip)) else {
            return;
        };
        let latest = now - sent;
        self.rtt = Some(match self.rtt {
            None => Rtt {
                smoothed: latest,
                min: latest,
                deviation: latest / 2,
            },
            Some(before) => Rtt {
                smoothed: (before.smoothed * 7 + latest) / 8,
                min: before.min.min(latest),
                deviation: (before.deviation * 3 + before.smoothed.abs_diff(latest)) / 4,
            },
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acknowledgement_is_one_sample_of_the_newest_packet_in_it() {
        let mut measured = RoundTrips::default();
        let start = Instant::now();
        let acknowledge = |measured: &mut RoundTrips, sent_ms: &[u64], now_ms: u64| {
            for &ms in sent_ms {
                measured.on_acknowledged(start + Duration::from_millis(ms));
            }
            measured.on_end_of_acknowledgement(start + Duration::from_millis(now_ms));
        };
        acknowledge(&mut measured, &[0, 10, 20], 100);
        let first = measured.rtt.unwrap();
        assert_eq!(
            (first.smoothed.as_millis(), first.deviation.as_millis()),
            (80, 40)
        );
        // 160 ms from the newest: 7/8 · 80 + 1/8 · 160, and 3/4 · 40 + 1/4 · |80 − 160|.
        acknowledge(&mut measured, &[30, 40], 200);
        let second = measured.rtt.unwrap();
        assert_eq!(
            (second.smoothed.as_millis(), second.deviation.as_millis()),
            (90, 50)
        );
        assert_eq!(second.min.as_millis(), 80);
        // A packet older than the newest, acknowledged late, is no sample.
        acknowledge(&mut measured, &[35], 900);
        assert_eq!(measured.rtt.unwrap().smoothed, second.smoothed);
    }
}
