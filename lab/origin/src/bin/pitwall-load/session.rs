//! One connection, whatever is spoken on it.

use crate::arguments::{Arguments, Protocol};
use crate::quic::QuicSession;
use crate::sink::{Failure, Sink};
use crate::tcp::TcpSession;
use http::Request;

pub enum Session {
    Tcp(TcpSession),
    Quic(QuicSession),
}

impl Session {
    pub async fn open(arguments: &Arguments) -> Result<Session, Failure> {
        match arguments.protocol {
            Protocol::H1 | Protocol::H2 => TcpSession::open(arguments).await.map(Session::Tcp),
            Protocol::H3 => QuicSession::open(arguments).await.map(Session::Quic),
        }
    }

    /// Reads the whole answer into `sink`.
    pub async fn ask(&mut self, arguments: &Arguments, sink: &mut Sink) -> Result<(), Failure> {
        match self {
            Session::Tcp(session) => session.ask(arguments, sink).await,
            Session::Quic(session) => session.ask(request(arguments)?, sink).await,
        }
    }

    pub async fn close(self) {
        if let Session::Quic(session) = self {
            session.close().await;
        }
    }
}

fn request(arguments: &Arguments) -> http::Result<Request<()>> {
    Request::get(format!("https://{}{}", arguments.host, arguments.path)).body(())
}
