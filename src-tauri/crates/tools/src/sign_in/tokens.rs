//! What a sign-in yields, and where it is kept.

use std::sync::Arc;

use rmcp::transport::auth::{AuthError, CredentialRefreshGuard, CredentialStore, StoredCredentials};
use serde::{Deserialize, Serialize};

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

    /// # Errors
    /// When it cannot be removed.
    fn clear(&self) -> Result<(), String>;

    /// Waits until no other process renews these tokens; none does until what is returned is dropped. Many providers take
    /// a refresh token once.
    ///
    /// # Errors
    /// When others take too long.
    fn lock(&self) -> Result<Box<dyn Send>, String>;
}

/// What is kept of a sign-in.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The address that the tokens are for: under the same name there may be another by now.
    pub(crate) url: String,
    pub(crate) credentials: StoredCredentials,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) client_secret: Option<String>,
}

/// The tokens for one address.
pub(crate) struct Tokens {
    url: String,
    store: Arc<dyn TokenStore>,
    client_secret: Option<String>,
}

impl Tokens {
    pub(crate) fn new(url: &str, store: Arc<dyn TokenStore>, client_secret: Option<String>) -> Self {
        Self { url: url.to_owned(), store, client_secret }
    }

    /// What is kept for this address.
    pub(crate) async fn kept(&self) -> Result<Option<Kept>, AuthError> {
        let text = self.blocking(|store| store.load()).await?;
        // What cannot be read is as good as nothing: the person signs in again.
        let kept = text.and_then(|text| serde_json::from_str::<Kept>(&text).ok());
        Ok(kept.filter(|kept| kept.url == self.url))
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

#[async_trait::async_trait]
impl CredentialStore for Tokens {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.kept().await?.map(|kept| kept.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let kept = Kept { url: self.url.clone(), credentials, client_secret: self.client_secret.clone() };
        let text = serde_json::to_string(&kept).map_err(|error| AuthError::CredentialStoreError(error.to_string()))?;
        self.blocking(move |store| store.save(&text)).await
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.blocking(|store| store.clear()).await
    }

    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let held = self.blocking(|store| store.lock()).await?;
        Ok(Some(CredentialRefreshGuard::new(held)))
    }
}
