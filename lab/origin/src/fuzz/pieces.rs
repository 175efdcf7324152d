//! Texts put together of what has meaning, and of what should have none.

use super::random::Random;

const PATH: [&str; 40] = [
    "/",
    "//",
    "/.",
    "/..",
    "..",
    ".",
    "%2e",
    "%2E%2e",
    "%2f",
    "%5c",
    "\\",
    "%00",
    "%",
    "%2",
    "%zz",
    "%ff",
    "%c0%ae",
    "%252e",
    "a.m4s",
    "sub",
    "index.html",
    "secret",
    "out",
    "up",
    "in",
    "media",
    "no-tao",
    "no-cors",
    "with-credentials",
    "status",
    "503",
    "404",
    "200",
    "redirect",
    "?",
    "#",
    ":",
    "*",
    "%C3%BC",
    "~",
];
const RANGE: [&str; 18] = [
    "bytes",
    "=",
    "-",
    ",",
    " ",
    "0",
    "1",
    "9",
    "10",
    "11",
    "999",
    "18446744073709551615",
    "18446744073709551616",
    "-5",
    "0-0",
    "2-5",
    "items",
    "\t",
];
const PRIORITY: [&str; 14] = [
    "u", "=", "0", "3", "7", "8", "-1", "i", "?1", "?0", ",", ";", "\"", "\\",
];
const TAG: [&str; 9] = [
    "\"",
    "W/",
    "*",
    ",",
    " ",
    "a",
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "99",
    "\t",
];
const RULE: [&str; 24] = [
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "\"path\"",
    "\"*\"",
    "\"/a*\"",
    "\"fault\"",
    "\"kind\"",
    "\"delay\"",
    "\"stall\"",
    "\"udp-silence\"",
    "\"afterBytes\"",
    "\"durationMs\"",
    "\"skip\"",
    "\"count\"",
    "\"fromMs\"",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "null",
];

fn joined(random: &mut Random, pieces: &[&str], most: usize) -> String {
    (0..random.below(most)).map(|_| random.of_these(pieces)).collect()
}

/// Always with a slash at its beginning, as every request's.
pub fn path(random: &mut Random) -> String {
    let mut path = String::from(random.of_these(&["/", "/media/", "/media", "/no-tao/media/"]));
    for piece in 0..random.below(8) {
        if piece > 0 && !random.one_in(3) {
            path.push('/');
        }
        path.push_str(random.of_these(&PATH));
    }
    path
}

pub fn range(random: &mut Random) -> String {
    let unit = random.of_these(&["bytes=", "bytes=", "bytes=", ""]);
    format!("{unit}{}", joined(random, &RANGE, 12))
}

pub fn priority(random: &mut Random) -> String {
    joined(random, &PRIORITY, 10)
}

pub fn tags(random: &mut Random) -> String {
    joined(random, &TAG, 6)
}

/// Rules in JSON, now and then ones that are understood.
pub fn rules(random: &mut Random) -> String {
    let fault = random.of_these(&[
        r#"{"kind":"go-away"}"#,
        r#"{"kind":"status","status":70000}"#,
        r#"{"kind":"status","status":99}"#,
        r#"{"kind":"drip","rateKbps":18446744073709551615}"#,
        r#"{"kind":"wrong-length","extraBytes":18446744073709551615}"#,
        r#"{"kind":"truncate","afterBytes":3}"#,
        r#"{"kind":"reset","afterBytes":0}"#,
    ]);
    match random.below(3) {
        0 => joined(random, &RULE, 20),
        1 => format!(
            r#"[{{"path":"{}","fault":{fault}}}]"#,
            random.of_these(&["*", "/*a*", "", "**"])
        ),
        _ => format!(
            r#"[{{"path":"*","skip":18446744073709551615,"count":18446744073709551615,"fault":{fault}}}]"#
        ),
    }
}
