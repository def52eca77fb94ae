//! Reads `spec/classifier-model.md` and its regressions: fenced blocks in which lines at the margin set something and
//! indented lines are tests, as on the other pages of `spec/`. The page says what the columns mean; this reader knows no
//! verdicts.

use std::path::Path;

/// The page, and the further lines in its format.
const PAGES: [&str; 2] = ["spec/classifier-model.md", "tests/regressions/classifier-model.md"];

/// One test of a page.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The page.
    pub(crate) page: &'static str,
    /// The word after the backticks of its block.
    pub(crate) block: String,
    /// Counted from 1.
    pub(crate) number: usize,
    /// The heading above it.
    pub(crate) heading: String,
    /// What the lines at the margin above it set: a word and its value.
    pub(crate) settings: Vec<(String, String)>,
    /// The line without its indent.
    pub(crate) text: String,
}

/// What a failure leads to.
#[derive(Clone, Debug)]
pub(crate) struct FailureRow {
    /// `deny`, `ask` or `stop`.
    pub(crate) consequence: String,
    /// Whether it counts as a block of the classifier.
    pub(crate) counted: bool,
    /// The positions of the iron gate.
    pub(crate) gates: Vec<String>,
    /// Who is there: `person` or `nobody`.
    pub(crate) audiences: Vec<String>,
    /// The failure's name.
    pub(crate) name: String,
}

/// The tests of all pages.
pub(crate) fn lines() -> Vec<Line> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = |page| std::fs::read_to_string(root.join(page)).expect("the page is part of the repository");
    PAGES.into_iter().flat_map(|page| read(page, &text(page))).collect()
}

/// The tests in the text of a page.
pub(crate) fn read(page: &'static str, text: &str) -> Vec<Line> {
    let mut heading = String::new();
    let mut block: Option<String> = None;
    let mut settings = Vec::new();
    let mut lines = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let inside = line.trim_start();
        match &block {
            None if line.starts_with("```") => {
                block = Some(line.trim_start_matches('`').trim().to_owned());
                settings = Vec::new();
            }
            None if line.starts_with('#') => line.trim_start_matches('#').trim().clone_into(&mut heading),
            Some(_) if line.starts_with("```") => block = None,
            Some(name) if !inside.is_empty() && !inside.starts_with('#') => {
                if inside.len() == line.len() {
                    let (word, value) = line.split_once(' ').unwrap_or((line, ""));
                    settings.push((word.to_owned(), value.trim().to_owned()));
                } else {
                    lines.push(Line {
                        page,
                        block: name.clone(),
                        number,
                        heading: heading.clone(),
                        settings: settings.clone(),
                        text: inside.to_owned(),
                    });
                }
            }
            None | Some(_) => {}
        }
    }
    assert!(block.is_none(), "a block is not closed");
    lines
}

impl Line {
    /// Its columns, divided by two blanks or more; the last one goes to the end of the line.
    pub(crate) fn columns<const N: usize>(&self) -> Result<[String; N], String> {
        let mut columns = Vec::new();
        let mut rest = self.text.as_str();
        while columns.len() + 1 < N {
            let Some((column, more)) = rest.split_once("  ") else { break };
            columns.push(column.to_owned());
            rest = more.trim_start_matches(' ');
        }
        columns.push(rest.to_owned());
        columns.try_into().map_err(|_| format!("a line of `{}` has {N} columns", self.block))
    }

    /// A line of a `failure` block.
    pub(crate) fn failure(&self) -> Result<FailureRow, String> {
        let [consequence, counted, gate, audience, name] = self.columns()?;
        let counted = match counted.as_str() {
            "counted" => true,
            "not-counted" => false,
            other => return Err(format!("`{other}` is neither counted nor not-counted")),
        };
        let one_or_both = |given: String, all: [&str; 2]| match given.as_str() {
            "-" => Ok(all.map(str::to_owned).to_vec()),
            word if all.contains(&word) => Ok(vec![given]),
            word => Err(format!("`{word}` is none of {all:?}")),
        };
        Ok(FailureRow {
            consequence,
            counted,
            gates: one_or_both(gate, ["closed", "open"])?,
            audiences: one_or_both(audience, ["person", "nobody"])?,
            name,
        })
    }
}

/// A text as it was, from the way the page writes it: `\n`, `\t`, `\\`, `\u{…}`, and `-` for no text at all.
pub(crate) fn unescaped(text: &str) -> Result<String, String> {
    if text == "-" {
        return Ok(String::new());
    }
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let unknown = || format!("no escape begins with `\\{after}`");
        let (kind, after) = after.split_at_checked(1).ok_or_else(unknown)?;
        let (escaped, after) = match kind {
            "n" => ('\n', after),
            "t" => ('\t', after),
            "\\" => ('\\', after),
            "u" => after
                .strip_prefix('{')
                .and_then(|hex| hex.split_once('}'))
                .and_then(|(hex, after)| Some((char::from_u32(u32::from_str_radix(hex, 16).ok()?)?, after)))
                .ok_or_else(unknown)?,
            _ => return Err(unknown()),
        };
        plain.push(escaped);
        rest = after;
    }
    Ok(plain + rest)
}
