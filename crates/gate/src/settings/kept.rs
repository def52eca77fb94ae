//! The fetched settings as they are kept in the state folder (SPEC C13).

use std::path::Path;

use portcullis_classify::redact;
use serde_json::{Value, json};

use super::places::fetched_file;
use crate::files::{self, Content};

/// What is kept of the fetched settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Kept {
    /// Where it came from.
    pub(crate) url: String,
    /// The text, and when it was fetched.
    pub(crate) document: Option<(String, u64)>,
    /// When it could last not be fetched, and why.
    pub(crate) failed: Option<(u64, String)>,
}

impl Kept {
    /// What is kept, if anything; the error says why it cannot be relied on.
    pub(crate) fn read(state: &Path) -> Result<Option<Kept>, String> {
        let path = fetched_file(state);
        let bytes = match files::read(&path) {
            Content::Missing => return Ok(None),
            Content::Unreadable(why) => return Err(format!("`{}`: {why}", path.display())),
            Content::Bytes(bytes) => bytes,
        };
        if files::is_shared(&path) || files::is_shared(state) {
            return Err(format!(
                "`{}` can be changed by other users; make it private with `chmod go-w`",
                path.display()
            ));
        }
        let value: Option<Value> = serde_json::from_slice(&bytes).ok();
        let kept = value.as_ref().and_then(Kept::from_json);
        kept.map(Some).ok_or_else(|| format!("`{}` is broken", path.display()))
    }

    pub(crate) fn write(&self, state: &Path) -> std::io::Result<()> {
        files::write_private(&fetched_file(state), format!("{:#}\n", self.to_json()).as_bytes())
    }

    fn to_json(&self) -> Value {
        json!({
            "url": self.url,
            "fetched": self.document.as_ref().map(|(_, time)| time),
            "document": self.document.as_ref().map(|(text, _)| text),
            "failed": self.failed.as_ref().map(|(time, why)| json!({ "time": time, "why": redact(why) })),
        })
    }

    fn from_json(value: &Value) -> Option<Kept> {
        let url = value.get("url")?.as_str()?.to_owned();
        let document = match (value.get("document")?, value.get("fetched")?) {
            (Value::Null, Value::Null) => None,
            (text, time) => Some((text.as_str()?.to_owned(), time.as_u64()?)),
        };
        let failed = value.get("failed")?;
        let failed = if failed.is_null() {
            None
        } else {
            Some((failed.get("time")?.as_u64()?, failed.get("why")?.as_str()?.to_owned()))
        };
        Some(Kept { url, document, failed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        for document in [None, Some(("{\n}".to_owned(), 17))] {
            for failed in [None, Some((18, "why".to_owned()))] {
                let kept = Kept { url: "https://example.com".to_owned(), document: document.clone(), failed };
                assert_eq!(Kept::from_json(&kept.to_json()), Some(kept));
            }
        }
    }
}
