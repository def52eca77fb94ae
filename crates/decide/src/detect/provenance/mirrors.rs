//! Options that make a tool take packages, plug-ins or settings from another place, or put its state somewhere else.

use portcullis_shell::Command;

use crate::call::ToolCall;
use crate::context::Context;
use crate::detect::{Finding, detectors};
use crate::run_files::executed;

/// When the value of an option matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// Whatever it is.
    Always,
    /// An address that is not this machine's.
    Address,
    /// A file or folder that is not the project's.
    Outside,
}

use When::{Address, Always, Outside};

/// Programs, words that must be there, the options, and when they matter.
type Led = (&'static [&'static str], &'static [&'static str], &'static [&'static str], When);

/// Options by which tools take things from elsewhere.
const OPTIONS: &[Led] = &[
    (&["bazel", "bazelisk", "blaze"], &[], &["--registry", "--distdir", "--module_mirrors"], Address),
    (
        &["bazel", "bazelisk", "blaze"],
        &[],
        &["--override_module", "--override_repository", "--distdir"],
        Outside,
    ),
    (
        &["mvn", "mvnw", "mvnd"],
        &[],
        &["-gs", "--global-settings", "-s", "--settings", "-gt", "-t", "--toolchains"],
        Outside,
    ),
    (
        &["mvn", "mvnw", "mvnd"],
        &[],
        &["-DdistributionUrl", "-DwrapperUrl", "-DremoteRepositories", "-DrepoUrl", "-Dmaven.repo.remote"],
        Address,
    ),
    (&["gradle", "gradlew"], &["wrapper"], &["--gradle-distribution-url"], Address),
    (&["terraform", "tofu", "terragrunt"], &["init"], &["-from-module", "--from-module"], Address),
    (&["terraform", "tofu", "terragrunt"], &["init"], &["-plugin-dir", "--plugin-dir"], Outside),
    (
        &["terraform", "tofu", "terragrunt"],
        &["init"],
        &["-force-copy", "--force-copy", "-migrate-state", "--migrate-state"],
        Always,
    ),
    (&["docker", "podman", "nerdctl"], &["build"], &["--build-context"], Address),
    (&["dotnet", "nuget"], &["source"], &["disable", "remove"], Always),
    (&["flutter", "dart"], &["pub"], &["--hosted-url"], Address),
    (&["snyk"], &[], &["ignore"], Always),
    (&["conan"], &["remote"], &["add", "set-url", "update"], Always),
    (&["cs", "coursier"], &[], &["-r", "--repository"], Address),
];

/// Hosts that these tools go to unasked.
const USUAL: &[&str] =
    words!("bcr.bazel.build repo.maven.apache.org repo1.maven.org services.gradle.org registry.terraform.io");

/// A tool that takes something from, or puts something into, another place.
pub(in crate::detect) fn of_command(
    command: &Command,
    call: &ToolCall,
    context: &Context,
) -> Option<Finding> {
    let program = command.program.as_deref()?;
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let (.., when) = OPTIONS.iter().find(|(programs, verbs, options, when)| {
        programs.contains(&program)
            && verbs.iter().all(|verb| words.contains(verb))
            && words.iter().enumerate().any(|(index, word)| {
                let glued =
                    word.split_once('=').filter(|(name, _)| options.contains(name)).map(|(_, value)| value);
                let next =
                    || options.contains(word).then(|| words.get(index + 1).copied().unwrap_or_default());
                glued.or_else(next).is_some_and(|value| matters(value, *when, command, call, context))
            })
    })?;
    let detector = match program {
        _ if *when == Always && words.contains(&"init") => &detectors::TERRAFORM_STATE_MIGRATION,
        "snyk" => &detectors::IGNORES_VULNERABILITY,
        _ => &detectors::OTHER_PACKAGE_SOURCE,
    };
    Some(Finding::on(detector, command))
}

fn matters(value: &str, when: When, command: &Command, call: &ToolCall, context: &Context) -> bool {
    let value = value.rsplit('=').next().unwrap_or(value);
    match when {
        Always => true,
        Address => {
            let far = value.contains("://") || value.starts_with("git@") || value.contains("::");
            far && !crate::web::is_loopback(value) && !USUAL.iter().any(|usual| value.contains(usual))
        }
        Outside => {
            let path = executed::place(value, command, call, context);
            !context.is_trusted(&path) && !context.session.created.contains(&path)
        }
    }
}
