//! Words in the names of tools: what looks, what acts, and what is only the name of a thing.

/// Words that only look.
const LOOKS: &[&str] = words!(
    "get list search read fetch find describe show view query lookup count aggregate status check inspect \
     browse explain preview diff validate lint docs info snapshot screenshot retrieve"
);
/// Words that act, wherever they occur.
const ACTS: &[&str] = words!(
    "create update delete remove set add send post write edit book buy pay order deploy rollback publish \
     merge approve close grant share upload run execute exec invite transfer cancel drop push move rename \
     reset restart stop start kill assign comment reply purge archive revoke enable disable submit trigger \
     insert patch put destroy terminate wipe erase reboot retry rerun"
);
/// Words that act as well, though what they do is less plain.
const CHANGES: &[&str] = words!(
    "replace restore revert apply commit promote clear flush truncate forward export import sync change \
     toggle make install uninstall unsubscribe subscribe ban suspend resolve modify register unregister \
     schedule scale mute pause resume lock unlock attach detach upsert save undo redo release checkout fix \
     autofix"
);

/// Of the words that act, those that name things as well: `get_merge_request` looks.
const THINGS: &[&str] = words!(
    "book order merge post comment reply patch run set share push start stop pay deploy archive release \
     reset transfer trigger close move add edit update cancel rollback invite commit change import export \
     sync install restore schedule lock scale pause save register checkout"
);
/// Words before the first action that say what it is done to, or by what.
const NOUNS: &[&str] = words!(
    "kubectl k8s git github gitlab browser api web page pages issue issues resource resources pod pods \
     node nodes namespace namespaces file files directory db database sql table tables collection \
     collections index indexes doc code repo repository repositories pull request requests pr prs branch \
     branches event events metric metrics project projects team teams user users org symbol symbols \
     library wiki storage s3 ec2 lambda bucket buckets image images container containers docker helm chart \
     charts cluster clusters workflow workflows job jobs build builds pipeline pipelines alert alerts \
     message messages channel channels thread calendar drive sheet sheets note notes graph model models \
     dataset datasets paper papers package packages npm tool tools schema item items record records trace \
     traces span spans error errors account accounts product products ticket tickets advanced semantic \
     full text local deep news take aws azure gcp log logs hub space mcp zones workers"
);

/// Of the words that look, those that name things.
const WEAK: &[&str] = &["status", "diff", "docs", "info", "preview", "snapshot", "screenshot", "view"];

/// What the words of a tool's name say that it does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Action<'a> {
    /// It looks.
    Looks,
    /// It acts, by this word.
    Acts(&'a str),
    /// They do not tell.
    Unknown,
}

/// Whether a word acts for certain.
pub(super) fn acts(word: &str) -> bool {
    ACTS.contains(&word)
}

/// What the name says, given the words of the tool and those of its server.
pub(super) fn action<'a>(words: &'a [String], server: &[String]) -> Action<'a> {
    if is_look(words) {
        return Action::Looks;
    }
    let changes = |word: &str| acts(word) || CHANGES.contains(&word);
    // The first word that is neither the server's own name nor a thing says what the tool does.
    let besides = |word: &str| {
        !changes(word)
            && !LOOKS.contains(&word)
            && (NOUNS.contains(&word) || server.iter().any(|own| own == word))
    };
    // A link that lets in whoever has it, and the face of somebody else.
    if words.iter().any(|word| {
        matches!(word.as_str(), "presigned" | "signed" | "magic" | "impersonation" | "impersonate")
    }) {
        return Action::Unknown;
    }
    let first = words.iter().position(|word| !besides(word));
    let joined = words.iter().position(|word| matches!(word.as_str(), "and" | "or" | "then"));
    // `status_change`: a thing, and what is done to it.
    let thing = first.and_then(|at| words.get(at)).is_some_and(|word| WEAK.contains(&word.as_str()));
    let acting = words.iter().enumerate().find(|(at, word)| {
        let surely = thing || Some(*at) == first || joined.is_some_and(|join| join < *at);
        changes(word) && (surely || !THINGS.contains(&word.as_str()))
    });
    if let Some((_, word)) = acting {
        return Action::Acts(word);
    }
    let action = first.and_then(|at| words.get(at)).map_or("", String::as_str);
    let next = first.and_then(|at| words.get(at + 1)).map_or("", String::as_str);
    // `check_out` buys, and `check_in` books.
    let looks = LOOKS.contains(&action) && !(action == "check" && matches!(next, "out" | "in"));
    // `read_and_forget`: what follows may be anything.
    let second = joined.and_then(|at| words.get(at + 1)).map_or("", String::as_str);
    let looks = looks && (second.is_empty() || LOOKS.contains(&second) || NOUNS.contains(&second));
    if looks { Action::Looks } else { Action::Unknown }
}

/// Whether a field of that name makes a tool do something besides looking.
pub(super) fn does_more(field: &str) -> bool {
    const DOES: &[&str] = words!(
        "delete remove purge apply grant revoke invite send notify webhook callback capture execute \
         publish approve overwrite email forward share join refund make set mark"
    );
    // A field that says which one is meant, or when something was done.
    const ABOUT: &[&str] = words!("id ids at by status count date before after since type name filter");
    let words = crate::detect::routine::tasks::words(field);
    let last = words.last().map_or("", String::as_str);
    // `email` is what is looked for; `email_to` is where something goes.
    // So are they with `forward`, which is also a way to go through pages.
    let told = |word: &String| {
        DOES.contains(&word.as_str()) && (last == "to" || !matches!(word.as_str(), "email" | "forward"))
    };
    // `deleted_after` chooses; `delete_after` does something with what was shown.
    let first = words.first().map_or("", String::as_str);
    let then = matches!(last, "before" | "after" | "since")
        && matches!(first, "delete" | "remove" | "purge" | "mark");
    words.iter().any(told) && (then || !ABOUT.contains(&last))
}

/// Whether the tool keeps a thought and does nothing with it.
pub(super) fn keeps_thought(words: &[String]) -> bool {
    matches!(words.concat().as_str(), "sequentialthinking")
}

/// Names that look as a whole, whatever their words do elsewhere.
fn is_look(words: &[String]) -> bool {
    const NAMES: &[&[&str]] = &[
        &["git", "log"],
        &["kubectl", "logs"],
        &["directory", "tree"],
        &["collection", "schema"],
        &["collection", "indexes"],
        &["resolve", "library", "id"],
        &["ask", "question"],
    ];
    NAMES.iter().any(|name| name.iter().copied().eq(words.iter().map(String::as_str)))
}
