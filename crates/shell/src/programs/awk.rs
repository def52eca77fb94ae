//! awk: its programs can write files and run commands; they are read token by token.
//!
//! Reading is conservative: what could be a redirection is one, and a program that does not
//! split into tokens with certainty is not understood.

use super::invocation::{Invocation, Outcome};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::secrets;
use crate::unclear::Why;

pub(super) const TABLE: &[Spec] = &[Spec::new("awk gawk mawk nawk original-awk bwk", Effects::READS)
    .style(Style::Stops)
    .options(
        "-bcCgnNOPrsStMk -hV!help -Fv= -e= -f=read!executes -E=read!executes -i=read!executes -I -l=!executes -L=? -d=?!writes \
         -D=?!executes -o=?!writes -p=?!writes --assign= --field-separator= --source= --file=read!executes --exec=read!executes \
         --include=read!executes --load=!executes --dump-variables=?!writes --pretty-print=?!writes --profile=?!writes \
         --debug=?!executes --characters-as-bytes --traditional --copyright!help --gen-pot --lint=? --lint-old --bignum \
         --use-lc-numeric --non-decimal-data --optimize --no-optimize --posix --re-interval --sandbox --csv --trace",
    )
    .operands(Operands::None)
    .check(check)
    .examples(&[
        ("awk '{print $1}' a", "reads"),
        ("awk -F: '$3 > 100 {n++} END {print n}' a", "reads"),
        ("awk -F, -v x=1 'NR>1 && $2 ~ /a|b>/ {printf \"%s\\n\", $2}' a b", "reads"),
        ("awk '{if ($1 > 10) print; else print ($1 > 3 ? \"a\" : \"b\")}' a", "reads"),
        ("awk '/start/,/end\\/x/{print NR\": \"$0}' a", "reads"),
        ("awk 'BEGIN{while ((getline line < \"a\") > 0) n++; print n/2}'", "reads"),
        ("awk 'BEGIN{getline x < \".env\"; print x}'", "reads secrets"),
        ("awk 'BEGIN{getline x < f}'", "reads unknown"),
        ("awk '{print > \"out\"}' a", "reads writes"),
        ("awk '{print $1, $2 >> \"out\"}' a", "reads writes"),
        ("awk '{printf(\"%s\", $1) > $2\".txt\"}' a", "reads writes"),
        ("awk '{print $1,\n $2 > \"x\"}' a", "reads writes"),
        ("awk 'BEGIN{print 1 | \"touch x\"}'", "reads executes"),
        ("awk 'BEGIN{\"id\" | getline}'", "reads executes"),
        ("awk 'BEGIN{print 1 |& \"id\"}'", "reads executes"),
        ("awk 'BEGIN{system(\"id\")}'", "reads executes"),
        ("awk 'BEGIN{f=\"system\"; @f(\"id\")}'", "reads executes"),
        ("awk 'length / 2; {system(\"id\") / 2}' a", "reads executes"),
        ("awk '{if (1) /\"/ ; system(\"id\") #\"}' a", "reads unknown"),
        ("awk '{print 1system(\"id\")}' a", "reads executes"),
        ("awk '{print $1,\n\n $2 > \"x\"}' a", "reads writes"),
        ("awk '{ x = \"unclosed }' a", "reads unknown"),
        ("awk -f prog a", "reads executes"),
        ("awk 'BEGIN{for (k in ENVIRON) print k, ENVIRON[k]}'", "reads secrets"),
        ("awk 'BEGIN{ARGV[1]=\"/root/.ss\" \"h/x\";ARGC=2}{print}'", "reads unknown"),
        ("awk 'BEGIN{ARGV[ARGC++]=\"x\"}{print}'", "reads unknown"),
        ("awk 'BEGIN{split(\"a b\",ARGV)}{print}'", "reads unknown"),
        ("awk 'FILENAME==ARGV[1]{n++; next} {print}' a b", "reads"),
        ("awk '/[[:a]/{system(\"touch x\")}#/:]]/' f", "reads unknown"),
        ("awk '/[[:alpha:]_]+/{print}' f", "reads"),
        ("awk -fprog a", "reads executes"),
        ("gawk -i inplace '{print}' a", "reads executes"),
        ("gawk -l filefuncs '{print}' a", "reads executes"),
        ("gawk -o '{print}' a", "reads writes"),
        ("gawk -e '{print}' a", "reads"),
        ("awk '{print}' x=1 .env", "reads secrets"),
        ("awk '{print}' /inet/tcp/0/example.com/80", "reads network-write"),
        ("awk", "reads unknown"),
        ("gawk --version", "reads"),
    ])];

fn check<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if out.help {
        return;
    }
    let mut operands = invocation.operands.iter().copied();
    let mut given = invocation.has(&["f", "E", "--file", "--exec"]);
    for seen in &invocation.options {
        if let ("e" | "--source", Some(program)) = (seen.name, seen.value) {
            given = true;
            examine(program, out);
        }
    }
    if !given {
        match operands.next() {
            Some(program) => examine(program, out),
            None => out.doubt(Why::UnclearCode, "awk without a program", crate::span::Span::default()),
        }
    }
    for operand in operands {
        if operand.prefix().starts_with("/inet") {
            out.add(Effects::NETWORK_WRITE);
        } else if !is_assignment(operand.prefix()) {
            out.reads(operand);
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let named = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        named && !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit())
    })
}

fn examine<'a>(program: Argument<'a>, out: &mut Outcome<'a>) {
    if !program.literal && program.choices.is_empty() {
        out.doubt(Why::UnclearCode, "awk program", program.span);
        return;
    }
    for text in program.possible() {
        let found = tokens(text).and_then(|tokens| Statements::new(program).read(&tokens, out));
        if found.is_none() {
            out.doubt(Why::UnclearCode, "awk program", program.span);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
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
fn tokens(program: &str) -> Option<Vec<Token<'_>>> {
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

/// Where in the program we are, as far as it decides what `>` and `<` mean.
struct Statements<'a> {
    program: Argument<'a>,
    /// Open parentheses and brackets.
    depth: usize,
    /// How deep the print statement stands in which we are.
    printing: Option<usize>,
    /// How deep the last `getline` stands whose file may follow.
    getline: Option<usize>,
}

impl<'a> Statements<'a> {
    fn new(program: Argument<'a>) -> Statements<'a> {
        Statements { program, depth: 0, printing: None, getline: None }
    }

    fn read(mut self, tokens: &[Token<'a>], out: &mut Outcome<'a>) -> Option<()> {
        let reads_named_files =
            tokens.iter().any(|token| matches!(token, Token::Name("getline" | "ARGV" | "ARGC")));
        for (index, token) in tokens.iter().enumerate() {
            let before = tokens.iter().take(index).rev().find(|token| **token != Token::Newline);
            let after = tokens.get(index + 1);
            match token {
                Token::Name("ARGV") if changes_arguments(tokens, index) => {
                    out.doubt(Why::UnknownOperand, "files only known at run time", self.program.span);
                }
                Token::Name(name) => self.name(name, out),
                Token::Pipe | Token::Sign('@') => out.executes(),
                Token::Append => out.add(Effects::WRITES),
                Token::Text(text) if reads_named_files => {
                    if text.contains("inet") {
                        out.add(Effects::NETWORK_WRITE);
                    }
                    if secrets::is_secret_path(text, true) {
                        out.add(Effects::SECRETS);
                    }
                }
                Token::Sign('(' | '[') => self.depth += 1,
                Token::Sign(')' | ']') => self.close()?,
                Token::Sign('>') if self.printing == Some(self.depth) => out.add(Effects::WRITES),
                Token::Sign('<') if self.getline == Some(self.depth) => self.input(after, out),
                Token::Sign(';' | '{' | '}') => self.end_statement(),
                Token::Newline if !continues(before) => self.end_statement(),
                Token::Text(_)
                | Token::Number
                | Token::Regex
                | Token::Newline
                | Token::Sign(_)
                | Token::Operator
                | Token::Step => {}
            }
        }
        (self.depth == 0).then_some(())
    }

    fn name(&mut self, name: &str, out: &mut Outcome<'a>) {
        match name {
            "system" | "extension" => out.executes(),
            "ENVIRON" => out.add(Effects::SECRETS),
            "print" | "printf" => self.printing = Some(self.depth),
            "getline" => self.getline = Some(self.depth),
            _ => {}
        }
    }

    /// `getline < FILE`
    fn input(&mut self, file: Option<&Token<'a>>, out: &mut Outcome<'a>) {
        self.getline = None;
        if let Some(Token::Text(name)) = file.filter(|_| self.program.literal)
            && !name.contains('\\')
        {
            out.reads(Argument::literal(name, self.program.span));
        } else {
            out.doubt(Why::UnknownOperand, "getline from a file only known at run time", self.program.span);
        }
    }

    fn close(&mut self) -> Option<()> {
        self.depth = self.depth.checked_sub(1)?;
        if self.getline.is_some_and(|depth| depth > self.depth) {
            self.getline = None;
        }
        Some(())
    }

    fn end_statement(&mut self) {
        // Inside `for (;;)` the parenthesis is still open; a print cannot stand there.
        self.printing = self.printing.filter(|depth| *depth < self.depth);
        self.getline = self.getline.filter(|depth| *depth < self.depth);
    }
}

/// Whether `ARGV` at `index` is more than looked at: assigned to, or handed to something that may.
fn changes_arguments(tokens: &[Token<'_>], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|at| tokens.get(at));
    if matches!(before, Some(Token::Step | Token::Name("getline") | Token::Sign(','))) {
        return true;
    }
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(index + 1) {
        match token {
            Token::Sign('[') => depth += 1,
            Token::Sign(']') => depth = depth.saturating_sub(1),
            Token::Name(_)
            | Token::Text(_)
            | Token::Number
            | Token::Regex
            | Token::Newline
            | Token::Sign(_)
            | Token::Append
            | Token::Pipe
            | Token::Operator
            | Token::Step => {}
        }
        if depth == 0 {
            let subscript = *token == Token::Sign(']');
            let after = if subscript { tokens.get(at + 1) } else { Some(token) };
            return !subscript || matches!(after, Some(Token::Sign('=') | Token::Operator | Token::Step));
        }
    }
    true
}

/// Whether a line that ends in this token goes on in the next.
fn continues(token: Option<&Token<'_>>) -> bool {
    match token {
        Some(Token::Sign(sign)) => !matches!(sign, ')' | ']' | '{' | '}' | ';'),
        Some(Token::Operator | Token::Append | Token::Pipe) => true,
        Some(
            Token::Name(_) | Token::Text(_) | Token::Number | Token::Regex | Token::Newline | Token::Step,
        )
        | None => false,
    }
}
