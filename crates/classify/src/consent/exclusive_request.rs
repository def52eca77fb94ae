//! Whether the last thing that a person said is about the line alone (SPEC C17): every word of it stands in the line, or says
//! nothing by itself. Where a deed is asked for in people's words and not in the command's, any further word could make it
//! another: "Restart nginx in the container", "Drop the table users in the migration".

use portcullis_decide::view::View;

use super::words::plain;

/// Words that ask, allow, or say nothing of what is meant.
const IDLE: &str = "please pls can could you would will go ahead then now just yes yeah yep ok okay sure fine let's lets let \
    us me i i'd we we'd want wants need to do it its that this these those the a an my our is are be right away \
    immediately again once also so \
    know cannot can't undone irreversible permanent permanently confirmed approved exactly use using with via by from in on \
    at of into as run command called named all";

/// Words for deeds; which of them is meant is asked elsewhere.
const DEEDS: &str = "delete remove destroy drop terminate kill end stop start restart reload reboot scale cordon uncordon drain \
    taint set update deprecate unpublish yank purge revoke truncate empty deallocate publish upload merge disable enable \
    take down tear";

/// Words for what things are.
const KINDS: &str = "table database db schema view index queue topic service services daemon unit process processes pod pods \
    deployment deployments node nodes vm instance instances app apps application pipeline image images \
    replica replicas repository repo registry resource group account namespace key keys user users bucket object volume \
    volumes package crate extension version release port secret value stack pr pull request api \
    management untracked files job item row entity certificate rule set";

/// Programs that people do not name when they ask for what everybody does with them.
pub(crate) const UNNAMED: &[&str] = &[
    "systemctl",
    "service",
    "kubectl",
    "oc",
    "aws",
    "az",
    "gcloud",
    "git",
    "gh",
    "glab",
    "npm",
    "cargo",
    "twine",
    "psql",
    "mysql",
    "mariadb",
    "redis-cli",
    "valkey-cli",
    "dropdb",
    "dropuser",
    "docker",
    "pkill",
    "killall",
    "kill",
    "lsof",
    "fuser",
    "xargs",
    "rabbitmqctl",
    "sudo",
    "rails",
    "terraform",
    "vagrant",
    "pulumi",
];

/// Whether nothing is said in the turn that does not stand in the line, and no program is run that had to be named.
pub(crate) fn is_all(turn: &str, view: &View) -> bool {
    // Whoever joins two things may mean another one of each.
    let turn = plain(turn).replace("go ahead and ", "");
    let line = plain(&view.line);
    let parts: Vec<&str> = line.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let idle =
        |word: &str| [IDLE, DEEDS, KINDS].iter().any(|words| words.split_whitespace().any(|it| it == word));
    let in_line = |word: &str| {
        let mut own = word.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
        own.all(|part| {
            parts.contains(&part) || part.strip_suffix('s').is_some_and(|one| parts.contains(&one))
        })
    };
    let trimmed = |word: &'_ str| word.trim_matches(|it: char| !it.is_alphanumeric()).to_owned();
    let fits = |word: String| word.is_empty() || idle(&word) || in_line(&word);
    let commands = || view.reading.iter().flat_map(|reading| &reading.commands);
    let programs = commands().all(|command| {
        let program = command.program.as_deref().unwrap_or_default();
        UNNAMED.contains(&program) || turn.split(|it: char| !is_of_name(it)).any(|word| word == program)
    });
    // What stands in a file may be more than one thing.
    let files = commands().flat_map(|command| &command.arguments).any(|word| {
        matches!(word.text.as_str(), "-f" | "--filename" | "-k" | "--kustomize" | "-l" | "--selector")
    });
    programs && !files && turn.split_whitespace().map(trimmed).all(fits)
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_')
}
