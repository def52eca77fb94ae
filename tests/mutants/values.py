"""What functions could wrongly give back, by what they give back.

cargo-mutants makes up values of types that have a default. A ruling, a match or a verdict has none, on purpose, so those are
made up here: every verdict that lets a call pass, and for short lists every value there is.
"""

_RULING = "Ruling { decision: Decision::Allow { updated_input: None }, reason: Reason::NoRule, trace: Default::default() }"
_FAR_RULING = (
    "portcullis_decide::Ruling { decision: portcullis_decide::Decision::Allow { updated_input: None }, "
    "reason: portcullis_decide::Reason::NoRule, trace: Default::default() }"
)
_SETTLED = (
    f"crate::settle::Settled {{ ruling: {_FAR_RULING}, denials: Default::default(), layer: crate::settle::Layer::Rules, "
    "stages: Vec::new(), failure: None, prompt_version: None, dump_problem: None }"
)


def _answer(said):
    return f"Answer {{ said: Said::{said}, reason: String::new(), updated_input: None, stop: false, failed: false }}"


# By crate and type.
BY_TYPE = {
    "portcullis-decide": {
        "ControlFlow<Answer>": ["Continue(())", "Break(allow(Reason::NoRule))"],
        "ControlFlow<Answer, Option<Asked>>": ["Continue(None)"],
        "ControlFlow<Answer, Never>": ["Break(allow(Reason::NoRule))"],
        "Answer": ["(Decision::Allow { updated_input: None }, Reason::NoRule)"],
        "Asked": ["first", "second"],
        "Ruling": [_RULING],
        "Match": ["Match::No", "Match::Unclear", "Match::Yes"],
        "Proof": ["Proof::Inside", "Proof::No"],
        "Coverage": ["Coverage::No", "Coverage::Exact", "Coverage::Wild"],
        "Host": ["Host::Public(\"example.com\".to_owned())", "Host::Unclear"],
        "(Denials, Next)": ["(Denials::default(), Next::Continue)"],
    },
    "portcullis-classify": {
        "Verdict": ["Verdict::Allow { why: String::new() }"],
        "(CommandMatch, Option<Exchange>)": [
            "(CommandMatch::No, None)",
            "(CommandMatch::Matches { description: descriptions.first().cloned().unwrap_or_default() }, None)",
        ],
        "Consequence": ["Consequence::Deny", "Consequence::Ask", "Consequence::Stop"],
        "Parsed": ["Parsed::Allow"],
        "Result<Parsed, Unparseable>": ["Ok(Parsed::Allow)"],
        "Result<Cut, Unparseable>": ["Ok(Cut::AtTag)", "Ok(Cut::No)"],
        "Outcome": ["Outcome::Allow"],
        "Mood": ["Mood::Request", "Mood::Question", "Mood::Ban"],
        "IronGate": ["IronGate::Open", "IronGate::Closed"],
    },
    "portcullis-gate": {
        "Settled": [_SETTLED],
        "Heard<'a>": [f"Heard::Settled(Box::new({_SETTLED}))"],
        "Answer": [_answer("Allow"), _answer("Nothing")],
        "Result<Answer, String>": [f"Ok({_answer('Allow')})", f"Ok({_answer('Nothing')})"],
        "Begun": [f"Begun::Settled(Box::new(case), {_SETTLED})"],
        "Ruling": [_FAR_RULING],
        "HookVerdict": ["verdict", "self"],
        "Word": ["Word::Allow { reason: Reason::NoRule, updated_input: None }", "Word::Ask"],
        "Raced": [f"Raced {{ settled: {_SETTLED}, keep: None }}"],
        "Taken<V>": ["Taken::Nothing"],
        "Cow<'c, ToolCall>": ["Cow::Borrowed(call)"],
        "Weight": ["Weight::Stricter", "Weight::Same", "Weight::Looser"],
        "Standing": ["Standing::InForce", "Standing::Overridden"],
    },
}


def more(mutants):
    """Mutants that replace whole functions by these values; `mutants` are those that cargo-mutants lists."""
    done = set()
    for mutant in mutants:
        if mutant["genre"] != "FnValue":
            continue
        function = mutant["function"]
        kind = function["return_type"].removeprefix("-> ")
        place = (mutant["file"], str(mutant["span"]))
        if place in done:
            continue
        done.add(place)
        for value in BY_TYPE[mutant["package"]].get(kind, []):
            position = mutant["name"].split(": ", 1)[0]
            shown = value if len(value) < 60 else "an allow"
            name = f"{position}: replace {function['function_name']} -> {kind} with {shown}"
            yield {**mutant, "replacement": value, "name": name}
