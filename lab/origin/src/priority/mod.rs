//! Which response of a connection goes first (RFC 9218).

mod ordered_body;
mod priority_field;
mod rank;
mod schedule;

pub use ordered_body::ordered;
pub use priority_field::Priority;
pub use rank::Rank;
pub use schedule::Schedule;
