//! One rule: a pattern of paths, when and how often, and the fault.

use serde::Deserialize;
use std::time::Duration;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rule {
    /// A path as asked, with `*` for any number of letters. Only faults of requests have one, and must.
    path: Option<String>,
    /// So many requests that match are left alone first.
    #[serde(default)]
    pub skip: u64,
    /// Then so many are hit. Absent: all.
    pub count: Option<u64>,
    /// Since the rules were given.
    #[serde(default)]
    pub from_ms: u64,
    pub until_ms: Option<u64>,
    pub fault: Fault,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Fault {
    /// Nothing is sent for that long.
    Delay { duration_ms: u64 },
    /// The body stops after so many bytes for that long, then goes on.
    Stall { after_bytes: u64, duration_ms: u64 },
    /// Another status instead of the answer.
    Status { status: u16 },
    /// The body ends after so many bytes as if that were all of it.
    Truncate { after_bytes: u64 },
    /// Content-Length says so many bytes more than there are.
    WrongLength { extra_bytes: u64 },
    /// The stream is reset after so many bytes (h1: the connection).
    Reset { after_bytes: u64 },
    /// The body comes no faster than that.
    Drip { rate_kbps: u64 },
    /// The whole connection is closed after so many bytes, with every other response on it.
    Close { after_bytes: u64 },
    /// This is answered, and the connection takes no further requests (GOAWAY; h1: Connection: close).
    GoAway {},
    /// No request's: all datagrams of the QUIC port are lost, in that direction as seen from here.
    UdpSilence {
        #[serde(default)]
        direction: Direction,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    In,
    Out,
    #[default]
    Both,
}

impl Rule {
    /// Whether a request for `path` is meant at this moment. The count is the caller's.
    pub fn matches(&self, path: &str, since: Duration) -> bool {
        self.is_in_time(since) && self.path.as_ref().is_some_and(|pattern| fits(pattern, path))
    }

    /// The direction in which UDP is silent at this moment.
    pub fn silences(&self, since: Duration) -> Option<Direction> {
        match self.fault {
            Fault::UdpSilence { direction } => self.is_in_time(since).then_some(direction),
            _ => None,
        }
    }

    /// Why the rule cannot be meant.
    pub fn contradiction(&self) -> Option<&'static str> {
        let counts = self.skip > 0 || self.count.is_some();
        match (&self.fault, &self.path) {
            (Fault::UdpSilence { .. }, None) if !counts => None,
            (Fault::UdpSilence { .. }, _) => Some("udp-silence has times, but no path, skip or count"),
            (_, None) => Some("a fault of requests needs a path"),
            _ => None,
        }
    }

    fn is_in_time(&self, since: Duration) -> bool {
        let now = since.as_millis();
        now >= u128::from(self.from_ms) && self.until_ms.is_none_or(|until| now < u128::from(until))
    }
}

/// Whether `text` is what `pattern` says. Greedy, with one way back per `*`: never more than pattern × text steps.
fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at, read));
            at += 1;
        } else if pattern.get(at) == Some(&text[read]) {
            at += 1;
            read += 1;
        } else if let Some((after, from)) = star {
            star = Some((after, from + 1));
            at = after + 1;
            read = from + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|&letter| letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_number_of_letters() {
        for (pattern, text, does) in [
            ("/media/*.m4s", "/media/demo/seg-1.m4s", true),
            ("/media/*.m4s", "/media/demo/seg-1.mp4", false),
            ("*", "", true),
            ("*seg*2*", "/a/seg-12.m4s", true),
            ("/a", "/ab", false),
            ("/ab", "/a", false),
            ("/*a*b", "/ab/ab/b", true),
        ] {
            assert_eq!(fits(pattern, text), does, "{pattern} on {text}");
        }
    }

    #[test]
    fn has_its_time() {
        let text = r#"{"path":"*","fromMs":100,"untilMs":200,"fault":{"kind":"stall","afterBytes":5,"durationMs":1}}"#;
        let rule: Rule = serde_json::from_str(text).unwrap();
        assert_eq!(
            rule.fault,
            Fault::Stall {
                after_bytes: 5,
                duration_ms: 1
            }
        );
        for (ms, does) in [(99, false), (100, true), (199, true), (200, false)] {
            assert_eq!(rule.matches("/a", Duration::from_millis(ms)), does, "{ms} ms");
        }
    }

    #[test]
    fn does_not_take_what_it_does_not_know() {
        for text in [
            r#"{"path":"*","fault":{"kind":"explode"}}"#,
            r#"{"path":"*","fault":{"kind":"delay"}}"#,
            r#"{"fromMs":5,"fault":{"kind":"udp-silence","direction":"up"}}"#,
            r#"{"path":"*","often":1,"fault":{"kind":"go-away"}}"#,
        ] {
            assert!(serde_json::from_str::<Rule>(text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Rule>(r#"{"path":"*","fault":{"kind":"go-away"}}"#).is_ok());
    }

    #[test]
    fn a_silence_is_of_no_path_and_everything_else_is_of_one() {
        for (text, does) in [
            (r#"{"fault":{"kind":"udp-silence"}}"#, true),
            (
                r#"{"fromMs":1,"untilMs":2,"fault":{"kind":"udp-silence","direction":"in"}}"#,
                true,
            ),
            (r#"{"path":"*","fault":{"kind":"udp-silence"}}"#, false),
            (r#"{"count":1,"fault":{"kind":"udp-silence"}}"#, false),
            (r#"{"fault":{"kind":"go-away"}}"#, false),
        ] {
            let rule: Rule = serde_json::from_str(text).unwrap();
            assert_eq!(rule.contradiction().is_none(), does, "{text}");
        }
    }

    #[test]
    fn is_silent_in_its_time_alone() {
        let text = r#"{"fromMs":100,"untilMs":200,"fault":{"kind":"udp-silence","direction":"out"}}"#;
        let rule: Rule = serde_json::from_str(text).unwrap();
        let silence = [99, 100, 200].map(|ms| rule.silences(Duration::from_millis(ms)));
        assert_eq!(silence, [None, Some(Direction::Out), None]);
        assert!(!rule.matches("/a", Duration::from_millis(150)));
    }
}
