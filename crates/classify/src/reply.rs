//! Strict parsing of a model's answer (SPEC C11): do not block, block, or not an answer.
//!
//! The answer is `<block>no</block>`, or `<block>yes</block>` and perhaps one `<reason>`, with nothing around it.
//! Anything else is unparseable, and so is any sign that the text is not the whole answer of the model that was
//! asked. Nothing is repaired or guessed.

use crate::reason;

/// Why the model stopped, the same for every API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It had finished.
    Ended,
    /// It reached the stop sequence.
    Sequence,
    /// It used up its tokens.
    Length,
    /// The model or its server refused to answer.
    Refusal,
    /// Anything else, or not stated.
    Other,
}

/// A model's answer before it is parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawReply {
    /// The text, without thinking blocks.
    pub text: String,
    /// Why it ends.
    pub stop: Stop,
    /// The model that was asked, if that is to be checked.
    pub requested_model: Option<String>,
    /// The model that answered.
    pub answered_model: Option<String>,
    /// The id of the request, if the server repeats it.
    pub request_id: Option<String>,
    /// The id of the request that the answer names.
    pub answered_id: Option<String>,
    /// Whether the transport delivered less, or other, than announced.
    pub truncated: bool,
}

impl RawReply {
    /// An answer of which only the text and its end are known.
    #[must_use]
    pub fn new(text: impl Into<String>, stop: Stop) -> RawReply {
        RawReply {
            text: text.into(),
            stop,
            requested_model: None,
            answered_model: None,
            request_id: None,
            answered_id: None,
            truncated: false,
        }
    }
}

/// The form that an answer must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// Stage 1, asked to stop at `</block>`.
    FirstStopped,
    /// Stage 1 without a stop sequence.
    First,
    /// Stage 2: one closed `<thinking>` may come first.
    Second,
}

/// A parsed answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parsed {
    /// Do not block.
    Allow,
    /// Block.
    Block {
        /// The model's reason, made safe to show; empty if there is none.
        reason: String,
        /// The rule it names, if there is such a rule.
        policy: Option<String>,
    },
    /// Not an answer.
    Unparseable(Unparseable),
}

macro_rules! unparseable {
    ($($variant:ident $name:literal $text:literal;)*) => {
        /// Why something is not an answer.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Unparseable {
            $(#[doc = concat!("It ", $text, ".")] $variant,)*
        }

        impl Unparseable {
            /// All of them.
            pub const ALL: &'static [Unparseable] = &[$(Unparseable::$variant),*];

            /// The name that counters use.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Unparseable::$variant => $name,)* }
            }

            /// The words for people, after "the answer".
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Unparseable::$variant => $text,)* }
            }
        }
    };
}

unparseable! {
    Truncated "unparseable-truncated" "was cut off on its way";
    OtherModel "unparseable-other-model" "came from another model than the one that was asked";
    OtherRequest "unparseable-other-request" "belongs to another request";
    Refusal "unparseable-refusal" "was a refusal";
    TooLong "unparseable-too-long" "ran out of tokens";
    OddStop "unparseable-odd-stop" "ended for a reason that is not known";
    Empty "unparseable-empty" "was empty";
    Thinking "unparseable-thinking" "did not close its thinking, or answered inside it";
    NoAnswer "unparseable-no-answer" "did not begin with an answer";
    OtherWord "unparseable-other-word" "said neither yes nor no";
    Unclosed "unparseable-unclosed" "was left open";
    TextAround "unparseable-text-around" "had text around it";
}

/// Parses an answer. `known` says which rule ids exist.
#[must_use]
pub fn parse(reply: &RawReply, expected: Expected, known: &dyn Fn(&str) -> bool) -> Parsed {
    // FAIL-CLOSED(classifier-unparseable): only the two forms below are answers.
    whole(reply, expected)
        .and_then(|cut| answer(&reply.text, expected, cut, known))
        .unwrap_or_else(Parsed::Unparseable)
}

/// Whether the stop sequence may have taken the closing tag away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    AtTag,
    No,
}

/// Whether this is the whole answer of the model that was asked.
fn whole(reply: &RawReply, expected: Expected) -> Result<Cut, Unparseable> {
    check_origin(reply)?;
    match (reply.stop, expected) {
        (Stop::Ended, _) => Ok(Cut::No),
        (Stop::Sequence, Expected::FirstStopped) => Ok(Cut::AtTag),
        // Nobody asked for a stop sequence: something between us and the model changed the request.
        (Stop::Sequence, Expected::First | Expected::Second) => Err(Unparseable::OddStop),
        (Stop::Length, _) => Err(Unparseable::TooLong),
        (Stop::Refusal, _) => Err(Unparseable::Refusal),
        (Stop::Other, _) => Err(Unparseable::OddStop),
    }
}

/// Whether the text came whole, from the model and for the request that were meant.
pub(crate) fn check_origin(reply: &RawReply) -> Result<(), Unparseable> {
    if reply.truncated {
        return Err(Unparseable::Truncated);
    }
    if reply
        .requested_model
        .as_deref()
        .is_some_and(|asked| !same_model(asked, reply.answered_model.as_deref()))
    {
        return Err(Unparseable::OtherModel);
    }
    if reply.request_id.is_some() && reply.request_id != reply.answered_id {
        return Err(Unparseable::OtherRequest);
    }
    Ok(())
}

/// An alias is answered under the dated name of the same model: `m` by `m-20250929`, `m-latest` likewise.
fn same_model(asked: &str, answered: Option<&str>) -> bool {
    let Some(answered) = answered else { return false };
    let asked = asked.to_ascii_lowercase();
    let answered = answered.to_ascii_lowercase();
    let stem = asked.strip_suffix("-latest").or_else(|| asked.strip_suffix(":latest")).unwrap_or(&asked);
    let Some(rest) = answered.strip_prefix(stem) else { return false };
    if answered == asked || rest.is_empty() || rest == ":latest" {
        return true;
    }
    let digits = rest.chars().filter(char::is_ascii_digit).count();
    // A date has six or eight digits; fewer would be another version, such as `-4` or `-4-1`.
    rest.starts_with(['-', '@'])
        && rest.chars().skip(1).all(|c| c.is_ascii_digit() || c == '-')
        && (6..=8).contains(&digits)
}

fn answer(
    text: &str,
    expected: Expected,
    cut: Cut,
    known: &dyn Fn(&str) -> bool,
) -> Result<Parsed, Unparseable> {
    let text = text.trim_ascii_start();
    if text.is_empty() {
        return Err(Unparseable::Empty);
    }
    let text = match expected {
        Expected::FirstStopped | Expected::First => text,
        Expected::Second => past_thinking(text)?,
    };
    let inside = text.strip_prefix("<block>").ok_or(Unparseable::NoAnswer)?;
    match inside {
        "no" if cut == Cut::AtTag => return Ok(Parsed::Allow),
        "yes" if cut == Cut::AtTag => return Ok(Parsed::Block { reason: String::new(), policy: None }),
        "no" | "yes" => return Err(Unparseable::Unclosed),
        _ => {}
    }
    if let Some(after) = inside.strip_prefix("no</block>") {
        return if after.trim_ascii().is_empty() { Ok(Parsed::Allow) } else { Err(Unparseable::TextAround) };
    }
    let after = inside.strip_prefix("yes</block>").ok_or(Unparseable::OtherWord)?;
    blocked(after.trim_ascii_start(), known)
}

/// What follows one closed `<thinking>`, if the text begins with one. Thinking that writes our tags is a draft of
/// an answer or somebody else's words, and either could be taken for the answer.
fn past_thinking(text: &str) -> Result<&str, Unparseable> {
    let Some(rest) = text.strip_prefix("<thinking>") else { return Ok(text) };
    let (thought, rest) = rest.split_once("</thinking>").ok_or(Unparseable::Thinking)?;
    if reason::has_own_tag(thought) {
        return Err(Unparseable::Thinking);
    }
    Ok(rest.trim_ascii_start())
}

fn blocked(after: &str, known: &dyn Fn(&str) -> bool) -> Result<Parsed, Unparseable> {
    if after.is_empty() {
        return Ok(Parsed::Block { reason: String::new(), policy: None });
    }
    let inside = after.strip_prefix("<reason>").ok_or(Unparseable::TextAround)?;
    let (said, rest) = inside.split_once("</reason>").ok_or(Unparseable::Unclosed)?;
    if !rest.trim_ascii().is_empty() || reason::has_own_tag(said) {
        return Err(Unparseable::TextAround);
    }
    let (policy, said) = reason::split_rule(said);
    let policy = policy.filter(|id| known(id)).map(str::to_owned);
    Ok(Parsed::Block { reason: reason::sanitised(&crate::redact(said)), policy })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, stop: Stop, expected: Expected) -> Parsed {
        parse(&RawReply::new(text, stop), expected, &|id| id == "git-destructive")
    }

    fn refused(text: &str, expected: Expected) -> Unparseable {
        match read(text, Stop::Ended, expected) {
            Parsed::Unparseable(why) => why,
            other @ (Parsed::Allow | Parsed::Block { .. }) => panic!("{text:?} was read as {other:?}"),
        }
    }

    fn block(reason: &str, policy: Option<&str>) -> Parsed {
        Parsed::Block { reason: reason.to_owned(), policy: policy.map(str::to_owned) }
    }

    /// [C11]
    #[test]
    fn the_two_answers_are_read_in_every_stage() {
        for expected in [Expected::FirstStopped, Expected::First, Expected::Second] {
            assert_eq!(read("<block>no</block>", Stop::Ended, expected), Parsed::Allow);
            assert_eq!(read(" \n<block>no</block>\n", Stop::Ended, expected), Parsed::Allow);
            assert_eq!(read("<block>yes</block>", Stop::Ended, expected), block("", None));
        }
        let said = "<block>yes</block>\n<reason>[git-destructive] Rewrites a shared branch.</reason>";
        let expected = block("Rewrites a shared branch.", Some("git-destructive"));
        assert_eq!(read(said, Stop::Ended, Expected::First), expected);
        assert_eq!(
            read(&format!("<thinking>hm</thinking>\n{said}"), Stop::Ended, Expected::Second),
            expected
        );
    }

    /// [C11] A rule that does not exist is not named.
    #[test]
    fn only_known_rules_are_named() {
        let said = "<block>yes</block><reason>[made-up] Deletes data.</reason>";
        assert_eq!(read(said, Stop::Ended, Expected::Second), block("Deletes data.", None));
    }

    /// [C11]
    #[test]
    fn an_open_tag_is_explained_by_the_stop_sequence_alone() {
        assert_eq!(read("<block>no", Stop::Sequence, Expected::FirstStopped), Parsed::Allow);
        assert_eq!(read("<block>yes", Stop::Sequence, Expected::FirstStopped), block("", None));
        assert_eq!(refused("<block>no", Expected::FirstStopped), Unparseable::Unclosed);
        assert_eq!(refused("<block>no", Expected::First), Unparseable::Unclosed);
        assert_eq!(refused("<block>no", Expected::Second), Unparseable::Unclosed);
        for text in ["<block>n", "<block>", "<block>no<", "<block>no ", "<block>yes no", "<block>maybe"] {
            let read = read(text, Stop::Sequence, Expected::FirstStopped);
            assert!(matches!(read, Parsed::Unparseable(_)), "{text:?}");
        }
    }

    /// [C11]
    #[test]
    fn a_stop_that_shows_an_unfinished_answer_is_none() {
        let stops = [
            (Stop::Length, Unparseable::TooLong),
            (Stop::Refusal, Unparseable::Refusal),
            (Stop::Other, Unparseable::OddStop),
            (Stop::Sequence, Unparseable::OddStop),
        ];
        for (stop, why) in stops {
            for expected in [Expected::First, Expected::Second] {
                assert_eq!(read("<block>no</block>", stop, expected), Parsed::Unparseable(why));
            }
        }
    }

    /// [C11]
    #[test]
    fn anything_but_the_exact_words_is_no_answer() {
        let cases = [
            ("", Unparseable::Empty),
            (" \t\n", Unparseable::Empty),
            ("no", Unparseable::NoAnswer),
            ("The answer is <block>no</block>", Unparseable::NoAnswer),
            ("```\n<block>no</block>\n```", Unparseable::NoAnswer),
            ("{\"block\":false}", Unparseable::NoAnswer),
            ("<BLOCK>no</BLOCK>", Unparseable::NoAnswer),
            ("<block >no</block>", Unparseable::NoAnswer),
            ("<block why=\"a\">no</block>", Unparseable::NoAnswer),
            ("&lt;block>no&lt;/block>", Unparseable::NoAnswer),
            ("\u{a0}<block>no</block>", Unparseable::NoAnswer),
            ("\u{feff}<block>no</block>", Unparseable::NoAnswer),
            ("<block>no\n", Unparseable::OtherWord),
            ("<block> no</block>", Unparseable::OtherWord),
            ("<block>No</block>", Unparseable::OtherWord),
            ("<block>nope</block>", Unparseable::OtherWord),
            ("<block>n\u{43e}</block>", Unparseable::OtherWord),
            ("<block>no\u{200b}</block>", Unparseable::OtherWord),
            ("<block></block>", Unparseable::OtherWord),
            ("<block><b>no</b></block>", Unparseable::OtherWord),
            ("<block><block>no</block></block>", Unparseable::OtherWord),
            ("<block>no</block>.", Unparseable::TextAround),
            ("<block>no</block><reason>fine</reason>", Unparseable::TextAround),
            ("<block>no</block><block>no</block>", Unparseable::TextAround),
            ("<block>yes</block><block>no</block>", Unparseable::TextAround),
            ("<block>yes</block> really", Unparseable::TextAround),
            ("<block>yes</block><reason>a</reason> b", Unparseable::TextAround),
            ("<block>yes</block><reason>so <block>no</block></reason>", Unparseable::TextAround),
            ("<block>yes</block><reason>a", Unparseable::Unclosed),
        ];
        for (text, why) in cases {
            assert_eq!(refused(text, Expected::First), why, "{text:?}");
            assert_eq!(refused(text, Expected::Second), why, "{text:?}");
        }
    }

    /// [C11]
    #[test]
    fn thinking_comes_once_closed_and_without_an_answer_in_it() {
        assert_eq!(
            refused("<thinking>a</thinking><block>no</block>", Expected::First),
            Unparseable::NoAnswer
        );
        assert_eq!(
            read("<thinking>a < b</thinking> <block>no</block>", Stop::Ended, Expected::Second),
            Parsed::Allow
        );
        let broken = [
            "<thinking>a<block>no</block>",
            "<thinking><block>no</block></thinking>",
            "<thinking><block>yes</block></thinking><block>no</block>",
            "<thinking><thinking>a</thinking></thinking><block>no</block>",
            "<thinking>< Block>no</thinking><block>no</block>",
        ];
        for text in broken {
            assert_eq!(refused(text, Expected::Second), Unparseable::Thinking, "{text:?}");
        }
        assert_eq!(refused("<thinking>a</thinking>", Expected::Second), Unparseable::NoAnswer);
        // The transcript's words, repeated while thinking, do not become the answer.
        let repeated = "<thinking>It says </thinking><block>no</block> to me</thinking><block>yes</block>";
        assert_eq!(refused(repeated, Expected::Second), Unparseable::TextAround);
    }

    /// [C11]
    #[test]
    fn the_answer_must_come_from_the_model_that_was_asked() {
        let from = |asked: &str, answered: Option<&str>| {
            let reply = RawReply {
                requested_model: Some(asked.to_owned()),
                answered_model: answered.map(str::to_owned),
                ..RawReply::new("<block>no</block>", Stop::Ended)
            };
            parse(&reply, Expected::First, &|_| false) == Parsed::Allow
        };
        assert!(from("large", Some("large")) && from("large", Some("Large")));
        assert!(from("large-4", Some("large-4-20250929")) && from("large", Some("large-2025-09-29")));
        assert!(from("large-latest", Some("large-20241109")) && from("large", Some("large:latest")));
        assert!(from("large:latest", Some("large")) && from("large-latest", Some("large-latest")));
        assert!(!from("large", None) && !from("large", Some("tiny")) && !from("large", Some("large-tiny")));
        assert!(!from("large", Some("large-tiny-20250929")) && !from("large", Some("large20250929")));
        assert!(
            !from("large", Some("large-4"))
                && !from("large-4", Some("large-4-1"))
                && !from("large-4", Some("large"))
        );
    }

    /// [C11]
    #[test]
    fn an_answer_cut_off_or_to_another_request_is_none() {
        let whole = RawReply::new("<block>no</block>", Stop::Ended);
        let cut = RawReply { truncated: true, ..whole.clone() };
        assert_eq!(parse(&cut, Expected::First, &|_| false), Parsed::Unparseable(Unparseable::Truncated));
        let other = RawReply { request_id: Some("a".into()), answered_id: Some("b".into()), ..whole.clone() };
        assert_eq!(
            parse(&other, Expected::First, &|_| false),
            Parsed::Unparseable(Unparseable::OtherRequest)
        );
        let same = RawReply { request_id: Some("a".into()), answered_id: Some("a".into()), ..whole.clone() };
        assert_eq!(parse(&same, Expected::First, &|_| false), Parsed::Allow);
        let silent = RawReply { request_id: Some("a".into()), ..whole };
        assert_eq!(
            parse(&silent, Expected::First, &|_| false),
            Parsed::Unparseable(Unparseable::OtherRequest)
        );
    }
}
