//! The reader of answers against a slow, obvious one, on answers made of the pieces that matter.

use portcullis_classify::reply::{Expected, Parsed, RawReply, Stop, parse};
use proptest::prelude::*;

#[expect(
    clippy::string_slice,
    unreachable_pub,
    reason = "the obvious reader of the fuzz crate cuts text where it found a tag"
)]
#[path = "../../../fuzz/src/reference_reply.rs"]
mod reference;
use reference::Asked;

const PIECES: &[&str] = &[
    "<block>",
    "</block>",
    "no",
    "yes",
    "<reason>",
    "</reason>",
    "<thinking>",
    "</thinking>",
    " ",
    "\n",
    "[git-destructive]",
    "text",
    "<",
    ">",
    "/",
    "<block",
    "No",
    "\u{200b}",
    "é",
    "<block>no</block>",
    "<block>yes</block>",
    "<BLOCK>",
    "< block>",
    "```",
    "\u{a0}",
];

fn answers() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..9).prop_map(|pieces| pieces.concat())
}

/// Answers that are almost right: a good one with one piece put in, or one character taken out.
fn almost() -> impl Strategy<Value = String> {
    let good = prop::sample::select(vec![
        "<block>no</block>",
        "<block>no",
        "<thinking>a</thinking><block>no</block>",
        "<block>yes</block><reason>[git-destructive] a</reason>",
    ]);
    (good, any::<prop::sample::Index>(), prop::option::of(prop::sample::select(PIECES))).prop_map(
        |(good, at, piece)| {
            let mut characters: Vec<char> = good.chars().collect();
            let at = at.index(characters.len());
            match piece {
                Some(piece) => drop(characters.splice(at..at, piece.chars())),
                None => drop(characters.remove(at)),
            }
            characters.into_iter().collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// [C11]
    #[test]
    fn both_readers_say_the_same(text in prop_oneof![answers(), almost()]) {
        let ways = [
            (Asked::FirstHit, Expected::FirstStopped, Stop::Sequence),
            (Asked::First, Expected::FirstStopped, Stop::Ended),
            (Asked::First, Expected::First, Stop::Ended),
            (Asked::Second, Expected::Second, Stop::Ended),
        ];
        for (asked, expected, stop) in ways {
            let said = match parse(&RawReply::new(&*text, stop), expected, &|_| true) {
                Parsed::Allow => Some(false),
                Parsed::Block { .. } => Some(true),
                Parsed::Unparseable(_) => None,
            };
            prop_assert_eq!(said, reference::read(&text, asked), "{:?} as {:?}", text, asked);
        }
    }
}
