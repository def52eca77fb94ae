//! The heads of plain HTTP requests: whom they are for, and how long what follows is.

/// The longest head that is read.
pub(crate) const LONGEST: usize = 32 << 10;

/// A request, as far as a forwarder has to understand it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// Whether it asks for a tunnel.
    pub(crate) is_tunnel: bool,
    /// The host's name.
    pub(crate) host: String,
    /// The port.
    pub(crate) port: u16,
    /// What to send on instead of the head.
    pub(crate) head: Vec<u8>,
    /// What follows.
    pub(crate) body: Body,
}

/// What follows a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// This many bytes.
    Sized(u64),
    /// Pieces that say how long they are.
    Chunked,
}

/// Where a head ends, if it is all there.
pub(crate) fn end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|part| part == b"\r\n\r\n").map(|at| at + 4)
}

/// Reads a head. One that two readers could understand differently is refused.
pub(crate) fn request(head: &[u8]) -> Result<Request, String> {
    let text = std::str::from_utf8(head).map_err(|_| "a request that is no text".to_owned())?;
    let text = text.strip_suffix("\r\n\r\n").ok_or_else(|| "half a request".to_owned())?;
    let odd = |char: char| char.is_control() && char != '\t';
    let mut lines = text.split("\r\n");
    let first = lines.next().unwrap_or_default();
    let [method, target, version] = first.split(' ').collect::<Vec<_>>()[..] else {
        return Err("a request line of other than three words".to_owned());
    };
    if odd_in(first, odd) || !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        return Err("a request of another kind".to_owned());
    }
    let mut fields: Vec<(&str, &str)> = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or_else(|| "a header without a name".to_owned())?;
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(token) || odd_in(value, odd) {
            return Err("a header that readers understand differently".to_owned());
        }
        fields.push((name, value.trim_matches([' ', '\t'])));
    }
    if method == "CONNECT" {
        let (host, port) = authority(target, None)?;
        return Ok(Request { is_tunnel: true, host, port, head: Vec::new(), body: Body::Sized(0) });
    }
    let named = field(&fields, "host")?.ok_or_else(|| "a request without a host".to_owned())?;
    let named = authority(named, Some(80))?;
    let (host, path) = match target.strip_prefix("http://") {
        Some(rest) => {
            let at = rest.find(['/', '?']).unwrap_or(rest.len());
            let (host, path) = rest.split_at_checked(at).unwrap_or((rest, ""));
            (
                authority(host, Some(80))?,
                if path.starts_with('/') { path.to_owned() } else { format!("/{path}") },
            )
        }
        None if target.starts_with('/') => (named.clone(), target.to_owned()),
        None => return Err("a target that is neither a path nor an `http` address".to_owned()),
    };
    if host != named {
        return Err(format!("a request for `{}` that names `{}` as its host", host.0, named.0));
    }
    let body = body(&fields)?;
    Ok(Request {
        is_tunnel: false,
        host: host.0,
        port: host.1,
        head: rewritten(method, &path, &fields),
        body,
    })
}

fn odd_in(text: &str, odd: impl Fn(char) -> bool) -> bool {
    text.chars().any(odd)
}

/// The only field of a name.
fn field<'a>(fields: &[(&str, &'a str)], name: &str) -> Result<Option<&'a str>, String> {
    let mut found =
        fields.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value);
    let first = found.next();
    if found.next().is_some() { Err(format!("a request with two `{name}` headers")) } else { Ok(first) }
}

fn body(fields: &[(&str, &str)]) -> Result<Body, String> {
    let length = field(fields, "content-length")?;
    let coding = field(fields, "transfer-encoding")?;
    match (length, coding) {
        (None, None) => Ok(Body::Sized(0)),
        (Some(length), None) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
            length.parse().map(Body::Sized).map_err(|_| "a request without end".to_owned())
        }
        (None, Some(coding)) if coding.eq_ignore_ascii_case("chunked") => Ok(Body::Chunked),
        _ => Err("a request whose end readers understand differently".to_owned()),
    }
}

/// A name and a port; an address in any spelling is no name, and is found out later by not being a named host.
fn authority(text: &str, port: Option<u16>) -> Result<(String, u16), String> {
    let (name, given) = text.rsplit_once(':').map_or((text, None), |(name, port)| (name, Some(port)));
    let port = match given {
        Some(given) => given.parse().map_err(|_| "a port that is no number".to_owned())?,
        None => port.ok_or_else(|| "a tunnel without a port".to_owned())?,
    };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if name.is_empty() || !name.bytes().all(fits) {
        return Err("a host that is no name".to_owned());
    }
    Ok((name.trim_end_matches('.').to_ascii_lowercase(), port))
}

/// The head as the server gets it: one request, and then the connection ends, so that no other follows unread.
fn rewritten(method: &str, path: &str, fields: &[(&str, &str)]) -> Vec<u8> {
    let dropped =
        ["connection", "proxy-connection", "keep-alive", "proxy-authorization", "upgrade", "te", "trailer"];
    let mut text = format!("{method} {path} HTTP/1.1\r\n");
    for (name, value) in
        fields.iter().filter(|(name, _)| !dropped.contains(&name.to_ascii_lowercase().as_str()))
    {
        text.extend([*name, ": ", *value, "\r\n"]);
    }
    text.push_str("Connection: close\r\n\r\n");
    text.into_bytes()
}

/// Follows pieces that say how long they are, to find where a body ends.
#[derive(Debug, Default)]
pub(crate) struct Chunks {
    line: Vec<u8>,
    left: u64,
    state: State,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Size,
    Data,
    AfterData,
    Trailer,
    Over,
}

impl Chunks {
    /// How many of these bytes still belong to the body, and whether it is over.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(usize, bool), String> {
        let mut used = 0;
        while self.state != State::Over {
            let Some(rest) = bytes.get(used..).filter(|rest| !rest.is_empty()) else { break };
            if self.state == State::Data {
                let taken = usize::try_from(self.left).unwrap_or(usize::MAX).min(rest.len());
                self.left -= u64::try_from(taken).unwrap_or_default();
                used += taken;
                if self.left == 0 {
                    self.state = State::AfterData;
                }
                continue;
            }
            self.line.extend(rest.first());
            used += 1;
            if self.line.len() > 4096 {
                return Err("a piece whose size is too long".to_owned());
            }
            if self.line.ends_with(b"\r\n") {
                self.line_over()?;
            } else if self.line.ends_with(b"\n") {
                return Err("a piece that readers understand differently".to_owned());
            }
        }
        Ok((used, self.state == State::Over))
    }

    fn line_over(&mut self) -> Result<(), String> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r\n").unwrap_or_default();
        self.state = match self.state {
            State::Size => {
                let size = std::str::from_utf8(line)
                    .unwrap_or_default()
                    .split(';')
                    .next()
                    .unwrap_or_default()
                    .trim();
                let digits = !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_hexdigit());
                let size = u64::from_str_radix(size, 16).ok().filter(|_| digits);
                self.left = size.ok_or_else(|| "a piece without a size".to_owned())?;
                if self.left == 0 { State::Trailer } else { State::Data }
            }
            State::AfterData if line.is_empty() => State::Size,
            State::Trailer if line.is_empty() => State::Over,
            State::Trailer => State::Trailer,
            State::AfterData | State::Data | State::Over => {
                return Err("a piece of another length".to_owned());
            }
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(head: &str) -> Result<String, String> {
        request(head.as_bytes()).map(|request| format!("{}:{}", request.host, request.port))
    }

    /// [K5]
    #[test]
    fn a_request_has_one_host_or_none_that_counts() {
        assert_eq!(host("GET / HTTP/1.1\r\nHost: A.example\r\n\r\n").unwrap(), "a.example:80");
        assert_eq!(
            host("GET http://a.example/x HTTP/1.1\r\nHost: a.example\r\n\r\n").unwrap(),
            "a.example:80"
        );
        assert_eq!(host("CONNECT a.example:443 HTTP/1.1\r\n\r\n").unwrap(), "a.example:443");
        for head in [
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET http://b.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
            "GET / HTTP/1.1\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: y\nHost: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n",
            "GET /  HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET https://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
            "CONNECT a HTTP/1.1\r\n\r\n",
            "GET / HTTP/2\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        ] {
            assert!(host(head).is_err(), "{head:?}");
        }
    }

    /// [K5]
    #[test]
    fn what_is_sent_on_ends_after_one_request() {
        let head = b"POST http://a.example HTTP/1.1\r\nHost: a.example\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n";
        let read = request(head).unwrap();
        assert_eq!(read.body, Body::Sized(2));
        let text = String::from_utf8(read.head).unwrap();
        assert_eq!(
            text,
            "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
        );
    }

    /// [K5]
    #[test]
    fn chunks_end_where_they_say_however_they_arrive() {
        let body = b"3\r\nabc\r\n10;x=y\r\n0123456789abcdef\r\n0\r\nA: b\r\n\r\nGET / HTTP/1.1\r\n";
        for width in 1..body.len() {
            let (mut chunks, mut used, mut over) = (Chunks::default(), 0, false);
            for part in body.chunks(width) {
                let (taken, done) = chunks.take(part).unwrap();
                used += taken;
                over = done;
                if done {
                    break;
                }
            }
            assert!(over);
            assert_eq!(&body[used..], b"GET / HTTP/1.1\r\n", "{width}");
        }
        for body in ["\r\n", "-1\r\n", "3\r\nabcd\r\n", "3\nabc\n", "g\r\n"] {
            assert!(Chunks::default().take(body.as_bytes()).is_err(), "{body:?}");
        }
    }
}
