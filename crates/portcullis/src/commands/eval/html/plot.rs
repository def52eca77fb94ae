//! Plots as SVG text, drawn here: rates with their intervals, and times as bars.

use super::super::interval::{Estimate, real};
use super::super::table::interval;
use super::escaped;
use crate::output::append;

/// The room for names at the left, for the plot, and for figures at the right.
const NAMES: f64 = 230.0;
const PLOT: f64 = 460.0;
const FIGURES: f64 = 230.0;
/// How many letters fit there.
const NAME_LETTERS: usize = 34;
/// The height of a line.
const LINE: f64 = 24.0;

/// Rates with their intervals, one line each, on one axis that begins at zero.
pub(super) fn rates(title: &str, rows: &[(String, Estimate)]) -> String {
    let highest = rows.iter().map(|(_, found)| found.high).fold(0.0, f64::max);
    let (top, step) = axis(highest);
    let x = |rate: f64| NAMES + PLOT * rate / top;
    let bottom = LINE * real(rows.len()) + 6.0;
    let (width, height) = (NAMES + PLOT + FIGURES, bottom + 24.0);
    let mut svg =
        format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">", escaped(title));
    let mut mark = 0.0;
    while mark <= top + step / 2.0 {
        let at = x(mark);
        append(
            &mut svg,
            format_args!("<line class=\"grid\" x1=\"{at:.1}\" y1=\"0\" x2=\"{at:.1}\" y2=\"{bottom}\"/>"),
        );
        let (below, shown) = (bottom + 16.0, mark * 100.0);
        let digits = usize::from(step < 0.01);
        append(
            &mut svg,
            format_args!(
                "<text class=\"dim\" x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{shown:.digits$} %</text>"
            ),
        );
        mark += step;
    }
    for (at, (name, found)) in rows.iter().enumerate() {
        let y = LINE * real(at) + LINE / 2.0;
        svg.push_str(&rate_line(name, *found, y, x));
    }
    svg.push_str("</svg>");
    svg
}

fn rate_line(name: &str, found: Estimate, y: f64, x: impl Fn(f64) -> f64) -> String {
    let (low, high, rate) = (x(found.low), x(found.high), x(found.rate));
    let (left, right, base) = (NAMES - 10.0, NAMES + PLOT + 12.0, y + 4.0);
    let figures = format!("{}/{}  {:.1} % {}", found.hits, found.rows, found.rate * 100.0, interval(found));
    // What there is no room for is shown when somebody points at it.
    let short = if name.chars().count() > NAME_LETTERS {
        name.chars().take(NAME_LETTERS - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    };
    let (name, short, figures) = (escaped(name), escaped(&short), escaped(&figures));
    format!(
        "<text x=\"{left}\" y=\"{base}\" text-anchor=\"end\">{short}<title>{name}</title></text>\
         <line class=\"whisker\" x1=\"{low:.1}\" y1=\"{y}\" x2=\"{high:.1}\" y2=\"{y}\"/>\
         <circle class=\"dot\" cx=\"{rate:.1}\" cy=\"{y}\" r=\"4\"/>\
         <text class=\"dim\" x=\"{right}\" y=\"{base}\">{figures}</text>"
    )
}

/// The end of an axis that holds a rate, and the distance of its marks.
fn axis(highest: f64) -> (f64, f64) {
    let steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
    let step = steps.into_iter().find(|step| step * 6.0 >= highest).unwrap_or(0.2);
    let top = (highest / step).ceil().max(1.0) * step;
    (top, step)
}

/// How many cases took how long: a bar for each doubling of the time.
pub(super) fn times(micros: &[u64]) -> String {
    let mut bars = [0_usize; 24];
    for time in micros {
        let power = usize::try_from((time + 1).ilog2()).unwrap_or(usize::MAX).min(bars.len() - 1);
        if let Some(bar) = bars.get_mut(power) {
            *bar += 1;
        }
    }
    let used = bars.iter().rposition(|count| *count > 0).map_or(1, |last| last + 1);
    let most = bars.iter().copied().max().unwrap_or(1).max(1);
    let (width, height, gap) = (920.0, 150.0, 4.0);
    let each = width / real(used);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {}\" role=\"img\" aria-label=\"time for each case\">",
        height + 40.0
    );
    for (power, count) in bars.iter().take(used).enumerate() {
        let tall = height * real(*count) / real(most);
        let (left, top) = (each * real(power) + gap / 2.0, height - tall + 16.0);
        let (middle, below, above) = (left + (each - gap) / 2.0, height + 34.0, top - 4.0);
        let name = duration((1_u64 << power) - 1);
        append(
            &mut svg,
            format_args!(
                "<rect class=\"bar\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"/>\
                 <text class=\"dim\" x=\"{middle:.1}\" y=\"{below}\" text-anchor=\"middle\">{name}</text>",
                each - gap
            ),
        );
        if *count > 0 {
            append(
                &mut svg,
                format_args!(
                    "<text x=\"{middle:.1}\" y=\"{above:.1}\" text-anchor=\"middle\">{count}</text>"
                ),
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// `≥ 127 µs`, short enough to stand under a bar.
fn duration(micros: u64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{} ms", micros / 1_000),
        _ => format!("{} s", micros / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_holds_its_highest_rate_in_a_few_steps() {
        for highest in [0.0, 0.0004, 0.003, 0.05, 0.139, 0.47, 0.9999, 1.0] {
            let (top, step) = axis(highest);
            assert!(top + 1e-9 >= highest && top / step < 6.5, "{highest}: {top} by {step}");
        }
    }
}
