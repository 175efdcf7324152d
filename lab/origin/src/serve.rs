//! From the command line to open ports.

use crate::arguments::Arguments;
use crate::build_site::{certificates, log, site};
use crate::end_signal::end_signal;
use crate::net::Sockets;
use crate::transport::Connections;
use std::sync::Arc;
use std::time::Duration;

/// H3_NO_ERROR (RFC 9114 §8.1).
const NO_ERROR: u32 = 0x100;
/// Enough for the last packets to leave.
const FAREWELL: Duration = Duration::from_millis(200);

/// What is served, and where.
pub struct Serving {
    pub https_port: u16,
    pub http_port: u16,
    endpoints: Vec<quinn::Endpoint>,
}

/// Serves until a signal ends the process. Says on standard output, in one JSON line, when all ports are open.
pub async fn serve(arguments: Arguments) -> Result<(), String> {
    let serving = Serving::begin(&arguments)?;
    println!(
        "{}",
        serde_json::json!({ "ready": true, "httpsPort": serving.https_port, "httpPort": serving.http_port })
    );
    end_signal().await;
    serving.end().await;
    Ok(())
}

impl Serving {
    /// Opens every port; each is served by tasks of its own.
    pub fn begin(arguments: &Arguments) -> Result<Serving, String> {
        let certificates = Arc::new(certificates(arguments)?);
        let sockets = Sockets::bind(arguments)?;
        let connections = Connections::new(log(arguments.transport_log.as_deref(), None)?);
        let (https_port, http_port) = (sockets.https_port, sockets.http_port);
        let site = Arc::new(site(arguments, https_port)?);
        tokio::spawn(connections.clone().write_samples());
        Ok(Serving {
            https_port,
            http_port,
            endpoints: sockets.open(arguments, &certificates, &site, &connections)?,
        })
    }

    /// Counts QUIC connections, with those that are closed and that quinn still keeps.
    #[cfg(test)]
    pub fn open_quic_connections(&self) -> usize {
        self.endpoints.iter().map(quinn::Endpoint::open_connections).sum()
    }

    async fn end(self) {
        for endpoint in &self.endpoints {
            endpoint.close(NO_ERROR.into(), b"");
        }
        for endpoint in &self.endpoints {
            let _ = tokio::time::timeout(FAREWELL, endpoint.wait_idle()).await;
        }
    }
}
