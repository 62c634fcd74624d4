//! Tool servers that want people to sign in: in a browser that comes back, with tokens that end and are renewed.

use std::io::{BufRead, BufReader};
use std::process::{Child, Output, Stdio};
use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SignInBehaviour, SignInServer, let_pass};
use serde_json::json;

use crate::support::{KEY, Place, files, json as parsed, stderr, stdout, web_settings};

/// A place that knows the server at an address, with keys in a file.
fn place(server: &SignInServer, model: &str, more: &str) -> Place {
    let place = Place::new("");
    let settings = web_settings(model, "http://127.0.0.1:9", "127.0.0.1", "check = \"local\"\nkeys = \"file\"");
    let library = format!("[tools.library]\nurl = \"{}/mcp\"\n{more}", server.base_url);
    std::fs::write(place.path("config.toml"), settings + &library).unwrap();
    // Makes the passphrase.
    place.run_with_keys(&["tools"], "");
    place
}

fn with_keys(place: &Place, args: &[&str]) -> Output {
    place.run_with_keys(args, "")
}

/// Begins a sign-in, and says at which address.
fn begin(place: &Place) -> (Child, String) {
    let mut command = place.nexi(&["tools", "sign-in", "library"]);
    let mut child = command.env("NEXI_KEYS_PASSPHRASE_FILE", place.path("passphrase")).stdin(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.by_ref().map_while(Result::ok).find(|line| line.trim_start().starts_with("http"));
    // What comes later has to go somewhere.
    std::thread::spawn(move || lines.for_each(drop));
    (child, address.unwrap_or_default().trim().to_owned())
}

/// Does what a person's browser does, and returns the page at which it ends.
async fn browse(address: &str) -> String {
    let browser = reqwest::Client::builder().no_proxy().build().unwrap();
    browser.get(address).send().await.unwrap().text().await.unwrap()
}

async fn sign_in(place: &Place) -> (String, Output) {
    let (child, address) = begin(place);
    let page = browse(&address).await;
    (page, tokio::task::spawn_blocking(|| child.wait_with_output().unwrap()).await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_once_and_tokens_are_renewed() {
    let server = SignInServer::start().await;
    let call = || Scripted::Calls(vec![("library__whoami", json!({}))]);
    let answer = || Scripted::Text("The card 4711 belongs to Ada Lund [1].");
    let model = LlmServer::start(KEY, Duration::ZERO, vec![call(), answer(), call(), answer()]).await;
    let place = place(&server, &model.base_url, "");
    let before = with_keys(&place, &["tools", "approve", "library", "--yes"]);
    assert!(!before.status.success() && stderr(&before).contains("nexi tools sign-in library"), "{}", stderr(&before));

    let (page, done) = sign_in(&place).await;
    assert!(done.status.success() && page.contains("You are signed in."), "{page}{}", stderr(&done));
    let registered = &server.registered()[0];
    assert_eq!((&registered["client_name"], &registered["token_endpoint_auth_method"]), (&json!("Nexi"), &json!("none")));
    assert!(registered["redirect_uris"][0].as_str().unwrap().starts_with("http://127.0.0.1:"), "{registered}");
    let approved = with_keys(&place, &["tools", "approve", "library", "--yes"]);
    assert!(approved.status.success() && stdout(&approved).contains("1 tool approved"), "{}{}", stdout(&approved), stderr(&approved));
    with_keys(&place, &["tools", "allow", "library", "whoami"]);
    let asked = parsed(&with_keys(&place, &["ask", "Whose card is 4711?", "--json"]));
    assert_eq!(asked["citations"][0]["support"], "supported", "{asked}");
    assert_eq!(server.refreshed(), 0);

    // A token that the server no longer takes, and one that has run out: both are renewed without a word.
    server.expire();
    let asked = parsed(&with_keys(&place, &["ask", "And now?", "--json"]));
    assert_eq!(asked["citations"][0]["support"], "supported", "{asked}");
    assert_eq!(server.refreshed(), 1);

    // What was withdrawn needs a new sign-in.
    server.revoke();
    let over = with_keys(&place, &["tools", "test", "library"]);
    assert!(!over.status.success() && stderr(&over).contains("nexi tools sign-in library"), "{}", stderr(&over));
    let (_, again) = sign_in(&place).await;
    assert!(again.status.success() && with_keys(&place, &["tools", "test", "library"]).status.success(), "{}", stderr(&again));
    let out = with_keys(&place, &["tools", "sign-out", "library"]);
    assert!(out.status.success() && !with_keys(&place, &["tools", "test", "library"]).status.success(), "{}", stderr(&out));
    // No token is anywhere in the clear.
    for file in files(&place.path("")) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        for token in server.issued() {
            assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()), "{token} is in {}", file.display());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_renew_one_token_between_them() {
    let server = SignInServer::start().await;
    server.behave(SignInBehaviour { lifetime: 1, ..SignInBehaviour::default() });
    let place = place(&server, "http://127.0.0.1:9", "");
    assert!(sign_in(&place).await.1.status.success());
    // It has run out, so every process wants to renew it; a refresh token is taken once.
    let_pass(Duration::from_secs(2)).await;
    server.behave(SignInBehaviour::default());
    let renewed = server.refreshed();
    let children: Vec<Child> = (0..4)
        .map(|_| {
            let mut command = place.nexi(&["tools", "test", "library"]);
            command.env("NEXI_KEYS_PASSPHRASE_FILE", place.path("passphrase")).stdin(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let done = tokio::task::spawn_blocking(|| child.wait_with_output().unwrap()).await.unwrap();
        assert!(done.status.success(), "{}", stderr(&done));
    }
    assert!(with_keys(&place, &["tools", "test", "library"]).status.success());
    assert_eq!(server.refreshed() - renewed, 1, "what one of them got serves all");
}
