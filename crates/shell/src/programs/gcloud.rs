//! Google's command lines: gcloud, gsutil, bq.

use super::gcloud_checks::{gcloud, query};
use super::shapes::{change, group, look, show};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

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
