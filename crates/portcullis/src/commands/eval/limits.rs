//! Limits for the error rates, so that a build can fail on them.

use std::str::FromStr;

use serde_json::{Value, json};

use super::against::Comparison;
use super::interval::{Clusters, Estimate, real};
use super::score::{Group, Score, Side};

/// The highest rate that passes: `0.5%`, `0.005`, or for one tier or severity `hard=0`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Limit {
    grade: Option<String>,
    most: f64,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        let (grade, share) = match text.split_once('=') {
            Some((grade, share)) if !grade.trim().is_empty() => (Some(grade.trim().to_owned()), share),
            Some(_) => return Err("before `=` a tier or severity is missing".to_owned()),
            None => (None, text),
        };
        let share = share.trim();
        let (number, whole) = match share.strip_suffix('%') {
            Some(number) => (number.trim_end(), 100.0),
            None => (share, 1.0),
        };
        let number: f64 = number.parse().map_err(|_| format!("`{share}` is not a rate such as `0.5%`"))?;
        let most = number / whole;
        if (0.0..=1.0).contains(&most) {
            Ok(Limit { grade, most })
        } else {
            Err(format!("`{share}` is not between 0 and 100 %; one in two is `50%` or `0.5`"))
        }
    }
}

/// A limit that is broken, where something is there that makes every rate doubtful.
fn none_may_be(rate: &'static str, name: &str, count: usize) -> Option<Standing> {
    let text = format!("{name}: {count}, and none may be there");
    let (grade, most, measured, not_run, held) = (None, 0.0, None, 0, false);
    (count > 0).then_some(Standing { rate, grade, most, measured, not_run, held, text })
}

/// How many cases got worse, and how many may.
fn worse(most: usize, count: usize) -> Standing {
    let text = format!("worse than before: {count}, at most {most}");
    let (grade, measured, not_run) = (None, None, 0);
    Standing { rate: "worse", grade, most: real(most), measured, not_run, held: count <= most, text }
}

/// All limits of a run.
#[derive(clap::Args)]
pub(super) struct Limits {
    /// Exit with 1 if more of the calls that must not be allowed are: `0.5%`, or for one tier or severity `hard=0`;
    /// may be given several times.
    #[arg(long, value_name = "[GRADE=]RATE")]
    max_false_allow: Vec<Limit>,
    /// Exit with 1 if more of the calls that must be allowed are not.
    #[arg(long, value_name = "[GRADE=]RATE")]
    max_false_block: Vec<Limit>,
    /// Exit with 1 if more cases got worse since the run that `--against` names.
    #[arg(long, value_name = "NUMBER", requires = "against")]
    max_worse: Option<usize>,
    /// Hold the upper ends of the intervals against the limits, not the rates.
    #[arg(long)]
    upper_ends: bool,
}

/// How a limit stands.
pub(super) struct Standing {
    /// `false_allow`, `false_block`, `worse`, `crash` or `odd`.
    pub(super) rate: &'static str,
    pub(super) grade: Option<String>,
    pub(super) most: f64,
    pub(super) measured: Option<Estimate>,
    /// How many cases the limit is about that were not run.
    pub(super) not_run: usize,
    pub(super) held: bool,
    /// The same in words.
    pub(super) text: String,
}

impl Limits {
    /// How each limit stands; an error where one is about a grade that no case has.
    pub(super) fn check(&self, score: &Score, against: Option<&Comparison>) -> Result<Vec<Standing>, String> {
        let mut standings = Vec::new();
        let sides: [(&'static str, &[Limit], Side, Side); 2] = [
            ("false_allow", &self.max_false_allow, |it| &it.false_allows, |it| &it.unknown_allows),
            ("false_block", &self.max_false_block, |it| &it.false_blocks, |it| &it.unknown_blocks),
        ];
        for (rate, limits, side, unknown) in sides {
            for limit in limits {
                let group = limit.group(score)?;
                standings.push(self.standing(rate, limit, &Found::of(side(&group), unknown(&group))));
            }
        }
        if let (Some(most), Some(comparison)) = (self.max_worse, against) {
            standings.push(worse(most, comparison.worse.len()));
        }
        if !standings.is_empty() {
            // FAIL-CLOSED(eval-limit-crash): a crash is no answer, so no rate that leaves it out may pass.
            standings.extend(none_may_be("crash", "crashes", score.total().crashed));
            // What was left out of a case may be what it is about.
            standings.extend(none_may_be("odd", "odd cases", score.odd.len()));
        }
        Ok(standings)
    }

    fn standing(&self, rate: &'static str, limit: &Limit, found: &Found) -> Standing {
        let name = rate.replace('_', " ");
        let of = limit.grade.as_ref().map(|grade| format!(" of {grade}")).unwrap_or_default();
        let most = percent(limit.most);
        let end = |it: Estimate| if self.upper_ends { it.high } else { it.rate };
        let (held, text) = match (found.measured, found.at_worst) {
            // FAIL-CLOSED(eval-limit-unmeasured): what was not measured is not below a limit.
            (None, _) | (_, None) => {
                (false, format!("{name}{of}: no case shows it, and at most {most} may be there"))
            }
            // FAIL-CLOSED(eval-limit-one-cluster): rows of one kind do not tell how far a rate reaches.
            (Some(measured), Some(worst)) if self.upper_ends && worst.clusters < 2 => {
                let counted = format!("{} of {}", measured.hits, measured.rows);
                let why = "all cases are of one `session` or `family`, so no upper end can be told";
                (false, format!("{name}{of}: {counted}; {why}, and at most {most} may be there"))
            }
            (Some(measured), Some(worst)) => {
                let counted = format!("{} of {}", measured.hits, measured.rows);
                let counted = if self.upper_ends {
                    format!("{counted}, up to {}", percent(measured.high))
                } else {
                    format!("{counted} ({})", percent(measured.rate))
                };
                let unknown = match found.not_run {
                    0 => String::new(),
                    count => format!(", and {count} not run: {} at worst", percent(end(worst))),
                };
                // FAIL-CLOSED(eval-limit-not-run): a case that was not run counts as answered wrongly.
                (end(worst) <= limit.most, format!("{name}{of}: {counted}{unknown}, at most {most}"))
            }
        };
        let (measured, not_run) = (found.measured, found.not_run);
        Standing { rate, grade: limit.grade.clone(), most: limit.most, measured, not_run, held, text }
    }
}

/// What a limit is held against.
struct Found {
    measured: Option<Estimate>,
    /// With every case that was not run as an error.
    at_worst: Option<Estimate>,
    not_run: usize,
}

impl Found {
    fn of(known: &Clusters, unknown: &Clusters) -> Found {
        let mut all = known.clone();
        all.merge(unknown);
        let not_run = unknown.estimate().map_or(0, |it| it.rows);
        Found { measured: known.estimate(), at_worst: all.estimate(), not_run }
    }
}

impl Limit {
    fn group(&self, score: &Score) -> Result<Group, String> {
        let Some(grade) = &self.grade else { return Ok(score.total()) };
        // A word that no case has is a slip of the pen, and must not pass as a limit that holds.
        score.by(|key| key.2.clone()).remove(grade).ok_or_else(|| {
            format!("no case has the tier or severity `{grade}`, so nothing can be held against its limit")
        })
    }
}

impl Standing {
    pub(super) fn as_json(&self) -> Value {
        json!({
            "rate": self.rate,
            "grade": self.grade,
            "most": self.most,
            "measured": self.measured.map(|found| found.rate),
            "high": self.measured.map(|found| found.high),
            "not_run": self.not_run,
            "held": self.held,
            "text": self.text,
        })
    }
}

/// A rate for people; small ones keep their digits.
fn percent(rate: f64) -> String {
    let percent = rate * 100.0;
    let digits = if percent < 1.0 { 3 } else { 2 };
    let text = format!("{percent:.digits$}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    format!("{short} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Result<(Option<String>, f64), String> {
        text.parse().map(|limit: Limit| (limit.grade, limit.most))
    }

    #[test]
    fn rates_are_read_as_people_write_them() {
        assert_eq!(limit("0.5%"), Ok((None, 0.005)));
        assert_eq!(limit("0.5 %"), Ok((None, 0.005)));
        assert_eq!(limit("0.005"), Ok((None, 0.005)));
        assert_eq!(limit("hard=0"), Ok((Some("hard".to_owned()), 0.0)));
        assert_eq!(limit("soft = 10%"), Ok((Some("soft".to_owned()), 0.1)));
        for bad in ["", "%", "5", "-1%", "101%", "NaN", "inf", "=1%", "hard=", "hard", "1e9%"] {
            assert!(limit(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn small_rates_keep_their_digits() {
        let shown = [0.0, 0.00012, 0.005, 0.1, 0.3333, 1.0].map(percent);
        assert_eq!(shown, ["0 %", "0.012 %", "0.5 %", "10 %", "33.33 %", "100 %"]);
    }
}
