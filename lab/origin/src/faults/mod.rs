//! What goes wrong on demand: which requests, and how.

mod faulty_body;
mod rule;
mod rules;
mod with_fault;

pub use rule::{Direction, Fault};
pub use rules::Rules;
pub use with_fault::with_fault;
