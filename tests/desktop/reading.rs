//! What somebody hears who doesn't see the window: the tree that screen readers walk, read over AT-SPI from question to
//! answer, citation and source.

use zbus::Connection;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};

use crate::support::{BUILT_IN, DONE, Window};

/// The tree of one program, as its names and roles over the bus of screen readers.
struct Reader {
    bus: Connection,
}

/// A thing that is read: what it is, what it is called, and the text in it.
#[derive(Debug)]
struct Heard {
    /// A number of AT-SPI's `Role`.
    role: u32,
    name: String,
    text: String,
}

type Object = (String, OwnedObjectPath);

const BUTTON: u32 = 43;
const HEADING: u32 = 83;
const LANDMARK: u32 = 110;

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";

impl Reader {
    /// As a screen reader does when it begins: everything that starts from now on shows its tree.
    async fn listening(is_on: bool) -> Self {
        let session = Connection::session().await.expect("a session bus");
        let (name, path) = ("org.a11y.Bus", "/org/a11y/bus");
        for property in ["IsEnabled", "ScreenReaderEnabled"] {
            let body = ("org.a11y.Status", property, Value::from(is_on));
            session.call_method(Some(name), path, Some("org.freedesktop.DBus.Properties"), "Set", &body).await.expect("at-spi2-core runs");
        }
        let reply = session.call_method(Some(name), path, Some(name), "GetAddress", &()).await.expect("an address");
        let address: String = reply.body().deserialize().expect("an address");
        let bus =
            zbus::connection::Builder::address(address.as_str()).expect("an address").build().await.expect("the bus of screen readers");
        Self { bus }
    }

    /// One by one: where another process shows a part of a window, its list of children is empty.
    async fn children(&self, of: &Object) -> Vec<Object> {
        let properties = Some("org.freedesktop.DBus.Properties");
        let count = self.bus.call_method(Some(of.0.as_str()), &of.1, properties, "Get", &(ACCESSIBLE, "ChildCount")).await;
        let count = count.ok().and_then(|reply| reply.body().deserialize::<OwnedValue>().ok()).and_then(|value| i32::try_from(value).ok());
        let mut out = Vec::new();
        for index in 0..count.unwrap_or_default() {
            let child = self.bus.call_method(Some(of.0.as_str()), &of.1, Some(ACCESSIBLE), "GetChildAtIndex", &index).await;
            out.extend(child.ok().and_then(|reply| reply.body().deserialize::<Object>().ok()));
        }
        out
    }

    async fn heard(&self, of: &Object) -> Heard {
        let call =
            |interface: &'static str, method: &'static str| self.bus.call_method(Some(of.0.as_str()), &of.1, Some(interface), method, &());
        let role = call(ACCESSIBLE, "GetRole").await.ok().and_then(|reply| reply.body().deserialize().ok()).unwrap_or_default();
        let properties = Some("org.freedesktop.DBus.Properties");
        let name = self.bus.call_method(Some(of.0.as_str()), &of.1, properties, "Get", &(ACCESSIBLE, "Name")).await;
        let name = name.ok().and_then(|reply| reply.body().deserialize::<OwnedValue>().ok()).and_then(|value| String::try_from(value).ok());
        let text = self.bus.call_method(Some(of.0.as_str()), &of.1, Some("org.a11y.atspi.Text"), "GetText", &(0_i32, -1_i32)).await;
        let text = text.ok().and_then(|reply| reply.body().deserialize().ok()).unwrap_or_default();
        Heard { role, name: name.unwrap_or_default(), text }
    }

    /// Everything in the order in which it is read.
    async fn walk(&self, from: Object) -> Vec<Heard> {
        let (mut out, mut waiting) = (Vec::new(), vec![from]);
        while let Some(object) = waiting.pop() {
            out.push(self.heard(&object).await);
            let mut children = self.children(&object).await;
            children.reverse();
            waiting.extend(children);
            assert!(out.len() < 5000, "the tree has an end");
        }
        out
    }

    /// The trees of all programs that show theirs.
    async fn everything(&self) -> Vec<Heard> {
        let root = ("org.a11y.atspi.Registry".to_owned(), OwnedObjectPath::try_from("/org/a11y/atspi/accessible/root").expect("a path"));
        self.walk(root).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn question_answer_citation_and_source_are_read_in_order() {
    let reader = Reader::listening(true).await;
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.answer p').innerText").await;
    let begins: String = answer.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    let title = window.text("return document.querySelector('#side .source .title').innerText").await;
    window
        .wait_for(
            "the thread is listed",
            "return document.querySelectorAll('.rail .row').length === 1 && !document.querySelector('.rail .dot')",
        )
        .await;
    let started = std::time::Instant::now();
    let heard = loop {
        let heard = reader.everything().await;
        // The tree follows the page a moment later.
        let is_there = |what: &dyn Fn(&Heard) -> bool| heard.iter().any(what);
        if is_there(&|one| one.text.contains(&begins))
            && is_there(&|one| one.name.contains("supported") || one.text.contains("supported"))
            && is_there(&|one| one.role == BUTTON && one.name.contains(&title))
        {
            break heard;
        }
        assert!(started.elapsed() < crate::support::APPEARING, "the answer {begins:?} is nowhere in {heard:#?}");
    };
    let mut at = 0;
    let mut next = |what: &str, is_it: &dyn Fn(&Heard) -> bool| {
        let found = heard[at..].iter().position(is_it);
        at += found.unwrap_or_else(|| panic!("{what} is not read after the one before it: {heard:#?}")) + 1;
    };
    next("the question", &|one| one.role == HEADING && one.name == "Where does Nexi keep my keys?");
    next("the answer", &|one| one.text.contains(&begins));
    next("its first citation", &|one| one.role == BUTTON && one.name.starts_with("1: ") && one.name.contains(&title));
    next("how well it is supported", &|one| one.name.contains("supported") || one.text.contains("supported"));
    next("the sources", &|one| one.role == LANDMARK && one.name == "Sources");
    next("the source", &|one| one.role == BUTTON && one.name.contains(&title));
    // Whatever can be pressed has a name.
    let nameless: Vec<&Heard> = heard.iter().filter(|one| one.role == BUTTON && one.name.trim().is_empty()).collect();
    assert!(nameless.is_empty(), "{nameless:?}");
    window.close().await;
    Reader::listening(false).await;
}
