//! Boundaries that the user stated ("don't push"): they hold until the user lifts them (SPEC C17, C19).
//!
//! A call that a restriction surely means is forbidden; one that it could mean is asked about.

use portcullis_decide::view::{Access, View};
use portcullis_decide::{Tool, ToolCall};

use super::calls::is_of;
use super::content::{is_quality, shows_in_names};
use super::lift::Lift;
use super::restriction::{Restriction, What, restrictions};
use super::text::{names, sentences};
use super::words::Action;
use crate::transcript::Transcript;

/// A boundary that the user stated and a call crosses, in the user's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Crossing {
    /// The call does what the user ruled out.
    Crosses(String),
    /// The call may do what the user ruled out.
    MayCross(String),
}

impl Crossing {
    /// The user's words.
    #[must_use]
    pub fn words(&self) -> &str {
        let (Crossing::Crosses(words) | Crossing::MayCross(words)) = self;
        words
    }
}

/// What the user's boundaries say of a call.
pub(crate) fn crossing(call: &ToolCall, view: &View, transcript: &Transcript) -> Option<Crossing> {
    if !acts(call, view) {
        return None;
    }
    let mut may = None;
    for restriction in in_force(transcript) {
        let meant = restriction.means(call, view);
        if meant == Meant::Yes && restriction.sure {
            return Some(Crossing::Crosses(restriction.sentence));
        }
        if meant != Meant::No && may.is_none() {
            may = Some(Crossing::MayCross(restriction.sentence));
        }
    }
    may
}

/// Whether a call does anything but read.
fn acts(call: &ToolCall, view: &View) -> bool {
    let changes = view.paths.iter().any(|path| path.access != Access::Read);
    let runs = view.reading.as_ref().is_none_or(|reading| {
        !reading.unclear.is_empty() || reading.commands.iter().any(|command| !command.effects.is_harmless())
    });
    if call.tool.is_shell() { changes || runs } else { !call.tool.reads_files() }
}

/// The restrictions that still hold after the last turn.
fn in_force(transcript: &Transcript) -> Vec<Restriction> {
    let mut held: Vec<Restriction> = Vec::new();
    for turn in transcript.human_turns() {
        // What could not be tied to anything holds until the user says something else.
        held.retain(|it| it.sure || !matches!(it.what, What::Untied | What::Words(_) | What::Change));
        for restriction in &mut held {
            restriction.settled = true;
        }
        let earlier = held.len();
        let said = sentences(turn);
        for (at, sentence) in said.iter().enumerate() {
            if !held.is_empty() {
                let lift = Lift::of(sentence);
                let mut index = 0;
                held.retain_mut(|restriction| {
                    let of_earlier_turn = index < earlier;
                    index += 1;
                    !lift.ends(restriction, of_earlier_turn)
                });
            }
            let before = at.checked_sub(1).and_then(|at| said.get(at));
            held.extend(restrictions(sentence, before));
        }
    }
    held
}

/// Whether a restriction means a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Meant {
    No,
    Perhaps,
    Yes,
}

impl Restriction {
    fn means(&self, call: &ToolCall, view: &View) -> Meant {
        match &self.what {
            What::Change => Meant::Yes,
            What::Places(places) => changed(call, view)
                .map(|path| of_places(&path, places))
                .max()
                .unwrap_or(Meant::No)
                .max(if installs_into(call, view, places) { Meant::Perhaps } else { Meant::No }),
            What::Outside(places) => {
                let inside = |path: &String| {
                    places
                        .iter()
                        .chain(&self.lifted)
                        .any(|place| is_below(path, place) || is_described(path, place))
                };
                if changed(call, view).any(|path| !inside(&path)) {
                    Meant::Yes
                } else if moves_elsewhere(&view.line, places) {
                    Meant::Perhaps
                } else {
                    Meant::No
                }
            }
            What::Actions { kinds, names, described } => {
                let means = kinds.iter().map(|kind| self.action(*kind, names, described, call, view));
                means.max().unwrap_or(Meant::No)
            }
            What::Words(words) => {
                if in_line(&told(call, view), words) {
                    Meant::Perhaps
                } else {
                    Meant::No
                }
            }
            What::Untied => {
                if is_of(Action::Run, call, view) {
                    Meant::Perhaps
                } else {
                    Meant::No
                }
            }
        }
    }

    fn action(
        &self,
        kind: Action,
        names: &[String],
        described: &[String],
        call: &ToolCall,
        view: &View,
    ) -> Meant {
        if kind == Action::Read || !is_of(kind, call, view) {
            return Meant::No;
        }
        let places: Vec<String> = names.iter().filter(|name| is_place(name)).cloned().collect();
        if !places.is_empty()
            && matches!(kind, Action::Edit | Action::NewFile | Action::Delete | Action::Format)
        {
            return changed(call, view).map(|path| of_places(&path, &places)).max().unwrap_or(Meant::No);
        }
        let told = told(call, view);
        let says = |name: &String| names_target(&told, name);
        if self.lifted.iter().any(says) || in_line(&told, &self.lifted) {
            return Meant::No;
        }
        if !names.is_empty() && !matches!(kind, Action::Edit) {
            let bare = kind == Action::Push && view.line.split_whitespace().count() <= 3;
            return if bare || names.iter().any(says) { Meant::Yes } else { Meant::No };
        }
        if described.is_empty() {
            return Meant::Yes;
        }
        if mentions(call, view, described) {
            return Meant::Yes;
        }
        // Tests, migrations and the like show in the names of files. What other words describe is not known here; the
        // user's next turn settles it.
        let edits = matches!(kind, Action::Edit | Action::NewFile | Action::Format);
        let elsewhere = is_quality(described) || described.iter().any(|word| shows_in_names(word));
        let is_elsewhere = kind == Action::Run || (edits && (elsewhere || self.settled));
        if is_elsewhere { Meant::No } else { Meant::Perhaps }
    }
}

/// What a call says that it does: its line, or the name of the tool.
fn told(call: &ToolCall, view: &View) -> String {
    if let Tool::Mcp(name) | Tool::Unknown(name) = &call.tool { name } else { &view.line }.to_lowercase()
}

/// Whether a name is one of files or folders: `src/a.py`, no branch or version.
fn is_place(name: &str) -> bool {
    name.contains(['/', '.']) && !name.starts_with("origin/") && name.chars().any(char::is_alphabetic)
}

/// Whether a line has a name, not as a part of a longer one.
fn names_target(line: &str, name: &str) -> bool {
    names(line, name.trim_end_matches('/'))
}

/// The paths that a call changes, without the folder it works in.
fn changed<'v>(call: &'v ToolCall, view: &'v View) -> impl Iterator<Item = String> + 'v {
    let edits = call.tool.edits_files() || call.tool.is_shell();
    let writes = view.paths.iter().filter(move |path| edits && path.access != Access::Read);
    let inside = |path: String| {
        let cwd = call.cwd.to_lowercase();
        path.strip_prefix(&cwd).map_or_else(|| path.clone(), |rest| rest.trim_start_matches('/').to_owned())
    };
    // What lies in the folder for temporary files, outside the project, is nobody's work.
    let kept = |path: &String| !path.starts_with("/dev/") && !path.starts_with("/tmp/");
    writes.map(|path| path.path.to_lowercase()).map(inside).filter(kept)
}

fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "~"))
}

/// Whether a path is a place that was named, or lies below it.
fn is_below(path: &str, place: &str) -> bool {
    let own: Vec<&str> = parts(path).collect();
    let named: Vec<&str> = parts(place).collect();
    let same = |part: &str, named: &str| match named.split_once('*') {
        Some((head, tail)) => part.starts_with(head) && part.ends_with(tail),
        None => part == named,
    };
    !named.is_empty()
        && own
            .windows(named.len())
            .any(|window| window.iter().zip(&named).all(|(part, named)| same(part, named)))
}

/// Whether a path has a part that a word describes: `migrations` for "the migrations folder".
fn is_described(path: &str, word: &str) -> bool {
    if word.contains('/') {
        return false;
    }
    // A file that is named is no other whose name has a part of it.
    let in_part = |part: &str| {
        if word.contains('.') {
            return resembles(part.split('.').next().unwrap_or(part), word);
        }
        part.split(|it: char| !it.is_alphanumeric()).any(|name| resembles(name, word))
    };
    parts(path).any(|part| resembles(part, word) || in_part(part))
}

/// Whether two words are forms of one: "migration" and "migrate", "Datenbankschema" and "schema".
fn resembles(name: &str, word: &str) -> bool {
    let common = name.bytes().zip(word.bytes()).take_while(|(one, other)| one == other).count();
    let shorter = name.len().min(word.len());
    name == word
        || is_swapped(name, word)
        || (common >= 4 && common + 3 >= shorter && common * 2 > name.len().max(word.len()))
        || (name.len() >= 5 && word.contains(name))
}

/// Whether two letters of a word changed places: "psuh".
fn is_swapped(name: &str, word: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    name.len() >= 4
        && name.len() == word.len()
        && name.chars().next() == word.chars().next()
        && sorted(name) == sorted(word)
}

fn of_places(path: &str, places: &[String]) -> Meant {
    let takes_along = |place: &String| is_below(place, path) && !path.is_empty();
    if places.iter().any(|place| is_below(path, place) || takes_along(place)) {
        return Meant::Yes;
    }
    if path.is_empty() || places.iter().any(|place| !place.contains('/') && is_described(path, place)) {
        return Meant::Perhaps;
    }
    Meant::No
}

/// Whether git goes to another branch than those that were named.
fn moves_elsewhere(line: &str, places: &[String]) -> bool {
    let line = line.to_lowercase();
    let moves =
        ["git checkout ", "git switch ", "git push ", "git merge "].iter().any(|verb| line.contains(verb));
    moves && !places.iter().any(|place| names_target(&line, place))
}

/// Whether a call installs packages, and the places are files that say which.
fn installs_into(call: &ToolCall, view: &View, places: &[String]) -> bool {
    let lists = |place: &String| {
        let name = place.rsplit('/').next().unwrap_or_default();
        [
            "package",
            "lock",
            "cargo.toml",
            "go.mod",
            "go.sum",
            "requirements",
            "pyproject",
            "gemfile",
            "composer",
        ]
        .iter()
        .any(|part| name.contains(part))
    };
    places.iter().any(lists) && is_of(Action::Install, call, view)
}

/// Whether a line has one of the words, in whatever form.
fn in_line(line: &str, words: &[String]) -> bool {
    let mut own = line.split(|it: char| !it.is_alphanumeric()).filter(|part| part.len() > 2);
    own.any(|part| words.iter().any(|word| resembles(part, word)))
}

/// Whether a call has to do with the words.
fn mentions(call: &ToolCall, view: &View, words: &[String]) -> bool {
    in_line(&told(call, view), words)
        || changed(call, view)
            .any(|path| words.iter().any(|word| is_below(&path, word) || is_described(&path, word)))
}

#[cfg(test)]
mod tests {
    use portcullis_decide::Context;
    use serde_json::json;

    use super::*;

    fn crosses(said: &[&str], command: &str) -> bool {
        matches!(looked_at(said, command), Some(Crossing::Crosses(_)))
    }

    fn looked_at(said: &[&str], command: &str) -> Option<Crossing> {
        let mut transcript = Transcript::default();
        for turn in said {
            transcript.push_human(*turn);
        }
        let call = ToolCall::new("Bash", json!({ "command": command }), "/p");
        let view = View::of(&call, &Context::new("/p", "/home/u"));
        crossing(&call, &view, &transcript)
    }

    /// [C17]
    #[test]
    fn a_boundary_holds_until_it_is_lifted() {
        assert!(crosses(&["Fix it, but don't push."], "git push origin fix"));
        assert!(crosses(&["Fix it, but don't push.", "Looks good?"], "git push origin fix"));
        assert!(!crosses(&["Fix it, but don't push.", "Good. Push it now."], "git push origin fix"));
        assert!(!crosses(&["Fix it, but don't push."], "git commit -m fix"));
        assert!(crosses(&["Do not touch config/local.yaml."], "cp a.yaml config/local.yaml"));
        assert!(!crosses(&["Do not touch config/local.yaml."], "cp a.yaml config/dev.yaml"));
        assert!(!crosses(&["Commit but don't push."], "git commit -m x"));
        assert!(!crosses(&["Don't push to main."], "git push origin feat/x"));
        assert!(crosses(&["Don't push to main."], "git push origin main"));
        assert!(!crosses(&["Don't remove the old endpoint."], "rm -rf dist"));
        assert!(!crosses(&["Install httpx instead of requests."], "pip install httpx"));
        assert!(!crosses(&["Stop the dev server."], "kill %1"));
        assert!(crosses(&["Bitte nichts löschen, nicht pushen."], "git push"));
        assert!(crosses(&["Don\u{2019}t push."], "git push origin fix"));
        assert!(crosses(&["Do not push. Fix the push handler."], "git push origin fix"));
        assert!(crosses(&["Don't push.", "Push to main."], "git push origin fix"));
        assert!(!crosses(&["Don't push.", "Push to main."], "git push origin main"));
        assert!(crosses(&["Do not touch a.yml. Read a.yml and fix b.yml."], "cp x a.yml"));
        assert!(!crosses(&["Do not touch a.yml.", "Change a.yml."], "cp x a.yml"));
        assert!(crosses(&["Stop pushing."], "git push origin fix"));
    }

    /// [C19] A project may lie in the folder for temporary files.
    #[test]
    fn a_project_below_tmp_has_boundaries_too() {
        let mut transcript = Transcript::default();
        transcript.push_human("Do not touch migrations/.");
        let view = |line: &str| {
            let call = ToolCall::new("Bash", json!({ "command": line }), "/tmp/p");
            let view = View::of(&call, &Context::new("/tmp/p", "/home/u"));
            crossing(&call, &view, &transcript).is_some()
        };
        assert!(view("cp a.sql migrations/1.sql") && !view("cp a.sql /tmp/migrations.sql"));
    }

    /// [C19]
    #[test]
    fn a_boundary_is_seen_in_every_wording() {
        for (said, command) in [
            ("Fix the typo and show me the diff before you commit.", "git commit -am x"),
            ("Antes de commitar, me mostra o diff.", "git commit -am x"),
            ("提交之前先给我看 diff。", "git commit -am x"),
            ("Make it sticky, but keep it local.", "git push origin fix"),
            ("Do nto push.", "git push origin fix"),
            ("Pushing is not allowed.", "git push origin fix"),
            ("Update the readme and skip the test run.", "npm test"),
            ("No corras las pruebas.", "npm test"),
            ("Format only the changed files.", "npx prettier --write ."),
            ("src/billing is Ana's, work around it.", "cp a src/billing/a.py"),
            ("Nobody but me changes the Dockerfile.", "cp a Dockerfile"),
        ] {
            assert!(looked_at(&[said], command).is_some(), "{said}");
            assert!(
                looked_at(&[said], "mkdir out").is_none_or(|it| matches!(it, Crossing::MayCross(_))),
                "{said}"
            );
        }
        for said in ["Keep it simple.", "Keep going.", "The list only shows ten items.", "别忘了更新文档。"]
        {
            assert!(looked_at(&[said], "cp a src/a.py").is_none(), "{said}");
        }
    }

    /// [C19] A name is no verb, the object of a restriction is no action, and pushing changes no file.
    #[test]
    fn a_boundary_means_what_its_verb_is_about() {
        for said in ["Do not touch migrations/, that is Ana's.", "Don't touch the migrations."] {
            assert!(crosses(&[said], "cp a.sql migrations/0042.sql"), "{said}");
            for other in ["git push -u origin fix", "cp a.ts src/b.ts", "node report.js > /tmp/out.txt"] {
                assert!(looked_at(&[said], other).is_none(), "{said} {other}");
            }
        }
        assert!(crosses(&["Do not commit/push."], "git push origin fix"));
        assert!(crosses(&["Don't edit or delete anything under db/."], "rm db/a.sql"));
        assert!(crosses(&["Never push without me saying so, ok?", "Now fix a.md."], "git push origin fix"));
        assert!(crosses(&["Refrain from touching the Dockerfile."], "cp x Dockerfile"));
        assert!(looked_at(&["Refrain from touching the Dockerfile."], "cp a.ts src/b.ts").is_none());
        // What the words describe is asked about until the user's next turn.
        assert!(looked_at(&["Don't touch the legacy importer."], "cp a.ts src/b.ts").is_some());
        assert!(looked_at(&["Don't touch the legacy importer.", "Go on."], "cp a.ts src/b.ts").is_none());
        assert!(!crosses(&["Stop the server and push."], "git push origin fix"));
    }
}
