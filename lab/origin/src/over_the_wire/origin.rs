//! An origin in this process, with a folder of its own.

use crate::arguments::Arguments;
use crate::serve::Serving;
use clap::Parser;
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

static STARTED: AtomicUsize = AtomicUsize::new(0);

pub struct Origin {
    pub serving: Serving,
    /// Served at `/`.
    pub folder: PathBuf,
}

impl Origin {
    /// With files of zeros, by name and size. A free port of TCP may be taken in UDP: then another one is.
    pub fn start(files: &[(&str, u64)], more: &[&str]) -> Origin {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("pitwall-wire-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, size_bytes) in files {
            File::create(folder.join(name))
                .unwrap()
                .set_len(*size_bytes)
                .unwrap();
        }
        let mut command = vec![
            "pitwall-origin",
            folder.to_str().unwrap(),
            "--https-port=0",
            "--http-port=0",
        ];
        command.extend(more);
        let arguments = Arguments::parse_from(command);
        let started = (0..5).map(|_| Serving::begin(&arguments)).find(Result::is_ok);
        Origin {
            serving: started.expect("a free port").unwrap(),
            folder,
        }
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
