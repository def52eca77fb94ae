//! Which project a command is about.

use std::path::PathBuf;

use portcullis_gate::settings::{Loaded, Overrides, Places, find_project, load};

/// The project, and settings beside those that are found.
#[derive(clap::Args)]
pub(crate) struct Project {
    /// The project's folder; by default the one here or above that has `.portcullis` or `.git` in it.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// A further settings file; it counts as given on the command line.
    #[arg(long, value_name = "FILE")]
    settings: Vec<PathBuf>,
}

impl Project {
    /// Where its settings lie.
    pub(crate) fn places(&self) -> Result<Places, String> {
        let named = if let Some(folder) = &self.project {
            folder.canonicalize().map_err(|error| format!("cannot open `{}`: {error}", folder.display()))?
        } else {
            let here = std::env::current_dir();
            find_project(&here.map_err(|error| format!("cannot tell the working directory: {error}"))?)
        };
        Ok(Places::from_environment(&named))
    }

    /// Its settings.
    pub(crate) fn load(&self) -> Result<Loaded, String> {
        let overrides = Overrides { settings: self.settings.clone(), ..Overrides::default() };
        Ok(load(&self.places()?, &overrides))
    }
}
