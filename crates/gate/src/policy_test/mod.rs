//! Tests of a policy as Markdown pages: prose, and fenced `portcullis` blocks in which each indented line is one
//! test. The pages of `spec/` have this form, and users can write their own; spec/README.md has the format.
//!
//! [`parse`] reads a page into [`Case`]s; [`Case::run`] gives the ruling, which [`Case::is_met_by`] compares with the
//! expectation. Each block describes a made-up world of rules, files and session; nothing on this machine is looked
//! at.

mod hook;
mod input;
mod world;

use std::fmt;

use portcullis_classify::judge::Strictness;
use portcullis_classify::transcript::Transcript;
use portcullis_decide::rules::{Origin, Source};
use portcullis_decide::{Context, Decision, Ruling, ToolCall};

use crate::hooks::HookVerdict;
use crate::pipeline::{self, Input, Reviewer};
use crate::settle::OutsideWords;
pub use input::{input_from_json, input_from_text};
use world::World;

/// One line of a page: a call, and the answer it should get.
#[derive(Clone, Debug)]
pub struct Case {
    /// The page.
    pub file: String,
    /// The line number, counted from 1.
    pub line: u32,
    /// The heading above it.
    pub heading: String,
    /// The line without its indent.
    pub text: String,
    /// The decision it should get.
    pub expected: Expected,
    /// The word of the reason it should get ([`portcullis_decide::Reason::word`]); `None` for any.
    pub reason: Option<String>,
    /// The call.
    pub call: ToolCall,
    context: Context,
    judge: Option<(Strictness, Transcript)>,
    outside_words: OutsideWords,
    hooks: HookVerdict,
}

/// The decision that a line expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// It is allowed.
    Allow,
    /// It is denied.
    Deny,
    /// It is asked about, by whomever it is answered.
    Ask,
    /// It is asked about, and a judge may answer.
    Review,
    /// It is asked about, and only a person may answer.
    Person,
}

/// A mistake in a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageError {
    /// The page.
    pub file: String,
    /// The line number, counted from 1.
    pub line: u32,
    /// What is wrong, and how to mend it.
    pub message: String,
}

impl fmt::Display for PageError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for PageError {}

impl Expected {
    /// The word that pages use for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Expected::Allow => "allow",
            Expected::Deny => "deny",
            Expected::Ask => "ask",
            Expected::Review => "review",
            Expected::Person => "person",
        }
    }

    fn named(word: &str) -> Option<Expected> {
        let all = [Expected::Allow, Expected::Deny, Expected::Ask, Expected::Review, Expected::Person];
        all.into_iter().find(|expected| expected.word() == word)
    }

    fn is_met_by(self, decision: &Decision) -> bool {
        match (self, decision) {
            (Expected::Allow, Decision::Allow { .. })
            | (Expected::Deny, Decision::Deny { .. })
            | (Expected::Ask, Decision::Ask { .. }) => true,
            (Expected::Review, Decision::Ask { pending_classifier_check, .. }) => *pending_classifier_check,
            (Expected::Person, Decision::Ask { pending_classifier_check, .. }) => !pending_classifier_check,
            (
                Expected::Allow | Expected::Deny | Expected::Ask | Expected::Review | Expected::Person,
                Decision::Allow { .. } | Decision::Deny { .. } | Decision::Ask { .. },
            ) => false,
        }
    }
}

impl Case {
    /// The ruling that the call gets in the world of its block.
    pub fn run(&self) -> Ruling {
        let mut input = Input {
            hooks: &self.hooks,
            outside_words: &self.outside_words,
            ..Input::of(&self.call, pipeline::World::Given)
        };
        if let Some((strictness, transcript)) = &self.judge {
            (input.transcript, input.strictness) = (transcript, *strictness);
            input.reviewer = Reviewer::BuiltIn;
        }
        pipeline::run(&input, &mut self.context.clone()).ruling
    }

    /// Whether a ruling is what the line expects.
    #[must_use]
    pub fn is_met_by(&self, ruling: &Ruling) -> bool {
        let reason = self.reason.as_ref().is_none_or(|word| word == ruling.reason.word());
        reason && self.expected.is_met_by(&ruling.decision)
    }

    /// What the line expects, as it is written: `deny deny-rule`.
    #[must_use]
    pub fn wanted(&self) -> String {
        format!("{} {}", self.expected.word(), self.reason.as_deref().unwrap_or("-"))
    }
}

/// A ruling in the words of a page: decision and reason.
#[must_use]
pub fn found(ruling: &Ruling) -> String {
    let word = match &ruling.decision {
        Decision::Ask { pending_classifier_check: true, .. } => "review",
        Decision::Allow { .. } | Decision::Deny { .. } | Decision::Ask { .. } => ruling.decision.name(),
    };
    format!("{word} {}", ruling.reason.word())
}

/// Reads all cases of a page.
///
/// # Errors
/// Everything that is wrong with it.
pub fn parse(file: &str, text: &str) -> Result<Vec<Case>, Vec<PageError>> {
    let mut reader =
        Reader { file, heading: String::new(), cases: Vec::new(), errors: Vec::new(), fence: None };
    let mut last = 0;
    for (line, number) in text.lines().zip(1..) {
        reader.take(line, number);
        last = number;
    }
    if reader.fence.is_some() {
        reader.error(last, "the block is not closed");
    }
    if reader.errors.is_empty() { Ok(reader.cases) } else { Err(reader.errors) }
}

struct Reader<'t> {
    file: &'t str,
    heading: String,
    cases: Vec<Case>,
    errors: Vec<PageError>,
    fence: Option<Fence>,
}

/// The fenced block that is being read.
struct Fence {
    ticks: usize,
    began: u32,
    /// Of our own blocks: their world, and how many cases stood above.
    ours: Option<(World, usize)>,
}

impl Reader<'_> {
    fn take(&mut self, line: &str, number: u32) {
        let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
        match self.fence.take() {
            None if ticks >= 3 => {
                let ours = line.trim_start_matches('`').trim() == "portcullis";
                let ours = ours.then(|| (World::plain(), self.cases.len()));
                self.fence = Some(Fence { ticks, began: number, ours });
            }
            None if line.starts_with('#') => {
                line.trim_start_matches('#').trim().clone_into(&mut self.heading);
            }
            None => {}
            Some(fence) if ticks >= fence.ticks && line.trim_end().len() == ticks => self.close(&fence),
            Some(mut fence) => {
                if let Some((world, _)) = &mut fence.ours {
                    self.line(world, line, number);
                }
                self.fence = Some(fence);
            }
        }
    }

    fn close(&mut self, fence: &Fence) {
        let untested = fence.ours.as_ref().is_some_and(|(_, above)| *above == self.cases.len());
        if untested {
            let message = "nothing is tested in this block; a case is a line that begins with blanks";
            self.error(fence.began, message);
        }
    }

    fn line(&mut self, world: &mut World, line: &str, number: u32) {
        let text = line.trim_start();
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        let taken = if text.len() == line.len() {
            let origin = Origin {
                file: Some(self.file.to_owned()),
                line: number,
                column: 1,
                ..Origin::of(Source::User)
            };
            world.direct(line.trim_end(), origin)
        } else {
            self.case(world, text, number).map(|case| self.cases.push(case))
        };
        if let Err(message) = taken {
            self.error(number, &message);
        }
    }

    fn case(&self, world: &World, text: &str, number: u32) -> Result<Case, String> {
        let form =
            || "a case is `ruling  reason  Tool  input`, with two blanks or more in between".to_owned();
        let column = |text: &'_ str| {
            text.split_once("  ").map(|(one, rest)| (one.to_owned(), rest.trim_start().to_owned()))
        };
        let (ruling, rest) = column(text).ok_or_else(form)?;
        let (reason, rest) = column(&rest).ok_or_else(form)?;
        let (tool, input) = column(&rest).ok_or_else(form)?;
        let expected = Expected::named(&ruling).ok_or_else(|| {
            format!("`{ruling}` is no ruling; there are allow, deny, ask, review and person")
        })?;
        let call = ToolCall::new(&tool, serde_json::Value::Null, world.cwd());
        // No brace group of a shell begins like this, so commands can be given as JSON too.
        let json = input.starts_with("{\"");
        let input = if json { input_from_json(&input)? } else { input_from_text(&call.tool, &input)? };
        let call = call.with_input(input);
        let hooks = world.hook_verdict(&call);
        let context = world.context(&hooks.rewritten(&call));
        Ok(Case {
            file: self.file.to_owned(),
            line: number,
            heading: self.heading.clone(),
            text: text.to_owned(),
            expected,
            reason: Some(reason).filter(|word| word != "-"),
            call,
            context,
            judge: world.judged(),
            outside_words: world.heard_beside(),
            hooks,
        })
    }

    fn error(&mut self, line: u32, message: &str) {
        self.errors.push(PageError { file: self.file.to_owned(), line, message: message.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(block: &str) -> Result<Vec<Case>, Vec<PageError>> {
        parse("page.md", &format!("# Title\n\n```portcullis\n{block}\n```\n"))
    }

    #[test]
    fn directives_hold_for_the_cases_below_them() {
        let block = "deny Bash(rm:*)\n  deny  deny-rule  Bash  rm x | cat  # y\n\n# a comment\nmode dontAsk\n  deny  -  Bash  touch x";
        let cases = page(block).unwrap();
        assert_eq!(
            page("  ask  -  Bash  {\"command\": \"a\\nb\"}").unwrap()[0].call.text("command"),
            Some("a\nb")
        );
        assert_eq!(cases.len(), 2);
        assert_eq!(cases[0].call.text("command"), Some("rm x | cat  # y"));
        assert_eq!((cases[0].line, cases[0].heading.as_str()), (5, "Title"));
        for case in &cases {
            let ruling = case.run();
            assert!(case.is_met_by(&ruling), "{}: {}", case.text, found(&ruling));
        }
    }

    #[test]
    fn a_case_that_does_not_hold_is_seen() {
        for line in
            ["allow  allow-rule  Bash  rm x", "ask  deny-rule  Bash  rm x", "deny  no-rule  Bash  rm x"]
        {
            let cases = page(&format!("  {line}")).unwrap();
            assert!(!cases[0].is_met_by(&cases[0].run()), "{line}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (block, message) in [
            ("allow Bash(ls:*)", "nothing is tested"),
            ("alow Bash\n  ask  -  Bash  x", "no directive"),
            ("deny Bash(\n  ask  -  Bash  x", "not understood"),
            ("broken deny Bash(x)\n  ask  -  Bash  x", "without `broken`"),
            ("mode yolo\n  ask  -  Bash  x", "not a mode"),
            ("everyone: deny Bash\n  ask  -  Bash  x", "no source"),
            ("  ask Bash x", "two blanks"),
            ("  maybe  -  Bash  x", "no ruling"),
            ("  ask  -  Sleep  5", "JSON object"),
            ("  ask  -  Edit  {\"a\"", "not JSON"),
            ("link a b\n  ask  -  Bash  x", "a link is"),
        ] {
            let errors = page(block).expect_err(block);
            assert!(errors[0].message.contains(message), "{block}: {}", errors[0]);
            assert!(errors[0].to_string().starts_with("page.md:"), "{}", errors[0]);
        }
        assert!(parse("page.md", "```portcullis\n  ask  -  Bash  x").is_err(), "a block without an end");
    }

    #[test]
    fn only_blocks_of_ours_are_read() {
        let text = "````markdown\n```portcullis\nnonsense\n```\n````\n\n```bash\n# no heading\nls\n```\n";
        assert_eq!(parse("page.md", text).unwrap().len(), 0);
    }
}
