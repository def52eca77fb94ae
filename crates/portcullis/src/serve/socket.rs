//! The socket: one daemon for each state folder, and only its owner at the other end.

use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::FlockOperation;
use tokio::net::unix::SocketAddr;
use tokio::net::{UnixListener, UnixStream};

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

/// Takes connections of the user that runs the daemon, and of nobody else.
pub(crate) struct Own(UnixListener);

impl Own {
    /// Listens at `path`. Whoever calls holds the lock, so what is there is left over.
    pub(crate) fn bind(path: &Path) -> Result<Own, String> {
        let told = |error: std::io::Error| format!("cannot listen at `{}`: {error}", path.display());
        match std::fs::remove_file(path) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(told(error)),
        }
        let listener = UnixListener::bind(path).map_err(told)?;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(told)?;
        Ok(Own(listener))
    }
}

impl axum::serve::Listener for Own {
    type Io = UnixStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (UnixStream, SocketAddr) {
        loop {
            match self.0.accept().await {
                Ok((stream, address)) => {
                    let own = rustix::process::getuid().as_raw();
                    if stream.peer_cred().is_ok_and(|peer| peer.uid() == own) {
                        return (stream, address);
                    }
                }
                // Too many files are open: it passes when others end.
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.0.local_addr()
    }
}
