//! What stands beside the app: a browser without anything of ours, and a desktop's notifications.

use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fantoccini::Client;
use fantoccini::wd::Capabilities;
use nexi_testkit::let_pass;
use serde_json::json;

use crate::support::{connect, free_port};

/// WebKit as a browser, without anything of ours.
pub struct Browser {
    client: Client,
    driver: Child,
}

impl Browser {
    pub async fn open() -> Self {
        let port = free_port();
        let driver = Command::new("WebKitWebDriver").arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let driver = driver.expect("WebKitWebDriver runs; apt-get install webkit2gtk-driver");
        let mut capabilities = Capabilities::new();
        let options = json!({"binary": "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "args": ["--automation"]});
        capabilities.insert("webkitgtk:browserOptions".into(), options);
        let client = connect(port, &capabilities).await;
        Self { client, driver }
    }

    /// What a page does by itself: scripts, handlers, and whatever it tries to load or to leave for.
    pub async fn acted(&self, page: &std::path::Path) -> Vec<String> {
        let url = url::Url::from_file_path(page).expect("a path");
        let _ = self.client.goto(url.as_str()).await;
        let mut out = Vec::new();
        if let Ok(text) = self.client.get_alert_text().await {
            out.push(format!("alert {text}"));
            let _ = self.client.dismiss_alert().await;
        }
        let_pass(Duration::from_millis(700)).await;
        let found = "const out = []; for (const element of document.querySelectorAll('*')) { if (['SCRIPT', 'IFRAME', 'IMG', 'OBJECT', 'EMBED', 'FORM', 'INPUT', 'SVG', 'LINK', 'BASE'].includes(element.tagName.toUpperCase())) out.push(element.tagName); \
            for (const {name, value} of element.attributes) if (name.startsWith('on') || (['href', 'src', 'xlink:href', 'action', 'formaction'].includes(name) && !/^(https?:|#)/.test(value))) out.push(name); } \
            return [location.href, out.slice(0, 50), performance.getEntriesByType('resource').map((entry) => entry.name)]";
        match self.client.execute(found, Vec::new()).await {
            Ok(found) => {
                if found[0] != url.as_str() {
                    out.push(format!("went to {}", found[0]));
                }
                for list in [&found[1], &found[2]] {
                    out.extend(list.as_array().into_iter().flatten().map(ToString::to_string));
                }
            }
            Err(error) => out.push(error.to_string()),
        }
        out
    }

    pub async fn close(mut self) {
        let _ = self.client.close().await;
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The desktop's notifications, noted instead of shown.
pub struct Notifications {
    seen: Arc<Mutex<Vec<(String, String)>>>,
    _connection: zbus::Connection,
}

struct Server {
    seen: Arc<Mutex<Vec<(String, String)>>>,
}

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Server {
    #[expect(clippy::too_many_arguments, reason = "the protocol has so many")]
    fn notify(
        &self,
        _app: &str,
        _replaces: u32,
        _icon: &str,
        summary: &str,
        body: &str,
        _actions: Vec<String>,
        _hints: std::collections::HashMap<String, zbus::zvariant::OwnedValue>,
        _timeout: i32,
    ) -> u32 {
        self.seen.lock().expect("a list").push((summary.to_owned(), body.to_owned()));
        1
    }

    fn get_capabilities(&self) -> Vec<String> {
        vec!["actions".into(), "body".into()]
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        ("test".into(), "test".into(), "1".into(), "1.2".into())
    }
}

impl Notifications {
    pub async fn serve() -> Self {
        let seen = Arc::default();
        let connection = zbus::connection::Builder::session()
            .and_then(|builder| builder.name("org.freedesktop.Notifications"))
            .and_then(|builder| builder.serve_at("/org/freedesktop/Notifications", Server { seen: Arc::clone(&seen) }))
            .expect("a session bus")
            .build()
            .await
            .expect("the name of the notifications");
        Self { seen, _connection: connection }
    }

    /// Summary and body of each.
    pub fn seen(&self) -> Vec<(String, String)> {
        self.seen.lock().expect("a list").clone()
    }
}

/// What is on the clipboard of the desktop, in this form (`UTF8_STRING` for plain text).
pub fn clipboard(form: &str) -> String {
    let output = Command::new("xclip").args(["-selection", "clipboard", "-o", "-t", form]).output().expect("xclip runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
