//! Command lines in code: what a script of another language hands to a shell or starts as a program, and the
//! files that it takes away. Only what is spelled out is found; what is put together at run time is left open.

/// What starts a program, and a word that must be in the text too where the name alone says little.
const STARTS: &[(&str, &str)] = &[
    ("system(", ""),
    ("popen(", ""),
    ("run(", "subprocess"),
    ("call(", "subprocess"),
    ("check_call(", "subprocess"),
    ("check_output(", "subprocess"),
    ("Popen(", "subprocess"),
    ("getoutput(", "subprocess"),
    ("execSync(", "child_process"),
    ("execFileSync(", "child_process"),
    ("spawnSync(", "child_process"),
    ("exec(", "child_process"),
    ("execFile(", "child_process"),
    ("spawn(", "child_process"),
    ("$", "zx"),
    ("shell_exec(", "<?php"),
    ("Command::new(", ""),
    ("exec.Command(", "os/exec"),
    ("os.execute(", ""),
    ("os.cmd(", ""),
    ("system ", ""),
    ("sh(", ""),
    ("sh ", ""),
    ("exec ", ""),
    ("exec(", "Runtime"),
    ("exec(", "<?php"),
    ("passthru(", ""),
    ("proc_open(", ""),
    ("system2(", ""),
    ("shell(", ""),
    ("System.cmd(", ""),
    ("System.shell(", ""),
    ("ProcessBuilder(", ""),
    ("Process.Start(", ""),
    ("Process.run(", ""),
    ("Process.runSync(", ""),
    ("Process.start(", ""),
    ("Process.spawn(", ""),
    ("Child.run(", ""),
    ("Child.init(", ""),
    ("addSystemCommand(", ""),
    ("commandLine(", ""),
    ("commandLine ", ""),
    ("arguments =", ""),
    ("execCmd(", ""),
    ("execCmdEx(", ""),
    ("Sys.command ", ""),
    ("callCommand ", ""),
    ("callProcess ", ""),
    ("run(", "run(`"),
    ("run(", "run(&.{"),
    ("run(", "invoke"),
    ("run(", "fabric"),
    ("execa(", ""),
    ("execaCommand(", ""),
    ("$", "bun"),
    ("$", "execa"),
];

/// The same, where the name of the program comes first and then all of its words, the name once more among them.
const REPEATS: &[&str] = &["execl(", "execlp(", "execle(", "execv(", "execvp(", "execve(", "execvpe("];

/// What follows the text that it runs: `"rm x".execute()`.
const RUN_BEFORE: &[&str] = &[".execute()", ".runCommand()", ".!!", ".!"];

/// What follows the place that it deletes: `File("x").deleteRecursively()`.
const DELETED_BEFORE: &[&str] = &[".deleteRecursively(", ".deleteDir(", ".rmtree(", ".rmdir(", ".unlink("];

/// Ways to say the home directory.
const HOMES: &[&str] = &[
    "System.getProperty(\"user.home\")",
    "System.getProperty('user.home')",
    "System.properties['user.home']",
    "os.path.expanduser('~')",
    "os.path.expanduser(\"~\")",
    "path.expand(\"~\")",
    "path.expand('~')",
    "Path.home()",
    "os.homedir()",
    "homedir()",
    "Dir.home",
    "NSHomeDirectory()",
    "System.user_home!()",
    "System.user_home!",
    "System.user_home()",
    "System.get_env(\"HOME\")",
    "System.getenv(\"HOME\")",
    "os.getenv(\"HOME\")",
    "os.getenv('HOME')",
    "os.Getenv(\"HOME\")",
    "getenv(\"HOME\")",
    "getenv('HOME')",
    "os.environ['HOME']",
    "os.environ[\"HOME\"]",
    "process.env.HOME",
    "ENV['HOME']",
    "ENV[\"HOME\"]",
    "ENV.fetch('HOME')",
    "ENV.fetch(\"HOME\")",
    "Platform.environment['HOME']",
    "$ENV{HOME}",
    "getHomeDir()",
];

/// What takes a file or a folder away.
const DELETES: &[&str] = &[
    "shutil.rmtree(",
    "os.remove(",
    "os.unlink(",
    "rmSync(",
    "rmdirSync(",
    "unlinkSync(",
    "FileUtils.rm_rf(",
    "remove_dir_all(",
    "os.RemoveAll(",
    "removeItem(atPath:",
    "removeItem(at:",
    "unlink(",
    "rm(",
    "rm_rf(",
    "rm_rf ",
    "rm_r ",
    "rm_rf!(",
    "removeDir(",
    "remove_all(",
    "Directory.Delete(",
    "REMOVE_RECURSE ",
];

/// A line for a shell, as far as code spells it out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Whether nothing of it is left open.
    pub(crate) whole: bool,
}

/// The lines that the code hands on, in the order of the tables.
pub(crate) fn lines(code: &str) -> Vec<Line> {
    let code = &with_home(code);
    let starts = STARTS.iter().filter(|(_, needed)| code.contains(needed));
    let started = starts
        .flat_map(|(start, _)| calls(code, start))
        .filter_map(|rest| started(rest).or_else(|| held(code, rest)));
    let repeated = REPEATS.iter().flat_map(|start| calls(code, start)).filter_map(|rest| {
        let (_, rest) = literal(rest.trim_start())?;
        gathered(rest)
    });
    let deleted = DELETES.iter().flat_map(|start| calls(code, start)).filter_map(|rest| {
        let rest = rest.trim_start().trim_start_matches("pathlib.").trim_start_matches("Path(");
        let rest = rest.trim_start_matches("URL(fileURLWithPath:").trim_start();
        literal(rest).map(|(path, _)| path)
    });
    let deleted = deleted.chain(DELETED_BEFORE.iter().flat_map(|end| texts_before(code, end)));
    let deleted = deleted.map(|path| Line { text: format!("rm -rf {}", quoted(&path)), whole: true });
    let run = RUN_BEFORE.iter().flat_map(|end| texts_before(code, end));
    let run = run.filter(|text| text.contains(' ')).map(|text| Line { text, whole: false });
    let told = cmake_commands(code).into_iter().chain(in_backticks(code));
    started.chain(repeated).chain(deleted).chain(run).chain(told).collect()
}

/// Whether a line of the code takes the home directory away, or what lies in it.
pub(crate) fn empties_home(code: &str) -> bool {
    const TAKES: &[&str] = &[
        "rmtree",
        "rmsync",
        "rm(",
        "rm_rf",
        "unlink",
        "removeitem",
        "deleterecursively",
        "removeall",
        "\"-rf\"",
        "'-rf'",
    ];
    with_home(code).lines().any(|line| {
        let lower = line.to_lowercase();
        let home = ["$home", "\"~\"", "'~'"].iter().any(|home| lower.contains(home));
        home && TAKES.iter().any(|word| lower.contains(word))
    })
}

/// The code with every way to say the home directory as the shell says it.
fn with_home(code: &str) -> String {
    HOMES.iter().filter(|home| code.contains(**home)).fold(code.to_owned(), |code, home| {
        let filled =
            [format!("${{{home}}}"), format!("#{{{home}}}"), format!("\\({home})"), format!("$({home})")];
        let code = filled.iter().fold(code, |code, gap| code.replace(gap.as_str(), "$HOME"));
        code.replace(home, "\"$HOME\"")
    })
}

/// The texts in quotes, alone or as what a call is given, right before each `end`.
fn texts_before(code: &str, end: &str) -> Vec<String> {
    let before = code.match_indices(end).filter_map(|(at, _)| code.get(..at));
    let text = |before: &str| {
        let inner = before.trim_end_matches(')');
        let quote = inner.chars().next_back().filter(|quote| matches!(quote, '"' | '\''))?;
        let inner = inner.strip_suffix(quote)?;
        Some(inner.rsplit(quote).next()?.to_owned())
    };
    before.filter_map(text).collect()
}

/// `execute_process(COMMAND rm -rf x)`: words for a shell without quotes around them.
fn cmake_commands(code: &str) -> Vec<Line> {
    let told = code.split("COMMAND ").skip(1).filter_map(|rest| rest.split(')').next());
    told.map(|text| Line { text: text.replace('\n', " "), whole: false }).collect()
}

/// What is in the quotes that run a command in Ruby, Perl and PHP, and make a text in JavaScript and Go.
fn in_backticks(code: &str) -> Vec<Line> {
    const OTHERS: &[&str] = &["const ", "let ", "=>", "function ", "import ", "package ", "require("];
    if OTHERS.iter().any(|word| code.contains(word)) {
        return Vec::new();
    }
    let marked =
        ["%x(", "%x{", "%x[", "qx(", "qx{", "qx/"].iter().flat_map(|start| code.split(start).skip(1));
    let marked = marked.filter_map(|rest| rest.split([')', '}', ']', '\n']).next());
    let texts = code.split('`').skip(1).step_by(2).chain(marked);
    texts.map(|text| Line { text: text.to_owned(), whole: false }).collect()
}

/// What follows each call of the function.
fn calls<'c>(code: &'c str, start: &'c str) -> impl Iterator<Item = &'c str> {
    code.match_indices(start).filter_map(move |(at, found)| {
        let before = code.get(..at)?.chars().next_back();
        // A bare word begins a statement; within a text it says nothing.
        let bare = start.ends_with(' ');
        let begins = |before: char| before.is_whitespace() || "{;(".contains(before);
        let apart = before.is_none_or(|before| {
            if bare { begins(before) } else { !(before.is_alphanumeric() || before == '_') }
        });
        code.get(at + found.len()..).filter(|_| apart)
    })
}

/// The line that a call starts: a text for a shell, or a program and its words.
fn started(rest: &str) -> Option<Line> {
    let rest = rest.trim_start();
    if let Some(inner) = rest.strip_prefix('[') {
        return words(inner, Vec::new()).map(of_shell);
    }
    let Some((first, rest)) = joined(rest) else { return gathered(rest).map(of_shell) };
    let after = rest.trim_start();
    let listed = after.trim_start_matches(',').trim_start().strip_prefix('[');
    if let Some(inner) = listed {
        return words(inner, vec![quoted(&first)]);
    }
    if first.contains(' ') {
        let more = after.starts_with('+') || after.starts_with('%') || after.starts_with('.');
        return Some(Line { whole: !more && !first.contains("$X"), text: first });
    }
    let others = after.strip_prefix(',').map(str::trim_start);
    let further = others.and_then(literal);
    let glued = further.as_ref().is_some_and(|(words, rest)| words.contains(' ') && rest.starts_with(')'));
    // `Process.Start("git", "push origin")`, `system2("git", c("push"))`
    if let Some(others) = others.filter(|_| glued || further.is_none()) {
        return gathered(others)
            .map(|line| Line { text: format!("{} {}", quoted(&first), line.text), ..line });
    }
    // `Command::new("git").args(["push"])`, `exec.Command("git", "push")`
    if !(after.starts_with(").") || after.starts_with('\n') || further.is_some()) {
        return None;
    }
    let statement = after.split([';', '\n']).next().unwrap_or_default();
    words(statement, vec![quoted(&first)])
}

/// The line that a call is given by a name, where the code says what the name means.
fn held(code: &str, rest: &str) -> Option<Line> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let name =
        rest.get(..rest.find(|it| !is_part(it)).unwrap_or(rest.len())).filter(|name| !name.is_empty())?;
    let value = |after: &str| {
        let text = after.trim_start_matches([' ', ':', '=', '[', ']']);
        let listed = after.strip_suffix(text).is_some_and(|sign| sign.contains('['));
        let (first, rest) = joined(text)?;
        if listed {
            return words(rest.split([';', '\n']).next()?, vec![quoted(&first)]);
        }
        first.contains(' ').then_some(Line { text: first, whole: false })
    };
    calls(code, name)
        .filter(|after| !after.starts_with(is_part))
        .find_map(value)
        .map(|line| Line { whole: false, ..line })
}

/// The texts in quotes up to the end of the bracket, as words: `new String[]{"sh", "-c", "x"}`.
fn gathered(rest: &str) -> Option<Line> {
    let mut depth = 1_usize;
    let mut found: Vec<String> = Vec::new();
    let mut rest = rest;
    while let Some(next) = rest.chars().next().filter(|_| depth > 0) {
        if let Some((word, after)) = literal(rest).filter(|_| matches!(next, '"' | '\'')) {
            found.push(word);
            rest = after;
            continue;
        }
        match next {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ';' | '\n' if depth == 1 => break,
            _ => {}
        }
        rest = rest.get(next.len_utf8()..).unwrap_or_default();
    }
    let text = match found.as_slice() {
        [] => return None,
        [line] => line.clone(),
        words => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    };
    Some(Line { text, whole: false })
}

/// Words that are handed to a shell which is named elsewhere: `["-c", "x"]`.
fn of_shell(line: Line) -> Line {
    if line.text.starts_with("'-c' ") { Line { text: format!("sh {}", line.text), ..line } } else { line }
}

/// The text in quotes at the beginning, with those that are added to it.
fn joined(text: &str) -> Option<(String, &str)> {
    let (mut found, mut rest) = literal(text)?;
    while let Some((next, after)) = ["+", "..", "<>", "."]
        .iter()
        .find_map(|sign| literal(rest.trim_start().strip_prefix(sign)?.trim_start()))
    {
        found.push_str(&next);
        rest = after;
    }
    Some((found, rest))
}

/// The words up to the end of a list.
fn words(mut rest: &str, mut found: Vec<String>) -> Option<Line> {
    let mut whole = true;
    while let Some(next) = rest.chars().next().filter(|next| *next != ']') {
        if let Some((word, after)) = literal(rest) {
            whole &= !word.contains("$X");
            found.push(quoted(&word));
            rest = after;
        } else {
            // A name is a word that is not known.
            if next.is_alphabetic() && !rest.starts_with("arg") {
                found.push("\"$X\"".to_owned());
                whole = false;
            }
            let skipped =
                rest.find(|it: char| !(it.is_alphanumeric() || "_.".contains(it))).unwrap_or(rest.len());
            rest = rest.get(skipped.max(next.len_utf8())..).unwrap_or_default();
        }
    }
    (!found.is_empty()).then(|| Line { text: found.join(" "), whole })
}

/// The text in quotes at the beginning, and what follows it. What is filled in becomes `$X`.
fn literal(text: &str) -> Option<(String, &str)> {
    let plain = text.trim_start_matches(['f', 'r', 'b']);
    let marked = plain.len() != text.len();
    let quote = plain.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let mut found = String::new();
    let mut escaped = false;
    let mut depth = 0_usize;
    for (at, character) in plain.char_indices().skip(1) {
        let opens = character == '{' && (marked || found.ends_with('$'));
        match character {
            _ if escaped => {
                found.push(if character == 'n' { '\n' } else { character });
                escaped = false;
            }
            '\\' => escaped = true,
            _ if opens || depth > 0 => {
                if opens && depth == 0 {
                    found.truncate(found.trim_end_matches('$').len());
                    found.push_str("$X");
                }
                depth = if opens { depth + 1 } else { depth - usize::from(character == '}') };
            }
            _ if character == quote => {
                return Some((found, plain.get(at + quote.len_utf8()..).unwrap_or_default()));
            }
            _ => found.push(character),
        }
    }
    None
}

fn quoted(word: &str) -> String {
    if word.contains("$X") || word.contains("$HOME") {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C5]
    #[test]
    fn lines_in_code_are_found() {
        for (code, expected) in [
            ("os.system('git push')", &[("git push", true)][..]),
            ("os.system(f'rm -rf {path}')", &[("rm -rf $X", false)]),
            ("os.system('rm -rf ' + path)", &[("rm -rf ", false)]),
            ("os.system('rm -rf %s' % path)", &[("rm -rf %s", false)]),
            ("os.system('rm -rf {}'.format(path))", &[("rm -rf {}", false)]),
            ("import subprocess as sp; sp.run('git push', shell=True)", &[("git push", true)]),
            ("import subprocess; app.run('0.0.0.0')", &[]),
            ("import {$} from 'zx'; await $`git push`", &[("git push", true)]),
            ("subprocess.run(['git', 'push', name], check=True)", &[("'git' 'push' \"$X\"", false)]),
            ("subprocess.run(\n  [\"git\", \"it's\"])", &[("'git' 'it'\\''s'", true)]),
            ("subprocess.run(command)", &[]),
            ("import subprocess; rerun(['git'])", &[]),
            ("require('child_process').execSync(`git push ${name}`)", &[("git push $X", false)]),
            ("const {spawn} = require('child_process'); spawn('git', ['push'])", &[("'git' 'push'", true)]),
            ("/a/.exec('git push')", &[]),
            ("use std::process::Command; Command::new(\"git\").arg(\"push\");", &[("'git' 'push'", true)]),
            ("import \"os/exec\"\nexec.Command(\"git\", \"push\").Run()", &[("'git' 'push'", true)]),
            ("shutil.rmtree('src')", &[("rm -rf 'src'", true)]),
            ("shutil.rmtree(pathlib.Path('src'))", &[("rm -rf 'src'", true)]),
            ("shutil.rmtree(folder)", &[]),
            ("os.system('git push", &[]),
            ("os.execute('rm -rf ' .. os.getenv('HOME'))", &[("rm -rf $HOME", true)]),
            ("execlp(\"git\", \"git\", \"push\", NULL)", &[("'git' 'push'", false)]),
            ("new ProcessBuilder(list(\"git\", \"push\"), \"x\").start()", &[("'git' 'push' 'x'", false)]),
            ("new ProcessBuilder(list(\"git\")); x(\"y\")", &[("git", false)]),
            ("Process.Start(\"git\", \"push -f\")", &[("'git' push -f", false)]),
            ("system2('git', c('push'))", &[("'git' push", false)]),
            ("p.arguments = [\"-c\", \"git push\"]", &[("sh '-c' 'git push'", true)]),
            ("File(\"src\").deleteRecursively()", &[("rm -rf 'src'", true)]),
            ("\"git push\".execute()", &[("git push", false)]),
            ("execute_process(COMMAND git push)", &[("git push", false)]),
            ("puts `git push`", &[("git push", false)]),
            ("const a = `git push`", &[]),
            ("x(\"run.sh \", \"a b\")", &[]),
            ("task { sh 'git push' }", &[("git push", true)]),
        ] {
            let found = lines(code);
            let found: Vec<(&str, bool)> =
                found.iter().map(|line| (line.text.as_str(), line.whole)).collect();
            assert_eq!(found, expected, "{code}");
        }
    }
}
