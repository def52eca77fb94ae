//! What a program is for: the effects it has by itself, before options and operands add others.

use super::table::{Operands, Spec};
use crate::effects::Effects;

/// What a program or sub-command is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nature {
    /// The effects of whatever it does.
    pub does: Effects,
    /// The effects that it has by its purpose, whatever its arguments.
    pub made_for: Effects,
    /// Whether it only groups sub-commands (`gh pr`, `docker compose`).
    pub group: bool,
    /// Whether its effects depend on its arguments alone (`npm run`, `python3`): it can do anything.
    pub open: bool,
    /// Whether its purpose is to run the code it is given: an interpreter or a shell.
    pub runs_code: bool,
}

/// Programs that write or run by nature, though their tables leave it to their operands to say so.
const BY_NATURE: &[(&str, Effects)] = &[
    ("tar", Effects::WRITES),
    ("bsdtar", Effects::WRITES),
    ("unzip", Effects::WRITES),
    ("zip", Effects::WRITES),
    ("7z", Effects::WRITES),
    ("tee", Effects::WRITES),
    ("dd", Effects::WRITES),
    ("patch", Effects::WRITES),
    ("wget", Effects::WRITES),
    ("ssh", Effects::EXECUTES),
    ("hyperfine", Effects::EXECUTES),
    ("sg", Effects::EXECUTES),
    ("ldd", Effects::EXECUTES),
    ("gdb", Effects::EXECUTES),
    ("lldb", Effects::EXECUTES),
    ("torchrun", Effects::EXECUTES),
    ("act", Effects::EXECUTES),
    ("apply_patch", Effects::WRITES),
    ("applypatch", Effects::WRITES),
];

/// What the program `name`, or its sub-command named by `verbs`, is for; `None` if it is in no table.
#[must_use]
pub fn nature(name: &str, verbs: &[&str]) -> Option<Nature> {
    if is_shell(name) {
        return Some(Nature {
            does: Effects::EXECUTES,
            made_for: Effects::NONE,
            group: false,
            open: false,
            runs_code: true,
        });
    }
    if is_builtin(name) {
        return Some(Nature {
            does: Effects::HARMLESS,
            made_for: Effects::NONE,
            group: false,
            open: false,
            runs_code: false,
        });
    }
    let mut spec = super::find(name)?;
    for verb in verbs {
        spec = spec.verb(verb)?;
    }
    let by_nature = BY_NATURE.iter().filter(|(known, _)| *known == name);
    let by_nature = by_nature.fold(Effects::NONE, |all, (_, effects)| all.and(*effects));
    let does = spec.does.and(by_operands(spec)).and(by_nature);
    // What only holds sub-commands may show help when it is called without one.
    let idle = spec.does.without(Effects::READS).is_empty() && spec.operands == Operands::None;
    let group = !spec.verbs.is_empty() && (verbs.is_empty() || idle);
    // Where the table leaves everything to a check, what it finds is what the program is for.
    let open = spec.does.is_empty() && spec.check.is_some() && !matches!(spec.operands, Operands::Command(_));
    Some(Nature { does, made_for: by_nature, group, open, runs_code: is_interpreter(name) })
}

/// What a program does to the operands it is made for. A second operand that a reader happens to write to
/// is not what it is for.
fn by_operands(spec: &Spec) -> Effects {
    match spec.operands {
        Operands::None | Operands::Text | Operands::Command(_) | Operands::Effect(_) => Effects::NONE,
        Operands::Read | Operands::TextThenRead | Operands::ReadThenWrite => Effects::READS,
        Operands::Write | Operands::Copy => Effects::READS.and(Effects::WRITES),
        Operands::Delete => Effects::DELETES,
        Operands::Move => Effects::WRITES.and(Effects::DELETES),
        Operands::Url => Effects::NETWORK_READ,
        Operands::Code => Effects::EXECUTES,
    }
}

/// Programs whose purpose is to run code they are given, or other programs.
fn is_interpreter(name: &str) -> bool {
    const NAMES: &str = "bun bunx bundle cargo composer conda deno direnv docker dotnet elixir erl ghci groovy irb \
        julia jshell kubectl lua luajit make mise nerdctl nix node nodejs npm npx oc osascript parallel perl php \
        pipenv pipx pnpm pnpx podman poetry powershell pwsh pypy python R Rscript ruby scala ssh swipl tclsh ts-node \
        tsx uv uvx yarn";
    let plain = name.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.');
    NAMES.split_ascii_whitespace().any(|known| known == name || known == plain)
}

fn is_shell(name: &str) -> bool {
    crate::dialect::is_shell(name)
}

/// Commands of the shell itself that need no program.
fn is_builtin(name: &str) -> bool {
    const NAMES: &str = ". : [ alias bg bind break builtin caller cd chdir command compgen complete compopt continue \
        declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs let local \
        logout mapfile noglob popd printf pushd pwd read readarray readonly return set shift shopt source suspend test \
        times trap true type typeset ulimit umask unalias unset wait";
    NAMES.split_ascii_whitespace().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_what_its_table_says() {
        assert!(nature("sort", &[]).is_some_and(|it| it.does.is_harmless() && !it.group));
        assert!(nature("rm", &[]).is_some_and(|it| it.does.meets(Effects::DELETES)));
        assert!(nature("git", &[]).is_some_and(|it| it.group));
        assert!(nature("git", &["reflog"]).is_some_and(|it| it.does.is_harmless()));
        assert!(nature("gh", &["pr"]).is_some_and(|it| it.group));
        assert!(nature("python3", &[]).is_some_and(|it| it.open));
        assert!(nature("bash", &[]).is_some_and(|it| it.does.meets(Effects::EXECUTES)));
        assert_eq!(nature("no-such-program", &[]), None);
        assert_eq!(nature("git", &["no-such-verb"]), None);
    }
}
