//! How fast a path delivers (draft-cheng-iccrg-delivery-rate-estimation-02 §3), for a sender that knows packets by
//! the moment at which they were sent.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// More packets than any window of ours holds: what is older was lost long ago.
const MAX_SENT: usize = 20_000;

/// A smaller datagram only acknowledges, and is itself never acknowledged.
const MIN_DATA_BYTES: u64 = 100;

#[derive(Default)]
pub struct DeliveryRate {
    sent: VecDeque<Sent>,
    delivered_bytes: u64,
    delivered_at: Option<Instant>,
    /// When the first packet of the present flight was sent.
    first_sent_at: Option<Instant>,
    in_flight_bytes: u64,
    newest: Option<(f64, bool)>,
}

/// State at the moment of sending.
#[derive(Clone, Copy)]
struct Sent {
    at: Instant,
    delivered_bytes: u64,
    delivered_at: Instant,
    first_sent_at: Instant,
}

impl DeliveryRate {
    pub fn on_sent(&mut self, now: Instant, size_bytes: u64) {
        if size_bytes < MIN_DATA_BYTES {
            return;
        }
        if self.in_flight_bytes == 0 {
            self.first_sent_at = Some(now);
            self.delivered_at = Some(now);
        }
        self.in_flight_bytes += size_bytes;
        if self.sent.len() == MAX_SENT {
            self.sent.pop_front();
        }
        self.sent.push_back(Sent {
            at: now,
            delivered_bytes: self.delivered_bytes,
            delivered_at: self.delivered_at.unwrap_or(now),
            first_sent_at: self.first_sent_at.unwrap_or(now),
        });
    }

    /// One packet of `size_bytes` sent at `sent_at` has arrived.
    pub fn on_acknowledged(&mut self, now: Instant, sent_at: Instant, size_bytes: u64, app_limited: bool) {
        self.delivered_bytes += size_bytes;
        self.delivered_at = Some(now);
        self.in_flight_bytes = self.in_flight_bytes.saturating_sub(size_bytes);
        // Packets sent before this one are acknowledged already, or lost: they give no newer sample.
        while self.sent.front().is_some_and(|sent| sent.at < sent_at) {
            self.sent.pop_front();
        }
        let Some(&sent) = self.sent.front().filter(|sent| sent.at == sent_at) else {
            return;
        };
        self.first_sent_at = Some(sent.at);
        let interval = (sent.at - sent.first_sent_at).max(now - sent.delivered_at);
        if interval > Duration::ZERO {
            let bits = (self.delivered_bytes - sent.delivered_bytes) as f64 * 8.0;
            self.newest = Some((bits / interval.as_secs_f64() / 1000.0, app_limited));
        }
    }

    pub fn on_lost(&mut self, size_bytes: u64) {
        self.in_flight_bytes = self.in_flight_bytes.saturating_sub(size_bytes);
    }

    /// The transport's own count, where it is known: ours drifts with packets that are not acknowledged one by one.
    pub fn in_flight_is(&mut self, size_bytes: u64) {
        self.in_flight_bytes = size_bytes;
    }

    pub fn in_flight_bytes(&self) -> u64 {
        self.in_flight_bytes
    }

    /// kbit/s, and whether the application held it down; None before the first sample.
    pub fn newest(&self) -> Option<(f64, bool)> {
        self.newest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of `rate_kbps` and 50 ms one way: each packet of 1250 bytes arrives when the one before has passed.
    fn rate_over(rate_kbps: f64, packets: u32, every: Duration) -> f64 {
        let start = Instant::now();
        let service = Duration::from_secs_f64(10.0 / rate_kbps);
        let mut events = Vec::new();
        let mut free_at = start;
        for index in 0..packets {
            let sent = start + every * index;
            free_at = free_at.max(sent) + service;
            events.push((sent, None));
            events.push((free_at + Duration::from_millis(100), Some(sent)));
        }
        events.sort();
        let mut rate = DeliveryRate::default();
        for (at, sent) in events {
            match sent {
                None => rate.on_sent(at, 1250),
                Some(sent) => rate.on_acknowledged(at, sent, 1250, false),
            }
        }
        rate.newest().unwrap().0
    }

    #[test]
    fn finds_the_rate_of_a_bottleneck_that_is_kept_busy() {
        let rate = rate_over(5000.0, 500, Duration::from_millis(1));
        assert!((rate - 5000.0).abs() < 100.0, "{rate} kbit/s of 5000");
    }

    #[test]
    fn cannot_be_faster_than_what_was_sent() {
        let rate = rate_over(50_000.0, 500, Duration::from_millis(10));
        assert!((rate - 1000.0).abs() < 120.0, "{rate} kbit/s of 1000 sent");
    }

    #[test]
    fn a_pause_is_no_slow_delivery() {
        let start = Instant::now();
        let later = start + Duration::from_secs(30);
        let mut rate = DeliveryRate::default();
        rate.on_sent(start, 1250);
        rate.on_acknowledged(start + Duration::from_millis(10), start, 1250, false);
        rate.on_sent(later - Duration::from_millis(1), 40);
        rate.on_sent(later, 1250);
        rate.on_acknowledged(later + Duration::from_millis(10), later, 1250, false);
        assert_eq!(rate.newest(), Some((1000.0, false)));
    }

    #[test]
    fn knows_nothing_before_an_acknowledgement() {
        let mut rate = DeliveryRate::default();
        rate.on_sent(Instant::now(), 1200);
        assert_eq!(rate.newest(), None);
        assert_eq!(rate.in_flight_bytes(), 1200);
        rate.on_lost(1200);
        assert_eq!(rate.in_flight_bytes(), 0);
    }
}
