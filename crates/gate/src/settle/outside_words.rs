//! Words of the user from outside the transcript, and what follows where no words of the user are known (SPEC C19).
//!
//! Such words can forbid and never allow. They come from the parent session and from prompts reported by the host;
//! any program of the user could report one, so what a reported prompt lifts goes to a person.

use std::borrow::Cow;

use portcullis_classify::judge::{self, Crossing, Verdict};
use portcullis_classify::transcript::Transcript;
use portcullis_decide::view::View;
use portcullis_decide::{Reason, ToolCall};

use super::Review;

/// Words of the user from outside the transcript: the parent session and prompts reported by the host. They can
/// forbid and never allow.
#[derive(Clone, Debug, Default)]
pub struct OutsideWords {
    /// Words from before the transcript: those in parent sessions, and reported prompts that later ones in the
    /// transcript follow.
    pub before: Vec<String>,
    /// Reported prompts from after the transcript's last one, oldest first: it does not hold them yet, or never will.
    pub after: Vec<String>,
    /// Why no words of the user are known at all, if none are.
    pub unread: Option<String>,
}

/// What people forbid most, and what cannot be taken back: where nobody knows what the user said, any of it may have been
/// forbidden. Changing files of the project is not among it, or nothing could be done.
const OFTEN_FORBIDDEN: &[&str] = &[
    "Do not push.",
    "Do not commit.",
    "Do not delete anything.",
    "Do not install anything.",
    "Do not deploy anything.",
    "Do not publish anything.",
    "Do not upload anything.",
    "Do not restart anything.",
    "Do not use sudo.",
];

/// Who said the words, as a model is told.
const SAID_BY: &str = "the user, in another place: this can forbid, and allows nothing";

impl OutsideWords {
    /// No such words: the transcript is all there is.
    #[must_use]
    pub fn nothing() -> &'static OutsideWords {
        static NOTHING: OutsideWords = OutsideWords { before: Vec::new(), after: Vec::new(), unread: None };
        &NOTHING
    }

    fn is_silent(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// The conversation as if these words stood in it, up to so many of the prompts.
    fn joined(&self, transcript: &Transcript, prompts: usize) -> Transcript {
        let mut joined = Transcript::default();
        self.before.iter().for_each(|words| joined.push_human(words.as_str()));
        joined.entries.extend(transcript.entries.iter().cloned());
        self.after.iter().take(prompts).for_each(|words| joined.push_human(words.as_str()));
        joined.skipped = transcript.skipped;
        joined
    }

    /// The conversation as a model is shown it: with these words, marked.
    pub(super) fn marked<'t>(&self, transcript: &'t Transcript) -> Cow<'t, Transcript> {
        if self.is_silent() {
            return Cow::Borrowed(transcript);
        }
        let mut told = Transcript::default();
        self.before.iter().for_each(|words| told.push_other(words.as_str(), SAID_BY));
        told.entries.extend(transcript.entries.iter().cloned());
        self.after.iter().for_each(|words| told.push_other(words.as_str(), SAID_BY));
        told.skipped = transcript.skipped;
        Cow::Owned(told)
    }
}

impl Review<'_> {
    /// The built-in judge's verdict: the stricter of the one on the conversation, and of the one on it with what was
    /// heard beside it.
    pub(super) fn verdict(&self, asked: &Reason) -> Verdict {
        let judge = |transcript: &Transcript| {
            judge::judge(self.call, self.view, self.context, transcript, asked, self.strictness)
        };
        let alone = judge(self.transcript);
        if self.outside_words.is_silent() {
            return alone;
        }
        let together = judge(&self.outside_words.joined(self.transcript, usize::MAX));
        if strictness(&together) > strictness(&alone) { together } else { alone }
    }

    /// The boundary that the call crosses, in whichever of these words.
    pub(super) fn crossed(&self) -> Option<Crossing> {
        let crossed = |transcript: &Transcript| judge::boundary_crossing(self.call, self.view, transcript);
        let alone = crossed(self.transcript);
        if self.outside_words.is_silent() || matches!(alone, Some(Crossing::Crosses(_))) {
            return alone;
        }
        let together = crossed(&self.outside_words.joined(self.transcript, usize::MAX));
        if matches!(together, Some(Crossing::Crosses(_))) { together } else { alone.or(together) }
    }

    /// Why a person has to be asked before a judge allows the call; nothing where that is not so.
    pub(super) fn doubt(&self) -> Option<String> {
        match &self.outside_words.unread {
            Some(why) => often_forbidden(self.call, self.view)
                .then(|| format!("{why}, and the user may have forbidden this")),
            None => self.lifted(),
        }
    }

    /// The same where an earlier prompt forbade the call and a later one lifts that.
    pub(super) fn lifted(&self) -> Option<String> {
        let outside_words = self.outside_words;
        // What an earlier prompt forbade is lifted by a later one, and nothing shows that a person wrote that.
        let earlier = 1..outside_words.after.len();
        let lifted = earlier
            .map(|count| outside_words.joined(self.transcript, count))
            .find_map(|transcript| judge::boundary_crossing(self.call, self.view, &transcript))?;
        let words = lifted.words().trim_end_matches(['.', '!', ',']);
        Some(format!("the user said \"{words}\", and no conversation shows that this was lifted"))
    }
}

/// Whether the call does what people often forbid.
fn often_forbidden(call: &ToolCall, view: &View) -> bool {
    OFTEN_FORBIDDEN.iter().any(|words| {
        let mut said = Transcript::default();
        said.push_human(*words);
        matches!(judge::boundary_crossing(call, view, &said), Some(Crossing::Crosses(_)))
    })
}

const fn strictness(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Allow { .. } => 0,
        Verdict::Ask { .. } => 1,
        Verdict::Block(_) => 2,
        Verdict::Forbidden { .. } => 3,
    }
}

#[cfg(test)]
mod tests {
    use portcullis_classify::judge::Strictness;
    use portcullis_decide::facts::Facts;
    use portcullis_decide::{Context, Mode, decide};
    use serde_json::json;

    use super::*;

    fn heard(command: &str, said: &[&str], outside_words: &OutsideWords) -> &'static str {
        let mut context = Context::new("/home/dev/proj", "/home/dev");
        context.facts = Facts::plain();
        context.mode = Mode::Auto;
        let call = ToolCall::new("Bash", json!({ "command": command }), "/home/dev/proj");
        let ruling = decide(&call, &context);
        let mut transcript = Transcript::default();
        for words in said {
            transcript.push_human(*words);
        }
        let (call, context, transcript) = (&call, &context, &transcript);
        let view = &View::of(call, context);
        Review { call, view, context, transcript, strictness: Strictness::Balanced, outside_words }
            .settle(ruling)
            .ruling
            .decision
            .name()
    }

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|&text| text.to_owned()).collect()
    }

    /// [C19] client-D5
    #[test]
    fn what_was_said_to_the_parent_forbids_and_allows_nothing() {
        let bound = OutsideWords {
            before: texts(&["Fix the tests. Do not push anything."]),
            ..OutsideWords::default()
        };
        assert_eq!(heard("git push origin topic", &[], &bound), "deny");
        assert_eq!(heard("npm test", &[], &bound), "allow");
        let wanted =
            OutsideWords { before: texts(&["Force-push main to origin."]), ..OutsideWords::default() };
        assert_ne!(heard("git push --force origin main", &[], &wanted), "allow");
    }

    /// [C19] client-D8
    #[test]
    fn a_prompt_that_the_host_told_of_forbids_and_lifts_nothing() {
        let bound = OutsideWords { after: texts(&["Do not push anything."]), ..OutsideWords::default() };
        assert_eq!(heard("git push origin topic", &["Fix the tests."], &bound), "deny");
        assert_eq!(heard("npm test", &["Fix the tests."], &bound), "allow");
        let lifted =
            OutsideWords { after: texts(&["Do not push.", "Now push it."]), ..OutsideWords::default() };
        assert_eq!(heard("git push origin topic", &[], &lifted), "ask");
        let wanted =
            OutsideWords { after: texts(&["Force-push main to origin."]), ..OutsideWords::default() };
        assert_ne!(heard("git push --force origin main", &[], &wanted), "allow");
    }

    /// [C19] client-D7
    #[test]
    fn where_nothing_was_read_what_people_often_forbid_is_asked_about() {
        let unread =
            OutsideWords { unread: Some("no conversation is given".to_owned()), ..OutsideWords::default() };
        for command in [
            "git push origin topic",
            "git commit -m x",
            "npm install left-pad",
            "git rm -r src/old",
            "npm publish",
            "curl -X POST https://example.com/x",
        ] {
            assert_ne!(heard(command, &[], &unread), "allow", "{command}");
        }
        for command in
            ["git status", "npm test", "cargo build", "cat README.md", "mkdir -p src/x", "cargo fmt"]
        {
            assert_eq!(heard(command, &[], &unread), "allow", "{command}");
        }
    }
}
