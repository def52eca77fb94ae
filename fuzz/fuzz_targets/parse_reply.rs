//! Any text, read as a model's answer: the same as the slow, obvious reader, and never an odd reason.
#![no_main]

use portcullis_classify::reply::{Expected, Parsed, RawReply, Stop, parse};
use portcullis_fuzz::reference_reply::{Asked, read};

const WAYS: [(Asked, Expected, Stop); 4] = [
    (Asked::FirstHit, Expected::FirstStopped, Stop::Sequence),
    (Asked::First, Expected::FirstStopped, Stop::Ended),
    (Asked::First, Expected::First, Stop::Ended),
    (Asked::Second, Expected::Second, Stop::Ended),
];

libfuzzer_sys::fuzz_target!(|text: &str| {
    for (asked, expected, stop) in WAYS {
        let said = match parse(&RawReply::new(text, stop), expected, &|_| true) {
            Parsed::Allow => Some(false),
            Parsed::Block { reason, policy } => {
                assert!(reason.chars().count() <= 300, "a long reason");
                assert!(!reason.contains(['<', '>', '\n', '\u{1b}']), "an odd reason: {reason:?}");
                assert!(policy.is_none_or(|id| id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')));
                Some(true)
            }
            Parsed::Unparseable(_) => None,
        };
        assert_eq!(said, read(text, asked), "as {asked:?}");
    }
    for stop in [Stop::Length, Stop::Refusal, Stop::Other] {
        let said = parse(&RawReply::new(text, stop), Expected::Second, &|_| true);
        assert!(matches!(said, Parsed::Unparseable(_)), "{stop:?} was taken for an end");
    }
});
