//! The built page, at `/` of the plain port.

use crate::http::body::Body;
use crate::http::static_file::{file_in, insert};
use http::{HeaderValue, Response, header, request};
use std::path::PathBuf;

pub struct App {
    pub folder: PathBuf,
    pub policy: Option<String>,
}

impl App {
    pub fn answer(&self, path: &str, asked: &request::Parts) -> Response<Body> {
        let mut response = file_in(&self.folder, path, asked);
        let headers = response.headers_mut();
        if let Some(policy) = &self.policy {
            insert(headers, header::CONTENT_SECURITY_POLICY, policy);
        }
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        // Vite names files in assets/ after their content.
        if path.starts_with("/assets/") {
            headers.insert(
                header::CACHE_CONTROL,
                HeaderValue::from_static("public, max-age=31536000, immutable"),
            );
        }
        response
    }
}
