//! Splits a turn into sentences and clauses, and a clause into words that tables can look for.

pub(super) use super::table::is_ideograph;
use super::words::{ARTICLES, FILES, FOLDERS};

/// What stands before a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// Nothing, a comma or a joining word.
    Comma,
    /// A colon.
    Colon,
    /// A dash or a bracket.
    Dash,
}

/// A part of a sentence that says one thing.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// Its words in small letters, one blank around each: `" do not push "`.
    pub(super) words: String,
    /// The names that stand in quotation marks or backticks.
    pub(super) quoted: Vec<String>,
    /// What stands before it.
    pub(super) mark: Mark,
}

/// A sentence with its clauses.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// As it was written.
    pub(super) text: String,
    pub(super) clauses: Vec<Clause>,
    /// Whether it ends with a question mark.
    pub(super) question: bool,
}

/// Words between two clauses, each of which says something of its own.
const JOINS: &[&str] = &[
    " but ",
    " then ",
    " otherwise ",
    " because ",
    " so please ",
    " aber ",
    " sondern ",
    " ansonsten ",
    " mais ",
    " sinon ",
    " pero ",
    " sino ",
    " mas ",
    " porém ",
    " senão ",
    "但是",
    "但",
    "然后",
    "另外",
    "ただし",
    "でも、",
    "けれど",
];

/// The sentences of a turn. Items of a list, and lines that follow a colon, belong to the sentence before them.
pub(super) fn sentences(turn: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut sentence = String::new();
    let mut characters = turn.chars().peekable();
    let mut led = false;
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        let blank = next.is_none_or(char::is_whitespace);
        if character == '\n' {
            let leads = sentence.trim_end().ends_with([':', '：']);
            let item = characters.clone().find(|it| *it != ' ').is_some_and(|it| "-*•".contains(it));
            led = (led || leads) && next != Some('\n');
            if led || leads || item {
                sentence.push(',');
                sentence.push(' ');
            } else {
                push(&mut found, &mut sentence, false);
            }
            continue;
        }
        sentence.push(character);
        match character {
            '?' | '？' | '¿' if blank || character == '？' => push(&mut found, &mut sentence, true),
            '.' | '!' | ';' if blank => push(&mut found, &mut sentence, false),
            '。' | '！' | '；' => push(&mut found, &mut sentence, false),
            _ => {}
        }
    }
    push(&mut found, &mut sentence, false);
    found
}

fn push(found: &mut Vec<Sentence>, text: &mut String, question: bool) {
    let text = std::mem::take(text);
    let clauses = clauses(&text);
    if !clauses.is_empty() {
        found.push(Sentence { text: text.trim().to_owned(), clauses, question });
    }
}

/// Stands for a dash or a bracket.
const DASH: &str = "\u{2}";

fn clauses(sentence: &str) -> Vec<Clause> {
    let mut marked = plain(sentence).replace("w/o", "without").replace("body but ", "body except ");
    for join in JOINS {
        marked = marked.replace(join, &format!("\n{join}"));
    }
    for dash in [" - ", " – ", " — ", "–", "—", "(", ")"] {
        marked = marked.replace(dash, DASH);
    }
    let mut parts = vec![(Mark::Comma, String::new())];
    let mut characters = marked.chars().peekable();
    while let Some(character) = characters.next() {
        let blank = characters.peek().is_none_or(|next| next.is_whitespace());
        let ideograph = characters.peek().copied().is_some_and(is_ideograph);
        let mark = match character {
            ':' if blank || ideograph => Some(Mark::Colon),
            ',' if blank || ideograph => Some(Mark::Comma),
            '：' => Some(Mark::Colon),
            '\n' | '，' | '、' => Some(Mark::Comma),
            '\u{2}' => Some(Mark::Dash),
            _ => None,
        };
        if let Some(mark) = mark {
            parts.push((mark, String::new()));
        } else if let Some((_, last)) = parts.last_mut() {
            last.push(character);
        }
    }
    let clauses = parts.iter().map(|(mark, part)| clause(part, *mark));
    clauses.filter(|clause| !clause.words.trim().is_empty()).collect()
}

/// Small letters, and one sign for all that look like an apostrophe.
pub(super) fn plain(text: &str) -> String {
    text.to_lowercase().replace(['\u{2019}', '\u{2018}', '\u{2bc}', '\u{b4}', '\u{ff07}'], "'")
}

fn clause(part: &str, mark: Mark) -> Clause {
    let mut words = String::from(" ");
    let mut word = String::new();
    for character in part.chars() {
        let joins = word.chars().next_back().is_none_or(|last| is_ideograph(last) == is_ideograph(character));
        if !joins {
            end_word(&mut words, &mut word);
        }
        if is_of_word(character) {
            word.push(character);
        } else {
            end_word(&mut words, &mut word);
        }
    }
    end_word(&mut words, &mut word);
    Clause { words, quoted: quoted(part), mark }
}

fn end_word(words: &mut String, word: &mut String) {
    let taken = std::mem::take(word);
    let trimmed =
        taken.trim_end_matches(['.', ':', '\'', '-', '=', '+', '#']).trim_start_matches(['\'', '+', '=']);
    // "l'export", "n'installe", "d'abord": what is elided is a word of its own.
    let whole = match trimmed.split_once('\'') {
        Some((short @ ("n" | "j"), rest)) => format!("{short}e {rest}"),
        Some(("l" | "d" | "s" | "t" | "m" | "c", rest)) => rest.to_owned(),
        Some(("qu", rest)) => format!("que {rest}"),
        _ => trimmed.to_owned(),
    };
    if !whole.is_empty() {
        words.push_str(&whole);
        words.push(' ');
    }
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || "/._-@~*+#:{}'\\=%".contains(character)
}

fn quoted(part: &str) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ['`', '"'] {
        let inside = part.split(mark).skip(1).step_by(2).map(str::trim);
        found.extend(inside.filter(|it| !it.is_empty() && !it.contains(' ')).map(str::to_owned));
    }
    found
}

/// Where a pattern of a table is found: `push*` begins a word, `tag` is one, and what has no blanks may be anywhere.
pub(super) fn find(words: &str, pattern: &str) -> Option<usize> {
    if pattern.chars().next().is_some_and(is_ideograph) {
        return words.find(pattern);
    }
    let stem = pattern.strip_suffix('*');
    let text = stem.unwrap_or(pattern);
    let mut from = 0;
    while let Some(at) = words.get(from..).and_then(|rest| rest.find(text)).map(|at| at + from) {
        let before = words.get(..at).is_none_or(|head| head.ends_with(' '));
        let after = words.get(at + text.len()..).is_none_or(|tail| tail.starts_with(' '));
        if before && (after || stem.is_some()) {
            return Some(at);
        }
        from = at + text.len();
    }
    None
}

/// The first place where any of the patterns is found.
pub(super) fn find_any(words: &str, patterns: &[&str]) -> Option<usize> {
    patterns.iter().filter_map(|pattern| find(words, pattern)).min()
}

/// The words of a clause, each with its place.
pub(super) fn tokens(words: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    words.split(' ').filter_map(move |token| {
        let place = at;
        at += token.len() + 1;
        (!token.is_empty()).then_some((place, token))
    })
}

impl Clause {
    pub(super) fn tokens(&self) -> impl Iterator<Item = &str> {
        self.words.split_whitespace()
    }

    /// The names of the clause: words with a sign that no word of a language has, and what is quoted.
    pub(super) fn names(&self) -> Vec<String> {
        let signed = self.tokens().filter(|token| is_name(token)).map(str::to_owned);
        let mut found: Vec<String> = signed.collect();
        for name in self.quoted.iter().cloned().chain(self.folders()) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// The names of folders that a noun beside them tells: "the migrations folder", "den Ordner frontend".
    fn folders(&self) -> Vec<String> {
        let tokens: Vec<&str> = self.tokens().collect();
        let plain = |token: &&&str| {
            token.len() > 1
                && token.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
                && !ARTICLES.has(token)
        };
        let beside = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at)).filter(plain);
            before.or_else(|| tokens.get(at + 1).filter(plain)).map(|it| (*it).to_owned())
        };
        let nouns = tokens.iter().enumerate().filter(|(_, token)| FOLDERS.first(token) == Some(0));
        nouns.filter_map(|(at, _)| beside(at)).collect()
    }
}

/// Whether a word can be nothing but a name: a path, a branch, a file, a version.
pub(super) fn is_name(token: &str) -> bool {
    let inner = token.trim_matches('.');
    let letters = token.chars().any(char::is_alphanumeric);
    letters
        && !token.chars().any(is_ideograph)
        && (token.contains(['/', '_', '@', '\\'])
            || inner.contains('.')
            || (token.starts_with('.') && token.len() > 2)
            || token.contains(':')
            || FILES.has(token))
}

/// Whether `text` holds `word` not as a part of a longer name.
pub(super) fn names(text: &str, word: &str) -> bool {
    let part = |character: char| {
        (character.is_alphanumeric() && !is_ideograph(character)) || matches!(character, '_' | '-' | '/')
    };
    let whole = |(start, _): (usize, &str)| {
        let end = start + word.len();
        let before = text.get(..start).and_then(|head| head.chars().next_back());
        let mut behind = text.get(end..).unwrap_or_default().chars();
        let after = behind.next();
        let dotted = after == Some('.') && behind.next().is_some_and(char::is_alphanumeric);
        before.is_none_or(|it| !part(it) && it != '.') && after.is_none_or(|it| !part(it)) && !dotted
    };
    !word.is_empty() && text.match_indices(word).any(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(turn: &str) -> Vec<Vec<String>> {
        let shown =
            |sentence: Sentence| sentence.clauses.into_iter().map(|it| it.words.trim().to_owned()).collect();
        sentences(turn).into_iter().map(shown).collect()
    }

    /// [C19]
    #[test]
    fn sentences_have_clauses_and_names_stay_whole() {
        assert_eq!(shape("Fix src/a.py, but don’t push."), [vec!["fix src/a.py", "but don't push"]]);
        assert_eq!(
            shape("Don't touch:\n- src/a\n- b.ts\n\nGo."),
            [vec!["don't touch", "src/a", "b.ts"], vec!["go"]]
        );
        assert_eq!(shape("先不要推送，提交 src/a.ts。"), [vec!["先不要推送", "提交 src/a.ts"]]);
        assert_eq!(shape("N'installe rien avant l'export"), [vec!["ne installe rien avant export"]]);
        assert_eq!(find(" do not push it ", "push*"), Some(8));
        assert_eq!(find(" the target ", "get"), None);
        let names = sentences("Leave `core` and dist/ alone").remove(0).clauses.remove(0).names();
        assert_eq!(names, ["dist/", "core"]);
    }
}
