//! Sign-ins against a provider on loopback, with a place of keys in memory.

use std::sync::Mutex;

use nexi_testkit::{SignInBehaviour, SignInServer};

use nexi_core::ports::Fault;

use super::*;
use crate::{Address, Launch, Servers};

fn words() -> CallbackWords {
    let pair = |title: &str| (title.to_owned(), "You can close this tab.".to_owned());
    CallbackWords {
        language: "en",
        done: pair("You are signed in."),
        unknown: pair("This address belongs to no sign-in that is under way."),
        over: pair("This sign-in is over."),
        failed: "You are not signed in.".into(),
        why: |failure| failure.message.clone(),
    }
}

/// Keys in memory, which can be made to refuse.
#[derive(Default)]
struct Memory {
    kept: Mutex<Option<String>>,
    refuses: Mutex<bool>,
}

impl TokenStore for Memory {
    fn load(&self) -> Result<Option<String>, String> {
        Ok(self.kept.lock().unwrap().clone())
    }

    fn save(&self, tokens: &str) -> Result<(), String> {
        if *self.refuses.lock().unwrap() {
            return Err("The keyring is locked.".into());
        }
        *self.kept.lock().unwrap() = Some(tokens.to_owned());
        Ok(())
    }

    fn clear(&self) -> Result<(), String> {
        *self.kept.lock().unwrap() = None;
        Ok(())
    }

    fn lock(&self) -> Result<Box<dyn Send>, String> {
        Ok(Box::new(()))
    }
}

struct Desk {
    server: SignInServer,
    url: String,
    memory: Arc<Memory>,
    servers: Servers,
}

impl Desk {
    async fn new() -> Self {
        let server = SignInServer::start().await;
        let url = format!("{}/mcp", server.base_url);
        Self { server, url, memory: Arc::default(), servers: Servers::default() }
    }

    fn http() -> SignInHttp {
        Arc::new(|| Ok(SignInClient { http: reqwest::Client::new(), allows: Arc::new(|_| Ok(())) }))
    }

    async fn begin(&self, identity: ClientIdentity) -> Result<SignIn, Failure> {
        SignIn::begin(&self.url, identity, Self::http(), self.memory.clone()).await
    }

    /// Signs in as a person with a browser does, and returns the page at which that ends.
    async fn sign_in(&self, identity: ClientIdentity) -> (String, Result<(), Failure>) {
        let begun = self.begin(identity).await.unwrap();
        let address = begun.address().clone();
        let (_, pasted) = mpsc::channel(1);
        let cancel = CancellationToken::new();
        tokio::join!(browse(address), begun.finish(pasted, words(), |_| {}, &cancel))
    }

    /// The names of the tools, over the connection that is open if there is one.
    async fn tools(&self) -> Result<Vec<String>, Failure> {
        let launch = Launch::Address(Box::new(Address {
            url: self.url.clone(),
            key: None,
            http: reqwest::Client::new(),
            sign_in_http: Self::http(),
            tokens: self.memory.clone(),
        }));
        let found = self.servers.tools("library", &self.url, &launch, &CancellationToken::new()).await?;
        Ok(found.into_iter().map(|tool| tool.name).collect())
    }
}

async fn browse(address: Url) -> String {
    reqwest::get(address).await.unwrap().text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_lives_on_when_its_token_ends() {
    let desk = Desk::new().await;
    let refused = desk.tools().await.unwrap_err();
    assert!(refused.fault == Fault::Key && refused.message.contains("nexi tools sign-in library"), "{refused}");
    let (page, done) = desk.sign_in(ClientIdentity::default()).await;
    done.unwrap();
    assert!(page.contains("You are signed in."), "{page}");
    assert_eq!(desk.tools().await.unwrap(), ["whoami"]);
    // Several requests at once renew it once.
    desk.server.expire();
    let (one, other) = tokio::join!(desk.tools(), desk.tools());
    assert_eq!((one.unwrap(), other.unwrap(), desk.server.refreshed()), (vec!["whoami".to_owned()], vec!["whoami".to_owned()], 1));
    // The place of keys is locked: what was renewed lives as long as the connection.
    *desk.memory.refuses.lock().unwrap() = true;
    for renewed in [2, 3] {
        desk.server.expire();
        assert_eq!((desk.tools().await.unwrap(), desk.server.refreshed()), (vec!["whoami".to_owned()], renewed));
    }
    *desk.memory.refuses.lock().unwrap() = false;
    // A provider that is out of order for a while is no reason to sign in again; one that has forgotten us is.
    desk.server.behave(SignInBehaviour { token_error: Some((500, "server_error")), ..SignInBehaviour::default() });
    desk.server.expire();
    assert_eq!(desk.tools().await.unwrap_err().fault, Fault::Transient);
    desk.server.behave(SignInBehaviour::default());
    assert_eq!(desk.tools().await.unwrap(), ["whoami"]);
    desk.server.behave(SignInBehaviour { token_error: Some((401, "invalid_client")), ..SignInBehaviour::default() });
    desk.server.expire();
    assert_eq!(desk.tools().await.unwrap_err().fault, Fault::Key);
    desk.server.behave(SignInBehaviour::default());
    desk.sign_in(ClientIdentity::default()).await.1.unwrap();
    // A scope that is missing is named.
    desk.server.behave(SignInBehaviour { wants_scope: Some("cards"), ..SignInBehaviour::default() });
    let scope = desk.tools().await.unwrap_err();
    assert!(scope.fault == Fault::Key && scope.message.contains("lacks the scope cards"), "{scope}");
    desk.server.behave(SignInBehaviour::default());
    assert_eq!(desk.tools().await.unwrap(), ["whoami"]);
    // Withdrawn in the middle: it says what to do, and goes on after the next sign-in.
    desk.server.revoke();
    let over = desk.tools().await.unwrap_err();
    assert!(over.fault == Fault::Key && over.message.contains("nexi tools sign-in library"), "{over}");
    assert!(!is_signed_in(&desk.memory.load().unwrap().unwrap_or_default(), &desk.url));
    desk.sign_in(ClientIdentity::default()).await.1.unwrap();
    assert_eq!(desk.tools().await.unwrap(), ["whoami"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_go_to_the_provider_that_gave_them_alone() {
    let (desk, thief) = (Desk::new().await, Desk::new().await);
    desk.sign_in(ClientIdentity::default()).await.1.unwrap();
    // The server names another place for tokens, another provider, or none at all.
    let moves = [
        SignInBehaviour { token_endpoint: Some(format!("{}/token", thief.server.base_url)), ..SignInBehaviour::default() },
        SignInBehaviour { provider: Some(thief.server.base_url.clone()), ..SignInBehaviour::default() },
        SignInBehaviour { offers: false, ..SignInBehaviour::default() },
    ];
    for behaviour in moves {
        desk.server.behave(behaviour);
        desk.server.expire();
        let refused = desk.tools().await.unwrap_err();
        assert!(refused.fault == Fault::Key, "{refused}");
        assert_eq!((desk.server.token_requests(), thief.server.token_requests()), (1, 0));
    }
    desk.server.behave(SignInBehaviour { provider: Some(thief.server.base_url.clone()), ..SignInBehaviour::default() });
    let moved = desk.begin(ClientIdentity::default()).await.map(drop).unwrap_err();
    assert!(moved.message.contains("has moved from"), "{moved}");
    // Nothing is lost by it.
    desk.server.behave(SignInBehaviour::default());
    assert_eq!(desk.tools().await.unwrap(), ["whoami"]);
    // Under another address they are nobody's.
    let other = Desk { memory: desk.memory.clone(), ..Desk::new().await };
    assert_eq!(other.tools().await.unwrap_err().fault, Fault::Key);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_fails_says_why() {
    let desk = Desk::new().await;
    desk.server.behave(SignInBehaviour { declines: true, ..SignInBehaviour::default() });
    let (page, done) = desk.sign_in(ClientIdentity::default()).await;
    assert!(page.contains("You are not signed in.") && done.unwrap_err().message == "the sign-in was declined", "{page}");
    desk.server.behave(SignInBehaviour { registers: false, ..SignInBehaviour::default() });
    let refused = desk.begin(ClientIdentity::default()).await.map(drop).unwrap_err();
    assert!(refused.message.contains("client_id and redirect_port"), "{refused}");
    desk.server.behave(SignInBehaviour { offers: false, ..SignInBehaviour::default() });
    assert!(desk.begin(ClientIdentity::default()).await.map(drop).unwrap_err().message.contains("it offers no sign-in"));

    // Another page that knows the port changes nothing, nor does a wrong address that is pasted.
    desk.server.behave(SignInBehaviour::default());
    let begun = desk.begin(ClientIdentity::default()).await.unwrap();
    let address = begun.address().clone();
    let back = address.query_pairs().find(|(name, _)| name == "redirect_uri").unwrap().1.into_owned();
    let (send, pasted) = mpsc::channel(1);
    let (wrong, cancel) = (Mutex::new(0), CancellationToken::new());
    let person = async {
        let foreign = browse(Url::parse(&format!("{back}?code=stolen&state=guessed")).unwrap()).await;
        assert!(foreign.contains("belongs to no sign-in"), "{foreign}");
        send.send("https://example.org/".into()).await.unwrap();
        // Where the browser is on another computer, it ends up at an address that leads nowhere there.
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let reply = client.get(address).send().await.unwrap();
        send.send(reply.headers()["location"].to_str().unwrap().to_owned()).await.unwrap();
    };
    let (done, ()) = tokio::join!(begun.finish(pasted, words(), |_| *wrong.lock().unwrap() += 1, &cancel), person);
    done.unwrap();
    assert_eq!(*wrong.lock().unwrap(), 1);
    assert_eq!(desk.tools().await.unwrap(), ["whoami"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registered_client_signs_in_with_its_secret() {
    let desk = Desk::new().await;
    desk.server.behave(SignInBehaviour {
        registers: false,
        secret: Some("client-canary-77".into()),
        lifetime: 1,
        ..SignInBehaviour::default()
    });
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let identity = |secret: &str| ClientIdentity {
        id: Some("known".into()),
        secret: Some(secret.into()),
        port: Some(port),
        scopes: vec!["words".into()],
    };
    let (_, wrong) = desk.sign_in(identity("guessed")).await;
    assert!(wrong.unwrap_err().message.contains("gave no token"));
    let begun = desk.begin(identity("client-canary-77")).await.unwrap();
    assert!(begun.address().as_str().contains(&format!("127.0.0.1%3A{port}%2Fcallback")), "{}", begun.address());
    let (_, pasted) = mpsc::channel(1);
    let cancel = CancellationToken::new();
    let address = begun.address().clone();
    tokio::join!(browse(address), begun.finish(pasted, words(), |_| {}, &cancel)).1.unwrap();
    // Renewed with the secret, too.
    nexi_testkit::let_pass(Duration::from_secs(2)).await;
    assert_eq!(desk.tools().await.unwrap(), ["whoami"]);
    assert!(desk.server.registered().is_empty() && desk.server.refreshed() > 0);
}

/// What a server elsewhere may name, or one on this computer.
fn named(near: bool, authorize: &str, token: &str) -> Result<(), Failure> {
    let metadata = serde_json::json!({"authorization_endpoint": authorize, "token_endpoint": token});
    let allows = move |address: &str| {
        let is_near = ["127.0.0.1", "localhost", "10.0.0.1"].iter().any(|host| address.contains(host));
        if is_near && !near { Err(Failure::new("it is of a local network")) } else { Ok(()) }
    };
    let client = SignInClient { http: reqwest::Client::new(), allows: Arc::new(allows) };
    let sign_in_http: SignInHttp = Arc::new(move || Ok(client.clone()));
    check_addresses(&serde_json::from_value(metadata).unwrap(), &sign_in_http)
}

#[test]
fn a_sign_in_uses_no_open_line_and_no_local_network() {
    assert!(named(false, "https://id.example.org/authorize", "https://id.example.org/token").is_ok());
    assert!(named(true, "http://127.0.0.1:9000/authorize", "http://localhost:9000/token").is_ok());
    for (authorize, token) in [
        ("http://id.example.org/authorize", "https://id.example.org/token"),
        ("https://id.example.org/authorize", "https://10.0.0.1/token"),
        ("https://id.example.org/authorize", "http://127.0.0.1:631/token"),
        ("http://localhost/authorize", "https://id.example.org/token"),
        ("javascript:alert(1)", "https://id.example.org/token"),
        ("file:///etc/passwd", "https://id.example.org/token"),
    ] {
        assert_eq!(named(false, authorize, token).unwrap_err().fault, Fault::Forbidden, "{authorize} {token}");
    }
}
