//! Every open connection, and a line about each ten times a second.

use super::connection::{Connection, Probe};
use super::sample::Sample;
use crate::line_log::LineLog;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const EVERY: Duration = Duration::from_millis(100);

/// All open connections of the process.
pub struct Connections {
    next_id: AtomicU64,
    open: Mutex<BTreeMap<u64, Arc<Connection>>>,
    log: Option<LineLog>,
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
        let connection = Arc::new(Connection::new(id, protocol, remote, probe));
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

impl Drop for Observed {
    fn drop(&mut self) {
        self.connections.write("closed", &self.connection);
        locked(&self.connections.open).remove(&self.connection.id);
        self.connection.forget();
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
