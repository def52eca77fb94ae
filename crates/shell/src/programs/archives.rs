//! Archives and compressed files: looking into them reads, packing and unpacking writes.

use super::archives_checks::{
    TAR_OPTIONS, check_7z, check_ar, check_cab, check_cpio, check_jar, check_pair, check_rar, check_stream,
    check_tar, check_unzip, check_zip,
};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

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
            ("tar -xOf a.tar .env", "reads secrets"),
            ("tar -xPf a.tar", "reads writes unknown"),
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
            "-0123456789cfhHikLmMnNqrRTvVzYKO -SbpIJF= -d!mode:unpack -l!mode:list -t!mode:test --stdout --to-stdout --decompress!mode:unpack \
             --uncompress!mode:unpack --force --keep --list!mode:list --license!help \
             --no-name --name --quiet --recursive --rsyncable --suffix= --synchronous --test!mode:test --verbose --fast --best --ascii --processes= \
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
            "-123456789cfkqrsvVuS -hL!help -bmnp= -d!mode:unpack -t!mode:test -z!mode:pack --stdout --decompress!mode:unpack --compress!mode:pack --force --keep --test!mode:test --quiet --verbose --small --fast --best \
             --license!help --repetitive-fast --repetitive-best",
        )
        .operands(Operands::None)
        .check(check_stream)
        .examples(&[("bzip2 -dc a.bz2", "reads"), ("bzip2 a", "reads writes deletes"), ("bunzip2 -t a.bz2", "reads")]),
    Spec::new("lzip lzop unlzop", Effects::READS)
        .options("-0123456789cfkqv -hV!help -d!mode:unpack -l!mode:list -t!mode:test --stdout --decompress!mode:unpack --force --keep --list!mode:list --test!mode:test --quiet --verbose")
        .operands(Operands::None)
        .check(check_stream)
        .examples(&[("lzop -dc a.lzo", "reads"), ("lzip a", "reads writes deletes"), ("lzop -F a", "reads writes deletes unknown")]),
    // Its `-t` is no test, and it names its output as the second operand.
    Spec::new("pixz", Effects::READS.and(Effects::WRITES))
        .options("-0123456789cdkltpx -hV!help")
        .operands(Operands::Text)
        .examples(&[("pixz -t a", "reads writes")]),
    Spec::new("xz unxz lzma unlzma", Effects::READS)
        .options(
            "-0123456789cefkqQvV -hH!help -TMSFC= -d!mode:unpack -l!mode:list -t!mode:test -z!mode:pack --stdout --to-stdout --decompress!mode:unpack \
             --uncompress!mode:unpack --compress!mode:pack --force --keep --list!mode:list --test!mode:test --extreme \
             --threads= --memlimit= --memory= --memlimit-compress= --memlimit-decompress= --memlimit-mt-decompress= --suffix= --format= --check= \
             --ignore-check --block-size= --block-list= --flush-timeout= --no-sparse --single-stream --no-warn --no-adjust --quiet \
             --verbose --robot --info-memory --files=?list --files0=?list --long-help!help --lzma1=? --lzma2=? --x86=? --arm=? \
             --arm64=? --armthumb=? --powerpc=? --ia64=? --sparc=? --delta=? --fast --best --filters=",
        )
        .operands(Operands::None)
        .check(check_stream)
        .examples(&[("xz -dc a.xz", "reads"), ("xz --list a.xz", "reads"), ("xz -T0 a", "reads writes deletes"), ("unxz -k a.xz", "reads writes")]),
    Spec::new("compress uncompress", Effects::READS)
        .options("-cfknNqrv -hLV!help -bS= -d!mode:unpack -l!mode:list -t!mode:test --stdout --force --keep --list!mode:list --name --no-name --quiet --recursive --suffix= --synchronous --test!mode:test --verbose")
        .operands(Operands::None)
        .check(check_stream)
        .examples(&[("uncompress -c a.Z", "reads"), ("compress a", "reads writes deletes")]),
    Spec::new("zstd unzstd zstdmt pzstd", Effects::READS)
        .options(
            "-0123456789cfkqrvCSTMBeip -hHV!help -D=read -o=write -b!mode:measure -d!mode:unpack -l!mode:list -t!mode:test -z!mode:pack --stdout \
             --compress!mode:pack --decompress!mode:unpack --uncompress!mode:unpack --force --keep --rm!deletes \
             --list!mode:list --test!mode:test --quiet --verbose --ultra --long=? --fast=? --adapt=? --single-thread --auto-threads= --threads= \
             --rsyncable --exclude-compressed --format= --stream-size= --size-hint= --target-compressed-block-size= --no-check --check \
             --content-size --no-content-size --no-dictID --sparse --no-sparse --pass-through --no-pass-through --progress \
             --no-progress --patch-from=read --filelist=list --output-dir-flat=write --output-dir-mirror=write --trace=write \
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
            "-0123456789cfkmnrvZeil -hHV!help -D=read -o=write -qwSC= -B=? -b!mode:measure -d!mode:unpack -t!mode:test -z!mode:pack -j!deletes --rm!deletes --stdout \
             --to-stdout --compress!mode:pack --decompress!mode:unpack --test!mode:test --force --keep --quiet --verbose --list!mode:list --best --fast=? --multiple --content-size --no-content-size --no-frame-crc \
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
        .check(|invocation, out| {
            // `+COMMAND` is given to less, which can run programs.
            if invocation.words.iter().any(|word| word.prefix().starts_with('+')) {
                out.executes();
            }
        })
        .examples(&[("zless a.gz", "reads"), ("zless '+!touch x' a.gz", "reads executes"), ("zless -o x a.gz", "reads unknown")]),
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
            ("cpio -o <<< .env", "reads secrets"),
            ("cpio -o <<< a.txt", "reads"),
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
