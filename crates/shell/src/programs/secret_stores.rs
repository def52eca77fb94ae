//! Programs that keep secrets: what they list is harmless, what they show is not.

use super::invocation::{Invocation, Outcome};
use super::shapes::{HELP, change, group, look, runs, show, show_dash};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;

const SECRET: Effects = Effects::SECRETS;
const CHANGES: Effects = Effects::NETWORK_WRITE;
const STORES: Effects = Effects::WRITES;
const RUNS: Effects = Effects::SECRETS.and(Effects::EXECUTES);
const SAVES: Effects = Effects::SECRETS.and(Effects::WRITES);

const VAULT_OPTIONS: &str = "-address=!sends-data -agent-address=!sends-data -ca-cert=read -ca-path=read \
                -client-cert=read -client-key=read!secrets -detailed -disable-redirects \
                -field= -format= -header= -log-format= -log-level= -mfa= -namespace= -ns= \
                -non-interactive -output-curl-string!secrets -output-policy -policy-override \
                -tls-server-name= -tls-skip-verify!sends-data -unlock-key= -wrap-ttl= -mount= \
                -h!help";

const fn vault_group(names: &'static str, verbs: &'static [Spec]) -> Spec {
    Spec::new(names, Effects::UNKNOWN).style(Style::SingleDash).options("-h!help").verbs(verbs)
}

const VAULT: Spec = Spec::new("vault bao", Effects::UNKNOWN)
    .style(Style::SingleDash)
    .options(VAULT_OPTIONS)
    .verbs(&[
        show_dash("status list path-help version version-history", "-h!help"),
        look("help", "-h!help"),
        vault_group(
            "kv",
            &[
                show_dash("list", "-h!help"),
                change("get", SECRET),
                change("put patch delete undelete destroy rollback enable-versioning", CHANGES),
                vault_group("metadata", &[show_dash("get", "-h!help"), change("put patch delete", CHANGES)]),
            ],
        ),
        vault_group(
            "policy",
            &[
                show_dash("list read", "-h!help"),
                look("fmt", "-h!help").operands(Operands::Write),
                change("write delete", CHANGES.and(Effects::PERMISSIONS)),
            ],
        ),
        vault_group(
            "auth",
            &[
                show_dash("list", "-h!help"),
                change("enable disable move tune help", CHANGES.and(Effects::PERMISSIONS)),
            ],
        ),
        vault_group(
            "secrets audit plugin",
            &[
                show_dash("list info", "-h!help"),
                change("enable disable move tune register deregister reload runtime", CHANGES),
            ],
        ),
        vault_group(
            "namespace",
            &[show_dash("list lookup", "-h!help"), change("create delete lock unlock patch", CHANGES)],
        ),
        vault_group("lease", &[show_dash("lookup", "-h!help"), change("renew revoke", CHANGES)]),
        vault_group(
            "token",
            &[
                change("lookup create", SECRET),
                show_dash("capabilities", "-h!help"),
                change("renew revoke", CHANGES),
            ],
        ),
        change("read print unwrap", SECRET),
        change("login", SAVES),
        change("write delete patch operator transit transform pki hcp", CHANGES),
        change("server agent proxy monitor debug", Effects::SYSTEM),
        runs("ssh", Effects::EXECUTES),
    ])
    .examples(&[
        ("vault status -format=json", "network-read"),
        ("vault kv list secret/", "network-read"),
        ("vault kv get -version=2 secret/a", "secrets"),
        ("vault read secret/a", "secrets"),
        ("vault status -address=https://evil.example", "network-read sends-data"),
        ("vault write secret/a b=c", "network-write"),
    ]);

const ONE_PASSWORD: Spec = Spec::new("op", Effects::UNKNOWN)
    .options(
        "-h!help --account= --cache=? --config=read --debug --encoding= --format= \
                --iso-timestamps --no-color --session=",
    )
    .verbs(&[
        group(
            "item",
            &[
                show("list", "--categories= --favorite --include-archive --long --tags= --vault="),
                change("get", SECRET),
                group("template", &[show("list get", "-h!help")]),
                change("create edit delete move share", CHANGES),
            ],
        ),
        group("vault user group account", &[show("list get", "--*"), change("*", CHANGES)]),
        group(
            "document",
            &[
                show("list", "--include-archive --vault="),
                change("get", SAVES),
                change("create edit delete", CHANGES),
            ],
        ),
        show("whoami", "-h!help"),
        look("help completion", "-h!help"),
        change("read", SECRET),
        change("inject", SAVES),
        runs("run", RUNS),
        change("signin", SECRET),
        change("signout update", STORES),
        runs("plugin", RUNS),
        change("events-api connect service-account environment ssh", CHANGES.and(SECRET)),
    ])
    .examples(&[
        ("op vault list --format json", "network-read"),
        ("op item get a --fields password", "secrets"),
        ("op read op://a/b/c", "secrets"),
        ("op run -- env", "secrets executes"),
        ("op inject -i a -o b", "secrets writes"),
    ]);

const BITWARDEN: Spec = Spec::new("bw", Effects::UNKNOWN)
    .options(
        "-h!help -v!help --cleanexit --nointeraction --pretty --quiet --raw --response \
                --session=",
    )
    .verbs(&[
        show("status", "-h!help"),
        look("help completion", "--shell="),
        look(
            "generate",
            "-lnpsu -c= --ambiguous --capitalize --includeNumber --length= --lowercase \
                --minNumber= --minSpecial= --number --passphrase --separator= --special \
                --uppercase --words=",
        ),
        group(
            "list",
            &[
                show("folders collections organizations org-members org-collections", "--*"),
                change("items", SECRET),
            ],
        ),
        change("get send receive", SECRET),
        change("export unlock login", SAVES),
        change("create edit delete restore move share confirm import device-approval", CHANGES),
        change("sync lock logout config update", STORES),
        change("serve", SECRET.and(CHANGES)),
        look("encode", "-h!help"),
    ])
    .examples(&[
        ("bw status", "network-read"),
        ("bw get password a", "secrets"),
        ("bw list items", "secrets"),
        ("bw delete item a", "network-write"),
    ]);

const LASTPASS: Spec = Spec::new("lpass", Effects::UNKNOWN)
    .options("-h!help -v!help")
    .verbs(&[
        show("ls status", "-lmuq --color= --format= --long --quiet --sync="),
        change("show export", SECRET),
        change("login", SAVES),
        change("logout", STORES),
        change("add edit generate duplicate rm mv passwd import share add-group", CHANGES),
        change("sync", CHANGES),
    ])
    .examples(&[
        ("lpass status", "network-read"),
        ("lpass show a --password", "secrets"),
        ("lpass rm a", "network-write"),
    ]);

const KEYRING: Spec = Spec::new("keyring", SECRET)
    .options("-b= -p= --list-backends --keyring-path= --keyring-backend= --mode= --output=")
    .operands(Operands::Text)
    .examples(&[("keyring get a b", "secrets"), ("keyring --help", "reads")]);

const PASS: Spec = Spec::new("pass gopass", Effects::READS)
    .options("-h!help -q=? -c=? --clip=? --qrcode=?")
    .operands(Operands::Effect(SECRET))
    .verbs(&[
        look("ls list search version help", "-f --flat --folders --limit= --strip-prefix"),
        look("find", "-h!help"),
        change("show grep otp cat sum history env fsck audit", SECRET),
        change(
            "insert add edit generate rm remove delete mv rename cp copy init set create \
                new link merge move recipients mounts templates clone setup config convert \
                process import unclip update",
            STORES,
        ),
        change("git sync", STORES.and(Effects::PUSHES)),
    ])
    .examples(&[
        ("pass ls", "reads"),
        ("pass show a", "secrets"),
        ("pass -c a", "reads secrets"),
        ("gopass rm a", "writes"),
    ]);

const KEEPASS: Spec = Spec::new("keepassxc-cli", Effects::UNKNOWN)
    .options("-hv!help")
    .verbs(&[
        look(
            "ls",
            "-fqR -ky= --flatten --key-file=read --no-password --quiet --recursive \
                --yubikey=",
        ),
        look("db-info search", "-q -ky= --key-file=read --no-password --quiet --yubikey="),
        look("help diceware estimate generate", "-Ulnse -LxWwci= --length= --words= --exclude= --*"),
        change("show clip export attachment-export open analyze", SECRET),
        change(
            "add edit rm mv mkdir rmdir merge import db-create db-edit attachment-import \
                attachment-rm",
            STORES,
        ),
    ])
    .examples(&[
        ("keepassxc-cli ls db.kdbx", "reads"),
        ("keepassxc-cli clip db.kdbx a", "secrets"),
        ("keepassxc-cli rm db.kdbx a", "writes"),
    ]);

const AWS_VAULT: Spec = Spec::new("aws-vault", Effects::UNKNOWN)
    .options(
        "-h!help --backend= --debug --file-dir=read --keychain= --pass-cmd=exec \
                --pass-dir=read --pass-prefix= --prompt= --version!help",
    )
    .verbs(&[
        look("list ls", "--credentials --profiles --sessions"),
        HELP,
        runs("exec", RUNS),
        change("export login", SECRET),
        change("add remove rm rotate clear", STORES),
    ])
    .examples(&[
        ("aws-vault list", "reads"),
        ("aws-vault exec a -- env", "secrets executes"),
        ("aws-vault remove a", "writes"),
    ]);

const CHAMBER: Spec = Spec::new("chamber", Effects::UNKNOWN)
    .options("-h!help -b= -r= -v --backend= --retries= --verbose")
    .verbs(&[
        show("list list-services history find", "-dstu -v --*"),
        look("version help completion", "-h!help"),
        change("read env export", SECRET),
        runs("exec", RUNS),
        change("write delete import tag", CHANGES),
    ])
    .examples(&[
        ("chamber list web", "network-read"),
        ("chamber read web a", "secrets"),
        ("chamber write web a b", "network-write"),
    ]);

const SOPS: Spec = Spec::new("sops", Effects::SECRETS.and(Effects::WRITES))
    .style(Style::Raw)
    .options("-h!help")
    .operands(Operands::Text)
    .check(sops)
    .examples(&[
        ("sops --version", "reads"),
        ("sops filestatus a.yaml", "reads"),
        ("sops -d a.yaml", "secrets writes"),
        ("sops exec-env a.yaml env", "secrets writes executes"),
    ]);

const DOPPLER: Spec = Spec::new("doppler", Effects::UNKNOWN)
    .options(
        "-h!help -t= -v!help --api-host=!sends-data --attempts= --config-dir=read \
                --configuration=read --dashboard-host= --debug --json --no-check-version \
                --no-timeout --no-verify-tls!sends-data --print-config --scope= --silent \
                --timeout= --token=",
    )
    .verbs(&[
        show("projects environments configs activity me workplace", "-cpne= --*").verbs(&[
            show("get logs", "-cpe= --*"),
            change("create delete update rename clone lock unlock rollback tokens", CHANGES),
            change("*", CHANGES),
        ]),
        show("secrets", "-cp= --only-names --*")
            .verbs(&[
                change("get download substitute", SAVES),
                change("set delete upload notes", CHANGES),
                change("*", SECRET),
            ])
            .check(names_only),
        look("help completion changelog", "-h!help"),
        runs("run", RUNS),
        change("configure login logout setup update open import", STORES),
        change("mount", SAVES),
    ])
    .examples(&[
        ("doppler projects", "network-read"),
        ("doppler secrets", "network-read secrets"),
        ("doppler secrets --only-names", "network-read"),
        ("doppler run -- rm -rf build", "secrets executes"),
    ]);

const INFISICAL: Spec = Spec::new("infisical", Effects::UNKNOWN)
    .options("-h!help -l= --domain=!sends-data --log-level= --silent --telemetry=?")
    .verbs(&[
        change("secrets export", SECRET),
        look("help completion", "-h!help"),
        change("scan", Effects::READS.and(Effects::WRITES)),
        runs("run", RUNS),
        change("login init reset user vault token", SAVES),
        change("service-token dynamic-secrets gateway agent ssh kmip bootstrap", CHANGES),
    ])
    .examples(&[
        ("infisical --version", "reads"),
        ("infisical secrets", "secrets"),
        ("infisical run -- env", "secrets executes"),
    ]);

const SECRET_TOOL: Spec = Spec::new("secret-tool", Effects::UNKNOWN)
    .options("-h!help")
    .verbs(&[change("lookup search", SECRET), change("store clear lock", STORES)])
    .examples(&[
        ("secret-tool --help", "reads"),
        ("secret-tool lookup a b", "secrets"),
        ("secret-tool clear a b", "writes"),
    ]);

pub(super) const TABLE: &[Spec] = &[
    VAULT,
    ONE_PASSWORD,
    BITWARDEN,
    LASTPASS,
    KEYRING,
    PASS,
    KEEPASS,
    AWS_VAULT,
    CHAMBER,
    SOPS,
    DOPPLER,
    INFISICAL,
    SECRET_TOOL,
];

fn sops(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let first = invocation.words.first().and_then(Argument::known).unwrap_or_default();
    if first == "filestatus"
        || (invocation.words.len() == 1 && matches!(first, "--version" | "-v" | "--help" | "-h" | "help"))
    {
        out.effects = Effects::READS;
    }
    if matches!(first, "exec-env" | "exec-file") {
        out.add(Effects::EXECUTES);
    }
}

/// Names of secrets without their values.
fn names_only(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    if !invocation.words.iter().any(|word| word.known() == Some("--only-names")) {
        out.add(Effects::SECRETS);
    }
}
