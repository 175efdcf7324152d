//! Who makes the answer for a URL, and who may read it.

use super::mount_path::{below, without_prefix};
use super::policy::protect;
use super::requested_defect::{is_defect, requested_defect};
use super::{App, Mount, Port, Site};
use crate::http::body::{self, Body};
use crate::http::cors;
use crate::http::proxied;
use crate::http::static_file::{file_in, insert, status};
use http::{HeaderValue, Request, Response, StatusCode, header, request};

/// What stands at a path.
enum Place<'a> {
    /// A JSON text of the app's.
    Answer(&'a str),
    /// What players everywhere may read; the rest is what of the path is below it.
    Media(&'a Mount, &'a str),
    /// What only the app's own page may read.
    Private(&'a Mount, &'a str),
    App(&'a App),
    Nothing,
}

impl Site {
    pub(super) async fn route(&self, asked: &request::Parts, asked_body: Body, port: Port) -> Response<Body> {
        if let Some(code) = self.hosts.refusal(asked) {
            return refused(code);
        }
        let path = asked.uri.path();
        let place = self.place(path, port);
        if let Place::Answer(json) = place {
            return fixed(json);
        }
        let is_media = match place {
            Place::Media(..) => true,
            // A player that asks for what is not there shall see the 404.
            Place::Nothing => port == Port::Tls,
            _ => is_defect(path),
        };
        let is_app = matches!(place, Place::App(_)) && !is_defect(path);
        let mut response = match requested_defect(path, asked) {
            Some(response) => response,
            None => content(place, asked, asked_body).await,
        };
        let headers = response.headers_mut();
        if !is_app {
            protect(headers);
        }
        if is_media {
            for (name, value) in &cors(path, &asked.headers) {
                headers.entry(name).or_insert_with(|| value.clone());
            }
        }
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
        response
    }

    fn place<'a>(&'a self, path: &'a str, port: Port) -> Place<'a> {
        if let Some(json) = self.answers.get(path).filter(|_| port == Port::Plain) {
            return Place::Answer(json);
        }
        let unprefixed = without_prefix(path);
        let is_prefixed = unprefixed.len() < path.len();
        let mount = self
            .mounts
            .iter()
            .find_map(|(prefix, mount)| Some((prefix, mount, below(prefix, unprefixed)?)));
        match (mount, &self.app) {
            (Some((prefix, mount, rest)), _) if !self.private.contains(prefix) => Place::Media(mount, rest),
            (Some((_, mount, rest)), _) if !is_prefixed => Place::Private(mount, rest),
            (None, Some(app)) if port == Port::Plain && !is_prefixed => Place::App(app),
            _ => Place::Nothing,
        }
    }
}

async fn content(place: Place<'_>, asked: &request::Parts, asked_body: Body) -> Response<Body> {
    match place {
        Place::Media(Mount::Folder(folder), rest) | Place::Private(Mount::Folder(folder), rest) => {
            file_in(folder, rest, asked)
        }
        Place::Media(Mount::Proxy(target), rest) | Place::Private(Mount::Proxy(target), rest) => {
            let query = asked
                .uri
                .query()
                .map_or(String::new(), |query| format!("?{query}"));
            let request = Request::from_parts(asked.clone(), asked_body);
            proxied(target, &format!("{rest}{query}"), request).await
        }
        Place::App(app) => app.answer(asked.uri.path(), asked),
        Place::Answer(_) | Place::Nothing => status(StatusCode::NOT_FOUND),
    }
}

fn refused(code: StatusCode) -> Response<Body> {
    let mut response = status(code);
    *response.body_mut() = body::text(match code {
        StatusCode::MISDIRECTED_REQUEST => "This server has another name.",
        _ => "A request must name one host.",
    });
    protect(response.headers_mut());
    response
}

fn fixed(json: &str) -> Response<Body> {
    let mut response = Response::new(body::text(json.to_owned()));
    insert(response.headers_mut(), header::CONTENT_TYPE, "application/json");
    protect(response.headers_mut());
    response
}
