//! New versions: found, checked, installed, taken back; and a library that a later version has written.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::support::{BUILT_IN, DONE, Window, alone, focused, is_shown, press, until};

/// The public half of a key that was made for this and thrown away, and what `tauri signer sign` of @tauri-apps/cli 2.12.5 (npm)
/// wrote with the other half for [`artifact`]: as version 9.0.0, as version 0.0.9, and without a version.
const KEY: &str = "dW50cnVzdGVkIGNvbW1lbnQ6IG1pbmlzaWduIHB1YmxpYyBrZXk6IDA5NEYzM0YxRDczODZFNDIKUldSQ2Jqalg4VE5QQ2VzRDRQU0RmWTZCRnVyZEF5T2hYSkpKT0p0VlFPZS9qRGhzUDM5S3hjZDcK";
const AS_9_0_0: &str = "dW50cnVzdGVkIGNvbW1lbnQ6IHNpZ25hdHVyZSBmcm9tIHRhdXJpIHNlY3JldCBrZXkKUlVSQ2Jqalg4VE5QQ2ZyQWtkdkJORlcxbjBRY0xmb0RaUjJKbXhHLzRDREFuMlAzaXU5MFltaWRLVnRiM0cyUmUxWk54bFI2VXNVa2w4UFZHWkRSRzN5VENERGppZlFqMVFrPQp0cnVzdGVkIGNvbW1lbnQ6IHRpbWVzdGFtcDoxNzk1OTA0ODYxCWZpbGU6TmV4aV85LjAuMF9hbWQ2NC5BcHBJbWFnZQl2ZXJzaW9uOjkuMC4wClY4U2pZdHVyUGp6S0NBYWp2WmNYN1JOVnhraUxIR3JkT1FmZWtIZUo2dEtWWFZ4NmQ1RkpEck1EWkRzMVU4WkF6WXlOZ0YxRGluOGFMUEhTTzhFUkJnPT0K";
const AS_0_0_9: &str = "dW50cnVzdGVkIGNvbW1lbnQ6IHNpZ25hdHVyZSBmcm9tIHRhdXJpIHNlY3JldCBrZXkKUlVSQ2Jqalg4VE5QQ2J4VUg5SVlEVERSOGx5bkFsL0NKOXkzc2Mwd0tkVEhoYlNBdVN5QjBrOFdnYktrelVvbWQ0NGFjZXdMRVIrME5uZjNDckFiK0NycUlhUThGYUpJK0FJPQp0cnVzdGVkIGNvbW1lbnQ6IHRpbWVzdGFtcDoxNzk1OTA0ODYyCWZpbGU6TmV4aV85LjAuMF9hbWQ2NC5BcHBJbWFnZQl2ZXJzaW9uOjAuMC45Ckp0WDUrWXVKcUt4VG1mYVJGdjhEQWo3azhJc3EyRVVrZzNrMGhvaSt3WGVQQmtCWWtWU2FKN1d5U2lwTWNzUjNrbjJCRG5yRkNpaHh5SHdhTW0yNUFRPT0K";
const WITHOUT: &str = "dW50cnVzdGVkIGNvbW1lbnQ6IHNpZ25hdHVyZSBmcm9tIHRhdXJpIHNlY3JldCBrZXkKUlVSQ2Jqalg4VE5QQ1FEdXpsK2FKUWxhbXBZeUhzQzhQNHl2MWpwc04rbVVLay9uaVowQlRDaTl0eERKd1REUDRtbmhHZFpUMmRPV2x1VkV1RDRqeEFDeTNHQWJidU44TlFRPQp0cnVzdGVkIGNvbW1lbnQ6IHRpbWVzdGFtcDoxNzk1OTA0ODYyCWZpbGU6TmV4aV85LjAuMF9hbWQ2NC5BcHBJbWFnZQpKMTAvSXBRbnd5K0tLR0xlMktqZ0tCcFVIeTlyMEVSNEx3QTJCSzZUU3EvRW9wTldlS0p0OTBmT3JWSzhrcWI3bElYU1NMQ3VDVjJ1RU5XQURMQ0JEQT09Cg==";

/// What is published as version 9.0.0; it begins as programs of Linux do.
fn artifact() -> Vec<u8> {
    [b"\x7fELF".as_slice(), "Nexi 9.0.0 for tests. ".repeat(3000).as_bytes()].concat()
}

/// Where releases are published.
#[derive(Clone)]
struct Releases {
    address: String,
    served: Arc<Mutex<Served>>,
}

#[derive(Default)]
struct Served {
    /// None where nothing is published.
    list: Option<Value>,
    artifact: Vec<u8>,
    /// The connection ends in the middle of the artifact.
    breaks: bool,
    looks: usize,
}

impl Releases {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let served: Arc<Mutex<Served>> = Arc::default();
        let known = served.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut asked = Vec::new();
                while !asked.ends_with(b"\r\n\r\n") && stream.read_buf(&mut asked).await.is_ok_and(|read| read > 0) {}
                let (status, body, breaks) = {
                    let mut served = known.lock().unwrap();
                    if asked.starts_with(b"GET /latest.json ") {
                        served.looks += 1;
                        match &served.list {
                            Some(list) => ("200 OK", list.to_string().into_bytes(), false),
                            None => ("404 Not Found", Vec::new(), false),
                        }
                    } else {
                        ("200 OK", served.artifact.clone(), served.breaks)
                    }
                };
                let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                let sent = if breaks { &body[..body.len() / 2] } else { &body[..] };
                let _ = stream.write_all(head.as_bytes()).await;
                let _ = stream.write_all(sent).await;
                let _ = stream.shutdown().await;
            }
        });
        Self { address, served }
    }

    /// Publishes a version with this signature.
    fn publish(&self, version: &str, signature: &str) {
        let one = json!({"url": format!("{}/Nexi.AppImage", self.address), "signature": signature});
        let mut served = self.served.lock().unwrap();
        served.list = Some(json!({
            "version": version, "notes": "### Changed\n\n- It is **faster**, [see](https://example.org/).\n- Long answers open at once.", "page": "https://example.org/nexi/9.0.0",
            "platforms": {"linux-x86_64": one, "linux-aarch64": one},
        }));
        (served.artifact, served.breaks) = (artifact(), false);
    }

    fn looks(&self) -> usize {
        self.served.lock().unwrap().looks
    }
}

/// Opens what the settings say of the version.
async fn open_about(window: &Window) {
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'settings', part: 'about'})").await;
    window.switch("settings.html").await;
    window.wait_for("the version is shown", "return !!document.querySelector('#updates-state .value')").await;
}

/// Presses a button, and waits until something is said.
async fn press_and_see(window: &Window, button: &str, said: &str) {
    window.wait_for("it can be pressed", &format!("return !!document.querySelector('{button}')")).await;
    window.click(button).await;
    window.wait_for(said, &format!("return document.querySelector('#updates-state').innerText.includes('{said}')")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_version_is_checked_installed_and_taken_back() {
    let releases = Releases::start().await;
    let place = tempfile::tempdir().unwrap();
    let image = place.path().join("Nexi.AppImage");
    // A version that says what it was started with.
    let started = place.path().join("started");
    let before = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{0}.new' && mv '{0}.new' '{0}'\n", started.display());
    std::fs::write(&image, &before).unwrap();
    std::fs::set_permissions(&image, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (list, path) = (format!("{}/latest.json", releases.address), image.display().to_string());
    // Mounted where the program is.
    let mounted = Path::new(env!("CARGO_BIN_EXE_nexi-desktop")).parent().unwrap().display().to_string();
    let variables =
        [("NEXI_RELEASES_URL", list.as_str()), ("NEXI_RELEASES_KEY", KEY), ("APPIMAGE", path.as_str()), ("APPDIR", mounted.as_str())];
    let window = Window::open_with(BUILT_IN, &variables).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the run is over", DONE).await;
    open_about(&window).await;
    assert_eq!(releases.looks(), 0, "nobody looks before somebody wants it");
    press_and_see(&window, "#check-updates", "There is no release").await;
    releases.publish("0.0.9", AS_0_0_9);
    press_and_see(&window, "#check-updates", "Nexi is up to date").await;
    // What is not signed as what was offered is thrown away.
    for (signature, said) in [(AS_0_0_9, "signed as version 0.0.9"), (WITHOUT, "not signed by the developers")] {
        releases.publish("9.0.0", signature);
        press_and_see(&window, "#check-updates", "Nexi 9.0.0 is available").await;
        press_and_see(&window, "#install-update", said).await;
    }
    releases.publish("9.0.0", AS_9_0_0);
    releases.served.lock().unwrap().artifact[5000] = b'X';
    press_and_see(&window, "#check-updates", "Nexi 9.0.0 is available").await;
    press_and_see(&window, "#install-update", "not signed by the developers").await;
    releases.publish("9.0.0", AS_9_0_0);
    releases.served.lock().unwrap().breaks = true;
    press_and_see(&window, "#check-updates", "Nexi 9.0.0 is available").await;
    press_and_see(&window, "#install-update", "The download was interrupted").await;
    window.wait_for("it can be tried again", "return !!document.querySelector('#install-update')").await;
    window.pictures_of("update-failed", (900, 720)).await;
    assert_eq!(std::fs::read_to_string(&image).unwrap(), before);
    assert!(!window.path("data/previous").exists() && copies(&window.path("data")).is_empty(), "nothing was changed");
    // And one as it should be.
    releases.publish("9.0.0", AS_9_0_0);
    press_and_see(&window, "#check-updates", "Nexi 9.0.0 is available").await;
    window.eval("document.querySelector('.notes').open = true").await;
    assert_eq!(window.eval("return document.querySelector('.notes a')").await, Value::Null);
    assert_eq!(window.text("return document.querySelector('.notes strong').innerText").await, "faster");
    window.pictures_of("update-found", (900, 720)).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.click("#release-page").await;
    until("the page is opened", || window.opened() == ["https://example.org/nexi/9.0.0"]).await;
    press_and_see(&window, "#install-update", "Nexi 9.0.0 is installed").await;
    window.wait_for("it can be started again", "return !!document.querySelector('#restart')").await;
    window.pictures_of("update-ready", (900, 720)).await;
    assert_eq!(std::fs::read(&image).unwrap(), artifact());
    assert_eq!(std::fs::metadata(&image).unwrap().permissions().mode() & 0o777, 0o755, "it can be run");
    assert_eq!(copies(&window.path("data")).len(), 1, "the library was copied first");
    // The next start knows the way back. It is the same program, and what was kept is to be another one.
    let facts = window.path("data/previous/previous.json");
    let known: Value = serde_json::from_slice(&std::fs::read(&facts).unwrap()).unwrap();
    assert_eq!(known["version"], env!("CARGO_PKG_VERSION"));
    std::fs::write(&facts, json!({"version": "0.1.0", "file": known["file"]}).to_string()).unwrap();
    let folder = window.close_and_keep().await;
    let window = Window::open_in_with(folder, &variables).await;
    open_about(&window).await;
    window.wait_for("there is a way back", "return !!document.querySelector('#go-back')").await;
    window.click("#go-back").await;
    assert_eq!(std::fs::read(&image).unwrap(), artifact(), "it is asked first");
    window.pictures_of("update-back", (900, 720)).await;
    press_and_see(&window, "#go-back", "Nexi 0.1.0 is installed").await;
    assert_eq!(std::fs::read_to_string(&image).unwrap(), before);
    assert!(!window.path("data/previous").exists());
    window.wait_for("it can be started again", "return !!document.querySelector('#restart')").await;
    // The program may end before it can say that it was pressed.
    let _ = window.client.execute("document.querySelector('#restart').click()", Vec::new()).await;
    until("the version before begins", || started.exists()).await;
    let arguments = std::fs::read_to_string(&started).unwrap();
    assert_eq!(arguments, format!("--data-dir={}\n", window.path("data").display()));
}

/// The copies of the library that were made before an update.
fn copies(data: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(data.join("backups")).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).filter(|name| name.contains("before-updating")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_says_who_updates_it() {
    let releases = Releases::start().await;
    releases.publish("9.0.0", AS_9_0_0);
    let list = format!("{}/latest.json", releases.address);
    // It was started from another program that is an AppImage, and has that one's variables.
    let other = tempfile::tempdir().unwrap();
    let image = other.path().join("Editor.AppImage");
    std::fs::write(&image, "another program").unwrap();
    let (image, mounted) = (image.display().to_string(), other.path().display().to_string());
    let variables = [("NEXI_RELEASES_URL", list.as_str()), ("NEXI_RELEASES_KEY", KEY), ("APPIMAGE", &image), ("APPDIR", &mounted)];
    let window = Window::open_with(BUILT_IN, &variables).await;
    // A package manager that has put the program there.
    let manager = window.path("bin/dpkg-query");
    std::fs::write(&manager, "#!/bin/sh\nexit 0\n").unwrap();
    std::fs::set_permissions(&manager, std::fs::Permissions::from_mode(0o755)).unwrap();
    open_about(&window).await;
    assert!(window.text("return document.querySelector('#updates-state').innerText").await.contains("Debian package"));
    press_and_see(&window, "#check-updates", "Nexi 9.0.0 is available").await;
    window.wait_for("its page can be opened", "return !!document.querySelector('#release-page')").await;
    assert_eq!(window.eval("return document.querySelector('#install-update')").await, Value::Null);
    window.pictures_of("update-package", (900, 720)).await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_looked_once_a_day_where_that_is_wanted_and_told_once() {
    let releases = Releases::start().await;
    releases.publish("9.0.0", AS_9_0_0);
    let list = format!("{}/latest.json", releases.address);
    let variables = [("NEXI_RELEASES_URL", list.as_str()), ("NEXI_RELEASES_KEY", KEY)];
    let window = Window::open_with(&format!("{BUILT_IN}[desktop]\nupdates = true\n"), &variables).await;
    let told = "return document.querySelector('#toast').classList.contains('shown') && document.querySelector('#toast').innerText.includes('Nexi 9.0.0 is available')";
    window.wait_for("it is told", told).await;
    window.picture("update-told").await;
    window.click("#toast button").await;
    window.switch("settings.html").await;
    window
        .wait_for(
            "it is shown where it can be had",
            "return document.querySelector('#updates-state')?.innerText.includes('9.0.0 is available')",
        )
        .await;
    let remembered = std::fs::read_to_string(window.path("data/desktop.json")).unwrap();
    assert!(remembered.contains("\"told\":\"9.0.0\""), "{remembered}");
    assert_eq!(releases.looks(), 1);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_of_a_later_version_is_kept_and_the_copy_from_before_it_opened() {
    let _alone = alone().await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (settings, database) = (folder.path().join("config.toml"), data.join("nexi.db"));
    std::fs::write(&settings, BUILT_IN).unwrap();
    {
        let engine = crate::library::engine(folder.path());
        let thread = crate::library::thread(1, 3, &mut crate::library::Words(7));
        engine.import_threads(std::io::Cursor::new(thread.to_string()), nexi_engine::import::OnBroken::Refuse).await.unwrap();
        engine.back_up_before_updating().await.unwrap().expect("a copy");
    }
    let version = |path: &Path| -> Option<i64> {
        rusqlite::Connection::open(path).ok()?.pragma_query_value(None, "user_version", |row| row.get(0)).ok()
    };
    let known = version(&database);
    rusqlite::Connection::open(&database).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let mut app = Command::new(env!("CARGO_BIN_EXE_nexi-desktop"))
        .args(["--hidden".to_owned(), format!("--data-dir={}", data.display()), format!("--config={}", settings.display())])
        .env("HOME", folder.path())
        .env("LC_ALL", "C.UTF-8")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("it is asked", || is_shown("Nexi") && focused() == "Nexi").await;
    until("the copy is in its place", || {
        // Whoever sees that nothing happens presses again: a dialog is there before it listens.
        if is_shown("Nexi") {
            press("alt+y");
        }
        version(&database) == known
    })
    .await;
    let kept = std::fs::read_dir(data.join("backups")).unwrap().flatten().any(|entry| version(&entry.path()) == Some(999));
    assert!(kept, "the later library is kept");
    assert!(app.try_wait().unwrap().is_none(), "it goes on");
    app.kill().unwrap();
    app.wait().unwrap();
}
