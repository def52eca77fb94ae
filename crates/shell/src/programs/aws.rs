//! Amazon's command line: a service, an operation, and options without end.
//!
//! Which operations read is told by their first word; those that hand out credentials, write a file or
//! change something under a harmless name are listed one by one.

use super::invocation::{Invocation, Outcome};
use super::layers::{self, Path};
use super::shapes::{change, group, look, show};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

const VALUED: &[&str] = &[
    "--profile",
    "--region",
    "--output",
    "--query",
    "--color",
    "--cli-read-timeout",
    "--cli-connect-timeout",
    "--cli-binary-format",
    "--cli-error-format",
    "--endpoint-url",
    "--ca-bundle",
];
const FLAGS: &[&str] = &[
    "--debug",
    "--no-cli-pager",
    "--no-paginate",
    "--no-sign-request",
    "--no-cli-auto-prompt",
    "--no-verify-ssl",
    "--cli-auto-prompt",
    "--v2-debug",
];

const SERVICES: &str = " accessanalyzer account acm acm-pca aiops amp amplify amplifybackend \
                amplifyuibuilder apigateway apigatewaymanagementapi apigatewayv2 appconfig \
                appconfigdata appfabric appflow appintegrations application-autoscaling \
                application-insights application-signals applicationcostprofiler appmesh \
                apprunner appstream appsync apptest arc-region-switch arc-zonal-shift \
                artifact athena auditmanager autoscaling autoscaling-plans b2bi backup \
                backup-gateway backupsearch batch bcm-dashboards bcm-data-exports \
                bcm-pricing-calculator bcm-recommended-actions bedrock bedrock-agent \
                bedrock-agent-runtime bedrock-agentcore bedrock-agentcore-control \
                bedrock-data-automation bedrock-data-automation-runtime bedrock-runtime \
                billing billingconductor braket budgets ce chatbot chime chime-sdk-identity \
                chime-sdk-media-pipelines chime-sdk-meetings chime-sdk-messaging \
                chime-sdk-voice cleanrooms cleanroomsml cloud9 cloudcontrol clouddirectory \
                cloudformation cloudfront cloudfront-keyvaluestore cloudhsm cloudhsmv2 \
                cloudsearch cloudsearchdomain cloudtrail cloudtrail-data cloudwatch \
                codeartifact codebuild codecatalyst codecommit codeconnections codedeploy \
                codeguru-reviewer codeguru-security codeguruprofiler codepipeline codestar \
                codestar-connections codestar-notifications cognito-identity cognito-idp \
                cognito-sync comprehend comprehendmedical compute-optimizer configservice \
                connect connect-contact-lens connectcampaigns connectcampaignsv2 connectcases \
                connectparticipant controlcatalog controltower cost-optimization-hub cur \
                customer-profiles databrew dataexchange datapipeline datasync datazone dax \
                deadline deploy detective devicefarm devops-guru directconnect \
                directory-service-data discovery dlm dms docdb docdb-elastic drs ds dsql \
                dynamodb dynamodbstreams ebs ec2 ec2-instance-connect ecr ecr-public ecs efs \
                eks eks-auth elastic-inference elasticache elasticbeanstalk elastictranscoder \
                elb elbv2 emr emr-containers emr-serverless entityresolution es events \
                evidently evs finspace finspace-data firehose fis fms forecast forecastquery \
                frauddetector freetier fsx gamelift gameliftstreams geo-maps geo-places \
                geo-routes glacier globalaccelerator glue grafana greengrass greengrassv2 \
                groundstation guardduty health healthlake iam identitystore imagebuilder \
                importexport inspector inspector-scan inspector2 internetmonitor invoicing \
                iot iot-data iot-jobs-data iot-managed-integrations iotanalytics \
                iotdeviceadvisor iotevents iotevents-data iotfleethub iotfleetwise \
                iotsecuretunneling iotsitewise iotthingsgraph iottwinmaker iotwireless ivs \
                ivs-realtime ivschat kafka kafkaconnect kendra kendra-ranking keyspaces \
                keyspacesstreams kinesis kinesis-video-archived-media kinesis-video-media \
                kinesis-video-signaling kinesis-video-webrtc-storage kinesisanalytics \
                kinesisanalyticsv2 kinesisvideo kms lakeformation lambda launch-wizard \
                lex-models lex-runtime lexv2-models lexv2-runtime license-manager \
                license-manager-linux-subscriptions license-manager-user-subscriptions \
                lightsail location logs lookoutequipment lookoutmetrics lookoutvision m2 \
                machinelearning macie2 mailmanager managedblockchain managedblockchain-query \
                marketplace-agreement marketplace-catalog marketplace-deployment \
                marketplace-entitlement marketplace-reporting marketplacecommerceanalytics \
                mediaconnect mediaconvert medialive mediapackage mediapackage-vod \
                mediapackagev2 mediastore mediastore-data mediatailor medical-imaging \
                memorydb meteringmarketplace mgh mgn migration-hub-refactor-spaces \
                migrationhub-config migrationhuborchestrator migrationhubstrategy mobile mpa \
                mq mturk mwaa mwaa-serverless neptune neptune-graph neptunedata \
                network-firewall networkflowmonitor networkmanager networkmonitor \
                notifications notificationscontacts nova-act oam observabilityadmin odb omics \
                opensearch opensearchserverless opsworks opsworks-cm organizations osis \
                outposts panorama partnercentral-selling partnercentral-account \
                partnercentral-benefits partnercentral-channel payment-cryptography \
                payment-cryptography-data pca-connector-ad pca-connector-scep pcs personalize \
                personalize-events personalize-runtime pi pinpoint pinpoint-email \
                pinpoint-sms-voice pinpoint-sms-voice-v2 pipes polly pricing privatenetworks \
                proton qapps qbusiness qconnect qldb qldb-session quicksight ram rbin rds \
                rds-data redshift redshift-data redshift-serverless rekognition repostspace \
                resiliencehub resource-explorer-2 resource-groups resourcegroupstaggingapi \
                robomaker rolesanywhere route53 route53-recovery-cluster \
                route53-recovery-control-config route53-recovery-readiness route53domains \
                route53globalresolver route53profiles route53resolver rtbfabric rum s3api \
                s3control s3outposts s3tables s3vectors sagemaker sagemaker-a2i-runtime \
                sagemaker-edge sagemaker-featurestore-runtime sagemaker-geospatial \
                sagemaker-metrics sagemaker-runtime savingsplans scheduler schemas sdb \
                secretsmanager security-ir securityhub securitylake serverlessrepo \
                service-quotas servicecatalog servicecatalog-appregistry servicediscovery ses \
                sesv2 shield signer signin simspaceweaver sms sms-voice \
                snow-device-management snowball sns socialmessaging sqs ssm ssm-contacts \
                ssm-guiconnect ssm-incidents ssm-quicksetup ssm-sap sso sso-admin sso-oidc \
                stepfunctions storagegateway sts supplychain support support-app swf \
                synthetics taxsettings textract timestream-influxdb timestream-query \
                timestream-write tnb transcribe transfer translate trustedadvisor \
                verifiedpermissions voice-id vpc-lattice waf waf-regional wafv2 \
                wellarchitected wickr wisdom workdocs worklink workmail workmailmessageflow \
                workspaces workspaces-instances workspaces-thin-client workspaces-web xray ";

/// How operations begin that only show something.
const READING: &[&str] = &[
    "describe-",
    "list-",
    "get-",
    "batch-get-",
    "batch-describe-",
    "batch-list-",
    "search-",
    "head-",
    "lookup-",
    "estimate-",
    "preview-",
    "validate-",
    "filter-",
    "simulate-",
    "count-",
    "read-",
    "calculate-",
    "admin-get-",
    "admin-list-",
    "discover-instances",
    "check-",
    "view-",
    "is-authorized",
    "select-",
    "transact-get-",
    "query-objects",
    "autocomplete",
];

/// Further ones, by service and operation.
const READING_TOO: &[&str] = &[
    "cloudformation detect-stack-drift",
    "cloudformation detect-stack-resource-drift",
    "cloudformation detect-stack-set-drift",
    "dynamodb query",
    "dynamodb scan",
    "elasticbeanstalk retrieve-environment-info",
    "events test-event-pattern",
    "iam generate-credential-report",
    "iam generate-organizations-access-report",
    "iam generate-service-last-accessed-details",
    "iot test-authorization",
    "kendra query",
    "kms verify",
    "kms verify-mac",
    "location geocode",
    "logs start-live-tail",
    "logs start-query",
    "logs tail",
    "logs test-metric-filter",
    "logs test-transformer",
    "rds download-db-log-file-portion",
    "route53 test-dns-answer",
    "sdb select",
    "secretsmanager validate-resource-policy",
    "sts decode-authorization-message",
    "resource-explorer-2 search",
    "cloudsearchdomain search",
    "cloudsearchdomain suggest",
];

/// Operations that hand out credentials or what is as good as one.
const SECRET: &[&str] = &[
    "get-secret-value",
    "batch-get-secret-value",
    "get-session-token",
    "get-federation-token",
    "get-login",
    "get-login-password",
    "get-authorization-token",
    "get-password-data",
    "get-credentials",
    "get-credentials-for-identity",
    "get-cluster-credentials",
    "get-cluster-credentials-with-iam",
    "get-role-credentials",
    "get-open-id-token",
    "get-open-id-token-for-developer-identity",
    "get-id-token",
    "get-token",
    "get-access-token",
    "get-resource-oauth2-token",
    "get-resource-api-key",
    "get-workload-access-token",
    "get-data-access",
    "get-instance-access",
    "get-instance-access-details",
    "get-compute-access",
    "get-compute-auth-token",
    "get-relational-database-master-user-password",
    "download-default-key-pair",
    "get-dashboard-embed-url",
    "get-session-embed-url",
    "get-job-details",
    "get-third-party-job-details",
    "list-api-keys",
    "describe-user-pool-client",
    "describe-identity-provider",
    "decrypt",
    "generate-data-key",
    "generate-data-key-pair",
    "generate-random",
    "generate-db-auth-token",
    "generate-db-connect-auth-token",
    "generate-db-connect-admin-auth-token",
    "re-encrypt",
    "export-certificate",
    "get-temporary-glue-table-credentials",
    "get-temporary-glue-partition-credentials",
    "get-temporary-data-location-credentials",
    "get-cluster-session-credentials",
    "get-managed-endpoint-session-credentials",
    "create-access-key",
    "create-login-profile",
    "create-key-pair",
    "create-service-specific-credential",
    "create-token",
    "create-token-with-iam",
    "assume-role",
    "assume-role-with-saml",
    "assume-role-with-web-identity",
    "assume-root",
    "presign",
    "sign",
    "get-web-identity-token",
    "assume-role-for-pod-identity",
    "get-environment-credentials",
    "get-vpn-connection-device-sample-configuration",
    "describe-chap-credentials",
];

/// Words in the name of a reading operation that say the same.
const TELLING: &[&str] =
    &["token", "credential", "secret", "password", "presigned", "auth-", "connection-string", "-url", "-uri"];

/// Operations that have such a word in their name and show no credential.
const NOT_TELLING: &[&str] = &[
    "admin-list-user-auth-events",
    "batch-get-token-balance",
    "describe-ipam-external-resource-verification-tokens",
    "describe-secret",
    "describe-trusted-token-issuer",
    "generate-credential-report",
    "get-account-password-policy",
    "get-api-key-credential-provider",
    "get-auth-policy",
    "get-change-token",
    "get-change-token-status",
    "get-credential-locker",
    "get-credential-report",
    "get-function-url-config",
    "get-oauth2-credential-provider",
    "get-payment-credential-provider",
    "get-personal-access-token-metadata",
    "get-price-list-file-url",
    "get-queue-url",
    "get-source-repository-clone-urls",
    "get-token-balance",
    "get-token-vault",
    "get-user-auth-factors",
    "list-access-tokens",
    "list-api-key-credential-providers",
    "list-credential-lockers",
    "list-function-url-configs",
    "list-git-hub-account-token-names",
    "list-oauth2-credential-providers",
    "list-payment-credential-providers",
    "list-personal-access-tokens",
    "list-scram-secrets",
    "list-secret-version-ids",
    "list-secrets",
    "list-service-specific-credentials",
    "list-source-credentials",
    "list-token-balances",
    "list-tokens",
    "list-trusted-token-issuers",
    "list-voice-connector-termination-credentials",
    "list-web-authn-credentials",
    "list-workspace-service-account-tokens",
];

/// Operations, by service, whose names say nothing of the credentials in what they show.
const SECRET_TOO: &[&str] = &[
    "amplify get-app",
    "amplify get-branch",
    "amplify list-apps",
    "amplify list-branches",
    "appstream describe-directory-configs",
    "artifact get-report",
    "artifact get-term-for-report",
    "athena get-session-endpoint",
    "chime get-bot",
    "chime list-bots",
    "chime-sdk-meetings get-attendee",
    "chime-sdk-meetings list-attendees",
    "connect get-prompt-file",
    "connecthealth get-patient-insights-job",
    "datazone get-connection",
    "directconnect describe-virtual-interfaces",
    "dms describe-endpoints",
    "ec2 describe-verified-access-trust-providers",
    "ec2 describe-vpn-connections",
    "emr-serverless get-session-endpoint",
    "finspace-data get-external-data-view-access-details",
    "glue get-connection",
    "glue get-connections",
    "greengrassv2 get-component-version-artifact",
    "lexv2-models describe-bot-recommendation",
    "mailmanager get-address-list-import-job",
    "mailmanager list-address-list-import-jobs",
    "mediapackage describe-channel",
    "mediapackage list-channels",
    "qbusiness get-document-content",
    "taxsettings get-tax-registration-document",
    "wickr get-oidc-info",
    "wickr get-opentdf-config",
];

/// Operations that write what they get to a file named by an operand.
const TO_FILE: &[&str] = &[
    "get-object",
    "get-object-torrent",
    "select-object-content",
    "get-export",
    "get-sdk",
    "get-job-output",
    "get-media",
    "get-media-for-fragment-list",
    "get-clip",
    "get-thing-shadow",
    "get-configuration",
    "get-latest-configuration",
    "get-raw-message-content",
    "get-snapshot-block",
    "get-package-version-asset",
    "describe-input-device-thumbnail",
    "describe-thumbnails",
    "get-reference",
    "get-read-set",
    "get-map-glyphs",
    "get-map-sprites",
    "get-map-style-descriptor",
    "get-map-tile",
    "get-tile",
    "get-static-map",
    "get-sprites",
    "get-glyphs",
    "get-style-descriptor",
    "get-game-session-log",
    "get-image-frame",
    "get-image-set-metadata",
    "get-hosted-configuration-version",
    "get-code-binding-source",
    "get-profile",
    "get-work-unit-results",
];

/// Operations with a reading name that do more.
const NOT_READING: &[&str] = &[
    "check-in-license",
    "check-out-license",
    "get-activity-task",
    "get-id",
    "get-user-attribute-verification-code",
    "validate-e911-address",
];

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

/// Options that send requests elsewhere, take them from files, or ask for secrets in the clear.
fn options<'a>(service: &str, effects: Effects, words: &[Argument<'a>], out: &mut Outcome<'a>) {
    for option in ["--endpoint-url", "--no-verify-ssl"] {
        if layers::gives(words, option) {
            out.add(Effects::SENDS_DATA);
        }
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
