//! TCP connections, with TLS or plain: accepted, greeted, handed on by their protocol.

use super::descriptor::descriptor;
use super::guarded::Guarded;
use super::http_over_tcp::{http1_on, http2_on};
use super::tls_records::{SizedRecords, TlsRecords};
use super::unsent_limit::{MAX_UNSENT_BYTES, UnsentLimited};
use crate::site::{Port, Site};
use crate::transport::{Connections, tcp_segment_bytes};
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Who has not finished a handshake by then never will.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// After an accept that failed (no descriptors are left) others may soon succeed.
const PAUSE: Duration = Duration::from_millis(50);

pub struct TcpServer {
    pub site: Arc<Site>,
    pub connections: Arc<Connections>,
    /// None: plain http/1.1.
    pub tls: Option<TlsAcceptor>,
    pub tls_records: TlsRecords,
}

/// Accepts for as long as the process lives.
pub async fn serve_tcp(listener: std::net::TcpListener, server: Arc<TcpServer>) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    loop {
        match listener.accept().await {
            Ok((socket, _)) => {
                tokio::spawn(serve(socket, server.clone()));
            }
            Err(error) => {
                tracing::warn!("a connection was not accepted: {error}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn serve(socket: TcpStream, server: Arc<TcpServer>) {
    let remote = socket.peer_addr();
    match (greet(socket, &server).await, remote) {
        (Err(error), Ok(remote)) if is_client_error(&*error) => {
            tracing::warn!("what {remote} sent was refused: {error}");
        }
        (Err(error), _) => tracing::debug!("a TCP connection ended: {error}"),
        _ => {}
    }
}

/// Whether the client broke a rule, or was too slow for a handshake; to go away is none of these.
fn is_client_error(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    if error.is::<tokio::time::error::Elapsed>() {
        return true;
    }
    let Some(http) = error.downcast_ref::<hyper::Error>() else {
        return false;
    };
    let is_broken_off = http.source().is_some_and(|source| source.is::<io::Error>())
        || http.is_incomplete_message()
        || http.is_canceled()
        || http.is_closed();
    !is_broken_off
}

async fn greet(socket: TcpStream, server: &Arc<TcpServer>) -> Result<(), Box<dyn Error + Send + Sync>> {
    socket.set_nodelay(true)?;
    let remote = socket.peer_addr()?;
    let descriptor = descriptor(&socket);
    let observe = |protocol| server.connections.observe_tcp(descriptor, protocol, remote);
    let site = &server.site;
    let Some(tls) = &server.tls else {
        let stream = Guarded::new(observe("http/1.1"), socket);
        return Ok(http1_on(stream, site, Port::Plain).await?);
    };
    let mut stream = tokio::time::timeout(
        HANDSHAKE_TIMEOUT.min(site.timeouts.request),
        tls.accept(UnsentLimited::new(socket)),
    )
    .await??;
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let observed = observe(if is_http2 { "h2" } else { "http/1.1" });
    let segment_bytes = tcp_segment_bytes(descriptor);
    if is_http2 {
        let (socket, tls) = stream.get_mut();
        socket.limit();
        tls.set_buffer_limit(Some(MAX_UNSENT_BYTES));
    }
    let stream = SizedRecords::new(stream, server.tls_records, &observed.connection, segment_bytes);
    let stream = Guarded::new(observed, stream);
    if is_http2 {
        return Ok(http2_on(stream, site).await?);
    }
    Ok(http1_on(stream, site, Port::Tls).await?)
}
