//! Tests against the whole program, on loopback: its own ports, real clients.

mod access_lines;
mod certificates;
mod client_tls;
mod clients;
#[path = "../bin/pitwall-load/first_packets.rs"]
mod first_packets;
mod half_open;
mod log_lines;
mod origin;
mod priorities;
mod record_sizes;
mod requests;
mod slow_clients;
mod slowly;
mod udp_silence;
mod wire_fuzz;

pub use origin::Origin;
