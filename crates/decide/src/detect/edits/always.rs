//! Conditions that always hold, in rules of stores and databases: whoever comes is let in.

/// Functions of which the answer depends on nothing but what they are given, and names of types.
const PLAIN: &[&str] = &[
    "true", "not", "is", "null", "in", "like", "between", "coalesce", "cast", "as", "text", "int", "boolean",
    "bool", "exists", "select", "length", "lower", "upper", "any", "array",
];

/// How deep brackets may lie in each other; what is deeper is taken to hold.
const DEEPEST: usize = 8;

/// Whether a condition, in small letters, holds for everybody.
pub(super) fn holds(condition: &str) -> bool {
    holds_within(condition, DEEPEST)
}

fn holds_within(condition: &str, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    let condition = condition.trim();
    if let Some(inner) = inside(condition) {
        return holds_within(inner, depth);
    }
    let either = parts(condition, &["||", " or "]);
    if either.len() > 1 {
        return either.iter().any(|part| holds_within(part, depth));
    }
    let both = parts(condition, &["&&", " and "]);
    if both.len() > 1 {
        return both.iter().all(|part| holds_within(part, depth));
    }
    if let Some((left, right, equal)) = compared(condition) {
        // `id = id` holds, and so does `'a' <> 'b'`.
        return (left == right) == equal && (left == right || (is_fixed(left) && is_fixed(right)));
    }
    is_fixed(condition) && !matches!(condition, "0" | "" | "null" | "not true" | "!true")
}

/// What is in the brackets around the whole of a text.
fn inside(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_i32;
    let closed = inner.chars().all(|it| {
        depth += i32::from(it == '(') - i32::from(it == ')');
        depth >= 0
    });
    closed.then_some(inner)
}

/// The parts of a text between the words, where they are outside of brackets and quotes.
fn parts<'t>(text: &'t str, words: &[&str]) -> Vec<&'t str> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0_i32, None);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        let rest = text.get(at..).unwrap_or_default();
        let word = words.iter().find(|word| rest.starts_with(**word));
        if let Some(word) = word.filter(|_| quote.is_none() && depth == 0 && at >= start) {
            found.push(text.get(start..at).unwrap_or_default());
            start = at + word.len();
        }
    }
    found.push(text.get(start..).unwrap_or_default());
    found
}

/// The two sides of a comparison, without the types they are given, and whether it asks if they are the same.
fn compared<'t>(text: &'t str) -> Option<(&'t str, &'t str, bool)> {
    const SIGNS: &[(&str, bool)] =
        &[("!==", false), ("===", true), ("!=", false), ("<>", false), ("==", true), ("=", true)];
    if text.contains(">=") || text.contains("<=") {
        return None;
    }
    let (sign, equal) = SIGNS.iter().find(|(sign, _)| parts(text, &[sign]).len() == 2)?;
    let [left, right] = parts(text, &[sign]).try_into().ok()?;
    let untyped = |side: &'t str| side.split("::").next().unwrap_or_default().trim();
    Some((untyped(left), untyped(right), *equal))
}

/// Whether a text names nothing that could differ from one row or visitor to the next, and is not plainly false.
fn is_fixed(text: &str) -> bool {
    let unquoted: String = text.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
    let unquoted: String = unquoted.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let mut words = unquoted
        .split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '.' | '$')))
        .filter(|word| !word.is_empty());
    let denied = ["not false", "!false", "! false", "!(false", "not (false"]
        .iter()
        .any(|no| unquoted.trim().starts_with(no));
    denied
        || words.all(|word| PLAIN.contains(&word) || word.bytes().all(|it| it.is_ascii_digit() || it == b'.'))
}

/// How many statements in rules of a store, in small letters and without remarks, let everybody write.
pub(super) fn open_rules(text: &str) -> usize {
    let functions: Vec<&str> = text.split("function ").skip(1).filter_map(fixed_function).collect();
    let open = |statement: &&str| {
        let end = statement.find([';', '}']).unwrap_or(statement.len());
        let statement = statement.get(..end).unwrap_or_default();
        let (methods, condition) = statement.split_once(':').unwrap_or((statement, "if true"));
        let writes = ["write", "create", "update", "delete"].iter().any(|it| methods.contains(it));
        let condition = condition.trim().strip_prefix("if").unwrap_or(condition).trim();
        // What is open until a day far away is open.
        let timed = condition.starts_with("request.time") && condition.contains("timestamp.date(");
        let called = functions.iter().any(|name| {
            condition.strip_prefix(name).is_some_and(|rest| rest.starts_with('(') && rest.ends_with(')'))
        });
        writes && (holds(condition) || called || (timed && parts(condition, &["&&"]).len() == 1))
    };
    text.split("allow ").skip(1).filter(open).count()
}

/// The name of a function that always says yes.
fn fixed_function(rest: &str) -> Option<&str> {
    let (name, body) = rest.split_once('(')?;
    let (_, answer) = body.split('}').next()?.split_once("return ")?;
    holds(answer.split(';').next()?).then_some(name.trim())
}

/// How many keys of rules in JSON, in small letters, let everybody write: `".write": true`.
pub(super) fn open_keys(text: &str) -> usize {
    let values = text.split("\".write\"").skip(1).filter_map(|rest| {
        let value = rest.trim_start().strip_prefix(':')?.trim_start();
        match value.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => value.split([',', '}', '\n']).next(),
        }
    });
    values.filter(|value| holds(value)).count()
}

/// The conditions that a statement of SQL puts behind the word, each up to the bracket that closes it.
pub(super) fn conditions<'t>(statement: &'t str, word: &str) -> Vec<&'t str> {
    let behind = statement.split(word).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('('));
    let whole = behind.map(|rest| {
        let mut depth = 1_i32;
        let end = rest.find(|it: char| {
            depth += i32::from(it == '(') - i32::from(it == ')');
            depth == 0
        });
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    });
    whole.collect()
}
