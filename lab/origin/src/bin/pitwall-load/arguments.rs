//! The command line.

use clap::Parser;
use std::net::SocketAddr;

/// Asks an origin for one file again and again, and tells what came as JSON lines
#[derive(Parser)]
#[command(version)]
pub struct Arguments {
    /// Where the origin listens
    #[arg(long, value_name = "IP:PORT")]
    pub address: SocketAddr,
    /// Its name, for TLS and requests
    #[arg(long, default_value = "localhost")]
    pub host: String,
    /// What to ask for
    #[arg(long, default_value = "/")]
    pub path: String,
    #[arg(long, value_enum)]
    pub protocol: Protocol,
    /// At a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub connections: u32,
    /// Only begin that many QUIC handshakes, each from a port of its own, and go on with none: a flood
    #[arg(long)]
    pub half_open: bool,
    /// One after the other on each connection. Default: until the time is over
    #[arg(long)]
    pub requests: Option<u32>,
    /// Stop after that long; what is not whole by then is reported as such
    #[arg(long, default_value_t = 60.0)]
    pub seconds: f64,
    /// How fast each connection reads. Default: as fast as it comes
    #[arg(long, value_name = "KBPS")]
    pub read_kbps: Option<f64>,
    /// Flow control: what a server may send before it is read. The default is no limit for a link of the lab
    #[arg(long, value_name = "BYTES", default_value_t = 16 * 1024 * 1024)]
    pub window_bytes: u32,
    /// One line of progress that often
    #[arg(long, value_name = "MS", default_value_t = 100)]
    pub progress_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Protocol {
    H1,
    H2,
    H3,
}
