//! A Rust file, taken apart as far as the rules need: comments, strings, lines of code, functions, and the words of
//! its items. This is no parser; it relies on sources that `rustfmt` has formatted.

use std::ops::Range;

/// A Rust file.
pub(crate) struct Source {
    pub(crate) name: String,
    /// The code, with comments, the insides of strings and the items under `#[cfg(test)]` taken out. Lines are kept.
    pub(crate) code: String,
    /// Each comment with its line.
    pub(crate) comments: Vec<(usize, String)>,
    /// Each string with its line.
    pub(crate) strings: Vec<(usize, String)>,
    /// For each line, whether it holds code.
    holds_code: Vec<bool>,
    /// The modules under `#[cfg(test)]` that are files of their own.
    test_modules: Vec<String>,
}

/// A function: its name, its line, and how many lines of code are between its braces.
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) line: usize,
    pub(crate) length: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    Text,
}

impl Source {
    pub(crate) fn read(name: &str, text: &str) -> Source {
        let mut source = Source {
            name: name.to_owned(),
            code: String::with_capacity(text.len()),
            comments: Vec::new(),
            strings: Vec::new(),
            holds_code: vec![false; text.lines().count() + 1],
            test_modules: Vec::new(),
        };
        let mut line = 1;
        for (kind, token) in tokens(text) {
            let newlines = token.matches('\n').count();
            match kind {
                Kind::Code => source.code.push_str(token),
                Kind::Comment => source.comments.push((line, token.to_owned())),
                Kind::Text => {
                    source.strings.push((line, token.to_owned()));
                    source.code.push_str("\"\"");
                }
            }
            if kind != Kind::Code {
                source.code.push_str(&"\n".repeat(newlines));
            }
            if kind != Kind::Comment {
                for (holds, part) in source.holds_code.iter_mut().skip(line - 1).zip(token.split('\n')) {
                    *holds |= !part.trim().is_empty();
                }
            }
            line += newlines;
        }
        source.leave_out_tests();
        source
    }

    /// How many lines hold code: neither blank, nor a comment, nor a test.
    pub(crate) fn lines_of_code(&self) -> usize {
        self.holds_code.iter().filter(|holds| **holds).count()
    }

    pub(crate) fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        let words = words(&self.code);
        let pairs: Vec<_> =
            words.windows(2).map(|pair| (pair.first().copied(), pair.last().copied())).collect();
        pairs.into_iter().filter_map(move |pair| {
            let (Some((at, "fn")), Some((name_at, name))) = pair else { return None };
            // A pointer to a function has no name.
            if self.code.get(at + 3..name_at).is_some_and(|between| !between.trim().is_empty()) {
                return None;
            }
            let body = body(&self.code, at)?;
            let inside = self.line_at(body.start)..self.line_at(body.end).saturating_sub(1);
            let length =
                self.holds_code.get(inside).unwrap_or_default().iter().filter(|holds| **holds).count();
            Some(Function { name, line: self.line_at(at), length })
        })
    }

    /// The files and folders of the modules below this one that are only there for tests.
    pub(crate) fn test_files(&self) -> Vec<String> {
        let folder = self.folder();
        let file = |module: &String| [format!("{folder}/{module}.rs"), format!("{folder}/{module}/")];
        self.test_modules.iter().flat_map(file).collect()
    }

    /// The folder that the modules below this one are in.
    fn folder(&self) -> &str {
        let plain = self.name.trim_end_matches(".rs");
        ["/mod", "/lib", "/main"].iter().find_map(|end| plain.strip_suffix(end)).unwrap_or(plain)
    }

    pub(crate) fn line_at(&self, at: usize) -> usize {
        1 + self.code.get(..at).unwrap_or_default().matches('\n').count()
    }

    fn leave_out_tests(&mut self) {
        const MARK: &str = "#[cfg(test)]";
        while let Some(start) = self.code.find(MARK) {
            let end = item_end(&self.code, start + MARK.len());
            let item = self.code.get(start..end).unwrap_or_default();
            let lines = self.line_at(start)..=self.line_at(end);
            if let Some(module) = file_modules(item).first() {
                self.test_modules.push((*module).to_owned());
            }
            let blank: String = item.chars().filter(|char| *char == '\n').collect();
            self.code.replace_range(start..end, &blank);
            for line in lines {
                if let Some(holds) = self.holds_code.get_mut(line - 1) {
                    *holds = false;
                }
            }
        }
    }
}

/// The modules that are declared here and lie in files of their own.
pub(crate) fn file_modules(code: &str) -> Vec<&str> {
    let words = words(code);
    let pairs = words.windows(2).filter_map(|pair| match pair {
        [(_, "mod"), (at, name)] => code.get(at + name.len()..)?.starts_with(';').then_some(*name),
        _ => None,
    });
    pairs.collect()
}

/// The words of some code, with their places.
pub(crate) fn words(code: &str) -> Vec<(usize, &str)> {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let mut found = Vec::new();
    let mut start = None;
    for (at, char) in code.char_indices().chain([(code.len(), ' ')]) {
        match (start, is_word(char)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.push((from, code.get(from..at).unwrap_or_default()));
                start = None;
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    found
}

/// Where the item ends that begins here: behind its semicolon or its closing brace.
fn item_end(code: &str, at: usize) -> usize {
    body(code, at).map_or_else(
        || code.get(at..).and_then(|rest| rest.find(';')).map_or(code.len(), |found| at + found + 1),
        |body| body.end,
    )
}

/// What is between the braces of the item that begins here, with them; nothing if it ends with a semicolon.
fn body(code: &str, at: usize) -> Option<Range<usize>> {
    let (mut depth, mut start) = (0_usize, None);
    for (offset, char) in code.get(at..)?.char_indices() {
        match char {
            '{' | '(' | '[' => {
                if char == '{' && depth == 0 {
                    start = Some(at + offset);
                }
                depth += 1;
            }
            '}' | ')' | ']' => {
                depth = depth.saturating_sub(1);
                if let (0, '}', Some(start)) = (depth, char, start) {
                    return Some(start..at + offset + 1);
                }
            }
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The text in pieces of code, comments and strings.
fn tokens(text: &str) -> Vec<(Kind, &str)> {
    let mut found = Vec::new();
    let (mut start, mut at, mut in_word) = (0, 0, false);
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let Some((kind, length)) = token(rest, first, in_word) else {
            at += first.len_utf8();
            in_word = first.is_alphanumeric() || first == '_';
            continue;
        };
        found.extend(text.get(start..at).map(|code| (Kind::Code, code)));
        found.extend(text.get(at..at + length).map(|token| (kind, token)));
        at += length;
        start = at;
        in_word = false;
    }
    found.extend(text.get(start..).map(|code| (Kind::Code, code)));
    found
}

/// The comment or string that begins here, by its length.
fn token(rest: &str, first: char, in_word: bool) -> Option<(Kind, usize)> {
    match first {
        '/' if rest.starts_with("//") => Some((Kind::Comment, rest.find('\n').unwrap_or(rest.len()))),
        '/' if rest.starts_with("/*") => {
            Some((Kind::Comment, rest.find("*/").map_or(rest.len(), |end| end + 2)))
        }
        '"' => Some((Kind::Text, quoted(rest, '"')?)),
        'r' | 'b' if !in_word => Some((Kind::Text, raw(rest)?)),
        '\'' => character(rest).map(|length| (Kind::Text, length)),
        _ => None,
    }
}

/// The length of a string between quotes.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        if char == quote && !escaped {
            return Some(at + 1);
        }
        escaped = char == '\\' && !escaped;
    }
    None
}

/// The length of a raw string.
fn raw(rest: &str) -> Option<usize> {
    let plain = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = plain.len() - plain.trim_start_matches('#').len();
    let inside = plain.trim_start_matches('#').strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(rest.len() - inside.len() + inside.find(&end)? + end.len())
}

/// The length of a character; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    if inside.starts_with('\\') {
        return quoted(rest, '\'');
    }
    let char = inside.chars().next()?;
    inside.get(char.len_utf8()..)?.starts_with('\'').then(|| 2 + char.len_utf8())
}
