//! Lists, pipelines, branches, loops and functions: in which order, and whether at all, commands run.

use super::expand::choices;
use super::state::State;
use super::{Input, Walker};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::reading::Placement;
use crate::secrets::is_secret_path;
use crate::span::Span;
use crate::syntax::tree::{Case, For, Function, If, Link, Node, Part, Script, Term, Test, Word};
use crate::unclear::Why;

/// The states after any earlier part of a chain that may have been the last to run: one that failed, so that what follows `&&`
/// was passed over, or one that succeeded, so that what follows `||` was.
#[derive(Default)]
struct Passed<'a> {
    failed: Option<Box<State<'a>>>,
    succeeded: Option<Box<State<'a>>>,
}

impl<'a> Walker<'a> {
    pub(super) fn script(&mut self, script: &Script<'a>) {
        let mut passed = Passed::default();
        let unguarded = std::mem::take(&mut self.unguarded);
        let mut alone = false;
        for item in script.items {
            if !self.spend(self.state.size(), Span::default()) {
                return;
            }
            // Under `set -e` nothing follows a `cd` that failed.
            let ends = unguarded && alone && self.state.ends_on_failure;
            self.link(item.link, &mut passed, ends);
            if item.background {
                if self.endless > 0 {
                    self.doubt(
                        Why::NotModelled,
                        "a loop that starts processes without waiting for them",
                        Span::default(),
                    );
                }
                self.isolated(self.placement, |walker| walker.node(&item.node));
            } else {
                self.node(&item.node);
                if self.ends(&item.node) {
                    self.state.end();
                }
            }
            alone = item.link == Link::Next && !item.background && matches!(item.node, Node::Simple(_));
        }
        self.rejoin_passed(&mut passed.failed);
        self.rejoin_passed(&mut passed.succeeded);
    }

    /// Goes on to the next part of a chain. Apart from the walk of that part, which goes deep: what is kept on the stack is
    /// kept for each level.
    #[inline(never)]
    fn link(&mut self, link: Link, passed: &mut Passed<'a>, ends: bool) {
        match link {
            Link::Next => {
                self.rejoin_passed(&mut passed.failed);
                self.rejoin_passed(&mut passed.succeeded);
                if ends {
                    self.state.succeeded();
                }
                self.state.moved_on();
            }
            Link::And => {
                let here = self.state.clone();
                let failed = passed.failed.take().map(|state| *state);
                passed.failed = Some(Box::new(self.joined(failed, here)));
                self.state.succeeded();
                self.rejoin_passed(&mut passed.succeeded);
            }
            Link::Or => {
                let mut here = self.state.clone();
                here.succeeded();
                let succeeded = passed.succeeded.take().map(|state| *state);
                passed.succeeded = Some(Box::new(self.joined(succeeded, here)));
                self.state.moved_on();
                self.rejoin_passed(&mut passed.failed);
            }
        }
    }

    #[inline(never)]
    fn rejoin_passed(&mut self, passed: &mut Option<Box<State<'a>>>) {
        if let Some(state) = passed.take() {
            self.rejoin(Some(*state));
        }
    }

    /// Whether nothing comes after the command: `exit`, or `return` in a function.
    fn ends(&self, node: &Node<'a>) -> bool {
        let Node::Simple(simple) = node else { return false };
        let words: Option<Vec<&str>> = simple.words.iter().map(Word::plain).collect();
        let words = words.unwrap_or_default();
        let number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        let name = words.first().copied().unwrap_or_default();
        (name == "exit" || (name == "return" && !self.inside.is_empty()))
            && words.len() < 3
            && words.iter().skip(1).all(number)
            && simple.redirects.is_empty()
            && simple.assignments.is_empty()
            && !self.state.is_function(name)
            && !self.state.is_alias(name)
    }

    fn rejoin(&mut self, other: Option<State<'a>>) {
        if let Some(other) = other {
            self.state.join(&other, self.arena);
        }
    }

    fn joined(&self, earlier: Option<State<'a>>, here: State<'a>) -> State<'a> {
        match earlier {
            Some(mut earlier) => {
                earlier.join(&here, self.arena);
                earlier
            }
            None => here,
        }
    }

    pub(super) fn node(&mut self, node: &Node<'a>) {
        match node {
            Node::Simple(simple) => self.simple(simple),
            Node::Pipeline(nodes) => self.pipeline(nodes),
            Node::Subshell(script) => self.isolated(Placement::Subshell, |walker| walker.script(script)),
            Node::Group(script) => self.script(script),
            Node::If(command) => self.if_command(command),
            Node::While(condition, body) => self.while_loop(condition, body),
            Node::For(command) => self.for_loop(command),
            Node::Count(expression, body) => {
                self.arithmetic(expression);
                self.loop_body(None, body);
            }
            Node::Case(command) => self.case_command(command),
            Node::Arithmetic(expression) => self.arithmetic(expression),
            Node::Test(test) => self.test(test),
            Node::Function(function) => self.function(function),
            Node::Not(node) => {
                self.node(node);
                self.state.moved_on();
            }
            Node::Coprocess(node) => self.isolated(Placement::Coprocess, |walker| walker.node(node)),
            Node::Redirected(node, redirects) => {
                let input = match self.group_redirects(redirects) {
                    // What is left of a text for the next who reads is not followed.
                    Some(Input::Text(_)) => Input::Unknown(None),
                    Some(input @ (Input::Inherited | Input::Unknown(_))) => input,
                    None => self.input,
                };
                let functions = self.state.functions();
                self.with_input(input, |walker| walker.node(node));
                // A file that cannot be opened keeps all of it from running; a function is defined all the same.
                if !matches!(**node, Node::Function(_)) {
                    self.state.doubt_new_functions(&functions);
                }
            }
        }
    }

    fn pipeline(&mut self, nodes: &[Node<'a>]) {
        let first = self.reading.commands.len();
        for (index, node) in nodes.iter().enumerate() {
            let before = self.printed_since(first);
            let (input, placement) = match index {
                0 => (self.input, self.placement),
                _ => (Input::Unknown(before), Placement::Piped),
            };
            self.piped = match (index, nodes.first(), node) {
                (1, Some(before), Node::Simple(_)) => self.prints(before),
                _ => None,
            };
            if self.dialect == Dialect::Zsh && index + 1 == nodes.len() {
                // zsh runs the last part in the shell itself.
                let before = self.state.clone();
                self.placed(placement, |walker| walker.with_input(input, |walker| walker.node(node)));
                self.state.join(&before, self.arena);
                continue;
            }
            self.isolated(placement, |walker| walker.with_input(input, |walker| walker.node(node)));
        }
    }

    fn if_command(&mut self, command: &If<'a>) {
        let mut ends: Option<State<'a>> = None;
        for (condition, body) in command.branches {
            self.script(condition);
            let before = self.state.clone();
            self.placed(Placement::Branch, |walker| walker.script(body));
            let after = std::mem::replace(&mut self.state, before);
            ends = Some(self.joined(ends, after));
        }
        if let Some(body) = &command.otherwise {
            self.placed(Placement::Branch, |walker| walker.script(body));
        }
        self.rejoin(ends);
    }

    fn while_loop(&mut self, condition: &Script<'a>, body: &Script<'a>) {
        self.endless += 1;
        self.loop_body(Some(condition), body);
        self.endless -= 1;
    }

    fn for_loop(&mut self, command: &For<'a>) {
        let value = match command.words {
            Some(words) => {
                let arguments = self.expand_all(words);
                self.lists_secrets(arguments);
                choices(arguments, self.arena, Span::default())
            }
            None => Argument { many: true, ..Argument::unknown(Span::default()) },
        };
        let asked = Argument { many: true, ..Argument::unknown(Span::default()) };
        self.assign(command.name, if command.asks { asked } else { value });
        self.loop_body(None, &command.body);
    }

    /// A loop over what a pattern finds in a place of credentials hands them to its body, by a name that does not say so.
    fn lists_secrets(&mut self, words: &[Argument<'a>]) {
        let mut secret = false;
        for word in words.iter().filter(|word| word.glob) {
            secret |= is_secret_path(word.text, false);
            self.state.locate(word.text, |path, _| secret |= is_secret_path(&path, false));
        }
        // The folders themselves: `for d in .ssh .aws; do cat ~/$d/*; done`.
        let folder = |word: &Argument<'a>| {
            let name = word.text.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
            name.starts_with('.') && is_secret_path(&format!("{name}/x"), true)
        };
        secret |= words.iter().any(|word| word.literal && folder(word));
        if secret {
            self.reading.shell.add(Effects::SECRETS);
        }
    }

    /// A body that may run any number of times, or not at all.
    fn loop_body(&mut self, condition: Option<&Script<'a>>, body: &Script<'a>) {
        let before = self.state.clone();
        self.repeated(|walker| {
            if let Some(condition) = condition {
                walker.script(condition);
            }
            walker.placed(Placement::Branch, |walker| walker.script(body));
        });
        self.state.join(&before, self.arena);
    }

    /// Walks something that may run again, or at another time, than where it stands.
    pub(super) fn repeated(&mut self, inner: impl FnOnce(&mut Self)) {
        self.repeated += 1;
        if self.knowledge.directory_moves {
            self.state.lose_directory();
        }
        let before = self.state.directory();
        inner(self);
        // The next round begins where this one ended.
        self.found.directory_moves |= self.state.directory() != before;
        self.repeated -= 1;
    }

    fn case_command(&mut self, command: &Case<'a>) {
        self.expand_one(&command.subject);
        let before = self.state.clone();
        let mut ends = Some(before.clone());
        for (patterns, body) in command.arms {
            self.state = before.clone();
            for pattern in *patterns {
                self.expand_one(pattern);
            }
            self.placed(Placement::Branch, |walker| walker.script(body));
            let after = self.state.clone();
            ends = Some(self.joined(ends, after));
        }
        self.state = before;
        self.rejoin(ends);
    }

    /// Forgets what does not hold at another time: variables, and the directory where the line changes it anywhere.
    pub(super) fn at_another_time(&mut self) {
        self.found.runs_later = true;
        if self.knowledge.moves || self.knowledge.hopeless {
            self.state.lose_directory();
        }
        // `tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT`: a new file that nothing else in the line can stand for.
        let knowledge = &self.knowledge;
        self.state.forget_variables_but(|name, value| {
            value.shape.is_some_and(|shape| shape.maybe_empty) && knowledge.is_settled(name)
        });
    }

    /// A function's body is walked where it is defined, as if it ran with nothing known.
    fn function(&mut self, function: &Function<'a>) {
        self.state.define_function(function.name);
        self.note_forwarding(function);
        self.isolated(Placement::Function, |walker| {
            walker.at_another_time();
            walker.inside.push(function.name);
            walker.repeated(|walker| walker.node(&function.body));
            walker.inside.pop();
        });
    }

    fn test(&mut self, test: &Test<'a>) {
        for term in test.terms {
            match term {
                Term::Word(word) => {
                    self.expand_one(word);
                    self.zsh_pattern(word.parts, word.span);
                }
                Term::Number(word) => self.arithmetic_parts(word.parts, word.span),
                Term::Variable(word) => {
                    let name = self.expand_one(word);
                    if !name.known().is_some_and(super::parameter::is_plain_name) {
                        self.doubt(Why::Arithmetic, name.text, word.span);
                    }
                }
            }
        }
        if test.terms.is_empty() {
            self.doubt(Why::Syntax, "an empty `[[ ]]`", test.span);
        }
    }

    /// zsh runs code in glob flags of a pattern.
    fn zsh_pattern(&mut self, parts: &[Part<'a>], span: Span) {
        let grouped = parts.iter().any(|part| matches!(part, Part::Glob("(" | "[")));
        if self.dialect == Dialect::Zsh && grouped {
            self.doubt(Why::Dialect, "a pattern with flags", span);
        }
    }
}
