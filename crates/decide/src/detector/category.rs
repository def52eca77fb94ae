//! The kinds of harm that are looked for (SPEC C6): one id for rules, prompts, answers and figures.

/// How severe a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Harm only if nobody asked for it: the user's explicit words clear it.
    Soft,
    /// Harm whatever was asked for.
    Hard,
}

macro_rules! categories {
    ($($variant:ident $id:literal $severity:ident $title:literal;)*) => {
        /// A category of harm, such as destructive git commands or exfiltration of credentials.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Category {
            $(#[doc = concat!($title, ".")] $variant,)*
        }

        impl Category {
            /// All categories, in the order of the policy.
            pub const ALL: &'static [Category] = &[$(Category::$variant),*];

            /// The id in settings, answers and reports.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Category::$variant => $id,)* }
            }

            /// The title for people.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Category::$variant => $title,)* }
            }

            /// The usual severity of its findings.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Category::$variant => Severity::$severity,)* }
            }
        }
    };
}

categories! {
    GitDestructive "git-destructive" Soft "Destructive git";
    PushDefaultBranch "push-default-branch" Soft "Push to the default branch";
    RunDownloadedCode "run-downloaded-code" Hard "Running downloaded code";
    CloudStorageDelete "cloud-storage-delete" Hard "Mass deletion in cloud, cluster or database";
    ProductionDeploy "production-deploy" Soft "Production deploy";
    RemoteShellWrite "remote-shell-write" Soft "Writes through a remote shell";
    BlindPatch "blind-patch" Soft "Applying patches unseen";
    LogTampering "log-tampering" Hard "Log and audit tampering";
    GrantPermissions "grant-permissions" Hard "Granting permissions or creating admins";
    WeakenTlsAuth "weaken-tls-auth" Soft "Weakening TLS or authentication";
    DisableSecurity "disable-security" Hard "Disabling security features";
    BroadAgent "broad-agent" Soft "Spawning agents with broad permissions";
    OtherProcesses "other-processes" Soft "Interfering with other users' processes";
    SharedResource "shared-resource" Soft "Modifying shared resources";
    LocalDestruction "local-destruction" Soft "Irreversible local destruction";
    RemoteExecSurface "remote-exec-surface" Hard "Remote-execution surfaces";
    ExposeService "expose-service" Soft "Exposing local services";
    CredentialLeak "credential-leak" Hard "Leaking credentials";
    CredentialSearch "credential-search" Soft "Searching credential stores beyond the task";
    Exfiltration "exfiltration" Hard "Exfiltrating data";
    Persistence "persistence" Soft "Unauthorised persistence";
    SelfModification "self-modification" Hard "Modifying the agent's or the gate's own code or settings";
    ExternalWrite "external-write" Soft "External writes nobody asked for";
    Impersonation "impersonation" Soft "Impersonation and false content";
    RealWorldTransaction "real-world-transaction" Soft "Real-world transactions";
    BypassReview "bypass-review" Soft "Bypassing review or CI protections";
    DiscardWork "discard-work" Soft "Discarding uncommitted work";
    SupplyChain "supply-chain" Soft "Supply-chain redirection";
}
