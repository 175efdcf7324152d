//! http/1.1 and h2.

use crate::arguments::{Arguments, Protocol};
use crate::first_data::{FirstData, Watched};
use crate::sink::{Failure, Sink};
use crate::tls::client_config;
use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::ServerName;
use std::sync::Arc;
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

type Body = Empty<Bytes>;

pub enum TcpSession {
    Http1(http1::SendRequest<Body>),
    Http2(http2::SendRequest<Body>, FirstData),
}

impl TcpSession {
    pub async fn open(arguments: &Arguments) -> Result<TcpSession, Failure> {
        let is_http2 = arguments.protocol == Protocol::H2;
        let stream = secured(arguments, if is_http2 { b"h2" } else { b"http/1.1" }).await?;
        if !is_http2 {
            let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
            tokio::spawn(connection);
            return Ok(TcpSession::Http1(sender));
        }
        let first_data = FirstData::default();
        let stream = TokioIo::new(Watched::new(stream, first_data.clone()));
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .initial_stream_window_size(arguments.window_bytes)
            .initial_connection_window_size(arguments.window_bytes)
            .handshake(stream)
            .await?;
        tokio::spawn(connection);
        Ok(TcpSession::Http2(sender, first_data))
    }

    pub async fn ask(&mut self, arguments: &Arguments, sink: &mut Sink) -> Result<(), Failure> {
        match self {
            TcpSession::Http1(sender) => {
                sender.ready().await?;
                let request = Request::get(&arguments.path).header(header::HOST, &arguments.host);
                read(sender.send_request(request.body(Empty::new())?).await?, sink).await
            }
            TcpSession::Http2(sender, first_data) => {
                sender.ready().await?;
                let url = format!("https://{}{}", arguments.host, arguments.path);
                first_data.take();
                read(
                    sender.send_request(Request::get(url).body(Empty::new())?).await?,
                    sink,
                )
                .await?;
                sink.answer.first_body_at_unix_ms = first_data.take();
                Ok(())
            }
        }
    }
}

async fn secured(arguments: &Arguments, alpn: &[u8]) -> Result<TlsStream<TcpStream>, Failure> {
    let socket = match arguments.address {
        std::net::SocketAddr::V4(_) => TcpSocket::new_v4()?,
        std::net::SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A slow reader's kernel must not read for it.
    if arguments.read_kbps.is_some() {
        socket.set_recv_buffer_size(arguments.window_bytes)?;
    }
    let stream = socket.connect(arguments.address).await?;
    stream.set_nodelay(true)?;
    let name = ServerName::try_from(arguments.host.clone())?;
    let connector = TlsConnector::from(Arc::new(client_config(alpn)?));
    let stream = connector.connect(name, stream).await?;
    if stream.get_ref().1.alpn_protocol() != Some(alpn) {
        return Err(format!("the origin does not support {}", String::from_utf8_lossy(alpn)).into());
    }
    Ok(stream)
}

async fn read(response: Response<Incoming>, sink: &mut Sink) -> Result<(), Failure> {
    sink.begin(&response);
    let mut body = response.into_body();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame?.into_data() {
            sink.take(data.len()).await;
        }
    }
    sink.end();
    Ok(())
}
