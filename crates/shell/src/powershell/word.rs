//! One word of a command as the command would get it, as far as that can be known.
//!
//! Text that is only known at run time is a `*` in the word. Nothing is looked up: a variable is never known.

use tree_sitter::Node;

use super::{bypass, tree};
use crate::span::Span;

/// A word, or one value of a list.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts about one word")]
pub(super) struct Word {
    pub(super) text: String,
    /// The command gets exactly `text`.
    pub(super) literal: bool,
    /// It stands without quotes, so that wildcards and dashes in it mean something.
    pub(super) bare: bool,
    /// It is a script block.
    pub(super) block: bool,
    /// The grammar and PowerShell may disagree about where it ends.
    pub(super) doubtful: bool,
    pub(super) span: Span,
}

impl Word {
    pub(super) fn literal(text: &str, span: Span) -> Word {
        Word { text: text.to_owned(), literal: true, bare: false, block: false, doubtful: false, span }
    }

    pub(super) fn unknown(span: Span) -> Word {
        Word { literal: false, ..Word::literal("*", span) }
    }

    /// Whether it holds wildcards that PowerShell expands.
    pub(super) fn has_wildcard(&self) -> bool {
        self.text.contains(['*', '?', '['])
    }
}

/// The words that `node`, an argument, stands for: several when it is a list.
pub(super) fn words(line: &str, node: Node<'_>) -> Vec<Word> {
    let inner = tree::unwrap(node);
    match inner.kind() {
        "array_literal_expression" | "bareword_argument_list" => {
            let mut cursor = inner.walk();
            inner.named_children(&mut cursor).map(|item| word(line, item)).collect()
        }
        _ => vec![word(line, inner)],
    }
}

/// The word that `node` stands for.
pub(super) fn word(line: &str, node: Node<'_>) -> Word {
    let inner = tree::unwrap(node);
    let span = tree::span(inner);
    let text = span.of(line);
    match inner.kind() {
        "generic_token" | "escape_character" | "command_parameter" | "path_command_name_token" => {
            bare(text, span)
        }
        "command_name" => command_name(text, span),
        "decimal_integer_literal" | "hexadecimal_integer_literal" | "real_literal" => {
            Word::literal(text, span)
        }
        "verbatim_string_characters" => Word::literal(&verbatim(text), span),
        "verbatim_here_string_characters" => here_string(text, span),
        "expandable_string_literal" => expandable(line, inner, span, 1..1),
        "expandable_here_string_literal" => expandable_here_string(line, inner, span),
        "concatenated_command_argument" | "expandable_bareword" | "path_command_name" => {
            joined(line, inner, span)
        }
        "expression_with_unary_operator" if is_number(text) => Word::literal(text, span),
        "script_block_expression" => Word { block: true, ..Word::unknown(span) },
        _ => Word::unknown(span),
    }
}

/// A word without quotes. Where the grammar keeps quotes, dollars or arrows inside it, PowerShell may not.
fn bare(text: &str, span: Span) -> Word {
    let (_, plain) = escapes(text);
    let special = text.contains("`n") || text.contains("`t") || !plain;
    let doubtful = special || text.contains(['"', '\'', '$', '<', '>', '{']) || text.starts_with(['@', '#']);
    Word { bare: true, doubtful, ..Word::literal(&text.replace('`', ""), span) }
}

/// A command name may hold quotes (`g"c"i`): PowerShell drops them.
fn command_name(text: &str, span: Span) -> Word {
    let quoted = text.contains(['"', '\'']);
    let unquoted = text.replace(['"', '\''], "");
    let word = bare(&unquoted, span);
    if unquoted.contains('$') {
        return Word { doubtful: true, ..Word::unknown(span) };
    }
    Word { doubtful: word.doubtful || quoted, ..word }
}

fn is_number(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn verbatim(text: &str) -> String {
    text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text).replace("''", "'")
}

fn here_string(text: &str, span: Span) -> Word {
    let body =
        text.split_once('\n').and_then(|(_, body)| body.rsplit_once('\n')).map_or("", |(body, _)| body);
    let body = body.strip_suffix('\r').unwrap_or(body);
    Word { doubtful: !bypass::is_whole_here_string(text), ..Word::literal(body, span) }
}

fn expandable_here_string(line: &str, node: Node<'_>, span: Span) -> Word {
    let text = span.of(line);
    let head = text.find('\n').map_or(text.len(), |at| at + 1);
    let tail = text.rfind('\n').map_or(0, |at| text.len() - at);
    let word = expandable(line, node, span, head..tail);
    Word { doubtful: word.doubtful || !bypass::is_whole_here_string(text), ..word }
}

/// A string in which variables and `$(…)` are replaced; `edges` are the lengths of its two delimiters.
fn expandable(line: &str, node: Node<'_>, span: Span, edges: std::ops::Range<usize>) -> Word {
    let here = edges.end > 1;
    let mut word = Word::literal("", span);
    let mut at = node.start_byte() + edges.start;
    let end = node.end_byte().saturating_sub(edges.end);
    let mut cursor = node.walk();
    for part in
        node.named_children(&mut cursor).filter(|part| matches!(part.kind(), "variable" | "sub_expression"))
    {
        word.take(line.get(at..part.start_byte()).unwrap_or_default(), here);
        word.text.push('*');
        word.literal = false;
        at = part.end_byte();
    }
    word.take(line.get(at..end.max(at)).unwrap_or_default(), here);
    word
}

/// Parts that stand next to each other without a blank.
fn joined(line: &str, node: Node<'_>, span: Span) -> Word {
    let mut whole = Word { bare: true, ..Word::literal("", span) };
    let mut next = node.start_byte();
    let mut cursor = node.walk();
    for (index, part) in node.named_children(&mut cursor).enumerate() {
        let piece = word(line, part);
        // PowerShell ends a word after a leading quoted string, so what follows is another word.
        let splits = index == 0 && !piece.bare && piece.literal;
        whole.doubtful |= piece.doubtful || splits || part.start_byte() != next;
        whole.literal &= piece.literal && !splits;
        whole.text.push_str(&piece.text);
        next = part.end_byte();
    }
    whole
}

impl Word {
    /// Adds a stretch of an expandable string that holds no variable.
    fn take(&mut self, text: &str, here: bool) {
        let (decoded, plain) = escapes(text);
        self.doubtful |= !plain || has_expansion(text);
        self.text.push_str(&if here { decoded } else { decoded.replace("\"\"", "\"") });
    }
}

/// Whether text that the grammar holds for plain would be expanded.
fn has_expansion(text: &str) -> bool {
    let mut previous = ' ';
    let mut escaped = false;
    for character in text.chars() {
        let opens = character == '(' || character == '{' || character == '_' || character.is_alphanumeric();
        if previous == '$' && opens {
            return true;
        }
        previous = if escaped { ' ' } else { character };
        escaped = character == '`' && !escaped;
    }
    false
}

/// Resolves backticks. The flag is false when the result holds something that cannot be shown as text.
fn escapes(text: &str) -> (String, bool) {
    if !text.contains('`') {
        return (text.to_owned(), true);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut plain = true;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '`' {
            decoded.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => decoded.push('\n'),
            Some('t') => decoded.push('\t'),
            Some('r' | '0' | 'a' | 'b' | 'f' | 'v' | 'e' | 'u') | None => plain = false,
            Some('\r' | '\n') => decoded.push(' '),
            Some(other) => decoded.push(other),
        }
    }
    (decoded, plain)
}
