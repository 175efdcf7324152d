//! What a test asks for by the path alone: a status, a redirect.

use crate::http::body::{self, Body};
use crate::http::static_file::{insert, status};
use http::{Method, Response, StatusCode, header, request};

/// Whether the path alone asks for something that goes wrong.
pub fn is_defect(path: &str) -> bool {
    path.starts_with("/status/") || path.starts_with("/redirect/")
}

/// A preflight, or an answer that a test asks for by the path: `/status/503/…`, `/redirect/…`.
pub fn requested_defect(path: &str, asked: &request::Parts) -> Option<Response<Body>> {
    if asked.method == Method::OPTIONS {
        return Some(status(StatusCode::NO_CONTENT));
    }
    if let Some(rest) = path.strip_prefix("/status/") {
        let code = rest
            .split_once('/')
            .and_then(|(code, _)| code.parse().ok())
            .filter(|code| (200..600).contains(code));
        return code
            .and_then(|code| StatusCode::from_u16(code).ok())
            .map(asked_status);
    }
    let target = path.strip_prefix("/redirect/")?.trim_start_matches('/');
    let query = asked
        .uri
        .query()
        .map_or(String::new(), |query| format!("?{query}"));
    let mut response = status(StatusCode::FOUND);
    insert(
        response.headers_mut(),
        header::LOCATION,
        &format!("/{target}{query}"),
    );
    Some(response)
}

fn asked_status(code: StatusCode) -> Response<Body> {
    let mut response = status(code);
    // These two have no body (RFC 9110 §15.3.5, §15.4.5).
    if code != StatusCode::NO_CONTENT && code != StatusCode::NOT_MODIFIED {
        *response.body_mut() = body::text("The status that was asked for.");
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Request;

    #[test]
    fn a_redirect_stays_on_this_origin() {
        let (asked, ()) = Request::get("/redirect//elsewhere.test/a?b=1")
            .body(())
            .unwrap()
            .into_parts();
        let response = requested_defect(asked.uri.path(), &asked).unwrap();
        assert_eq!(response.headers()["location"], "/elsewhere.test/a?b=1");
    }

    #[test]
    fn gives_any_status_that_is_asked_for_and_no_other() {
        let status_of = |path: &str| {
            let (asked, ()) = Request::get(path).body(()).unwrap().into_parts();
            requested_defect(asked.uri.path(), &asked).map(|response| response.status().as_u16())
        };
        assert_eq!(status_of("/status/503/a"), Some(503));
        assert_eq!(status_of("/status/100/a"), None);
        assert_eq!(status_of("/status/999/a"), None);
        assert_eq!(status_of("/status/503"), None);
    }
}
