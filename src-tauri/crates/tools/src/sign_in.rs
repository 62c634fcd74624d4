//! Signing in to servers that want it, by OAuth: in the person's browser, which comes back to a port of this computer.

mod callback;
mod tokens;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use nexi_core::{
    ports::{Failure, Fault},
    text,
};
use reqwest::Url;
use rmcp::transport::auth::{
    AuthClient, AuthError, AuthorizationManager, AuthorizationMetadata, OAuthClientConfig, OAuthHttpClient, OAuthHttpClientFuture,
    OAuthHttpRequest,
};
use tokio_util::sync::CancellationToken;

use crate::{short, unreachable};
pub use tokens::TokenStore;
pub(crate) use tokens::Tokens;

/// How long the person has to sign in.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// How long one request of a sign-in may take.
const REQUEST: Duration = Duration::from_secs(30);
/// Bytes of a reply.
const MAX_REPLY: usize = 1024 * 1024;

/// By what name Nexi is known to the one that signs people in, where the person has registered it.
#[derive(Clone, Default)]
pub struct ClientIdentity {
    /// None lets Nexi register itself.
    pub id: Option<String>,
    pub secret: Option<String>,
    /// The port at which the browser comes back; any free one if it is none.
    pub port: Option<u16>,
    /// What is asked to be allowed; what the server names if it is empty.
    pub scopes: Vec<String>,
}

/// A sign-in that has begun: the browser has to be sent to its address.
pub struct SignIn {
    manager: AuthorizationManager,
    listener: callback::Listener,
    address: Url,
}

impl SignIn {
    /// Asks a server where it signs people in, and makes Nexi known there.
    ///
    /// # Errors
    /// When the server offers no sign-in, does not let Nexi register, or cannot be reached.
    pub async fn begin(url: &str, identity: ClientIdentity, http: reqwest::Client, store: Arc<dyn TokenStore>) -> Result<Self, Failure> {
        let mut manager = manager(url, http).await?;
        let found = manager.resolve_metadata().await.map_err(|error| failure(&error))?;
        if !found.source.is_discovered() {
            return Err(failure(&AuthError::NoAuthorizationSupport));
        }
        check_addresses(&found.metadata)?;
        let registers = found.metadata.registration_endpoint.is_some();
        manager.set_metadata(found.metadata);
        let listener = callback::Listener::bind(identity.port).await?;
        let scopes = if identity.scopes.is_empty() { manager.select_initial_scopes(&[]).await } else { identity.scopes };
        let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let secret = match identity.id {
            Some(id) => {
                let mut config = OAuthClientConfig::new(id, listener.redirect());
                if let Some(secret) = &identity.secret {
                    config = config.with_client_secret(secret);
                }
                manager.configure_client(config).map_err(|error| failure(&error))?;
                identity.secret
            }
            None if !registers => return Err(Failure::of(Fault::Key, NO_REGISTRATION)),
            None => {
                let config = manager.register_client("Nexi", &listener.redirect(), &scopes).await.map_err(|error| failure(&error))?;
                config.client_secret
            }
        };
        manager.set_credential_store(Tokens::new(url, store, secret));
        let address = manager.get_authorization_url(&scopes).await.map_err(|error| failure(&error))?;
        let address = Url::parse(&address).map_err(|_| Failure::new("it named no address to sign in at"))?;
        Ok(Self { manager, listener, address })
    }

    /// Where the person signs in.
    pub fn address(&self) -> &Url {
        &self.address
    }

    /// Waits until the browser comes back, or `pasted` gives the address at which it ended on another computer.
    ///
    /// # Errors
    /// When the person declines or takes too long, or no token is given.
    pub async fn finish(self, pasted: impl Future<Output = String>, cancel: &CancellationToken) -> Result<(), Failure> {
        let Self { manager, listener, address } = self;
        let state = address.query_pairs().find(|(name, _)| name == "state").map(|(_, value)| value.into_owned()).unwrap_or_default();
        let redirect = listener.redirect();
        let mut visits = listener.listen(&state);
        let returned = tokio::select! {
            returned = visits.next() => returned,
            typed = pasted => callback::read(&redirect, &typed, &state).unwrap_or_else(|| Err(Failure::new(NOT_THE_ADDRESS))),
            () = cancel.cancelled() => Err(Failure::cancelled()),
            () = tokio::time::sleep(PATIENCE) => Err(Failure::new(format!("nobody signed in within {} minutes", PATIENCE.as_secs() / 60))),
        };
        let done = match returned {
            Ok(returned) => exchange(&manager, returned).await,
            Err(failure) => Err(failure),
        };
        visits.tell(&done).await;
        done
    }
}

/// Gets tokens for what the browser brought back, and keeps them.
fn exchange(manager: &AuthorizationManager, returned: callback::Returned) -> BoxFuture<'_, Result<(), Failure>> {
    Box::pin(async move {
        let token = manager.exchange_code_for_token_with_issuer(&returned.code, &returned.state, returned.issuer.as_deref()).await;
        token.map(drop).map_err(|error| failure(&error))
    })
}

const NO_REGISTRATION: &str = "its provider does not let programs register themselves. Register Nexi there, and set client_id of this server in the settings file; if there is a client secret, store it with nexi tools secret SERVER client_secret";
const NOT_THE_ADDRESS: &str = "this is not the address at which the browser ended after this sign-in";

/// A client that sends the token of a sign-in with every request, and renews it when it expires; none where nobody has
/// signed in to this address.
pub(crate) async fn signed_in(
    url: &str,
    http: &reqwest::Client,
    sign_in_http: &reqwest::Client,
    store: &Arc<dyn TokenStore>,
) -> Result<Option<AuthClient<reqwest::Client>>, Failure> {
    let tokens = Tokens::new(url, store.clone(), None);
    let Some(kept) = tokens.kept().await.map_err(|error| failure(&error))? else { return Ok(None) };
    let mut manager = manager(url, sign_in_http.clone()).await?;
    manager.set_credential_store(Tokens::new(url, store.clone(), kept.client_secret.clone()));
    if !manager.initialize_from_store().await.map_err(|error| failure(&error))? {
        return Ok(None);
    }
    if let Some(secret) = kept.client_secret {
        let config = OAuthClientConfig::new(kept.credentials.client_id, url).with_client_secret(secret);
        manager.configure_client(config).map_err(|error| failure(&error))?;
    }
    Ok(Some(AuthClient::new(http.clone(), manager)))
}

async fn manager(url: &str, http: reqwest::Client) -> Result<AuthorizationManager, Failure> {
    AuthorizationManager::new_with_oauth_http_client(url, Arc::new(Requests(http))).await.map_err(|error| failure(&error))
}

/// A person's browser and their token go over secure connections alone, unless they stay on this computer.
fn check_addresses(metadata: &AuthorizationMetadata) -> Result<(), Failure> {
    let named = [Some(&metadata.authorization_endpoint), Some(&metadata.token_endpoint), metadata.registration_endpoint.as_ref()];
    for address in named.into_iter().flatten() {
        let is_safe = Url::parse(address).is_ok_and(|url| match url.scheme() {
            "https" => true,
            "http" => matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")),
            _ => false,
        });
        if !is_safe {
            return Err(Failure::of(Fault::Forbidden, format!("its sign-in uses an address without https: {}", short(address))));
        }
    }
    Ok(())
}

/// Sends the requests of a sign-in over a client that follows no redirects.
struct Requests(reqwest::Client);

impl OAuthHttpClient for Requests {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let mut wanted = reqwest::Request::try_from(request.request)?;
            *wanted.timeout_mut() = Some(REQUEST);
            let mut reply = self.0.execute(wanted).await.map_err(reqwest::Error::without_url)?;
            let mut out = http::Response::builder().status(reply.status());
            if let Some(headers) = out.headers_mut() {
                headers.extend(reply.headers().iter().map(|(name, value)| (name.clone(), value.clone())));
            }
            let mut body = Vec::new();
            while let Some(chunk) = reply.chunk().await.map_err(reqwest::Error::without_url)? {
                body.extend_from_slice(&chunk);
                if body.len() > MAX_REPLY {
                    return Err("it sent more than 1 MiB".into());
                }
            }
            Ok(out.body(body)?)
        })
    }
}

/// What went wrong, for the person.
fn failure(error: &AuthError) -> Failure {
    let said = || short(&with_causes(error));
    match error {
        AuthError::NoAuthorizationSupport => {
            Failure::of(Fault::Key, "it offers no sign-in. If it needs a key, store that with nexi tools secret")
        }
        AuthError::AuthorizationRequired | AuthError::TokenRefreshRejected(_) | AuthError::TokenExpired => {
            Failure::of(Fault::Key, "the sign-in is no longer valid; sign in again")
        }
        AuthError::CredentialStoreError(said) => Failure::of(Fault::Key, said.clone()),
        AuthError::PkceUnsupported => Failure::new("its sign-in is not safe enough: it does not support PKCE with S256"),
        AuthError::AuthorizationServerMismatch { .. } | AuthError::AuthorizationServerMissingIssuer { .. } => {
            Failure::of(Fault::Forbidden, "the sign-in came back from another provider than the one it began at; nothing was stored")
        }
        AuthError::RegistrationFailed(said) => Failure::of(Fault::Key, format!("its provider did not register Nexi: {}", short(said))),
        AuthError::TokenExchangeFailed(said) => Failure::of(Fault::Key, format!("its provider gave no token: {}", short(said))),
        AuthError::AuthorizationServersUnavailable { authorization_servers, .. } => {
            unreachable(format!("its provider could not be asked: {}", short(&authorization_servers.join(", "))))
        }
        AuthError::HttpError(_) | AuthError::TokenRefreshFailed(_) | AuthError::DiscoveryRequestFailed { .. } => {
            unreachable(format!("the sign-in could not be used: {}", said()))
        }
        _ => Failure::new(format!("the sign-in failed: {}", said())),
    }
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !said.contains(&words) {
            said.push_str(&format!(": {}", text::fold_space(&words)));
        }
        cause = inner.source();
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_uses_no_open_line() {
        let named = |authorize: &str, token: &str| {
            let metadata = serde_json::json!({"authorization_endpoint": authorize, "token_endpoint": token});
            check_addresses(&serde_json::from_value(metadata).unwrap())
        };
        assert!(named("https://id.example.org/authorize", "https://id.example.org/token").is_ok());
        assert!(named("http://127.0.0.1:9000/authorize", "http://localhost:9000/token").is_ok());
        for (authorize, token) in [
            ("http://id.example.org/authorize", "https://id.example.org/token"),
            ("https://id.example.org/authorize", "http://10.0.0.1/token"),
            ("javascript:alert(1)", "https://id.example.org/token"),
            ("file:///etc/passwd", "https://id.example.org/token"),
        ] {
            assert_eq!(named(authorize, token).unwrap_err().fault, Fault::Forbidden, "{authorize} {token}");
        }
    }
}
