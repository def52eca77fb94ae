//! The name of the server that a TLS client asks for, read from its first message.

/// What the first bytes of a connection say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hello {
    /// They are not all there yet.
    Unfinished,
    /// A client asks for this server.
    For(String),
    /// No TLS, or a client that names no server.
    Nameless,
}

/// The longest first message that is looked at.
pub(crate) const LONGEST: usize = 16 << 10;

/// Reads the first message of a client.
pub(crate) fn hello(bytes: &[u8]) -> Hello {
    match message(bytes) {
        Ok(Some(message)) => server_name(&message).map_or(Hello::Nameless, Hello::For),
        Ok(None) if bytes.len() < LONGEST => Hello::Unfinished,
        Ok(None) | Err(NotTls) => Hello::Nameless,
    }
}

struct NotTls;

/// The first handshake message, which may be spread over several records.
fn message(bytes: &[u8]) -> Result<Option<Vec<u8>>, NotTls> {
    const HANDSHAKE: u8 = 22;
    const CLIENT_HELLO: u8 = 1;
    let mut rest = bytes;
    let mut whole = Vec::new();
    loop {
        let wanted = match whole.get(..4) {
            Some([kind, a, b, c]) => {
                if *kind != CLIENT_HELLO {
                    return Err(NotTls);
                }
                Some(4 + usize::from(*a) * 65536 + usize::from(*b) * 256 + usize::from(*c))
            }
            _ => None,
        };
        if let Some(wanted) = wanted.filter(|wanted| whole.len() >= *wanted) {
            whole.truncate(wanted);
            return Ok(Some(whole));
        }
        match rest.first() {
            None => return Ok(None),
            Some(&HANDSHAKE) => {}
            Some(_) => return Err(NotTls),
        }
        if rest.get(1).is_some_and(|version| *version != 3) {
            return Err(NotTls);
        }
        let Some([_, _, _, high, low]) = rest.get(..5) else { return Ok(None) };
        let length = usize::from(*high) * 256 + usize::from(*low);
        if length == 0 {
            return Err(NotTls);
        }
        let Some(record) = rest.get(5..5 + length) else { return Ok(None) };
        whole.extend_from_slice(record);
        rest = rest.get(5 + length..).unwrap_or_default();
    }
}

/// The name in the extension for it; none if there are two of them.
fn server_name(message: &[u8]) -> Option<String> {
    const SERVER_NAME: usize = 0;
    const HOST_NAME: u8 = 0;
    let mut bytes = Bytes(message.get(4..)?);
    bytes.take(2 + 32)?;
    let session = bytes.number(1)?;
    bytes.take(session)?;
    let suites = bytes.number(2)?;
    bytes.take(suites)?;
    let compressions = bytes.number(1)?;
    bytes.take(compressions)?;
    let extensions = bytes.number(2)?;
    let mut extensions = Bytes(bytes.take(extensions)?);
    let mut found = None;
    while !extensions.0.is_empty() {
        let kind = extensions.number(2)?;
        let length = extensions.number(2)?;
        let body = extensions.take(length)?;
        if kind != SERVER_NAME {
            continue;
        }
        let mut list = Bytes(body);
        let length = list.number(2)?;
        let mut list = Bytes(list.take(length)?);
        let kind = *list.take(1)?.first()?;
        let length = list.number(2)?;
        let name = list.take(length)?;
        if kind != HOST_NAME || !list.0.is_empty() || found.is_some() {
            return None;
        }
        found = Some(std::str::from_utf8(name).ok()?.to_ascii_lowercase());
    }
    found
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, width: usize) -> Option<usize> {
        Some(self.take(width)?.iter().fold(0, |number, byte| number * 256 + usize::from(*byte)))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A client's first message that asks for this server.
    pub(crate) fn asks_for(names: &[&str]) -> Vec<u8> {
        let short = |length: usize| u16::try_from(length).unwrap().to_be_bytes();
        let mut extensions = vec![0, 43, 0, 3, 2, 3, 4];
        for name in names {
            let mut entry = vec![0];
            entry.extend(short(name.len()));
            entry.extend(name.as_bytes());
            extensions.extend([0, 0]);
            extensions.extend(short(entry.len() + 2));
            extensions.extend(short(entry.len()));
            extensions.extend(entry);
        }
        let mut body = vec![3, 3];
        body.extend([7; 32]);
        body.extend([0, 0, 2, 0x13, 1, 1, 0]);
        body.extend(short(extensions.len()));
        body.extend(extensions);
        let mut message = vec![1, 0];
        message.extend(short(body.len()));
        message.extend(body);
        let mut record = vec![22, 3, 1];
        record.extend(short(message.len()));
        record.extend(message);
        record
    }

    /// [K5]
    #[test]
    fn the_server_name_is_read_whole_or_not_at_all() {
        let whole = asks_for(&["Example.com"]);
        assert_eq!(hello(&whole), Hello::For("example.com".to_owned()));
        for length in 0..whole.len() {
            assert_eq!(hello(whole.get(..length).unwrap()), Hello::Unfinished, "{length}");
        }
        assert_eq!(hello(&asks_for(&[])), Hello::Nameless);
        assert_eq!(hello(&asks_for(&["a.example", "b.example"])), Hello::Nameless);
        assert_eq!(hello(b"GET / HTTP/1.1\r\n"), Hello::Nameless);
        assert_eq!(hello(&[22, 2]), Hello::Nameless);
        assert_eq!(hello(&vec![22; LONGEST + 1]), Hello::Nameless);
    }

    /// [K5]
    #[test]
    fn a_message_in_two_records_is_one_message() {
        let whole = asks_for(&["example.com"]);
        let (head, body) = whole.split_at(5);
        let (one, other) = body.split_at(9);
        let mut split = Vec::new();
        for part in [one, other] {
            split.extend(&head[..3]);
            split.extend(u16::try_from(part.len()).unwrap().to_be_bytes());
            split.extend(part);
        }
        assert_eq!(hello(&split), Hello::For("example.com".to_owned()));
    }
}
