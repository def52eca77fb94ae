//! What commands in `$(…)` are known to print: whether it could turn into an option.

/// Whether a command prints exactly one word, and not one that begins with a dash.
pub(super) fn prints_one_word(words: &[&str]) -> bool {
    match words {
        ["nproc" | "uname" | "whoami" | "hostname" | "arch"] | ["id", "-u" | "-g" | "-un" | "-gn"] => true,
        ["date", format] => {
            let mut parts = format.strip_prefix('+').unwrap_or("-").split('%');
            let plain =
                |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_:.".contains(&byte));
            parts.next() == Some("") && parts.all(|part| part.starts_with(DATE_FIELDS) && plain(part))
        }
        _ => false,
    }
}

/// `seq 1 5`, `grep -c x a.txt`: whole numbers, one in each line.
pub(super) fn prints_numbers(words: &[&str]) -> bool {
    match words {
        ["seq", bounds @ ..] => bounds.iter().all(|bound| is_number(bound)),
        ["grep", rest @ ..] => searches_one(rest, b"ciEFwxv", b'c', false),
        ["git", "rev-list", "--count", range @ ..] => range.iter().all(|word| !word.starts_with('-')),
        // Elsewhere `-c` is an error; `-f %z` is a number on one system and a report of words on another.
        ["stat", "-c", "%s" | "%Y", file] => !file.starts_with('-'),
        ["nproc"] | ["date", "+%s"] | ["sysctl", "-n", "hw.ncpu" | "hw.logicalcpu"] => true,
        _ => false,
    }
}

/// `wc -l`: one number, of what comes in.
pub(super) fn counts(words: &[&str]) -> bool {
    matches!(words, ["wc", "-l" | "-c" | "-w" | "-m" | "--lines" | "--bytes" | "--words"])
}

/// Whether a pipeline prints whole numbers and nothing else: it ends by counting, or makes a list of numbers shorter, or
/// cuts the numbers from lines that begin with one.
pub(super) fn pipes_numbers(stages: &[Vec<&str>]) -> bool {
    let stages: Vec<&[&str]> = stages.iter().map(Vec::as_slice).filter(|words| !only_picks(words)).collect();
    let trims = |words: &[&str]| matches!(words, ["tr", "-d", " " | "[:space:]" | "[:blank:]" | "\\n"]);
    let kept: Vec<&[&str]> = stages.into_iter().filter(|words| !trims(words)).collect();
    match kept.as_slice() {
        [.., last] if counts(last) => true,
        [.., ["grep", rest @ ..]] if kept.len() > 1 && searches_input(rest) => true,
        [only] => prints_numbers(only),
        [["grep", rest @ ..], cut] => {
            searches_one(rest, b"niEFwxm", b'n', false)
                && matches!(
                    *cut,
                    ["cut", "-d:", "-f1"] | ["cut", "-f1", "-d:"] | ["cut", "-d", ":", "-f", "1"]
                )
        }
        [.., ["grep", rest @ ..], ["cut", "-d:", "-f1"]] => searches_one(rest, b"niEFwxm", b'n', true),
        [["wc", "-l" | "-c", file], ["awk", "{print $1}"] | ["cut", "-d ", "-f1"]] => !file.starts_with('-'),
        _ => false,
    }
}

/// `grep -c x` of what comes in.
fn searches_input(words: &[&str]) -> bool {
    searches_one(words, b"ciEFwxv", b'c', true)
}

/// Whether `grep` looks through one file, or through what comes in, with these letters alone and this one among them: what
/// it prints begins with no name.
fn searches_one(words: &[&str], letters: &[u8], wanted: u8, fed: bool) -> bool {
    let option = |word: &&&str| word.starts_with('-') && word.len() > 1;
    let options: Vec<&&str> = words.iter().filter(option).collect();
    let count = words.iter().filter(|word| !option(word)).count();
    let known = |word: &&&str| {
        word.bytes().skip(1).all(|letter| letters.contains(&letter) || letter.is_ascii_digit())
            // `-m 1`: the number would be taken for the pattern.
            && !(word.ends_with('m'))
    };
    let plain =
        |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte));
    let file = words.iter().rfind(|word| !option(word));
    options.iter().all(known)
        && options.iter().any(|word| word.bytes().any(|letter| letter == wanted))
        && if fed { count == 1 } else { count == 2 && file.is_some_and(plain) }
}

/// What makes a list shorter or sorts it.
fn only_picks(words: &[&str]) -> bool {
    match words {
        ["head" | "tail" | "sort" | "uniq"] | ["sort", "-u" | "-n" | "-rn" | "-nr" | "-r"] => true,
        ["head" | "tail", "-n", count] => is_number(count),
        ["head" | "tail", count] => {
            count.strip_prefix("-n").or_else(|| count.strip_prefix('-')).is_some_and(is_number)
        }
        _ => false,
    }
}

/// Fields of `date` without blanks.
const DATE_FIELDS: [char; 12] = ['Y', 'm', 'd', 'H', 'M', 'S', 's', 'N', 'F', 'T', 'j', 'y'];

/// Whether what a command prints begins with no dash and is nothing the caller chose. It may fail and print nothing.
pub(super) fn prints_plainly(words: &[&str]) -> bool {
    match words {
        ["pwd" | "mktemp" | "date"] => true,
        ["pwd", "-P" | "-L"] | ["mktemp", "-d"] => true,
        ["uname", option] => option.starts_with('-'),
        ["which", name] | ["command", "-v", name] => !name.starts_with('-'),
        ["git", "rev-parse", rest @ ..] => {
            let known =
                ["--show-toplevel", "--short", "--abbrev-ref", "--git-dir", "--git-common-dir", "--verify"];
            rest.iter().all(|word| known.contains(word) || is_revision(word))
        }
        ["git", "merge-base", rest @ ..] => rest.iter().all(|word| !word.starts_with('-')),
        ["git", "branch", "--show-current"] => true,
        ["go", "env", name] => matches!(*name, "GOMODCACHE" | "GOPATH" | "GOROOT" | "GOCACHE" | "GOBIN"),
        _ => lists_hashes(words) || lists_ids(words),
    }
}

/// The pattern of the new file that `mktemp` makes and names, where nothing but a full disk can stop it.
pub(super) fn made_file(words: &[&str]) -> Option<String> {
    let (["mktemp"], words) = words.split_at_checked(1)? else { return None };
    let words: Vec<&str> = words.iter().copied().filter(|word| !matches!(*word, "-d" | "-q")).collect();
    let template = match words.as_slice() {
        [] => "tmp.XXXXXXXXXX",
        [template] => template.strip_prefix("/tmp/")?,
        _ => return None,
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let (start, suffix) = template.split_at_checked(template.rfind("XXX")? + "XXX".len())?;
    let usual = template.len() < 100 && template.bytes().all(plain);
    usual.then(|| format!("/tmp/{}*{suffix}", start.trim_end_matches('X')))
}

/// Options of `git log` and `git rev-list` that choose commits, and change nothing about how they are shown.
const CHOOSING: &[&str] =
    &["-n", "--all", "--reverse", "--merges", "--no-merges", "--first-parent", "--no-walk", "--"];
/// The same, with a value behind `=`.
const CHOOSING_BY: &[&str] =
    &["--max-count", "--skip", "--since", "--until", "--after", "--before", "--author"];

/// Whether git prints the hashes of commits, one in each line, and nothing else.
fn lists_hashes(words: &[&str]) -> bool {
    let (["git", verb], rest) = words.split_at(words.len().min(2)) else { return false };
    let hash = |word: &str| {
        let format = word.strip_prefix("--format=").or_else(|| word.strip_prefix("--pretty="));
        matches!(format, Some("%H" | "%h" | "format:%H" | "format:%h"))
    };
    let count =
        |word: &str| word.strip_prefix("-n").or_else(|| word.strip_prefix('-')).is_some_and(is_number);
    let chooses = |word: &str| {
        let named = word.split_once('=').is_some_and(|(name, _)| CHOOSING_BY.contains(&name));
        !word.starts_with('-') || CHOOSING.contains(&word) || named || count(word)
    };
    match *verb {
        "rev-list" => rest.iter().all(|word| chooses(word)),
        "log" => rest.iter().any(|word| hash(word)) && rest.iter().all(|word| hash(word) || chooses(word)),
        _ => false,
    }
}

/// Whether containers, objects of a cluster or processes are listed by what they are numbered or called: none begins with a
/// dash.
fn lists_ids(words: &[&str]) -> bool {
    let only = |rest: &[&str], known: &[&str]| {
        let plain =
            |word: &&str| !word.starts_with('-') || known.contains(word) || word.starts_with("--filter=");
        rest.iter().all(plain)
    };
    match words {
        ["docker" | "podman" | "nerdctl" | "docker-compose", "ps", rest @ ..]
        | ["docker" | "podman" | "nerdctl", "compose", "ps", rest @ ..] => {
            let quiet = ["-q", "-aq", "-qa", "-lq", "-ql", "-qf", "-aqf", "--quiet"];
            let known = [&quiet[..], &["-a", "--all", "-l", "--latest", "-f", "--filter"]].concat();
            rest.iter().any(|word| quiet.contains(word)) && only(rest, &known)
        }
        ["pgrep", rest @ ..] => only(rest, &["-f", "-x", "-n", "-o", "-i", "-u", "-P"]),
        ["kubectl" | "oc", "get", rest @ ..] => tells_names(rest),
        _ => false,
    }
}

/// `-o name`, `-o jsonpath='{.items[0].metadata.name}'`, and no other form beside it.
fn tells_names(words: &[&str]) -> bool {
    let form = |word: &&str| word.starts_with("-o") || word.starts_with("--o");
    let mut forms = words.iter().enumerate().filter(|(_, word)| form(word));
    let (Some((at, word)), None) = (forms.next(), forms.next()) else { return false };
    let value = match *word {
        "-o" | "--output" => words.get(at + 1).copied().unwrap_or_default(),
        glued => glued.trim_start_matches("--output").trim_start_matches("-o").trim_start_matches('='),
    };
    let item = |path: &str| {
        let inner = path.strip_prefix("{.items[").and_then(|rest| rest.strip_suffix("].metadata.name}"));
        inner.is_some_and(|index| index == "*" || is_number(index))
    };
    let templated = words.iter().any(|word| word.starts_with("--te"));
    !templated && (value == "name" || value.strip_prefix("jsonpath=").is_some_and(item))
}

/// `HEAD~2`, `origin/main`: names that are no file's, because a file that is there `git rev-parse` prints as it is called.
fn is_revision(word: &str) -> bool {
    let (name, steps) = word.split_at(word.find(['~', '^', '@']).unwrap_or(word.len()));
    let remote = name.strip_prefix("origin/").or_else(|| name.strip_prefix("upstream/"));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let known = matches!(name, "" | "HEAD" | "FETCH_HEAD" | "ORIG_HEAD" | "MERGE_HEAD" | "main" | "master");
    let step = |byte: u8| byte.is_ascii_alphanumeric() || b"~^@{}-".contains(&byte);
    let named = known || remote.is_some_and(|branch| !branch.is_empty() && branch.bytes().all(plain));
    named && !word.is_empty() && steps.bytes().all(step)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the stages of a pipeline print hashes of git's, or numbers and names of things that run, and nothing else: a
/// list that is made shorter.
pub(super) fn prints_hashes(stages: &[Vec<&str>]) -> bool {
    let Some((source, rest)) = stages.split_first() else { return false };
    let shortens = |words: &Vec<&str>| match words.as_slice() {
        ["grep", pattern] => !pattern.starts_with('-'),
        ["grep", "-v" | "-i" | "-E" | "-F", pattern] => !pattern.starts_with('-'),
        words => only_picks(words),
    };
    (lists_hashes(source) || lists_ids(source)) && rest.iter().all(shortens)
}
