//! Connections, each handed out when there is something to read on it. One that says nothing costs no thread and no time.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis_client as client;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::io::Errno;

/// The most connections that have said nothing yet; the oldest gives way. A hook says what it has to say within
/// milliseconds, so it is never among the oldest for long.
const MOST_SILENT: usize = 256;
/// Stands for the listener; connections are numbered from 1.
const LISTENER: u64 = 0;

/// Waits for all connections at once, for any number of threads.
pub(super) struct Arrivals {
    listener: UnixListener,
    epoll: OwnedFd,
    silent: Mutex<Silent>,
}

/// Connections that have said nothing yet, by number: the oldest is the first.
#[derive(Default)]
struct Silent {
    last: u64,
    streams: BTreeMap<u64, UnixStream>,
}

impl Arrivals {
    pub(super) fn new(listener: UnixListener) -> io::Result<Arrivals> {
        listener.set_nonblocking(true)?;
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &listener, EventData::new_u64(LISTENER), EventFlags::IN)?;
        Ok(Arrivals { listener, epoll, silent: Mutex::default() })
    }

    /// Waits until a connection has something to read, or has ended; nothing where another thread was faster, or the
    /// connection is new.
    pub(super) fn next(&self) -> io::Result<Option<UnixStream>> {
        let mut events = [Event { flags: EventFlags::empty(), data: EventData::new_u64(LISTENER) }];
        match epoll::wait(&self.epoll, &mut events, None) {
            Ok(0) | Err(Errno::INTR) => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let [event] = events;
        // The number is copied out: the event is laid out as the kernel wants it.
        let data = event.data;
        match data.u64() {
            LISTENER => self.accept().map(|()| None),
            number => Ok(self.lock().streams.remove(&number)),
        }
    }

    /// Takes a connection and waits for it to say something.
    fn accept(&self) -> io::Result<()> {
        let stream = match self.listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error),
        };
        if !client::is_own(&stream) {
            return Ok(());
        }
        let mut silent = self.lock();
        silent.last += 1;
        let number = silent.last;
        let once = EventFlags::IN | EventFlags::RDHUP | EventFlags::ONESHOT;
        epoll::add(&self.epoll, &stream, EventData::new_u64(number), once)?;
        silent.streams.insert(number, stream);
        // FAIL-CLOSED(flood): whoever is dropped sees the connection end, which is a no.
        let oldest = if silent.streams.len() > MOST_SILENT { silent.streams.pop_first() } else { None };
        drop(silent);
        drop(oldest);
        Ok(())
    }

    /// Lets go of a connection that somebody else goes on with.
    pub(super) fn leave(&self, stream: &UnixStream) -> io::Result<()> {
        epoll::delete(&self.epoll, stream)?;
        stream.set_nonblocking(true)
    }

    fn lock(&self) -> MutexGuard<'_, Silent> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// [A3] attack-L6
    #[test]
    fn silent_connections_hold_nobody_up_and_the_oldest_give_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let arrivals = Arrivals::new(UnixListener::bind(&path).unwrap()).unwrap();
        let mut silent = Vec::new();
        for _ in 0..MOST_SILENT + 10 {
            silent.push(UnixStream::connect(&path).unwrap());
            assert!(arrivals.next().unwrap().is_none());
        }
        assert_eq!(arrivals.lock().streams.len(), MOST_SILENT);
        let first = silent.first_mut().unwrap();
        assert_eq!(first.read(&mut [0; 1]).unwrap(), 0, "the oldest was let go");
        let mut speaks = UnixStream::connect(&path).unwrap();
        speaks.write_all(b"x").unwrap();
        let mut found = None;
        while found.is_none() {
            found = arrivals.next().unwrap();
        }
        let mut byte = [0; 1];
        found.unwrap().read_exact(&mut byte).unwrap();
        assert_eq!(&byte, b"x");
    }
}
