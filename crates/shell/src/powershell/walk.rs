//! The walk over the whole tree: finds every command at any depth and names what is not understood.
//!
//! A node of a kind that is not listed here is never passed over in silence. The walk keeps its own
//! stack, so no nesting can exhaust the thread's.

use tree_sitter::Node;

use super::word::Word;
use super::{FileUse, PowerShellCommand, PowerShellReading, aliases, bypass, cmdlets, tree, word};
use crate::effects::Effects;
use crate::secrets;
use crate::span::Span;
use crate::unclear::{Unclear, Why};

/// Kinds that only hold other nodes, or say nothing by themselves.
const TRANSPARENT: &[&str] = &[
    "program",
    "statement_list",
    "pipeline",
    "pipeline_chain_tail",
    "assignment_value",
    "assignment_operator",
    "left_assignment_expression",
    "empty_statement",
    "unary_expression",
    "string_literal",
    "integer_literal",
    "decimal_integer_literal",
    "hexadecimal_integer_literal",
    "real_literal",
    "verbatim_string_characters",
    "command_name",
    "command_name_expr",
    "path_command_name",
    "path_command_name_token",
    "command_elements",
    "command_invocation_operator",
    "command_argument_sep",
    "command_parameter",
    "generic_token",
    "bareword_argument_list",
    "concatenated_command_argument",
    "expandable_bareword",
    "redirection",
    "redirected_file_name",
    "file_redirection_operator",
    "merging_redirection_operator",
    "escape_character",
    "script_block",
    "script_block_body",
    "named_block_list",
    "named_block",
    "block_name",
    "statement_block",
    "param_block",
    "parameter_list",
    "script_parameter",
    "script_parameter_default",
    "attribute_list",
    "function_name",
    "function_parameter_declaration",
    "if_statement",
    "elseif_clauses",
    "elseif_clause",
    "else_clause",
    "switch_statement",
    "switch_parameters",
    "switch_parameter",
    "switch_condition",
    "switch_body",
    "switch_clauses",
    "switch_clause",
    "switch_clause_condition",
    "foreach_statement",
    "for_statement",
    "for_initializer",
    "for_condition",
    "for_iterator",
    "while_statement",
    "while_condition",
    "do_statement",
    "try_statement",
    "catch_clauses",
    "catch_clause",
    "catch_type_list",
    "finally_clause",
    "trap_statement",
    "flow_control_statement",
    "label",
    "label_expression",
    "ternary_expression",
    "null_coalesce_expression",
    "logical_expression",
    "bitwise_expression",
    "comparison_expression",
    "comparison_operator",
    "additive_expression",
    "multiplicative_expression",
    "format_expression",
    "format_operator",
    "range_expression",
    "array_literal_expression",
    "expression_with_unary_operator",
    "parenthesized_expression",
    "hash_literal_expression",
    "hash_literal_body",
    "hash_entry",
    "key_expression",
    "member_name",
    "simple_name",
    "element_access",
    "argument_list",
    "argument_expression_list",
    "argument_expression",
    "ternary_argument_expression",
    "null_coalesce_argument_expression",
    "logical_argument_expression",
    "bitwise_argument_expression",
    "comparison_argument_expression",
    "additive_argument_expression",
    "multiplicative_argument_expression",
    "format_argument_expression",
    "range_argument_expression",
    "type_literal",
    "type_spec",
    "type_name",
    "type_identifier",
    "array_type_name",
    "dimension",
];

/// Kinds that put a text together out of parts.
const BUILDS_TEXT: &[&str] = &[
    "additive_expression",
    "additive_argument_expression",
    "multiplicative_expression",
    "format_expression",
    "format_argument_expression",
    "cast_expression",
    "invocation_expression",
    "multiplicative_argument_expression",
];

/// How much of the line a doubt repeats, in characters.
const LONGEST_DETAIL: usize = 80;

/// Reads one tree.
pub(super) struct Walker<'a> {
    pub(super) line: &'a str,
    outer: Option<Span>,
    pub(super) depth: usize,
    pub(super) reading: &'a mut PowerShellReading,
    /// Functions that the line defines before anything else could run, in small letters.
    pub(super) functions: Vec<String>,
    /// A path of which not even the beginning is known.
    pub(super) unknown_path: Option<Span>,
    builds_text: bool,
    /// The line spells out a place where credentials are kept.
    names_secret: bool,
    /// How many commands were there before this text.
    before: usize,
}

impl<'a> Walker<'a> {
    pub(super) fn new(
        line: &'a str,
        outer: Option<Span>,
        depth: usize,
        reading: &'a mut PowerShellReading,
    ) -> Walker<'a> {
        Walker {
            line,
            outer,
            depth,
            before: reading.commands.len(),
            reading,
            functions: Vec::new(),
            unknown_path: None,
            builds_text: false,
            names_secret: false,
        }
    }

    /// Walks everything below `root`, in the order of the line.
    pub(super) fn walk(&mut self, root: Node<'_>, placement: &'static str) {
        let mut stack = vec![(root, placement)];
        while let Some((node, placement)) = stack.pop() {
            let inner = self.visit(node, placement);
            stack.extend(tree::children(node).into_iter().rev().map(|child| (child, inner)));
        }
    }

    /// What can only be said when all has been seen.
    pub(super) fn finish(&mut self) {
        if let (Some(span), true) = (self.unknown_path, self.builds_text) {
            self.doubt(Why::NotModelled, "a path that the line puts together", span);
        }
        // `$f = '~/.netrc'; cat $f`: which of the unknown paths it is cannot be told, so all count.
        for command in self.reading.commands.iter_mut().skip(self.before).filter(|_| self.names_secret) {
            let unknown =
                |(file_use, _, literal): &(FileUse, String, bool)| *file_use == FileUse::Read && !*literal;
            if command.files.iter().any(unknown) {
                command.effects.add(Effects::SECRETS);
            }
        }
    }

    /// Where a node of this text stands in the line that was given.
    pub(super) fn place(&self, span: Span) -> Span {
        self.outer.unwrap_or(span)
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'a str {
        tree::span(node).of(self.line)
    }

    pub(super) fn doubt(&mut self, why: Why, detail: impl Into<String>, span: Span) {
        let span = self.place(span);
        let mut detail = detail.into();
        if let Some((end, _)) = detail.char_indices().nth(LONGEST_DETAIL) {
            detail.truncate(end);
        }
        self.reading.unclear.push(Unclear::new(why, detail, span));
    }

    /// Records what `node` itself does; the answer is where the nodes below it stand.
    fn visit(&mut self, node: Node<'_>, placement: &'static str) -> &'static str {
        let span = tree::span(node);
        if node.is_missing() {
            self.doubt(Why::Syntax, format!("`{}` is missing", node.kind()), span);
            return placement;
        }
        if !node.is_named() {
            return placement;
        }
        self.builds_text |= BUILDS_TEXT.contains(&node.kind());
        match node.kind() {
            "ERROR" => self.salvage(node, placement),
            "comment" => self.comment(node),
            "command" => self.command(node, placement),
            "pipeline_chain" => {
                let piped = tree::child(node, "|").is_some();
                return if piped && placement == "direct" { "piped" } else { placement };
            }
            "script_block_expression" => return "script-block",
            "sub_expression" | "array_expression" => return "substitution",
            "function_statement" => {
                self.function(node, placement);
                return "function";
            }
            "assignment_expression" => self.assignment(node, placement),
            "pre_increment_expression"
            | "pre_decrement_expression"
            | "post_increment_expression"
            | "post_decrement_expression" => self.assign_to(tree::only_child(node), placement),
            "invocation_expression" => self.invocation(node),
            "invocation_foreach_expression" | "invocation_where_expression" => self.block_method(node),
            "member_access" => self.member(node),
            "cast_expression" => self.cast(node),
            "attribute" => self.attribute(node),
            "variable" => self.variable(node, placement),
            "redirections" => self.redirected_expression(node, placement),
            "expandable_string_literal"
            | "expandable_here_string_literal"
            | "verbatim_here_string_characters" => {
                self.string(node);
            }
            "verbatim_command_argument" | "stop_parsing" => self.doubt(Why::Dialect, "--%", span),
            kind if TRANSPARENT.contains(&kind) => self.plain(node),
            "braced_variable" => {}
            kind => self.doubt(Why::NotModelled, kind.replace('_', " "), span),
        }
        placement
    }

    fn comment(&mut self, node: Node<'_>) {
        let before = self.line.get(..node.start_byte()).unwrap_or_default();
        if !bypass::is_surely_comment(before, self.text(node)) {
            self.doubt(Why::Syntax, "what looks like a comment may be code", tree::span(node));
        }
    }

    fn plain(&mut self, node: Node<'_>) {
        let kind = node.kind();
        if kind == "verbatim_string_characters" {
            self.string(node);
        }
        if matches!(
            kind,
            "generic_token" | "escape_character" | "expandable_bareword" | "concatenated_command_argument"
        ) {
            self.spells_place(&word::word(self.line, node));
        }
        if kind == "comparison_operator" {
            let operator = self.text(node).to_ascii_lowercase();
            self.builds_text |= ["join", "replace", "split"].iter().any(|name| operator.ends_with(name));
        }
    }

    fn string(&mut self, node: Node<'_>) {
        let word = word::word(self.line, node);
        if word.doubtful {
            self.doubt(Why::Syntax, "where this string ends is not certain", word.span);
        }
        self.builds_text |= word.text.starts_with('*') && !word.literal;
        self.builds_text |= matches!(word.text.as_str(), "\\" | "/");
        self.spells_place(&word);
    }

    /// Text that could become a path further on: another machine, or a credential.
    fn spells_place(&mut self, word: &Word) {
        let path = word.text.replace('\\', "/").to_ascii_lowercase();
        self.names_secret |= secrets::is_secret_path(&path, word.literal);
        let named = path.trim_start_matches('*').strip_prefix("//");
        if named.is_some_and(|host| host.starts_with(|first: char| first.is_alphanumeric() || first == '*')) {
            self.doubt(Why::NotModelled, "a path to another machine", word.span);
        }
    }

    fn function(&mut self, node: Node<'_>, placement: &str) {
        let span = tree::span(node);
        let name = tree::child(node, "function_name").map(|name| self.text(name).trim().to_ascii_lowercase());
        let name = name.unwrap_or_default();
        let shadows = cmdlets::find(&name).is_some() || aliases::resolve(&name).is_some();
        let hooks = ["prompt", "tabexpansion2", "psconsolehostreadline"].contains(&name.as_str());
        if shadows || hooks || name.contains(':') {
            self.doubt(Why::Changed, format!("`{name}` gets another meaning"), span);
        }
        let mut command = self.new_command(Some("Set-Item".to_owned()), span, "direct");
        command.arguments.push((format!("function:{name}"), true, self.place(span)));
        command.effects = Effects::SHELL_STATE;
        self.reading.commands.push(command);
        if placement == "direct" {
            self.functions.push(name);
        }
    }

    fn redirected_expression(&mut self, node: Node<'_>, placement: &'static str) {
        let mut command = self.new_command(Some("Out-File".to_owned()), tree::span(node), placement);
        for redirection in tree::children(node) {
            self.redirection(redirection, &mut command);
        }
        let targets = command.files.iter().filter(|(file_use, ..)| *file_use == FileUse::Write);
        command.arguments =
            targets.map(|(_, text, literal)| (text.clone(), *literal, command.span)).collect();
        if !command.files.is_empty() {
            self.reading.commands.push(command);
        }
    }

    pub(super) fn new_command(
        &self,
        program: Option<String>,
        span: Span,
        placement: &'static str,
    ) -> PowerShellCommand {
        PowerShellCommand {
            program,
            arguments: Vec::new(),
            span: self.place(span),
            effects: Effects::NONE,
            files: Vec::new(),
            redirects: Vec::new(),
            placement,
            external: false,
        }
    }
}
