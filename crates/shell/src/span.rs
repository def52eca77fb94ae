//! A stretch of the command line, in bytes.

/// Byte offsets into the line that was read: `start` inclusive, `end` exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From `start` to `end`. Lines are far shorter than 4 GiB; an offset beyond is pinned to the limit.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        let pin = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: pin(start), end: pin(end) }
    }

    /// The smallest stretch that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text it covers, if it lies on character borders of `line`.
    #[must_use]
    pub fn of(self, line: &str) -> &str {
        line.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}
