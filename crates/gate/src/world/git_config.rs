//! Git's configuration format: sections, keys, values with quotes, escapes and continued lines.
//!
//! It only reads; what a key means is said in `repository`. A text that git would refuse is refused.

/// One setting: `section.subsection.key`, section and key in lower case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    pub(super) section: String,
    pub(super) subsection: Option<String>,
    pub(super) key: String,
    /// Nothing where the key stands alone, which means true.
    pub(super) value: Option<String>,
}

impl Setting {
    /// The whole name, as git prints it.
    pub(super) fn name(&self) -> String {
        match &self.subsection {
            Some(subsection) => format!("{}.{subsection}.{}", self.section, self.key),
            None => format!("{}.{}", self.section, self.key),
        }
    }
}

/// Reads a configuration; nothing if git would not accept it.
pub(super) fn parse(text: &str) -> Option<Vec<Setting>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    if text.contains('\0') {
        return None;
    }
    let mut reader = Reader { characters: text.chars().peekable() };
    let mut section: Option<(String, Option<String>)> = None;
    let mut settings = Vec::new();
    while let Some(first) = reader.characters.next() {
        match first {
            '\n' => {}
            '#' | ';' => reader.comment(),
            '[' => section = Some(reader.section()?),
            _ if first.is_whitespace() => {}
            _ if first.is_ascii_alphabetic() => {
                let (section, subsection) = section.clone()?;
                let (key, value) = reader.setting(first)?;
                settings.push(Setting { section, subsection, key, value });
            }
            _ => return None,
        }
    }
    Some(settings)
}

struct Reader<'t> {
    characters: std::iter::Peekable<std::str::Chars<'t>>,
}

impl Reader<'_> {
    fn comment(&mut self) {
        while self.characters.next_if(|next| *next != '\n').is_some() {}
    }

    fn blanks(&mut self) {
        while self.characters.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
    }

    /// After `[`: `name]`, `name "subsection"]` or the old `name.subsection]`.
    fn section(&mut self) -> Option<(String, Option<String>)> {
        let mut name = String::new();
        loop {
            match self.characters.next()? {
                ']' => break,
                ' ' | '\t' => {
                    self.blanks();
                    let subsection = self.subsection()?;
                    return Some((name.to_ascii_lowercase(), Some(subsection)));
                }
                next if next.is_ascii_alphanumeric() || matches!(next, '-' | '.') => name.push(next),
                _ => return None,
            }
        }
        let lower = name.to_ascii_lowercase();
        match lower.split_once('.') {
            Some((section, subsection)) => Some((section.to_owned(), Some(subsection.to_owned()))),
            None => Some((lower, None)),
        }
    }

    fn subsection(&mut self) -> Option<String> {
        self.characters.next_if_eq(&'"')?;
        let mut text = String::new();
        loop {
            match self.characters.next()? {
                '"' => break,
                '\n' => return None,
                '\\' => text.push(self.characters.next().filter(|next| *next != '\n')?),
                next => text.push(next),
            }
        }
        self.characters.next_if_eq(&']').map(|_| text)
    }

    fn setting(&mut self, first: char) -> Option<(String, Option<String>)> {
        let mut key = String::from(first);
        while let Some(next) = self.characters.next_if(|next| next.is_ascii_alphanumeric() || *next == '-') {
            key.push(next);
        }
        self.blanks();
        let key = key.to_ascii_lowercase();
        match self.characters.peek() {
            None | Some('\n') => Some((key, None)),
            Some('#' | ';') => {
                self.comment();
                Some((key, None))
            }
            Some('=') => {
                self.characters.next();
                Some((key, Some(self.value()?)))
            }
            Some(_) => None,
        }
    }

    fn value(&mut self) -> Option<String> {
        self.blanks();
        let mut value = String::new();
        // Blanks count only when something follows them.
        let mut blanks = String::new();
        let mut quoted = false;
        while let Some(next) = self.characters.next() {
            match next {
                '\n' if quoted => return None,
                '\n' => return Some(value),
                '#' | ';' if !quoted => {
                    self.comment();
                    return Some(value);
                }
                _ if next.is_whitespace() && !quoted => blanks.push(next),
                _ => {
                    value.push_str(&std::mem::take(&mut blanks));
                    match next {
                        '"' => quoted = !quoted,
                        '\\' => value.extend(self.escape()?),
                        _ => value.push(next),
                    }
                }
            }
        }
        (!quoted).then_some(value)
    }

    /// After a backslash; a line that goes on gives nothing.
    #[expect(clippy::option_option, reason = "no such escape, and an escape that stands for nothing, differ")]
    fn escape(&mut self) -> Option<Option<char>> {
        match self.characters.next()? {
            '\n' => Some(None),
            't' => Some(Some('\t')),
            'b' => Some(Some('\u{8}')),
            'n' => Some(Some('\n')),
            same @ ('\\' | '"') => Some(Some(same)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Option<Vec<(String, Option<String>)>> {
        parse(text).map(|settings| settings.into_iter().map(|it| (it.name(), it.value)).collect())
    }

    #[expect(clippy::unnecessary_wraps, reason = "compared with what may be nothing")]
    fn one(name: &str, value: Option<&str>) -> Option<Vec<(String, Option<String>)>> {
        Some(vec![(name.to_owned(), value.map(str::to_owned))])
    }

    #[test]
    fn values_are_read_as_git_reads_them() {
        assert_eq!(check("[Core]\n\tFSMonitor = a b  ; c\n"), one("core.fsmonitor", Some("a b")));
        assert_eq!(check("[core]fsmonitor=x"), one("core.fsmonitor", Some("x")));
        assert_eq!(check("[core]\n pager"), one("core.pager", None));
        assert_eq!(check("[core]\n pager # why"), one("core.pager", None));
        assert_eq!(
            check("[diff \"A\\\"b\"]\ncommand = \"x ; y\" z"),
            one("diff.A\"b.command", Some("x ; y z"))
        );
        assert_eq!(check("[diff.Foo]\ntextconv=\\\"a\\\\b\\tc"), one("diff.foo.textconv", Some("\"a\\b\tc")));
        assert_eq!(check("[core]\r\npager = a \\\r\n b\r\n"), one("core.pager", Some("a  b")));
        assert_eq!(check("\u{feff}[a]\nb=\" c \""), one("a.b", Some(" c ")));
        assert_eq!(check("# only\n; this\n"), Some(Vec::new()));
    }

    #[test]
    fn what_git_refuses_is_refused() {
        for text in [
            "a = b",
            "[core",
            "[core]\npager = \"x",
            "[core]\n1a = b",
            "[co re]",
            "[a]\nb = \\q",
            "[a \"b]\n",
            "[a]\nb c",
        ] {
            assert_eq!(check(text), None, "{text}");
        }
    }
}
