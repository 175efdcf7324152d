//! How QUIC behaves here: limits, patience, controller.

use crate::arguments::Arguments;
use crate::congestion::{WindowLimits, factory};
use quinn::{IdleTimeout, TransportConfig, VarInt};
use std::sync::Arc;

/// Requests at a time on one connection.
const MOST_STREAMS: u32 = 256;
/// Requests are small: what a client may send before it is read.
const RECEIVE_WINDOW_BYTES: u32 = 1024 * 1024;

pub fn quic_transport(arguments: &Arguments) -> Result<TransportConfig, String> {
    let limits = WindowLimits {
        initial_packets: arguments.initial_window,
        max_packets: arguments.max_window,
    };
    let controllers = factory(arguments.quic_controller, arguments.emulated_connections, limits)?;
    // The client's own limit counts where it is shorter.
    let idle_ms = arguments.idle.saturating_mul(1000);
    let mut config = TransportConfig::default();
    config
        .max_idle_timeout(Some(IdleTimeout::from(VarInt::from_u32(idle_ms))))
        .max_concurrent_bidi_streams(MOST_STREAMS.into())
        .stream_receive_window(RECEIVE_WINDOW_BYTES.into())
        .receive_window(RECEIVE_WINDOW_BYTES.into())
        .congestion_controller_factory(Arc::new(controllers));
    if let Some(bytes) = arguments.quic_send_buffer {
        config.send_window(bytes);
    }
    Ok(config)
}
