//! Text that code in other languages makes up: names in pieces, and commands that are not spelled out (SPEC R5).

/// The text with its pieces put together, where it joins any: `"git pu" + "sh"`, `"git pu"."sh"`.
pub(crate) fn whole_texts(text: &str) -> Option<String> {
    let quoted = |sign: char| matches!(sign, '"' | '\'');
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    let mut joined = false;
    while let Some(at) = rest.find(quoted) {
        let (before, from) = rest.split_at(at);
        whole.push_str(before);
        let mut signs = from.chars();
        let quote = signs.next().unwrap_or_default();
        let after = signs.as_str().trim_start();
        let next = after.strip_prefix(['+', '.']).unwrap_or(after).trim_start();
        // Two quotes with nothing between them are an empty text, or the end of one and the start of another.
        if let Some(further) = next.strip_prefix(quoted).filter(|_| next.len() < signs.as_str().len()) {
            joined = true;
            rest = further;
        } else {
            whole.push(quote);
            rest = signs.as_str();
        }
    }
    whole.push_str(rest);
    joined.then_some(whole)
}

/// Calls that start a program, or run a text as code.
const STARTERS: &[&str] = &[
    "system(",
    "popen(",
    "Popen(",
    "execSync(",
    "spawnSync(",
    "execFileSync(",
    "execFile(",
    "spawn(",
    "subprocess.run(",
    "subprocess.call(",
    "check_output(",
    "check_call(",
    "getoutput(",
    "getstatusoutput(",
    "execvp(",
    "execv(",
    "execve(",
    "execlp(",
    "execl(",
    "spawnlp(",
    "spawnvp(",
    "shell_exec(",
    "passthru(",
    "proc_open(",
    "os.execute(",
    "create_subprocess_shell(",
    "create_subprocess_exec(",
    "eval(",
    "exec(",
];

/// Whether code starts a program whose name it makes up.
pub(crate) fn starts_program(code: &str) -> bool {
    let methods = code.contains("child_process") || code.contains("import os") || code.contains("subprocess");
    STARTERS.iter().any(|starter| {
        code.match_indices(starter).any(|(at, _)| {
            let before = code.get(..at).unwrap_or_default();
            let part_of_word = before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
            // `/x/.exec(text)` is a search.
            let method = before.ends_with('.') && matches!(*starter, "exec(" | "eval(" | "spawn(");
            let words = code.get(at + starter.len()..).unwrap_or_default();
            !part_of_word && (!method || methods) && !is_spelled_out(words)
        })
    })
}

/// Whether the first word that a call is given is a text that is spelled out: alone, or first in a list.
fn is_spelled_out(words: &str) -> bool {
    let words = words.trim_start().trim_start_matches(['[', '(']).trim_start();
    if words.starts_with(')') {
        return true;
    }
    let Some(quote) = words.chars().next().filter(|first| matches!(first, '"' | '\'' | '`')) else {
        return false;
    };
    let Some((text, after)) = words.get(1..).and_then(|rest| rest.split_once(quote)) else { return false };
    let ended = after.trim_start().starts_with([')', ',', ']']);
    let filled_in = text.contains("${") || text.contains("#{") || (quote == '"' && text.starts_with('$'));
    ended && !filled_in
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [R5]
    #[test]
    fn pieces_are_put_together() {
        for (text, whole) in [
            ("os.system('git pu'+'sh')", "os.system('git push')"),
            ("system \"r\".\"m\"", "system \"rm\""),
            ("c = \"r\" \"m\"", "c = \"rm\""),
        ] {
            assert_eq!(whole_texts(text).as_deref(), Some(whole));
        }
        for text in ["print('a', 'b')", "x = 1", "it's"] {
            assert_eq!(whole_texts(text), None, "{text}");
        }
    }

    /// [R5]
    #[test]
    fn a_command_that_is_not_spelled_out_is_seen() {
        for code in [
            "import os; os.system(chr(114) + 'm x')",
            "import os; os.system('rm ' + x)",
            "subprocess.run([tool, 'x'])",
            "require('child_process').execSync(`${a} x`)",
            "exec(base64.b64decode(x))",
        ] {
            assert!(starts_program(code), "{code}");
        }
        for code in [
            "import os; os.system('ls')",
            "subprocess.run(['ls', path])",
            "/a/.exec(text)",
            "re.compile(x)",
            "filesystem(x)",
            "require('child_process').execSync('ls', {})",
        ] {
            assert!(!starts_program(code), "{code}");
        }
    }
}
