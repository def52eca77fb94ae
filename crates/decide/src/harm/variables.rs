//! Variables that are set for commands: which of them change what programs do.

use portcullis_shell::{Argument, Command, Effects};

use super::places;
use crate::context::Context;

/// Whether the variables set for the command matter.
pub(super) fn sets_the_scene(command: &Command, context: &Context) -> bool {
    if command.assignments.iter().any(|(name, value)| value_runs(name, value, context)) {
        return true;
    }
    if !command.effects.meets(Effects::ENVIRONMENT) {
        return false;
    }
    let exported = matches!(command.program.as_deref(), Some("export" | "declare" | "typeset" | "local"));
    let words = command.arguments.iter().filter(|_| exported).filter_map(|word| {
        let (name, value) = word.text.split_once('=')?;
        Some((name.to_owned(), Argument { text: value.to_owned(), ..word.clone() }))
    });
    let set: Vec<(String, Argument)> = command.assignments.iter().cloned().chain(words).collect();
    let odd = set.iter().any(|(name, value)| changes_programs(name, value, context));
    odd || (set.is_empty() && command.own.meets(Effects::ENVIRONMENT))
}

/// Parts of names of variables that change what programs do or whom they trust.
const PARTS: &str = "PATH PRELOAD OPTIONS OPTS COMMAND SSH PROXY REGISTRY INDEX_URL EDITOR PAGER SHELL ASKPASS PROMPT TLS \
    SSL VERIFY CERT HIST LD_ DYLD GIT_ STARTUP INIT WRAPPER FLAGS KUBECONFIG AWS_ TOKEN SECRET PASSWORD _KEY HUSKY SKIP \
    DATABASE_URL RAILS_ENV NODE_ENV APP_ENV";
/// Whole names of such variables.
const NAMES: &str = "IFS PS4 ENV BASH_ENV HOME PERL5LIB RUBYOPT PERL5OPT CC CXX LD RUSTC RUSTDOC CARGO_HOME XDG_CONFIG_HOME \
    XDG_DATA_HOME PYTHONHOME GRADLE_USER_HOME";
/// Those of them that only make a program quiet.
const QUIET: &str =
    "GIT_EDITOR GIT_PAGER GIT_TERMINAL_PROMPT GIT_INDEX_FILE GIT_SEQUENCE_EDITOR PAGER EDITOR";

/// Whether the variable changes what programs do or whom they trust, whatever the program.
fn changes_programs(name: &str, value: &Argument, context: &Context) -> bool {
    let upper = name.to_ascii_uppercase();
    let listed = |list: &str| list.split_ascii_whitespace().any(|known| known == upper);
    if !listed(NAMES) && !PARTS.split_ascii_whitespace().any(|part| upper.contains(part)) {
        return false;
    }
    let text = value.text.as_str();
    let environment = ["NODE_ENV", "RAILS_ENV", "APP_ENV"].contains(&upper.as_str());
    // Places inside the project, flags of compilers and names of stages are ordinary.
    let inside = upper.contains("PATH")
        && upper != "PATH"
        && !text.contains('$')
        && text.split(':').all(|part| !part.starts_with('/') || context.is_trusted(part));
    let flags = upper.ends_with("FLAGS") || upper == "NODE_OPTIONS" || upper == "ASAN_OPTIONS";
    let local = upper == "DATABASE_URL"
        && (text.starts_with("sqlite") || (text.contains("://") && crate::web::is_loopback(text)));
    let calm = listed(QUIET) || (environment && !text.starts_with("prod")) || inside || flags || local;
    !(calm && value.literal)
}

/// Whether the value of a variable for a command is a command or a file from elsewhere.
fn value_runs(name: &str, value: &Argument, context: &Context) -> bool {
    let upper = name.to_ascii_uppercase();
    let text = value.text.as_str();
    let harmless = matches!(text, "" | "true" | ":" | "cat" | "echo" | "never" | "0" | "1");
    let runs = ["EDITOR", "PAGER", "VISUAL", "BROWSER", "LESSOPEN", "COMMAND", "ASKPASS"]
        .iter()
        .any(|part| upper.contains(part));
    let loads = ["OPTIONS", "OPTS", "OPT", "FLAGS", "WRAPPER", "RUNNER", "LAUNCHER", "TOOLEXEC"]
        .iter()
        .any(|part| upper.ends_with(part));
    let foreign = text
        .split([' ', '=', ',', ':'])
        .any(|part| part.starts_with('/') && !context.is_trusted(part) && !places::is_temporary(part))
        || text.contains("/tmp/");
    let told =
        ["--eval", "-toolexec", "--require", "--import", "--loader", "-r ", "-javaagent", "-agentpath"]
            .iter()
            .any(|word| text.contains(word));
    (runs && !harmless) || (loads && (foreign || told || !value.literal))
}
