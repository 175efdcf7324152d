//! One file as a response: whole, in ranges, or not at all because the client has it.

use crate::http::body::{self, Body, Part};
use crate::http::byte_ranges::{ByteRange, ByteRanges, byte_ranges};
use crate::http::file_below::file_below;
use crate::http::media_type::media_type;
use crate::http::validators::{Validators, Verdict};
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header, request};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Boundary between the parts of an answer to several ranges. It has 30 letters, so media never has it by chance.
const BOUNDARY: &str = "pitwall-part-7d1f3ab09c52e8d64";

/// Answers for the file that `path` (of a URL) names below `folder`.
pub fn file_in(folder: &Path, path: &str, asked: &request::Parts) -> Response<Body> {
    if asked.method != Method::GET && asked.method != Method::HEAD {
        let mut response = status(StatusCode::METHOD_NOT_ALLOWED);
        insert(response.headers_mut(), header::ALLOW, "GET, HEAD, OPTIONS");
        return response;
    }
    match file_below(folder, path) {
        Some(found) => static_file(&found, &asked.method, &asked.headers),
        None => status(StatusCode::NOT_FOUND),
    }
}

/// Answers GET and HEAD for the regular file `path`, which was there a moment ago.
fn static_file(path: &Path, method: &Method, asked: &HeaderMap) -> Response<Body> {
    let (file, size_bytes, validators) = match open(path) {
        Ok(opened) => opened,
        Err(error) if is_out_of_descriptors(&error) => return busy(),
        Err(_) => return status(StatusCode::NOT_FOUND),
    };
    let mut response = match validators.judge(asked) {
        Verdict::PreconditionFailed => status(StatusCode::PRECONDITION_FAILED),
        Verdict::NotModified => status(StatusCode::NOT_MODIFIED),
        Verdict::Send => {
            let range = asked.get(header::RANGE).and_then(|value| value.to_str().ok());
            // A range is defined for GET alone (RFC 9110 §14.2).
            let range = range.filter(|_| method == Method::GET && validators.allows_range(asked));
            contents(file, size_bytes, range, media_type(path))
        }
    };
    let headers = response.headers_mut();
    insert(headers, header::ETAG, &validators.etag);
    insert(
        headers,
        header::LAST_MODIFIED,
        &httpdate::fmt_http_date(validators.modified),
    );
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    response
}

fn open(path: &Path) -> io::Result<(Arc<File>, u64, Validators)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok((Arc::new(file), metadata.len(), Validators::of(&metadata)))
}

/// Tells whether this process or the whole system has no file descriptor left. Others give theirs back soon.
pub fn is_out_of_descriptors(error: &io::Error) -> bool {
    #[cfg(unix)]
    const NO_DESCRIPTOR: [i32; 2] = [libc::EMFILE, libc::ENFILE];
    /// ERROR_TOO_MANY_OPEN_FILES, WSAEMFILE.
    #[cfg(windows)]
    const NO_DESCRIPTOR: [i32; 2] = [4, 10024];
    error
        .raw_os_error()
        .is_some_and(|code| NO_DESCRIPTOR.contains(&code))
}

/// Answers that the file exists but cannot be opened now.
pub fn busy() -> Response<Body> {
    let mut response = status(StatusCode::SERVICE_UNAVAILABLE);
    response
        .headers_mut()
        .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

fn contents(file: Arc<File>, size_bytes: u64, range: Option<&str>, media_type: &str) -> Response<Body> {
    let piece = |range: ByteRange| Part::File {
        file: file.clone(),
        offset: range.first,
        size_bytes: range.size_bytes(),
    };
    match byte_ranges(range, size_bytes) {
        ByteRanges::NotSatisfiable => {
            let mut response = status(StatusCode::RANGE_NOT_SATISFIABLE);
            insert(
                response.headers_mut(),
                header::CONTENT_RANGE,
                &format!("bytes */{size_bytes}"),
            );
            response
        }
        ByteRanges::Whole => sized(
            StatusCode::OK,
            media_type,
            size_bytes,
            [Part::File {
                file: file.clone(),
                offset: 0,
                size_bytes,
            }],
        ),
        ByteRanges::Some(ranges) => match ranges[..] {
            [range] => {
                let mut response = sized(
                    StatusCode::PARTIAL_CONTENT,
                    media_type,
                    range.size_bytes(),
                    [piece(range)],
                );
                insert(
                    response.headers_mut(),
                    header::CONTENT_RANGE,
                    &content_range(range, size_bytes),
                );
                response
            }
            _ => several(&ranges, size_bytes, media_type, piece),
        },
    }
}

/// Answers several ranges as multipart/byteranges (RFC 9110 §14.6).
fn several(
    ranges: &[ByteRange],
    size_bytes: u64,
    media_type: &str,
    piece: impl Fn(ByteRange) -> Part,
) -> Response<Body> {
    let mut total = 0;
    let mut parts = Vec::new();
    let mut push_text = |parts: &mut Vec<Part>, text: String| {
        total += text.len() as u64;
        parts.push(Part::Bytes(text.into()));
    };
    for &range in ranges {
        let content_range = content_range(range, size_bytes);
        let head = format!(
            "\r\n--{BOUNDARY}\r\nContent-Type: {media_type}\r\nContent-Range: {content_range}\r\n\r\n"
        );
        push_text(&mut parts, head);
        parts.push(piece(range));
    }
    push_text(&mut parts, format!("\r\n--{BOUNDARY}--\r\n"));
    total += ranges.iter().map(|range| range.size_bytes()).sum::<u64>();
    sized(
        StatusCode::PARTIAL_CONTENT,
        &format!("multipart/byteranges; boundary={BOUNDARY}"),
        total,
        parts,
    )
}

fn content_range(range: ByteRange, size_bytes: u64) -> String {
    format!("bytes {}-{}/{size_bytes}", range.first, range.last)
}

fn sized(
    code: StatusCode,
    media_type: &str,
    size_bytes: u64,
    parts: impl IntoIterator<Item = Part>,
) -> Response<Body> {
    let mut response = Response::new(body::parts(parts));
    *response.status_mut() = code;
    insert(response.headers_mut(), header::CONTENT_TYPE, media_type);
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, size_bytes.into());
    response
}

/// Makes a response without a body.
pub fn status(code: StatusCode) -> Response<Body> {
    let mut response = Response::new(body::empty());
    *response.status_mut() = code;
    response
}

/// Sets a header whose value is ours, so that it is always allowed in one.
pub fn insert(headers: &mut HeaderMap, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
