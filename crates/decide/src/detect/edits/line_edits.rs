//! Edits that a command line makes: what a stream editor replaces or deletes, what a tool sets in a manifest, what the
//! line prints into a file. They are judged as edits of the same file.

use portcullis_shell::{Argument, Command, Effects, Reading};
use serde_json::json;

use super::change::{Change, holds, lists};
use super::kinds::{is_instruction, is_manifest, is_review_file, is_test_file};
use super::{settings, sources, weakened};
use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Finding, detectors};
use crate::protected;
use crate::run_files::{interpreters, written};
use crate::view::{Access, View};

/// A line that takes a check away or weakens one, by what it writes or by a stream editor.
pub(in crate::detect) fn of_line(view: &View, reading: &Reading) -> Option<Finding> {
    // The script of an editor is both the old text and the new.
    let text = view.line.replace(['/', '|', '#'], "\n");
    let mut editors = reading.commands.iter().filter(|it| is_editor(it) && it.own.meets(Effects::WRITES));
    let lost = |command: &Command| {
        let words = scripts(command, view).collect::<Vec<_>>();
        let from_file = |word: &&Argument| word.text.starts_with("-f") || word.text.starts_with("--file");
        // What is only known at run time, or kept in a file, may be anywhere in the line.
        if words.iter().any(|word| !word.literal || from_file(word)) {
            return weakened::lost(&[view.line.to_lowercase()], &[]).is_some();
        }
        words
            .iter()
            .flat_map(|word| steps(&word.text))
            .any(|(old, new)| weakened::lost(&[old.to_lowercase()], &[new.to_lowercase()]).is_some())
    };
    settings::weakened(&Change::new("", "", &text))
        .or_else(|| editors.any(lost).then(|| Finding::by(&detectors::CHECK_EDITED_AWAY)))
}

/// What the changes of the line say that an edit of the same file would be asked about.
pub(in crate::detect) fn of_changes(
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    let changes = changes(view, reading, call, context);
    changes.iter().find_map(|(path, old, new)| as_edited(path, old, new, call, context))
}

/// What a new file of this text would be asked about.
pub(in crate::detect) fn of_text(
    path: &str,
    text: &str,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    as_edited(path, "", text, call, context)
}

/// What an edit with these texts would be asked about, where the file is one that builds, checks or agents obey.
fn as_edited(path: &str, old: &str, new: &str, call: &ToolCall, context: &Context) -> Option<Finding> {
    let change = Change::new(path, old, new);
    if is_report(&change, !old.is_empty()) {
        return Some(Finding::by(&detectors::TEST_RESULTS_WRITTEN));
    }
    if is_test_file(path) && !old.is_empty() {
        const TESTS: &str =
            "def\u{a0}test_ it( test( describe( #[test] func\u{a0}test @test [fact] assert expect( should.";
        let count = |text: &str| {
            TESTS.split_ascii_whitespace().filter(|it| text.contains(&it.replace('\u{a0}', " "))).count()
        };
        let less = count(&change.before) > count(&change.after);
        return less.then(|| Finding::by(&detectors::TEST_EMPTIED));
    }
    if let Some(detector) = weakened::looks_less(&change).filter(|_| !old.is_empty()) {
        return Some(Finding::by(detector));
    }
    if let Some(finding) = silences(&change) {
        return Some(finding);
    }
    let audit = change.before.contains("audit") && change.after.trim().is_empty();
    if audit && !old.is_empty() {
        // A pattern does not show whether what it deletes was a record.
        return Some(Finding::by(&detectors::AUDIT_RECORD_REMOVED).soft());
    }
    let production = !old.is_empty() && path.to_ascii_lowercase().contains("prod");
    if !matters(path) && !production {
        return None;
    }
    let input = json!({"file_path": path, "old_string": old, "new_string": new});
    let edit = ToolCall::new("Edit", input, call.cwd.clone());
    let view = View::of(&edit, context);
    let found = super::of_edit(&edit, &view).into_iter().chain(super::of_build_edit(&edit, &view, context));
    found.map(Finding::doubtful).max_by_key(|finding| finding.severity)
}

/// Whether builds, installs, checks or agents obey the file.
fn matters(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    protected::runs_later(path)
        || is_manifest(path)
        || is_review_file(path)
        || is_instruction(path)
        || sources::is_lock(&name)
        || weakened::is_scanner_file(&name)
        || is_linter(&name)
        || path.to_ascii_lowercase().contains(".github/")
        || lists("gradle lock csproj cfg toml", name.rsplit('.').next().unwrap_or_default())
        || name.contains("compose")
        || name.starts_with(".env")
}

/// Settings of programs that check code.
fn is_linter(name: &str) -> bool {
    holds(
        name,
        "eslint pylintrc ruff.toml golangci biome.json tslint rubocop stylelint flake8 clippy.toml detekt phpstan credo",
    )
}

/// A rule of a linter that is switched off, and a remark that silences a whole file.
fn silences(change: &Change) -> Option<Finding> {
    const SILENCES: &[&str] = &[
        "nosec",
        "noqa",
        "eslint-disable",
        "nolint",
        "@ts-nocheck",
        "@ts-ignore",
        "type: ignore",
        "nosonar",
        "noinspection",
    ];
    let new = change.new.to_lowercase();
    let off = is_linter(&change.name)
        && holds(&change.before, "error warn true")
        && holds(&new, "off false ignore none \"0\"")
        && !holds(&new, "error warn");
    let everywhere =
        !change.replaces() && new.trim().len() < 40 && SILENCES.iter().any(|word| new.contains(word));
    (off || everywhere).then(|| Finding::by(&detectors::LINT_RULE_OFF))
}

/// What tests and measurements have found. A stream editor has no business there; nor has a line that prints.
fn is_report(change: &Change, part: bool) -> bool {
    let lower = change.path.to_ascii_lowercase();
    let folder = |names: &str| lower.rsplit('/').skip(1).any(|part| lists(names, part));
    let named = "junit cobertura lcov.info test-results coverage.xml coverage-summary coverage.json jacoco";
    lists("xml json info svg txt html sarif", &change.ending)
        && (holds(&change.name, named)
            || folder("coverage test-results junit")
            || (part && folder("reports")))
}

/// The results of tests that an edit writes by hand.
pub(super) fn results_written(change: &Change) -> Option<Finding> {
    let says =
        holds(&change.new, "<testsuite <coverage end_of_record \"lines\" \"numPassedTests\" \"passed\"");
    (says && is_report(change, true)).then(|| Finding::by(&detectors::TEST_RESULTS_WRITTEN))
}

fn is_editor(command: &Command) -> bool {
    matches!(command.program.as_deref(), Some("sed" | "gsed" | "perl"))
}

/// The words of an editor that are no files.
fn scripts<'c>(command: &'c Command, view: &View) -> impl Iterator<Item = &'c Argument> {
    command.arguments.iter().filter(|word| !view.paths.iter().any(|path| path.named == word.text))
}

/// Path, old and new text of each change that the line makes, as far as its words show them.
fn changes(
    view: &View,
    reading: &Reading,
    call: &ToolCall,
    context: &Context,
) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for command in &reading.commands {
        let place = |name: &str| {
            context.absolute(name, &context.absolute(command.directory.as_deref().unwrap_or("."), &call.cwd))
        };
        let words = || command.arguments.iter().map(|word| word.text.as_str());
        let pairs: Vec<(String, String)> = match command.program.as_deref().unwrap_or_default() {
            "sed" | "gsed" | "perl" => scripts(command, view).flat_map(|word| steps(&word.text)).collect(),
            "yq" | "jq" | "gojq" | "dasel" => {
                words().filter(|word| word.contains(['=', '('])).flat_map(assigned).collect()
            }
            "npm" | "pnpm" | "yarn" if words().any(|word| word == "pkg" || word == "set-script") => {
                let set: Vec<(String, String)> = if words().any(|word| word == "set-script") {
                    let text: Vec<&str> = words().skip_while(|word| *word != "set-script").skip(1).collect();
                    text.first()
                        .map(|name| assigned(&format!(".scripts.{name}={}", text.get(1).unwrap_or(&"x"))))
                        .unwrap_or_default()
                } else {
                    words().filter(|word| word.contains('=')).flat_map(assigned).collect()
                };
                found.extend(set.into_iter().map(|(old, new)| (place("package.json"), old, new)));
                continue;
            }
            name if interpreters::is_language(name) && command.own.meets(Effects::EXECUTES) => {
                let names =
                    quoted(&view.line).into_iter().filter(|name| matters(name) && !name.contains([' ', '(']));
                let names: Vec<String> = names.collect();
                let pairs = replaced(&view.line);
                found.extend(
                    names.iter().flat_map(|name| {
                        pairs.iter().map(|(old, new)| (place(name), old.clone(), new.clone()))
                    }),
                );
                continue;
            }
            _ => continue,
        };
        let mut files: Vec<String> = touched(command, view, Access::Write).map(str::to_owned).collect();
        let moves = |it: &Command| matches!(it.program.as_deref(), Some("mv" | "sponge" | "cp" | "tee"));
        let printed = view.paths.iter().any(|path| path.redirect && path.access == Access::Write);
        // What is printed then takes the place of the file that was read.
        if printed || reading.commands.iter().any(moves) {
            files.extend(touched(command, view, Access::Read).map(str::to_owned));
        }
        if files.is_empty() {
            // Of some programs it is not known which words are files.
            files.extend(words().filter(|word| is_editor(command) && matters(word)).map(place));
        }
        found.extend(
            files
                .iter()
                .flat_map(|path| pairs.iter().map(|(old, new)| (path.clone(), old.clone(), new.clone()))),
        );
    }
    found.extend(written::by_line(view, reading).into_iter().map(|(path, new)| (path, String::new(), new)));
    found
}

fn touched<'v>(command: &'v Command, view: &'v View, access: Access) -> impl Iterator<Item = &'v str> {
    let own =
        view.paths.iter().filter(move |path| path.access == access && crate::view::in_span(path, command));
    own.map(|path| path.path.as_str())
}

/// What the script of a stream editor takes away and puts there, step by step, as far as it is understood.
fn steps(script: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = script.trim_start_matches("--expression=");
    while !rest.is_empty() {
        rest = rest.trim_start_matches([';', ' ', '\n', '\t', '{', '}', '!']);
        let (address, after) = address(rest);
        let mut letters = after.chars();
        let (letter, behind) = (letters.next(), letters.as_str());
        match letter {
            Some('s') => match substitution(behind) {
                Some((old, new, after)) => {
                    found.push((plain(&old), plain(&new)));
                    rest = after;
                }
                None => return found,
            },
            Some('d') => {
                found.push((plain(&address), String::new()));
                rest = behind;
            }
            Some('a' | 'i' | 'c') => {
                let old = if letter == Some('c') { plain(&address) } else { String::new() };
                found.push((old, behind.trim_start_matches([' ', '\\', '\n']).to_owned()));
                return found;
            }
            Some(_) => rest = behind,
            None => return found,
        }
    }
    found
}

/// The patterns before a step, and what follows them.
fn address(text: &str) -> (String, &str) {
    let mut found = String::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|it: char| ", ~+!$".contains(it) || it.is_ascii_digit());
        let Some((pattern, after)) = rest.strip_prefix('/').and_then(|behind| until(behind, '/')) else {
            break;
        };
        found.push_str(&pattern);
        found.push('\n');
        rest = after.trim_start_matches(['I', 'M']);
    }
    (found, rest)
}

/// The old and the new of `/old/new/flags`, and what follows.
fn substitution(text: &str) -> Option<(String, String, &str)> {
    let sign = text.chars().next().filter(char::is_ascii_punctuation)?;
    let pair = [('{', '}'), ('(', ')'), ('[', ']'), ('<', '>')].into_iter().find(|(open, _)| *open == sign);
    let end = pair.map_or(sign, |(_, close)| close);
    let (old, after) = until(text.get(1..)?, end)?;
    let after = if pair.is_some() { after.trim_start().strip_prefix(sign)? } else { after };
    let (new, after) = until(after, end)?;
    Some((old, new, after.trim_start_matches(|flag: char| flag.is_ascii_alphanumeric())))
}

/// The text before the next `sign` that no backslash hides, and what follows it.
fn until(text: &str, sign: char) -> Option<(String, &str)> {
    let mut hidden = false;
    let (at, _) = text.char_indices().find(|(_, letter)| {
        let ends = *letter == sign && !hidden;
        hidden = *letter == '\\' && !hidden;
        ends
    })?;
    Some((text.get(..at)?.to_owned(), text.get(at + sign.len_utf8()..)?))
}

/// A pattern without the signs that only belong to patterns.
fn plain(pattern: &str) -> String {
    let text = pattern.replace("\\n", "\n").replace("\\b", "").replace("\\B", "").replace('\\', "");
    text.trim_start_matches('^').trim_end_matches('$').to_owned()
}

/// The fields that a filter sets, as the text of a file would have them, and those that it deletes: `.a.b = "x" | del(.c)`.
fn assigned(filter: &str) -> Vec<(String, String)> {
    let keys = |path: &str| {
        let parts =
            path.split(['.', '[', ']']).map(|part| part.trim_matches(['"', '\'', ' ', '(', ')', '\\', '+']));
        let names = parts.filter(|part| !part.is_empty() && !part.bytes().all(|it| it.is_ascii_digit()));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let text = |keys: &[String], value: &str| {
        let lines = keys.iter().enumerate().map(|(at, key)| format!("{}{key}:", "  ".repeat(at)));
        format!("{} \"{value}\"", lines.collect::<Vec<_>>().join("\n"))
    };
    let parts = filter.split(['|', ',']).map(str::trim);
    let fields = parts.filter_map(|part| {
        if let Some(inside) = part.strip_prefix("del(") {
            return Some((text(&keys(inside), "x"), String::new()));
        }
        let (field, value) = part.split_once('=')?;
        let keys = keys(field);
        (!keys.is_empty())
            .then(|| (String::new(), text(&keys, value.trim().trim_matches(['=', ' ', '"', '\'', '\\']))))
    });
    fields.collect()
}

/// The texts in quotes.
fn quoted(text: &str) -> Vec<String> {
    let parts = text.split(['\'', '"', '`', '\\']).map(str::trim);
    parts.filter(|part| !part.is_empty() && *part != ",").map(str::to_owned).collect()
}

/// What calls in code replace, and with what: `text.replace('a', 'b')`.
fn replaced(text: &str) -> Vec<(String, String)> {
    let calls =
        [".replace(", ".replaceAll(", "re.sub(", "gsub("].iter().flat_map(|word| text.split(word).skip(1));
    let pairs = calls.filter_map(|call| {
        let mut given = quoted(call.split(')').next().unwrap_or_default()).into_iter();
        Some((given.next()?, given.next().unwrap_or_default()))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P5]
    #[test]
    fn the_steps_of_a_script_are_told_apart() {
        let shown = |script: &str| {
            let steps = steps(script).into_iter().map(|(old, new)| format!("{} > {new}", old.trim()));
            steps.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown("s#^FROM node:20#FROM x/node:20#"), "FROM node:20 > FROM x/node:20");
        assert_eq!(shown(r"/audit\.record/d"), "audit.record > ");
        assert_eq!(shown("5s/a/b/g;/c/,/d/d"), "a > b, c\nd > ");
        assert_eq!(shown("1i import x"), " > import x");
        assert_eq!(shown(r"s/a\/b/c/; s{x}{y}"), "a/b > c, x > y");
    }

    /// [P5]
    #[test]
    fn a_field_is_read_as_in_its_file() {
        let text =
            |filter: &str| assigned(filter).into_iter().map(|(_, new)| new).collect::<Vec<_>>().join(";");
        assert_eq!(text(".services.db.image=\"x/pg\""), "services:\n  db:\n    image: \"x/pg\"");
    }
}
