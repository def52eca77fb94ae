//! The tokens of awk programs, as far as they can be told with certainty.

/// A token of an awk program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Name(&'a str),
    Text(&'a str),
    Number,
    Regex,
    Newline,
    Sign(char),
    /// `>>`
    Append,
    /// `|` or `|&`
    Pipe,
    /// Any longer operator.
    Operator,
    /// `++` and `--`: what follows may be divided.
    Step,
}

impl Token<'_> {
    /// Whether a slash after it divides. `None` where awks differ.
    fn ends_operand(self) -> Option<bool> {
        const KEYWORDS: &[&str] = &[
            "print", "printf", "return", "else", "do", "in", "exit", "case", "if", "while", "for", "delete",
            "func", "function",
        ];
        match self {
            Token::Name("getline") => None,
            Token::Name(name) => Some(!KEYWORDS.contains(&name)),
            Token::Text(_) | Token::Number | Token::Regex | Token::Step | Token::Sign(')' | ']') => {
                Some(true)
            }
            Token::Newline | Token::Sign(_) | Token::Append | Token::Pipe | Token::Operator => Some(false),
        }
    }
}

/// Whether the closing parenthesis at the end belongs to `if (…)` and the like. After it a slash
/// begins an expression, after any other it divides.
fn closes_condition(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0_usize;
    let mut backwards = tokens.iter().rev().peekable();
    while let Some(token) = backwards.next() {
        if *token == Token::Sign(')') {
            depth += 1;
        } else if *token == Token::Sign('(') {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            return matches!(backwards.peek(), Some(Token::Name("if" | "while" | "for" | "switch")));
        }
    }
    true
}

/// The program's tokens, or nothing if they cannot be told with certainty.
pub(super) fn tokens(program: &str) -> Option<Vec<Token<'_>>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    let mut rest = program;
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            ' ' | '\t' | '\r' => (None, 1),
            '\\' => (None, continuation(rest)?),
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            '\n' => (Some(Token::Newline), 1),
            '"' => {
                let length = quoted(rest)?;
                (Some(Token::Text(rest.get(1..length - 1)?)), length)
            }
            '/' if found.last() == Some(&Token::Sign(')')) && closes_condition(&found) => return None,
            '/' if !found.last().map_or(Some(false), |last| last.ends_operand())? => {
                (Some(Token::Regex), regex(rest)?)
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = run(rest, |character| character.is_ascii_alphanumeric() || character == '_');
                (Some(Token::Name(rest.get(..length)?)), length)
            }
            // Digits only: in `1system("id")` a call follows the number.
            '0'..='9' | '.' => {
                (Some(Token::Number), run(rest, |character| character.is_ascii_digit() || character == '.'))
            }
            _ => operator(rest, first)?,
        };
        found.extend(token);
        rest = rest.get(length..)?;
    }
    Some(found)
}

fn run(text: &str, wanted: impl Fn(char) -> bool) -> usize {
    text.find(|character| !wanted(character)).unwrap_or(text.len())
}

/// A backslash only joins lines.
fn continuation(text: &str) -> Option<usize> {
    ["\\\n", "\\\r\n"].into_iter().find(|joint| text.starts_with(joint)).map(str::len)
}

/// The length of the string literal at the start, quotes included.
fn quoted(text: &str) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    loop {
        match characters.next()? {
            (at, '"') => return Some(at + 1),
            (_, '\\') => drop(characters.next()?),
            (_, '\n') => return None,
            _ => {}
        }
    }
}

/// The length of the regular expression at the start. A slash in brackets ends it in some awks.
fn regex(text: &str) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    let mut bracket: Option<usize> = None;
    loop {
        match (characters.next()?, bracket) {
            ((_, '\\'), _) => drop(characters.next().filter(|(_, escaped)| *escaped != '\n')?),
            ((at, '/'), None) => return Some(at + 1),
            ((_, '\n'), _) | ((_, '/'), Some(_)) => return None,
            ((at, '['), None) => bracket = Some(at),
            ((at, '['), Some(_)) => {
                // Awks differ over what begins like a class and is none.
                if let Some(class) = text.get(at..)?.strip_prefix("[:") {
                    let length = run(class, |character| character.is_ascii_lowercase());
                    class.get(length..)?.strip_prefix(":]")?;
                    characters.nth(length + 2);
                }
            }
            ((at, ']'), Some(start)) => {
                let first = matches!(text.get(start..at)?, "[" | "[^");
                bracket = if first { bracket } else { None };
            }
            _ => {}
        }
    }
}

fn operator<'a>(text: &str, first: char) -> Option<(Option<Token<'a>>, usize)> {
    const LONG: &[(&str, Token<'static>)] = &[
        ("**=", Token::Operator),
        (">>", Token::Append),
        ("||", Token::Operator),
        ("|&", Token::Pipe),
        ("|", Token::Pipe),
        ("&&", Token::Operator),
        ("++", Token::Step),
        ("--", Token::Step),
        ("==", Token::Operator),
        ("!=", Token::Operator),
        ("<=", Token::Operator),
        (">=", Token::Operator),
        ("!~", Token::Operator),
        ("+=", Token::Operator),
        ("-=", Token::Operator),
        ("*=", Token::Operator),
        ("/=", Token::Operator),
        ("%=", Token::Operator),
        ("^=", Token::Operator),
        ("**", Token::Operator),
    ];
    if let Some((sign, token)) = LONG.iter().find(|(sign, _)| text.starts_with(sign)) {
        return Some((Some(*token), sign.len()));
    }
    "{}()[];,+-*/%^!<>?:~$=@".contains(first).then_some((Some(Token::Sign(first)), 1))
}
