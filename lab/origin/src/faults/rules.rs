//! The rules of a file, read again when it changed.

use super::rule::{Direction, Fault, Rule};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A datagram is no reason to look for a new file more often than that.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Looked up for every request, so that whoever wrote the file knows that the next request obeys it.
pub struct Rules {
    file: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    version: Option<(SystemTime, u64, u64)>,
    given_at: Option<Instant>,
    looked_at: Option<Instant>,
    complaint: Option<String>,
    rules: Vec<(Rule, u64)>,
}

impl Rules {
    /// Errors name the file: a rule that is not understood must not be a fault that does not happen.
    pub fn of(file: PathBuf) -> Result<Rules, String> {
        let rules = Rules {
            file,
            state: Mutex::default(),
        };
        let mut state = State::default();
        rules.refresh(&mut state)?;
        *rules.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        Ok(rules)
    }

    /// The first rule that means this request; it counts the request.
    pub fn fault_for(&self, path: &str) -> Option<Fault> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.look(&mut state);
        let since = state.given_at?.elapsed();
        for (rule, seen) in &mut state.rules {
            if !rule.matches(path, since) {
                continue;
            }
            *seen += 1;
            if *seen > rule.skip
                && rule
                    .count
                    .is_none_or(|count| *seen <= rule.skip.saturating_add(count))
            {
                return Some(rule.fault.clone());
            }
        }
        None
    }

    /// Whether a datagram that comes in (or goes out) now is lost.
    pub fn silences(&self, going: Direction) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state
            .looked_at
            .is_none_or(|looked| looked.elapsed() >= LOOK_EVERY)
        {
            self.look(&mut state);
        }
        let Some(since) = state.given_at.map(|given| given.elapsed()) else {
            return false;
        };
        let mut silent = state.rules.iter().filter_map(|(rule, _)| rule.silences(since));
        silent.any(|direction| direction == Direction::Both || direction == going)
    }

    fn look(&self, state: &mut State) {
        state.looked_at = Some(Instant::now());
        let complaint = self.refresh(state).err();
        // Once: the same file is looked at again and again.
        if let Some(error) = complaint.as_ref().filter(|_| complaint != state.complaint) {
            tracing::error!("{error}");
        }
        state.complaint = complaint;
    }

    fn refresh(&self, state: &mut State) -> Result<(), String> {
        let failed = |error: &dyn std::fmt::Display| {
            format!("the faults of {} cannot be read: {error}", self.file.display())
        };
        let metadata = std::fs::metadata(&self.file).map_err(|error| failed(&error))?;
        let version = metadata
            .modified()
            .ok()
            .map(|modified| (modified, metadata.len(), file_number(&metadata)));
        if version.is_some() && version == state.version {
            return Ok(());
        }
        let text = std::fs::read_to_string(&self.file).map_err(|error| failed(&error))?;
        let rules: Vec<Rule> = serde_json::from_str(&text).map_err(|error| failed(&error))?;
        if let Some(why) = rules.iter().find_map(Rule::contradiction) {
            return Err(failed(&why));
        }
        *state = State {
            version,
            given_at: Some(Instant::now()),
            looked_at: Some(Instant::now()),
            complaint: None,
            rules: rules.into_iter().map(|rule| (rule, 0)).collect(),
        };
        Ok(())
    }
}

/// A file that is replaced has another number, also within one tick of the file system's clock.
#[cfg(unix)]
fn file_number(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn file_number(_metadata: &std::fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_reads_again() {
        let file = std::env::temp_dir().join(format!("pitwall-faults-{}.json", std::process::id()));
        let delay = Some(Fault::Delay { duration_ms: 5 });
        std::fs::write(
            &file,
            r#"[{"path":"/a*","skip":1,"count":2,"fault":{"kind":"delay","durationMs":5}}]"#,
        )
        .unwrap();
        let rules = Rules::of(file.clone()).unwrap();
        let hits: Vec<_> = ["/a1", "/a2", "/b", "/a3", "/a4"]
            .map(|path| rules.fault_for(path))
            .into();
        assert_eq!(hits, [None, delay.clone(), None, delay, None]);
        std::fs::write(&file, r#"[{"path":"/b","fault":{"kind":"go-away"}}]"#).unwrap();
        assert_eq!(rules.fault_for("/b"), Some(Fault::GoAway {}));
        std::fs::write(&file, r#"[{"fault":{"kind":"udp-silence","direction":"in"}}]"#).unwrap();
        std::thread::sleep(LOOK_EVERY);
        assert!(rules.silences(Direction::In) && !rules.silences(Direction::Out));
        assert_eq!(rules.fault_for("/b"), None);
        std::fs::write(&file, "[]").unwrap();
        assert_eq!(rules.fault_for("/b"), None);
        std::fs::write(&file, "[{}]").unwrap();
        assert!(Rules::of(file.clone()).is_err_and(|error| error.contains("cannot be read")));
        std::fs::remove_file(file).unwrap();
    }
}
