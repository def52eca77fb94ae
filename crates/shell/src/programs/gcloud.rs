//! Google's command lines: gcloud, gsutil, bq.

use super::gcloud_checks::{gcloud, query};
use super::shapes::{change, group, look, show};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

pub(super) const VALUED: &[&str] = &[
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

pub(super) const FLAGS: &[&str] = &[
    "--quiet",
    "-q",
    "--log-http",
    "--no-log-http",
    "--user-output-enabled",
    "--no-user-output-enabled",
    "--global",
    "--uri",
];

/// Words that only lead to a verb.
pub(super) const GROUPS: &str = " access-approval access-context-manager accelerator-types accounts \
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

/// Groups whose names are verbs elsewhere.
pub(super) const TOP_GROUPS: &[&str] = &["deploy", "run", "transfer", "source"];

pub(super) const RELEASES: &[&str] = &["alpha", "beta", "preview"];

pub(super) const READING: &[&str] = &[
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

pub(super) const READING_STARTS: &[&str] = &[
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

pub(super) const WRITES_CONFIG: &[&str] = &["set", "unset", "activate", "rename", "create", "delete"];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("gcloud", Effects::NONE)
        .style(Style::Raw)
        .options("-h!help")
        .operands(Operands::Text)
        .check(gcloud)
        .examples(&[
            ("gcloud compute instances list --filter=a", "network-read"),
            ("gcloud --project delete compute instances list", "network-read"),
            ("gcloud beta run services describe web", "network-read"),
            ("gcloud compute instances delete list", "network-write"),
            ("gcloud compute instances delete --help", "reads"),
            ("gcloud components update --version=1.2.3", "installs-named"),
            ("gcloud secrets versions access latest --secret=a", "network-read secrets"),
            ("gcloud auth print-access-token", "secrets"),
            ("gcloud auth application-default print-access-token", "secrets"),
            ("gcloud auth list", "reads"),
            ("gcloud container clusters get-credentials a", "network-read writes secrets"),
            ("gcloud config get-value project", "reads"),
            ("gcloud config set project a", "writes"),
            ("gcloud compute ssh web", "network-write executes"),
            ("gcloud compute instances list --impersonate-service-account=a", "network-read privilege"),
            ("gcloud compute instances list --flags-file=a", "network-read unknown"),
            ("gcloud kms keys versions get-public-key 1 --output-file=a", "network-read writes"),
            ("gcloud kms keys versions describe 1 --attestation-file=a", "network-read writes"),
            ("gcloud asset analyze-iam-policy --organization=1", "network-read"),
            (
                "gcloud asset analyze-iam-policy-longrunning --organization=1 --gcs-output-path=gs://b/x",
                "network-write",
            ),
            ("gcloud iam oauth-clients credentials describe a", "network-read secrets"),
            ("gcloud iap oauth-clients list b", "network-read secrets"),
            ("gcloud logging read 'severity>=ERROR'", "network-read"),
            ("gcloud storage cp a gs://b", "network-write writes sends-data"),
            ("gcloud storage ls gs://b", "network-read"),
            (
                "gcloud iam service-accounts keys create k.json --iam-account=a",
                "network-write writes secrets",
            ),
            ("gcloud projects add-iam-policy-binding a", "network-write permissions"),
            ("gcloud topic filters", "reads"),
            ("gcloud frobnicate list", "unknown"),
            ("gcloud run deploy list", "network-write publishes"),
            ("gcloud composer environments run web list", "network-write"),
            ("gcloud compute instances", "unknown"),
        ]),
    Spec::new("gsutil", Effects::UNKNOWN)
        .options("-Dmq -ihou=!unknown")
        .verbs(&[
            show("ls list", "-abdeLlrRp="),
            show("cat", "-h -r="),
            show("du", "-achos -eXy="),
            show("stat", "-h!help"),
            show("hash", "-chm"),
            look("help version", "-l"),
            look("ver", "-l"),
            group(
                "iam",
                &[show("get", "-h!help"), change("set ch", Effects::NETWORK_WRITE.and(Effects::PERMISSIONS))],
            ),
            group(
                "acl defacl cors lifecycle logging versioning web label notification \
                requesterpays retention ubla bucketpolicyonly kms pap rpo autoclass \
                defstorageclass",
                &[show("get list", "-h!help"), change("*", Effects::NETWORK_WRITE)],
            ),
            change("cp mv rsync", Effects::NETWORK_WRITE.and(Effects::WRITES).and(Effects::SENDS_DATA)),
            change("rm rb mb compose rewrite setmeta hmac", Effects::NETWORK_WRITE),
            change("signurl", Effects::SECRETS),
            change("config update", Effects::WRITES),
            change("perfdiag test", Effects::NETWORK_WRITE),
        ])
        .examples(&[
            ("gsutil ls -l gs://a", "network-read"),
            ("gsutil iam get gs://a", "network-read"),
            ("gsutil iam ch x gs://a", "network-write permissions"),
            ("gsutil -m rsync -d -r a gs://b", "network-write writes sends-data"),
            ("gsutil rm -r gs://a", "network-write"),
            ("gsutil signurl k.json gs://a", "secrets"),
        ]),
    Spec::new("bq", Effects::UNKNOWN)
        .style(Style::SingleDash)
        .options(
            "-api=!sends-data -apilog=write -bigqueryrc=exec -ca_certificates_file=read \
                -dataset_id= -debug_mode -disable_ssl_validation!sends-data -format= \
                -headless -job_id= -job_property= -location= -project_id= -q -quiet -sync \
                -synchronous_mode -nosync -trace= -use_gce_service_account!privilege -d -j -a \
                -n= -max_results=",
        )
        .verbs(&[
            show(
                "ls",
                "-a -all -d -datasets -j -jobs -p -projects -n= -max_results= -filter= -r \
                -routines -m -models -row_access_policies -transfer_config -transfer_run \
                -transfer_location= -page_token= -k= -print_last_token -capacity_commitment \
                -reservation -reservation_assignment -format= -min_creation_time= \
                -max_creation_time= -message_type= -run_attempt= -s -c",
            )
            .style(Style::SingleDash),
            show(
                "show",
                "-schema -d -dataset -j -job -v -view -m -model -materialized_view -connection \
                -routine -encryption_service_account -transfer_config -transfer_run \
                -reservation -reservation_assignment -capacity_commitment -format= -location= \
                -full",
            )
            .style(Style::SingleDash),
            show("head", "-n= -max_rows= -s= -start_row= -c= -selected_fields= -j -job -t -table")
                .style(Style::SingleDash),
            show("wait", "-fail_on_error -wait_for_status=").style(Style::SingleDash),
            show("get-iam-policy", "-d -t -table_and_view").style(Style::SingleDash),
            look("help version info", "-h!help").style(Style::SingleDash),
            show(
                "query",
                "-use_legacy_sql= -nouse_legacy_sql -dry_run -format= -max_rows= -n= -batch \
                -location= -maximum_bytes_billed= -parameter= -use_cache -nouse_cache -s= \
                -start_row=",
            )
            .style(Style::SingleDash)
            .check(query),
            change(
                "mk update rm cp load insert undelete cancel truncate partition \
                add-iam-policy-binding remove-iam-policy-binding set-iam-policy mkdef",
                Effects::NETWORK_WRITE,
            ),
            change("extract", Effects::NETWORK_WRITE),
            change("init", Effects::WRITES),
            change("shell", Effects::NETWORK_WRITE.and(Effects::EXECUTES)),
        ])
        .examples(&[
            ("bq ls --format=pretty", "network-read"),
            ("bq show --schema a.b", "network-read"),
            ("bq query --use_legacy_sql=false 'SELECT 1'", "network-read"),
            ("bq query 'DROP TABLE a.b'", "network-read network-write"),
            ("bq query 'SELECT 1; EXPORT DATA AS SELECT 1'", "network-read network-write"),
            ("bq query 'SELECT 1; LOAD DATA OVERWRITE a.b FROM FILES(x)'", "network-read network-write"),
            ("bq query 'SELECT 1;'", "network-read"),
            ("bq --bigqueryrc=./x ls", "network-read executes"),
            ("bq rm -f a.b", "network-write"),
        ]),
];
