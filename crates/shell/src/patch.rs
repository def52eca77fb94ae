//! The patches that agents hand to `apply_patch`: which files they add, change, delete and move, and what they put there.

/// One file in a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchedFile {
    /// Its path, as the patch spells it.
    pub path: String,
    /// Where it is moved to.
    pub moved: Option<String>,
    /// What happens to it.
    pub change: PatchChange,
    /// The lines before: those removed, and their context.
    pub old: String,
    /// The lines after: those added, and their context.
    pub new: String,
}

/// What a patch does to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchChange {
    /// It is made, or written anew.
    Add,
    /// Parts of it are replaced.
    Update,
    /// It is removed.
    Delete,
}

/// The files in a patch; `None` if the text is not one, or contains a line that is not understood.
#[must_use]
pub fn patched_files(text: &str) -> Option<Vec<PatchedFile>> {
    let mut lines = text.trim().lines();
    if lines.next()? != "*** Begin Patch" || lines.next_back()? != "*** End Patch" {
        return None;
    }
    let mut files: Vec<PatchedFile> = Vec::new();
    for line in lines {
        match Line::of(line) {
            Line::Of(change, path) => files.push(PatchedFile {
                path: path.to_owned(),
                moved: None,
                change,
                old: String::new(),
                new: String::new(),
            }),
            Line::MoveTo(path) => {
                let file = files.last_mut().filter(|file| file.is_untouched())?;
                file.moved = Some(path.to_owned());
            }
            Line::EndOfFile => drop(files.last()?),
            Line::Text(text) => files.last_mut()?.take(text)?,
            Line::Unclear => return None,
        }
    }
    (!files.is_empty()).then_some(files)
}

impl PatchedFile {
    fn is_untouched(&self) -> bool {
        self.change == PatchChange::Update
            && self.moved.is_none()
            && self.old.is_empty()
            && self.new.is_empty()
    }

    /// Takes in a line of the file's part.
    fn take(&mut self, line: &str) -> Option<()> {
        let mut add = |old: bool, new: bool, text: &str| {
            for side in [old.then_some(&mut self.old), new.then_some(&mut self.new)].into_iter().flatten() {
                side.push_str(text);
                side.push('\n');
            }
        };
        let mut characters = line.chars();
        match (self.change, characters.next()) {
            (PatchChange::Add | PatchChange::Update, Some('+')) => add(false, true, characters.as_str()),
            (PatchChange::Update, Some('-')) => add(true, false, characters.as_str()),
            (PatchChange::Update, Some(' ')) => add(true, true, characters.as_str()),
            (PatchChange::Update, None) => add(true, true, ""),
            (PatchChange::Update, Some('@')) if line.starts_with("@@") => {}
            _ => return None,
        }
        Some(())
    }
}

/// What a line is to those who apply patches.
enum Line<'l> {
    Of(PatchChange, &'l str),
    MoveTo(&'l str),
    EndOfFile,
    Text(&'l str),
    /// Some take it for a head, others for something else: with blanks before it, or of an unknown kind.
    Unclear,
}

impl Line<'_> {
    fn of(line: &str) -> Line<'_> {
        if line == "*** End of File" {
            return Line::EndOfFile;
        }
        let Some(head) = line.strip_prefix("*** ") else {
            let odd = line.trim_start().starts_with("***");
            return if odd { Line::Unclear } else { Line::Text(line) };
        };
        let Some((what, path)) = head.split_once(": ") else { return Line::Unclear };
        let path = path.trim();
        let plain = !path.is_empty() && !path.contains(':') && !path.chars().any(char::is_control);
        match what {
            _ if !plain => Line::Unclear,
            "Add File" => Line::Of(PatchChange::Add, path),
            "Update File" => Line::Of(PatchChange::Update, path),
            "Delete File" => Line::Of(PatchChange::Delete, path),
            "Move to" => Line::MoveTo(path),
            _ => Line::Unclear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(body: &str) -> Option<Vec<String>> {
        let files = patched_files(&format!("*** Begin Patch\n{body}\n*** End Patch\n"))?;
        let tell = |file: &PatchedFile| {
            let moved = file.moved.as_deref().unwrap_or("-");
            format!("{:?} {} {moved} {:?} {:?}", file.change, file.path, file.old, file.new)
        };
        Some(files.iter().map(tell).collect())
    }

    #[test]
    fn files_are_told_with_their_lines() {
        let body = "*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n@@ f\n o\n-p\n+q\n*** End of File\n*** Delete File: d";
        let wanted =
            ["Add a - \"\" \"x\\n\"", "Update b c \"o\\np\\n\" \"o\\nq\\n\"", "Delete d - \"\" \"\""];
        assert_eq!(told(body), Some(wanted.map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_is_odd_is_no_patch() {
        for body in [
            "",
            "x",
            "+x",
            "*** Frob File: a",
            "*** Add File: a\nx",
            "*** Add File: a\n+x\n *** Delete File: b",
            "*** Update File: a\n+x\n*** Move to: b",
            "*** Update File:a\n+x",
            "*** Update File: C:\\a\n+x",
            "*** Delete File: a\n-x",
            "*** Environment ID: x\n*** Add File: a\n+x",
            "*** End Patch\n*** Add File: a\n+x",
            "***Add File: a\n+x",
            "*** Update File: a\nx",
        ] {
            assert_eq!(told(body), None, "{body}");
        }
        assert_eq!(patched_files("*** Begin Patch\n*** Add File: a\n+x"), None);
        assert_eq!(patched_files("x\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"), None);
    }
}
