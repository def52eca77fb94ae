//! Services, timers, logs, users, power.

use super::invocation::{Invocation, Outcome, Run};
use super::table::{Operands, Spec, Style};
use crate::dialect::Dialect;
use crate::effects::Effects;

const READS: Effects = Effects::READS;
const SYSTEM: Effects = Effects::SYSTEM;
const USERS: Effects = Effects::SYSTEM.and(Effects::PERMISSIONS);

/// Options that the tools of systemd share.
const SYSTEMD: &str = "-aqlr -n= -H=!network-write!executes -M=!system -pPtoTs= --system --user --global --no-pager --no-legend --legend= --full --all --quiet \
    --property= --value --output= --lines= --type= --state= --failed --plain --recursive --reverse \
    --json= --no-ask-password \
    --host=!network-write!executes --machine=!system --root=read --image=read --timestamp= \
    --with-dependencies --show-types --runtime --force \
    --now --no-block --no-wall --no-reload --wait --job-mode= --signal= --kill-who= --kill-whom= \
    --what= --dry-run --when= --message= \
    --show-transaction --preset-mode= --firmware-setup --boot-loader-menu= --boot-loader-entry= \
    --check-inhibitors= --no-warn \
    --mkdir --read-only --marked --drop-in= --stdin --after --before";

const SYSTEMCTL: &[Spec] = &[
    Spec::new("status cat help list-* is-* get-default get-log-level", READS).options(SYSTEMD).operands(Operands::Text),
    Spec::new("show", READS).options(SYSTEMD).operands(Operands::Text).check(shows_property),
    Spec::new("show-environment", READS.and(Effects::SECRETS)).options(SYSTEMD),
    Spec::new("start restart reload try-restart reload-or-restart try-reload-or-restart isolate enable disable \
        reenable preset preset-all mask unmask link revert \
        add-wants add-requires set-property set-default daemon-reload daemon-reexec reset-failed clean \
        freeze thaw bind mount-image cancel \
        set-environment unset-environment import-environment log-level log-target service-log-level \
        service-log-target service-watchdogs default rescue emergency \
        halt poweroff reboot kexec soft-reboot exit switch-root suspend hibernate hybrid-sleep suspend-then-hibernate sleep", SYSTEM)
        .options("-fi")
        .operands(Operands::Text),
    Spec::new("stop kill", SYSTEM.and(Effects::KILLS)).operands(Operands::Text),
    Spec::new("edit", SYSTEM.and(Effects::EXECUTES)).operands(Operands::Text),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("systemctl", READS)
        .options(SYSTEMD)
        .verbs(SYSTEMCTL)
        .examples(&[
            ("systemctl status nginx --no-pager", "reads"),
            ("systemctl", "reads"),
            ("systemctl --user list-units --type=service", "reads"),
            ("systemctl is-active x", "reads"),
            ("systemctl show -p ActiveState x", "reads"),
            ("systemctl show --property=Environment x", "reads secrets"),
            ("systemctl --user show-environment", "reads secrets"),
            ("systemctl restart nginx", "system"),
            ("systemctl stop nginx", "system kills"),
            ("systemctl kill --signal 9 x", "system kills"),
            ("systemctl edit x", "system executes"),
            ("systemctl -H host status", "reads network-write executes"),
            ("systemctl halt --dry-run", "system"),
        ]),
    Spec::new("journalctl", READS)
        .style(Style::Gnu)
        .options(
            "-maqfrxeNk -h!help -# -bn=? -MDScUutpgoFT= -i=read --system --user --machine= --merge \
                --directory=read --file=read --root=read --image=read \
             --image-policy= --namespace= --since= --until= --cursor= --after-cursor= --cursor-file=write \
             --boot=? --unit= --user-unit= \
             --invocation= --identifier= --exclude-identifier= --priority= --facility= --grep= \
             --case-sensitive=? --dmesg --output= \
             --output-fields= --lines=? --reverse --show-cursor --utc --catalog --no-hostname --no-full \
             --full --all \
             --follow --no-tail --truncate-newline --quiet --no-pager --pager-end --interval= --verify-key= \
             --force!system --fields --field= --list-boots --list-invocations --list-namespaces --disk-usage \
             --vacuum-size=!system!deletes \
             --vacuum-files=!system!deletes --vacuum-time=!system!deletes --verify --sync!system \
             --relinquish-var!system \
             --smart-relinquish-var!system --flush!system --rotate!system --header --list-catalog \
             --dump-catalog \
             --update-catalog!system --setup-keys!system --this-boot --help!help --version!help",
        )
        .operands(Operands::Text)
        .examples(&[
            ("journalctl -u nginx -n 50 --no-pager", "reads"),
            ("journalctl -b -1 -p err", "reads"),
            ("journalctl _PID=1", "reads"),
            ("journalctl --vacuum-time=1d", "reads system deletes"),
            ("journalctl --vac 1d", "reads system deletes"),
            ("journalctl --rotate", "reads system"),
            ("journalctl --cursor-file=x", "reads writes"),
        ]),
    Spec::new("loginctl machinectl networkctl bootctl coredumpctl busctl oomctl userdbctl homectl", READS)
        .options(SYSTEMD)
        .verbs(&[
            Spec::new("list list-* status show show-* session-status user-status seat-status info lldp cat \
                is-installed tree introspect monitor user group users-in-group groups-of-user services \
                get-property", READS)
                .options("-1 --since= --until= --match=")
                .operands(Operands::Text),
            Spec::new("dump", READS.and(Effects::WRITES)).options("-o=write --output=write").operands(Operands::Text),
            Spec::new("debug gdb shell login call set-property", Effects::EXECUTES).operands(Operands::Text),
            Spec::new("kill-session kill-user terminate-session terminate-user terminate-seat kill terminate poweroff \
                reboot", SYSTEM.and(Effects::KILLS))
                .operands(Operands::Text),
            Spec::new("activate lock-session unlock-session lock-sessions unlock-sessions enable-linger disable-linger \
                attach flush-devices start enable disable bind copy-to copy-from clone rename remove set-limit \
                clean \
                import-tar import-raw export-tar pull-tar pull-raw up down renew forcerenew reconfigure reload delete edit install update random-seed set-default set-oneshot detach create authenticate update passwd resize lock unlock", SYSTEM)
                .operands(Operands::Text),
        ])
        .examples(&[
            ("loginctl list-sessions", "reads"),
            ("networkctl status", "reads"),
            ("loginctl terminate-user x", "system kills"),
            ("machinectl shell x", "executes"),
            ("coredumpctl dump 1 -o core", "reads writes"),
            ("bootctl install", "system"),
        ]),
    Spec::new("hostnamectl timedatectl localectl", READS)
        .options("-H=!network-write!executes -M=!system -a -p= --no-pager --no-ask-password --static --transient \
            --pretty --json= --all --property= --value --monitor --adjust-system-clock")
        .verbs(&[
            Spec::new("status show timesync-status show-timesync list-*", READS).options("-al -p= --no-pager --all").operands(Operands::Text),
            Spec::new("hostname icon-name chassis deployment location", READS).operands(Operands::Effect(SYSTEM)),
            Spec::new("set-* ntp-servers revert", SYSTEM).operands(Operands::Text),
        ])
        .examples(&[("timedatectl", "reads"), ("hostnamectl status", "reads"), ("timedatectl set-ntp true", "system"), ("hostnamectl hostname x", "reads system")]),
    Spec::new("systemd-analyze", READS)
        .options("-q --no-pager --system --user --global --order --require --from-pattern= --to-pattern= --fuzz= \
            --man= --json= --offline= --iterations= --base-time= --root=read --quiet")
        .verbs(&[
            Spec::new("time blame critical-chain plot dot dump unit-paths unit-files exit-status capability \
                syscall-filter filesystems cat-config condition timestamp timespan calendar compare-versions \
                inspect-elf security verify fdstore architectures", READS)
                .operands(Operands::Text),
            Spec::new("log-level log-target service-watchdogs", READS).operands(Operands::Effect(SYSTEM)),
        ])
        .examples(&[("systemd-analyze blame", "reads"), ("systemd-analyze log-level debug", "reads system")]),
    Spec::new("systemd-cgls systemd-cgtop systemd-detect-virt systemd-path systemd-escape systemd-id128 \
        systemd-delta systemd-cat-config", READS)
        .options("-aluknvqcrbpmtidM1 -ndsS= --all --full --no-pager --unit= --user-unit= --container --vm --quiet \
            --path --unescape --suffix= --template= --iterations= --batch --depth=")
        .operands(Operands::Text)
        .examples(&[("systemd-cgls --no-pager", "reads"), ("systemd-detect-virt", "reads"), ("systemd-path --foo", "reads unknown")]),
    Spec::new("systemd-run systemd-cat systemd-inhibit systemd-socket-activate systemd-ask-password \
        systemd-firstboot systemd-creds systemd-cryptenroll systemd-cryptsetup systemd-tmpfiles \
        systemd-sysusers systemd-mount systemd-umount systemd-notify systemd-sysext systemd-repart \
        systemd-hwdb systemd-machine-id-setup systemd-tty-ask-password-agent", SYSTEM.and(Effects::EXECUTES))
        .style(Style::Stops)
        .options("-tPdqGr -puMHE= --user --scope --unit= --property= --pipe --pty --wait --collect --uid= --gid= \
            --on-calendar= --on-active= --description=")
        .operands(Operands::Code)
        .examples(&[("systemd-run --user --scope ls", "system executes"), ("systemd-run ls --help", "system executes")]),
    Spec::new("service rc-service invoke-rc.d", SYSTEM)
        .style(Style::Raw)
        .check(service)
        .examples(&[
            ("service nginx status", "reads"),
            ("service --status-all", "reads"),
            ("service nginx restart", "system"),
            ("service nginx stop", "system"),
        ]),
    Spec::new("rc-status", READS)
        .options("-aclrsuC --all --servicelist")
        .operands(Operands::Text)
        .examples(&[("rc-status", "reads"), ("rc-status --foo", "reads unknown")]),
    Spec::new("rc-update chkconfig update-rc.d initctl start-stop-daemon sv runsvdir s6-svc supervisorctl \
        supervisord monit rcctl svcadm", SYSTEM)
        .operands(Operands::Text)
        .verbs(&[Spec::new("status list show version summary avail pid", READS).operands(Operands::Text), Spec::new("tail maintail", READS).options("-f -1").operands(Operands::Text)])
        .examples(&[("supervisorctl status", "reads"), ("supervisorctl restart x", "system"), ("rc-update add x", "system")]),
    Spec::new("crontab", SYSTEM)
        .options("-ilersn -u=")
        .operands(Operands::Text)
        .check(crontab)
        .examples(&[("crontab -l", "reads"), ("crontab -r", "system"), ("crontab -e", "system"), ("crontab f", "system"), ("crontab -l f", "system")]),
    Spec::new("at batch anacron fcrontab", SYSTEM.and(Effects::EXECUTES))
        .options("-mMvlbVdrc -qft=")
        .operands(Operands::Text)
        .examples(&[("at now + 1 minute", "system executes")]),
    Spec::new("atq", READS).options("-V -qo=").examples(&[("atq", "reads"), ("atq --foo", "reads unknown")]),
    Spec::new("atrm", SYSTEM).operands(Operands::Text).examples(&[("atrm 1", "system")]),
    Spec::new("useradd usermod userdel groupadd groupmod groupdel adduser deluser addgroup delgroup chpasswd \
        newusers chgpasswd gpasswd vipw vigr pwconv pwunconv grpconv chfn chsh newuidmap newgidmap \
        pam-auth-update authconfig authselect faillock visudo chpass", USERS)
        .options("-amMrfoUlLnNdkiqSDehbCRsGgucpPWwxEKZTvtjAX= --create-home --system --shell= --home= --uid= \
            --gid= --groups= --append --password= --lock --unlock --expiredate= --remove --force --skel= \
            --disabled-password --gecos= --ingroup= --no-create-home --comment= --*")
        .operands(Operands::Text)
        .examples(&[
            ("useradd -m a", "system permissions"),
            ("usermod -aG docker a", "system permissions"),
            ("userdel -r a", "system permissions"),
        ]),
    Spec::new("passwd", USERS)
        .options("-adeklquS -inwxRrs= --all --delete --expire --keep-tokens --lock --quiet --unlock --status \
            --inactive= --mindays= --warndays= --maxdays= --stdin --root=")
        .operands(Operands::Text)
        .check(user_state)
        .examples(&[("passwd a", "system permissions"), ("passwd -S a", "reads"), ("passwd -S -d a", "system permissions")]),
    Spec::new("chage", USERS)
        .options("-li -dEImMWR= --list --lastday= --expiredate= --inactive= --mindays= --maxdays= --warndays=")
        .operands(Operands::Text)
        .check(user_state)
        .examples(&[("chage -l a", "reads"), ("chage -M 90 a", "system permissions")]),
    Spec::new("su runuser", Effects::PRIVILEGE.and(Effects::EXECUTES))
        .options("-lmpPfT -csgGuw= --login --command= --shell= --preserve-environment --group= --user= --pty \
            --whitelist-environment=")
        .operands(Operands::Code)
        .check(other_users_shell)
        .examples(&[("su -c ls root", "privilege executes"), ("su", "privilege executes"), ("su - a", "privilege executes")]),
    Spec::new("newgrp run0 gosu su-exec setpriv dzdo pfexec calife super", Effects::PRIVILEGE.and(Effects::EXECUTES))
        .style(Style::Stops)
        .options("-c= --user= --disable-internal-agent")
        .operands(Operands::Code)
        .examples(&[("newgrp docker", "privilege executes")]),
    Spec::new("shutdown reboot halt poweroff init telinit pm-suspend pm-hibernate zzz", SYSTEM.and(Effects::KILLS))
        .options("-hHPrkctfwdinps --halt --poweroff --reboot --no-wall --force --show --wtmp-only --now")
        .operands(Operands::Text)
        .examples(&[("shutdown -r now", "system kills"), ("reboot", "system kills"), ("shutdown -c", "system kills")]),
    Spec::new("wall write mesg logger logrotate rsyslogd syslog-ng syslogd", SYSTEM)
        .options("-nistepdPTuvfmS= --tag= --priority= --force --debug --server= --port=")
        .operands(Operands::Text)
        .check(remote_log)
        .examples(&[("wall hi", "system"), ("logger -t x hi", "system"), ("logger -n host hi", "system network-write sends-data")]),
    Spec::new("hwclock ntpdate chronyd ntpd rdate sntp adjtimex", SYSTEM)
        .options("-rswauvqdbl -fp= --show --get --hctosys --systohc --verbose --utc --localtime")
        .operands(Operands::Text)
        .check(clock_shown)
        .examples(&[("hwclock --show", "reads"), ("hwclock -r", "reads"), ("hwclock --systohc", "system"), ("ntpdate a.com", "system")]),
    Spec::new("chronyc ntpq ntpstat", READS)
        .options("-pncahmvid46")
        .operands(Operands::None)
        .verbs(&[
            Spec::new("tracking sources sourcestats activity ntpdata rtcdata clients serverstats selectdata", READS).options("-vna"),
            Spec::new("makestep online offline burst add delete settime reload shutdown cyclelogs dump trimrtc", SYSTEM).operands(Operands::Text),
        ])
        .examples(&[("chronyc tracking", "reads"), ("ntpq -p", "reads"), ("chronyc makestep", "system")]),
];

fn shows_property(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let asked = invocation.options.iter().filter(|seen| matches!(seen.name, "p" | "P" | "--property"));
    if asked
        .filter_map(|seen| seen.value)
        .any(|name| name.known().is_none_or(|name| name.to_ascii_lowercase().contains("environment")))
    {
        out.add(Effects::SECRETS);
    }
}

fn service<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let known = |index: usize| invocation.words.get(index).and_then(crate::argument::Argument::known);
    let shows = match (known(0), known(1)) {
        (Some("--status-all" | "--list" | "-l" | "--help" | "--version"), None) => {
            invocation.words.len() == 1
        }
        (Some(name), Some("status")) => !name.starts_with('-') && invocation.words.len() == 2,
        (Some(_) | None, Some(_) | None) => false,
    };
    if shows {
        out.effects = out.effects.without(Effects::SYSTEM).and(Effects::READS);
    }
}

fn only_shows(out: &mut Outcome<'_>, shows: bool) {
    if shows {
        out.effects = out.effects.without(USERS).and(Effects::READS);
    }
}

fn crontab<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    only_shows(out, invocation.has(&["l"]) && !invocation.has(&["r", "e"]) && invocation.operands.is_empty());
}

fn user_state<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let shows = match invocation.program {
        "chage" => {
            invocation.options.iter().all(|seen| matches!(seen.name, "l" | "--list"))
                && !invocation.options.is_empty()
        }
        "passwd" => {
            invocation.options.iter().all(|seen| matches!(seen.name, "S" | "a" | "--status"))
                && invocation.has(&["S", "--status"])
        }
        _ => false,
    };
    only_shows(out, shows);
}

fn remote_log<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.program == "logger" && invocation.has(&["n", "--server"]) {
        out.add(Effects::NETWORK_WRITE.and(Effects::SENDS_DATA));
    }
}

fn clock_shown<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let shows = invocation
        .options
        .iter()
        .all(|seen| matches!(seen.name, "r" | "v" | "u" | "--show" | "--get" | "--verbose" | "--utc"));
    only_shows(out, invocation.program == "hwclock" && shows && invocation.operands.is_empty());
}

/// `su -c TEXT` gives the text to a shell.
fn other_users_shell<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if let Some(text) = invocation.value(&["c", "--command"]) {
        out.runs.push(Run::Script(text, Dialect::Sh));
    }
}
