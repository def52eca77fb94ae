//! A settings file that is being changed: everything that is not changed stays as it is, comments included.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstObject, CstRootNode};

use super::jsonc;
use crate::error::GateError;
use crate::files::{self, Content};

/// What a file holds; nothing where there is none.
pub(super) fn content(file: &Path) -> Result<Option<String>, GateError> {
    match files::read(file) {
        Content::Missing => Ok(None),
        Content::Unreadable(why) => Err(GateError::unreadable(file, &why)),
        Content::Bytes(bytes) => {
            String::from_utf8(bytes).map(Some).map_err(|_| GateError::unreadable(file, "it is not UTF-8"))
        }
    }
}

/// The text as a tree that can be changed, and its `permissions`, which are made where there are none.
pub(super) fn opened(file: &Path, text: &str) -> Result<(CstRootNode, CstObject), GateError> {
    let broken = |line, column, problem: &str| GateError::Broken {
        file: file.display().to_string(),
        line,
        column,
        problem: problem.to_owned(),
    };
    // The tree takes what the settings do not, so they are asked first.
    jsonc::parse(text).map_err(|it| broken(it.place.line, it.place.column, &it.problem))?;
    let root =
        CstRootNode::parse(text, &ParseOptions::default()).map_err(|it| broken(1, 1, &it.to_string()))?;
    let object = root.object_value().ok_or_else(|| broken(1, 1, "the file should hold an object"))?;
    let group = object.object_value_or_create("permissions");
    let group = group.ok_or_else(|| broken(1, 1, "`permissions` should hold an object"))?;
    Ok((root, group))
}

/// What is wrong with a file as a whole.
pub(super) fn wrong(file: &Path, problem: &str) -> GateError {
    GateError::Broken { file: file.display().to_string(), line: 1, column: 1, problem: problem.to_owned() }
}
