//! Makes command lines with a command planted in them that writes a marker file.
//!
//! Knows how shells nest; knows nothing of the reader under test. A case is made from a seed and its
//! number alone. Nothing made here reaches the network, removes a file or leaves the folder it runs in.

mod dice;
pub(crate) mod options;
pub(crate) mod tables;
mod template;
pub(crate) mod words;

pub(crate) use dice::Dice;
use template::{Planted, fill};

/// Structure around data that adds nothing that could be doubted.
const AROUND_DATA: &[&str] = &[
    "@P",
    "@P",
    "@P",
    "@H; @P",
    "@H && @P",
    "@H\n@P",
    "( @L )",
    "{ @L }",
    "if true; then @L fi",
    "@P | cat",
    "for i in 1 2; do @L done",
    "! @P",
    "if @P; then echo yes; fi",
    "echo a; @P; echo b",
    "@P || true",
    "case a in a) @L ;; esac",
    "while false; do @L done",
];

/// What is planted in the twin of a case.
const HARMLESS_TWIN: &str = "echo hi";

/// A command line made from templates.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) line: String,
    /// The same line with a harmless command in place of the planted one; nothing where no command is planted.
    pub(crate) twin: Option<String>,
    /// The planted command, then the templates around it, from the inside out.
    pub(crate) trail: Vec<&'static str>,
    pub(crate) marker: String,
}

/// Which leaves the shell under test is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    Bash,
    Zsh,
}

/// Makes cases, leaving out programs that this machine does not have.
pub(crate) struct Generator {
    seed: u64,
    plain: Vec<&'static str>,
    shell: Vec<&'static str>,
    zsh: Vec<&'static str>,
    families: Vec<Vec<&'static str>>,
    data: Vec<&'static str>,
}

impl Generator {
    pub(crate) fn new(seed: u64, language: Language, is_installed: impl Fn(&str) -> bool) -> Generator {
        let runs = |leaf: &&'static str| leaf.split(' ').next().is_some_and(&is_installed);
        let shell = tables::lines(tables::SHELL).into_iter().chain(tables::lines(tables::STATE));
        Generator {
            seed,
            plain: tables::lines(tables::PLAIN).into_iter().filter(runs).collect(),
            shell: shell.collect(),
            zsh: if language == Language::Zsh { tables::lines(tables::ZSH) } else { Vec::new() },
            families: tables::FAMILIES.into_iter().map(tables::lines).collect(),
            data: tables::lines(tables::DATA),
        }
    }

    /// The number of cases after which every leaf and every template has had its turn.
    pub(crate) fn sweep(&self) -> usize {
        self.leaves().count() + self.families.iter().map(Vec::len).sum::<usize>()
    }

    /// The case with this number.
    pub(crate) fn case(&self, number: usize) -> Case {
        let mut dice = Dice::for_case(self.seed, number);
        let marker = format!("MARK_{number}");
        if let Some(leaf) = self.leaves().nth(number) {
            let line = fill(leaf, &Planted::nothing(), &marker, &mut dice);
            return Case { line, twin: None, trail: vec![leaf], marker };
        }
        let swept =
            number.checked_sub(self.leaves().count()).and_then(|at| self.families.iter().flatten().nth(at));
        let (leaf, layers) = match swept {
            Some(template) => ("touch @M", vec![*template]),
            None => (self.any_leaf(&mut dice), self.any_layers(&mut dice)),
        };
        let mut text = fill(leaf, &Planted::nothing(), &marker, &mut dice);
        if swept.is_none() && dice.once_in(2) {
            text = words::respell(&text, &mut dice);
        }
        let plain = self.plain.contains(&leaf) && !text.contains([';', '|', '&', '<', '>', '=']);
        let twin_dice = dice.clone();
        let line = wrap(&layers, Planted { text, plain }, &marker, dice);
        let twin = wrap(&layers, Planted { text: HARMLESS_TWIN.to_owned(), plain: true }, &marker, twin_dice);
        Case { line, twin: Some(twin), trail: std::iter::once(leaf).chain(layers).collect(), marker }
    }

    /// A line that only names the marker, as data.
    pub(crate) fn data_case(&self, number: usize) -> Case {
        let mut dice = Dice::for_case(!self.seed, number);
        let marker = format!("MARK_{number}");
        let swept = self.data.get(number).copied();
        let leaf = swept.unwrap_or_else(|| dice.pick(&self.data));
        let text = fill(leaf, &Planted::nothing(), &marker, &mut dice);
        // A comment alone is no command; it needs one that it follows.
        let text = if text.starts_with('#') { format!("true\n{text}") } else { text };
        let template = if swept.is_some() { "@P" } else { dice.pick(AROUND_DATA) };
        let line = fill(template, &Planted { text, plain: false }, &marker, &mut dice);
        Case { line, twin: None, trail: vec![leaf, template], marker }
    }

    fn leaves(&self) -> impl Iterator<Item = &'static str> {
        self.plain.iter().chain(&self.shell).chain(&self.zsh).copied()
    }

    /// Mostly `touch`: where it is hidden matters more than what it is.
    fn any_leaf(&self, dice: &mut Dice) -> &'static str {
        match dice.below(8) {
            0 | 1 => dice.pick(&self.plain),
            2 => dice.pick(&self.shell),
            3 if !self.zsh.is_empty() => dice.pick(&self.zsh),
            4 => "echo x >@M",
            _ => "touch @M",
        }
    }

    fn any_layers(&self, dice: &mut Dice) -> Vec<&'static str> {
        let depth = 1 + dice.below(3);
        let mut layers = Vec::new();
        let mut evaluated = false;
        for _ in 0..depth {
            let at = dice.below(self.families.len());
            // One level of arithmetic is enough: two that share a variable evaluate each other without end.
            let at = if at == tables::ARITHMETIC && evaluated { 0 } else { at };
            evaluated |= at == tables::ARITHMETIC;
            layers.extend(self.families.get(at).map(|templates| dice.pick(templates)));
        }
        layers
    }
}

fn wrap(layers: &[&'static str], inner: Planted, marker: &str, mut dice: Dice) -> String {
    let mut planted = inner;
    for layer in layers {
        planted = Planted { text: fill(layer, &planted, marker, &mut dice), plain: false };
    }
    planted.text
}
