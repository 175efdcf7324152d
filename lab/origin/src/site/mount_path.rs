//! What of a URL's path is whose.

/// Without the prefix that takes something away from the response.
pub fn without_prefix(path: &str) -> &str {
    let prefixes = ["/no-tao", "/no-cors", "/with-credentials"];
    let found = prefixes
        .iter()
        .find_map(|prefix| path.strip_prefix(prefix).filter(|rest| rest.starts_with('/')));
    found.unwrap_or(path)
}

/// What is left of `path` below the mount, with its slash. `/` is below every path.
pub fn below<'a>(prefix: &str, path: &'a str) -> Option<&'a str> {
    if prefix == "/" {
        return Some(path);
    }
    path.strip_prefix(prefix).filter(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_a_whole_segment() {
        assert_eq!(below("/media", "/media/a.m4s"), Some("/a.m4s"));
        assert_eq!(below("/media", "/mediator/a.m4s"), None);
        assert_eq!(below("/media", "/media"), None);
        assert_eq!(below("/", "/a"), Some("/a"));
        assert_eq!(without_prefix("/no-tao/media/a"), "/media/a");
        assert_eq!(without_prefix("/no-taoist/a"), "/no-taoist/a");
    }
}
