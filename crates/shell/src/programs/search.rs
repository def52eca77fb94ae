//! Programs that search: in files, for files, and in lists (fzf).

use super::fzf::check_fzf;
use super::invocation::{Invocation, Outcome};
use super::table::{Operands, Spec};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::secrets;
use crate::unclear::Why;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("grep egrep fgrep rgrep ggrep zgrep zegrep zfgrep bzgrep bzegrep bzfgrep xzgrep xzegrep xzfgrep zstdgrep lzgrep", Effects::READS)
        .options(
            "-0123456789abcEFGhHiIlLnoOpPqrRsSTuUvVwxyzZ -ABCdDem= -f=read --extended-regexp --fixed-strings --basic-regexp \
             --perl-regexp --regexp= --file=read --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages \
             --invert-match --max-count= --byte-offset --line-number --line-buffered --with-filename --no-filename --label= \
             --only-matching --quiet --silent --binary-files= --text --directories= --devices= --recursive --dereference-recursive \
             --include= --exclude= --exclude-from=read --exclude-dir= --include-dir= --files-without-match --files-with-matches \
             --count --initial-tab --null --before-context= --after-context= --context=? --group-separator= --no-group-separator \
             --color=? --colour=? --binary --unix-byte-offsets --decompress --mmap",
        )
        .operands(Operands::TextThenRead)
        .check(check_grep)
        .examples(&[
            ("grep -rn --include='*.rs' 'fn main' src", "reads"),
            ("grep -rn --include='*.env' . .", "reads secrets"),
            ("grep -A5 -e a -e b file", "reads"),
            ("grep -5 credentials file", "reads"),
            ("grep KEY .env", "reads secrets"),
            ("grep -e KEY .env", "reads secrets"),
            ("grep -f patterns .env", "reads secrets"),
            ("grep -r password ~", "reads secrets"),
            ("grep -rn . ~/.config /tmp", "reads secrets"),
            ("grep -r -e x /etc", "reads secrets"),
            ("grep root /etc/passwd", "reads"),
            ("grep -r / src", "reads"),
            ("grep -E '--- FAIL|ok' log", "reads"),
            ("grep --pre=x a", "reads unknown"),
        ]),
    Spec::new("rg", Effects::READS)
        .options(
            "-abcFHhIiLlNnopPqSsuUVvwx0. -ABCdEegjMmrtT= -f=read -z!executes --after-context= --auto-hybrid-regex \
             --no-auto-hybrid-regex --before-context= --binary --no-binary --block-buffered --no-block-buffered --byte-offset \
             --no-byte-offset --case-sensitive --color= --colors= --column --no-column --context= --context-separator= \
             --no-context-separator --count --count-matches --crlf --no-crlf --debug --dfa-size-limit= --encoding= --no-encoding \
             --engine= --field-context-separator= --field-match-separator= --file=read --files --files-with-matches \
             --files-without-match --fixed-strings --no-fixed-strings --follow --no-follow --generate= --glob= \
             --glob-case-insensitive --no-glob-case-insensitive --heading --no-heading --hidden --no-hidden --hostname-bin=exec \
             --hyperlink-format= --iglob= --ignore-case --ignore-file=read --ignore-file-case-insensitive \
             --no-ignore-file-case-insensitive --include-zero --no-include-zero --invert-match --no-invert-match --json --no-json \
             --line-buffered --no-line-buffered --line-number --no-line-number --line-regexp --max-columns= --max-columns-preview \
             --no-max-columns-preview --max-count= --max-depth= --maxdepth= --max-filesize= --mmap --no-mmap --multiline \
             --no-multiline --multiline-dotall --no-multiline-dotall --no-config --no-filename --no-ignore --ignore \
             --no-ignore-dot --ignore-dot --no-ignore-exclude --ignore-exclude --no-ignore-files --ignore-files \
             --no-ignore-global --ignore-global --no-ignore-messages --ignore-messages --no-ignore-parent --ignore-parent \
             --no-ignore-vcs --ignore-vcs --no-messages --messages --no-pcre2-unicode --pcre2-unicode --no-require-git \
             --require-git --no-unicode --unicode --null --null-data --one-file-system --no-one-file-system --only-matching \
             --passthru --passthrough --path-separator= --pcre2 --no-pcre2 --pcre2-version!help --pre=exec --no-pre --pre-glob= \
             --pretty --print0 --quiet --regex-size-limit= --regexp= --replace= --search-zip!executes --no-search-zip --smart-case \
             --sort= --sort-files --no-sort-files --sortr= --stats --no-stats --stop-on-nonmatch --text --no-text --threads= \
             --trace --trim --no-trim --type= --type-add= --type-clear= --type-list --type-not= --unrestricted --vimgrep \
             --with-filename --word-regexp",
        )
        .operands(Operands::TextThenRead)
        .check(pattern_elsewhere)
        .examples(&[
            ("rg -n 'a|b' src --glob '!dist/**'", "reads"),
            ("rg --files -g '*.toml' .", "reads"),
            ("rg -n -- --trace src", "reads"),
            ("rg -e KEY .env", "reads secrets"),
            ("rg -uuu '' ~", "reads secrets"),
            ("rg --files /etc", "reads"),
            ("rg --pre ./x needle", "reads executes"),
            ("rg --hostname-bin=x needle", "reads executes"),
            ("rg -z needle a.gz", "reads executes"),
            ("rg --prefix needle", "reads unknown"),
        ]),
    Spec::new("ag", Effects::READS)
        .options(
            "-0aBCcDfFghHilLnoQrRsStuUvVwzA -mGW= -p=read --ackmate --after=? --before=? --break --nobreak --color --nocolor \
             --color-line-number= --color-match= --color-path= --column --nocolumn --context=? --count --depth= --filename \
             --nofilename --files-with-matches --files-without-matches --group --nogroup --heading --noheading --hidden \
             --ignore= --ignore-dir= --ignore-case --literal --fixed-strings --max-count= --numbers --nonumbers --null \
             --one-device --only-matching --print-long-lines --passthrough --passthru --silent --skip-vcs-ignores \
             --smart-case --case-sensitive --stats --stats-only --stream --nostream --search-binary --search-files \
             --search-zip --all-text --all-types --debug --file-search-regex= --follow --nofollow --invert-match \
             --list-file-types --norecurse --recurse --noaffinity --affinity --parallel --path-to-ignore=read --print-all-files \
             --print0 --unrestricted --vimgrep --width= --word-regexp --workers= --pager=exec --nopager",
        )
        .operands(Operands::TextThenRead)
        .check(pattern_elsewhere)
        .examples(&[("ag -Q text src", "reads"), ("ag text /root", "reads secrets"), ("ag --pager ./x text", "reads executes"), ("ag -B --pager=./x text", "reads executes")]),
    Spec::new("ugrep", Effects::READS)
        .options(
            "-0123456789abcEFGhHiIlLnoPqRrSsTUuvVwWjkXxYyzZ. -ABCDdegJKmMNOt= -f=read -Q=?!executes --after-context= --before-context= \
             --binary --binary-files= --bool --byte-offset --color=? --colors= --column-number --context= --context-separator= \
             --count --csv --decompress --depth= --dereference --dereference-recursive --devices= --directories= --encoding= \
             --exclude= --exclude-dir= --exclude-from=read --file=read --file-extension= --file-type= --files \
             --files-with-matches --files-without-match --filter=exec --pager=?exec --fixed-strings --fuzzy=? --glob= --heading \
             --hex --hidden --ignore-binary --ignore-case --ignore-files=? --iglob= --include= --include-dir= --include-from=read \
             --initial-tab --invert-match --json --jobs= --label= --line-buffered --line-number --line-regexp --max-count= \
             --max-files= --min-count= --min-depth= --max-depth= --no-filename --no-group-separator --no-hidden --no-heading \
             --no-messages --null --null-data --only-line-number --only-matching --perl-regexp --pretty=? --quiet --recursive \
             --regexp= --replace= --save-config=?!writes --silent --smart-case --sort=? --stats=? --tabs=? --tag=? --text --view=?exec \
             --width=? --with-filename --word-regexp --xml --query=?!executes --config=?!executes",
        )
        .operands(Operands::TextThenRead)
        .check(pattern_elsewhere)
        .examples(&[
            ("ugrep -rn text src", "reads"),
            ("ugrep --filter='pdf:pdftotext % -' text", "reads executes"),
            ("ugrep --save-config text", "reads writes"),
            ("ugrep -k --pager=./x text .", "reads executes"),
            ("ugrep -W '--filter=*:./x' text .", "reads executes"),
            ("ugrep -Q", "reads executes"),
        ]),
    Spec::new("locate mlocate plocate slocate glocate mdlocate", Effects::READS)
        .options(
            "-0AbceiLHPpqrSswmNh -d=read -ln= --all --basename --count --database=read --existing --follow --ignore-case --limit= \
             --literal --nofollow --null --quiet --regexp= --regex --statistics --wholename --mmap --stdio --non-existing \
             --max-database-age= --print",
        )
        .operands(Operands::Text)
        .check(looks_for_keys)
        .examples(&[("locate -i name", "reads"), ("locate id_rsa", "reads secrets"), ("locate --update", "reads unknown")]),
    Spec::new("updatedb gupdatedb locate.updatedb", Effects::WRITES)
        .options(
            "-fhlnsqv -oU= --add-prunefs= --add-prunenames= --add-prunepaths= --database-root= --debug-pruning --output=write \
             --prunefs= --prunenames= --prunepaths= --prune-bind-mounts= --require-visibility= --verbose --findoptions=exec \
             --localpaths= --netpaths= --netuser= --localuser= --old-format --dbformat= --changecwd=",
        )
        .examples(&[("updatedb", "writes"), ("updatedb --findoptions='-exec x ;'", "writes executes"), ("updatedb --help", "reads")]),
    Spec::new("fzf", Effects::READS)
        .options(
            "-eixsm10 -qdnfzhb= -V!help --version!help --man!help --exact --no-exact --extended --no-extended --extended-exact --ignore-case \
             --no-ignore-case --smart-case --scheme= --literal --no-literal --nth= --with-nth= --accept-nth= --delimiter= --sort=? \
             --no-sort --track --no-track --tac --no-tac --disabled --enabled --phony --no-phony --tiebreak= --algo= --multi=? \
             --no-multi --mouse --no-mouse --cycle --no-cycle --wrap=? --no-wrap --wrap-sign= --multi-line --no-multi-line \
             --raw --no-raw --keep-right --no-keep-right --scroll-off= --hscroll --no-hscroll --hscroll-off= --filepath-word \
             --no-filepath-word --jump-labels= --height=? --no-height --min-height= --tmux=? --no-tmux --popup=? --layout= \
             --reverse --no-reverse --default --border=? --no-border --border-label= --border-label-pos= --margin= --no-margin --padding= \
             --no-padding --info= --no-info --inline-info --no-inline-info --info-command=exec --separator= --no-separator \
             --ghost= --no-ghost --filter-and-exit --scrollbar=? --no-scrollbar --prompt= --pointer= --marker= --marker-multi-line= \
             --header= --no-header --header-lines= --no-header-lines --header-first --no-header-first --header-border=? \
             --no-header-border --header-lines-border=? --no-header-lines-border --header-label= --header-label-pos= --footer= \
             --no-footer --footer-border=? --no-footer-border --footer-label= --footer-label-pos= --list-border=? \
             --no-list-border --list-label= --list-label-pos= --no-list-label --input-border=? --no-input-border --no-input \
             --input-label= --input-label-pos= --no-input-label --ellipsis= --ansi --no-ansi --tabstop= --tail= --no-tail \
             --color=? --no-color --bold --no-bold --black --no-black --style= --highlight-line --no-highlight-line --gap=? \
             --no-gap --gap-line=? --no-gap-line --freeze-left= --freeze-right= --gutter= --gutter-raw= --id-nth= \
             --history=write --no-history --history-size= --preview= --no-preview --preview-window= --preview-border=? \
             --no-preview-border --preview-label= --preview-label-pos= --no-preview-label --preview-wrap-sign= --query= --select-1 \
             --no-select-1 --exit-0 --no-exit-0 --filter= --print-query --no-print-query --expect= --no-expect --read0 --no-read0 \
             --print0 --no-print0 --sync --no-sync --async --with-shell=exec --listen=?!executes --no-listen \
             --listen-unsafe=?!executes --no-listen-unsafe --unicode --no-unicode --ambidouble --no-ambidouble --clear \
             --no-clear --bash --zsh --fish --walker= --walker-root=read --walker-skip= --bind= --no-bind --toggle-sort= --profile-cpu=write \
             --profile-mem=write --profile-block=write --profile-mutex=write --force-tty-in --proxy-script=exec",
        )
        .operands(Operands::Text)
        .check(check_fzf)
        .examples(&[
            ("fzf -e +s --multi --height=50% --bind=ctrl-a:select-all,tab:toggle+down", "reads"),
            ("fzf --query=become --header='Press enter to execute'", "reads"),
            ("fzf -q foo --select-1 --exit-0", "reads"),
            ("fzf --preview 'cat {}'", "reads"),
            ("fzf --preview 'echo \"{}\"'", "reads executes"),
            ("fzf --bind='enter:execute(vim {})'", "reads executes"),
            ("fzf --bind=enter:become:vim", "reads executes"),
            ("fzf --bind='x:change-prompt(hello)+toggle'", "reads"),
            ("fzf --bind='f1:frobnicate'", "reads unknown"),
            ("fzf --listen-unsafe=localhost:6266", "reads executes"),
            ("fzf --history=/tmp/h", "reads writes"),
            ("fzf --with-shell='sh -c'", "reads executes"),
        ]),
];

/// Takes back the doubts about words that might be options, for programs whose options are all
/// harmless, or whose check looks at every word itself.
pub(super) fn only_harmless_options(out: &mut Outcome<'_>) {
    out.unclear.retain(|unclear| unclear.why != Why::MaybeOption);
    if out.unclear.is_empty() {
        out.effects = out.effects.without(Effects::UNKNOWN);
    }
}

fn check_grep<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    // A pattern such as `--- FAIL` is no option of any grep: it is refused, or searched for.
    let no_option = |text: &str| {
        text.strip_prefix("--")
            .is_some_and(|name| !name.starts_with(|first: char| first.is_ascii_alphanumeric()))
    };
    let forgiven = |detail: &str| {
        invocation.words.iter().any(|word| no_option(word.text) && detail.ends_with(word.text))
    };
    out.unclear.retain(|unclear| unclear.why != Why::UnknownOption || !forgiven(&unclear.detail));
    only_harmless_options(out);
    search_files(invocation, out);
    let recurses = |value: Argument<'_>| value.known() != Some("skip") && value.known() != Some("read");
    let recursive = invocation.program == "rgrep"
        || invocation.has(&["r", "R", "--recursive", "--dereference-recursive"])
        || invocation.value(&["d", "--directories"]).is_some_and(recurses);
    if recursive {
        everything_below(invocation, out);
        finds_credentials(invocation, &["--include"], out);
    }
}

/// A pattern for file names that finds credentials, though it does not spell one out: `--include='*.env'`.
fn finds_credentials<'a>(invocation: &Invocation<'_, 'a>, names: &[&str], out: &mut Outcome<'a>) {
    let given = invocation.options.iter().filter(|seen| names.contains(&seen.name));
    let wild = |value: &Argument<'_>| value.text.contains(['*', '?', '[']) && !value.text.starts_with('!');
    if given
        .filter_map(|seen| seen.value)
        .any(|value| wild(&value) && secrets::is_secret_path(value.text, false))
    {
        out.add(Effects::SECRETS);
    }
}

/// Programs that go through directories by themselves.
fn pattern_elsewhere<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    search_files(invocation, out);
    if !invocation.has(&["--files", "--type-list"]) {
        everything_below(invocation, out);
        finds_credentials(invocation, &["g", "--glob", "--iglob", "--include"], out);
    }
}

/// What is found below a home directory and the like may be a credential.
fn everything_below<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let elsewhere = invocation.has(&["e", "f", "--regexp", "--file"]);
    let places = invocation.operands.iter().skip(usize::from(!elsewhere));
    if places.flat_map(Argument::possible).any(secrets::holds_secrets) {
        out.add(Effects::SECRETS);
    }
}

/// With the pattern in an option, or none at all, the first operand is a file like the others.
fn search_files<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["e", "f", "--regexp", "--file", "--files", "--type-list"])
        && let Some(first) = invocation.operands.first()
    {
        out.reads(*first);
    }
}

/// Somebody who asks where keys lie is looking for them.
fn looks_for_keys<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.operands.iter().any(|word| secrets::is_secret_path(word.text, false)) {
        out.add(Effects::SECRETS);
    }
}
