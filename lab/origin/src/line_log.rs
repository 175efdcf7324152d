//! A file of JSON lines that several tasks write to.

use serde::Serialize;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone)]
pub struct LineLog(Arc<Mutex<Lines>>);

struct Lines {
    path: PathBuf,
    file: File,
    size_bytes: u64,
    limit_bytes: Option<u64>,
}

impl LineLog {
    /// Appends to `path`, which is made where it is missing. With a limit the file is moved to `path` with `.1` behind it,
    /// in the place of the one before, whenever a line would make it longer.
    pub fn open(path: &Path, limit_bytes: Option<u64>) -> io::Result<LineLog> {
        let file = appended(path)?;
        Ok(LineLog(Arc::new(Mutex::new(Lines {
            path: path.to_owned(),
            size_bytes: file.metadata()?.len(),
            file,
            limit_bytes,
        }))))
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
                    .write(&bytes)
            });
        if let Err(error) = written {
            tracing::warn!("a line of the log is lost: {error}");
        }
    }
}

impl Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let size_bytes = self.size_bytes + line.len() as u64;
        if self.size_bytes > 0
            && self
                .limit_bytes
                .is_some_and(|limit_bytes| size_bytes > limit_bytes)
        {
            self.begin_anew()?;
        }
        self.file.write_all(line)?;
        self.size_bytes += line.len() as u64;
        Ok(())
    }

    fn begin_anew(&mut self) -> io::Result<()> {
        let mut older = self.path.clone().into_os_string();
        older.push(".1");
        fs::rename(&self.path, older)?;
        self.file = appended(&self.path)?;
        self.size_bytes = 0;
        Ok(())
    }
}

fn appended(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_newest_lines_in_two_files() {
        let folder = std::env::temp_dir().join(format!("pitwall-lines-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.log");
        let log = LineLog::open(&path, Some(30)).unwrap();
        for number in 100..200 {
            log.write(&number);
        }
        let (newest, older) = (
            fs::read_to_string(&path),
            fs::read_to_string(folder.join("a.log.1")),
        );
        assert_eq!(newest.unwrap(), "198\n199\n");
        assert_eq!(older.unwrap(), "191\n192\n193\n194\n195\n196\n197\n");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn keeps_everything_without_a_limit() {
        let path = std::env::temp_dir().join(format!("pitwall-lines-all-{}.log", std::process::id()));
        let log = LineLog::open(&path, None).unwrap();
        for number in 100..200 {
            log.write(&number);
        }
        assert_eq!(fs::read_to_string(&path).unwrap().len(), 400);
        fs::remove_file(&path).unwrap();
    }
}
