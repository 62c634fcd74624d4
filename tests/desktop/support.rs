//! A window with its own data, and the hands that use it.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Mutex, MutexGuard};

pub use crate::processes::processes_of;
use crate::processes::processes_with;
pub use crate::screen::{focused, is_shown, popup_is_shown, press};

/// How long anything may take to appear.
pub const APPEARING: Duration = Duration::from_secs(20);

pub const ENTER: &str = "\u{e007}";
pub const TAB: &str = "\u{e004}";
pub const ESCAPE: &str = "\u{e00c}";

/// Holds once the last turn of the thread has ended.
pub const DONE: &str = "return !!document.querySelector('.turn:last-child .acts')";

/// Settings without a model or a network.
pub const BUILT_IN: &str = "llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n";

/// Settings with one stand-in model, which takes the key of [`Window`]'s surroundings; `more` stands before the tables.
pub fn model_settings(base_url: &str, model: &str, more: &str) -> String {
    format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"documents\"]\n{more}\n[providers.work]\ntype = \"openai_compatible\"\n\
         base_url = \"{base_url}\"\nmodel = \"{model}\"\napi_key_env = \"NEXI_TEST_KEY\"\n"
    )
}

/// Settings with one stand-in model and one stand-in search, which may read pages of this host.
pub fn web_settings(model: &str, search: &str, host: &str) -> String {
    format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"searx\"]\n[network]\nallowed_private_hosts = [\"{host}\"]\n[providers.work]\ntype = \"openai_compatible\"\n\
         base_url = \"{model}\"\nmodel = \"test-model\"\napi_key_env = \"NEXI_TEST_KEY\"\n[providers.searx]\ntype = \"searxng\"\nbase_url = \"{search}\"\n"
    )
}

/// A page with a text that is asked about, and some that is not.
pub fn page(title: &str, text: &str) -> String {
    let rest = "The archive of the town keeps the drawings and is open on weekdays, except in the weeks of the flood. ".repeat(5);
    format!("<html><head><title>{title}</title></head><body><article><h1>{title}</h1><p>{text}</p><p>{rest}</p></article></body></html>")
}

/// The app: the one that was built with the tests, or the release that `NEXI_DESKTOP` names, for what is measured.
fn program() -> String {
    std::env::var("NEXI_DESKTOP").unwrap_or_else(|_| env!("CARGO_BIN_EXE_nexi-desktop").to_owned())
}

/// One window at a time: several would fight for the focus.
static ONE: Mutex<()> = Mutex::const_new(());

/// One app under test.
pub struct Window {
    /// Ends before the next test begins, and so stands before the guard.
    _app: App,
    /// None for a second one beside the first.
    _alone: Option<MutexGuard<'static, ()>>,
    pub client: Client,
    folder: TempDir,
    /// Where a stand-in for the system's browser notes what it was asked to open.
    opened: PathBuf,
}

/// The driver and what it started.
struct App {
    driver: Child,
    native: u16,
    data: PathBuf,
}

impl Drop for App {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        // What a failed test leaves behind would keep the hotkey.
        let native = format!("--port={}", self.native);
        for id in processes_of(&self.data).into_iter().chain(processes_with(|command| command.contains(&native))) {
            let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
        }
    }
}

/// Keeps the screen for a test that starts no [`Window`].
pub async fn alone() -> MutexGuard<'static, ()> {
    let alone = ONE.lock().await;
    window_manager();
    alone
}

/// Windows have no focus without a manager; one for all tests is enough.
fn window_manager() {
    static MANAGER: std::sync::OnceLock<()> = std::sync::OnceLock::new();
    MANAGER.get_or_init(|| {
        let started = Command::new("openbox").stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut openbox = started.expect("openbox runs; apt-get install openbox");
        std::thread::spawn(move || openbox.wait());
        unlock_keyring();
        // It answers once it manages windows.
        let started = Instant::now();
        while !Command::new("xdotool").arg("get_desktop").stderr(Stdio::null()).output().is_ok_and(|output| output.status.success()) {
            assert!(started.elapsed() < APPEARING, "no window manager came");
            std::thread::sleep(Duration::from_millis(50));
        }
    });
}

/// A Secret Service of the session, unlocked, with a collection of its own.
fn unlock_keyring() {
    use std::io::Write as _;
    let home = tempfile::tempdir().expect("a temporary folder").keep();
    let mut daemon = Command::new("gnome-keyring-daemon")
        .args(["--replace", "--components=secrets", "--unlock"])
        .env("HOME", &home)
        .env("XDG_DATA_HOME", home.join("share"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("gnome-keyring-daemon runs; apt-get install gnome-keyring");
    daemon.stdin.take().expect("its input").write_all(b"x\n").expect("a password");
    let _ = daemon.wait();
}

/// Waits until something holds outside of any window.
pub async fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(APPEARING, what, holds).await;
}

/// Waits until something holds that takes its time.
pub async fn until_within(limit: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < limit, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Whether this is the path of a page; the first one is also called by nothing.
fn is_page(path: &Value, page: &str) -> bool {
    path.as_str().is_some_and(|path| path.ends_with(page) || (page == "index.html" && path.len() < 2))
}

/// A port that nobody listens at, and that no server of a test that runs meanwhile is given: those are further up.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Processes that begin together are given ports far from each other's.
    let first = 10_000 + u16::try_from(std::process::id().wrapping_mul(1009) % 10_000).unwrap_or_default();
    let ports = std::iter::repeat_with(|| first + NEXT.fetch_add(1, Ordering::Relaxed) % 10_000);
    let is_free = |port: &u16| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports.take(1000).find(is_free).expect("a free port")
}

/// A session of the driver that listens here, or will soon.
pub async fn connect(port: u16, capabilities: &Capabilities) -> Client {
    let started = Instant::now();
    loop {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.clone());
        let address = format!("http://127.0.0.1:{port}");
        // The driver waits for ever for an app that ends at once.
        let Ok(connected) = tokio::time::timeout(3 * APPEARING, builder.connect(&address)).await else { panic!("no window came") };
        match connected {
            Ok(client) => return client,
            Err(error) if started.elapsed() > APPEARING => panic!("no window: {error}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

impl Window {
    /// Starts the app with these settings; none means a first run.
    pub async fn open(settings: Option<&str>) -> Self {
        Self::open_in(settings, tempfile::tempdir().expect("a temporary folder")).await
    }

    /// Starts the app with these settings and whatever is in the folder already.
    pub async fn open_in(settings: Option<&str>, folder: TempDir) -> Self {
        let alone = ONE.lock().await;
        Self::start(settings, folder, Some(alone), &[]).await
    }

    /// Starts the app with these settings and environment variables.
    pub async fn open_with(settings: &str, variables: &[(&str, &str)]) -> Self {
        let alone = ONE.lock().await;
        Self::start(Some(settings), tempfile::tempdir().expect("a temporary folder"), Some(alone), variables).await
    }

    /// Starts the app with what is in the folder already, and environment variables.
    pub async fn open_in_with(folder: TempDir, variables: &[(&str, &str)]) -> Self {
        let alone = ONE.lock().await;
        Self::start(None, folder, Some(alone), variables).await
    }

    /// Starts the app for the first time, with environment variables.
    pub async fn open_first_with(variables: &[(&str, &str)]) -> Self {
        let alone = ONE.lock().await;
        Self::start(None, tempfile::tempdir().expect("a temporary folder"), Some(alone), variables).await
    }

    /// Starts the app with these settings, drawn as on a computer with a graphics card: in layers that are put together.
    pub async fn open_in_layers(settings: &str, folder: TempDir) -> Self {
        let alone = ONE.lock().await;
        Self::start(Some(settings), folder, Some(alone), &[("WEBKIT_FORCE_COMPOSITING_MODE", "1")]).await
    }

    /// Starts the app where no session bus can be reached.
    pub async fn open_without_bus(settings: &str) -> Self {
        let nowhere = [("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus"), ("XDG_RUNTIME_DIR", "/nonexistent")];
        Self::open_with(settings, &nowhere).await
    }

    /// A second app beside this one, with a folder of its own.
    pub async fn beside(&self, folder: TempDir) -> Self {
        Self::start(None, folder, None, &[]).await
    }

    async fn start(settings: Option<&str>, folder: TempDir, alone: Option<MutexGuard<'static, ()>>, variables: &[(&str, &str)]) -> Self {
        window_manager();
        let place = |name: &str| folder.path().join(name);
        let config = place("config/nexi");
        std::fs::create_dir_all(&config).expect("a folder for settings");
        let downloads = place("Downloads");
        std::fs::create_dir_all(&downloads).expect("a folder for downloads");
        std::fs::write(place("config/user-dirs.dirs"), format!("XDG_DOWNLOAD_DIR=\"{}\"\n", downloads.display())).expect("its place");
        if let Some(settings) = settings {
            // Scripted models know nothing of a second look; tests of it say so in their settings.
            let here = if settings.contains("check = ") { "" } else { "check = \"local\"\n" };
            std::fs::write(config.join("config.toml"), format!("{here}{settings}")).expect("settings");
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
            // There is no graphics card here: drawing for one that is emulated takes a third more of the processors.
            .env("WEBKIT_SKIA_ENABLE_CPU_RENDERING", "1")
            // Whatever the tests' own session speaks.
            .env("LC_ALL", "C.UTF-8")
            .env("HOME", folder.path())
            .env("XDG_CONFIG_HOME", place("config"))
            .env("XDG_DATA_HOME", place("share"))
            .env("XDG_CACHE_HOME", place("cache"))
            .envs(variables.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("tauri-driver runs; cargo install tauri-driver --version ^2 --locked");
        let data = place("data");
        let app = App { driver, native, data: data.clone() };
        let mut capabilities = Capabilities::new();
        capabilities.insert("browserName".into(), json!("wry"));
        let options = json!({"application": program(), "args": [format!("--data-dir={}", data.display())]});
        capabilities.insert("tauri:options".into(), options);
        let client = connect(port, &capabilities).await;
        let window = Self { _app: app, _alone: alone, client, folder, opened };
        window.wait_for("the window is ready", "return document.documentElement.dataset.ready === 'true'").await;
        window
    }

    /// Goes on in the window with this page, such as `popup.html`, once it is there and ready.
    pub async fn switch(&self, page: &str) {
        let started = Instant::now();
        loop {
            for handle in self.client.windows().await.unwrap_or_default() {
                let _ = self.client.switch_to_window(handle).await;
                let ready = "return [location.pathname, document.documentElement.dataset.ready === 'true']";
                let found = self.client.execute(ready, Vec::new()).await.unwrap_or_default();
                if is_page(&found[0], page) && found[1] == true {
                    return;
                }
            }
            if started.elapsed() > APPEARING {
                let mut seen = String::new();
                for handle in self.client.windows().await.unwrap_or_default() {
                    let _ = self.client.switch_to_window(handle).await;
                    let facts = self
                        .client
                        .execute(
                            "return location.href + ' ' + document.documentElement.dataset.ready + ' ' + document.body.innerText",
                            Vec::new(),
                        )
                        .await;
                    let _ = writeln!(seen, "{facts:?}");
                }
                panic!("there is no window with {page}, but:\n{seen}");
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Whether there is a window with this page.
    pub async fn has(&self, page: &str) -> bool {
        let current = self.client.window().await.ok();
        let mut found = false;
        for handle in self.client.windows().await.unwrap_or_default() {
            let _ = self.client.switch_to_window(handle).await;
            let path = self.client.execute("return location.pathname", Vec::new()).await.unwrap_or_default();
            found |= is_page(&path, page);
        }
        if let Some(current) = current {
            let _ = self.client.switch_to_window(current).await;
        }
        found
    }

    /// What a script returns.
    pub async fn eval(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// What a script returns, as text.
    pub async fn text(&self, script: &str) -> String {
        self.eval(script).await.as_str().unwrap_or_default().to_owned()
    }

    /// Sends keys to whatever has the focus.
    pub async fn keys(&self, keys: &str) {
        let element = self.client.active_element().await.expect("something has the focus");
        element.send_keys(keys).await.expect("keys are taken");
    }

    /// Asks a question in the research window, as somebody who types does.
    pub async fn ask(&self, question: &str) {
        self.eval("document.querySelector('#composer').focus()").await;
        self.keys(question).await;
        self.keys(ENTER).await;
    }

    /// Presses what this finds. What is drawn anew between the finding and the pressing is found once more, as a hand would.
    pub async fn click(&self, css: &str) {
        for last in [false, true] {
            let element = self.client.find(fantoccini::Locator::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"));
            match element.click().await {
                Err(error) if error.is_stale_element_reference() && !last => {}
                done => return done.unwrap_or_else(|error| panic!("{css}: {error}")),
            }
        }
    }

    /// Chooses this from the menu of the last turn, which comes with the end of its run and not
    /// with the last words of its answer.
    pub async fn turn_menu(&self, label: &str) {
        self.wait_for("the run is over", DONE).await;
        self.eval("document.querySelector('.turn:last-child .turn-menu').click()").await;
        self.eval(&format!(
            "[...document.querySelectorAll('.menu-list button')].find((button) => button.firstChild.textContent === '{label}').click()"
        ))
        .await;
    }

    /// The addresses that the system's browser was asked to open.
    pub fn opened(&self) -> Vec<String> {
        std::fs::read_to_string(&self.opened).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Takes pictures of a window that is usually this wide and high, wide and narrow, where they
    /// are wanted. `make screenshots` does so in light and in dark.
    pub async fn pictures_of(&self, name: &str, wide: (u32, u32)) {
        if std::env::var_os("NEXI_SCREENSHOTS").is_none() {
            return;
        }
        for (kind, (width, height)) in [("wide", wide), ("narrow", (400, 880))] {
            self.resize(width, height).await;
            self.picture(&format!("{name}-{kind}")).await;
        }
        self.resize(wide.0, wide.1).await;
        // What is opened next is not closed by a change of size that comes late.
        self.comes_to_rest().await;
    }

    /// Takes pictures of the research window.
    pub async fn pictures(&self, name: &str) {
        self.pictures_of(name, (1280, 880)).await;
    }

    /// Takes one picture of the window as it is.
    pub async fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("NEXI_SCREENSHOTS").map(PathBuf::from) else { return };
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        self.comes_to_rest().await;
        // Without a graphics device, WebKitGTK takes a screenshot when the page is next drawn. A page at rest is never drawn
        // again, so an invisible dot changes until the screenshot is there.
        self.eval(
            "const dot = document.body.appendChild(document.createElement('i')); dot.ariaHidden = 'true'; dot.style.cssText = \
             'position: fixed; inset: 0 auto auto 0; width: 1px; height: 1px'; window.redrawing = {dot, timer: setInterval(() => \
             { dot.style.background = dot.style.background ? '' : 'rgb(0 0 0 / 0.2%)'; }, 40)}",
        )
        .await;
        let picture = self.client.screenshot().await.expect("a picture");
        self.eval("clearInterval(window.redrawing.timer); window.redrawing.dot.remove()").await;
        std::fs::write(folder.join(format!("{name}.png")), picture).expect("the picture is written");
    }

    /// Presses keys that may close the window.
    pub async fn last_keys(&self, keys: &str) {
        let element = self.client.active_element().await.expect("something has the focus");
        let _ = element.send_keys(keys).await;
    }

    /// Everything that axe-core finds on the page, as `rule: element`.
    pub async fn faults(&self) -> Vec<String> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/node_modules/axe-core/axe.min.js");
        let axe = std::fs::read_to_string(path).expect("axe-core; make setup-test");
        self.comes_to_rest().await;
        self.client.execute(&axe, Vec::new()).await.expect("axe-core is there");
        let run = "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then((found) => done(found.violations\
            .flatMap((fault) => fault.nodes.map((node) => fault.id + ': ' + node.html.slice(0, 160) + ' ' + node.failureSummary))), (error) => done(['' + error]))";
        let found = self.client.execute_async(run, Vec::new()).await.expect("axe-core runs");
        found.as_array().map(|list| list.iter().map(|fault| fault.as_str().unwrap_or_default().to_owned()).collect()).unwrap_or_default()
    }

    /// What the folder of downloads holds.
    pub fn downloads(&self) -> PathBuf {
        self.path("Downloads")
    }

    /// Another start of the program with the same data.
    pub fn start_again(&self, args: &[&str]) {
        let data = format!("--data-dir={}", self.path("data").display());
        let status = Command::new(program())
            .arg(data)
            .args(args)
            .env("HOME", self.folder.path())
            .env("XDG_CONFIG_HOME", self.path("config"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.expect("the program starts");
    }

    /// Gives the folder back, to be opened again.
    pub async fn close_and_keep(self) -> TempDir {
        let _ = self.client.clone().close().await;
        until("the app has ended", || processes_of(&self.path("data")).is_empty()).await;
        self.keep()
    }

    /// Gives the folder back, whatever the app is doing.
    pub fn keep(mut self) -> TempDir {
        let empty = tempfile::tempdir().expect("a temporary folder");
        std::mem::replace(&mut self.folder, empty)
    }

    pub async fn close(self) {
        let _ = self.client.clone().close().await;
    }
}
