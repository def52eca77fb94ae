//! A line that is typed: characters and a cursor. It knows neither keys' codes nor the screen.

/// A line being edited.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Editor {
    before: Vec<char>,
    /// What stands after the cursor, last character first.
    after: Vec<char>,
}

impl Editor {
    /// With the cursor at the end of `text`.
    pub(crate) fn with(text: &str) -> Editor {
        Editor { before: text.chars().collect(), after: Vec::new() }
    }

    /// The whole line.
    pub(crate) fn text(&self) -> String {
        self.before.iter().chain(self.after.iter().rev()).collect()
    }

    /// The line on both sides of the cursor.
    pub(crate) fn halves(&self) -> (String, String) {
        (self.before.iter().collect(), self.after.iter().rev().collect())
    }

    /// Puts text at the cursor. A line stays a line: line ends in what is pasted become blanks.
    pub(crate) fn insert(&mut self, text: &str) {
        let plain = |character: char| if matches!(character, '\n' | '\r') { ' ' } else { character };
        self.before.extend(text.chars().map(plain));
    }

    pub(crate) fn backspace(&mut self) {
        self.before.pop();
    }

    pub(crate) fn delete(&mut self) {
        self.after.pop();
    }

    pub(crate) fn left(&mut self) {
        self.after.extend(self.before.pop());
    }

    pub(crate) fn right(&mut self) {
        self.before.extend(self.after.pop());
    }

    pub(crate) fn home(&mut self) {
        self.after.extend(self.before.drain(..).rev());
    }

    pub(crate) fn end(&mut self) {
        self.before.extend(self.after.drain(..).rev());
    }

    pub(crate) fn clear(&mut self) {
        self.before.clear();
        self.after.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_goes_where_it_is_sent() {
        let mut line = Editor::with("push");
        line.home();
        line.insert("git ");
        assert_eq!(line.halves(), ("git ".to_owned(), "push".to_owned()));
        line.right();
        line.left();
        line.left();
        line.delete();
        assert_eq!(line.text(), "gitpush");
        line.end();
        line.backspace();
        line.right();
        assert_eq!(line.text(), "gitpus");
        line.clear();
        line.backspace();
        line.delete();
        line.left();
        assert_eq!(line.text(), "");
    }

    #[test]
    fn pasted_lines_stay_one_line() {
        let mut line = Editor::default();
        line.insert("a\r\nb");
        assert_eq!(line.text(), "a  b");
    }
}
