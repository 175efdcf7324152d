//! What no input may do, tried with very many of them: `PITWALL_FUZZ_SECONDS=600 PITWALL_FUZZ_SEED=1 cargo test --release
//! fuzz -- --nocapture --test-threads 2`. Without the seconds it takes two; the seed is printed, and makes the same
//! inputs again.

mod bytes;
mod pieces;
mod random;
mod site_fuzz;

pub use bytes::{garbled, http1_request, http2_frames};
pub use random::Random;

use std::time::{Duration, Instant};

/// For how long, and from which seed.
pub struct Budget {
    pub seed: u64,
    name: &'static str,
    until: Instant,
    cases: u64,
}

impl Budget {
    pub fn of(name: &'static str) -> Budget {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        Budget {
            seed: number("PITWALL_FUZZ_SEED").unwrap_or(1),
            name,
            until: Instant::now() + Duration::from_secs(number("PITWALL_FUZZ_SECONDS").unwrap_or(2)),
            cases: 0,
        }
    }

    /// Counts one case; whether there is time for it.
    pub fn goes_on(&mut self) -> bool {
        let goes_on = Instant::now() < self.until;
        self.cases += u64::from(goes_on);
        goes_on
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        println!("{}: {} cases from seed {}", self.name, self.cases, self.seed);
    }
}
