//! Files that are shown without being named in the line: what a list, a search or a substitution hands to `cat`.
//!
//! The reader does not know such names. Where they come from says whether credentials can be among them.

mod finders;

use finders::{finds_hidden, wanders};
use portcullis_shell::{Argument, Command, Placement, Reading, is_secret_path};

use crate::detect::{Finding, detectors};
use crate::view::{Access, View};

/// Programs that show, or put elsewhere, what is in the files they are given.
const SHOWS: &[&str] = &[
    "cat", "bat", "batcat", "head", "tail", "less", "more", "nl", "tac", "rev", "base64", "base32", "xxd",
    "od", "hexdump", "hd", "strings", "grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep", "zcat", "sed",
    "awk", "gawk", "cut", "sort", "uniq", "paste", "fold", "fmt", "pr", "column", "jq", "yq", "cp",
    "install", "diff", "tee", "openssl", "tar", "zip", "expand", "unexpand", "comm", "join", "dd",
];

/// Interpreters that can be given a line of code for each file.
const INTERPRETERS: &[&str] = &["python", "python3", "node", "ruby", "perl", "php"];

/// Programs that write a text so that it no longer says what it was.
const DISGUISES: &[&str] = &["base64", "base32", "xxd", "rev", "openssl", "basenc"];

/// Programs that only pass on, shorten or sort what comes in.
const PASSES: &[&str] = &[
    "cat", "head", "tail", "sort", "uniq", "cut", "tr", "sed", "awk", "gawk", "grep", "egrep", "fgrep", "rg",
    "tee", "xargs", "read", "wc", "jq", "shuf", "tac", "column", "while", "basename", "dirname", "realpath",
    "nl",
];

/// Programs that print no names of files, or those that were asked for by name.
const TELLS_OTHERS: &[&str] = &[
    "cd", "pwd", "mktemp", "date", "seq", "which", "command", "basename", "dirname", "realpath", "readlink",
    "test", "[", "true", "read", "wc", "nproc", "uname", "id", "whoami", "hostname", "expr", "node", "go",
    "cargo", "npm",
];

/// Letters of grep and its kin that take a value.
const TAKES_VALUE: [char; 12] = ['e', 'f', 'A', 'B', 'C', 'm', 'd', 'D', 'g', 't', 'T', 'r'];

/// A command that shows files whose names are not spelled out, where credentials may be among them.
pub(crate) fn shown(view: &View) -> Option<Finding> {
    let reading = view.reading.as_ref()?;
    let mut commands = reading.commands.iter().enumerate();
    let (_, command) = commands.find(|(index, command)| {
        let shows = command.program.as_deref().is_some_and(|name| SHOWS.contains(&name))
            || command.arguments.iter().any(|word| takes_in(word, view));
        (shows || runs_code(command))
            && !only_names(command)
            && (command.arguments.iter().any(|word| is_open(word) || opens(word))
                || is_fed_open(command, view))
            && (sources(*index, command, reading).may_name_secrets(command, view)
                || takes_list_in(view)
                || lists_in_text(command, reading, view))
    })?;
    Some(Finding::on(&detectors::UNNAMED_SECRET_FILES, command))
}

/// Whether nothing at all is known of the word.
fn is_open(word: &Argument) -> bool {
    !word.literal
        && word.choices.is_empty()
        && word.text.contains('*')
        && word.text.chars().all(|character| matches!(character, '*' | '/'))
}

/// `echo "$(< $f)"`: what is in the file becomes part of the word.
fn takes_in(word: &Argument, view: &View) -> bool {
    let dense: String =
        word.span.of(&view.line).chars().filter(|it| !it.is_whitespace() && *it != '"').collect();
    dense.contains("$(<$")
}

/// `dd if="$f"`
fn opens(word: &Argument) -> bool {
    !word.literal && word.choices.is_empty() && word.text == "if=*"
}

/// `xargs python3 -c …`
fn runs_code(command: &Command) -> bool {
    command.placement == Placement::Wrapped
        && command.program.as_deref().is_some_and(|name| INTERPRETERS.contains(&name))
        && command.arguments.iter().any(|word| matches!(word.text.as_str(), "-c" | "-e" | "-ne" | "-r"))
}

/// `cat < "$f"`
fn is_fed_open(command: &Command, view: &View) -> bool {
    let mut read = view.paths.iter().filter(|path| path.redirect && path.access == Access::Read);
    read.any(|path| {
        let open = path.named.contains('*') && path.named.chars().all(|it| matches!(it, '*' | '/'));
        open && !path.literal && crate::view::in_span(path, command)
    })
}

/// `grep -l`: it tells which files, and not what is in them.
fn only_names(command: &Command) -> bool {
    let search = command.program.as_deref().is_some_and(|name| name.ends_with("grep") || name == "rg");
    let names = |word: &Argument| {
        let short = word.text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        // What follows a letter that takes a value is the value.
        let letters = short.and_then(|letters| letters.split(TAKES_VALUE).next()).unwrap_or_default();
        letters.contains(['l', 'L', 'c', 'q'])
            || matches!(word.text.as_str(), "--files-with-matches" | "--count" | "--quiet")
    };
    search && command.arguments.iter().take_while(|word| word.text != "--").any(names)
}

/// The commands whose output may become the names.
struct Sources<'r> {
    commands: Vec<&'r Command>,
    /// Whether it surely is theirs: then each must be known to name no credentials.
    surely: bool,
}

/// Where the names come from: a substitution among the words, what is piped in, or any command before.
fn sources<'r>(index: usize, command: &Command, reading: &'r Reading) -> Sources<'r> {
    let all = &reading.commands;
    let inside = |other: &&Command| {
        other.span != command.span
            && other.placement != Placement::Wrapped
            && crate::view::within(other.span, command.span)
    };
    let own: Vec<&Command> = all.iter().filter(inside).collect();
    if !own.is_empty() {
        return Sources { commands: own, surely: true };
    }
    // A loop or a variable that is filled in by commands which are known: `for f in $(git ls-files)`.
    let printed = command.arguments.iter().filter_map(|word| word.printed);
    let printers: Vec<&Command> = printed.flat_map(|printed| printed.of(reading)).collect();
    if !printers.is_empty() && command.placement != Placement::Wrapped {
        return Sources { commands: printers, surely: true };
    }
    let earlier = all.get(..index).unwrap_or_default();
    let wraps = |other: &Command| other.span == command.span && other.placement != Placement::Wrapped;
    let reads = |other: &Command| takes_lines(other) && other.placement == Placement::Piped;
    let wrapped = command.placement == Placement::Wrapped;
    let feeder = if wrapped { earlier.iter().rposition(wraps) } else { earlier.iter().rposition(reads) };
    if let Some(at) = feeder {
        return Sources { commands: fed_by(all, at).iter().collect(), surely: true };
    }
    let fed = all.iter().skip(index).filter(|other| other.placement == Placement::Process);
    Sources { commands: earlier.iter().chain(fed).collect(), surely: false }
}

/// The command at `index` with those whose output it reads, and what they start in turn.
fn fed_by(commands: &[Command], index: usize) -> &[Command] {
    let passes = |command: &Command| matches!(command.placement, Placement::Piped | Placement::Wrapped);
    let until = commands.get(..=index).unwrap_or_default();
    let first = until.iter().rposition(|command| !passes(command)).unwrap_or(0);
    until.get(first..).unwrap_or_default()
}

/// `read`, `mapfile`: what comes in becomes the value of a variable.
fn takes_lines(command: &Command) -> bool {
    matches!(command.program.as_deref(), Some("read" | "mapfile" | "readarray"))
}

impl Sources<'_> {
    fn may_name_secrets(&self, shower: &Command, view: &View) -> bool {
        let makes = |command: &&Command| matches!(command.program.as_deref(), Some("echo" | "printf"));
        let changes = |command: &&Command| {
            matches!(command.program.as_deref(), Some("sed" | "awk" | "gawk" | "tr"))
                && command.placement == Placement::Piped
        };
        // Searching all of a project is ordinary, and so is looking at what was found.
        let finds = |command: &&Command| {
            let mut words = command.arguments.iter().filter(|word| !word.text.starts_with('-'));
            let first = words.next().map(|word| word.text.as_str());
            command.program.as_deref() == Some("xargs")
                && matches!(first, Some("grep" | "rg" | "egrep" | "fgrep"))
        };
        let looks = shower.program.as_deref().is_some_and(|name| name.ends_with("grep") || name == "rg");
        let searched = looks || self.commands.iter().any(finds);
        // A name that is put together on the way is not the one that is written there.
        let made_up = self.surely && self.commands.iter().any(makes) && self.commands.iter().any(changes);
        made_up
            || self.commands.iter().any(|from| {
                let substituted = matches!(from.placement, Placement::Substitution | Placement::Process);
                may_name_secrets(from, view, self.surely || substituted, searched)
            })
    }
}

/// Whether the names that the command gives may be those of credentials; `surely` if it is known to give them.
fn may_name_secrets(from: &Command, view: &View, surely: bool, searched: bool) -> bool {
    let name = from.program.as_deref().unwrap_or_default();
    let piped = from.placement == Placement::Piped;
    let says = |words: &[&str]| from.arguments.iter().any(|word| words.contains(&word.text.as_str()));
    let secret = || from.arguments.iter().any(|word| speaks_of_secrets(&word.text));
    match name {
        "echo" | "printf" => {
            let made = |text: &str| (name == "printf" && text.contains(".%")) || spells_letters(text);
            let hidden = |word: &Argument| surely && !word.literal && begins_hidden(&word.text);
            secret() || from.arguments.iter().any(|word| made(&word.text) || hidden(word))
        }
        "ls" | "dir" => lists_hidden(from),
        "locate" | "mlocate" | "plocate" => true,
        "shopt" | "setopt" => says(&["dotglob", "globdots"]),
        "fd" | "fdfind" => finds_hidden(from),
        "find" | "gfind" => wanders(from, searched),
        "git" => {
            says(&["-o", "--others", "-i", "--ignored", "--no-index", "-oi"])
                || (surely && lists_ignored(from))
        }
        "grep" | "egrep" | "fgrep" | "rg" if piped => {
            let inverted =
                from.arguments.iter().any(|word| word.text.starts_with("-v") || word.text == "-iv");
            !inverted && (secret() || from.arguments.iter().any(|word| surely && is_bare_secret(&word.text)))
        }
        "rg" | "ag" => {
            let deep = |word: &Argument| word.text.starts_with("-u") || word.text.starts_with("--no-ignore");
            says(&["--hidden", "-.", "--unrestricted"])
                || from.arguments.iter().any(deep)
                || (surely && picks_secrets(from))
        }
        "grep" | "egrep" | "fgrep" => surely && searches_secrets(from),
        "ack" => false,
        "sed" | "awk" | "gawk" if piped && surely => {
            let mut texts = from.arguments.iter().flat_map(|word| word.text.split(['/', '|', '"', '#', ',']));
            texts.any(speaks_of_secrets)
        }
        "npm" if surely => !says(&["root", "bin", "prefix"]),
        "read" | "mapfile" | "readarray" if !piped => reads_list(view),
        // Nobody hands it any names: an agent's commands have no input of their own.
        "xargs" if !view.line.contains(['|', '<']) => takes_list(from),
        _ if DISGUISES.contains(&name) => true,
        _ if surely && TELLS_OTHERS.contains(&name) => {
            from.arguments.iter().any(|word| speaks_of_secrets(word.text.trim_start_matches('+')))
        }
        _ if !surely => false,
        _ if PASSES.contains(&name) => !piped && !reads_own(from, view),
        _ => true,
    }
}

/// `printf '\056env'`: letters by their numbers.
fn spells_letters(text: &str) -> bool {
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).count();
    text.split('\\').skip(1).any(|rest| rest.starts_with(['x', 'u', 'U']) || digits(rest) > 1)
}

/// `.*`, and not `./*` or `...`
fn begins_hidden(text: &str) -> bool {
    text.strip_prefix('.').is_some_and(|rest| !rest.starts_with(['.', '/', ' ']) && !rest.is_empty())
}

/// `git ls-files -io`: what git leaves out, or what is a credential by its name.
fn lists_ignored(command: &Command) -> bool {
    let verb = command.verbs.first().and_then(|at| command.arguments.get(*at));
    let verb = verb.map(|word| word.text.as_str()).unwrap_or_default();
    let lists = matches!(verb, "ls-files" | "ls-tree" | "status" | "diff");
    let letters = |text: &str| {
        verb == "ls-files" && !text.starts_with("--") && text.starts_with('-') && text.contains(['o', 'i'])
    };
    let lists_more = |text: &str| {
        letters(text)
            || text.starts_with("--ignored")
            || text.starts_with("--others")
            || (lists && !text.starts_with(":!") && !text.starts_with(":(ex") && speaks_of_secrets(text))
    };
    verb == "check-ignore" || command.arguments.iter().any(|word| lists_more(&word.text))
}

/// `rg --files -g '*.pem'`
fn picks_secrets(command: &Command) -> bool {
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let after = words().zip(words().skip(1)).filter(|(name, _)| matches!(*name, "-g" | "--glob" | "--iglob"));
    let glued = words().filter_map(|word| {
        word.strip_prefix("--glob=")
            .or_else(|| word.strip_prefix("--iglob="))
            .or_else(|| word.strip_prefix("-g"))
    });
    let mut globs = after.map(|(_, glob)| glob).chain(glued);
    globs.any(|glob| !glob.starts_with('!') && speaks_of_secrets(glob))
}

/// `grep -rl API_KEY .`: files are picked for the credential that is in them.
fn searches_secrets(command: &Command) -> bool {
    const SOUGHT: &[&str] = &[
        "api_key",
        "apikey",
        "api-key",
        "secret",
        "password",
        "passwd",
        "token",
        "credential",
        "private key",
    ];
    let words = || command.arguments.iter().map(|word| word.text.as_str());
    let picked = words().any(|word| word.starts_with("--include") || word.starts_with("--exclude="));
    let mut operands = words().filter(|word| !word.starts_with('-'));
    let sought = operands.next().unwrap_or_default().to_ascii_lowercase();
    let mut everywhere = operands.peekable();
    let here = everywhere.peek().is_none() || everywhere.any(|place| matches!(place, "." | "./" | "*"));
    !picked && here && SOUGHT.iter().any(|word| sought.contains(word))
}

/// A pattern that is nothing but a usual part of the names of credentials.
fn is_bare_secret(pattern: &str) -> bool {
    const PARTS: &[&str] = &[
        "env",
        "cred",
        "creds",
        "credential",
        "credentials",
        "secret",
        "secrets",
        "pem",
        "rsa",
        "passw",
        "passwd",
        "password",
        "passwords",
    ];
    let plain = pattern.replace(['\\', '^', '$', '.', '*', '(', ')'], "").to_ascii_lowercase();
    plain.split('|').any(|part| PARTS.contains(&part))
}

/// `xargs -a names`
fn takes_list(command: &Command) -> bool {
    command.arguments.iter().take_while(|word| word.text.starts_with('-')).any(|word| {
        let short = !word.text.starts_with("--") && word.text.contains('a');
        short || word.text.starts_with("--arg-f")
    })
}

/// Whether the command reads nothing but files that the line itself wrote, and no text of it is a secret name.
fn reads_own(from: &Command, view: &View) -> bool {
    let written = |path: &str| is_written_plainly(path, view);
    let read = view.paths.iter().filter(|path| path.access == Access::Read);
    let mut read = read.filter(|path| crate::view::in_span(path, from)).peekable();
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut texts = commands.flat_map(|command| &command.arguments);
    read.peek().is_some()
        && read.all(|path| path.literal && written(&path.path))
        && !texts.any(|word| speaks_of_secrets(&word.text))
}

/// Whether a list is read that the line did not write itself.
fn reads_list(view: &View) -> bool {
    let mut read = view.paths.iter().filter(|path| path.redirect && path.access == Access::Read);
    read.any(|path| !path.path.starts_with("/dev/") && !is_written_plainly(&path.path, view))
}

/// Whether the line itself writes the file, and nothing that may name credentials goes into it.
fn is_written_plainly(file: &str, view: &View) -> bool {
    /// Programs that put what is in a file into another.
    const COPIES: &[&str] =
        &["cat", "cp", "mv", "sort", "head", "tail", "uniq", "cut", "tr", "tac", "shuf", "nl", "tee"];
    let Some(reading) = &view.reading else { return false };
    let writes = |command: &Command| {
        let mut written = view.paths.iter().filter(|it| it.access == Access::Write && it.path == file);
        written.any(|it| crate::view::in_span(it, command))
    };
    let copies = |command: &Command| {
        let mut read = view.paths.iter().filter(|it| it.access != Access::Write && it.path != file);
        command.program.as_deref().is_some_and(|name| COPIES.contains(&name))
            && read.any(|it| crate::view::in_span(it, command))
    };
    let all = &reading.commands;
    let mut found = false;
    for at in all.iter().enumerate().filter(|(_, command)| writes(command)).map(|(at, _)| at) {
        let odd = |from: &Command| copies(from) || may_name_secrets(from, view, false, false);
        if fed_by(all, at).iter().any(odd) {
            return false;
        }
        found = true;
    }
    found
}

/// `$(< names)`: what is in the file becomes words of the command.
fn takes_list_in(view: &View) -> bool {
    let dense: String = view.line.chars().filter(|it| !it.is_whitespace()).collect();
    (dense.contains("$(<") || dense.contains("`<")) && !dense.contains("$(<<") && reads_list(view)
}

/// Names in a text that the line itself hands to a loop: `while read f; do cat $f; done <<< .env`.
fn lists_in_text(command: &Command, reading: &Reading, view: &View) -> bool {
    let loops = command.placement == Placement::Branch && reading.commands.iter().any(takes_lines);
    let here = (loops || command.placement == Placement::Wrapped) && view.line.contains("<<");
    let own = |word: &Argument| {
        let text = word.span.of(&view.line);
        // An array, the line's own arguments, or a value that the braces change.
        text.contains("${") || ["$@", "$*", "$1", "$2", "$3"].iter().any(|sign| text.contains(sign))
    };
    if command
        .arguments
        .iter()
        .any(|word| is_open(word) && is_put_together(word.span.of(&view.line), &view.line))
    {
        return true;
    }
    let secret = |part: &str| matches!(part, ".*" | ".[!.]*" | ".??*") || speaks_of_secrets(part);
    (here || command.arguments.iter().any(|word| is_open(word) && own(word)))
        && view.line.split(|it: char| it.is_whitespace() || "\"'<;()={}".contains(it)).any(secret)
}

/// `f=.e; f=${f}nv; cat $f`: the name of something hidden, made out of parts.
fn is_put_together(word: &str, line: &str) -> bool {
    let name = word.trim_matches(['"', '$', '{', '}']);
    let plain = !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    let mut values = line.split(name).skip(1).filter_map(|rest| rest.strip_prefix('='));
    plain
        && values.any(|value| {
            let value = value.trim_start_matches(['"', '\'']);
            value
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_alphanumeric()))
        })
}

/// Whether a text, or a pattern in it, names a place of credentials.
fn speaks_of_secrets(text: &str) -> bool {
    let plain = text.replace("\\n", " ").replace("\\0", " ").replace(['\\', '^', '$', '"', '\''], "");
    let mut parts = plain.split(|it: char| it.is_whitespace() || "|()".contains(it));
    parts.any(|part| {
        part.len() > 2 && !part.starts_with('-') && !part.starts_with(".*") && is_secret_path(part, false)
    })
}

fn lists_hidden(command: &Command) -> bool {
    let hidden = |word: &Argument| {
        let short = word.text.starts_with('-') && !word.text.starts_with("--");
        (short && word.text.contains(['a', 'A', 'f']))
            || matches!(word.text.as_str(), "--all" | "--almost-all")
    };
    command.arguments.iter().any(hidden)
}
