//! Links that a line makes for its own later commands, and names of files that are open already: `ln -s a b; echo x > b/c`.

use portcullis_shell::{Command, Reading};

use super::path_use::PathUse;
use super::spans::directories;
use crate::call::ToolCall;
use crate::context::Context;

/// How many links are followed from one to the next.
const LONGEST: usize = 8;

/// A second name of a file or folder; nothing for what it stands for where that cannot be told.
struct Link {
    name: String,
    target: Option<String>,
}

/// Adds to each path where links of the line make it lead.
pub(crate) fn follow(paths: &mut [PathUse], reading: &Reading, call: &ToolCall, context: &Context) {
    let links: Vec<Link> =
        reading.commands.iter().flat_map(|command| of_command(command, call, context)).collect();
    if links.is_empty() {
        return;
    }
    for path in paths {
        let mut names = vec![path.path.clone()];
        let mut at = 0;
        while let Some(name) = names.get(at).cloned().filter(|_| at < LONGEST) {
            for link in &links {
                let rest =
                    name.strip_prefix(&link.name).filter(|rest| rest.is_empty() || rest.starts_with('/'));
                match (rest, &link.target) {
                    (Some(rest), Some(target)) => {
                        let led = format!("{}{rest}", target.trim_end_matches('/'));
                        if !names.contains(&led) {
                            names.push(led);
                        }
                    }
                    // The link itself is made under its own name.
                    (Some(rest), None) if !rest.is_empty() || path.redirect => path.literal = false,
                    (Some(_) | None, _) => {}
                }
            }
            at += 1;
        }
        path.also = names.split_off(1);
    }
}

/// The links that a command makes.
fn of_command(command: &Command, call: &ToolCall, context: &Context) -> Vec<Link> {
    let Some((symbolic, operands)) = linked(command) else { return Vec::new() };
    let Some(folders) = directories(command, call, context) else { return Vec::new() };
    let mut found = Vec::new();
    let Some((last, targets)) = operands.split_last() else { return found };
    let targets = if targets.is_empty() { std::slice::from_ref(last) } else { targets };
    for folder in &folders {
        let place = context.absolute(if operands.len() == 1 { "." } else { &last.text }, folder);
        for target in targets {
            let base = target.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            // Where the last word is a folder, the link lies in it.
            let inside = format!("{}/{base}", place.trim_end_matches('/'));
            let whole = (operands.len() == 2).then(|| place.clone());
            for name in whole.into_iter().chain(std::iter::once(inside)) {
                let above = name.rsplit_once('/').map_or("/", |(above, _)| above);
                let from = if symbolic { above } else { folder };
                let known = target.literal.then(|| context.absolute(&target.text, from));
                found.push(Link { name, target: known });
            }
        }
    }
    found
}

/// The words of a command that makes links, and whether they lead on from where the link lies.
fn linked(command: &Command) -> Option<(bool, Vec<&portcullis_shell::Argument>)> {
    let options =
        || command.arguments.iter().map(|word| word.text.as_str()).filter(|word| word.starts_with('-'));
    let short = |letter: char| options().any(|word| !word.starts_with("--") && word.contains(letter));
    let long = |name: &str| options().any(|word| word == name);
    let symbolic = short('s') || options().any(|word| word.len() > 3 && "--symbolic-link".starts_with(word));
    let links = match command.program.as_deref()? {
        "ln" | "link" => true,
        "cp" | "gcp" => symbolic || short('l') || long("--link"),
        "mount" => long("--bind") || long("--rbind") || long("-B"),
        _ => false,
    };
    let words = command.arguments.iter().enumerate();
    let plain = words.filter(|(index, word)| !word.text.starts_with('-') && !command.values.contains(index));
    links.then(|| (symbolic, plain.map(|(_, word)| word).collect()))
}
