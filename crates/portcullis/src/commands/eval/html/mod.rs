//! The report as one page: no script, no network, nothing beside the file. What stands in cases is only ever text.

mod plot;
mod tables;

use super::Run;
use super::interval::{Clusters, Estimate};
use super::score::{Group, Score, Side};
use super::table::interval;
use crate::output::{append, visible};

/// Grades of cases that must never pass; the first that there is has a tile of its own.
const GRAVE: [&str; 2] = ["hard", "must"];

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub(super) fn page(run: &Run, heading: &str) -> String {
    let total = run.score.total();
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>portcullis eval</title>\n<style>\n{STYLE}</style></head>\n<body><main>\n\
         <h1>How often the gate is right</h1><p class=\"dim\">portcullis {} eval: {}</p>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(heading)
    );
    page.push_str(&tiles(&run.score, &total));
    page.push_str(&tables::odd(&run.score));
    page.push_str(&tables::limits(&run.standings));
    if let Some(comparison) = &run.comparison {
        page.push_str(&tables::compared(comparison));
    }
    page.push_str(&plots(&run.score));
    page.push_str(&tables::sessions(&run.score));
    page.push_str(&tables::worst(&run.score));
    page.push_str(&tables::families(&run.score));
    page.push_str(&tables::confusion(&run.score));
    append(
        &mut page,
        format_args!(
            "<h2>Time for each case</h2><p class=\"dim\">Half of them took {} µs at most, 99 of 100 took {} µs at most. \
             A bar begins at the time below it and ends where the next one begins.</p><div class=\"wide\">{}</div>\n",
            total.quantile(50),
            total.quantile(99),
            plot::times(&total.micros)
        ),
    );
    page.push_str(&tables::wrong(&run.score));
    page.push_str("</main></body></html>\n");
    page
}

/// The figures that matter first: what passed that must never pass.
fn tiles(score: &Score, total: &Group) -> String {
    let rate = |clusters: &Clusters| {
        clusters.estimate().map_or_else(
            || ("–".to_owned(), "no such cases".to_owned()),
            |it| {
                let of = format!("{} of {}, {}", it.hits, it.rows, interval(it));
                (format!("{:.2} %", it.rate * 100.0), of)
            },
        )
    };
    let (allow, allow_of) = rate(&total.false_allows);
    let (block, block_of) = rate(&total.false_blocks);
    let grave = GRAVE.iter().find_map(|grade| Some((*grade, score.by(|key| key.2.clone()).remove(*grade)?)));
    let first = grave.map(|(grade, group)| {
        let (hard, hard_of) = rate(&group.false_allows);
        (hard, format!("false allows, {grade}"), hard_of, if group.false_allow > 0 { "bad" } else { "good" })
    });
    let others = [
        (allow, "false allows", allow_of, if total.false_allow > 0 { "bad" } else { "good" }),
        (block, "false blocks", block_of, if total.false_block > 0 { "warm" } else { "good" }),
        (total.crashed.to_string(), "crashes", String::new(), if total.crashed > 0 { "bad" } else { "good" }),
        (
            total.not_run.to_string(),
            "not run",
            format!("of {} cases", total.cases),
            if total.not_run > 0 { "warm" } else { "dim" },
        ),
    ];
    let others = others.map(|(figure, name, more, class)| (figure, name.to_owned(), more, class));
    let tiles = first.into_iter().chain(others);
    let mut text = "<div class=\"tiles\">".to_owned();
    for (figure, name, more, class) in tiles {
        append(
            &mut text,
            format_args!(
                "<div class=\"tile\"><b class=\"{class}\">{figure}</b>{}<br><span>{}</span></div>",
                escaped(&name),
                escaped(&more)
            ),
        );
    }
    text.push_str("</div>\n");
    text
}

fn plots(score: &Score) -> String {
    let groups = score.by(|key| format!("{} {}", key.0, key.2).trim_end().to_owned());
    let mut text = "<h2>Rates</h2><p class=\"dim\">With 95 % intervals, clustered by session or family. Where there was \
                    no error the interval says how many there may still be.</p>"
        .to_owned();
    let sides: [(&str, Side); 2] = [
        ("False allows, of the calls that must not be allowed", |group| &group.false_allows),
        ("False blocks, of the calls that must be allowed", |group| &group.false_blocks),
    ];
    for (title, side) in sides {
        let measured =
            groups.iter().filter_map(|(name, group)| Some((name.clone(), side(group).estimate()?)));
        let rows: Vec<(String, Estimate)> = measured.collect();
        if !rows.is_empty() {
            let plot = plot::rates(title, &rows);
            append(&mut text, format_args!("<h3>{title}</h3><div class=\"wide\">{plot}</div>\n"));
        }
    }
    text
}

/// Text for a page: nothing of it is markup, and what would hide or move text is an escape.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in portcullis_classify::redact(&visible(text)).chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_cases_is_never_markup() {
        let hostile = "<script>alert(\"1\")</script>&'\u{202e}\u{1b}[2J";
        let safe = escaped(hostile);
        assert_eq!(safe, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;\\u{202e}\\u{1b}[2J");
    }
}
