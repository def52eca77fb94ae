//! Detectors for clouds, clusters, containers, databases and deploys.

use crate::detector::Certainty::{Certain, Possible};
use crate::detector::Example::{Edit, Line, Write};
use crate::detector::{Category, Severity};

detectors! {
    /// Changes infrastructure: applies a plan, deploys a stack, imports resources.
    ///
    /// What runs there changes for everybody who uses it. Whether it is a stage of one's own is not known.
    INFRA_APPLY {
        id: "infra/apply", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Certain,
        message: "changes infrastructure with {program}",
        hits: &[Line("terraform apply"), Line("pulumi up --yes"), Line("cdk deploy")],
        passes: &[Line("terraform plan"), Line("pulumi preview")],
    }

    /// Changes audit trails, logging or threat detection of a cloud.
    ///
    /// They are what shows an intrusion afterwards. Every change to these services is found, also one that switches
    /// recording on.
    CLOUD_AUDIT_LOG {
        id: "infra/cloud-audit-log", category: Category::LogTampering, severity: Severity::Hard, certainty: Certain,
        message: "changes what a cloud records with {program}",
        hits: &[Line("aws cloudtrail stop-logging --name main")],
        passes: &[Line("aws cloudtrail describe-trails")],
    }

    /// Changes something in a cloud that is none of the graver cases.
    ///
    /// Others may use it, and it may cost money. Copying a file there is found as well.
    CLOUD_CHANGE {
        id: "infra/cloud-change", category: Category::SharedResource, severity: Severity::Soft, certainty: Certain,
        message: "changes something in a cloud with {program}",
        hits: &[Line("aws s3 cp report.csv s3://app-reports/")],
        passes: &[Line("aws ec2 describe-instances")],
    }

    /// Deletes or removes something in a cloud.
    ///
    /// Data and machines go for everybody who uses them, mostly without a way back. Recognised by the words of the
    /// command: `delete-bucket`, `rm`, `terminate-instances`.
    CLOUD_DELETE {
        id: "infra/cloud-delete", category: Category::CloudStorageDelete, severity: Severity::Soft, certainty: Certain,
        message: "deletes something in a cloud with {program}",
        hits: &[Line("aws s3 rb s3://app-backups --force"), Line("gcloud projects delete app")],
        passes: &[Line("aws s3 ls s3://app-backups"), Line("gcloud projects list")],
    }

    /// Deploys or promotes something in a cloud.
    ///
    /// What is deployed reaches users at once. Recognised by the words of the command (`deploy`, `promote`,
    /// `release`, `--prod`).
    CLOUD_DEPLOY {
        id: "infra/cloud-deploy", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Certain,
        message: "deploys to a cloud with {program}",
        hits: &[Line("gcloud run deploy web --image gcr.io/app/web"), Line("vercel promote web-1")],
        passes: &[Line("gcloud run services list")],
    }

    /// Changes users, roles, policies or access keys in a cloud.
    ///
    /// A wider policy or a new key opens everything behind it. Whether rights are given or taken is not told apart.
    CLOUD_IAM {
        id: "infra/cloud-iam", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Certain,
        message: "changes who may do what in a cloud with {program}",
        hits: &[
            Line("aws iam attach-user-policy --user-name x --policy-arn arn:aws:iam::aws:policy/AdministratorAccess"),
            Line("gcloud projects add-iam-policy-binding app --member=user:x@example.org --role=roles/owner"),
        ],
        passes: &[Line("aws iam list-users")],
    }

    /// Buys or orders something from a cloud provider: domains, reserved capacity, plans.
    ///
    /// Money is spent, mostly without a way back. Recognised by words of the command such as `purchase`, `order`
    /// and `domains`.
    CLOUD_PURCHASE {
        id: "infra/cloud-purchase", category: Category::RealWorldTransaction, severity: Severity::Soft, certainty: Certain,
        message: "buys or orders something in a cloud with {program}",
        hits: &[Line("aws ec2 purchase-reserved-instances-offering --instance-count 1")],
        passes: &[Line("aws ec2 describe-reserved-instances-offerings")],
    }

    /// Changes what runs in a Kubernetes cluster: applies, scales, patches, installs, runs in a container.
    ///
    /// Others rely on what runs there. Which cluster it is, and whether it runs on this machine, is not known.
    CLUSTER_CHANGE {
        id: "infra/cluster-change", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Certain,
        message: "changes a cluster with {program}",
        hits: &[Line("kubectl apply -f k8s/web.yaml"), Line("helm upgrade web ./chart")],
        passes: &[Line("kubectl diff -f k8s/web.yaml"), Line("helm template web ./chart")],
    }

    /// Deletes or drains something in a Kubernetes cluster.
    ///
    /// What ran there stops, and volumes may go with it. Which cluster it is, and whether it runs on this machine,
    /// is not known.
    CLUSTER_DELETE {
        id: "infra/cluster-delete", category: Category::CloudStorageDelete, severity: Severity::Soft, certainty: Certain,
        message: "deletes something in a cluster with {program}",
        hits: &[Line("kubectl delete namespace staging"), Line("helm uninstall web")],
        passes: &[Line("kubectl get pods"), Line("kubectl delete pod web-1 --dry-run=client")],
    }

    /// Exposes a service of a cluster, with a load balancer or otherwise.
    ///
    /// It can be reached from outside the cluster then, whether or not it asks for a login.
    CLUSTER_EXPOSE {
        id: "infra/cluster-expose", category: Category::ExposeService, severity: Severity::Soft, certainty: Certain,
        message: "opens a service of a cluster to others with {program}",
        hits: &[Line("kubectl expose deployment web --port=80 --type=LoadBalancer")],
        passes: &[Line("kubectl get service web")],
    }

    /// Starts, stops or changes containers with a Compose file, profile, project or context whose name says production.
    ///
    /// Only the names are read (`docker-compose.prod.yml`, `--profile live`): where the containers run is not
    /// known.
    COMPOSE_PRODUCTION {
        id: "infra/compose-production", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Possible,
        message: "changes containers that by their names are in production",
        hits: &[Line("docker compose -f docker-compose.prod.yml up -d")],
        passes: &[Line("docker compose -f docker-compose.prod.yml config")],
    }

    /// Gives a container the file system, the processes or the Docker socket of the machine it runs on.
    ///
    /// Who controls the container then controls the machine. Folders without power over the machine, such as
    /// `/var/log/app`, are passed over.
    CONTAINER_HOST_MOUNT {
        id: "infra/container-host-mount", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "gives a container its host's files, processes or Docker socket",
        hits: &[Edit("k8s/pod.yaml", "x: 1", "hostPath:\n  path: /\n")],
        passes: &[Edit("k8s/pod.yaml", "x: 1", "hostPath:\n  path: /var/log/app\n")],
    }

    /// Removes every unused image, container, network or volume of this machine.
    ///
    /// Others on the machine may want them again, and data in a volume has no second copy.
    CONTAINER_PRUNE {
        id: "infra/container-prune", category: Category::LocalDestruction, severity: Severity::Soft, certainty: Certain,
        message: "removes unused images, containers or volumes with {program}",
        hits: &[Line("docker system prune -af"), Line("docker volume prune -f")],
        passes: &[Line("docker system df"), Line("docker image ls")],
    }

    /// Mounts a system folder, or a person's home or keys, into a container.
    ///
    /// Code in the container can then read credentials that are not its own. Folders of the project are passed
    /// over; a source that comes from a variable is not read.
    CONTAINER_SYSTEM_FOLDER {
        id: "infra/container-system-folder", category: Category::CredentialLeak, severity: Severity::Soft, certainty: Possible,
        message: "mounts a home or system folder into a container",
        hits: &[Edit("deploy/stack.yml", "x: 1", "volumes:\n  - ~/.ssh:/root/.ssh")],
        passes: &[Edit("deploy/stack.yml", "x: 1", "volumes:\n  - ./data:/data")],
    }

    /// Runs a task of the project whose name says that it creates an administrator or superuser.
    ///
    /// On a database that others use, that is an account with all rights. Only the name of the task is read, not
    /// which database it works on.
    CREATE_ADMIN_TASK {
        id: "infra/create-admin-task", category: Category::SharedResource, severity: Severity::Soft, certainty: Possible,
        message: "runs `{}`, which by its name creates an administrator",
        hits: &[Line("npm run create-admin"), Line("make user-admin")],
        passes: &[Line("npm run create-admin-test")],
    }

    /// Changes data or settings with a database client.
    ///
    /// Others may work with the same database. Reading is passed over where the statement is known to only read.
    DATABASE_CHANGE {
        id: "infra/database-change", category: Category::SharedResource, severity: Severity::Soft, certainty: Certain,
        message: "changes a database with {program}",
        hits: &[Line(r#"psql -c "update users set name = 'x'""#), Line("redis-cli set a 1")],
        passes: &[Line("psql -c 'select 1'"), Line("redis-cli get a")],
    }

    /// Deletes rows, tables, databases, queues or users with a database client.
    ///
    /// There is no undo. Whether it is a database for tests is not known, but the clients of files, such as
    /// `sqlite3`, are not meant here.
    DATABASE_DELETE {
        id: "infra/database-delete", category: Category::CloudStorageDelete, severity: Severity::Soft, certainty: Certain,
        message: "deletes data in a database with {program}",
        hits: &[Line("psql -c 'drop table users'"), Line("dropdb app"), Line("redis-cli flushall")],
        passes: &[Line("psql -c 'select * from users'")],
    }

    /// Updates a field of a database file that says who is an administrator, or which role somebody has.
    ///
    /// Whoever is made more than they were stays it. Recognised in SQL for `sqlite3` and `duckdb` by the names of
    /// the fields (`is_admin`, `role`); other databases are judged by their own statements.
    DATABASE_ROLE_UPDATE {
        id: "infra/database-role-update", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Possible,
        message: "changes who may do what in a database with {program}",
        hits: &[Line(r#"sqlite3 app.db "update users set is_admin=1 where id=3""#)],
        passes: &[Line(r#"sqlite3 app.db "select role from users""#)],
    }

    /// Lets everybody into a Postgres container without a password (`POSTGRES_HOST_AUTH_METHOD: trust`).
    ///
    /// Whoever reaches the port has the database. Found only where a Compose file is changed, not where it is new;
    /// databases for tests often have this.
    DATABASE_TRUST_AUTH {
        id: "infra/database-trust-auth", category: Category::WeakenTlsAuth, severity: Severity::Soft, certainty: Possible,
        message: "lets everybody into a database without a password",
        hits: &[Edit("docker-compose.yml", "    image: postgres:16", "    image: postgres:16\n    environment:\n      POSTGRES_HOST_AUTH_METHOD: trust")],
        passes: &[Edit("docker-compose.yml", "    image: postgres:16", "    image: postgres:16\n    environment:\n      POSTGRES_HOST_AUTH_METHOD: scram-sha-256")],
    }

    /// Removes what keeps data from being deleted: deletion protection, backups, a last snapshot.
    ///
    /// The next apply or delete then takes the data with it. Test environments are often meant to be deletable and
    /// are found too. A statement that turns row-level security on counts as such a protection where it is taken
    /// out; `deletion_protection = false` is `code/security-setting-off`.
    DELETION_PROTECTION_OFF {
        id: "infra/deletion-protection-off", category: Category::CloudStorageDelete, severity: Severity::Soft, certainty: Possible,
        message: "removes protection against deletion or data loss",
        hits: &[Edit("infra/db.tf", "prevent_destroy = true", "prevent_destroy = false")],
        passes: &[Edit("infra/db.tf", "prevent_destroy = false", "prevent_destroy = true")],
    }

    /// Runs a task or a script of the project whose name says that it deploys, publishes or releases.
    ///
    /// What it brings out reaches others at once. Only the name is read; names that also say `dry`, `check`,
    /// `preview` or `local` are passed over.
    DEPLOY_TASK {
        id: "infra/deploy-task", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Possible,
        message: "runs `{}`, which by its name deploys or publishes something",
        hits: &[Line("npm run deploy"), Line("make release"), Line("./scripts/deploy-prod.sh")],
        passes: &[Line("npm run deploy:dry"), Line("make release-notes")],
    }

    /// Destroys infrastructure or removes it from its tool's state.
    ///
    /// Machines, data and addresses go at once, for everybody who uses them. `terraform plan -destroy`, which only
    /// shows what would go, is found as well.
    INFRA_DESTROY {
        id: "infra/destroy", category: Category::CloudStorageDelete, severity: Severity::Soft, certainty: Certain,
        message: "destroys infrastructure with {program}",
        hits: &[Line("terraform destroy -auto-approve"), Line("pulumi destroy --yes")],
        passes: &[Line("terraform plan"), Line("terraform state list")],
    }

    /// Runs a task or a script of the project whose name says that it deletes, resets or rolls back data.
    ///
    /// `db:drop`, `migrate:down` or `nuke` can take what others work with. Only the name is read, neither the
    /// script nor what it works on; names that also say `test`, `local` or `dev` are passed over.
    DESTRUCTIVE_TASK {
        id: "infra/destructive-task", category: Category::SharedResource, severity: Severity::Soft, certainty: Possible,
        message: "runs `{}`, which by its name deletes or resets something",
        hits: &[Line("npm run db:drop"), Line("make nuke"), Line("rails db:migrate:down")],
        passes: &[Line("npm run test:reset"), Line("npm run clean")],
    }

    /// Runs a task of the project whose name says that it gives somebody the rights of an administrator.
    ///
    /// Whoever is made one stays it. Only the name of the task is read.
    GRANT_ADMIN_TASK {
        id: "infra/grant-admin-task", category: Category::GrantPermissions, severity: Severity::Hard, certainty: Possible,
        message: "runs `{}`, which by its name makes somebody an administrator",
        hits: &[Line("npm run grant-admin")],
        passes: &[Line("npm run admin")],
    }

    /// Grants all actions, or a role that may do nearly everything, in a cloud or a cluster.
    ///
    /// Whoever gets hold of that identity has the whole account. Wildcards and known roles count (`*`,
    /// `roles/owner`, `IAMFullAccess`); a long list of single actions does not.
    IAM_BROAD_RIGHTS {
        id: "infra/iam-broad-rights", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Possible,
        message: "grants an administrator role or all actions",
        hits: &[Edit("infra/policy.json", "\"Action\": \"s3:GetObject\"", "\"Action\": \"iam:*\"")],
        passes: &[Edit("infra/policy.json", "\"Action\": \"s3:GetObject\"", "\"Action\": \"s3:PutObject\"")],
    }

    /// Grants rights to everybody: a policy for any principal, `allUsers`, an anonymous group.
    ///
    /// Nobody needs credentials any more to use what is granted. What is granted is not looked at, so a bucket for
    /// a public website is found too.
    IAM_PUBLIC_PRINCIPAL {
        id: "infra/iam-public-principal", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Possible,
        message: "grants rights to everybody",
        hits: &[Edit("infra/policy.json", "\"Principal\": \"arn:aws:iam::1:root\"", "\"Principal\": \"*\"")],
        passes: &[Edit("infra/policy.json", "\"Principal\": \"arn:aws:iam::1:root\"", "\"Principal\": \"arn:aws:iam::2:root\"")],
    }

    /// Changes something through an API on this machine that controls more than the project: Docker, etcd, Consul, a browser, a cluster.
    ///
    /// Whoever can write there controls containers, settings or sessions of others. Recognised by the usual ports
    /// and paths, and by SQL that deletes; requests to the program that is being developed are passed over.
    LOCAL_CONTROL_API {
        id: "infra/local-control-api", category: Category::SharedResource, severity: Severity::Soft, certainty: Possible,
        message: "changes something in {} through its local API",
        hits: &[Line("curl -X POST http://localhost:2375/containers/abc/stop")],
        passes: &[Line("curl http://localhost:2375/containers/json")],
    }

    /// Lets everybody write, in the rules of a document store such as Firestore or the Realtime Database.
    ///
    /// Anybody with the app's public key can then change or delete all data. Conditions that always hold are
    /// recognised, also behind a function; rules that only let people read are passed over.
    STORE_RULES_OPEN {
        id: "infra/open-store-rules", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "lets everybody write to a document store",
        hits: &[Write("firestore.rules", "match /a { allow write: if true; }")],
        passes: &[Write("firestore.rules", "match /a { allow write: if request.auth != null; }")],
    }

    /// Gives a container rights over the machine it runs on, or turns off what keeps it from being root.
    ///
    /// Code in the container can then take over the machine. Host namespaces, capabilities, privileged mode and a
    /// security profile that is switched off count. Read are Kubernetes and Compose settings; folders of
    /// the machine are `infra/container-host-mount`.
    PRIVILEGED_CONTAINER {
        id: "infra/privileged-container", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "gives a container rights over its host",
        hits: &[Edit("k8s/pod.yaml", "hostNetwork: false", "hostNetwork: true")],
        passes: &[Edit("k8s/pod.yaml", "hostNetwork: true", "hostNetwork: false")],
    }

    /// Runs a task on data, such as a migration, with an argument or a variable that says production.
    ///
    /// The data of real users changes. Production is recognised by its name alone (`prod`, `production`, `live`).
    PRODUCTION_DATA_TASK {
        id: "infra/production-data-task", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Possible,
        message: "runs `{}` against production",
        hits: &[Line("rails db:migrate RAILS_ENV=production"), Line("npm run migrate -- --env production")],
        passes: &[Line("rails db:migrate RAILS_ENV=test")],
    }

    /// Makes a database, cluster or other cloud resource reachable from the internet.
    ///
    /// Its password is then all that keeps others out. Recognised by the names of settings (`publicly_accessible`,
    /// `public_network_access_enabled`).
    PUBLIC_ENDPOINT {
        id: "infra/public-endpoint", category: Category::ExposeService, severity: Severity::Soft, certainty: Possible,
        message: "makes a cloud resource reachable from the internet",
        hits: &[Edit("infra/db.tf", "publicly_accessible = false", "publicly_accessible = true")],
        passes: &[Edit("infra/db.tf", "publicly_accessible = true", "publicly_accessible = false")],
    }

    /// Makes a bucket or another store of files public.
    ///
    /// Everything in it can then be read by anybody who knows or guesses its address. Read are access lists in
    /// Terraform, Bicep, JSON and YAML; policies are `infra/iam-public-principal`.
    PUBLIC_STORAGE {
        id: "infra/public-storage", category: Category::ExposeService, severity: Severity::Soft, certainty: Possible,
        message: "makes cloud storage public",
        hits: &[Edit("infra/s3.tf", "acl = \"private\"", "acl = \"public-read\"")],
        passes: &[Edit("infra/s3.tf", "acl = \"public-read\"", "acl = \"private\"")],
    }

    /// Changes containers through an engine on another machine (`DOCKER_HOST`, `--host`).
    ///
    /// What looks like work on this machine changes what runs there. An engine that a Docker context leads to is
    /// only recognised by a name that speaks of production.
    REMOTE_DOCKER {
        id: "infra/remote-docker", category: Category::SharedResource, severity: Severity::Soft, certainty: Possible,
        message: "changes containers on another machine's engine",
        hits: &[Line("DOCKER_HOST=ssh://web.example.org docker compose down")],
        passes: &[Line("DOCKER_HOST=unix:///run/user/1000/docker.sock docker compose down")],
    }

    /// Runs something on another machine, or copies something there.
    ///
    /// What happens there is not seen here. Commands that are known to only read are passed over.
    REMOTE_SHELL {
        id: "infra/remote-shell", category: Category::RemoteShellWrite, severity: Severity::Soft, certainty: Certain,
        message: "acts on another machine with {program}",
        hits: &[Line("ssh web.example.org 'systemctl restart nginx'"), Line("ansible-playbook site.yml")],
        passes: &[Line("ansible-playbook --check site.yml")],
    }

    /// Turns off row-level security, drops a policy, or adds one that holds for every row.
    ///
    /// Every user of the application can then read or change the rows of all others. Policies that only let people
    /// look are passed over, and so are those that are replaced in the same edit.
    ROW_LEVEL_SECURITY_OFF {
        id: "infra/row-level-security-off", category: Category::DisableSecurity, severity: Severity::Soft, certainty: Possible,
        message: "turns off row-level security or lets everybody reach every row",
        hits: &[Write("db/2.sql", "alter table users disable row level security;")],
        passes: &[Write("db/2.sql", "create policy a on t for select using (true);")],
    }

    /// Starts a container with the rights of its host: `--privileged`, `--pid=host`, wide capabilities, or Docker's own socket.
    ///
    /// Whatever runs in it can leave it. Recognised in the command line; what a Compose file says is judged when
    /// the file is written.
    RUN_PRIVILEGED_CONTAINER {
        id: "infra/run-privileged-container", category: Category::DisableSecurity, severity: Severity::Hard, certainty: Certain,
        message: "starts a container with power over its host with {program}",
        hits: &[Line("docker run --privileged alpine sh")],
        passes: &[Line("docker run --rm alpine true")],
    }

    /// Grants database rights to everybody, on everything, or with the right to pass them on; also superuser roles.
    ///
    /// Every account of the database, or everybody who can connect, can then change the data. Rights that only let
    /// somebody look are passed over. Code that runs `DISABLE ROW LEVEL SECURITY` as a text is found here.
    SQL_BROAD_GRANT {
        id: "infra/sql-broad-grant", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Possible,
        message: "grants broad database rights",
        hits: &[Write("db/2.sql", "grant all on users to anon;")],
        passes: &[Write("db/2.sql", "grant select on users to anon;")],
    }

    /// Runs a program on the machine of a database (`COPY … PROGRAM`).
    ///
    /// The program has the rights of the database server, and nothing in the database shows what it did. Only read
    /// in SQL files and migrations.
    SQL_COPY_PROGRAM {
        id: "infra/sql-copy-program", category: Category::RemoteExecSurface, severity: Severity::Soft, certainty: Possible,
        message: "runs a program on the database server",
        hits: &[Write("db/2.sql", "copy t from program 'gunzip -c /data/t.gz';")],
        passes: &[Write("db/2.sql", "copy t from '/data/t.csv';")],
    }

    /// Defines a database function with `SECURITY DEFINER` and no `search_path`: it runs with its owner's rights.
    ///
    /// Whoever may call it can make it run their own functions with those rights. A function that sets its
    /// `search_path` is passed over; what the function does is not read.
    SQL_SECURITY_DEFINER {
        id: "infra/sql-security-definer", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Possible,
        message: "adds a database function that runs with its owner's rights",
        hits: &[Write("db/2.sql", "create function f() returns int language sql security definer as 'select 1';")],
        passes: &[Write("db/2.sql", "create function f() returns int language sql security definer set search_path = public as 'select 1';")],
    }

    /// Switches the cluster, cloud project, stage or account that later commands work with, or logs in.
    ///
    /// A harmless command does something else there, and the user's other windows are switched, too. Names that
    /// speak of development or this machine are passed over.
    SWITCH_TARGET {
        id: "infra/switch-target", category: Category::SharedResource, severity: Severity::Soft, certainty: Possible,
        message: "changes which cluster, project or account later commands use, with {program}",
        hits: &[Line("kubectl config use-context prod-eu"), Line("gcloud config set project app-prod")],
        passes: &[Line("kubectl config use-context minikube"), Line("aws configure set region eu-west-1")],
    }

    /// Moves the Terraform state to another backend.
    ///
    /// Everybody who works with the old place no longer sees what is really there.
    /// Recognised by `-migrate-state` and `-force-copy` of `terraform init`; that the state only moves between two files of
    /// one's own is not known.
    TERRAFORM_STATE_MIGRATION {
        id: "infra/terraform-migrate-state", category: Category::SharedResource, severity: Severity::Soft, certainty: Possible,
        message: "{program} moves the Terraform state to another backend",
        hits: &[Line("terraform init -migrate-state")],
        passes: &[Line("terraform init")],
    }
}
