//! HTTP/3 over QUIC.

use crate::body::{self, Body};
use crate::site::{Port, Site};
use crate::transport::{Connection, Connections};
use bytes::{Buf, Bytes};
use h3::error::Code;
use h3::quic::BidiStream;
use h3::server::{RequestResolver, RequestStream};
use http::{HeaderValue, Method, Request, Response, header};
use http_body_util::BodyExt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Who has not finished a handshake by then never will.
const PATIENCE: Duration = Duration::from_secs(10);
/// A request's headers, or the body of a POST.
const REQUEST_WITHIN: Duration = Duration::from_secs(30);
/// A player's report is some kilobytes.
const MOST_BODY_BYTES: usize = 1024 * 1024;
/// What one field section may hold; a browser sends about 2 KiB.
const MOST_HEADER_BYTES: u64 = 64 * 1024;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Accepts for as long as the endpoint is open.
pub async fn serve_http3(endpoint: quinn::Endpoint, site: Arc<Site>, connections: Arc<Connections>) {
    while let Some(incoming) = endpoint.accept().await {
        let (site, connections) = (site.clone(), connections.clone());
        tokio::spawn(async move {
            if let Err(error) = greet(incoming, site, connections).await {
                tracing::debug!("a QUIC connection ended: {error}");
            }
        });
    }
}

async fn greet(
    incoming: quinn::Incoming,
    site: Arc<Site>,
    connections: Arc<Connections>,
) -> Result<(), Failure> {
    let mut connecting = incoming.accept()?;
    // A ClientHello may come in two datagrams (Chromium's does). Before it is whole the client's limit of streams is unknown,
    // h3 would wait to open its first one, and quinn 0.11 wakes nobody when the limit comes with the handshake.
    tokio::time::timeout(PATIENCE, connecting.handshake_data()).await??;
    // A server may speak before the client's handshake is complete; with 0-RTT a first request is there by then.
    let quic = match connecting.into_0rtt() {
        Ok((quic, _)) => quic,
        Err(connecting) => tokio::time::timeout(PATIENCE, connecting).await??,
    };
    let observed = connections.observe_quic(quic.clone());
    let mut builder = h3::server::builder();
    builder.max_field_section_size(MOST_HEADER_BYTES);
    let mut http3 = builder.build::<_, Bytes>(h3_quinn::Connection::new(quic)).await?;
    loop {
        let accepted = tokio::select! {
            accepted = http3.accept() => accepted?,
            () = observed.connection.leaving() => {
                // One more than the last: that one is still answered.
                http3.shutdown(1).await?;
                continue;
            }
        };
        let Some(resolver) = accepted else {
            break;
        };
        let (site, connection) = (site.clone(), observed.connection.clone());
        tokio::spawn(async move {
            if let Err(error) = answer(resolver, site, connection).await {
                tracing::debug!("an h3 request ended: {error}");
            }
        });
    }
    Ok(())
}

async fn answer(
    resolver: RequestResolver<h3_quinn::Connection, Bytes>,
    site: Arc<Site>,
    connection: Arc<Connection>,
) -> Result<(), Failure> {
    let (request, mut stream) = tokio::time::timeout(REQUEST_WITHIN, resolver.resolve_request()).await??;
    let body = match *request.method() {
        Method::GET | Method::HEAD | Method::OPTIONS => body::empty(),
        _ => tokio::time::timeout(REQUEST_WITHIN, received(&mut stream)).await??,
    };
    let (mut parts, ()) = request.into_parts();
    parts.version = http::Version::HTTP_3;
    let response = site
        .answer(Request::from_parts(parts, body), Port::Tls, &connection)
        .await;
    send(response, &mut stream).await
}

async fn received<S: BidiStream<Bytes>>(stream: &mut RequestStream<S, Bytes>) -> Result<Body, Failure> {
    let mut bytes = Vec::new();
    while let Some(mut data) = stream.recv_data().await? {
        if bytes.len() + data.remaining() > MOST_BODY_BYTES {
            stream.stop_stream(Code::H3_EXCESSIVE_LOAD);
            return Err("the body of a request is too long".into());
        }
        bytes.extend_from_slice(&data.copy_to_bytes(data.remaining()));
    }
    Ok(body::text(bytes))
}

async fn send<S: BidiStream<Bytes>>(
    response: Response<Body>,
    stream: &mut RequestStream<S, Bytes>,
) -> Result<(), Failure> {
    let (mut parts, mut body) = response.into_parts();
    let date = httpdate::fmt_http_date(SystemTime::now());
    parts.headers.insert(header::DATE, HeaderValue::from_str(&date)?);
    stream.send_response(Response::from_parts(parts, ())).await?;
    while let Some(frame) = body.frame().await {
        match frame {
            Ok(frame) => {
                if let Ok(data) = frame.into_data() {
                    stream.send_data(data).await?;
                }
            }
            // The client must not take what it has for the whole.
            Err(error) => {
                stream.stop_stream(Code::H3_INTERNAL_ERROR);
                return Err(error.into());
            }
        }
    }
    stream.finish().await?;
    // What is left unread would be refused with STOP_SENDING; a GET's end is here long since.
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.recv_data()).await;
    Ok(())
}
