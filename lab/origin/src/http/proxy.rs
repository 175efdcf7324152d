//! A mount whose answers another server on this machine makes.

use crate::http::body::Body;
use crate::http::static_file::{busy, is_out_of_descriptors, status};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, Uri, header};
use http_body_util::BodyExt;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::io;
use tokio::net::TcpStream;

/// They belong to one connection (RFC 9110 §7.6.1).
const HOP_BY_HOP: [header::HeaderName; 6] = [
    header::CONNECTION,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::TE,
    header::TRAILER,
    header::PROXY_AUTHORIZATION,
];

/// Asks `host:port` for `path`, and passes the answer on as it comes. 502 where nobody answers.
pub async fn proxied(target: &str, path: &str, asked: Request<Body>) -> Response<Body> {
    match ask(target, path, asked).await {
        Ok(response) => response,
        Err(error)
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(is_out_of_descriptors) =>
        {
            busy()
        }
        Err(error) => {
            tracing::warn!("{target} did not answer for {path}: {error}");
            status(StatusCode::BAD_GATEWAY)
        }
    }
}

async fn ask(
    target: &str,
    path: &str,
    asked: Request<Body>,
) -> Result<Response<Body>, Box<dyn std::error::Error + Send + Sync>> {
    let socket = TcpStream::connect(target).await?;
    socket.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(socket)).await?;
    tokio::spawn(connection);
    let (asked, body) = asked.into_parts();
    let mut request = Request::new(body);
    *request.method_mut() = asked.method;
    *request.uri_mut() = path.parse::<Uri>()?;
    *request.headers_mut() = end_to_end(asked.headers);
    request
        .headers_mut()
        .insert(header::HOST, HeaderValue::from_str(target)?);
    let (answer, body) = sender.send_request(request).await?.into_parts();
    let mut response = Response::new(body.map_err(io::Error::other).boxed_unsync());
    *response.status_mut() = answer.status;
    *response.headers_mut() = end_to_end(answer.headers);
    Ok(response)
}

fn end_to_end(mut headers: HeaderMap) -> HeaderMap {
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
    headers.remove("keep-alive");
    headers
}
