//! What a host says on standard input.

use std::io::{Error, ErrorKind, Read, Result};
use std::os::fd::AsFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::received_signal;

/// Reads standard input to its end, which has to come before `end` and within `most` bytes.
///
/// # Errors
/// If it cannot be read, or does not end in time or in size.
pub fn read_input(most: usize, end: Instant) -> std::result::Result<Vec<u8>, String> {
    let told = |error: Error| format!("cannot read what was sent: {error}");
    // A part is larger than what the standard library keeps back, so nothing is kept back that waiting would miss.
    let (mut bytes, mut part) = (Vec::new(), [0; 16 << 10]);
    let mut input = std::io::stdin().lock();
    loop {
        arrived(&input, end).map_err(told)?;
        match input.read(&mut part).map_err(told)? {
            0 => return Ok(bytes),
            read => bytes.extend_from_slice(part.get(..read).unwrap_or_default()),
        }
        if bytes.len() > most {
            return Err(format!("what was sent is larger than {most} bytes"));
        }
    }
}

/// Waits until there is something to read, or the end.
fn arrived(input: &impl AsFd, end: Instant) -> Result<()> {
    loop {
        let mut looked = [PollFd::new(input, PollFlags::IN)];
        let left = end.saturating_duration_since(Instant::now());
        let limit = Timespec::try_from(left).map_err(Error::other)?;
        let polled = rustix::event::poll(&mut looked, Some(&limit));
        if let Some(signal) = received_signal() {
            return Err(Error::other(format!("the hook was ended by {signal}")));
        }
        match polled {
            // FAIL-CLOSED(deadline): half a call is none.
            Ok(0) => return Err(Error::new(ErrorKind::TimedOut, "it does not come to an end")),
            Ok(_) => return Ok(()),
            // A process that was stopped and goes on.
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
