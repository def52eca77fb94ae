//! What a line of gcloud does, by its groups and its verb.

use super::invocation::{Invocation, Outcome};
use super::layers;
use crate::effects::Effects;
use crate::unclear::Why;

const WRITES_CONFIG: &[&str] = &["set", "unset", "activate", "rename", "create", "delete"];

const VALUED: &[&str] = &[
    "--project",
    "--account",
    "--billing-project",
    "--configuration",
    "--format",
    "--verbosity",
    "--flatten",
    "--filter",
    "--region",
    "--zone",
    "--location",
    "--trace-token",
    "--limit",
    "--sort-by",
    "--page-size",
    "--impersonate-service-account",
    "--access-token-file",
    "--flags-file",
];

/// Groups whose names are verbs elsewhere.
const TOP_GROUPS: &[&str] = &["deploy", "run", "transfer", "source"];

const RELEASES: &[&str] = &["alpha", "beta", "preview"];

const READING_STARTS: &[&str] = &[
    "list-",
    "describe-",
    "get-",
    "search-",
    "lookup-",
    "tail-",
    "read-",
    "analyze-move",
    "test-iam-permissions",
    "stream-logs",
    "validate",
];

const READING: &[&str] = &[
    "list",
    "describe",
    "get",
    "read",
    "tail",
    "search",
    "lookup",
    "ls",
    "cat",
    "du",
    "hash",
    "stat",
    "show",
    "log",
    "analyze-iam-policy",
];

/// Words that only lead to a verb.
const GROUPS: &str = " access-approval access-context-manager accelerator-types accounts \
                acl-entries active-directory active-peering-zones addons address-groups \
                addresses agent agents ai ai-platform aliases alloydb allocations \
                analyze-iam-policy anthos api-configs api-gateway api-keys apigee apis app \
                apphub application application-default applications apps appliances artifacts \
                asset assured attached-disks attestations attestors audit-manager auth \
                authorities authorization-policies authorized-domains authorized-orgs \
                authorized-views authz-policies autokey autoscaling-policies \
                auto-provisioning aws azure backend-authentication-configs backend-buckets \
                backend-services backup-dr backup-plan-associations backup-plans \
                backup-restore backup-runs backup-schedules backup-vaults backups bare-metal \
                batch bigtable billing binauthz binary-authorization bindings bms bq brokers \
                brands buckets budgets builds builders caches capacity-commitments \
                certificate-issuance-configs certificate-manager certificates \
                channel-connections channels chips client-tls-policies clients cloud-shell \
                cloud-bindings cloudlocationfinder clusters colab collector-deployments \
                collector-groups commitments commits components composer compute conditions \
                config config-controller config-management config-connector configs \
                configurations connection-profiles connections connectors connectivity-tests \
                container container-images containers contexts continuous-backups \
                control-plane-certificates credentials cross-site-networks custom-jobs \
                custom-modules custom-constraints customer-encryption-keys data-catalog \
                data-fusion data-exports data-profiles database-migration databases dataflow \
                dataplex dataproc datasets datastore datastream datascans delivery-pipelines \
                deploy-policies deployment-manager deployments descriptors developer-connect \
                devices dialogflow discoveredservices disk-types disks dlp dns \
                dns-authorizations dns-bindings docker domain-mappings domains edge-cache \
                edge-cloud edge-container ekm-config ekm-connections emulators \
                endpoint-policies endpoints engines entitlements entries entry-groups \
                entry-types environments essential-contacts etl eventarc event-types \
                executions external-accounts external-vpn-gateways feature-groups features \
                feature-online-stores feature-views field fields filestore files findings \
                firebase firewall-endpoint-associations firewall-endpoints firewall-policies \
                firewall-rules firestore flags flex-template folders forwarding-rules \
                functions future-reservations game gateway-security-policies gateways generic \
                genai gke-backup gke-hub go global-addresses google-api-sources \
                google-channels governance-rules grants groups grpc-routes guest-policies \
                guest-os-features health-checks healthcare hl7v2-stores hmac host-projects \
                http-health-checks http-routes https-health-checks hub hybrid-peerings iam \
                iap ids identity images imports import-jobs in-toto-attestations \
                index-endpoints indexes infra-manager insights insight-types \
                inspection-templates instance-configs instance-groups instance-partitions \
                instance-templates instances instant-snapshots insight-configs integration \
                integrations interconnects interceptors intercept-deployment-groups \
                intercept-deployments intercept-endpoint-group-associations \
                intercept-endpoint-groups internal-ranges inventories issuers job-triggers \
                jobs kafka keys keyrings kms kubernetes layers labels language leases levels \
                lfs lineage links lite-operations lite-reservations lite-subscriptions \
                lite-topics locations logging logs looker lustre machine-images machine-types \
                macsec maintenance maintenance-windows managed managed-folders \
                managed-identity managed-kafka managed-zones managed-instances manifests \
                maven memberships memcache memorystore mesh meshes messages metadata \
                metadata-import metastore metrics metrics-scopes migration migration-jobs \
                migration-center mirroring-deployment-groups mirroring-deployments \
                mirroring-endpoint-groups mirroring-endpoint-group-associations ml ml-engine \
                model-garden model-monitoring-jobs models monitoring multicast-domains \
                multi-region-endpoints muteconfigs namespaces nas-jobs netapp network-actions \
                network-attachments network-connectivity network-edge-security-services \
                network-endpoint-groups network-firewall-policies network-management \
                network-profiles network-security network-services networks node-groups \
                node-pools node-templates node-types nodes notes notification-channels \
                notifications npm oauth-brands oauth-clients oauth objects observability \
                operations oracle-database org-policies org-security-policies organizations \
                orchestration-clusters os-config os-inventory os-login os-policies \
                os-policy-assignment-reports os-policy-assignments os-upgrade packages \
                packet-mirrorings parallelstore parameters parametermanager parameter-manager \
                partition-queries partner-metadata patch-deployments patch-jobs \
                patch-policies peering-routes peerings peered-dns-domains perimeters \
                persistent-resources phrase-sets pipelines policies policy-bindings \
                policy-based-routes policy-intelligence policy-tags policy-troubleshoot pools \
                posture-deployments posture-templates postures preconfigured-expression-sets \
                presets private-cache private-clouds private-connections privateca \
                privileged-access-manager products projects properties \
                public-advertised-prefixes public-delegated-prefixes publishers pubsub python \
                queries queued-resources queues quotas ranges recaptcha recognizers \
                recommendations recommender recommender-config record-sets redis \
                referencelists references regions region-urls registrations releases \
                releases-configs reports repositories repos reservations resource-bundles \
                resource-config resource-drifts resource-manager resource-policies \
                response-policies restores resources revisions roles rollouts rollout-plans \
                rollout-sequences root-certificates roots routers routes routing-rules rows \
                rpms rpo rules rulesets runtime-config runtimes saas-runtime salesforce \
                sandboxes sbom scc schedules scheduler schemas scheduled-queries scopes \
                secrets secure-source-manager security-center security-profile-groups \
                security-profiles security-policies server-tls-policies service-accounts \
                service-agents service-attachments service-bindings service-directory \
                service-extensions service-groups service-health service-lb-policies \
                service-level-objectives service-management service-mesh service-perimeters \
                services sessions settings shared-vpc shielded-instance-config simulation \
                sinks snapshot-groups snapshot-schedules snapshots sole-tenancy \
                source-manager sources spanner spark speech spokes sql ssl-certificates \
                ssl-certs ssl-policies ssh-keys stacks storage storage-insights storage-pools \
                storage-pool-types storage-volumes stream-pipelines studies subnets \
                subordinates subscriptions sub-keys tables tags tag-templates tailers \
                target-grpc-proxies target-http-proxies target-https-proxies target-instances \
                target-pools target-ssl-proxies target-tcp-proxies target-vpn-gateways \
                targets tasks taxonomies tcp tcp-routes telco-automation templates tenants \
                tensorboard-experiments tensorboards tiers time-series \
                tls-inspection-policies tls-routes topics tpu-vm tpus traces transcoder \
                transport translation triggers troubleshoot-policy trust-configs tunnels \
                types unified-maintenance units url-lists url-maps usage users usable-subnets \
                vbare-metal validators values versions views virtual-machines vision vmware \
                volumes vmwareengine vpc-access vpn-connections vpn-gateways vpn-tunnels \
                vulnerabilities vulnerability-reports waypoints web web-app workbench \
                worker-pools workers workflow workflow-templates workflows workforce-pools \
                workload-identity-pools workload-sources workloads workspaces workstations \
                xpn yum zones project-info nats unmanaged attachments remote-locations \
                snapshot-settings associated-projects associations instance-settings hosts \
                fleet policy policycontroller ingress providers subjects \
                principal-access-boundary-policies apt vpcsc-config hp-tuning-jobs \
                app-profiles hot-tablets dags data plugins user-workloads-config-maps \
                user-workloads-secrets batches session-templates automations automation-runs \
                custom-target-types job-runs dns-keys changes quota audit-logs-provider \
                message-buses enrollments composite user-creds consent-stores dicom-stores \
                fhir-stores dest-groups inventory key-handles cmek-settings \
                resource-descriptors saved-queries recent-queries dashboards snoozes uptime \
                channel-descriptors hubs route-tables regional-endpoints \
                service-connection-policies transports vpc-flow-logs-configs liens holds \
                capabilities multi-region-services assets bqexports replication vpc-peerings \
                ddl samples splits client-certs server-ca-certs server-certs anywhere-caches \
                batch-operations intelligence-configs agent-pools cmek-config \
                supported-permissions supported-services feeds developers archives maps \
                issuance-configs conversion-workspaces lakes aspect-types glossaries requests \
                test-cases android ios firebase-test network-policies cluster-policies \
                logging-servers ssl ";

const FLAGS: &[&str] = &[
    "--quiet",
    "-q",
    "--log-http",
    "--no-log-http",
    "--user-output-enabled",
    "--no-user-output-enabled",
    "--global",
    "--uri",
];

/// Only a query that begins with SELECT, with nothing after it that changes, reads.
pub(super) fn query(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let reads = invocation.operands.iter().all(|text| text.known().is_some_and(super::aws::is_reading_query));
    if !reads || invocation.operands.is_empty() {
        out.add(Effects::NETWORK_WRITE);
    }
}

fn is_reading(word: &str) -> bool {
    READING.contains(&word) || layers::starts(word, READING_STARTS)
}

pub(super) fn gcloud(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let words = invocation.words;
    let path = layers::path(words, VALUED, FLAGS);
    let parts = path.words.as_slice();
    let explains = matches!(parts, ["help" | "topic" | "info" | "version" | "cheat-sheet", ..]);
    if explains || layers::asks_help(words) || (parts.is_empty() && layers::has(words, "--version")) {
        out.add(Effects::READS);
        return;
    }
    let tracks = parts.iter().take_while(|word| RELEASES.contains(word)).count();
    let leads = |at: usize, word: &str| {
        GROUPS.contains(&format!(" {word} ")) || (at == tracks && TOP_GROUPS.contains(&word))
    };
    let at = parts
        .iter()
        .enumerate()
        .skip(tracks)
        .find(|(at, word)| is_reading(word) || !leads(*at, word))
        .map(|(at, _)| at);
    let verb = at.and_then(|at| parts.get(at).copied());
    let effects = match (at, verb) {
        (Some(0), Some("feedback" | "survey")) => Effects::NETWORK_WRITE,
        (Some(0), Some("init")) => Effects::WRITES,
        (Some(0), Some("interactive")) => Effects::EXECUTES,
        (Some(at), Some(verb)) if at > tracks => effects(parts.get(tracks..at).unwrap_or_default(), verb),
        (_, _) => Effects::UNKNOWN,
    };
    out.add(effects);
    if effects == Effects::UNKNOWN {
        let span = path.unclear.or(words.first().copied()).map(|word| word.span).unwrap_or_default();
        out.doubt(Why::UnknownCommand, format!("gcloud {}", parts.join(" ")), span);
    }
    options(invocation, effects, out);
}

/// What a verb under these groups does.
fn effects(groups: &[&str], verb: &str) -> Effects {
    let first = groups.first().copied().unwrap_or_default();
    let last = groups.last().copied().unwrap_or_default();
    let telling = ["token", "key-string", "password", "auth-string", "secret", "credential"];
    match (first, verb) {
        (_, "get-credentials") => Effects::NETWORK_READ.and(Effects::WRITES).and(Effects::SECRETS),
        ("secrets", "access") | ("parametermanager" | "parameter-manager", "render") => {
            Effects::NETWORK_READ.and(Effects::SECRETS)
        }
        (_, verb) if verb.starts_with("print-") => Effects::SECRETS,
        (_, verb)
            if is_reading(verb)
                && groups.contains(&"oauth-clients")
                && (first == "iap" || groups.contains(&"credentials")) =>
        {
            Effects::NETWORK_READ.and(Effects::SECRETS)
        }
        (_, verb) if is_reading(verb) && telling.iter().any(|part| verb.contains(part)) => {
            Effects::NETWORK_READ.and(Effects::SECRETS)
        }
        ("config", "config-helper") | ("storage", "sign-url") => Effects::SECRETS,
        ("auth" | "config", verb) if is_reading(verb) => Effects::READS,
        ("auth", _) => Effects::WRITES,
        ("config", verb) if WRITES_CONFIG.contains(&verb) && last != "connections" => Effects::WRITES,
        ("components", verb) if is_reading(verb) => Effects::NETWORK_READ,
        ("components", _) => Effects::INSTALLS_NAMED,
        (
            _,
            "ssh"
            | "start-iap-tunnel"
            | "connect-to-serial-port"
            | "connect"
            | "call"
            | "execute"
            | "start-tcp-tunnel",
        ) => Effects::NETWORK_WRITE.and(Effects::EXECUTES),
        (_, "scp") | ("storage", "cp" | "mv" | "rsync") => {
            Effects::NETWORK_WRITE.and(Effects::WRITES).and(Effects::SENDS_DATA)
        }
        ("storage", "cat" | "ls" | "du" | "hash") | ("builds", "log") => Effects::NETWORK_READ,
        (_, "cat" | "ls" | "du" | "hash" | "log" | "stat") => Effects::NETWORK_WRITE,
        ("iam", "create") if last == "keys" => {
            Effects::NETWORK_WRITE.and(Effects::WRITES).and(Effects::SECRETS)
        }
        ("builds", "submit") | (_, "deploy") => Effects::NETWORK_WRITE.and(Effects::PUBLISHES),
        ("kms", "decrypt" | "encrypt") => Effects::WRITES.and(Effects::SECRETS),
        (_, verb) if verb.ends_with("-iam-policy-binding") || verb == "set-iam-policy" => {
            Effects::NETWORK_WRITE.and(Effects::PERMISSIONS)
        }
        (_, verb) if is_reading(verb) => Effects::NETWORK_READ,
        (_, verb) if is_name(verb) => Effects::NETWORK_WRITE,
        (_, _) => Effects::UNKNOWN,
    }
}

fn is_name(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// Options that take the rights of another, further options, or a file to write.
fn options(invocation: &Invocation<'_, '_>, effects: Effects, out: &mut Outcome<'_>) {
    let words = invocation.words;
    if layers::gives(words, "--impersonate-service-account") {
        out.add(Effects::PRIVILEGE);
    }
    if layers::gives(words, "--access-token-file") {
        out.add(Effects::SECRETS);
    }
    for word in words {
        let name = layers::name_of(word.prefix());
        if name.len() > 4 && "--flags-file".starts_with(name) {
            out.doubt(Why::UnknownOption, word.text, word.span);
        }
        if effects.is_harmless()
            && layers::starts(
                name,
                &[
                    "--output",
                    "--out-",
                    "--dest",
                    "--local-",
                    "--plaintext-file",
                    "--certificate-file",
                    "--attest",
                ],
            )
        {
            out.add(Effects::WRITES);
        } else if effects.is_harmless() && name.ends_with("-file") && name != "--access-token-file" {
            out.doubt(Why::UnknownOption, word.text, word.span);
        }
    }
}
