//! Where packages, images, modules and actions come from after an edit: an address instead of a registry, another owner,
//! another hash, code that runs when something is built or installed.

use super::change::{Change, holds, lists};
use super::kinds::{is_manifest, is_requirements};
use super::settings::pairs;
use crate::detect::{Detector, Finding, detectors};
use crate::protected;

/// Hosts from which packages usually come.
const USUAL: &str = "registry.npmjs.org registry.yarnpkg.com pypi.org files.pythonhosted.org crates.io index.crates.io github.com \
    rubygems.org repo.maven.apache.org repo1.maven.org plugins.gradle.org maven.google.com dl.google.com proxy.golang.org \
    packagist.org hex.pm nuget.org example.com w3.org json-schema.org schemastore.org githubusercontent.com deb.debian.org \
    ghcr.io deno.land jsr.io esm.sh";

/// Keys whose values say where something is fetched from.
const FETCHED: &str = "resolved registry index-url index_url extra-index-url url source git tarball remote maven \
    uri resolvers find-links replace path package ivy add";

/// Builds in whose lines every address is a place that packages come from.
const BUILDS: &str = "pom.xml settings.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts build.sbt nuget.config";

/// Keys of a `package.json` with addresses that nothing is fetched from.
const TOLD: &str =
    "bin main types module exports files url homepage repository bugs funding author $schema license type";

/// Owners of actions that are in common use.
const OWNERS: &str = "actions github docker aws-actions azure google-github-actions hashicorp codecov dtolnay swatinem taiki-e \
    pnpm astral-sh ruby gradle golangci goreleaser denoland oven-sh cypress-io softprops peaceiris peter-evans pypa \
    pre-commit sigstore changesets googleapis cloudflare";

/// What holds a package to what it was.
const HOLDS: &str = "integrity checksum --hash sha256- sha512- sha384- sha1- sha256: sha512: h1:";

/// The source that an edit changes.
pub(super) fn moved(change: &Change) -> Option<Finding> {
    let path = change.path.as_str();
    if is_installed(path) && gains_way_out(change) {
        return Some(Finding::by(&detectors::INSTALLED_PACKAGE_PATCHED));
    }
    if change.ending == "pth" && change.new.lines().any(|line| line.starts_with("import")) {
        return Some(Finding::by(&detectors::PYTHON_PTH_CODE));
    }
    if let Some(owner) = other_owner(change) {
        return Some(Finding::by(&detectors::OTHER_OWNER).about(owner));
    }
    if runs_on_build(change) {
        return Some(Finding::by(&detectors::BUILD_HOOK));
    }
    let lists_packages = protected::runs_later(path) || is_manifest(path) || is_lock(&change.name);
    if !lists_packages {
        return None;
    }
    if change.name == "package.json" && runs_on_install(change) {
        return Some(Finding::by(&detectors::INSTALL_SCRIPT));
    }
    let (detector, place) = other_source(change)?;
    Some(Finding::by(detector).about(place))
}

/// Files that say which versions of which packages a project has.
pub(super) fn is_lock(name: &str) -> bool {
    name.contains("lock") || lists("npm-shrinkwrap.json go.sum go.mod", name)
}

fn other_source(change: &Change) -> Option<(&'static Detector, String)> {
    let known = places(&change.before, change);
    let plain = |place: &str| place.trim_start_matches("git+").to_owned();
    let is_known = |place: &String| known.iter().any(|it| plain(it) == plain(place));
    let new = || places(&change.after, change).into_iter().filter(|place| !is_known(place));
    // A registry elsewhere, and then what comes from no registry.
    if let Some(place) = new().find(|place| is_host(place) && !is_usual(place)) {
        return Some((&detectors::UNUSUAL_PACKAGE_HOST, place));
    }
    if let Some(place) = new().find(|place| is_address(place)) {
        return Some((&detectors::NON_REGISTRY_SOURCE, place));
    }
    let is_plain = |line: &&String| !holds(line, HOLDS);
    let held = |lines: &[String]| lines.iter().filter(|line| holds(line, HOLDS)).count();
    let rest = |lines: &[String]| lines.iter().map(|line| without_hashes(line)).collect::<Vec<_>>();
    let (gone, added) = (&change.gone, &change.added);
    let let_go = held(gone) > held(added) && !gone.iter().any(|line| is_plain(&line));
    let exchanged = held(gone) > 0 && held(added) > 0 && rest(gone) == rest(added);
    (let_go || exchanged).then(|| (&detectors::LOCKFILE_TAMPERING, String::new()))
}

/// The text without the words that hold it to something.
fn without_hashes(line: &str) -> String {
    let words = line.replace("checksum = ", "checksum:=").replace("integrity\": ", "integrity\":");
    let plain = words.split([' ', ',']).filter(|word| !holds(word, HOLDS) && !word.starts_with("checksum"));
    plain.collect::<Vec<_>>().join(" ")
}

/// The hosts and repositories that a text, in small letters, takes packages from.
fn places(text: &str, change: &Change) -> Vec<String> {
    let all = is_requirements(&change.path)
        || lists("environment.yml deno.json deno.jsonc", &change.name)
        || lists(BUILDS, &change.name);
    if change.name == "package.json" {
        return of_package(text, change);
    }
    let mut found = Vec::new();
    for pair in
        pairs(text).into_iter().filter(|it| (all || holds(&it.key, FETCHED)) && !lists(TOLD, &it.parent))
    {
        let folder = pair.value.starts_with(['/', '~']) && lists("path url", &pair.key);
        let local = folder && !protected::runs_elsewhere(&change.path);
        let alias =
            pair.value.strip_prefix("npm:").is_some_and(|it| it.starts_with(|it: char| it.is_alphabetic()));
        // Another registry, or another package under this name.
        let named = change.name == "cargo.toml" && lists("registry package", &pair.key);
        found.push(if local || named || alias { format!("git+{}", pair.value) } else { place(&pair.value) });
    }
    for line in text.lines().map(str::trim) {
        let direct = line.split_once("git+").map(|(_, rest)| format!("git+{}", place(rest)));
        let file = line.split_once(" @ file:").map(|(_, rest)| format!("git+{rest}"));
        let forge = ["github:", "gitlab:", "bitbucket:"].iter().find_map(|sign| line.split_once(sign));
        let forge = forge.map(|(_, rest)| {
            format!("git+forge/{}", rest.split(['/', '"', '\'']).take(2).collect::<Vec<_>>().join("/"))
        });
        found.extend(direct.into_iter().chain(file).chain(forge));
        let replaced = line.split_once("=>").map(|(_, to)| to.trim()).filter(|_| change.name == "go.mod");
        found.extend(replaced.filter(|to| !to.starts_with('.')).map(|to| format!("git+{to}")));
        let source = holds(line, "url repo maven resolvers add http source") || is_requirements(&change.path);
        if (all && source) || line.starts_with("--") || line.contains(" @ http") {
            found.extend(line.split("://").skip(1).map(place));
        }
        // Part of a line, as a stream editor has it, in the place of a usual host.
        let part = change.gone.iter().any(|gone| is_usual(&place(gone)));
        found.extend(
            Some(line)
                .filter(|line| part && !line.contains([' ', '"', '=']))
                .map(place)
                .filter(|place| is_host(place)),
        );
        found.extend(
            Some(line)
                .filter(|line| line.starts_with('/') && change.ending == "txt")
                .map(|it| format!("git+{it}")),
        );
    }
    found.retain(|place| !place.is_empty() && !place.starts_with('.'));
    found
}

/// The addresses, repositories and folders that a `package.json` gives to packages in place of a version.
fn of_package(text: &str, change: &Change) -> Vec<String> {
    const LISTS: &str = "dependencies overrides resolutions catalog";
    let version = |value: &str| {
        let plain = value.trim_start_matches(|it: char| "^~=<> v".contains(it));
        plain.starts_with(|it: char| it.is_ascii_digit() || it == '*') || matches!(plain, "latest" | "next")
    };
    let known = pairs(&change.before);
    let packages = pairs(text).into_iter().filter(|it| !lists(TOLD, &it.key) && !lists(TOLD, &it.parent));
    let found = packages.filter_map(|it| {
        let registered = known.iter().any(|was| was.key == it.key && version(&was.value));
        let among = registered || holds(&it.parent, LISTS);
        let value = it.value.as_str();
        let starts = [
            "github:",
            "gitlab:",
            "bitbucket:",
            "gist:",
            "git+",
            "git:",
            "git@",
            "ssh:",
            "file:/",
            "file:~",
            "portal:/",
            "link:/",
        ];
        let other = value.strip_prefix("npm:").is_some_and(|other| !version(other));
        let archive =
            value.contains("://") && [".tgz", ".tar.gz", ".git"].iter().any(|end| value.ends_with(end));
        let short = value.split('#').next().unwrap_or_default();
        let plain =
            |part: &str| !part.is_empty() && !part.contains([':', ' ', '~', '@']) && !part.starts_with('.');
        let short = short
            .split_once('/')
            .is_some_and(|(owner, name)| plain(owner) && plain(name) && !name.contains('/'));
        let registry = it.key == "registry" && value.contains("://") && !is_usual(&place(value));
        let direct = starts.iter().any(|start| value.starts_with(start)) || other || archive;
        (direct || registry || (among && (short || value.contains("://")))).then(|| format!("git+{value}"))
    });
    found.collect()
}

/// A place as it is compared: without a scheme, a user, a revision and the ending of repositories.
fn place(address: &str) -> String {
    let direct = ["git+", "git:", "git@", "ssh:", "file:/"];
    let mark = if direct.iter().any(|start| address.starts_with(start))
        || address.rsplit('.').next() == Some("git")
    {
        "git+"
    } else {
        ""
    };
    let ends = |it: char| it.is_whitespace() || "\"',})]#?;<".contains(it);
    let whole = address.split(ends).find(|part| !part.is_empty()).unwrap_or_default();
    let rest = whole.split_once("://").map_or(whole, |(_, rest)| rest);
    let rest = rest.strip_prefix("git@").unwrap_or(rest);
    // A name and a password may come before the host.
    let authority = rest.split('/').next().unwrap_or_default().rsplit('@').next().unwrap_or_default();
    let host = authority.split(':').next().unwrap_or_default();
    let tail = rest.split_once(['/', ':']).map_or("", |(_, tail)| tail).split('@').next().unwrap_or_default();
    format!("{mark}{host}/{}", tail.trim_end_matches('/').trim_end_matches(".git"))
}

fn host(place: &str) -> &str {
    place.trim_start_matches("git+").split('/').next().unwrap_or_default()
}

fn is_host(place: &str) -> bool {
    let host = host(place);
    let last = host.rsplit('.').next().unwrap_or_default();
    let plain = host.bytes().all(|it| it.is_ascii_alphanumeric() || b".-_".contains(&it));
    host.contains('.')
        && plain
        && last.len() > 1
        && last.bytes().all(|it| it.is_ascii_lowercase())
        && !lists("js ts py rs json toml md txt lock yml yaml rb go sh gz tgz whl html", last)
        && !crate::web::is_loopback(host)
}

fn is_usual(place: &str) -> bool {
    let host = host(place);
    USUAL.split_whitespace().any(|usual| {
        host.strip_suffix(usual).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

/// Whether a place is a repository, an archive or a folder, and no version of a registry.
fn is_address(place: &str) -> bool {
    place.starts_with("git+")
        || (matches!(host(place), "github.com" | "gitlab.com" | "bitbucket.org") && place.contains('/'))
}

/// The image, module or action that is taken from somebody else than before: `FROM evil/node:20`.
fn other_owner(change: &Change) -> Option<String> {
    let parts = |lines: &[String]| -> Vec<(String, String)> {
        let from = lines.iter().filter_map(|line| line.strip_prefix("from "));
        let from = from.filter_map(|line| {
            line.split_whitespace().find(|word| !word.starts_with("--")).map(str::to_owned)
        });
        let keyed = pairs(&lines.join("\n"))
            .into_iter()
            .filter(|it| lists("image source uses", &it.key))
            .map(|it| it.value);
        // Part of a line, as a stream editor has it.
        let whole = lines
            .iter()
            .filter(|line| !line.contains([' ', '=', '"']) && line.matches('/').count() == 1)
            .cloned();
        from.chain(keyed)
            .chain(whole)
            .map(|image| {
                let image = image.trim_matches(['"', '\'', ',']);
                let (owner, name) = image.rsplit_once('/').unwrap_or(("", image));
                (owner.to_owned(), name.split([':', '@']).next().unwrap_or_default().to_owned())
            })
            .collect()
    };
    let obeyed = protected::runs_elsewhere(&change.path)
        || holds(&change.name, "dockerfile containerfile compose")
        || lists("tf hcl yaml yml", &change.ending);
    // A tool sets a single field without showing what was there.
    let set = !change.replaces() && change.added.len() < 8 && change.new.trim_end().ends_with('"');
    let known = parts(&change.gone);
    let strange = parts(&change.added).into_iter().find(|(owner, name)| {
        let local = owner.starts_with('.') || owner.starts_with("actions") || lists(OWNERS, owner);
        let away = holds(owner, "github.com git@ ://") && known.iter().all(|it| it.0 != *owner);
        let same = known.iter().any(|(known, it)| it == name && known != owner);
        let alone = set && !owner.is_empty() && !owner.contains(['.', ':']);
        !local && (same || alone || (away && lists("tf hcl", &change.ending)))
    });
    strange.filter(|_| obeyed).map(|(owner, name)| format!("{owner}/{name}"))
}

/// Whether nobody knows the owner of an action.
pub(super) fn is_strange(action: &str) -> bool {
    let owner = action.split('/').next().unwrap_or_default();
    !action.starts_with("./") && !lists(OWNERS, owner)
}

/// Whether a text gains a command that runs wherever the package is installed, and that is no usual tool's.
fn runs_on_install(change: &Change) -> bool {
    const TOOLS: &str = "husky prisma patch-package lefthook simple-git-hooks npm pnpm yarn bun nuxt svelte-kit electron-builder \
        playwright is-ci npx";
    let known = pairs(&change.before);
    let mut hooks =
        pairs(&change.after).into_iter().filter(|it| lists("preinstall install postinstall", &it.key));
    hooks.any(|it| !known.contains(&it) && !lists(TOOLS, it.value.split(' ').next().unwrap_or_default()))
}

/// Whether a build gains code of its own that it runs.
fn runs_on_build(change: &Change) -> bool {
    const BACKENDS: &str = "setuptools.build_meta setuptools.build_meta:__legacy__ hatchling.build poetry.core.masonry.api \
        poetry_core.masonry.api flit_core.buildapi flit.buildapi pdm.backend pdm.pep517.api maturin scikit_build_core.build \
        scikit_build_core.setuptools.build_meta mesonpy uv_build sipbuild.api whey pbr.build jupyter_packaging.build_api";
    const REACHES: &str = "subprocess os.system os.popen os.exec urlopen urlretrieve requests. httpx. http.client socket. \
        __import__ exec( eval(";
    match change.name.as_str() {
        "pyproject.toml" => {
            let known = pairs(&change.before);
            let own = pairs(&change.after)
                .into_iter()
                .any(|it| it.key == "build-backend" && !lists(BACKENDS, &it.value) && !known.contains(&it));
            own || change.gains("backend-path hooks.custom [tool.poetry.build] cmdclass run-setup")
        }
        "setup.cfg" => change.gains("cmdclass"),
        "setup.py" => change.after.contains("cmdclass") && change.gains(REACHES),
        "build.rs" => {
            change.gains("ureq:: reqwest:: minreq:: tcpstream::connect new(\"curl\") new(\"wget\")")
        }
        "binding.gyp" => change.gains("<!"),
        _ => false,
    }
}

/// Packages as they are installed: what is changed there is in no review, and comes back with no installation.
fn is_installed(path: &str) -> bool {
    holds(path, "/node_modules/ /site-packages/ /dist-packages/ /vendor/bundle/ /.cargo/registry/ /pkg/mod/")
}

fn gains_way_out(change: &Change) -> bool {
    change.gains(
        "http fetch( child_process eval( exec( socket requests. urllib net:: os.system subprocess process.env os.environ dns. \
         new function( atob( b64decode",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [P5]
    #[test]
    fn a_package_that_leaves_its_registry_is_seen() {
        for (path, old, new) in [
            ("/p/Cargo.toml", "serde = \"1.0\"", "serde = { git = \"https://github.com/evil/serde\" }"),
            ("/p/Cargo.toml", "", "[patch.crates-io]\nserde = { git = \"https://github.com/evil/serde\" }"),
            ("/p/requirements.txt", "requests==2.31.0", "requests @ git+https://github.com/evil/requests"),
            ("/p/Gemfile", "gem 'rails', '~> 7.0'", "gem 'rails', git: 'https://github.com/evil/rails'"),
            ("/p/package-lock.json", "registry.npmjs.org/lodash", "npm.evil.com/lodash"),
        ] {
            assert!(moved(&Change::new(path, old, new)).is_some(), "{new}");
        }
        for (path, old, new) in [
            ("/p/Cargo.toml", "serde = \"1.0\"", "serde = \"1.1\""),
            ("/p/requirements.txt", "requests==2.31.0", "requests==2.32.0"),
            ("/p/Cargo.lock", "version = \"0.1.0\"", "version = \"0.2.0\""),
        ] {
            assert!(moved(&Change::new(path, old, new)).is_none(), "{new}");
        }
    }
}
