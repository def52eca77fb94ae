//! What an action in a prompt is done to: the phrases behind its verb, and whether the noun of such a phrase is a part of a
//! program. `the bucket page` is code, and `the bucket shown on the page` is a bucket.

/// Words behind which a place is named; what is done there is done there even to code.
const PLACES: &[&str] =
    &["on", "to", "from", "in", "into", "onto", "against", "at", "across", "inside", "under"];

/// Other words that end a phrase: what follows says more of it, or when, or by what means.
const JOINERS: &[&str] = &[
    "of",
    "for",
    "with",
    "through",
    "that",
    "which",
    "who",
    "where",
    "when",
    "if",
    "because",
    "about",
    "using",
    "while",
    "after",
    "before",
    "until",
    "unless",
    "is",
    "are",
    "was",
    "were",
    "as",
    "via",
    "without",
    "including",
    "whose",
    "like",
    "even",
    "although",
    "named",
    "called",
    "though",
    "despite",
    "shown",
    "keeps",
];

/// Parts of a program: where one is the noun, the action is done to the code and not to what runs.
const PARTS: &[&str] = &[
    "argument",
    "assertion",
    "assertions",
    "badge",
    "banner",
    "branches",
    "bug",
    "button",
    "buttons",
    "call",
    "calls",
    "card",
    "case",
    "cases",
    "check",
    "checkbox",
    "class",
    "client",
    "code",
    "column",
    "comment",
    "comments",
    "component",
    "components",
    "config",
    "constant",
    "crash",
    "declaration",
    "dialog",
    "docs",
    "dropdown",
    "element",
    "enum",
    "error",
    "errors",
    "example",
    "examples",
    "field",
    "fields",
    "file",
    "fixture",
    "fixtures",
    "flag",
    "form",
    "footer",
    "function",
    "functions",
    "handler",
    "handlers",
    "header",
    "helper",
    "helpers",
    "icon",
    "image",
    "import",
    "imports",
    "input",
    "interface",
    "label",
    "layout",
    "leak",
    "link",
    "list",
    "loader",
    "logic",
    "menu",
    "method",
    "methods",
    "middleware",
    "mock",
    "mocks",
    "modal",
    "module",
    "modules",
    "notes",
    "option",
    "options",
    "parameter",
    "parser",
    "path",
    "prop",
    "property",
    "reducer",
    "route",
    "screen",
    "script",
    "section",
    "selector",
    "sidebar",
    "state",
    "struct",
    "styles",
    "suite",
    "tab",
    "template",
    "test",
    "tests",
    "tooltip",
    "type",
    "types",
    "typo",
    "ui",
    "validation",
    "variable",
    "variables",
    "view",
    "warning",
    "warnings",
    "widget",
    "wrapper",
];

/// Parts that run by themselves where they are those of production.
const SERVED: &[&str] = &["endpoint", "endpoints", "model", "models", "page", "pages", "files", "worker"];

/// Words that make what follows them one that people use.
const LIVE: &[&str] = &["prod", "production", "staging", "live", "s3"];

/// Words at the end of a phrase that are no noun.
const TRAILS: &[&str] = &["please", "now", "again", "too", "first", "entirely", "completely"];

/// Some words of a clause up to where the next phrase begins.
pub(super) struct Phrase<'text> {
    pub(super) joiner: &'text str,
    text: Vec<&'text str>,
}

/// The words of a text without marks.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The first word of a text that is none of those to skip, and what follows it.
pub(super) fn first_word(text: &str, skipped: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    let mut rest = text;
    loop {
        let start = rest.trim_start_matches(|it: char| !it.is_alphanumeric());
        let end = start.find(|it: char| !it.is_alphanumeric()).unwrap_or(start.len());
        let (word, behind) = start.split_at_checked(end).filter(|(word, _)| !word.is_empty())?;
        if !skipped(word) {
            return Some((word, behind));
        }
        rest = behind;
    }
}

/// The phrases of a text, the first of which is what the verb before it is done to.
pub(super) fn phrases(text: &str) -> Vec<Phrase<'_>> {
    let mut found = vec![Phrase { joiner: "", text: Vec::new() }];
    for word in text.split_whitespace() {
        let bare = word.trim_end_matches([',', '.', ':', ')']);
        if PLACES.contains(&bare) || JOINERS.contains(&bare) {
            found.push(Phrase { joiner: bare, text: Vec::new() });
        } else if let Some(last) = found.last_mut() {
            last.text.push(word);
        }
    }
    found
}

impl<'text> Phrase<'text> {
    pub(super) fn words(&self) -> Vec<&'text str> {
        self.text.iter().flat_map(|word| words(word)).collect()
    }

    /// The word that the others say more of.
    pub(super) fn noun(&self) -> &'text str {
        self.words().into_iter().rfind(|word| !TRAILS.contains(word)).unwrap_or_default()
    }

    pub(super) fn is_place(&self) -> bool {
        PLACES.contains(&self.joiner)
    }

    /// Whether the noun is a part of a program, or a file of one.
    pub(super) fn is_code(&self) -> bool {
        let noun = self.noun();
        let live = self.words().iter().any(|word| LIVE.contains(word));
        PARTS.contains(&noun) || (SERVED.contains(&noun) && !live) || self.is_file()
    }

    /// Whether it names a file of the work.
    fn is_file(&self) -> bool {
        const ENDINGS: &[&str] = &["yml", "yaml", "json", "toml", "tf", "css", "html", "sql", "sh", "vue"];
        self.text.last().is_some_and(|path| {
            let path = path.trim_end_matches(['.', ',', '"', '`', '}', '\'']);
            let own = !path.starts_with(['~', '/', '$']) && !path.contains("://");
            let source = path.starts_with("src/");
            let ending = path.rsplit_once('.').map(|(_, ending)| ending).unwrap_or_default();
            (path.contains('.') && super::is_source(path)) || (own && (source || ENDINGS.contains(&ending)))
        })
    }

    /// Whether the phrase speaks of what is in the file that the next one names: `the bucket in infra/main.tf`, and
    /// not `the bucket listed in a.tf`.
    fn stands_in(&self, next: Option<&Phrase<'_>>) -> bool {
        let within = |next: &Phrase<'_>| matches!(next.joiner, "in" | "from") && next.is_file();
        next.is_some_and(within) && !self.noun().ends_with("ed")
    }
}

/// The word among `objects` that the phrases of a clause are about, other than as a name for code. What says more of code
/// is about code as well; a place is where it is done.
pub(super) fn object_in<'text>(phrases: &[Phrase<'text>], objects: &[&str]) -> Option<&'text str> {
    let mut in_code = false;
    for (at, phrase) in phrases.iter().enumerate() {
        if in_code && !phrase.is_place() {
            return None;
        }
        in_code = phrase.is_code() || phrase.stands_in(phrases.get(at + 1));
        let words = phrase.words();
        let each = words.iter().any(|word| matches!(*word, "every" | "each" | "any"));
        let meant = |word: &&str| objects.contains(word) || (each && is_one_of(word, objects));
        if let Some(word) = words.into_iter().find(|word| meant(word)).filter(|_| !in_code) {
            return Some(word);
        }
    }
    None
}

/// Whether the word is one of which the list knows many: `every process`.
fn is_one_of(word: &str, objects: &[&str]) -> bool {
    objects.iter().any(|many| many.strip_prefix(word).is_some_and(|ending| matches!(ending, "s" | "es")))
}
