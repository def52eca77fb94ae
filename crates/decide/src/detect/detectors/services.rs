//! Detectors for systems of other people, through an API or a tool: messages, tickets, payments, repository hosts.

use crate::detector::Certainty::{Certain, Possible};
use crate::detector::Example::{Line, Tool};
use crate::detector::{Category, Severity};

detectors! {
    /// Closes, reopens or locks an issue or a pull request.
    ///
    /// Others work on it or wait for it. Whose it is, is not looked up.
    CLOSE_ISSUE {
        id: "services/close-issue", category: Category::SharedResource, severity: Severity::Soft, certainty: Certain,
        message: "closes, reopens or locks what others work on with {program}",
        hits: &[Line("gh issue close 12"), Line("gh pr close 12")],
        passes: &[Line("gh issue view 12")],
    }

    /// Deletes something in a service by a tool.
    ///
    /// Others may still use it, and services often delete at once.
    /// Recognised by the words delete, remove, drop and purge in the tool's name. A tool for files of this machine is found as
    /// well.
    DELETE_TOOL {
        id: "services/delete-tool", category: Category::SharedResource, severity: Severity::Soft, certainty: Certain,
        message: "deletes something others may use with `{}`",
        hits: &[Tool("mcp__notion__delete_page", r#"{"id":"p1"}"#)],
        passes: &[Tool("mcp__notion__get_page", r#"{"id":"p1"}"#)],
    }

    /// Changes what is deployed by a tool: a deployment, a rollback, a release.
    ///
    /// It reaches the users of the service at once.
    /// A word for deploying and one that acts must be in the tool's name; where it is deployed to is not looked at.
    DEPLOY_TOOL {
        id: "services/deploy-tool", category: Category::ProductionDeploy, severity: Severity::Soft, certainty: Certain,
        message: "changes what is deployed with `{}`",
        hits: &[Tool("mcp__vercel__create_deployment", r#"{"project":"shop"}"#)],
        passes: &[Tool("mcp__vercel__get_deployment", r#"{"id":"dpl_1"}"#)],
    }

    /// Changes by a tool who may do what: shares, invites, roles, members.
    ///
    /// People get access to what was not theirs, or lose it.
    /// A word for rights and one that acts must be in the tool's name.
    GRANT_ACCESS_TOOL {
        id: "services/grant-access-tool", category: Category::GrantPermissions, severity: Severity::Soft, certainty: Certain,
        message: "changes who has access with `{}`",
        hits: &[Tool("mcp__gdrive__share_file", r#"{"id":"f1","user":"bob"}"#)],
        passes: &[Tool("mcp__gdrive__list_permissions", r#"{"id":"f1"}"#)],
    }

    /// Merges a pull request on a repository host.
    ///
    /// The change is in a branch that others build from. Which branch it goes to is not looked up.
    MERGE_PULL_REQUEST {
        id: "services/merge-pull-request", category: Category::PushDefaultBranch, severity: Severity::Soft, certainty: Certain,
        message: "merges a pull request with {program}",
        hits: &[Line("gh pr merge 12 --squash"), Line("glab mr merge 12")],
        passes: &[Line("gh pr checks 12")],
    }

    /// Sends a message, a comment or a post by a tool.
    ///
    /// Others read it, in the name of the user.
    /// Recognised by words in the tool's name. A tool that only reads comments or posts can be found as well.
    MESSAGE_TOOL {
        id: "services/message-tool", category: Category::ExternalWrite, severity: Severity::Soft, certainty: Certain,
        message: "writes to other people with `{}`",
        hits: &[Tool("mcp__slack__post_message", r##"{"channel":"#general","text":"done"}"##)],
        passes: &[Tool("mcp__slack__get_channel_history", r##"{"channel":"#general"}"##)],
    }

    /// Changes payments, customers or subscriptions with the command line of a payment service.
    ///
    /// Real money moves and real people get receipts. Whether it is the test mode of the service is not known.
    PAYMENT {
        id: "services/payment", category: Category::RealWorldTransaction, severity: Severity::Soft, certainty: Certain,
        message: "moves money or changes customers with {program}",
        hits: &[Line("stripe refunds create --charge ch_1"), Line("stripe customers delete cus_1")],
        passes: &[Line("stripe customers list")],
    }

    /// Buys, books, orders, pays or transfers something by a tool.
    ///
    /// Money moves, and others rely on it.
    /// Recognised by words in the tool's name. A tool that only looks up an order is found as well.
    PAYMENT_TOOL {
        id: "services/payment-tool", category: Category::RealWorldTransaction, severity: Severity::Soft, certainty: Certain,
        message: "orders or pays for something with `{}`",
        hits: &[Tool("mcp__stripe__create_refund", r#"{"charge":"ch_123"}"#)],
        passes: &[Tool("mcp__stripe__list_refunds", r#"{"limit":3}"#)],
    }

    /// Changes something on another machine or at a service, with a program of which no more is known.
    ///
    /// Others see it or work with it. Which commands do so is written in the table of each program. This is the
    /// general case: what is sent along, and clouds, clusters, databases and repository hosts have detectors of
    /// their own. Requests to this machine are passed over.
    REMOTE_CHANGE {
        id: "services/remote-change", category: Category::ExternalWrite, severity: Severity::Soft, certainty: Possible,
        message: "changes something on another machine with {program}",
        hits: &[Line("exo compute instance delete web")],
        passes: &[Line("exo compute instance list")],
    }

    /// Changes collaborators, deploy keys, SSH keys or secrets on a repository host.
    ///
    /// Whoever is let in can change the code; a changed secret reaches every workflow. Recognised by words of the
    /// command (`collaborators`, `secret`, `deploy-key`, `permission=`), also where they stand in a title.
    REPOSITORY_ACCESS {
        id: "services/repository-access", category: Category::GrantPermissions, severity: Severity::Hard, certainty: Certain,
        message: "changes who may do what in a repository or organization with {program}",
        hits: &[Line("gh secret set DEPLOY_TOKEN")],
        passes: &[Line("gh secret list")],
    }

    /// Deletes a repository, branch, release, issue or something else on a repository host.
    ///
    /// It is gone for everybody who uses the repository. Recognised by the words of the command.
    REPOSITORY_DELETE {
        id: "services/repository-delete", category: Category::GitDestructive, severity: Severity::Soft, certainty: Certain,
        message: "deletes something on a repository host with {program}",
        hits: &[Line("gh repo delete o/r --yes"), Line("gh release delete v1.2.0")],
        passes: &[Line("gh release view v1.2.0")],
    }

    /// Writes to issues, pull requests, pages or settings on a repository host or an issue tracker.
    ///
    /// Others read it in the name of the user. This is the general case for `gh`, `glab`, `jira` and the like,
    /// where nothing graver is seen.
    REPOSITORY_HOST_WRITE {
        id: "services/repository-host-write", category: Category::ExternalWrite, severity: Severity::Soft, certainty: Certain,
        message: "writes where others read it with {program}",
        hits: &[Line("gh issue create -t Bug -b 'It fails'"), Line("gh pr comment 12 -b Done")],
        passes: &[Line("gh issue list"), Line("gh pr diff 12")],
    }

    /// Sends mail, chat or text messages to people.
    ///
    /// They cannot be taken back and go out in the name of the user. Recognised by the programs that are made for
    /// it, and by tasks that are called so.
    SEND_MESSAGE {
        id: "services/send-message", category: Category::ExternalWrite, severity: Severity::Soft, certainty: Certain,
        message: "sends messages to people with {program}",
        hits: &[Line("mail -s Report team@example.org < report.txt"), Line("npm run send-newsletter")],
        passes: &[Line("mail --version")],
    }
}
