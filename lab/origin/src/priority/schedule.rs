//! Whose turn it is among the bodies of one connection.

use super::priority_field::Priority;
use super::rank::Rank;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

/// The bodies that one connection is sending.
#[derive(Default)]
pub struct Schedule(Mutex<State>);

#[derive(Default)]
struct State {
    next_order: u64,
    bodies: BTreeMap<Rank, Turn>,
}

#[derive(Default)]
struct Turn {
    /// It has data, and as far as is known the transport takes it.
    wants: bool,
    /// So many pieces so far.
    taken: u64,
    waiting: Option<Waker>,
}

impl Schedule {
    /// Counts a request. The rank is its own for as long as the connection lives.
    pub fn rank(&self, priority: Priority) -> Rank {
        let mut state = self.locked();
        state.next_order += 1;
        Rank::new(priority, state.next_order)
    }

    pub fn enter(&self, rank: Rank) {
        let turn = Turn {
            wants: true,
            ..Turn::default()
        };
        self.locked().bodies.insert(rank, turn);
    }

    pub fn leave(&self, rank: Rank) {
        let mut state = self.locked();
        state.bodies.remove(&rank);
        state.wake_after(rank);
    }

    /// None when it is the turn of `rank`; else how many pieces were taken so far by those before it. `waker` is woken
    /// when that may have changed.
    pub fn must_wait(&self, rank: Rank, waker: &Waker) -> Option<u64> {
        let mut state = self.locked();
        let (mut wanted, mut taken) = (false, 0);
        for (_, turn) in state.before(rank) {
            wanted |= turn.wants;
            taken += turn.taken;
        }
        let turn = state.bodies.get_mut(&rank)?;
        turn.wants = true;
        turn.waiting = wanted.then(|| waker.clone());
        wanted.then_some(taken)
    }

    /// `rank` took a piece, or has none for now.
    pub fn took(&self, rank: Rank, something: bool) {
        let mut state = self.locked();
        let Some(turn) = state.bodies.get_mut(&rank) else {
            return;
        };
        turn.taken += u64::from(something);
        if std::mem::replace(&mut turn.wants, something) && !something {
            state.wake_after(rank);
        }
    }

    /// Whoever is before `rank` does not get on, whatever the reason: until one takes something again nobody waits.
    pub fn pass_over(&self, rank: Rank) {
        let mut state = self.locked();
        let stuck: Vec<Rank> = state.before(rank).map(|(&before, _)| before).collect();
        for before in &stuck {
            if let Some(turn) = state.bodies.get_mut(before) {
                turn.wants = turn.waiting.is_some();
            }
        }
        if let Some(first) = stuck.first() {
            state.wake_after(*first);
        }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn before(&self, rank: Rank) -> impl Iterator<Item = (&Rank, &Turn)> {
        self.bodies
            .range(..rank)
            .filter(move |(other, _)| other.precedes(rank))
    }

    fn wake_after(&mut self, rank: Rank) {
        for (_, turn) in self.bodies.range_mut(rank..) {
            turn.waiting.take().into_iter().for_each(Waker::wake);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered<const N: usize>(schedule: &Schedule, priorities: [(u8, bool); N]) -> [Rank; N] {
        priorities.map(|(urgency, incremental)| {
            let rank = schedule.rank(Priority { urgency, incremental });
            schedule.enter(rank);
            rank
        })
    }

    fn waits(schedule: &Schedule, rank: Rank) -> bool {
        schedule.must_wait(rank, Waker::noop()).is_some()
    }

    #[test]
    fn who_is_less_urgent_waits_until_the_other_ends_or_has_nothing() {
        let schedule = Schedule::default();
        let [late, urgent] = entered(&schedule, [(3, false), (1, true)]);
        assert!(waits(&schedule, late) && !waits(&schedule, urgent));
        schedule.took(urgent, false);
        assert!(!waits(&schedule, late));
        schedule.took(urgent, true);
        assert!(waits(&schedule, late));
        schedule.leave(urgent);
        assert!(!waits(&schedule, late));
    }

    #[test]
    fn of_one_urgency_the_first_goes_first_unless_both_are_incremental() {
        let schedule = Schedule::default();
        let [first, second] = entered(&schedule, [(3, false), (3, false)]);
        assert!(!waits(&schedule, first) && waits(&schedule, second));
        let shared = Schedule::default();
        for rank in entered(&shared, [(1, true), (1, true)]) {
            assert!(!waits(&shared, rank));
        }
    }

    #[test]
    fn who_is_stuck_is_passed_over_and_those_behind_keep_their_order() {
        let schedule = Schedule::default();
        let [stuck, next, last] = entered(&schedule, [(0, false), (1, false), (2, false)]);
        assert!(waits(&schedule, next) && waits(&schedule, last));
        schedule.pass_over(last);
        assert!(!waits(&schedule, next), "the stuck one is passed over");
        assert!(waits(&schedule, last), "the next one is not");
        schedule.took(stuck, true);
        assert!(waits(&schedule, next));
    }
}
