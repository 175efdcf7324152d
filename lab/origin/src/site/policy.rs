//! What a browser may do with an answer that it shows as a page of its own.

use http::{HeaderMap, HeaderValue, header};

/// Files of others, opened in a tab: no script runs, nothing is loaded, and the page is of no origin. The style is for what
/// browsers draw around media and text themselves.
const FOREIGN: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/// For everything that is not the app: beside it, on its own origin, a page or an SVG could act in its name.
pub fn protect(headers: &mut HeaderMap) {
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FOREIGN));
}
