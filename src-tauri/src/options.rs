//! Arguments of the desktop program.

use std::hash::{DefaultHasher, Hash, Hasher};

use nexi_engine::EngineOptions;
use nexi_engine::core::ids::ThreadId;

use crate::link::{Link, SCHEME};

/// What the program was started with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) engine: EngineOptions,
    pub(crate) start: Start,
    /// A thread to be shown.
    pub(crate) thread: Option<ThreadId>,
    /// A link to be followed.
    pub(crate) link: Option<Link>,
    /// How often this start was begun anew.
    pub(crate) attempt: u32,
}

/// What is shown first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Start {
    #[default]
    Window,
    Popup,
    Hidden,
}

impl Options {
    /// Reads `--popup`, `--hidden`, `--thread ID`, `--config FILE`, `--data-dir DIR`, `--verbose` and a `nexi:` link.
    ///
    /// # Errors
    /// A sentence that names the argument that is not understood.
    pub(crate) fn from_args(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            if arg.split_once(':').is_some_and(|(scheme, _)| scheme == SCHEME) {
                options.link = Some(Link::parse(&arg)?);
                continue;
            }
            let (name, inline) = match arg.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (arg, None),
            };
            let mut value = || inline.clone().or_else(|| args.next()).ok_or(format!("{name} needs a value"));
            match name.as_str() {
                "--popup" => options.start = Start::Popup,
                "--hidden" => options.start = Start::Hidden,
                "--verbose" => options.engine.verbose = true,
                // Only between two starts of the program itself.
                "--attempt" => options.attempt = value()?.parse().map_err(|_| "--attempt needs a number".to_owned())?,
                "--thread" => options.thread = Some(ThreadId(value()?)),
                "--config" => options.engine.settings = Some(value()?.into()),
                "--data-dir" => options.engine.data = Some(value()?.into()),
                other => {
                    return Err(format!(
                        "{other} is not known; there are --popup, --hidden, --thread ID, --config FILE, --data-dir DIR, --verbose and nexi: links"
                    ));
                }
            }
        }
        Ok(options)
    }

    /// Where the start leads: the link, or the thread that is to be shown.
    pub(crate) fn led_to(&self) -> Option<Link> {
        self.link.clone().or_else(|| self.thread.clone().map(|thread| Link::Thread { thread, turn: None }))
    }

    /// One window for each data folder: a second start with the same folder shows the first's.
    pub(crate) fn instance(&self) -> String {
        match &self.engine.data {
            None => "app.nexi.desktop".into(),
            Some(folder) => {
                let mut hasher = DefaultHasher::new();
                // The same folder, however it was written. One that is not there yet is no other's.
                let whole = std::fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
                whole.unwrap_or_else(|_| folder.clone()).hash(&mut hasher);
                format!("app.nexi.desktop.d{:x}", hasher.finish())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Options, String> {
        Options::from_args(args.iter().map(|arg| (*arg).to_owned()))
    }

    #[test]
    fn arguments_are_read_and_mistakes_named() {
        let options = parse(&["--config", "a.toml", "--data-dir=b"]).unwrap();
        assert_eq!((options.engine.settings, options.engine.data), (Some("a.toml".into()), Some("b".into())));
        assert_eq!((parse(&["--popup"]).unwrap().start, parse(&["--hidden"]).unwrap().start), (Start::Popup, Start::Hidden));
        assert_eq!(parse(&["--thread", "ab"]).unwrap().thread, Some(ThreadId("ab".into())));
        let link = parse(&["--data-dir", "b", "nexi://ask?q=a%3Db"]).unwrap();
        assert_eq!(link.link, Some(Link::Ask { question: "a=b".into(), mode: Default::default() }));
        assert!(parse(&["nexi://ask"]).unwrap_err().contains("holds no question"));
        assert!(parse(&["--confg"]).unwrap_err().contains("--confg"));
        assert!(parse(&["--config"]).unwrap_err().contains("needs a value"));
    }
}
