//! Settings that are read once and again when one of their files changed (SPEC A2). Nothing is watched: a look at
//! a handful of files costs less than a verdict, and misses nothing.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::settings::{Loaded, Overrides, Places, load};

/// How many are kept in mind: one for each project, and for each session with a mode or rules of its own.
const MOST: usize = 1024;
/// A file that changed less than this long ago may change again without showing it.
const SETTLED_NANOS: i128 = 100_000_000;

/// What a file looks like from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Look {
    inode: u64,
    size: u64,
    changed: i128,
}

/// The settings of every project that calls were made in.
#[derive(Default)]
pub(crate) struct SettingsCache {
    kept: Mutex<HashMap<String, Kept>>,
    /// Counts the questions, to know what was asked for last.
    asked: AtomicU64,
}

struct Kept {
    looks: Vec<(PathBuf, Option<Look>)>,
    loaded: Arc<Loaded>,
    used: u64,
}

impl SettingsCache {
    /// The settings for a project as they are now.
    pub(crate) fn get(&self, places: &Places, overrides: &Overrides) -> Arc<Loaded> {
        let key =
            format!("{}\n{:?}\n{:?}", places.project.display(), overrides.session, overrides.session_rules);
        let looks = looks(places, overrides);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let used = self.asked.fetch_add(1, Ordering::Relaxed);
        if let Some(known) = kept.get_mut(&key)
            && known.looks == looks
        {
            known.used = used;
            return Arc::clone(&known.loaded);
        }
        let loaded = Arc::new(load(places, overrides));
        if kept.len() >= MOST
            && let Some(oldest) = kept.iter().min_by_key(|(_, known)| known.used).map(|(key, _)| key.clone())
        {
            kept.remove(&oldest);
        }
        if looks.iter().all(|(_, look)| look.is_none_or(is_settled)) {
            kept.insert(key, Kept { looks, loaded: Arc::clone(&loaded), used });
        } else {
            kept.remove(&key);
        }
        loaded
    }
}

fn looks(places: &Places, overrides: &Overrides) -> Vec<(PathBuf, Option<Look>)> {
    let mut paths = places.read_files();
    paths.extend(overrides.settings.iter().cloned());
    paths.into_iter().map(|path| (path.clone(), look(&path))).collect()
}

fn look(path: &Path) -> Option<Look> {
    let seen = path.metadata().ok()?;
    // The time of the last change of the file's node cannot be set back as that of its content can.
    let changed = i128::from(seen.ctime()) * 1_000_000_000 + i128::from(seen.ctime_nsec());
    Some(Look { inode: seen.ino(), size: seen.size(), changed })
}

fn is_settled(look: Look) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    i128::try_from(now).unwrap_or(i128::MAX) - look.changed > SETTLED_NANOS
}

#[cfg(test)]
mod tests {
    use super::*;
    use portcullis_decide::Mode;

    fn places(folder: &Path) -> Places {
        let at = |name: &str| folder.join(name);
        Places {
            home: at("home"),
            config: at("config"),
            state: at("state"),
            managed: at("managed"),
            project: at("proj"),
        }
    }

    fn mode(cache: &SettingsCache, places: &Places) -> Option<Mode> {
        cache.get(places, &Overrides::default()).settings.mode.as_ref().map(|mode| mode.value)
    }

    /// [A2]
    #[test]
    fn every_change_is_seen_and_nothing_is_read_twice() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        let cache = SettingsCache::default();
        assert_eq!(mode(&cache, &places), None);
        std::fs::create_dir_all(&places.config).unwrap();
        let file = places.user_settings();
        for (text, expected) in [("plan", Mode::Plan), ("auto", Mode::Auto), ("plan", Mode::Plan)] {
            std::fs::write(&file, format!(r#"{{"permissions":{{"defaultMode":"{text}"}}}}"#)).unwrap();
            assert_eq!(mode(&cache, &places), Some(expected));
        }
        std::fs::remove_file(&file).unwrap();
        assert_eq!(mode(&cache, &places), None);
        let first = cache.get(&places, &Overrides::default());
        assert!(Arc::ptr_eq(&first, &cache.get(&places, &Overrides::default())));
    }

    /// [A2]
    #[test]
    fn what_was_asked_for_last_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = SettingsCache::default();
        let of = |name: usize| {
            let places = Places { project: folder.path().join(name.to_string()), ..places(folder.path()) };
            cache.get(&places, &Overrides::default())
        };
        let first = of(0);
        for name in 1..MOST + 10 {
            of(name);
            assert!(Arc::ptr_eq(&first, &of(0)), "{name}");
        }
        assert_eq!(cache.kept.lock().unwrap().len(), MOST);
    }

    /// [R11]
    #[test]
    fn drop_ins_and_project_files_that_appear_later_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        let cache = SettingsCache::default();
        let rules = |cache: &SettingsCache| cache.get(&places, &Overrides::default()).settings.rules().len();
        assert_eq!(rules(&cache), 0);
        let deny = r#"{"permissions":{"deny":["Bash(curl:*)"]}}"#;
        std::fs::create_dir_all(places.managed.join("settings.d")).unwrap();
        std::fs::write(places.managed.join("settings.d/10.json"), deny).unwrap();
        assert_eq!(rules(&cache), 1);
        std::fs::create_dir_all(places.project.join(".portcullis")).unwrap();
        std::fs::write(places.project.join(".portcullis/settings.json"), deny).unwrap();
        assert_eq!(rules(&cache), 2);
    }
}
