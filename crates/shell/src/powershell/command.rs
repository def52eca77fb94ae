//! One command: which cmdlet or program its name stands for, and its words.
//!
//! A name is resolved by the built-in aliases only; what a profile or a module adds is not known.

use tree_sitter::Node;

use super::cmdlet::Cmdlet;
use super::cmdlets::{self, Role};
use super::walk::Walker;
use super::word::{self, Word};
use super::{FileUse, PowerShellCommand, aliases, tree};
use crate::effects::Effects;
use crate::span::Span;
use crate::unclear::Why;

/// Folders whose programs are the ones that their names say.
const SYSTEM_FOLDERS: &[&str] = &[
    "c:/windows/system32",
    "c:/windows",
    "c:/windows/system32/windowspowershell/v1.0",
    "c:/program files/git/cmd",
    "c:/program files/git/bin",
    "c:/program files/powershell/7",
    "c:/program files/nodejs",
    "/usr/bin",
    "/bin",
    "/usr/local/bin",
    "/usr/sbin",
    "/sbin",
];

/// One parameter or one argument, as it stands.
pub(super) struct Element {
    /// With its dash, as written.
    pub(super) parameter: Option<String>,
    /// The values of an argument: several when it is a list.
    pub(super) words: Vec<Word>,
    /// A colon ties it to the parameter before it.
    pub(super) colon: bool,
    /// Nothing stands between it and what comes before.
    pub(super) glued: bool,
    pub(super) span: Span,
}

/// What a command's name stands for.
pub(super) struct Name {
    pub(super) program: String,
    pub(super) cmdlet: Option<&'static Cmdlet>,
    pub(super) external: bool,
    pub(super) effects: Effects,
    pub(super) doubt: Option<(Why, String)>,
}

impl Walker<'_> {
    /// Reads one command node.
    pub(super) fn command(&mut self, node: Node<'_>, placement: &'static str) {
        let span = tree::span(node);
        let name = self.name_word(node);
        if name.block {
            // The block is read where it stands; only a redirection is left to record.
            let mut command = self.new_command(Some("Out-File".to_owned()), span, placement);
            self.elements(node, &mut command);
            if !command.files.is_empty() {
                self.reading.commands.push(command);
            }
            return;
        }
        let mut command = self.new_command(None, span, placement);
        let elements = self.elements(node, &mut command);
        if is_range(&name.text) && elements.is_empty() && command.files.is_empty() {
            return;
        }
        let piped = node.prev_sibling().is_some_and(|before| before.kind() == "|");
        if name.doubtful {
            self.doubt(Why::Syntax, format!("command name `{}`", name.span.of(self.line)), name.span);
        }
        if !name.literal || name.text.trim().is_empty() {
            self.doubt(Why::UnclearCommand, name.span.of(self.line), name.span);
            command.effects.add(Effects::UNKNOWN);
            command.arguments = self.arguments(&elements, true);
            self.reading.commands.push(command);
            return;
        }
        let resolved = resolve(&name.text, &self.functions);
        command.program = Some(resolved.program.clone());
        command.external = resolved.external;
        command.effects.add(resolved.effects);
        command.arguments = self.arguments(&elements, resolved.external);
        if let Some((why, detail)) = &resolved.doubt {
            self.doubt(*why, detail.clone(), name.span);
        }
        match resolved.cmdlet {
            Some(cmdlet) => self.run_cmdlet(cmdlet, &elements, piped, command),
            None => self.run_program(&elements, piped, command),
        }
    }

    fn name_word(&self, node: Node<'_>) -> Word {
        let name = tree::child(node, "command_name").or_else(|| tree::child(node, "command_name_expr"));
        let Some(name) = name else { return Word::unknown(tree::span(node)) };
        if name.kind() == "command_name" {
            return word::word(self.line, name);
        }
        tree::only_child(name).map_or(Word::unknown(tree::span(name)), |inner| word::word(self.line, inner))
    }

    /// The parameters and arguments of a command; redirections are recorded in `command`.
    fn elements(&mut self, node: Node<'_>, command: &mut PowerShellCommand) -> Vec<Element> {
        let Some(list) = tree::child(node, "command_elements") else { return Vec::new() };
        let mut elements = Vec::new();
        let (mut colon, mut end) = (false, list.start_byte());
        for part in tree::children(list) {
            let span = tree::span(part);
            match part.kind() {
                "command_argument_sep" => {
                    colon |= self.text(part).trim() == ":";
                    continue;
                }
                "redirection" => self.redirection(part, command),
                "comment" => {}
                _ => {
                    let glued = part.start_byte() == end && !elements.is_empty();
                    elements.push(self.element(part, colon, glued, command));
                }
            }
            (colon, end) = (false, span.end as usize);
        }
        elements
    }

    fn element(
        &mut self,
        part: Node<'_>,
        colon: bool,
        glued: bool,
        command: &mut PowerShellCommand,
    ) -> Element {
        let span = tree::span(part);
        let is_parameter = part.kind() == "command_parameter";
        let words =
            if is_parameter { vec![word::word(self.line, part)] } else { word::words(self.line, part) };
        for word in words.iter().filter(|word| word.doubtful) {
            self.doubt(Why::Syntax, format!("word `{}`", word.span.of(self.line)), word.span);
            if let Some((_, target)) = word.text.split_once('>').filter(|_| word.bare) {
                command.effects.add(Effects::WRITES);
                command.files.push((FileUse::Write, target.trim_start_matches('>').to_owned(), false));
            }
        }
        if glued && !colon && !words.iter().any(|word| word.block) {
            self.doubt(Why::NotModelled, "words without a blank between them", span);
        }
        if self.text(part).starts_with('@') && tree::unwrap(part).kind() == "variable" {
            self.doubt(Why::MaybeOption, self.text(part), span);
        }
        let parameter = is_parameter.then(|| self.text(part).to_owned());
        Element { parameter, words, colon, glued, span }
    }

    /// Records a redirection of `command`.
    pub(super) fn redirection(&mut self, node: Node<'_>, command: &mut PowerShellCommand) {
        let Some(target) = tree::child(node, "redirected_file_name") else { return };
        let operator =
            tree::child(node, "file_redirection_operator").map(|operator| self.text(operator).trim());
        if operator == Some("<") {
            self.doubt(Why::Syntax, "`<` is reserved", tree::span(node));
        }
        let parts = tree::children(target);
        let file = parts.iter().find(|part| part.is_named() && part.kind() != "command_argument_sep");
        let Some(file) = file else { return };
        let inner = tree::unwrap(*file);
        let discards = inner.kind() == "variable" && self.text(inner).eq_ignore_ascii_case("$null");
        let word = word::word(self.line, inner);
        if discards || (word.literal && word.text == "/dev/null") {
            return;
        }
        if word.doubtful {
            self.doubt(Why::Syntax, format!("word `{}`", self.text(inner)), word.span);
        }
        command.effects.add(Effects::WRITES);
        let before = command.files.len();
        self.path(Role::Write, &word, command);
        command.redirects.extend(before..command.files.len());
    }

    /// The words as they are shown, and as a program would get them.
    fn arguments(&self, elements: &[Element], external: bool) -> Vec<(String, bool, Span)> {
        let mut arguments: Vec<(String, bool, Span)> = Vec::new();
        for element in elements {
            for word in &element.words {
                let several = external && element.words.len() > 1;
                let literal = !several && if external { is_passed_on(word) } else { word.literal };
                match arguments.last_mut().filter(|_| element.glued || element.colon) {
                    Some((text, exact, span)) => {
                        text.push_str(if element.colon { ":" } else { "" });
                        text.push_str(&word.text);
                        *exact &= literal && element.colon;
                        *span = span.to(self.place(element.span));
                    }
                    None => arguments.push((word.text.clone(), literal, self.place(word.span))),
                }
            }
        }
        arguments
    }

    /// What can be saved of a stretch that the grammar could not read: names that stand where commands do.
    pub(super) fn salvage(&mut self, node: Node<'_>, placement: &'static str) {
        self.doubt(Why::Syntax, self.text(node), tree::span(node));
        let parts = tree::children(node);
        for (index, part) in parts.iter().enumerate() {
            if !matches!(part.kind(), "command_name" | "simple_name" | "generic_token") {
                continue;
            }
            let is_word = |part: &&Node<'_>| {
                matches!(
                    part.kind(),
                    "generic_token" | "command_parameter" | "command_argument_sep" | "simple_name"
                )
            };
            let following = parts.iter().skip(index + 1).take_while(is_word);
            let following = following.filter(|part| part.kind() != "command_argument_sep");
            let resolved = resolve(self.text(*part).trim(), &[]);
            let mut command = self.new_command(Some(resolved.program), tree::span(*part), placement);
            command.arguments = following
                .map(|part| (self.text(*part).to_owned(), false, self.place(tree::span(*part))))
                .collect();
            command.effects =
                Effects::UNKNOWN.and(resolved.cmdlet.map_or(Effects::NONE, |known| known.effects));
            command.external = resolved.external;
            self.reading.commands.push(command);
        }
    }
}

/// `1..3`, which the grammar takes for a command, is a list of numbers.
fn is_range(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.split_once("..").is_some_and(|(first, last)| digits(first) && digits(last))
}

/// Whether a program gets this word exactly as it stands. Older versions of PowerShell do not escape
/// quotes for programs and drop empty words; on Unix they expand wildcards.
fn is_passed_on(word: &Word) -> bool {
    let broken = word.text.is_empty()
        || word.text.contains('"')
        || (word.text.ends_with('\\') && word.text.contains(' '));
    let expanded = word.bare && word.has_wildcard();
    word.literal && !word.doubtful && !broken && !expanded
}

/// What the command name `text` stands for.
pub(super) fn resolve(text: &str, functions: &[String]) -> Name {
    let lower = text.to_ascii_lowercase();
    let qualified = lower.replace('\\', "/");
    let short = aliases::resolve(&lower);
    if let Some((folder, base)) = qualified.rsplit_once('/').filter(|_| short.is_none()) {
        let module =
            folder.starts_with("microsoft.powershell.") && !folder.contains('/') && lower.contains('\\');
        if module {
            return unqualified(base, &[]);
        }
        return in_folder(folder, base);
    }
    unqualified(&lower, functions)
}

fn unqualified(lower: &str, functions: &[String]) -> Name {
    let effects = Effects::NONE;
    if functions.iter().any(|known| known == lower) {
        return Name { program: lower.to_owned(), cmdlet: None, external: false, effects, doubt: None };
    }
    let canonical = aliases::resolve(lower);
    if let Some(cmdlet) = cmdlets::find(canonical.unwrap_or(lower)) {
        // Elsewhere than on Windows `wget` is the program, which writes a file.
        let effects = if lower == "wget" { Effects::WRITES } else { effects };
        let doubt =
            (lower == "sc").then(|| (Why::Dialect, String::from("`sc` is Set-Content or the service tool")));
        let program = cmdlet.name.to_owned();
        return Name {
            program,
            cmdlet: Some(cmdlet),
            external: false,
            effects: effects.and(cmdlet.effects),
            doubt,
        };
    }
    if canonical.is_some() || aliases::is_cmdlet_like(lower) {
        let program = canonical.unwrap_or(lower).to_owned();
        let doubt = Some((Why::UnknownCommand, program.clone()));
        return Name { program, cmdlet: None, external: false, effects: Effects::UNKNOWN, doubt };
    }
    program(lower)
}

/// A program named with its folder: the name counts for rules, but only in a system folder is it surely that program.
fn in_folder(folder: &str, base: &str) -> Name {
    let mut name = program(base);
    if !SYSTEM_FOLDERS.contains(&folder) {
        name.doubt = Some((Why::UnknownCommand, format!("{folder}/{base}")));
        name.effects.add(Effects::EXECUTES);
        if let Some(cmdlet) = cmdlets::find(base) {
            cmdlet.name.clone_into(&mut name.program);
        }
    }
    if folder.starts_with("//") || folder.is_empty() {
        name.effects.add(Effects::NETWORK_READ.and(Effects::SENDS_DATA));
    }
    name
}

fn program(base: &str) -> Name {
    let endings = [".exe", ".com", ".cmd", ".bat"];
    let stem = endings.iter().find_map(|ending| base.strip_suffix(ending)).unwrap_or(base);
    let script = [".ps1", ".psm1", ".cmd", ".bat", ".vbs", ".js"].iter().any(|ending| base.ends_with(ending));
    let effects = if script { Effects::EXECUTES } else { Effects::NONE };
    Name { program: stem.to_owned(), cmdlet: None, external: true, effects, doubt: None }
}
