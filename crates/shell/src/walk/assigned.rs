//! Which variables a loop body may change: their values are unknown from the second round on.

use crate::syntax::tree::{Arithmetic, Assigned, If, Node, Operation, Part, Script, Simple, Word};

/// What a body changes.
#[derive(Default)]
pub(super) struct Changes<'a> {
    /// Names, and whether each change leaves a number.
    pub(super) names: Vec<(&'a str, bool)>,
    /// A command in it can change any variable (`eval`, `source`, a function, `read` with computed names).
    pub(super) anything: bool,
    pub(super) directory: bool,
    /// Something is started with `&`.
    pub(super) background: bool,
}

impl<'a> Changes<'a> {
    pub(super) fn of(script: &Script<'a>) -> Changes<'a> {
        let mut changes = Changes::default();
        changes.script(script);
        changes
    }

    pub(super) fn script(&mut self, script: &Script<'a>) {
        for item in script.items {
            self.background |= item.background;
            self.node(&item.node);
        }
    }

    fn node(&mut self, node: &Node<'a>) {
        match node {
            Node::Simple(simple) => self.simple(simple),
            Node::Pipeline(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::Subshell(script) | Node::Group(script) => self.script(script),
            Node::If(If { branches, otherwise }) => {
                for (condition, body) in *branches {
                    self.script(condition);
                    self.script(body);
                }
                if let Some(body) = otherwise {
                    self.script(body);
                }
            }
            Node::While(condition, body) => {
                self.script(condition);
                self.script(body);
            }
            Node::For(each) => {
                self.names.push((each.name, false));
                self.script(&each.body);
            }
            Node::Count(expression, body) => {
                self.arithmetic(expression);
                self.script(body);
            }
            Node::Case(case) => case.arms.iter().for_each(|(_, body)| self.script(body)),
            Node::Arithmetic(expression) => self.arithmetic(expression),
            Node::Test(_) => {}
            Node::Function(function) => self.node(&function.body),
            Node::Coprocess(node) | Node::Redirected(node, _) => self.node(node),
        }
    }

    fn simple(&mut self, simple: &Simple<'a>) {
        for assignment in simple.assignments {
            let numeric = match assignment.value {
                Assigned::Word(word) => is_number(&word) && !assignment.append,
                Assigned::Array(_) => false,
            };
            self.names.push((assignment.name, numeric));
        }
        let mut words = simple.words.iter();
        match words.next().map(Word::plain) {
            None => {}
            Some(Some("cd" | "pushd" | "popd")) => self.directory = true,
            Some(Some(
                "read" | "mapfile" | "readarray" | "declare" | "typeset" | "local" | "export" | "readonly"
                | "unset" | "getopts",
            )) => {
                self.named(words);
            }
            Some(Some("printf" | "let" | "eval" | "source" | "." | "wait" | "shift" | "set") | None) => {
                self.anything = true;
            }
            Some(Some(_)) => {}
        }
        for word in simple.words {
            self.defaults(word);
        }
    }

    fn named(&mut self, words: std::slice::Iter<'_, Word<'a>>) {
        for word in words {
            match word.parts.first() {
                Some(Part::Literal(text)) => {
                    let name = text.split(['=', '+', '[']).next().unwrap_or_default();
                    self.names.push((name, false));
                    self.anything |= word.parts.len() > 1 && !text.contains('=');
                }
                _ => self.anything = true,
            }
        }
    }

    /// `${x:=w}` assigns.
    fn defaults(&mut self, word: &Word<'a>) {
        for part in word.parts {
            if let Part::Parameter(parameter, _) = part
                && matches!(parameter.operation, Operation::Assign(_))
            {
                self.names.push((parameter.name, false));
            }
        }
    }

    fn arithmetic(&mut self, expression: &Arithmetic<'a>) {
        for part in expression.parts {
            if let Part::Literal(text) = part {
                let names =
                    text.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_'));
                self.names.extend(names.filter(|name| !name.is_empty()).map(|name| (name, true)));
            }
        }
    }
}

fn is_number(word: &Word<'_>) -> bool {
    match word.parts {
        [Part::Literal(text) | Part::Quoted(text)] => {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
        }
        [Part::Arithmetic(..)] => true,
        _ => false,
    }
}
