//! `log verify`, `log prune` and `log --export`: whether the log is whole, and what is kept of it.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use portcullis_gate::store::{Damage, Pruned, Store, StoreError, Verified, verify_export};
use portcullis_gate::{Gate, Options};
use serde_json::json;

use super::{opened, state};
use crate::commands::stats::now;
use crate::output::{self, CALM, DIM, LOUD, visible};
use crate::{moment, person};

/// The log is not whole.
const BAD: u8 = 1;
const DAY: u64 = 86_400_000;

/// What to verify.
#[derive(clap::Args)]
pub(crate) struct Verify {
    /// A file that `log --export` wrote, instead of the log itself.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A line of `log head` that was kept elsewhere: the log has to hold that entry with that hash.
    #[arg(long, value_name = "SEQ HASH", conflicts_with = "file")]
    anchor: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// How to print the head.
#[derive(clap::Args)]
pub(crate) struct Head {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What `verify` cannot know.
const LIMITS: &str = "whoever can write as you could replace database, head and chain together; an outside copy of `portcullis log head` \
     shows that (`portcullis log verify --anchor \"SEQ HASH\"`)";

/// What to take away; without options what the setting `log.keep` no longer keeps.
#[derive(clap::Args)]
pub(crate) struct Prune {
    /// Keep the entries of the last so many days.
    #[arg(long, value_name = "DAYS", conflicts_with = "before")]
    keep: Option<u64>,
    /// Take away what is older than this time.
    #[arg(long, value_name = "TIME")]
    before: Option<String>,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

/// Looks at the whole chain: exit code 0 if it is whole, 1 with the first bad entry, 3 if it cannot be read.
pub(crate) fn verify(arguments: &Verify) -> ExitCode {
    let looked = match &arguments.file {
        Some(file) => exported(file),
        None => whole(arguments.anchor.as_deref()),
    };
    let (seq, what) = match looked {
        Ok(Verified::Whole { entries, last }) if arguments.json => {
            return output::print_json(
                &json!({ "whole": true, "entries": entries, "seq": last.seq, "hash": last.hash }),
            );
        }
        Ok(Verified::Whole { entries, last }) => {
            return output::print(&format!(
                "{CALM}whole{CALM:#}: {entries} entries, the last is {} with hash {}\n{DIM}{LIMITS}{DIM:#}\n",
                last.seq, last.hash
            ));
        }
        Ok(Verified::Damaged(bad)) => (bad.seq, bad.what),
        // A log that is gone, or cannot be read for what it is, is not whole.
        Err(error @ StoreError::CutTail { found, .. }) => (found.saturating_add(1), error.to_string()),
        Err(error @ StoreError::Damaged { .. }) => (1, error.to_string()),
        Err(error) => return output::fail(&visible(&error.to_string())),
    };
    let what = visible(&what);
    let written = if arguments.json {
        output::print_json(&json!({ "whole": false, "seq": seq, "what": what }))
    } else {
        output::print(&format!("{LOUD}not whole{LOUD:#}: entry {seq}: {what}\n"))
    };
    if written == ExitCode::SUCCESS { ExitCode::from(BAD) } else { written }
}

/// Looks at the log itself, and whether it holds the entry that was kept elsewhere.
fn whole(anchor: Option<&str>) -> Result<Verified, StoreError> {
    let store = Store::open_read_only(&state())?;
    let verified = store.verify()?;
    let (Some(anchor), Verified::Whole { .. }) = (anchor, &verified) else { return Ok(verified) };
    let parts = anchor.trim().split_once(' ').and_then(|(seq, hash)| Some((seq.parse().ok()?, hash.trim())));
    let Some((seq, hash)) = parts else {
        let why = "say --anchor with a line of `portcullis log head`: a number, a space and a hash";
        return Err(StoreError::Refused(why.to_owned()));
    };
    let what = match store.entry(seq)? {
        Some(entry) if entry.hash == hash => return Ok(verified),
        Some(_) => "it is not the entry that was kept elsewhere",
        None => "the entry that was kept elsewhere is not in the log",
    };
    Ok(Verified::Damaged(Damage { seq, what: what.to_owned() }))
}

/// Prints the number and hash of the last entry.
pub(crate) fn head(arguments: &Head) -> Result<ExitCode, String> {
    let looked = opened()?.verify_end(1).map_err(|error| error.to_string())?;
    match looked {
        Verified::Whole { last, .. } if arguments.json => {
            Ok(output::print_json(&json!({ "seq": last.seq, "hash": last.hash })))
        }
        Verified::Whole { last, .. } => Ok(output::print(&format!("{} {}\n", last.seq, last.hash))),
        Verified::Damaged(bad) => Err(format!("the log is not whole: entry {}: {}", bad.seq, bad.what)),
    }
}

fn exported(file: &Path) -> Result<Verified, StoreError> {
    let opened = File::open(file)
        .map_err(|error| StoreError::Refused(format!("cannot read `{}`: {error}", file.display())))?;
    verify_export(&mut BufReader::new(opened))
}

/// Writes the whole log to a file that only its owner can read.
pub(crate) fn export(file: Option<&Path>) -> Result<ExitCode, String> {
    let store = opened()?;
    let file = file.unwrap_or_else(|| Path::new("-"));
    if file == Path::new("-") {
        output::plain(|out| store.export(out).map_err(|error| error.to_string()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let created = File::options().write(true).create_new(true).mode(0o600).open(file);
    let created = created.map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
    let mut out = BufWriter::new(created);
    let (last, count) = store.export(&mut out).map_err(|error| error.to_string())?;
    let synced = out
        .into_inner()
        .map_err(|error| error.to_string())
        .and_then(|file| file.sync_all().map_err(|error| error.to_string()));
    synced.map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
    let text = format!("{count} entries written; the last is {} with hash {}\n", last.seq, last.hash);
    Ok(output::print(&text))
}

/// Takes away old entries.
pub(crate) fn prune(arguments: &Prune) -> Result<ExitCode, String> {
    let now = now();
    let before = match (&arguments.before, arguments.keep) {
        (Some(text), _) => moment::parse(text, now)?,
        (None, Some(days)) => now.saturating_sub(days.saturating_mul(DAY)),
        (None, None) => return by_settings(),
    };
    // Made by nobody who only wants to take away.
    opened()?;
    if !arguments.yes {
        let question = format!("Take away all entries from before {}?", moment::short(before));
        match output::agreed(&question) {
            Some(true) => {}
            Some(false) => return Ok(output::print("nothing was taken away\n")),
            None => return Err("say --yes to take away entries where nobody can be asked".to_owned()),
        }
    }
    let mut store = Store::open(&state()).map_err(|error| error.to_string())?;
    let pruned = store.prune(before, now, &person::who()).map_err(|error| error.to_string())?;
    Ok(output::print(&taken(pruned)))
}

fn taken(pruned: Pruned) -> String {
    if pruned.entries == 0 {
        return "nothing is that old\n".to_owned();
    }
    format!("{} entries up to {} were taken away\n", pruned.entries, pruned.through)
}

/// Takes away what the settings no longer keep: their owner has agreed to that already.
fn by_settings() -> Result<ExitCode, String> {
    // Made by nobody who only wants to take away.
    opened()?;
    let gate = Gate::open(Options::of_process()).map_err(|error| error.to_string())?;
    match gate.retain().map_err(|error| error.to_string())? {
        Some(pruned) => Ok(output::print(&taken(pruned))),
        None => Err("say --keep or --before, or set `log.keep`".to_owned()),
    }
}
