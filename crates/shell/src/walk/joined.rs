//! A word while it is put together from its parts.

use crate::argument::Argument;
use crate::span::Span;
use crate::syntax::tree::Quoting;

/// Where unquoted values are split into words.
#[derive(Clone, Copy)]
pub(super) enum Splitting {
    Blanks,
    /// `IFS` is not what it was.
    Anywhere,
    /// zsh leaves them whole.
    Never,
}

/// A word while it is put together.
pub(super) struct Joined<'a> {
    pub(super) text: bumpalo::collections::String<'a>,
    pub(super) argument: Argument<'a>,
    /// All that the word can be so far, where one of its parts has a few known values: `src/$f`.
    composed: Option<Vec<String>>,
    /// The name of a new file, and what follows it.
    below: Option<Box<(&'a str, String)>>,
    /// All that is not known of it are numbers.
    counted: bool,
}

impl<'a> Joined<'a> {
    pub(super) fn new(arena: &'a bumpalo::Bump, span: Span) -> Joined<'a> {
        let text = bumpalo::collections::String::new_in(arena);
        Joined { text, argument: Argument::literal("", span), composed: None, below: None, counted: true }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        if let Some(below) = &mut self.below {
            below.1.push_str(text);
        }
        self.composed.iter_mut().flatten().for_each(|value| value.push_str(text));
        // Whatever choices there were, the word is more than one of them now.
        if !text.is_empty() {
            self.argument.choices = &[];
        }
    }

    /// A pattern; `usual` if it finds the files that such patterns find.
    pub(super) fn glob(&mut self, text: &str, usual: bool) {
        // `-*` finds the names of options.
        if self.text.is_empty() || self.text.as_str() == "-" {
            self.argument.may_dash = true;
        }
        self.argument.glob |= self.argument.literal && usual;
        self.argument.literal = false;
        self.argument.printed = None;
        self.argument.many = true;
        self.counted = false;
        self.composed = None;
        self.push(text);
    }

    pub(super) fn unknown(&mut self) {
        self.argument.may_dash |= self.text.as_str() == "-";
        self.argument.literal = false;
        self.argument.glob = false;
        self.argument.printed = None;
        self.composed = None;
        self.counted = false;
        self.push("*");
    }

    /// Adds a value that is one of a few to text that is known.
    fn one_of(&mut self, choices: &[&str]) {
        let known = self.text.as_str();
        self.composed = Some(choices.iter().map(|choice| format!("{known}{choice}")).collect());
        let leads = self.text.is_empty() && choices.iter().any(|choice| choice.starts_with('-'));
        self.argument.may_dash |= leads;
        self.counted = false;
        self.argument.literal = false;
        self.argument.printed = None;
        self.text.push('*');
    }

    /// Adds the value of an expansion.
    #[inline(never)]
    pub(super) fn value(
        &mut self,
        value: Argument<'a>,
        quoting: Quoting,
        single: bool,
        splitting: Splitting,
    ) {
        let bare = quoting == Quoting::Bare;
        let splits = |text: &str| match splitting {
            Splitting::Anywhere => bare,
            Splitting::Blanks => bare && text.contains([' ', '\t', '\n', '*', '?', '[']),
            Splitting::Never => false,
        };
        if let Some(text) = value.known().filter(|text| !splits(text)) {
            self.argument.many |= bare && text.is_empty();
            return self.push(text);
        }
        let vanishes = |text: &str| bare && text.is_empty();
        if single
            && !value.choices.is_empty()
            && !value.choices.iter().any(|text| splits(text) || vanishes(text))
        {
            // Even a single choice is not taken for text that stands there.
            self.argument = Argument {
                literal: false,
                many: false,
                glob: false,
                printed: None,
                span: self.argument.span,
                ..value
            };
            self.counted = false;
            return self.text.push('*');
        }
        let whole = !value.choices.iter().any(|text| splits(text) || text.is_empty());
        if !single && self.argument.literal && !value.choices.is_empty() && whole {
            return self.one_of(value.choices);
        }
        if let Some(shape) = value.shape.filter(|shape| !bare && (single || !shape.maybe_empty)) {
            self.argument.may_dash |= self.text.is_empty() && value.may_dash;
            self.argument.glob |= self.argument.literal;
            self.argument.literal = false;
            self.argument.printed = None;
            self.argument.shape = Some(shape).filter(|_| single);
            self.composed = None;
            self.counted = false;
            return self.push(shape.pattern);
        }
        // A bare value splits, and so do the known values that did not pass above.
        let several = value.glob || (bare && (value.many || value.literal || !value.choices.is_empty()));
        let new = value.shape.filter(|shape| shape.maybe_empty && self.text.is_empty());
        let leads = self.text.is_empty() || several;
        self.argument.many |= several;
        self.argument.may_dash |= leads && (value.may_dash || value.literal);
        let counted = self.counted && value.numeric && !matches!(splitting, Splitting::Anywhere);
        // Nothing else of the word is unknown, before it or behind.
        let printed = value.printed.filter(|_| self.argument.literal && value.text == "*");
        self.unknown();
        self.argument.printed = printed;
        self.counted = counted;
        self.argument.numeric = single && value.numeric;
        self.argument.shape = value.shape.filter(|_| single);
        self.argument.prelude = single && value.prelude;
        let whole = !matches!(splitting, Splitting::Anywhere);
        self.below = new.filter(|_| whole).map(|shape| Box::new((shape.pattern, String::new())));
    }

    #[inline(never)]
    pub(super) fn finish(self, arena: &'a bumpalo::Bump) -> Argument<'a> {
        let text = self.text.into_bump_str();
        if self.argument.glob && is_address(text) {
            return Argument::literal(text, self.argument.span);
        }
        if let Some(values) = self.composed {
            let values = values.iter().map(|value| &*arena.alloc_str(value));
            let choices = arena.alloc_slice_fill_iter(values.collect::<Vec<&str>>());
            return Argument { text, choices, ..self.argument };
        }
        let many = self.argument.many;
        let below = self.below.filter(|below| leads_nowhere(&below.1));
        let nearly = below.map(|below| &*arena.alloc_str(&format!("{}{}", below.0, below.1)));
        // `out/page$i.html`: a number leads nowhere. Without one, a folder would be left of `out/$i`.
        let counted = self.counted && !self.argument.literal;
        let numbered = match text.strip_suffix('*') {
            Some(known) if known.ends_with('/') || known.is_empty() => None,
            Some(known) => Some(&*arena.alloc_str(&format!("{known}*[0-9]"))),
            None => Some(text),
        };
        let nearly = nearly.or(numbered.filter(|_| counted));
        let whole =
            if self.argument.literal { Argument::literal(text, self.argument.span) } else { self.argument };
        Argument { text, many, counted, nearly, ..whole }
    }
}

/// Whether what stands behind the name of a new file stays below it, and where there is no such file names nothing that
/// matters: a disk is rarely full, but then it is a path from the root.
fn leads_nowhere(rest: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "etc",
        "usr",
        "bin",
        "sbin",
        "lib",
        "lib64",
        "home",
        "root",
        "var",
        "opt",
        "boot",
        "dev",
        "proc",
        "sys",
        "run",
        "srv",
        "mnt",
        "media",
        "tmp",
        "nix",
        "data",
        "work",
        "workspace",
        "workspaces",
        "app",
        "repo",
        "Users",
        "Library",
        "System",
        "Applications",
        "Volumes",
        "private",
    ];
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    let first = rest.split('/').find(|part| !part.is_empty()).unwrap_or_default();
    let below = rest.is_empty() || rest.starts_with('/');
    below && rest.bytes().all(plain) && !rest.split('/').any(|part| part == "..") && !FOLDERS.contains(&first)
}

/// Whether a word with `?` or `[::1]` in it is an address: where no file has such a name, and none has, the shell leaves
/// it as it stands.
fn is_address(text: &str) -> bool {
    let web = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let bare = || {
        let local = ["localhost:", "localhost/", "127.0.0.1:", "127.0.0.1/", "[::1]:", "[::1]/"];
        local.iter().any(|start| text.starts_with(start)).then_some(text)
    };
    let Some(rest) = web.or_else(bare) else { return false };
    let rest = rest.strip_prefix("[::1]").unwrap_or(rest);
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    !rest.contains(['*', '[', ']', '\\']) && (host.len() < rest.len() || text.contains("[::1]"))
}
