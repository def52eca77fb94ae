//! What was found out about one command: effects, files, further commands it runs, and doubts.

use bumpalo::Bump;
use smallvec::SmallVec;

use super::acting;
use super::address::{self, Place};
use super::option_words::{Entry, Kind};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::patch::PatchedFile;
use crate::printed::Printed;
use crate::secrets;
use crate::span::Span;
use crate::unclear::{Unclear, Why};

/// How a file is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Read,
    Write,
    Delete,
}

/// Something else that the command runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Run<'a> {
    /// A program and its arguments.
    Words(&'a [Argument<'a>]),
    /// Shell text.
    Script(Argument<'a>, Dialect),
}

/// What one command does, gathered while its words are gone through.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact about the command")]
pub(crate) struct Outcome<'a> {
    pub(crate) arena: &'a Bump,
    pub(crate) effects: Effects,
    /// What options add to them.
    pub(crate) by_options: Effects,
    pub(crate) files: SmallVec<[(Use, Argument<'a>); 4]>,
    pub(crate) runs: SmallVec<[Run<'a>; 1]>,
    pub(crate) unclear: Vec<Unclear>,
    /// Which words name a sub-command.
    pub(crate) verbs: SmallVec<[usize; 2]>,
    /// Which words are operands: neither options nor their values, nor sub-commands.
    pub(crate) operands: SmallVec<[usize; 8]>,
    /// Which words are the value of the option before them.
    pub(crate) values: SmallVec<[usize; 4]>,
    /// The directory the program works in, where an option names it.
    pub(crate) directory: Option<Argument<'a>>,
    /// Its standard input comes from another command, a file or the line itself.
    pub(crate) fed: bool,
    /// The commands whose output is all that it is fed.
    pub(crate) fed_by: Option<Printed>,
    /// The command itself, for what it hands to others.
    pub(crate) itself: Option<Printed>,
    /// What it is fed, where that is text of the line.
    pub(crate) input: Option<Argument<'a>>,
    /// What the command before it prints, where that is text of the line: `echo 'select 1' | sqlite3 a.db`.
    pub(crate) piped: Option<Argument<'a>>,
    /// Only help or a version is printed.
    pub(crate) help: bool,
    /// How many of the files come from redirects: the shell opens them, whatever the program does.
    pub(crate) redirected: usize,
    /// Nothing is changed.
    pub(crate) dry: bool,
    /// Something is changed even beside an option that changes nothing.
    pub(crate) real: bool,
    /// The modes that options chose, by the names that the table has for them.
    pub(crate) modes: SmallVec<[&'static str; 2]>,
    /// The option at hand puts other code, or another place, where the command would have its own.
    pub(crate) steering: bool,
    /// Which words do that.
    pub(crate) steered: SmallVec<[usize; 2]>,
    /// Files that options name as outputs.
    pub(crate) outputs: SmallVec<[Argument<'a>; 1]>,
    /// The files of a patch that it applies.
    pub(crate) patched: Vec<PatchedFile>,
}

impl<'a> Outcome<'a> {
    pub(crate) fn new(arena: &'a Bump) -> Outcome<'a> {
        Outcome {
            arena,
            effects: Effects::NONE,
            by_options: Effects::NONE,
            files: SmallVec::new(),
            runs: SmallVec::new(),
            unclear: Vec::new(),
            verbs: SmallVec::new(),
            operands: SmallVec::new(),
            values: SmallVec::new(),
            directory: None,
            fed: false,
            fed_by: None,
            itself: None,
            input: None,
            piped: None,
            help: false,
            redirected: 0,
            dry: false,
            real: false,
            modes: SmallVec::new(),
            steering: false,
            steered: SmallVec::new(),
            outputs: SmallVec::new(),
            patched: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, effects: Effects) {
        self.effects.add(effects);
    }

    /// Something that the tables do not know; the command is not harmless.
    pub(crate) fn doubt(&mut self, why: Why, detail: impl Into<String>, span: Span) {
        self.effects.add(Effects::UNKNOWN);
        self.unclear.push(Unclear::new(why, detail, span));
    }

    pub(crate) fn reads(&mut self, file: Argument<'a>) {
        // Many programs take an address where they take a file.
        if file.known().is_some_and(address::has_scheme) {
            return self.fetches(file);
        }
        self.effects.add(Effects::READS);
        if file.possible().any(|path| secrets::is_secret_path(path, file.literal || !file.choices.is_empty()))
        {
            self.effects.add(Effects::SECRETS);
        }
        if file.known() != Some("-") {
            self.files.push((Use::Read, file));
        }
    }

    /// The files that standard input names, one on each line, are read. Where they are `shown`, it matters which.
    pub(crate) fn reads_listed(&mut self, shown: bool, span: Span) {
        match self.input.and_then(|input| input.known()) {
            Some(text) => {
                for name in text.split(['\n', '\0']).filter(|name| !name.is_empty()) {
                    let file = Argument::literal(name, span);
                    self.reads(file);
                    if secrets::holds_secrets(name) {
                        self.effects.add(Effects::SECRETS);
                    }
                }
            }
            None if self.fed && shown => {
                self.doubt(Why::UnknownOperand, "files named on standard input", span);
            }
            None => {}
        }
    }

    pub(crate) fn writes(&mut self, file: Argument<'a>) {
        match file.known() {
            Some("/dev/null" | "/dev/stdout" | "/dev/stderr") => {}
            _ if is_connection(&file) => self.effects.add(Effects::NETWORK_WRITE),
            _ => {
                self.effects.add(Effects::WRITES);
                self.files.push((Use::Write, file));
            }
        }
    }

    pub(crate) fn deletes(&mut self, file: Argument<'a>) {
        self.effects.add(Effects::DELETES);
        self.files.push((Use::Delete, file));
    }

    /// Code in a language other than shell, or a program, is run.
    pub(crate) fn executes(&mut self) {
        self.effects.add(Effects::EXECUTES);
    }

    /// An address is fetched. Only a literal, public one is a mere read: anything else can carry
    /// local data away or reach what only this machine can reach.
    pub(crate) fn fetches(&mut self, url: Argument<'a>) {
        if !url.choices.is_empty() {
            return url.choices.iter().for_each(|text| self.fetches(Argument::literal(text, url.span)));
        }
        let Some(text) = url.known() else {
            self.effects.add(Effects::NETWORK_READ.and(Effects::SENDS_DATA));
            return;
        };
        match address::place(text) {
            Place::Public if acting::acts(text) => {
                self.effects.add(Effects::NETWORK_READ.and(Effects::NETWORK_WRITE));
            }
            Place::Public => self.effects.add(Effects::NETWORK_READ),
            Place::File(path) => self.reads(Argument::literal(path, url.span)),
            Place::Local => self.effects.add(Effects::NETWORK_READ.and(Effects::NETWORK_WRITE)),
            Place::Metadata => self.effects.add(Effects::NETWORK_READ.and(Effects::SECRETS)),
            Place::Unclear => self.effects.add(Effects::NETWORK_READ.and(Effects::NETWORK_WRITE)),
        }
    }

    /// An option was given, with its value if it has one.
    pub(crate) fn option(&mut self, entry: &Entry, value: Option<Argument<'a>>) {
        let before = std::mem::take(&mut self.effects);
        self.apply_option(entry, value);
        self.by_options.add(self.effects);
        self.effects.add(before);
    }

    fn apply_option(&mut self, entry: &Entry, value: Option<Argument<'a>>) {
        for mark in entry.marks() {
            match (mark, Effects::named(mark)) {
                // `--help=false` asks for no help.
                ("help", _) if value.is_some() => self.effects.add(Effects::UNKNOWN),
                ("help", _) => self.help = true,
                ("dry", _) => self.dry = true,
                ("real", _) => self.real = true,
                ("steers", _) => self.steering = true,
                (mode, _) if let Some(name) = mode.strip_prefix("mode:") => self.modes.push(name),
                (_, Some(effects)) => self.effects.add(effects),
                (_, None) => self.effects.add(Effects::UNKNOWN),
            }
        }
        let Some(value) = value else { return };
        match entry.kind() {
            // Whatever it is for, a credential's path is not handed around as mere data.
            Kind::Data
                if value.literal
                    && value.text.starts_with(['~', '/'])
                    && secrets::is_secret_path(value.text, true) =>
            {
                self.effects.add(Effects::SECRETS);
            }
            Kind::Data => {}
            Kind::Read => self.reads(value),
            Kind::Write => {
                self.outputs.push(value);
                self.writes(value);
            }
            Kind::Delete => self.deletes(value),
            Kind::Directory => self.directory = Some(value),
            Kind::Execute => self.executes(),
            Kind::Send => self.effects.add(Effects::SENDS_DATA),
            Kind::Url => self.fetches(value),
            Kind::List if value.known() == Some("-") => self.reads_listed(true, value.span),
            Kind::List => {
                self.reads(value);
                // What the file says is not known here.
                self.reads(Argument { may_dash: false, ..Argument::unknown(value.span) });
            }
            Kind::Property => {
                let set = value.text.split_once('=').map_or("", |(_, set)| set);
                self.steering |= !value.literal || set.contains(['/', '\\']);
            }
            Kind::Config if value.literal && !value.text.contains(['=', '{']) => self.reads(value),
            Kind::Config => self.effects.add(Effects::UNKNOWN),
            Kind::Unknown => self.effects.add(Effects::UNKNOWN),
        }
    }

    /// Draws the conclusions of `--help` and `--dry-run`. What an option runs or sets still counts.
    pub(crate) fn conclude(&mut self) {
        let doubtful = self.effects.meets(Effects::UNKNOWN) || !self.runs.is_empty();
        if self.help && !doubtful {
            self.effects = Effects::READS;
            self.files.truncate(self.redirected);
        } else if self.dry && !self.real && !doubtful {
            let changes = [
                Effects::WRITES,
                Effects::DELETES,
                Effects::INSTALLS_DECLARED,
                Effects::INSTALLS_NAMED,
                Effects::REPOSITORY,
                Effects::DISCARDS,
                Effects::PUSHES,
                Effects::PUBLISHES,
                Effects::NETWORK_WRITE,
                Effects::PERMISSIONS,
                Effects::KILLS,
                Effects::SYSTEM,
            ];
            self.effects = changes.into_iter().fold(self.effects, Effects::without).and(Effects::READS);
            self.writes_nothing();
            // A log or an output that is named is written all the same.
            for file in std::mem::take(&mut self.outputs) {
                self.writes(file);
            }
        }
    }

    /// The program itself leaves all files as they are.
    pub(crate) fn writes_nothing(&mut self) {
        let mut redirects = self.redirected;
        self.files.retain(|(usage, _)| {
            let redirect = redirects > 0;
            redirects = redirects.saturating_sub(1);
            redirect || *usage == Use::Read
        });
    }
}

/// Whether bash would open a connection instead of a file.
pub(crate) fn is_connection(file: &Argument<'_>) -> bool {
    let prefix = file.prefix();
    ["/dev/tcp/", "/dev/udp/"].iter().any(|place| {
        prefix.starts_with(place) || (!file.literal && prefix.len() > 1 && place.starts_with(prefix))
    })
}
