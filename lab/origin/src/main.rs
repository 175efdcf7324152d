//! Pitwall's origin. `serve` opens the ports, `site` answers, `transport` watches.

mod access_log;
mod arguments;
mod body;
mod byte_ranges;
mod congestion;
mod cors;
mod end_signal;
mod faults;
mod file_below;
#[cfg(test)]
mod fuzz;
mod hosts;
mod line_log;
mod listen;
mod media_type;
#[cfg(test)]
mod over_the_wire;
mod priority;
mod proxy;
mod quic_transport;
mod serve;
mod site;
mod site_of;
mod sockets;
mod static_file;
mod tls;
mod transport;
mod validators;

use arguments::Arguments;
use clap::Parser;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false)
        .init();
    match serve::serve(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pitwall-origin: {error}");
            ExitCode::FAILURE
        }
    }
}
