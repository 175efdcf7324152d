//! HTTP/1.1 and HTTP/2 over TCP, with TLS or plain.

use crate::body::Body;
use crate::site::{Port, Site};
use crate::transport::{Connections, Observed};
use http::Request;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::{HttpService, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Who has not finished a handshake by then never will.
const PATIENCE: Duration = Duration::from_secs(10);
/// From one request to the end of the next one's headers: also how long an idle http/1.1 connection is kept. A player
/// with a full buffer is quiet for as long as a buffer is.
const HEADERS_WITHIN: Duration = Duration::from_secs(120);
/// After an accept that failed (no descriptors are left) others may soon succeed.
const PAUSE: Duration = Duration::from_millis(50);
/// Per request; a browser sends about 2 KiB.
const MOST_HEADER_BYTES: u32 = 64 * 1024;
/// What h2 keeps of a body per stream, beyond what the socket takes.
const H2_STREAM_BUFFER_BYTES: usize = 256 * 1024;

pub struct TcpServer {
    pub site: Arc<Site>,
    pub connections: Arc<Connections>,
    /// None: plain http/1.1.
    pub tls: Option<TlsAcceptor>,
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
    if let Err(error) = greet(socket, &server).await {
        tracing::debug!("a TCP connection ended: {error}");
    }
}

async fn greet(
    socket: TcpStream,
    server: &Arc<TcpServer>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    socket.set_nodelay(true)?;
    let remote = socket.peer_addr()?;
    let descriptor = descriptor(&socket);
    let Some(tls) = &server.tls else {
        let observed = server.connections.observe_tcp(descriptor, "http/1.1", remote);
        return Ok(http1_on(
            Guarded {
                observed,
                stream: socket,
            },
            server.clone(),
            Port::Plain,
        )
        .await?);
    };
    let stream = tokio::time::timeout(PATIENCE, tls.accept(socket)).await??;
    if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
        let observed = server.connections.observe_tcp(descriptor, "h2", remote);
        return Ok(http2_on(Guarded { observed, stream }, server.clone()).await?);
    }
    let observed = server.connections.observe_tcp(descriptor, "http/1.1", remote);
    Ok(http1_on(Guarded { observed, stream }, server.clone(), Port::Tls).await?)
}

async fn http1_on<S: Stream>(stream: Guarded<S>, server: Arc<TcpServer>, port: Port) -> hyper::Result<()> {
    let service = answers(&stream.observed, server, port);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .half_close(true);
    let connection = stream.observed.connection.clone();
    let mut serving = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        ended = serving.as_mut() => return ended,
        () = connection.leaving() => serving.as_mut().graceful_shutdown(),
    }
    serving.await
}

async fn http2_on<S: Stream>(stream: Guarded<S>, server: Arc<TcpServer>) -> hyper::Result<()> {
    let service = answers(&stream.observed, server, Port::Tls);
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .max_header_list_size(MOST_HEADER_BYTES)
        .max_send_buf_size(H2_STREAM_BUFFER_BYTES);
    let connection = stream.observed.connection.clone();
    let mut serving = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        ended = serving.as_mut() => return ended,
        () = connection.leaving() => serving.as_mut().graceful_shutdown(),
    }
    serving.await
}

/// What answers the requests of one connection.
fn answers(
    observed: &Observed,
    server: Arc<TcpServer>,
    port: Port,
) -> impl HttpService<Incoming, ResBody = Body, Error = Infallible, Future: Send + 'static> + 'static {
    let connection = observed.connection.clone();
    service_fn(move |request: Request<Incoming>| {
        let (server, connection) = (server.clone(), connection.clone());
        async move {
            let request = request.map(|body| body.map_err(io::Error::other).boxed_unsync());
            Ok(server.site.answer(request, port, &connection).await)
        }
    })
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Stream for S {}

/// A stream whose connection leaves the list of open ones before its socket is closed: fields are dropped in order.
struct Guarded<S> {
    observed: Observed,
    stream: S,
}

impl<S: Stream> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: Stream> AsyncWrite for Guarded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(unix)]
fn descriptor(socket: &TcpStream) -> i32 {
    std::os::fd::AsRawFd::as_raw_fd(socket)
}

#[cfg(not(unix))]
fn descriptor(_socket: &TcpStream) -> i32 {
    -1
}
