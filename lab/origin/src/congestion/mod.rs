//! Which congestion controller QUIC runs.

mod choice;
mod cubic;
mod cubic_window;

pub use choice::{QuicController, WindowLimits, factory};
