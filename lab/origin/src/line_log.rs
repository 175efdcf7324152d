//! A file of JSON lines that several tasks write to.

use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone)]
pub struct LineLog(Arc<Mutex<File>>);

impl LineLog {
    /// Appends to `path`, which is made where it is missing.
    pub fn open(path: &Path) -> io::Result<LineLog> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(LineLog(Arc::new(Mutex::new(file))))
    }

    /// One write per line, so that a reader never sees two lines mixed. A full disk costs the line, not the response.
    pub fn write(&self, line: &impl Serialize) {
        let written = serde_json::to_vec(line)
            .map_err(io::Error::from)
            .and_then(|mut bytes| {
                bytes.push(b'\n');
                self.0
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .write_all(&bytes)
            });
        if let Err(error) = written {
            tracing::warn!("a line of the log is lost: {error}");
        }
    }
}
