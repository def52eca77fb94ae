//! What naming a path does: a file, a drive that is no disk, another machine, a credential.
//!
//! Only looks at the text of the path.

use super::cmdlets::Role;
use super::walk::Walker;
use super::word::Word;
use super::{FileUse, PowerShellCommand};
use crate::effects::Effects;
use crate::secrets;
use crate::unclear::Why;

/// Parts of the names of environment variables that hold credentials.
const SECRET_PARTS: &[&str] = &[
    "token",
    "secret",
    "password",
    "passwd",
    "apikey",
    "api_key",
    "credential",
    "private_key",
    "access_key",
];

/// Whether an environment variable of this name (in small letters) holds a credential.
pub(super) fn is_secret_variable(name: &str) -> bool {
    SECRET_PARTS.iter().any(|part| name.contains(part))
}

impl Walker<'_> {
    /// Records what is done to the path `word`.
    pub(super) fn path(&mut self, role: Role, word: &Word, command: &mut PowerShellCommand) {
        let path = word.text.replace('\\', "/").to_ascii_lowercase();
        let local = path.rsplit("::").next().unwrap_or_default();
        if local.starts_with("//") {
            // Windows offers the user's credentials to whatever machine is named.
            command.effects.add(Effects::NETWORK_READ.and(Effects::SENDS_DATA));
        }
        if path.contains("::") {
            self.doubt(Why::NotModelled, format!("path `{}`", word.text), word.span);
        }
        if !word.literal && (path.starts_with('*') || path.is_empty()) {
            self.unknown_path = Some(word.span);
        }
        match local.split_once(':') {
            Some((drive, _)) if drive.len() == 1 => {}
            Some((drive, rest)) if !drive.contains('*') => self.drive(drive, rest, role, word, command),
            Some(_) | None => {}
        }
        files(role, word, command);
        let name = local.trim_end_matches(['.', ' ']);
        // Going into a folder of credentials comes before reading one there by a harmless name.
        let enters = matches!(command.program.as_deref(), Some("Set-Location" | "Push-Location"));
        let shown = matches!(role, Role::Read | Role::Move | Role::Sent) || enters;
        let exact = word.literal && !word.has_wildcard();
        if shown && (secrets::is_secret_path(name, exact) || name.contains("consolehost_history")) {
            command.effects.add(Effects::SECRETS);
        }
    }

    /// A path on a drive that is not a disk.
    fn drive(&mut self, drive: &str, rest: &str, role: Role, word: &Word, command: &mut PowerShellCommand) {
        let changes = matches!(role, Role::Write | Role::Delete | Role::Move);
        let rest = rest.trim_matches('/');
        match drive {
            "env" if changes => command.effects.add(Effects::ENVIRONMENT),
            "env" => {
                let known = word.literal && !word.has_wildcard() && !rest.is_empty();
                let shows = matches!(role, Role::Read) && (!known || is_secret_variable(rest));
                command.effects.add(if shows { Effects::SECRETS } else { Effects::READS });
            }
            "variable" if changes => command.effects.add(Effects::SHELL_STATE),
            "function" | "alias" if changes => {
                self.doubt(Why::Changed, format!("`{}` gets another meaning", word.text), word.span);
            }
            "hklm" | "hkcu" | "hkcr" | "hku" | "hkcc" | "registry" | "cert" | "wsman" if changes => {
                command.effects.add(Effects::SYSTEM);
            }
            "hklm" if rest.starts_with("sam") || rest.starts_with("security") => {
                command.effects.add(Effects::SECRETS);
            }
            "temp" | "variable" | "function" | "alias" | "hklm" | "hkcu" | "hkcr" | "hku" | "hkcc"
            | "registry" | "cert" => {}
            _ => self.doubt(Why::NotModelled, format!("drive `{drive}:`"), word.span),
        }
    }
}

fn files(role: Role, word: &Word, command: &mut PowerShellCommand) {
    let uses: &[FileUse] = match role {
        Role::Read | Role::Sent => &[FileUse::Read],
        Role::Write => &[FileUse::Write],
        Role::Delete => &[FileUse::Delete],
        Role::Move => &[FileUse::Read, FileUse::Delete],
        Role::Switch
        | Role::Plain
        | Role::Place
        | Role::Variable
        | Role::Code
        | Role::Program
        | Role::Address => &[],
    };
    let exact = word.literal && !word.has_wildcard();
    command.files.extend(uses.iter().map(|file_use| (*file_use, word.text.clone(), exact)));
}
