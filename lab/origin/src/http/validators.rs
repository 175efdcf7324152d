//! ETag and Last-Modified of a file, and the conditions that requests make with them (RFC 9110 §8.8 and §13).

use http::{HeaderMap, header};
use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub struct Validators {
    /// Strong: time of the last change in nanoseconds, and size.
    pub etag: String,
    /// Whole seconds, as an HTTP date has them.
    pub modified: SystemTime,
}

/// What to do with a request for a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Send,
    NotModified,
    PreconditionFailed,
}

impl Validators {
    pub fn of(metadata: &Metadata) -> Validators {
        let modified = metadata.modified().unwrap_or(UNIX_EPOCH);
        let since_epoch = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        Validators {
            etag: format!("\"{:x}-{:x}\"", since_epoch.as_nanos(), metadata.len()),
            modified: UNIX_EPOCH + Duration::from_secs(since_epoch.as_secs()),
        }
    }

    /// The order is RFC 9110 §13.2.2; a date counts only where the stronger entity tag is not given.
    pub fn judge(&self, headers: &HeaderMap) -> Verdict {
        let if_match = text(headers, header::IF_MATCH);
        let unmodified_since = date(headers, header::IF_UNMODIFIED_SINCE);
        let failed = match if_match {
            Some(tags) => !self.is_among(tags, false),
            None => unmodified_since.is_some_and(|since| self.modified > since),
        };
        if failed {
            return Verdict::PreconditionFailed;
        }
        let unchanged = match text(headers, header::IF_NONE_MATCH) {
            Some(tags) => self.is_among(tags, true),
            None => date(headers, header::IF_MODIFIED_SINCE).is_some_and(|since| self.modified <= since),
        };
        if unchanged {
            Verdict::NotModified
        } else {
            Verdict::Send
        }
    }

    /// Whether a Range header counts: If-Range must name this very file, by a strong tag or by the exact date.
    pub fn allows_range(&self, headers: &HeaderMap) -> bool {
        match headers.get(header::IF_RANGE) {
            None => true,
            Some(value) => value.to_str().is_ok_and(|value| {
                value == self.etag
                    || httpdate::parse_http_date(value).is_ok_and(|named| named == self.modified)
            }),
        }
    }

    fn is_among(&self, tags: &str, weak: bool) -> bool {
        tags.trim() == "*"
            || tags.split(',').map(str::trim).any(|tag| {
                tag == self.etag || (weak && tag.strip_prefix("W/").is_some_and(|strong| strong == self.etag))
            })
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn date(headers: &HeaderMap, name: header::HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(text(headers, name)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGED: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const BEFORE: &str = "Sun, 06 Nov 1994 08:49:36 GMT";

    fn validators() -> Validators {
        Validators {
            etag: "\"a-1\"".into(),
            modified: httpdate::parse_http_date(CHANGED).unwrap(),
        }
    }

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn what_a_cache_has_is_not_sent_again() {
        for tags in ["\"a-1\"", "W/\"a-1\"", "\"b\", \"a-1\"", "*"] {
            assert_eq!(
                validators().judge(&headers(&[(header::IF_NONE_MATCH, tags)])),
                Verdict::NotModified,
                "{tags}"
            );
        }
        assert_eq!(
            validators().judge(&headers(&[(header::IF_MODIFIED_SINCE, CHANGED)])),
            Verdict::NotModified
        );
        assert_eq!(
            validators().judge(&headers(&[(header::IF_MODIFIED_SINCE, BEFORE)])),
            Verdict::Send
        );
        // The tag takes precedence: an equal date does not help a tag that differs.
        let both = [
            (header::IF_NONE_MATCH, "\"b\""),
            (header::IF_MODIFIED_SINCE, CHANGED),
        ];
        assert_eq!(validators().judge(&headers(&both)), Verdict::Send);
        assert_eq!(
            validators().judge(&headers(&[(header::IF_MODIFIED_SINCE, "yesterday")])),
            Verdict::Send
        );
    }

    #[test]
    fn preconditions_fail_on_another_file() {
        assert_eq!(
            validators().judge(&headers(&[(header::IF_MATCH, "\"b\"")])),
            Verdict::PreconditionFailed
        );
        assert_eq!(
            validators().judge(&headers(&[(header::IF_MATCH, "W/\"a-1\"")])),
            Verdict::PreconditionFailed
        );
        assert_eq!(
            validators().judge(&headers(&[(header::IF_MATCH, "\"a-1\"")])),
            Verdict::Send
        );
        assert_eq!(
            validators().judge(&headers(&[(header::IF_UNMODIFIED_SINCE, BEFORE)])),
            Verdict::PreconditionFailed
        );
    }

    #[test]
    fn a_range_of_another_file_is_not_sent() {
        for (value, allowed) in [
            ("\"a-1\"", true),
            ("W/\"a-1\"", false),
            ("\"b\"", false),
            (CHANGED, true),
            (BEFORE, false),
        ] {
            assert_eq!(
                validators().allows_range(&headers(&[(header::IF_RANGE, value)])),
                allowed,
                "{value}"
            );
        }
        assert!(validators().allows_range(&HeaderMap::new()));
    }
}
