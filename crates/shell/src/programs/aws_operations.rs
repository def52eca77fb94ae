//! The services, options and operations of the AWS command line that are known.

pub(super) const VALUED: &[&str] = &[
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
pub(super) const FLAGS: &[&str] = &[
    "--debug",
    "--no-cli-pager",
    "--no-paginate",
    "--no-sign-request",
    "--no-cli-auto-prompt",
    "--no-verify-ssl",
    "--cli-auto-prompt",
    "--v2-debug",
];

pub(super) const SERVICES: &str = " accessanalyzer account acm acm-pca aiops amp amplify amplifybackend \
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
pub(super) const READING: &[&str] = &[
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
pub(super) const READING_TOO: &[&str] = &[
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
pub(super) const SECRET: &[&str] = &[
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
pub(super) const TELLING: &[&str] =
    &["token", "credential", "secret", "password", "presigned", "auth-", "connection-string", "-url", "-uri"];

/// Operations that have such a word in their name and show no credential.
pub(super) const NOT_TELLING: &[&str] = &[
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
pub(super) const SECRET_TOO: &[&str] = &[
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
pub(super) const TO_FILE: &[&str] = &[
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
pub(super) const NOT_READING: &[&str] = &[
    "check-in-license",
    "check-out-license",
    "get-activity-task",
    "get-id",
    "get-user-attribute-verification-code",
    "validate-e911-address",
];
