//! Arguments of the desktop program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use nexi_engine::EngineOptions;

/// What the program was started with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) engine: EngineOptions,
    pub(crate) start: Start,
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
    /// Reads `--popup`, `--hidden`, `--config FILE`, `--data-dir DIR` and `--verbose`.
    ///
    /// # Errors
    /// A sentence that names the argument that is not understood.
    pub(crate) fn from_args(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            let (name, inline) = match arg.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (arg, None),
            };
            let mut value = || inline.clone().or_else(|| args.next()).map(PathBuf::from).ok_or(format!("{name} needs a value"));
            match name.as_str() {
                "--popup" => options.start = Start::Popup,
                "--hidden" => options.start = Start::Hidden,
                "--verbose" => options.engine.verbose = true,
                "--config" => options.engine.settings = Some(value()?),
                "--data-dir" => options.engine.data = Some(value()?),
                other => {
                    return Err(format!("{other} is not known; there are --popup, --hidden, --config FILE, --data-dir DIR and --verbose"));
                }
            }
        }
        Ok(options)
    }

    /// One window for each data folder: a second start with the same folder shows the first's.
    pub(crate) fn instance(&self) -> String {
        match &self.engine.data {
            None => "app.nexi.desktop".into(),
            Some(folder) => {
                let mut hasher = DefaultHasher::new();
                folder.hash(&mut hasher);
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
        assert!(parse(&["--confg"]).unwrap_err().contains("--confg"));
        assert!(parse(&["--config"]).unwrap_err().contains("needs a value"));
    }
}
