//! What the process says while tests run.

use std::io::{self, Write};
use std::sync::{Mutex, Once};

static SAID: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static LISTENING: Once = Once::new();

struct Listener;

impl Write for Listener {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        SAID.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// From now on every line is kept.
pub fn listen() {
    LISTENING.call_once(|| {
        tracing_subscriber::fmt()
            .with_writer(|| Listener)
            .with_ansi(false)
            .init();
    });
}

/// All lines so far that name `what`.
pub fn lines_with(what: &str) -> Vec<String> {
    let said = String::from_utf8_lossy(&SAID.lock().unwrap()).into_owned();
    said.lines()
        .filter(|line| line.contains(what))
        .map(str::to_owned)
        .collect()
}
