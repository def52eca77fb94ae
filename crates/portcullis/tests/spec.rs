//! Runs every case line of the specification in `spec/` and of `tests/regressions/` as a test of its own.
//!
//! The format is described in `spec/README.md`; `portcullis test FILE.md` runs users' own pages the same way.
#![expect(clippy::expect_used, reason = "a specification that cannot be read must stop the run")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use portcullis_gate::policy_test::{Case, found, parse};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut trials = Vec::new();
    for folder in ["spec", "tests/regressions"] {
        for page in pages(&root.join(folder)) {
            match cases(&root, &page) {
                Ok(cases) => trials.extend(cases.into_iter().map(trial)),
                Err(problem) => {
                    trials.push(Trial::test(page.display().to_string(), move || Err(Failed::from(problem))));
                }
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The pages in a folder and in the folders below it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the pages are part of the repository");
    let mut entries: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|it| it == "md") {
            found.push(path);
        }
    }
    found
}

fn cases(root: &Path, page: &Path) -> Result<Vec<Case>, String> {
    let text = std::fs::read_to_string(page).map_err(|error| error.to_string())?;
    let name = page.strip_prefix(root).unwrap_or(page).to_string_lossy();
    parse(&name, &text)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn trial(case: Case) -> Trial {
    // A few lines hold whole files.
    let text: String = case.text.chars().take(100).collect();
    let name = format!("{}:{} {}: {text}", case.file, case.line, case.heading);
    Trial::test(name, move || {
        let ruling = case.run();
        if case.is_met_by(&ruling) {
            return Ok(());
        }
        let why = ruling.message();
        Err(format!("wanted {}, got {}: {why}", case.wanted(), found(&ruling)).into())
    })
}
