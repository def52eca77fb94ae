//! What the names of tasks, scripts and options of a project's tools say they do.

use portcullis_shell::{Argument, Command, Effects};

use crate::detect::{Detector, Finding, detectors as list};

/// Words of task names that take something away.
const DESTROYS: &[&str] = words!(
    "destroy drop nuke wipe purge teardown obliterate flush fresh reset delete truncate erase uninstall \
     replant changepassword"
);
/// Words of task names that bring something to others.
const DEPLOYS: &[&str] = words!(
    "deploy deployment publish release prod production rollout rollback promote ship live push undeploy \
     createsuperuser"
);
/// Words that make a name harmless again.
const CALMS: &[&str] = words!(
    "notes check dry test tests lint preview plan build validate verify diff list status docs cache watch \
     types typecheck format snapshot local dev bundle debug mode target profile"
);

/// Words of names that say it outright: that something is built or bundled as well takes nothing from them.
const SENDS: &[&str] = &["deploy", "deployment", "publish", "rollout", "promote", "ship", "push", "undeploy"];
/// Calming words that only say what is made.
const MAKES: &[&str] = &["build", "bundle", "mode", "target", "profile"];
/// Words of tasks that work on the data of the stage they are given.
const DATA: &[&str] =
    words!("migrate migration migrations seed seeds db backfill import loaddata console runner shell sync");

/// What words of a task say together and none of them says alone: its subject, and what happens to it.
const TOGETHER: &[(&Detector, &[&str], &[&str])] = &[
    (&list::DESTRUCTIVE_TASK, &["db", "database", "flyway"], &["clean", "clear", "downgrade"]),
    (
        &list::DESTRUCTIVE_TASK,
        &["migrate", "migration", "migrations"],
        &["down", "undo", "zero", "refresh", "first"],
    ),
    (&list::DESTRUCTIVE_TASK, &["schema", "fixtures"], &["load", "update"]),
    (
        &list::DESTRUCTIVE_TASK,
        &["queue", "model", "models", "backup", "backups"],
        &["clear", "prune", "clean"],
    ),
    (
        &list::DEPLOY_TASK,
        &["k8s", "kube", "kubernetes", "tf", "terraform", "pulumi", "helm", "cdk"],
        &["apply", "up", "upgrade"],
    ),
    (&list::DEPLOY_TASK, &["gh"], &["pages"]),
    (&list::TUNNEL, &["ngrok"], &["ngrok"]),
    (&list::SEND_MESSAGE, &["send"], &["email", "emails", "mail", "mails", "newsletter", "sms"]),
    (&list::SHOW_CREDENTIALS, &["credentials"], &["show", "edit"]),
    (&list::SHOW_CREDENTIALS, &["secrets", "env", "credentials"], &["decrypt"]),
    (&list::GRANT_ADMIN_TASK, &["grant", "promote"], &["admin", "superuser", "owner", "root"]),
    (
        &list::ROTATE_CREDENTIALS_TASK,
        &["rotate", "revoke"],
        &["key", "keys", "secret", "secrets", "credential", "credentials", "token", "tokens"],
    ),
    (&list::CREATE_ADMIN_TASK, &["create", "make", "user", "users"], &["admin", "superuser"]),
];

/// Programs of which every word is a task: one that is harmless says nothing about the next.
const TAKE_TASKS: &[&str] =
    words!("make gmake rake gradle gradlew mvn mvnw ant ninja invoke inv just task rails");
/// Test runners, and their options that say which tests are meant.
const TESTS: &[&str] =
    &["pytest", "py.test", "jest", "vitest", "mocha", "ava", "playwright", "rspec", "phpunit"];
const FILTERS: &[&str] = &["-k", "-t", "-g", "-m", "-e", "--grep", "--filter", "--example"];

/// The words of a name: `db:drop`, `nukeProd`, `deploy-prod.sh`.
pub(in crate::detect) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for character in name.chars() {
        let cut = !character.is_alphanumeric() || (character.is_uppercase() && !word.is_empty());
        if cut && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// A task whose name says that it destroys or deploys.
pub(in crate::detect) fn named_harm(command: &Command) -> Option<Finding> {
    let runs = Effects::PROJECT_CODE.and(Effects::EXECUTES);
    if !command.own.meets(runs) || command.own.meets(Effects::NETWORK_WRITE) {
        return None;
    }
    // A script may pass over its words: only its own name says what it does.
    let program = command.program.as_deref().unwrap_or_default();
    let calm = !command.word.contains('/')
        && command.arguments.iter().any(|word| {
            let plain = word.text.trim_start_matches('-');
            let tells = plain.len() < word.text.len() || !TAKE_TASKS.contains(&program);
            tells && (CALMS.contains(&plain) || matches!(plain, "help" | "h" | "version"))
        });
    if calm {
        return None;
    }
    // The first words name the task; what follows is given to it. Test names and file names to look at are no tasks.
    let script = command.word.contains('/').then(|| command.word.clone());
    let before = std::iter::once("").chain(command.arguments.iter().map(|word| word.text.as_str()));
    // `npx vitest -t reset`
    let first = command.arguments.iter().find(|word| !word.text.starts_with('-'));
    let tests = TESTS.contains(&program)
        || !TAKE_TASKS.contains(&program) && first.is_some_and(|word| TESTS.contains(&word.text.as_str()));
    let filters = |before: &str| tests && FILTERS.contains(&before);
    // `dotnet publish` builds into a folder, unless an option says where else to bring it.
    let elsewhere = command.arguments.iter().any(|word| leads_away(&word.text));
    let published = program == "dotnet" && first.is_some_and(|word| word.text == "publish") && !elsewhere;
    let builds = |name: &str| published && matches!(name, "publish" | "Release");
    let tasks = command
        .arguments
        .iter()
        .take(shown_from(command))
        .zip(before)
        .filter(|(word, before)| is_task_name(word) && !filters(before) && !builds(&word.text));
    let operands = tasks.take(4).map(|(word, _)| word.text.clone());
    let names: Vec<String> = script.into_iter().chain(operands).collect();
    said_alone(command, &names).or_else(|| said_together(command, &names))
}

/// Where the files begin that a program in a container only shows: `docker run alpine cat /etc/os-release`
fn shown_from(command: &Command) -> usize {
    const SHOWS: &[&str] =
        &["cat", "ls", "head", "tail", "wc", "stat", "file", "grep", "readlink", "realpath", "sha256sum"];
    let contained = matches!(command.program.as_deref(), Some("docker" | "podman" | "nerdctl"));
    let words = &command.arguments;
    // The value of an option may be called like a program.
    let follows_option =
        |at: usize| at == 0 || words.get(at - 1).is_some_and(|word| word.text.starts_with('-'));
    let shows = |(at, word): &(usize, &Argument)| {
        contained && word.literal && SHOWS.contains(&word.text.as_str()) && !follows_option(*at)
    };
    words.iter().enumerate().find(shows).map_or(words.len(), |(at, _)| at)
}

/// Whether a property makes a build bring its output somewhere.
fn leads_away(word: &str) -> bool {
    const PROPERTIES: &[&str] = words!(
        "publishprofile publishcontainer containerregistry publishmethod publishprovider deploy password"
    );
    let lower = word.to_lowercase();
    PROPERTIES.iter().any(|property| lower.contains(property))
}

fn said_alone(command: &Command, names: &[String]) -> Option<Finding> {
    let (name, word) = names.iter().find_map(|name| {
        let words = words_of_task(name);
        let sends = words.iter().any(|word| SENDS.contains(&word.as_str()));
        let calm = words
            .iter()
            .map(String::as_str)
            .any(|word| CALMS.contains(&word) && !(sends && MAKES.contains(&word)));
        let grave = words
            .iter()
            .find(|word| DESTROYS.contains(&word.as_str()) || DEPLOYS.contains(&word.as_str()))?;
        (!calm).then(|| (name.clone(), grave.clone()))
    })?;
    let destroys = DESTROYS.contains(&word.as_str());
    let detector = if destroys { &list::DESTRUCTIVE_TASK } else { &list::DEPLOY_TASK };
    Some(Finding::on(detector, command).about(name))
}

fn said_together(command: &Command, names: &[String]) -> Option<Finding> {
    let words: Vec<String> = names.iter().flat_map(|name| words_of_task(name)).collect();
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let found = TOGETHER.iter().find(|(_, subject, action)| says(subject) && says(action) && !says(CALMS));
    let (detector, ..) = found?;
    // Only the name says so.
    Some(Finding::on(detector, command).about(names.join(" ")).doubtful())
}

fn words_of_task(name: &str) -> Vec<String> {
    words(name.rsplit('/').next().unwrap_or_default())
}

/// A task on data that an argument, or a variable in front of it, points at production.
pub(in crate::detect) fn reaches_production(command: &Command) -> Option<Finding> {
    let runs = Effects::PROJECT_CODE.and(Effects::EXECUTES);
    if !command.own.meets(runs) {
        return None;
    }
    let among = |text: &str, list: &[&str]| words(text).iter().any(|word| list.contains(&word.as_str()));
    let rehearses = |word: &Argument| among(&word.text, &["dry", "help", "check", "plan", "status", "sql"]);
    let mut tasks = command.arguments.iter().filter(|word| is_task_name(word)).take(3);
    let task = tasks.find(|word| among(&word.text, DATA) || among(&word.text, DESTROYS))?;
    let values =
        command.arguments.iter().filter(|word| word.text.starts_with('-') || word.text.contains('='));
    // `--env production`
    let named = command.arguments.iter().zip(command.arguments.iter().skip(1));
    let named = named.filter(|(option, _)| option.text.starts_with("--")).map(|(_, value)| value);
    let set = command.assignments.iter().map(|(_, value)| value);
    let production =
        values.chain(named).chain(set).any(|value| among(&value.text, &["prod", "production", "live"]));
    if !production || command.arguments.iter().any(rehearses) {
        return None;
    }
    Some(Finding::on(&list::PRODUCTION_DATA_TASK, command).about(&task.text))
}

fn is_task_name(word: &Argument) -> bool {
    let text = &word.text;
    let path_to_look_at = text.contains("src/")
        || text.contains("test")
        || [".rs", ".go", ".yml", ".yaml", ".json", ".md", ".toml"]
            .iter()
            .any(|ending| text.ends_with(ending));
    word.literal
        && !text.starts_with('-')
        && !text.contains(['=', ' ', '*', '\n'])
        && !text.starts_with("./...")
        && !path_to_look_at
}
