//! Byte ranges of a request (RFC 9110 §14).

/// More ranges than this in one request are an attack or a mistake: the whole file is sent (RFC 9110 §14.2).
const MAX_RANGES: usize = 16;

/// Both ends included, both inside the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    pub first: u64,
    pub last: u64,
}

impl ByteRange {
    pub fn size_bytes(self) -> u64 {
        self.last - self.first + 1
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum ByteRanges {
    /// No range was asked for, or the header means nothing and is ignored, as the RFC wants.
    Whole,
    Some(Vec<ByteRange>),
    /// Understood, and no byte of the file is in it: 416.
    NotSatisfiable,
}

/// What of a file of `size_bytes` a Range header asks for.
pub fn byte_ranges(header: Option<&str>, size_bytes: u64) -> ByteRanges {
    let Some(specs) = header.and_then(specs_of) else {
        return ByteRanges::Whole;
    };
    let mut ranges = Vec::new();
    for spec in specs.split(',').map(str::trim).filter(|spec| !spec.is_empty()) {
        match parse(spec, size_bytes) {
            Some(Some(range)) => ranges.push(range),
            Some(None) => {}
            None => return ByteRanges::Whole,
        }
    }
    if ranges.is_empty() {
        return ByteRanges::NotSatisfiable;
    }
    // Overlapping ranges would make an answer larger than the file.
    let total = ranges
        .iter()
        .fold(0u64, |sum, range| sum.saturating_add(range.size_bytes()));
    if ranges.len() > MAX_RANGES || total > size_bytes {
        return ByteRanges::Whole;
    }
    ByteRanges::Some(ranges)
}

fn specs_of(header: &str) -> Option<&str> {
    let (unit, specs) = header.split_once('=')?;
    let any = specs.split(',').any(|spec| !spec.trim().is_empty());
    (unit.trim().eq_ignore_ascii_case("bytes") && any).then_some(specs)
}

/// None: not a range at all. Some(None): a range outside of the file.
fn parse(spec: &str, size_bytes: u64) -> Option<Option<ByteRange>> {
    let (first, last) = spec.split_once('-')?;
    if first.is_empty() {
        let suffix = number(last)?.min(size_bytes);
        return Some((suffix > 0).then(|| ByteRange {
            first: size_bytes - suffix,
            last: size_bytes - 1,
        }));
    }
    let first = number(first)?;
    let last = if last.is_empty() { u64::MAX } else { number(last)? };
    if last < first {
        return None;
    }
    Some((first < size_bytes).then(|| ByteRange {
        first,
        last: last.min(size_bytes - 1),
    }))
}

/// Digits only; what does not fit into 64 bits is as good as infinite.
fn number(digits: &str) -> Option<u64> {
    let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    valid.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(ranges: &[(u64, u64)]) -> ByteRanges {
        ByteRanges::Some(
            ranges
                .iter()
                .map(|&(first, last)| ByteRange { first, last })
                .collect(),
        )
    }

    #[test]
    fn reads_what_players_ask_for() {
        assert_eq!(byte_ranges(None, 10), ByteRanges::Whole);
        assert_eq!(byte_ranges(Some("bytes=2-5"), 10), some(&[(2, 5)]));
        assert_eq!(byte_ranges(Some("bytes=2-"), 10), some(&[(2, 9)]));
        assert_eq!(byte_ranges(Some("bytes=-3"), 10), some(&[(7, 9)]));
        assert_eq!(byte_ranges(Some("bytes=-30"), 10), some(&[(0, 9)]));
        assert_eq!(byte_ranges(Some("bytes=5-999"), 10), some(&[(5, 9)]));
        assert_eq!(byte_ranges(Some("Bytes = 0-0, 9-9"), 10), some(&[(0, 0), (9, 9)]));
    }

    #[test]
    fn a_range_outside_of_the_file_cannot_be_satisfied() {
        for header in [
            "bytes=10-",
            "bytes=-0",
            "bytes=99999999999999999999999-",
            "bytes=10-11, 12-13",
        ] {
            assert_eq!(
                byte_ranges(Some(header), 10),
                ByteRanges::NotSatisfiable,
                "{header}"
            );
        }
        assert_eq!(byte_ranges(Some("bytes=0-"), 0), ByteRanges::NotSatisfiable);
        assert_eq!(byte_ranges(Some("bytes=20-, 1-2"), 10), some(&[(1, 2)]));
    }

    #[test]
    fn what_means_nothing_is_ignored() {
        for header in [
            "bytes",
            "bytes=",
            "bytes=,",
            "bytes=a-b",
            "bytes=5-2",
            "items=0-1",
            "bytes=+1-2",
            "bytes=1-2-3",
        ] {
            assert_eq!(byte_ranges(Some(header), 10), ByteRanges::Whole, "{header}");
        }
    }

    #[test]
    fn absurd_ranges_get_the_file_once() {
        let many = format!("bytes={}", ["0-9"; 1000].join(","));
        assert_eq!(byte_ranges(Some(&many), 10), ByteRanges::Whole);
        let small = format!("bytes={}", ["0-0"; 17].join(","));
        assert_eq!(byte_ranges(Some(&small), 1000), ByteRanges::Whole);
        assert_eq!(byte_ranges(Some("bytes=0-8,1-9"), 10), ByteRanges::Whole);
    }
}
