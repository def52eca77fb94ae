//! A server that does what a script says, byte for byte.

use portcullis_classify::client::Client;
use portcullis_classify::framed::Framed;
use portcullis_classify::policy::Policy;
use portcullis_classify::prompt::{Prompt, Surroundings};
use portcullis_classify::request::Case;
use portcullis_classify::settings::{Api, ClassifierSettings, ProxyChoice};
use portcullis_classify::stages::{Judged, classify};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is done with one connection: its number, what was asked, and the way back.
pub(crate) type Script = dyn Fn(usize, &Heard, &mut TcpStream) + Send + Sync;

/// A request as it came; empty where nobody listens.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) head: String,
    pub(crate) body: String,
}

/// A server on a port of its own, until it is dropped.
pub(crate) struct Server {
    pub(crate) base_url: String,
    pub(crate) bodies: Arc<Mutex<Vec<String>>>,
    port: u16,
    over: Arc<AtomicBool>,
}

impl Server {
    /// Reads each request whole, then runs the script.
    pub(crate) fn start(script: impl Fn(usize, &mut TcpStream) + Send + Sync + 'static) -> Server {
        Server::listening(move |number, _, stream| script(number, stream))
    }

    /// The same for a script that looks at what was asked.
    pub(crate) fn listening(
        script: impl Fn(usize, &Heard, &mut TcpStream) + Send + Sync + 'static,
    ) -> Server {
        Server::begin(true, Arc::new(script))
    }

    /// Runs the script as soon as somebody connects.
    pub(crate) fn deaf(script: impl Fn(usize, &mut TcpStream) + Send + Sync + 'static) -> Server {
        Server::begin(
            false,
            Arc::new(move |number, _: &Heard, stream: &mut TcpStream| script(number, stream)),
        )
    }

    /// Answers each request with the next of these, and the last one for ever.
    pub(crate) fn answering(responses: Vec<String>) -> Server {
        Server::start(move |number, stream| {
            let response = responses.get(number).or(responses.last()).unwrap();
            drop(stream.write_all(response.as_bytes()));
        })
    }

    fn begin(listens: bool, script: Arc<Script>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let over = Arc::new(AtomicBool::new(false));
        let (kept, done) = (Arc::clone(&bodies), Arc::clone(&over));
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                if done.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(mut stream) = stream else { return };
                let (script, kept) = (Arc::clone(&script), Arc::clone(&kept));
                std::thread::spawn(move || {
                    let mut heard = Heard::default();
                    if listens {
                        let Some(request) = request_of(&stream) else { return };
                        kept.lock().unwrap().push(request.body.clone());
                        heard = request;
                    }
                    script(number, &heard, &mut stream);
                });
            }
        });
        Server { base_url: format!("http://127.0.0.1:{port}"), bodies, port, over }
    }

    pub(crate) fn requests(&self) -> usize {
        self.bodies.lock().unwrap().len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

fn request_of(stream: &TcpStream) -> Option<Heard> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Heard { head, body: String::from_utf8(body).ok()? })
}

/// A response with these headers beside the length.
pub(crate) fn response(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}")
}

/// A good response that carries a body.
pub(crate) fn ok(body: &str) -> String {
    response("200 OK", "content-type: application/json\r\n", body)
}

/// The body of an answer as Anthropic's API has it.
pub(crate) fn says(text: &str) -> String {
    serde_json::json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "judge-1",
        "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 5}})
    .to_string()
}

pub(crate) fn settings(api: Api, base_url: &str, timeout: Duration) -> ClassifierSettings {
    ClassifierSettings {
        base_url: base_url.to_owned(),
        key_env: None,
        timeout,
        proxy: ProxyChoice::None,
        ..ClassifierSettings::new(api, "judge-1")
    }
}

pub(crate) fn framed() -> Framed {
    Framed {
        opening: "<transcript>".into(),
        entries: vec!["{\"user\":\"Fix the failing test\"}".into()],
        action: "{\"Bash\":\"cargo test\"}".into(),
        closing: "</transcript>".into(),
    }
}

pub(crate) fn run<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(future)
}

/// Has the model behind the settings judge a harmless action.
pub(crate) fn judge(settings: &ClassifierSettings) -> Judged {
    let client = Client::new(settings, None).unwrap();
    let surroundings = Surroundings { cwd: "/home/dev/proj".into(), ..Surroundings::default() };
    let prompt = Prompt::new(Policy::built_in(), &surroundings).unwrap();
    run(classify(&client, settings, &prompt, Case { instructions: &[], framed: &framed() }, None))
}
