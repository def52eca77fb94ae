//! Archives and compressed files: looking into them reads, packing and unpacking writes.

use super::invocation::{Invocation, Outcome};
use super::table::{self, Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::secrets;
use crate::unclear::Why;

const TAR_OPTIONS: &str = "-AcdrtuxGnSWOkUmpBMaijJzZhlRvwPoqy -? -bHKLNVf= -C=dir -X=read -T=read!executes -g=write -F=exec -I=exec \
    --catenate --concatenate --create --delete --diff --compare --append --test-label --list --update --extract --get --check-device \
    --listed-incremental=write --incremental --hole-detection= --ignore-failed-read --level= --no-check-device --no-seek --seek \
    --occurrence=? --sparse-version= --sparse --add-file=read --directory=dir --cd=dir --exclude= --exclude-backups --exclude-caches \
    --exclude-caches-all --exclude-caches-under --exclude-ignore= --exclude-ignore-recursive= --exclude-tag= --exclude-tag-all= \
    --exclude-tag-under= --exclude-vcs --exclude-vcs-ignores --no-null --no-recursion --norecurse --no-unquote --no-verbatim-files-from \
    --null --recursion --files-from=read!executes --unquote --verbatim-files-from --exclude-from=read --include= --anchored \
    --ignore-case --no-anchored --no-ignore-case --no-wildcards --no-wildcards-match-slash --wildcards --wildcards-match-slash \
    --keep-directory-symlink --keep-newer-files --keep-old-files --no-overwrite-dir --one-top-level=? --overwrite --overwrite-dir \
    --recursive-unlink!deletes --remove-files!deletes --skip-old-files --unlink-first --unlink --verify --ignore-command-error \
    --no-ignore-command-error --to-stdout --to-command=exec --atime-preserve=? --clamp-mtime --delay-directory-restore --group= \
    --group-map=read --mode= --mtime= --touch --no-delay-directory-restore --no-same-owner --no-same-permissions --numeric-owner \
    --owner= --owner-map=read --preserve-permissions --preserve --same-permissions --same-owner --sort= --preserve-order --same-order --acls \
    --no-acls --no-selinux --no-xattrs --selinux --xattrs --xattrs-exclude= --xattrs-include= --force-local --file= --info-script=exec \
    --new-volume-script=exec --tape-length= --multi-volume --rmt-command=exec --rsh-command=exec --volno-file=write \
    --blocking-factor= --read-full-records --ignore-zeros --record-size= --format= --old-archive --portability --pax-option= --posix \
    --label= --auto-compress --use-compress-program=exec --bzip2 --xz --lzip --lzma --lzop --lz4 --no-auto-compress --zstd --gzip --gunzip \
    --ungzip --compress --uncompress --backup=? --hard-dereference --dereference --starting-file= --newer-mtime= --newer= --after-date= \
    --one-file-system --absolute-names --suffix= --strip-components= --transform= --xform= --checkpoint=? --checkpoint-action=exec \
    --full-time --index-file=write --check-links --no-quote-chars= --quote-chars= --quoting-style= --block-number --show-defaults \
    --show-omitted-dirs --show-snapshot-field-ranges --show-transformed-names --show-stored-names --totals=? --utc --verbose \
    --warning= --interactive --confirmation --restrict --usage!help --options= --passphrase= --uid= --gid= --uname= --gname= --nodump \
    --fflags --no-fflags --mac-metadata --no-mac-metadata --fast-read --safe-writes --no-safe-writes --set-mtime-command=exec";

pub(super) const TABLE: &[Spec] = &[
    Spec::new("tar gtar bsdtar", Effects::READS)
        .style(Style::Gnu)
        .options(TAR_OPTIONS)
        .operands(Operands::None)
        .check(check_tar)
        .examples(&[
            ("tar -tvf a.tar", "reads"),
            ("tar tvzf a.tgz", "reads"),
            ("tar --list -f a.tar --wildcards '*.txt'", "reads"),
            ("tar -xOf a.tar file", "reads"),
            ("tar -df a.tar", "reads"),
            ("tar czf - src", "reads"),
            ("tar czf - .env", "reads secrets"),
            ("tar cf - ~", "reads secrets"),
            ("tar -C ~ -cf - .", "reads secrets"),
            ("tar xzf a.tgz -C /tmp", "reads writes"),
            ("tar --extract -f a.tar", "reads writes"),
            ("tar czf a.tgz src", "reads writes"),
            ("tar -c src", "reads writes"),
            ("tar rf a.tar b", "reads writes"),
            ("tar --delete -f a.tar b", "reads writes"),
            ("tar -cf a.tar --remove-files b", "reads writes deletes"),
            ("tar -tf a.tar --to-command=./x", "reads executes"),
            ("tar -tf a.tar --checkpoint-act=exec=./x", "reads executes"),
            ("tar --use-compress-program=./x -tf a.tar", "reads executes"),
            ("tar tIf ./x a.tar", "reads executes"),
            ("tar -cI 'rm -rf /' -f -", "reads executes"),
            ("tar -tT list -f a.tar", "reads executes"),
            ("tar tf host:a.tar", "reads executes network-write"),
            ("tar -g snap -tf a.tar", "reads writes"),
            ("tar -f a.tar", "reads unknown"),
            ("tar -t --frobnicate", "reads unknown"),
        ]),
    Spec::new("zip", Effects::READS)
        .options(
            "-0123456789AacDdeEFfgHIijJklLmMNoqrRSTuUvVwXxyz$@hC -Zsnt= -b=dir -P= -O=write --out=write --output-file=write --recurse-paths \
             --recurse-patterns --junk-paths --quiet --verbose --update --freshen --delete --move!deletes --filesync --exclude \
             --include --test --unzip-command=exec --show-files --encrypt --password= --compression-method= --split-size= \
             --temp-path=dir --symlinks --no-dir-entries --no-extra --from-crlf --to-crlf --junk-sfx --adjust-sfx --grow --fix --fixfix \
             --copy-entries --difference-archive --names-stdin --log-append --logfile-path=write --log-info --latest-time \
             --suffixes= --from-date= --before-date= --license!help --show-command --show-debug --no-wild --fifo",
        )
        .operands(Operands::None)
        .check(check_zip)
        .examples(&[
            ("zip -r a.zip src", "reads writes"),
            ("zip -sf a.zip", "reads"),
            ("zip -r - src", "reads"),
            ("zip -r - /root", "reads secrets"),
            ("zip -m a.zip f", "reads writes deletes"),
            ("zip -T -TT 'touch x' a.zip f", "reads writes executes"),
            ("zip --unzip-command=./x a.zip f", "reads writes executes"),
            ("zip -h", "reads"),
        ]),
    Spec::new("unzip", Effects::READS)
        .options("-12AabBcCDEfFhijJKlLmMnNopqsStTuUvVWxXyYzZ:^$/ -PIO= -d=write")
        .operands(Operands::None)
        .check(check_unzip)
        .examples(&[
            ("unzip -l a.zip", "reads"),
            ("unzip -Z1 a.zip", "reads"),
            ("unzip -tq a.zip", "reads"),
            ("unzip -p a.zip file", "reads"),
            ("unzip -hh", "reads"),
            ("unzip -T a.zip", "reads writes"),
            ("unzip -q a.zip", "reads writes"),
            ("unzip a.zip -d /tmp", "reads writes"),
            ("unzip --frobnicate a.zip", "reads writes unknown"),
        ]),
    Spec::new("zipinfo zipgrep lsar", Effects::READS)
        .options("-12CEFGHLMPTabchilmnoqrstvwxzjDW -pek= --long --verylong --test --password= --encoding= --json --json-ascii --print-encoding")
        .operands(Operands::Read)
        .examples(&[("zipinfo -1 a.zip", "reads"), ("lsar a.zip", "reads"), ("zipinfo --frob a.zip", "reads unknown")]),
    Spec::new("gzip gunzip pigz unpigz", Effects::READS)
        .options(
            "-0123456789cdfhHiklLmMnNqrRtTvVzYKO -SbpIJF= --stdout --to-stdout --decompress --uncompress --force --keep --list --license!help \
             --no-name --name --quiet --recursive --rsyncable --suffix= --synchronous --test --verbose --fast --best --ascii --processes= \
             --blocksize= --independent --zlib --zip --no-time --alias= --iterations= --maxsplits= --oneblock",
        )
        .operands(Operands::None)
        .check(check_stream)
        .examples(&[
            ("gzip -dc a.gz", "reads"),
            ("gunzip --test a.gz", "reads"),
            ("gzip -l a.gz", "reads"),
            ("gzip", "reads"),
            ("gzip -9 a", "reads writes deletes"),
            ("gunzip -k a.gz", "reads writes"),
            ("gzip -r dir", "reads writes deletes"),
            ("gzip --frobnicate", "reads unknown"),
        ]),
    Spec::new("bzip2 bunzip2 pbzip2 lbzip2 lbunzip2", Effects::READS)
        .options(
            "-123456789cdfkqrstvVzuS -hL!help -bmnp= --stdout --decompress --compress --force --keep --test --quiet --verbose --small --fast --best \
             --license!help --repetitive-fast --repetitive-best",
        )
        .operands(Operands::None)
        .check(check_stream)
        .examples(&[("bzip2 -dc a.bz2", "reads"), ("bzip2 a", "reads writes deletes"), ("bunzip2 -t a.bz2", "reads")]),
    Spec::new("xz unxz lzma unlzma lzip pixz lzop unlzop", Effects::READS)
        .options(
            "-0123456789cdefkltqQvVz -hH!help -TMSFC= --stdout --to-stdout --decompress --uncompress --compress --force --keep --list --test --extreme \
             --threads= --memlimit= --memory= --memlimit-compress= --memlimit-decompress= --memlimit-mt-decompress= --suffix= --format= --check= \
             --ignore-check --block-size= --block-list= --flush-timeout= --no-sparse --single-stream --no-warn --no-adjust --quiet \
             --verbose --robot --info-memory --files=?read --files0=?read --long-help!help --lzma1=? --lzma2=? --x86=? --arm=? \
             --arm64=? --armthumb=? --powerpc=? --ia64=? --sparc=? --delta=? --fast --best --filters=",
        )
        .operands(Operands::None)
        .check(check_stream)
        .examples(&[("xz -dc a.xz", "reads"), ("xz --list a.xz", "reads"), ("xz -T0 a", "reads writes deletes"), ("unxz -k a.xz", "reads writes")]),
    Spec::new("compress uncompress", Effects::READS)
        .options("-cdfklnNqrtv -hLV!help -bS= --stdout --force --keep --list --name --no-name --quiet --recursive --suffix= --synchronous --test --verbose")
        .operands(Operands::None)
        .check(check_stream)
        .examples(&[("uncompress -c a.Z", "reads"), ("compress a", "reads writes deletes")]),
    Spec::new("zstd unzstd zstdmt pzstd", Effects::READS)
        .options(
            "-0123456789cdfklqrtvzCSTMBbeip -hHV!help -D=read -o=write --stdout --compress --decompress --uncompress --force --keep --rm!deletes \
             --list --test --quiet --verbose --ultra --long=? --fast=? --adapt=? --single-thread --auto-threads= --threads= \
             --rsyncable --exclude-compressed --format= --stream-size= --size-hint= --target-compressed-block-size= --no-check --check \
             --content-size --no-content-size --no-dictID --sparse --no-sparse --pass-through --no-pass-through --progress \
             --no-progress --patch-from=read --filelist=read --output-dir-flat=write --output-dir-mirror=write --trace=write \
             --train!writes --train-cover=?!writes --train-fastcover=?!writes --train-legacy=?!writes --maxdict= --dictID= --asyncio \
             --no-asyncio --priority= --memory= --memlimit= --memlimit-decompress= --max --row-match-finder --no-row-match-finder",
        )
        .operands(Operands::None)
        .check(check_stream)
        .examples(&[
            ("zstd -dc a.zst", "reads"),
            ("zstd -l a.zst", "reads"),
            ("zstd -b3 a", "reads"),
            ("zstd -19 -T0 a", "reads writes"),
            ("zstd --rm a", "reads writes deletes"),
            ("zstd -d a.zst -o b", "reads writes"),
            ("zstd --train a b", "reads writes"),
        ]),
    Spec::new("lz4 unlz4 brotli", Effects::READS)
        .options(
            "-0123456789cdfkmnrtvzZbeil -hHV!help -D=read -o=write -qwSC= -B=? -j!deletes --rm!deletes --stdout --to-stdout --compress --decompress \
             --test --force --keep --quiet --verbose --list --best --fast=? --multiple --content-size --no-content-size --no-frame-crc \
             --frame-crc --sparse --no-sparse --favor-decSpeed --no-crc --quality= --lgwin= --large_window= --suffix= --output=write \
             --no-copy-stat --dictionary=read --comment=",
        )
        .operands(Operands::None)
        .check(check_pair)
        .examples(&[
            ("lz4 -dc a.lz4", "reads"),
            ("lz4 --list a.lz4", "reads"),
            ("lz4 a", "reads writes"),
            ("lz4 a b", "reads writes"),
            ("brotli -o b a", "reads writes"),
            ("brotli -c a", "reads"),
        ]),
    Spec::new("zcat gzcat bzcat bz2cat xzcat lzcat lzmacat zstdcat lz4cat uncompresscat", Effects::READS)
        .options("-123456789cdfklLnNqrstvz -hV!help -STMD= --recursive --suffix= --synchronous --small --fast --best --compress --stdout --force --quiet --verbose --test --list --keep --long=? --no-warn --decompress --threads= --memory=")
        .operands(Operands::Read)
        .examples(&[("zcat a.gz", "reads"), ("xzcat a.xz", "reads"), ("zcat -o x a.gz", "reads unknown")]),
    Spec::new("zless zmore bzless bzmore xzless xzmore zstdless lzless", Effects::READS)
        .options("-eEFgiIJmMnNqQRrsSwWX")
        .operands(Operands::Read)
        .examples(&[("zless a.gz", "reads"), ("zless -o x a.gz", "reads unknown")]),
    Spec::new("7z 7za 7zr 7zz 7zzs p7zip", Effects::READS).style(Style::Raw).operands(Operands::None).check(check_7z).examples(&[
        ("7z l -slt a.7z", "reads"),
        ("7zz t -scrcSHA256 a.7z", "reads"),
        ("7zz b -mmt=8", "reads"),
        ("7z", "reads"),
        ("7z --help", "reads"),
        ("7z x -so a.7z", "reads"),
        ("7z x a.7z -o/tmp", "reads writes"),
        ("7z a a.7z f", "reads writes"),
        ("7z a -sdel a.7z f", "reads writes deletes"),
        ("7z l -frob a.7z", "reads unknown"),
        ("7z q a.7z", "reads unknown"),
    ]),
    Spec::new("rar unrar", Effects::READS).style(Style::Raw).operands(Operands::None).check(check_rar).examples(&[
        ("unrar l a.rar", "reads"),
        ("unrar t a.rar", "reads"),
        ("rar a a.rar f", "reads writes"),
        ("unrar x a.rar", "reads writes"),
        ("rar m a.rar f", "reads writes deletes"),
        ("unrar q a.rar", "reads unknown"),
    ]),
    Spec::new("unar", Effects::READS.and(Effects::WRITES))
        .options("-frsDdnqt -o=write -ekpi= --force-overwrite --force-rename --force-skip --force-directory --no-directory --output-directory=write --password= --encoding= --quiet")
        .operands(Operands::Read)
        .examples(&[("unar a.rar", "reads writes"), ("unar --help", "reads")]),
    Spec::new("cabextract", Effects::READS)
        .options("-Lfqskv -hl -tp -d=write -eF= --list --test --pipe --directory=write --filter= --encoding= --fix --interactive --lowercase --quiet --single")
        .operands(Operands::Read)
        .check(check_cab)
        .examples(&[("cabextract -l a.cab", "reads"), ("cabextract a.cab", "reads writes")]),
    Spec::new("ar gar llvm-ar", Effects::READS).style(Style::Raw).operands(Operands::None).check(check_ar).examples(&[
        ("ar t lib.a", "reads"),
        ("ar -tv lib.a", "reads"),
        ("ar p lib.a a.o", "reads"),
        ("ar rcs lib.a a.o", "reads writes"),
        ("ar --plugin ./x t lib.a", "reads writes unknown"),
    ]),
    Spec::new("cpio gcpio bsdcpio", Effects::READS)
        .options(
            "-0aABcdfklmnNsSuvVLj -itop -bz -CHKRM= -I=read -O=write -F= -E=read -D=dir -r --create --extract --list --pass-through --append \
             --null --dereference --make-directories --unconditional --verbose --quiet --format= --file= --no-absolute-filenames \
             --absolute-filenames --preserve-modification-time --to-stdout --directory=dir --pattern-file=read --rsh-command=exec --no-preserve-owner \
             --owner=!permissions --nonmatching --reset-access-time --block-size= --io-size= --dot --link --sparse --swap",
        )
        .operands(Operands::None)
        .check(check_cpio)
        .examples(&[
            ("cpio -it", "reads"),
            ("cpio -o", "reads"),
            ("cpio --list --quiet", "reads"),
            ("cpio -idm", "reads writes"),
            ("cpio -pd dest", "reads writes"),
            ("cpio -o -O out", "reads writes"),
            ("cpio -t --rsh-command=./x -F h:a", "reads writes executes"),
        ]),
    Spec::new("jar", Effects::READS).style(Style::Raw).operands(Operands::None).check(check_jar).examples(&[
        ("jar tf a.jar", "reads"),
        ("jar -tvf a.jar", "reads"),
        ("jar --list --file a.jar", "reads"),
        ("jar cf a.jar b", "reads writes"),
        ("jar xf a.jar", "reads writes"),
        ("jar --describe-module --file=a.jar", "reads writes"),
    ]),
];

/// For programs that take `-` for standard output: any other value of these options is a file that is written.
pub(super) fn writes_unless_dash<'a>(invocation: &Invocation<'_, 'a>, names: &[&str], out: &mut Outcome<'a>) {
    let values =
        invocation.options.iter().filter(|seen| names.contains(&seen.name)).filter_map(|seen| seen.value);
    values.filter(|value| value.known() != Some("-")).for_each(|file| out.writes(file));
}

fn check_tar<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
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
            let Some(entry) = table::short_option(TAR_OPTIONS, letter) else {
                out.doubt(Why::UnknownOption, format!("tar {letters}"), keys.span);
                return;
            };
            modes.extend(tar_mode(entry.name));
            if entry.value == table::Value::No {
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
        "t" | "x" | "c" | "d" | "r" | "u" | "A" | "O" => name.chars().next(),
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
    }
    if has('x') && !has('O') {
        out.add(Effects::WRITES);
        if let Some(directory) = out.directory {
            out.writes(directory);
        }
    }
    if !packs && !has('x') && !has('t') && !has('d') && !out.help {
        out.doubt(
            Why::UnknownCommand,
            "tar without a mode",
            archive.map(|archive| archive.span).unwrap_or_default(),
        );
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

fn check_zip<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
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
}

fn check_unzip<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let zipinfo = invocation.words.first().is_some_and(|word| word.prefix().starts_with("-Z"));
    let shows = invocation.has(&["l", "v", "t", "z", "p", "h"]) && !invocation.has(&["T"]);
    if let Some(archive) = invocation.operands.first() {
        out.reads(*archive);
        if !shows && !zipinfo {
            out.add(Effects::WRITES);
        }
    }
}

/// gzip and its kin: each file is replaced, unless the result goes to standard output.
fn check_stream<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
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
fn check_pair<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
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

fn check_7z<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
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

fn check_rar<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
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
        }
        Some("m" | "mf") => out.add(Effects::WRITES.and(Effects::DELETES)),
        Some(_) | None => out.doubt(Why::UnknownCommand, command.text, command.span),
    }
}

fn check_cab<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["l", "t", "p", "h", "v", "--list", "--test", "--pipe"]) {
        out.add(Effects::WRITES);
    }
}

/// `ar KEYS ARCHIVE [MEMBER…]`, the keys with or without a dash.
fn check_ar<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
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
fn check_cpio<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let lists = invocation.has(&["t", "--list"]) && !invocation.has(&["F", "--file", "p", "--pass-through"]);
    let packs = invocation.has(&["o", "--create"]) && !invocation.has(&["F", "--file", "A", "--append"]);
    if !lists && !packs {
        out.add(Effects::WRITES);
    }
    invocation
        .operands
        .iter()
        .filter(|_| invocation.has(&["p", "--pass-through"]))
        .for_each(|directory| out.writes(*directory));
}

/// Only `jar tf FILE` in its usual spellings is known to do no more than list.
fn check_jar<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
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
