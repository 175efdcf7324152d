//! `CubicWindow` as a controller of quinn.

use super::cubic_window::CubicWindow;
use quinn_proto::RttEstimator;
use quinn_proto::congestion::{Controller, ControllerFactory};
use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

/// RFC 9002 §7.2.
const INITIAL_PACKETS: u64 = 10;

pub struct EmulatingCubicConfig {
    pub connections: u32,
    pub initial_bytes: Option<u64>,
}

impl ControllerFactory for EmulatingCubicConfig {
    fn build(self: Arc<Self>, _now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let packet_bytes = f64::from(current_mtu);
        let initial_bytes = self
            .initial_bytes
            .unwrap_or(INITIAL_PACKETS * u64::from(current_mtu));
        let window = CubicWindow::new(self.connections, initial_bytes as f64, packet_bytes);
        Box::new(EmulatingCubic {
            window,
            initial_bytes,
        })
    }
}

#[derive(Clone)]
struct EmulatingCubic {
    window: CubicWindow,
    initial_bytes: u64,
}

impl Controller for EmulatingCubic {
    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, app_limited: bool, rtt: &RttEstimator) {
        if app_limited {
            self.window.on_limited(now);
        } else {
            self.window.on_acknowledged(now, sent, bytes as f64, rtt.get());
        }
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        _lost_bytes: u64,
    ) {
        self.window.on_lost(now, sent, is_persistent_congestion);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.window.packet_is(f64::from(new_mtu));
    }

    fn window(&self) -> u64 {
        self.window.bytes() as u64
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        self.initial_bytes
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
