//! What the transport of each connection does: read from the kernel (TCP) or from QUIC's own state, sent to clients and
//! written down.

mod activity;
mod connection;
mod connections;
mod delivery_rate;
mod in_progress;
mod quic_path;
mod round_trips;
mod sample;
mod server_timing;
mod tcp_info;

pub use activity::Timeouts;
pub use connection::Connection;
pub use connections::{Connections, Observed};
pub use in_progress::InProgress;
pub use quic_path::Watched;
pub use sample::Sample;
pub use server_timing::{cmsd_dynamic, server_timing};
#[cfg(test)]
pub use tcp_info::tcp_sample;
pub use tcp_info::tcp_segment_bytes;
#[cfg(all(test, target_os = "linux"))]
pub use tcp_info::tcp_unsent_bytes;
