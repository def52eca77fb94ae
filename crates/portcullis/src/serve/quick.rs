//! Threads that take connections and answer what needs no waiting, on the spot.
//!
//! Most calls are settled by rules. Such a call is read, judged, written down and answered by the thread that took the
//! connection; being handed from thread to thread would cost more than all of that. What else comes, and whatever has
//! to wait for a hook, a model or a person, goes on untouched to the API (`api.rs`), which can do everything.

use std::io::Read;
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use portcullis_client::{self as client, ProcessContext};
use rustix::net::{RecvFlags, recv};
use tokio::sync::mpsc::UnboundedSender;

use super::arrivals::Arrivals;
use super::delivery::Deliveries;
use super::{Daemon, api};
use crate::agents::{self, Adapter, Event};
use crate::host_event;

/// How many threads take connections. They take turns, so with more of them each would find its caches cold.
const THREADS: usize = 2;
/// The most there are when some are stuck, at a disk that does not answer say.
const MOST_THREADS: usize = 64;
/// Without a connection taken for this long, and nobody free to take one, the threads are stuck.
const STUCK: Duration = Duration::from_millis(50);
/// How often it is looked whether everything is answered, when the daemon ends.
const STEP: Duration = Duration::from_millis(5);
/// How long an answer may take to be written: others wait for theirs behind it.
const WRITING: Duration = Duration::from_millis(200);
/// The longest request that is answered here; others take their time anyhow.
const LONGEST: usize = 64 << 10;

/// What the threads share.
pub(super) struct Quick {
    daemon: Arc<Daemon>,
    arrivals: Arrivals,
    deliveries: Arc<Deliveries>,
    /// Where connections go that are not for here.
    others: UnboundedSender<UnixStream>,
    /// How many threads wait for a connection, how many there are, and how many connections were taken.
    free: AtomicUsize,
    threads: AtomicUsize,
    taken: AtomicU64,
    /// How many connections are being answered.
    busy: AtomicUsize,
    /// Whether somebody looks if the threads are stuck.
    watched: AtomicBool,
    runtime: tokio::runtime::Handle,
}

impl Quick {
    /// Starts to take connections.
    pub(super) fn start(
        daemon: Arc<Daemon>,
        listener: UnixListener,
        deliveries: Arc<Deliveries>,
        others: UnboundedSender<UnixStream>,
    ) -> Result<Arc<Quick>, String> {
        let arrivals =
            Arrivals::new(listener).map_err(|error| format!("cannot wait for connections: {error}"))?;
        let quick = Arc::new(Quick {
            daemon,
            arrivals,
            deliveries,
            others,
            free: AtomicUsize::new(0),
            threads: AtomicUsize::new(0),
            taken: AtomicU64::new(0),
            busy: AtomicUsize::new(0),
            watched: AtomicBool::new(false),
            runtime: tokio::runtime::Handle::current(),
        });
        for _ in 0..THREADS {
            quick.add_thread().map_err(|error| format!("cannot start a thread: {error}"))?;
        }
        Ok(quick)
    }

    fn add_thread(self: &Arc<Quick>) -> std::io::Result<()> {
        let quick = Arc::clone(self);
        std::thread::Builder::new().name("quick".to_owned()).spawn(move || quick.take_all())?;
        self.threads.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Waits until nothing is under way, but not for ever.
    pub(super) async fn finish(&self, longest: Duration) {
        let end = tokio::time::Instant::now() + longest;
        while self.busy.load(Ordering::SeqCst) > 0 && tokio::time::Instant::now() < end {
            tokio::time::sleep(STEP).await;
        }
    }

    fn take_all(self: &Arc<Quick>) {
        // One for all requests of the thread: to get and clear so much for each would be a tenth of the work.
        let mut room = vec![0; LONGEST];
        loop {
            self.free.fetch_add(1, Ordering::SeqCst);
            let arrived = self.arrivals.next();
            self.taken.fetch_add(1, Ordering::Relaxed);
            if self.free.fetch_sub(1, Ordering::SeqCst) == 1 {
                self.watch();
            }
            match arrived {
                Ok(Some(stream)) => {
                    // FAIL-CLOSED(panic): the connection ends, which is a no, and the thread goes on.
                    drop(catch_unwind(AssertUnwindSafe(|| self.serve(stream, &mut room))));
                }
                Ok(None) => {}
                // Too many files are open: it passes when others end.
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    /// Nobody is left to take a connection. If that stays so and nothing moves, another thread is needed.
    fn watch(self: &Arc<Quick>) {
        if self.threads.load(Ordering::Relaxed) >= MOST_THREADS || self.watched.swap(true, Ordering::SeqCst) {
            return;
        }
        let quick = Arc::clone(self);
        self.runtime.spawn(async move {
            let mut before = quick.taken.load(Ordering::Relaxed);
            while quick.free.load(Ordering::SeqCst) == 0 {
                tokio::time::sleep(STUCK).await;
                let now = quick.taken.load(Ordering::Relaxed);
                if now == before && quick.threads.load(Ordering::Relaxed) < MOST_THREADS {
                    // Without a new thread the others go on when they can.
                    drop(quick.add_thread());
                }
                before = now;
            }
            quick.watched.store(false, Ordering::SeqCst);
            // Somebody may have taken a connection between the look and the word that nobody looks.
            if quick.free.load(Ordering::SeqCst) == 0 {
                quick.watch();
            }
        });
    }

    fn serve(self: &Arc<Quick>, stream: UnixStream, room: &mut [u8]) {
        let busy = Busy::new(self);
        let asked = self.asked(&stream, room);
        if asked.is_some() {
            self.note_agent(&stream);
        }
        if let Some(asked) = asked
            && let Some(judged) = self.daemon.gate.judge_at_once(&asked.request)
        {
            return self.answer(stream, asked, judged, busy);
        }
        // FAIL-CLOSED(hung-up): where nobody takes it any more the connection ends, which is a no.
        if self.arrivals.leave(&stream).is_ok() {
            drop(self.others.send(stream));
        }
    }

    /// Notes which agent asks, so that nobody takes it for a person later (A7).
    fn note_agent(&self, stream: &UnixStream) {
        let peer = rustix::net::sockopt::socket_peercred(stream).ok();
        if let Some(pid) = peer.and_then(|peer| u32::try_from(peer.pid.as_raw_nonzero().get()).ok()) {
            crate::person::note(&self.daemon.state, pid);
        }
    }

    /// The call that a connection is about, if it is one that can be answered here. Nothing of it is taken away, so
    /// that the API finds it whole.
    fn asked(&self, stream: &UnixStream, room: &mut [u8]) -> Option<Asked> {
        stream.set_write_timeout(Some(WRITING)).ok()?;
        let (arrived, _) = recv(stream, &mut *room, RecvFlags::PEEK | RecvFlags::DONTWAIT).ok()?;
        let (head, body) = parted(room.get(..arrived)?)?;
        let around = ProcessContext { project: head.project, cwd: head.cwd };
        if head.version != client::VERSION || head.environment != self.daemon.environment {
            return None;
        }
        let event = host_event::read(head.adapter, body, &around).ok()?;
        let (Event::Calls(calls) | Event::Dialog(calls)) = &event else { return None };
        let [request] = calls.requests.as_slice() else { return None };
        Some(Asked {
            length: arrived,
            adapter: head.adapter,
            confirms: head.confirms,
            request: request.clone(),
            event,
        })
    }

    fn answer(
        &self,
        mut stream: UnixStream,
        asked: Asked,
        judged: portcullis_gate::UnrecordedAnswer,
        busy: Busy,
    ) {
        self.daemon.touch();
        let gate = self.daemon.gate.clone();
        let deliveries = Arc::clone(&self.deliveries);
        self.daemon.gate.deliver(judged, move |answer| {
            let (Event::Calls(calls) | Event::Dialog(calls)) = &asked.event else { return };
            let answered = host_event::told(&gate, asked.adapter, &asked.event, calls, vec![answer]);
            let body = api::reply(&answered.reply).to_string();
            let head = format!(
                "HTTP/1.0 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            // What was only looked at has to be taken, or the other end sees a broken connection.
            let mut seen = vec![0; asked.length];
            if stream.read_exact(&mut seen).is_err() {
                // Without its request the connection is of no use: writing fails next.
                drop(stream.shutdown(std::net::Shutdown::Both));
            }
            deliveries.send(stream, (head + &body).as_bytes(), answered.entries, asked.confirms);
            drop(busy);
        });
    }
}

/// Something under way, from the connection to its answer.
struct Busy(Arc<Quick>);

impl Busy {
    fn new(quick: &Arc<Quick>) -> Busy {
        quick.busy.fetch_add(1, Ordering::SeqCst);
        Busy(Arc::clone(quick))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A call that was read.
struct Asked {
    /// How many bytes it took.
    length: usize,
    adapter: &'static Adapter,
    /// Whether the hook confirms the answer it takes.
    confirms: bool,
    request: portcullis_gate::Request,
    event: Event,
}

/// What the head of a request says.
struct Head {
    adapter: &'static Adapter,
    version: String,
    environment: String,
    confirms: bool,
    project: Option<String>,
    cwd: Option<String>,
}

/// Head and body of a request that a hook makes, if it is just that, and whole.
fn parted(text: &[u8]) -> Option<(Head, &[u8])> {
    let end = text.windows(4).position(|part| part == b"\r\n\r\n")?;
    let (head, body) = (std::str::from_utf8(text.get(..end)?).ok()?, text.get(end + 4..)?);
    let mut lines = head.split("\r\n");
    let agent = lines.next()?.strip_prefix("POST /v1/hook/")?.strip_suffix(" HTTP/1.0")?;
    let fields: Vec<(&str, &str)> = lines.map(|line| line.split_once(": ")).collect::<Option<_>>()?;
    // A name that stands twice could be understood in two ways.
    let one = |wanted: &str| {
        let mut found = fields.iter().filter(|(name, _)| *name == wanted);
        found.next().filter(|_| found.next().is_none()).map(|(_, value)| *value)
    };
    if one("content-length")?.parse() != Ok(body.len()) {
        return None;
    }
    let place = |name: &str| one(name).and_then(client::unescaped).filter(|path| !path.is_empty());
    let head = Head {
        adapter: agents::named(agent)?,
        version: one("x-portcullis-version")?.to_owned(),
        environment: one("x-portcullis-environment")?.to_owned(),
        confirms: one(client::CONFIRMS).is_some(),
        project: place("x-portcullis-project"),
        cwd: place("x-portcullis-cwd"),
    };
    Some((head, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(first: &str, more: &str, body: &str) -> String {
        format!(
            "{first}\r\nhost: portcullis\r\nx-portcullis-version: 1\r\nx-portcullis-environment: e\r\n\
             x-portcullis-cwd: /a%20b\r\n{more}\r\n{body}"
        )
    }

    /// [A3]
    #[test]
    fn only_what_is_whole_and_plain_is_answered_here() {
        let first = "POST /v1/hook/generic HTTP/1.0";
        let good = request(first, "content-length: 2\r\n", "{}");
        let (head, body) = parted(good.as_bytes()).unwrap();
        assert_eq!((head.adapter.name, head.cwd.as_deref(), body), ("generic", Some("/a b"), &b"{}"[..]));
        assert_eq!((head.version.as_str(), head.environment.as_str(), head.project), ("1", "e", None));
        for (first, more, body) in [
            (first, "content-length: 3\r\n", "{}"),
            (first, "content-length: 1\r\n", "{}"),
            (first, "", "{}"),
            (first, "content-length: 2\r\ncontent-length: 2\r\n", "{}"),
            (first, "content-length: 2\r\nx-portcullis-version: 2\r\n", "{}"),
            (first, "content-length: 2\r\nodd\r\n", "{}"),
            ("POST /v1/hook/nobody HTTP/1.0", "content-length: 2\r\n", "{}"),
            ("POST /v1/hook/generic HTTP/1.1", "content-length: 2\r\n", "{}"),
            ("GET /v1/health HTTP/1.0", "content-length: 2\r\n", "{}"),
        ] {
            let text = request(first, more, body);
            assert!(parted(text.as_bytes()).is_none(), "{text}");
        }
        assert!(parted(b"").is_none() && parted(&[0xff; 9]).is_none());
        for length in 0..good.len() {
            assert!(parted(good.as_bytes().get(..length).unwrap()).is_none(), "{length}");
        }
    }
}
