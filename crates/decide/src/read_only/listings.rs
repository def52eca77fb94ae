//! Names of files that the project itself lists: `git ls-files`, `find src`, `rg -l x`, and what picks among them.
//!
//! The reader says which commands print a name that is not spelled out. What such commands print of a trusted folder
//! lies in it, as what a pattern finds there does; what they print of anything else may lie anywhere.

use portcullis_shell::{Argument, Command, Placement, Printed, Reading};

use crate::call::ToolCall;
use crate::context::Context;
use crate::view::trusted::leads_inside;
use crate::view::{PathUse, View, directories};

/// Whether all that the path can be are names that the project lists, in a folder of it.
pub(crate) fn name(path: &PathUse, view: &View, call: &ToolCall, context: &Context) -> bool {
    let Some((printed, reading)) = path.printed.zip(view.reading.as_ref()) else { return false };
    let folder = path.path.split('*').next().unwrap_or_default().trim_end_matches('/');
    leads_nowhere_else(&path.named)
        && leads_inside(folder, context)
        && are_listed(printed, reading, call, context)
}

/// Whether one name in it, whatever it is called, cannot make the path leave the folder before it: `src/*`, `*.bak`.
fn leads_nowhere_else(named: &str) -> bool {
    let Some((before, behind)) = named.split_once('*') else { return false };
    let folder = before.is_empty() || before.ends_with('/');
    // `.` is a name too, and `..` is none of them.
    let ending =
        behind.strip_prefix('.').is_some_and(|rest| rest.starts_with(|it: char| it.is_alphanumeric()));
    let kept = behind.is_empty() || behind.starts_with('/') || ending;
    folder
        && kept
        && !climbs(before)
        && !climbs(behind)
        && !named.contains(['?', '['])
        && !behind.contains('*')
        && !before.starts_with('~')
}

fn climbs(text: &str) -> bool {
    text.split('/').any(|part| part == "..")
}

/// Whether nothing but names of the project's files is printed there.
fn are_listed(printed: Printed, reading: &Reading, call: &ToolCall, context: &Context) -> bool {
    // What a function of the line prints stands where it is defined.
    let defined = reading.commands.iter().any(|command| command.placement == Placement::Function);
    let commands: Vec<&Command> = printed.of(reading).collect();
    let here = |command: &Command| {
        directories(command, call, context)
            .is_some_and(|all| all.iter().all(|place| leads_inside(place, context)))
    };
    let plain = |command: &Command| {
        command.own.is_harmless()
            && command.assignments.is_empty()
            && command.program.as_deref() == Some(command.word.as_str())
            && here(command)
    };
    let inside = |fed: &Printed| fed.is_within(printed);
    let picks = |command: &Command| command.fed_by.as_ref().is_some_and(inside) && picks(command);
    let moves = |command: &Command| command.word == "cd" && here(command);
    let lists = |command: &Command| plain(command) && lists(command, call, context);
    !defined
        && commands.iter().any(|it| lists(it))
        && commands.iter().all(|it| lists(it) || moves(it) || (plain(it) && picks(it)))
}

/// Whether the command prints names of files below the folders that it names, and nothing else.
fn lists(command: &Command, call: &ToolCall, context: &Context) -> bool {
    let known = |word: &Argument| word.literal && !climbs(&word.text);
    let words: Option<Vec<&str>> =
        command.arguments.iter().map(|word| known(word).then_some(word.text.as_str())).collect();
    let Some(words) = words else { return command.word == "ls" && lists_found(command) };
    let inside = |place: &&str| {
        let path = context.absolute(place, &call.cwd);
        !place.starts_with('~') && leads_inside(&path, context)
    };
    let places = match (command.word.as_str(), words.as_slice()) {
        ("git", [verb, rest @ ..]) => return git_lists(verb, rest),
        ("find", rest) => found_in(rest),
        ("ls", rest) => Options { letters: "1tSrdUcuv", long: &["--sort"], valued: &[] }.operands(rest),
        ("rg", rest) if rest.contains(&"--files") => SEARCH.operands(rest),
        ("rg" | "grep" | "egrep" | "fgrep", rest) => searched(command, rest),
        ("fd" | "fdfind", rest) => {
            let until = rest.iter().position(|word| matches!(*word, "-x" | "-X" | "--exec" | "--exec-batch"));
            FIND.operands(rest.get(..until.unwrap_or(rest.len())).unwrap_or_default()).map(without_first)
        }
        _ => None,
    };
    places.is_some_and(|places| places.iter().all(inside))
}

/// `ls src/*.py`: the words are patterns, whose places are looked at by themselves.
fn lists_found(command: &Command) -> bool {
    // A file that a bare `*` finds may be called like an option.
    let bare = |text: &str| text.starts_with('*') && !text.starts_with("*.");
    let pattern = |text: &str| !text.starts_with(['/', '~', '-']) && !bare(text) && !climbs(text);
    let chooses = |text: &str| text.bytes().skip(1).all(|it| b"1tSrdUcuv".contains(&it));
    command.arguments.iter().all(|word| {
        if word.literal {
            !word.text.starts_with('-') || chooses(&word.text)
        } else {
            word.printed.is_none() && pattern(&word.text)
        }
    })
}

/// Options that choose among files, in the forms in which they are written.
struct Options {
    /// Letters that take no value.
    letters: &'static str,
    /// Long ones, with a value behind `=` or none.
    long: &'static [&'static str],
    /// Options whose value is the next word.
    valued: &'static [&'static str],
}

/// Of `rg` and `grep`: none follows links, and none prints anything but names.
const SEARCH: Options = Options {
    letters: "lirnwEFHsIzZ0vPS",
    long: &[
        "--files",
        "--files-with-matches",
        "--files-without-match",
        "--recursive",
        "--ignore-case",
        "--hidden",
        "--no-ignore",
        "--null",
        "--glob",
        "--iglob",
        "--type",
        "--type-not",
        "--include",
        "--exclude",
        "--exclude-dir",
        "--max-depth",
        "--sort",
    ],
    valued: &[
        "-g",
        "-t",
        "-T",
        "-e",
        "--glob",
        "--iglob",
        "--type",
        "--type-not",
        "--max-depth",
        "--sort",
        "-m",
    ],
};

const FIND: Options = Options {
    letters: "HIisFgp01",
    long: &[
        "--hidden",
        "--no-ignore",
        "--type",
        "--extension",
        "--exclude",
        "--max-depth",
        "--print0",
        "--glob",
    ],
    valued: &["-e", "-t", "-E", "-d", "--type", "--extension", "--exclude", "--max-depth"],
};

impl Options {
    /// The words that are no options; nothing where one is not known.
    fn operands<'w>(&self, words: &[&'w str]) -> Option<Vec<&'w str>> {
        let mut operands = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let name = word.split('=').next().unwrap_or_default();
            let letters = word.strip_prefix('-').filter(|rest| !rest.is_empty() && !rest.starts_with('-'));
            if *word == "--" {
                operands.extend(words);
                break;
            } else if self.valued.contains(word) {
                words.next()?;
            } else if name.starts_with("--") {
                if !self.long.contains(&name) {
                    return None;
                }
            } else if letters.is_some_and(|all| !all.chars().all(|it| self.letters.contains(it))) {
                return None;
            } else if letters.is_none() {
                operands.push(*word);
            }
        }
        Some(operands)
    }
}

/// `rg -l x src`, `grep -rl x src`: where they look. Without that letter, what is in files is printed.
fn searched<'w>(command: &Command, words: &[&'w str]) -> Option<Vec<&'w str>> {
    let tells = |word: &&str| {
        let short = word.starts_with('-') && !word.starts_with("--") && word.contains('l');
        short || matches!(*word, "--files-with-matches" | "--files-without-match")
    };
    // The value of `-e` is what is looked for, and no name begins with it.
    let sought = words.contains(&"-e");
    let operands = SEARCH.operands(words)?;
    let fed = command.placement == Placement::Piped;
    let named = words.iter().any(tells) && !words.contains(&"-c") && !fed;
    named.then(|| if sought { operands } else { without_first(operands) })
}

fn without_first(words: Vec<&str>) -> Vec<&str> {
    words.into_iter().skip(1).collect()
}

/// The folders that `find` goes through, where it only chooses by what files are like, and goes through no links.
fn found_in<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    const TESTS: &[&str] = &[
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-regex",
        "-iregex",
        "-maxdepth",
        "-mindepth",
        "-size",
        "-mtime",
        "-mmin",
        "-atime",
        "-ctime",
        "-newermt",
    ];
    const SIGNS: &[&str] = &[
        "-not",
        "!",
        "-o",
        "-or",
        "-a",
        "-and",
        "(",
        ")",
        "-print",
        "-print0",
        "-prune",
        "-empty",
        "-executable",
        "-readable",
    ];
    let until = words.iter().position(|word| word.starts_with(['-', '(', '!'])).unwrap_or(words.len());
    let (places, tests) = words.split_at_checked(until)?;
    let mut tests = tests.iter();
    while let Some(test) = tests.next() {
        match *test {
            // A link leads wherever it leads.
            "-type" => matches!(*tests.next()?, "f" | "d" | "f,d").then_some(())?,
            test if TESTS.contains(&test) => drop(tests.next()?),
            test => SIGNS.contains(&test).then_some(())?,
        }
    }
    Some(places.to_vec())
}

/// Options of `git` that choose names and change none of them.
const LISTING: &[&str] = &[
    "-z",
    "-m",
    "-o",
    "-c",
    "-d",
    "--modified",
    "--others",
    "--cached",
    "--deleted",
    "--exclude-standard",
    "--full-name",
    "--",
];
const COMPARING: &[&str] = &[
    "--name-only",
    "-z",
    "--cached",
    "--staged",
    "--merge-base",
    "--relative",
    "--no-renames",
    "-r",
    "--root",
    "--no-commit-id",
    "--",
];

/// `git ls-files`, `git diff --name-only`, `git grep -l x`: names from the repository's own folder, or from where it runs.
fn git_lists(verb: &str, words: &[&str]) -> bool {
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    // `:/` and what is meant from elsewhere.
    let here = |word: &str| {
        let excludes = [":!", ":^", ":(exclude)"].iter().any(|mark| word.starts_with(mark));
        !word.starts_with(['/', '~']) && (!word.starts_with(':') || excludes)
    };
    let chooses = |known: &[&str], word: &str| {
        let count = word.strip_prefix('-').is_some_and(is_number);
        let valued =
            ["--diff-filter=", "--exclude=", "--since=", "--author="].iter().any(|it| word.starts_with(it));
        if word.starts_with('-') { valued || count || known.contains(&word) } else { here(word) }
    };
    let all = |known: &[&str]| words.iter().all(|word| chooses(known, word));
    let empty =
        |word: &&str| matches!(*word, "--format=" | "--pretty=" | "--pretty=format:" | "--format=format:");
    let shown = || words.iter().filter(|word| !empty(word)).all(|word| chooses(COMPARING, word));
    match verb {
        "ls-files" => all(LISTING),
        "diff" | "diff-tree" | "diff-index" => has(&["--name-only"]) && all(COMPARING),
        "show" | "log" => has(&["--name-only"]) && words.iter().any(empty) && shown(),
        "ls-tree" => {
            has(&["--name-only"])
                && all(&["--name-only", "-r", "-z", "--full-tree", "--full-name", "-d", "--"])
        }
        "grep" => git_searches(words, here),
        _ => false,
    }
}

/// `git grep -l x -- src`
fn git_searches(words: &[&str], here: impl Fn(&str) -> bool) -> bool {
    let tells = |word: &str| {
        let short = word.starts_with('-') && !word.starts_with("--") && word.contains(['l', 'L']);
        short || word == "--files-with-matches"
    };
    let letters = |word: &str| word.bytes().skip(1).all(|letter| b"rlLiIwEFzPv".contains(&letter));
    let known = |word: &str| {
        let option = word.starts_with('-') && word != "--";
        if option { word == "--files-with-matches" || letters(word) } else { here(word) }
    };
    words.iter().any(|word| tells(word)) && words.iter().all(|word| known(word))
}

/// What makes a list shorter or puts it in another order, and changes none of its lines.
fn picks(command: &Command) -> bool {
    let literal = command.arguments.iter().all(|word| word.literal);
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let letters = |word: &str, known: &[u8]| {
        word.len() > 1 && word.starts_with('-') && word.bytes().skip(1).all(|letter| known.contains(&letter))
    };
    literal
        && match (command.word.as_str(), words.as_slice()) {
            ("head" | "tail", []) => true,
            ("head" | "tail", ["-n", count]) => is_number(count.trim_start_matches(['+', '-'])),
            ("head" | "tail", [count]) => {
                let rest = count.strip_prefix("-n").or_else(|| count.strip_prefix('-')).unwrap_or_default();
                is_number(rest.trim_start_matches('+'))
            }
            ("sort", all) => all.iter().all(|word| letters(word, b"urRzVfnhb")),
            ("uniq", all) => all.iter().all(|word| letters(word, b"uz")),
            ("shuf", ["-n", count]) => is_number(count),
            ("grep" | "egrep" | "fgrep" | "rg", [options @ .., _]) => {
                options.iter().all(|word| letters(word, b"vEiFwxzP") || *word == "-e")
            }
            _ => false,
        }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [F7a]
    #[test]
    fn only_a_whole_name_in_a_folder_leads_nowhere_else() {
        for path in ["*", "src/*", "./*", "src/*.bak", "*/index.ts", "/p/*"] {
            assert!(leads_nowhere_else(path), "{path}");
        }
        for path in
            ["../*", ".*", "src*", "*..", "*.", "*/../x", "src/../../*", "~*", "~/*", "**", "*/*", "x"]
        {
            assert!(!leads_nowhere_else(path), "{path}");
        }
    }
}
