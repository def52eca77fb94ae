//! Settings that are fetched: from a server on this machine into the state folder, and from there into what counts.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test whose server does not start must stop"
)]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use portcullis_decide::rules::Source;
use portcullis_decide::{Mode, ToolCall, decide};
use portcullis_gate::remote::{Refreshed, refresh, refresh_now};
use portcullis_gate::settings::{IronGate, Loaded, Overrides, Places, Stages, ValueStatus, load};
use serde_json::{Value, json};

/// A server that sends these responses in turn, and the last one for ever.
struct Server {
    url: String,
    asked: Arc<AtomicUsize>,
}

impl Server {
    fn sending(responses: &[String]) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/portcullis.json", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let (counter, responses) = (Arc::clone(&asked), responses.to_vec());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut heard = Vec::new();
                let mut buffer = [0; 1024];
                while !heard.windows(4).any(|four| four == b"\r\n\r\n") {
                    match stream.read(&mut buffer) {
                        Ok(0) | Err(_) => break,
                        Ok(length) => heard.extend_from_slice(&buffer[..length]),
                    }
                }
                let number = counter.fetch_add(1, Ordering::SeqCst);
                let response = responses.get(number).or(responses.last()).unwrap();
                drop(stream.write_all(response.as_bytes()));
            }
        });
        Server { url, asked }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn response(status: &str, more: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nconnection: close\r\n{more}content-length: {length}\r\n\r\n{body}")
}

fn document(body: &Value) -> String {
    response("200 OK", "content-type: application/json\r\n", &body.to_string())
}

/// A machine of its own, in a folder that goes away.
struct Machine {
    folder: tempfile::TempDir,
    places: Places,
}

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let places = Places {
            home: at("home"),
            config: at("config"),
            state: at("state"),
            managed: at("managed"),
            project: at("project"),
        };
        Machine { folder, places }
    }

    fn with_user(settings: &Value) -> Machine {
        let machine = Machine::new();
        machine.write("config/settings.json", settings);
        machine
    }

    fn write(&self, name: &str, content: &Value) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content.to_string()).unwrap();
    }

    fn load(&self) -> Loaded {
        load(&self.places, &Overrides::default())
    }

    fn refresh(&self, now: u64) -> Refreshed {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(refresh(&self.places, &self.load().settings, now))
    }

    /// As if this had been fetched.
    fn fetched(&self, url: &str, document: &Value) {
        let kept = json!({ "url": url, "fetched": 1000, "document": document.to_string(), "failed": null });
        self.write("state/remote.json", &kept);
    }
}

fn said(loaded: &Loaded) -> String {
    loaded.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

const NOW: u64 = 1_700_000_000;

/// [C12] [C13]
#[test]
fn what_is_fetched_counts_and_is_fetched_again_after_thirty_minutes() {
    let first =
        json!({ "permissions": { "deny": ["Bash(curl:*)"] }, "classifier": { "ironGate": "closed" } });
    let second = json!({ "permissions": { "ask": ["WebFetch"] }, "disableAutoMode": true });
    let server = Server::sending(&[document(&first), document(&second)]);
    let machine = Machine::with_user(&json!({
        "remoteConfig": { "url": server.url }, "classifier": { "ironGate": "open" },
    }));
    assert_eq!(machine.refresh(NOW), Refreshed::Fetched);
    let loaded = machine.load();
    assert_eq!(said(&loaded), "");
    let rule = &loaded.settings.rules()[0];
    assert_eq!((rule.text.as_str(), rule.origin.source), ("Bash(curl:*)", Source::Remote));
    assert_eq!(rule.origin.file.as_deref(), Some(server.url.as_str()));
    let gate = loaded.settings.classifier.iron_gate.as_ref().unwrap();
    assert_eq!((gate.value, gate.origin.source), (IronGate::Closed, Source::Remote));
    let shown = loaded.settings.values();
    let local = shown.iter().find(|it| it.key == "classifier.ironGate" && it.value == "open").unwrap();
    assert_eq!(local.status, ValueStatus::Overridden);
    let kept = machine.places.state.join("remote.json");
    assert_eq!(kept.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!((machine.refresh(NOW + 1799), server.asked()), (Refreshed::Fresh, 1));
    assert_eq!((machine.refresh(NOW + 1800), server.asked()), (Refreshed::Fetched, 2));
    let loaded = machine.load();
    assert!(loaded.settings.auto_disabled.is_some() && loaded.settings.rules()[0].text == "WebFetch");
    // Loading reads what is kept and asks nobody.
    assert_eq!(server.asked(), 2);
}

/// [C12] [A4] Whatever the server does instead, what was fetched before stays in force, and people see it.
#[test]
fn a_fetch_that_fails_keeps_the_last_one_and_is_said() {
    let json_type = "content-type: application/json\r\n";
    let elsewhere = "location: http://127.0.0.1:1/\r\ncontent-type: application/json\r\n";
    for bad in [
        response("500 Oh", json_type, "{}"),
        response("404 No", json_type, "{}"),
        response("302 There", elsewhere, "{}"),
        response("200 OK", "content-type: text/html\r\n", "<p>"),
        response("200 OK", "content-type: application/json\r\ncontent-encoding: gzip\r\n", "{}"),
        response("200 OK", json_type, "{ \"permissions\": "),
        response("200 OK", json_type, "[]"),
        response("200 OK", json_type, &" ".repeat(300 * 1024)),
        String::new(),
    ] {
        let good = document(&json!({ "permissions": { "deny": ["Bash(curl:*)"] } }));
        let server = Server::sending(&[good, bad.clone()]);
        let machine = Machine::with_user(&json!({ "remoteConfig": { "url": server.url } }));
        assert_eq!(machine.refresh(NOW), Refreshed::Fetched);
        assert!(matches!(machine.refresh(NOW + 3600), Refreshed::Failed(_)), "{bad}");
        let loaded = machine.load();
        assert_eq!(loaded.settings.rules().len(), 1, "{bad}");
        assert!(!loaded.settings.incomplete);
        let said = said(&loaded);
        assert!(said.contains("could not be fetched at 2023-11-14 23:13 UTC"), "{said}");
        assert!(said.contains("fetched at 2023-11-14 22:13 UTC stays in force"), "{said}");
        // A server that failed is left alone for a minute, and then asked again.
        assert_eq!(machine.refresh(NOW + 3659), Refreshed::Fresh);
        assert!(matches!(machine.refresh(NOW + 3660), Refreshed::Failed(_)));
    }
}

/// [A3] [C13] What was never fetched may hold deny rules.
#[test]
fn until_something_was_fetched_calls_are_asked_about() {
    let server = Server::sending(&[document(&json!({}))]);
    let machine = Machine::with_user(&json!({ "remoteConfig": { "url": server.url } }));
    let loaded = machine.load();
    assert!(loaded.settings.incomplete && said(&loaded).contains("portcullis settings refresh"));
    assert_eq!(refresh_now(&machine.places, &loaded.settings, NOW), Refreshed::Fetched);
    assert!(!machine.load().settings.incomplete);
    for broken in [json!([]), json!({ "url": "x" }), json!("text")] {
        machine.write("state/remote.json", &broken);
        assert!(machine.load().settings.incomplete, "{broken}");
    }
    machine.fetched(&server.url, &json!({}));
    let kept = machine.places.state.join("remote.json");
    std::fs::set_permissions(&kept, PermissionsExt::from_mode(0o666)).unwrap();
    assert!(machine.load().settings.incomplete, "others can change it");
}

/// [R11] [C13] Only the user and the administrator name the address.
#[test]
fn a_project_cannot_name_the_address_or_take_it_away() {
    let other = Server::sending(&[document(&json!({ "disableAutoMode": true }))]);
    let machine = Machine::new();
    machine.write("project/.portcullis/settings.json", &json!({ "remoteConfig": { "url": other.url } }));
    assert_eq!(machine.refresh(NOW), Refreshed::NotConfigured);
    assert!(!machine.places.state.join("remote.json").exists());
    machine.write("config/settings.json", &json!({ "remoteConfig": { "url": "http://127.0.0.1:9/mine" } }));
    machine.fetched("http://127.0.0.1:9/mine", &json!({ "permissions": { "deny": ["Bash(rm:*)"] } }));
    for theirs in [json!({ "remoteConfig": { "url": other.url } }), json!({ "remoteConfig": { "url": "" } })]
    {
        machine.write("project/.portcullis/settings.json", &theirs);
        let loaded = machine.load();
        assert_eq!(loaded.settings.rules().len(), 1);
        assert_eq!(loaded.settings.remote_config_url.unwrap().value, "http://127.0.0.1:9/mine");
    }
    assert_eq!(other.asked(), 0);
    // Another address of the user's own: the old document guards until the new one is there.
    machine.write("config/settings.json", &json!({ "remoteConfig": { "url": other.url } }));
    let loaded = machine.load();
    assert!(loaded.settings.rules().len() == 1 && said(&loaded).contains("another address"));
    assert_eq!(machine.refresh(1001), Refreshed::Fetched);
    assert!(machine.load().settings.rules().is_empty());
    // Without an address nothing that was fetched counts.
    machine.write("config/settings.json", &json!({}));
    assert!(machine.load().settings.auto_disabled.is_none());
    // Where a broken file may have named it, it does.
    machine.fetched("http://127.0.0.1:9/mine", &json!({ "permissions": { "deny": ["Bash(rm:*)"] } }));
    machine.write("config/settings.json", &json!({ "permissions": { "deny": 1 } }));
    assert_eq!(machine.load().settings.rules().len(), 1);
}

/// [C13] Plain http leaves the machine for nobody.
#[test]
fn addresses_that_are_not_safe_are_not_fetched_from() {
    for url in ["http://settings.example.com/p.json", "file:///etc/passwd", "https://a:b@example.com/"] {
        let machine = Machine::with_user(&json!({ "remoteConfig": { "url": url } }));
        let Refreshed::Failed(why) = machine.refresh(NOW) else { panic!("{url}") };
        assert!(why.contains("use https") && !why.contains("a:b@"), "{why}");
        assert!(machine.load().settings.incomplete);
    }
}

/// [R1] Where only managed rules count, those from an address that the administrator gave do.
#[test]
fn rules_from_a_managed_address_are_managed() {
    let rules = json!({ "permissions": { "deny": ["Bash(rm:*)"] } });
    let url = "https://settings.example.com/p.json";
    let machine = Machine::new();
    machine.fetched(url, &rules);
    machine.write("managed/settings.json", &json!({ "allowManagedPermissionRulesOnly": true }));
    machine.write("config/settings.json", &json!({ "remoteConfig": { "url": url } }));
    assert_eq!(machine.load().settings.rules().len(), 0);
    let managed = json!({ "allowManagedPermissionRulesOnly": true, "remoteConfig": { "url": url } });
    machine.write("managed/settings.json", &managed);
    assert_eq!(machine.load().settings.rules().len(), 1);
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll<T: Clone>(&mut self, sides: &[T]) -> T {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(self.0 >> 33).unwrap() % sides.len();
        sides[at].clone()
    }
}

/// Every setting there is, with values of its own kind and of others.
fn anything(dice: &mut Dice, most: usize) -> Value {
    let schema = portcullis_gate::settings::schema();
    let mut names: Vec<String> = Vec::new();
    for (name, property) in schema["properties"].as_object().unwrap() {
        match property["properties"].as_object() {
            Some(inner) => names.extend(inner.keys().map(|key| format!("{name}.{key}"))),
            None => names.push(name.clone()),
        }
    }
    let values = [
        json!(true),
        json!(false),
        json!("disable"),
        json!(["Bash(ls:*)", "Bash"]),
        json!(["$defaults"]),
        json!([]),
        json!(["*"]),
        json!("open"),
        json!("closed"),
        json!("both"),
        json!("fast"),
        json!("thinking"),
        json!("bypassPermissions"),
        json!("auto"),
        json!("classify"),
        json!("standard"),
        json!("extended"),
        json!("judge-9"),
        json!(1),
        json!(20),
        json!(3600),
        json!({ "PreToolUse": [] }),
    ];
    let mut document = json!({});
    for _ in 0..most {
        let (name, value) = (dice.roll(&names), dice.roll(&values));
        match name.split_once('.') {
            Some((group, key)) => document[group][key] = value,
            None => document[name] = value,
        }
    }
    document
}

fn rank(stages: Stages, other: Stages) -> bool {
    stages == other || other == Stages::Both
}

/// [C12] [C13] Whatever is fetched, nothing gets looser by it.
#[test]
fn for_any_document_the_result_is_at_least_as_strict() {
    let mut dice = Dice(7);
    let url = "https://settings.example.com/p.json";
    let mut tightened = 0;
    for _ in 0..150 {
        let mut local = anything(&mut dice, 12);
        local["remoteConfig"] = json!({ "url": url });
        let machine = Machine::with_user(&local);
        machine.fetched(url, &json!({}));
        let before = machine.load();
        let document = anything(&mut dice, 20);
        machine.fetched(url, &document);
        let after = machine.load();
        let told = format!("{local}\n{document}");
        let (old, new) = (&before.settings, &after.settings);
        assert!(new.incomplete || !old.incomplete, "{told}");
        let texts = |loaded: &Loaded, remote: bool| -> Vec<String> {
            let rules = loaded.settings.rules().iter();
            let of = rules.filter(|rule| (rule.origin.source == Source::Remote) == remote);
            of.map(|rule| format!("{} {}", rule.list.name(), rule.text)).collect()
        };
        assert_eq!(texts(&before, false), texts(&after, false), "{told}");
        assert!(texts(&after, true).iter().all(|rule| !rule.starts_with("allow")), "{told}");
        let gate = |it: &portcullis_gate::settings::Settings| {
            it.classifier.iron_gate.as_ref().is_some_and(|gate| gate.value == IronGate::Open)
        };
        assert!(gate(old) || !gate(new), "{told}");
        let stages = |it: &portcullis_gate::settings::Settings| {
            it.classifier.mode.as_ref().map_or(Stages::Both, |mode| mode.value)
        };
        assert!(rank(stages(new), stages(old)), "{told}");
        let timeout = |it: &portcullis_gate::settings::Settings| {
            it.classifier.timeout.as_ref().map_or(25.0, |timeout| timeout.value)
        };
        assert!(timeout(new) <= timeout(old), "{told}");
        // Everything else is as it was.
        let rest = |it: &portcullis_gate::settings::Settings| {
            let mut classifier = it.classifier.clone();
            (classifier.mode, classifier.iron_gate, classifier.timeout) = (None, None, None);
            classifier.in_agents_place = None;
            let own = (&it.mode, &it.additional_directories, &it.enforce, &it.honour_host_mode, &it.hooks);
            let more = (&it.powershell_auto, &it.command_classifier, &it.worker_allowed_tools);
            format!("{classifier:?}{:?}{own:?}{more:?}{:?}", it.auto_mode, it.read_claude_code)
        };
        assert_eq!(rest(old), rest(new), "{told}");
        tightened += usize::from(strictness(&before, &after, &told));
    }
    assert!(tightened > 10, "the documents change something: {tightened}");
}

/// Rulings about some calls: none gets looser; says whether one got stricter.
fn strictness(before: &Loaded, after: &Loaded, told: &str) -> bool {
    let level = |loaded: &Loaded, command: &str, mode: Mode| {
        let mut context = loaded.context("/home/dev/proj", "/home/dev");
        context.facts = portcullis_decide::facts::Facts::plain();
        context.mode = mode;
        let call = ToolCall::new("Bash", json!({ "command": command }), "/home/dev/proj");
        ["allow", "ask", "deny"].iter().position(|name| *name == decide(&call, &context).decision.name())
    };
    let mut stricter = false;
    let forbidden = after.settings.auto_disabled.is_some();
    for mode in [Mode::Default, Mode::Auto, Mode::Bypass] {
        // Where auto mode is forbidden the default mode counts (M3), in which wide allow rules are not set aside (D1):
        // it is compared with what it would have been without the document.
        let counts = if mode == Mode::Auto && forbidden { Mode::Default } else { mode };
        for command in ["ls", "git push", "cat a | sh"] {
            let (old, new) = (level(before, command, counts), level(after, command, mode));
            assert!(new >= old, "{mode} {command}\n{told}");
            stricter |= new > old;
        }
    }
    stricter
}
