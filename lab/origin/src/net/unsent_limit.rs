//! How much waits below the responses of one connection before it can be sent: first in rustls, then in the kernel.

use super::descriptor::descriptor;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;

/// Ten packets. A response that comes later waits for all that lies there, whoever it belongs to: with 128 KiB the first
/// byte of audio beside video came after six round trips over h2, and after two over h3, which has no such place
/// (research/methodology.md).
pub const MAX_UNSENT_BYTES: usize = 16 * 1024;

/// A socket that takes no bytes while its kernel has enough that it cannot send yet. TCP_NOTSENT_LOWAT alone does not see to
/// that: as long as its last buffer has room (64 KiB) the kernel takes more. So it is asked before each write.
pub struct UnsentLimited {
    socket: TcpStream,
    is_limited: bool,
}

impl UnsentLimited {
    /// Without a limit yet: which protocol it is for is known after the handshake.
    pub fn new(socket: TcpStream) -> UnsentLimited {
        UnsentLimited {
            socket,
            is_limited: false,
        }
    }

    pub fn limit(&mut self) {
        limit_unsent(descriptor(&self.socket));
        self.is_limited = true;
    }

    fn poll_wanted(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.is_limited {
            return Poll::Ready(Ok(()));
        }
        loop {
            ready!(self.socket.poll_write_ready(context))?;
            match self
                .socket
                .try_io(Interest::WRITABLE, || wants_more(&self.socket))
            {
                // poll(2) has told the kernel to report when it is different.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                other => return Poll::Ready(other),
            }
        }
    }
}

impl AsyncWrite for UnsentLimited {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_wanted(context))?;
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_wanted(context))?;
        Pin::new(&mut self.socket).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

impl AsyncRead for UnsentLimited {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(context, buffer)
    }
}

/// Whether less than half of the limit is unsent. What is on its way to the client is not counted.
#[cfg(target_os = "linux")]
fn wants_more(socket: &TcpStream) -> io::Result<()> {
    let mut asked = libc::pollfd {
        fd: descriptor(socket),
        events: libc::POLLOUT,
        revents: 0,
    };
    // SAFETY: one pollfd that lives here; it does not wait.
    match unsafe { libc::poll(&mut asked, 1, 0) } {
        0 => Err(io::ErrorKind::WouldBlock.into()),
        // A fault of the socket is reported by the write.
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn wants_more(_socket: &TcpStream) -> io::Result<()> {
    Ok(())
}

/// TCP_NOTSENT_LOWAT (include/uapi/linux/tcp.h).
#[cfg(target_os = "linux")]
fn limit_unsent(descriptor: i32) {
    const MAX: libc::c_int = MAX_UNSENT_BYTES as libc::c_int;
    // SAFETY: the kernel reads one int; a refusal leaves the socket as it was.
    unsafe {
        libc::setsockopt(
            descriptor,
            libc::IPPROTO_TCP,
            libc::TCP_NOTSENT_LOWAT,
            std::ptr::from_ref(&MAX).cast(),
            std::mem::size_of_val(&MAX) as libc::socklen_t,
        );
    }
}

#[cfg(not(target_os = "linux"))]
fn limit_unsent(_descriptor: i32) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::transport::tcp_unsent_bytes;
    use std::os::fd::AsRawFd;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    const RECORD_BYTES: usize = 16 * 1024;
    const BODY_BYTES: usize = 8 * 1024 * 1024;

    /// The server's end of a connection, and that of a client that reads when the test does.
    async fn connection() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (server, _) = listener.accept().await.unwrap();
        limit_unsent(server.as_raw_fd());
        (server, client)
    }

    /// How much is unsent when no more is taken.
    async fn unsent_when_full(stream: &mut (impl AsyncWrite + Unpin), descriptor: i32) -> usize {
        let record = [0; RECORD_BYTES];
        while let Ok(written) = tokio::time::timeout(Duration::from_millis(200), stream.write(&record)).await
        {
            written.unwrap();
        }
        tcp_unsent_bytes(descriptor).unwrap() as usize
    }

    #[tokio::test]
    async fn the_kernel_gets_no_more_than_half_the_limit_and_a_record() {
        let (server, _client) = connection().await;
        let descriptor = server.as_raw_fd();
        let mut server = UnsentLimited::new(server);
        server.limit();
        let unsent = unsent_when_full(&mut server, descriptor).await;
        assert!(unsent <= MAX_UNSENT_BYTES / 2 + RECORD_BYTES, "{unsent} bytes");
    }

    #[tokio::test]
    async fn without_that_it_fills_its_last_buffer() {
        let (mut server, _client) = connection().await;
        let descriptor = server.as_raw_fd();
        let unsent = unsent_when_full(&mut server, descriptor).await;
        assert!(unsent > 2 * MAX_UNSENT_BYTES, "{unsent} bytes");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn who_waits_goes_on_when_the_client_reads() {
        let (server, mut client) = connection().await;
        let writing = tokio::spawn(async move {
            let mut stream = UnsentLimited::new(server);
            stream.limit();
            stream.write_all(&vec![1; BODY_BYTES]).await.unwrap();
            stream.shutdown().await.unwrap();
        });
        let mut body = vec![];
        let reading = client.read_to_end(&mut body);
        tokio::time::timeout(Duration::from_secs(20), reading)
            .await
            .unwrap()
            .unwrap();
        writing.await.unwrap();
        assert_eq!(body.len(), BODY_BYTES);
    }
}
