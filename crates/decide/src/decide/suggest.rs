//! Rules to offer a person who is asked: the narrowest that are of use, never a dangerous one.

use portcullis_shell::{Command, Dialect, Effects, nature};
use serde_json::json;

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::cover::wrapped::words_before;
use crate::detect::unusual_besides;
use crate::rules::{Extra, List, Origin, Rule, Source, is_dangerous};
use crate::run_files::stdin_code::runs_what_it_is_fed;
use crate::safety::critical_paths::{holds_kept, is_of_system};
use crate::view::{Access, PathUse, View};
use crate::web::Host;

/// How many are offered for one call.
const MAX: usize = 5;

/// The rules that are offered with a question.
#[expect(clippy::wildcard_enum_match_arm, reason = "for other tools there is no narrow rule")]
pub(crate) fn rules(call: &ToolCall, view: &View, context: &Context) -> Vec<String> {
    let mut offered = match &call.tool {
        Tool::Bash | Tool::PowerShell => commands(call, view),
        tool if tool.edits_files() || tool.reads_files() => paths(call, view, context),
        Tool::WebFetch => match &view.host {
            Some(Host::Public(host)) if is_plain_name(host) => vec![format!("WebFetch(domain:{host})")],
            Some(Host::Public(_) | Host::Private(_) | Host::Unclear) | None => Vec::new(),
        },
        Tool::Skill => {
            let plain = view.name.iter().filter(|name| is_plain_name(name));
            plain.map(|name| format!("Skill({name})")).collect()
        }
        Tool::Mcp(name) if is_plain_name(name) && only_looks(call, context) => vec![name.clone()],
        _ => Vec::new(),
    };
    offered.dedup();
    offered.truncate(MAX);
    offered.retain(|text| is_offerable(text));
    offered
}

/// Whether nobody would take the rule for more than it says (D1).
fn is_offerable(text: &str) -> bool {
    let (rule, broken) = Rule::parse(text, List::Allow, Origin::of(Source::Session));
    broken.is_none() && !is_dangerous(&rule, Extra::Keep)
}

/// What nobody should agree to for other operands than those in front of them.
const GRAVE: Effects = Effects::DELETES
    .and(Effects::DISCARDS)
    .and(Effects::PUSHES)
    .and(Effects::PUBLISHES)
    .and(Effects::NETWORK_WRITE)
    .and(Effects::SENDS_DATA)
    .and(Effects::PERMISSIONS);

/// What a program that a rule names without its operands must not be for: running what it is given, or changing more than
/// files of the project.
const RUNS: Effects =
    Effects::EXECUTES.and(Effects::PRIVILEGE).and(Effects::KILLS).and(Effects::SYSTEM).and(Effects::UNKNOWN);

/// What a rule should not be made a habit of, even for one call as it stands.
const NO_HABIT: Effects = Effects::EXECUTES
    .and(Effects::PRIVILEGE)
    .and(Effects::KILLS)
    .and(Effects::SYSTEM)
    .and(Effects::DELETES)
    .and(Effects::DISCARDS)
    .and(Effects::PERMISSIONS)
    .and(Effects::PUBLISHES);

/// The program in the call for which no rule should be offered, however often people allow it: one that runs whatever
/// it is given, or changes what cannot be restored. `None` if there is none.
#[must_use]
pub fn unsuitable_program(call: &ToolCall, context: &Context) -> Option<String> {
    let view = View::of(call, context);
    let mut commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let found = commands.find(|command| command.own.and(command.by_options).meets(NO_HABIT))?;
    Some(found.program.clone().unwrap_or_else(|| found.word.clone()))
}

/// The shape of a call, which it shares with calls like it: the program and its sub-commands, or the tool.
#[must_use]
pub fn shape(call: &ToolCall, view: &View) -> String {
    let reading = view.reading.as_ref().filter(|reading| reading.refused().is_none());
    let mut commands = reading.into_iter().flat_map(|reading| &reading.commands);
    let first = commands.find(|command| !command.effects.is_harmless());
    let words = first.and_then(|command| Some((command, leading_words(command)?)));
    match words {
        Some((command, words)) => prefix_rule(call, command, &[], &words),
        None => call.tool.name().to_owned(),
    }
}

/// The program and the sub-commands that directly follow it; an option in between is not part of a rule.
fn leading_words(command: &Command) -> Option<Vec<String>> {
    let program = command.program.as_ref()?;
    let mut words = vec![program.clone()];
    let leading =
        command.verbs.iter().enumerate().take_while(|(at, index)| at == *index).map(|(_, index)| *index);
    words.extend(leading.filter_map(|index| command.arguments.get(index)).map(|word| word.text.clone()));
    (command.word == *program && words.iter().all(|word| is_plain(word))).then_some(words)
}

/// Whether a text means itself in a rule.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(|character: char| character.is_control() || "()*\\".contains(character))
}

/// Whether a name means itself, and nothing else, in a rule.
fn is_plain_name(name: &str) -> bool {
    is_plain(name) && !name.contains('?')
}

/// The same for a path, where a parenthesis is a character like any other.
fn is_plain_path(path: &str) -> bool {
    !path.contains(|character: char| character.is_control() || "*?\\".contains(character))
}

/// Whether any words may follow these: the reader knows what they are for, and it is not to run others. What it does not
/// know may be for anything.
fn may_go_on(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((program, verbs)) = words.split_first() else { return false };
    let narrow =
        nature(program, verbs).is_some_and(|it| !it.open && !it.group && !it.does.meets(RUNS.and(GRAVE)));
    // A wrapper does nothing by itself; the reader shows what it would run.
    let tried = format!("{} 1 x x", words.join(" "));
    narrow && portcullis_shell::read(&tried, Dialect::Bash).commands.len() == 1
}

/// Whether the name of the tool says that it only looks, whatever it is given. Where it looks at an address, any input is
/// any address.
fn only_looks(call: &ToolCall, context: &Context) -> bool {
    let bare = ToolCall::new(call.tool.name(), json!({}), call.cwd.clone());
    let addressed =
        ["url", "urls", "uri", "endpoint", "href"].iter().any(|field| call.input.get(field).is_some());
    !addressed && unusual_besides(&bare, &View::of(&bare, context), context, &[]).is_none()
}

/// The rule for these words of the command, behind those of what starts it.
fn prefix_rule(call: &ToolCall, command: &Command, before: &[String], words: &[String]) -> String {
    let name = call.tool.name();
    let exact = command.arguments.len() + 1 == words.len();
    let words = [before, words].concat();
    format!("{name}({}{})", words.join(" "), if exact { "" } else { ":*" })
}

/// The command as it stands, and nothing else.
fn exact_rule(call: &ToolCall, command: &Command) -> Option<String> {
    let line = call.input.get("command")?.as_str()?;
    let text = command.span.of(line);
    is_plain(text).then(|| format!("{}({text})", call.tool.name()))
}

/// One rule for each command that needs one: its program and sub-commands, or just itself where it is grave or could run
/// anything.
fn commands(call: &ToolCall, view: &View) -> Vec<String> {
    let Some(reading) = view.reading.as_ref().filter(|reading| reading.refused().is_none()) else {
        return Vec::new();
    };
    let mut offered = Vec::new();
    let needy: Vec<&Command> =
        reading.commands.iter().filter(|command| !command.effects.is_harmless()).collect();
    for command in &needy {
        // What is started is named together with what starts it.
        let starts = |inner: &&&Command| inner.span == command.span && words_before(command, inner).is_some();
        if runs_what_it_is_fed(command, view) || needy.iter().any(|inner| starts(&inner)) {
            continue;
        }
        let Some(words) = leading_words(command) else { continue };
        let before = started_by(command, &needy);
        let wide = prefix_rule(call, command, &before, &words);
        // For what runs code nothing is offered: the same words can do something else tomorrow.
        let known = is_offerable(&prefix_rule(call, command, &[], &words));
        let open = wide.ends_with(":*)") && known && !(may_go_on(&words) && is_offerable(&wide));
        let narrow = command.effects.meets(GRAVE) || open || !before.iter().all(|word| is_plain(word));
        let text = if narrow { exact_rule(call, command) } else { Some(wide) };
        let Some(text) = text.filter(|_| known) else { continue };
        if !offered.contains(&text) {
            offered.push(text);
        }
    }
    offered
}

/// The words of what starts the command, up to it.
fn started_by(command: &Command, others: &[&Command]) -> Vec<String> {
    let mut outer = others.iter().filter(|outer| outer.span == command.span);
    let found = outer.find_map(|outer| Some((outer, words_before(outer, command)?)));
    let words = found.iter().flat_map(|(outer, at)| {
        std::iter::once(&outer.word).chain(outer.arguments.iter().take(*at).map(|word| &word.text))
    });
    words.cloned().collect()
}

/// The files. A rule for a folder means all that lies in it, so none is offered for one that holds nearly everything.
fn paths(call: &ToolCall, view: &View, context: &Context) -> Vec<String> {
    let narrow = |path: &&PathUse| {
        // What lies directly in the root is a folder, whoever names it.
        let folder = path.searched || path.path.matches('/').count() < 2;
        let wide =
            holds_kept(&path.path, call, context) || (folder && is_of_system(&path.path, call, context));
        path.literal && is_plain_path(&path.path) && !wide
    };
    let each = view.paths.iter().filter(narrow).map(|path| {
        let tool = if path.access == Access::Read { "Read" } else { "Edit" };
        format!("{tool}(/{})", path.path)
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, Decision, decide};
    use serde_json::json;

    fn offered(command: &str) -> Vec<String> {
        offered_for("Bash", json!({ "command": command }))
    }

    fn offered_for(tool: &str, input: serde_json::Value) -> Vec<String> {
        let call = ToolCall::new(tool, input, "/home/dev/proj");
        let context = Context::new("/home/dev/proj", "/home/dev");
        match decide(&call, &context).decision {
            Decision::Ask { suggestions, .. } => suggestions,
            Decision::Allow { .. } | Decision::Deny { .. } => Vec::new(),
        }
    }

    /// [H6]
    #[test]
    fn what_cannot_be_taken_back_is_offered_as_it_stands() {
        for (command, rules) in [
            ("git push --force origin main", &["Bash(git push --force origin main)"][..]),
            ("git push", &["Bash(git push)"]),
            ("rm x", &["Bash(rm x)"]),
            ("rm a/*.o", &[]),
            ("chmod 700 \"a b\"", &["Bash(chmod 700 \"a b\")"]),
            ("npm install left-pad", &["Bash(npm install left-pad)"]),
            ("touch a && rm b", &["Bash(touch:*)", "Bash(rm b)"]),
            ("python3 x.py", &[]),
        ] {
            assert_eq!(offered(command), rules, "{command}");
        }
    }

    /// [H6] With what starts it, so that the rule settles the call.
    #[test]
    fn a_started_program_is_offered_with_what_starts_it() {
        for (command, rules) in [
            ("uv run pytest -x", &["Bash(uv run pytest:*)"][..]),
            ("npx tsc --noEmit && npx eslint .", &["Bash(npx tsc --noEmit)", "Bash(npx eslint .)"]),
            ("sudo frob status", &["Bash(sudo frob status)"]),
            ("timeout 5 pytest -x", &["Bash(pytest:*)"]),
            ("uv run python x.py", &[]),
        ] {
            assert_eq!(offered(command), rules, "{command}");
        }
    }

    /// [H6] What runs others, acts on the machine or is not known is offered as it stands, if that can be spelled.
    #[test]
    fn words_that_could_run_anything_are_not_followed_by_a_wildcard() {
        for command in [
            "pypy3 x",
            "ipython x",
            "jruby x",
            "groovy x",
            "elixir x",
            "iex x",
            "racket x",
            "osh x",
            "rbash x",
            "runuser -u root x",
            "gosu root x",
            "su-exec root x",
            "sg docker x",
            "hyperfine x",
            "entr x",
            "watchexec x",
            "cross-env A=1 x",
            "fakeroot x",
            "chronic x",
            "opam exec -- x",
            "stack exec x",
            "lerna exec x",
            "docker-compose run x",
            "lxc exec c -- x",
            "adb shell x",
            "vagrant ssh -c x",
            "mongosh x",
            "psql -c 'select 1'",
            "ld.so x",
            "mount x y",
            "pkill x",
            "mytool lint",
            "mytool lint --fix",
            "git -C sub commit -m x",
        ] {
            let rules = offered(command);
            assert!(!rules.iter().any(|rule| rule.ends_with(":*)")), "{command}: {rules:?}");
        }
        assert_eq!(offered("mytool lint --fix"), ["Bash(mytool lint --fix)"]);
        for (command, rule) in [
            ("cargo test x", "Bash(cargo test:*)"),
            ("git commit -m x", "Bash(git commit:*)"),
            ("touch x", "Bash(touch:*)"),
            ("mkdir -p x", "Bash(mkdir:*)"),
        ] {
            assert_eq!(offered(command), [rule], "{command}");
        }
    }

    /// [H6] A name that would mean more than itself is not offered.
    #[test]
    fn names_with_wildcards_are_not_offered() {
        for (tool, input) in [
            ("Write", json!({ "file_path": "/srv/x/**", "content": "" })),
            ("Write", json!({ "file_path": "/srv/x/a?", "content": "" })),
            ("Write", json!({ "file_path": "/srv/x/a\\b", "content": "" })),
            ("Read", json!({ "file_path": "/etc/**" })),
            ("Skill", json!({ "skill": "*" })),
            ("Skill", json!({ "skill": "a?" })),
            ("Skill", json!({ "skill": "a(b" })),
            ("WebFetch", json!({ "url": "https://*.com/", "prompt": "x" })),
            ("mcp__a__get_*", json!({})),
            ("Grep", json!({ "pattern": "x", "path": "/home/dev" })),
            ("Grep", json!({ "pattern": "x", "path": "/home" })),
            ("Grep", json!({ "pattern": "x", "path": "/usr/share" })),
            ("Read", json!({ "file_path": "/home" })),
            ("Read", json!({ "file_path": "/etc" })),
        ] {
            assert_eq!(offered_for(tool, input.clone()), Vec::<String>::new(), "{tool} {input}");
        }
        for (tool, input, rule) in [
            ("Write", json!({ "file_path": "/srv/x/a", "content": "" }), "Edit(//srv/x/a)"),
            ("Write", json!({ "file_path": "/srv/(x)/[id].tsx", "content": "" }), "Edit(//srv/(x)/[id].tsx)"),
            ("Read", json!({ "file_path": "/usr/notes" }), "Read(//usr/notes)"),
            ("Grep", json!({ "pattern": "x", "path": "/srv/other/src" }), "Read(//srv/other/src)"),
            ("Skill", json!({ "skill": "tidy" }), "Skill(tidy)"),
            ("WebFetch", json!({ "url": "https://docs.rs/x", "prompt": "x" }), "WebFetch(domain:docs.rs)"),
        ] {
            assert_eq!(offered_for(tool, input.clone()), [rule], "{tool} {input}");
        }
    }

    /// [H6] Any input is only for tools whose names say that they look.
    #[test]
    fn tools_that_do_more_than_look_are_not_offered() {
        for name in [
            "mcp__sh__run_command",
            "mcp__sh__bash",
            "mcp__repl__python",
            "mcp__playwright__browser_evaluate",
            "mcp__fs__write_file",
            "mcp__pg__query",
            "mcp__stripe__create_payment",
            "mcp__drive__upload",
            "mcp__vault__get_secret",
            "mcp__x__frobnicate",
        ] {
            assert_eq!(offered_for(name, json!({ "text": "x" })), Vec::<String>::new(), "{name}");
        }
        let fetched = offered_for("mcp__web__fetch", json!({ "url": "https://docs.rs" }));
        assert_eq!(fetched, Vec::<String>::new());
        for name in ["mcp__tracker__list_issues", "mcp__github__get_pull_request"] {
            assert_eq!(offered_for(name, json!({ "text": "x" })), [name]);
        }
    }

    /// [N4]
    #[test]
    fn calls_of_one_shape_differ_in_their_operands() {
        let shape_of = |command: &str| {
            let call = ToolCall::new("Bash", json!({ "command": command }), "/home/dev/proj");
            let context = Context::new("/home/dev/proj", "/home/dev");
            shape(&call, &View::of(&call, &context))
        };
        assert_eq!(shape_of("rm a"), shape_of("rm b"));
        assert_eq!(shape_of("ls; git push --force origin main"), shape_of("git push -f x y"));
        assert_ne!(shape_of("git push x"), shape_of("git fetch x"));
        assert_eq!(shape_of("$X y"), "Bash");
    }
}
