//! The command line.

use crate::congestion::QuicController;
use crate::net::TlsRecords;
use crate::site::Mount;
use clap::Parser;
use std::net::IpAddr;
use std::path::PathBuf;

/// Serves files over http/1.1, h2 and h3 on one port, and tells what the transport of each connection does.
#[derive(Parser)]
#[command(version)]
pub struct Arguments {
    /// A folder to serve at /
    pub folder: Option<PathBuf>,
    /// What is served below a prefix: a folder, or a server on this machine (/live=http://127.0.0.1:3000)
    #[arg(long = "mount", value_name = "PREFIX=TARGET", value_parser = mount)]
    pub mounts: Vec<(String, MountTarget)>,
    /// The prefix of a mount that pages of other origins may not read; may be repeated
    #[arg(long = "private", value_name = "PREFIX")]
    pub private: Vec<String>,
    /// The built page, at / of the plain port
    #[arg(long, value_name = "FOLDER")]
    pub app: Option<PathBuf>,
    /// Content-Security-Policy of the page
    #[arg(long, value_name = "TEXT")]
    pub app_policy: Option<String>,
    /// A JSON object: path on the plain port to the text of a JSON answer
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Address to listen on; may be repeated
    #[arg(long = "address", value_name = "IP", default_value = "127.0.0.1")]
    pub addresses: Vec<IpAddr>,
    /// Port of h1, h2 (TCP) and h3 (UDP); 0 takes a free one
    #[arg(long, default_value_t = 8443)]
    pub https_port: u16,
    /// Port of plain http/1.1; 0 takes a free one
    #[arg(long, default_value_t = 8080)]
    pub http_port: u16,
    /// What the https port offers
    #[arg(long, value_enum, value_delimiter = ',', default_value = "h1,h2,h3")]
    pub protocols: Vec<Offer>,
    /// Do not say over TCP that there is h3 (Alt-Svc)
    #[arg(long)]
    pub no_alt_svc: bool,
    /// A chain of certificates (PEM); may be repeated, each with its --key. Chosen by the name that is asked for (SNI)
    #[arg(long = "certificate", value_name = "FILE", requires = "keys")]
    pub certificates: Vec<PathBuf>,
    /// The private key of the certificate (PEM)
    #[arg(long = "key", value_name = "FILE", requires = "certificates")]
    pub keys: Vec<PathBuf>,
    /// A name under which this server may be asked for, beside loopback's, the addresses, and one label below it; may be
    /// repeated. They are in the throw-away certificate that is made where none is given
    #[arg(long = "host", value_name = "NAME", default_value = "localhost")]
    pub hosts: Vec<String>,
    /// Take requests in the first packet of a QUIC connection that goes on with an earlier session
    #[arg(long)]
    pub zero_rtt: bool,
    /// TCP's congestion controller, if the kernel has it. Default: the system's
    #[arg(long, value_name = "NAME")]
    pub tcp_controller: Option<String>,
    /// Let the kernel space TCP's packets out whatever the controller (BBR is always paced, QUIC too)
    #[arg(long)]
    pub tcp_pacing: bool,
    /// What the kernel keeps of a TCP connection's unsent and unacknowledged bytes. Default: as much as it sees fit
    #[arg(long, value_name = "BYTES")]
    pub tcp_send_buffer: Option<usize>,
    /// How large the TLS records of h1 and h2 are
    #[arg(long, value_enum, default_value = "dynamic")]
    pub tls_records: TlsRecords,
    /// QUIC's congestion controller
    #[arg(long, value_enum, default_value = "cubic")]
    pub quic_controller: QuicController,
    /// QUIC's Cubic takes the share of this many connections (mulTCP)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub emulated_connections: Option<u32>,
    /// QUIC's first window, in packets. (TCP's is the route's: ip route ... initcwnd)
    #[arg(long, value_name = "PACKETS", value_parser = clap::value_parser!(u64).range(2..=10_000))]
    pub initial_window: Option<u64>,
    /// QUIC's window never grows beyond this, in packets
    #[arg(long, value_name = "PACKETS", value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub max_window: Option<u64>,
    /// What QUIC keeps of a connection's unsent and unacknowledged bytes. Default: 10 MB
    #[arg(long, value_name = "BYTES")]
    pub quic_send_buffer: Option<u64>,
    /// How long a request may take from its first byte to the end of its headers
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub request_within: u64,
    /// A connection on which nothing is asked and nothing goes out is closed after that long
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub idle: u32,
    /// What goes wrong on demand: a JSON list of rules, read again when the file changes
    #[arg(long, value_name = "FILE")]
    pub faults: Option<PathBuf>,
    /// One JSON line per finished request, in the form of Caddy's access log
    #[arg(long, value_name = "FILE")]
    pub access_log: Option<PathBuf>,
    /// The access log keeps its newest lines alone: when it would grow longer it is moved to FILE.1, in the place of the one
    /// before
    #[arg(long, value_name = "BYTES", requires = "access_log")]
    pub access_log_limit: Option<u64>,
    /// One JSON line per connection and 100 ms: RTT, window, loss, delivery rate
    #[arg(long, value_name = "FILE")]
    pub transport_log: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Offer {
    H1,
    H2,
    H3,
}

#[derive(Clone)]
pub enum MountTarget {
    Folder(PathBuf),
    Proxy(String),
}

impl From<MountTarget> for Mount {
    fn from(target: MountTarget) -> Mount {
        match target {
            MountTarget::Folder(folder) => Mount::Folder(folder),
            MountTarget::Proxy(address) => Mount::Proxy(address),
        }
    }
}

fn mount(text: &str) -> Result<(String, MountTarget), String> {
    let (prefix, target) = text.split_once('=').ok_or("it must be PREFIX=TARGET")?;
    if !prefix.starts_with('/') || (prefix.len() > 1 && prefix.ends_with('/')) {
        return Err("a prefix begins with / and does not end with it".into());
    }
    let target = match target.strip_prefix("http://") {
        Some(address) => MountTarget::Proxy(address.trim_end_matches('/').to_owned()),
        None => MountTarget::Folder(target.into()),
    };
    Ok((prefix.to_owned(), target))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn reads_mounts() {
        assert!(
            matches!(mount("/a=/b=c"), Ok((prefix, MountTarget::Folder(folder))) if prefix == "/a" && folder.ends_with("b=c"))
        );
        assert!(
            matches!(mount("/=http://127.0.0.1:1/"), Ok((_, MountTarget::Proxy(address))) if address == "127.0.0.1:1")
        );
        for wrong in ["/a", "a=/b", "/a/=/b"] {
            assert!(mount(wrong).is_err(), "{wrong}");
        }
    }
}
