//! Which congestion controller QUIC runs.

mod choice;
mod cubic;
mod cubic_epoch;
mod cubic_window;
mod multcp;

pub use choice::{QuicController, WindowLimits, factory};
