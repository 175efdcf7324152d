//! Where a response stands among the others of its connection.

use super::priority_field::Priority;

/// Ordered: what goes first is less. Of one urgency, those that are of use only when complete go one after another as
/// they were asked for; then those of use in parts share what is there (RFC 9218 §10). No response is without an end, so
/// that nobody waits for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    urgency: u8,
    incremental: bool,
    /// Counts the requests of the connection.
    order: u64,
}

/// Levels of quinn per urgency: more requests than that on one connection share the last of them.
const LEVELS: u64 = 1 << 24;

impl Rank {
    pub fn new(Priority { urgency, incremental }: Priority, order: u64) -> Rank {
        Rank {
            urgency,
            incremental,
            order,
        }
    }

    /// Whether `other` has to wait for this one.
    pub fn precedes(self, other: Rank) -> bool {
        let shares = self.urgency == other.urgency && self.incremental && other.incremental;
        self < other && !shares
    }

    /// For quinn: the larger goes first, equal ones share.
    pub fn quic_priority(self) -> i32 {
        let waits = if self.incremental {
            LEVELS
        } else {
            self.order.min(LEVELS - 1)
        };
        let below = u64::from(self.urgency) * (LEVELS + 1) + waits;
        -i32::try_from(below).unwrap_or(i32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(urgency: u8, incremental: bool, order: u64) -> Rank {
        Rank::new(Priority { urgency, incremental }, order)
    }

    #[test]
    fn the_urgent_goes_first_then_who_came_first_and_the_incremental_share() {
        let in_order = [
            rank(0, true, 9),
            rank(1, false, 2),
            rank(1, false, 3),
            rank(1, true, 1),
            rank(7, false, 0),
        ];
        for pair in in_order.windows(2) {
            assert!(
                pair[0].precedes(pair[1]) && !pair[1].precedes(pair[0]),
                "{pair:?}"
            );
            assert!(pair[0].quic_priority() > pair[1].quic_priority(), "{pair:?}");
        }
        let (one, other) = (rank(1, true, 1), rank(1, true, 2));
        assert!(!one.precedes(other) && !other.precedes(one));
        assert_eq!(one.quic_priority(), other.quic_priority());
        assert!(rank(7, true, u64::MAX).quic_priority() < rank(7, false, u64::MAX).quic_priority());
    }
}
