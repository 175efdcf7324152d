//! How QUIC behaves here: limits, timeouts, controller.

use crate::arguments::Arguments;
use crate::congestion::{WindowLimits, factory};
use quinn::{IdleTimeout, TransportConfig, VarInt};
use std::sync::Arc;

/// Requests at a time on one connection.
const MAX_STREAMS: u32 = 256;
/// Requests are small: what a client may send before it is read.
const RECEIVE_WINDOW_BYTES: u32 = 1024 * 1024;
/// quinn's own default: a stream's window at 100 Mbit/s and 100 ms, eight times.
const SEND_WINDOW_BYTES: u64 = 10_000_000;

/// With 0-RTT, before the handshake is finished: a page's first requests, and the beginnings of their answers.
const EARLY_STREAMS: u32 = 32;
const EARLY_RECEIVE_WINDOW_BYTES: u32 = 64 * 1024;
const EARLY_SEND_WINDOW_BYTES: u64 = 128 * 1024;

/// What a connection may hold, before its handshake is finished and after.
#[derive(Clone)]
pub struct QuicLimits {
    /// Requests may come before the handshake is finished.
    pub zero_rtt: bool,
    send_window_bytes: u64,
}

impl QuicLimits {
    pub fn of(arguments: &Arguments) -> QuicLimits {
        QuicLimits {
            zero_rtt: arguments.zero_rtt,
            send_window_bytes: arguments.quic_send_buffer.unwrap_or(SEND_WINDOW_BYTES),
        }
    }

    /// The client has shown that it takes part: it may have what every connection may.
    pub fn widen(&self, connection: &quinn::Connection) {
        connection.set_max_concurrent_bi_streams(MAX_STREAMS.into());
        connection.set_receive_window(RECEIVE_WINDOW_BYTES.into());
        connection.set_send_window(self.send_window_bytes);
    }

    fn begin(&self, config: &mut TransportConfig) {
        let (streams, receive_bytes, send_bytes) = if self.zero_rtt {
            let send_bytes = self.send_window_bytes.min(EARLY_SEND_WINDOW_BYTES);
            (EARLY_STREAMS, EARLY_RECEIVE_WINDOW_BYTES, send_bytes)
        } else {
            (MAX_STREAMS, RECEIVE_WINDOW_BYTES, self.send_window_bytes)
        };
        config
            .max_concurrent_bidi_streams(streams.into())
            .receive_window(receive_bytes.into())
            .send_window(send_bytes);
    }
}

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
        .stream_receive_window(RECEIVE_WINDOW_BYTES.into())
        .congestion_controller_factory(Arc::new(controllers));
    QuicLimits::of(arguments).begin(&mut config);
    Ok(config)
}
