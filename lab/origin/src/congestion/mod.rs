//! Which congestion controller QUIC runs.

mod choice;
mod cubic;

pub use choice::{QuicController, WindowLimits, factory};
