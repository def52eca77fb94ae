//! Runs every line of the reader's specification in `spec/` as a test of its own.
//!
//! The format is described at the top of `spec/tools/shell.md`.
#![expect(clippy::disallowed_methods, reason = "the test reads the specification")]
#![expect(clippy::expect_used, reason = "a specification that cannot be read must stop the run")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use portcullis_shell::{Dialect, Effects, FileUse, Reading, read};

/// The page about the reader, and the further lines in its format.
const PAGES: &[&str] = &["spec/tools/shell.md", "tests/regressions/shell-reader.md"];

struct Line {
    name: String,
    dialect: Dialect,
    expected: String,
    command: String,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lines = PAGES.iter().flat_map(|page| lines(&root.join(page), page));
    let trials = lines.map(|line| Trial::test(line.name.clone(), move || check(&line))).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The test lines of one page.
fn lines(path: &PathBuf, page: &str) -> Vec<Line> {
    let text = std::fs::read_to_string(path).expect("the page is part of the repository");
    let mut found = Vec::new();
    let mut heading = String::new();
    let mut dialect = None;
    for (index, line) in text.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut heading);
        } else if let Some(language) = line.strip_prefix("```") {
            dialect = dialect_named(language);
        } else if let Some(dialect) = dialect.filter(|_| !line.trim().is_empty()) {
            let (expected, command) = line.split_once("  ").expect("an expectation, two blanks, a command");
            let command = command.trim_start_matches(' ').replace('⏎', "\n");
            let name = format!("{page}:{} {heading}: {}", index + 1, line.trim());
            found.push(Line { name, dialect, expected: expected.to_owned(), command });
        }
    }
    found
}

fn dialect_named(language: &str) -> Option<Dialect> {
    match language {
        "bash" => Some(Dialect::Bash),
        "sh" => Some(Dialect::Sh),
        "zsh" => Some(Dialect::Zsh),
        "powershell" => Some(Dialect::PowerShell),
        _ => None,
    }
}

fn check(line: &Line) -> Result<(), Failed> {
    let reading = read(&line.command, line.dialect);
    let mut wanted = None;
    let mut unclear = false;
    for word in line.expected.split(' ') {
        let holds = match word.split_once([':', '=']) {
            None if word == "unclear" => {
                unclear = true;
                !reading.unclear.is_empty()
            }
            Some(("unclear", kind)) => {
                unclear = true;
                reading.unclear.iter().any(|doubt| doubt.why.name() == kind)
            }
            Some(("runs", programs)) => programs.split(',').all(|program| runs(&reading, program)),
            Some(("read", path)) => names(&reading.files.read, path),
            Some(("writes", path)) => names(&reading.files.written, path),
            Some(("deleted", path)) => names(&reading.files.deleted, path),
            Some(_) => return Err(format!("`{word}` means nothing here").into()),
            None => {
                wanted = Some(word);
                true
            }
        };
        if !holds {
            return Err(format!("`{word}` does not hold: {reading:#?}").into());
        }
    }
    check_effects(&reading, wanted, unclear)
}

fn check_effects(reading: &Reading, wanted: Option<&str>, unclear: bool) -> Result<(), Failed> {
    if unclear && reading.only_reads() {
        return Err("an unclear line cannot be proven to read".into());
    }
    let Some(wanted) = wanted else { return Ok(()) };
    if !unclear && !reading.unclear.is_empty() {
        return Err(format!("unexpected doubt: {:?}", reading.unclear).into());
    }
    let mut expected = Effects::NONE;
    for name in wanted.split(',').filter(|name| *name != "reads") {
        expected.add(Effects::named(name).ok_or_else(|| format!("no effect is called `{name}`"))?);
    }
    let expected = expected.without(Effects::HARMLESS);
    let found = reading.effects().without(Effects::HARMLESS);
    if found != expected {
        return Err(format!("expected {expected:?}, found {found:?}").into());
    }
    if unclear || reading.only_reads() == expected.is_empty() {
        Ok(())
    } else {
        Err("only_reads disagrees".into())
    }
}

fn runs(reading: &Reading, program: &str) -> bool {
    reading.commands.iter().any(|command| command.program.as_deref() == Some(program))
}

fn names(files: &[FileUse], path: &str) -> bool {
    files.iter().any(|file| file.path == path)
}
