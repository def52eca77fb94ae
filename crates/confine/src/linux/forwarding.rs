//! How the listening sockets of a command's own network come to the warden: by way of the process that waits for it.

use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use super::forwarder::Purpose;
use super::wire::{Answer, Question, receive, send};

/// Hands over what `inside` sends, and tells it when it is served.
pub(super) fn hand_over(inside: &UnixStream, warden: &UnixStream) -> Result<(), String> {
    let told = |error: std::io::Error| format!("the forwarder: {error}");
    // It closes this direction after the last one; where it could not be confined, before.
    while let Ok((purpose, beside)) = receive::<Purpose>(inside) {
        let sockets: Vec<OwnedFd> = beside;
        let borrowed: Vec<_> = sockets.iter().map(AsFd::as_fd).collect();
        send(warden, &Question::Socket(purpose), &borrowed).map_err(told)?;
    }
    send(warden, &Question::Forward, &[]).map_err(told)?;
    let served = matches!(receive::<Answer>(warden).map_err(told)?.0, Answer::Report(_));
    send(inside, &served, &[]).ok();
    Ok(())
}
