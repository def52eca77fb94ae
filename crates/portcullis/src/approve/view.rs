//! The screen: the queue above, the selected request in full below it, then what is being chosen, then the keys.
//! Nothing here decides anything. It fits into 40 columns and 10 lines, and needs neither colour nor more than ASCII.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthChar;

use super::body::{self, Letters, Row, Tone};
use super::choosing::{Choosing, Lasting, Offer};
use super::keys::{App, Screen};

/// From this height on there is room for more than the request and the keys.
const ROOMY: u16 = 16;

/// What the terminal can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) letters: Letters,
    pub(crate) colour: bool,
}

impl Look {
    fn style(self, tone: Tone) -> Style {
        let plain = Style::new();
        match tone {
            Tone::Plain => plain,
            Tone::Strong => plain.add_modifier(Modifier::BOLD),
            Tone::Risky if self.colour => {
                plain.fg(Color::Red).add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
            }
            Tone::Risky => plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            Tone::Dim => plain.add_modifier(Modifier::DIM),
        }
    }

    fn line(self, row: Row) -> Line<'static> {
        row.into_iter().map(|(text, tone)| Span::styled(text, self.style(tone))).collect()
    }

    fn rule(self, width: usize) -> Row {
        let sign = if self.letters == Letters::All { "─" } else { "-" };
        vec![(sign.repeat(width), Tone::Dim)]
    }
}

/// Draws everything. `now` is in milliseconds since 1970.
pub(crate) fn draw(frame: &mut Frame<'_>, app: &mut App, now: u64, look: Look) {
    let area = frame.area();
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    if width == 0 || height == 0 {
        return;
    }
    let roomy = area.height >= ROOMY;
    let mut top = vec![title(app)];
    if roomy {
        top.extend(queue(app, now, look, height / 4));
        top.push(look.rule(width));
    }
    let top = fitted(top, width, Fit::Cut);
    let mut bottom = Vec::new();
    if roomy {
        bottom.push(look.rule(width));
    }
    bottom.extend(panel(app, look, width));
    bottom.extend(app.note.iter().map(|note| vec![(look.letters.shown(note), Tone::Strong)]));
    bottom.push(vec![(keys(&app.screen, roomy && width >= 60).to_owned(), Tone::Dim)]);
    let bottom = fitted(bottom, width, Fit::Wrap);
    // Two lines of the request stay, whatever else there is to say.
    let kept = height.saturating_sub(top.len() + 2).min(bottom.len());
    let bottom = bottom.into_iter().rev().take(kept).rev().collect::<Vec<_>>();
    let room = height.saturating_sub(top.len() + bottom.len());
    let middle = request(app, now, look, width, room);
    let all = top.into_iter().chain(middle).chain(bottom);
    let lines: Vec<Line<'_>> = all.map(|row| look.line(row)).collect();
    frame.render_widget(Paragraph::new(lines), Rect { ..area });
}

fn title(app: &App) -> Row {
    let count = app.queue.items().len();
    let mut row = vec![("portcullis approve".to_owned(), Tone::Strong)];
    let state = match (&app.lost, count) {
        (Some(why), _) => format!(": {why}"),
        (None, 0) => ": nothing waits".to_owned(),
        (None, count) => format!(": {} of {count} waiting", app.queue.at() + 1),
    };
    row.push((state, Tone::Plain));
    row
}

/// The queue, with the selected request among what is shown of it.
fn queue(app: &App, now: u64, look: Look, most: usize) -> Vec<Row> {
    let most = most.max(1);
    let skipped = app.queue.at().saturating_sub(most - 1);
    let shown = app.queue.items().iter().enumerate().skip(skipped).take(most);
    shown
        .map(|(at, item)| {
            let selected = at == app.queue.at();
            let (sign, tone) = if selected { (">", Tone::Strong) } else { (" ", Tone::Plain) };
            let waited = body::length(now.saturating_sub(item.since));
            let text = format!("{sign} {} {waited} {}: {}", item.id, item.agent, item.summary());
            vec![(look.letters.shown(&text), tone)]
        })
        .collect()
}

/// The selected request, as far as there is room, with a word about what is not shown.
fn request(app: &mut App, now: u64, look: Look, width: usize, room: usize) -> Vec<Row> {
    if app.screen == Screen::Help {
        return padded(fitted(help(), width, Fit::Wrap), room);
    }
    let Some(item) = app.queue.selected() else {
        return padded(fitted(vec![Row::new(), nothing()], width, Fit::Wrap), room);
    };
    let rows = fitted(body::rows(item, now, look.letters), width, Fit::Wrap);
    let most = rows.len().saturating_sub(room);
    app.scroll = app.scroll.min(most);
    let more = most > app.scroll;
    let mut shown: Vec<Row> = rows.into_iter().skip(app.scroll).take(room).collect();
    if more && room > 1 {
        let left = most - app.scroll + 1;
        shown.truncate(room - 1);
        shown.push(vec![(format!("... {left} more lines: PgDn or space"), Tone::Strong)]);
    }
    padded(shown, room)
}

fn nothing() -> Row {
    vec![("Requests of agents appear here when a person has to answer.".to_owned(), Tone::Plain)]
}

fn padded(mut rows: Vec<Row>, room: usize) -> Vec<Row> {
    rows.resize_with(room, Row::new);
    rows
}

/// What is being chosen or typed.
fn panel(app: &App, look: Look, width: usize) -> Vec<Row> {
    let plain = |text: &str| vec![(look.letters.shown(text), Tone::Plain)];
    let strong = |text: &str| vec![(look.letters.shown(text), Tone::Strong)];
    match &app.screen {
        Screen::Requests | Screen::Help => Vec::new(),
        Screen::Message { line, .. } => {
            vec![strong("No. Tell the agent:"), typing(line.halves(), look, width)]
        }
        Screen::Change { line, problem, .. } => {
            let mut rows = vec![strong("Allow this instead, once:"), typing(line.halves(), look, width)];
            rows.extend(problem.iter().map(|why| strong(why)));
            rows
        }
        Screen::Changed { text, .. } => {
            let mut rows = vec![strong("Allow this instead, once?")];
            rows.extend(body::marked(text, &[], look.letters));
            rows
        }
        Screen::OfferDeny { rule } => vec![
            strong("You refused calls like this three times."),
            plain(&format!("Write `{rule}` to the deny rules of your settings?")),
        ],
        Screen::Choosing(choosing) => chooser(app, choosing, look, width),
    }
}

fn chooser(app: &App, choosing: &Choosing, look: Look, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (at, offer) in choosing.offers.iter().enumerate() {
        let selected = at == choosing.at;
        let sign = if selected { "> " } else { "  " };
        let tone = if selected { Tone::Strong } else { Tone::Plain };
        let mut row = vec![(sign.to_owned(), tone)];
        match offer {
            Offer::Exactly => row.push(("exactly this call".to_owned(), tone)),
            Offer::Rule(rule) => row.push((look.letters.shown(rule), tone)),
            Offer::Typed if selected => {
                row.extend(typing(choosing.typed.halves(), look, width.saturating_sub(2)));
            }
            Offer::Typed => row.push(("another rule".to_owned(), tone)),
        }
        rows.push(row);
    }
    let where_to = match (choosing.lasting, app.queue.find(&choosing.id)) {
        (Lasting::Always, Some(item)) => {
            format!("to {} settings: {}", choosing.shelf.name(), choosing.shelf.file(item))
        }
        (Lasting::Always, None) | (Lasting::Session, _) => "as long as the session lasts".to_owned(),
    };
    rows.push(vec![(look.letters.shown(&where_to), Tone::Plain)]);
    rows.extend(
        choosing
            .problem
            .iter()
            .map(|why| vec![(look.letters.shown(&format!("Not taken: {why}")), Tone::Strong)]),
    );
    rows
}

/// A line being typed, with the part around the cursor in sight.
fn typing((before, after): (String, String), look: Look, width: usize) -> Row {
    let cursor = if look.letters == Letters::All { "▏" } else { "|" };
    let (before, after) = (look.letters.shown(&before), look.letters.shown(&after));
    let room = width.saturating_sub(2);
    let tail: Vec<char> = before.chars().rev().take(room).collect();
    let before: String = tail.into_iter().rev().collect();
    let rest = room.saturating_sub(before.chars().count());
    let after: String = after.chars().take(rest).collect();
    vec![(before, Tone::Plain), (cursor.to_owned(), Tone::Strong), (after, Tone::Plain)]
}

const fn keys(screen: &Screen, roomy: bool) -> &'static str {
    match (screen, roomy) {
        (Screen::Requests, true) => {
            "o once  s session  a always  n no  m no, with a message  e edit  up/down choose  ? help  q leave"
        }
        (Screen::Requests, false) => "o once s sess a always n no m msg e edit",
        (Screen::Message { .. }, _) => "Enter sends, Esc goes back",
        (Screen::Choosing(Choosing { lasting: Lasting::Always, .. }), _) => {
            "up/down rule, Tab file, Enter, Esc"
        }
        (Screen::Choosing(_), _) => "up/down rule, Enter, Esc",
        (Screen::Change { .. }, _) => "Enter allows it, Esc goes back",
        (Screen::Changed { .. }, _) => "y allows it, n goes back",
        (Screen::OfferDeny { .. }, _) => "y writes it, n does not",
        (Screen::Help, _) => "any key goes back",
    }
}

fn help() -> Vec<Row> {
    const TEXT: &[&str] = &[
        "o  allow this once",
        "s  allow it as long as the session lasts",
        "a  allow it always: writes a rule",
        "n  no",
        "m  no, with a message for the agent",
        "e  edit what is run, and allow that once",
        "up, down (k, j)  choose a request",
        "PgUp, PgDn (b, space)  scroll it",
        "q, Ctrl-C  leave; what waits goes on waiting",
    ];
    TEXT.iter().map(|line| vec![((*line).to_owned(), Tone::Plain)]).collect()
}

/// What happens to a line that is too long.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Cut,
    Wrap,
}

/// Lines that are no longer than the screen is wide.
fn fitted(rows: Vec<Row>, width: usize, fit: Fit) -> Vec<Row> {
    rows.into_iter()
        .flat_map(|row| {
            let mut lines = broken(row, width);
            if fit == Fit::Cut {
                lines.truncate(1);
            }
            lines
        })
        .collect()
}

/// One line broken where the screen ends, at a blank where there is one nearby. Nothing of it is left out.
fn broken(row: Row, width: usize) -> Vec<Row> {
    let all: Vec<(char, Tone)> = row
        .into_iter()
        .flat_map(|(text, tone)| text.chars().map(move |it| (it, tone)).collect::<Vec<_>>())
        .collect();
    let mut lines = Vec::new();
    let mut rest = all.as_slice();
    loop {
        let mut used = 0;
        let fits = rest.iter().take_while(|(character, _)| {
            used += character.width().unwrap_or(1);
            used <= width
        });
        let most = fits.count().max(1);
        let at = if most >= rest.len() { rest.len() } else { blank(rest, most).unwrap_or(most) };
        let (line, after) = rest.split_at(at);
        lines.push(joined(line));
        if after.is_empty() {
            return lines;
        }
        rest = after;
    }
}

/// The end of the last word in the second half of the first `most` characters.
fn blank(characters: &[(char, Tone)], most: usize) -> Option<usize> {
    let mut near = characters.iter().enumerate().take(most).skip(most / 2);
    near.rfind(|(_, (character, _))| *character == ' ').map(|(at, _)| at + 1)
}

fn joined(characters: &[(char, Tone)]) -> Row {
    let mut row = Row::new();
    for (character, tone) in characters {
        match row.last_mut() {
            Some((piece, known)) if known == tone => piece.push(*character),
            _ => row.push((character.to_string(), *tone)),
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::super::keys::{Key, Taken};
    use super::super::queue::tests::item;
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Buffer;

    const PLAIN: Look = Look { letters: Letters::Ascii, colour: false };
    const NOW: u64 = 1_012_000;

    fn drawn(app: &mut App, width: u16, height: u16, look: Look) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, app, NOW, look)).unwrap();
        terminal.backend().buffer().clone()
    }

    fn lines(buffer: &Buffer) -> Vec<String> {
        let width = usize::from(buffer.area.width);
        let symbols: Vec<&str> = buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect();
        symbols.chunks(width).map(|line| line.concat().trim_end().to_owned()).collect()
    }

    fn app(commands: &[&str]) -> App {
        let mut app = App::new();
        let items = (1..).zip(commands).map(|(number, command)| item(&format!("a-{number}"), command));
        app.on_list(items.collect(), 0);
        app
    }

    fn seen(app: &mut App, width: u16, height: u16) -> String {
        lines(&drawn(app, width, height, PLAIN)).join("\n")
    }

    /// [H6]
    #[test]
    fn the_queue_the_request_and_the_keys_are_on_the_screen() {
        let mut app = app(&["git push", "make"]);
        app.on_key(&Key::Down, NOW);
        let seen = seen(&mut app, 100, 24);
        for part in [
            "portcullis approve: 2 of 2 waiting",
            "  a-1 12 s claude-code: Bash git push",
            "> a-2 12 s claude-code: Bash make",
            "a-2 Bash by claude-code",
            "Why it is asked",
            "o once  s session  a always",
        ] {
            assert!(seen.contains(part), "{part} in\n{seen}");
        }
    }

    /// [S3]
    #[test]
    fn hidden_characters_are_seen_and_risky_parts_are_underlined_without_colour() {
        let mut app = app(&["git push\u{202e} x"]);
        let buffer = drawn(&mut app, 80, 24, PLAIN);
        let lines = lines(&buffer);
        let row = lines.iter().position(|line| line == "  git push\\u{202e} x").unwrap();
        let underlined = |column: u16| {
            let cell = &buffer[(column, u16::try_from(row).unwrap())];
            assert_eq!(cell.fg, Color::Reset, "no colour");
            cell.modifier.contains(Modifier::UNDERLINED)
        };
        assert!(underlined(2) && underlined(9) && !underlined(10) && !underlined(1));
    }

    #[test]
    fn small_screens_show_the_command_and_the_keys() {
        let mut app = app(&["git push --force origin HEAD:refs/heads/some/long/name/that/does/not/fit"]);
        let shown = seen(&mut app, 40, 10);
        for part in ["1 of 1 waiting", "a-1 Bash", "git push --force", "more lines", "o once"] {
            assert!(shown.contains(part), "{part} in\n{shown}");
        }
        assert!(shown.lines().all(|line| line.chars().count() <= 40));
        app.on_key(&Key::End, NOW);
        assert!(seen(&mut app, 40, 10).contains("F1 deny rules: none"));
        for (width, height) in [(1, 1), (3, 2), (40, 3), (200, 60)] {
            drawn(&mut app, width, height, PLAIN);
        }
    }

    /// Every part of a long command can be scrolled into sight.
    #[test]
    fn nothing_of_a_long_command_is_left_out() {
        let long = format!("echo {} END", "x".repeat(900));
        let mut app = app(&[&long]);
        let mut found = false;
        for _ in 0..20 {
            found |= seen(&mut app, 40, 10).contains("END");
            app.on_key(&Key::PageDown, NOW);
        }
        assert!(found);
    }

    /// [H6]
    #[test]
    fn always_shows_the_rule_the_file_and_why_it_was_not_taken() {
        let mut app = app(&["git push"]);
        app.on_key(&Key::Char('a'), NOW);
        app.on_key(&Key::Tab, NOW);
        app.on_answered("a-1", Taken::Refused("`Bash` would let almost anything run".to_owned()));
        let shown = seen(&mut app, 100, 24);
        for part in [
            "> Bash(git push)",
            "  Bash(git push:*)",
            "  another rule",
            "to local settings: /home/dev/proj/.portcullis/settings.local.json",
            "Not taken: `Bash` would let almost anything run",
        ] {
            assert!(shown.contains(part), "{part} in\n{shown}");
        }
        let small = seen(&mut app, 40, 10);
        assert!(small.contains("Not taken") && small.contains("a-1 Bash"), "{small}");
    }

    #[test]
    fn ascii_terminals_get_ascii() {
        let mut app = app(&["echo grüße"]);
        app.on_key(&Key::Char('m'), NOW);
        app.on_key(&Key::Char('ü'), NOW);
        let shown = seen(&mut app, 80, 24);
        assert!(shown.is_ascii() && shown.contains("\\u{fc}|"), "{shown}");
    }

    #[test]
    fn a_lost_daemon_is_said() {
        let mut app = app(&["git push"]);
        app.on_lost("the daemon went away".to_owned(), NOW);
        let shown = seen(&mut app, 80, 24);
        assert!(shown.contains("the daemon went away") && !shown.contains("git push"), "{shown}");
    }
}
