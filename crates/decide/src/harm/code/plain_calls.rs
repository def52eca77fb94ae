//! Calls in inline code that say in full what they do: a command that only reads, a question to this machine, a text that is
//! looked for. What is written out is judged as what it is; all else in the code stays.

use portcullis_shell::{Dialect, Effects};

/// The code without such calls. Where anything about a call is computed, it stays.
pub(in crate::harm) fn without(program: &str, code: &str) -> String {
    match program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.') {
        "python" => {
            let left = without_calls(code, PROCESSES, starts_reader);
            let left = without_calls(&left, REQUESTS, asks_home);
            let left = if left == code { left } else { without_unused_imports(&left) };
            without_calls(&left, LOOKS_FOR, names_text)
        }
        "node" | "nodejs" | "bun" => {
            let code = without_calls(code, EXECUTES, starts_line);
            without_unused_loads(&code)
        }
        "perl" => without_patterns(code),
        _ => code.to_owned(),
    }
}

/// `print if /socket/`, `s/socket/port/g`: what is looked for in a text, and plain words for it, are no calls. A pattern
/// that holds code or a list stays.
fn without_patterns(code: &str) -> String {
    const BEFORE: &[&str] = &["if /", "unless /", "=~ /", "!~ /", "and /", "or /", "&& /", "|| /", "(/"];
    let inert = |text: &str| !text.contains(['@', '`', '{']) && !text.contains("(?") && !text.contains('\n');
    let lines = code.split('\n').map(|line| {
        let script = line.trim();
        let parts: Vec<&str> = script.split('/').collect();
        if let ["s", found, text, flags] = parts.as_slice() {
            let flagged = flags.trim_end_matches(';').chars().all(|it| "gimsx".contains(it));
            let plain = text.chars().all(|it| it.is_alphanumeric() || "_.:;, ()<>-".contains(it));
            if flagged && inert(found) && plain && !script.contains("\\/") {
                return String::from("s");
            }
        }
        let mut kept = String::new();
        let mut rest = line;
        while let Some((at, word)) =
            BEFORE.iter().filter_map(|word| rest.find(word).map(|at| (at, *word))).min_by_key(|it| it.0)
        {
            let (before, from) = rest.split_at(at + word.len());
            kept.push_str(before);
            rest = match from.split_once('/') {
                Some((pattern, behind)) if inert(pattern) && !pattern.contains(['\\', '$', ';']) => behind,
                Some(_) | None => from,
            };
        }
        kept + rest
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Calls that start a program and wait for it.
const PROCESSES: &[&str] = &["subprocess.run(", "subprocess.check_output(", "subprocess.check_call("];
/// Calls that ask for a page, and can be given more than its address.
const REQUESTS: &[&str] =
    &["urllib.request.urlopen(", "requests.get(", "requests.head(", "httpx.get(", "urlopen("];
/// Calls that look for the text they are given first.
const LOOKS_FOR: &[&str] =
    &[".replace(", ".count(", ".find(", ".index(", ".startswith(", ".endswith(", ".split(", ".partition("];
const EXECUTES: &[&str] =
    &["require(\"child_process\").execSync(", "require('child_process').execSync(", "execSync("];

/// What a call is given: the rest of the code from there. Says how much of it can go, and what stays in its place.
type Judge = fn(&str) -> Option<(usize, &'static str)>;

/// Takes out every call of one of the names of which `judge` says that it can go.
fn without_calls(code: &str, names: &[&str], judge: Judge) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    loop {
        let found =
            names.iter().filter_map(|name| rest.find(name).map(|at| (at, *name))).min_by_key(|it| it.0);
        let Some((at, name)) = found else { break };
        let (before, from) = rest.split_at(at);
        let given = from.get(name.len()..).unwrap_or_default();
        // Another name that ends like this one.
        let own =
            name.starts_with('.') || !before.ends_with(|it: char| it.is_alphanumeric() || "_.".contains(it));
        let goes = judge(given).filter(|_| own);
        kept.push_str(before);
        if let Some((length, left)) = goes {
            // What is looked for goes; that something is looked for stays.
            kept.push_str(if name.starts_with('.') { name } else { "" });
            kept.push_str(left);
            rest = given.get(length..).unwrap_or_default();
        } else {
            kept.push_str(name);
            rest = given;
        }
    }
    kept.push_str(rest);
    kept
}

/// The plain text in quotes that begins here, and what stands behind it: nothing escaped, nothing filled in.
fn text(code: &str) -> Option<(&str, &str)> {
    let code = code.trim_start();
    let quote = code.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let inner = code.get(1..)?;
    let (text, rest) = inner.split_once(quote)?;
    let plain = !text.is_empty() && !text.contains(['\\', '\n', '{', '$', '`']);
    // Two texts next to each other are one.
    let apart = !rest.trim_start().starts_with(['"', '\'', '%', '+']);
    (plain && apart).then_some((text, rest))
}

/// `["git", "log", "-3"], capture_output=True, text=True)`
fn starts_reader(given: &str) -> Option<(usize, &'static str)> {
    let mut rest = given.trim_start().strip_prefix('[')?;
    let mut words: Vec<String> = Vec::new();
    loop {
        let (word, after) = text(rest)?;
        words.push(format!("'{word}'"));
        let after = after.trim_start();
        match after.strip_prefix(',') {
            Some(next) if !next.trim_start().starts_with(']') => rest = next,
            Some(next) => {
                rest = next.trim_start().strip_prefix(']')?;
                break;
            }
            None => {
                rest = after.strip_prefix(']')?;
                break;
            }
        }
    }
    let rest = without_settings(rest)?;
    let line = words.join(" ");
    let quoted = words.iter().all(|word| word.matches('\'').count() == 2);
    (quoted && only_reads(&line)).then_some((given.len() - rest.len(), "_"))
}

/// `, text=True, check=False)`: how the output is taken. Says what stands behind.
fn without_settings(rest: &str) -> Option<&str> {
    const KNOWN: &[&str] = &[
        "capture_output=True",
        "text=True",
        "check=True",
        "check=False",
        "universal_newlines=True",
        "encoding=\"utf-8\"",
        "encoding='utf-8'",
        "encoding=\"utf8\"",
        "stdout=subprocess.PIPE",
        "stderr=subprocess.PIPE",
        "stderr=subprocess.STDOUT",
        "stderr=subprocess.DEVNULL",
        "{encoding:\"utf8\"}",
        "{encoding:'utf8'}",
        "{encoding:\"utf-8\"}",
        "{encoding:'utf-8'}",
        "\"utf8\"",
    ];
    let (inner, behind) = rest.trim_start().split_once(')')?;
    let dense: String = inner.chars().filter(|it| !it.is_whitespace()).collect();
    let timed = |part: &str| {
        let number = part.strip_prefix("timeout=");
        number
            .is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
    };
    let known = |part: &str| part.is_empty() || KNOWN.contains(&part) || timed(part);
    let led = dense.is_empty() || dense.starts_with(',');
    (led && dense.split(',').all(known)).then_some(behind)
}

/// `"git ls-files src", {encoding: "utf8"})`
fn starts_line(given: &str) -> Option<(usize, &'static str)> {
    let (line, rest) = text(given)?;
    let rest = without_settings(rest)?;
    only_reads(line).then_some((given.len() - rest.len(), "_"))
}

/// Whether a command line does no more than read what lies in the project and is no secret.
fn only_reads(line: &str) -> bool {
    let reading = portcullis_shell::read(line, Dialect::Bash);
    let inside = |path: &str| {
        !path.starts_with(['/', '~']) && !path.contains("..") && !portcullis_shell::is_secret_path(path, true)
    };
    let plain = |program: Option<&str>| {
        matches!(program, Some("git" | "ls" | "wc" | "find" | "rg" | "grep" | "cloc" | "du"))
    };
    reading.only_reads()
        && !reading.effects().meets(Effects::SECRETS.and(Effects::NETWORK_READ))
        && reading
            .commands
            .iter()
            .all(|command| plain(command.program.as_deref()) && !command.word.contains('/'))
        && reading.files.read.iter().all(|file| file.literal && inside(&file.path))
        && !line.contains(['~', '$'])
        && !line
            .split_whitespace()
            .any(|word| word.trim_matches('\'').starts_with('/') || word.contains(".."))
}

/// `"http://localhost:8000/items?page=1", timeout=5)`
fn asks_home(given: &str) -> Option<(usize, &'static str)> {
    let begin = given.trim_start();
    let filled = begin.strip_prefix('f').filter(|rest| rest.starts_with(['"', '\'']));
    let begin = filled.unwrap_or(begin);
    let quote = begin.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let (address, rest) = begin.get(1..)?.split_once(quote)?;
    let (host, path) = address.strip_prefix("http://")?.split_at_checked(host_length(address)?)?;
    let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
    let home = matches!(name, "localhost" | "127.0.0.1") && port.bytes().all(|byte| byte.is_ascii_digit());
    // What is filled in is looked at like any other code.
    let gaps: Vec<&str> =
        path.split('{').skip(1).map(|gap| gap.split('}').next().unwrap_or_default()).collect();
    let name_only = |gap: &&str| gap.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let plain = !address.contains(['\\', '\n', '@']) && gaps.iter().all(name_only);
    let rest = without_settings(rest)?;
    (home && plain && !port.is_empty()).then_some((given.len() - rest.len(), "_"))
}

/// Where the host of an address ends, behind `http://`.
fn host_length(address: &str) -> Option<usize> {
    let rest = address.strip_prefix("http://")?;
    Some(rest.find(['/', '?', '#']).unwrap_or(rest.len()))
}

/// `"subprocess.run(", …`: what is looked for in a text is no call.
fn names_text(given: &str) -> Option<(usize, &'static str)> {
    let (sought, rest) = text(given)?;
    let plain = !sought.contains('/') && rest.trim_start().starts_with([',', ')']);
    plain.then_some((given.len() - rest.len(), "\"\""))
}

/// What is imported for such calls, where no other use of it is left.
fn without_unused_imports(code: &str) -> String {
    const MODULES: &[&str] = &["subprocess", "urllib.request", "requests", "httpx"];
    let imported = |code: &str, at: usize| {
        let before = code.get(..at).unwrap_or_default();
        let statement = before.rsplit([';', '\n', '"', '\'']).next().unwrap_or_default();
        let plain = |it: char| it.is_alphanumeric() || "_., ".contains(it);
        statement.trim_start().starts_with("import ") && statement.chars().all(plain)
    };
    MODULES.iter().fold(code.to_owned(), |code, module| {
        let named = |at: usize| {
            let behind = code.get(at + module.len()..).unwrap_or_default().trim_start_matches(' ');
            behind.is_empty() || behind.starts_with([',', ';', '\n'])
        };
        let unused = code.match_indices(module).all(|(at, _)| imported(&code, at) && named(at));
        if unused { code.replace(module, "_") } else { code }
    })
}

/// What is loaded to start programs, where no call of it is left.
fn without_unused_loads(code: &str) -> String {
    const LOADS: &[&str] = &[
        "const {execSync} = require(\"child_process\")",
        "const { execSync } = require(\"child_process\")",
        "const {execSync} = require('child_process')",
        "const { execSync } = require('child_process')",
        "const {execSync}=require(\"child_process\")",
        "const {execSync}=require('child_process')",
        "import {execSync} from \"child_process\"",
        "import { execSync } from \"child_process\"",
        "import { execSync } from 'child_process'",
    ];
    let left = LOADS.iter().fold(code.to_owned(), |code, load| code.replacen(load, "", 1));
    if left.contains("execSync") { code.to_owned() } else { left }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_out_goes() {
        for code in [
            "subprocess.run([\"git\",\"log\",\"-3\"],capture_output=True,text=True)",
            "subprocess.check_output(['git', 'ls-files', 'src'])",
            "requests.get(\"http://127.0.0.1:8000/x\")",
            "urllib.request.urlopen(f\"http://localhost:8000/items?page={i}\")",
        ] {
            assert_eq!(without("python3", code), "_", "{code}");
        }
        let code = "require(\"child_process\").execSync(\"git ls-files src\")";
        assert_eq!(without("node", code), "_");
    }

    #[test]
    fn what_is_computed_or_does_more_stays() {
        for code in [
            "subprocess.run([\"git\",\"push\"])",
            "subprocess.run([\"git\",x])",
            "subprocess.run(cmd)",
            "subprocess.run([\"git\",\"log\"], env=e)",
            "subprocess.run([\"git\",\"log\"], cwd=\"/etc\")",
            "subprocess.run([\"cat\",\".env\"])",
            "subprocess.run([\"git\" \"x\"])",
            "subprocess.run(\"git log; id\", shell=True)",
            "my.subprocess.run([\"git\",\"log\"])",
            "requests.get(\"http://localhost@evil.example/\")",
            "requests.get(f\"http://localhost{x}/\")",
            "requests.get(f\"http://{host}/\")",
            "requests.get(\"http://localhost.evil.example/\")",
            "requests.get(\"http://localhost/\", data=d)",
            "requests.get(\"http://localhost/\" + x)",
            "urlopen(\"http://localhost/\", open(\".env\").read())",
        ] {
            assert_eq!(without("python3", code), code);
        }
        for code in ["execSync(`git ls-files ${x}`)", "execSync(\"git push\")", "execSync(\"git log\" + x)"] {
            assert_eq!(without("node", code), code);
        }
    }
}
