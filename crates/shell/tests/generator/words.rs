//! Spelling: the ways to quote a text, and the ways to write a program's name.

use super::dice::Dice;

/// The text as one word, in one of the shell's ways of quoting.
pub(crate) fn quote(text: &str, dice: &mut Dice) -> String {
    match dice.below(8) {
        0 | 1 => double_quoted(text),
        2 => ansi_quoted(text, dice),
        _ => single_quoted(text),
    }
}

pub(crate) fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn double_quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        if matches!(character, '\\' | '"' | '$' | '`') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}

/// `$'…'` with some characters written as numbers.
fn ansi_quoted(text: &str, dice: &mut Dice) -> String {
    let mut quoted = String::from("$'");
    for character in text.chars() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '\\' | '\'' => quoted.extend(['\\', character]),
            _ if character.is_ascii() && dice.once_in(6) => {
                let code = u32::from(character);
                let number = if dice.once_in(2) { format!("\\x{code:02x}") } else { format!("\\{code:03o}") };
                quoted.push_str(&number);
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('\'');
    quoted
}

pub(crate) fn escape_for_backticks(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '$') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// The command with its program's name written in another way.
pub(crate) fn respell(command: &str, dice: &mut Dice) -> String {
    let end = command.find([' ', '\t', '\n']).unwrap_or(command.len());
    let (name, rest) = command.split_at(end);
    let plain = name.len() > 1 && name.chars().all(|character| character.is_ascii_lowercase());
    if !plain {
        return command.to_owned();
    }
    let half = dice.below(name.len() - 1) + 1;
    let (head, tail) = name.split_at(half);
    let respelled = match dice.below(14) {
        0 => format!("{head}\\{tail}"),
        1 => format!("'{name}'"),
        2 => format!("\"{head}\"{tail}"),
        3 => format!("{head}''{tail}"),
        4 => format!("{head}\\\n{tail}"),
        5 => ansi_quoted(name, dice),
        6 => format!("/usr/bin/{name}"),
        7 => format!("/bin/{head}{tail}"),
        8 => format!("A=1 {name}"),
        9 => format!("LANG=C {name}"),
        10 => format!("\\{name}"),
        11 => format!("{head}$@{tail}"),
        12 => format!("2>/dev/null {name}"),
        _ => format!("{head}\"\"{tail}"),
    };
    format!("{respelled}{}", spaced(rest, dice))
}

/// The text with its first blank written in another way.
fn spaced(text: &str, dice: &mut Dice) -> String {
    let blank = dice.pick(&[" ", " ", " ", "  ", "\t", " \\\n", "\\\n ", " \\\n\\\n"]);
    text.replacen(' ', blank, 1)
}
