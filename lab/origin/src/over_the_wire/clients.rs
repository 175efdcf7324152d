//! Clients of h1, h2 and h3 whose bodies are read when the test wants it.

use super::client_tls::{Seen, client_tls};
use super::slowly::Slowly;
use bytes::{Buf, Bytes};
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use quinn::crypto::rustls::QuicClientConfig;
use rustls::pki_types::ServerName;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::{TlsConnector, client::TlsStream};

/// Small, so that what is on its way is little.
const TCP_BUFFER_BYTES: u32 = 64 * 1024;
const LARGE_WINDOW_BYTES: u32 = 128 * 1024 * 1024;

pub enum Client {
    H1(http1::SendRequest<Empty<Bytes>>),
    H2(http2::SendRequest<Empty<Bytes>>),
    H3(Box<H3>),
}

pub struct H3 {
    requests: h3::client::SendRequest<h3_quinn::OpenStreams, Bytes>,
    _endpoint: quinn::Endpoint,
}

pub enum Answer {
    Tcp(Response<Incoming>),
    H3(
        Response<()>,
        Box<h3::client::RequestStream<h3_quinn::BidiStream<Bytes>, Bytes>>,
    ),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    H1,
    H2,
    H3,
}

pub const ALL: [Protocol; 3] = [Protocol::H1, Protocol::H2, Protocol::H3];

pub fn local(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

pub async fn tls(port: u16, alpn: &str, name: &'static str, seen: Arc<Seen>) -> TlsStream<TcpStream> {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(TCP_BUFFER_BYTES).unwrap();
    let socket = socket.connect(local(port)).await.unwrap();
    let connector = TlsConnector::from(Arc::new(client_tls(alpn, seen)));
    connector
        .connect(ServerName::try_from(name).unwrap(), socket)
        .await
        .unwrap()
}

/// A client's end of QUIC, and its connection. Every stream may send `window_bytes` before it is read.
pub async fn quic(port: u16, window_bytes: u32) -> (quinn::Endpoint, quinn::Connection) {
    let crypto = QuicClientConfig::try_from(client_tls("h3", Arc::default())).unwrap();
    let mut config = quinn::ClientConfig::new(Arc::new(crypto));
    let mut transport = quinn::TransportConfig::default();
    transport
        .stream_receive_window(window_bytes.into())
        .receive_window(LARGE_WINDOW_BYTES.into())
        .keep_alive_interval(Some(std::time::Duration::from_millis(200)));
    config.transport_config(Arc::new(transport));
    let mut endpoint = quinn::Endpoint::client((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    endpoint.set_default_client_config(config);
    let connection = endpoint.connect(local(port), "localhost").unwrap().await.unwrap();
    (endpoint, connection)
}

impl Client {
    /// Every stream may send `window_bytes` before it is read, the connection as good as everything.
    pub async fn connect(protocol: Protocol, port: u16, window_bytes: u32) -> Client {
        match protocol {
            Protocol::H1 => {
                let stream = TokioIo::new(tls(port, "http/1.1", "localhost", Arc::default()).await);
                let (requests, connection) = http1::handshake(stream).await.unwrap();
                tokio::spawn(connection);
                Client::H1(requests)
            }
            Protocol::H2 => {
                let stream = TokioIo::new(Slowly::new(tls(port, "h2", "localhost", Arc::default()).await));
                let (requests, connection) = http2::Builder::new(TokioExecutor::new())
                    .initial_stream_window_size(window_bytes)
                    .initial_connection_window_size(LARGE_WINDOW_BYTES)
                    .handshake(stream)
                    .await
                    .unwrap();
                tokio::spawn(connection);
                Client::H2(requests)
            }
            Protocol::H3 => {
                let (endpoint, quic) = quic(port, window_bytes).await;
                let streams = h3_quinn::Connection::new(quic);
                let (mut driver, requests) = h3::client::new(streams).await.unwrap();
                tokio::spawn(async move { driver.wait_idle().await });
                Client::H3(Box::new(H3 {
                    requests,
                    _endpoint: endpoint,
                }))
            }
        }
    }

    pub async fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.try_to_ask(method, path, headers).await.unwrap()
    }

    pub async fn try_to_ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("https://localhost{path}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        match self {
            Client::H1(requests) => {
                let request = request.uri(path).header("host", "localhost").body(Empty::new())?;
                // The end of the response before may not have come to hyper's own task yet.
                requests.ready().await?;
                Ok(Answer::Tcp(requests.send_request(request).await?))
            }
            Client::H2(requests) => Ok(Answer::Tcp(
                requests.send_request(request.body(Empty::new())?).await?,
            )),
            Client::H3(h3) => {
                let mut stream = h3.requests.send_request(request.body(())?).await?;
                stream.finish().await?;
                Ok(Answer::H3(stream.recv_response().await?, Box::new(stream)))
            }
        }
    }
}

impl Answer {
    pub fn status(&self) -> u16 {
        match self {
            Answer::Tcp(response) => response.status().as_u16(),
            Answer::H3(response, _) => response.status().as_u16(),
        }
    }

    pub fn headers(&self) -> &HeaderMap {
        match self {
            Answer::Tcp(response) => response.headers(),
            Answer::H3(response, _) => response.headers(),
        }
    }

    /// The next piece of the body; None at its end.
    pub async fn piece(&mut self) -> Option<Bytes> {
        match self {
            Answer::Tcp(response) => loop {
                if let Ok(data) = response.body_mut().frame().await?.unwrap().into_data() {
                    return Some(data);
                }
            },
            Answer::H3(_, stream) => {
                let mut data = stream.recv_data().await.unwrap()?;
                Some(data.copy_to_bytes(data.remaining()))
            }
        }
    }

    pub async fn whole(&mut self) -> Vec<u8> {
        let mut whole = Vec::new();
        while let Some(piece) = self.piece().await {
            whole.extend_from_slice(&piece);
        }
        whole
    }
}
