//! A model on loopback that makes a client ask for one call, so that a proof needs no key and no network.
//!
//! It keeps no state between requests: a request that brings no result of a call gets the call, every other one gets
//! the end. What it says in which wire format is in `wire.rs`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use super::wire;

/// Clients send long prompts; none is longer than this.
const MOST_BYTES: u64 = 32 << 20;
const MOST_HEADERS: usize = 200;
/// A client that breaks off must not keep a thread for ever.
const SILENCE: Duration = Duration::from_secs(30);

/// The call that the client shall make: the first of these tools that it offers.
pub(super) type Script = Vec<(&'static str, Value)>;

/// A model that serves until it is dropped.
pub(super) struct Model {
    address: SocketAddr,
    seen: Arc<Seen>,
    serving: Option<JoinHandle<()>>,
}

/// What clients wanted.
#[derive(Default)]
struct Seen {
    over: AtomicBool,
    script: Script,
    /// The names of tools that were offered.
    offered: Mutex<Vec<String>>,
    /// Whether the call was asked for.
    asked: AtomicBool,
}

impl Model {
    /// Starts to serve.
    pub(super) fn start(script: Script) -> Result<Model, String> {
        let failed = |error: std::io::Error| format!("cannot listen on loopback: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let seen = Arc::new(Seen { script, ..Seen::default() });
        let shared = Arc::clone(&seen);
        let serving = std::thread::Builder::new()
            .name("model".to_owned())
            .spawn(move || serve(&listener, &shared))
            .map_err(failed)?;
        Ok(Model { address, seen, serving: Some(serving) })
    }

    /// Where it serves.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Whether a client was asked to make the call.
    pub(super) fn has_asked(&self) -> bool {
        self.seen.asked.load(Ordering::Relaxed)
    }

    /// Whether clients came with tools, and none of them was one that was wanted.
    pub(super) fn was_not_offered(&self) -> bool {
        let offered = self.seen.offered.lock().map(|offered| offered.len()).unwrap_or_default();
        !self.has_asked() && offered > 0
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.seen.over.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for somebody to connect.
        drop(TcpStream::connect(self.address));
        if let Some(serving) = self.serving.take() {
            drop(serving.join());
        }
    }
}

fn serve(listener: &TcpListener, seen: &Arc<Seen>) {
    for stream in listener.incoming() {
        if seen.over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let seen = Arc::clone(seen);
        // A client that goes away in the middle is no news.
        drop(std::thread::Builder::new().spawn(move || drop(converse(stream, &seen))));
    }
}

/// One request, one answer, and the end of the connection.
fn converse(stream: TcpStream, seen: &Seen) -> std::io::Result<()> {
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_write_timeout(Some(SILENCE))?;
    let mut reader = BufReader::new(stream);
    let Some(request) = Request::read(&mut reader)? else { return Ok(()) };
    let (status, kind, body) = answer(&request, seen);
    let stream = reader.get_mut();
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    if request.method != "HEAD" {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}

fn answer(request: &Request, seen: &Seen) -> (&'static str, &'static str, String) {
    let json = "application/json";
    let route = request.path.split('?').next().unwrap_or_default();
    if request.method != "POST" {
        let models = json!({"object": "list", "data": [{"id": "scripted", "object": "model"}]});
        let found = request.method == "HEAD" || route.ends_with("/models");
        return if found {
            ("200 OK", json, models.to_string())
        } else {
            ("404 Not Found", json, "{}".to_owned())
        };
    }
    let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
        return ("400 Bad Request", json, "{}".to_owned());
    };
    let choose = |tools: &[String], has_result: bool| seen.choose(tools, has_result);
    match wire::answer(route, &body, &choose) {
        Some(said) => ("200 OK", said.kind, said.body),
        None => ("404 Not Found", json, "{}".to_owned()),
    }
}

impl Seen {
    /// The call to ask for. A request without tools is an errand of the client, and one with a result has it made.
    fn choose(&self, tools: &[String], has_result: bool) -> Option<(String, Value)> {
        if let Ok(mut offered) = self.offered.lock() {
            offered.extend(tools.iter().filter(|tool| !tool.is_empty()).cloned());
        }
        if has_result {
            return None;
        }
        let wanted = self.script.iter().find(|(tool, _)| tools.iter().any(|offered| offered == tool));
        let (tool, input) = wanted?;
        self.asked.store(true, Ordering::Relaxed);
        Some(((*tool).to_owned(), input.clone()))
    }
}

/// A request, as far as it matters.
struct Request {
    method: String,
    path: String,
    body: Vec<u8>,
}

impl Request {
    /// Reads one; nothing where the other end closed first or said something else.
    fn read(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
        let first = line(reader)?;
        let mut words = first.split(' ');
        let (Some(method), Some(path)) = (words.next().filter(|word| !word.is_empty()), words.next()) else {
            return Ok(None);
        };
        let (method, path) = (method.to_owned(), path.to_owned());
        let (mut length, mut chunked) = (0, false);
        for _ in 0..MOST_HEADERS {
            let header = line(reader)?;
            let Some((name, value)) = header.split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or_default(),
                "transfer-encoding" => chunked = value.to_ascii_lowercase().contains("chunked"),
                _ => {}
            }
        }
        let mut body = Vec::new();
        if chunked {
            chunks(reader, &mut body)?;
        } else {
            reader.take(u64::min(length, MOST_BYTES)).read_to_end(&mut body)?;
        }
        Ok(Some(Request { method, path, body }))
    }
}

fn line(reader: &mut impl BufRead) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    reader.take(64 << 10).read_until(b'\n', &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

fn chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) -> std::io::Result<()> {
    loop {
        let head = line(reader)?;
        let size = head.split(';').next().and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
        let size = size.unwrap_or_default();
        if size == 0 || u64::try_from(body.len()).unwrap_or(u64::MAX).saturating_add(size) > MOST_BYTES {
            return Ok(());
        }
        reader.take(size).read_to_end(body)?;
        line(reader)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(url: &str, request: &str) -> String {
        let mut stream = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        said
    }

    fn post(path: &str, body: &Value) -> String {
        let body = body.to_string();
        format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn it_asks_for_the_call_once_and_then_ends() {
        let model =
            Model::start(vec![("Other", json!({})), ("Bash", json!({"command": "touch x"}))]).unwrap();
        let tools = json!([{"name": "Read"}, {"name": "Bash"}]);
        let first = json!({"messages": [{"role": "user", "content": "go"}], "tools": tools});
        let errand = json!({"messages": [{"role": "user", "content": "a title"}]});
        assert!(!asked(&model.url(), &post("/v1/messages", &errand)).contains("tool_use"));
        assert!(!model.has_asked() && !model.was_not_offered());
        let said = asked(&model.url(), &post("/v1/messages?beta=true", &first));
        assert!(
            said.starts_with("HTTP/1.1 200") && said.contains("tool_use") && said.contains("touch x"),
            "{said}"
        );
        assert!(model.has_asked());
        let result = json!({"role": "user", "content": [{"type": "tool_result", "content": "ok"}]});
        let second = json!({"messages": [first["messages"][0], result], "tools": tools});
        let said = asked(&model.url(), &post("/v1/messages", &second));
        assert!(said.contains("end_turn") && !said.contains("touch x"), "{said}");
    }

    #[test]
    fn a_client_without_the_tool_is_noticed() {
        let model = Model::start(vec![("Bash", json!({}))]).unwrap();
        let request = json!({"messages": [], "tools": [{"name": "Read"}]});
        assert!(asked(&model.url(), &post("/v1/messages", &request)).contains("end_turn"));
        assert!(model.was_not_offered() && !model.has_asked());
    }

    #[test]
    fn bodies_in_chunks_and_nonsense_are_answered() {
        let model = Model::start(vec![("Bash", json!({}))]).unwrap();
        let body = r#"{"messages": [], "tools": [{"name": "Bash"}]}"#;
        let (first, second) = body.split_at(10);
        let chunked = format!(
            "POST /v1/messages HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{first}\r\n{:x};x=y\r\n{second}\r\n0\r\n\r\n",
            first.len(),
            second.len()
        );
        assert!(asked(&model.url(), &chunked).contains("tool_use"));
        assert!(
            asked(&model.url(), "POST /v1/messages HTTP/1.1\r\ncontent-length: 1\r\n\r\n{")
                .starts_with("HTTP/1.1 400")
        );
        assert!(asked(&model.url(), &post("/elsewhere", &json!({}))).starts_with("HTTP/1.1 404"));
        assert!(asked(&model.url(), "GET /v1/models HTTP/1.1\r\n\r\n").contains("scripted"));
        assert!(asked(&model.url(), "HEAD / HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n"));
    }

    #[test]
    fn nobody_listens_after_the_end() {
        let model = Model::start(Vec::new()).unwrap();
        let address = model.address;
        drop(model);
        assert!(TcpStream::connect(address).is_err());
    }
}
