//! A response to which something happens.

use super::faulty_body::faulty_body;
use super::rule::Fault;
use crate::http::body::{self, Body};
use crate::transport::Connection;
use http::{HeaderValue, Response, StatusCode, header};
use std::sync::Arc;

/// Headers are the handler's own, unless the fault is in them.
pub fn with_fault(
    mut response: Response<Body>,
    fault: &Fault,
    connection: &Arc<Connection>,
) -> Response<Body> {
    let headers = response.headers_mut();
    match fault {
        Fault::Status { status } => {
            for name in [
                header::CONTENT_LENGTH,
                header::CONTENT_RANGE,
                header::CONTENT_TYPE,
                header::ETAG,
            ] {
                headers.remove(name);
            }
            *response.status_mut() = StatusCode::from_u16(*status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
            *response.body_mut() = body::empty();
        }
        Fault::Truncate { .. } => {
            headers.remove(header::CONTENT_LENGTH);
        }
        Fault::WrongLength { extra_bytes } => {
            let said = headers
                .get(header::CONTENT_LENGTH)
                .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
            if let Some(said) = said {
                headers.insert(header::CONTENT_LENGTH, said.saturating_add(*extra_bytes).into());
            }
        }
        Fault::GoAway {} => {
            if connection.protocol == "http/1.1" {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            connection.go_away();
        }
        _ => {}
    }
    response.map(|body| faulty_body(body, fault, connection))
}
