//! What other agents call their tools: one flat table, shared by everything that reads their calls (SPEC T6).

/// An agent whose names of tools and fields are translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agent {
    /// Claude Code, and everything that uses its names.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI and Qwen Code.
    Gemini,
    /// `OpenCode`.
    OpenCode,
    /// Copilot CLI.
    Copilot,
    /// Cursor.
    Cursor,
    /// Goose.
    Goose,
}

/// Names of fields: the agent's, and ours.
pub(super) type Renamed = &'static [(&'static str, &'static str)];

/// Whose name, the name, the canonical tool, and which of its fields are called otherwise.
pub(super) type Row = (Agent, &'static str, &'static str, Renamed);

const PATH: Renamed = &[
    ("path", "file_path"),
    ("filePath", "file_path"),
    ("absolute_path", "file_path"),
    ("target_file", "file_path"),
];
const EDIT: Renamed = &[
    ("path", "file_path"),
    ("filePath", "file_path"),
    ("oldString", "old_string"),
    ("newString", "new_string"),
    ("replaceAll", "replace_all"),
];
const CREATE: Renamed = &[("path", "file_path"), ("file_text", "content")];
const REPLACE: Renamed = &[("path", "file_path"), ("old_str", "old_string"), ("new_str", "new_string")];
const CURSOR_WRITE: Renamed = &[("path", "file_path"), ("contents", "content")];
const GOOSE_EDIT: Renamed = &[("path", "file_path"), ("before", "old_string"), ("after", "new_string")];

pub(super) const ROWS: &[Row] = &[
    (Agent::Codex, "shell", "Bash", &[]),
    (Agent::Codex, "local_shell", "Bash", &[]),
    (Agent::Codex, "container.exec", "Bash", &[]),
    (Agent::Codex, "shell_command", "Bash", &[]),
    (Agent::Codex, "exec_command", "Bash", &[("cmd", "command")]),
    (Agent::Codex, "unified_exec", "Bash", &[]),
    (Agent::Codex, "write_stdin", "Bash", &[("chars", "command")]),
    (Agent::Codex, "view_image", "Read", PATH),
    (Agent::Codex, "read_file", "Read", PATH),
    (Agent::Codex, "list_dir", "Glob", &[("dir_path", "pattern"), ("path", "pattern")]),
    (Agent::Codex, "grep_files", "Grep", &[]),
    (Agent::Codex, "update_plan", "TodoWrite", &[]),
    (Agent::Codex, "web_search", "WebSearch", &[]),
    (Agent::Codex, "request_user_input", "AskUserQuestion", &[]),
    (Agent::Codex, "spawn_agent", "Agent", &[("message", "prompt"), ("agent_type", "subagent_type")]),
    (Agent::Codex, "send_input", "SendMessage", &[("id", "to")]),
    (Agent::Codex, "wait_agent", "TaskOutput", &[]),
    (Agent::Codex, "close_agent", "TaskStop", &[]),
    (Agent::Gemini, "run_shell_command", "Bash", &[]),
    (Agent::Gemini, "replace", "Edit", EDIT),
    (Agent::Gemini, "edit", "Edit", EDIT),
    (Agent::Gemini, "write_file", "Write", PATH),
    (Agent::Gemini, "read_file", "Read", PATH),
    (Agent::Gemini, "read_many_files", "Read", &[]),
    (Agent::Gemini, "list_directory", "Glob", &[("dir_path", "pattern"), ("path", "pattern")]),
    (Agent::Gemini, "glob", "Glob", &[("dir_path", "path")]),
    (Agent::Gemini, "search_file_content", "Grep", &[("dir_path", "path")]),
    (Agent::Gemini, "grep_search", "Grep", &[("dir_path", "path")]),
    (Agent::Gemini, "web_fetch", "WebFetch", &[]),
    (Agent::Gemini, "google_web_search", "WebSearch", &[]),
    (Agent::Gemini, "web_search", "WebSearch", &[]),
    (Agent::Gemini, "write_todos", "TodoWrite", &[]),
    (Agent::Gemini, "todo_write", "TodoWrite", &[]),
    (Agent::Gemini, "task", "Agent", &[]),
    (Agent::Gemini, "agent", "Agent", &[]),
    (Agent::Gemini, "invoke_agent", "Agent", &[("agent_name", "subagent_type"), ("request", "prompt")]),
    (Agent::Gemini, "ask_user", "AskUserQuestion", &[]),
    (Agent::Gemini, "ask_user_question", "AskUserQuestion", &[]),
    (Agent::Gemini, "enter_plan_mode", "EnterPlanMode", &[]),
    (Agent::Gemini, "exit_plan_mode", "ExitPlanMode", &[]),
    (Agent::Gemini, "activate_skill", "Skill", &[]),
    (Agent::Gemini, "skill", "Skill", &[]),
    (Agent::Gemini, "lsp", "LSP", &[]),
    (Agent::Gemini, "notebook_edit", "NotebookEdit", &[]),
    (Agent::Gemini, "send_message", "SendMessage", &[]),
    (Agent::Gemini, "task_stop", "TaskStop", &[]),
    (Agent::Gemini, "cron_create", "CronCreate", &[]),
    (Agent::Gemini, "tool_search", "ToolSearch", &[]),
    (Agent::OpenCode, "bash", "Bash", &[("workdir", "cwd")]),
    (Agent::OpenCode, "edit", "Edit", EDIT),
    (Agent::OpenCode, "multiedit", "MultiEdit", EDIT),
    (Agent::OpenCode, "write", "Write", PATH),
    (Agent::OpenCode, "read", "Read", PATH),
    (Agent::OpenCode, "list", "Glob", &[("path", "pattern")]),
    (Agent::OpenCode, "glob", "Glob", &[]),
    (Agent::OpenCode, "grep", "Grep", &[]),
    (Agent::OpenCode, "webfetch", "WebFetch", &[]),
    (Agent::OpenCode, "websearch", "WebSearch", &[]),
    (Agent::OpenCode, "task", "Agent", &[]),
    (Agent::OpenCode, "skill", "Skill", &[]),
    (Agent::OpenCode, "question", "AskUserQuestion", &[]),
    (Agent::OpenCode, "todowrite", "TodoWrite", &[]),
    (Agent::OpenCode, "todoread", "TaskList", &[]),
    (Agent::OpenCode, "lsp", "LSP", &[]),
    (Agent::Copilot, "bash", "Bash", &[]),
    (Agent::Copilot, "powershell", "PowerShell", &[]),
    (Agent::Copilot, "Read", "Read", PATH),
    (Agent::Copilot, "view", "Read", PATH),
    (Agent::Copilot, "Write", "Write", CREATE),
    (Agent::Copilot, "create", "Write", CREATE),
    (Agent::Copilot, "Edit", "Edit", REPLACE),
    (Agent::Copilot, "edit", "Edit", REPLACE),
    (Agent::Copilot, "grep", "Grep", &[]),
    (Agent::Copilot, "rg", "Grep", &[]),
    (Agent::Copilot, "glob", "Glob", &[]),
    (Agent::Copilot, "web_fetch", "WebFetch", &[]),
    (Agent::Copilot, "web_search", "WebSearch", &[]),
    (Agent::Copilot, "Agent", "Agent", &[("agent_type", "subagent_type")]),
    (Agent::Copilot, "Task", "Agent", &[("agent_type", "subagent_type")]),
    (Agent::Copilot, "task", "Agent", &[("agent_type", "subagent_type")]),
    (Agent::Copilot, "skill", "Skill", &[]),
    (Agent::Copilot, "ask_user", "AskUserQuestion", &[]),
    (Agent::Copilot, "update_todo", "TodoWrite", &[]),
    (Agent::Copilot, "report_intent", "TodoWrite", &[]),
    (Agent::Copilot, "list_bash", "TaskList", &[]),
    (Agent::Copilot, "read_bash", "BashOutput", &[]),
    (Agent::Copilot, "stop_bash", "KillShell", &[]),
    (Agent::Cursor, "Shell", "Bash", &[]),
    (Agent::Cursor, "Read", "Read", PATH),
    (Agent::Cursor, "Write", "Write", CURSOR_WRITE),
    (Agent::Cursor, "Edit", "Edit", EDIT),
    (Agent::Cursor, "StrReplace", "Edit", EDIT),
    (Agent::Cursor, "Grep", "Grep", &[]),
    (Agent::Cursor, "Glob", "Glob", &[("glob_pattern", "pattern"), ("target_directory", "path")]),
    (Agent::Cursor, "LS", "Glob", &[("path", "pattern"), ("target_directory", "pattern")]),
    (Agent::Cursor, "WebSearch", "WebSearch", &[("search_term", "query")]),
    (Agent::Cursor, "Task", "Agent", &[]),
    (Agent::Cursor, "TodoWrite", "TodoWrite", &[]),
    (Agent::Goose, "developer__shell", "Bash", &[]),
    (Agent::Goose, "developer__write", "Write", PATH),
    (Agent::Goose, "developer__edit", "Edit", GOOSE_EDIT),
    (Agent::Goose, "developer__tree", "Glob", &[("path", "pattern")]),
    (Agent::Goose, "developer__read_image", "Read", &[("source", "file_path")]),
    (Agent::Goose, "todo__todo_write", "TodoWrite", &[]),
];
