//! awk: its programs can write files and run commands; they are read token by token.
//!
//! Reading is conservative: what could be a redirection is one, and a program that does not
//! split into tokens with certainty is not understood.

use super::awk_tokens::{Token, tokens};
use super::invocation::{Invocation, Outcome, Run};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::dialect::Dialect;
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
        ("awk '{system($0)}' a", "reads executes unknown"),
        ("awk '{system(\"id \" $1)}' a", "reads executes unknown"),
        ("awk 'BEGIN{c=\"id\"; c | getline}'", "reads executes unknown"),
        ("awk '{print | \"sh\"}' a", "reads executes unknown"),
        ("awk '{print | \"sort -k1\"}' a", "reads executes"),
        ("awk 'BEGIN{f=\"system\"; @f(\"id\")}'", "reads executes unknown"),
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
        ("gawk -i inplace '{print}' a", "reads writes executes"),
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
    let mut blank = false;
    for seen in &invocation.options {
        if let ("e" | "--source", Some(program)) = (seen.name, seen.value) {
            given = true;
            blank |= program.known().is_none_or(|text| text.trim().is_empty());
            examine(program, out);
        }
    }
    if let Some(first) = invocation.operands.first().filter(|_| given && blank) {
        // Where no text was given, the first operand is the program.
        examine(*first, out);
    }
    if !given {
        match operands.next() {
            Some(program) => examine(program, out),
            None => out.doubt(Why::UnclearCode, "awk without a program", crate::span::Span::default()),
        }
    }
    let in_place = invocation.options.iter().any(|seen| {
        let library = seen.value.and_then(|value| value.known());
        matches!(seen.name, "i" | "--include")
            && library.is_some_and(|name| name.trim_end_matches(".awk").ends_with("inplace"))
    });
    for operand in operands {
        if operand.prefix().starts_with("/inet") {
            out.add(Effects::NETWORK_WRITE);
        } else if in_place && !is_assignment(operand.prefix()) {
            out.reads(operand);
            out.writes(operand);
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

/// Where in the program we are, as far as it decides what `>` and `<` mean.
struct Statements<'a> {
    program: Argument<'a>,
    /// Open parentheses and brackets.
    depth: usize,
    /// How deep the print statement stands in which we are.
    printing: Option<usize>,
    /// How deep the last `getline` stands whose file may follow.
    getline: Option<usize>,
    /// The files that are written; nothing for a name that is made up.
    outputs: Vec<Option<&'a str>>,
}

impl<'a> Statements<'a> {
    fn new(program: Argument<'a>) -> Statements<'a> {
        Statements { program, depth: 0, printing: None, getline: None, outputs: Vec::new() }
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
                Token::Name("system") => self.command(called_command(tokens, index), out),
                Token::Name(name) => self.name(name, out),
                Token::Pipe => self.command(piped_command(tokens, index), out),
                // The name of the function that is called is the value of a variable.
                Token::Sign('@') => self.command(None, out),
                Token::Append => self.output(target(tokens, index), out),
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
                Token::Sign('>') if self.printing == Some(self.depth) => {
                    self.output(target(tokens, index), out);
                }
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
        out.add(if self.outputs.is_empty() { Effects::NONE } else { Effects::WRITES });
        // Where one name is made up, the list of those that are not would say too little.
        if let Some(names) = self.outputs.into_iter().collect::<Option<Vec<_>>>() {
            for name in names {
                out.writes(Argument::literal(name, self.program.span));
            }
        }
        (self.depth == 0).then_some(())
    }

    /// A command is run: one that is spelled out, or one that is only known at run time.
    fn command(&self, text: Option<&'a str>, out: &mut Outcome<'a>) {
        /// What they read next to their words is code.
        const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh"];
        out.executes();
        let shell = |text: &str| {
            text.split_whitespace()
                .next()
                .and_then(|word| word.rsplit('/').next())
                .is_some_and(|word| SHELLS.contains(&word))
        };
        match text.filter(|text| self.program.literal && !text.contains('\\') && !shell(text)) {
            Some(text) if text.trim().is_empty() => {}
            Some(text) => out.runs.push(Run::Script(Argument::literal(text, self.program.span), Dialect::Sh)),
            None => out.doubt(Why::UnclearCode, "a command that the awk program makes up", self.program.span),
        }
    }

    /// What is printed goes to a file.
    fn output(&mut self, name: Option<&'a str>, out: &mut Outcome<'a>) {
        let known = name.filter(|name| self.program.literal && !name.contains('\\'));
        out.add(Effects::WRITES);
        self.outputs.push(known);
    }

    fn name(&mut self, name: &str, out: &mut Outcome<'a>) {
        match name {
            "extension" => out.executes(),
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

/// Whether a statement surely ends with this token.
fn ends_statement(token: Option<&Token<'_>>) -> bool {
    matches!(token, None | Some(Token::Newline | Token::Sign(';' | '}')))
}

/// The text behind the sign at `index`, where it is all that stands there.
fn target<'a>(tokens: &[Token<'a>], index: usize) -> Option<&'a str> {
    match tokens.get(index + 1) {
        Some(Token::Text(text)) if ends_statement(tokens.get(index + 2)) => Some(text),
        Some(_) | None => None,
    }
}

/// The command of `system` at `index`, where it is spelled out.
fn called_command<'a>(tokens: &[Token<'a>], index: usize) -> Option<&'a str> {
    match tokens.get(index + 1..index + 4) {
        Some([Token::Sign('('), Token::Text(text), Token::Sign(')')]) => Some(text),
        Some(_) | None => None,
    }
}

/// The command on the other side of the pipe at `index`, where it is spelled out.
fn piped_command<'a>(tokens: &[Token<'a>], index: usize) -> Option<&'a str> {
    if tokens.get(index + 1) != Some(&Token::Name("getline")) {
        return target(tokens, index);
    }
    let before = |back: usize| index.checked_sub(back).and_then(|at| tokens.get(at));
    let starts = |token: Option<&Token<'_>>| {
        let opens = |it: &Token<'_>| {
            matches!(it, Token::Newline | Token::Operator | Token::Sign(';' | '{' | '}' | '(' | '!' | '='))
        };
        token.is_none_or(opens)
    };
    match (before(3), before(2), before(1)) {
        (_, other, Some(Token::Text(text))) if starts(other) => Some(text),
        (Some(Token::Sign('(')), Some(Token::Text(text)), Some(Token::Sign(')'))) if starts(before(4)) => {
            Some(text)
        }
        (_, _, Some(_) | None) => None,
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
