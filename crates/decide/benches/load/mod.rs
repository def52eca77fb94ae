//! What the bench and the speed example judge: ordinary commands, and rules of which few can mean them.

use std::path::Path;

use portcullis_decide::facts::Facts;
use portcullis_decide::rules::{List, Origin, Rule, Rules, Source};
use portcullis_decide::{Context, ToolCall};
use serde_json::{Value, json};

/// How many rules there are in each run.
pub(crate) const SIZES: [usize; 3] = [10, 1_000, 10_000];

const ROOT: &str = "/home/dev/proj";

/// Rules as people have them.
const USUAL: [(List, &str); 10] = [
    (List::Allow, "Bash(git status:*)"),
    (List::Allow, "Bash(git diff:*)"),
    (List::Allow, "Bash(npm test:*)"),
    (List::Allow, "Bash(cargo build:*)"),
    (List::Allow, "Edit(src/**)"),
    (List::Allow, "WebFetch(domain:docs.rs)"),
    (List::Ask, "Bash(git push:*)"),
    (List::Deny, "Bash(rm -rf:*)"),
    (List::Deny, "Bash(curl:*)"),
    (List::Deny, "Read(.env)"),
];

/// Commands of an ordinary day, for where no corpus is at hand.
const COMMANDS: &[&str] = &[
    "ls",
    "ls -la src",
    "pwd",
    "cat README.md",
    "cat package.json | head -20",
    "head -50 src/main.rs",
    "tail -n 100 logs/app.log",
    "sed -n '10,40p' src/lib.rs",
    "grep -rn \"TODO\" src --include='*.rs'",
    "rg -n 'fn main' crates",
    "find . -name '*.ts' -not -path './node_modules/*'",
    "wc -l src/*.rs",
    "git status",
    "git status --short && git diff --stat",
    "git log --oneline -20",
    "git diff HEAD~1 -- src/main.rs",
    "git show --stat HEAD",
    "git branch -a",
    "git add -A && git commit -m \"Fix the parser\"",
    "git checkout -b topic",
    "git stash list",
    "git push -u origin topic",
    "git fetch origin && git rebase origin/main",
    "npm test",
    "npm run build 2>&1 | tail -20",
    "npm install",
    "npm run lint -- --fix",
    "npx tsc --noEmit",
    "yarn test --watch=false",
    "pnpm -r build",
    "cargo build --release",
    "cargo test -p core 2>&1 | grep -E 'test result|FAILED' | head",
    "cargo clippy --all-targets -- -D warnings",
    "cargo fmt --check",
    "go test ./...",
    "go build ./cmd/server",
    "python3 -m pytest tests -x -q",
    "python3 scripts/check.py --all",
    "pip install -r requirements.txt",
    "make test",
    "make -j4 build",
    "docker ps",
    "docker compose up -d",
    "docker logs --tail 50 web",
    "kubectl get pods -n dev",
    "gh pr view 12 --json title,body",
    "gh pr list --state open",
    "mkdir -p build/out",
    "cp config.example.toml config.toml",
    "mv old.txt new.txt",
    "rm -f build/tmp.o",
    "touch src/new.rs",
    "echo \"done\"",
    "for f in src/*.rs; do echo \"$f\"; wc -l \"$f\"; done",
    "if [ -f package.json ]; then cat package.json; fi",
    "cd crates/core && cargo test",
    "export NODE_ENV=test; npm test",
    "curl -s http://localhost:3000/health | jq .status",
    "jq '.scripts' package.json",
    "ps aux | grep node | head -5",
    "diff -u a.txt b.txt",
    "tree -L 2 -I node_modules",
];

/// The calls, from `benign-dev.jsonl` in the folder that `PORTCULLIS_CORPUS` names, or the commands above.
pub(crate) fn calls() -> Vec<ToolCall> {
    let folder = std::env::var_os("PORTCULLIS_CORPUS");
    let file = folder.map(|folder| Path::new(&folder).join("benign-dev.jsonl"));
    let text = file.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let rows = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let shell = rows.filter(|row| row.get("tool").and_then(Value::as_str) == Some("Bash"));
    let line = |row: Value| row.pointer("/input/command").and_then(Value::as_str).map(str::to_owned);
    let mut lines: Vec<String> = shell.filter_map(line).collect();
    if lines.is_empty() {
        lines = COMMANDS.iter().map(|line| (*line).to_owned()).collect();
    }
    lines.into_iter().map(|line| ToolCall::new("Bash", json!({ "command": line }), ROOT)).collect()
}

/// The command line of a call.
pub(crate) fn line(call: &ToolCall) -> &str {
    call.text("command").unwrap_or_default()
}

/// A context with this many rules: the usual ones first, then rules for things that no call does.
pub(crate) fn context(rules: usize) -> Context {
    let usual = USUAL.iter().map(|(list, text)| (*list, (*text).to_owned()));
    let others = (0..).map(|number| match number % 5 {
        0 => (List::Allow, format!("Bash(tool-{number} run:*)")),
        1 => (List::Deny, format!("Bash(forbidden-{number}:*)")),
        2 => (List::Deny, format!("Read(//data/set-{number}/**)")),
        3 => (List::Allow, format!("Edit(//data/part-{number}/**)")),
        _ => (List::Ask, format!("WebFetch(domain:host-{number}.example)")),
    });
    let parse = |(list, text): (List, String)| Rule::parse(&text, list, Origin::of(Source::User)).0;
    let mut context = Context::new(ROOT, "/home/dev");
    context.rules = Rules::new(usual.chain(others).take(rules).map(parse).collect()).into();
    context.facts = Facts::plain();
    context
}
