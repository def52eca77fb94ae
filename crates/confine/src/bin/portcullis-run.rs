//! Starts commands inside an envelope; `portcullis run` is its face.

use std::process::ExitCode;

fn main() -> ExitCode {
    portcullis_confine::main()
}
