//! Which tools a hook is asked about: a list of names, or a regular expression, as in Claude Code's settings.

use portcullis_decide::Tool;
use regex::{Regex, RegexBuilder};

/// No matcher needs more memory than this.
const MAX_COMPILED: usize = 1 << 20;

/// Which tools.
#[derive(Clone, Debug)]
pub(crate) enum Matcher {
    /// All.
    All,
    /// Those with one of these names.
    Names(Vec<String>),
    /// Those of which a name fits.
    Pattern(Regex),
}

impl Matcher {
    /// Reads a matcher; what is wrong with it otherwise.
    pub(crate) fn parse(text: &str) -> Result<Matcher, String> {
        if matches!(text, "" | "*") {
            return Ok(Matcher::All);
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '|' | ' ');
        if text.chars().all(plain) {
            let names = text.split('|').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
            return Ok(Matcher::Names(names.collect()));
        }
        let regex = RegexBuilder::new(text).size_limit(MAX_COMPILED).build();
        regex.map(Matcher::Pattern).map_err(|_| format!("`{text}` is not a regular expression"))
    }

    /// Whether a name or alias of the tool fits.
    pub(crate) fn matches(&self, tool: &Tool) -> bool {
        let mut names = tool.names().into_iter();
        match self {
            Matcher::All => true,
            Matcher::Names(wanted) => names.any(|name| wanted.iter().any(|it| it == name)),
            Matcher::Pattern(regex) => names.any(|name| regex.is_match(name)),
        }
    }

    /// A name that no tool of ours has, if the matcher is a list of names: perhaps a slip.
    pub(crate) fn unknown_name(&self) -> Option<&str> {
        let Matcher::Names(names) = self else { return None };
        let unknown = |name: &&String| matches!(Tool::named(name), Tool::Unknown(_));
        names.iter().find(unknown).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(matcher: &str, tool: &str) -> bool {
        Matcher::parse(matcher).unwrap().matches(&Tool::named(tool))
    }

    /// [H4]
    #[test]
    fn a_matcher_is_a_list_of_names_or_a_regular_expression() {
        for (matcher, tool, expected) in [
            ("", "Bash", true),
            ("*", "mcp__a__b", true),
            ("Bash", "Bash", true),
            ("Bash", "BashOutput", false),
            ("Edit|Write", "Write", true),
            ("Edit | Write", "Write", true),
            ("Edit|Write", "MultiEdit", false),
            ("Notebook.*", "NotebookEdit", true),
            ("mcp__memory__.*", "mcp__memory__read", true),
            ("mcp__memory__.*", "mcp__other__read", false),
            ("^Bash$", "BashOutput", false),
            ("bash", "Bash", false),
            ("mcp__my-server", "mcp__my-server__x", true),
            ("Task", "Agent", true),
            ("FileEditTool", "Edit", true),
            ("^Task$", "Agent", true),
            ("Strange", "Strange", true),
        ] {
            assert_eq!(matches(matcher, tool), expected, "{matcher} {tool}");
        }
    }

    /// [H4]
    #[test]
    fn what_is_no_matcher_is_said() {
        assert!(Matcher::parse("Bash(").is_err());
        assert!(Matcher::parse("(a{1000}){1000}").is_err());
        assert_eq!(Matcher::parse("Bash|bash").unwrap().unknown_name(), Some("bash"));
        assert_eq!(Matcher::parse("Bash|Task").unwrap().unknown_name(), None);
    }
}
