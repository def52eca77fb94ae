//! How the words of a cmdlet meet its parameters, and what follows from them.
//!
//! Names may be shortened, as PowerShell allows, as long as only one known parameter fits.

use super::cmdlet::Cmdlet;
use super::cmdlets::{self, COMMON, Role};
use super::command::{self, Element};
use super::nested::{self, Source};
use super::walk::Walker;
use super::word::Word;
use super::{PowerShellCommand, path};
use crate::effects::Effects;
use crate::programs::address::{self, Place};
use crate::span::Span;
use crate::unclear::Why;

/// Properties that `ForEach-Object` may name; any other name could be a method, which it would call.
const PROPERTIES: &[&str] = &[
    "name",
    "fullname",
    "basename",
    "extension",
    "length",
    "path",
    "line",
    "linenumber",
    "id",
    "processname",
    "count",
    "value",
    "key",
    "directoryname",
    "pschildname",
    "definition",
    "version",
    "status",
    "displayname",
    "lastwritetime",
];

/// A parameter with the values it got.
struct Bound<'e> {
    name: &'static str,
    role: Role,
    words: &'e [Word],
}

impl Walker<'_> {
    /// Records what a cmdlet does with its words.
    pub(super) fn run_cmdlet(
        &mut self,
        cmdlet: &'static Cmdlet,
        elements: &[Element],
        piped: bool,
        mut command: PowerShellCommand,
    ) {
        let bound = self.bind(cmdlet, elements);
        let mut variables = Vec::new();
        let mut code = Vec::new();
        let mut programs = Vec::new();
        for parameter in &bound {
            for word in parameter.words {
                match parameter.role {
                    Role::Read | Role::Write | Role::Delete | Role::Move | Role::Place => {
                        self.path(parameter.role, word, &mut command);
                    }
                    Role::Variable => variables.push(word),
                    Role::Code => code.push(word),
                    Role::Program => programs.push(word),
                    Role::Address => self.address(word, &mut command),
                    Role::Sent => command.effects.add(Effects::NETWORK_WRITE.and(Effects::SENDS_DATA)),
                    Role::Switch | Role::Plain => {}
                }
            }
        }
        self.through_pipe(cmdlet, &bound, piped, &mut command);
        self.particular(cmdlet, &bound, &mut command);
        let (span, placement) = (command.span, command.placement);
        self.reading.commands.push(command);
        for word in variables {
            let known = word.literal && !word.has_wildcard();
            let name = word.text.trim_start_matches('+').to_ascii_lowercase();
            self.set_variable(if known { &name } else { "*" }, word.span, placement);
        }
        if cmdlet.name == "Invoke-Expression" {
            self.evaluate(&code, piped, span);
        }
        for word in programs {
            self.start(word, &bound, placement);
        }
    }

    /// Which value belongs to which parameter. What fits none is named as unclear.
    fn bind<'e>(&mut self, cmdlet: &'static Cmdlet, elements: &'e [Element]) -> Vec<Bound<'e>> {
        let mut bound: Vec<Bound<'e>> = Vec::new();
        let mut positional: Vec<&'e Element> = Vec::new();
        let mut elements = elements.iter().peekable();
        while let Some(element) = elements.next() {
            let Some(written) = &element.parameter else {
                positional.push(element);
                continue;
            };
            let with_colon = elements.peek().is_some_and(|next| next.colon);
            let Some((name, role)) = find_parameter(cmdlet, written) else {
                self.doubt(Why::UnknownOption, written.clone(), element.span);
                elements.next_if(|next| next.colon);
                continue;
            };
            if role == Role::Switch {
                elements.next_if(|next| next.colon);
                bound.push(Bound { name, role, words: &[] });
                continue;
            }
            match elements.next_if(|next| next.parameter.is_none() || with_colon) {
                Some(value) => bound.push(Bound { name, role, words: &value.words }),
                None => self.doubt(Why::UnknownOption, format!("{written} without a value"), element.span),
            }
        }
        let named: Vec<&str> = bound.iter().map(|parameter| parameter.name).collect();
        let mut places =
            cmdlet.positions.split_whitespace().filter(|place| !named.contains(place)).peekable();
        for element in positional {
            let rest = places.peek().filter(|place| place.ends_with('*')).copied();
            let place = rest.or_else(|| places.next());
            let found = place.and_then(|place| find_parameter(cmdlet, place.trim_end_matches('*')));
            let dashed = element.words.iter().any(|word| word.bare && word.text.starts_with('-'));
            match found {
                Some((name, role)) if !dashed => bound.push(Bound { name, role, words: &element.words }),
                Some(_) | None => self.doubt(Why::UnknownOperand, element.span.of(self.line), element.span),
            }
        }
        bound
    }

    /// Paths and data that come through the pipe.
    fn through_pipe(
        &mut self,
        cmdlet: &Cmdlet,
        bound: &[Bound<'_>],
        piped: bool,
        command: &mut PowerShellCommand,
    ) {
        let is_path =
            |role: Role| matches!(role, Role::Read | Role::Write | Role::Delete | Role::Move | Role::Place);
        let first =
            cmdlet.positions.split_whitespace().next().and_then(|place| find_parameter(cmdlet, place));
        let takes_value = bound.iter().any(|parameter| is_path(parameter.role));
        if let Some((_, role)) = first.filter(|(_, role)| piped && !takes_value && is_path(*role)) {
            self.path(role, &Word::unknown(command.span), command);
        }
        if piped && first.is_some_and(|(_, role)| role == Role::Address) {
            command.effects.add(Effects::NETWORK_WRITE.and(Effects::SENDS_DATA));
        }
    }

    /// What single cmdlets do beyond their tables.
    fn particular(&mut self, cmdlet: &Cmdlet, bound: &[Bound<'_>], command: &mut PowerShellCommand) {
        let span = command.span;
        let actions = ["ErrorAction", "ea", "WarningAction", "wa", "InformationAction", "infa"];
        let mut stops = actions.into_iter().flat_map(|name| values(bound, name));
        if stops.any(|word| !word.literal || word.text.eq_ignore_ascii_case("break")) {
            self.reading.unclear.push(crate::Unclear::new(Why::NotModelled, "starts the debugger", span));
        }
        match cmdlet.name {
            "Invoke-WebRequest" | "Invoke-RestMethod" => web_request(bound, command),
            "Start-Process" => {
                let verb = values(bound, "Verb").next();
                let elevates =
                    verb.is_some_and(|word| !word.literal || word.text.eq_ignore_ascii_case("runas"));
                command.effects.add(if elevates { Effects::PRIVILEGE } else { Effects::NONE });
            }
            "Invoke-Command" => self.remote(bound, command),
            "ForEach-Object" => self.members(bound),
            "Set-Alias" | "New-Alias" | "Import-Alias" => {
                self.reading.unclear.push(crate::Unclear::new(
                    Why::Changed,
                    "a name gets another meaning",
                    span,
                ));
            }
            "Add-Type" | "Import-Module" | "Set-PSBreakpoint" | "Invoke-CimMethod" | "Invoke-WmiMethod" => {
                self.reading.unclear.push(crate::Unclear::new(Why::NotModelled, cmdlet.name, span));
            }
            "Get-Variable" | "Get-History" => {
                let secret = values(bound, "Name")
                    .any(|word| path::is_secret_variable(&word.text.to_ascii_lowercase()));
                command.effects.add(if secret { Effects::SECRETS } else { Effects::NONE });
            }
            _ => {}
        }
    }

    /// A block that is run here is read where it stands; elsewhere it changes another machine.
    fn remote(&mut self, bound: &[Bound<'_>], command: &mut PowerShellCommand) {
        let here = ["ScriptBlock", "Command", "ArgumentList", "Args", "NoNewScope", "InputObject"];
        if bound.iter().any(|parameter| !here.contains(&parameter.name) && !is_common(parameter.name)) {
            let away = Effects::NETWORK_WRITE.and(Effects::SENDS_DATA);
            command.effects.add(Effects::EXECUTES.and(away));
        }
        let blocks = values(bound, "ScriptBlock").chain(values(bound, "Command"));
        let unknown: Vec<Span> = blocks.filter(|word| !word.block).map(|word| word.span).collect();
        for span in unknown {
            self.doubt(Why::UnclearCode, span.of(self.line), span);
        }
    }

    /// `ForEach-Object Name` reads a property or calls a method.
    fn members(&mut self, bound: &[Bound<'_>]) {
        let all = ["Process", "MemberName", "Begin", "End", "RemainingScripts", "Parallel"];
        for word in all.into_iter().flat_map(|name| values(bound, name)).filter(|word| !word.block) {
            let known = word.literal && PROPERTIES.contains(&word.text.to_ascii_lowercase().as_str());
            if !known {
                self.doubt(Why::NotModelled, format!("member `{}`", word.span.of(self.line)), word.span);
            }
        }
    }

    fn address(&mut self, word: &Word, command: &mut PowerShellCommand) {
        let unclear = Effects::NETWORK_READ.and(Effects::NETWORK_WRITE);
        if !word.literal {
            command.effects.add(unclear.and(Effects::SENDS_DATA));
            return;
        }
        match address::place(&word.text) {
            Place::Public => command.effects.add(Effects::NETWORK_READ),
            Place::File(file) => self.path(Role::Read, &Word::literal(file, word.span), command),
            Place::Metadata => command.effects.add(Effects::NETWORK_READ.and(Effects::SECRETS)),
            Place::Local | Place::Unclear => command.effects.add(unclear),
        }
    }

    /// Text that is run as code.
    fn evaluate(&mut self, code: &[&Word], piped: bool, span: Span) {
        if piped || code.is_empty() {
            self.reading.unclear.push(crate::Unclear::new(
                Why::UnclearCode,
                "runs what comes through the pipe",
                span,
            ));
        }
        for word in code {
            self.run_text(word);
        }
    }

    pub(super) fn run_text(&mut self, word: &Word) {
        if word.literal && !word.doubtful {
            Source::string(&word.text, self.place(word.span), self.depth).read_into(self.reading);
        } else if !word.block {
            self.doubt(Why::UnclearCode, word.span.of(self.line), word.span);
        }
    }

    pub(super) fn run_encoded(&mut self, word: &Word) {
        match nested::decode(&word.text).filter(|_| word.literal) {
            Some(text) => Source::string(&text, self.place(word.span), self.depth).read_into(self.reading),
            None => self.doubt(Why::UnclearCode, word.span.of(self.line), word.span),
        }
    }

    /// A program that another command starts.
    fn start(&mut self, word: &Word, bound: &[Bound<'_>], placement: &'static str) {
        let mut command = self.new_command(None, word.span, placement);
        command.external = true;
        command.effects = Effects::EXECUTES;
        if word.literal && !word.has_wildcard() {
            let resolved = command::resolve(&word.text, &[]);
            // `Start-Process` looks for programs and documents, never for cmdlets.
            let stem = word.text.to_ascii_lowercase();
            command.program = Some(if resolved.external { resolved.program } else { stem });
            command.effects.add(resolved.effects.without(Effects::UNKNOWN));
        } else {
            self.doubt(Why::UnclearCommand, word.span.of(self.line), word.span);
        }
        for argument in values(bound, "ArgumentList").chain(values(bound, "Args")) {
            let pieces = argument.text.split_whitespace();
            let literal = argument.literal && !argument.text.contains('"');
            let shown = pieces.map(|piece| (piece.to_owned(), literal, self.place(argument.span)));
            command.arguments.extend(shown);
        }
        self.run_shell(command);
    }
}

fn web_request(bound: &[Bound<'_>], command: &mut PowerShellCommand) {
    let reads = ["get", "head", "options", "default"];
    let methods = values(bound, "Method").chain(values(bound, "CustomMethod"));
    let changes = methods
        .into_iter()
        .any(|word| !word.literal || !reads.contains(&word.text.to_ascii_lowercase().as_str()));
    let authenticates = bound.iter().any(|parameter| parameter.name == "UseDefaultCredentials");
    if changes || authenticates {
        command.effects.add(Effects::NETWORK_WRITE.and(Effects::SENDS_DATA));
    }
    if bound.iter().any(|parameter| parameter.name == "OutFile") {
        command.effects.add(Effects::WRITES);
    }
}

fn values<'e>(bound: &'e [Bound<'e>], name: &'static str) -> impl Iterator<Item = &'e Word> + use<'e> {
    bound.iter().filter(move |parameter| parameter.name == name).flat_map(|parameter| parameter.words)
}

fn is_common(name: &str) -> bool {
    COMMON.split_whitespace().any(|entry| cmdlets::role(entry).0 == name)
}

/// The parameter that `written` names: exactly, or as the beginning of only one.
fn find_parameter(cmdlet: &Cmdlet, written: &str) -> Option<(&'static str, Role)> {
    let wanted = written.strip_prefix('-').unwrap_or(written);
    let entries = || cmdlet.parameters.split_whitespace().chain(COMMON.split_whitespace()).map(cmdlets::role);
    if let Some(exact) = entries().find(|(name, _)| name.eq_ignore_ascii_case(wanted)) {
        return Some(exact);
    }
    let begins =
        |name: &str| name.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted));
    let mut fitting = entries().filter(|(name, _)| !wanted.is_empty() && begins(name));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}
