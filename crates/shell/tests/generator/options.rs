//! Makes lines of one program from its own table: its options in every spelling around what writes or runs.
//!
//! What the table says of an option is only a hint here. An option may get a value that it does not take, none where it
//! takes one, an empty one, or half a name: what the program makes of that is what the run shows.

use portcullis_shell::option_words;

use super::Dice;
use super::tables;

/// Values that options are given.
const VALUES: &[&str] =
    &["''", "1", "0", "x", "-", "f.txt", "auto", "never", "a=b", "-1", ".", "1k", "' '", "utf8", ","];

/// The beginning of a line, with the options that its program knows.
#[derive(Clone, Debug)]
struct Start {
    words: &'static str,
    rest: &'static str,
    options: Vec<Listed>,
}

/// One option as the table spells it.
#[derive(Clone, Debug)]
struct Listed {
    /// With its dashes.
    name: String,
    suffix: &'static str,
}

impl Listed {
    fn is_short(&self) -> bool {
        self.name.len() == 2
    }

    fn takes_value(&self) -> bool {
        self.suffix.starts_with('=')
    }

    /// What the table says to write or run.
    fn is_dangerous(&self) -> bool {
        ["write", "exec", "delete", "send", "url"].iter().any(|word| self.suffix.contains(word))
    }
}

/// Makes lines for the programs that this machine has.
pub(crate) struct OptionLines {
    seed: u64,
    starts: Vec<Start>,
}

impl OptionLines {
    pub(crate) fn new(seed: u64, is_installed: impl Fn(&str) -> bool) -> OptionLines {
        let starts = tables::lines(tables::OPTIONS).into_iter().filter_map(|line| {
            let (words, rest) = line.split_once("::")?;
            let mut names = words.split_ascii_whitespace().filter(|word| !word.starts_with('-'));
            let program = names.next().filter(|program| is_installed(program))?;
            let verbs: Vec<&str> = names.collect();
            let options = option_words(program, &verbs).into_iter().flat_map(options).collect();
            Some(Start { words: words.trim(), rest: rest.trim(), options })
        });
        OptionLines { seed, starts: starts.collect() }
    }

    /// The line with this number.
    pub(crate) fn line(&self, number: usize) -> String {
        let mut dice = Dice::for_case(self.seed, number);
        let at = if number < self.starts.len() { number } else { dice.below(self.starts.len()) };
        let Some(start) = self.starts.get(at) else { return String::new() };
        let mut words = split(start.rest);
        let more = if number < self.starts.len() { 0 } else { 1 + dice.below(3) };
        for _ in 0..more {
            let place = dice.below(words.len() + 1);
            let place = if dice.once_in(2) { 0 } else { place };
            let option = start.option(&mut dice);
            if !option.is_empty() {
                words.insert(place, option);
            }
        }
        let line = format!("{} {}", start.words, words.join(" "));
        line.replace("@M", &format!("MARK_{number}"))
    }
}

impl Start {
    fn option(&self, dice: &mut Dice) -> String {
        let Some(mut option) = self.options.get(dice.below(self.options.len())) else { return String::new() };
        for _ in 0..2 {
            // What is known to write would only be found to write.
            if !option.is_dangerous() || dice.once_in(8) {
                break;
            }
            option = self.options.get(dice.below(self.options.len())).unwrap_or(option);
        }
        let value = if option.is_dangerous() { dice.pick(&["@M", "./mk"]) } else { dice.pick(VALUES) };
        let mut name = option.name.clone();
        if option.is_short() && dice.once_in(3) {
            name = self.cluster(&name, dice);
        } else if !option.is_short() && name.len() > 4 && dice.once_in(4) {
            name.truncate(3 + dice.below(name.len() - 3));
        }
        let strange = dice.once_in(6);
        match (option.takes_value() != strange, option.is_short()) {
            (false, _) => name,
            (true, true) if dice.once_in(2) => format!("{name}{value}"),
            (true, false) if dice.once_in(2) => format!("{name}={value}"),
            (true, _) => format!("{name} {value}"),
        }
    }

    /// The short option with others before it.
    fn cluster(&self, name: &str, dice: &mut Dice) -> String {
        let flags: Vec<&Listed> =
            self.options.iter().filter(|option| option.is_short() && !option.takes_value()).collect();
        let mut cluster = String::from("-");
        for _ in 0..=dice.below(3) {
            let flag = flags.get(dice.below(flags.len()));
            cluster.push_str(flag.and_then(|flag| flag.name.get(1..)).unwrap_or_default());
        }
        cluster.push_str(name.get(1..).unwrap_or_default());
        cluster
    }
}

/// The words of a template; quoted blanks do not part them.
fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut quote = None;
    let mut open = false;
    for character in text.chars() {
        match (character, quote) {
            (' ', None) => {
                open = false;
                continue;
            }
            ('\'' | '"', None) => quote = Some(character),
            (closing, Some(opening)) if closing == opening => quote = None,
            _ => {}
        }
        if !open {
            words.push(String::new());
            open = true;
        }
        if let Some(word) = words.last_mut() {
            word.push(character);
        }
    }
    words
}

/// The options that a table's text lists.
fn options(text: &'static str) -> Vec<Listed> {
    let mut found = Vec::new();
    for word in text.split_ascii_whitespace() {
        let (name, suffix) = word.split_at(word.find(['=', '!']).unwrap_or(word.len()));
        match name.strip_prefix('-').unwrap_or_default() {
            "" | "#" | "-*" => {}
            long if long.starts_with('-') => found.push(Listed { name: name.to_owned(), suffix }),
            flags => found.extend(
                flags
                    .chars()
                    .filter(char::is_ascii_alphanumeric)
                    .map(|flag| Listed { name: format!("-{flag}"), suffix }),
            ),
        }
    }
    found
}
