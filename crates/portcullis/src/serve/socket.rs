//! The socket: one daemon for each state folder, and only its owner at the other end.

use std::fs::File;
use std::io;
use std::net::Shutdown;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use portcullis_client::CONFIRMED;
use rustix::fs::FlockOperation;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::UnixStream;
use tokio::sync::mpsc::UnboundedReceiver;

use super::delivery::Deliveries;
use crate::person;

/// The lock that a running daemon holds; nothing if another holds it. It ends with the process, however that ends.
pub(crate) fn lock(state: &Path) -> Result<Option<File>, String> {
    let path = state.join("serve.lock");
    let told = |error: std::io::Error| format!("cannot use `{}`: {error}", path.display());
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(state).map_err(told)?;
    let mut options = std::fs::OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(&path).map_err(told)?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(told(error.into())),
    }
}

/// Listens at `path`, which only the owner can use. Whoever calls holds the lock, so what is there is left over.
pub(crate) fn listen(path: &Path) -> Result<UnixListener, String> {
    let told = |error: std::io::Error| format!("cannot listen at `{}`: {error}", path.display());
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(told(error)),
    }
    let listener = UnixListener::bind(path).map_err(told)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(told)?;
    Ok(listener)
}

/// Who is at the other end of a connection, as the kernel says.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// The process that connected.
    pub(crate) pid: Option<u32>,
    /// When the connection was taken, in clock ticks since the machine started.
    pub(crate) taken: Option<u64>,
    /// The entries that the answer to it rests on.
    pub(crate) answers: Answers,
}

impl Connected<IncomingStream<'_, Others>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Others>) -> Peer {
        let peer = stream.io().stream.as_ref().and_then(|stream| stream.peer_cred().ok());
        let pid = peer.and_then(|peer| u32::try_from(peer.pid()?).ok());
        Peer { pid, taken: person::ticks(), answers: stream.remote_addr().clone() }
    }
}

/// The connections that are left to the API; whose they are was looked at when they were taken.
pub(crate) struct Others {
    pub(crate) received: UnboundedReceiver<std::os::unix::net::UnixStream>,
    pub(crate) deliveries: Arc<Deliveries>,
}

impl axum::serve::Listener for Others {
    type Io = Connection;
    type Addr = Answers;

    async fn accept(&mut self) -> (Connection, Answers) {
        loop {
            let Some(stream) = self.received.recv().await else { return std::future::pending().await };
            if let Ok(stream) = UnixStream::from_std(stream) {
                let answers = Answers::default();
                let deliveries = Arc::clone(&self.deliveries);
                return (Connection { stream: Some(stream), answers: answers.clone(), deliveries }, answers);
            }
        }
    }

    fn local_addr(&self) -> io::Result<Answers> {
        Ok(Answers::default())
    }
}

/// The entries that the answer on a connection rests on, once there is one that is confirmed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers(Arc<Mutex<Option<Vec<u64>>>>);

impl Answers {
    /// An answer that rests on these entries is about to be written, and will be confirmed.
    pub(crate) fn note(&self, entries: Vec<u64>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(entries);
    }

    fn take(&self) -> Option<Vec<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A connection of the API. When the server is done with it, the confirmation of its answer is waited for.
pub(crate) struct Connection {
    /// Gone only while this is dropped.
    stream: Option<UnixStream>,
    answers: Answers,
    deliveries: Arc<Deliveries>,
}

impl Connection {
    fn stream(&mut self) -> io::Result<Pin<&mut UnixStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        let before = buffer.filled().len();
        let read = ready!(connection.stream()?.poll_read(context, buffer));
        // The server may still look for a next request when the hook confirms the answer of the first.
        if buffer.filled().get(before..).is_some_and(|bytes| bytes == [CONFIRMED]) {
            drop(connection.answers.take());
        }
        Poll::Ready(read)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.get_mut().stream()?.poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().stream()?.poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().stream()?.poll_shutdown(context)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let Some(entries) = self.answers.take() else { return };
        if let Some(stream) = self.stream.take().and_then(|stream| stream.into_std().ok()) {
            // The answer of a server that broke off is cut; the hook must not wait for the rest of it.
            drop(stream.shutdown(Shutdown::Write));
            self.deliveries.expect(stream, entries);
        }
    }
}
