//! Detectors for processes, autostart, logs, users and protections of the machine.

use crate::detector::Certainty::{Certain, Possible};
use crate::detector::Example::{Line, Write};
use crate::detector::{Category, Severity};

detectors! {
    /// Changes accounts, passwords, groups or rights of the machine.
    ///
    /// A new account, or more rights for one, stays. Whether something is given or taken is not told apart.
    ACCOUNTS {
        id: "system/accounts", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Certain,
        message: "changes user accounts, groups or rights with {program}",
        hits: &[Line("useradd deploy"), Line("usermod -aG docker dev"), Line("passwd dev")],
        passes: &[Line("id dev"), Line("getent passwd dev")],
    }

    /// Runs a program that is made for breaking into machines or for cracking passwords.
    ///
    /// No ordinary task of a project needs it; for a security test the user runs it. Recognised by the name of the
    /// program.
    ATTACK_TOOLS {
        id: "system/attack-tools", category: Category::CredentialSearch, severity: Severity::Hard, certainty: Certain,
        message: "runs {program}, which is made for attacking machines or opening stores of passwords",
        hits: &[Line("hydra -l root -P words.txt ssh://10.0.0.4"), Line("hashcat -m 0 hashes.txt words.txt")],
        passes: &[Line("which hashcat")],
    }

    /// Deletes or empties an audit log, wherever it lies.
    ///
    /// It is kept so that nobody can take it away. Recognised by `audit` and `.log` in the name; adding lines is
    /// passed over.
    AUDIT_LOG_DELETE {
        id: "system/audit-log-delete", category: Category::LogTampering, severity: Severity::Hard, certainty: Possible,
        message: "deletes or empties `{}`, a record of who did what",
        hits: &[Line("rm data/audit.log"), Line("truncate -s 0 data/audit-2024.log.1")],
        passes: &[Line("cat data/audit.log")],
    }

    /// Makes something start by itself: scheduled tasks, services, kernel modules, keys for SSH.
    ///
    /// It runs later without being asked, also when the session is over. Taking a task away is found, too.
    AUTOSTART {
        id: "system/autostart", category: Category::Persistence, severity: Severity::Soft, certainty: Certain,
        message: "makes something start by itself with {program}",
        hits: &[Line("crontab jobs.txt"), Line("launchctl load agent.plist"), Line("systemctl enable web")],
        passes: &[Line("crontab -l"), Line("systemctl is-enabled web")],
    }

    /// Makes something start by itself: cron, shell profiles, launch agents, services, SSH keys that log in.
    ///
    /// It goes on running after the session, when nobody thinks of it any more.
    /// The place and a word that writes must be in one line of a text that is written or run. Help text that
    /// shows such a line is found as well.
    INSTALLS_AUTOSTART {
        id: "system/autostart-in-text", category: Category::Persistence, severity: Severity::Soft, certainty: Possible,
        message: "makes something start automatically",
        hits: &[Write("scripts/install.sh", "echo '@reboot /opt/app/run' | crontab -\n")],
        passes: &[Write("scripts/install.sh", "systemctl status app.service\n")],
    }

    /// Clears the history of the shell, or unsets the variables of the history or of Portcullis.
    ///
    /// What was done is not recorded any more. `HISTFILE=/dev/null` is judged as a variable that is set, not here.
    CLEAR_HISTORY {
        id: "system/clear-shell-history", category: Category::LogTampering, severity: Severity::Hard, certainty: Certain,
        message: "clears the shell history or forgets variables that recording depends on",
        hits: &[Line("history -c"), Line("unset HISTFILE")],
        passes: &[Line("history 20"), Line("unset PAGER")],
    }

    /// Writes or deletes settings of an editor or a development container in the project (`.vscode`, `.idea`, `.devcontainer`).
    ///
    /// Tasks and settings there can run programs when somebody opens the folder. Settings that only format are
    /// found, too.
    EDITOR_SETTINGS {
        id: "system/editor-settings", category: Category::Persistence, severity: Severity::Soft, certainty: Possible,
        message: "changes `{}`, which can make an editor run programs",
        hits: &[Write(".vscode/tasks.json", "{}\n"), Line("cp tasks.json .vscode/tasks.json")],
        passes: &[Line("cat .vscode/tasks.json")],
    }

    /// Erases or stops logs: shell history, system logs, audit trails.
    ///
    /// Afterwards nobody can find out what happened.
    /// Recognised by known words in a text that is written or run. A program that silences its own log in tests
    /// (`logging.disable`) is found as well.
    ERASES_TRACES {
        id: "system/erase-traces", category: Category::LogTampering, severity: Severity::Hard, certainty: Certain,
        message: "erases or stops logs",
        hits: &[Write("scripts/setup.sh", "unset HISTFILE\n"), Write("scripts/clean.sh", "journalctl --vacuum-time=1s\n")],
        passes: &[Write("scripts/show.sh", "journalctl -u app --since today\n")],
    }

    /// Sets the time of a file to another than now (`touch -t`, `-d`, `-r`, `SetFile`).
    ///
    /// It no longer shows when the file was changed. Build scripts and tests do so for good reasons, too.
    FORGED_TIMESTAMP {
        id: "system/forged-timestamp", category: Category::LogTampering, severity: Severity::Hard, certainty: Certain,
        message: "gives a file a false time with {program}",
        hits: &[Line("touch -t 202001010000 src/main.rs"), Line("touch -d yesterday src/main.rs")],
        passes: &[Line("touch src/main.rs")],
    }

    /// Writes, empties or deletes a log of the machine or the history of a shell.
    ///
    /// Such files show afterwards what was done and by whom. Recognised by place and name (`/var/log`,
    /// `.bash_history`, `wtmp`); logs that a project keeps are not meant.
    LOG_FILES {
        id: "system/log-files", category: Category::LogTampering, severity: Severity::Hard, certainty: Certain,
        message: "changes `{}`, a record of what happened on this machine",
        hits: &[Line("rm ~/.bash_history"), Line("truncate -s 0 /var/log/auth.log")],
        passes: &[Line("tail /var/log/syslog"), Line("rm app.log")],
    }

    /// Adds code to a `.pth` file, which every start of Python runs.
    ///
    /// Such a file keeps code running in every Python program of the environment, without being imported. Lines
    /// with paths, which is what the files are for, are passed over.
    PYTHON_PTH_CODE {
        id: "system/python-pth-code", category: Category::Persistence, severity: Severity::Soft, certainty: Possible,
        message: "adds code that every start of Python runs",
        hits: &[Write("lib/site.pth", "import evil; evil.run()")],
        passes: &[Write("lib/site.pth", "/home/dev/proj/src")],
    }

    /// Writes or deletes files inside `.git`, `.hg` or `.jj`, of Husky, or settings of these programs.
    ///
    /// Hooks and settings there make later commands run other programs. Files that hold only data are found, too.
    REPOSITORY_INTERNALS {
        id: "system/repository-internals", category: Category::Persistence, severity: Severity::Soft, certainty: Possible,
        message: "changes `{}`, which can make git or another version control program run commands",
        hits: &[Line("echo 'npm test' >> .git/hooks/pre-commit"), Line("cp gitconfig ~/.gitconfig")],
        passes: &[Line("cat .git/config")],
    }

    /// Changes the firewall, auditing, mandatory access control or another protection of the machine.
    ///
    /// Everything on the machine depends on it. Whether it gets stricter or looser is not told apart; `systemctl`
    /// counts where it stops such a service.
    SECURITY_CONTROLS {
        id: "system/security-controls", category: Category::DisableSecurity, severity: Severity::Hard, certainty: Certain,
        message: "changes a protection of this machine with {program}",
        hits: &[Line("ufw disable"), Line("setenforce 0"), Line("systemctl stop auditd")],
        passes: &[Line("ufw status"), Line("systemctl status auditd")],
    }

    /// Starts, stops or restarts services of the machine.
    ///
    /// Others may use them. Services of the user's own session (`systemctl --user`) are found, too.
    SYSTEM_SERVICES {
        id: "system/services", category: Category::OtherProcesses, severity: Severity::Soft, certainty: Certain,
        message: "changes services that others may use with {program}",
        hits: &[Line("systemctl restart nginx"), Line("service postgresql stop")],
        passes: &[Line("systemctl status nginx")],
    }

    /// Shuts down or restarts the machine, switches off swap or removes shared memory.
    ///
    /// All that runs there stops, whoever it belongs to. Work that was not saved is lost.
    SHUTDOWN {
        id: "system/shutdown", category: Category::SharedResource, severity: Severity::Soft, certainty: Certain,
        message: "shuts the machine or a part of it down with {program}",
        hits: &[Line("shutdown -h now"), Line("reboot")],
        passes: &[Line("uptime")],
    }

    /// Writes or deletes what starts by itself: shell start-up files, services, scheduled tasks, programs in `~/.local/bin`.
    ///
    /// It runs in every later session without being asked. What is written there is not judged: an alias counts as
    /// much as a command.
    STARTUP_FILES {
        id: "system/startup-files", category: Category::Persistence, severity: Severity::Soft, certainty: Certain,
        message: "changes `{}`, which runs by itself later",
        hits: &[Line(r#"echo 'alias ll="ls -l"' >> ~/.bashrc"#), Line("cp job /etc/cron.d/job")],
        passes: &[Line("cat ~/.bashrc")],
    }

    /// Formats, partitions or wipes a disk, or shreds a file.
    ///
    /// What was there cannot be brought back. Making a file system in a plain file is passed over; other uses of
    /// these programs that only read are known from their tables.
    WIPE_DISK {
        id: "system/wipe-disk", category: Category::LocalDestruction, severity: Severity::Hard, certainty: Certain,
        message: "can erase a disk or a file for good with {program}",
        hits: &[Line("mkfs.ext4 /dev/sdb1"), Line("shred -u notes.txt"), Line("wipefs -a /dev/sdb")],
        passes: &[Line("mkfs.ext4 image.ext4"), Line("lsblk")],
    }
}
