//! A body to which something happens on its way.

use super::rule::Fault;
use crate::http::body::Body;
use crate::transport::Connection;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::Sleep;

/// Interval between the portions of a drip, fine enough to look steady.
const DRIP: Duration = Duration::from_millis(50);
/// Wait before a bad end, so that the bytes before it are on their way: a server would otherwise throw away what it holds.
const FLUSH: Duration = Duration::from_millis(50);

/// Wraps a body so that the fault happens to it. Returns the body unchanged where the fault does not concern bodies.
pub fn faulty_body(body: Body, fault: &Fault, connection: &Arc<Connection>) -> Body {
    let mut faulty = Faulty {
        body,
        connection: connection.clone(),
        rest: None,
        sent_bytes: 0,
        pause_at: None,
        end_at: None,
        drip_bytes: None,
        sleep: None,
        flushed: false,
        ended: false,
    };
    match *fault {
        Fault::Stall {
            after_bytes,
            duration_ms,
        } => {
            faulty.pause_at = Some((after_bytes, Duration::from_millis(duration_ms)));
        }
        Fault::Truncate { after_bytes } => faulty.end_at = Some((after_bytes, End::Quiet)),
        Fault::Reset { after_bytes } => faulty.end_at = Some((after_bytes, End::Reset)),
        Fault::Close { after_bytes } => faulty.end_at = Some((after_bytes, End::Close)),
        Fault::Drip { rate_kbps } => {
            let portion = u128::from(rate_kbps) * DRIP.as_millis() / 8;
            faulty.drip_bytes = Some(u64::try_from(portion).unwrap_or(u64::MAX).max(1));
        }
        // The wrapped body does not state its length: the header is wrong.
        Fault::WrongLength { .. } => {}
        Fault::Delay { .. } | Fault::Status { .. } | Fault::GoAway {} | Fault::UdpSilence { .. } => {
            return faulty.body;
        }
    }
    faulty.boxed_unsync()
}

#[derive(Clone, Copy)]
enum End {
    Quiet,
    Reset,
    Close,
}

struct Faulty {
    body: Body,
    connection: Arc<Connection>,
    rest: Option<Bytes>,
    sent_bytes: u64,
    pause_at: Option<(u64, Duration)>,
    end_at: Option<(u64, End)>,
    drip_bytes: Option<u64>,
    sleep: Option<Pin<Box<Sleep>>>,
    flushed: bool,
    ended: bool,
}

impl http_body::Body for Faulty {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Some(sleep) = &mut self.sleep {
            ready!(sleep.as_mut().poll(context));
            self.sleep = None;
        }
        if self.ended {
            return Poll::Ready(None);
        }
        if let Some((_, end)) = self.end_at.filter(|&(at, _)| self.sent_bytes >= at) {
            ready!(self.poll_flushed(context));
            return Poll::Ready(self.end(end));
        }
        if let Some((_, pause)) = self.pause_at.filter(|&(at, _)| self.sent_bytes >= at) {
            self.pause_at = None;
            let mut sleep = Box::pin(tokio::time::sleep(pause));
            if sleep.as_mut().poll(context).is_pending() {
                self.sleep = Some(sleep);
                return Poll::Pending;
            }
        }
        let mut bytes = match self.rest.take() {
            Some(bytes) => bytes,
            None => match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(bytes) => bytes,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                None => {
                    ready!(self.poll_flushed(context));
                    return Poll::Ready(None);
                }
                failed => return Poll::Ready(failed),
            },
        };
        let most = usize::try_from(self.most_bytes()).unwrap_or(usize::MAX);
        if bytes.len() > most {
            self.rest = Some(bytes.split_off(most));
        }
        self.sent_bytes += bytes.len() as u64;
        if self.drip_bytes.is_some() {
            self.sleep = Some(Box::pin(tokio::time::sleep(DRIP)));
        }
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

impl Faulty {
    /// Returns how many bytes may be sent before the fault acts next; at least one.
    fn most_bytes(&self) -> u64 {
        let ahead = |at: u64| at.saturating_sub(self.sent_bytes);
        let end = self.end_at.map_or(u64::MAX, |(at, _)| ahead(at));
        let pause = self.pause_at.map_or(u64::MAX, |(at, _)| ahead(at));
        end.min(pause).min(self.drip_bytes.unwrap_or(u64::MAX)).max(1)
    }

    /// Is ready once, after the wait of FLUSH.
    fn poll_flushed(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.flushed, true) {
            return Poll::Ready(());
        }
        let mut sleep = Box::pin(tokio::time::sleep(FLUSH));
        let polled = sleep.as_mut().poll(context);
        self.sleep = Some(sleep);
        polled
    }

    fn end(&mut self, end: End) -> Option<io::Result<Frame<Bytes>>> {
        self.ended = true;
        match end {
            End::Quiet => None,
            End::Reset => Some(Err(io::Error::other("reset on demand"))),
            End::Close => {
                self.connection.close();
                Some(Err(io::Error::other("closed on demand")))
            }
        }
    }
}
