//! From the command line to open ports.

use crate::arguments::{Arguments, Offer};
use crate::faults::Rules;
use crate::line_log::LineLog;
use crate::listen::{TcpOptions, TcpServer, bind_tcp, bind_udp, serve_http3, serve_tcp};
use crate::quic_transport::quic_transport;
use crate::site::{App, Mount, Site};
use crate::tls::{Certificates, quic_config, tcp_config};
use crate::transport::Connections;
use quinn::crypto::rustls::QuicServerConfig;
use std::collections::BTreeMap;
use std::net::{TcpListener, UdpSocket};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio_rustls::TlsAcceptor;

/// H3_NO_ERROR (RFC 9114 §8.1).
const NO_ERROR: u32 = 0x100;
/// Enough for the last packets to leave.
const FAREWELL: Duration = Duration::from_millis(200);

/// Everything that listens, bound but not yet served.
struct Sockets {
    https: Vec<TcpListener>,
    http: Vec<TcpListener>,
    quic: Vec<UdpSocket>,
    https_port: u16,
    http_port: u16,
}

/// Serves until the process is told to end. Says on standard output, in one JSON line, when all ports are open.
pub async fn serve(arguments: Arguments) -> Result<(), String> {
    let certificates = Arc::new(certificates(&arguments)?);
    let sockets = Sockets::bind(&arguments)?;
    let connections = Connections::new(log(arguments.transport_log.as_deref())?);
    let (https_port, http_port) = (sockets.https_port, sockets.http_port);
    let site = Arc::new(site(&arguments, https_port)?);
    tokio::spawn(connections.clone().write_samples());
    let endpoints = sockets.open(&arguments, &certificates, &site, &connections)?;
    println!(
        "{}",
        serde_json::json!({ "ready": true, "httpsPort": https_port, "httpPort": http_port })
    );
    told_to_end().await;
    for endpoint in &endpoints {
        endpoint.close(NO_ERROR.into(), b"");
    }
    for endpoint in &endpoints {
        let _ = tokio::time::timeout(FAREWELL, endpoint.wait_idle()).await;
    }
    Ok(())
}

fn offers(arguments: &Arguments, offer: Offer) -> bool {
    arguments.protocols.contains(&offer)
}

fn offers_tcp(arguments: &Arguments) -> bool {
    offers(arguments, Offer::H1) || offers(arguments, Offer::H2)
}

impl Sockets {
    fn bind(arguments: &Arguments) -> Result<Sockets, String> {
        let options = TcpOptions {
            controller: arguments.tcp_controller.clone(),
            is_paced: arguments.tcp_pacing,
            send_buffer_bytes: arguments.tcp_send_buffer,
        };
        let mut sockets = Sockets {
            https: vec![],
            http: vec![],
            quic: vec![],
            https_port: arguments.https_port,
            http_port: arguments.http_port,
        };
        for &address in &arguments.addresses {
            let http = bind_tcp(address, sockets.http_port, &options)?;
            sockets.http_port = port_of(http.local_addr())?;
            sockets.http.push(http);
            if offers_tcp(arguments) {
                let https = bind_tcp(address, sockets.https_port, &options)?;
                sockets.https_port = port_of(https.local_addr())?;
                sockets.https.push(https);
            }
            if offers(arguments, Offer::H3) {
                let quic = bind_udp(address, sockets.https_port)?;
                sockets.https_port = port_of(quic.local_addr())?;
                sockets.quic.push(quic);
            }
        }
        Ok(sockets)
    }

    fn open(
        self,
        arguments: &Arguments,
        certificates: &Arc<Certificates>,
        site: &Arc<Site>,
        connections: &Arc<Connections>,
    ) -> Result<Vec<quinn::Endpoint>, String> {
        let tcp_server = |tls| {
            Arc::new(TcpServer {
                site: site.clone(),
                connections: connections.clone(),
                tls,
            })
        };
        let alpn = [(Offer::H2, "h2"), (Offer::H1, "http/1.1")];
        let alpn: Vec<&str> = alpn
            .into_iter()
            .filter(|(offer, _)| offers(arguments, *offer))
            .map(|(_, name)| name)
            .collect();
        let tls = tcp_config(certificates.clone(), &alpn).map_err(|error| error.to_string())?;
        let secure = tcp_server(Some(TlsAcceptor::from(Arc::new(tls))));
        let plain = tcp_server(None);
        for listener in self.https {
            tokio::spawn(serve_tcp(listener, secure.clone()));
        }
        for listener in self.http {
            tokio::spawn(serve_tcp(listener, plain.clone()));
        }
        let config = quic(certificates.clone(), arguments)?;
        self.quic
            .into_iter()
            .map(|socket| {
                let endpoint = quinn::Endpoint::new(
                    Default::default(),
                    Some(config.clone()),
                    socket,
                    Arc::new(quinn::TokioRuntime),
                )
                .map_err(|error| format!("QUIC cannot be served: {error}"))?;
                tokio::spawn(serve_http3(endpoint.clone(), site.clone(), connections.clone()));
                Ok(endpoint)
            })
            .collect()
    }
}

fn port_of(address: std::io::Result<std::net::SocketAddr>) -> Result<u16, String> {
    address
        .map(|address| address.port())
        .map_err(|error| error.to_string())
}

fn quic(certificates: Arc<Certificates>, arguments: &Arguments) -> Result<quinn::ServerConfig, String> {
    let tls = quic_config(certificates, arguments.zero_rtt).map_err(|error| error.to_string())?;
    let crypto = QuicServerConfig::try_from(tls).map_err(|error| error.to_string())?;
    let mut config = quinn::ServerConfig::with_crypto(Arc::new(crypto));
    config.transport_config(Arc::new(quic_transport(arguments)?));
    Ok(config)
}

fn certificates(arguments: &Arguments) -> Result<Certificates, String> {
    if arguments.certificates.is_empty() {
        return Certificates::self_made(&arguments.hosts);
    }
    if arguments.certificates.len() != arguments.keys.len() {
        return Err("each --certificate needs its --key".into());
    }
    let pairs = arguments.certificates.iter().zip(&arguments.keys);
    Certificates::read(
        &pairs
            .map(|(chain, key)| (chain.as_path(), key.as_path()))
            .collect::<Vec<_>>(),
    )
}

fn site(arguments: &Arguments, https_port: u16) -> Result<Site, String> {
    let mut mounts: Vec<(String, Mount)> = arguments
        .mounts
        .iter()
        .map(|(prefix, target)| (prefix.clone(), target.clone().into()))
        .collect();
    if let Some(folder) = &arguments.folder {
        mounts.push(("/".into(), Mount::Folder(folder.clone())));
    }
    mounts.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    let app = arguments.app.clone().map(|folder| App {
        folder,
        policy: arguments.app_policy.clone(),
    });
    Ok(Site {
        mounts,
        app,
        answers: arguments
            .answers
            .as_deref()
            .map_or(Ok(BTreeMap::new()), answers)?,
        h3_port: offers(arguments, Offer::H3).then_some(https_port),
        access_log: log(arguments.access_log.as_deref())?,
        faults: arguments.faults.clone().map(Rules::of).transpose()?,
    })
}

fn answers(file: &Path) -> Result<BTreeMap<String, String>, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    serde_json::from_str(&text)
        .map_err(|error| format!("{} is no JSON object of texts: {error}", file.display()))
}

fn log(file: Option<&Path>) -> Result<Option<LineLog>, String> {
    file.map(|file| LineLog::open(file).map_err(|error| format!("cannot write {}: {error}", file.display())))
        .transpose()
}

#[cfg(unix)]
async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

#[cfg(not(unix))]
async fn told_to_end() {
    let _ = tokio::signal::ctrl_c().await;
}
