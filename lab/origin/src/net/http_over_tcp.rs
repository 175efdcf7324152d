//! HTTP/1.1 and HTTP/2, spoken by hyper.

use super::guarded::{Guarded, Stream};
use crate::http::body::Body;
use crate::site::{Port, Site};
use crate::transport::Connection;
use http::{HeaderValue, Request, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::{HttpService, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

/// Per request; a browser sends about 2 KiB.
const MAX_HEADER_BYTES: u32 = 64 * 1024;
/// What h2 keeps of a body per stream, beyond what the socket takes: what is in there goes out before a more urgent
/// response that comes later.
const H2_STREAM_BUFFER_BYTES: usize = 128 * 1024;

pub async fn http1_on<S: Stream>(stream: Guarded<S>, site: &Arc<Site>, port: Port) -> hyper::Result<()> {
    let connection = stream.observed.connection.clone();
    let service = answers(&connection, site, port);
    let mut builder = http1::Builder::new();
    // Our own timeout begins with the first byte of a request, hyper's with the end of the one before.
    builder.header_read_timeout(None).half_close(true);
    let serving = builder.serve_connection(TokioIo::new(stream), service);
    until_over(serving, |serving| serving.graceful_shutdown(), &connection, site).await
}

pub async fn http2_on<S: Stream>(stream: Guarded<S>, site: &Arc<Site>) -> hyper::Result<()> {
    let connection = stream.observed.connection.clone();
    let service = answers(&connection, site, Port::Tls);
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .max_header_list_size(MAX_HEADER_BYTES)
        .max_send_buf_size(H2_STREAM_BUFFER_BYTES);
    let serving = builder.serve_connection(TokioIo::new(stream), service);
    until_over(serving, |serving| serving.graceful_shutdown(), &connection, site).await
}

/// Serves until the client goes, is asked to `leave` and has its last response, or exceeds one of our timeouts.
async fn until_over<S: Future<Output = hyper::Result<()>>>(
    serving: S,
    leave: impl FnOnce(Pin<&mut S>),
    connection: &Connection,
    site: &Site,
) -> hyper::Result<()> {
    let mut serving = std::pin::pin!(serving);
    let mut overdue = std::pin::pin!(connection.activity.overdue(site.timeouts));
    let reason = tokio::select! {
        ended = serving.as_mut() => return ended,
        reason = overdue.as_mut() => reason,
        () = connection.leaving() => {
            leave(serving.as_mut());
            tokio::select! {
                ended = serving => return ended,
                reason = overdue => reason,
            }
        }
    };
    connection.log_timeout(&reason);
    Ok(())
}

/// What answers the requests of one connection.
fn answers(
    connection: &Arc<Connection>,
    site: &Arc<Site>,
    port: Port,
) -> impl HttpService<Incoming, ResBody = Body, Error = Infallible, Future: Send + 'static> + 'static {
    let (connection, site) = (connection.clone(), site.clone());
    service_fn(move |request: Request<Incoming>| {
        let (site, connection) = (site.clone(), connection.clone());
        async move {
            // Where a body without a length ends is hyper's knowledge alone: nothing comes behind it (`Http1Heads`).
            let is_last = request.headers().contains_key(header::TRANSFER_ENCODING);
            let request = request.map(|body| body.map_err(io::Error::other).boxed_unsync());
            let mut response = site.answer(request, port, &connection).await;
            if is_last {
                let headers = response.headers_mut();
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response)
        }
    })
}
