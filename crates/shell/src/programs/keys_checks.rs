//! What the tables of key tools cannot say: which files are shown, written, or hold what is secret.

use super::address;
use super::archives_checks::writes_unless_dash;
use super::invocation::{Invocation, Outcome, Use};
use super::remote::carries_nothing;
use crate::argument::Argument;
use crate::effects::Effects;

/// Certificates and requests are public even where their file name ends like a key's.
pub(super) fn certificate_files<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const FILES: &[&str] = &[
        "in",
        "CAfile",
        "untrusted",
        "trusted",
        "CRLfile",
        "CA",
        "extfile",
        "verifyCAfile",
        "chainCAfile",
        "cert_chain",
    ];
    out.add(Effects::READS);
    let named =
        invocation.options.iter().filter(|seen| FILES.contains(&seen.name)).filter_map(|seen| seen.value);
    let connects = invocation.last().names == "s_client";
    if connects && out.fed {
        // What it reads goes to the other side.
        out.add(Effects::SENDS_DATA);
    }
    if connects {
        carries_nothing(invocation, out);
        let host = invocation.value(&["connect", "host"]).and_then(|value| value.known());
        if host.is_some_and(is_no_public_name) {
            out.by_options.add(Effects::NETWORK_WRITE);
            out.add(Effects::NETWORK_WRITE);
        }
    }
    let operands = invocation.operands.iter().copied().filter(|_| !connects);
    for file in named.chain(operands) {
        out.files.push((Use::Read, file));
    }
}

pub(super) fn digested_files<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    // The digest of a secret file does not show it.
    let named = invocation.options.iter().filter(|seen| matches!(seen.name, "in" | "verify" | "signature"));
    for file in named.filter_map(|seen| seen.value).chain(invocation.operands.iter().copied()) {
        out.files.push((Use::Read, file));
    }
}

/// Without an output file the key goes to standard output, unless only its public half is asked for.
pub(super) fn key_material<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for file in invocation.options.iter().filter(|seen| matches!(seen.name, "in" | "inkey" | "paramfile")) {
        out.files.extend(file.value.map(|value| (Use::Read, value)));
    }
    let private_text = invocation.has(&["text"]) && !invocation.has(&["pubin"]);
    let public = invocation.has(&[
        "pubin",
        "pubout",
        "noout",
        "list_curves",
        "RSAPublicKey_out",
        "text_pub",
        "nokeys",
    ]);
    if !invocation.has(&["out"]) && (private_text || !public) && !out.help {
        out.add(Effects::SECRETS);
    }
}

pub(super) fn gpg<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const LOOKS: &[&str] = &[
        "k",
        "K",
        "--list-keys",
        "--list-public-keys",
        "--list-key",
        "--list-secret-keys",
        "--list-signatures",
        "--list-sigs",
        "--check-signatures",
        "--check-sigs",
        "--fingerprint",
        "--show-keys",
        "--verify",
        "--verify-files",
        "--list-packets",
        "--list-config",
        "--list-gcrypt-config",
        "--card-status",
        "--print-md",
        "--print-mds",
        "--list-trustdb",
        "--export-ownertrust",
        "--export",
        "--export-ssh-key",
        "--search-keys",
        "--decrypt",
        "--export-secret-keys",
        "--export-secret-subkeys",
        "--send-keys",
        "--gen-revoke",
        "--generate-revocation",
        "--gen-random",
    ];
    output(invocation, out);
    for seen in invocation.options.iter().filter(|seen| seen.name.ends_with("-options")) {
        let photos = |value: Argument<'_>| value.known().is_none_or(shows_photos);
        if matches!(seen.name, "--list-options" | "--verify-options") && seen.value.is_none_or(photos) {
            out.executes();
        }
    }
    if invocation.has(&["--search-keys"]) {
        carries_nothing(invocation, out);
    }
    // Without a command it decrypts, or imports, whatever the file holds.
    if !invocation.has(LOOKS) && !out.help {
        out.add(Effects::WRITES);
    }
}

/// Photos are shown by a program that the user has set. Each word may be abbreviated.
fn shows_photos(options: &str) -> bool {
    options.split([',', ' ']).any(|word| {
        let name = word.trim().split('=').next().unwrap_or_default().to_ascii_lowercase();
        !name.is_empty() && "show-photos".starts_with(&name)
    })
}

/// `-` is standard output.
pub(super) fn output<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    writes_unless_dash(invocation, &["o", "--output"], out);
}

/// It is the other options that decide what it does, so only these may stand beside the ones that show.
pub(super) fn ssh_keygen<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const BESIDE: &[&str] = &["l", "L", "F", "B", "y", "r", "v", "q", "E", "f", "g", "P", "D", "w"];
    let looks = invocation.has(&["l", "F", "B", "L", "y", "r"])
        && invocation.options.iter().all(|seen| BESIDE.contains(&seen.name));
    out.add(if looks { Effects::READS } else { Effects::WRITES });
    if invocation.has(&["D", "w"]) {
        out.executes();
    }
}

pub(super) fn ssh_add<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let looks = invocation.has(&["l", "L", "T"])
        && invocation.operands.is_empty()
        && !invocation.has(&["d", "D", "x", "X"]);
    out.add(if looks { Effects::READS } else { Effects::SYSTEM });
    if invocation.has(&["s", "S"]) {
        out.executes();
    }
}

pub(super) fn keytool<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const CHANGES: &[&str] = &[
        "genkeypair",
        "genkey",
        "importcert",
        "import",
        "exportcert",
        "export",
        "delete",
        "importkeystore",
        "changealias",
        "storepasswd",
        "keypasswd",
        "certreq",
        "gencert",
    ];
    if invocation.has(&["list", "printcert", "printcertreq", "printcrl"]) && !invocation.has(CHANGES) {
        out.effects = out.effects.without(Effects::WRITES).and(Effects::READS);
    }
}

/// A connection to a bare number, or to what only this machine can reach, is more than a look at a certificate.
fn is_no_public_name(host: &str) -> bool {
    let number =
        host.split(':').next().unwrap_or_default().bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    number || address::place(host) != address::Place::Public
}
