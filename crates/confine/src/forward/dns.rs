//! A resolver that knows the named hosts and nothing else: every other name is quickly said not to exist.

/// The longest question that is answered.
const LONGEST: usize = 512;

/// Answers a question: the answer, and the name if it is not known.
pub(crate) fn answer(
    question: &[u8],
    known: impl Fn(&str) -> Option<[u8; 4]>,
) -> Option<(Vec<u8>, Option<String>)> {
    const ADDRESS: u16 = 1;
    const INTERNET: u16 = 1;
    const NO_SUCH_NAME: u8 = 3;
    let is_answer = question.get(2)? & 0x80 != 0;
    let count = question.get(4..6)?;
    if question.len() > LONGEST || is_answer || count != [0, 1] {
        return None;
    }
    let (name, end) = name(question)?;
    let kind = u16::from_be_bytes(question.get(end..end + 2)?.try_into().ok()?);
    let class = u16::from_be_bytes(question.get(end + 2..end + 4)?.try_into().ok()?);
    let found = known(&name);
    let address = found.filter(|_| kind == ADDRESS && class == INTERNET);
    let mut bytes = question.get(..2)?.to_vec();
    // An answer, with recursion as it was asked for; the code says whether the name exists.
    bytes.push(0x80 | (question.get(2)? & 0x79));
    bytes.push(0x80 | if found.is_some() { 0 } else { NO_SUCH_NAME });
    bytes.extend([0, 1, 0, u8::from(address.is_some()), 0, 0, 0, 0]);
    bytes.extend(question.get(12..end + 4)?);
    if let Some(address) = address {
        // The name again, an address, for ten seconds.
        bytes.extend([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 10, 0, 4]);
        bytes.extend(address);
    }
    Some((bytes, found.is_none().then_some(name)))
}

/// The name that is asked for, and where it ends.
fn name(question: &[u8]) -> Option<(String, usize)> {
    let mut at = 12;
    let mut labels = Vec::new();
    loop {
        let length = usize::from(*question.get(at)?);
        at += 1;
        if length == 0 {
            break;
        }
        if length > 63 {
            return None;
        }
        labels.push(String::from_utf8_lossy(question.get(at..at + length)?).to_ascii_lowercase());
        at += length;
    }
    Some((labels.join("."), at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(name: &str, kind: u8) -> Vec<u8> {
        let mut bytes = vec![7, 9, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for label in name.split('.') {
            bytes.push(u8::try_from(label.len()).unwrap());
            bytes.extend(label.as_bytes());
        }
        bytes.extend([0, 0, kind, 0, 1]);
        bytes
    }

    /// [K5]
    #[test]
    fn only_named_hosts_exist() {
        let known = |name: &str| (name == "a.example").then_some([127, 77, 0, 1]);
        let (found, refused) = answer(&question("A.example", 1), known).unwrap();
        assert_eq!((found.get(3), refused), (Some(&0x80), None));
        assert!(found.ends_with(&[127, 77, 0, 1]));
        let (found, refused) = answer(&question("a.example", 28), known).unwrap();
        assert_eq!((found.get(3), found.get(7), refused), (Some(&0x80), Some(&0), None));
        let (found, refused) = answer(&question("secret.evil.example", 1), known).unwrap();
        assert_eq!((found.get(3), refused.as_deref()), (Some(&0x83), Some("secret.evil.example")));
        let whole = question("a.example", 1);
        for length in 0..whole.len() {
            assert!(answer(whole.get(..length).unwrap(), known).is_none());
        }
        assert!(answer(&[0xC0; 600], known).is_none());
    }
}
