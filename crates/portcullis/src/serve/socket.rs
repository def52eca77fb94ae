//! The socket: one daemon for each state folder, and only its owner at the other end.

use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::Path;

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use rustix::fs::FlockOperation;
use tokio::net::UnixStream;
use tokio::sync::mpsc::UnboundedReceiver;

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    /// The process that connected.
    pub(crate) pid: Option<u32>,
    /// When the connection was taken, in clock ticks since the machine started.
    pub(crate) taken: Option<u64>,
}

impl Connected<IncomingStream<'_, Others>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Others>) -> Peer {
        let pid = stream.io().peer_cred().ok().and_then(|peer| u32::try_from(peer.pid()?).ok());
        Peer { pid, taken: person::ticks() }
    }
}

/// The connections that are left to the API; whose they are was looked at when they were taken.
pub(crate) struct Others(pub(crate) UnboundedReceiver<std::os::unix::net::UnixStream>);

impl axum::serve::Listener for Others {
    type Io = UnixStream;
    type Addr = ();

    async fn accept(&mut self) -> (UnixStream, ()) {
        loop {
            let Some(stream) = self.0.recv().await else { return std::future::pending().await };
            if let Ok(stream) = UnixStream::from_std(stream) {
                return (stream, ());
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<()> {
        Ok(())
    }
}
