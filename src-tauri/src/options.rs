//! Arguments of the desktop program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser};
use nexi_engine::EngineOptions;
use nexi_engine::core::ids::ThreadId;
use nexi_messages::{Language, Messages};

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
        let Args { popup, hidden, thread, config, data_dir, verbose, attempt, link } =
            Args::from_arg_matches(&translated(Args::command()).try_get_matches_from(name.chain(args))?)?;
        let start = match (popup, hidden) {
            (true, _) => Start::Popup,
            (false, true) => Start::Hidden,
            (false, false) => Start::Window,
        };
        let engine = EngineOptions { settings: config, data: data_dir, verbose };
        Ok(Self { engine, start, thread: thread.map(ThreadId), link, attempt })
    }

    /// What the arguments say of the place of settings, whatever is wrong with the others: the language depends on it, and
    /// everything that is told comes after.
    pub(crate) fn engine_of(mut args: impl Iterator<Item = String>) -> EngineOptions {
        let mut engine = EngineOptions::default();
        while let Some(argument) = args.next() {
            let (name, value) = argument.split_once('=').map_or((argument.as_str(), None), |(name, value)| (name, Some(value.to_owned())));
            let place = match name {
                "--config" => &mut engine.settings,
                "--data-dir" => &mut engine.data,
                _ => continue,
            };
            *place = value.or_else(|| args.next()).map(PathBuf::from);
        }
        engine
    }

    /// The arguments that name the settings file and the data folder, as far as they were named.
    pub(crate) fn places(&self) -> Vec<String> {
        let named = [("--config", &self.engine.settings), ("--data-dir", &self.engine.data)];
        let given = named.into_iter().filter_map(|(name, path)| Some(format!("{name}={}", path.as_ref()?.display())));
        given.collect()
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
                let whole = dunce::canonicalize(folder).or_else(|_| std::path::absolute(folder));
                whole.unwrap_or_else(|_| folder.clone()).hash(&mut hasher);
                format!("app.nexi.desktop.d{:x}", hasher.finish())
            }
        }
    }
}

/// The arguments with their help in the language of the program; the English one stands beside them.
fn translated(mut command: clap::Command) -> clap::Command {
    if Messages::language() == Language::English {
        return command;
    }
    let messages = Messages::current();
    let about = messages.text("desktop-help.about", &[]);
    let names: Vec<String> = command.get_arguments().filter(|one| !one.is_hide_set()).map(|one| one.get_id().to_string()).collect();
    for name in names {
        let help = messages.text(&format!("desktop-help.{name}"), &[]);
        command = command.mut_arg(name, |argument| argument.help(help));
    }
    command.about(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_has_the_help() {
        let messages = Messages::of(Language::English);
        let command = Args::command();
        assert_eq!(command.get_about().map(ToString::to_string), Some(messages.text("desktop-help.about", &[])));
        for argument in command.get_arguments().filter(|one| !one.is_hide_set()) {
            let message = format!("desktop-help.{}", argument.get_id());
            assert_eq!(argument.get_help().map(ToString::to_string), Some(messages.text(&message, &[])), "{message}");
        }
    }

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
        let engine = Options::engine_of(["--confg", "--config", "a.toml"].into_iter().map(str::to_owned));
        assert_eq!(engine.settings, Some("a.toml".into()));
        // A program that starts again appends; the last one counts.
        assert_eq!(parse(&["--attempt", "1", "--config", "a", "--attempt", "2", "--config", "b"]).unwrap().attempt, 2);
        // A link is no option, whatever it holds.
        assert!(parse(&["nexi://ask?q=--hidden"]).unwrap().start == Start::Window);
        assert!(
            parse(&["--help"]).unwrap_err().contains("--popup") && parse(&["--version"]).unwrap_err().contains(env!("CARGO_PKG_VERSION"))
        );
    }
}
