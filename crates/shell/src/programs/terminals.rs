//! Terminals, multiplexers, clipboards and the desktop.

use super::invocation::{Invocation, Outcome, Run};
use super::shapes::shows_variables;
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::dialect::Dialect;
use crate::effects::Effects;
use crate::unclear::Why;

const READS: Effects = Effects::READS;
const SYSTEM: Effects = Effects::SYSTEM;
const RUNS: Effects = Effects::EXECUTES;

const TMUX: &[Spec] = &[
    Spec::new("list-sessions ls list-windows lsw list-panes lsp list-clients lsc list-buffers lsb \
        list-commands lscm list-keys lsk", READS)
        .options("-as1N -FftTPOK=")
        .operands(Operands::Text),
    Spec::new("has-session has", READS).options("-t="),
    Spec::new("show-environment showenv", READS).options("-ghs -t=").operands(Operands::Text).check(shows_variables),
    Spec::new("show-buffer showb", READS.and(Effects::SECRETS)).options("-b="),
    Spec::new("show-options show show-window-options showw show-hooks show-messages showmsgs show-prompt-history info server-info", READS)
        .options("-AgHpqsvwhJT -tbT=")
        .operands(Operands::Text),
    Spec::new("display-message display displaym", READS).options("-aINpvl -cdFt=").operands(Operands::Text).check(tmux_message),
    Spec::new("capture-pane capturep capture", READS).options("-aCeJNpPqTM -bESt=").check(tmux_capture),
    Spec::new("kill-server", Effects::KILLS),
    Spec::new("kill-session kill-window killw kill-pane killp", Effects::KILLS).options("-aC -t="),
    Spec::new("new-session new new-window neww split-window splitw respawn-pane respawnp respawn-window \
        respawnw run-shell run if-shell if pipe-pane pipep send-keys send send-prefix paste-buffer \
        pasteb \
        source-file source bind-key bind set-hook display-popup popup display-menu menu confirm-before \
        confirm command-prompt choose-tree choose-buffer choose-client \
        set-option set set-window-option setw set-environment setenv display-panes displayp detach-client detach switch-client switchc find-window findw customize-mode", RUNS)
        .options("-0123456789AabBCdDeEfgGhiIJkKlLmMnNoOpPqrRsStTuUvVwWxXyYzZFHjQc")
        .operands(Operands::Text),
    Spec::new("load-buffer loadb", SYSTEM).options("-w -bt=").operands(Operands::Read),
    Spec::new("save-buffer saveb", READS).options("-a -b=").operands(Operands::Write),
    Spec::new("attach-session attach a at rename-session rename rename-window renamew select-window selectw \
        select-pane selectp select-layout selectl resize-pane resizep resize-window resizew swap-pane \
        swapp \
        swap-window swapw move-pane movep move-window movew join-pane joinp break-pane breakp \
        rotate-window rotatew last-window last last-pane lastp next-window next previous-window prev \
        next-layout nextl previous-layout prevl \
        link-window linkw unlink-window unlinkw set-buffer setb delete-buffer deleteb clear-history \
        clearhist clear-prompt-history clock-mode copy-mode lock-client lockc lock-server lock \
        lock-session locks refresh-client refresh suspend-client suspendc wait-for wait unbind-key unbind start-server start server-access", SYSTEM)
        .options("-0123456789AabBCdDeEfgGhiIJkKlLmMnNoOpPqrRsStTuUvVwWxXyYzZFHjQc")
        .operands(Operands::Text),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("tmux", RUNS)
        .options("-2CDluvN -V!help -c=exec -f=read!executes -LST=")
        .verbs(TMUX)
        .check(tmux)
        .examples(&[
            ("tmux ls", "reads"),
            ("tmux list-windows -a -F '#{session_name}:#{window_index}'", "reads"),
            ("tmux capture-pane -pt 'a:0' -S -80", "reads"),
            ("tmux capture-pane -t a", "reads system"),
            ("tmux capture-pane -p -S -", "reads secrets"),
            ("tmux show-buffer", "reads secrets"),
            ("tmux show-environment -g", "reads secrets"),
            ("tmux show-environment -g PATH", "reads"),
            ("tmux display-message -pt a '#{pane_pid}'", "reads"),
            ("tmux display-message -p '#(ls)'", "reads executes"),
            ("tmux kill-session -t a", "kills"),
            ("tmux send-keys -t a ls Enter", "executes"),
            ("tmux new-session -d -s a", "executes"),
            ("tmux load-buffer f", "system reads"),
            ("tmux save-buffer f", "reads writes"),
            ("tmux ls ';' kill-server", "reads executes"),
            ("tmux 'ls;' kill-server", "executes unknown"),
            ("tmux ls -F '#{q:a};' kill-server", "reads executes"),
            ("tmux -f x ls", "reads executes"),
            ("tmux", "executes"),
        ]),
    Spec::new("screen byobu byobu-tmux dtach abduco zellij tmate tmuxinator tmuxp", RUNS)
        .style(Style::Raw)
        .check(screen)
        .examples(&[
            ("screen -ls", "reads"),
            ("screen -dmS a sh", "executes"),
            ("screen -X quit", "executes"),
            ("screen", "executes"),
        ]),
    Spec::new("script scriptlive", Effects::NONE)
        .style(Style::Stops)
        .options(
            "-aefqkrpdD -h!help -V!help -IOBT=write -t=?write -c= -mEo= -F=write --append --return --flush \
            --force --quiet --log-in=write --log-out=write --log-io=write --log-timing=write \
            --timing=?!writes --logging-format= --command= --echo= --output-limit=",
        )
        .operands(Operands::Text)
        .check(script)
        .examples(&[
            ("script", "writes executes"),
            ("script typescript", "writes executes"),
            ("script -c ls /dev/null", ""),
        ]),
    Spec::new("scriptreplay asciinema ttyrec ttyplay termtosvg", RUNS)
        .operands(Operands::Text)
        .examples(&[("asciinema rec", "executes")]),
    Spec::new("busybox toybox", Effects::NONE)
        .style(Style::Stops)
        .options("--list --list-full --install!writes!system")
        .operands(Operands::Command(0))
        .check(applet)
        .examples(&[
            ("busybox --list", "reads"),
            ("busybox --install", "writes system reads"),
            ("busybox", "reads"),
        ]),
    Spec::new("tput infocmp toe tabs", READS)
        .options("-ahsSux10CgIlLnpqrvV -T=")
        .operands(Operands::Text)
        .examples(&[("tput cols", "reads"), ("tput setaf 1", "reads"), ("tput --foo", "reads unknown")]),
    Spec::new("clear reset", READS)
        .options("-xVqQrIes -T=")
        .operands(Operands::Text)
        .examples(&[("clear", "reads"), ("clear --foo", "reads unknown")]),
    Spec::new(
        "tic tset setterm setfont loadkeys kbd_mode chvt openvt deallocvt setleds xmodmap setxkbmap xset \
        xrandr xinput",
        SYSTEM,
    )
    .operands(Operands::Text)
    .options("-qc")
    .examples(&[("setterm --blank 0", "system unknown"), ("chvt 1", "system")]),
    Spec::new(
        "xdg-open gnome-open kde-open see run-mailcap sensible-browser x-www-browser wslview \
        explorer.exe start",
        RUNS,
    )
    .operands(Operands::Text)
    .examples(&[("xdg-open https://example.com", "executes")]),
    Spec::new("xdg-mime xdg-settings", SYSTEM)
        .operands(Operands::Text)
        .verbs(&[Spec::new("query get check", READS).options("--list").operands(Operands::Text)])
        .examples(&[("xdg-mime query default text/html", "reads"), ("xdg-mime default a b", "system")]),
    Spec::new("gsettings", SYSTEM)
        .options("--schemadir=read")
        .verbs(&[
            Spec::new("get monitor writable range describe list-schemas list-relocatable-schemas list-keys list-children \
                list-recursively help", READS)
                .options("--print-paths")
                .operands(Operands::Text),
            Spec::new("set reset reset-recursively", SYSTEM).operands(Operands::Text),
        ])
        .examples(&[
            ("gsettings get org.gnome.desktop.interface clock-format", "reads"),
            ("gsettings list-recursively", "reads"),
            ("gsettings set a b c", "system"),
            ("gsettings frob", "system unknown"),
        ]),
    Spec::new("dconf", SYSTEM)
        .verbs(&[
            Spec::new("read list dump watch help blame", READS).options("-d").operands(Operands::Text),
            Spec::new("write reset load update", SYSTEM).options("-f").operands(Operands::Text),
            Spec::new("compile", Effects::WRITES).operands(Operands::Text),
        ])
        .examples(&[
            ("dconf read /a/b", "reads"),
            ("dconf dump /", "reads"),
            ("dconf write /a 1", "system"),
            ("dconf load /", "system"),
            ("dconf compile a b", "writes"),
        ]),
    Spec::new("xdg-user-dir", READS).operands(Operands::Text).examples(&[("xdg-user-dir DOWNLOAD", "reads")]),
    Spec::new("notify-send zenity kdialog yad dialog whiptail", SYSTEM)
        .options("-utaich= --urgency= --app-name= --expire-time= --icon=")
        .operands(Operands::Text)
        .examples(&[("notify-send hi", "system")]),
    Spec::new("wl-copy clip.exe copyq", SYSTEM)
        .options("-onpcft= --primary --clear --trim-newline --type=")
        .operands(Operands::Text)
        .examples(&[("wl-copy hi", "system")]),
    Spec::new("wl-paste", READS)
        .options("-nlp -t= -w=exec --no-newline --list-types --primary --type= --watch=exec")
        .operands(Operands::Code)
        .check(shows_copied)
        .examples(&[
            ("wl-paste -n", "reads secrets"),
            ("wl-paste -l", "reads"),
            ("wl-paste --list-types", "reads"),
            ("wl-paste --watch x", "reads secrets executes"),
        ]),
    Spec::new("xclip xsel", READS)
        .style(Style::SingleDash)
        .options(
            "-o -out -b -p -s -r -rmlastnl -selection= -sel= -target= -t= -d= -display= -quiet -silent \
            -verbose -i!system -in!system -f!system -c!system -a!system -clipboard -primary -secondary \
            -output -input!system -clear!system -delete!system -x!system",
        )
        .operands(Operands::Effect(SYSTEM))
        .check(clipboard)
        .examples(&[
            ("xclip -selection clipboard -o", "reads secrets"),
            ("xclip -out", "reads secrets"),
            ("xsel --clipboard --output", "reads secrets"),
            ("xclip", "reads system"),
        ]),
    Spec::new("lp lpr cancel lprm cupsenable cupsdisable lpadmin lpoptions", SYSTEM)
        .options("-dnotPh# -o=")
        .operands(Operands::Text)
        .examples(&[("lp f", "system")]),
    Spec::new("lpstat lpq lpinfo", READS)
        .options("-aEprstvlRWd -cuohUP= -m")
        .operands(Operands::Text)
        .examples(&[("lpstat -p", "reads"), ("lpstat --foo", "reads unknown")]),
    Spec::new("xdotool ydotool wmctrl wtype dotool xte", RUNS)
        .operands(Operands::Text)
        .options("-lmd")
        .examples(&[("xdotool key a", "executes")]),
    Spec::new(
        "aplay paplay mpv vlc mplayer cvlc spd-say espeak espeak-ng amixer alsamixer pactl wpctl \
        playerctl brightnessctl xbacklight",
        SYSTEM,
    )
    .operands(Operands::Text)
    .options("-qlv")
    .examples(&[("aplay a.wav", "system")]),
];

/// Formats can hold commands, and a word that ends in `;` ends the command.
fn tmux<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let runs = |word: &Argument<'_>| word.text.contains("#(") || (word.literal && word.text.ends_with(';'));
    if invocation.words.iter().any(runs) {
        out.help = false;
        out.executes();
    }
    if let Some(format) = invocation.value(&["F", "f"]).filter(|format| !format.literal) {
        out.doubt(Why::UnclearCode, format.text, format.span);
    }
}

fn tmux_message<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for format in invocation.operands.iter().filter(|format| !format.literal) {
        out.doubt(Why::UnclearCode, format.text, format.span);
    }
}

/// Without `-p` the text goes to a buffer of the server.
fn tmux_capture<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["p"]) {
        out.add(Effects::SYSTEM);
    }
    // All that was ever shown, or the past of whichever terminal the person looks at.
    let past = invocation.value(&["S"]);
    if past.is_some_and(|past| past.known() == Some("-") || !invocation.has(&["t"])) {
        out.add(Effects::SECRETS);
    }
}

fn screen<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let first = invocation.words.first().and_then(Argument::known);
    let lists =
        matches!(first, Some("-ls" | "-list" | "-v" | "--version" | "--help" | "ls" | "list-sessions"));
    if lists && invocation.words.len() == 1 {
        out.effects = Effects::READS;
    }
}

fn script<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if out.help {
        return;
    }
    match invocation.operands.first() {
        Some(file) => out.writes(*file),
        None => out.add(Effects::WRITES),
    }
    let command = invocation.words.get(invocation.first_operand + 1..).unwrap_or_default();
    if let Some(text) = invocation.value(&["c", "--command"]) {
        out.runs.push(Run::Script(text, Dialect::Sh));
    }
    if !command.is_empty() {
        out.runs.push(Run::Words(command));
    } else if out.runs.is_empty() {
        out.executes();
    }
}

fn applet<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.operands.is_empty() {
        out.add(Effects::READS);
    }
}

/// Without an option that asks for output it takes what it reads into the clipboard.
fn clipboard<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["o", "out", "output"]) {
        out.add(Effects::SECRETS);
    } else if !out.help {
        out.add(Effects::SYSTEM);
    }
}

/// What a person copied may be a password; of which types it is says nothing.
fn shows_copied<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if !invocation.has(&["l", "--list-types"]) {
        out.add(Effects::SECRETS);
    }
}
