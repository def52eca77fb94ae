//! The table of rates on a screen: as many columns as it has room for, the figures that matter first.

use super::interval::{Clusters, Estimate};
use super::score::{Group, Score};
use crate::output::{CALM, DIM, LOUD, STRONG, WARM, append, one_line, room};

/// Names are cut beyond this, so that the figures stay in sight.
const LONGEST_NAME: usize = 44;
/// How wide a rate is with its interval, and without.
const WITH_INTERVAL: usize = 27;
const WITHOUT: usize = 16;

/// Which columns there are, and how wide the names are.
struct Layout {
    name: usize,
    grade: usize,
    rate: usize,
    crash: bool,
    not_run: bool,
    times: bool,
}

impl Layout {
    /// Everything, if the screen has room for it; then without times, then without intervals.
    fn of(rows: &[Row<'_>], room: usize) -> Layout {
        let widest = |part: fn(&Row<'_>) -> usize| rows.iter().map(part).max().unwrap_or(0);
        let mut layout = Layout {
            name: widest(|row| row.name.chars().count()).clamp(6, LONGEST_NAME),
            grade: widest(|row| row.grade.chars().count()).max(5),
            rate: WITH_INTERVAL,
            crash: rows.iter().any(|row| row.group.crashed > 0),
            not_run: rows.iter().any(|row| row.group.not_run > 0),
            times: true,
        };
        layout.times = layout.width() <= room;
        if layout.width() > room {
            layout.rate = WITHOUT;
        }
        layout
    }

    fn width(&self) -> usize {
        let more = usize::from(self.crash) * 7 + usize::from(self.not_run) * 8 + usize::from(self.times) * 18;
        self.name + 1 + self.grade + 7 + 2 * (self.rate + 1) + more
    }

    fn header(&self) -> String {
        let (name, grade, rate) = (self.name, self.grade, self.rate);
        let mut text = format!(
            "{:<name$} {:<grade$} {:>6} {:>rate$} {:>rate$}",
            "family", "grade", "cases", "false allow", "false block"
        );
        text.push_str(if self.crash { "  crash" } else { "" });
        text.push_str(if self.not_run { " not run" } else { "" });
        text.push_str(if self.times { "   p50 µs   p99 µs" } else { "" });
        format!("{STRONG}{text}{STRONG:#}\n")
    }

    fn line(&self, row: &Row<'_>) -> String {
        let (name, grade, rate, group) = (self.name, self.grade, self.rate, row.group);
        let allow = self.share(&group.false_allows);
        let block = self.share(&group.false_blocks);
        let loud = if group.false_allow + group.crashed > 0 { LOUD } else { calm(group.expect_not) };
        let warm = if group.false_block > 0 { WARM } else { calm(group.expect_allow) };
        let mut text = format!(
            "{:<name$} {:<grade$} {:>6} {loud}{allow:>rate$}{loud:#} {warm}{block:>rate$}{warm:#}",
            cut(&row.name, name),
            row.grade,
            group.cases
        );
        if self.crash {
            append(&mut text, format_args!(" {:>6}", group.crashed));
        }
        if self.not_run {
            append(&mut text, format_args!(" {:>7}", group.not_run));
        }
        if self.times {
            append(&mut text, format_args!(" {:>8} {:>8}", group.quantile(50), group.quantile(99)));
        }
        text.push('\n');
        text
    }

    /// `3/120 2.5 % [0.9–7.1]`.
    fn share(&self, clusters: &Clusters) -> String {
        let Some(it) = clusters.estimate() else { return "-".to_owned() };
        let share = format!("{}/{} {:.1} %", it.hits, it.rows, it.rate * 100.0);
        if self.rate == WITH_INTERVAL { format!("{share} {:>11}", interval(it)) } else { share }
    }
}

/// Where nothing was measured, nothing is good either.
fn calm(measured: usize) -> anstyle::Style {
    if measured > 0 { CALM } else { anstyle::Style::new() }
}

struct Row<'a> {
    name: String,
    grade: String,
    group: &'a Group,
}

/// The families of each file, and below them each file by its grades.
pub(super) fn table(score: &Score) -> String {
    let sums = score.by(|key| format!("{} {}", key.0, key.2));
    let families = score.groups.iter().map(|((_, family, grade), group)| Row {
        name: format!("  {}", one_line(family)),
        grade: one_line(grade),
        group,
    });
    let files = sums.iter().map(|(name, group)| Row {
        name: format!("all of {}", one_line(name.trim_end())),
        grade: String::new(),
        group,
    });
    let rows: Vec<Row<'_>> = families.chain(files).collect();
    let layout = Layout::of(&rows, room());
    let mut text = layout.header();
    let mut shown_file = "";
    for (at, row) in rows.iter().enumerate() {
        let file = score.groups.keys().nth(at).map_or(shown_file, |key| key.0.as_str());
        if file != shown_file {
            append(&mut text, format_args!("{DIM}{}{DIM:#}\n", one_line(file)));
            shown_file = file;
        }
        text.push_str(&layout.line(row));
    }
    text
}

/// As much of a name as there is room for.
fn cut(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let kept: String = name.chars().take(room.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// The interval in per cent, one-sided where it never or always happened.
pub(super) fn interval(found: Estimate) -> String {
    let (low, high) = (found.low * 100.0, found.high * 100.0);
    if found.hits == 0 {
        format!("[≤{high:.1}]")
    } else if found.hits == found.rows {
        format!("[≥{low:.1}]")
    } else {
        format!("[{low:.1}–{high:.1}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_no_room_for_is_left_out_by_its_worth() {
        let group = Group { cases: 1, ..Group::default() };
        let row = |name: &str| Row { name: name.to_owned(), grade: "hard".to_owned(), group: &group };
        let rows = [row("all of benign-dev"), row(&"x".repeat(99))];
        let wide = Layout::of(&rows, 200);
        assert!(wide.times && wide.rate == WITH_INTERVAL && wide.name == LONGEST_NAME);
        let middle = Layout::of(&rows, 120);
        assert!(!middle.times && middle.rate == WITH_INTERVAL);
        let narrow = Layout::of(&rows[..1], 80);
        assert!(!narrow.times && narrow.rate == WITHOUT && narrow.width() <= 80, "{}", narrow.width());
        assert_eq!(cut("abcdef", 4), "abc…");
        for line in [narrow.header(), narrow.line(&rows[0])] {
            let plain = anstream::adapter::strip_str(&line).to_string();
            assert!(plain.trim_end().chars().count() <= 80, "{plain}");
        }
    }
}
