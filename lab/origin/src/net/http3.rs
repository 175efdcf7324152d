//! HTTP/3 over QUIC.

use super::handshakes::{Admission, Handshake, Handshakes};
use super::quic_streams::{Priorities, QuicStreams, RequestStream as QuicStream};
use crate::access_log::Delivery;
use crate::http::body::{self, Body};
use crate::net::quic_transport::QuicLimits;
use crate::priority::Priority;
use crate::site::{Port, Site};
use crate::transport::{Connection, Connections};
use bytes::{Buf, Bytes};
use h3::error::{Code, ConnectionError};
use h3::server::{RequestResolver, RequestStream};
use http::{HeaderValue, Method, Request, Response, header};
use http_body_util::BodyExt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use tokio::time::{error::Elapsed, timeout_at};

/// RFC 9114 §8.1.
const H3_REQUEST_REJECTED: u32 = 0x10b;
/// Who has not finished a handshake by then never will.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// A player's report is some kilobytes.
const MAX_BODY_BYTES: usize = 1024 * 1024;
/// What one field section may hold; a browser sends about 2 KiB.
const MAX_HEADER_BYTES: u64 = 64 * 1024;

type Stream = RequestStream<QuicStream<Bytes>, Bytes>;
type Failure = Box<dyn std::error::Error + Send + Sync>;

pub struct QuicServer {
    pub site: Arc<Site>,
    pub connections: Arc<Connections>,
    pub handshakes: Arc<Handshakes>,
    pub limits: QuicLimits,
}

/// Accepts for as long as the endpoint is open.
pub async fn serve_http3(endpoint: quinn::Endpoint, server: Arc<QuicServer>) {
    while let Some(incoming) = endpoint.accept().await {
        let is_proven = incoming.remote_address_validated();
        let handshake = match server.handshakes.admit(is_proven, Instant::now()) {
            Admission::Begin(handshake) => handshake,
            Admission::Prove => {
                // Whoever has not proven its address may be asked to.
                let _ = incoming.retry();
                continue;
            }
            Admission::Ignore => {
                incoming.ignore();
                continue;
            }
        };
        let server = server.clone();
        tokio::spawn(async move {
            let remote = incoming.remote_address();
            match greet(incoming, handshake, &server).await {
                Err(error) if is_client_error(&*error) => {
                    tracing::warn!("what {remote} sent was refused: {error}");
                }
                Err(error) => tracing::debug!("a QUIC connection ended: {error}"),
                Ok(()) => {}
            }
        });
    }
}

/// Whether the client broke a rule of HTTP/3, or was too slow for a handshake.
fn is_client_error(error: &(dyn std::error::Error + Send + Sync + 'static)) -> bool {
    let broke = error.downcast_ref::<ConnectionError>();
    error.is::<Elapsed>() || broke.is_some_and(|error| matches!(error, ConnectionError::Local { .. }))
}

async fn greet(
    incoming: quinn::Incoming,
    handshake: Handshake,
    server: &Arc<QuicServer>,
) -> Result<(), Failure> {
    let QuicServer {
        site, connections, ..
    } = &**server;
    let quic = begun(incoming.accept()?, handshake, server).await?;
    let observed = connections.observe_quic(quic.clone());
    let priorities = Priorities::default();
    let mut builder = h3::server::builder();
    builder.max_field_section_size(MAX_HEADER_BYTES);
    let mut http3 = builder
        .build::<_, Bytes>(QuicStreams::new(quic, priorities.clone()))
        .await?;
    let activity = &observed.connection.activity;
    let mut overdue = std::pin::pin!(activity.overdue(site.timeouts));
    loop {
        let accepted = tokio::select! {
            accepted = http3.accept() => accepted?,
            reason = overdue.as_mut() => {
                observed.connection.log_timeout(&reason);
                break;
            }
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
        let priorities = priorities.clone();
        tokio::spawn(async move {
            if let Err(error) = answer(resolver, &site, &connection, &priorities).await {
                tracing::debug!("an h3 request ended: {error}");
            }
        });
    }
    Ok(())
}

/// A connection that may be served: with 0-RTT its handshake may not be finished, but is given up when it takes too long.
async fn begun(
    mut connecting: quinn::Connecting,
    handshake: Handshake,
    server: &Arc<QuicServer>,
) -> Result<quinn::Connection, Failure> {
    let until = Instant::now() + HANDSHAKE_TIMEOUT.min(server.site.timeouts.request);
    if !server.limits.zero_rtt {
        // Nobody can ask before the handshake is finished, so that nothing is made for requests until then.
        return tokio::select! {
            finished = timeout_at(until.into(), connecting) => Ok(finished??),
            () = handshake.superseded() => Err("its handshake gave way to a newer one".into()),
        };
    }
    // A ClientHello may come in two datagrams (Chromium's does). Before it is whole the client's limit of streams is unknown,
    // h3 would wait to open its first one, and quinn 0.11 wakes nobody when the limit comes with the handshake.
    timeout_at(until.into(), connecting.handshake_data()).await??;
    // On a server this succeeds at any time, and `finished` tells when the handshake is.
    let Ok((quic, finished)) = connecting.into_0rtt() else {
        return Err("a server may always send early".into());
    };
    let (finishing, limits) = (quic.clone(), server.limits.clone());
    tokio::spawn(async move {
        let is_finished = tokio::select! {
            finished = timeout_at(until.into(), finished) => finished.is_ok(),
            () = handshake.superseded() => false,
        };
        if is_finished {
            limits.widen(&finishing);
        } else {
            tracing::warn!(
                "what {} sent was refused: no whole handshake",
                finishing.remote_address()
            );
            finishing.close(H3_REQUEST_REJECTED.into(), b"");
        }
    });
    Ok(quic)
}

async fn answer(
    resolver: RequestResolver<QuicStreams, Bytes>,
    site: &Site,
    connection: &Arc<Connection>,
    priorities: &Priorities,
) -> Result<(), Failure> {
    let within = site.timeouts.request;
    let Ok(resolved) = tokio::time::timeout(within, resolver.resolve_request()).await else {
        let (remote, seconds) = (connection.remote, within.as_secs_f64());
        tracing::warn!("a request of {remote} (h3) is given up: it was not whole within {seconds} s");
        return Ok(());
    };
    let (mut request, mut stream) = resolved?;
    let rank = connection.schedule.rank(Priority::of(request.headers()));
    priorities.give(stream.send_id(), rank.quic_priority());
    request.extensions_mut().insert(rank);
    let body = match *request.method() {
        Method::GET | Method::HEAD | Method::OPTIONS => body::empty(),
        _ => tokio::time::timeout(within, received(&mut stream)).await??,
    };
    let (mut parts, ()) = request.into_parts();
    parts.version = http::Version::HTTP_3;
    let response = site
        .answer(Request::from_parts(parts, body), Port::Tls, connection)
        .await;
    send(response, &mut stream, connection).await
}

async fn received(stream: &mut Stream) -> Result<Body, Failure> {
    let mut bytes = Vec::new();
    while let Some(mut data) = stream.recv_data().await? {
        if bytes.len() + data.remaining() > MAX_BODY_BYTES {
            stream.stop_stream(Code::H3_EXCESSIVE_LOAD);
            return Err("the body of a request is too long".into());
        }
        bytes.extend_from_slice(&data.copy_to_bytes(data.remaining()));
    }
    Ok(body::text(bytes))
}

async fn send(response: Response<Body>, stream: &mut Stream, connection: &Connection) -> Result<(), Failure> {
    let (mut parts, mut body) = response.into_parts();
    let delivery = parts.extensions.remove::<Delivery>();
    let date = httpdate::fmt_http_date(SystemTime::now());
    parts.headers.insert(header::DATE, HeaderValue::from_str(&date)?);
    stream.send_response(Response::from_parts(parts, ())).await?;
    while let Some(frame) = body.frame().await {
        match frame {
            Ok(frame) => {
                if let Ok(data) = frame.into_data() {
                    stream.send_data(data).await?;
                    connection.activity.progress();
                }
            }
            // The client must not take what it has for the whole.
            Err(error) => {
                stream.stop_stream(Code::H3_INTERNAL_ERROR);
                return Err(error.into());
            }
        }
    }
    // Whoever waits for its turn behind this body has waited long enough.
    drop(body);
    stream.finish().await?;
    if let Some(delivery) = delivery {
        delivery.acknowledged(connection.newest_acknowledged());
    }
    // What is left unread would be refused with STOP_SENDING; a GET's end is here long since.
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.recv_data()).await;
    Ok(())
}
