//! Pages that send what visitors type or do to another machine, or show them one without their knowing.

use super::exfiltration::quoted_hosts;
use crate::detect::{Finding, detectors};

/// Ways to say where a form goes, without blanks.
const TARGETS: &[&str] = &[
    ".action=",
    "[\"action\"]=",
    "['action']=",
    "setattribute(\"action\",",
    "setattribute('action',",
    "formaction=",
];

/// Ways to make a frame that nobody sees, without blanks.
const UNSEEN: &[&str] = &[
    "display:none",
    "display=\"none\"",
    "display='none'",
    "display:\"none\"",
    "display:'none'",
    "hidden",
    "width=\"0\"",
    "width='0'",
    "width=0",
    "width=\"1\"",
    "opacity:0",
    "-9999px",
];

/// What a page gains that goes elsewhere; both texts in small letters.
pub(super) fn gained(old: &str, new: &str) -> Option<Finding> {
    let strange = |text: &str| quoted_hosts(&text.replace('=', " ")).any(|host| !old.contains(host));
    // `const to = "https://…"`
    let named = new.lines().filter(|line| strange(line)).filter_map(|line| line.split_once('='));
    let named: Vec<&str> = named.filter_map(|(left, _)| left.split_whitespace().last()).collect();
    let mut lines = new.lines();
    let sends = lines.any(|line| {
        // `<form action=…>` is for everybody to see, and `formaction` is an attribute of its own.
        let dense: String = line.replace("<form ", "<form|").split_whitespace().collect();
        let target = TARGETS.iter().find_map(|target| dense.split_once(target));
        target.is_some_and(|(_, to)| strange(to) || named.contains(&to.trim_end_matches(';')))
            || (dense.contains("sendbeacon") && strange(line))
    });
    if sends {
        return Some(Finding::by(&detectors::FORM_REDIRECTED));
    }
    let frames = new.match_indices("iframe").filter_map(|(at, _)| new.get(at..));
    let mut frames = frames.map(|frame| {
        let written = frame.split_once('>').map_or(frame, |(tag, _)| tag);
        // One that code makes gets its attributes in the lines below.
        let made = frame.starts_with("iframe\")") || frame.starts_with("iframe')");
        if made { frame.lines().take(8).collect::<Vec<_>>().join("\n") } else { written.to_owned() }
    });
    let unseen = frames.any(|frame| {
        let dense: String = frame.split_whitespace().collect();
        strange(&frame) && UNSEEN.iter().any(|word| dense.contains(word))
    });
    unseen.then(|| Finding::by(&detectors::HIDDEN_FRAME))
}
