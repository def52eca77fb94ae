//! Programs that reach services, machines and people, by kind; and the words that tell what they do there.

/// Words that take something away.
pub(super) const DESTROYS: &[&str] = words!(
    "delete remove rm rb destroy terminate purge drop wipe uninstall drain detach disassociate deregister \
     revoke unpublish yank flushall flushdb prune erase truncate delete-object delete-objects del"
);
/// Words about who may do what.
pub(super) const RIGHTS: &[&str] = words!(
    "iam role roles rolebinding clusterrolebinding policy permission permissions user users sudoers \
     collaborators members access acl grant attach-user-policy attach-role-policy add-iam-policy-binding \
     put-user-policy create-access-key access-key create-user service-accounts credential assignment owner"
);
/// Words about money.
pub(super) const MONEY: &[&str] =
    words!("purchase buy order pay charge payment subscribe transfer checkout invoice refund domains");
/// Words about records.
pub(super) const RECORDS: &[&str] = words!(
    "cloudtrail audit stop-logging delete-trail logging guardduty flow-logs securityhub config-recorder \
     diagnostic-settings"
);

/// What kind of service a program speaks to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Cloud,
    Cluster,
    Infrastructure,
    Database,
    Remote,
    Forge,
    Person,
    Tunnel,
    Publisher,
    Account,
    Guard,
    Start,
    Power,
    Disk,
    Money,
    Attack,
    Container,
}

pub(super) const PROGRAMS: &[(Kind, &str)] = &[
    (
        Kind::Cloud,
        "aws gcloud az gsutil doctl oci ibmcloud linode-cli hcloud openstack flyctl fly heroku b2 rclone mc s3cmd azcopy bq eksctl supabase firebase aws-vault railway render netlify vercel wrangler nomad consul cf",
    ),
    (Kind::Cluster, "kubectl oc helm helmfile k9s istioctl argocd flux kustomize"),
    (Kind::Infrastructure, "terraform tofu pulumi cdk terragrunt serverless sls sam vagrant packer skaffold"),
    (
        Kind::Database,
        "psql mysql mariadb mongosh mongo redis-cli valkey-cli sqlcmd duckdb clickhouse-client cqlsh sqlplus dropdb dropuser createuser mysqladmin influx rabbitmqctl rabbitmqadmin kafka-topics kafka-topics.sh etcdctl usql snowsql cypher-shell",
    ),
    (
        Kind::Remote,
        "ssh scp rsync sftp ansible ansible-playbook ansible-pull pdsh pssh parallel-ssh plink pscp mosh salt fab knife Invoke-Command Enter-PSSession winrs psexec rcp lftp",
    ),
    (Kind::Forge, "gh glab hub tea jira linear bb"),
    (
        Kind::Person,
        "mail mailx mutt sendmail swaks msmtp ssmtp sendemail slackcat slack twurl twilio telegram-send signal-cli wall write s-nail neomutt mpack Mail",
    ),
    (Kind::Money, "stripe paypal braintree"),
    (
        Kind::Tunnel,
        "ngrok cloudflared frpc frps chisel zrok localtunnel lt bore tailscale serveo pagekite onionshare tmate teleconsole sshuttle rathole localhost.run",
    ),
    (
        Kind::Publisher,
        "twine semantic-release release-it np goreleaser gem cargo npm pnpm yarn bun poetry uv flit hatch mvn gradle docker podman skopeo crane helm changeset standard-version nuget dotnet",
    ),
    (
        Kind::Account,
        "useradd adduser usermod userdel deluser groupadd groupdel groupmod addgroup delgroup gpasswd passwd chpasswd newusers chsh chfn chage visudo vipw vigr pw dscl sysadminctl dseditgroup su sudoedit newgrp setfacl chown chgrp setcap",
    ),
    (
        Kind::Guard,
        "iptables ip6tables nft ufw firewall-cmd auditctl setenforce aa-disable aa-complain aa-teardown apparmor_parser spctl csrutil setsebool semodule semanage fdesetup chattr ebtables arptables tccutil xattr pfctl Set-MpPreference wevtutil",
    ),
    (
        Kind::Start,
        "crontab at batch launchctl systemd-run update-rc.d chkconfig rc-update insmod modprobe kextload ssh-copy-id systemd-tmpfiles atrm",
    ),
    (
        Kind::Power,
        "shutdown reboot halt poweroff init telinit systemctl service pm-suspend pm-hibernate loginctl initctl sv ipcrm swapoff",
    ),
    (
        Kind::Disk,
        "mkfs mkswap wipefs fdisk sfdisk parted gdisk sgdisk shred dd blkdiscard diskutil cryptsetup lvremove vgremove pvremove zpool zfs mdadm tmutil srm scrub nwipe badblocks hdparm",
    ),
    (
        Kind::Attack,
        "msfvenom msfconsole hydra john hashcat nxc crackmapexec sslstrip ettercap bettercap responder mimikatz aircrack-ng sqlmap masscan linpeas.sh pwncat nikto keepassxc-cli",
    ),
    (Kind::Container, "docker podman nerdctl docker-compose podman-compose"),
];
