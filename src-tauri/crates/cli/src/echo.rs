//! What a person types while an answer comes: it is not to stand in the middle of it.

/// Keeps the terminal from showing what is typed, until it is dropped. What was typed is read afterwards.
pub struct Hushed {
    #[cfg(unix)]
    before: rustix::termios::Termios,
}

impl Hushed {
    /// None where standard input is no terminal, or cannot be hushed.
    #[cfg(unix)]
    pub fn new() -> Option<Self> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let before = tcgetattr(std::io::stdin()).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(std::io::stdin(), OptionalActions::Now, &silent).ok()?;
        Some(Self { before })
    }

    #[cfg(not(unix))]
    pub fn new() -> Option<Self> {
        None
    }
}

#[cfg(unix)]
impl Drop for Hushed {
    fn drop(&mut self) {
        let _ = rustix::termios::tcsetattr(std::io::stdin(), rustix::termios::OptionalActions::Now, &self.before);
    }
}
