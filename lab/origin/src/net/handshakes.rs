//! Limits the QUIC handshakes that are not finished, and decides which client must prove first that it receives what is
//! sent to its address (RFC 9000 §8.1.2). A TLS session, keys and buffers of some 50 kB belong to each handshake.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Handshakes that may begin without proof: a browser at a calm server pays no round trip for a Retry.
pub const MAX_UNPROVEN: usize = 64;
/// Unfinished handshakes that all clients together may have.
pub const MAX_UNFINISHED: usize = 1024;
/// Age from which a handshake gives way to a newer one where no slot is left: six round trips of half a second.
const GIVES_WAY_AFTER: Duration = Duration::from_secs(3);

/// All handshakes of the process that are not finished.
#[derive(Default)]
pub struct Handshakes(Mutex<Unfinished>);

#[derive(Default)]
struct Unfinished {
    next_id: u64,
    /// Handshakes by number, the oldest first.
    by_id: BTreeMap<u64, (Instant, Arc<Notify>)>,
}

/// Decision about a client's first packet.
pub enum Admission {
    Begin(Handshake),
    /// The packet must come again, with a token that is sent to the client's address.
    Prove,
    /// The packet gets no answer: the client's own timer sends it again.
    Ignore,
}

/// An unfinished handshake, which counts until this value is dropped.
pub struct Handshake {
    id: u64,
    superseded: Arc<Notify>,
    handshakes: Arc<Handshakes>,
}

impl Handshakes {
    pub fn admit(self: &Arc<Self>, is_proven: bool, now: Instant) -> Admission {
        let mut unfinished = self.locked();
        let count = unfinished.by_id.len();
        if count >= MAX_UNPROVEN && !is_proven {
            return Admission::Prove;
        }
        if count >= MAX_UNFINISHED && !unfinished.make_room(now) {
            return Admission::Ignore;
        }
        let id = unfinished.next_id;
        let superseded = Arc::new(Notify::new());
        unfinished.next_id += 1;
        unfinished.by_id.insert(id, (now, superseded.clone()));
        Admission::Begin(Handshake {
            id,
            superseded,
            handshakes: self.clone(),
        })
    }

    fn locked(&self) -> MutexGuard<'_, Unfinished> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unfinished {
    fn make_room(&mut self, now: Instant) -> bool {
        let oldest = self.by_id.first_entry();
        let Some(oldest) = oldest.filter(|oldest| now - oldest.get().0 >= GIVES_WAY_AFTER) else {
            return false;
        };
        oldest.remove().1.notify_one();
        true
    }
}

impl Handshake {
    /// Settles when another handshake has taken the place of this one.
    pub async fn superseded(&self) {
        self.superseded.notified().await;
    }
}

impl Drop for Handshake {
    fn drop(&mut self) {
        self.handshakes.locked().by_id.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(admission: Admission) -> Handshake {
        match admission {
            Admission::Begin(handshake) => handshake,
            Admission::Prove => panic!("it must prove its address"),
            Admission::Ignore => panic!("it is ignored"),
        }
    }

    #[test]
    fn proof_is_asked_for_once_many_are_unfinished() {
        let (handshakes, now) = (Arc::<Handshakes>::default(), Instant::now());
        let mut open: Vec<_> = (0..MAX_UNPROVEN)
            .map(|_| begun(handshakes.admit(false, now)))
            .collect();
        assert!(matches!(handshakes.admit(false, now), Admission::Prove));
        let proven = begun(handshakes.admit(true, now));
        open.pop();
        assert!(matches!(handshakes.admit(false, now), Admission::Prove));
        drop(proven);
        begun(handshakes.admit(false, now));
    }

    #[tokio::test]
    async fn the_oldest_makes_room_but_no_young_one() {
        let (handshakes, start) = (Arc::<Handshakes>::default(), Instant::now());
        let open: Vec<_> = (0..MAX_UNFINISHED)
            .map(|_| begun(handshakes.admit(true, start)))
            .collect();
        let just_before = start + GIVES_WAY_AFTER - Duration::from_millis(1);
        assert!(matches!(handshakes.admit(true, just_before), Admission::Ignore));
        let newest = begun(handshakes.admit(true, start + GIVES_WAY_AFTER));
        open[0].superseded().await;
        let second = tokio::time::timeout(Duration::from_millis(10), open[1].superseded());
        assert!(second.await.is_err());
        assert_eq!(handshakes.locked().by_id.len(), MAX_UNFINISHED);
        drop((open, newest));
        assert!(handshakes.locked().by_id.is_empty());
    }
}
