//! Content-Type by the ending of a name. A table of our own: the system's differs from machine to machine.

use std::path::Path;

const MEDIA_TYPES: [(&str, &str); 19] = [
    ("mpd", "application/dash+xml"),
    ("m3u8", "application/vnd.apple.mpegurl"),
    ("m4s", "video/mp4"),
    ("mp4", "video/mp4"),
    ("m4v", "video/mp4"),
    ("m4a", "audio/mp4"),
    ("webm", "video/webm"),
    ("vtt", "text/vtt; charset=utf-8"),
    ("json", "application/json"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("map", "application/json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("txt", "text/plain; charset=utf-8"),
];

pub fn media_type(file: &Path) -> &'static str {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    MEDIA_TYPES
        .iter()
        .find(|(known, _)| ending.eq_ignore_ascii_case(known))
        .map_or("application/octet-stream", |(_, media_type)| media_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_types_of_a_player() {
        assert_eq!(media_type(Path::new("a/manifest.MPD")), "application/dash+xml");
        assert_eq!(media_type(Path::new("seg-1.m4s")), "video/mp4");
        assert_eq!(media_type(Path::new("none")), "application/octet-stream");
        assert_eq!(media_type(Path::new(".mpd")), "application/octet-stream");
    }
}
