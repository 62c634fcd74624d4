//! The hotkey under Wayland: a stand-in for the desktop's portal, which gives out a key and presses it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::json;
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};

use crate::support::{Window, popup_is_shown, until};

const PATH: &str = "/org/freedesktop/portal/desktop";
const SHORTCUTS: &str = "org.freedesktop.portal.GlobalShortcuts";

type Facts = HashMap<String, OwnedValue>;

/// What was asked of the portal.
#[derive(Default)]
struct Asked {
    session: Option<OwnedObjectPath>,
    /// Id and wanted key of each shortcut.
    bound: Vec<(String, String)>,
}

struct Portal {
    asked: Arc<Mutex<Asked>>,
}

/// The path of a request or session, as the protocol derives it from the caller and its token.
fn path(kind: &str, sender: &str, token: &str) -> OwnedObjectPath {
    let sender = sender.trim_start_matches(':').replace('.', "_");
    ObjectPath::try_from(format!("{PATH}/{kind}/{sender}/{token}")).expect("a path").into()
}

fn text(facts: &Facts, key: &str) -> String {
    facts.get(key).and_then(|value| String::try_from(value.clone()).ok()).unwrap_or_default()
}

async fn respond(connection: &zbus::Connection, request: &OwnedObjectPath, results: HashMap<&str, Value<'_>>) {
    let sent = connection.emit_signal(None::<&str>, request, "org.freedesktop.portal.Request", "Response", &(0_u32, results)).await;
    sent.expect("a signal");
}

#[zbus::interface(name = "org.freedesktop.portal.GlobalShortcuts")]
impl Portal {
    #[zbus(property, name = "version")]
    fn version(&self) -> u32 {
        1
    }

    async fn create_session(
        &self,
        options: Facts,
        #[zbus(header)] header: zbus::message::Header<'_>,
        #[zbus(connection)] connection: &zbus::Connection,
    ) -> OwnedObjectPath {
        let sender = header.sender().expect("a caller").to_string();
        let session = path("session", &sender, &text(&options, "session_handle_token"));
        let request = path("request", &sender, &text(&options, "handle_token"));
        self.asked.lock().expect("a list").session = Some(session.clone());
        let results = HashMap::from([("session_handle", Value::from(session.as_str().to_owned()))]);
        respond(connection, &request, results).await;
        request
    }

    async fn bind_shortcuts(
        &self,
        _session: OwnedObjectPath,
        shortcuts: Vec<(String, Facts)>,
        _parent: String,
        options: Facts,
        #[zbus(header)] header: zbus::message::Header<'_>,
        #[zbus(connection)] connection: &zbus::Connection,
    ) -> OwnedObjectPath {
        let sender = header.sender().expect("a caller").to_string();
        let request = path("request", &sender, &text(&options, "handle_token"));
        let given: Vec<(String, HashMap<&str, Value<'_>>)> = shortcuts
            .iter()
            .map(|(id, facts)| {
                let facts = HashMap::from([
                    ("description", Value::from(text(facts, "description"))),
                    ("trigger_description", Value::from("Meta+N")),
                ]);
                (id.clone(), facts)
            })
            .collect();
        self.asked.lock().expect("a list").bound =
            shortcuts.iter().map(|(id, facts)| (id.clone(), text(facts, "preferred_trigger"))).collect();
        respond(connection, &request, HashMap::from([("shortcuts", Value::from(given))])).await;
        request
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_desktop_gives_a_key_and_pressing_it_opens_the_popup() {
    let asked: Arc<Mutex<Asked>> = Arc::default();
    let connection = zbus::connection::Builder::session()
        .and_then(|builder| builder.name("org.freedesktop.portal.Desktop"))
        .and_then(|builder| builder.serve_at(PATH, Portal { asked: asked.clone() }))
        .expect("a session bus")
        .build()
        .await
        .expect("the name of the portal");
    let window =
        Window::open_with("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n", &[("WAYLAND_DISPLAY", "nexi-test-none")])
            .await;
    until("the key is asked for", || !asked.lock().unwrap().bound.is_empty()).await;
    assert_eq!(asked.lock().unwrap().bound, [("popup".to_owned(), "CTRL+SHIFT+space".to_owned())]);
    window.hotkey_works().await;
    let ask = "const done = arguments[0]; window.__TAURI__.core.invoke('desktop').then(done)";
    let view = window.client.execute_async(ask, vec![]).await.unwrap();
    assert_eq!(view["hotkey"]["state"], json!("works"), "{view}");
    assert!(view["hotkey"]["message"].as_str().unwrap().contains("Meta+N"), "{view}");
    assert!(view["popup_command"].as_str().unwrap().ends_with("--popup"), "{view}");
    let session = asked.lock().unwrap().session.clone().expect("a session");
    let pressed = (session, "popup".to_owned(), 1_u64, HashMap::<String, Value<'_>>::new());
    connection.emit_signal(None::<&str>, PATH, SHORTCUTS, "Activated", &pressed).await.unwrap();
    until("the popup is shown", popup_is_shown).await;
    window.close().await;
}
