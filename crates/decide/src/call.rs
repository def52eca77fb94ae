//! Tool calls in canonical form (SPEC T1, T6), and the table of tools.
//!
//! Names are compared exactly: a name in another case, or with a look-alike letter, is another tool.

use serde_json::{Map, Value, json};

/// One tool call that an agent wants to make, in canonical form: the tool's name and fields are those of Claude Code,
/// whichever agent makes it.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// The agent's id of the call.
    pub id: Option<String>,
    /// The tool.
    pub tool: Tool,
    /// The input: a JSON object with the tool's fields.
    pub input: Value,
    /// The session it belongs to.
    pub session: Option<String>,
    /// The sub-agent that makes it; `None` for the main agent.
    pub agent: Option<String>,
    /// The working directory, an absolute path.
    pub cwd: String,
    /// The host's name of the tool, where that is another shell tool than Bash (R7b).
    pub called: Option<String>,
}

/// Shell tools under other names: they run a command line as Bash does.
const SHELL_TOOLS: &[&str] = &["Monitor", "monitor", "MonitorTool"];
/// Fields of tools nobody knows that carry a command line.
const COMMAND_FIELDS: &[&str] = &[
    "command",
    "cmd",
    "script",
    "code",
    "shell",
    "shell_command",
    "command_line",
    "commandLine",
    "bash",
    "argv",
];

impl ToolCall {
    /// A call of the tool with this name, without a session.
    #[must_use]
    pub fn new(name: &str, input: Value, cwd: impl Into<String>) -> ToolCall {
        let shell = SHELL_TOOLS.contains(&name) && input.get("command").is_some();
        let tool = if shell { Tool::Bash } else { Tool::named(name) };
        let called = shell.then(|| name.to_owned());
        ToolCall { id: None, tool, input, session: None, agent: None, cwd: cwd.into(), called }
    }

    /// The same call with another input. Which tool it is may depend on the input.
    #[must_use]
    pub fn with_input(self, input: Value) -> ToolCall {
        let name = self.tool_name().to_owned();
        ToolCall {
            id: self.id,
            session: self.session,
            agent: self.agent,
            ..ToolCall::new(&name, input, self.cwd)
        }
    }

    /// The host's name of the tool.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        self.called.as_deref().unwrap_or_else(|| self.tool.name())
    }

    /// The command line or address that a call of an unknown or MCP tool holds in its fields, as a call of its own
    /// (R7b). Rules, safety checks and detectors look at both.
    #[must_use]
    pub fn carried(&self) -> Option<ToolCall> {
        let (Tool::Unknown(_) | Tool::Mcp(_)) = &self.tool else { return None };
        let objects = || [&self.input].into_iter().chain(self.fields().into_iter().flat_map(Map::values));
        let line =
            objects().find_map(|fields| COMMAND_FIELDS.iter().find_map(|name| line(fields.get(name)?)));
        let inner = |name: &str, input: Value| ToolCall {
            id: self.id.clone(),
            session: self.session.clone(),
            agent: self.agent.clone(),
            ..ToolCall::new(name, input, self.cwd.clone())
        };
        let address = || self.input.get("ws")?.get("url")?.as_str();
        let address = || address().map(|url| url.replacen("ws", "http", usize::from(url.starts_with("ws"))));
        line.map(|line| inner("Bash", json!({ "command": line })))
            .or_else(|| address().map(|url| inner("WebFetch", json!({ "url": url }))))
    }

    /// The fields of the input; `None` if it is not an object.
    #[must_use]
    pub fn fields(&self) -> Option<&Map<String, Value>> {
        self.input.as_object()
    }

    /// The value of a field that is a string.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.input.get(field).and_then(Value::as_str)
    }
}

/// A field as a command line: a text, or a list of words.
fn line(field: &Value) -> Option<String> {
    let quoted = |word: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@%+".contains(&byte);
        if !word.is_empty() && word.bytes().all(plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    match field {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(list) => {
            let words: Vec<&str> = list.iter().map(Value::as_str).collect::<Option<_>>()?;
            Some(words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// Each tool: its variant, canonical name, other names and flags.
macro_rules! tools {
    ($($variant:ident $name:literal [$($alias:literal)*] $($flag:ident)*;)*) => {
        /// A canonical tool, whatever an agent calls it.
        #[expect(clippy::enum_variant_names, reason = "`ToolSearch` is what the tool is called")]
        #[derive(Clone, PartialEq, Eq, Debug, Hash)]
        pub enum Tool {
            $(#[doc = concat!("The tool `", $name, "`.")] $variant,)*
            /// A tool of an MCP server, by its full name `mcp__server__tool`.
            Mcp(String),
            /// Any other tool; never assumed to be harmless.
            Unknown(String),
        }

        impl Tool {
            /// The canonical names of all built-in tools.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The tool with this canonical name or alias.
            #[must_use]
            pub fn named(name: &str) -> Tool {
                match name {
                    $($name $(| $alias)* => Tool::$variant,)*
                    _ if is_mcp(name) => Tool::Mcp(name.to_owned()),
                    _ => Tool::Unknown(name.to_owned()),
                }
            }

            /// The canonical name.
            #[must_use]
            pub fn name(&self) -> &str {
                match self {
                    $(Tool::$variant => $name,)*
                    Tool::Mcp(name) | Tool::Unknown(name) => name,
                }
            }

            /// All names, the canonical one first.
            #[must_use]
            pub fn names(&self) -> Vec<&str> {
                match self {
                    $(Tool::$variant => vec![$name $(, $alias)*],)*
                    Tool::Mcp(name) | Tool::Unknown(name) => vec![name],
                }
            }

            fn has(&self, flag: Flag) -> bool {
                match self {
                    $(Tool::$variant => [$(Flag::$flag),*].contains(&flag),)*
                    Tool::Mcp(_) | Tool::Unknown(_) => false,
                }
            }
        }
    };
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    /// A person answers it: it can never be answered for them (F5).
    Interacts,
    /// Explicitly without any effect that matters to security (P1).
    Irrelevant,
    /// On the list of safe tools (P6).
    Safe,
    /// Passes in plan mode (F8b).
    Plans,
    /// Passes in plan mode where a rule allows it (F8b).
    PlansByRule,
    /// Reads files it names (F7a).
    Reads,
    /// Changes files it names.
    Edits,
}

tools! {
    Bash "Bash" ["BashTool"];
    PowerShell "PowerShell" ["PowerShellTool"];
    Read "Read" ["FileReadTool" "ReadTool"] Safe Reads;
    Edit "Edit" ["FileEditTool" "EditTool"] Edits;
    MultiEdit "MultiEdit" ["MultiEditTool"] Edits;
    Write "Write" ["FileWriteTool" "WriteTool"] Edits;
    NotebookEdit "NotebookEdit" ["NotebookEditTool"] Edits;
    Glob "Glob" ["GlobTool"] Safe Reads;
    Grep "Grep" ["GrepTool"] Safe Reads;
    Lsp "LSP" ["LSPTool"] Safe Reads;
    WebFetch "WebFetch" ["WebFetchTool"] PlansByRule;
    WebSearch "WebSearch" ["WebSearchTool"] Plans;
    Agent "Agent" ["Task" "AgentTool" "TaskTool"] PlansByRule;
    Skill "Skill" ["SkillTool"];
    TodoWrite "TodoWrite" ["TodoWriteTool"] Irrelevant Safe Plans;
    TaskCreate "TaskCreate" ["TaskCreateTool"] Safe Plans;
    TaskGet "TaskGet" ["TaskGetTool"] Irrelevant Safe Plans;
    TaskUpdate "TaskUpdate" ["TaskUpdateTool"] Safe Plans;
    TaskList "TaskList" ["TaskListTool"] Irrelevant Safe Plans;
    TaskStop "TaskStop" ["TaskStopTool"] Safe Plans;
    AskUserQuestion "AskUserQuestion" ["AskUserQuestionTool"] Interacts Safe Plans;
    EnterPlanMode "EnterPlanMode" ["EnterPlanModeTool"] Irrelevant Safe Plans;
    ExitPlanMode "ExitPlanMode" ["ExitPlanModeTool"] Interacts Plans;
    TeamCreate "TeamCreate" ["TeamCreateTool"] Safe;
    SendMessage "SendMessage" ["SendMessageTool"];
    Sleep "Sleep" ["SleepTool"] Irrelevant Safe;
    CronCreate "CronCreate" ["CronCreateTool"];
    Config "Config" ["ConfigTool"];
    Repl "REPL" ["REPLTool"];
    BashOutput "BashOutput" ["BashOutputTool"];
    KillShell "KillShell" ["KillShellTool"];
    TaskOutput "TaskOutput" ["TaskOutputTool"];
    ToolSearch "ToolSearch" ["ToolSearchTool"];
    ClassifyResult "classify_result" [] Irrelevant;
}

impl Tool {
    /// Whether only a person can answer it (F5), as with a question to the user.
    #[must_use]
    pub fn needs_interaction(&self) -> bool {
        self.has(Flag::Interacts)
    }

    /// Whether it cannot affect security (P1), as with a to-do list.
    #[must_use]
    pub fn is_irrelevant(&self) -> bool {
        self.has(Flag::Irrelevant)
    }

    /// Whether it is on the list of safe tools (P6).
    #[must_use]
    pub fn is_safe(&self) -> bool {
        self.has(Flag::Safe)
    }

    /// Whether it runs a command line.
    #[must_use]
    pub fn is_shell(&self) -> bool {
        matches!(self, Tool::Bash | Tool::PowerShell)
    }

    /// Whether it changes the files it names.
    #[must_use]
    pub fn edits_files(&self) -> bool {
        self.has(Flag::Edits)
    }

    /// Whether it reads the files it names.
    #[must_use]
    pub fn reads_files(&self) -> bool {
        self.has(Flag::Reads)
    }

    pub(crate) fn passes_plan(&self) -> bool {
        self.has(Flag::Plans)
    }

    pub(crate) fn passes_plan_by_rule(&self) -> bool {
        self.has(Flag::PlansByRule)
    }
}

/// `mcp__<server>__<tool>`, both named, in plain characters.
fn is_mcp(name: &str) -> bool {
    let plain = |text: &str| {
        let ok = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':');
        !text.is_empty() && text.bytes().all(ok)
    };
    let parts = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
    parts.is_some_and(|(server, tool)| plain(server) && plain(tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_tools() {
        for name in Tool::NAMES {
            assert_eq!(Tool::named(name).name(), *name);
            for other in Tool::named(name).names() {
                assert_eq!(Tool::named(other).name(), *name);
            }
        }
        assert_eq!(Tool::named("Task"), Tool::Agent);
        assert_eq!(Tool::named("BashTool"), Tool::Bash);
        assert_eq!(Tool::named("mcp__github__get_issue"), Tool::Mcp("mcp__github__get_issue".to_owned()));
    }

    /// [R7b]
    #[test]
    fn command_lines_are_found_under_any_name() {
        let call = |name: &str, input: Value| ToolCall::new(name, input, "/p");
        let monitor = call("Monitor", json!({ "command": "ls" }));
        assert_eq!((&monitor.tool, monitor.tool_name()), (&Tool::Bash, "Monitor"));
        for (name, input) in [
            ("run", json!({ "cmd": "rm -rf x" })),
            ("run", json!({ "args": { "script": "rm -rf x" } })),
            ("mcp__sh__exec", json!({ "command": ["rm", "-rf", "x"] })),
        ] {
            let carried = call(name, input).carried().unwrap();
            assert_eq!((carried.tool.name(), carried.text("command")), ("Bash", Some("rm -rf x")));
        }
        let quoted = call("run", json!({ "argv": ["echo", "a b", "it's"] })).carried().unwrap();
        assert_eq!(quoted.text("command"), Some("echo 'a b' 'it'\\''s'"));
        let socket = call("Monitor", json!({ "ws": { "url": "wss://x.example/a" } }));
        assert_eq!(socket.carried().map(|it| it.tool), Some(Tool::WebFetch));
        assert!(call("run", json!({ "text": "ls" })).carried().is_none());
        assert!(call("Read", json!({ "command": "ls" })).carried().is_none());
    }

    #[test]
    fn a_name_that_only_looks_like_a_tool_is_unknown() {
        for name in [
            "bash",
            "Read\u{200b}",
            "\u{412}ash",
            "",
            "mcp__",
            "mcp__a",
            "mcp____b",
            "__proto__",
            "mcp__a__\u{200b}",
        ] {
            assert_eq!(Tool::named(name), Tool::Unknown(name.to_owned()), "{name:?}");
        }
    }
}
