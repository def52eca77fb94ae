//! A path that a call names: how it is used, and what is known of it by its spelling alone.

use portcullis_shell::{Printed, Span};

use crate::call::{Tool, ToolCall};
use crate::context::Context;
use crate::path::Platform;

/// How a path is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It is read.
    Read,
    /// It is created or changed.
    Write,
    /// It is deleted or moved away.
    Delete,
}

/// A path that a call uses.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the path")]
pub struct PathUse {
    /// The absolute path. `*` stands for an unknown part unless `literal` is set.
    pub path: String,
    /// The path as the call spells it.
    pub named: String,
    /// Each `..` after a name: if that name is a link, the path leads elsewhere.
    pub through: Vec<Climb>,
    /// How it is used.
    pub access: Access,
    /// Whether the path is known completely.
    pub literal: bool,
    /// Whether the unknown part comes only from expanding names of existing files.
    pub glob: bool,
    /// Whether it can be at any depth below its folder, hidden files included.
    pub deep: bool,
    /// Whether the shell opens it for a redirect.
    pub redirect: bool,
    /// Whether everything below it is searched.
    pub searched: bool,
    /// The commands of the line whose output is the unknown part.
    pub printed: Option<Printed>,
    /// Its place in the command line.
    pub span: Option<Span>,
    /// Further paths it leads to, by links that the line itself makes.
    pub also: Vec<String>,
}

pub(crate) fn plain(named: &str, access: Access, call: &ToolCall, context: &Context) -> PathUse {
    PathUse {
        path: context.absolute(named, &call.cwd),
        named: named.to_owned(),
        through: climbs(named, call, context),
        access,
        // A file that is open already may be any.
        literal: !is_open_file(named, access),
        glob: false,
        deep: false,
        redirect: false,
        searched: false,
        printed: None,
        span: None,
        also: Vec::new(),
    }
}

/// A `..` after a name in a path. If that name is a link, the path leads elsewhere than its text says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Climb {
    /// What stands before the `..`, absolute.
    pub place: String,
    /// The path from there on, beginning with the `..`.
    pub rest: String,
}

/// Every `..` behind a name in a path as it is spelled.
pub(crate) fn climbs(named: &str, call: &ToolCall, context: &Context) -> Vec<Climb> {
    if !named.contains("..") {
        return Vec::new();
    }
    let windows = context.platform == Platform::Windows || call.tool == Tool::PowerShell;
    let named = if windows { named.replace('\\', "/") } else { named.to_owned() };
    let parts: Vec<&str> = named.split('/').collect();
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        match *part {
            "" | "." | "~" => {}
            // The folder where the path starts may be a link, too.
            ".." if depth > 0 || (found.is_empty() && !named.starts_with('/')) => {
                depth = depth.saturating_sub(1);
                let before = parts.get(..index).unwrap_or_default().join("/");
                let rest = parts.get(index..).unwrap_or_default().join("/");
                let before = if before.is_empty() { "." } else { before.as_str() };
                found.push(Climb { place: context.absolute(before, &call.cwd), rest });
            }
            ".." => {}
            _ => depth += 1,
        }
    }
    found
}

/// Whether a path stands for a file that a process has open, which may be any: `/dev/fd/3`, `/proc/self/fd/3`.
pub(crate) fn is_open_file(path: &str, access: Access) -> bool {
    let number = match path.strip_prefix("/dev/fd/") {
        Some(number) => number,
        None if path == "/dev/stdin" => "0",
        None => {
            let Some((_, number)) = path.strip_prefix("/proc/").and_then(|rest| rest.split_once("/fd/"))
            else {
                return false;
            };
            number
        }
    };
    let printed = matches!(number, "1" | "2");
    match access {
        Access::Write => !printed,
        Access::Read => number != "0",
        Access::Delete => true,
    }
}
