//! What runs wherever a package is built or installed: a backend of one's own, hooks, scripts that reach other machines.

use crate::detect::{Finding, detectors};

/// Backends that packages are usually built with.
const BACKENDS: &[&str] = &[
    "setuptools.build_meta",
    "setuptools.build_meta:__legacy__",
    "hatchling.build",
    "poetry.core.masonry.api",
    "poetry_core.masonry.api",
    "flit_core.buildapi",
    "flit.buildapi",
    "pdm.backend",
    "pdm.pep517.api",
    "maturin",
    "scikit_build_core.build",
    "scikit_build_core.setuptools.build_meta",
    "mesonpy",
    "uv_build",
    "sipbuild.api",
    "whey",
    "pbr.build",
    "jupyter_packaging.build_api",
];

/// Tables and keys that name code which a build runs.
const HOOKS: &[&str] = &[
    "backend-path",
    "build.hooks.custom",
    "metadata.hooks.custom",
    "[tool.poetry.build]",
    "[tool.setuptools.cmdclass]",
    "cmdclass",
    "run-setup",
];

/// Words of code that runs something or reaches other machines.
const REACHES: &[&str] = &[
    "subprocess",
    "os.system",
    "os.popen",
    "os.exec",
    "urlopen",
    "urlretrieve",
    "requests.",
    "httpx.",
    "http.client",
    "socket.",
    "__import__",
    "exec(",
    "eval(",
];

/// Words of a build script in Rust that reach other machines.
const CONNECTS: &[&str] =
    &["ureq::", "reqwest::", "minreq::", "tcpstream::connect", "new(\"curl\")", "new(\"wget\")"];

/// The finding where a build gains code of its own that it runs.
pub(super) fn gained(old: &str, new: &str, path: &str) -> Option<Finding> {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let more = |word: &str| new.matches(word).count() > old.matches(word).count();
    let hooked = match path.rsplit('/').next().unwrap_or_default() {
        "pyproject.toml" => {
            let own =
                backends(&new).into_iter().any(|it| !BACKENDS.contains(&it) && !backends(&old).contains(&it));
            own || HOOKS.iter().any(|word| more(word))
        }
        "setup.cfg" => more("cmdclass"),
        "setup.py" => new.contains("cmdclass") && REACHES.iter().any(|word| more(word)),
        "build.rs" => CONNECTS.iter().any(|word| more(word)),
        "binding.gyp" => more("<!"),
        _ => false,
    };
    hooked.then(|| Finding::by(&detectors::BUILD_HOOK))
}

/// The backends that a text names.
fn backends(text: &str) -> Vec<&str> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("build-backend"));
    lines.filter_map(|rest| rest.split(['"', '\'']).nth(1)).collect()
}
