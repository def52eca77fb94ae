//! Programs that watch services and scan what is built: metrics, logs, errors, vulnerabilities, signatures.

use super::invocation::{Invocation, Outcome};
use super::shapes::{HELP, change, group, look, runs, show};
use super::table::{Operands, Spec};
use crate::effects::Effects;

const CHANGES: Effects = Effects::NETWORK_WRITE;
const PUBLISHES: Effects = Effects::NETWORK_WRITE.and(Effects::PUBLISHES);
const STORES: Effects = Effects::WRITES;
const SECRET: Effects = Effects::SECRETS;
const REMOTE_RUN: Effects = Effects::NETWORK_WRITE.and(Effects::EXECUTES);

const HELPS: Spec = look("help version completion autocomplete", "-h!help --*");

const SENTRY: Spec = Spec::new("sentry-cli", Effects::UNKNOWN)
    .options(
        "-h!help -V!help -op= --api-key= --auth-token= --header=!sends-data \
                --log-level= --org= --project= --quiet --url=!sends-data",
    )
    .verbs(&[
        show("info", "--config-status-json --no-defaults"),
        group(
            "projects organizations issues repos events monitors",
            &[show("list", "-amsq --*"), runs("run", REMOTE_RUN), change("*", CHANGES)],
        ),
        group(
            "releases",
            &[
                show("list info", "--*"),
                show("propose-version", "-h!help"),
                change("*", CHANGES.and(Effects::PUBLISHES)),
            ],
        ),
        group("deploys", &[show("list", "-r= --*"), change("new", CHANGES)]),
        group(
            "debug-files dif",
            &[
                look("check find print-sources", "--*").operands(Operands::Read),
                change("bundle-jvm", STORES),
                change("upload bundle-sources", CHANGES.and(Effects::SENDS_DATA)),
            ],
        ),
        group(
            "sourcemaps",
            &[
                look("explain resolve", "--*"),
                change("inject", STORES),
                change("upload", CHANGES.and(Effects::SENDS_DATA)),
            ],
        ),
        HELPS,
        change("login", STORES),
        change("update uninstall", Effects::SYSTEM),
        change(
            "send-event send-envelope send-metric upload-proguard upload-dif react-native \
                build dart-symbol-map logs",
            CHANGES.and(Effects::SENDS_DATA),
        ),
        runs("bash-hook", Effects::EXECUTES),
    ])
    .examples(&[
        ("sentry-cli projects list", "network-read"),
        ("sentry-cli releases new 1", "network-write publishes"),
        ("sentry-cli sourcemaps upload x", "network-write sends-data"),
    ]);

const DATADOG: Spec = Spec::new("datadog-ci", Effects::UNKNOWN)
    .options("-h!help -v!help")
    .verbs(&[HELPS, change("*", CHANGES.and(Effects::SENDS_DATA))])
    .examples(&[("datadog-ci version", "reads"), ("datadog-ci junit upload x", "network-write sends-data")]);

const PROMETHEUS: Spec = Spec::new("prometheus", Effects::SYSTEM.and(Effects::WRITES))
    .options("-h!help --help-long!help --help-man!help --*")
    .operands(Operands::Text)
    .examples(&[
        ("prometheus --help", "reads"),
        ("prometheus --version", "reads"),
        ("prometheus --config.file=a.yml", "system writes"),
    ]);

const PROMTOOL: Spec = Spec::new("promtool", Effects::UNKNOWN)
    .options("-h!help --enable-feature= --experimental")
    .verbs(&[
        group(
            "check",
            &[
                look(
                    "config rules web-config service-discovery",
                    "--agent --lint= --lint-fatal --syntax-only --timeout= --ignore-unknown-fields",
                )
                .operands(Operands::Read),
                show("healthy ready", "--url=url --http.config.file=read"),
                look("metrics", "--extended --lint="),
            ],
        ),
        group(
            "query",
            &[show(
                "instant range series labels analyze",
                "-o= --end= --format= --http.config.file=read --match= --start= --step= \
                --time= --type= --duration= --header=!sends-data",
            )],
        ),
        group(
            "test",
            &[look("rules", "--diff --debug --ignore-unknown-fields --run=").operands(Operands::Read)],
        ),
        group(
            "tsdb",
            &[
                look("list analyze dump dump-openmetrics", "-r --*").operands(Operands::Read),
                change("bench create-blocks-from", STORES),
            ],
        ),
        group("promql", &[look("format", "-h!help"), look("label-matchers", "-h!help")]),
        HELP,
        change("debug", STORES),
        change("push", CHANGES.and(Effects::SENDS_DATA)),
    ])
    .examples(&[
        ("promtool check config a.yml", "reads"),
        ("promtool query instant http://a.example up", "network-read"),
        ("promtool push metrics http://a b", "network-write sends-data"),
    ]);

const AMTOOL: Spec = Spec::new("amtool", Effects::UNKNOWN)
    .options(
        "-h!help -o= -v --alertmanager.url=!network-read --date.format= \
                --http.config.file=read --output= --timeout= --verbose --version-check",
    )
    .verbs(&[
        group(
            "alert",
            &[
                show("query", "-ais= --active --inhibited --receiver= --silenced --unprocessed"),
                change("add", CHANGES),
            ],
        ),
        group(
            "silence",
            &[
                show("query", "-qw= --created-by= --expired --id= --matcher= --within= --quiet"),
                change("add expire import update", CHANGES),
            ],
        ),
        look("check-config", "-h!help").operands(Operands::Read),
        group(
            "config",
            &[
                show("show", "-h!help"),
                show("routes", "--config.file=read --tree --verify.receivers=")
                    .verbs(&[show("show test", "--config.file=read --tree --verify.receivers=")]),
            ],
        ),
        group("cluster", &[show("show", "-h!help")]),
        HELP,
        group("template", &[look("render", "--*")]),
    ])
    .examples(&[("amtool alert query", "network-read"), ("amtool silence add a=b", "network-write")]);

const LOGCLI: Spec = Spec::new("logcli", Effects::UNKNOWN)
    .options(
        "-hq -o= --addr=!sends-data --auth-header= --bearer-token= \
                --bearer-token-file=read!secrets --ca-cert=read --cert=read \
                --key=read!secrets --nocache --org-id= --output= --password= \
                --proxy-url=!sends-data --quiet --query-tags= --retries= --stats --stdin \
                --timezone= --tls-skip-verify --username= --cpuprofile=write \
                --memprofile=write --compress --envproxy --min-backoff= --max-backoff=",
    )
    .verbs(&[
        show(
            "query instant-query labels series stats volume volume_range index-stats \
                detected-fields",
            "-ft --analyze-labels --batch= --colored-output --delay-for= --exclude-label= \
                --follow --forward --from= --include-common-labels --include-label= \
                --interval= --labels-length= --limit= --limit-per= --match= --no-labels \
                --now= --since= --store-config=read --step= --tail --to= --targetLabels= \
                --aggregateByLabels --parallel-duration= --parallel-max-workers= \
                --part-path-prefix=write --merge-parts --overwrite-completed-parts \
                --keep-parts",
        ),
        look("fmt help", "-h"),
        change("delete", CHANGES),
    ])
    .examples(&[
        ("logcli query '{a=\"b\"}' --since 1h", "network-read"),
        ("logcli query a --addr http://evil.example", "network-read sends-data"),
    ]);

const NEWRELIC: Spec = Spec::new("newrelic", Effects::UNKNOWN)
    .options("-h!help -v!help -a= --accountId= --debug --format= --plain --profile= --trace")
    .verbs(&[
        group(
            "apm entity workload nerdstorage edge eventtypes",
            &[
                show("get list search", "--*"),
                group("application deployment tags", &[show("get list search", "--*"), change("*", CHANGES)]),
                change("*", CHANGES),
            ],
        ),
        group(
            "nrql",
            &[
                show("query", "-aq= --*"),
                show("dropRules", "--*").verbs(&[show("list", "--*"), change("*", CHANGES)]),
            ],
        ),
        HELPS,
        group("profile", &[change("list", SECRET), change("add configure default delete", STORES)]),
        change("install agent diagnose update", Effects::SYSTEM),
        change("*", CHANGES),
    ])
    .examples(&[
        ("newrelic nrql query -q a", "network-read"),
        ("newrelic apm deployment create --x", "network-write"),
    ]);

// Snyk's dependency scan runs the package manager of the project.
const SNYK: Spec = Spec::new("snyk", Effects::UNKNOWN)
    .options("-dv -h!help --*")
    .verbs(&[
        HELPS,
        change(
            "test monitor code container iac sbom aibom redteam",
            Effects::PROJECT_CODE.and(Effects::SENDS_DATA),
        ),
        change("auth config ignore policy log4shell mcp", STORES),
        change("fix", Effects::WRITES.and(Effects::PROJECT_CODE)),
        change("apps", CHANGES),
    ])
    .examples(&[
        ("snyk --version", "reads"),
        ("snyk test", "project-code sends-data"),
        ("snyk auth", "writes"),
    ]);

/// Settings of the project can name the file that is written and the server that is asked.
const SCANS: Effects = Effects::READS.and(Effects::NETWORK_READ).and(Effects::PROJECT_CODE);

const TRIVY: Spec = Spec::new("trivy", Effects::UNKNOWN)
    .options(
        "-h!help -v!help -dq -c=read --cache-dir=write --config=read --debug \
                --generate-default-config!writes --insecure --quiet --timeout=",
    )
    .verbs(&[
        Spec::new("image i fs filesystem rootfs repo repository config conf sbom vm", SCANS)
            .options(
                "-s= -f= -o=write -t= --db-repository= --dependency-tree --exit-code= \
                --file-patterns= --format= --ignore-policy=read --ignore-status= \
                --ignore-unfixed --ignorefile=read --image-src= --include-dev-deps \
                --include-non-failures --input=read --java-db-repository= --license-full \
                --list-all-pkgs --no-progress --offline-scan --output=write --parallel= \
                --pkg-types= --platform= --removed-pkgs --report= --scanners= \
                --secret-config=read --severity= --show-suppressed --skip-check-update \
                --skip-db-update --skip-dirs= --skip-files= --skip-java-db-update \
                --skip-policy-update --template= --trace --vuln-type= --branch= --commit= \
                --tag= --tf-vars=read --helm-values=read --helm-set=",
            )
            .operands(Operands::Text),
        look("version help completion", "-f= --format="),
        change("clean", Effects::DELETES),
        change("server", Effects::SYSTEM),
        change("plugin module", Effects::INSTALLS_NAMED),
        change("convert vex", STORES),
        change("kubernetes k8s aws", CHANGES),
        change("registry", STORES),
    ])
    .examples(&[
        ("trivy --version", "reads"),
        ("trivy image --severity HIGH alpine", "reads network-read project-code"),
        ("trivy fs .", "reads network-read project-code"),
        ("trivy fs -o x .", "reads network-read project-code writes"),
        ("trivy plugin install a", "installs-named"),
    ]);

const GRYPE: Spec = Spec::new("grype syft", SCANS)
    .options(
        "-h!help -qv -c=read -fost= --add-cpes-if-none --base-path=read --by-cve \
                --config=read --distro= --enrich= --exclude= --fail-on= --file=write --from= \
                --ignore-states= --name= --only-fixed --only-notfixed --output= \
                --override-default-catalogers= --parallelism= --platform= --profile= --quiet \
                --scope= --select-catalogers= --show-suppressed --sort-by= --source-name= \
                --source-supplier= --source-version= --template=read --verbose --vex=read",
    )
    .verbs(&[
        look("version help completion", "-o= --output="),
        Spec::new("scan packages", SCANS).options("-h!help").operands(Operands::Text),
        group(
            "db",
            &[show("check list providers status search", "-o= --*"), change("update import delete", STORES)],
        ),
        look("explain", "--id="),
        look("cataloger", "-h!help").verbs(&[look("list", "-o= --*")]),
        change("attest", PUBLISHES),
        change("convert", STORES),
        change("login", STORES),
        look("config", "-h!help"),
    ])
    .operands(Operands::Text)
    .check(bill_file)
    .examples(&[
        ("grype version", "reads"),
        ("grype alpine --only-fixed", "reads network-read project-code"),
        ("syft . -o json", "reads network-read project-code"),
        ("syft . -o json=out.json", "reads network-read project-code writes"),
        ("syft attest a", "publishes network-write"),
    ]);

const COSIGN: Spec = Spec::new("cosign", Effects::UNKNOWN)
    .options("-h!help -d -t= --output-file=write --timeout= --verbose")
    .verbs(&[
        show(
            "verify verify-attestation verify-blob verify-blob-attestation tree \
                triangulate manifest",
            "-ao= --allow-http-registry --allow-insecure-registry --annotations= \
                --attachment= --bundle=read --ca-intermediates=read --ca-roots=read \
                --certificate= --certificate-chain= --certificate-github-workflow-name= \
                --certificate-github-workflow-ref= --certificate-github-workflow-repository= \
                --certificate-github-workflow-sha= --certificate-github-workflow-trigger= \
                --certificate-identity= --certificate-identity-regexp= \
                --certificate-oidc-issuer= --certificate-oidc-issuer-regexp= --check-claims=? \
                --insecure-ignore-sct=? --insecure-ignore-tlog=? --key= --new-bundle-format=? \
                --offline=? --output= --policy=read --private-infrastructure=? \
                --rekor-url=url --signature=read --trusted-root=read --type= --local-image=? \
                --experimental-oci11=?",
        ),
        look("version env help completion", "--json --show-descriptions=? --show-sensitive-values=?!secrets"),
        change("sign sign-blob attest attest-blob attach copy upload", PUBLISHES),
        change("clean", CHANGES),
        change(
            "generate-key-pair import-key-pair initialize save load download public-key \
                trusted-root bundle signing-config",
            SECRET.and(STORES),
        ),
        change("dockerfile login piv-tool pkcs11-tool generate", STORES),
    ])
    .examples(&[
        ("cosign verify --key cosign.pub a/b", "network-read"),
        ("cosign sign a/b", "publishes network-write"),
    ]);

pub(super) const TABLE: &[Spec] =
    &[SENTRY, DATADOG, PROMETHEUS, PROMTOOL, AMTOOL, LOGCLI, NEWRELIC, SNYK, TRIVY, GRYPE, COSIGN];

/// `-o format=file` writes that file.
fn bill_file(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let formats = invocation.options.iter().filter(|seen| matches!(seen.name, "o" | "--output"));
    if formats.filter_map(|seen| seen.value).any(|value| value.known().is_none_or(|text| text.contains('=')))
    {
        out.add(Effects::WRITES);
    }
}
