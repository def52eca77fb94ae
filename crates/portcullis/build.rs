//! Links the programs so that they start fast, where that is possible; `docs/evidence/performance.md` has the figures.
//!
//! The tables of programs hold tens of thousands of pointers. In a program that can lie anywhere, each of them is
//! set at every start, which costs a hook more than all that it does itself. The stack, the heap and the libraries
//! still lie somewhere else each time.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CC");
    let is = |name: &str, wanted: &str| std::env::var(name).is_ok_and(|value| value == wanted);
    // Only where the loader of the C library would do that work: other ways of linking bring start-up code of their own.
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    let native = std::env::var("HOST").ok() == std::env::var("TARGET").ok();
    if native && has_unwinder() {
        // To find and load the library that panics need takes a tenth of the start of a program that does nothing.
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Whether the C compiler has the unwinder as a part to link in; otherwise it stays a library.
fn has_unwinder() -> bool {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let found = Command::new(compiler).arg("-print-file-name=libgcc_eh.a").output();
    found.is_ok_and(|found| {
        let path = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        Path::new(&path).is_absolute() && Path::new(&path).is_file()
    })
}
