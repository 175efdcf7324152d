//! A client that loads an origin: the same code asks over http/1.1, h2 and h3, so that what differs between two runs is
//! the server or the transport. It tells what came, as JSON lines. It looks at no certificate: it is for servers of one's
//! own, on loopback or at the end of an emulated link.

mod arguments;
mod first_data;
mod first_packets;
mod progress;
mod quic;
mod run;
mod session;
mod sink;
mod tcp;
mod tls;

use arguments::Arguments;
use clap::Parser;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    match run::run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pitwall-load: {error}");
            ExitCode::FAILURE
        }
    }
}
