//! Why a stream of quinn failed, in h3's words.

use h3::quic::{ConnectionErrorIncoming, StreamErrorIncoming};
use quinn::{ConnectionError, ReadError, WriteError};
use std::sync::Arc;

pub fn of_connection(error: ConnectionError) -> ConnectionErrorIncoming {
    match error {
        ConnectionError::ApplicationClosed(closed) => ConnectionErrorIncoming::ApplicationClose {
            error_code: closed.error_code.into_inner(),
        },
        ConnectionError::TimedOut => ConnectionErrorIncoming::Timeout,
        other => ConnectionErrorIncoming::Undefined(Arc::new(other)),
    }
}

pub fn of_read(error: ReadError) -> StreamErrorIncoming {
    match error {
        ReadError::Reset(code) => ended(code),
        ReadError::ConnectionLost(error) => lost(error),
        other => StreamErrorIncoming::Unknown(other.into()),
    }
}

pub fn of_write(error: WriteError) -> StreamErrorIncoming {
    match error {
        WriteError::Stopped(code) => ended(code),
        WriteError::ConnectionLost(error) => lost(error),
        other => StreamErrorIncoming::Unknown(other.into()),
    }
}

fn ended(code: quinn::VarInt) -> StreamErrorIncoming {
    StreamErrorIncoming::StreamTerminated {
        error_code: code.into_inner(),
    }
}

fn lost(error: ConnectionError) -> StreamErrorIncoming {
    StreamErrorIncoming::ConnectionErrorIncoming {
        connection_error: of_connection(error),
    }
}
