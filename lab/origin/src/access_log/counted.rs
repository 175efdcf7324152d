//! A body that tells how much of it was taken.

use super::answer::Answer;
use crate::http::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

pub struct Counted {
    body: Body,
    size_bytes: u64,
    answer: Arc<Answer>,
}

impl Counted {
    pub fn new(body: Body, answer: Arc<Answer>) -> Counted {
        Counted {
            body,
            size_bytes: 0,
            answer,
        }
    }
}

impl http_body::Body for Counted {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            self.size_bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.answer.is_taken(self.size_bytes);
    }
}
