//! Tests against the whole program, on loopback: its own ports, real clients.

mod access_lines;
mod certificates;
mod client_tls;
mod clients;
mod log_lines;
mod origin;
mod priorities;
mod requests;
mod slow_clients;
mod slowly;
mod udp_silence;
mod wire_fuzz;

pub use origin::Origin;
