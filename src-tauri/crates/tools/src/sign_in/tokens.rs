//! What a sign-in yields, and where it is kept.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rmcp::transport::auth::{AuthError, AuthorizationMetadata, CredentialStore, StoredCredentials};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How long before its end a token is renewed.
const EARLY: Duration = Duration::from_secs(30);

/// Where the tokens of one server are kept. All of it may block.
pub trait TokenStore: Send + Sync {
    /// What is kept, if anything.
    ///
    /// # Errors
    /// A sentence for the person, as with the others.
    fn load(&self) -> Result<Option<String>, String>;

    /// Keeps this in place of what was kept.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn save(&self, tokens: &str) -> Result<(), String>;

    /// Removes what is kept.
    ///
    /// # Errors
    /// When it cannot be removed.
    fn clear(&self) -> Result<(), String>;

    /// Waits until no other process changes these tokens; none does until what is returned is dropped. Many providers take
    /// a refresh token once.
    ///
    /// # Errors
    /// When others take too long.
    fn lock(&self) -> Result<Box<dyn Send>, String>;
}

/// Whether what is kept is a sign-in to this address.
pub fn is_signed_in(kept: &str, url: &str) -> bool {
    serde_json::from_str::<Kept>(kept).is_ok_and(|kept| kept.url == url)
}

/// What is kept of a sign-in.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The address that the tokens are for: under the same name there may be another by now.
    pub(super) url: String,
    pub(super) credentials: StoredCredentials,
    pub(super) provider: Provider,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) client_secret: Option<String>,
}

/// Who has signed the person in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Provider {
    pub(super) issuer: Option<String>,
    pub(super) token_endpoint: String,
}

impl Provider {
    pub(super) fn of(metadata: &AuthorizationMetadata) -> Self {
        Self { issuer: metadata.issuer.clone(), token_endpoint: metadata.token_endpoint.clone() }
    }

    /// Its name, for people.
    pub(super) fn name(&self) -> &str {
        self.issuer.as_deref().unwrap_or(&self.token_endpoint)
    }
}

impl Kept {
    /// The token that goes with requests.
    pub(super) fn access(&self) -> Option<String> {
        Some(self.response()?.get("access_token")?.as_str()?.to_owned())
    }

    /// Whether the token is about to run out, as far as its provider has said.
    pub(super) fn runs_out(&self) -> bool {
        let lifetime = self.response().and_then(|response| response.get("expires_in")?.as_u64());
        let (Some(lifetime), Some(received)) = (lifetime, self.credentials.token_received_at) else { return false };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let early = EARLY.as_secs().min(lifetime / 2);
        now.saturating_add(early) >= received.saturating_add(lifetime)
    }

    fn response(&self) -> Option<Value> {
        serde_json::to_value(self.credentials.token_response.as_ref()?).ok()
    }
}

/// The tokens for one address.
pub(crate) struct Tokens {
    url: String,
    store: Arc<dyn TokenStore>,
    /// The newest ones: what has been renewed must not be lost where it cannot be kept.
    newest: Mutex<Option<Kept>>,
}

impl Tokens {
    pub(crate) fn new(url: &str, store: Arc<dyn TokenStore>) -> Self {
        Self { url: url.to_owned(), store, newest: Mutex::new(None) }
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// What is kept for this address.
    pub(super) async fn kept(&self) -> Result<Option<Kept>, AuthError> {
        let unkept = self.newest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if unkept.is_some() {
            return Ok(unkept);
        }
        let text = self.blocking(|store| store.load()).await?;
        // What cannot be read is as good as nothing: the person signs in again.
        let kept = text.and_then(|text| serde_json::from_str::<Kept>(&text).ok());
        Ok(kept.filter(|kept| kept.url == self.url))
    }

    /// Keeps tokens; where the place of keys does not take them, for as long as this connection lasts.
    pub(super) async fn keep(&self, kept: Kept) -> Result<(), AuthError> {
        let text = serde_json::to_string(&kept).map_err(|error| AuthError::CredentialStoreError(error.to_string()))?;
        let saved = self.blocking(move |store| store.save(&text)).await;
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = saved.is_err().then_some(kept);
        saved
    }

    pub(super) async fn clear(&self) -> Result<(), AuthError> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.blocking(|store| store.clear()).await
    }

    /// Nobody else changes them until what is returned is dropped.
    pub(super) async fn lock(&self) -> Result<Box<dyn Send>, AuthError> {
        self.blocking(|store| store.lock()).await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn TokenStore) -> Result<T, String> + Send + 'static,
    ) -> Result<T, AuthError> {
        let store = self.store.clone();
        let done = tokio::task::spawn_blocking(move || work(store.as_ref())).await;
        done.unwrap_or_else(|_| Err("the keys could not be looked up".into())).map_err(AuthError::CredentialStoreError)
    }
}

/// Keeps what the SDK gets, with who gave it. Whoever uses it holds the lock.
pub(super) struct CredentialAdapter {
    pub(super) tokens: Arc<Tokens>,
    pub(super) provider: Provider,
    pub(super) client_secret: Option<String>,
}

#[async_trait::async_trait]
impl CredentialStore for CredentialAdapter {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.tokens.kept().await?.map(|kept| kept.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let (provider, client_secret) = (self.provider.clone(), self.client_secret.clone());
        self.tokens.keep(Kept { url: self.tokens.url().to_owned(), credentials, provider, client_secret }).await
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.tokens.clear().await
    }
}
