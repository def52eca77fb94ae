//! Programs that show or rework text: pagers, filters, comparers, manuals.

use super::remote::addresses;
use super::table::{Operands, Spec, Style};
use super::text_checks::{
    check_counters, check_dc, check_dos2unix, check_envsubst, check_iconv, check_less, check_man,
    check_pygmentize, check_tree, check_xxd,
};
use crate::effects::Effects;

pub(super) const TABLE: &[Spec] = &[
    // --- comparing ---
    Spec::new("diff gdiff colordiff zdiff bzdiff xzdiff", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-0123456789abBcdeEilnNpqrstTuvwyZhfP -CUFLWIxDS= -X=read --normal --brief --report-identical-files --context=? --unified=? --ed --rcs \
             --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= \
             --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --paginate --recursive --no-dereference --new-file \
             --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from=read \
             --starting-file= --from-file=read --to-file=read --ignore-case --ignore-tab-expansion --ignore-trailing-space \
             --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --binary --strip-trailing-cr \
             --ifdef= --old-group-format= --new-group-format= --unchanged-group-format= --changed-group-format= --line-format= \
             --old-line-format= --new-line-format= --unchanged-line-format= --minimal --horizon-lines= --speed-large-files \
             --color=? --palette= --forward-ed --sdiff-merge-assist --inhibit-hunk-merge --difftype= --fakehome --algorithm=",
        )
        .operands(Operands::Read)
        .examples(&[
            ("diff -u a b", "reads"),
            ("diff -rq --exclude=.git a b", "reads"),
            ("diff .env b", "reads secrets"),
            ("diff --output=x a b", "reads unknown"),
        ]),
    Spec::new("diff3 gdiff3", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-3aAeEimTvxX -L= --show-all --ed --show-overlap --easy-only --overlap-only --merge --text --strip-trailing-cr \
             --initial-tab --diff-program=exec --label=",
        )
        .operands(Operands::Read)
        .examples(&[("diff3 -m a b c", "reads"), ("diff3 --diff-prog=./x a b c", "reads executes")]),
    Spec::new("sdiff gsdiff", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-abBdEiHlstvWZ -Iw= -o=write!executes --output=write!executes --ignore-case --ignore-tab-expansion --ignore-trailing-space \
             --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --strip-trailing-cr --text \
             --width= --left-column --suppress-common-lines --expand-tabs --tabsize= --minimal --speed-large-files \
             --diff-program=exec",
        )
        .operands(Operands::Read)
        .examples(&[
            ("sdiff -s a b", "reads"),
            ("sdiff -o out a b", "reads writes executes"),
            ("sdiff --diff-program=./x a b", "reads executes"),
        ]),
    Spec::new("cmp gcmp zcmp bzcmp xzcmp", Effects::READS)
        .style(Style::Gnu)
        .options("-bchlsvxz -in= --print-bytes --print-chars --ignore-initial= --verbose --bytes= --quiet --silent")
        .operands(Operands::Read)
        .examples(&[("cmp -s a b", "reads"), ("cmp -o x a b", "reads unknown")]),
    Spec::new("dwdiff", Effects::READS)
        .options("-123isP -Cdmwxyz= --no-deleted --no-inserted --no-common --ignore-case --statistics --punctuation --context= --delimiters= --start-delete= --stop-delete= --start-insert= --stop-insert=")
        .operands(Operands::Read)
        .examples(&[("dwdiff -P a b", "reads"), ("dwdiff --frob a b", "reads unknown")]),
    Spec::new("wdiff", Effects::READS)
        .options(
            "-123cCdiIlnpstv -a!executes -wxyz= --no-deleted --no-inserted --no-common --ignore-case --statistics --printer \
             --less-mode --terminal --avoid-wraps --copyright --diff-input --start-delete= --end-delete= --start-insert= --end-insert= --color=? \
             --auto-pager!executes",
        )
        .operands(Operands::Read)
        .examples(&[("wdiff a b", "reads"), ("wdiff -d -a a b", "reads executes"), ("wdiff -a a b", "reads executes")]),
    Spec::new("delta", Effects::READS)
        .options(
            "-ns -w= --side-by-side --line-numbers --light --dark --diff-highlight --diff-so-fancy --color-only --keep-plus-minus-markers \
             --no-gitconfig --paging= --width= --syntax-theme= --navigate --raw --list-languages --list-syntax-themes --show-config \
             --show-syntax-themes --show-themes --show-colors --parse-ansi --tabs= --wrap-max-lines= --max-line-length= --hyperlinks \
             --file-style= --hunk-header-style= --minus-style= --plus-style= --true-color= --pager=exec",
        )
        .operands(Operands::Read)
        .examples(&[("delta -s a b", "reads"), ("delta --pager=./x a b", "reads executes")]),
    Spec::new("patch gpatch", Effects::READS.and(Effects::WRITES))
        .style(Style::Gnu)
        .options(
            "-bcEflnNRstTuvZ -BDFgpVxYz= -C!dry -e!executes -d=dir -i=read -o=write -r=write --strip= --fuzz= --ignore-whitespace --context \
             --ed!executes --normal --unified --forward --reverse --input=read --output=write --reject-file=write --ifdef= --merge=? \
             --remove-empty-files --set-utc --set-time --quoting-style= --backup --backup-if-mismatch --no-backup-if-mismatch \
             --version-control= --prefix= --basename-prefix= --suffix= --get= --batch --force --quiet --silent --verbose \
             --dry-run!dry --check!dry --posix --directory=dir --reject-format= --read-only= --binary --follow-symlinks",
        )
        .operands(Operands::Write)
        .examples(&[
            ("patch -p1 -i a.diff", "reads writes"),
            ("patch --dry-run -p1", "reads"),
            ("patch -e a b", "reads writes executes"),
        ]),
    // --- paging and showing ---
    Spec::new("less", Effects::READS)
        .options(
            "-aABcCdeEfFgGiIJKLmMnNqQrRsSuUwWX~ -bDhjpPxyz= -k=read!executes -oO=write -V!help -?!help -T=read --search-skip-screen --SEARCH-SKIP-SCREEN --buffers= \
             --auto-buffers --clear-screen --dumb --color= --quit-at-eof --QUIT-AT-EOF --force --quit-if-one-screen --hilite-search \
             --HILITE-SEARCH --max-back-scroll= --ignore-case --IGNORE-CASE --jump-target= --status-column --quit-on-intr \
             --no-lessopen --long-prompt --LONG-PROMPT --line-numbers --LINE-NUMBERS --pattern= --prompt= --quiet --QUIET --silent \
             --SILENT --raw-control-chars --RAW-CONTROL-CHARS --squeeze-blank-lines --chop-long-lines --underline-special \
             --UNDERLINE-SPECIAL --hilite-unread --HILITE-UNREAD --tabs= --no-init --max-forw-scroll= --window= --quotes= --tilde \
             --shift= --file-size --follow-name --incsearch --line-num-width= --mouse --MOUSE --no-keypad --no-histdups --no-paste \
             --rscroll= --save-marks --status-col-width= --use-backslash --use-color --wheel-lines= --header= --match-shift= \
             --intr= --modelines= --no-number-headers --no-search-headers --no-vbell --redraw-on-quit --search-options= --exit-follow-on-close \
             --show-preproc-errors --proc-backspace --proc-return --proc-tab --status-line --wordwrap --form-feed \
             --log-file=write --LOG-FILE=write --lesskey-file=read!executes --lesskey-src=read!executes --lesskey-content=!executes",
        )
        .operands(Operands::None)
        .check(check_less)
        .examples(&[
            ("less -FRX a", "reads"),
            ("less +G a", "reads"),
            ("less -p token ~/.ssh/id_rsa", "reads secrets"),
            ("less -o log a", "reads writes"),
            ("less -Olog a", "reads writes"),
            ("less -k keys a", "reads executes"),
            ("less '+!touch x' a", "reads executes"),
            ("less --lesskey-src=keys a", "reads executes"),
        ]),
    Spec::new("more pg most", Effects::READS)
        .options("-0123456789bcdeflpsuwtMC -hV!help -n= --silent --logical --no-pause --print-over --clean-print --exit-on-eof --squeeze --plain --lines=")
        .operands(Operands::None)
        .check(check_less)
        .examples(&[("more -d a", "reads"), ("more +/x a", "reads"), ("more -o x a", "reads unknown")]),
    Spec::new("bat batcat", Effects::READS)
        .options(
            "-AdfnpPsSu -hV!help -Hlmr= --show-all --plain --language= --highlight-line= --file-name= --diff --diff-context= --tabs= \
             --wrap= --chop-long-lines --terminal-width= --number --color= --italic-text= --decorations= --force-colorization --paging= \
             --no-paging --map-syntax= --ignored-suffix= --theme= --theme-dark= --theme-light= --list-themes --style= --line-range= \
             --list-languages --unbuffered --squeeze-blank --squeeze-limit= --strip-ansi= --nonprintable-notation= --binary= \
             --completion= --no-config --no-custom-assets --no-lessopen --acknowledgements --config-dir --config-file --cache-dir \
             --diagnostic --set-terminal-title --pager=exec --lessopen!executes --generate-config-file!writes",
        )
        .operands(Operands::Read)
        .verbs(&[Spec::new("cache", Effects::WRITES).options("-bc --build --clear --blank --source=read --target=write")])
        .examples(&[
            ("bat -n --color=always --style=plain a", "reads"),
            ("bat --pager=./x a", "reads executes"),
            ("bat --lessopen a", "reads executes"),
            ("bat --generate-config-file", "reads writes"),
            ("bat cache --build", "writes"),
        ]),
    Spec::new("glow mdcat", Effects::READS.and(Effects::NETWORK_READ))
        .options("-aln -swc= --all --local --line-numbers --style= --width= --columns= --no-colour --ansi --fail --preserve-new-lines")
        .operands(Operands::Read)
        .check(addresses)
        .examples(&[("glow README.md", "reads network-read"), ("glow http://localhost/a.md", "reads network-read network-write"), ("glow -p README.md", "reads network-read unknown")]),
    Spec::new("pygmentize", Effects::READS)
        .options("-ghvL -V!help -FflNOPSaHC= -o=write -x!executes -s")
        .operands(Operands::Read)
        .check(check_pygmentize)
        .examples(&[("pygmentize -f html -O full,cssfile=out.css a.py", "reads writes"), ("pygmentize -O linenos=1 a.py", "reads"), ("pygmentize -l rust a.rs", "reads"), ("pygmentize -o b a", "reads writes"), ("pygmentize -x -l ./x.py a", "reads executes")]),
    Spec::new("hexyl", Effects::READS)
        .options("-vCPe -nlcsobg= --length= --bytes= --skip= --block-size= --no-squeezing --color= --plain --no-characters --character-table= \
             --no-position --display-offset= --panels= --group-size= --base= --border= --terminal-width= --endianness= --little-endian-format --include")
        .operands(Operands::Read)
        .examples(&[("hexyl -n 64 a", "reads"), ("hexyl --write a", "reads unknown")]),
    Spec::new("hexdump hd", Effects::READS)
        .options(
            "-bcCdovxX -ens= -hV!help -f=read -L=? --one-byte-octal --one-byte-hex --one-byte-char --canonical --two-bytes-decimal \
             --two-bytes-octal --two-bytes-hex --format= --format-file=read --length= --skip= --no-squeezing --color=?",
        )
        .operands(Operands::Read)
        .examples(&[("hexdump -C -n 64 a", "reads"), ("hd --write a", "reads unknown")]),
    Spec::new("xxd", Effects::READS).style(Style::Raw).operands(Operands::None).check(check_xxd).examples(&[
        ("xxd -l 120 a", "reads"),
        ("xxd -ps -c12 -s 0x30 a", "reads"),
        ("xxd -g 1 ~/.ssh/id_rsa", "reads secrets"),
        ("xxd --version", "reads"),
        ("xxd -ps a b", "reads writes"),
        ("xxd -r -p a", "reads writes"),
        ("xxd -frob a", "reads unknown"),
    ]),
    Spec::new("strings gstrings", Effects::READS)
        .options(
            "-0123456789afowdU -netTs= -hvV!help --all --data --print-file-name --bytes= --radix= --encoding= --include-all-whitespace \
             --output-separator= --target= --unicode=",
        )
        .operands(Operands::Read)
        .examples(&[("strings -n 8 a", "reads"), ("strings --write a", "reads unknown")]),
    // --- reworking text ---
    Spec::new("column gcolumn", Effects::READS)
        .options(
            "-eJLtx -hV!help -cdEHilmnNoOprRsTWC= --table --separator= --output-separator= --output-width= --table-columns= --table-column= --table-noextreme= \
             --table-noheadings --table-header-repeat --table-hide= --table-right= --table-truncate= --table-wrap= --table-order= \
             --table-columns-limit= --table-name= --table-empty-lines --keep-empty-lines --table-maxout --json --tree= --tree-id= --tree-parent= \
             --fillrows --columns=",
        )
        .operands(Operands::Read)
        .examples(&[("column -t -s, a", "reads"), ("column --write a", "reads unknown")]),
    Spec::new("rev colrm look col colcrt ul", Effects::READS)
        .options("-abdfhxpiI -tln= -V!help --alternative --alphanum --ignore-case --terminate= --no-backspaces --fine --pass --spaces --tabs --lines= --indicated")
        .operands(Operands::Read)
        .examples(&[("rev a", "reads"), ("look -f abc", "reads"), ("colrm 3 5", "reads"), ("rev --write a", "reads unknown")]),
    Spec::new("iconv giconv", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-cls -fto= -V!help --from-code= --to-code= --list --output= --silent --verbose --byte-subst= --widechar-subst= --unicode-subst= \
             --usage!help",
        )
        .operands(Operands::Read)
        .check(check_iconv)
        .examples(&[("iconv -f UTF-8 -t ASCII a", "reads"), ("iconv -l", "reads"), ("iconv --outp=b a", "reads writes"), ("iconv -o - a", "reads")]),
    Spec::new("dos2unix unix2dos mac2unix unix2mac", Effects::READS.and(Effects::WRITES))
        .options(
            "-17bdefFkloqrsuvS -hLV!help -cD= -n -i=? -O --add-bom --add-eol --ascii --assume-utf8 --assume-utf16le --assume-utf16be \
             --force --follow-symlink --info=? --iso --keepdate --keep-bom --keep-utf16 --convmode= --newline --newfile \
             --no-add-eol --no-allow-chown --oldfile --quiet --remove-bom --replace-symlink --safe --skip-symlink --verbose --to-stdout",
        )
        .operands(Operands::Write)
        .check(check_dos2unix)
        .examples(&[("dos2unix a", "reads writes"), ("dos2unix a -i b", "reads writes"), ("dos2unix a -O", "reads writes"), ("dos2unix -O a", "reads"), ("dos2unix -i a", "reads"), ("unix2dos -n a b", "reads writes")]),
    Spec::new("envsubst gettext ngettext", Effects::READS)
        .options("-eEnsv -hV!help -cd= --variables --domain= --context=")
        .operands(Operands::Text)
        .check(check_envsubst)
        .examples(&[("envsubst '$A $B'", "reads"), ("envsubst '$API_TOKEN'", "reads secrets"), ("envsubst -o x", "reads unknown")]),
    // --- facts about files ---
    Spec::new("file gfile", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-0bcdDEhiIklLnNprsSv -eFP= -f=read -m=read -M=read -zZ!executes -C!writes --brief --checking-printout --exclude= --exclude-quiet= \
             --files-from=list --separator= --mime --apple --extension --mime-type --mime-encoding --keep-going --list --dereference \
             --no-dereference --no-buffer --no-pad --print0 --preserve-date --parameter= --raw --special-files --no-sandbox --debug \
             --magic-file=read --uncompress!executes --uncompress-noreport!executes --compile!writes",
        )
        .operands(Operands::Read)
        .examples(&[("file -b --mime-type a", "reads"), ("file -C -m magic", "reads writes"), ("file -z a.gz", "reads executes")]),
    Spec::new("tree", Effects::READS)
        .options(
            "-aAcCdDfFghiJlnNpqQrsStuUvxX -HIPTL= -o=write -R!writes --charset= --caseins --ignore-case --compress= --condense --device --dirsfirst --du \
             --filelimit= --filesfirst --filesync --fflinks --fromfile=? --fromtabfile=? --gitignore --gitfile=read --help --hintro=read --houtro=read --hyperlink \
             --info --infofile=read --inodes --level= --matchdirs --metafirst --nolinks --noreport --opt-toggle --prune --scheme= --authority= --si --sort= --timefmt= \
             --unlink-none --updated",
        )
        .operands(Operands::Read)
        .check(check_tree)
        .examples(&[("tree -L 2 -I node_modules", "reads"), ("tree -aL2", "reads"), ("tree -aI node_modules", "reads"), ("tree -Io x out", "reads unknown"), ("tree -a --dirsfirst src", "reads"), ("tree -o out", "reads writes"), ("tree -R -H .", "reads writes")]),
    Spec::new("eza exa lsd", Effects::READS)
        .options(
            "-1aAbBdDFfgGHhiIklmMnNOorRsSTtuUvxXZ@ -Lw= --long --all --almost-all --oneline --grid --across --recurse --tree --dereference --classify=? \
             --color=? --colour=? --color-scale=? --colour-scale=? --color-scale-mode= --icons=? --icon= --icon-theme= --no-quotes --hyperlink=? \
             --absolute=? --follow-symlinks --width= --level= --sort= --ignore-glob= --git-ignore --git --no-git --git-repos --git-repos-no-status \
             --group-directories-first --group-directories-last --group-dirs= --only-dirs --only-files --reverse --binary --bytes --group \
             --smart-group --header --links --inode --mounts --modified --accessed --created --changed --time= --time-style= --no-permissions \
             --octal-permissions --no-filesize --no-user --no-time --stdin --extended --numeric --blocksize --total-size --flags --context --list-dirs \
             --treat-dirs-as-files --show-symlinks --no-symlink --depth= --date= --size= --permission= --blocks= --classic \
             --directory-only --human-readable --ignore-config --literal --timesort --sizesort --versionsort --extensionsort --gitsort --spacing=",
        )
        .operands(Operands::Read)
        .examples(&[("eza -la --git", "reads"), ("exa -T -L 2", "reads"), ("lsd --config-file=x", "reads unknown")]),
    Spec::new("ncdu", Effects::READS)
        .options("-012qxerL -hvV!help -Xf=read -oO=write --exclude= --exclude-from=read --color= --si --apparent-size --one-file-system --cross-file-system --exclude-caches --exclude-kernfs")
        .operands(Operands::Read)
        .examples(&[("ncdu -x .", "reads"), ("ncdu -L -o out .", "reads writes")]),
    Spec::new("dust duf", Effects::READS)
        .options(
            "-0123456789abcdDefFHhiIjlmPprRsStTwx -nXzvVMAyLo= --depth= --number-of-lines= --full-paths --reverse --no-colors --no-percent-bars \
             --apparent-size --bars-on-right --min-size= --skip-total --filecount --ignore-hidden --ignore-directory= --si --only-dir --only-file --only-local \
             --all --hide= --hide-fs= --hide-mp= --inodes --json --output= --only= --only-fs= --only-mp= --sort= --style= --theme= --warnings --width= \
             --exclude= --exclude-from=read --one-file-system --cross-file-system --color= --exclude-caches --exclude-kernfs --graph-style= --no-progress",
        )
        .operands(Operands::Read)
        .examples(&[("dust -d 2 src", "reads"), ("duf --only local", "reads"), ("dust -o si .", "reads")]),
    Spec::new("cloc scc tokei", Effects::READS)
        .options(
            "-abcdfhilmnpsuvwxyzC -Mtekr= -o=write --by-file --by-file-by-lang --by-percent= --csv --csv-delimiter= --json --yaml --xml --md --hide-rate --quiet --sum-one --sum-reports \
             --exclude-dir= --exclude-ext= --exclude-lang= --exclude-list-file=read --fullpath --include-ext= --include-lang= --match-d= --match-f= \
             --not-match-d= --not-match-f= --max-file-size= --no-autogen --no-recurse --processes= --show-lang --show-ext --show-os --skip-uniqueness --timeout= \
             --files --hidden --no-ignore --no-ignore-dot --no-ignore-parent --no-ignore-vcs --languages --sort= --rsort= --types= --type= \
             --exclude= --compact --num-format= --streaming= --columns= --verbose --no-cocomo --no-complexity --no-duplicates --no-gen --no-min --no-size --wide --format= --format-multi=!writes \
             --exclude-file= --not-match= --uloc --dryness --percent --ci --no-large --large-byte-count= --large-line-count= --count-as= --avg-wage= --currency-symbol= \
             --report-file=write --out=write --output= --3",
        )
        .operands(Operands::Read)
        .check(check_counters)
        .examples(&[
            ("cloc --json src", "reads"),
            ("tokei --output json", "reads"),
            ("tokei -o json", "reads"),
            ("scc --by-file src", "reads"),
            ("cloc --out=x src", "reads writes"),
            ("scc -o x", "reads writes"),
            ("scc --output x", "reads writes"),
            ("cloc --extract-with='x' a", "reads unknown"),
        ]),
    // --- manuals and small tools ---
    Spec::new("man gman", Effects::READS)
        .style(Style::Gnu)
        .options(
            "-7acdDfhiIkKlotwWZ -LmMSseEp= -T=? -C=read!executes -R= -u!writes -P= -H=?!executes -X=?!executes -r=!executes -?V!help --debug --default --warnings=? \
             --whatis --apropos --global-apropos --local-file --where --path --location --where-cat --location-cat --catman!writes --recode= --locale= \
             --systems= --manpath= --sections= --extension= --ignore-case --match-case --regex --wildcard --names-only --all --update!writes \
             --no-subpages --ascii --encoding= --no-hyphenation --nh --no-justification --nj --preprocessor= --troff --troff-device=? --ditroff \
             --usage!help --config-file=read!executes --pager= --prompt=!executes --html=?!executes --gxditview=?!executes",
        )
        .operands(Operands::None)
        .check(check_man)
        .examples(&[
            ("man 3 printf", "reads"),
            ("man -k search", "reads"),
            ("man -l ./a.1", "reads"),
            ("man ~/.ssh/id_rsa", "reads secrets"),
            ("man -P 'touch x' ls", "reads executes"),
            ("man -P cat ls", "reads"),
            ("man -Pcat ls", "reads"),
            ("man --pager=./cat ls", "reads executes"),
            ("man -P cat -P ./x ls", "reads executes"),
            ("man -H./x ls", "reads executes"),
            ("man --html=./x ls", "reads executes"),
            ("man --pag ./x ls", "reads executes"),
            ("man -C conf ls", "reads executes"),
            ("man -u ls", "reads writes"),
            ("man -T -P./x ls", "reads executes"),
        ]),
    Spec::new("apropos whatis manpath", Effects::READS)
        .options("-adegilqrvwc -sMmL= -hV!help -C=read --debug --verbose --exact --wildcard --regex --and --long --sections= --section= --systems= --manpath= --locale= --global --quiet --catpath --config-file=read --usage!help")
        .operands(Operands::Text)
        .examples(&[("apropos -s 1 copy", "reads"), ("whatis ls", "reads"), ("apropos --write x", "reads unknown")]),
    Spec::new("info pinfo", Effects::READS)
        .options("-abkwOR -hV!help -din= -f=read -o=write --all --apropos= --directory= --file=read --index-search= --node= --raw-escapes --no-raw-escapes --show-malformed-multibytes \
             --speech-friendly --strict-node-location --subnodes --usage --variable= --vi-keys --where --location --output=write --dribble=write --restore=read!executes --init-file=read!executes")
        .operands(Operands::Text)
        .check(check_man)
        .examples(&[("info coreutils", "reads"), ("info ~/.ssh/id_rsa", "reads secrets"), ("info -o out ls", "reads writes"), ("info --restore=x ls", "reads executes")]),
    Spec::new("tldr cheat", Effects::READS.and(Effects::NETWORK_READ))
        .options("-abcdhlmrve -pLPtsoS= -u!writes --list --list-all --platform= --language= --raw --render=read --search= --all --color= --colorize --conf --directories --tag= --tags --brief --compact --quiet \
             --no-compact --show-paths --short-options --long-options --path= --offline --info --update!writes --clear-cache!writes --clean-cache!writes --gen-config!writes --seed-config!writes --init!writes")
        .operands(Operands::Text)
        .examples(&[("tldr tar", "reads network-read"), ("tldr --update", "reads writes network-read"), ("cheat -l", "reads network-read")]),
    Spec::new("cal ncal", Effects::READS)
        .options("-0123456789bCehjJMNoprSsvwyY -ABcdHmnt= -V!help --one --three --months= --span --sunday --monday --julian --reform= --iso --year --twelve --week=? --vertical --columns= --color=?")
        .operands(Operands::Text)
        .examples(&[("cal -3", "reads"), ("cal 2024", "reads"), ("cal --write", "reads unknown")]),
    Spec::new("bc gbc", Effects::READS)
        .options("-cCgilLPqRrsSwxz -hvV!help -eEIO= -f=read --interactive --mathlib --quiet --standard --warn --expression= --file=read --scale= --ibase= --obase= --no-prompt --no-line-length --digit-clamp --global-stacks --leading-zeroes")
        .operands(Operands::Read)
        .examples(&[("bc -l", "reads"), ("bc -e 1+1", "reads"), ("bc --frob", "reads unknown")]),
    Spec::new("dc", Effects::READS)
        .options("-iPx -hvV!help -e= -f=read!executes --expression= --file=read!executes --scale=")
        .operands(Operands::None)
        .check(check_dc)
        .examples(&[
            ("dc -e '1 2+p'", "reads"),
            ("dc -e '1 2 !<a p'", "reads"),
            ("dc -e '!touch x'", "reads executes"),
            ("dc -e '?p'", "reads executes"),
            ("dc -e '63ax'", "reads executes"),
            ("dc -e '5sala1+p'", "reads"),
            ("dc -f a", "reads executes"),
            ("dc", "reads executes"),
        ]),
    Spec::new("units gunits", Effects::READS)
        .options("-1cmpqrStv -deolsn= -hV!help -f=read -L=write --compact --digits= --exponential --file=read --log=write --minus --oldstar --newstar --nolists --show-factor --conformable --output-format= --one-line --product \
             --quiet --silent --round --strict --terse --verbose --unitsfile --info")
        .operands(Operands::Text)
        .examples(&[("units -t '1 mile' km", "reads"), ("units -L log", "reads writes")]),
    Spec::new("lolcat", Effects::READS)
        .options("-afisvh -dFpS= --animate --force --invert --truecolor --duration= --freq= --spread= --seed= --speed=")
        .operands(Operands::Read)
        .examples(&[("lolcat -f a", "reads"), ("lolcat --odd", "reads unknown")]),
    Spec::new("cowsay cowthink", Effects::READS)
        .options("-bdglnpstwy -h!help -eTW= -f=!executes")
        .operands(Operands::Text)
        .examples(&[("cowsay hello", "reads"), ("cowsay -d -f ./x.cow hi", "reads executes")]),
    Spec::new("figlet toilet banner fortune", Effects::READS)
        .options("-abcCDeEgiklLnNopqrRsStUvWxXyFI -f=!executes -dmw= --force --invert --freq= --spread= --font= --directory= --width= --metal --gay --filter= --export=")
        .operands(Operands::Text)
        .examples(&[("figlet hello", "reads"), ("figlet -f ./x.flf hello", "reads executes")]),
    Spec::new("hunspell", Effects::READS)
        .options("-1BCDGlLmnOrsStuwHX -hv!help -p=read -diP= -a!writes")
        .operands(Operands::Read)
        .examples(&[("hunspell -l a.md", "reads"), ("hunspell -a", "reads writes")]),
    Spec::new("aspell", Effects::READS)
        .options("-BCPebxHtn -hv!help -p=read -dl= -ac!writes --lang= --master= --mode= --encoding= --ignore= --ignore-case --sug-mode= --size= --camel-case --run-together")
        .operands(Operands::Read)
        .verbs(&[
            Spec::new("list dicts dump munch munch-list soundslike expand modes filters config version usage help", Effects::READS)
                .operands(Operands::Text),
            Spec::new("check create merge clean conv norm", Effects::WRITES).operands(Operands::Write),
        ])
        .examples(&[("aspell list", "reads"), ("aspell check a.md", "writes"), ("aspell -B -c a.md", "reads writes"), ("aspell --conf=x list", "reads unknown")]),
];
