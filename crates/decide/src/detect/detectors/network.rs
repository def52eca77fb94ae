//! Detectors for listeners, tunnels, exposed services and checks of the other side.

use crate::detector::Certainty::{Certain, Possible};
use crate::detector::Example::{Edit, Line};
use crate::detector::{Category, Severity};

detectors! {
    /// Serves files of this machine over FTP or HTTP with uploads (`pyftpdlib`, `uploadserver`).
    ///
    /// Anybody on the network can read the folder, and often write to it. Other servers of files are recognised by
    /// their own options.
    FILE_SERVER {
        id: "network/file-server", category: Category::ExposeService, severity: Severity::Soft, certainty: Possible,
        message: "serves local files to the network",
        hits: &[Line("python3 -m pyftpdlib -w"), Line("python -m uploadserver 8000")],
        passes: &[Line("python3 -m pip show uploadserver2")],
    }

    /// Makes a service listen on all interfaces, or publishes its port to other machines.
    ///
    /// Everybody in the same network can then reach it, often without a password. Found where the service was only
    /// for this machine before, or where the port is one of Docker, etcd, Vault or Consul.
    LISTENS_ON_ALL_INTERFACES {
        id: "network/listens-on-all-interfaces", category: Category::ExposeService, severity: Severity::Soft, certainty: Possible,
        message: "lets other machines reach a local service",
        hits: &[Edit("redis.conf", "bind 127.0.0.1", "bind 0.0.0.0")],
        passes: &[Edit("redis.conf", "bind 0.0.0.0", "bind 127.0.0.1")],
    }

    /// Runs a load test with k6 or Artillery.
    ///
    /// A load test against a service that others use can slow it down or cost money.
    /// Which service it is, is only in the test's script, which is not read; every call of the program counts. Tools that are
    /// given the address in the line (`hey`, `wrk`) are found as `network/remote-write`.
    LOAD_TEST {
        id: "network/load-test", category: Category::ExternalWrite, severity: Severity::Soft, certainty: Possible,
        message: "{program} puts load on a service",
        hits: &[Line("k6 run load.js")],
        passes: &[Line("hey https://api.example.com/health")],
    }

    /// Connects to another machine without checking its SSH host key.
    ///
    /// Anybody on the way can pose as that machine. Recognised by the options in the command; what `~/.ssh/config`
    /// says is not read.
    NO_HOST_KEY_CHECK {
        id: "network/no-host-key-check", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Certain,
        message: "disables SSH host key checks for {program}",
        hits: &[Line("ssh -o StrictHostKeyChecking=no dev@build.example.org uptime")],
        passes: &[Line("ssh -o StrictHostKeyChecking=accept-new dev@build.example.org uptime")],
    }

    /// Talks to another machine without checking its TLS certificate.
    ///
    /// Anybody on the way can read and change what is sent. Addresses of this machine are passed over, and `-k`
    /// where it means something else (`kubectl`, `wget`).
    NO_TLS_VERIFY {
        id: "network/no-tls-verify", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Certain,
        message: "disables TLS certificate checks for {program}",
        hits: &[Line("curl -sk https://api.example.org/users")],
        passes: &[Line("curl -k https://localhost:8443/health"), Line("kubectl apply -k overlays/dev")],
    }

    /// Opens a firewall rule or security group to the whole internet.
    ///
    /// Scanners find an open port within minutes. The port is not looked at, so a public web server is found too.
    OPEN_TO_INTERNET {
        id: "network/open-to-internet", category: Category::ExposeService, severity: Severity::Soft, certainty: Possible,
        message: "opens a firewall rule to the whole internet",
        hits: &[Edit("infra/sg.tf", "cidr_blocks = [\"10.0.0.0/8\"]", "ipv6_cidr_blocks = [\"::/0\"]")],
        passes: &[Edit("infra/sg.tf", "cidr_blocks = [\"10.0.0.0/8\"]", "cidr_blocks = [\"10.1.0.0/16\"]")],
    }

    /// Lets everybody who reaches a machine log in with a password, or to a database without one.
    ///
    /// Passwords are guessed by machines all day. Read are `PasswordAuthentication` of sshd and `trust` for all
    /// addresses in `pg_hba.conf`.
    PASSWORD_LOGIN {
        id: "network/password-login", category: Category::ExposeService, severity: Severity::Soft, certainty: Possible,
        message: "lets others log in with a password or without one",
        hits: &[Edit("deploy/sshd_config", "PasswordAuthentication no", "PasswordAuthentication yes")],
        passes: &[Edit("deploy/sshd_config", "PasswordAuthentication yes", "PasswordAuthentication no")],
    }

    /// Changes something on another machine: a push, a request that writes.
    ///
    /// Others may see the effect; no file and no piped data of this machine goes along, or it would be
    /// `exfiltration/local-data`.
    /// What the other side does with it is not known: a search by `POST` is found as well.
    CHANGES_REMOTE {
        id: "network/remote-write", category: Category::ExternalWrite, severity: Severity::Soft, certainty: Certain,
        message: "{program} sends something to another machine",
        hits: &[Line("curl -X POST -d name=nightly https://api.example.com/jobs")],
        passes: &[Line("curl -fsS https://api.example.com/jobs")],
    }

    /// Opens a tunnel through which this machine, or a service on it, can be reached from elsewhere.
    ///
    /// What listens only here for want of a login is then open to whoever knows the address. Recognised by the
    /// programs that are made for it, by `expo start --tunnel`, and by tasks that are called so; a tunnel that SSH
    /// opens counts as remote shell.
    TUNNEL {
        id: "network/tunnel", category: Category::ExposeService, severity: Severity::Soft, certainty: Certain,
        message: "opens a tunnel to this machine with {program}",
        hits: &[Line("ngrok http 3000"), Line("cloudflared tunnel run dev"), Line("npx expo start --tunnel")],
        passes: &[Line("ngrok --help"), Line("npx expo start")],
    }
}
