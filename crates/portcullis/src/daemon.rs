//! What a command or a hook asks of the daemon about pauses and grants.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use portcullis_client::{self as client, NoDaemon};

/// How long the daemon may take.
const LONGEST: Duration = Duration::from_secs(2);

/// Tells the daemon that the person who runs this program began a pause or gave a grant; without a daemon there is nobody to
/// tell.
///
/// # Errors
/// If a daemon runs and does not count it.
pub(crate) fn vouch(state: &Path, entry: u64) -> Result<(), String> {
    let Ok(stream) = UnixStream::connect(client::socket(state)) else { return Ok(()) };
    let why = match client::exchange(stream, "POST", &format!("/v1/vouched/{entry}"), &[], b"", LONGEST) {
        Ok((200, _)) => return Ok(()),
        Ok((_, body)) => client::problem(&body),
        Err(why) => why,
    };
    Err(format!("it is recorded as entry {entry}, but the running daemon does not count it: {why}"))
}

/// Whether the daemon counts the pause or grant that the entry with this hash gave; true where no daemon runs.
pub(crate) fn vouches(state: &Path, hash: &str) -> bool {
    match client::find(state, LONGEST) {
        Err(NoDaemon::NotRunning) => true,
        Ok(stream) => {
            let asked = client::exchange(stream, "GET", &format!("/v1/vouched/{hash}"), &[], b"", LONGEST);
            matches!(asked, Ok((200, _)))
        }
        // FAIL-CLOSED(daemon): one that does not answer has vouched for nothing.
        Err(NoDaemon::Broken(_)) => false,
    }
}
