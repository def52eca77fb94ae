//! Other names of what a rule forbids (SPEC R5): `npm i` is `npm install`.
//!
//! A rule that denies or asks is also compared with each of them. This never serves a rule that allows.

/// Words that mean the same at the start of a command.
const SAME: &[&[&str]] = &[
    &["docker compose", "docker-compose"],
    &["podman compose", "podman-compose"],
    &["pip", "pip3"],
    &["apt", "apt-get", "aptitude"],
    &["dnf", "yum", "microdnf"],
    &["node", "nodejs"],
    &["yarn", "yarnpkg"],
    &["npx", "npm exec"],
    &["bunx", "bun x"],
    &["pnpx", "pnpm dlx"],
    &["uvx", "uv tool run"],
    &["gradle", "gradlew"],
    &["mvn", "mvnw"],
    &["nc", "ncat", "netcat"],
    &["fly", "flyctl"],
    &["terraform", "tofu"],
    &["vercel", "vc"],
    &["netlify", "ntl"],
    &["serverless", "sls"],
    &["reboot", "systemctl reboot"],
    &["poweroff", "systemctl poweroff"],
    &["halt", "systemctl halt"],
];

/// Names of one sub-command of these programs.
const SUB_COMMANDS: &[(&[&str], &[&str])] = &[
    (
        &["npm"],
        &[
            "install", "i", "in", "ins", "inst", "insta", "instal", "isnt", "isnta", "isntal", "isntall",
            "add",
        ],
    ),
    (&["npm"], &["ci", "clean-install", "ic", "install-clean", "isntall-clean"]),
    (&["npm"], &["install-test", "it"]),
    (&["npm"], &["install-ci-test", "cit", "clean-install-test", "sit"]),
    (&["npm"], &["uninstall", "unlink", "remove", "rm", "r", "un"]),
    (&["npm", "pnpm"], &["run", "run-script", "rum", "urn"]),
    (&["npm", "pnpm"], &["test", "t", "tst"]),
    (&["npm"], &["update", "up", "upgrade", "udpate"]),
    (&["npm"], &["config", "c"]),
    (&["npm"], &["exec", "x"]),
    (&["npm"], &["link", "ln"]),
    (&["npm"], &["list", "ls", "la", "ll"]),
    (&["npm"], &["view", "info", "show", "v"]),
    (&["npm"], &["owner", "author"]),
    (&["npm"], &["dist-tag", "dist-tags"]),
    (&["npm"], &["login", "adduser", "add-user"]),
    (&["npm"], &["rebuild", "rb"]),
    (&["npm"], &["init", "create", "innit"]),
    (&["npm"], &["star"]),
    (&["pnpm"], &["install", "i"]),
    (&["pnpm"], &["remove", "rm", "uninstall", "un"]),
    (&["pnpm"], &["update", "up", "upgrade"]),
    (&["pnpm"], &["list", "ls"]),
    (&["bun"], &["install", "i"]),
    (&["bun"], &["add", "a"]),
    (&["bun"], &["remove", "rm"]),
    (&["cargo"], &["build", "b"]),
    (&["cargo"], &["check", "c"]),
    (&["cargo"], &["doc", "d"]),
    (&["cargo"], &["run", "r"]),
    (&["cargo"], &["test", "t"]),
    (&["cargo"], &["remove", "rm"]),
    (&["rustup"], &["toolchain install", "install", "toolchain add"]),
    (&["rustup"], &["toolchain uninstall", "uninstall", "toolchain remove"]),
    (&["git"], &["add", "stage"]),
    (&["git"], &["remote remove", "remote rm"]),
    (&["git"], &["init", "init-db"]),
    (&["git"], &["blame", "annotate"]),
    (&["docker", "podman", "nerdctl"], &["rm", "container rm", "container remove"]),
    (&["docker", "podman", "nerdctl"], &["rmi", "image rm", "image remove"]),
    (&["docker", "podman", "nerdctl"], &["ps", "container ls", "container list", "container ps"]),
    (&["docker", "podman", "nerdctl"], &["images", "image ls", "image list"]),
    (
        &["docker", "podman", "nerdctl"],
        &["build", "image build", "builder build", "buildx build", "buildx b"],
    ),
    (&["docker", "podman", "nerdctl"], &["volume rm", "volume remove"]),
    (&["docker", "podman", "nerdctl"], &["network rm", "network remove"]),
    (&["docker"], &["stack rm", "stack remove", "stack down"]),
    (&["docker"], &["stack deploy", "stack up"]),
    (&["docker"], &["service rm", "service remove"]),
    (&["docker"], &["secret rm", "secret remove"]),
    (&["docker"], &["config rm", "config remove"]),
    (&["docker"], &["node rm", "node remove"]),
    (&["docker"], &["context rm", "context remove"]),
    (&["helm"], &["uninstall", "un", "del", "delete"]),
    (&["helm"], &["dependency", "dep", "dependencies"]),
    (&["helm"], &["show", "inspect"]),
    (&["helm"], &["pull", "fetch"]),
    (&["helm"], &["history", "hist"]),
    (&["helm"], &["repo remove", "repo rm"]),
    (&["helm"], &["plugin uninstall", "plugin rm", "plugin remove"]),
    (&["gh"], &["pr create", "pr new"]),
    (&["gh"], &["issue create", "issue new"]),
    (&["gh"], &["release create", "release new"]),
    (&["gh"], &["repo create", "repo new"]),
    (&["gh"], &["gist create", "gist new"]),
    (&["gh"], &["secret delete", "secret remove"]),
    (&["gh"], &["variable delete", "variable remove"]),
    (&["gh"], &["codespace", "cs"]),
    (&["gh"], &["extension", "ext", "extensions"]),
    (&["gem"], &["install", "i"]),
    (&["bundle"], &["install", "i"]),
    (&["brew"], &["install", "instal"]),
    (&["brew"], &["uninstall", "rm", "remove", "uninstal"]),
    (&["brew"], &["update", "up"]),
    (&["brew"], &["link", "ln"]),
    (&["dnf", "yum"], &["install", "in"]),
    (&["dnf", "yum"], &["remove", "rm", "erase"]),
    (&["dnf", "yum"], &["upgrade", "up", "update"]),
    (&["zypper"], &["install", "in"]),
    (&["zypper"], &["remove", "rm"]),
    (&["zypper"], &["update", "up"]),
    (&["conda", "mamba"], &["remove", "uninstall"]),
    (&["conda", "mamba"], &["update", "upgrade"]),
    (&["flatpak"], &["uninstall", "remove"]),
    (&["composer"], &["install", "i"]),
    (&["composer"], &["require", "r"]),
    (&["composer"], &["update", "u", "upgrade"]),
    (&["composer"], &["remove", "rm", "uninstall"]),
    (&["dotnet"], &["add package", "package add"]),
    (&["dotnet"], &["remove package", "package remove"]),
    (&["pulumi"], &["destroy", "down", "dn"]),
    (&["pulumi"], &["up", "update"]),
    (&["svn"], &["commit", "ci"]),
    (&["svn"], &["delete", "del", "remove", "rm"]),
    (&["svn"], &["checkout", "co"]),
    (&["svn"], &["update", "up"]),
    (&["svn"], &["move", "mv", "rename", "ren"]),
    (&["hg"], &["commit", "ci"]),
    (&["hg"], &["update", "up", "checkout", "co"]),
    (&["hg"], &["remove", "rm"]),
    (&["vercel"], &["remove", "rm"]),
    (&["wrangler"], &["deploy", "publish"]),
    (&["ng"], &["build", "b"]),
    (&["ng"], &["serve", "s", "dev"]),
    (&["ng"], &["test", "t"]),
    (&["ng"], &["generate", "g"]),
    (&["rails"], &["generate", "g"]),
    (&["rails"], &["destroy", "d"]),
    (&["rails"], &["server", "s"]),
    (&["rails"], &["console", "c"]),
    (&["rails"], &["dbconsole", "db"]),
    (&["rails"], &["runner", "r"]),
    (&["rails"], &["test", "t"]),
];

/// Sub-commands for containers and images that also stand without that word.
const MANAGED: &[(&str, &[&str])] = &[
    (
        "container",
        &[
            "attach", "commit", "cp", "create", "diff", "exec", "export", "kill", "logs", "pause", "port",
            "rename", "restart", "run", "start", "stats", "stop", "top", "unpause", "update", "wait",
        ],
    ),
    ("image", &["history", "import", "load", "pull", "push", "save", "tag"]),
    ("system", &["events", "info"]),
];
const CONTAINERS: &[&str] = &["docker", "podman", "nerdctl"];

/// What does, among other things, what the first words do.
const INCLUDED: &[(&str, &[&str])] = &[
    ("npm install", &["npm install-test"]),
    ("npm test", &["npm install-test", "npm install-ci-test"]),
    ("npm ci", &["npm install-ci-test"]),
    ("pnpm install", &["pnpm add", "pnpm install-test"]),
    ("bun install", &["bun add"]),
    ("yarn install", &["yarn --frozen-lockfile", "yarn --immutable", "yarn --production"]),
    ("rm", &["unlink"]),
    ("terraform destroy", &["terraform apply -destroy", "terraform apply * -destroy"]),
    ("git fetch", &["git remote update", "git fetch-pack"]),
    (
        "git push",
        &[
            "git send-pack",
            "git http-push",
            "git subtree push",
            "git subrepo push",
            "git lfs push",
            "git svn dcommit",
            "git svn set-tree",
            "git svn commit-diff",
            "git p4 submit",
            "git annex sync",
            "git annex push",
            "git annex assist",
            "git review",
            "git flow feature publish",
            "git flow bugfix publish",
            "git flow release publish",
            "git flow hotfix publish",
        ],
    ),
];

/// Programs that take the beginning of a sub-command for it.
const SHORTENS: &[&str] = &["npm", "gem", "bundle", "hg", "composer"];

/// Programs that run a script of the project by its name alone, and those that do so for some names.
const RUNS_SCRIPTS: &[&str] = &["yarn", "pnpm", "bun"];
const RUNS_SOME: &[&str] = &["test", "start", "stop", "restart"];

/// Kinds of things in a cluster, by their names.
const KINDS: &[&[&str]] = &[
    &["pod", "pods", "po"],
    &["service", "services", "svc"],
    &["deployment", "deployments", "deploy", "deployment.apps", "deployments.apps"],
    &["namespace", "namespaces", "ns"],
    &["node", "nodes", "no"],
    &["secret", "secrets"],
    &["configmap", "configmaps", "cm"],
    &["persistentvolume", "persistentvolumes", "pv"],
    &["persistentvolumeclaim", "persistentvolumeclaims", "pvc"],
    &["statefulset", "statefulsets", "sts"],
    &["daemonset", "daemonsets", "ds"],
    &["replicaset", "replicasets", "rs"],
    &["ingress", "ingresses", "ing"],
    &["job", "jobs"],
    &["cronjob", "cronjobs", "cj"],
    &["serviceaccount", "serviceaccounts", "sa"],
    &["customresourcedefinition", "customresourcedefinitions", "crd", "crds"],
    &["networkpolicy", "networkpolicies", "netpol"],
    &["role", "roles"],
    &["rolebinding", "rolebindings"],
    &["clusterrole", "clusterroles"],
    &["clusterrolebinding", "clusterrolebindings"],
];

/// Sub-commands that the program alone stands for.
const ALONE: &[(&str, &str)] = &[("yarn", "install"), ("bundle", "install")];

/// More names than anything has.
const MOST: usize = 200;

/// The texts of rules that mean the same as `text` by other names.
pub(super) fn of(text: &str) -> Vec<String> {
    let (body, open) = text.strip_suffix(":*").map_or((text, false), |body| (body, true));
    let mut words: Vec<&str> = body.split_whitespace().collect();
    // `npm install*` is meant as `npm install` and more.
    let whole = words.last().and_then(|word| word.strip_suffix('*')).filter(|word| word.len() > 2);
    if let (Some(whole), Some(last)) = (whole, words.last_mut()) {
        *last = whole;
    }
    let end = if open || whole.is_some() { ":*" } else { "" };
    let mut all = vec![words.join(" ")];
    let mut at = 0;
    while let Some(known) = all.get(at).cloned() {
        for other in renamed(&known) {
            if all.len() < MOST && !all.contains(&other) {
                all.push(other);
            }
        }
        at += 1;
    }
    let mut found: Vec<String> = all.iter().skip(1).map(|name| format!("{name}{end}")).collect();
    // `apt-get inst*` may be any word that begins so, by whatever name of the program.
    let begun =
        all.iter().skip(1).filter(|name| whole.is_some_and(|word| name.ends_with(&format!(" {word}"))));
    found.extend(begun.map(|name| format!("{name}*")));
    // A wildcard in the middle leaves none for the end alone.
    found.extend(all.iter().skip(1).filter(|name| name.contains('*')).cloned());
    found.extend(all.iter().flat_map(|name| of_kind(name, end)));
    let alone = ALONE.iter().filter(|(program, verb)| all.contains(&format!("{program} {verb}")));
    found.extend(alone.map(|(program, _)| (*program).to_owned()));
    found
}

/// The programs that the other names of a command of `program` can begin with, itself among them.
pub(super) fn programs(program: &str) -> Vec<&str> {
    let first = |name: &'static str| name.split(' ').next().unwrap_or(name);
    let mut all = vec![program];
    let mut at = 0;
    while let Some(known) = all.get(at).copied() {
        let same = SAME.iter().filter(|names| names.iter().any(|name| behind(name, known).is_some()));
        let same = same.flat_map(|names| names.iter().copied());
        let included = INCLUDED.iter().filter(|(name, _)| behind(name, known).is_some());
        let included = included.flat_map(|(_, others)| others.iter().copied());
        for other in same.chain(included).map(first) {
            if !all.contains(&other) {
                all.push(other);
            }
        }
        at += 1;
    }
    all
}

/// The same words with one name changed.
fn renamed(text: &str) -> Vec<String> {
    let (program, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (verb, further) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut found = Vec::new();
    for names in SAME {
        swap(text, names, &mut found);
    }
    for (programs, names) in SUB_COMMANDS {
        if programs.contains(&program) {
            let mut changed = Vec::new();
            swap(rest, names, &mut changed);
            found.extend(changed.into_iter().map(|rest| format!("{program} {rest}")));
        }
    }
    for (name, others) in INCLUDED {
        let after = behind(text, name);
        found
            .extend(after.iter().flat_map(|after| others.iter().map(move |other| format!("{other}{after}"))));
    }
    let words = |all: &[&str]| all.join(" ").trim_end().to_owned();
    if CONTAINERS.contains(&program) {
        let whole = MANAGED.iter().filter(|(_, verbs)| verbs.contains(&verb));
        found.extend(whole.map(|(kind, _)| words(&[program, kind, rest])));
        let next = further.split(' ').next().unwrap_or_default();
        let short = MANAGED.iter().any(|(kind, verbs)| *kind == verb && verbs.contains(&next));
        found.extend(short.then(|| words(&[program, further])));
    }
    if matches!(program, "kubectl" | "oc") {
        let (kind, more) = further.split_once(' ').unwrap_or((further, ""));
        let others = KINDS.iter().filter(|names| names.contains(&kind)).copied().flatten();
        found.extend(others.map(|other| words(&[program, verb, other, more])));
    }
    if program == "git" && !verb.is_empty() {
        found.push(words(&[&format!("git-{verb}"), further]));
    }
    found.extend(by_script(program, rest));
    let shorter = (3..verb.len()).filter_map(|length| verb.get(..length));
    let shorter = shorter.filter(|_| SHORTENS.contains(&program) && !verb.contains('-'));
    let free = |name: &&str| {
        !SUB_COMMANDS.iter().any(|(programs, names)| programs.contains(&program) && names.contains(name))
    };
    found.extend(shorter.filter(free).map(|name| words(&[program, name, further])));
    found
}

/// What follows `name` in a text that begins with it, as whole words.
fn behind<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.strip_prefix(name).filter(|after| after.is_empty() || after.starts_with(' '))
}

/// The text with the name that it begins with changed for each of the others.
fn swap(text: &str, names: &[&str], found: &mut Vec<String>) {
    for after in names.iter().filter_map(|name| behind(text, name)) {
        found.extend(names.iter().map(|other| format!("{other}{after}")));
    }
}

/// With and without the word that says that a script is run.
fn by_script(program: &str, rest: &str) -> Option<String> {
    let of_script = |names: &str| {
        let name = names.split(' ').next().unwrap_or_default();
        let some = program == "npm" && RUNS_SOME.contains(&name);
        // The word is never doubled.
        some || (RUNS_SCRIPTS.contains(&program)
            && !matches!(name, "" | "run" | "run-script" | "rum" | "urn"))
    };
    match rest.strip_prefix("run ") {
        Some(name) => of_script(name).then(|| format!("{program} {name}")),
        None => of_script(rest).then(|| format!("{program} run {rest}")),
    }
}

/// `kubectl delete pod x` as `kubectl delete pod/x`, and among other kinds.
fn of_kind(text: &str, end: &str) -> Vec<String> {
    let mut words = text.splitn(4, ' ');
    let (Some("kubectl" | "oc"), Some(verb), Some(kind)) = (words.next(), words.next(), words.next()) else {
        return Vec::new();
    };
    if !KINDS.iter().any(|names| names.contains(&kind)) {
        return Vec::new();
    }
    let program = text.split(' ').next().unwrap_or_default();
    match words.next() {
        Some(name) => vec![format!("{program} {verb} {kind}/{name}{end}")],
        None => vec![
            format!("{program} {verb} {kind}/*"),
            format!("{program} {verb} {kind},*"),
            format!("{program} {verb} *,{kind}"),
            format!("{program} {verb} *,{kind} *"),
        ],
    }
}
