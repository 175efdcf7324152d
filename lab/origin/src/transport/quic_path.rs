//! Watches the calls of QUIC's congestion controller, for what quinn itself does not publish (RTT deviation, bytes in
//! flight, delivery rate) or not well enough: quinn's own round trips can be shorter than the path.

use super::delivery_rate::DeliveryRate;
use super::round_trips::RoundTrips;
use super::sample::Sample;
use quinn_proto::RttEstimator;
use quinn_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Makes controllers that can be watched, out of any other kind.
pub struct Watched {
    pub name: String,
    pub factory: Arc<dyn ControllerFactory + Send + Sync>,
    /// The window never grows beyond this many full packets.
    pub max_window_packets: Option<u64>,
}

impl ControllerFactory for Watched {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        Box::new(QuicPath {
            name: self.name.clone(),
            inner: self.factory.clone().build(now, current_mtu),
            max_window_packets: self.max_window_packets,
            mtu_bytes: current_mtu.into(),
            measured: Arc::default(),
        })
    }
}

/// A controller, and what can be measured at its place. Clones share their measurements.
pub struct QuicPath {
    name: String,
    inner: Box<dyn Controller>,
    max_window_packets: Option<u64>,
    mtu_bytes: u64,
    measured: Arc<Mutex<Measured>>,
}

#[derive(Default)]
struct Measured {
    rate: DeliveryRate,
    round_trips: RoundTrips,
}

impl QuicPath {
    /// The path of a connection, None when its controller is not ours.
    pub fn of(connection: &quinn::Connection) -> Option<Sample> {
        let path = QuicPath::behind(connection)?;
        let stats = connection.stats().path;
        let measured = path.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let ms = |duration: Duration| duration.as_secs_f64() * 1000.0;
        let rate = measured.rate.newest();
        let rtt = measured.round_trips.rtt();
        Some(Sample {
            rtt_ms: rtt.map(|rtt| ms(rtt.smoothed)),
            min_rtt_ms: rtt.map(|rtt| ms(rtt.min)),
            rtt_var_ms: rtt.map(|rtt| ms(rtt.deviation)),
            cwnd_bytes: Some(stats.cwnd),
            in_flight_bytes: Some(measured.rate.in_flight_bytes()),
            lost_packets: Some(stats.lost_packets),
            retransmitted_packets: None,
            sent_packets: Some(stats.sent_packets),
            delivery_rate_kbps: rate.map(|(kbps, _)| kbps),
            app_limited: rate.map(|(_, limited)| limited),
            controller: Some(path.name.clone()),
        })
    }

    /// When the newest packet that was acknowledged had been sent.
    pub fn newest_acknowledged(connection: &quinn::Connection) -> Option<Instant> {
        let path = QuicPath::behind(connection)?;
        let measured = path.measured.lock().unwrap_or_else(PoisonError::into_inner);
        measured.round_trips.newest_acknowledged()
    }

    fn behind(connection: &quinn::Connection) -> Option<Box<QuicPath>> {
        connection.congestion_state().into_any().downcast().ok()
    }

    fn measure(&self, change: impl FnOnce(&mut Measured)) {
        change(&mut self.measured.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn most(&self) -> u64 {
        self.max_window_packets
            .map_or(u64::MAX, |packets| packets * self.mtu_bytes)
    }
}

impl Controller for QuicPath {
    fn on_sent(&mut self, now: Instant, bytes: u64, last_packet_number: u64) {
        self.measure(|measured| measured.rate.on_sent(now, bytes));
        self.inner.on_sent(now, bytes, last_packet_number);
    }

    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, app_limited: bool, rtt: &RttEstimator) {
        self.measure(|measured| {
            measured.rate.on_acknowledged(now, sent, bytes, app_limited);
            measured.round_trips.on_acknowledged(sent);
        });
        // At its limit a controller is held back as by an application that has no more: it must not grow a window behind
        // it that nobody ever tried.
        let limited = app_limited || self.inner.window() >= self.most();
        self.inner.on_ack(now, sent, bytes, limited, rtt);
    }

    fn on_end_acks(
        &mut self,
        now: Instant,
        in_flight: u64,
        app_limited: bool,
        largest_packet_num_acked: Option<u64>,
    ) {
        self.measure(|measured| {
            measured.rate.in_flight_is(in_flight);
            measured.round_trips.on_end_of_acknowledgement(Instant::now());
        });
        self.inner
            .on_end_acks(now, in_flight, app_limited, largest_packet_num_acked);
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        lost_bytes: u64,
    ) {
        self.measure(|measured| measured.rate.on_lost(lost_bytes));
        self.inner
            .on_congestion_event(now, sent, is_persistent_congestion, lost_bytes);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.mtu_bytes = new_mtu.into();
        self.inner.on_mtu_update(new_mtu);
    }

    fn window(&self) -> u64 {
        self.inner.window().min(self.most())
    }

    fn metrics(&self) -> ControllerMetrics {
        self.inner.metrics()
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(QuicPath {
            name: self.name.clone(),
            inner: self.inner.clone_box(),
            max_window_packets: self.max_window_packets,
            mtu_bytes: self.mtu_bytes,
            measured: self.measured.clone(),
        })
    }

    fn initial_window(&self) -> u64 {
        self.inner.initial_window().min(self.most())
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIP: Duration = Duration::from_millis(100);

    fn path() -> QuicPath {
        QuicPath {
            name: "new-reno".into(),
            inner: Arc::new(quinn_proto::congestion::NewRenoConfig::default()).build(Instant::now(), 1200),
            max_window_packets: None,
            mtu_bytes: 1200,
            measured: Arc::default(),
        }
    }

    #[test]
    fn a_round_trip_is_never_shorter_than_the_path_however_early_the_acknowledgement_was_stamped() {
        let mut path = path();
        let sent = Instant::now().checked_sub(TRIP).unwrap();
        let stamped = sent + TRIP * 98 / 100;
        path.measure(|measured| measured.round_trips.on_acknowledged(sent));
        path.on_end_acks(stamped, 0, false, Some(1));
        let measured = path.measured.lock().unwrap().round_trips.rtt().unwrap();
        assert!(measured.min >= TRIP, "{:?}", measured.min);
        assert!(measured.smoothed >= TRIP, "{:?}", measured.smoothed);
    }
}
