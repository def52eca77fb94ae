//! What the expressions of find and fd do: they can delete, write and run things.

use super::find_words::{ALONE, WITH_DATA, WITH_FILE};
use super::invocation::{Invocation, Outcome, Run};
use super::search::only_harmless_options;
use super::table::{Operands, Spec};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::secrets;
use crate::unclear::Why;

/// fd without `-x` and `-X`, whose command swallows all words up to a `;`.
static FD: Spec = Spec::new("fd", Effects::READS)
    .options(
        "-0aFgHIiLlpqsu1h -ScdeEjot= -C=dir -xX=exec --hidden --no-hidden --no-ignore --ignore --no-ignore-vcs --ignore-vcs \
         --no-require-git --require-git --no-ignore-parent --no-global-ignore-file --unrestricted --case-sensitive --ignore-case \
         --glob --regex --fixed-strings --literal --and= --absolute-path --relative-path --list-details --follow --no-follow \
         --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type= --extension= --size= \
         --changed-within= --change-newer-than= --newer= --changed-after= --changed-before= --change-older-than= --older= \
         --owner= --format= --ignore-file=read --color= --hyperlink=? --threads= --max-buffer-time= --max-results= --quiet \
         --has-results --show-errors --base-directory=dir --path-separator= --search-path=read --strip-cwd-prefix=? \
         --one-file-system --mount --xdev --ignore-contain= --gen-completions=? --exec=exec --exec-batch=exec --batch-size=",
    )
    .operands(Operands::TextThenRead);

/// What is done to what the tests before it let through.
const ACTIONS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

pub(super) fn check<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    // The engine cannot know which words are arguments of a test; the walk below does.
    only_harmless_options(out);
    let mut walk =
        Walk { words: invocation.words, index: 0, starts: Vec::new(), filtered: false, name: None };
    walk.globals(out);
    walk.starting_points(out);
    walk.name = walk.only_name();
    while let Some(word) = walk.next() {
        walk.predicate(word, out);
    }
}

struct Walk<'a> {
    words: &'a [Argument<'a>],
    index: usize,
    starts: Vec<Argument<'a>>,
    /// Some test picks files by their names.
    filtered: bool,
    /// What the names of all that is found are like.
    name: Option<&'a str>,
}

impl<'a> Walk<'a> {
    fn next(&mut self) -> Option<Argument<'a>> {
        let word = self.words.get(self.index).copied();
        self.index += 1;
        word
    }

    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.index).and_then(Argument::known)
    }

    /// Options before the starting points: GNU's, then BSD's.
    fn globals(&mut self, out: &mut Outcome<'a>) {
        while let Some(word) = self.peek() {
            match word {
                "-D" => self.index += 2,
                "-f" => {
                    self.index += 1;
                    if let Some(start) = self.next() {
                        self.start(start, out);
                    }
                }
                "--" => self.index += 1,
                _ => {
                    let letters = word.strip_prefix('-').filter(|letters| !letters.is_empty());
                    let flags = letters
                        .is_some_and(|letters| letters.bytes().all(|letter| b"HLPEXsx".contains(&letter)));
                    let level = letters.and_then(|letters| letters.strip_prefix('O'));
                    if !flags && !level.is_some_and(|level| level.bytes().all(|digit| digit.is_ascii_digit()))
                    {
                        return;
                    }
                    self.index += 1;
                }
            }
        }
    }

    fn starting_points(&mut self, out: &mut Outcome<'a>) {
        while let Some(word) = self.words.get(self.index).copied() {
            if word.prefix().starts_with(['-', '(', '!', ')', ',']) {
                return;
            }
            self.index += 1;
            if word.may_dash {
                out.doubt(Why::MaybeOption, word.text, word.span);
            }
            self.start(word, out);
        }
    }

    fn start(&mut self, word: Argument<'a>, out: &mut Outcome<'a>) {
        out.reads(word);
        self.starts.push(word);
    }

    /// The pattern of `-name`, where no operator makes it one case among others.
    fn only_name(&self) -> Option<&'a str> {
        const OPERATORS: &[&str] = &["-o", "-or", "!", "-not", "(", ")", ","];
        let words = self.words.get(self.index..).unwrap_or_default();
        let joins = |word: &Argument<'a>| word.known().is_none_or(|text| OPERATORS.contains(&text));
        let acts = |word: &Argument<'a>| word.known().is_some_and(|text| ACTIONS.contains(&text));
        let action = words.iter().position(acts)?;
        let (before, after) = words.split_at_checked(action)?;
        // Another action may follow an operator.
        if before.iter().any(joins) || after.iter().any(|word| word.many) || after.iter().skip(1).any(acts) {
            return None;
        }
        let at = before.iter().position(|word| word.known() == Some("-name"))?;
        let pattern = before.get(at + 1).and_then(Argument::known)?;
        // Data of another test may look like this one: `-path -name`.
        let data = at.checked_sub(1).and_then(|at| before.get(at)).and_then(Argument::known);
        let mistaken = data.is_some_and(|word| WITH_DATA.contains(&word) || WITH_FILE.contains(&word));
        let plain = !pattern.is_empty() && !pattern.contains(['/', '\\']) && !matches!(pattern, "." | "..");
        (plain && !mistaken).then_some(pattern)
    }

    fn predicate(&mut self, word: Argument<'a>, out: &mut Outcome<'a>) {
        let Some(name) = word.known() else {
            out.doubt(Why::MaybeOption, word.text, word.span);
            return;
        };
        let dated = name.strip_prefix("-newer").filter(|kinds| kinds.len() == 2);
        match name {
            "-depth" if self.peek().is_some_and(is_number) => self.index += 1,
            _ if ALONE.contains(&name) => {}
            _ if WITH_DATA.contains(&name) => {
                let negated = self
                    .index
                    .checked_sub(2)
                    .and_then(|before| self.words.get(before))
                    .and_then(Argument::known);
                let pattern = self.argument(out).filter(|_| !matches!(negated, Some("!" | "-not")));
                let names_files = name.ends_with("name") && name != "-xattrname" || name.ends_with("path");
                self.filtered |= names_files || name.ends_with("regex");
                let seeks = |pattern: Argument<'a>| match name {
                    "-regex" | "-iregex" => out.arena.alloc_str(&as_glob(pattern.text)),
                    _ => pattern.text,
                };
                let names_files = names_files || name.ends_with("regex");
                if names_files && pattern.map(seeks).is_some_and(seeks_secrets) {
                    out.add(Effects::SECRETS);
                }
            }
            _ if WITH_FILE.contains(&name) || dated.is_some_and(|kinds| !kinds.ends_with('t')) => {
                if let Some(file) = self.argument(out) {
                    out.reads(file);
                }
            }
            _ if dated.is_some() => drop(self.argument(out)),
            "-delete" => {
                out.add(Effects::DELETES);
                self.starts.clone().into_iter().for_each(|start| out.deletes(start));
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some(file) = self.argument(out) {
                    out.writes(file);
                }
                if name == "-fprintf" {
                    self.argument(out);
                }
            }
            "-exec" | "-execdir" => self.runs(name == "-execdir", word, out),
            "-ok" | "-okdir" => {
                // Asks on the terminal first; what answers there is not known.
                out.executes();
                self.runs(name == "-okdir", word, out);
            }
            _ => out.doubt(Why::UnknownOption, format!("find {name}"), word.span),
        }
    }

    /// The argument of a test. If it could vanish or split, the words after it mean something else.
    fn argument(&mut self, out: &mut Outcome<'a>) -> Option<Argument<'a>> {
        let argument = self.next()?;
        if argument.many {
            out.doubt(Why::MaybeOption, argument.text, argument.span);
        }
        Some(argument)
    }

    /// The command of `-exec`, up to `;` or `{} +`.
    fn runs(&mut self, in_directory: bool, action: Argument<'a>, out: &mut Outcome<'a>) {
        let rest = self.words.get(self.index..).unwrap_or_default();
        let many = |at: usize| at > 0 && rest.get(at - 1).and_then(Argument::known) == Some("{}");
        let end = rest.iter().enumerate().position(|(at, word)| match word.known() {
            Some(";") => true,
            Some("+") => many(at),
            Some(_) | None => false,
        });
        let length = end.unwrap_or(rest.len());
        let command = rest.get(..length).unwrap_or_default();
        let batch = rest.get(length).and_then(Argument::known) == Some("+");
        self.index += length + 1;
        let looks = command.first().and_then(Argument::known).is_some_and(|program| LOOKS.contains(&program));
        let wide = self.starts.iter().flat_map(Argument::possible).any(secrets::holds_secrets);
        if wide && !self.filtered && !looks {
            out.add(Effects::SECRETS);
        }
        if end.is_none() || command.is_empty() {
            out.doubt(Why::Syntax, "-exec without its end", action.span);
        }
        if command.first().is_some_and(|program| program.text.contains("{}")) {
            out.executes();
            return;
        }
        let program = command.first().and_then(Argument::known).unwrap_or_default();
        if in_directory && super::obeys_its_folder(program.rsplit('/').next().unwrap_or_default()) {
            // It obeys the folder of each file, and nobody has looked at those.
            out.doubt(Why::UnclearCode, format!("{program} in each folder"), action.span);
        }
        let name = self.name.unwrap_or("*");
        if self.starts.is_empty() {
            substitute(command, Found { text: "./*", name, may_dash: false, batch }, out);
        }
        for start in &self.starts {
            let text = out.arena.alloc_str(&format!("{}/*", start.text));
            let may_dash = start.may_dash && !in_directory;
            substitute(command, Found { text, name, may_dash, batch }, out);
        }
    }
}

/// Programs that show a file's name or other facts about it, but not what is in it.
const LOOKS: &[&str] =
    &["ls", "stat", "du", "echo", "printf", "basename", "dirname", "realpath", "test", "wc"];

/// Whether a pattern is after credentials. A directory that is only `*` names nothing.
fn seeks_secrets(pattern: &str) -> bool {
    let certain = |part: &str| part.chars().filter(|character| !matches!(character, '.' | '*' | '?')).count();
    let mut parts = pattern.rsplit('/');
    let name = parts.next().unwrap_or_default();
    // In `-path` a `*` matches a slash as well, so that `*ssh*` finds what is in `.ssh`.
    let folder = |part: &str| certain(part) > 2 && secrets::is_secret_path(&format!("{part}/x"), false);
    secrets::is_secret_path(pattern, true)
        || (certain(name) > 0 && secrets::is_secret_path(name, false))
        || (name.contains('*') && folder(name.trim_end_matches('*')))
        || parts.any(folder)
}

/// A regular expression as a pattern for names that finds at least as much.
fn as_glob(expression: &str) -> String {
    let mut glob = String::with_capacity(expression.len());
    let mut characters = expression.chars().peekable();
    while let Some(character) = characters.next() {
        let mark = match character {
            '.' => '?',
            '\\' => match characters.next() {
                Some(escaped @ ('.' | '/' | '-' | '_')) => escaped,
                Some('(' | ')' | '|') | None => '*',
                Some(_) => '?',
            },
            '(' | ')' | '|' | '{' | '}' => '*',
            '^' | '$' => continue,
            '*' | '+' | '?' => {
                glob.pop();
                '*'
            }
            other => other,
        };
        glob.push(mark);
    }
    glob
}

fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['+', '-']);
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// What stands for the files that are found in one place.
#[derive(Clone, Copy)]
struct Found<'a> {
    text: &'a str,
    /// What their names are like.
    name: &'a str,
    may_dash: bool,
    /// Several are handed over at once.
    batch: bool,
}

/// Runs `command` with what is found in the place of each `{}`.
fn substitute<'a>(command: &'a [Argument<'a>], found: Found<'a>, out: &mut Outcome<'a>) {
    let arena = out.arena;
    let words = command.iter().map(|word| {
        if !word.text.contains("{}") {
            return *word;
        }
        let whole = word.text == "{}";
        let text = if whole { found.text } else { arena.alloc_str(&word.text.replace("{}", found.text)) };
        let may_dash = word.may_dash || (word.text.starts_with("{}") && found.may_dash);
        Argument {
            text,
            literal: false,
            may_dash,
            many: word.many || found.batch,
            numeric: false,
            counted: false,
            prelude: false,
            glob: whole,
            found: whole.then_some(found.name),
            printed: None,
            shape: None,
            nearly: None,
            choices: &[],
            span: word.span,
        }
    });
    let words = arena.alloc_slice_fill_iter(words.collect::<Vec<_>>());
    if !words.is_empty() {
        out.runs.push(Run::Words(words));
    }
}

pub(super) fn check_fd<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    only_harmless_options(out);
    let words = invocation.words;
    let is_exec = |word: &Argument<'_>| matches!(word.known(), Some("-x" | "-X" | "--exec" | "--exec-batch"));
    let Some(at) = words.iter().position(is_exec) else {
        Invocation::examine(invocation.program, &FD, words, out);
        return;
    };
    let (before, action) = words.split_at_checked(at).unwrap_or((words, &[]));
    let batch = matches!(action.first().and_then(Argument::known), Some("-X" | "--exec-batch"));
    let rest = action.get(1..).unwrap_or_default();
    let end = rest.iter().position(|word| word.known() == Some(";")).unwrap_or(rest.len());
    let command = rest.get(..end).unwrap_or_default();
    let after = rest.get(end + 1..).unwrap_or_default();
    let own = out.arena.alloc_slice_copy(&[before, after].concat());
    Invocation::examine(invocation.program, &FD, own, out);
    if after.iter().any(is_exec) {
        out.executes();
    }
    runs_found(command, batch, out);
}

/// The command of `fd -x`: the name found stands for each placeholder, or at the end without one.
/// Older versions hand names on without `./` before them, so it may begin with a dash.
fn runs_found<'a>(command: &'a [Argument<'a>], batch: bool, out: &mut Outcome<'a>) {
    const PLACEHOLDERS: &[&str] = &["{}", "{/}", "{//}", "{.}", "{/.}"];
    let has_place = |word: &Argument<'_>| PLACEHOLDERS.iter().any(|place| word.text.contains(place));
    let Some(program) = command.first().filter(|program| !has_place(program)) else {
        out.executes();
        return;
    };
    let mut words: Vec<Argument<'a>> = Vec::with_capacity(command.len() + 1);
    for word in command {
        let found = Argument {
            many: batch,
            printed: out.itself.filter(|_| word.text == "{}"),
            ..Argument::unknown(word.span)
        };
        words.push(if has_place(word) { found } else { *word });
    }
    if !command.iter().any(has_place) {
        words.push(Argument { many: batch, printed: out.itself, ..Argument::unknown(program.span) });
    }
    out.runs.push(Run::Words(out.arena.alloc_slice_copy(&words)));
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::span::Span;

    fn runs(program: &str, words: &[&'static str]) -> Vec<String> {
        let arena = Bump::new();
        let words: Vec<_> = words.iter().map(|word| Argument::literal(word, Span::default())).collect();
        let mut out = Outcome::new(&arena);
        let words = arena.alloc_slice_copy(&words);
        let spec = super::super::find(program).expect("a table");
        Invocation::examine(program, spec, words, &mut out);
        let text = |run: &Run<'_>| match run {
            Run::Words(words) => words.iter().map(|word| word.text).collect::<Vec<_>>().join(" "),
            Run::Script(script, _) => script.text.to_owned(),
        };
        out.runs.iter().map(text).collect()
    }

    #[test]
    fn what_is_found_stands_in_the_command() {
        assert_eq!(
            runs("find", &["src", "lib", "-exec", "wc", "-l", "{}", "+"]),
            ["wc -l src/*", "wc -l lib/*"]
        );
        assert_eq!(
            runs("find", &["-execdir", "sh", "-c", "rm {}", ";", "-exec", "ls", ";"]),
            ["sh -c rm ./*", "ls"]
        );
        assert_eq!(runs("find", &["src", "-name", "*.c", "-execdir", "wc", "{}", "+"]), ["wc src/*"]);
        assert_eq!(runs("fd", &["a", "-x", "wc", "-l"]), ["wc -l *"]);
        assert_eq!(runs("fd", &["-X", "mv", "{}", "-t", "d", ";", "a"]), ["mv * -t d"]);
    }

    #[test]
    fn a_name_is_known_where_it_is_no_case_among_others() {
        let read = |tests: &str| {
            let line = format!("find src {tests} -exec wc {{}} ';'");
            let reading = crate::read(&line, crate::Dialect::Bash);
            reading.files.read.into_iter().filter(|file| file.deep).map(|file| file.path).collect::<Vec<_>>()
        };
        assert_eq!(read("-type f -name '*.c'"), ["src/*.c"]);
        for tests in [
            "-type f",
            "-name a -o -name b",
            "! -name a",
            "-path -name -print",
            "-name 'a\\*'",
            "-name \"$x\"",
            "-name a -exec ls ';' -o",
        ] {
            assert!(read(tests).iter().all(|path| path == "src/*"), "{tests}");
        }
    }
}
