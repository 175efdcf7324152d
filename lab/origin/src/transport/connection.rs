//! One connection: what it sends, what it does, and how its transport is asked.

use super::activity::Activity;
use super::quic_path::QuicPath;
use super::sample::Sample;
use super::tcp_info::{tcp_sample, tcp_unsent_bytes};
use crate::priority::Schedule;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

pub struct Connection {
    /// Counts from 1 within the process; the same in Server-Timing, access log and transport log.
    pub id: u64,
    pub protocol: &'static str,
    pub remote: SocketAddr,
    pub schedule: Schedule,
    pub activity: Activity,
    probe: Probe,
    leaving: Notify,
}

pub enum Probe {
    /// None once the socket is about to close: its number may then mean another.
    Tcp(Mutex<Option<i32>>),
    Quic(quinn::Connection),
}

impl Connection {
    pub fn new(id: u64, protocol: &'static str, remote: SocketAddr, probe: Probe) -> Connection {
        Connection {
            id,
            protocol,
            remote,
            schedule: Schedule::default(),
            activity: Activity::default(),
            probe,
            leaving: Notify::new(),
        }
    }

    /// The socket is about to be closed.
    pub fn forget(&self) {
        if let Probe::Tcp(descriptor) = &self.probe {
            *locked(descriptor) = None;
        }
    }

    /// None once the connection is gone, or where the system does not tell.
    pub fn sample(&self) -> Option<Sample> {
        match &self.probe {
            // The lock is held while the kernel is asked, so that the socket cannot be closed meanwhile.
            Probe::Tcp(descriptor) => locked(descriptor).and_then(tcp_sample),
            Probe::Quic(connection) => QuicPath::of(connection),
        }
    }

    /// When the newest packet that the client has acknowledged was sent; QUIC's only.
    pub fn newest_acknowledged(&self) -> Option<Instant> {
        match &self.probe {
            Probe::Tcp(_) => None,
            Probe::Quic(connection) => QuicPath::newest_acknowledged(connection),
        }
    }

    /// Whether the transport has sent what it was given, or nearly so, and would send more. True where that is unknown.
    pub fn is_hungry(&self) -> bool {
        match &self.probe {
            Probe::Tcp(descriptor) => locked(descriptor)
                .and_then(tcp_unsent_bytes)
                .is_none_or(|bytes| bytes == 0),
            // Half: packets that are spaced out leave the window open a little while there is more to send.
            Probe::Quic(connection) => QuicPath::of(connection).is_none_or(|path| {
                let half = path.cwnd_bytes.unwrap_or(u64::MAX) / 2;
                path.in_flight_bytes.is_none_or(|bytes| bytes < half)
            }),
        }
    }

    /// Ends the connection at once, with everything on it.
    pub fn close(&self) {
        match &self.probe {
            Probe::Tcp(descriptor) => {
                #[cfg(unix)]
                if let Some(descriptor) = *locked(descriptor) {
                    // SAFETY: the descriptor is open for as long as the lock is held; a refusal changes nothing.
                    unsafe { libc::shutdown(descriptor, libc::SHUT_RDWR) };
                }
                #[cfg(not(unix))]
                let _ = descriptor;
            }
            // H3_INTERNAL_ERROR (RFC 9114 §8.1).
            Probe::Quic(connection) => connection.close(quinn::VarInt::from_u32(0x102), b""),
        }
    }

    /// Logs, in one line, that this client exceeded a timeout.
    pub fn log_timeout(&self, reason: &str) {
        tracing::warn!("{} ({}) is let go: {reason}", self.remote, self.protocol);
    }

    /// Asks whoever serves the connection to take no further requests.
    pub fn go_away(&self) {
        self.leaving.notify_one();
    }

    /// Settles when the connection shall take no further requests.
    pub async fn leaving(&self) {
        self.leaving.notified().await;
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
