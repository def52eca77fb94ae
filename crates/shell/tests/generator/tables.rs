//! The templates, one a line in the files next door.
//!
//! In those files `⏎` stands for a new line, `⇥` for a tab and `␠` for a blank at either end of a
//! template; lines that begin with `%%` and empty lines are for people.

pub(crate) const PLAIN: &str = include_str!("templates/plain.txt");
pub(crate) const SHELL: &str = include_str!("templates/shell.txt");
pub(crate) const STATE: &str = include_str!("templates/state.txt");
pub(crate) const ZSH: &str = include_str!("templates/zsh.txt");
pub(crate) const DATA: &str = include_str!("templates/data.txt");
pub(crate) const OPTIONS: &str = include_str!("templates/options.txt");

/// Every way to plant a command, by family.
pub(crate) const FAMILIES: [&str; 4] = [
    include_str!("templates/structure.txt"),
    include_str!("templates/places.txt"),
    include_str!("templates/arithmetic.txt"),
    include_str!("templates/evaluation.txt"),
];

/// Where among the families the arithmetic is.
pub(crate) const ARITHMETIC: usize = 2;

/// The templates of a file. They live as long as the test does.
pub(crate) fn lines(file: &'static str) -> Vec<&'static str> {
    let templates = file.lines().filter(|line| !line.is_empty() && !line.starts_with("%%"));
    templates.map(|line| if line.is_ascii() { line } else { unfold(line).leak() }).collect()
}

fn unfold(line: &str) -> String {
    line.replace('⏎', "\n").replace('⇥', "\t").replace('␠', " ")
}
