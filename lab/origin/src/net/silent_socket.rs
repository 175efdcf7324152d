//! A UDP socket that loses everything while the faults say so.

use crate::faults::{Direction, Rules};
use quinn::udp::{RecvMeta, Transmit};
use quinn::{AsyncUdpSocket, UdpPoller};
use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// So many times is read and thrown away at once, before others have their turn.
const MAX_READS: usize = 32;

pub struct SilentSocket {
    pub socket: Arc<dyn AsyncUdpSocket>,
    pub rules: Arc<Rules>,
}

impl std::fmt::Debug for SilentSocket {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.socket.fmt(formatter)
    }
}

impl AsyncUdpSocket for SilentSocket {
    fn create_io_poller(self: Arc<Self>) -> Pin<Box<dyn UdpPoller>> {
        self.socket.clone().create_io_poller()
    }

    /// Lost is sent as far as QUIC can know.
    fn try_send(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        if self.rules.silences(Direction::Out) {
            return Ok(());
        }
        self.socket.try_send(transmit)
    }

    fn poll_recv(
        &self,
        context: &mut Context<'_>,
        buffers: &mut [IoSliceMut<'_>],
        meta: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        for _ in 0..MAX_READS {
            let received = ready!(self.socket.poll_recv(context, buffers, meta));
            if received.is_err() || !self.rules.silences(Direction::In) {
                return Poll::Ready(received);
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    fn max_transmit_segments(&self) -> usize {
        self.socket.max_transmit_segments()
    }

    fn max_receive_segments(&self) -> usize {
        self.socket.max_receive_segments()
    }

    fn may_fragment(&self) -> bool {
        self.socket.may_fragment()
    }
}
