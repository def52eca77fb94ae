//! Texts that PowerShell and the grammar would read differently, or that a person would misread.
//!
//! Each check here stands for a way to show a reader one line and run another.

/// The first character that hides what the line says.
pub(super) fn hidden(line: &str) -> Option<(usize, char)> {
    let mut characters = line.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let line_end = character == '\r' && characters.peek().is_some_and(|(_, next)| *next == '\n');
        let plain = matches!(character, '\n' | '\t' | ' ') || line_end;
        if !plain && (character.is_control() || character.is_whitespace() || is_invisible(character)) {
            return Some((at, character));
        }
    }
    None
}

fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Curly quotes and long dashes, which PowerShell takes for quotes and dashes and the grammar does not.
pub(super) fn curly(line: &str) -> Option<(usize, char)> {
    line.char_indices()
        .find(|(_, character)| matches!(character, '\u{2013}'..='\u{2015}' | '\u{2018}'..='\u{201f}'))
}

/// The text that the grammar reads instead of `line`: the same bytes in the same places, save for
/// blanks and dashes that the grammar knows too little about.
///
/// Tabs separate words. A lone `--` and an option with an attached quoted value (`--format="%h %s"`)
/// are plain words to PowerShell; the grammar takes them for operators unless the dash is masked.
pub(super) fn for_grammar(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut previous = ' ';
    for (at, character) in line.char_indices() {
        let rest = line.get(at..).unwrap_or_default();
        let masked = character == '-' && (previous == ' ' || previous == '\t') && is_plain_dash(rest);
        let after_masked = character == '-' && previous == '-' && text.ends_with('_') && is_lone_tail(rest);
        text.push(match character {
            '\t' => ' ',
            '-' if masked || after_masked => '_',
            other => other,
        });
        previous = character;
    }
    text
}

/// Whether the rest begins with a lone `--` or with an option and an attached quoted value.
fn is_plain_dash(rest: &str) -> bool {
    let Some(after) = rest.strip_prefix("--") else { return attaches_quoted(rest) };
    after.starts_with([' ', '\t']) || attaches_quoted(rest)
}

fn is_lone_tail(rest: &str) -> bool {
    rest.strip_prefix('-').is_some_and(|after| after.starts_with([' ', '\t']))
}

fn attaches_quoted(rest: &str) -> bool {
    let name = rest.trim_start_matches('-');
    let end = name
        .find(|character: char| !character.is_ascii_alphanumeric() && character != '-' && character != '_');
    let after = end.and_then(|end| name.get(end..)).unwrap_or_default();
    end.is_some_and(|end| end > 0) && (after.starts_with("=\"") || after.starts_with("='"))
}

/// Whether a comment is surely one for PowerShell too: `#` only counts at the start of a word, and a
/// block ends at the first `#>`.
pub(super) fn is_surely_comment(before: &str, comment: &str) -> bool {
    if let Some(block) = comment.strip_prefix("<#") {
        let ends_once = block.find("#>").is_some_and(|at| at + 2 == block.len());
        return ends_once && starts_word(before);
    }
    starts_word(before)
}

fn starts_word(before: &str) -> bool {
    let mut back = before.chars().rev();
    match back.next() {
        None | Some('\n' | ';') => true,
        Some(' ' | '\t') => back.find(|character| !matches!(character, ' ' | '\t')) != Some('`'),
        Some(_) => false,
    }
}

/// Whether a here-string ends where PowerShell ends it: at the first line that begins with its quote and `@`.
pub(super) fn is_whole_here_string(text: &str) -> bool {
    let Some(quote) = text.chars().nth(1) else { return false };
    let end = format!("\n{quote}@");
    text.find(&end).is_some_and(|at| at + end.len() == text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masking_keeps_every_byte_in_its_place() {
        for (line, masked) in [
            ("a\tb", "a b"),
            ("git checkout -- x", "git checkout __ x"),
            ("git log --format=\"%h %s\"", "git log _-format=\"%h %s\""),
            ("ls -Path x", "ls -Path x"),
            ("$i-- ; ls", "$i-- ; ls"),
        ] {
            assert_eq!(for_grammar(line), masked);
        }
    }

    #[test]
    fn a_comment_that_powershell_would_not_see_is_not_one() {
        assert!(is_surely_comment("ls ", "# x"));
        assert!(is_surely_comment("ls ", "<# x #>"));
        assert!(!is_surely_comment("echo $x", "#;rm y"));
        assert!(!is_surely_comment("ls ", "<# `#> ; rm x <# #>"));
        assert!(!is_surely_comment("ls ` ", "# x"));
    }
}
