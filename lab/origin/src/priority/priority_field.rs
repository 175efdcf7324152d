//! The Priority header (RFC 9218 §4 and §5), a dictionary of structured fields (RFC 8941 §3.2).

use http::HeaderMap;

const MAX_URGENCY: u8 = 7;

/// What a request asks for; the defaults are the RFC's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priority {
    /// 0 is the most urgent, 7 the least.
    pub urgency: u8,
    /// The client can use a part of the response before all of it is there.
    pub incremental: bool,
}

impl Default for Priority {
    fn default() -> Priority {
        Priority {
            urgency: 3,
            incremental: false,
        }
    }
}

impl Priority {
    /// What is unknown, out of range or of another type is ignored member by member (RFC 9218 §4); of members that come
    /// twice the last counts.
    pub fn of(headers: &HeaderMap) -> Priority {
        let mut priority = Priority::default();
        for value in headers.get_all("priority") {
            let text = value.to_str().unwrap_or("");
            members(text).for_each(|member| priority.take(member));
        }
        priority
    }

    fn take(&mut self, member: &str) {
        // Parameters of a member mean nothing here.
        let member = member.split(';').next().unwrap_or("").trim();
        match member.split_once('=') {
            None if member == "i" => self.incremental = true,
            Some(("i", "?1")) => self.incremental = true,
            Some(("i", "?0")) => self.incremental = false,
            Some(("u", digits)) => {
                let known = digits.parse().ok().filter(|&urgency| urgency <= MAX_URGENCY);
                self.urgency = known.unwrap_or(self.urgency);
            }
            _ => {}
        }
    }
}

/// The members of a dictionary; a comma inside of a string divides nothing.
fn members(text: &str) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |letter| {
        let divides = letter == ',' && !quoted;
        quoted ^= letter == '"' && !escaped;
        escaped = letter == '\\' && quoted && !escaped;
        divides
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_browsers_send_and_forgives_the_rest() {
        for (value, urgency, incremental) in [
            ("", 3, false),
            ("u=1, i", 1, true),
            ("i", 3, true),
            ("u=0", 0, false),
            ("u=7,i=?1", 7, true),
            ("i, i=?0", 3, false),
            ("u=8, i", 3, true),
            ("u=-1", 3, false),
            ("u=high", 3, false),
            ("u=2;x=1, i;y", 2, true),
            ("a=\"u=1, i\\\", u=2\", u=5", 5, false),
            ("U=1, I", 3, false),
            ("u=1, u=6", 6, false),
            (",,=,;", 3, false),
        ] {
            let headers = HeaderMap::from_iter([("priority".parse().unwrap(), value.parse().unwrap())]);
            let expected = Priority { urgency, incremental };
            assert_eq!(Priority::of(&headers), expected, "{value}");
        }
    }
}
