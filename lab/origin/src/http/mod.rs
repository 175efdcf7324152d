//! What HTTP says of a file and its parts: bodies, ranges, validators, media types, CORS; and files of another server.

pub mod body;
pub mod byte_ranges;
mod cors;
mod file_below;
mod media_type;
mod proxy;
pub mod static_file;
mod validators;

pub use cors::cors;
pub use proxy::proxied;
