//! What expressions do: variables that are set, methods that are called, types that are named.
//!
//! Methods and types are not modelled, save for short lists that only compute.

use tree_sitter::Node;

use super::tree;
use super::walk::Walker;
use crate::effects::Effects;
use crate::span::Span;
use crate::unclear::Why;

/// Methods that only compute, whatever kind of object common commands give them.
const METHODS: &[&str] = &[
    "toupper",
    "tolower",
    "toupperinvariant",
    "tolowerinvariant",
    "trim",
    "trimstart",
    "trimend",
    "split",
    "substring",
    "contains",
    "startswith",
    "endswith",
    "indexof",
    "lastindexof",
    "padleft",
    "padright",
    "tostring",
    "equals",
    "gettype",
    "compareto",
    "tochararray",
    "adddays",
    "addhours",
    "addminutes",
    "addseconds",
    "addmonths",
    "addyears",
    "touniversaltime",
    "tolocaltime",
    "containskey",
    "gethashcode",
];

/// Properties that hold text: what follows them is a method of a string. `Replace` of a file writes.
const TEXTS: &[&str] =
    &["name", "fullname", "basename", "extension", "line", "path", "directoryname", "message", "processname"];

/// Static members that only compute: a type in small letters, then its members, `*` for all.
const STATIC: &[(&str, &str)] = &[
    ("math", "*"),
    ("bigint", "*"),
    ("char", "*"),
    ("datetime", "now utcnow today parse parseexact maxvalue minvalue isleapyear daysinmonth"),
    ("datetimeoffset", "now utcnow"),
    ("timespan", "fromdays fromhours fromminutes fromseconds frommilliseconds zero parse"),
    ("string", "join format isnullorempty isnullorwhitespace empty concat compare equals"),
    ("int", "parse maxvalue minvalue"),
    ("int32", "parse maxvalue minvalue"),
    ("long", "parse maxvalue minvalue"),
    ("int64", "parse maxvalue minvalue"),
    ("double", "parse maxvalue minvalue nan"),
    ("bool", "parse"),
    ("guid", "newguid empty parse"),
    ("version", "parse"),
    ("environment", "newline processorcount osversion is64bitoperatingsystem machinename version"),
    (
        "io.path",
        "combine getfilename getextension getfilenamewithoutextension getdirectoryname directoryseparatorchar",
    ),
    ("convert", "toint32 toint64 todouble tostring toboolean"),
    ("regex", "match matches escape split ismatch"),
    ("stringcomparison", "*"),
    ("stringcomparer", "ordinal ordinalignorecase"),
];

/// Types to which a value can be turned without anything happening.
const CASTS: &[&str] = &[
    "int",
    "int32",
    "int64",
    "long",
    "uint32",
    "uint64",
    "byte",
    "double",
    "float",
    "single",
    "decimal",
    "bool",
    "boolean",
    "string",
    "char",
    "datetime",
    "timespan",
    "version",
    "array",
    "hashtable",
    "ordered",
    "pscustomobject",
    "psobject",
    "object",
    "regex",
    "guid",
    "void",
    "switch",
    "bigint",
    "ipaddress",
    "math",
];

/// Variables that change what commands mean.
const CHANGING: &[&str] = &["psdefaultparametervalues", "executioncontext", "psnativecommandargumentpassing"];

impl Walker<'_> {
    pub(super) fn assignment(&mut self, node: Node<'_>, placement: &'static str) {
        let target = tree::child(node, "left_assignment_expression").and_then(tree::only_child);
        self.assign_to(target, placement);
    }

    /// Records that the variables in `target` get a value.
    pub(super) fn assign_to(&mut self, target: Option<Node<'_>>, placement: &'static str) {
        let Some(target) = target else { return };
        let inner = uncast(tree::unwrap(target));
        let span = tree::span(inner);
        match inner.kind() {
            "variable" => self.set_variable(&variable_name(self.text(inner)), span, placement),
            "array_literal_expression" => {
                for item in tree::children(inner).into_iter().filter(Node::is_named) {
                    let item = uncast(tree::unwrap(item));
                    if item.kind() == "variable" {
                        self.set_variable(&variable_name(self.text(item)), tree::span(item), placement);
                    } else {
                        self.doubt(Why::NotModelled, "sets something that is not a variable", span);
                    }
                }
            }
            _ => self.doubt(Why::NotModelled, "sets something that is not a variable", span),
        }
    }

    /// Records that the variable called `name` (in small letters, with its scope) gets a value.
    pub(super) fn set_variable(&mut self, name: &str, span: Span, placement: &'static str) {
        let (scope, plain) = scope(name);
        let (program, argument, effects) = match scope {
            Scope::Variable => ("Set-Variable", plain.to_owned(), Effects::SHELL_STATE),
            Scope::Environment => ("Set-Item", format!("env:{plain}"), Effects::ENVIRONMENT),
            Scope::Drive => ("Set-Item", name.to_owned(), Effects::WRITES),
        };
        let drive = scope == Scope::Drive;
        if drive || CHANGING.contains(&plain) || (scope == Scope::Variable && plain.contains(['*', '?', '[']))
        {
            self.doubt(Why::Changed, format!("sets `{name}`"), span);
        }
        let mut command = self.new_command(Some(program.to_owned()), span, placement);
        command.arguments.push((argument, true, self.place(span)));
        command.effects = effects;
        self.reading.commands.push(command);
    }

    /// A variable that is read (or set: the assignment has said so already).
    pub(super) fn variable(&mut self, node: Node<'_>, placement: &'static str) {
        let name = variable_name(self.text(node));
        let span = tree::span(node);
        let (scope, plain) = scope(&name);
        match scope {
            Scope::Variable if matches!(plain, "executioncontext" | "pscmdlet") => {
                self.doubt(Why::Changed, format!("`${plain}` can run anything"), span);
            }
            Scope::Environment if super::path::is_secret_variable(plain) => {
                let mut command = self.new_command(Some("Get-Item".to_owned()), span, placement);
                command.arguments.push((format!("env:{plain}"), true, self.place(span)));
                command.effects = Effects::READS.and(Effects::SECRETS);
                self.reading.commands.push(command);
            }
            Scope::Variable | Scope::Environment => {}
            Scope::Drive => self.doubt(Why::NotModelled, format!("`${{{name}}}` is not a variable"), span),
        }
    }

    /// `.Method(…)` or `[type]::Method(…)`.
    pub(super) fn invocation(&mut self, node: Node<'_>) {
        let parts = tree::children(node);
        let [receiver, operator, member, ..] = parts.as_slice() else { return };
        let name = self.text(*member).trim().to_ascii_lowercase();
        let plain = tree::only_child(*member).is_some_and(|name| name.kind() == "simple_name");
        let known = match self.text(*operator).trim() {
            "::" => self.is_known_static(*receiver, &name),
            _ => METHODS.contains(&name.as_str()) || (name == "replace" && self.is_text(*receiver)),
        };
        if !plain || !known {
            self.doubt(Why::NotModelled, format!("calls `{}`", self.text(node)), tree::span(node));
        }
    }

    /// `.ForEach(…)` and `.Where(…)`: with a block they run it, with a name they call a method of that name.
    pub(super) fn block_method(&mut self, node: Node<'_>) {
        let list =
            tree::child(node, "argument_list").and_then(|list| tree::child(list, "argument_expression_list"));
        let Some(list) = list else { return };
        let first = tree::children(list).first().map(|argument| tree::unwrap(*argument).kind());
        if first != Some("script_block_expression") {
            self.doubt(Why::NotModelled, format!("calls `{}`", self.text(node)), tree::span(node));
        }
    }

    /// `.Member` or `[type]::Member`.
    pub(super) fn member(&mut self, node: Node<'_>) {
        let parts = tree::children(node);
        let [receiver, operator, member] = parts.as_slice() else { return };
        let name = self.text(*member).trim().to_ascii_lowercase();
        let plain = tree::only_child(*member)
            .is_some_and(|name| matches!(name.kind(), "simple_name" | "string_literal"));
        let is_static = self.text(*operator).trim() == "::";
        if !plain || (is_static && !self.is_known_static(*receiver, &name)) {
            self.doubt(Why::NotModelled, format!("reads `{}`", self.text(node)), tree::span(node));
        }
    }

    pub(super) fn cast(&mut self, node: Node<'_>) {
        let name =
            tree::child(node, "type_literal").map(|literal| self.type_name(literal)).unwrap_or_default();
        if !CASTS.contains(&name.trim_end_matches("[]")) {
            self.doubt(Why::NotModelled, format!("turns a value into `{name}`"), tree::span(node));
        }
    }

    /// An attribute of a parameter: only a plain type is known.
    pub(super) fn attribute(&mut self, node: Node<'_>) {
        let literal = tree::only_child(node).filter(|child| child.kind() == "type_literal");
        let name = literal.map(|literal| self.type_name(literal)).unwrap_or_default();
        if !CASTS.contains(&name.trim_end_matches("[]")) {
            self.doubt(Why::NotModelled, "an attribute", tree::span(node));
        }
    }

    fn is_known_static(&self, receiver: Node<'_>, member: &str) -> bool {
        let literal = tree::unwrap(receiver);
        let name = self.type_name(literal);
        let found = STATIC.iter().find(|(known, _)| *known == name);
        let members = found.filter(|_| literal.kind() == "type_literal").map(|(_, members)| *members);
        members.is_some_and(|members| members == "*" || members.split(' ').any(|known| known == member))
    }

    fn is_text(&self, receiver: Node<'_>) -> bool {
        let inner = tree::unwrap(receiver);
        let last = tree::child(inner, "member_name").map(|member| self.text(member).to_ascii_lowercase());
        match inner.kind() {
            "expandable_string_literal" | "verbatim_string_characters" => true,
            "member_access" => last.is_some_and(|name| TEXTS.contains(&name.as_str())),
            "invocation_expression" => last.is_some_and(|name| {
                ["toupper", "tolower", "trim", "trimend", "trimstart", "substring", "tostring", "replace"]
                    .contains(&name.as_str())
            }),
            _ => false,
        }
    }

    /// The name in `[…]`, in small letters and without `System.`.
    fn type_name(&self, literal: Node<'_>) -> String {
        let text = self.text(literal).trim();
        let name = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        let name = name.trim().to_ascii_lowercase();
        name.strip_prefix("system.").map(ToOwned::to_owned).unwrap_or(name)
    }
}

/// What stands before the colon of a variable's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Variable,
    Environment,
    /// A drive: the variable is the content of a file, a function or an alias.
    Drive,
}

fn scope(name: &str) -> (Scope, &str) {
    match name.split_once(':') {
        None => (Scope::Variable, name),
        Some(("env", plain)) => (Scope::Environment, plain),
        Some(("global" | "local" | "private" | "script" | "using" | "workflow" | "variable", plain)) => {
            (Scope::Variable, plain)
        }
        Some(_) => (Scope::Drive, name),
    }
}

/// The name of a variable in small letters, without `$`, `@` and braces.
fn variable_name(text: &str) -> String {
    let name = text.trim().trim_start_matches(['$', '@']);
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    name.replace('`', "").to_ascii_lowercase()
}

/// `[type]$x` stands for `$x`.
fn uncast(node: Node<'_>) -> Node<'_> {
    let cast = if node.kind() == "expression_with_unary_operator" {
        tree::child(node, "cast_expression")
    } else {
        None
    };
    let operand = cast.and_then(|cast| tree::child(cast, "unary_expression"));
    operand.map_or(node, tree::unwrap)
}
