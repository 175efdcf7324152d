//! Every open connection, and a line about each ten times a second.

use super::quic_path::QuicPath;
use super::sample::Sample;
use super::tcp_info::tcp_sample;
use crate::line_log::LineLog;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

const EVERY: Duration = Duration::from_millis(100);

/// All open connections of the process.
pub struct Connections {
    next_id: AtomicU64,
    open: Mutex<BTreeMap<u64, Arc<Connection>>>,
    log: Option<LineLog>,
}

pub struct Connection {
    /// Counts from 1 within the process; the same in Server-Timing, access log and transport log.
    pub id: u64,
    pub protocol: &'static str,
    pub remote: SocketAddr,
    probe: Probe,
    leaving: Notify,
}

enum Probe {
    /// None once the socket is about to close: its number may then mean another.
    Tcp(Mutex<Option<i32>>),
    Quic(quinn::Connection),
}

/// Keeps a connection among the open ones; dropped before its socket is closed.
pub struct Observed {
    pub connection: Arc<Connection>,
    connections: Arc<Connections>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    at_unix_ms: f64,
    event: &'a str,
    connection: u64,
    protocol: &'a str,
    remote: SocketAddr,
    #[serde(flatten)]
    sample: Sample,
}

impl Connections {
    pub fn new(log: Option<LineLog>) -> Arc<Connections> {
        Arc::new(Connections {
            next_id: AtomicU64::new(1),
            open: Mutex::default(),
            log,
        })
    }

    /// The descriptor must stay open for as long as the answer lives.
    pub fn observe_tcp(
        self: &Arc<Self>,
        descriptor: i32,
        protocol: &'static str,
        remote: SocketAddr,
    ) -> Observed {
        self.observe(Probe::Tcp(Mutex::new(Some(descriptor))), protocol, remote)
    }

    pub fn observe_quic(self: &Arc<Self>, connection: quinn::Connection) -> Observed {
        let remote = connection.remote_address();
        self.observe(Probe::Quic(connection), "h3", remote)
    }

    fn observe(self: &Arc<Self>, probe: Probe, protocol: &'static str, remote: SocketAddr) -> Observed {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let connection = Arc::new(Connection {
            id,
            protocol,
            remote,
            probe,
            leaving: Notify::new(),
        });
        locked(&self.open).insert(id, connection.clone());
        self.write("opened", &connection);
        Observed {
            connection,
            connections: self.clone(),
        }
    }

    fn write(&self, event: &str, connection: &Connection) {
        let (Some(log), Some(sample)) = (&self.log, connection.sample()) else {
            return;
        };
        let Connection {
            id, protocol, remote, ..
        } = *connection;
        log.write(&Line {
            at_unix_ms: unix_ms(),
            event,
            connection: id,
            protocol,
            remote,
            sample,
        });
    }

    /// Writes a line per open connection every 100 ms, for as long as the process lives. Without a log it is done.
    pub async fn write_samples(self: Arc<Self>) {
        if self.log.is_none() {
            return;
        }
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            ticks.tick().await;
            let open: Vec<_> = locked(&self.open).values().cloned().collect();
            for connection in open {
                self.write("sample", &connection);
            }
        }
    }
}

impl Connection {
    /// None once the connection is gone, or where the system does not tell.
    pub fn sample(&self) -> Option<Sample> {
        match &self.probe {
            // The lock is held while the kernel is asked, so that the socket cannot be closed meanwhile.
            Probe::Tcp(descriptor) => locked(descriptor).and_then(tcp_sample),
            Probe::Quic(connection) => QuicPath::of(connection),
        }
    }
}

impl Connection {
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

    /// Asks whoever serves the connection to take no further requests.
    pub fn go_away(&self) {
        self.leaving.notify_one();
    }

    /// Settles when the connection shall take no further requests.
    pub async fn leaving(&self) {
        self.leaving.notified().await;
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        self.connections.write("closed", &self.connection);
        locked(&self.connections.open).remove(&self.connection.id);
        if let Probe::Tcp(descriptor) = &self.connection.probe {
            *locked(descriptor) = None;
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Unix time in milliseconds, with fractions.
pub fn unix_ms() -> f64 {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs_f64()
        * 1000.0
}
