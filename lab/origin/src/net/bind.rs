//! Sockets that belong to this process alone: a port in use is an error, never shared.

use socket2::{Domain, Protocol, Socket, Type};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, UdpSocket};

/// Connections that wait to be accepted.
const BACKLOG: i32 = 1024;

/// What waits until it is read: many clients may begin at the same moment, and a lost first packet costs each of them a second.
/// The system may allow less.
const UDP_RECEIVE_BUFFER_BYTES: usize = 4 * 1024 * 1024;

/// What is set on a listener and inherited by its connections.
#[derive(Clone, Default)]
pub struct TcpOptions {
    /// TCP_CONGESTION: a name that the kernel knows. None leaves the system's.
    pub controller: Option<String>,
    /// SO_MAX_PACING_RATE: set to any rate at all, the kernel paces (net/core/sock.c).
    pub is_paced: bool,
    /// SO_SNDBUF. None leaves the kernel's automatic size.
    pub send_buffer_bytes: Option<usize>,
}

pub fn bind_tcp(address: IpAddr, port: u16, options: &TcpOptions) -> Result<TcpListener, String> {
    let at = SocketAddr::new(address, port);
    if let Some(controller) = &options.controller {
        must_know(controller)?;
    }
    let socket = socket(at, Type::STREAM, Protocol::TCP);
    let listening = socket.and_then(|socket| {
        // A port whose last connections still linger is free; one with a listener is not.
        #[cfg(unix)]
        socket.set_reuse_address(true)?;
        #[cfg(target_os = "linux")]
        if let Some(controller) = &options.controller {
            socket.set_tcp_congestion(controller.as_bytes())?;
        }
        #[cfg(target_os = "linux")]
        if options.is_paced {
            pace(&socket)?;
        }
        if let Some(bytes) = options.send_buffer_bytes {
            socket.set_send_buffer_size(bytes)?;
        }
        socket.bind(&at.into())?;
        socket.listen(BACKLOG)?;
        Ok(socket.into())
    });
    listening.map_err(|error| taken("TCP", at, &error))
}

pub fn bind_udp(address: IpAddr, port: u16) -> Result<UdpSocket, String> {
    let at = SocketAddr::new(address, port);
    let bound = socket(at, Type::DGRAM, Protocol::UDP).and_then(|socket| {
        socket.set_recv_buffer_size(UDP_RECEIVE_BUFFER_BYTES)?;
        socket.bind(&at.into())?;
        Ok(socket.into())
    });
    bound.map_err(|error| taken("UDP", at, &error))
}

fn socket(at: SocketAddr, kind: Type, protocol: Protocol) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(at), kind, Some(protocol))?;
    socket.set_nonblocking(true)?;
    if at.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    Ok(socket)
}

/// The largest rate that is one: the kernel's own formula stays the limit.
#[cfg(target_os = "linux")]
fn pace(socket: &Socket) -> io::Result<()> {
    let rate: libc::c_ulong = libc::c_ulong::MAX - 1;
    let size = std::mem::size_of_val(&rate) as libc::socklen_t;
    let descriptor = std::os::fd::AsRawFd::as_raw_fd(socket);
    // SAFETY: the kernel reads `size` bytes of `rate`.
    let failed = unsafe {
        libc::setsockopt(
            descriptor,
            libc::SOL_SOCKET,
            libc::SO_MAX_PACING_RATE,
            std::ptr::from_ref(&rate).cast(),
            size,
        )
    };
    if failed == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

fn taken(transport: &str, at: SocketAddr, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => format!(
            "port {} is already in use for {transport} on {}",
            at.port(),
            at.ip()
        ),
        _ => format!("cannot listen for {transport} on {at}: {error}"),
    }
}

#[cfg(target_os = "linux")]
fn must_know(controller: &str) -> Result<(), String> {
    let known =
        std::fs::read_to_string("/proc/sys/net/ipv4/tcp_available_congestion_control").unwrap_or_default();
    if known.is_empty() || known.split_whitespace().any(|name| name == controller) {
        return Ok(());
    }
    Err(format!(
        "the kernel has no TCP controller \"{controller}\": it has {}",
        known.trim()
    ))
}

#[cfg(not(target_os = "linux"))]
fn must_know(_controller: &str) -> Result<(), String> {
    Err("a TCP controller can be chosen on Linux alone".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn a_port_is_not_shared() {
        let first = bind_tcp(LOCAL, 0, &TcpOptions::default()).unwrap();
        let port = first.local_addr().unwrap().port();
        let refused = bind_tcp(LOCAL, port, &TcpOptions::default()).unwrap_err();
        assert_eq!(
            refused,
            format!("port {port} is already in use for TCP on 127.0.0.1")
        );
        let first = bind_udp(LOCAL, 0).unwrap();
        let port = first.local_addr().unwrap().port();
        assert!(
            bind_udp(LOCAL, port)
                .unwrap_err()
                .contains("already in use for UDP")
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn connections_inherit_the_controller() {
        use std::os::fd::AsRawFd;
        let options = TcpOptions {
            controller: Some("reno".into()),
            ..TcpOptions::default()
        };
        let listener = bind_tcp(LOCAL, 0, &options).unwrap();
        listener.set_nonblocking(false).unwrap();
        let _client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        assert_eq!(
            crate::transport::tcp_sample(server.as_raw_fd())
                .unwrap()
                .controller
                .unwrap(),
            "reno"
        );
        let options = TcpOptions {
            controller: Some("warp".into()),
            ..TcpOptions::default()
        };
        let refused = bind_tcp(LOCAL, 0, &options).unwrap_err();
        assert!(
            refused.starts_with("the kernel has no TCP controller \"warp\": it has "),
            "{refused}"
        );
    }
}
