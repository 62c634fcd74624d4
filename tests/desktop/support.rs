//! A window with its own data, and the hands that use it.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Mutex, MutexGuard};

/// How long anything may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// One window at a time: several would fight for the focus.
static ONE: Mutex<()> = Mutex::const_new(());

/// One app under test.
pub struct Window {
    _alone: MutexGuard<'static, ()>,
    pub client: Client,
    driver: Child,
    folder: TempDir,
    /// Where a stand-in for the system's browser notes what it was asked to open.
    opened: PathBuf,
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

impl Window {
    /// Starts the app with these settings; none means a first run.
    pub async fn open(settings: Option<&str>) -> Self {
        let alone = ONE.lock().await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = |name: &str| folder.path().join(name);
        let config = place("config/nexi");
        std::fs::create_dir_all(&config).expect("a folder for settings");
        if let Some(settings) = settings {
            std::fs::write(config.join("config.toml"), settings).expect("settings");
        }
        // Whatever opens a browser on Linux finds this one first.
        let bin = place("bin");
        std::fs::create_dir_all(&bin).expect("a folder for programs");
        let opened = place("opened.txt");
        for name in ["xdg-open", "gio", "gnome-open", "kde-open", "wslview"] {
            let script = format!("#!/bin/sh\nfor last; do :; done\nprintf '%s\\n' \"$last\" >> '{}'\n", opened.display());
            std::fs::write(bin.join(name), script).expect("a program");
            std::fs::set_permissions(bin.join(name), std::fs::Permissions::from_mode(0o755)).expect("it can be run");
        }
        let (port, native) = (free_port(), free_port());
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        let driver = Command::new("tauri-driver")
            .args(["--port", &port.to_string(), "--native-port", &native.to_string()])
            .env("PATH", path)
            .env("NEXI_TEST_KEY", "canary-key")
            .env("HOME", folder.path())
            .env("XDG_CONFIG_HOME", place("config"))
            .env("XDG_DATA_HOME", place("share"))
            .env("XDG_CACHE_HOME", place("cache"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("tauri-driver runs; cargo install tauri-driver --version ^2 --locked");
        let data = place("data");
        let mut capabilities = Capabilities::new();
        capabilities.insert("browserName".into(), json!("wry"));
        let options = json!({"application": env!("CARGO_BIN_EXE_nexi-desktop"), "args": [format!("--data-dir={}", data.display())]});
        capabilities.insert("tauri:options".into(), options);
        let started = Instant::now();
        let client = loop {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            match builder.capabilities(capabilities.clone()).connect(&format!("http://127.0.0.1:{port}")).await {
                Ok(client) => break client,
                Err(error) if started.elapsed() > PATIENCE => panic!("no window: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
            }
        };
        let window = Self { _alone: alone, client, driver, folder, opened };
        window.wait_for("the window is ready", "return document.documentElement.dataset.ready === 'true'").await;
        window
    }

    /// What a script returns.
    pub async fn eval(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// What a script returns, as text.
    pub async fn text(&self, script: &str) -> String {
        self.eval(script).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a script returns true.
    pub async fn wait_for(&self, what: &str, script: &str) {
        let started = Instant::now();
        while self.client.execute(script, Vec::new()).await.ok() != Some(Value::Bool(true)) {
            if started.elapsed() > PATIENCE {
                let mut report = format!("waited in vain: {what}\n");
                let _ = write!(report, "{}", self.text("return document.body.innerText").await);
                panic!("{report}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Sends keys to whatever has the focus.
    pub async fn keys(&self, keys: &str) {
        let element = self.client.active_element().await.expect("something has the focus");
        element.send_keys(keys).await.expect("keys are taken");
    }

    pub async fn click(&self, css: &str) {
        let element = self.client.find(fantoccini::Locator::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"));
        element.click().await.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// The addresses that the system's browser was asked to open.
    pub fn opened(&self) -> Vec<String> {
        std::fs::read_to_string(&self.opened).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Takes pictures in light, dark and narrow, where they are wanted.
    pub async fn pictures(&self, name: &str) {
        let Some(folder) = std::env::var_os("NEXI_SCREENSHOTS").map(PathBuf::from) else { return };
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        for (kind, width, height) in [("wide", 1280, 880), ("narrow", 420, 880)] {
            self.client.set_window_size(width, height).await.expect("the window changes its size");
            tokio::time::sleep(Duration::from_millis(400)).await;
            let picture = self.client.screenshot().await.expect("a picture");
            std::fs::write(folder.join(format!("{name}-{kind}.png")), picture).expect("the picture is written");
        }
        self.client.set_window_size(1280, 880).await.expect("the window changes its size");
        tokio::time::sleep(Duration::from_millis(300)).await;
    }

    pub async fn close(self) {
        let _ = self.client.clone().close().await;
    }
}
