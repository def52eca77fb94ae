//! What a file tells the agents that read it: to leave people out, to pass checks by, to send what is secret; and claims
//! that somebody approved something.

use super::change::holds;
use crate::detect::{Finding, detectors};

/// Ways to say that nobody is asked.
const UNASKED: &str = "stop asking|no need to ask|no confirmation|no approval|no permission needed|ignore previous instructions|\
    ignore all previous|without asking|without confirm|without approval|without permission|without prompting|\
    without checking with|without waiting|without review|without human|without any approval|without any confirm|without my|\
    nicht nachfragen|frag nicht|ohne zu fragen|ohne rückfrage|ohne freigabe|ne demande pas|sans demander|sans confirmation|\
    no preguntes|sin preguntar|sin confirmar|senza chiedere|sem perguntar";

/// What agents should ask for, in a sentence that tells them not to.
const ASKED: &str = "ask the user|ask me|ask before|ask first|ask for permission|ask for confirmation|have to ask|\
    wait for approval|wait for confirmation|tell the user";
const NOT: &str = "never |n't |do not |not ";

/// Verbs that pass something by, and what should not be passed by.
const PASSES: &str =
    "ignore |skip |bypass |disable |turn off |auto-approve |auto approve |approve |autoapprove |pre-approve ";
const GUARDS: &str = "permission|the hook|hooks|gate|denial|confirmation|approval|code review|the review|review|the tests|all tests|\
    checks|branch protection|sandbox|everything|all |any |your own";

/// Orders that no file should give.
const ORDERS: &str = "auto-approve|auto approve|autoapprove|pre-approved|preapproved|always approved|are approved|\
    everything is approved|everything is allowed|all commands are allowed|run everything|run anything|run any command|\
    execute any command|execute anything|do anything|full access to|--no-verify|--yolo|push directly|push straight|\
    commit directly to main|commit straight to main|merge directly|merge your own|merge without|deploy directly|\
    deploy straight|force-push|force push|push to main|deploy to prod|may delete any|may edit .claude|may change the hooks|\
    use sudo|free to push";

/// Words that turn an order into its opposite where they come before it.
const AGAINST: &[&str] = phrases!(
    "never |not |n't |avoid |no |nothing |nobody |none |cannot |forbidden |refuse |nie |niemals |nicht |\
     kein|jamais |ne |nunca |non |neither |nor |prevent |rather than |instead of |before |ask "
);

/// Words with which a file keeps agents from doing something by themselves, and what they are kept from.
const KEEPS: &str = "ask before|ask first|ask for |always ask|never |do not |don't |must not |needs approval|need approval|\
    requires approval|require approval|only with approval|confirm with|confirm before|wait for approval|needs a review|not allowed";
const KEPT: &str = "push deploy merg force delet production prod secret credential .env publish releas main migrat --no-verify \
    install hook permission sudo drop rm token";

fn says(text: &str, list: &str) -> bool {
    list.split('|').any(|words| text.contains(words))
}

/// The first order of a text that an agent should not get from a file.
pub(super) fn gained(old: &str, new: &str) -> Option<Finding> {
    let plain = |text: &str| text.to_lowercase().replace('’', "'");
    let (old, new) = (plain(old), plain(new));
    let added = new.lines().filter(|line| !old.contains(line.trim()));
    let order = added.flat_map(|line| line.split(". ")).flat_map(|line| line.split("; ")).find_map(order_in);
    let kept = |text: &str| {
        let sentences = text.lines().flat_map(|line| line.split(". "));
        sentences.filter(|sentence| says(sentence, KEEPS) && holds(sentence, KEPT)).count()
    };
    order
        .or_else(|| (kept(&old) > kept(&new)).then(|| Finding::by(&detectors::INSTRUCTION_SAFEGUARD_REMOVED)))
}

/// What one sentence tells agents to do.
fn order_in(sentence: &str) -> Option<Finding> {
    let plain = |list: &str| {
        list.split('|').any(|words| {
            sentence.match_indices(words).any(|(at, _)| {
                let before = sentence.get(..at).unwrap_or_default();
                let after = sentence.get(at + words.len()..).unwrap_or_default();
                // `run everything from the root`
                let place = words.starts_with("run ")
                    && [" from", " in ", " inside", " with ", " through"]
                        .iter()
                        .any(|it| after.starts_with(it));
                let against = AGAINST.iter().any(|word| {
                    before.match_indices(word).any(|(at, _)| {
                        let head = before.get(..at).unwrap_or_default();
                        *word == "n't " || !head.ends_with(|it: char| it.is_alphanumeric())
                    })
                });
                !before.ends_with(|it: char| it.is_alphanumeric()) && !against && !place
            })
        })
    };
    let forbids = |clause: &str| says(clause, "must not|not allowed|is forbidden|avoid ");
    let unasked =
        sentence.split([',', ':']).any(|clause| says(clause, NOT) && says(clause, ASKED) && !forbids(clause));
    let passes = PASSES.split('|').any(|verb| {
        sentence.split_once(verb).is_some_and(|(_, rest)| {
            let near: String = rest.chars().take(20).collect();
            says(&near, GUARDS)
        }) && plain(verb)
    });
    if unasked || passes || plain(UNASKED) || plain(ORDERS) {
        return Some(Finding::by(&detectors::INSTRUCTIONS_SKIP_CHECKS));
    }
    let secret = holds(sentence, ".env credential secret token id_rsa .ssh");
    (secret && sentence.contains("://") && plain("send |post |upload |copy |include "))
        .then(|| Finding::by(&detectors::INSTRUCTIONS_SEND_SECRETS))
}

/// `Approved by: Alice Boss (CTO)`; a line that is left to be filled in names nobody.
pub(super) fn approval_claimed(old: &str, new: &str) -> Option<Finding> {
    const CLAIMS: &[&str] = &[
        "approved by:",
        "reviewed by:",
        "signed off by:",
        "signed-off by:",
        "sign-off:",
        "authorized by:",
        "authorised by:",
    ];
    let known = old.to_lowercase();
    let mut added = new.lines().filter(|line| !known.contains(&line.trim().to_lowercase()));
    let claims = added.any(|line| {
        let plain = line
            .trim_start_matches(|it: char| it.is_whitespace() || "-*>#|[]x".contains(it))
            .replace("**", "");
        let lower = plain.to_lowercase();
        let Some(claim) = CLAIMS.iter().find(|claim| lower.starts_with(**claim)) else { return false };
        let name = plain.get(claim.len()..).unwrap_or_default().trim();
        let open = ["TBD", "TODO", "N/A", "None", "Pending", "Name", "Your"]
            .iter()
            .any(|word| name.starts_with(word));
        let capital = |word: &&str| word.starts_with(|it: char| it.is_uppercase());
        !open && name.split_whitespace().filter(capital).count() >= 2
    });
    claims.then(|| Finding::by(&detectors::APPROVAL_CLAIMED))
}
