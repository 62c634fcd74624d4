//! Signing in to servers that want it, by OAuth: in the person's browser, which comes back to a port of this computer.

mod callback;
mod session;
mod tokens;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use nexi_core::ports::{Cause, Failure, SignInCause};
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, OAuthClientConfig, OAuthHttpClient, OAuthHttpClientFuture, OAuthHttpRequest,
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{cause, short};
pub use callback::CallbackWords;
pub(crate) use session::SignedIn;
use tokens::{CredentialAdapter, Provider, Tokens};
pub use tokens::{TokenStore, is_signed_in};

/// How long the person has to sign in.
pub const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(10 * 60);
/// How long asking where to sign in may take, with all its requests.
const BEGIN: Duration = Duration::from_secs(60);
/// How long one request of a sign-in may take.
const REQUEST: Duration = Duration::from_secs(30);
/// Bytes of a reply.
const MAX_REPLY: usize = 1024 * 1024;

/// Makes the HTTP client of a sign-in; called only where there is one.
pub type SignInHttp = Arc<dyn Fn() -> Result<SignInClient, Failure> + Send + Sync>;

/// Checks an address that a server has named; the error says why it is not visited.
pub type AddressCheck = Arc<dyn Fn(&str) -> Result<(), Failure> + Send + Sync>;

/// Sends the requests of a sign-in.
#[derive(Clone)]
pub struct SignInClient {
    /// Follows no redirects.
    pub http: reqwest::Client,
    /// Whether an address that a server or its provider has named may be visited.
    pub allows: AddressCheck,
}

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
    tokens: Arc<Tokens>,
    listener: callback::Listener,
    address: Url,
}

impl SignIn {
    /// Asks a server where it signs people in, and makes Nexi known there.
    ///
    /// # Errors
    /// When the server offers no sign-in, names another provider than before, does not let Nexi register, or cannot be
    /// reached.
    pub async fn begin(url: &str, identity: ClientIdentity, sign_in_http: SignInHttp, store: Arc<dyn TokenStore>) -> Result<Self, Failure> {
        let begin = Self::begin_now(url, identity, &sign_in_http, store);
        tokio::time::timeout(BEGIN, begin).await.unwrap_or_else(|_| Err(Failure::because(SignInCause::Slow)))
    }

    async fn begin_now(
        url: &str,
        identity: ClientIdentity,
        sign_in_http: &SignInHttp,
        store: Arc<dyn TokenStore>,
    ) -> Result<Self, Failure> {
        let tokens = Arc::new(Tokens::new(url, store));
        let before = tokens.kept().await.map_err(|error| failure(&error))?;
        let mut manager = manager(url, sign_in_http).await.map_err(|error| failure(&error))?;
        let found = manager.resolve_metadata().await.map_err(|error| failure(&error))?;
        if !found.source.is_discovered() {
            return Err(failure(&AuthError::NoAuthorizationSupport));
        }
        check_addresses(&found.metadata, sign_in_http)?;
        let provider = Provider::of(&found.metadata);
        // Whoever has taken a server over must not be given what belongs to its former provider.
        if let Some(before) = before.map(|kept| kept.provider).filter(|before| before.issuer != provider.issuer) {
            let (before, now) = (short(before.name()), short(provider.name()));
            return Err(Failure::because(SignInCause::Moved { before, now }));
        }
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
            None if !registers => return Err(Failure::because(SignInCause::NoRegistration)),
            None => {
                let config = manager.register_client("Nexi", &listener.redirect(), &scopes).await.map_err(|error| failure(&error))?;
                config.client_secret
            }
        };
        manager.set_credential_store(CredentialAdapter { tokens: tokens.clone(), provider, client_secret: secret });
        let address = manager.get_authorization_url(&scopes).await.map_err(|error| failure(&error))?;
        let address = Url::parse(&address).map_err(|_| Failure::because(SignInCause::NoAddress))?;
        Ok(Self { manager, tokens, listener, address })
    }

    /// Where the person signs in.
    pub fn address(&self) -> &Url {
        &self.address
    }

    /// Waits until the browser comes back, or `pasted` brings the address at which it ended up on another computer; `wrong`
    /// is told where that is another address. `words` are those of the browser's last page.
    ///
    /// # Errors
    /// When the person declines or takes too long, or no token is given.
    pub async fn finish(
        self,
        mut pasted: mpsc::Receiver<String>,
        words: CallbackWords,
        wrong: impl Fn(Cause) + Send,
        cancel: &CancellationToken,
    ) -> Result<(), Failure> {
        let Self { manager, tokens, listener, address } = self;
        let state = address.query_pairs().find(|(name, _)| name == "state").map(|(_, value)| value.into_owned()).unwrap_or_default();
        let redirect = listener.redirect();
        let mut visits = listener.listen(&state, words);
        let typed = async {
            while let Some(line) = pasted.recv().await {
                match callback::read(&redirect, &line, &state) {
                    Some(returned) => return returned,
                    None => wrong(SignInCause::OtherAddress.into()),
                }
            }
            // Nobody types.
            std::future::pending().await
        };
        let returned = tokio::select! {
            returned = visits.next() => returned,
            returned = typed => returned,
            () = cancel.cancelled() => Err(Failure::cancelled()),
            () = tokio::time::sleep(SIGN_IN_TIMEOUT) => Err(Failure::because(SignInCause::TimedOut { minutes: SIGN_IN_TIMEOUT.as_secs() / 60 })),
        };
        let done = match returned {
            Ok(returned) => exchange(&manager, &tokens, returned, cancel).await,
            Err(failure) => Err(failure),
        };
        visits.tell(&done).await;
        done
    }
}

/// Gets tokens for what the browser brought back, and keeps them, unless the person has given it up meanwhile.
fn exchange<'a>(
    manager: &'a AuthorizationManager,
    tokens: &'a Tokens,
    returned: callback::Returned,
    cancel: &'a CancellationToken,
) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let _turn = tokens.lock().await.map_err(|error| failure(&error))?;
        let token = manager.exchange_code_for_token_with_issuer(&returned.code, &returned.state, returned.issuer.as_deref()).await;
        token.map_err(|error| failure(&error))?;
        let access = tokens.kept().await.map_err(|error| failure(&error))?.and_then(|kept| kept.access()).unwrap_or_default();
        if access.is_empty() || !access.bytes().all(|byte| byte.is_ascii_graphic()) {
            tokens.clear().await.map_err(|error| failure(&error))?;
            return Err(Failure::because(SignInCause::BadToken));
        }
        if cancel.is_cancelled() {
            tokens.clear().await.map_err(|error| failure(&error))?;
            return Err(Failure::cancelled());
        }
        Ok(())
    })
}

// The connection of somebody who has signed in to this address, if anybody has.
pub(crate) async fn signed_in(
    url: &str,
    http: &reqwest::Client,
    sign_in_http: &SignInHttp,
    store: &Arc<dyn TokenStore>,
) -> Result<Option<SignedIn>, Failure> {
    let tokens = Arc::new(Tokens::new(url, store.clone()));
    SignedIn::find(tokens, http, sign_in_http).await.map_err(|error| failure(&error))
}

async fn manager(url: &str, sign_in_http: &SignInHttp) -> Result<AuthorizationManager, AuthError> {
    let client = sign_in_http().map_err(|failure| AuthError::InternalError(failure.message))?;
    AuthorizationManager::new_with_oauth_http_client(url, Arc::new(Requests(client))).await
}

/// A person's browser and their token go over secure connections alone, unless they stay on this computer, and nowhere
/// that a server has no business with.
fn check_addresses(metadata: &AuthorizationMetadata, sign_in_http: &SignInHttp) -> Result<(), Failure> {
    let client = sign_in_http()?;
    let named = [Some(&metadata.authorization_endpoint), Some(&metadata.token_endpoint), metadata.registration_endpoint.as_ref()];
    for address in named.into_iter().flatten() {
        let is_safe = Url::parse(address).is_ok_and(|url| match url.scheme() {
            // Names before the host only serve to hide it.
            _ if !url.username().is_empty() || url.password().is_some() => false,
            "https" => true,
            "http" => matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")),
            _ => false,
        });
        if !is_safe {
            return Err(Failure::because(SignInCause::UnsafeAddress { address: short(address) }));
        }
        (client.allows)(address)
            .map_err(|refused| Failure::because(SignInCause::UnvisitedAddress { address: short(address), message: refused.message }))?;
    }
    Ok(())
}

/// Sends the requests of a sign-in.
struct Requests(SignInClient);

impl OAuthHttpClient for Requests {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let mut wanted = reqwest::Request::try_from(request.request)?;
            // What stands behind the path may be secret.
            tracing::debug!(method = %wanted.method(), host = wanted.url().host_str(), path = wanted.url().path(), "a request of a sign-in");
            (self.0.allows)(wanted.url().as_str()).map_err(|refused| refused.message)?;
            *wanted.timeout_mut() = Some(REQUEST);
            let mut reply = self.0.http.execute(wanted).await.map_err(reqwest::Error::without_url)?;
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
pub(crate) fn failure(error: &AuthError) -> Failure {
    match error {
        AuthError::NoAuthorizationSupport => Failure::because(SignInCause::NotOffered),
        AuthError::AuthorizationRequired | AuthError::TokenRefreshRejected(_) | AuthError::TokenExpired => {
            Failure::because(SignInCause::Expired)
        }
        AuthError::CredentialStoreError(said) => Failure::because(SignInCause::NotKept { message: said.clone() }),
        AuthError::PkceUnsupported => Failure::because(SignInCause::NoPkce),
        AuthError::InvalidScope(_) => Failure::because(SignInCause::NoCodes),
        AuthError::AuthorizationServerMismatch { expected_issuer, received_issuer } => {
            let (wanted, named) = (short(expected_issuer), short(received_issuer));
            Failure::because(SignInCause::OtherProvider { named, wanted })
        }
        AuthError::AuthorizationServerMissingIssuer { expected_issuer } => {
            Failure::because(SignInCause::UnnamedProvider { wanted: short(expected_issuer) })
        }
        AuthError::RegistrationFailed(said) => Failure::because(SignInCause::NotRegistered { message: short(said) }),
        AuthError::TokenExchangeFailed(said) => Failure::because(SignInCause::UnusableToken { message: short(said) }),
        AuthError::TokenRefreshFailed(said) => Failure::because(SignInCause::NotRenewed { message: short(said) }),
        AuthError::AuthorizationServersUnavailable { authorization_servers, .. } => {
            Failure::because(SignInCause::ProviderUnreached { servers: short(&authorization_servers.join(", ")) })
        }
        AuthError::HttpError(_) | AuthError::DiscoveryRequestFailed { .. } => {
            Failure::because(SignInCause::NoDescription { message: cause(error) })
        }
        AuthError::InternalError(said) => Failure::because(SignInCause::Failed { message: short(said) }),
        _ => Failure::because(SignInCause::Failed { message: cause(error) }),
    }
}

/// Whether a provider refuses what is kept of a sign-in for good: the codes of RFC 6749 for which another try is of no use.
fn is_refused_for_good(said: &str) -> bool {
    ["invalid_grant", "invalid_client", "unauthorized_client", "unsupported_grant_type"].iter().any(|code| said.contains(code))
}

#[cfg(test)]
mod tests;
