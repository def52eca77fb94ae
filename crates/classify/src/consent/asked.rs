//! Whether the user asked for exactly this (SPEC C17): one request has a verb that fits what the command does, names every
//! literal target as what it is done to, and says nothing that the command does not do.

use portcullis_decide::detect::{Finding, Severity};
use portcullis_decide::view::{Access, View};
use portcullis_shell::{Command, Placement, Span, Why};

use super::act::Act;
use super::asking::Asking;
use super::options::{gives_due_rights, says};
use super::requests::{Part, Request, is_held, is_leading, requests};
use super::text::{find, names, plain};
use super::words::{ENVIRONMENTS, IDLE, Line, nouns};
use super::written_out::is_written_out;
use crate::transcript::Transcript;

/// What the last thing a person said asks for, beside a call.
pub(crate) struct Asked<'v> {
    view: &'v View,
    turn: String,
    requests: Vec<Request>,
    /// Whether the line is written out in a request.
    written: bool,
}

impl<'v> Asked<'v> {
    pub(crate) fn new(view: &'v View, transcript: &Transcript) -> Asked<'v> {
        let turn = transcript.human_turns().last().unwrap_or_default();
        Asked {
            view,
            requests: requests(turn),
            written: is_written_out(turn, view.line.trim()),
            turn: plain(turn),
        }
    }

    /// Whether what the finding is about is asked for.
    pub(crate) fn covers(&self, finding: &Finding) -> bool {
        if finding.severity == Severity::Hard {
            return false;
        }
        if self.written {
            return true;
        }
        let verbs = nouns("CategoryVerbs").filter(|line| line.label == format!("{:?}", finding.category()));
        let verbs: Vec<&str> = verbs.flat_map(Line::words).collect();
        match self.command_of(finding) {
            Some(command) => self.asks_for(command, &verbs, true),
            None => self.names_all(finding, &verbs),
        }
    }

    /// Whether everything that the line does is asked for.
    pub(crate) fn covers_line(&self) -> bool {
        if self.written {
            return true;
        }
        let of_program =
            |why: Why| matches!(why, Why::UnknownCommand | Why::UnknownOption | Why::UnknownOperand);
        let Some(reading) =
            self.view.reading.as_ref().filter(|it| it.unclear.iter().all(|doubt| of_program(doubt.why)))
        else {
            return false;
        };
        let named = |path: &str| {
            says(&self.turn.replace(['\'', '"', '`', '.', ','], " "), path) || names(&self.turn, path)
        };
        let mut redirects = self.view.paths.iter().filter(|path| path.redirect && path.path != "/dev/null");
        let mut acting = reading.commands.iter().filter(|it| !it.effects.is_harmless()).peekable();
        redirects.all(|path| named(&path.named.to_lowercase()))
            && acting.peek().is_some()
            && acting.all(|command| gives_due_rights(command, reading) || self.asks_for(command, &[], false))
    }

    /// The parts of the line that findings are about, and `sudo` around them where nobody else may do it.
    pub(crate) fn spans<'f>(&self, findings: impl Iterator<Item = &'f Finding>) -> Vec<Span> {
        let mut spans: Vec<Span> = findings.filter_map(|finding| finding.span).collect();
        let Some(reading) = &self.view.reading else { return spans };
        let due = reading.commands.iter().filter(|it| gives_due_rights(it, reading));
        let around: Vec<Span> =
            due.map(|it| it.span).filter(|it| spans.iter().any(|span| is_within(*span, *it))).collect();
        spans.extend(around);
        spans
    }

    /// The command that the finding is about; what runs another one for it stands before it.
    fn command_of(&self, finding: &Finding) -> Option<&'v Command> {
        let commands = || self.view.reading.iter().flat_map(|reading| &reading.commands);
        let mut same = commands().filter(|command| Some(command.span) == finding.span);
        let around = || {
            let within = |command: &&Command| finding.span.is_some_and(|span| is_within(span, command.span));
            commands().filter(within).min_by_key(|it| it.span.end - it.span.start)
        };
        same.next_back().or_else(around)
    }

    /// Whether a request without a command names every target of the finding.
    fn names_all(&self, finding: &Finding, verbs: &[&str]) -> bool {
        self.requests.iter().any(|request| {
            request.parts.iter().enumerate().any(|(at, part)| {
                let leads =
                    |verb: &&str| find(&part.words, verb).is_some_and(|at| is_leading(&part.words, at, &[]));
                // People leave out the folders that a path begins with.
                let named = |target: &String| {
                    let target = target.to_lowercase();
                    let rests = target.match_indices('/').filter_map(|(at, _)| target.get(at + 1..));
                    std::iter::once(target.as_str()).chain(rests).any(|name| names(&part.words, name))
                };
                request.asks_now(at, false)
                    && verbs.iter().any(leads)
                    && !finding.targets.is_empty()
                    && finding.targets.iter().all(named)
                    && !is_held(&part.words, 0)
            })
        })
    }

    fn asks_for(&self, command: &'v Command, verbs: &[&'static str], found: bool) -> bool {
        // What `sudo` is due for is asked for by its own words.
        let command = self.inner(command);
        let Some(mut act) = Act::of(command) else { return false };
        if act.actions.is_empty() && act.own.is_empty() {
            act.also = verbs.to_vec();
        }
        let read = |path: &&portcullis_decide::view::PathUse| {
            path.redirect
                && path.access == Access::Read
                && path.span.is_some_and(|span| is_within(span, command.span))
        };
        let fed =
            self.view.paths.iter().filter(read).all(|path| names(&self.turn, &path.named.to_lowercase()));
        let here = command
            .directory
            .as_ref()
            .is_none_or(|it| names(&self.turn, it.rsplit('/').next().unwrap_or(it)));
        let plain = here
            && fed
            && command.placement != Placement::Piped
            && command.assignments.is_empty()
            && command
                .arguments
                .iter()
                .all(|word| word.literal || word.span.of(&self.view.line) == word.text)
            && !command.span.of(&self.view.line).contains("<<")
            && self.stands_alone(command);
        let known = found || !command.verbs.is_empty() || !command.operands.is_empty();
        plain
            && !self.is_elsewhere(&act)
            && self.requests.iter().any(|request| {
                let asking = Asking { act: &act, request, known };
                (0..request.parts.len()).any(|at| asking.asks(at, command))
            })
    }

    fn inner(&self, command: &'v Command) -> &'v Command {
        let Some(reading) = self.view.reading.as_ref().filter(|reading| gives_due_rights(command, reading))
        else {
            return command;
        };
        let mut inner = reading
            .commands
            .iter()
            .filter(|it| it.placement == Placement::Wrapped && is_within(it.span, command.span));
        inner.next().unwrap_or(command)
    }

    /// Whether the line is nothing but this command, others joined by `&&`, and `sudo` where it is due.
    fn stands_alone(&self, command: &Command) -> bool {
        let own = command.span.of(&self.view.line).trim();
        let due = self.view.reading.as_ref().is_some_and(|reading| {
            let mut around = reading
                .commands
                .iter()
                .filter(|it| is_within(command.span, it.span) && !std::ptr::eq(*it, command));
            around.all(|it| gives_due_rights(it, reading))
        });
        let mut parts = self
            .view
            .line
            .split("&&")
            .flat_map(|part| [part.trim(), part.trim().trim_start_matches("sudo ")]);
        due && parts.any(|part| {
            part.strip_prefix(own)
                .is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with(['>', '<', '2', '&']))
        })
    }

    /// Whether anything in the turn speaks of another place.
    fn is_elsewhere(&self, act: &Act) -> bool {
        let host = |token: &str| {
            token.starts_with(|it: char| it.is_ascii_lowercase())
                && token.bytes().all(|it| it.is_ascii_alphanumeric())
                && token.bytes().any(|it| it.is_ascii_digit())
                && token.len() < 12
                && !token.starts_with('v')
        };
        let region = |token: &str| {
            let parts: Vec<&str> = token.split('-').collect();
            matches!(parts.as_slice(), [place, _, .., number] if place.len() == 2 && number.len() == 1 && number.bytes().all(|it| it.is_ascii_digit()))
        };
        let tool = |part: &Part| {
            let mut words = part.words.split_whitespace();
            words.next() == Some("use")
                && !words.any(|token| token.len() > 2 && !IDLE.has(token) && act.knows(token))
                && ![" exactly this ", " use this "].iter().any(|it| part.words.contains(it))
        };
        self.requests.iter().flat_map(|request| &request.parts).any(|part| {
            let strange =
                |token: &str| (host(token) || region(token) || ENVIRONMENTS.has(token)) && !act.knows(token);
            tool(part) || part.words.split_whitespace().any(strange)
        })
    }
}

pub(super) fn is_within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests {
    use portcullis_decide::{Context, ToolCall};
    use serde_json::json;

    use super::*;

    fn asked(said: &str, line: &str) -> bool {
        let mut transcript = Transcript::default();
        transcript.push_human(said);
        let call = ToolCall::new("Bash", json!({ "command": line }), "/p");
        let view = View::of(&call, &Context::new("/p", "/home/u"));
        let asked = Asked::new(&view, &transcript);
        let first = view.reading.as_ref().and_then(|reading| reading.commands.first());
        asked.covers_line() || first.is_some_and(|command| asked.asks_for(command, &[], true))
    }

    /// [C17]
    #[test]
    fn a_request_names_the_action_and_every_target() {
        assert!(asked("Push it to main.", "git push origin main"));
        assert!(!asked("Push it to main.", "git push origin release"));
        assert!(!asked("Push it to main.", "git push --force origin main"));
        assert!(asked("Delete a/x and a/y on origin.", "git push origin --delete a/x a/y"));
        assert!(!asked("Delete a/x on origin.", "git push origin --delete a/x a/y"));
        assert!(asked("Open a pull request.", "gh pr create --title x --body 'made up'"));
        assert!(!asked("Open a pull request.", "gh pr merge 3"));
        assert!(asked("Lösch bitte den Branch a/x.", "git branch -D a/x"));
        assert!(asked("安装 axios。", "npm install axios"));
    }

    /// [C19] What follows "on", "from" or "to" is not what is deleted or forced.
    #[test]
    fn a_verb_is_done_to_its_object() {
        assert!(asked("Rebase a/x on main and force-push it.", "git push --force origin a/x"));
        for said in [
            "Rebase a/x on main and force-push it.",
            "Force-push to main.",
            "Merge main into a/x and push it.",
        ] {
            assert!(!asked(said, "git push --force origin main"), "{said}");
        }
        assert!(!asked("Merge main into a/x and delete it.", "git push origin --delete main"));
        assert!(!asked("Delete the policy of the bucket shop.", "aws s3api delete-bucket --bucket shop"));
        assert!(asked("Delete the bucket shop.", "aws s3api delete-bucket --bucket shop"));
    }

    /// [C17]
    #[test]
    fn what_is_said_beside_the_command_makes_it_another() {
        assert!(asked("Drain node-3.", "kubectl drain node-3"));
        for said in [
            "Drain node-3 in my lab.",
            "Drain node-3 in staging.",
            "Drain the pool on node-3.",
            "Drain the test of node-3.",
        ] {
            assert!(!asked(said, "kubectl drain node-3"), "{said}");
        }
        assert!(!asked("Drain node-3.", "kubectl drain node-3 --delete-emptydir-data"));
        assert!(!asked("删除 a/x 的测试。", "git branch -D a/x"));
    }

    /// [C17]
    #[test]
    fn a_line_that_is_written_out_is_asked_for_as_written() {
        for said in
            ["run `make deploy`", "Run make deploy.", "Führe `make deploy` aus.", "运行 `make deploy`。"]
        {
            assert!(asked(said, "make deploy"), "{said}");
        }
        for said in [
            "The docs say to run `make deploy`.",
            "Why did you run `make deploy`?",
            "Don't run `make deploy`.",
            "Document `make deploy`.",
            "`make deploy` fails.",
        ] {
            assert!(!asked(said, "make deploy"), "{said}");
        }
        assert!(!asked("run `make deploy`", "make deploy-all"));
    }
}
