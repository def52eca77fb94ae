//! Any bytes, read as a line for a POSIX shell.
#![no_main]

libfuzzer_sys::fuzz_target!(|line: &[u8]| portcullis_fuzz::check(line, portcullis_shell::Dialect::Sh));
