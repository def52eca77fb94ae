//! Lines made from other lines: tokens are dropped, doubled, swapped, quoted, wrapped and spliced.
//! The same seed always gives the same lines.

/// A small generator of numbers (splitmix64); good enough to pick tokens with.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, or 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.next() % limit).unwrap_or_default()
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T], otherwise: &'a T) -> &'a T {
        from.get(self.below(from.len())).copied().unwrap_or(otherwise)
    }
}

/// Texts that change what stands around them.
pub(crate) const FRAGMENTS: &[&str] = &[
    " ",
    "\n",
    ";",
    "&",
    "&&",
    "||",
    "|",
    "|&",
    ";;",
    ";&",
    "(",
    ")",
    "{ ",
    "; }",
    "$(",
    "${x:-",
    "}",
    "`",
    "'",
    "\"",
    "\\",
    "\\\n",
    "$",
    "((",
    "))",
    "$((",
    "[[ ",
    " ]]",
    "<",
    ">",
    ">>",
    "<<E\n",
    "\nE\n",
    "<<<",
    "<(",
    ">(",
    "2>&1",
    "&>",
    "#",
    " # ",
    "!",
    "! ",
    "=",
    "x=",
    "a[",
    "]",
    "*",
    "?",
    "~",
    "{a,b}",
    "if ",
    "; then ",
    "; fi",
    "for i in ",
    "; do ",
    "; done",
    "while ",
    "case x in ",
    ") ",
    " esac",
    "time ",
    "coproc ",
    "function f ",
    "f() ",
    "in ",
    "$'",
    "$\"",
    "ls",
    " rm x",
    "$x",
    "\"$x\"",
    "-c ",
    "eval ",
    "sh -c '",
    "1",
    "é",
];

/// `count` mutants of `lines`.
pub(crate) fn mutants(lines: &[&str], count: usize, seed: u64) -> Vec<String> {
    let mut numbers = Numbers::new(seed);
    (0..count).map(|_| mutant(lines, &mut numbers)).collect()
}

fn mutant(lines: &[&str], numbers: &mut Numbers) -> String {
    let mut line = tokens(numbers.pick(lines, "ls"));
    for _ in 0..=numbers.below(3) {
        change(&mut line, lines, numbers);
    }
    line.concat()
}

fn change(line: &mut Vec<String>, lines: &[&str], numbers: &mut Numbers) {
    let at = numbers.below(line.len());
    let Some(token) = line.get(at).cloned() else { return };
    match numbers.below(9) {
        0 => drop(line.remove(at)),
        1 => line.insert(at, token),
        2 => {
            let other = numbers.below(line.len());
            line.swap(at, other);
        }
        3 => {
            let (open, close) =
                *numbers.pick(&[&("'", "'"), &("\"", "\""), &("\\", ""), &("$'", "'")], &("", ""));
            line.splice(at..=at, [format!("{open}{token}{close}")]);
        }
        4 => {
            let pairs = [
                &("$(", ")"),
                &("`", "`"),
                &("(", ")"),
                &("{ ", "; }"),
                &("${x:-", "}"),
                &("<(", ")"),
                &("$((", "))"),
                &("\"$(", ")\""),
            ];
            let (open, close) = *numbers.pick(&pairs, &("", ""));
            line.splice(at..=at, [format!("{open}{token}{close}")]);
        }
        5 => {
            let other = tokens(numbers.pick(lines, "ls"));
            let from = numbers.below(other.len());
            line.truncate(at);
            line.extend(other.into_iter().skip(from));
        }
        6 => {
            let other = numbers.pick(lines, "ls").to_owned();
            line.splice(at..=at, [other]);
        }
        _ => line.insert(at, numbers.pick(FRAGMENTS, " ").to_owned()),
    }
}

/// Runs of letters, and every other character on its own.
fn tokens(line: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut in_word = false;
    for character in line.chars() {
        let letter = character.is_alphanumeric() || character == '_' || character == '-';
        match found.last_mut() {
            Some(last) if letter && in_word => last.push(character),
            _ => found.push(character.to_string()),
        }
        in_word = letter;
    }
    found
}
