//! sed: its script is a language that can write files and run commands, so it is read in full.

use super::invocation::{Invocation, Outcome, Run};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::unclear::Why;

pub(super) const TABLE: &[Spec] = &[Spec::new("sed gsed ssed", Effects::READS)
    .style(Style::Gnu)
    .options(
        "-nErsuzbh -l=!reads -e= -f=read!executes -i=?!writes -I=?!writes --quiet --silent --debug --expression= --file=read!executes \
         --follow-symlinks --in-place=?!writes --line-length= --posix --regexp-extended --separate --sandbox --unbuffered \
         --null-data --zero-terminated --binary",
    )
    .operands(Operands::None)
    .check(check)
    .examples(&[
        ("sed -n '1,5p' a", "reads"),
        ("sed -n '1,90p;150,215p;$p' a", "reads"),
        ("sed -e 's/a/b/g' -e '/x/,+3d' a", "reads"),
        ("sed -E 's|([a-z]+)/x|\\1|;s,a,b,2;y/ab/cd/' a", "reads"),
        ("sed '1!G;h;$!d' a", "reads"),
        ("sed ':a;N;$!ba;s/\\n/ /g' a", "reads"),
        ("sed '/^$/{N;/^\\n$/D};s/x/w/' a", "reads"),
        ("sed 's/[^/]*$//' a", "reads"),
        ("sed '/a/I!{p;=;l 5;q3}' a", "reads"),
        ("sed 's/a/b/w out' a", "reads writes"),
        ("sed 's/a/b/gw /dev/stdout' a", "reads"),
        ("sed -n 'w MARK' a", "reads writes"),
        ("sed -n -e p --expression='1w MARK' a", "reads writes"),
        ("sed '1e touch x' a", "reads executes"),
        ("sed 's/.*/touch x/e;q' a", "reads executes unknown"),
        ("sed -n e a", "reads executes unknown"),
        ("sed '1{s/a/b/;e touch x' a", "reads executes unknown"),
        ("sed '$r .env' a", "reads secrets"),
        ("sed -n 1p .env", "reads secrets"),
        ("sed -i s/a/b/ f", "reads writes"),
        ("sed -i '' 's/a/b/e' f", "reads writes executes unknown"),
        ("sed -ni.bak s/a/b/p f", "reads writes"),
        ("sed --in-pl=.bak s/a/b/ f", "reads writes"),
        ("sed -f script a", "reads executes"),
        ("sed 'k' a", "reads unknown"),
        ("sed -l 's/a/b/w x' a", "reads unknown"),
        ("sed", "reads unknown"),
        ("sed 'a hello; w x' a", "reads"),
        ("sed '/[/]/e id' a", "reads executes"),
        ("sed 's/\\c[/x/;1\t,1e touch x;s/]/y/' f", "reads executes"),
        ("sed '1\t,\t3p' f", "reads"),
        ("sed 's/\\c[/x/;k;s/]/y/' f", "reads unknown"),
        ("sed 's/[/]/e;x/' a", "reads executes unknown"),
        ("sed 's/a/b/ ; /x/w y' a", "reads writes"),
        ("sed -n '/a/,/b/{//!p;10q}' a", "reads"),
        ("sed -e :a -e '$!N;s/\\n//;ta' a", "reads"),
        ("sed ':a;a\\\nw x' a", "reads unknown"),
        ("sed '/x/a\\text' a", "reads"),
    ])];

fn check<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if out.help {
        return;
    }
    let in_place = invocation.has(&["i", "I", "--in-place"]);
    let mut operands = invocation.operands.iter().copied().peekable();
    let from_file = invocation.has(&["f", "--file"]);
    let scripts: Vec<Argument<'a>> = invocation
        .options
        .iter()
        .filter(|seen| matches!(seen.name, "e" | "--expression"))
        .filter_map(|seen| seen.value)
        .collect();
    // BSD's -i and -I take the backup suffix as a word of its own: `sed -i '' SCRIPT FILE`.
    let suffix =
        |word: &Argument<'_>| word.known().is_some_and(|text| text.is_empty() || text.starts_with('.'));
    if in_place && operands.peek().is_some_and(suffix) {
        // Elsewhere it is a file like any other: `sed -i.bak -e s/a/b/ .git/config`.
        operands.next().filter(|word| word.known() != Some("")).into_iter().for_each(|word| out.writes(word));
    }
    if !scripts.is_empty() {
        examine(&scripts, out);
    } else if !from_file {
        match operands.next() {
            Some(script) => examine(&[script], out),
            None => out.doubt(
                Why::UnclearCode,
                "sed without a script",
                invocation.words.first().map(|word| word.span).unwrap_or_default(),
            ),
        }
    }
    // BSD's -l is a flag: there the next word would be the script.
    if let Some(length) = invocation.value(&["l"]).filter(|length| !length.numeric) {
        out.doubt(Why::UnclearCode, length.text, length.span);
    }
    for file in operands {
        if in_place {
            out.writes(file);
        } else {
            out.reads(file);
        }
    }
}

/// What the script, given in one or several parts, does.
fn examine<'a>(parts: &[Argument<'a>], out: &mut Outcome<'a>) {
    let span = parts.first().map(|part| part.span).unwrap_or_default();
    if let [only] = parts
        && !only.choices.is_empty()
    {
        only.choices.iter().for_each(|choice| judge(choice, *only, out));
        return;
    }
    let known: Option<Vec<&str>> = parts.iter().map(Argument::known).collect();
    match (known, parts.first()) {
        (Some(known), Some(first)) => judge(out.arena.alloc_str(&known.join("\n")), *first, out),
        (None, Some(first)) if parts.iter().all(is_numbered) => {
            // Whichever number it is, and with none at all, the commands are the same.
            for number in ["1", "27"] {
                let texts: Vec<String> = parts.iter().map(|part| numbered(part, number)).collect();
                judge(out.arena.alloc_str(&texts.join("\n")), *first, out);
            }
        }
        (Some(_) | None, _) => out.doubt(Why::UnclearCode, "sed script", span),
    }
}

/// `${n},+5p`: numbers in places where sed wants one, and not as what it would cut a command at.
fn is_numbered(part: &Argument<'_>) -> bool {
    let mut befores = part.text.match_indices('*').filter_map(|(at, _)| part.text.get(..at));
    part.literal || (part.counted && befores.all(|before| !before.ends_with(['s', 'y', '\\'])))
}

/// The part with this number filled in.
fn numbered(part: &Argument<'_>, number: &str) -> String {
    if part.literal { part.text.to_owned() } else { part.text.replace('*', number) }
}

fn judge<'a>(script: &'a str, argument: Argument<'a>, out: &mut Outcome<'a>) {
    // Some seds let a bracket hide the delimiter, some do not. Where the two readings differ, the
    // second is a script with an error in most cases; what it would do before that counts as well.
    let aware = Reader::new(script, true, argument).read(out);
    let mut reader = Reader::new(script, false, argument);
    let plain = reader.read(out);
    if aware.is_none() || (plain.is_none() && !reader.met_bracket) {
        out.doubt(Why::UnclearCode, script, argument.span);
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// Goes through a script command by command. `None` means that it is not understood.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about where we are")]
struct Reader<'a> {
    rest: std::str::Chars<'a>,
    /// A delimiter inside `[…]` does not end the expression.
    brackets: bool,
    /// In BSD a label runs to the end of the line: until then, nothing may span lines.
    after_label: bool,
    /// The command just read took the rest of its line.
    line_taken: bool,
    /// The command being read has a bracket in its pattern that was not taken for one.
    met_bracket: bool,
    argument: Argument<'a>,
}

impl<'a> Reader<'a> {
    fn new(script: &'a str, brackets: bool, argument: Argument<'a>) -> Reader<'a> {
        Reader {
            rest: script.chars(),
            brackets,
            after_label: false,
            line_taken: false,
            met_bracket: false,
            argument,
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.rest.next();
        }
    }

    fn read(&mut self, out: &mut Outcome<'a>) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            self.skip(|character| character.is_ascii_whitespace() || character == ';');
            if self.rest.as_str().is_empty() {
                return (depth == 0).then_some(());
            }
            self.met_bracket = false;
            self.addresses()?;
            self.line_taken = false;
            let command = self.rest.next()?;
            match command {
                '{' => depth += 1,
                '}' => depth = depth.checked_sub(1)?,
                _ => self.command(command, out)?,
            }
            if command != '{' {
                self.ends()?;
            }
        }
    }

    fn command(&mut self, command: char, out: &mut Outcome<'a>) -> Option<()> {
        match command {
            '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'F' | 'z' => {}
            'l' | 'L' | 'q' | 'Q' => {
                self.skip(is_blank);
                self.skip(|character| character.is_ascii_digit());
            }
            '#' => drop(self.line()),
            ':' | 'b' | 't' | 'T' | 'v' => self.label(),
            'a' | 'i' | 'c' => self.text()?,
            'r' | 'R' => {
                let file = self.file()?;
                out.reads(file);
            }
            'w' | 'W' => {
                let file = self.file()?;
                out.writes(file);
            }
            'e' => {
                out.executes();
                let line = self.line().trim();
                if line.is_empty() {
                    self.runs_lines(out);
                } else {
                    out.runs.push(Run::Script(Argument::literal(line, self.argument.span), Dialect::Sh));
                }
            }
            's' => {
                self.delimited_pair(true)?;
                self.flags(out)?;
            }
            'y' => self.delimited_pair(false)?,
            _ => return None,
        }
        Some(())
    }

    /// What is read, or what a substitution makes of it, is run.
    fn runs_lines(&self, out: &mut Outcome<'a>) {
        out.doubt(Why::UnclearCode, "a command that sed reads or makes up", self.argument.span);
    }

    /// Any addresses, and the `!` after them.
    fn addresses(&mut self) -> Option<()> {
        if self.address()? {
            self.skip(is_blank);
            if self.peek() == Some(',') {
                self.rest.next();
                self.skip(is_blank);
                if matches!(self.peek(), Some('+' | '~')) {
                    self.rest.next();
                }
                self.address()?.then_some(())?;
            }
        }
        self.skip(|character| matches!(character, ' ' | '\t' | '!'));
        Some(())
    }

    /// One address; says whether there was one.
    fn address(&mut self) -> Option<bool> {
        match self.peek() {
            Some('0'..='9') => self.skip(|character| character.is_ascii_digit() || character == '~'),
            Some('$') => drop(self.rest.next()),
            Some(mark @ ('/' | '\\')) => {
                self.rest.next();
                let delimiter = if mark == '/' { '/' } else { self.rest.next()? };
                self.delimited(delimiter, true)?;
                self.skip(|character| matches!(character, 'I' | 'M'));
            }
            Some(_) | None => return Some(false),
        }
        Some(true)
    }

    /// The two parts of `s` and `y`.
    fn delimited_pair(&mut self, pattern: bool) -> Option<()> {
        let delimiter = self.rest.next().filter(|character| !matches!(character, '\n' | '\\'))?;
        self.delimited(delimiter, pattern)?;
        self.delimited(delimiter, false)
    }

    fn delimited(&mut self, delimiter: char, pattern: bool) -> Option<()> {
        loop {
            match self.rest.next()? {
                '\\' => {
                    let escaped = self.rest.next()?;
                    self.may_span(escaped)?;
                }
                '\n' => return None,
                character if character == delimiter => return Some(()),
                '[' if pattern && self.brackets => self.bracket()?,
                '[' if pattern => self.met_bracket = true,
                _ => {}
            }
        }
    }

    /// The rest of a bracket expression after its `[`.
    fn bracket(&mut self) -> Option<()> {
        self.skip_one('^');
        self.skip_one(']');
        loop {
            match self.rest.next()? {
                ']' => return Some(()),
                '\n' => return None,
                '[' => {
                    if let Some(kind @ (':' | '.' | '=')) = self.peek() {
                        let close: String = [kind, ']'].iter().collect();
                        let end = self.rest.as_str().get(1..)?.find(&close)? + 3;
                        self.rest = self.rest.as_str().get(end..)?.chars();
                    }
                }
                _ => {}
            }
        }
    }

    fn skip_one(&mut self, wanted: char) {
        if self.peek() == Some(wanted) {
            self.rest.next();
        }
    }

    /// The flags of `s`.
    fn flags(&mut self, out: &mut Outcome<'a>) -> Option<()> {
        loop {
            match self.peek() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => drop(self.rest.next()),
                Some('e') => {
                    out.executes();
                    self.runs_lines(out);
                    self.rest.next();
                }
                Some('w') => {
                    self.rest.next();
                    let file = self.file()?;
                    out.writes(file);
                    return Some(());
                }
                Some(_) | None => return Some(()),
            }
        }
    }

    /// A file name: all that is left of the line.
    fn file(&mut self) -> Option<Argument<'a>> {
        let name = self.line().trim_start();
        (!name.is_empty()).then(|| Argument::literal(name, self.argument.span))
    }

    fn label(&mut self) {
        self.skip(is_blank);
        self.skip(|character| !character.is_ascii_whitespace() && !matches!(character, ';' | '}'));
        self.after_label = true;
    }

    /// The text of `a`, `i` and `c`: to the end of the line, and on where a backslash ends it.
    fn text(&mut self) -> Option<()> {
        while let Some(character) = self.rest.next() {
            match character {
                '\\' => {
                    let escaped = self.rest.next()?;
                    self.may_span(escaped)?;
                }
                '\n' => break,
                _ => {}
            }
        }
        self.after_label = false;
        self.line_taken = true;
        Some(())
    }

    fn may_span(&self, character: char) -> Option<()> {
        (character != '\n' || !self.after_label).then_some(())
    }

    fn line(&mut self) -> &'a str {
        let all = self.rest.as_str();
        let (line, rest) = all.split_once('\n').unwrap_or((all, ""));
        self.rest = rest.chars();
        self.after_label = false;
        self.line_taken = true;
        line
    }

    /// What may follow a command. Commands that took the whole line are at the start of the next.
    fn ends(&mut self) -> Option<()> {
        self.skip(|character| matches!(character, ' ' | '\t'));
        self.after_label &= self.peek() != Some('\n');
        let ended = matches!(self.peek(), None | Some(';' | '}' | '#' | '\n'));
        (ended || self.line_taken).then_some(())
    }
}
