//! What a line of Miller (`mlr`) does: a chain of verbs, some of which write or run things.

use super::invocation::{Invocation, Outcome};
use crate::effects::Effects;
use crate::unclear::Why;

/// Verbs of mlr that only transform records.
const MLR_VERBS: &[&str] = &[
    "cat",
    "head",
    "tail",
    "sort",
    "uniq",
    "count",
    "count-distinct",
    "cut",
    "having-fields",
    "label",
    "nothing",
    "rename",
    "reorder",
    "sec2gmt",
    "stats1",
    "stats2",
    "step",
    "tac",
    "top",
    "unsparsify",
    "join",
    "nest",
    "filter",
    "put",
    "altkv",
    "bar",
    "bootstrap",
    "count-similar",
    "decimate",
    "fill-down",
    "fill-empty",
    "flatten",
    "unflatten",
    "fraction",
    "gap",
    "grep",
    "group-by",
    "group-like",
    "histogram",
    "json-parse",
    "json-stringify",
    "least-frequent",
    "most-frequent",
    "merge-fields",
    "nidx",
    "regularize",
    "repeat",
    "reshape",
    "sample",
    "sec2gmtdate",
    "seqgen",
    "shuffle",
    "sparsify",
    "summary",
    "template",
    "help",
    "version",
];

/// mlr: main flags, then verbs joined by `then`, then files. Only the plain verbs and expressions
/// without output or calls to the system are known.
pub(super) fn check_mlr<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut verbs = 0;
    let mut verb = "";
    let mut before: Option<&str> = None;
    for word in invocation.words {
        let Some(text) = word.known() else {
            out.doubt(Why::UnclearCode, word.text, word.span);
            continue;
        };
        let starts_verb = before == Some("then") || (verbs == 0 && MLR_VERBS.contains(&text));
        let known = match text.strip_prefix('-') {
            Some("I") => {
                out.add(Effects::WRITES);
                true
            }
            Some(name) => {
                // Expressions from a file; options from one, before the first verb.
                let from_file = match verb {
                    "" => name == "s",
                    "put" | "filter" => matches!(name, "f" | "s"),
                    _ => false,
                };
                mlr_option(name) && !from_file
            }
            None if starts_verb => MLR_VERBS.contains(&text),
            None => {
                out.reads(*word);
                mlr_expression(text)
            }
        };
        if !known {
            out.doubt(Why::UnknownOperand, text, word.span);
        }
        if starts_verb {
            verbs += 1;
            verb = text;
        }
        before = Some(text);
    }
    if verbs == 0 && !invocation.words.iter().all(|word| matches!(word.known(), Some("--version" | "--help")))
    {
        out.doubt(
            Why::UnknownCommand,
            "mlr",
            invocation.words.first().map(|word| word.span).unwrap_or_default(),
        );
    }
}

/// Formats and separators, and the letters that verbs take. The name has lost its first dash.
fn mlr_option(name: &str) -> bool {
    const LONG: &[&str] = &[
        "csv",
        "tsv",
        "json",
        "jsonl",
        "xtab",
        "nidx",
        "dkvp",
        "pprint",
        "markdown",
        "from",
        "fs",
        "ps",
        "rs",
        "repifs",
        "barred",
        "right",
        "implicit-csv-header",
        "headerless-csv-output",
        "allow-ragged-csv-input",
        "no-color",
        "version",
        "help",
        "nr-progress-mod",
        "hi",
        "ho",
        "records-per-batch",
        "csvlite",
        "tsvlite",
        "asv",
        "usv",
        "key-color",
        "value-color",
    ];
    match name.strip_prefix('-') {
        Some(long) => {
            long.starts_with(['i', 'o']) || (long.len() == 3 && long.contains('2')) || LONG.contains(&long)
        }
        None => {
            !name.is_empty() && name.len() < 4 && name.bytes().all(|letter| letter.is_ascii_alphanumeric())
        }
    }
}

/// Words that write or run something in the expression language.
fn mlr_expression(text: &str) -> bool {
    const ACTIVE: &[&str] = &["system", "exec", "tee", "split", "emit", "dump", "print", "ENV", "|"];
    let text = text.replace("||", "");
    !ACTIVE.iter().any(|word| text.contains(word))
}
