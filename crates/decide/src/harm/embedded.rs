//! Command lines that stand in code: what a script of another language hands to a shell or starts as a program, and the
//! files that it takes away. Only what is spelled out is told; what is put together at run time is left open.

/// What starts a program, and a word that must stand in the text too where the name alone says little.
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
    ("Command::new(", "std::process"),
    ("exec.Command(", "os/exec"),
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
];

/// A line for a shell, as far as code spells it out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    /// Whether nothing of it is left open.
    pub(super) whole: bool,
}

/// The lines that the code hands on, in the order of the tables.
pub(super) fn lines(code: &str) -> Vec<Line> {
    let starts = STARTS.iter().filter(|(_, needed)| code.contains(needed));
    let started = starts.flat_map(|(start, _)| calls(code, start)).filter_map(started);
    let deleted = DELETES.iter().flat_map(|start| calls(code, start)).filter_map(|rest| {
        let rest = rest.trim_start().trim_start_matches("pathlib.").trim_start_matches("Path(");
        let (path, _) = literal(rest)?;
        Some(Line { text: format!("rm -rf {}", quoted(&path)), whole: true })
    });
    started.chain(deleted).collect()
}

/// What follows each call of the function.
fn calls<'c>(code: &'c str, start: &'c str) -> impl Iterator<Item = &'c str> {
    code.match_indices(start).filter_map(move |(at, found)| {
        let before = code.get(..at)?.chars().next_back();
        let apart = before.is_none_or(|before| !(before.is_alphanumeric() || before == '_'));
        code.get(at + found.len()..).filter(|_| apart)
    })
}

/// The line that a call starts: a text for a shell, or a program and its words.
fn started(rest: &str) -> Option<Line> {
    let rest = rest.trim_start();
    if let Some(inner) = rest.strip_prefix('[') {
        return words(inner, Vec::new());
    }
    let (first, rest) = literal(rest)?;
    let after = rest.trim_start();
    let listed = after.strip_prefix(',').map(str::trim_start).and_then(|list| list.strip_prefix('['));
    if let Some(inner) = listed {
        return words(inner, vec![quoted(&first)]);
    }
    if first.contains(' ') {
        let more = after.starts_with('+') || after.starts_with('%') || after.starts_with('.');
        return Some(Line { whole: !more && !first.contains("$X"), text: first });
    }
    // `Command::new("git").args(["push"])`, `exec.Command("git", "push")`
    if !(after.starts_with(").") || after.starts_with(", \"")) {
        return None;
    }
    let statement = after.split([';', '\n']).next().unwrap_or_default();
    words(statement, vec![quoted(&first)])
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
            // A name stands for a word that is not known.
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
    if word.contains("$X") { format!("\"{word}\"") } else { format!("'{}'", word.replace('\'', "'\\''")) }
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
        ] {
            let found = lines(code);
            let found: Vec<(&str, bool)> =
                found.iter().map(|line| (line.text.as_str(), line.whole)).collect();
            assert_eq!(found, expected, "{code}");
        }
    }
}
