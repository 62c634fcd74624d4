//! Arguments of the desktop program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use clap::Parser;
use nexi_engine::EngineOptions;
use nexi_engine::core::ids::ThreadId;

use crate::link::Link;

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

/// The arguments as they are written.
#[derive(Debug, Parser)]
#[command(name = "nexi-desktop", version, about = "Researched answers with citations you can check", args_override_self = true)]
struct Args {
    /// Open the popup for a quick question
    #[arg(long, conflicts_with = "hidden")]
    popup: bool,
    /// Start without a window; the shortcut and the tray icon work
    #[arg(long)]
    hidden: bool,
    /// Show this thread
    #[arg(long, value_name = "ID")]
    thread: Option<String>,
    /// Use this settings file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Use this folder for the library and the index
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Log every decision, request and wait to standard error
    #[arg(long)]
    verbose: bool,
    // Only between two starts of the program itself.
    #[arg(long, hide = true, default_value_t = 0)]
    attempt: u32,
    /// A link to follow, such as nexi://ask?q=... or nexi://thread/...
    #[arg(value_name = "LINK", value_parser = Link::parse)]
    link: Option<Link>,
}

impl Options {
    /// Reads the arguments, without the program's name.
    ///
    /// # Errors
    /// What is to be told: which argument is not understood, or the help or version that was asked for.
    pub(crate) fn from_args(args: impl Iterator<Item = String>) -> Result<Self, clap::Error> {
        let name = std::iter::once("nexi-desktop".to_owned());
        let Args { popup, hidden, thread, config, data_dir, verbose, attempt, link } = Args::try_parse_from(name.chain(args))?;
        let start = match (popup, hidden) {
            (true, _) => Start::Popup,
            (false, true) => Start::Hidden,
            (false, false) => Start::Window,
        };
        let engine = EngineOptions { settings: config, data: data_dir, verbose };
        Ok(Self { engine, start, thread: thread.map(ThreadId), link, attempt })
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
        Options::from_args(args.iter().map(|arg| (*arg).to_owned())).map_err(|error| error.to_string())
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
        assert!(parse(&["--config"]).unwrap_err().contains("--config <FILE>"));
        assert!(parse(&["--popup", "--hidden"]).unwrap_err().contains("cannot be used with"));
        // A program that starts again appends; the last one counts.
        assert_eq!(parse(&["--attempt", "1", "--config", "a", "--attempt", "2", "--config", "b"]).unwrap().attempt, 2);
        // A link is no option, whatever it holds.
        assert!(parse(&["nexi://ask?q=--hidden"]).unwrap().start == Start::Window);
        assert!(
            parse(&["--help"]).unwrap_err().contains("--popup") && parse(&["--version"]).unwrap_err().contains(env!("CARGO_PKG_VERSION"))
        );
    }
}
