//! The number that the kernel knows a socket by.

use tokio::net::TcpStream;

#[cfg(unix)]
pub fn descriptor(socket: &TcpStream) -> i32 {
    std::os::fd::AsRawFd::as_raw_fd(socket)
}

#[cfg(not(unix))]
pub fn descriptor(_socket: &TcpStream) -> i32 {
    -1
}
