//! Turns what was found in a PowerShell line into the reading that callers know.
//!
//! Programs that are not cmdlets are looked up in the same tables as everywhere else.

use bumpalo::Bump;

use super::{FileUse as Use, PowerShellCommand, PowerShellReading};
use crate::argument;
use crate::effects::Effects;
use crate::programs;
use crate::programs::invocation::{self, Invocation, Outcome, Run};
use crate::reading::{Argument, Command, FileUse, Files, Placement, Reading};
use crate::unclear::{Unclear, Why};

/// The reading of `line`.
pub(crate) fn reading(line: &str) -> Reading {
    let PowerShellReading { commands, unclear, refused } = super::read(line);
    let mut reading = Reading { unclear, ..Reading::default() };
    reading.unclear.extend(refused);
    for command in commands {
        add(command, &mut reading);
    }
    reading
}

fn add(command: PowerShellCommand, reading: &mut Reading) {
    for (index, (usage, path, literal)) in command.files.iter().enumerate() {
        let file = FileUse {
            path: path.clone(),
            literal: *literal,
            glob: false,
            deep: false,
            redirect: command.redirects.contains(&index),
            printed: None,
            span: command.span,
        };
        list(&mut reading.files, *usage).push(file);
    }
    let mut effects = command.effects;
    if let Some(program) = command.program.as_deref().filter(|_| command.external) {
        effects.add(external(program, &command, reading));
    }
    reading.commands.push(Command {
        word: command.program.clone().unwrap_or_else(|| String::from("*")),
        program: command.program,
        arguments: command
            .arguments
            .into_iter()
            .map(|(text, literal, span)| Argument {
                text,
                literal,
                several: !literal,
                choices: Vec::new(),
                printed: None,
                span,
            })
            .collect(),
        assignments: Vec::new(),
        placement: match command.placement {
            "piped" => Placement::Piped,
            "script-block" => Placement::Branch,
            "substitution" => Placement::Substitution,
            "function" => Placement::Function,
            _ => Placement::Direct,
        },
        verbs: Vec::new(),
        operands: Vec::new(),
        values: Vec::new(),
        steered: Vec::new(),
        directory: None,
        own: effects,
        by_options: Effects::NONE,
        patched: Vec::new(),
        fed_by: None,
        effects,
        span: command.span,
    });
}

fn list(files: &mut Files, usage: Use) -> &mut Vec<FileUse> {
    match usage {
        Use::Read => &mut files.read,
        Use::Write => &mut files.written,
        Use::Delete => &mut files.deleted,
    }
}

/// What a program that is no cmdlet does with its arguments.
fn external(program: &str, command: &PowerShellCommand, reading: &mut Reading) -> Effects {
    let Some(spec) = programs::find(program) else {
        reading.unclear.push(Unclear::new(Why::UnknownCommand, program, command.span));
        return Effects::UNKNOWN;
    };
    let arena = Bump::new();
    let words = command.arguments.iter().map(|(text, literal, span)| match literal {
        true => argument::Argument::literal(arena.alloc_str(text), *span),
        false => argument::Argument {
            text: arena.alloc_str(text),
            many: true,
            ..argument::Argument::unknown(*span)
        },
    });
    let words = arena.alloc_slice_fill_iter(words.collect::<Vec<_>>());
    let mut outcome = Outcome::new(&arena);
    Invocation::examine(program, spec, words, &mut outcome);
    for (usage, file) in &outcome.files {
        let file = FileUse {
            path: file.text.to_owned(),
            literal: file.literal,
            glob: false,
            deep: false,
            redirect: false,
            printed: None,
            span: file.span,
        };
        let usage = match usage {
            invocation::Use::Read => Use::Read,
            invocation::Use::Write => Use::Write,
            invocation::Use::Delete => Use::Delete,
        };
        list(&mut reading.files, usage).push(file);
    }
    reading.unclear.append(&mut outcome.unclear);
    // A program that runs another one is not followed from PowerShell.
    for run in &outcome.runs {
        let span = match run {
            Run::Words(words) => words.first().map(|word| word.span).unwrap_or_default(),
            Run::Script(text, _) => text.span,
        };
        reading.unclear.push(Unclear::new(Why::NotModelled, program, span));
    }
    outcome.effects
}
