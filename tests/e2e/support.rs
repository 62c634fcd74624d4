//! A place for one test: its own data folder, settings and home.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub struct Place {
    folder: TempDir,
}

impl Place {
    /// With this text in the settings file.
    pub fn new(settings: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("config.toml"), settings).expect("settings are written");
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program with this place's files and nothing of the machine's own environment.
    pub fn nexi(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nexi"));
        command
            .args(args)
            .arg("--config")
            .arg(self.path("config.toml"))
            .arg("--data-dir")
            .arg(self.path("data"))
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("TEST_KEY", KEY)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.nexi(args).output().expect("nexi runs")
    }
}

/// A key that must never be seen again.
pub const KEY: &str = "canary-5f2c9e7b41";

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {} {}", stdout(output), stderr(output)))
}

/// Settings with a loopback model, a loopback SearXNG and a trusted loopback site.
pub fn web_settings(model: &str, searx: &str, host: &str, more: &str) -> String {
    format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"searx\"]\n{more}\n[network]\nallowed_private_hosts = [\"{host}\"]\n\
         [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{model}\"\nmodel = \"test-model\"\napi_key_env = \"TEST_KEY\"\n\
         [providers.searx]\ntype = \"searxng\"\nbase_url = \"{searx}\"\n"
    )
}

/// Every file below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { out.extend(files(&path)) } else { out.push(path) }
    }
    out
}
