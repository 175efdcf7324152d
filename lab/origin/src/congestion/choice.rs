//! From a name to what quinn builds for each connection.

use super::cubic;
use crate::transport::Watched;
use quinn_proto::congestion::{BbrConfig, ControllerFactory, CubicConfig, NewRenoConfig};
use std::sync::Arc;

/// QUIC's least packet (RFC 9000 §14), which every connection begins with.
const FIRST_PACKET_BYTES: u64 = 1200;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum QuicController {
    Reno,
    Cubic,
    Bbr,
}

#[derive(Clone, Copy, Default)]
pub struct WindowLimits {
    pub initial_packets: Option<u64>,
    pub max_packets: Option<u64>,
}

/// quinn's own controllers, or, with emulated connections, our Cubic. Every one is watched.
pub fn factory(kind: QuicController, emulated: Option<u32>, limits: WindowLimits) -> Result<Watched, String> {
    let initial_bytes = limits.initial_packets.map(|packets| packets * FIRST_PACKET_BYTES);
    let (name, factory): (String, Arc<dyn ControllerFactory + Send + Sync>) = match (kind, emulated) {
        (QuicController::Cubic, Some(connections)) => (
            format!("cubic-x{connections}"),
            Arc::new(cubic::CubicConfig {
                connections,
                initial_cwnd: initial_bytes,
            }),
        ),
        (_, Some(_)) => return Err("--emulated-connections is for --quic-controller cubic".into()),
        (QuicController::Cubic, None) => {
            let mut config = CubicConfig::default();
            initial_bytes.map(|bytes| config.initial_window(bytes));
            ("cubic".into(), Arc::new(config))
        }
        (QuicController::Reno, None) => {
            let mut config = NewRenoConfig::default();
            initial_bytes.map(|bytes| config.initial_window(bytes));
            ("reno".into(), Arc::new(config))
        }
        (QuicController::Bbr, None) => {
            let mut config = BbrConfig::default();
            initial_bytes.map(|bytes| config.initial_window(bytes));
            ("bbr".into(), Arc::new(config))
        }
    };
    Ok(Watched {
        name,
        factory,
        max_window_packets: limits.max_packets,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn window(kind: QuicController, emulated: Option<u32>, limits: WindowLimits) -> u64 {
        Arc::new(factory(kind, emulated, limits).unwrap())
            .build(Instant::now(), 1200)
            .window()
    }

    #[test]
    fn begins_with_the_window_that_was_asked_for() {
        let limits = WindowLimits {
            initial_packets: Some(32),
            max_packets: None,
        };
        for kind in [QuicController::Reno, QuicController::Cubic, QuicController::Bbr] {
            assert_eq!(window(kind, None, limits), 32 * 1200, "{kind:?}");
        }
        assert_eq!(window(QuicController::Cubic, Some(2), limits), 32 * 1200);
        assert_eq!(
            window(QuicController::Cubic, Some(2), WindowLimits::default()),
            10 * 1200
        );
    }

    #[test]
    fn no_window_is_larger_than_allowed() {
        let limits = WindowLimits {
            initial_packets: Some(32),
            max_packets: Some(8),
        };
        for kind in [QuicController::Reno, QuicController::Cubic, QuicController::Bbr] {
            assert_eq!(window(kind, None, limits), 8 * 1200, "{kind:?}");
        }
    }

    #[test]
    fn only_cubic_emulates() {
        assert!(factory(QuicController::Bbr, Some(2), WindowLimits::default()).is_err());
    }
}
