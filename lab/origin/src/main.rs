//! Pitwall's origin. `net` opens the ports and speaks the protocols, `site` answers with `http`, `transport` watches.

mod access_log;
mod arguments;
mod build_site;
mod congestion;
mod end_signal;
mod faults;
#[cfg(test)]
mod fuzz;
mod hosts;
mod http;
mod line_log;
mod net;
#[cfg(test)]
mod over_the_wire;
mod priority;
mod serve;
mod site;
mod transport;

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
