//! The text that a judging model is shown, in the parts that requests are put together from (SPEC C9).

/// A conversation and the action under review, between tags that no text in it can open or close.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Framed {
    /// The opening tag.
    pub opening: String,
    /// The conversation, one entry a line, oldest first.
    pub entries: Vec<String>,
    /// The action under review.
    pub action: String,
    /// The closing tag.
    pub closing: String,
}
