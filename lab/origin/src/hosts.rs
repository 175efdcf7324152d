//! The names under which this server is asked for. A page of another site whose name leads here, by its owner's DNS, is of
//! the same origin as what it asks for, and could read it (DNS rebinding): its name is what tells it apart.

use http::uri::Authority;
use http::{StatusCode, Version, header, request};
use std::borrow::Cow;
use std::net::IpAddr;

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Loopback's names, and what else was asked for.
pub struct Hosts {
    names: Vec<String>,
    /// Every address of the machine is listened on.
    is_any_address: bool,
}

impl Hosts {
    pub fn new(names: &[String], addresses: &[IpAddr]) -> Hosts {
        let addressed = addresses.iter().map(|address| match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        });
        let names = names.iter().map(|name| name.to_ascii_lowercase());
        Hosts {
            names: LOOPBACK
                .map(str::to_owned)
                .into_iter()
                .chain(names)
                .chain(addressed)
                .collect(),
            is_any_address: addresses.iter().any(IpAddr::is_unspecified),
        }
    }

    /// 421 where a name in the request is none of ours (with any port), 400 where it does not say one name (RFC 9112 §3.2).
    pub fn refusal(&self, asked: &request::Parts) -> Option<StatusCode> {
        let named: Vec<_> = asked.headers.get_all(header::HOST).iter().collect();
        let authority = asked.uri.authority();
        let must_name = asked.version == Version::HTTP_11 || authority.is_none();
        if named.len() > 1 || (named.is_empty() && must_name) {
            return Some(StatusCode::BAD_REQUEST);
        }
        let hosts = authority.map(Cow::Borrowed).into_iter().map(Some);
        let named = named
            .iter()
            .map(|value| Authority::try_from(value.as_bytes()).ok().map(Cow::Owned));
        for host in hosts.chain(named) {
            match host.filter(|host| !host.as_str().contains('@')) {
                None => return Some(StatusCode::BAD_REQUEST),
                Some(host) if !self.has(host.host()) => return Some(StatusCode::MISDIRECTED_REQUEST),
                Some(_) => {}
            }
        }
        None
    }

    /// One of the names, or a name right below one: the lab gives each session a name of its own.
    fn has(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let is_address = host.starts_with('[') || host.parse::<IpAddr>().is_ok();
        let above = host.split_once('.').map(|(_, above)| above);
        let above = above.filter(|above| !is_address && above.parse::<IpAddr>().is_err());
        (is_address && self.is_any_address)
            || self.names.iter().any(|name| *name == host || above == Some(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Request;

    /// Over h2 or h3 where the URI names a host, over http/1.1 else.
    fn status(hosts: &Hosts, uri: &str, host: &[&str]) -> u16 {
        let version = match uri.starts_with("https:") {
            true => Version::HTTP_2,
            false => Version::HTTP_11,
        };
        let mut request = Request::get(uri).version(version);
        for value in host {
            request = request.header("host", *value);
        }
        let (asked, ()) = request.body(()).unwrap().into_parts();
        hosts.refusal(&asked).map_or(200, |status| status.as_u16())
    }

    #[test]
    fn loopback_and_what_was_asked_for() {
        let hosts = Hosts::new(&["Origin.test".into()], &["10.0.0.2".parse().unwrap()]);
        for host in [
            "localhost",
            "LocalHost:8080",
            "127.0.0.1:1",
            "[::1]:8443",
            "origin.test:8443",
            "cell-1.origin.test",
            "10.0.0.2:8443",
        ] {
            let uri = format!("https://{host}/a");
            assert_eq!(status(&hosts, "/a", &[host]), 200, "{host}");
            assert_eq!(status(&hosts, &uri, &[]), 200, "{host}");
            assert_eq!(status(&hosts, &uri, &["evil.test"]), 421, "{host}");
        }
        for host in [
            "evil.test",
            "localhost.evil.test",
            "a.b.origin.test",
            "evilorigin.test",
            "10.0.0.3",
            "1.127.0.0.1",
            "[::2]",
        ] {
            assert_eq!(status(&hosts, "/a", &[host]), 421, "{host}");
        }
    }

    #[test]
    fn one_name_and_no_more() {
        let hosts = Hosts::new(&[], &[]);
        for named in [
            &[][..],
            &[""],
            &["a b"],
            &["localhost@evil.test"],
            &["evil.test@localhost"],
            &["localhost", "localhost"],
            &["localhost", "evil.test"],
        ] {
            assert_eq!(status(&hosts, "/a", named), 400, "{named:?}");
        }
    }

    #[test]
    fn every_address_where_all_are_listened_on() {
        let hosts = Hosts::new(&[], &["0.0.0.0".parse().unwrap()]);
        assert_eq!(status(&hosts, "/a", &["192.0.2.1:80"]), 200);
        assert_eq!(status(&hosts, "/a", &["[2001:db8::1]:80"]), 200);
        assert_eq!(status(&hosts, "/a", &["evil.test"]), 421);
    }
}
