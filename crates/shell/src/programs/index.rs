//! Sorts the names of all programs while the crate is compiled, so that a look-up is a binary search
//! and starting the program costs nothing.
#![expect(clippy::indexing_slicing, reason = "runs at compile time, where a wrong index is a build error")]

use super::table::Spec;
use super::{COUNT, FAMILIES};
use crate::effects::Effects;

static UNFILLED: Spec = Spec::new("", Effects::UNKNOWN);

/// How many names the families have.
pub(super) const fn count(families: &[&[Spec]]) -> usize {
    let mut count = 0;
    let mut family = 0;
    while family < families.len() {
        let mut at = 0;
        while at < families[family].len() {
            count += words(families[family][at].names);
            at += 1;
        }
        family += 1;
    }
    count
}

/// All names with their tables, in byte order.
#[expect(clippy::large_stack_arrays, reason = "it is built by the compiler and only read at run time")]
pub(super) const fn sorted() -> [(&'static str, &'static Spec); COUNT] {
    let mut index = [("", &UNFILLED); COUNT];
    let mut filled = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut at = 0;
        while at < FAMILIES[family].len() {
            let spec = &FAMILIES[family][at];
            let mut start = 0;
            while let Some((from, to)) = next_word(spec.names, start) {
                index[filled] = (part(spec.names, from, to), spec);
                filled += 1;
                start = to;
            }
            at += 1;
        }
        family += 1;
    }
    heap_sort(&mut index);
    index
}

const fn words(text: &str) -> usize {
    let (mut count, mut start) = (0, 0);
    while let Some((_, to)) = next_word(text, start) {
        count += 1;
        start = to;
    }
    count
}

/// Where the next word of `text` begins and ends.
const fn next_word(text: &str, start: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut from = start;
    while from < bytes.len() && bytes[from] == b' ' {
        from += 1;
    }
    let mut to = from;
    while to < bytes.len() && bytes[to] != b' ' {
        to += 1;
    }
    if from < to { Some((from, to)) } else { None }
}

const fn part(text: &str, from: usize, to: usize) -> &str {
    text.split_at(to).0.split_at(from).1
}

const fn less(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return one[at] < other[at];
        }
        at += 1;
    }
    one.len() < other.len()
}

const fn heap_sort(index: &mut [(&'static str, &'static Spec); COUNT]) {
    let mut start = COUNT / 2;
    let mut end = COUNT;
    while end > 1 {
        if start > 0 {
            start -= 1;
        } else {
            end -= 1;
            let last = index[end];
            index[end] = index[0];
            index[0] = last;
        }
        let mut root = start;
        while 2 * root + 1 < end {
            let mut child = 2 * root + 1;
            if child + 1 < end && less(index[child].0, index[child + 1].0) {
                child += 1;
            }
            if !less(index[root].0, index[child].0) {
                break;
            }
            let moved = index[root];
            index[root] = index[child];
            index[child] = moved;
            root = child;
        }
    }
}
