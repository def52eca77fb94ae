//! The socket: one daemon for each state folder, and only its owner at the other end.

use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::Path;

use rustix::fs::FlockOperation;
use tokio::net::UnixStream;
use tokio::sync::mpsc::UnboundedReceiver;

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
