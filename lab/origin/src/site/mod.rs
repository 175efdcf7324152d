//! The one handler behind all protocols.

mod app;
mod mount_path;
mod policy;
mod requested_defect;
mod route;

use crate::access_log::Pending;
use crate::faults::{Fault, Rules, with_fault};
use crate::hosts::Hosts;
use crate::http::body::{self, Body};
use crate::http::static_file::insert;
use crate::line_log::LineLog;
use crate::priority::{Priority, Rank, ordered};
use crate::transport::{Connection, InProgress, Timeouts, cmsd_dynamic, server_timing};
pub use app::App;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, header};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
const CMSD_DYNAMIC: HeaderName = HeaderName::from_static("cmsd-dynamic");

pub struct Site {
    pub hosts: Hosts,
    /// Longest prefix first.
    pub mounts: Vec<(String, Mount)>,
    /// Prefixes of those that pages of other origins may not read.
    pub private: Vec<String>,
    pub app: Option<App>,
    /// Fixed JSON by path, on the plain port.
    pub answers: BTreeMap<String, String>,
    /// Port on which h3 can be had, advertised on the TLS port's h1 and h2.
    pub h3_port: Option<u16>,
    pub access_log: Option<LineLog>,
    pub faults: Option<Arc<Rules>>,
    pub timeouts: Timeouts,
}

pub enum Mount {
    Folder(PathBuf),
    /// `host:port` of a server on this machine.
    Proxy(String),
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
        let in_progress = InProgress::of(connection);
        let (asked, asked_body) = asked.into_parts();
        let rank = asked.extensions.get::<Rank>().copied();
        let rank = rank.unwrap_or_else(|| connection.schedule.rank(Priority::of(&asked.headers)));
        let pending = self
            .access_log
            .clone()
            .map(|log| Pending::new(log, &asked, connection.clone()));
        let path = asked.uri.path();
        let fault = self.faults.as_ref().and_then(|rules| rules.fault_for(path));
        if let Some(Fault::Delay { duration_ms }) = fault {
            tokio::time::sleep(Duration::from_millis(duration_ms)).await;
        }
        let mut response = self.route(&asked, asked_body, port).await;
        // The headers of a HEAD are those of its GET, length included (RFC 9110 §9.3.2).
        if asked.method == Method::HEAD {
            *response.body_mut() = body::empty();
        }
        if let Some(fault) = fault {
            response = with_fault(response, &fault, connection);
        }
        self.tell(response.headers_mut(), port, connection);
        let response = response.map(|body| ordered(body, rank, in_progress));
        match pending {
            Some(pending) => pending.until_sent(response),
            None => response,
        }
    }

    /// What every response says of the connection and of this server.
    fn tell(&self, headers: &mut HeaderMap, port: Port, connection: &Connection) {
        if let Some(sample) = connection.sample() {
            insert(headers, SERVER_TIMING, &server_timing(connection.id, &sample));
            if let Some(cmsd) = cmsd_dynamic(&sample) {
                insert(headers, CMSD_DYNAMIC, &cmsd);
            }
        }
        let is_h3_told = port == Port::Tls && connection.protocol != "h3";
        if let Some(h3_port) = self.h3_port.filter(|_| is_h3_told) {
            let service = format!("h3=\":{h3_port}\"; ma=2592000");
            insert(headers, header::ALT_SVC, &service);
        }
        headers.insert(header::SERVER, HeaderValue::from_static("pitwall-origin"));
    }
}
