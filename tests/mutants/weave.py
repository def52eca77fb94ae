"""Puts all mutants into one copy of the sources, each behind a switch, so that one build serves them all.

cargo-mutants says what is changed where; this writes `if on(12) { … }` around it. `on` reads which mutant is switched on from
the environment of the process, or of one above it, since many tests start programs with an empty environment. With a file
to write to it notes which mutants a process comes past, so that only tests that come past one are run for it.
"""

import re

import tree_sitter_rust
from tree_sitter import Language, Parser

SWITCH = '''//! Which mutant is switched on.
use std::collections::HashSet;
use std::io::Write as _;
use std::sync::{Mutex, OnceLock};

struct Told {
    mutant: u32,
    seen: Option<Mutex<(String, HashSet<u32>)>>,
}

/// Whether this mutant is the one that is tried.
pub(crate) fn on(mutant: u32) -> bool {
    static TOLD: OnceLock<Told> = OnceLock::new();
    let told = TOLD.get_or_init(|| Told {
        mutant: variable("WOVEN_MUTANT").and_then(|text| text.parse().ok()).unwrap_or(0),
        seen: variable("WOVEN_SEEN").map(|path| Mutex::new((path, HashSet::new()))),
    });
    if let Some(seen) = &told.seen {
        let mut seen = seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if seen.1.insert(mutant) {
            // Closed at once: tests count what is open.
            let mut file = std::fs::OpenOptions::new().append(true).create(true).open(&seen.0).expect("a file for what was seen");
            file.write_all(format!("{mutant}\\n").as_bytes()).expect("a line for what was seen");
        }
    }
    told.mutant == mutant
}

fn variable(name: &str) -> Option<String> {
    let mut process = "self".to_owned();
    for _ in 0..8 {
        let environment = std::fs::read(format!("/proc/{process}/environ")).ok()?;
        let mut entries = environment.split(|byte| *byte == 0).filter_map(|entry| std::str::from_utf8(entry).ok());
        if let Some(value) = entries.find_map(|entry| entry.strip_prefix(name)?.strip_prefix('=')) {
            return Some(value.to_owned());
        }
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        process = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().to_owned();
    }
    None
}
'''

PARSER = Parser(Language(tree_sitter_rust.language()))
MARK = re.compile(rb"/\*(<|>)([0-9,]+)\*/")
# What a function gives back that says only that it is an iterator can be cut short, not be of another type.
EMPTY = "::std::iter::empty()"
BOOLEAN = {"&&": "||", "||": "&&"}


def on(number):
    return f"crate::woven::on({number})"


def marked(numbers, text):
    name = ",".join(map(str, numbers))
    return f"/*<{name}*/{text}/*>{name}*/"


class Weaver:
    """One file with its mutants, as `(number, mutant)`."""

    def __init__(self, source, mutants):
        self.source = source.encode()
        lines = source.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line.encode()) + 1)
        self.at = {}
        self.functions = []
        for number, mutant in mutants:
            start = mutant["span"]["start"]
            place = starts[start["line"] - 1] + len(lines[start["line"] - 1][: start["column"] - 1].encode())
            if mutant["genre"] == "FnValue":
                self.functions.append((place, number, mutant["replacement"]))
            else:
                self.at.setdefault((mutant["genre"], place), []).append((number, mutant["replacement"]))
        self.woven = set()

    def text(self):
        tree = PARSER.parse(self.source)
        self.bodies = {}
        for place, number, replacement in self.functions:
            node = tree.root_node.descendant_for_byte_range(place, place)
            while node.type != "function_item":
                node = node.parent
            self.bodies.setdefault(node.child_by_field_name("body").id, []).append((number, replacement))
        return self.render(tree.root_node)

    def render(self, node):
        mutation = getattr(self, node.type, None)
        return mutation(node) if mutation else self.plain(node)

    def plain(self, node, without=None, after_first=""):
        """The node's own text with its children woven."""
        parts, end = [], node.start_byte
        for position, child in enumerate(node.children):
            parts.append(self.source[end : child.start_byte].decode())
            if child.id != without:
                parts.append(self.render(child))
            if position == 0:
                parts.append(after_first)
            end = child.end_byte
        parts.append(self.source[end : node.end_byte].decode())
        return "".join(parts)

    def taken(self, genre, place):
        found = self.at.get((genre, place), [])
        self.woven.update(number for number, _ in found)
        return found

    # The kinds of nodes that mutants change, under their names in the grammar.

    def block(self, node):
        early, without = "", []
        given = node.parent.child_by_field_name("return_type")
        iterator = given is not None and given.text.startswith(b"impl ")
        for number, replacement in self.bodies.get(node.id, []):
            if iterator and replacement != EMPTY:
                continue
            self.woven.add(number)
            if iterator:
                without.append(number)
            else:
                early += marked([number], f" if {on(number)} {{ return {replacement}; }} ")
        text = self.plain(node, after_first=early)
        for number in without:
            text = "{ " + marked([number], f"Iterator::take({text}, if {on(number)} {{ 0 }} else {{ usize::MAX }})") + " }"
        return text

    def function_modifiers(self, node):
        text = self.source[node.start_byte : node.end_byte].decode()
        body = node.parent.child_by_field_name("body")
        inside = lambda place: body is not None and body.start_byte <= place < body.end_byte
        touched = any(inside(place) for _, place in self.at) or any(inside(place) for place, _, _ in self.functions)
        return re.sub(r"\bconst\b", "", text) if touched else text

    def binary_expression(self, node):
        left, right, operator = (node.child_by_field_name(name) for name in ("left", "right", "operator"))
        sign = operator.text.decode()
        found = self.taken("BinaryOperator", operator.start_byte)
        if not found:
            return self.plain(node)
        numbers = [number for number, _ in found]
        left, right = self.render(left), self.render(right)
        if sign in BOOLEAN:
            flip = on(numbers[0]) if sign == "&&" else f"!{on(numbers[0])}"
            return marked(numbers, f"({{ let __x = {left}; if __x != {flip} {{ {right} }} else {{ __x }} }})")
        if sign in ("==", "!="):
            return marked(numbers, f"(({left} {sign} {right}) != {on(numbers[0])})")
        others = "".join(marked([number], f"if {on(number)} {{ __x {other} __y }} else ") for number, other in found)
        return marked(numbers, f"(match ({left}, {right}) {{ (__x, __y) => {others} {{ __x {sign} __y }} }})")

    def compound_assignment_expr(self, node):
        left, right, operator = (node.child_by_field_name(name) for name in ("left", "right", "operator"))
        found = self.taken("BinaryOperator", operator.start_byte)
        if not found:
            return self.plain(node)
        left, right = self.render(left), self.render(right)
        others = "".join(marked([number], f"if {on(number)} {{ {left} {other} __y }} else ") for number, other in found)
        return marked([number for number, _ in found],
                      f"(match {right} {{ __y => {others} {{ {left} {operator.text.decode()} __y }} }})")

    def unary_expression(self, node):
        found = self.taken("UnaryOperator", node.start_byte)
        if not found or node.children[0].type != "!":
            return self.plain(node)
        return marked([found[0][0]], f"(({self.plain(node)}) != {on(found[0][0])})")

    def match_arm(self, node):
        found = self.taken("MatchArm", node.start_byte)
        pattern = node.child_by_field_name("pattern")
        condition = pattern.child_by_field_name("condition")
        guards = self.taken("MatchArmGuard", condition.start_byte) if condition else []
        if not found and not guards:
            return self.plain(node)
        numbers = [number for number, _ in found + guards]
        end = condition.prev_sibling.start_byte if condition else pattern.end_byte
        words = [f"!{on(number)}" for number, _ in found]
        if condition:
            written = f"({self.render(condition)})"
            for number, replacement in guards:
                written = f"({on(number)} || {written})" if replacement == "true" else f"(!{on(number)} && {written})"
            words.append(written)
        before = self.source[node.start_byte : end].decode()
        rest, place = [], pattern.end_byte
        for child in node.children:
            if child.start_byte >= pattern.end_byte:
                rest.append(self.source[place : child.start_byte].decode() + self.render(child))
                place = child.end_byte
        return marked(numbers, f"{before} if {' && '.join(words)}") + "".join(rest)

    def struct_expression(self, node):
        fields = node.child_by_field_name("body").children
        found = [(number, field) for field in fields for number, _ in self.taken("StructField", field.start_byte)]
        if not found:
            return self.plain(node)
        written = ""
        for number, field in found:
            comma = field.next_sibling if field.next_sibling and field.next_sibling.type == "," else None
            text = self.source[node.start_byte : field.start_byte] + self.source[(comma or field).end_byte : node.end_byte]
            written += marked([number], f"if {on(number)} {{ {text.decode()} }} else ")
        return marked([number for number, _ in found], f"({written} {{ {self.plain(node)} }})")


def at_fault(text, place):
    """The mutants whose woven text holds this byte, the innermost."""
    open_marks = []
    for mark in MARK.finditer(text):
        if mark.start() > place:
            break
        if mark[1] == b"<":
            open_marks.append([int(number) for number in mark[2].split(b",")])
        else:
            open_marks.pop()
    return open_marks[-1] if open_marks else []


ARM = re.compile(rb" if !crate::woven::on\((\d+)\)/\*>\1\*/ =>")


def arms_after(text, place):
    """The mutants that leave out an arm of the match that begins at this byte: without one of them it may not be whole."""
    end = text.find(b"\n}\n", place)
    return [int(arm[1]) for arm in ARM.finditer(text, place, end)]
