//! Which URL is what: the one handler behind all protocols.

use crate::access_log::Pending;
use crate::body::{self, Body};
use crate::cors::cors;
use crate::faults::{Fault, Rules, faulty_body};
use crate::file_below::file_below;
use crate::line_log::LineLog;
use crate::proxy::proxied;
use crate::static_file::{insert, static_file, status};
use crate::transport::{Connection, cmsd_dynamic, server_timing};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, header, request};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
const CMSD_DYNAMIC: HeaderName = HeaderName::from_static("cmsd-dynamic");

pub struct Site {
    /// Longest prefix first.
    pub mounts: Vec<(String, Mount)>,
    pub app: Option<App>,
    /// Fixed JSON by path, on the plain port.
    pub answers: BTreeMap<String, String>,
    /// Port on which h3 can be had, told on the TLS port's h1 and h2.
    pub h3_port: Option<u16>,
    pub access_log: Option<LineLog>,
    pub faults: Option<Rules>,
}

pub enum Mount {
    Folder(PathBuf),
    /// `host:port` of a server on this machine.
    Proxy(String),
}

/// The built page, at `/` of the plain port.
pub struct App {
    pub folder: PathBuf,
    pub policy: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Port {
    Tls,
    Plain,
}

impl Site {
    /// The response, whose line in the access log is written when it has been sent.
    pub async fn answer(
        &self,
        asked: Request<Body>,
        port: Port,
        connection: &Arc<Connection>,
    ) -> Response<Body> {
        let (asked, asked_body) = asked.into_parts();
        let pending = self
            .access_log
            .clone()
            .map(|log| Pending::new(log, &asked, connection.clone()));
        let fault = self
            .faults
            .as_ref()
            .and_then(|rules| rules.fault_for(asked.uri.path()));
        if let Some(Fault::Delay { duration_ms }) = fault {
            tokio::time::sleep(Duration::from_millis(duration_ms)).await;
        }
        let mut response = self.route(&asked, asked_body, port).await;
        if let Some(fault) = fault {
            response = with_fault(response, &fault, connection);
        }
        let headers = response.headers_mut();
        if let Some(sample) = connection.sample() {
            insert(headers, SERVER_TIMING, &server_timing(connection.id, &sample));
            if let Some(cmsd) = cmsd_dynamic(&sample) {
                insert(headers, CMSD_DYNAMIC, &cmsd);
            }
        }
        if let Some(h3_port) = self
            .h3_port
            .filter(|_| port == Port::Tls && connection.protocol != "h3")
        {
            insert(
                headers,
                header::ALT_SVC,
                &format!("h3=\":{h3_port}\"; ma=2592000"),
            );
        }
        headers.insert(header::SERVER, HeaderValue::from_static("pitwall-origin"));
        match pending {
            Some(pending) => pending.until_sent(response),
            None => response,
        }
    }

    async fn route(&self, asked: &request::Parts, asked_body: Body, port: Port) -> Response<Body> {
        let path = asked.uri.path();
        if let Some(json) = self.answers.get(path).filter(|_| port == Port::Plain) {
            return fixed(json);
        }
        let mut response = match defect(path, asked) {
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
            (Some((rest, Mount::Folder(folder))), _) => file(folder, rest, asked),
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

impl App {
    fn answer(&self, path: &str, asked: &request::Parts) -> Response<Body> {
        let mut response = file(&self.folder, path, asked);
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

fn file(folder: &std::path::Path, path: &str, asked: &request::Parts) -> Response<Body> {
    if asked.method != Method::GET && asked.method != Method::HEAD {
        let mut response = status(StatusCode::METHOD_NOT_ALLOWED);
        insert(response.headers_mut(), header::ALLOW, "GET, HEAD, OPTIONS");
        return response;
    }
    let response = match file_below(folder, path) {
        Some(found) => static_file(&found, &asked.method, &asked.headers),
        None => status(StatusCode::NOT_FOUND),
    };
    // The headers of a HEAD are those of its GET, length included (RFC 9110 §9.3.2).
    if asked.method == Method::HEAD {
        response.map(|_| body::empty())
    } else {
        response
    }
}

fn fixed(json: &str) -> Response<Body> {
    let mut response = Response::new(body::text(json.to_owned()));
    insert(response.headers_mut(), header::CONTENT_TYPE, "application/json");
    response
}

/// Headers are the handler's own, unless the fault is in them.
fn with_fault(mut response: Response<Body>, fault: &Fault, connection: &Arc<Connection>) -> Response<Body> {
    let headers = response.headers_mut();
    match fault {
        Fault::Status { status } => {
            for name in [
                header::CONTENT_LENGTH,
                header::CONTENT_RANGE,
                header::CONTENT_TYPE,
                header::ETAG,
            ] {
                headers.remove(name);
            }
            *response.status_mut() = StatusCode::from_u16(*status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
            *response.body_mut() = body::empty();
        }
        Fault::Truncate { .. } => {
            headers.remove(header::CONTENT_LENGTH);
        }
        Fault::WrongLength { extra_bytes } => {
            let said = headers
                .get(header::CONTENT_LENGTH)
                .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
            if let Some(said) = said {
                headers.insert(header::CONTENT_LENGTH, said.saturating_add(*extra_bytes).into());
            }
        }
        Fault::GoAway {} => {
            if connection.protocol == "http/1.1" {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            connection.go_away();
        }
        _ => {}
    }
    response.map(|body| faulty_body(body, fault, connection))
}

/// A preflight, or an answer that a test asks for by the path: `/status/503/…`, `/redirect/…`.
fn defect(path: &str, asked: &request::Parts) -> Option<Response<Body>> {
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

fn without_prefix(path: &str) -> &str {
    let prefixes = ["/no-tao", "/no-cors", "/with-credentials"];
    let found = prefixes
        .iter()
        .find_map(|prefix| path.strip_prefix(prefix).filter(|rest| rest.starts_with('/')));
    found.unwrap_or(path)
}

/// What is left of `path` below the mount, with its slash. `/` is below every path.
fn below<'a>(prefix: &str, path: &'a str) -> Option<&'a str> {
    if prefix == "/" {
        return Some(path);
    }
    path.strip_prefix(prefix).filter(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_a_whole_segment() {
        assert_eq!(below("/media", "/media/a.m4s"), Some("/a.m4s"));
        assert_eq!(below("/media", "/mediator/a.m4s"), None);
        assert_eq!(below("/media", "/media"), None);
        assert_eq!(below("/", "/a"), Some("/a"));
        assert_eq!(without_prefix("/no-tao/media/a"), "/media/a");
        assert_eq!(without_prefix("/no-taoist/a"), "/no-taoist/a");
    }

    #[test]
    fn a_redirect_stays_on_this_origin() {
        let (asked, ()) = Request::get("/redirect//elsewhere.test/a?b=1")
            .body(())
            .unwrap()
            .into_parts();
        let response = defect(asked.uri.path(), &asked).unwrap();
        assert_eq!(response.headers()["location"], "/elsewhere.test/a?b=1");
    }

    #[test]
    fn gives_any_status_that_is_asked_for_and_no_other() {
        let status_of = |path: &str| {
            let (asked, ()) = Request::get(path).body(()).unwrap().into_parts();
            defect(asked.uri.path(), &asked).map(|response| response.status().as_u16())
        };
        assert_eq!(status_of("/status/503/a"), Some(503));
        assert_eq!(status_of("/status/100/a"), None);
        assert_eq!(status_of("/status/999/a"), None);
        assert_eq!(status_of("/status/503"), None);
    }
}
