//! A body that waits for its turn.

use super::rank::Rank;
use crate::http::body::Body;
use crate::transport::InProgress;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::Sleep;

/// Time for which a waiting response watches those before it. A client that stops reading an urgent response would
/// otherwise stop all others, too: nothing shows a server's handler which response has a full window.
const TURN_TIMEOUT: Duration = Duration::from_millis(20);

/// Wraps a body so that it is read only when no other response of its connection goes before it.
pub fn ordered(body: Body, rank: Rank, asked: InProgress) -> Body {
    asked.connection.schedule.enter(rank);
    Ordered {
        body,
        rank,
        asked,
        watch: None,
    }
    .boxed_unsync()
}

struct Ordered {
    body: Body,
    rank: Rank,
    asked: InProgress,
    /// While the body waits: the end of the wait, and the pieces that those before it had taken at the beginning.
    watch: Option<(Pin<Box<Sleep>>, u64)>,
}

impl Ordered {
    fn poll_turn(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while let Some(taken) = self
            .asked
            .connection
            .schedule
            .must_wait(self.rank, context.waker())
        {
            let (sleep, taken_before) = self
                .watch
                .get_or_insert_with(|| (Box::pin(tokio::time::sleep(TURN_TIMEOUT)), taken));
            ready!(sleep.as_mut().poll(context));
            let stuck = *taken_before == taken;
            self.watch = None;
            if stuck && self.asked.connection.is_hungry() {
                self.asked.connection.schedule.pass_over(self.rank);
            }
        }
        self.watch = None;
        Poll::Ready(())
    }
}

impl http_body::Body for Ordered {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        ready!(self.poll_turn(context));
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.asked.connection.schedule.took(self.rank, polled.is_ready());
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Ordered {
    fn drop(&mut self) {
        self.asked.connection.schedule.leave(self.rank);
    }
}
