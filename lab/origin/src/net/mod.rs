//! Sockets, TLS and QUIC, and what is spoken on them.

mod bind;
mod descriptor;
mod guarded;
mod handshakes;
mod http1_heads;
mod http2_frames;
mod http3;
mod http_over_tcp;
mod quic_failures;
mod quic_streams;
pub mod quic_transport;
mod silent_socket;
mod sockets;
mod tcp;
pub mod tls;
mod tls_records;
mod unsent_limit;

pub use bind::{TcpOptions, bind_tcp, bind_udp};
#[cfg(test)]
pub use handshakes::MAX_UNPROVEN;
pub use http3::{QuicServer, serve_http3};
pub use silent_socket::SilentSocket;
pub use sockets::Sockets;
pub use tcp::{TcpServer, serve_tcp};
pub use tls_records::TlsRecords;
