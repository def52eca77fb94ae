//! Runs every case line of the specification in `spec/` as a test of its own.
//!
//! The format is described in `spec/README.md`; `portcullis test FILE.md` runs users' own pages the same way.
#![expect(clippy::expect_used, reason = "a specification that cannot be read must stop the run")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use portcullis_gate::policy_test::{Case, found, parse};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    let mut trials = Vec::new();
    for folder in [folder.clone(), folder.join("tools")] {
        for page in pages(&folder) {
            match cases(&page) {
                Ok(cases) => trials.extend(cases.into_iter().map(trial)),
                Err(problem) => {
                    trials.push(Trial::test(page.display().to_string(), move || Err(Failed::from(problem))));
                }
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the pages are part of the repository");
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut pages: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    pages
}

fn cases(page: &Path) -> Result<Vec<Case>, String> {
    let text = std::fs::read_to_string(page).map_err(|error| error.to_string())?;
    let name = page.file_name().unwrap_or_default().to_string_lossy();
    parse(&name, &text)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn trial(case: Case) -> Trial {
    let name = format!("{}:{} {}: {}", case.file, case.line, case.heading, case.text);
    Trial::test(name, move || {
        let ruling = case.run();
        if case.is_met_by(&ruling) {
            return Ok(());
        }
        let why = ruling.message();
        Err(format!("wanted {}, got {}: {why}", case.wanted(), found(&ruling)).into())
    })
}
