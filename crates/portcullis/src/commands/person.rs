//! Who sits at the keyboard, as far as it can be told, for what is written down about people's answers.

/// The user's name as the environment has it, with the number that cannot be made up.
pub(crate) fn who() -> String {
    let number = rustix::process::getuid().as_raw();
    let mut names = ["USER", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    match names.find(|name| !name.is_empty() && name.len() <= 64) {
        Some(name) => format!("{name} (uid {number})"),
        None => format!("uid {number}"),
    }
}

/// Their terminal; empty where there is none.
pub(crate) fn place() -> String {
    let name = rustix::termios::ttyname(std::io::stdin(), Vec::new()).ok();
    name.and_then(|name| name.into_string().ok()).unwrap_or_default()
}
