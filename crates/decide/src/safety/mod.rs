//! The safety checks (SPEC S1–S4): they hold in every mode, whatever a rule allows.

pub(crate) mod critical_paths;
mod erase;

use portcullis_shell::{Argument, Command, Effects, Placement, Reading, Why};

use crate::call::ToolCall;
use crate::context::Context;
use crate::facts::PathKind;
use crate::glob;
use crate::matching::mentions::{leaves_out, spellings};
use crate::protected;
use crate::ruling::{Check, Part, Reason};
use crate::run_files::texts;
use crate::view::path_resolution::{self, Way};
use crate::view::{Access, PathUse, View, in_span};
use critical_paths::{holds_kept, is_critical, is_of_system};

/// The gravest thing a safety check has to say about the call.
pub(crate) fn check(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    catastrophe(call, view, context)
        .or_else(|| hidden(call, view))
        .or_else(|| protected_write(call, view, context))
        .or_else(|| credentials(view, context))
}

fn safety(check: Check, detail: String, classifier_approvable: bool, path: Option<&PathUse>) -> Reason {
    let part = path.map(|path| Part { text: path.named.clone(), span: path.span });
    Reason::Safety { check, detail, classifier_approvable, part }
}

/// S2: a deletion that could take everything.
fn catastrophe(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    if let Some(reason) = device(view) {
        return Some(reason);
    }
    if let Some(reason) = emptied(call, view, context) {
        return Some(reason);
    }
    let deleted = view.paths.iter().filter(|path| path.access == Access::Delete);
    let found = deleted.into_iter().find(|path| is_catastrophic(path, call, view, context))?;
    let detail =
        format!("deleting `{}` could take everything in it; only a person can agree to that", found.named);
    Some(safety(Check::Catastrophe, detail, false, Some(found)))
}

/// A folder that matters, emptied by a program that is not one for files alone.
fn emptied(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    let mut words = commands.flat_map(|command| {
        let folder = command.directory.as_deref().unwrap_or(".");
        erase::emptied(command).iter().map(move |word| (folder, word))
    });
    let (_, word) = words.find(|(folder, word)| {
        let place = context.absolute(&word.text, &context.absolute(folder, &call.cwd));
        let place = place
            .strip_suffix("/*")
            .map_or(place.as_str(), |folder| if folder.is_empty() { "/" } else { folder });
        let option = word.text.starts_with('-') || word.text.contains(':');
        let resolved = context.facts.path(place).map(|fact| fact.resolved);
        !option
            && (is_critical(place, call, context)
                || resolved.is_some_and(|it| is_critical(&it, call, context)))
    })?;
    let part = Part { text: word.span.of(&view.line).to_owned(), span: Some(word.span) };
    let detail =
        format!("emptying `{}` could take everything in it; only a person can agree to that", word.text);
    Some(Reason::Safety { check: Check::Catastrophe, detail, classifier_approvable: false, part: Some(part) })
}

/// Writing to a disk itself, or making a file system on it, takes everything on it.
fn device(view: &View) -> Option<Reason> {
    let disk = |text: &str| {
        let name = text.strip_prefix("/dev/").unwrap_or_default();
        ["sd", "hd", "nvme", "vd", "xvd", "disk", "rdisk", "mmcblk", "dm-", "mapper/", "md"]
            .iter()
            .any(|kind| name.starts_with(kind))
    };
    let written = view.paths.iter().find(|path| path.access != Access::Read && disk(&path.path));
    let formats = view.reading.as_ref().and_then(|reading| {
        reading.commands.iter().find(|command| {
            let name = command.program.as_deref().unwrap_or_default();
            let maker = name.starts_with("mkfs")
                || matches!(name, "mkswap" | "wipefs" | "fdisk" | "sfdisk" | "parted" | "sgdisk");
            let formats = maker && command.arguments.iter().any(|word| disk(&word.text));
            !command.effects.is_harmless() && (formats || erase::wipes_disks(command))
        })
    });
    let part = match (written, formats) {
        (Some(path), _) => Part { text: path.named.clone(), span: path.span },
        (None, Some(command)) => {
            Part { text: command.span.of(&view.line).to_owned(), span: Some(command.span) }
        }
        (None, None) => return None,
    };
    let detail = format!("`{}` writes to a disk itself and could take everything on it", part.text);
    Some(Reason::Safety { check: Check::Catastrophe, detail, classifier_approvable: false, part: Some(part) })
}

fn is_catastrophic(path: &PathUse, call: &ToolCall, view: &View, context: &Context) -> bool {
    if is_filtered(path, view) && context.is_trusted(&path.path) {
        return false;
    }
    // The home directory of another user, or all that is in it.
    let named = path.named.trim_end_matches("/*").trim_end_matches('/');
    if named.starts_with('~') && !named.contains('/') {
        return true;
    }
    let critical = |place: &str| {
        is_critical(place, call, context)
            || path_resolution::without_private(place).is_some_and(|short| is_critical(short, call, context))
    };
    if path.literal {
        let fact = context.facts.path(&path.path);
        // A link is removed, not what it leads to; a folder behind one is.
        let resolved = fact.filter(|fact| fact.kind == PathKind::Directory).map(|fact| fact.resolved);
        let beyond = match path_resolution::way(path, context) {
            Way::AsWritten => false,
            Way::To(place) => critical(&place),
            Way::Unknown => is_recursive(path, view),
        };
        return beyond || critical(&path.path) || resolved.is_some_and(|resolved| critical(&resolved));
    }
    let known = path.named.split(glob::is_wild).next().unwrap_or_default();
    if known.is_empty() && !path.glob {
        // Nothing is known of where it begins: the whole target, or what stands before `/*`.
        let rest = path.named.trim_start_matches('*').split('/').filter(|part| !matches!(*part, "" | "."));
        let rest = rest.collect::<Vec<_>>().join("/");
        let rest = rest.as_str();
        let named_folder = rest.is_empty() || is_top_level(rest);
        return rest == "*" || (named_folder && is_recursive(path, view));
    }
    // A pattern for everything in a folder.
    let last = path.path.rsplit('/').next().unwrap_or(&path.path);
    let everything = erase::means_everything(last)
        || last.trim_start_matches('.').chars().all(glob::is_wild)
        || last == "{,.}*"
        || path.deep;
    let all_of_it = everything && {
        let known_as = path_resolution::names(path, context);
        let folders = known_as.all.iter().map(|name| name.rsplit_once('/').map_or("", |(folder, _)| folder));
        let mut folders = folders.map(|folder| if folder.is_empty() { "/" } else { folder });
        known_as.open || folders.any(critical)
    };
    is_of_system(&path.path, call, context)
        || ((all_of_it || holds_kept(&path.path, call, context)) && is_recursive(path, view))
}

/// Whether only some of what lies in the folder is deleted: `find . -name '*.pyc' -delete`.
fn is_filtered(path: &PathUse, view: &View) -> bool {
    naming(path, view).any(erase::is_sifted)
}

/// The commands that name the path.
fn naming<'v>(path: &PathUse, view: &'v View) -> impl Iterator<Item = &'v Command> {
    let commands = view.reading.iter().flat_map(|reading| &reading.commands);
    commands.filter(|command| in_span(path, command))
}

/// Whether the command that deletes the path takes whole folders.
fn is_recursive(path: &PathUse, view: &View) -> bool {
    naming(path, view).any(|command| {
        let short =
            |text: &str| text.starts_with('-') && !text.starts_with("--") && text.contains(['r', 'R']);
        command.program.as_deref() != Some("rm")
            || command.arguments.iter().any(|word| {
                short(&word.text) || (word.text.len() > 2 && "--recursive".starts_with(word.text.as_str()))
            })
    })
}

fn is_top_level(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "bin",
        "boot",
        "dev",
        "etc",
        "home",
        "lib",
        "lib64",
        "opt",
        "proc",
        "root",
        "sbin",
        "srv",
        "sys",
        "usr",
        "var",
        "Users",
        "System",
        "Library",
        "Applications",
    ];
    NAMES.contains(&name)
}

/// S3: text that people would not see.
fn hidden(call: &ToolCall, view: &View) -> Option<Reason> {
    let hides = |text: &str| text.chars().find(|character| portcullis_shell::hides_text(*character));
    let refused = view.reading.as_ref().and_then(|reading| reading.refused());
    if let Some(doubt) = refused.filter(|doubt| doubt.why == Why::Hidden) {
        let detail = format!("the command holds a character that hides what it says ({})", doubt.detail);
        let part = Some(Part { text: String::new(), span: Some(doubt.span) });
        return Some(Reason::Safety { check: Check::Hidden, detail, classifier_approvable: false, part });
    }
    let texts = ["file_path", "path", "notebook_path", "url", "pattern", "subagent_type", "name", "skill"];
    let field =
        texts.iter().find_map(|field| Some((format!("the field `{field}`"), hides(call.text(field)?)?)));
    let path = || {
        let mut paths = view.paths.iter().filter(|_| view.reading.is_none());
        paths.find_map(|path| Some(("the name of a file".to_owned(), hides(&path.named)?)))
    };
    let (what, character) = field.or_else(path)?;
    let detail = format!("{what} holds a character that hides what it says ({})", character.escape_unicode());
    Some(safety(Check::Hidden, detail, false, None))
}

/// S1: a write to a protected place, by its name or where it leads.
fn protected_write(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    let mut gravest: Option<(protected::Place, &PathUse)> = None;
    for path in view.paths.iter().filter(|path| path.access != Access::Read) {
        for place in places(path, context) {
            let graver = gravest
                .is_none_or(|(known, _)| known.classifier_approvable() && !place.classifier_approvable());
            if graver {
                gravest = Some((place, path));
            }
        }
    }
    if let Some((place, path)) = gravest {
        let detail = format!("`{}` {}", path.named, place.sentence());
        return Some(safety(Check::ProtectedWrite, detail, place.classifier_approvable(), Some(path)));
    }
    if let Some(path) = view.paths.iter().find(|path| path_resolution::is_changed_in_the_dark(path, context))
    {
        let detail = format!(
            "`{}` climbs out of a folder that may be a link: where it leads is not known",
            path.named
        );
        return Some(safety(Check::ProtectedWrite, detail, true, Some(path)));
    }
    let reading = view.reading.as_ref().filter(|_| call.tool.is_shell())?;
    configures(reading, view)
        .or_else(|| names_protected(reading, view, call, context))
        .or_else(|| in_files(call, view, context))
}

/// The same for files that the line runs and that are not the user's own (P0): what their lines write, and what code names
/// beside a call that writes.
fn in_files(call: &ToolCall, view: &View, context: &Context) -> Option<Reason> {
    texts::strange_texts(call, view, context).into_iter().find_map(|file| {
        let line = |text: &String| {
            let (line, inner) = texts::as_line(text, &call.cwd, context);
            check(&line, &View::of(&line, &inner), &inner)
        };
        let places = || {
            let graver = |place: &protected::Place| !place.classifier_approvable();
            let place =
                spellings(&file.text).filter(|text| protected::is_plausible(text) && text.contains('/'));
            place.filter_map(|text| protected::place(&context.absolute(text, &call.cwd), true)).find(graver)
        };
        let named = |place: protected::Place| {
            let detail = format!("it runs `{}`, which names what {}", file.path, place.sentence());
            safety(Check::ProtectedWrite, detail, false, None)
        };
        let code = || crate::detect::writes_in_code(&file.text).then(places).flatten().map(named);
        file.lines.iter().find_map(line).or_else(code)
    })
}

fn places(path: &PathUse, context: &Context) -> Vec<protected::Place> {
    let names = path_resolution::names(path, context).all;
    names.iter().filter_map(|name| protected::place(name, path.literal)).collect()
}

/// Commands that write a configuration file without naming it: program, sub-command, and what the file is.
const CONFIGURES: &[(&str, &str, protected::Place)] = &[
    ("git", "config", protected::Place::Git),
    ("jj", "config", protected::Place::Repository),
    ("npm", "config", protected::Place::Packages),
    ("npm", "set", protected::Place::Packages),
    ("pnpm", "config", protected::Place::Packages),
    ("yarn", "config", protected::Place::Packages),
    ("bun", "config", protected::Place::Packages),
    ("pip", "config", protected::Place::Packages),
    ("pip3", "config", protected::Place::Packages),
    ("gem", "sources", protected::Place::Packages),
    ("conda", "config", protected::Place::Packages),
    ("bundle", "config", protected::Place::Packages),
    ("poetry", "config", protected::Place::Packages),
    ("composer", "config", protected::Place::Packages),
    ("crontab", "", protected::Place::StartUp),
    ("at", "", protected::Place::StartUp),
    ("chsh", "", protected::Place::StartUp),
];

/// `git config key value` and its like.
fn configures(reading: &Reading, view: &View) -> Option<Reason> {
    let (command, place) = reading.commands.iter().find_map(|command| {
        let program = command.program.as_deref()?;
        let verb = command.verbs.first().and_then(|index| command.arguments.get(*index));
        let verb = verb.map_or("", |verb| verb.text.as_str());
        let known = CONFIGURES
            .iter()
            .find(|(name, wanted, _)| *name == program && (wanted.is_empty() || *wanted == verb));
        let place = known
            .filter(|_| !command.effects.without(Effects::IF_FILES_SAY_SO).is_harmless())
            .map(|(.., place)| *place)?;
        Some((command, place))
    })?;
    let part = Part { text: command.span.of(&view.line).to_owned(), span: Some(command.span) };
    let detail = format!("`{}` writes a file that {}", part.text, place.sentence());
    let classifier_approvable = place.classifier_approvable();
    Some(Reason::Safety { check: Check::ProtectedWrite, detail, classifier_approvable, part: Some(part) })
}

/// A command that writes or runs something, and has a protected place among its words: `7z x a.7z -o.git`,
/// `python3 -c "open('.git/config', 'w')"`.
fn names_protected(reading: &Reading, view: &View, call: &ToolCall, context: &Context) -> Option<Reason> {
    let (place, word) = protected_words(reading, view, call, context).next()?;
    let detail = format!("`{}` {}", word.text, place.sentence());
    let part = Some(Part { text: word.span.of(&view.line).to_owned(), span: Some(word.span) });
    let classifier_approvable = place.classifier_approvable();
    Some(Reason::Safety { check: Check::ProtectedWrite, detail, classifier_approvable, part })
}

/// The words of acting commands that name a protected place, with the place.
pub(crate) fn protected_words<'r>(
    reading: &'r Reading,
    view: &View,
    call: &ToolCall,
    context: &Context,
) -> impl Iterator<Item = (protected::Place, &'r Argument)> {
    let somewhere = writes_somewhere(view);
    let acting = reading.commands.iter().filter(move |command| acts_on_words(command, reading, somewhere));
    acting.flat_map(move |command| {
        let mut before = "";
        let words = command.arguments.iter().filter(|word| word.literal);
        words.filter_map(move |word| {
            let left_out = leaves_out(command, before) || leaves_out(command, &word.text);
            before = &word.text;
            let place = spellings(&word.text).filter(|_| !left_out).find_map(|text| {
                let (named, linked) = (protected::is_plausible(text), may_be_link(text, somewhere));
                let path = (named || linked).then(|| context.absolute(text, &call.cwd))?;
                let fact = if linked { context.facts.path(&path) } else { None };
                let place = if named { protected::place(&path, true) } else { None };
                let leads = fact.filter(|fact| fact.resolved != path);
                place.or_else(|| leads.and_then(|fact| protected::place(&fact.resolved, true)))
            });
            Some((place?, word))
        })
    })
}

/// Whether a command may write to what its words name.
fn acts_on_words(command: &Command, reading: &Reading, somewhere: bool) -> bool {
    let acts = Effects::WRITES
        .and(Effects::DELETES)
        .and(Effects::EXECUTES)
        .and(Effects::UNKNOWN)
        .and(Effects::PERMISSIONS);
    // `find -path '*/.git/*' -exec sed -i … {} +`: who looks for files hands them on.
    let hands_on = || {
        let mut inner = reading.commands.iter().filter(|it| it.placement == Placement::Wrapped);
        matches!(command.program.as_deref(), Some("find" | "fd" | "fdfind"))
            && inner.any(|it| {
                it.own.meets(acts) && command.span.start <= it.span.start && it.span.end <= command.span.end
            })
    };
    // What is only read in is not written.
    let reads_in = matches!(command.program.as_deref(), Some("source" | "."))
        && matches!(command.arguments.as_slice(), [file] if portcullis_shell::is_prelude(&file.text));
    somewhere || (command.own.meets(acts) && !reads_in) || hands_on()
}

/// Whether the line writes to a place that is not known: then any of its words may name it.
fn writes_somewhere(view: &View) -> bool {
    view.paths.iter().any(|path| path.access != Access::Read && !path.literal && !path.glob)
}

/// Whether a part of a word is looked up: it has the form of a path, or any name may be the place.
fn may_be_link(text: &str, somewhere: bool) -> bool {
    text.contains('/') || (somewhere && !text.is_empty())
}

/// The parts of the command's words that may lead to a protected place by a link.
pub(crate) fn links<'c>(command: &'c Command, view: &View) -> Vec<&'c str> {
    let somewhere = writes_somewhere(view);
    if command.own.is_harmless() && !somewhere {
        return Vec::new();
    }
    let words = command.arguments.iter().filter(|word| word.literal);
    words.flat_map(|word| spellings(&word.text)).filter(|text| may_be_link(text, somewhere)).collect()
}

/// S4: reading credentials.
fn credentials(view: &View, context: &Context) -> Option<Reason> {
    // What another tool is told to touch may be read as well as written.
    let reads = view
        .paths
        .iter()
        .filter(|path| path.access == Access::Read || (path.searched && view.reading.is_none()));
    for path in reads {
        let names = path_resolution::names(path, context).all;
        let secret = names.iter().any(|name| portcullis_shell::is_secret_path(name, path.literal))
            || (path.searched && view.reading.is_none() && portcullis_shell::holds_secrets(&path.path));
        if secret {
            let detail = format!("`{}` is a usual place of credentials", path.named);
            return Some(safety(Check::Credentials, detail, true, Some(path)));
        }
    }
    let reading = view.reading.as_ref()?;
    let teller = reading.commands.iter().find(|command| command.effects.meets(Effects::SECRETS));
    let part =
        teller.map(|command| Part { text: command.span.of(&view.line).to_owned(), span: Some(command.span) });
    reading.effects().meets(Effects::SECRETS).then(|| Reason::Safety {
        check: Check::Credentials,
        detail: "the command shows credentials, keys or tokens".to_owned(),
        classifier_approvable: true,
        part,
    })
}
