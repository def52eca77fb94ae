//! Options in the words of a table: what each entry says, and the entry of an option that was given.

use crate::effects::Effects;

/// What an option's entry says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The option as the table spells it: `--name`, or the letter alone for a short option.
    pub(crate) name: &'static str,
    pub(crate) value: Value,
    /// What follows the name in the table: value kind and effects.
    suffix: &'static str,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    No,
    Attached,
    Required,
}

/// What the value of an option is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Data,
    Read,
    Write,
    Delete,
    Directory,
    Execute,
    Send,
    Url,
    /// A file whose lines name files that are read.
    List,
    /// Settings: a file, or `KEY=VALUE`.
    Config,
    /// `KEY=VALUE` for the program or what it runs; a path or an address steers it.
    Property,
    /// The table has a word that is not one of ours; a test keeps this from shipping.
    Unknown,
}

impl Entry {
    fn new(name: &'static str, suffix: &'static str) -> Entry {
        let value = match suffix.as_bytes() {
            [b'=', b'?', ..] => Value::Attached,
            [b'=', ..] => Value::Required,
            _ => Value::No,
        };
        Entry { name, value, suffix }
    }

    /// What the option's value is.
    pub(crate) fn kind(&self) -> Kind {
        let word = self.suffix.split('!').next().unwrap_or_default();
        match word.trim_start_matches('=').trim_start_matches('?') {
            "" => Kind::Data,
            "read" => Kind::Read,
            "write" => Kind::Write,
            "delete" => Kind::Delete,
            "dir" => Kind::Directory,
            "exec" => Kind::Execute,
            "send" => Kind::Send,
            "url" => Kind::Url,
            "list" => Kind::List,
            "config" => Kind::Config,
            "property" => Kind::Property,
            _ => Kind::Unknown,
        }
    }

    /// The marks that follow a `!`: effect names, `help`, `dry`.
    pub(crate) fn marks(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.suffix.split('!').skip(1)
    }

    /// Whether giving the option can do no harm, whatever its value.
    pub(crate) fn is_harmless(&self) -> bool {
        let kind_harmless =
            matches!(self.kind(), Kind::Data | Kind::Read | Kind::List | Kind::Property | Kind::Directory);
        kind_harmless
            && self.marks().all(|mark| {
                matches!(mark, "help" | "dry" | "real" | "steers")
                    || mark.starts_with("mode:")
                    || Effects::named(mark).is_some_and(Effects::is_harmless)
            })
    }
}

/// Every entry of an option string.
#[cfg(test)]
pub(crate) fn entries(options: &'static str) -> Vec<Entry> {
    let mut found = Vec::new();
    for word in options.split_ascii_whitespace() {
        let (name, suffix) = word.split_at(word.find(['=', '!']).unwrap_or(word.len()));
        let flags = if name.starts_with("--") { "" } else { name.strip_prefix('-').unwrap_or_default() };
        if flags.is_empty() {
            found.push(Entry::new(name, suffix));
        }
        for (at, flag) in flags.char_indices() {
            found.push(Entry::new(flags.get(at..at + flag.len_utf8()).unwrap_or_default(), suffix));
        }
    }
    found
}

/// Whether some option does more than read.
pub(crate) fn has_dangerous(options: &'static str) -> bool {
    options.split_ascii_whitespace().any(|word| {
        let (name, suffix) = word.split_at(word.find(['=', '!']).unwrap_or(word.len()));
        !suffix.is_empty() && !Entry::new(name, suffix).is_harmless()
    })
}

/// Whether `-5` is an option.
pub(crate) fn takes_number(options: &'static str) -> bool {
    options.split_ascii_whitespace().any(|word| word == "-#")
}

/// The entry of a long option, dashes included, spelled out.
pub(crate) fn long_option(options: &'static str, name: &str) -> Option<Entry> {
    for start in memchr::memmem::find_iter(options.as_bytes(), name.as_bytes()) {
        let boundary = start == 0 || options.as_bytes().get(start - 1) == Some(&b' ');
        let Some(rest) = options.get(start..).filter(|_| boundary) else { continue };
        let word = rest.split(' ').next().unwrap_or_default();
        let (found, suffix) = word.split_at(word.find(['=', '!']).unwrap_or(word.len()));
        if found == name {
            return Some(Entry::new(found, suffix));
        }
    }
    None
}

/// The entries of which `name` could be an abbreviation.
pub(crate) fn abbreviated(options: &'static str, name: &str) -> impl Iterator<Item = Entry> {
    options.split_ascii_whitespace().filter(move |word| word.starts_with(name)).map(|word| {
        let (found, suffix) = word.split_at(word.find(['=', '!']).unwrap_or(word.len()));
        Entry::new(found, suffix)
    })
}

/// The entry of a short option. Its name is the letter alone.
pub(crate) fn short_option(options: &'static str, flag: char) -> Option<Entry> {
    for word in options.split_ascii_whitespace() {
        let body = word.strip_prefix('-')?;
        if body.starts_with('-') {
            return None;
        }
        let (flags, suffix) = body.split_at(body.find(['=', '!']).unwrap_or(body.len()));
        if let Some(at) = flags.find(flag).filter(|_| flag != '#') {
            return Some(Entry::new(flags.get(at..at + flag.len_utf8())?, suffix));
        }
    }
    None
}

/// The entry of an option of the single-dash style, its name without dashes.
pub(crate) fn word_option(options: &'static str, name: &str) -> Option<Entry> {
    options.split_ascii_whitespace().find_map(|word| {
        let body = word.trim_start_matches('-');
        let (found, suffix) = body.split_at(body.find(['=', '!']).unwrap_or(body.len()));
        (found == name).then(|| Entry::new(found, suffix))
    })
}
