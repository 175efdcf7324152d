//! The beginnings of QUIC connections that nobody goes on with.

use quinn_proto::{ClientConfig, Endpoint, EndpointConfig};
use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Instant;

/// All datagrams that a client sends before it has an answer: a ClientHello, in Initial packets.
fn first_packets(
    config: &ClientConfig,
    server: SocketAddr,
    host: &str,
) -> Result<Vec<Vec<u8>>, Box<dyn Error + Send + Sync>> {
    let now = Instant::now();
    let mut endpoint = Endpoint::new(Arc::new(EndpointConfig::default()), None, true, None);
    let (_, mut connection) = endpoint.connect(now, config.clone(), server, host)?;
    let mut packets = Vec::new();
    let mut packet = Vec::new();
    while connection.poll_transmit(now, 1, &mut packet).is_some() {
        packets.push(std::mem::take(&mut packet));
    }
    Ok(packets)
}

/// Begins a connection from a port of its own, which is given back: nobody listens for the answer.
pub fn begin_only(
    config: &ClientConfig,
    server: SocketAddr,
    host: &str,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let own: IpAddr = match server {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind(SocketAddr::new(own, 0))?;
    for packet in first_packets(config, server, host)? {
        socket.send_to(&packet, server)?;
    }
    Ok(())
}
