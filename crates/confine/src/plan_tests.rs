//! Plans as text: what a command would see, for facts that are made up.

use std::collections::BTreeMap;

use super::*;
use crate::envelope::{Git, Host};
use crate::facts::{Place, Project, Repository};
use crate::steps::Access;

const PROJECT: &str = "/home/dev/proj";

fn envelope(kind: Kind) -> Envelope {
    Envelope {
        kind,
        trusted: vec![PROJECT.to_owned()],
        writable: Vec::new(),
        readable: Vec::new(),
        hosts: Vec::new(),
        caches: Vec::new(),
        git: Git::Read,
        own: vec!["/home/dev/.config/portcullis".to_owned()],
        own_programs: vec!["/home/dev/.cargo/bin/portcullis".to_owned()],
        passed_variables: Vec::new(),
        limits: Limits::default(),
    }
}

fn facts() -> Facts {
    let folders = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), Place::Folder)).collect();
    let root: BTreeMap<String, Place> = folders(&["usr", "etc", "home", "proc", "dev", "run", "tmp"]);
    let mut places: BTreeMap<String, Place> = folders(&[
        PROJECT,
        "/home/dev/.cargo",
        "/home/dev/.ssh",
        "/home/dev/.config/portcullis",
        "/home/dev/.cargo/registry",
    ]);
    for file in ["/home/dev/.cargo/credentials.toml", "/home/dev/.cargo/bin/portcullis", "/etc/shadow"] {
        places.insert(file.to_owned(), Place::File);
    }
    let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Facts {
        home: "/home/dev".to_owned(),
        directory: PROJECT.to_owned(),
        root,
        places,
        mounts: vec!["/etc/secret mount".to_owned(), "/proc".to_owned()],
        sockets: vec!["/home/dev/.cargo/x.sock".to_owned(), "/run/docker.sock".to_owned()],
        host_name: "box".to_owned(),
        environment: vec![
            variable("PATH", "/usr/bin"),
            variable("API_TOKEN", "s"),
            variable("HTTPS_PROXY", "http://p"),
        ],
        ..Facts::default()
    }
}

fn protected(paths: &[&str]) -> Project {
    Project {
        protected: paths.iter().map(|path| (format!("{PROJECT}/{path}"), Place::Folder)).collect(),
        ..Project::default()
    }
}

/// The steps, a line each.
fn shown(mounts: &[Mount]) -> Vec<String> {
    let line = |mount: &Mount| match mount {
        Mount::Bind(_, at, Access::Read) => format!("read {at}"),
        Mount::Bind(_, at, Access::Write) => format!("write {at}"),
        Mount::Hide(at, _) => format!("hide {at}"),
        Mount::Seal(at) => format!("seal {at}"),
        Mount::Temporary(at, ..) => format!("temporary {at}"),
        Mount::Text(at, _) => format!("text {at}"),
        Mount::Folder(at) => format!("folder {at}"),
        Mount::Link(at, to) => format!("link {at} {to}"),
        Mount::Processes => "processes".to_owned(),
        Mount::Devices => "devices".to_owned(),
    };
    mounts.iter().map(line).collect()
}

/// [K2]
#[test]
fn every_folder_above_a_protected_name_stays_in_place() {
    let project = protected(&[".vscode", "a/b/.claude"]);
    let plan = plan(&envelope(Kind::Project), &Facts { project, ..facts() }).unwrap();
    let expected = ["write", "read", "write", "write", "read"];
    let paths = ["", "/.vscode", "/a", "/a/b", "/a/b/.claude"];
    let expected: Vec<String> =
        expected.iter().zip(paths).map(|(access, path)| format!("{access} {PROJECT}{path}")).collect();
    assert_eq!(shown(&plan.mounts), expected);
}

/// [K2]
#[test]
fn a_repository_is_read_only_or_what_makes_git_run_something_is() {
    let names = ["config", "objects", "HEAD", "hooks"].map(|name| (name.to_owned(), Place::Folder));
    let repository = Repository { folder: format!("{PROJECT}/.git"), names: names.into(), hooks: Vec::new() };
    let project = Project { repositories: vec![repository], ..protected(&[".git"]) };
    let facts = Facts { project, ..facts() };
    let read = plan(&envelope(Kind::Project), &facts).unwrap();
    assert_eq!(shown(&read.mounts), [format!("write {PROJECT}"), format!("read {PROJECT}/.git")]);
    let work = plan(&Envelope { git: Git::Work, ..envelope(Kind::Project) }, &facts).unwrap();
    let expected = ["write ", "write /.git", "read /.git/config", "read /.git/hooks", "read /.git/info"];
    let expected = expected.map(|line| line.replacen(' ', &format!(" {PROJECT}"), 1));
    assert_eq!(shown(&work.mounts), expected);
    assert_eq!(work.created, [format!("{PROJECT}/.git/info")]);
}

/// [K2]
#[test]
fn the_base_hides_secrets_and_sockets_and_seals_what_is_mounted_below() {
    let lines = shown(&plan(&envelope(Kind::Project), &facts()).unwrap().base);
    for line in [
        "read /usr",
        "read /etc",
        "seal /etc/secret mount",
        "temporary /home/dev",
        "read /home/dev/.cargo",
        "hide /home/dev/.cargo/credentials.toml",
        "hide /home/dev/.cargo/x.sock",
        "hide /etc/shadow",
        "text /etc/hosts",
    ] {
        assert!(lines.iter().any(|found| found == line), "{line}: {lines:#?}");
    }
    let seen = |path: &str| lines.iter().any(|line| line.starts_with("read ") && line.ends_with(path));
    assert!(!seen(".ssh") && !seen("portcullis") && !seen("/run") && !seen("/home") && !seen("/dev"));
    assert!(lines.iter().all(|line| !line.starts_with("write ")), "{lines:#?}");
}

/// [K2]
#[test]
fn the_narrowest_envelope_writes_nothing() {
    let plan = plan(&envelope(Kind::Reads), &facts()).unwrap();
    assert!(shown(&plan.mounts).iter().all(|line| !line.starts_with("write ")));
    assert_eq!(shown(&plan.mounts).last().map(String::as_str), Some("seal /dev/shm"));
    assert_eq!(plan.writable, ["/tmp"]);
}

/// [K2]
#[test]
fn the_widest_envelope_holds_the_gate() {
    let lines = shown(&plan(&envelope(Kind::Open), &facts()).unwrap().mounts);
    let after = |line: &str| {
        lines.iter().rposition(|found| found == line).unwrap_or_else(|| panic!("{line}: {lines:#?}"))
    };
    let hidden = after("hide /home/dev/.config/portcullis");
    assert!(hidden > after("write /home") && hidden > after("write /home/dev/.config"));
    assert!(after("read /home/dev/.cargo/bin/portcullis") > after("write /home/dev/.cargo/bin"));
    assert!(
        !lines
            .iter()
            .any(|line| line.ends_with(" /proc") || line.ends_with(" /run") || line.ends_with(" /dev"))
    );
}

/// [K2, K7]
#[test]
fn what_would_give_the_envelope_away_is_refused() {
    let refused =
        |path: &str| plan(&Envelope { trusted: vec![path.to_owned()], ..envelope(Kind::Project) }, &facts());
    for path in [
        "/",
        "/home",
        "/home/dev",
        "/etc",
        "/etc/x",
        "/usr/local",
        "/proc/1/root",
        "/dev/shm",
        "/run/x",
        "/tmp",
        "/.host/home",
        "/home/dev/.config/portcullis/x",
        "/home/dev/.config",
        "relative",
        "/home/dev/../dev",
        "",
    ] {
        assert!(refused(path).is_err(), "{path}");
    }
    for path in [PROJECT, "/tmp/x", "/srv/x", "/opt/x"] {
        assert!(refused(path).is_ok(), "{path}");
    }
}

/// [K5]
#[test]
fn a_command_with_hosts_knows_their_names_and_the_proxy() {
    let hosts = vec![Host::read("a.example").unwrap(), Host::read("b.example:22").unwrap()];
    let plan = plan(&Envelope { hosts, ..envelope(Kind::Project) }, &facts()).unwrap();
    let Some(Mount::Text(_, text)) = plan.mounts.last() else { panic!("{:?}", plan.mounts) };
    assert!(text.ends_with("127.77.0.1 a.example\n127.77.0.2 b.example\n"), "{text}");
    assert!(matches!(&plan.network, Network::Hosts(hosts) if hosts.len() == 2));
    let value = |name: &str| {
        plan.environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    };
    assert_eq!(value("HTTPS_PROXY"), Some("http://127.77.255.1:3128"));
    assert_eq!((value("PATH"), value("API_TOKEN")), (Some("/usr/bin"), None));
}
