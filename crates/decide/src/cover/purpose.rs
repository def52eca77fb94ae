//! What a wildcard stands for behind the words that a rule spells out (SPEC R10): what the program is for, and no more than
//! those words say.

use portcullis_shell::{Command, Effects, Nature, nature};

use crate::context::Context;
use crate::matching::permitted::{edit_permitted, may_read};
use crate::view::{Access, PathUse, View, in_span, trusted};

/// Whether the command does nothing but what the words that the rule spells out are for (R10).
pub(crate) fn within_nature(command: &Command, spelled: &[String], view: &View, context: &Context) -> bool {
    let program = command.program.as_deref().unwrap_or_default();
    let verbs = command.verbs.iter().filter_map(|index| command.arguments.get(*index));
    let verbs: Vec<&str> = verbs.map(|word| word.text.as_str()).collect();
    let named = command.verbs.iter().take_while(|index| **index + 1 < spelled.len()).count();
    // A program that we do not know does whatever it does; the user allowed it by name.
    let Some(base) = nature(program, verbs.get(..named).unwrap_or_default()) else { return true };
    let own = nature(program, &verbs).unwrap_or(base);
    if command.steered.iter().any(|index| index + 1 >= spelled.len()) {
        return false;
    }
    let by_itself = base.open || base.runs_code || !base.made_for.is_empty();
    let bound = if by_itself && spelled.len() > named + 1 { spelled_bound(spelled) } else { None };
    let mut extra = command.own.without(Effects::HARMLESS);
    if let Some(bound) = bound {
        extra.add(command.by_options);
        extra = extra.without(bound.and(Effects::HARMLESS));
    } else {
        extra = extra.without(covered_effects(program, base, own));
        extra.add(command.by_options.without(covered_options(base, own)));
        extra = extra.without(spelled_effects(spelled));
    }
    // Reading credentials and obeying the project have their own checks.
    extra = extra.without(Effects::SECRETS).without(Effects::IF_FILES_SAY_SO);
    let mine = |path: &&PathUse| !path.redirect && in_span(path, command);
    let changed: Vec<&PathUse> =
        view.paths.iter().filter(mine).filter(|path| path.access != Access::Read).collect();
    // What lies outside is not meant, unless a rule for reading means it (R6).
    let read = view.paths.iter().filter(mine).filter(|path| path.access == Access::Read);
    let foreign = read.into_iter().any(|path| !may_read(path, context));
    let files = Effects::WRITES.and(Effects::DELETES);
    if foreign {
        return false;
    }
    if !extra.is_empty() {
        // Writing is not what it is for: then each file must be named, and one that may be edited.
        let only_files = extra.without(files).is_empty() && !changed.is_empty();
        return only_files && changed.iter().all(|path| edit_permitted(path, context));
    }
    changed.iter().all(|path| trusted::is_inside(path, context) || edit_permitted(path, context))
}

/// Whether a cmdlet does nothing but what it does behind the words that the rule spells out. `-OutFile` and redirections
/// write what the rule does not show.
pub(crate) fn within_cmdlet(command: &Command, spelled: &[String], view: &View, context: &Context) -> bool {
    const COMPLETIONS: [&str; 3] = ["", " x", " https://example.com/"];
    if command.program.as_deref().is_some_and(|program| nature(program, &[]).is_some()) {
        return true;
    }
    let start = spelled.join(" ");
    let effects = COMPLETIONS.iter().filter_map(|rest| {
        let reading =
            portcullis_shell::read(&format!("{start}{rest}"), portcullis_shell::Dialect::PowerShell);
        let effects = reading.commands.first()?.effects;
        (!effects.meets(Effects::UNKNOWN)).then_some(effects)
    });
    // One that nobody knows does whatever it does.
    let Some(base) = effects.reduce(Effects::and) else { return true };
    let own_checks = Effects::HARMLESS.and(Effects::SECRETS);
    let extra = command.effects.without(own_checks).without(base);
    let mut changed =
        view.paths.iter().filter(|path| in_span(path, command) && path.access != Access::Read).peekable();
    let only_files =
        extra.without(Effects::WRITES.and(Effects::DELETES)).is_empty() && changed.peek().is_some();
    extra.is_empty() || (only_files && changed.all(|path| edit_permitted(path, context)))
}

/// What a wildcard behind these words stands for.
fn covered_effects(program: &str, base: Nature, own: Nature) -> Effects {
    let all = Effects::ALL.iter().fold(Effects::NONE, |all, (effect, ..)| all.and(*effect));
    // Work that is thrown away does not come back: a rule that means that must spell it out.
    let never = Effects::UNKNOWN.and(Effects::ENVIRONMENT).and(Effects::PRIVILEGE).and(Effects::DISCARDS);
    if base.open {
        return all.without(never);
    }
    if !base.group {
        // A script of the project is code like any other to what runs code.
        let runs = base.runs_code && base.does.meets(Effects::EXECUTES);
        return base.does.and(if runs { Effects::PROJECT_CODE } else { Effects::NONE });
    }
    // What `npm` runs is the project's; what sub-commands of git run is any program that the line names.
    let runs = program != "git" && (own.open || own.does.meets(Effects::EXECUTES));
    all.without(never).without(if runs { Effects::NONE } else { Effects::EXECUTES })
}

/// What the words of the rule do by themselves: whoever writes `git reset --hard *` means it. That a program would run
/// what it is fed, because nothing follows, is not what they say.
fn spelled_effects(spelled: &[String]) -> Effects {
    if !spelled.iter().skip(1).any(|word| word.starts_with('-')) {
        return Effects::NONE;
    }
    let never = Effects::UNKNOWN.and(Effects::ENVIRONMENT);
    let runs = completed(spelled).all(|effects| effects.meets(Effects::EXECUTES));
    let alone = completed(spelled).next().unwrap_or_default().without(never);
    if runs { alone } else { alone.without(Effects::EXECUTES) }
}

/// What a program whose words decide everything does behind the words of the rule: `node --check *` runs no code, and
/// `dd if=a *` writes nowhere. Nothing where they leave it open.
fn spelled_bound(spelled: &[String]) -> Option<Effects> {
    let known = completed(spelled).filter(|effects| !effects.meets(Effects::EXECUTES.and(Effects::UNKNOWN)));
    known.reduce(|all, effects| all.without(all.without(effects)))
}

/// What the words of a rule do with nothing behind them, and with what says nothing in particular.
fn completed(spelled: &[String]) -> impl Iterator<Item = Effects> {
    const COMPLETIONS: [&str; 4] = ["", " x", " 'select 1'", " x 'select 1'"];
    let quoted: Vec<String> =
        spelled.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
    let start = quoted.join(" ");
    COMPLETIONS.into_iter().map(move |rest| {
        let reading = portcullis_shell::read(&format!("{start}{rest}"), portcullis_shell::Dialect::Bash);
        reading.commands.first().map_or(Effects::UNKNOWN, |command| command.own.and(command.by_options))
    })
}

/// What options may add without the rule spelling them out: nothing that runs code, opens a connection, or
/// writes where the command does not do so by itself.
fn covered_options(base: Nature, own: Nature) -> Effects {
    let all = Effects::ALL.iter().fold(Effects::NONE, |all, (effect, ..)| all.and(*effect));
    let elsewhere = Effects::EXECUTES
        .and(Effects::NETWORK_READ)
        .and(Effects::NETWORK_WRITE)
        .and(Effects::SENDS_DATA)
        .and(Effects::WRITES)
        .and(Effects::DELETES);
    let by_nature =
        if own.runs_code { own.does.and(Effects::EXECUTES) } else { own.does.without(Effects::EXECUTES) };
    let never = Effects::UNKNOWN.and(Effects::ENVIRONMENT).and(Effects::PRIVILEGE);
    if base.open || base.group {
        return all.without(never).without(elsewhere).and(by_nature).and(Effects::READS);
    }
    base.does.without(Effects::EXECUTES).and(by_nature).and(Effects::READS).and(Effects::SHELL_STATE)
}
