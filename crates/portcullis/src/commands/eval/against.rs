//! What changed since an earlier run: its rows against those of this one, case by case.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::case::{Case, Expected};
use super::interval::uneven;
use super::outcome::Got;
use super::score::Answered;

/// The rows of an earlier run.
pub(super) struct Earlier {
    /// By file, where the row says it, and id.
    rows: BTreeMap<(Option<String>, String), Row>,
}

struct Row {
    expect: String,
    got: Got,
    met: bool,
}

impl Earlier {
    /// Reads what `--rows` wrote. A row that cannot be read is an error: half a comparison would show too few changes.
    pub(super) fn read(path: &Path) -> Result<Earlier, String> {
        let shown = path.display();
        let text =
            std::fs::read_to_string(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        let mut rows = BTreeMap::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let at = |problem: &str| format!("{shown}:{}: {problem}", index + 1);
            let row: Value = serde_json::from_str(line).map_err(|error| at(&error.to_string()))?;
            let text = |field: &str| row.get(field).and_then(Value::as_str);
            let missing = |field: &str| at(&format!("the field `{field}` is missing"));
            let id = text("id").ok_or_else(|| missing("id"))?;
            let expect = text("expect").ok_or_else(|| missing("expect"))?.to_owned();
            let got = text("got").ok_or_else(|| missing("got"))?;
            let got = Got::named(got).ok_or_else(|| at(&format!("`{got}` is no answer")))?;
            let key = (text("file").map(str::to_owned), id.to_owned());
            let before = rows.insert(key, Row { expect, got, met: false });
            if before.is_some() && !id.is_empty() {
                return Err(at(&format!("the id `{id}` is there twice")));
            }
        }
        Ok(Earlier { rows })
    }

    fn row(&mut self, case: &Case) -> Option<&mut Row> {
        let mut key = (Some(case.file.clone()), case.id.clone());
        if !self.rows.contains_key(&key) {
            key.0 = None;
        }
        self.rows.get_mut(&key).filter(|_| !case.id.is_empty())
    }
}

/// A case that is answered differently.
pub(super) struct Change {
    pub(super) file: String,
    pub(super) id: String,
    pub(super) expect: String,
    pub(super) before: Got,
    pub(super) now: Got,
    pub(super) reason: String,
}

/// Errors of one kind that are gone, and that are new.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Side {
    pub(super) gone: usize,
    pub(super) new: usize,
}

impl Side {
    /// How likely a split as uneven as this is if nothing changed but by chance.
    pub(super) fn chance(self) -> f64 {
        uneven(self.gone, self.new)
    }
}

/// Two runs side by side.
pub(super) struct Comparison {
    earlier: Earlier,
    pub(super) compared: usize,
    pub(super) better: Vec<Change>,
    pub(super) worse: Vec<Change>,
    /// Another answer, as right or wrong as before.
    pub(super) other: Vec<Change>,
    pub(super) false_allows: Side,
    pub(super) false_blocks: Side,
    /// Cases that the earlier run did not have.
    pub(super) added: usize,
    /// Cases that expect something else now.
    pub(super) relabelled: usize,
    /// Cases that one of the runs could not run, and cases without an id.
    pub(super) left_out: usize,
    /// By how much each cluster got better.
    clusters: BTreeMap<String, i64>,
}

impl Comparison {
    pub(super) fn with(earlier: Earlier) -> Comparison {
        Comparison {
            earlier,
            compared: 0,
            better: Vec::new(),
            worse: Vec::new(),
            other: Vec::new(),
            false_allows: Side::default(),
            false_blocks: Side::default(),
            added: 0,
            relabelled: 0,
            left_out: 0,
            clusters: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, case: &Case, answered: &Answered) {
        let now = answered.got;
        let unnamed = case.id.is_empty();
        let Some(row) = self.earlier.row(case) else {
            if unnamed {
                self.left_out += 1;
            } else {
                self.added += 1;
            }
            return;
        };
        row.met = true;
        let before = row.got;
        if row.expect != case.expect {
            self.relabelled += 1;
            return;
        }
        if before == Got::NotRun || now == Got::NotRun {
            self.left_out += 1;
            return;
        }
        self.compared += 1;
        if before != now {
            self.changed(case, before, answered);
        }
    }

    fn changed(&mut self, case: &Case, before: Got, answered: &Answered) {
        let now = answered.got;
        let change = Change {
            file: case.file.clone(),
            id: case.id.clone(),
            expect: case.expect.clone(),
            before,
            now,
            reason: answered.reason.clone(),
        };
        let side = match case.expected {
            Expected::NotAllow => &mut self.false_allows,
            Expected::Allow => &mut self.false_blocks,
        };
        let cluster = self.clusters.entry(case.cluster.name.clone()).or_default();
        match (case.is_right(before), case.is_right(now)) {
            (false, true) => {
                side.gone += 1;
                *cluster += 1;
                self.better.push(change);
            }
            (true, false) => {
                side.new += 1;
                *cluster -= 1;
                self.worse.push(change);
            }
            (true, true) | (false, false) => self.other.push(change),
        }
    }

    /// What to say where no case can be compared, so that nobody takes it for no change.
    pub(super) fn nothing_in_common(&self) -> String {
        format!(
            "no case of this run can be compared with the earlier one: {} new, {} with another label, {} without an id or not \
             run; cases are matched by the name of their file and their id, so give the same files",
            self.added, self.relabelled, self.left_out
        )
    }

    /// Cases that only the earlier run had.
    pub(super) fn missing(&self) -> usize {
        self.earlier.rows.values().filter(|row| !row.met).count()
    }

    /// Clusters that got better and worse on the whole: rows of one cluster often change together, and then count once.
    pub(super) fn clusters(&self) -> Side {
        let gone = self.clusters.values().filter(|net| **net > 0).count();
        let new = self.clusters.values().filter(|net| **net < 0).count();
        Side { gone, new }
    }

    pub(super) fn as_json(&self) -> Value {
        let side = |side: Side| json!({ "gone": side.gone, "new": side.new, "p": side.chance() });
        let clusters = self.clusters();
        json!({
            "compared": self.compared,
            "better": changes(&self.better),
            "worse": changes(&self.worse),
            "other": changes(&self.other),
            "false_allow": side(self.false_allows),
            "false_block": side(self.false_blocks),
            "clusters": { "better": clusters.gone, "worse": clusters.new, "p": clusters.chance() },
            "added": self.added,
            "missing": self.missing(),
            "relabelled": self.relabelled,
            "left_out": self.left_out,
        })
    }
}

fn changes(changes: &[Change]) -> Vec<Value> {
    let one = |change: &Change| {
        json!({
            "file": change.file, "id": change.id, "expect": change.expect,
            "before": change.before.name(), "now": change.now.name(), "reason": change.reason,
        })
    };
    changes.iter().map(one).collect()
}
