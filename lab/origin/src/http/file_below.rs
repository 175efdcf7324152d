//! From the path of a URL to a file, never outside of the root.

use std::path::{Path, PathBuf};

/// The regular file that `url_path` (below a mount, still percent-encoded) names under `root`. A folder stands for its
/// `index.html`. None for everything else: what does not exist, what is no file, what is hidden (its name, or that of a
/// folder above it, begins with a dot), and whatever would lead out of the root, also through a symbolic link.
pub fn file_below(root: &Path, url_path: &str) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let mut path = root.clone();
    for segment in url_path.split('/') {
        let segment = percent_decoded(segment)?;
        match segment.as_str() {
            "" | "." => {}
            _ if leads_elsewhere(&segment) => return None,
            _ => path.push(segment),
        }
    }
    let mut path = path.canonicalize().ok()?;
    if path.is_dir() {
        path = path.join("index.html").canonicalize().ok()?;
    }
    let below = path.strip_prefix(&root).ok()?;
    let is_hidden = below.iter().any(|name| name.as_encoded_bytes().starts_with(b"."));
    (!is_hidden && path.is_file()).then_some(path)
}

/// A separator can only be here percent-encoded, and then it is no part of a name. A colon is a drive or a stream of
/// Windows; elsewhere it is a letter.
fn leads_elsewhere(segment: &str) -> bool {
    segment == ".." || segment.contains(['/', '\\', '\0']) || (cfg!(windows) && segment.contains(':'))
}

/// None where a `%` is not followed by two hexadecimal digits, or where the bytes are no UTF-8.
fn percent_decoded(text: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => hexadecimal(bytes.next()?)? * 16 + hexadecimal(bytes.next()?)?,
            _ => byte,
        });
    }
    String::from_utf8(decoded).ok()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    struct Tree(PathBuf);

    impl Tree {
        fn new(name: &str) -> Tree {
            let folder = std::env::temp_dir().join(format!("pitwall-below-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder.join("root/sub dir")).unwrap();
            fs::write(folder.join("secret"), "s").unwrap();
            fs::create_dir_all(folder.join("root-beside")).unwrap();
            fs::write(folder.join("root-beside/secret"), "s").unwrap();
            fs::create_dir_all(folder.join("root/.git")).unwrap();
            fs::write(folder.join("root/.git/config"), "s").unwrap();
            fs::write(folder.join("root/.env"), "s").unwrap();
            fs::write(folder.join("root/a.m4s"), "a").unwrap();
            fs::write(folder.join("root/sub dir/ü.m4s"), "b").unwrap();
            fs::write(folder.join("root/sub dir/index.html"), "i").unwrap();
            Tree(folder)
        }
        fn root(&self) -> PathBuf {
            self.0.join("root")
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn finds_files_by_their_encoded_names() {
        let tree = Tree::new("finds");
        assert!(file_below(&tree.root(), "/a.m4s").is_some());
        assert!(file_below(&tree.root(), "/sub%20dir/%C3%BC.m4s").is_some());
        assert!(file_below(&tree.root(), "//./a.m4s").is_some());
        assert!(
            file_below(&tree.root(), "/sub%20dir/")
                .unwrap()
                .ends_with("index.html")
        );
    }

    #[test]
    fn never_leaves_the_root() {
        let tree = Tree::new("never");
        let paths = [
            "/../secret",
            "/%2e%2e/secret",
            "/%2E./secret",
            "/..%2fsecret",
            "/%252e%252e/secret",
            "/..%252fsecret",
            "/sub%20dir/../../secret",
            "/..\\secret",
            "/%5c..%5csecret",
            "/../root-beside/secret",
            "/a.m4s%00",
            "/%",
            "/%2",
            "/%zz",
            "/%ff",
            "/none",
            "/",
            "/a.m4s/..",
            "/.env",
            "/%2eenv",
            "/.git/config",
            "/sub%20dir/%2e./.env",
        ];
        for path in paths {
            assert_eq!(file_below(&tree.root(), path), None, "{path}");
        }
        assert_eq!(file_below(&tree.root().join("none"), "/a.m4s"), None);
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_inside_the_root_only_and_opens_no_pipes() {
        let tree = Tree::new("links");
        std::os::unix::fs::symlink("../secret", tree.root().join("out")).unwrap();
        std::os::unix::fs::symlink("..", tree.root().join("up")).unwrap();
        std::os::unix::fs::symlink("a.m4s", tree.root().join("in")).unwrap();
        std::os::unix::fs::symlink(".env", tree.root().join("shown")).unwrap();
        let pipe = std::ffi::CString::new(tree.root().join("pipe").to_str().unwrap()).unwrap();
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
        assert_eq!(file_below(&tree.root(), "/out"), None);
        assert_eq!(file_below(&tree.root(), "/up/secret"), None);
        assert_eq!(file_below(&tree.root(), "/shown"), None);
        assert_eq!(file_below(&tree.root(), "/pipe"), None);
        assert!(file_below(&tree.root(), "/in").is_some());
    }
}
