//! What the tables of archives cannot say: whether a line packs, unpacks or only looks, and where it writes.

use super::invocation::{Invocation, Outcome};
use super::option_words::{self, Value};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::secrets;
use crate::span::Span;
use crate::unclear::Why;

pub(super) const TAR_OPTIONS: &str = "-AcdrtuxGnSWOkUmpBaijJzZhlRvwPoqy -M!executes -? -bHKLNVf= -C=dir -X=read -T=list!executes -g=write -F=exec -I=exec \
    --catenate --concatenate --create --delete --diff --compare --append --test-label --list --update --extract --get --check-device \
    --listed-incremental=write --incremental --hole-detection= --ignore-failed-read --level= --no-check-device --no-seek --seek \
    --occurrence=? --sparse-version= --sparse --add-file=read --directory=dir --cd=dir --exclude= --exclude-backups --exclude-caches \
    --exclude-caches-all --exclude-caches-under --exclude-ignore= --exclude-ignore-recursive= --exclude-tag= --exclude-tag-all= \
    --exclude-tag-under= --exclude-vcs --exclude-vcs-ignores --no-null --no-recursion --norecurse --no-unquote --no-verbatim-files-from \
    --null --recursion --files-from=list!executes --unquote --verbatim-files-from --exclude-from=read --include= --anchored \
    --ignore-case --no-anchored --no-ignore-case --no-wildcards --no-wildcards-match-slash --wildcards --wildcards-match-slash \
    --keep-directory-symlink --keep-newer-files --keep-old-files --no-overwrite-dir --one-top-level=? --overwrite --overwrite-dir \
    --recursive-unlink!deletes --remove-files!deletes --skip-old-files --unlink-first --unlink --verify --ignore-command-error \
    --no-ignore-command-error --to-stdout --to-command=exec --atime-preserve=? --clamp-mtime --delay-directory-restore --group= \
    --group-map=read --mode= --mtime= --touch --no-delay-directory-restore --no-same-owner --no-same-permissions --numeric-owner \
    --owner= --owner-map=read --preserve-permissions --preserve --same-permissions --same-owner --sort= --preserve-order --same-order --acls \
    --no-acls --no-selinux --no-xattrs --selinux --xattrs --xattrs-exclude= --xattrs-include= --force-local --file= --info-script=exec \
    --new-volume-script=exec --tape-length= --multi-volume!executes --rmt-command=exec --rsh-command=exec --volno-file=write \
    --blocking-factor= --read-full-records --ignore-zeros --record-size= --format= --old-archive --portability --pax-option= --posix \
    --label= --auto-compress --use-compress-program=exec --bzip2 --xz --lzip --lzma --lzop --lz4 --no-auto-compress --zstd --gzip --gunzip \
    --ungzip --compress --uncompress --backup=? --hard-dereference --dereference --starting-file= --newer-mtime= --newer= --after-date= \
    --one-file-system --absolute-names --suffix= --strip-components= --transform= --xform= --checkpoint=? --checkpoint-action=exec \
    --full-time --index-file=write --check-links --no-quote-chars= --quote-chars= --quoting-style= --block-number --show-defaults \
    --show-omitted-dirs --show-snapshot-field-ranges --show-transformed-names --show-stored-names --totals=? --utc --verbose \
    --warning= --interactive --confirmation --restrict --usage!help --options= --passphrase= --uid= --gid= --uname= --gname= --nodump \
    --fflags --no-fflags --mac-metadata --no-mac-metadata --fast-read --safe-writes --no-safe-writes --set-mtime-command=exec";

/// For programs that take `-` for standard output: any other value of these options is a file that is written.
pub(super) fn writes_unless_dash<'a>(invocation: &Invocation<'_, 'a>, names: &[&str], out: &mut Outcome<'a>) {
    let values =
        invocation.options.iter().filter(|seen| names.contains(&seen.name)).filter_map(|seen| seen.value);
    values.filter(|value| value.known() != Some("-")).for_each(|file| out.writes(file));
}

pub(super) fn check_tar<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut archive = invocation.value(&["f", "--file"]);
    let mut modes: Vec<char> = invocation.options.iter().filter_map(|seen| tar_mode(seen.name)).collect();
    let mut operands = invocation.operands.iter().copied();
    // Old style: the first word holds the keys, and their values follow in order.
    if let Some(keys) = invocation.words.first().filter(|word| !word.prefix().starts_with('-')) {
        operands.next();
        let Some(letters) = keys.known() else {
            out.doubt(Why::UnclearCode, keys.text, keys.span);
            return;
        };
        let mut values = invocation.words.iter().skip(1);
        for letter in letters.chars() {
            let Some(entry) = option_words::short_option(TAR_OPTIONS, letter) else {
                out.doubt(Why::UnknownOption, format!("tar {letters}"), keys.span);
                return;
            };
            modes.extend(tar_mode(entry.name));
            if entry.value == Value::No {
                continue;
            }
            let Some(value) =
                values.next().filter(|value| value.text == "-" || !value.prefix().starts_with('-'))
            else {
                out.doubt(Why::Syntax, format!("tar {letters}"), keys.span);
                return;
            };
            operands.next();
            out.option(&entry, Some(*value));
            archive = if letter == 'f' { Some(*value) } else { archive };
        }
    }
    let local = invocation.has(&["--force-local"]);
    tar_effects(&modes, archive, local, operands, out);
}

/// The mode, or the switch that changes what a mode does.
fn tar_mode(name: &str) -> Option<char> {
    match name {
        "--list" | "--test-label" | "--show-defaults" | "--show-snapshot-field-ranges" => Some('t'),
        "--extract" | "--get" => Some('x'),
        "--create" => Some('c'),
        "--diff" | "--compare" => Some('d'),
        "--append" | "--update" | "--catenate" | "--concatenate" | "--delete" => Some('r'),
        "--to-stdout" => Some('O'),
        "--absolute-names" => Some('P'),
        "t" | "x" | "c" | "d" | "r" | "u" | "A" | "O" | "P" => name.chars().next(),
        _ => None,
    }
}

fn tar_effects<'a>(
    modes: &[char],
    archive: Option<Argument<'a>>,
    local: bool,
    operands: impl Iterator<Item = Argument<'a>>,
    out: &mut Outcome<'a>,
) {
    let has = |mode: char| modes.contains(&mode);
    let packs = has('c') || has('r') || has('u') || has('A');
    let kinds = [has('t'), has('x'), has('d'), has('c'), has('r') || has('u') || has('A')];
    if kinds.iter().filter(|given| **given).count() > 1 {
        out.doubt(Why::UnknownOption, "tar with several modes", span_of(archive));
    }
    if packs {
        let below = out.directory.is_some_and(|directory| directory.possible().any(secrets::holds_secrets));
        for operand in operands {
            out.reads(operand);
            let everything = below && matches!(operand.text, "." | "./" | "*");
            if everything || operand.possible().any(secrets::holds_secrets) {
                out.add(Effects::SECRETS);
            }
        }
        match archive {
            Some(archive) if archive.known() == Some("-") => {}
            Some(archive) => out.writes(archive),
            None => out.add(Effects::WRITES),
        }
    } else if let Some(archive) = archive {
        out.reads(archive);
        shows_members(has('O'), operands, out);
    } else {
        shows_members(has('O'), operands, out);
    }
    if has('x') && !has('O') {
        if has('P') {
            // What lies in the archive says where it goes, wherever that is.
            out.doubt(Why::UnknownOperand, "tar with absolute names", span_of(archive));
        }
        out.add(Effects::WRITES);
        if let Some(directory) = out.directory {
            out.writes(directory);
        }
    }
    if !packs && !has('x') && !has('t') && !has('d') && !out.help {
        out.doubt(Why::UnknownCommand, "tar without a mode", span_of(archive));
    }
    let Some(archive) = archive.filter(|_| !local) else { return };
    // `host:file` makes tar call that host.
    let head = archive.prefix().split('/').next().unwrap_or_default();
    if head.contains(':') {
        out.add(Effects::EXECUTES.and(Effects::NETWORK_WRITE));
    } else if !archive.literal
        && !archive.glob
        && archive.choices.is_empty()
        && !archive.prefix().contains('/')
    {
        out.doubt(Why::UnknownOperand, archive.text, archive.span);
    }
}

fn span_of(archive: Option<Argument<'_>>) -> Span {
    archive.map(|archive| archive.span).unwrap_or_default()
}

/// A file of credentials is one in an archive, too.
fn shows_members<'a>(shown: bool, mut members: impl Iterator<Item = Argument<'a>>, out: &mut Outcome<'a>) {
    if shown && members.any(|member| secrets::is_secret_path(member.text, member.literal)) {
        out.add(Effects::SECRETS);
    }
}

pub(super) fn check_zip<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let shorts = |wanted: &str| {
        let clusters = invocation
            .words
            .iter()
            .map(|word| word.text)
            .filter(|text| text.starts_with('-') && !text.starts_with("--"));
        clusters.into_iter().any(|text| text.contains(wanted))
    };
    if shorts("TT") {
        out.executes();
    }
    if shorts("lf") {
        out.add(Effects::WRITES);
    }
    if shorts("m") {
        out.add(Effects::DELETES);
    }
    let mut operands = invocation.operands.iter().copied();
    let archive = operands.next();
    let lists = shorts("sf") || invocation.has(&["--show-files", "h"]);
    if let Some(archive) = archive.filter(|archive| !lists && archive.known() != Some("-")) {
        out.writes(archive);
    }
    for file in operands {
        out.reads(file);
        if file.possible().any(secrets::holds_secrets) {
            out.add(Effects::SECRETS);
        }
    }
    if invocation.has(&["@"]) {
        let shown = archive.is_none_or(|archive| archive.known() == Some("-"));
        out.reads_listed(shown, archive.map(|archive| archive.span).unwrap_or_default());
    }
}

pub(super) fn check_unzip<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let zipinfo = invocation.words.first().is_some_and(|word| word.prefix().starts_with("-Z"));
    let shows = invocation.has(&["l", "v", "t", "z", "p", "h"]) && !invocation.has(&["T"]);
    if let Some(archive) = invocation.operands.first() {
        out.reads(*archive);
        if !shows && !zipinfo {
            out.add(Effects::WRITES);
        }
        if invocation.has(&[":"]) && !shows {
            // Names with `..` in the archive lead out of the folder.
            out.doubt(Why::UnknownOperand, "unzip -:", archive.span);
        }
        let members = invocation.operands.iter().skip(1).copied();
        shows_members(invocation.has(&["p", "c"]), members, out);
    }
}

/// gzip and its kin: each file is replaced, unless the result goes to standard output.
pub(super) fn check_stream<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let shows = ["c", "t", "l", "b", "--stdout", "--to-stdout", "--test", "--list"];
    let zstd = invocation.program.contains("zstd");
    // -b only sets the block size outside zstd.
    let shows =
        invocation.options.iter().any(|seen| shows.contains(&seen.name) && (zstd || seen.name != "b"));
    let keeps = zstd || invocation.has(&["k", "--keep"]);
    for file in &invocation.operands {
        out.reads(*file);
        if shows || file.known() == Some("-") {
            continue;
        }
        out.add(Effects::WRITES);
        if !keeps {
            out.deletes(*file);
        }
    }
    if !shows && invocation.has(&["--files", "--files0", "--filelist"]) {
        out.add(Effects::WRITES);
    }
}

/// lz4 names the output as its second operand; brotli has only inputs. Both keep the input.
pub(super) fn check_pair<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let shows = invocation.has(&["c", "t", "b", "--stdout", "--to-stdout", "--test", "--list"]);
    invocation.operands.iter().for_each(|file| out.reads(*file));
    let lz4_output = invocation.operands.get(1).filter(|_| invocation.program.contains("lz4"));
    if let Some(output) = lz4_output.filter(|output| output.known() != Some("-")) {
        out.writes(*output);
    }
    if !shows && !invocation.operands.is_empty() {
        out.add(Effects::WRITES);
    }
}

pub(super) fn check_7z<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const SWITCHES: &[&str] = &[
        "-slt", "-scrc", "-mmt", "-m", "-p", "-r", "-x", "-i", "-ai", "-ax", "-an", "-ao", "-ba", "-bb",
        "-bd", "-bs", "-bt", "-sccs", "-scs", "-spd", "-spe", "-spf", "-ssc", "-ssw", "-ssp", "-slp", "-sns",
        "-sni", "-snl", "-snh", "-so", "-si", "-stl", "-stx", "-t", "-y", "-u", "-v", "-w", "-o", "-sdel",
        "-sfx", "-sa", "-seml", "-stm",
    ];
    let mut operands = Vec::new();
    let (mut to_stdout, mut deletes) = (false, false);
    for word in invocation.words {
        match word.known() {
            Some("-h" | "--help" | "-?") => {}
            Some(text) if text.starts_with('-') && text.len() > 1 => {
                to_stdout |= text == "-so";
                deletes |= text.starts_with("-sdel");
                // -i and -x can name list files, -t a type; all of them only read.
                let long = text.starts_with("-s") || text.starts_with("-b") || text.starts_with("-a");
                let known =
                    SWITCHES.iter().any(|switch| text.starts_with(switch) && (!long || switch.len() > 2));
                if !known {
                    out.doubt(Why::UnknownOption, text, word.span);
                }
            }
            Some(_) => operands.push(*word),
            None => {
                if word.may_dash {
                    out.doubt(Why::MaybeOption, word.text, word.span);
                }
                operands.push(*word);
            }
        }
    }
    let mut operands = operands.into_iter();
    let Some(command) = operands.next() else { return };
    match command.known() {
        Some("l" | "t" | "h" | "i" | "b") => operands.for_each(|file| out.reads(file)),
        Some("x" | "e") => {
            operands.for_each(|file| out.reads(file));
            out.add(if to_stdout { Effects::READS } else { Effects::WRITES });
            if !to_stdout {
                unpacks_into(invocation, "-o", out);
            }
        }
        Some("a" | "u" | "d" | "rn") => {
            if let Some(archive) = operands.next() {
                out.writes(archive);
            }
            operands.for_each(|file| out.reads(file));
            out.add(if deletes { Effects::WRITES.and(Effects::DELETES) } else { Effects::WRITES });
        }
        Some(_) | None => out.doubt(Why::UnknownCommand, command.text, command.span),
    }
}

/// The folder that an attached switch names, or none at all where the archive decides.
fn unpacks_into<'a>(invocation: &Invocation<'_, 'a>, switch: &str, out: &mut Outcome<'a>) {
    for word in invocation.words {
        if word.prefix().len() > switch.len() && word.prefix().starts_with(switch) {
            out.writes(word.after(switch.len()));
        }
        if word.prefix().starts_with("-spf") {
            out.doubt(Why::UnknownOperand, word.text, word.span);
        }
    }
}

/// `unrar x ARCHIVE [MEMBER…] [FOLDER/]`: a last word that looks like a folder is where all of it goes.
fn unpacks_last<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let operands = invocation.words.iter().filter(|word| !word.prefix().starts_with('-')).skip(2);
    if let Some(folder) = operands.last() {
        let member =
            folder.literal && !folder.text.ends_with('/') && !folder.text.starts_with(['/', '~', '.']);
        if !member {
            out.writes(*folder);
        }
    }
    unpacks_into(invocation, "-op", out);
}

pub(super) fn check_rar<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut operands = invocation.words.iter().filter(|word| !word.prefix().starts_with('-'));
    let Some(command) = operands.next() else { return };
    match command.known() {
        Some("l" | "lt" | "lta" | "lb" | "v" | "vt" | "vta" | "vb" | "t" | "p") => {
            // Some switches write (-ilog) or change the archive (-df); a few only shape the output.
            let plain = ["-p", "-y", "-inul", "-idq", "-idp", "-id", "-c-", "-cfg-", "-v"];
            for word in invocation.words.iter().filter(|word| word.prefix().starts_with('-')) {
                if !word.known().is_some_and(|text| plain.contains(&text) || text.starts_with("-p")) {
                    out.doubt(Why::UnknownOption, word.text, word.span);
                }
            }
            operands.for_each(|file| out.reads(*file));
        }
        Some(
            "x" | "e" | "a" | "u" | "f" | "d" | "c" | "k" | "r" | "rc" | "rn" | "s" | "s-" | "ch" | "cw"
            | "rr" | "rv",
        ) => {
            out.add(Effects::WRITES);
            if matches!(command.known(), Some("x" | "e")) {
                unpacks_last(invocation, out);
            }
        }
        Some("m" | "mf") => out.add(Effects::WRITES.and(Effects::DELETES)),
        Some(_) | None => out.doubt(Why::UnknownCommand, command.text, command.span),
    }
}

pub(super) fn check_cab<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["l", "t", "p", "h", "v", "--list", "--test", "--pipe"]) {
        out.add(Effects::WRITES);
    }
}

/// `ar KEYS ARCHIVE [MEMBER…]`, the keys with or without a dash.
pub(super) fn check_ar<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let Some(keys) = invocation.words.first() else { return };
    let letters = keys.known().map(|text| text.strip_prefix('-').unwrap_or(text)).unwrap_or_default();
    let known =
        letters.bytes().all(|letter| b"dmpqrstxabcDfilNoOPsSTuUvV".contains(&letter)) && !letters.is_empty();
    if matches!(keys.known(), Some("--help" | "--version" | "-V" | "-h")) {
        return;
    }
    if !known {
        out.doubt(Why::UnknownOption, keys.text, keys.span);
    }
    for word in invocation.words.iter().skip(1) {
        if word.may_dash || word.prefix().starts_with(['-', '@']) {
            out.doubt(Why::UnknownOption, word.text, word.span);
        }
    }
    let Some(archive) = invocation.words.get(1) else { return };
    if letters.starts_with(['t', 'p']) && !letters.contains(['d', 'm', 'q', 'r', 's', 'x']) {
        out.reads(*archive);
    } else {
        out.writes(*archive);
        invocation.words.iter().skip(2).for_each(|member| out.reads(*member));
    }
}

/// Without a file, cpio lists from standard input and packs to standard output.
pub(super) fn check_cpio<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let lists = invocation.has(&["t", "--list"]) && !invocation.has(&["F", "--file", "p", "--pass-through"]);
    let packs = invocation.has(&["o", "--create"]) && !invocation.has(&["F", "--file", "A", "--append"]);
    if !lists && !packs {
        out.add(Effects::WRITES);
        if let Some(directory) = out.directory {
            out.writes(directory);
        }
        if invocation.has(&["--absolute-filenames"]) {
            // What lies in the archive says where it goes, wherever that is.
            let span = invocation.words.first().map(|word| word.span).unwrap_or_default();
            out.doubt(Why::UnknownOperand, "cpio with absolute names", span);
        }
    }
    if invocation.has(&["o", "--create", "p", "--pass-through"]) {
        let span = invocation.words.first().map(|word| word.span).unwrap_or_default();
        out.reads_listed(packs && !invocation.has(&["O"]), span);
    }
    invocation
        .operands
        .iter()
        .filter(|_| invocation.has(&["p", "--pass-through"]))
        .for_each(|directory| out.writes(*directory));
}

/// Only `jar tf FILE` in its usual spellings is known to do no more than list.
pub(super) fn check_jar<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut words = invocation.words.iter();
    let first = words.next().and_then(Argument::known).unwrap_or_default();
    let keys = first.strip_prefix('-').unwrap_or(first);
    let lists =
        first == "--list" || (keys.starts_with('t') && keys.bytes().all(|letter| b"tvf".contains(&letter)));
    let harmless = |word: &&Argument<'_>| {
        let option = word.may_dash || word.prefix().starts_with(['-', '@']);
        !option
            || matches!(word.known(), Some("-f" | "-v" | "--file" | "--verbose" | "--list"))
            || word.prefix().starts_with("--file=")
    };
    if matches!(first, "" | "--help" | "--version" | "-h") {
        return;
    }
    if !lists || !words.clone().all(|word| harmless(&word)) {
        out.add(Effects::WRITES);
    }
    words.filter(|word| !word.prefix().starts_with('-')).for_each(|file| out.reads(*file));
}
