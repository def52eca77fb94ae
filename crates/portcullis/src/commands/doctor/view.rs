//! What people and programs see of an examination.

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::{Health, Row};
use crate::output::{CALM, DIM, LOUD, STRONG, WARM, append, visible};

/// One line for each row, and what to do below it.
pub(super) fn as_text(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.width()).max().unwrap_or_default();
    let mut text = String::new();
    let mut about = "";
    for row in rows {
        if row.about != about {
            let gap = if about.is_empty() { "" } else { "\n" };
            append(&mut text, format_args!("{gap}{STRONG}{}{STRONG:#}\n", row.about));
            about = row.about;
        }
        let (style, sign) = match row.health {
            Health::Good => (CALM, "ok"),
            Health::Note => (DIM, "·"),
            Health::Doubtful => (WARM, "!"),
            Health::Bad => (LOUD, "BAD"),
        };
        let pad = " ".repeat(width.saturating_sub(row.name.width()));
        let found = visible(&row.found);
        append(&mut text, format_args!("  {style}{sign:<3}{style:#}  {}{pad}  {found}\n", row.name));
        if let Some(fix) = row.fix.as_ref().filter(|_| row.health != Health::Good) {
            append(&mut text, format_args!("       {}  {DIM}→ {}{DIM:#}\n", " ".repeat(width), visible(fix)));
        }
    }
    let count = |health: Health| rows.iter().filter(|row| row.health == health).count();
    let (bad, doubtful) = (count(Health::Bad), count(Health::Doubtful));
    let style = if bad > 0 { LOUD } else { CALM };
    append(
        &mut text,
        format_args!("\n{style}{bad} bad{style:#}, {doubtful} to look at, {} ok\n", count(Health::Good)),
    );
    text
}

/// For programs.
pub(super) fn as_json(rows: &[Row]) -> Value {
    let one = |row: &Row| {
        json!({
            "about": row.about,
            "name": row.name,
            "health": row.health.name(),
            "found": row.found,
            "fix": row.fix,
        })
    };
    json!({
        "healthy": !rows.iter().any(|row| row.health == Health::Bad),
        "rows": rows.iter().map(one).collect::<Vec<_>>(),
    })
}
