//! Every socket of the process: bound first, so that a port in use is known before anything is served.

use crate::arguments::{Arguments, Offer};
use crate::net::quic_transport::{QuicLimits, quic_transport};
use crate::net::tls::{Certificates, quic_config, tcp_config};
use crate::net::{
    QuicServer, SilentSocket, TcpOptions, TcpServer, bind_tcp, bind_udp, serve_http3, serve_tcp,
};
use crate::site::Site;
use crate::transport::Connections;
use quinn::crypto::rustls::QuicServerConfig;
use quinn::{AsyncUdpSocket, Runtime, TokioRuntime};
use std::net::{TcpListener, UdpSocket};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// First packets that wait to be looked at, and what may come after each meanwhile: requests with 0-RTT.
const MAX_INCOMING: usize = 1024;
const INCOMING_BUFFER_BYTES: u64 = 64 * 1024;
const INCOMING_BUFFERS_BYTES: u64 = 8 * 1024 * 1024;

/// Everything that listens, bound but not yet served.
pub struct Sockets {
    https: Vec<TcpListener>,
    http: Vec<TcpListener>,
    quic: Vec<UdpSocket>,
    pub https_port: u16,
    pub http_port: u16,
}

fn offers(arguments: &Arguments, offer: Offer) -> bool {
    arguments.protocols.contains(&offer)
}

fn offers_tcp(arguments: &Arguments) -> bool {
    offers(arguments, Offer::H1) || offers(arguments, Offer::H2)
}

impl Sockets {
    pub fn bind(arguments: &Arguments) -> Result<Sockets, String> {
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

    /// Serves on all of them, each by a task of its own.
    pub fn open(
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
                tls_records: arguments.tls_records,
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
        let http3 = Arc::new(QuicServer {
            site: site.clone(),
            connections: connections.clone(),
            handshakes: Arc::default(),
            limits: QuicLimits::of(arguments),
        });
        self.quic
            .into_iter()
            .map(|socket| {
                let endpoint = endpoint(socket, config.clone(), site)
                    .map_err(|error| format!("QUIC cannot be served: {error}"))?;
                tokio::spawn(serve_http3(endpoint.clone(), http3.clone()));
                Ok(endpoint)
            })
            .collect()
    }
}

/// Where faults can be asked for, the socket can fall silent.
fn endpoint(socket: UdpSocket, config: quinn::ServerConfig, site: &Site) -> std::io::Result<quinn::Endpoint> {
    let mut socket: Arc<dyn AsyncUdpSocket> = TokioRuntime.wrap_udp_socket(socket)?;
    if let Some(rules) = site.faults.clone() {
        socket = Arc::new(SilentSocket { socket, rules });
    }
    let runtime = Arc::new(TokioRuntime);
    quinn::Endpoint::new_with_abstract_socket(Default::default(), Some(config), socket, runtime)
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
    config
        .transport_config(Arc::new(quic_transport(arguments)?))
        .max_incoming(MAX_INCOMING)
        .incoming_buffer_size(INCOMING_BUFFER_BYTES)
        .incoming_buffer_size_total(INCOMING_BUFFERS_BYTES);
    Ok(config)
}
