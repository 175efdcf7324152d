//! Who makes the answer for a URL.

use super::asked_defect::asked_defect;
use super::mount_path::{below, without_prefix};
use super::{Mount, Port, Site};
use crate::body::{self, Body};
use crate::cors::cors;
use crate::proxy::proxied;
use crate::static_file::{file_in, insert, status};
use http::{HeaderValue, Request, Response, StatusCode, header, request};

impl Site {
    pub(super) async fn route(&self, asked: &request::Parts, asked_body: Body, port: Port) -> Response<Body> {
        let path = asked.uri.path();
        if let Some(json) = self.answers.get(path).filter(|_| port == Port::Plain) {
            return fixed(json);
        }
        let mut response = match asked_defect(path, asked) {
            Some(response) => response,
            None => self.content(asked, asked_body, port).await,
        };
        for (name, value) in &cors(path, &asked.headers) {
            response
                .headers_mut()
                .entry(name)
                .or_insert_with(|| value.clone());
        }
        response
            .headers_mut()
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
        response
    }

    async fn content(&self, asked: &request::Parts, asked_body: Body, port: Port) -> Response<Body> {
        let path = without_prefix(asked.uri.path());
        let mount = self
            .mounts
            .iter()
            .find_map(|(prefix, mount)| Some((below(prefix, path)?, mount)));
        match (mount, &self.app) {
            (Some((rest, Mount::Folder(folder))), _) => file_in(folder, rest, asked),
            (Some((rest, Mount::Proxy(target))), _) => {
                let query = asked
                    .uri
                    .query()
                    .map_or(String::new(), |query| format!("?{query}"));
                proxied(
                    target,
                    &format!("{rest}{query}"),
                    Request::from_parts(asked.clone(), asked_body),
                )
                .await
            }
            (None, Some(app)) if port == Port::Plain && path == asked.uri.path() => app.answer(path, asked),
            _ => status(StatusCode::NOT_FOUND),
        }
    }
}

fn fixed(json: &str) -> Response<Body> {
    let mut response = Response::new(body::text(json.to_owned()));
    insert(response.headers_mut(), header::CONTENT_TYPE, "application/json");
    response
}
