//! The words that people use for what commands work on, in seven languages.

use super::super::grammar::verbs::Deed;

/// Sub-commands, and what they do.
pub(super) const STEPS: &[(Deed, &[&str])] = &[
    (
        Deed::Delete,
        &[
            "delete", "rm", "remove", "rmdir", "del", "destroy", "dropdb", "dropuser", "prune", "unlink",
            "rb", "drop",
        ],
    ),
    (Deed::Empty, &["flushdb", "flushall"]),
    (Deed::Merge, &["merge"]),
    (Deed::Open, &["create"]),
    (Deed::Close, &["close"]),
    (Deed::Comment, &["comment"]),
    (Deed::Discard, &["restore", "checkout"]),
    (Deed::Restart, &["restart"]),
    (Deed::Stop, &["kill", "stop", "pkill"]),
    (Deed::Scale, &["scale"]),
    (Deed::Deploy, &["deploy"]),
    (Deed::Publish, &["publish", "upload"]),
    (Deed::Deprecate, &["deprecate"]),
    (Deed::Set, &["set-url"]),
    (Deed::Push, &["push"]),
];

/// Nouns for things in sub-commands: they say what kind of thing a name is, and need not be said.
pub(super) const NOUNS: &[&str] = &[
    "pr",
    "mr",
    "issue",
    "release",
    "branch",
    "tag",
    "stash",
    "container",
    "volume",
    "image",
    "network",
    "pod",
    "deployment",
    "deployments",
    "deploy",
    "service",
    "svc",
    "configmap",
    "secret",
    "namespace",
    "ns",
    "job",
    "rollout",
    "remote",
    "s3",
    "compose",
    "function",
    "origin",
    "table",
    "database",
    "repo",
    "node",
    "statefulset",
    "ingress",
    "pvc",
    "cronjob",
];

/// Options whose value the agent writes.
pub(super) const TEXTS: &[&str] =
    &["--title", "--body", "--message", "--notes", "--description", "--comment", "--reason", "-m"];

/// Options of one letter that are followed by a value.
pub(super) const VALUED: &[&str] = &["-h", "-n", "-p", "-U", "-t", "-b", "-R", "-C", "-B", "-H"];

/// What a sub-command does.
pub(in super::super) fn step(word: &str) -> Option<Deed> {
    let word = word.to_lowercase();
    STEPS.iter().find(|(_, steps)| steps.contains(&word.as_str())).map(|(deed, _)| *deed)
}

/// What people call what a command does something to, in every language.
pub(super) type Noun = &'static [&'static str];

const BRANCH: Noun = &[
    "branch",
    "branche",
    "zweig",
    "rama",
    "ramo",
    "tag",
    "etiqueta",
    "stash",
    "commit",
    "feature",
    "分支",
    "标签",
    "ブランチ",
    "タグ",
];

const FILES: Noun = &[
    "file",
    "files",
    "folder",
    "directory",
    "changes",
    "edits",
    "datei",
    "ordner",
    "änderungen",
    "fichier",
    "dossier",
    "modifs",
    "modifications",
    "archivo",
    "carpeta",
    "cambios",
    "arquivo",
    "pasta",
    "mudanças",
    "alterações",
];

pub(super) const REQUEST: Noun = &["pr", "mr", "pull", "request", "merge", "合并请求", "プルリク", "#"];

pub(super) const ISSUE: Noun = &["issue", "issues", "ticket", "bug", "工单", "イシュー", "incidencia"];

pub(super) const RELEASE: Noun = &["release", "versión", "版本", "リリース", "发布"];

const SERVICE: Noun =
    &["service", "servicio", "serviço", "dienst", "box", "machine", "máquina", "maschine", "unit", "daemon"];

const CONTAINER: Noun = &["container", "conteneur", "contenedor", "contêiner", "容器", "コンテナ"];

const VOLUME: Noun = &["volume", "volumen", "volumes", "卷", "ボリューム"];

pub(super) const TABLE: Noun = &["table", "tabelle", "tabla", "tabela", "表", "テーブル"];

pub(super) const DATABASE: Noun =
    &["database", "db", "datenbank", "base", "datos", "données", "banco", "dados", "库", "データベース"];

const PROCESS: Noun = &["process", "prozess", "processus", "proceso", "processo", "pid", "进程", "プロセス"];

pub(super) fn noun_of(program: &str, words: &[&str]) -> Option<Noun> {
    let has = |word: &str| words.contains(&word);
    let drops = |thing: &str| words.iter().any(|word| word.to_lowercase().contains(thing));
    match program {
        "git" if has("restore") || has("checkout") || has("reset") => Some(FILES),
        "git" => Some(BRANCH),
        "rm" | "rmdir" | "unlink" => Some(FILES),
        "gh" | "glab" if has("pr") || has("mr") => Some(REQUEST),
        "gh" | "glab" if has("issue") => Some(ISSUE),
        "gh" | "glab" if has("release") => Some(RELEASE),
        "systemctl" | "service" => Some(SERVICE),
        "docker" | "podman" if has("volume") => Some(VOLUME),
        "docker" | "podman" if has("rm") || has("stop") || has("restart") || has("kill") => Some(CONTAINER),
        "dropdb" => Some(DATABASE),
        "psql" | "mysql" | "mariadb" if drops("drop table") || drops("truncate") => Some(TABLE),
        "psql" | "mysql" | "mariadb" if drops("drop database") => Some(DATABASE),
        "kill" => Some(PROCESS),
        _ => None,
    }
}
