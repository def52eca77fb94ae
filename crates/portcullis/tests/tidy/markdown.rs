//! What the rules need of a Markdown page: prose without code, links, headings and the blocks of the specification.

/// The page with the insides of code blocks and code spans taken out. Lines and backticks are kept.
pub(crate) fn prose(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for paragraph in text.split_inclusive('\n') {
        let line = paragraph.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => {
                kept.push_str(paragraph);
                continue;
            }
            (Some(_), _) => {}
        }
        kept.push('\n');
    }
    without_spans(&kept)
}

fn without_spans(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let ticks = 1 + after.len() - after.trim_start_matches('`').len();
        let inside = after.trim_start_matches('`');
        let mark = "`".repeat(ticks);
        kept.push_str(before);
        kept.push_str(&mark);
        let paragraph = inside.split("\n\n").next().unwrap_or_default();
        rest = inside;
        if let Some((code, _)) = paragraph.split_once(&mark) {
            kept.extend(code.chars().map(|char| if char == '\n' { '\n' } else { 'x' }));
            kept.push_str(&mark);
            rest = inside.get(code.len() + ticks..).unwrap_or_default();
        }
    }
    kept.push_str(rest);
    kept
}

/// The code spans of a page with their lines; code blocks are none.
pub(crate) fn code_spans(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_block = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            found.extend(line.split('`').skip(1).step_by(2).map(|span| (number, span)));
        }
    }
    found
}

/// Where each link of a page leads, with its line.
pub(crate) fn links(text: &str) -> Vec<(usize, String)> {
    let prose = prose(text);
    let mut found = Vec::new();
    for (number, line) in (1..).zip(prose.lines()) {
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        let defined = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, to)| to);
        found.extend(inline.chain(defined).map(|to| (number, to.trim_matches(['<', '>']).to_owned())));
    }
    found
}

/// The names by which links reach the headings of a page.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for heading in headings(text) {
        let slug = slug(heading);
        let again = found.iter().filter(|it| **it == slug).count();
        found.push(if again == 0 { slug } else { format!("{slug}-{again}") });
    }
    let named = text.split("<a ").skip(1).filter_map(|tag| tag.split_once("=\"")?.1.split('"').next());
    found.extend(named.map(str::to_owned));
    found
}

/// The headings of a page.
pub(crate) fn headings(text: &str) -> impl Iterator<Item = &str> {
    let mut in_block = false;
    text.lines().filter_map(move |line| {
        in_block ^= line.trim_start().starts_with("```");
        let heading = line.trim_start_matches('#').strip_prefix(' ')?;
        (!in_block && line.starts_with('#')).then(|| heading.trim())
    })
}

fn slug(heading: &str) -> String {
    let mut shown = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once("](") {
        shown.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    shown.push_str(rest);
    let kept = shown.trim().chars().filter(|char| char.is_alphanumeric() || matches!(char, '-' | '_' | ' '));
    kept.flat_map(char::to_lowercase).map(|char| if char == ' ' { '-' } else { char }).collect()
}

/// The indented lines in the blocks of the specification, with their numbers.
pub(crate) fn case_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut ours = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        if line.starts_with("```") {
            ours = !ours && *line == "```portcullis";
        }
        ours && line.starts_with(' ')
    })
}
