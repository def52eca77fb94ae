//! The steps of a workflow, an image or a Makefile, one after the other: what one of them fetches, the next one may run.

use super::anchors;
use crate::context::Context;
use crate::detect::provenance::flow;
use crate::run_files::texts;
use crate::view::View;

/// Keys of YAML whose values are run.
const KEYS: &[&str] = &[
    "run",
    "script",
    "command",
    "commands",
    "bash",
    "before_script",
    "after_script",
    "before_install",
    "install",
    "cmd",
    "cmds",
];

/// How many parts of steps are looked at.
const LOOKED_AT: usize = 1000;

/// The command lines that a file gives to a shell, in their order.
pub(super) fn of(text: &str, path: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let joined = text.replace("\\\n", " ");
    if matches!(name.rsplit('.').next(), Some("yml" | "yaml")) {
        return of_yaml(&anchors::written_out(&joined));
    }
    if name.contains("dockerfile") || name == "containerfile" {
        return of_image(&joined);
    }
    if name == "jenkinsfile" {
        let calls = ["sh ", "sh("].iter().flat_map(|start| joined.match_indices(start));
        return calls.filter_map(|(at, start)| quoted(joined.get(at + start.len()..)?)).collect();
    }
    let indented = joined.lines().filter(|line| line.starts_with(['\t', ' ']));
    let recipes = indented.map(|line| line.trim_start_matches(['\t', ' ', '@', '-', '+']).to_owned());
    if name.contains("makefile") || name.ends_with("justfile") { recipes.collect() } else { Vec::new() }
}

/// What is in quotes at the beginning of a text.
fn quoted(text: &str) -> Option<String> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    text.trim_start_matches(quote).split(quote).next().map(str::to_owned)
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '-']).len()
}

/// A key and its value, where a line of YAML gives one.
fn pair(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches([' ', '-', '{']);
    let (key, value) = line.split_once(": ").or_else(|| Some((line.trim_end().strip_suffix(':')?, "")))?;
    let key = key.trim_matches(['"', '\'', ' ']);
    let plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    plain.then_some((key, value.trim()))
}

fn of_yaml(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        found.extend(in_braces(line));
        let Some((key, value)) = pair(line) else { continue };
        if !KEYS.contains(&key) {
            continue;
        }
        let below = lines.iter().skip(at + 1);
        let inside = |next: &&&str| next.trim().is_empty() || depth(next) > depth(line);
        let below: Vec<&str> = below.take_while(inside).map(|line| line.trim()).collect();
        let items: Vec<&str> = below.iter().filter_map(|line| line.strip_prefix("- ")).collect();
        match value.chars().next() {
            Some('|') => found.push(below.join("\n")),
            None if !items.is_empty() => found.extend(items.into_iter().map(unquoted)),
            None if below.first().is_some_and(|line| pair(line).is_some()) => {}
            Some('>') | None => found.push(below.join(" ")),
            // A plain value may go on in the lines below it.
            Some(_) => found.push(unquoted(&format!("{value} {}", below.join(" ")))),
        }
    }
    found
}

/// What the steps of a line that holds several run: `steps: [{run: "a"}, {run: "b"}]`.
fn in_braces(line: &str) -> Vec<String> {
    let parts = line.match_indices('{').filter_map(|(at, _)| line.get(at + 1..));
    let run = parts.filter_map(|part| {
        let (key, value) = part.split_once(':')?;
        quoted(value).filter(|_| KEYS.contains(&key.trim_matches(['"', '\'', ' '])))
    });
    run.collect()
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).to_owned()
}

/// What the lines of a Dockerfile run. What one adds from an address is fetched.
fn of_image(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut document: Option<(String, String)> = None;
    for line in text.lines() {
        if let Some((mark, body)) = document.as_mut() {
            if line.trim() == mark {
                found.extend(document.take().map(|(_, body)| body));
            } else {
                body.push_str(line);
                body.push('\n');
            }
            continue;
        }
        let Some((instruction, rest)) = line.trim_start().split_once([' ', '\t']) else { continue };
        let words: Vec<&str> = rest.split_whitespace().filter(|word| !word.starts_with("--")).collect();
        let line = words.join(" ");
        match instruction.to_ascii_uppercase().as_str() {
            "RUN" if line.starts_with("<<") => {
                let mark = line.trim_start_matches(['<', '-', '"', '\'']).trim_end_matches(['"', '\'']);
                document = Some((mark.to_owned(), String::new()));
            }
            "RUN" if !line.starts_with('[') => found.push(rest.to_owned()),
            "RUN" | "ENTRYPOINT" | "CMD" => found.push(line.replace(['[', ']', '"', ','], " ")),
            "ADD" => {
                if let [address, place] = words.as_slice()
                    && address.contains("://")
                {
                    found.push(format!("curl -o {place} {address}"));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a step runs what one before it fetched.
pub(super) fn run_what_they_fetch(steps: &[String], cwd: &str, context: &Context) -> bool {
    let mut fetched: Vec<String> = Vec::new();
    // A step as a whole, and line by line where it cannot be read as one.
    let parts = steps.iter().flat_map(|step| std::iter::once(step.as_str()).chain(step.lines()));
    let mut parts = parts.take(LOOKED_AT);
    parts.any(|step| {
        let (line, inner) = texts::as_line(&without_expressions(step), cwd, context);
        let view = View::of(&line, &inner);
        let Some(reading) = &view.reading else { return false };
        let commands = &reading.commands;
        if commands.iter().any(|command| flow::runs_one_of(command, &fetched, &line, &inner)) {
            return true;
        }
        if commands.iter().any(flow::fetches) {
            fetched.extend(flow::fetched_here(&line, &view, reading, &inner));
        }
        false
    })
}

/// A line without what the service puts in before a shell reads it: `${{ … }}`.
fn without_expressions(step: &str) -> String {
    let mut parts = step.split("${{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + "x" + part.split_once("}}").map_or("", |(_, rest)| rest))
}
