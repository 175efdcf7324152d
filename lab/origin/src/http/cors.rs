//! What a player on another origin may see of a response. A prefix of the path takes something away, for tests.

use http::{HeaderMap, HeaderName, HeaderValue, header};

const TIMING_ALLOW_ORIGIN: HeaderName = HeaderName::from_static("timing-allow-origin");
/// Without it CMSD, Date and sizes stay hidden.
const EXPOSED: &str =
    "Server-Timing, CMSD-Static, CMSD-Dynamic, Content-Length, Content-Range, Date, ETag, Alt-Svc";
/// `*` covers a player's own headers, but never Authorization (Fetch standard, CORS-preflight fetch).
const ALLOWED: &str =
    "Range, CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Content-Type, Authorization, *";
const METHODS: &str = "GET, HEAD, OPTIONS, POST";

/// The headers for `path` as asked, before any prefix is taken off.
pub fn cors(path: &str, asked: &HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if !path.starts_with("/no-tao/") {
        headers.insert(TIMING_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    if path.starts_with("/no-cors/") {
        return headers;
    }
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static(EXPOSED),
    );
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static(ALLOWED),
    );
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_METHODS,
        HeaderValue::from_static(METHODS),
    );
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("7200"));
    if !path.starts_with("/with-credentials/") {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        return headers;
    }
    // A wildcard is not enough once cookies travel: the asking origin must be named (Fetch standard, CORS check).
    if let Some(origin) = asked.get(header::ORIGIN) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
        HeaderValue::from_static("true"),
    );
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    headers
}
