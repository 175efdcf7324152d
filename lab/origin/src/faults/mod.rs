//! What goes wrong on demand: which requests, and how.

mod faulty_body;
mod rule;
mod rules;

pub use faulty_body::faulty_body;
pub use rule::Fault;
pub use rules::Rules;
