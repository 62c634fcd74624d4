//! A connection that sends the token of a sign-in with every request, and renews it.

use std::collections::HashMap;
use std::sync::Arc;

use futures::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use rmcp::{
    model::ClientJsonRpcMessage,
    transport::{
        auth::{AuthError, OAuthClientConfig},
        streamable_http_client::{
            SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
        },
    },
};
use sse_stream::Sse;
use tokio::sync::Mutex;

use super::{
    SignInHttp, check_addresses, is_refused_for_good, manager,
    tokens::{CredentialAdapter, Kept, Provider, Tokens},
};

type Outcome<T> = Result<T, StreamableHttpError<reqwest::Error>>;

/// Sends requests for somebody who has signed in.
#[derive(Clone)]
pub(crate) struct SignedIn {
    http: reqwest::Client,
    session: Arc<Session>,
}

struct Session {
    tokens: Arc<Tokens>,
    sign_in_http: SignInHttp,
    /// What was read or renewed last, so that the place of keys is not asked at each request.
    current: Mutex<Kept>,
}

impl SignedIn {
    /// None where nobody has signed in to this address.
    pub(super) async fn find(tokens: Arc<Tokens>, http: &reqwest::Client, sign_in_http: &SignInHttp) -> Result<Option<Self>, AuthError> {
        let Some(kept) = tokens.kept().await? else { return Ok(None) };
        let session = Session { tokens, sign_in_http: sign_in_http.clone(), current: Mutex::new(kept) };
        Ok(Some(Self { http: http.clone(), session: Arc::new(session) }))
    }

    /// Sends a request with the token there is, and once more with a new one where the server does not take it.
    async fn send<T, F: Future<Output = Outcome<T>> + Send>(&self, request: impl Fn(Option<String>) -> F) -> Outcome<T> {
        let token = match self.session.token().await {
            Ok(token) => Some(token),
            // The server says what it wants.
            Err(AuthError::AuthorizationRequired) => None,
            Err(error) => return Err(error.into()),
        };
        let refused = match request(token.clone()).await {
            Err(StreamableHttpError::AuthRequired(refused)) => refused,
            other => return other,
        };
        let Some(sent) = token else { return Err(StreamableHttpError::AuthRequired(refused)) };
        match self.session.clone().renewed(Some(sent)).await {
            Ok(token) => request(Some(token)).await,
            Err(AuthError::AuthorizationRequired) => Err(StreamableHttpError::AuthRequired(refused)),
            Err(error) => Err(error.into()),
        }
    }
}

impl Session {
    async fn token(self: &Arc<Self>) -> Result<String, AuthError> {
        let token = {
            let current = self.current.lock().await;
            current.access().filter(|_| !current.runs_out())
        };
        match token {
            Some(token) => Ok(token),
            None => self.clone().renewed(None).await,
        }
    }

    /// A token that is not `refused`. The work goes on where nobody waits for it any more: a provider that has taken a
    /// refresh token does not take it again.
    async fn renewed(self: Arc<Self>, refused: Option<String>) -> Result<String, AuthError> {
        let work = tokio::spawn(async move { self.renew(refused).await });
        work.await.unwrap_or_else(|_| Err(AuthError::InternalError("the token could not be renewed".into())))
    }

    async fn renew(&self, refused: Option<String>) -> Result<String, AuthError> {
        // One request of this connection, and one process.
        let mut current = self.current.lock().await;
        let _turn = self.tokens.lock().await?;
        let kept = self.tokens.kept().await?.ok_or(AuthError::AuthorizationRequired)?;
        // Somebody else may have done it meanwhile.
        if let Some(token) = kept.access().filter(|token| refused.as_ref() != Some(token) && !kept.runs_out()) {
            *current = kept;
            return Ok(token);
        }
        let mut manager = manager(self.tokens.url(), &self.sign_in_http).await?;
        let found = manager.resolve_metadata().await?;
        let provider = Provider::of(&found.metadata);
        // A refresh token goes to the one that gave it and to nobody else, whoever the server names by now.
        if !found.source.is_discovered() || provider != kept.provider || check_addresses(&found.metadata, &self.sign_in_http).is_err() {
            tracing::warn!(server = self.tokens.url(), "the provider of a sign-in is another one by now");
            return Err(AuthError::AuthorizationRequired);
        }
        manager.set_metadata(found.metadata);
        let mut config = OAuthClientConfig::new(kept.credentials.client_id.clone(), self.tokens.url());
        if let Some(secret) = &kept.client_secret {
            config = config.with_client_secret(secret);
        }
        manager.configure_client(config)?;
        manager.set_credential_store(CredentialAdapter {
            tokens: self.tokens.clone(),
            provider,
            client_secret: kept.client_secret.clone(),
        });
        match manager.refresh_token().await {
            Ok(_) => {}
            // It was taken; only the place of keys refuses. This connection goes on with it.
            Err(AuthError::CredentialStoreError(why)) => tracing::warn!(%why, "a renewed sign-in could not be kept"),
            Err(AuthError::TokenRefreshRejected(_)) => return self.over().await,
            Err(AuthError::TokenRefreshFailed(said)) if is_refused_for_good(&said) => return self.over().await,
            Err(error) => return Err(error),
        }
        *current = self.tokens.kept().await?.ok_or(AuthError::AuthorizationRequired)?;
        current.access().ok_or(AuthError::AuthorizationRequired)
    }

    /// What is kept is of no use to anybody any more.
    async fn over<T>(&self) -> Result<T, AuthError> {
        self.tokens.clear().await?;
        Err(AuthError::AuthorizationRequired)
    }
}

impl StreamableHttpClient for SignedIn {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Outcome<StreamableHttpPostResponse> {
        self.send(|token| self.http.post_message(uri.clone(), message.clone(), session.clone(), token, headers.clone())).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        limits: StreamableHttpResponseLimits,
    ) -> Outcome<StreamableHttpPostResponse> {
        let post = |token| {
            self.http.post_message_with_response_limits(uri.clone(), message.clone(), session.clone(), token, headers.clone(), limits)
        };
        self.send(post).await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Outcome<()> {
        self.send(|token| self.http.delete_session(uri.clone(), session.clone(), token, headers.clone())).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Outcome<BoxStream<'static, Result<Sse, SseError>>> {
        self.send(|token| self.http.get_stream(uri.clone(), session.clone(), last.clone(), token, headers.clone())).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        most: usize,
    ) -> Outcome<BoxStream<'static, Result<Sse, SseError>>> {
        let get =
            |token| self.http.get_stream_with_max_sse_event_size(uri.clone(), session.clone(), last.clone(), token, headers.clone(), most);
        self.send(get).await
    }
}
