//! The only way out of a command's own network: sockets that listen inside and are served here, outside.
//!
//! Nothing is intercepted. A connection is passed on to the host that it was made for, if that host was named, resolves to
//! an address that is not this machine or its neighbours, and the client asks for that very host.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};

use super::notes::Notes;
use crate::envelope::Host;
use crate::forward::address::{Reach, reach};
use crate::forward::http::{Body, Chunks};
use crate::forward::tls::Hello;
use crate::forward::{dns, http, named, tls};
use crate::steps::host_address;

/// Connections at once.
const MOST: usize = 256;

/// How long a client may take to say whom it wants.
const FIRST_WORDS: Duration = Duration::from_secs(15);

/// How long a connection may be silent.
const SILENCE: Duration = Duration::from_mins(15);

/// What a listener is for: a named host by its number and port, or the proxy; the resolver has none.
pub(super) type Purpose = Option<(usize, u16)>;

/// Serves until it is dropped.
pub(super) struct Forwarder {
    _open: OwnedFd,
}

struct Service {
    hosts: Vec<Host>,
    notes: Notes,
    connections: AtomicUsize,
}

/// A socket inside, and what it is for.
enum Door {
    Host(TcpListener, usize, u16),
    Proxy(TcpListener),
    Names(UdpSocket),
}

impl Forwarder {
    /// Starts to serve.
    pub(super) fn start(
        hosts: Vec<Host>,
        sockets: Vec<(Purpose, OwnedFd)>,
        notes: Notes,
    ) -> io::Result<Forwarder> {
        let (ended, open) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let doors = sockets.into_iter().map(|(purpose, socket)| match purpose {
            None => Door::Names(socket.into()),
            Some((number, port)) if number < hosts.len() => Door::Host(socket.into(), number, port),
            Some(_) => Door::Proxy(socket.into()),
        });
        let doors: Vec<Door> = doors.collect();
        let service = Arc::new(Service { hosts, notes, connections: AtomicUsize::new(0) });
        std::thread::Builder::new()
            .name("forwarder".to_owned())
            .spawn(move || serve(&service, &doors, &ended))?;
        Ok(Forwarder { _open: open })
    }
}

fn serve(service: &Arc<Service>, doors: &[Door], ended: &OwnedFd) {
    loop {
        let mut waiting = vec![PollFd::new(ended, PollFlags::IN)];
        waiting.extend(doors.iter().map(|door| {
            let socket = match door {
                Door::Host(socket, ..) | Door::Proxy(socket) => socket.as_fd(),
                Door::Names(socket) => socket.as_fd(),
            };
            PollFd::from_borrowed_fd(socket, PollFlags::IN)
        }));
        match poll(&mut waiting, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
        let mut ready = waiting.iter().map(|one| !one.revents().is_empty());
        if ready.next() == Some(true) {
            return;
        }
        for (door, _) in doors.iter().zip(ready).filter(|(_, ready)| *ready) {
            match door {
                Door::Names(socket) => name_asked(service, socket),
                Door::Host(socket, number, port) => accepted(service, socket, Some((*number, *port))),
                Door::Proxy(socket) => accepted(service, socket, None),
            }
        }
    }
}

fn name_asked(service: &Service, socket: &UdpSocket) {
    let mut question = [0; 600];
    let Ok((length, from)) = socket.recv_from(&mut question) else { return };
    let known = |name: &str| service.hosts.iter().position(|host| host.name == name).map(host_address);
    if let Some((answer, refused)) = dns::answer(question.get(..length).unwrap_or_default(), known) {
        socket.send_to(&answer, from).ok();
        if let Some(name) = refused {
            service.notes.add(format!("the host `{name}` was refused: it is not named"));
        }
    }
}

fn accepted(service: &Arc<Service>, socket: &TcpListener, target: Option<(usize, u16)>) {
    let Ok((client, _)) = socket.accept() else { return };
    if service.connections.fetch_add(1, Ordering::Relaxed) >= MOST {
        service.connections.fetch_sub(1, Ordering::Relaxed);
        return;
    }
    let shared = Arc::clone(service);
    let started = std::thread::Builder::new().name("connection".to_owned()).spawn(move || {
        // FAIL-CLOSED(forwarder): whatever is not understood or not allowed ends here.
        if let Err(why) = shared.connection(&client, target) {
            shared.notes.add(why);
        }
        client.shutdown(Shutdown::Both).ok();
        shared.connections.fetch_sub(1, Ordering::Relaxed);
    });
    if started.is_err() {
        service.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Service {
    fn connection(&self, client: &TcpStream, target: Option<(usize, u16)>) -> Result<(), String> {
        client.set_read_timeout(Some(FIRST_WORDS)).map_err(|error| error.to_string())?;
        match target {
            Some((number, port)) => {
                let host = self.hosts.get(number).ok_or_else(|| "a host that is not named".to_owned())?;
                Service::to_host(client, host, port, Vec::new(), None)
            }
            None => self.proxied(client),
        }
    }

    /// One that speaks to a proxy says whom it wants.
    fn proxied(&self, client: &TcpStream) -> Result<(), String> {
        let Some((head, rest)) = head(client, Vec::new()) else { return Ok(()) };
        let request = match http::request(&head) {
            Ok(request) => request,
            Err(why) => {
                refuse(client, "400 Bad Request", &why);
                return Err(format!("a request to the proxy was refused: {why}"));
            }
        };
        let Some(host) = named(&self.hosts, &request.host, request.port) else {
            let why = format!("the host `{}:{}` was refused: it is not named", request.host, request.port);
            refuse(client, "403 Forbidden", &why);
            return Err(why);
        };
        let server = match reached(host, request.port) {
            Ok(server) => server,
            Err(why) => {
                refuse(client, "502 Bad Gateway", &why);
                return Err(why);
            }
        };
        if request.is_tunnel {
            (&mut &*client)
                .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
                .map_err(|error| error.to_string())?;
            return Service::to_host(client, host, request.port, rest, Some(server));
        }
        plain(client, &server, &request, rest)
    }

    /// A connection that is for one host, and has to ask for that host.
    fn to_host(
        client: &TcpStream,
        host: &Host,
        port: u16,
        first: Vec<u8>,
        server: Option<TcpStream>,
    ) -> Result<(), String> {
        let connected = |server: Option<TcpStream>| server.map_or_else(|| reached(host, port), Ok);
        if port == 80 {
            let Some((head, rest)) = head(client, first) else { return Ok(()) };
            let request = http::request(&head)
                .map_err(|why| format!("a request to `{}` was refused: {why}", host.name))?;
            if request.is_tunnel || request.host != host.name || request.port != port {
                refuse(client, "421 Misdirected Request", "another host than the one that was connected to");
                return Err(format!("a connection to `{}` asked for `{}`: refused", host.name, request.host));
            }
            return plain(client, &connected(server)?, &request, rest);
        }
        let first = match port {
            443 => asked_by_name(client, host, first)?,
            // Another protocol, where the server may speak first.
            _ => first,
        };
        let server = connected(server)?;
        (&mut &server).write_all(&first).map_err(|error| error.to_string())?;
        both_ways(client, &server)
    }
}

/// The first bytes of a TLS client, if they ask for this host.
fn asked_by_name(client: &TcpStream, host: &Host, mut first: Vec<u8>) -> Result<Vec<u8>, String> {
    loop {
        match tls::hello(&first) {
            Hello::Unfinished => {}
            Hello::For(name) if name.trim_end_matches('.') == host.name => return Ok(first),
            Hello::For(name) => {
                return Err(format!("a connection to `{}` asked for `{name}`: refused", host.name));
            }
            Hello::Nameless => {
                return Err(format!("a connection to `{}` asked for no server by name: refused", host.name));
            }
        }
        let mut part = [0; 4096];
        match (&mut &*client).read(&mut part) {
            Ok(0) | Err(_) => return Err(format!("a connection to `{}` said nothing", host.name)),
            Ok(read) => first.extend_from_slice(part.get(..read).unwrap_or_default()),
        }
    }
}

/// A head, and what came with it.
fn head(client: &TcpStream, mut bytes: Vec<u8>) -> Option<(Vec<u8>, Vec<u8>)> {
    loop {
        if let Some(end) = http::end(&bytes) {
            let rest = bytes.split_off(end);
            return Some((bytes, rest));
        }
        let mut part = [0; 4096];
        match (&mut &*client).read(&mut part) {
            Ok(read) if read > 0 && bytes.len() < http::LONGEST => bytes.extend_from_slice(part.get(..read)?),
            Ok(_) | Err(_) => return None,
        }
    }
}

fn refuse(client: &TcpStream, status: &str, why: &str) {
    let body = format!("portcullis: {why}\n");
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    (&mut &*client).write_all(text.as_bytes()).ok();
}

/// A connection to a host, resolved here, to an address that it may have.
fn reached(host: &Host, port: u16) -> Result<TcpStream, String> {
    const LONGEST: Duration = Duration::from_secs(15);
    let name = &host.name;
    let found =
        (name.as_str(), port).to_socket_addrs().map_err(|error| format!("the host `{name}`: {error}"))?;
    let own = own_addresses()?;
    let mut refused = None;
    let mut last = None;
    for address in found {
        let is_own = own.contains(&address.ip().to_canonical());
        let allowed = match reach(address.ip()) {
            Reach::Global => !is_own,
            Reach::Private => host.private && !is_own,
            Reach::Never => false,
        };
        if !allowed {
            refused = Some(address.ip());
            continue;
        }
        match TcpStream::connect_timeout(&address, LONGEST) {
            Ok(server) => return Ok(server),
            Err(error) => last = Some(error),
        }
    }
    Err(match (refused, last) {
        (Some(address), None) => format!(
            "the host `{name}` was refused: it leads to {address}, which is this machine or a private network"
        ),
        (_, Some(error)) => format!("the host `{name}`: {error}"),
        (None, None) => format!("the host `{name}` has no address"),
    })
}

fn own_addresses() -> Result<Vec<std::net::IpAddr>, String> {
    // FAIL-CLOSED(own-addresses): what is not known to be another machine is not reached.
    let all =
        nix::ifaddrs::getifaddrs().map_err(|error| format!("this machine's addresses: {}", error.desc()))?;
    let found = all.filter_map(|interface| {
        let address = interface.address?;
        let four = address.as_sockaddr_in().map(|four| std::net::IpAddr::from(four.ip()));
        four.or_else(|| address.as_sockaddr_in6().map(|six| std::net::IpAddr::from(six.ip())))
    });
    Ok(found.map(|address| address.to_canonical()).collect())
}

/// One request with its body, and the whole answer.
fn plain(
    client: &TcpStream,
    server: &TcpStream,
    request: &http::Request,
    rest: Vec<u8>,
) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    (&mut &*server).write_all(&request.head).map_err(told)?;
    let answer = (server.try_clone().map_err(told)?, client.try_clone().map_err(told)?);
    let back =
        std::thread::Builder::new().name("answer".to_owned()).spawn(move || copy(&answer.0, &answer.1));
    let back = back.map_err(told)?;
    body(client, server, request.body, rest)?;
    back.join().map_err(|_| "an answer broke off".to_owned())
}

fn body(client: &TcpStream, server: &TcpStream, body: Body, first: Vec<u8>) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    client.set_read_timeout(Some(SILENCE)).map_err(told)?;
    let mut chunks = Chunks::default();
    let mut left = match body {
        Body::Sized(length) => length,
        Body::Chunked => 1,
    };
    let mut part = first;
    while left > 0 {
        if part.is_empty() {
            part = vec![0; 16 << 10];
            let read = (&mut &*client).read(&mut part).map_err(told)?;
            part.truncate(read);
            if read == 0 {
                return Ok(());
            }
        }
        let used = match body {
            Body::Sized(_) => {
                let used = usize::try_from(left).unwrap_or(usize::MAX).min(part.len());
                left -= u64::try_from(used).unwrap_or_default();
                used
            }
            Body::Chunked => {
                let (used, over) = chunks.take(&part)?;
                left = u64::from(!over);
                used
            }
        };
        (&mut &*server).write_all(part.get(..used).unwrap_or_default()).map_err(told)?;
        part.clear();
    }
    Ok(())
}

/// Passes bytes on in both directions until both ends have said everything.
pub(super) fn both_ways(client: &TcpStream, server: &TcpStream) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    let (from, to) = (server.try_clone().map_err(told)?, client.try_clone().map_err(told)?);
    let back = std::thread::Builder::new()
        .name("answer".to_owned())
        .spawn(move || copy(&from, &to))
        .map_err(told)?;
    copy(client, server);
    back.join().map_err(|_| "a connection broke off".to_owned())
}

fn copy(from: &TcpStream, to: &TcpStream) {
    from.set_read_timeout(Some(SILENCE)).ok();
    io::copy(&mut &*from, &mut &*to).ok();
    to.shutdown(Shutdown::Write).ok();
}

/// An address to connect to on the loopback of a session, in either family.
pub(super) fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}
