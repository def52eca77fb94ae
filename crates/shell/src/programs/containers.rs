//! Containers: the engines, their image tools and compose files.

use super::containers_checks as check;
use super::shapes::{HELP, change, group, joined, look, runs, show};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const PULLS: Effects = Effects::WRITES.and(Effects::NETWORK_READ);
const RESTARTS: Effects = Effects::KILLS.and(Effects::EXECUTES);
const REMOVES: Effects = Effects::KILLS.and(Effects::DELETES);

const PS: Spec = look(
    "ps",
    "-alqs -fn= --all --external --filter= --format= --last= --latest --namespace \
                --no-trunc --ns --pod --quiet --size --sort= --sync --noheading",
);

const LIST: Spec = look(
    "ls list",
    "-alqs -fn= --all --digests --external --filter= --format= --history --last= \
                --latest --no-trunc --noheading --quiet --size --sort= --tree",
);

const IMAGES: Spec = look(
    "images",
    "-aq -f= --all --digests --filter= --format= --history --names --no-trunc \
                --noheading --quiet --sort= --tree",
);

const INSPECT: Spec = look("inspect", "-ls -ft= --all --format= --latest --pretty --size --type= --verbose")
    .check(check::tells_environment);

const LOGS: Spec = look(
    "logs",
    "-cflt -n= --color --details --follow --latest --names --no-resolve \
                --no-task-ids --no-trunc --raw --since= --tail= --timestamps --until=",
);

const STATS: Spec =
    look("stats", "-al -i= --all --format= --interval= --latest --no-reset --no-stream --no-trunc");

// What follows the container are options of ps.
const TOP: Spec = look("top", "-l --latest").style(Style::Stops);

const PORT: Spec = look("port", "-al --all --latest");
const DIFF: Spec = look("diff", "-l --format= --latest");
const HISTORY: Spec = look("history", "-Hq --format= --human=? --no-trunc --platform= --quiet");
const INFO: Spec = look("info", "-D -f= --debug --format=");
const VERSION: Spec = look("version", "-f= --format= --kubeconfig=read!executes --short");
const EVENTS: Spec = look("events", "-f= --filter= --format= --no-trunc --since= --stream --until=");

const SEARCH: Spec = show(
    "search",
    "-f= --compatible --filter= --format= --limit= --list-tags --no-trunc \
                --tls-verify=?",
);

const SAVE: Spec = look(
    "save",
    "-mq -o=write --compress --format= --multi-image-archive --output=write \
                --platform= --quiet --uncompressed",
);

const EXPORT: Spec = look("export", "-o=write --output=write");
const WAIT: Spec = change("wait", Effects::UNKNOWN);
const START: Spec = change("start unpause", Effects::EXECUTES);
const RESTART: Spec = change("restart", RESTARTS);
const STOP: Spec = change("stop kill pause", Effects::KILLS);
const RM: Spec = change("rm remove", REMOVES);
const PRUNE: Spec = change("prune", Effects::DELETES);
const RUN: Spec = runs("run", Effects::EXECUTES).check(check::rights);
const CREATE: Spec = runs("create", Effects::EXECUTES).check(check::rights);
const ATTACH: Spec = runs("attach", Effects::EXECUTES);

/// A program inside a container is judged by its own table; only the container's files are in reach.
const EXEC: Spec = Spec::new("exec", Effects::READS)
    .style(Style::Stops)
    .options(
        "-dit -euw= -l -h!help --detach --detach-keys= --env= --env-file=read!environment --interactive --latest --privileged!privilege --tty \
         --user= --workdir= --preserve-fds=",
    )
    .operands(Operands::Command(1))
    .check(check::sets_variables);

const COPY: Spec = change("cp", Effects::WRITES);
const COMMIT: Spec = change("commit", Effects::WRITES);

const ALTER: Spec = change(
    "rename update tag untag clone init mount unmount umount checkpoint restore \
                healthcheck refresh",
    Effects::SYSTEM,
);

const BUILD: Spec = check::builds("build");
const PULL: Spec = change("pull", PULLS);
const PUSH: Spec = change("push", Effects::PUBLISHES);
const LOAD: Spec = change("load import", Effects::WRITES);
const RMI: Spec = change("rmi", Effects::DELETES);
const LOGIN: Spec = change("login logout", Effects::WRITES.and(Effects::SENDS_DATA));
const SYSTEM_CREATE: Spec = change("create connect disconnect reload update", Effects::SYSTEM);
const SERVICE_CHANGE: Spec = change("create update scale rollback promote demote", Effects::SYSTEM);

const CONTAINER: Spec = group(
    "container",
    &[
        PS,
        LIST,
        INSPECT,
        LOGS,
        STATS,
        TOP,
        PORT,
        DIFF,
        EXPORT,
        WAIT,
        START,
        RESTART,
        STOP,
        RM,
        PRUNE,
        RUN,
        CREATE,
        EXEC,
        ATTACH,
        COPY,
        COMMIT,
        ALTER,
        HELP,
        look("exists", "--external"),
    ],
);

const IMAGE: Spec = group(
    "image",
    &[
        LIST,
        INSPECT,
        HISTORY,
        SAVE,
        BUILD,
        PULL,
        PUSH,
        LOAD,
        RM,
        PRUNE,
        ALTER,
        DIFF,
        HELP,
        SEARCH,
        look("exists tree", "--whatrequires"),
        change("sign trust scp", Effects::WRITES),
    ],
);

const VOLUME: Spec = group(
    "volume",
    &[
        LIST,
        INSPECT,
        SYSTEM_CREATE,
        RM,
        PRUNE,
        HELP,
        look("exists", "-h!help"),
        look("export", "-o=write --output=write"),
        change("import mount unmount", Effects::WRITES),
    ],
);

const NETWORK: Spec =
    group("network", &[LIST, INSPECT, SYSTEM_CREATE, RM, PRUNE, HELP, look("exists", "-h!help")]);

const SYSTEM: Spec = group(
    "system",
    &[
        look("df", "-v --format= --verbose"),
        EVENTS,
        INFO,
        PRUNE,
        HELP,
        change("dial-stdio connection migrate renumber reset service check", Effects::SYSTEM),
    ],
);

const MANIFEST: Spec = group(
    "manifest",
    &[
        show("inspect", "-v --insecure --tls-verify=? --verbose"),
        PUSH,
        HELP,
        look("exists", "-h!help"),
        change("create annotate add remove rm", Effects::WRITES),
    ],
);

const CONTEXT: Spec = group(
    "context",
    &[
        LIST,
        look("show", "-h!help"),
        INSPECT,
        HELP,
        change("create update use import", Effects::SYSTEM),
        change("rm remove", Effects::DELETES),
        change("export", Effects::WRITES),
    ],
);

const SWARM: Spec = group(
    "swarm",
    &[
        change("init join leave update ca unlock", Effects::SYSTEM),
        change("join-token unlock-key", Effects::SECRETS),
        HELP,
    ],
);

const SERVICES: &[Spec] = &[LIST, PS, INSPECT, LOGS, SERVICE_CHANGE, RM, HELP];

const STACK: Spec = group(
    "stack",
    &[
        LIST,
        PS,
        HELP,
        look("services", "-q -f= --filter= --format= --quiet"),
        look("config", "-c=read --compose-file=read --skip-interpolation").also(Effects::SECRETS),
        change("deploy up", Effects::PROJECT_CODE),
        RM,
        change("down", REMOVES),
    ],
);

const PLUGIN: Spec = group(
    "plugin",
    &[
        LIST,
        INSPECT,
        HELP,
        change("install upgrade", Effects::INSTALLS_NAMED),
        change("create enable disable set", Effects::SYSTEM),
        RM,
        PUSH,
    ],
);

const CHECKPOINT: Spec = group("checkpoint", &[LIST, change("create", Effects::WRITES), RM]);

const TRUST: Spec = group(
    "trust",
    &[
        show("inspect", "--pretty"),
        change("sign revoke", Effects::PUBLISHES),
        change("key signer", Effects::WRITES),
    ],
);

const BUILDER: Spec = group("builder", &[BUILD, PRUNE, HELP]);

const BUILDX: Spec = group(
    "buildx",
    &[
        look("ls", "--format= --no-trunc"),
        look("du", "--builder= --filter= --format= --timeout= --verbose"),
        look("inspect", "--builder= --bootstrap!executes --timeout="),
        look("version", "-h!help"),
        HELP,
        group(
            "imagetools",
            &[show("inspect", "--builder= --format= --raw"), change("create", Effects::PUBLISHES)],
        ),
        group(
            "history",
            &[
                look("ls inspect logs", "--builder= --filter= --format= --local --no-trunc --progress="),
                change("export import trace open", Effects::WRITES),
                change("rm", Effects::DELETES),
            ],
        ),
        check::builds("build b bake f debug dap"),
        change("create use stop install uninstall", Effects::SYSTEM),
        change("rm prune", Effects::DELETES),
    ],
);

const SCOUT: Spec = group(
    "scout",
    &[
        change(
            "cves quickview recommendations compare policy",
            Effects::NETWORK_READ.and(Effects::SENDS_DATA),
        ),
        look("version", "-h!help"),
        HELP,
        change(
            "attestation cache config enroll environment integration push repo sbom stream \
                vex watch",
            Effects::NETWORK_WRITE.and(Effects::WRITES),
        ),
    ],
);

const MODEL: Spec = group(
    "model",
    &[
        look("ls list ps inspect logs status version df", "-f --format= --json --openai --quiet --follow"),
        change("pull", PULLS),
        change("push", Effects::PUBLISHES),
        change("rm", Effects::DELETES),
        runs("run", Effects::EXECUTES),
        change("tag package install-runner uninstall-runner unload", Effects::SYSTEM),
    ],
);

const COMPOSE_OPTIONS: &str = "-f=read -p= --all-resources --ansi= --compatibility --env-file= --file=read \
                --no-ansi --parallel= --profile= --progress= --project-directory=dir \
                --project-name= --verbose --dry-run";

const COMPOSE_VERBS: &[Spec] = &[
    look(
        "config convert",
        "-q -o=write --environment --format= --hash= --images \
                --lock-image-digests!network-read --models --networks --no-consistency \
                --no-env-resolution --no-interpolate --no-normalize --no-path-resolution \
                --output=write --profiles --quiet --resolve-image-digests!network-read \
                --services --variables --volumes",
    )
    .check(check::shows_environment),
    look(
        "ps ls",
        "-aq --all --filter= --format= --no-trunc --orphans=? --quiet --services \
                --status=",
    ),
    look(
        "logs",
        "-ft -n= --follow --index= --no-color --no-log-prefix --since= --tail= \
                --timestamps --until=",
    ),
    look("events", "--json --since= --until="),
    look(
        "images top port stats volumes",
        "-aq --all --format= --index= --no-stream --no-trunc --protocol= --quiet",
    ),
    look("version", "-f= --format= --short"),
    HELP,
    change("up create start watch scale", Effects::PROJECT_CODE),
    change("restart", Effects::PROJECT_CODE.and(Effects::KILLS)),
    check::builds("build bridge"),
    change("down", REMOVES),
    change("rm", REMOVES),
    change("stop kill pause", Effects::KILLS),
    change("unpause", Effects::EXECUTES),
    change("pull", PULLS),
    change("push publish", Effects::PUBLISHES),
    change("cp export commit alpha systemd unshare", Effects::WRITES),
    change("wait", Effects::UNKNOWN),
    runs("run attach", Effects::EXECUTES),
    Spec::new("exec", Effects::READS)
        .style(Style::Stops)
        .options(
            "-diTt -euw= -h!help --detach --dry-run --env= --index= --interactive \
                --no-TTY --no-tty --privileged!privilege --tty --user= --workdir=",
        )
        .operands(Operands::Command(1))
        .check(check::sets_variables),
];

const COMPOSE: Spec = Spec::new("compose", Effects::UNKNOWN).options(COMPOSE_OPTIONS).verbs(COMPOSE_VERBS);

/// What docker and podman have in common.
const ENGINE: &[Spec] = &[
    PS, IMAGES, INSPECT, LOGS, STATS, TOP, PORT, DIFF, HISTORY, INFO, VERSION, EVENTS, SEARCH, SAVE, EXPORT,
    WAIT, START, RESTART, STOP, RM, RUN, CREATE, EXEC, ATTACH, COPY, COMMIT, ALTER, BUILD, PULL, PUSH, LOAD,
    RMI, LOGIN, HELP, CONTAINER, IMAGE, VOLUME, NETWORK, SYSTEM, MANIFEST, BUILDER, COMPOSE,
];

const DOCKER_OWN: &[Spec] = &[
    CONTEXT,
    SWARM,
    STACK,
    PLUGIN,
    CHECKPOINT,
    TRUST,
    BUILDX,
    SCOUT,
    MODEL,
    group("service", SERVICES),
    group("node", SERVICES),
    group("config secret", SERVICES),
    change("init", Effects::WRITES),
    runs("debug desktop extension mcp sandbox offload ai", Effects::SYSTEM.and(Effects::EXECUTES)),
];
const DOCKER_VERBS: [Spec; ENGINE.len() + DOCKER_OWN.len()] = joined(ENGINE, DOCKER_OWN);

const PODMAN_OWN: &[Spec] = &[
    group(
        "pod",
        &[
            PS,
            LIST,
            INSPECT,
            LOGS,
            STATS,
            TOP,
            START,
            RESTART,
            STOP,
            RM,
            PRUNE,
            look("exists", "-h!help"),
            change("create clone", Effects::SYSTEM),
        ],
    ),
    group(
        "secret",
        &[
            LIST,
            look("inspect", "-f= --format= --pretty --showsecret!secrets"),
            look("exists", "-h!help"),
            change("create", Effects::SYSTEM),
            RM,
        ],
    ),
    group(
        "machine",
        &[
            LIST,
            INSPECT,
            INFO,
            change("init start set os reset", Effects::SYSTEM),
            change("stop", Effects::KILLS),
            RM,
            runs("ssh", Effects::EXECUTES),
            change("cp", Effects::WRITES),
        ],
    ),
    group(
        "generate",
        &[
            look("kube spec", "-csu -f=write --filename=write --format= --name --service")
                .also(Effects::SECRETS),
            change("systemd", Effects::WRITES),
        ],
    ),
    group(
        "kube",
        &[
            look("generate", "-cs -f=write --filename=write").also(Effects::SECRETS),
            change("play down apply", Effects::PROJECT_CODE),
        ],
    ),
    change("play", Effects::PROJECT_CODE),
    runs("unshare", Effects::EXECUTES),
    change("auto-update farm quadlet artifact namespace ipfs apparmor internal", Effects::SYSTEM),
];
const PODMAN_VERBS: [Spec; ENGINE.len() + PODMAN_OWN.len()] = joined(ENGINE, PODMAN_OWN);

const DOCKER_OPTIONS: &str = "-D -v!help -H=!network-read -cl= --config=read!executes --context= --debug \
                --host=!network-read --log-level= --tls --tlscacert=read --tlscert=read \
                --tlskey=read --tlsverify";

const DOCKER: Spec = Spec::new("docker", Effects::UNKNOWN)
    .options(DOCKER_OPTIONS)
    .verbs(&DOCKER_VERBS)
    .check(check::daemon)
    .examples(&[
        ("docker ps -a --format '{{.Names}}'", "reads"),
        ("docker --context other images -q", "reads"),
        ("docker -H tcp://localhost:2375 ps", "reads network-read"),
        ("docker -H tcp://192.0.2.10:2375 ps", "reads network-read sends-data"),
        ("docker --config /tmp/c ps", "reads executes"),
        ("docker logs --tail 100 -f web", "reads"),
        ("docker top web -ef", "reads"),
        ("docker history -H web", "reads"),
        ("docker search nginx", "network-read"),
        ("docker save web", "reads"),
        ("docker image save web -o web.tar", "writes reads"),
        ("docker run --rm alpine echo hello", "executes"),
        ("docker run --privileged alpine", "executes privilege"),
        ("docker run -v /:/host alpine", "executes privilege"),
        ("docker run alpine --help", "executes"),
        ("docker run --help", "reads"),
        ("docker exec -it web ls", "reads"),
        ("docker exec -e GIT_PAGER=./x -t web git log", "reads environment"),
        ("docker exec --env-file x web ls", "reads environment"),
        ("docker exec -e FOO=bar web echo hello", "reads"),
        ("docker exec -e LD_PRELOAD=./x web ls", "reads environment"),
        ("docker exec --env \"$X\" web ls", "reads environment"),
        ("docker inspect web", "reads"),
        ("docker inspect -f '{{.State.Status}} {{.Config.Image}} {{.HostConfig.Memory}}' web", "reads"),
        ("docker inspect web --format '{{.Config.Env}}'", "reads secrets"),
        ("docker container inspect -f '{{json .Config}}' web", "reads secrets"),
        ("docker exec --privileged web ls", "reads privilege"),
        ("docker attach web", "executes"),
        ("docker build -t web .", "project-code"),
        ("docker buildx build -t web .", "project-code"),
        ("docker build --push -t me/web .", "project-code publishes"),
        ("docker buildx bake --push", "project-code publishes"),
        ("docker buildx build --output type=registry -t me/web .", "project-code publishes"),
        ("docker buildx build -o type=image,push=true .", "project-code publishes"),
        ("docker buildx build --push=false --load .", "project-code"),
        ("docker compose build --push", "project-code publishes"),
        ("docker build --help", "reads"),
        ("docker buildx inspect --bootstrap", "reads executes"),
        ("docker buildx imagetools inspect nginx", "network-read"),
        ("docker pull nginx", "writes network-read"),
        ("docker image push web", "publishes"),
        ("docker rm -f web", "deletes kills"),
        ("docker system prune -a", "deletes"),
        ("docker container stop web", "kills"),
        ("docker cp web:/a b", "writes"),
        ("docker swarm join-token worker", "secrets"),
        ("docker secret inspect --pretty x", "reads"),
        ("docker service scale web=3", "system"),
        ("docker compose -f a.yml ps --all", "reads"),
        ("docker compose config --services", "reads"),
        ("docker compose config", "reads secrets"),
        ("docker compose config -q", "reads"),
        ("docker compose config -q --environment", "reads secrets"),
        ("docker compose --env-file .env config --services", "reads secrets"),
        ("docker compose config -o x.yml", "reads writes secrets"),
        ("docker stack config -c x.yml", "reads secrets"),
        ("docker compose up -d", "project-code"),
        ("docker compose down -v", "deletes kills"),
        ("docker compose exec web ls", "reads"),
        ("docker compose exec -T --index=2 db psql -c 'select 1'", "reads"),
        ("docker compose exec -e PAGER=./x web less a", "reads environment"),
        ("docker compose exec --privileged web ls", "reads privilege"),
        ("docker compose exec --frob web ls", "reads unknown"),
        ("docker compose run web ls", "executes"),
        ("docker frobnicate", "unknown"),
    ]);

const COMPOSE_PROGRAM: Spec = Spec::new("docker-compose podman-compose", Effects::UNKNOWN)
    .options(
        "-v!help -f=read -H=!network-read!sends-data -p= --all-resources --ansi= \
                --compatibility --context= --env-file= --file=read --host=!sends-data \
                --no-ansi --parallel= --podman-path=exec --profile= --progress= \
                --project-directory=dir --project-name= --tls --tlscacert=read --tlscert=read \
                --tlskey=read --tlsverify --verbose --dry-run",
    )
    .verbs(COMPOSE_VERBS)
    .examples(&[
        ("docker-compose -f a.yml ps", "reads"),
        ("docker-compose logs -f --tail=20 web", "reads"),
        ("docker-compose up -d", "project-code"),
        ("podman-compose run web bash", "executes"),
        ("podman-compose --podman-path ./x ps", "reads executes"),
        ("docker-compose pull", "writes network-read"),
    ]);

const PODMAN: Spec = Spec::new("podman nerdctl", Effects::UNKNOWN)
    .options(
        "-r -v!help -Hac=!sends-data -n= --address=!sends-data --cgroup-manager= \
                --cni-path=!executes --config=read!executes --conmon=exec \
                --connection=!network-read --data-root=read --debug --debug-full \
                --hooks-dir=!executes --host=!sends-data --identity=read!sends-data \
                --imagestore=read --log-level= --module=read!executes --namespace= \
                --network-cmd-path=exec --remote --root=read --runroot=read --runtime=exec \
                --snapshotter= --storage-driver= --storage-opt=exec --syslog --tmpdir=write \
                --transient-store --url=!sends-data",
    )
    .verbs(&PODMAN_VERBS)
    .examples(&[
        ("podman ps -a", "reads"),
        ("podman pod ps", "reads"),
        ("podman secret inspect --showsecret x", "reads secrets"),
        ("podman --url ssh://h ps", "reads sends-data"),
        ("podman --storage-opt overlay.mount_program=./x export c", "reads executes"),
        ("podman generate kube web", "reads secrets"),
        ("podman run -it ubuntu bash", "executes"),
        ("nerdctl images", "reads"),
        ("nerdctl pull nginx", "writes network-read"),
    ]);

const BUILDAH: Spec = Spec::new("buildah", Effects::UNKNOWN)
    .options(
        "--log-level= --registries-conf=read --root=read --runroot=read \
                --storage-driver= --storage-opt=exec",
    )
    .verbs(&[
        look(
            "containers images",
            "-anq -f= --all --digests --filter= --format= --history --json --no-trunc \
                --noheading --notruncate --quiet",
        ),
        look("inspect", "-ft= --format= --type="),
        INFO,
        VERSION,
        HELP,
        change("build build-using-dockerfile bud from", Effects::PROJECT_CODE),
        runs("run", Effects::EXECUTES),
        change("pull", PULLS),
        PUSH,
        change("rm rmi prune", Effects::DELETES),
        LOGIN,
        change(
            "add commit config copy manifest mkcw mount rename source tag umount unmount",
            Effects::WRITES,
        ),
        runs("unshare", Effects::EXECUTES),
    ])
    .examples(&[
        ("buildah images", "reads"),
        ("buildah bud -t x .", "project-code"),
        ("buildah rmi x", "deletes"),
        ("buildah --storage-opt overlay.mount_program=./x images", "reads executes"),
    ]);

const SKOPEO: Spec = Spec::new("skopeo", Effects::UNKNOWN)
    .options(
        "--command-timeout= --debug --insecure-policy --override-arch= --override-os= \
                --override-variant= --policy=read --registries.d=read --tmpdir=write",
    )
    .verbs(&[
        show(
            "inspect list-tags",
            "-fn= --authfile=read --cert-dir=read --config --creds= \
                --daemon-host=!sends-data --format= --no-creds --no-tags --raw \
                --registry-token= --retry-times= --shared-blob-dir=read --tls-verify=? \
                --username= --password=",
        ),
        look("manifest-digest standalone-verify", "-h!help").operands(Operands::Read),
        HELP,
        change("copy sync", Effects::WRITES.and(Effects::PUBLISHES)),
        change("delete", Effects::NETWORK_WRITE),
        LOGIN,
        change("standalone-sign generate-sigstore-key", Effects::WRITES),
    ])
    .examples(&[
        ("skopeo inspect docker://alpine", "network-read"),
        ("skopeo copy docker://a dir:b", "writes publishes"),
        ("skopeo delete docker://a", "network-write"),
    ]);

const CRANE: Spec = Spec::new("crane", Effects::UNKNOWN)
    .options("-v --allow-nondistributable-artifacts --insecure --platform= --verbose")
    .verbs(&[
        show(
            "catalog config digest ls manifest blob validate",
            "-O --full-ref --omit-digest-tags --tarball=read --remote= --fast",
        ),
        look("version", "-h!help"),
        HELP,
        look("completion", "-h!help"),
        change("pull", PULLS),
        change("export", PULLS),
        change("push append copy cp mutate rebase tag flatten index edit", Effects::PUBLISHES),
        change("delete", Effects::NETWORK_WRITE),
        change("auth", Effects::SECRETS.and(Effects::WRITES)),
        change("registry", Effects::NETWORK_WRITE),
    ])
    .examples(&[
        ("crane ls alpine", "network-read"),
        ("crane push x.tar a/b", "publishes"),
        ("crane delete a/b", "network-write"),
    ]);

const DIVE: Spec = Spec::new("dive", Effects::READS.and(Effects::NETWORK_READ).and(Effects::WRITES))
    .options(
        "-j=write --ci --ci-config=read --config=read --highestUserWastedPercent= \
                --highestWastedBytes= --ignore-errors --json=write --lowestEfficiency= \
                --source=",
    )
    .operands(Operands::Text)
    .examples(&[("dive --version", "reads"), ("dive alpine", "reads network-read writes")]);

pub(super) const TABLE: &[Spec] = &[DOCKER, COMPOSE_PROGRAM, PODMAN, BUILDAH, SKOPEO, CRANE, DIVE];
