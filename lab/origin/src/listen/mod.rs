//! Sockets, and what is spoken on them.

mod bind;
mod http3;
mod tcp;

pub use bind::{TcpOptions, bind_tcp, bind_udp};
pub use http3::serve_http3;
pub use tcp::{TcpServer, serve_tcp};
