//! Makes what a session serves on its loopback reachable on this machine's, under the same port.

use std::collections::BTreeMap;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};

use super::forwarder::{both_ways, loopback};
use super::notes::Notes;
use super::wire::{Order, receive, send};

/// How often listeners are looked for while a command runs.
const OFTEN: Duration = Duration::from_millis(40);

/// And when none does: what stays in the background rarely begins to serve.
const SELDOM: Duration = Duration::from_millis(500);

/// Connections at once, over all ports.
const MOST: usize = 512;

/// Ports at once.
const MOST_PORTS: usize = 64;

/// What the relay needs to know from the rest of the warden.
#[derive(Clone, Default)]
pub(super) struct Activity(Arc<AtomicBool>);

impl Activity {
    /// Says whether a command runs.
    pub(super) fn set(&self, runs: bool) {
        self.0.store(runs, Ordering::Relaxed);
    }
}

/// Sockets of the session's network, made by its process 1.
#[derive(Clone)]
struct Source(Arc<Mutex<UnixStream>>);

/// Starts to look for listeners, for as long as the warden lives.
pub(super) fn start(
    listed: OwnedFd,
    orders: UnixStream,
    notes: Notes,
    activity: Activity,
) -> std::io::Result<()> {
    let source = Source(Arc::new(Mutex::new(orders)));
    std::thread::Builder::new().name("ports".to_owned()).spawn(move || {
        let mut open: BTreeMap<u16, Arc<AtomicBool>> = BTreeMap::new();
        let connections = Arc::new(AtomicUsize::new(0));
        loop {
            std::thread::sleep(if activity.0.load(Ordering::Relaxed) { OFTEN } else { SELDOM });
            let Ok(ports) = listeners(&listed) else { continue };
            open.retain(|port, ended| {
                let stays = ports.contains(port);
                if !stays {
                    ended.store(true, Ordering::Relaxed);
                    // Wakes the thread that waits for the next connection.
                    drop(TcpStream::connect_timeout(&loopback(*port), OFTEN));
                }
                stays
            });
            for port in ports {
                if open.len() < MOST_PORTS && !open.contains_key(&port) {
                    let ended = Arc::new(AtomicBool::new(false));
                    open.insert(port, Arc::clone(&ended));
                    if let Err(why) = open_port(port, source.clone(), ended, Arc::clone(&connections)) {
                        notes.add(format!(
                            "port {port} is served inside, but not reachable from outside: {why}"
                        ));
                    }
                }
            }
        }
    })?;
    Ok(())
}

fn open_port(
    port: u16,
    source: Source,
    ended: Arc<AtomicBool>,
    connections: Arc<AtomicUsize>,
) -> std::io::Result<()> {
    let listener = TcpListener::bind(loopback(port))?;
    std::thread::Builder::new().name(format!("port {port}")).spawn(move || {
        while let Ok((client, _)) = listener.accept() {
            if ended.load(Ordering::Relaxed) {
                return;
            }
            if connections.fetch_add(1, Ordering::Relaxed) >= MOST {
                connections.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let (source, counted) = (source.clone(), Arc::clone(&connections));
            let passed = std::thread::Builder::new().name("relay".to_owned()).spawn(move || {
                if let Some(server) = source.connected(port) {
                    both_ways(&client, &server).ok();
                }
                counted.fetch_sub(1, Ordering::Relaxed);
            });
            if passed.is_err() {
                connections.fetch_sub(1, Ordering::Relaxed);
            }
        }
    })?;
    Ok(())
}

impl Source {
    /// A connection inside the session to what listens there.
    fn connected(&self, port: u16) -> Option<TcpStream> {
        let socket = {
            let orders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            send(&orders, &Order::Sockets(1), &[]).ok()?;
            let (_, sockets) = receive::<usize>(&orders).ok()?;
            sockets.into_iter().next()?
        };
        rustix::net::connect(socket.as_fd(), &loopback(port)).ok()?;
        Some(TcpStream::from(socket))
    }
}

/// The ports that something listens on, on the loopback or everywhere.
fn listeners(listed: &OwnedFd) -> Result<Vec<u16>, Errno> {
    const BY_FAMILY: u16 = 20;
    const REQUEST_FOR_ALL: u16 = 0x301;
    const TCP: u8 = 6;
    const LISTENS: u32 = 1 << 10;
    let mut ports = Vec::new();
    for family in [2_u8, 10] {
        let mut message = Vec::with_capacity(72);
        message.extend(72_u32.to_ne_bytes());
        message.extend(BY_FAMILY.to_ne_bytes());
        message.extend(REQUEST_FOR_ALL.to_ne_bytes());
        message.extend([0; 8]);
        message.extend([family, TCP, 0, 0]);
        message.extend(LISTENS.to_ne_bytes());
        message.resize(72, 0);
        rustix::net::send(listed, &message, SendFlags::empty())?;
        let mut over = false;
        while !over {
            let mut answer = [0; 16 << 10];
            let (got, _) = rustix::net::recv(listed, &mut answer, RecvFlags::empty())?;
            over = got == 0 || read_listeners(answer.get(..got).unwrap_or_default(), family, &mut ports);
        }
    }
    ports.sort_unstable();
    ports.dedup();
    Ok(ports)
}

/// Takes the ports out of an answer; true if it was the last one.
fn read_listeners(answer: &[u8], family: u8, ports: &mut Vec<u16>) -> bool {
    const DONE: u16 = 3;
    const ERROR: u16 = 2;
    let mut rest = answer;
    while let Some(head) = rest.get(..16) {
        let number =
            |at: usize| head.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_ne_bytes);
        let length = number(0).and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
        let kind = head.get(4..6).and_then(|bytes| bytes.try_into().ok()).map(u16::from_ne_bytes);
        if matches!(kind, Some(DONE | ERROR) | None) || length < 16 {
            return true;
        }
        let body = rest.get(16..length).unwrap_or_default();
        let port = body.get(4..6).and_then(|bytes| bytes.try_into().ok()).map(u16::from_be_bytes);
        // After four bytes of kind and two ports comes the address.
        let address = body.get(8..24).unwrap_or_default();
        let here = match family {
            2 => matches!(address.get(..4), Some([127, 0, 0, 1] | [0, 0, 0, 0])),
            _ => address.iter().all(|byte| *byte == 0),
        };
        ports.extend(port.filter(|port| here && *port > 0));
        rest = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    false
}
