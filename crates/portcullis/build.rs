//! Links the program at a fixed address where that makes it start faster.
//!
//! The tables of programs hold tens of thousands of pointers. In a program that can lie anywhere, each of them is
//! set at every start, which costs a hook more than all that it does itself; `docs/performance.md` has the figures.
//! The stack, the heap and the libraries still lie somewhere else each time.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, wanted: &str| std::env::var(name).is_ok_and(|value| value == wanted);
    // Only where the loader of the C library would do that work: other ways of linking bring start-up code of their own.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bin=portcullis=-no-pie");
    }
}
