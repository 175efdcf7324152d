//! h3.

use crate::arguments::Arguments;
use crate::sink::{Failure, Sink};
use crate::tls::client_config;
use bytes::{Buf, Bytes};
use h3::client::SendRequest;
use h3::error::{Code, StreamError};
use http::Request;
use quinn::crypto::rustls::QuicClientConfig;
use quinn::{ClientConfig, Endpoint, EndpointConfig, TokioRuntime, TransportConfig};
use socket2::{Domain, Protocol, Socket, Type};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

/// What the kernel keeps until it is read: as Chromium asks for (its quic_context.h). The system may allow less.
const SOCKET_BUFFER_BYTES: usize = 1024 * 1024;
/// H3_NO_ERROR (RFC 9114 §8.1).
const NO_ERROR: u32 = 0x100;

pub struct QuicSession {
    sender: SendRequest<h3_quinn::OpenStreams, Bytes>,
    endpoint: Endpoint,
}

impl QuicSession {
    pub async fn open(arguments: &Arguments) -> Result<QuicSession, Failure> {
        let endpoint = endpoint(arguments.address)?;
        let connecting = endpoint.connect_with(config(arguments)?, arguments.address, &arguments.host)?;
        let connection = h3_quinn::Connection::new(connecting.await?);
        let (mut driver, sender) = h3::client::new(connection).await?;
        tokio::spawn(async move { driver.wait_idle().await });
        Ok(QuicSession { sender, endpoint })
    }

    pub async fn ask(&mut self, request: Request<()>, sink: &mut Sink) -> Result<(), Failure> {
        let mut stream = self.sender.send_request(request).await?;
        // A server that has answered whole may stop what is left of the request; the answer counts (RFC 9114 §4.1).
        match stream.finish().await {
            Err(StreamError::RemoteTerminate { code, .. }) if code == Code::H3_NO_ERROR => {}
            finished => finished?,
        }
        sink.begin(&stream.recv_response().await?);
        while let Some(data) = stream.recv_data().await? {
            sink.take(data.remaining()).await;
        }
        sink.end();
        Ok(())
    }

    pub async fn close(self) {
        self.endpoint.close(NO_ERROR.into(), b"");
        self.endpoint.wait_idle().await;
    }
}

/// A socket of its own for each connection, as browsers have.
fn endpoint(server: SocketAddr) -> Result<Endpoint, Failure> {
    let own: IpAddr = match server {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let at = SocketAddr::new(own, 0);
    let socket = Socket::new(Domain::for_address(at), Type::DGRAM, Some(Protocol::UDP))?;
    socket.set_nonblocking(true)?;
    socket.set_recv_buffer_size(SOCKET_BUFFER_BYTES)?;
    socket.bind(&at.into())?;
    let socket = UdpSocket::from(socket);
    Ok(Endpoint::new(
        EndpointConfig::default(),
        None,
        socket,
        Arc::new(TokioRuntime),
    )?)
}

pub fn config(arguments: &Arguments) -> Result<ClientConfig, Failure> {
    let crypto = QuicClientConfig::try_from(client_config(b"h3")?)?;
    let mut transport = TransportConfig::default();
    transport
        .stream_receive_window(arguments.window_bytes.into())
        .receive_window(arguments.window_bytes.into());
    let mut config = ClientConfig::new(Arc::new(crypto));
    config.transport_config(Arc::new(transport));
    Ok(config)
}
