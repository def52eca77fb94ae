//! Which commands of a line print what is not known of a word.

/// The commands of a reading whose output goes to one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Printed {
    pub(crate) rows: [Row; 2],
}

/// Commands that stand side by side, by their places among [`Reading::commands`](crate::Reading::commands).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) from: usize,
    pub(crate) until: usize,
}

impl Printed {
    /// The commands from one place on, up to another.
    pub(crate) fn row(from: usize, until: usize) -> Printed {
        Printed { rows: [Row { from, until }; 2] }
    }

    /// These or those; nothing where that would be too many rows.
    pub(crate) fn or(self, other: Printed) -> Option<Printed> {
        let [first, second] = self.rows;
        let mut added = other.rows.into_iter().filter(|row| *row != first && *row != second).peekable();
        match (added.next(), added.next()) {
            (None, _) => Some(self),
            (Some(row), again) if first == second && again.is_none_or(|again| again == row) => {
                Some(Printed { rows: [first, row] })
            }
            (Some(_), _) => None,
        }
    }

    /// Whether all of them are among `other`.
    #[must_use]
    pub fn is_within(self, other: Printed) -> bool {
        let within = |row: Row| other.rows.iter().any(|all| all.from <= row.from && row.until <= all.until);
        self.rows.into_iter().all(within)
    }
}
