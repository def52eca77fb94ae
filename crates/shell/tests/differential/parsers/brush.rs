//! Command names as brush-parser sees them. It gives substitutions back as text, which is read again.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "its tree is pinned; only nodes with commands below them matter"
)]

use brush_parser::ast::{
    AndOr, AssignmentName, AssignmentValue, Command, CommandPrefixOrSuffixItem, CompoundCommand,
    CompoundList, ExtendedTestExpr, IoFileRedirectTarget, IoRedirect, Pipeline, Program, RedirectList,
    SimpleCommand, Word,
};
use brush_parser::word::{ParameterExpr, WordPiece, WordPieceWithSource};
use brush_parser::{Parser, ParserOptions};

use super::{MAX_DEPTH, literal};

fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

/// The tree of a line.
pub(crate) fn parse(line: &str) -> Option<Program> {
    Parser::new(line.as_bytes(), &options()).parse_program().ok()
}

pub(crate) fn names(line: &str) -> Option<Vec<String>> {
    let mut search = Search { found: Vec::new(), depth: 0 };
    search.line(line)?;
    Some(search.found)
}

struct Search {
    found: Vec<String>,
    depth: usize,
}

impl Search {
    fn line(&mut self, line: &str) -> Option<()> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let program = parse(line);
        program.iter().flat_map(|program| &program.complete_commands).for_each(|list| self.list(list));
        self.depth -= 1;
        program.map(drop)
    }

    fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            self.pipeline(&item.0.first);
            for AndOr::And(pipeline) | AndOr::Or(pipeline) in &item.0.additional {
                self.pipeline(pipeline);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        pipeline.seq.iter().for_each(|command| self.command(command));
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound);
                self.redirects(redirects.as_ref());
            }
            Command::Function(function) => {
                self.compound(&function.body.0);
                self.redirects(function.body.1.as_ref());
            }
            Command::ExtendedTest(test, redirects) => {
                self.test(&test.expr);
                self.redirects(redirects.as_ref());
            }
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item);
        }
        if let Some(word) = &simple.word_or_name {
            self.found.extend(literal(&word.value));
            self.word(word);
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item);
        }
    }

    fn item(&mut self, item: &CommandPrefixOrSuffixItem) {
        match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect),
            CommandPrefixOrSuffixItem::Word(word) => self.word(word),
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => {
                if let AssignmentName::ArrayElementName(_, subscript) = &assignment.name {
                    self.text(subscript);
                }
                match &assignment.value {
                    AssignmentValue::Scalar(word) => self.word(word),
                    AssignmentValue::Array(elements) => {
                        for (key, value) in elements {
                            key.iter().chain([value]).for_each(|word| self.word(word));
                        }
                    }
                }
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => self.list(&subshell.list),
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::Arithmetic(command) => self.text(&command.expr.value),
            CompoundCommand::ArithmeticForClause(each) => {
                for part in [&each.initializer, &each.condition, &each.updater].into_iter().flatten() {
                    self.text(&part.value);
                }
                self.list(&each.body.list);
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(group) => self.list(&group.list),
            CompoundCommand::ForClause(each) => {
                each.values.iter().flatten().for_each(|word| self.word(word));
                self.list(&each.body.list);
            }
            CompoundCommand::CaseClause(case) => {
                self.word(&case.value);
                for arm in &case.cases {
                    arm.patterns.iter().for_each(|word| self.word(word));
                    arm.cmd.iter().for_each(|list| self.list(list));
                }
            }
            CompoundCommand::IfClause(branch) => {
                self.list(&branch.condition);
                self.list(&branch.then);
                for other in branch.elses.iter().flatten() {
                    other.condition.iter().chain([&other.body]).for_each(|list| self.list(list));
                }
            }
            CompoundCommand::WhileClause(each) | CompoundCommand::UntilClause(each) => {
                self.list(&each.0);
                self.list(&each.1.list);
            }
            CompoundCommand::Coprocess(process) => self.command(&process.body),
        }
    }

    fn test(&mut self, test: &ExtendedTestExpr) {
        match test {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.test(left);
                self.test(right);
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => self.test(inner),
            ExtendedTestExpr::UnaryTest(_, word) => self.word(word),
            ExtendedTestExpr::BinaryTest(_, left, right) => {
                self.word(left);
                self.word(right);
            }
        }
    }

    fn redirects(&mut self, redirects: Option<&RedirectList>) {
        redirects.iter().flat_map(|list| &list.0).for_each(|redirect| self.redirect(redirect));
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        match redirect {
            IoRedirect::File(_, _, target) => match target {
                IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                    self.word(word);
                }
                IoFileRedirectTarget::Fd(_) => {}
                IoFileRedirectTarget::ProcessSubstitution(_, subshell) => self.list(&subshell.list),
            },
            IoRedirect::HereDocument(_, document) if document.requires_expansion => {
                let pieces = brush_parser::word::parse_heredoc(&document.doc.value, &options());
                self.pieces(&pieces.unwrap_or_default());
            }
            IoRedirect::HereDocument(..) => {}
            IoRedirect::HereString(_, word) | IoRedirect::OutputAndError(word, _) => self.word(word),
        }
    }

    fn word(&mut self, word: &Word) {
        self.text(&word.value);
    }

    fn text(&mut self, text: &str) {
        self.pieces(&brush_parser::word::parse(text, &options()).unwrap_or_default());
    }

    fn pieces(&mut self, pieces: &[WordPieceWithSource]) {
        for piece in pieces {
            match &piece.piece {
                WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                    self.pieces(inner);
                }
                WordPiece::ParameterExpansion(expansion) => self.expansion(expansion),
                WordPiece::CommandSubstitution(code) | WordPiece::BackquotedCommandSubstitution(code) => {
                    let _unread = self.line(code);
                }
                WordPiece::ArithmeticExpression(expression) => self.text(&expression.value),
                WordPiece::Text(_)
                | WordPiece::SingleQuotedText(_)
                | WordPiece::AnsiCQuotedText(_)
                | WordPiece::TildeExpansion(_)
                | WordPiece::EscapeSequence(_) => {}
            }
        }
    }

    fn expansion(&mut self, expansion: &ParameterExpr) {
        match expansion {
            ParameterExpr::UseDefaultValues { default_value: operand, .. }
            | ParameterExpr::AssignDefaultValues { default_value: operand, .. }
            | ParameterExpr::IndicateErrorIfNullOrUnset { error_message: operand, .. }
            | ParameterExpr::UseAlternativeValue { alternative_value: operand, .. }
            | ParameterExpr::RemoveSmallestSuffixPattern { pattern: operand, .. }
            | ParameterExpr::RemoveLargestSuffixPattern { pattern: operand, .. }
            | ParameterExpr::RemoveSmallestPrefixPattern { pattern: operand, .. }
            | ParameterExpr::RemoveLargestPrefixPattern { pattern: operand, .. } => {
                if let Some(text) = operand {
                    self.text(text);
                }
            }
            ParameterExpr::Substring { offset, length, .. } => {
                for number in [Some(offset), length.as_ref()].into_iter().flatten() {
                    self.text(&number.value);
                }
            }
            ParameterExpr::ReplaceSubstring { pattern, replacement, .. } => {
                for text in [Some(pattern), replacement.as_ref()].into_iter().flatten() {
                    self.text(text);
                }
            }
            _ => {}
        }
    }
}
