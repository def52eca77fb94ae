//! GNU coreutils and their BSD namesakes: files, text streams, checksums, facts about the machine.

use super::coreutils_checks as check;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

pub(super) const TABLE: &[Spec] = &[
    // --- showing and transforming text ---
    Spec::new("cat gcat", Effects::READS)
        .style(Style::Gnu)
        .options("-AbeEnstTuvl --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting")
        .operands(Operands::Read)
        .examples(&[("cat -vet a b", "reads"), ("cat .env", "reads secrets"), ("cat --output=x a", "reads unknown")]),
    Spec::new("tac gtac", Effects::READS)
        .style(Style::Gnu)
        .options("-br -s= --before --regex --separator=")
        .operands(Operands::Read)
        .examples(&[("tac -s , log", "reads"), ("tac -o x log", "reads unknown")]),
    Spec::new("head ghead", Effects::READS)
        .style(Style::Gnu)
        .options("-0123456789qvz -nc= --bytes= --lines= --quiet --silent --verbose --zero-terminated")
        .operands(Operands::Read)
        .examples(&[
            ("head -20 a", "reads"),
            ("head -n -5 a", "reads"),
            ("head -c100 .env", "reads secrets"),
            ("head -o x", "reads unknown"),
        ]),
    Spec::new("tail gtail", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-0123456789fFqrvz -ncbs= --bytes= --lines= --follow=? --max-unchanged-stats= --pid= --quiet --silent --retry \
             --sleep-interval= --verbose --zero-terminated",
        )
        .operands(Operands::Read)
        .examples(&[
            ("tail -n +5 a", "reads"),
            ("tail -20f log", "reads"),
            ("tail --follow=name log", "reads"),
            ("tail --exec x", "reads unknown"),
        ]),
    Spec::new("nl gnl", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-p -bdfhilnsvw= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= --line-increment= \
             --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=",
        )
        .operands(Operands::Read)
        .examples(&[("nl -ba src/main.rs", "reads"), ("nl -o x a", "reads unknown")]),
    Spec::new("od god", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-abcdDefFhHiIlLoOsvxX -AjNSt= -w=? --address-radix= --skip-bytes= --read-bytes= --strings=? --format= --output-duplicates \
             --width=? --traditional --endian=",
        )
        .operands(Operands::Read)
        .examples(&[("od -c a", "reads"), ("od -An -tx1 a", "reads"), ("od --output=x a", "reads unknown")]),
    Spec::new("wc gwc", Effects::READS)
        .style(Style::Gnu)
        .options("-clLmw --bytes --chars --lines --files0-from=list --max-line-length --words --total= --libxo=? --debug")
        .operands(Operands::Read)
        .examples(&[("wc -l a b", "reads"), ("wc --files0-from=.env", "reads secrets"), ("wc -o x", "reads unknown")]),
    Spec::new("cut gcut", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-nswz -bcdf= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= \
             --zero-terminated",
        )
        .operands(Operands::Read)
        .examples(&[("cut -d: -f1 /etc/passwd", "reads"), ("cut -d ' ' -f 2- a", "reads"), ("cut --output=x a", "reads")]),
    Spec::new("paste gpaste", Effects::READS)
        .style(Style::Gnu)
        .options("-sz -d= --delimiters= --serial --zero-terminated")
        .operands(Operands::Read)
        .examples(&[("paste -sd, a", "reads"), ("paste -o x a", "reads unknown")]),
    Spec::new("join gjoin", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-iz -aejotv12= --ignore-case --check-order --nocheck-order --header --zero-terminated",
        )
        .operands(Operands::Read)
        .examples(&[("join -t, -1 2 -2 1 a b", "reads"), ("join -o 1.1,2.2 a b", "reads"), ("join --write a b", "reads unknown")]),
    Spec::new("comm gcomm", Effects::READS)
        .style(Style::Gnu)
        .options("-123iz --check-order --nocheck-order --output-delimiter= --total --zero-terminated")
        .operands(Operands::Read)
        .examples(&[("comm -12 a b", "reads"), ("comm -o x a b", "reads unknown")]),
    Spec::new("sort gsort", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-bCcdfghiMmnRrsuVz -kSt= -o=write -T=!writes --ignore-leading-blanks --dictionary-order --ignore-case \
             --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort \
             --random-source=read --reverse --sort= --version-sort --batch-size= --check=? --check-silent --compress-program=exec \
             --debug --files0-from=list!unknown --key= --merge --output=write --stable --buffer-size= --field-separator= \
             --temporary-directory=!writes --parallel= --unique --zero-terminated --radixsort --mergesort --qsort --heapsort --mmap",
        )
        .operands(Operands::Read)
        .examples(&[
            ("sort -t, -k2,2 -rn a", "reads"),
            ("sort -u", "reads"),
            ("sort -o out a", "reads writes"),
            ("sort -uooutput a", "reads writes"),
            ("sort --outp out a", "reads writes"),
            ("sort --compress-prog ./x a", "reads executes"),
            ("sort -T /tmp a", "reads writes"),
            ("sort --files0-from .env", "reads secrets unknown"),
        ]),
    Spec::new("uniq guniq", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-0123456789cdDiuz -fsw= --count --repeated --all-repeated=? --skip-fields= --group=? --ignore-case --skip-chars= --unique \
             --zero-terminated --check-chars=",
        )
        .operands(Operands::ReadThenWrite)
        .examples(&[("uniq -c", "reads"), ("uniq -d a", "reads"), ("uniq a b", "reads writes")]),
    Spec::new("shuf gshuf", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-erz -in= -o=write --echo --input-range= --head-count= --output=write --random-source=read --repeat --zero-terminated",
        )
        .operands(Operands::Read)
        .examples(&[("shuf -n 3 a", "reads"), ("shuf a -o b", "reads writes")]),
    Spec::new("fmt gfmt", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-0123456789cmnstu -dglpw= --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing --width= --goal=",
        )
        .operands(Operands::Read)
        .examples(&[("fmt -w 80 a", "reads"), ("fmt -o x a", "reads unknown")]),
    Spec::new("fold gfold", Effects::READS)
        .style(Style::Gnu)
        .options("-0123456789bcs -w= --bytes --characters --spaces --width=")
        .operands(Operands::Read)
        .examples(&[("fold -sw 80 a", "reads"), ("fold -o x a", "reads unknown")]),
    Spec::new("expand unexpand gexpand gunexpand", Effects::READS)
        .style(Style::Gnu)
        .options("-0123456789,ai -t= --initial --all --first-only --tabs=")
        .operands(Operands::Read)
        .examples(&[("expand -t 4 a", "reads"), ("unexpand -a a", "reads"), ("expand -o x a", "reads unknown")]),
    Spec::new("pr gpr", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-0123456789acdFfmprtTvJ -DhlNoWw= -einsS=? --pages= --columns= --across --show-control-chars --double-space --date-format= \
             --expand-tabs=? --form-feed --header= --output-tabs=? --join-lines --length= --merge --number-lines=? \
             --first-line-number= --indent= --no-file-warnings --separator=? --sep-string=? --omit-header --omit-pagination \
             --show-nonprinting --width= --page-width=",
        )
        .operands(Operands::Read)
        .examples(&[("pr -m -t a b", "reads"), ("pr --frob=x a", "reads unknown")]),
    Spec::new("ptx gptx", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-ACfOrRtT -FgMSwW= -bio=read -G!writes --auto-reference --traditional!writes --flag-truncation= --macro-name= \
             --format= --right-side-refs --sentence-regexp= --word-regexp= --break-file=read --ignore-case --gap-size= \
             --ignore-file=read --only-file=read --references --typeset-mode --width=",
        )
        .operands(Operands::Read)
        .examples(&[("ptx a", "reads"), ("ptx -G a b", "reads writes")]),
    Spec::new("tsort gtsort", Effects::READS)
        .options("-dlqw")
        .operands(Operands::Read)
        .examples(&[("tsort a", "reads"), ("tsort --x a", "reads unknown")]),
    Spec::new("numfmt gnumfmt", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-0123456789z -d= --debug --delimiter= --field= --format= --from= --from-unit= --grouping --header=? --invalid= --padding= \
             --round= --suffix= --to= --to-unit= --unit-separator= --zero-terminated",
        )
        .operands(Operands::Text)
        .examples(&[("numfmt --to=iec 2048", "reads"), ("numfmt -o x", "reads unknown")]),
    // Arguments that may begin with a dash, and no option that does anything but shape the output.
    Spec::new(
        "seq gseq expr gexpr factor gfactor tr gtr yes gyes basename gbasename dirname gdirname true gtrue false gfalse sleep gsleep jot \
         pathchk gpathchk",
        Effects::READS,
    )
    .style(Style::Raw)
    .operands(Operands::Text)
    .examples(&[
        ("seq 10 -1 1", "reads"),
        ("expr 1 - -2", "reads"),
        ("tr -d '-' ", "reads"),
        ("tr '[:upper:]' '[:lower:]'", "reads"),
        ("basename -s .rs src/a.rs", "reads"),
        ("true", "reads"),
        ("sleep 0.5", "reads"),
    ]),
    // --- encodings and checksums ---
    Spec::new("base64 base32 gbase64 gbase32", Effects::READS)
        .options(
            "-dDeniuh -wb= -o=write --decode --encode --ignore-garbage --wrap= --break= --input=read --output=write --noerrcheck \
             --copyright!help",
        )
        .operands(Operands::Read)
        .examples(&[
            ("base64 -d a", "reads"),
            ("base64 -w 0 a", "reads"),
            ("base64 -i a", "reads"),
            ("base64 -i a -o b", "reads writes"),
            ("base64 ~/.ssh/id_rsa", "reads secrets"),
        ]),
    Spec::new("basenc gbasenc", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-di -w= --base64 --base64url --base58 --base32 --base32hex --base16 --base2msbf --base2lsbf --decode --ignore-garbage \
             --wrap= --z85",
        )
        .operands(Operands::Read)
        .examples(&[("basenc --base16 -d a", "reads"), ("basenc -o x a", "reads unknown")]),
    Spec::new(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum gmd5sum gsha1sum gsha224sum gsha256sum gsha384sum \
         gsha512sum gb2sum xxhsum xxh64sum xxh128sum",
        Effects::READS,
    )
    .options(
        "-bctwzqr -l= --binary --check --length= --tag --text --zero --ignore-missing --quiet --status --strict --warn --no-names --raw",
    )
    .operands(Operands::Read)
    .examples(&[("sha256sum -c SUMS", "reads"), ("md5sum a b", "reads"), ("b2sum -l 128 a", "reads"), ("md5sum -o x", "reads unknown")]),
    Spec::new("shasum shasum5.34 shasum5.30", Effects::READS)
        .options(
            "-bctU0sqwhv -a= --algorithm= --binary --check --text --UNIVERSAL --01 --quiet --status --warn --strict --ignore-missing --tag",
        )
        .operands(Operands::Read)
        .examples(&[("shasum -a 256 a", "reads"), ("shasum --output x", "reads unknown")]),
    Spec::new("md5 sha1 sha224 sha256 sha384 sha512 rmd160", Effects::READS)
        .options("-pqrntx -cs= --quiet --reverse --string= --passthrough")
        .operands(Operands::Read)
        .examples(&[("md5 -q a", "reads"), ("md5 -s text", "reads"), ("md5 -o x", "reads unknown")]),
    Spec::new("cksum gcksum sum gsum", Effects::READS)
        .options(
            "-bctwzrs -alo= --algorithm= --base64 --check --length= --raw --tag --untagged --text --binary --zero --ignore-missing --quiet \
             --status --strict --warn --sysv --debug",
        )
        .operands(Operands::Read)
        .examples(&[("cksum a", "reads"), ("sum -s a", "reads"), ("cksum --write a", "reads unknown")]),
    // --- facts about files ---
    Spec::new("ls dir vdir gls gdir gvdir", Effects::READS)
        .options(
            "-aAbBcCdDeEfFgGhHiklLmMnNoOpPqQrRsStuUvVWxXyZ1@%, -IwT= --all --almost-all --author --escape --block-size= --ignore-backups \
             --color=? --colour=? --directory --dired --classify=? --file-type --format= --full-time --group-directories-first \
             --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --hide= \
             --hyperlink=? --indicator-style= --inode --ignore= --kibibytes --dereference --numeric-uid-gid --literal \
             --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= \
             --time-style= --tabsize= --width= --context --zero",
        )
        .operands(Operands::Read)
        .examples(&[
            ("ls -la src", "reads"),
            ("ls -lt --color=never", "reads"),
            ("ls -1@ ~/.ssh", "reads secrets"),
            ("ls --run x", "reads unknown"),
        ]),
    Spec::new("stat gstat", Effects::READS)
        .options(
            "-FLlnqrsxH -ft=? -c= --dereference --file-system --cached= --format= --printf= --terse",
        )
        .operands(Operands::Read)
        .examples(&[
            ("stat -c %s a", "reads"),
            ("stat -f %Sm a", "reads"),
            ("stat -f%z a", "reads"),
            ("stat --write a", "reads unknown"),
        ]),
    Spec::new("du gdu", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-0aAbcDgHhklLmnPrsSx -BdIt= -X=read --null --all --apparent-size --block-size= --bytes --total --dereference-args \
             --max-depth= --files0-from=list --si --human-readable --inodes --count-links --dereference --no-dereference \
             --separate-dirs --summarize --threshold= --time=? --time-style= --exclude-from=read --exclude= --one-file-system",
        )
        .operands(Operands::Read)
        .examples(&[("du -sh .", "reads"), ("du -d 1 -h", "reads"), ("du --delete .", "reads unknown")]),
    Spec::new("df gdf", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-abcgGhHiIklmnPTvY, -Btx= --all --block-size= --direct --human-readable --si --inodes --local --no-sync --output=? \
             --portability --sync --total --type= --print-type --exclude-type= --libxo=?",
        )
        .operands(Operands::Read)
        .examples(&[("df -h /", "reads"), ("df --output=source,size", "reads"), ("df --write", "reads unknown")]),
    Spec::new("readlink realpath greadlink grealpath", Effects::READS)
        .options(
            "-efmLnPqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero \
             --logical --physical --relative-to= --relative-base= --strip --no-symlinks",
        )
        .operands(Operands::Text)
        .examples(&[("readlink -f a", "reads"), ("realpath --relative-to=. a", "reads"), ("realpath -w a", "reads unknown")]),
    Spec::new("pwd gpwd", Effects::READS)
        .options("-LP --logical --physical")
        .examples(&[("pwd", "reads"), ("pwd -P", "reads"), ("/bin/pwd", "reads")]),
    Spec::new("dircolors gdircolors", Effects::READS)
        .style(Style::Gnu)
        .options("-bcp --sh --bourne-shell --csh --c-shell --print-database --print-ls-colors")
        .operands(Operands::Read)
        .examples(&[("dircolors -b", "reads"), ("dircolors -x", "reads unknown")]),
    // --- facts about the machine and its users ---
    Spec::new("uname guname", Effects::READS)
        .options(
            "-amnrsvpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform \
             --operating-system",
        )
        .examples(&[("uname -a", "reads"), ("uname -S newname", "reads unknown")]),
    Spec::new("arch garch", Effects::READS).style(Style::Raw).operands(Operands::Text).check(check::architecture).examples(&[
        ("arch", "reads"),
        ("arch -x86_64", "reads"),
        ("arch -e A=b ls", "reads environment"),
        ("arch --unknown ls", "reads unknown"),
    ]),
    Spec::new("hostname ghostname", Effects::READS)
        .options(
            "-aAdfiIsyv -b!system -F=read!system --alias --all-ip-addresses --all-fqdns --boot!system --domain --file=read!system \
             --fqdn --long --ip-address --short --yp --nis",
        )
        .operands(Operands::Effect(Effects::SYSTEM))
        .examples(&[("hostname -f", "reads"), ("hostname other", "reads system"), ("hostname -F name", "reads system")]),
    Spec::new("id gid groups ggroups", Effects::READS)
        .options("-aAcFgGMnpPruzZ --context --group --groups --name --real --user --zero")
        .operands(Operands::Text)
        .examples(&[("id -u", "reads"), ("groups root", "reads"), ("id -x", "reads unknown")]),
    Spec::new("whoami gwhoami logname glogname hostid ghostid tty gtty users gusers", Effects::READS)
        .options("-s --silent --quiet")
        .operands(Operands::Read)
        .examples(&[("whoami", "reads"), ("tty -s", "reads"), ("hostid -x", "reads unknown")]),
    Spec::new("who gwho pinky gpinky", Effects::READS)
        .options(
            "-abdHlmpqrstTuwifho --all --boot --dead --heading --ips --login --lookup --process --count --runlevel --short --time --mesg \
             --message --writable --users --no-header --no-current --from --old-style --ip-addr",
        )
        .operands(Operands::Read)
        .examples(&[("who -a", "reads"), ("who --set", "reads unknown")]),
    Spec::new("uptime guptime", Effects::READS)
        .options("-pshcr -V!help --pretty --since --raw --container --libxo=?")
        .operands(Operands::Read)
        .examples(&[("uptime -p", "reads"), ("uptime --reset", "reads unknown")]),
    Spec::new("nproc gnproc", Effects::READS)
        .style(Style::Gnu)
        .options("--all --ignore=")
        .examples(&[("nproc --all", "reads"), ("nproc --set=4", "reads unknown")]),
    Spec::new("printenv gprintenv", Effects::READS)
        .options("-0 --null")
        .operands(Operands::Text)
        .check(check::printenv)
        .examples(&[("printenv PATH", "reads"), ("printenv", "reads secrets"), ("printenv API_TOKEN", "reads secrets"), ("printenv -x PATH", "reads unknown")]),
    Spec::new("date gdate", Effects::READS)
        .options(
            "-ujnR -dvz= -rf=read -s=!system -I=? --date= --debug --file=read --iso-8601=? --rfc-email --rfc-822 --rfc-2822 \
             --rfc-3339= --reference=read --resolution --set=!system --utc --universal --uct",
        )
        .operands(Operands::Text)
        .check(check::date_operand)
        .examples(&[
            ("date +%Y-%m-%d", "reads"),
            ("date -u -d yesterday +%s", "reads"),
            ("date -j -f %Y 2024 +%s", "reads"),
            ("date -v-1d +%F", "reads"),
            ("date -s 12:00", "reads system"),
            ("date --se=12:00", "reads unknown"),
            ("date 010112002024", "reads system"),
        ]),
    Spec::new("stty gstty", Effects::READS)
        .options("-ag -Ff=read --all --save --file=read")
        .operands(Operands::Effect(Effects::SYSTEM))
        .verbs(&[Spec::new("size speed", Effects::READS)])
        .examples(&[("stty -a", "reads"), ("stty size", "reads"), ("stty raw", "reads system"), ("stty -echo", "reads unknown")]),
    Spec::new("sync gsync", Effects::READS)
        .style(Style::Gnu)
        .options("-df --data --file-system")
        .operands(Operands::Read)
        .examples(&[("sync", "reads"), ("sync -x", "reads unknown")]),
    // --- creating, copying, removing ---
    Spec::new("cp gcp", Effects::READS.and(Effects::WRITES))
        .style(Style::Gnu)
        .options(
            "-abcdfHilLnpPrRsTuvxXZN -S= -t=write --archive --attributes-only --backup=? --copy-contents --debug --force --interactive \
             --link --dereference --no-clobber --no-dereference --preserve=? --no-preserve= --parents --recursive --reflink=? \
             --remove-destination --sparse= --strip-trailing-slashes --symbolic-link --suffix= --target-directory=write \
             --no-target-directory --update=? --verbose --keep-directory-symlink --one-file-system --context=?",
        )
        .operands(Operands::Copy)
        .check(check::target_first)
        .examples(&[
            ("cp a b", "reads writes"),
            ("cp ~/.ssh/id_rsa /tmp", "reads writes secrets"),
            ("cp -t /tmp a .env", "reads writes secrets"),
            ("cp --help", "reads"),
        ]),
    Spec::new("mv gmv", Effects::WRITES.and(Effects::DELETES))
        .style(Style::Gnu)
        .options(
            "-bfhinTuvZ -S= -t=write --backup=? --debug --exchange --force --interactive --no-clobber --no-copy --strip-trailing-slashes \
             --suffix= --target-directory=write --no-target-directory --update=? --verbose --context",
        )
        .operands(Operands::Move)
        .check(check::moves)
        .examples(&[("mv a b", "writes deletes"), ("mv .env b", "writes deletes secrets"), ("mv -t d a b", "writes deletes reads"), ("mv --version", "reads")]),
    Spec::new("ln gln link glink", Effects::WRITES)
        .style(Style::Gnu)
        .options(
            "-bdFfhiLnPrsTvw -S= -t=write --backup=? --directory --force --interactive --logical --no-dereference --physical --relative \
             --symbolic --suffix= --target-directory=write --no-target-directory --verbose",
        )
        .operands(Operands::Text)
        .check(check::links)
        .examples(&[("ln -s a b", "reads writes"), ("ln -s ../a", "reads writes"), ("ln --help", "reads")]),
    Spec::new("install ginstall", Effects::WRITES)
        .style(Style::Gnu)
        .options(
            "-bcCDdpTvZMUs -mSBfhlN= -og=!permissions -t=write --backup=? --compare --directory --group=!permissions --mode= \
             --owner=!permissions --preserve-timestamps --strip --strip-program=exec --suffix= --target-directory=write \
             --no-target-directory --verbose --debug --preserve-context --context=?",
        )
        .operands(Operands::Text)
        .check(check::installs)
        .examples(&[
            ("install -m 755 a b", "reads writes"),
            ("install -d a b", "writes"),
            ("install -o root a b", "reads writes permissions"),
            ("install -s --strip-program=./x a b", "reads writes executes"),
            ("install --help", "reads"),
        ]),
    Spec::new("rm grm", Effects::DELETES)
        .style(Style::Gnu)
        .options(
            "-dfiIPrRvWx --force --interactive=? --one-file-system --no-preserve-root --preserve-root=? --recursive --dir --verbose",
        )
        .operands(Operands::Delete)
        .examples(&[("rm -rf build", "deletes"), ("rm --help", "reads")]),
    Spec::new("rmdir grmdir unlink gunlink", Effects::DELETES)
        .style(Style::Gnu)
        .options("-pv --ignore-fail-on-non-empty --parents --verbose")
        .operands(Operands::Delete)
        .examples(&[("rmdir -p a/b", "deletes"), ("unlink a", "deletes"), ("rmdir --version", "reads")]),
    Spec::new("shred gshred", Effects::WRITES.and(Effects::DELETES))
        .style(Style::Gnu)
        .options(
            "-fuvxz -ns= --force --iterations= --random-source=read --size= --remove=? --verbose --exact --zero",
        )
        .operands(Operands::Delete)
        .examples(&[("shred -u a", "writes deletes"), ("shred --help", "reads")]),
    Spec::new("mkdir gmkdir mkfifo gmkfifo", Effects::WRITES)
        .style(Style::Gnu)
        .options("-pvZ -m= --mode= --parents --verbose --context=?")
        .operands(Operands::Write)
        .examples(&[("mkdir -p a/b", "writes"), ("mkfifo pipe", "writes"), ("mkdir --help", "reads")]),
    Spec::new("mknod gmknod", Effects::WRITES)
        .style(Style::Gnu)
        .options("-Z -m= --mode= --context=?")
        .operands(Operands::Text)
        .verbs(&[])
        .check(check::first_is_written)
        .examples(&[("mknod x p", "writes"), ("mknod sda b 8 0", "writes system"), ("mknod --help", "reads")]),
    Spec::new("touch gtouch", Effects::WRITES)
        .style(Style::Gnu)
        .options("-acfhmA -dt= -r=read --no-create --date= --no-dereference --reference=read --time=")
        .operands(Operands::Write)
        .examples(&[("touch a", "writes"), ("touch -d yesterday a", "writes"), ("touch --help", "reads")]),
    Spec::new("truncate gtruncate", Effects::WRITES)
        .style(Style::Gnu)
        .options("-co -s= -r=read --no-create --io-blocks --reference=read --size=")
        .operands(Operands::Write)
        .examples(&[("truncate -s 0 a", "writes"), ("truncate --help", "reads")]),
    Spec::new("mktemp gmktemp", Effects::WRITES)
        .style(Style::Gnu)
        .options("-dqt -u!dry -p=? --directory --dry-run!dry --quiet --suffix= --tmpdir=?")
        .operands(Operands::Text)
        .examples(&[
            ("mktemp -d", "writes"),
            ("mktemp /tmp/a.XXXX", "writes"),
            ("mktemp -p /tmp", "writes"),
            ("mktemp -u a.XXX", "reads"),
        ]),
    Spec::new("tee gtee", Effects::READS)
        .style(Style::Gnu)
        .options("-aip --append --ignore-interrupts --output-error=?")
        .operands(Operands::Write)
        .examples(&[("tee", "reads"), ("tee /dev/null", "reads"), ("tee -a log", "reads writes")]),
    Spec::new("sponge", Effects::READS)
        .options("-a")
        .operands(Operands::Write)
        .examples(&[("sponge", "reads"), ("sponge -a log", "reads writes")]),
    Spec::new("split gsplit", Effects::READS.and(Effects::WRITES))
        .style(Style::Gnu)
        .options(
            "-0123456789edux -abClnpt= --suffix-length= --additional-suffix= --bytes= --line-bytes= --numeric-suffixes=? \
             --hex-suffixes=? --elide-empty-files --filter=exec --lines= --number= --separator= --unbuffered --verbose",
        )
        .operands(Operands::ReadThenWrite)
        .examples(&[
            ("split -l 100 a part-", "reads writes"),
            ("split --filter='touch x' a", "reads writes executes"),
            ("split --help", "reads"),
        ]),
    Spec::new("csplit gcsplit", Effects::READS.and(Effects::WRITES))
        .style(Style::Gnu)
        .options(
            "-kqsz -bn= -f=write --suffix-format= --prefix=write --keep-files --suppress-matched --digits= --quiet --silent \
             --elide-empty-files",
        )
        .operands(Operands::Read)
        .examples(&[("csplit -f part a '/x/' '{*}'", "reads writes"), ("csplit --help", "reads")]),
    Spec::new("dd gdd", Effects::READS).style(Style::Raw).operands(Operands::Text).check(check::copies_blocks).examples(&[
        ("dd if=a bs=1 count=4 status=none", "reads"),
        ("dd if=a of=b", "reads writes"),
        ("dd if=/dev/zero of=/dev/sda", "reads writes system"),
        ("dd if=~/.ssh/id_rsa", "reads secrets"),
        ("dd x=y", "reads unknown"),
    ]),
    Spec::new("chmod gchmod chown gchown chgrp gchgrp", Effects::PERMISSIONS)
        .options(
            "-cfhHLPRvrwxXstugoaCENin --changes --silent --quiet --verbose --dereference --no-dereference --from= --no-preserve-root \
             --preserve-root --reference=read --recursive",
        )
        .operands(Operands::Text)
        .check(check::changes_access)
        .examples(&[("chmod +x a", "permissions"), ("chown -R root .", "permissions"), ("chmod u+s ./tool", "permissions privilege"), ("chmod 4755 tool", "permissions privilege"), ("chmod 0755 tool", "permissions"), ("chmod --help", "reads")]),
];
