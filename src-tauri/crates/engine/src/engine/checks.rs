//! Live tests of providers: does it work, and if not, why.

use std::sync::Arc;
use std::time::Duration;

use nexi_core::{
    model::{Message, Model, ModelError, ModelRequest},
    ports::{Failure, Fault, Query},
    settings::{Provider, ProviderKind},
};
use nexi_messages::say;
use nexi_store::settings_file::Change;
use secrecy::SecretString;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{Engine, blocking};
use crate::{EngineError, corpus::Corpus, database::DatabaseKind, sentences, wiring};

/// How long a model may take to answer a test; those on one's own computer may have to be loaded first.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Check {
    pub verdict: Verdict,
    /// A sentence for the person.
    pub message: String,
}

/// How a test went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Works,
    /// The key was refused, or there is none.
    Refused,
    NoBalance,
    /// The service could not be reached.
    Offline,
    /// It was reached and did not answer in time.
    Slow,
    /// Asked too often.
    Limited,
    /// The service has no such model.
    UnknownModel,
    /// Something else than the API answers at the address.
    WrongAddress,
    /// Something else; the message says what.
    Other,
}

impl Engine {
    /// Asks a provider for the least it can do: a model for a word, a search for one result.
    /// `key` is used in place of the one that is kept, and is not kept.
    ///
    /// # Errors
    /// When the provider's settings are not valid.
    pub async fn check_provider(&self, name: &str, provider: Provider, key: Option<SecretString>) -> Result<Check, EngineError> {
        let outcome = if provider.kind == ProviderKind::Postgres {
            self.check_corpus(name, provider, key).await?
        } else if provider.kind.answers() {
            self.check_model(name, provider, key).await?
        } else {
            self.check_search(name, provider, key).await?
        };
        Ok(match outcome {
            Ok(message) => Check { verdict: Verdict::Works, message },
            Err((verdict, message)) => Check { verdict, message },
        })
    }

    async fn check_model(
        &self,
        name: &str,
        provider: Provider,
        key: Option<SecretString>,
    ) -> Result<Result<String, (Verdict, String)>, EngineError> {
        let failed = |error: ModelError| match &error {
            // The key is at hand, in the field above the test.
            ModelError::Unauthorized { status, .. } => (Verdict::Refused, say!("failures-check.key_refused", status = *status)),
            _ => (model_verdict(&error), sentences::model_error(&error)),
        };
        let endpoint = match self.draft_endpoint(name, provider, key).await {
            Ok(endpoint) => endpoint,
            Err(EngineError::Model(error)) => return Ok(Err(failed(error))),
            Err(error) => return Err(error),
        };
        let text = "Reply with the word: ready".to_owned();
        // Room for a few thoughts: models that think count them as output.
        let request = ModelRequest::for_text(vec![Message::User { text }], 512);
        let stop = CancellationToken::new();
        Ok(match tokio::time::timeout(TEST_TIMEOUT, endpoint.reply(&request, &|_| {}, &stop)).await {
            Ok(reply) => reply.map(|_| say!("failures-check.answers", model = endpoint.label())).map_err(failed),
            Err(_) => {
                let seconds = TEST_TIMEOUT.as_secs();
                Err((Verdict::Slow, say!("failures-check.slow", model = endpoint.label(), seconds = seconds)))
            }
        })
    }

    async fn check_corpus(
        &self,
        name: &str,
        provider: Provider,
        password: Option<SecretString>,
    ) -> Result<Result<String, (Verdict, String)>, EngineError> {
        let mut settings = self.settings();
        settings.providers.insert(name.to_owned(), provider);
        let name = name.to_owned();
        let status = match blocking(move || wiring::database(&settings, "to", &name, password, DatabaseKind::Corpus)).await? {
            Ok(database) => Corpus::new(database).status(0).await,
            Err(error) => Err(error),
        };
        Ok(match status {
            Ok(status) => Ok(say!("failures-check.corpus", count = status.documents)),
            Err(EngineError::Database(cause)) => Err(search_failed(&Failure::because(cause))),
            Err(error) => return Err(error),
        })
    }

    async fn check_search(
        &self,
        name: &str,
        provider: Provider,
        key: Option<SecretString>,
    ) -> Result<Result<String, (Verdict, String)>, EngineError> {
        let mut settings = self.settings();
        settings.providers.insert(name.to_owned(), provider);
        let (shared_state, name) = (self.inner.shared_state.clone(), name.to_owned());
        let backend = blocking(move || wiring::draft_search(&settings, &shared_state, &name, key)).await??;
        let found = backend.search(&Query::new("encyclopedia"), &CancellationToken::new()).await;
        Ok(match found {
            Ok(hits) => Ok(say!("failures-check.found", count = hits.len())),
            Err(failure) => Err(search_failed(&failure)),
        })
    }

    /// The model without a price that keeps every question from being asked, where the settings limit
    /// what a question may cost.
    ///
    /// # Errors
    /// When no model of the chain can be used at all.
    pub async fn unpriced(&self) -> Result<Option<String>, EngineError> {
        let settings = self.settings();
        if settings.max_cost.is_none() || settings.max_tokens.is_some() {
            return Ok(None);
        }
        let parts = self.parts(&settings, &[], &[], None).await?;
        Ok(self.told(&parts).await.unpriced.into_iter().next())
    }

    /// The names of the models that a provider offers.
    ///
    /// # Errors
    /// When it refuses or cannot be reached.
    pub async fn models_of(&self, name: &str, mut provider: Provider, key: Option<SecretString>) -> Result<Vec<String>, EngineError> {
        provider.model.get_or_insert_with(|| "any".into());
        let endpoint = self.draft_endpoint(name, provider, key).await?;
        Ok(endpoint.models(&CancellationToken::new()).await?)
    }

    async fn draft_endpoint(
        &self,
        name: &str,
        provider: Provider,
        key: Option<SecretString>,
    ) -> Result<Arc<nexi_llm::Endpoint>, EngineError> {
        if !provider.kind.answers() {
            return Err(EngineError::invalid("type", say!("arguments-model.no_kind")));
        }
        let mut settings = self.settings();
        // A person is waiting: what fails once has failed.
        settings.llm_max_retries = 0;
        settings.providers.insert(name.to_owned(), provider);
        let (shared_state, name) = (self.inner.shared_state.clone(), name.to_owned());
        blocking(move || wiring::draft_model(&settings, &shared_state, &name, key)).await?.map(Arc::new)
    }

    /// The provider as it would be after these changes.
    ///
    /// # Errors
    /// When its values are not valid, each named.
    pub fn draft_provider(&self, name: &str, changes: &[Change]) -> Result<Provider, EngineError> {
        let (settings, problems) = self.preview_settings(changes)?;
        let place = format!("providers.{name}.");
        if let Some(problem) = problems.into_iter().find(|problem| problem.field.starts_with(&place)) {
            return Err(EngineError::Invalid(problem));
        }
        settings.provider(name).ok_or_else(|| EngineError::invalid(place.trim_end_matches('.'), say!("arguments-not-there")))
    }
}

fn search_failed(failure: &Failure) -> (Verdict, String) {
    let verdict = match failure.fault {
        Fault::Key => Verdict::Refused,
        Fault::Balance => Verdict::NoBalance,
        Fault::Transient if failure.status.is_none() => Verdict::Offline,
        Fault::Limited { .. } => Verdict::Limited,
        _ => Verdict::Other,
    };
    (verdict, sentences::failure(failure))
}

fn model_verdict(error: &ModelError) -> Verdict {
    match error {
        ModelError::Unauthorized { .. } | ModelError::NoKey { .. } | ModelError::KeyWanted { .. } | ModelError::UnusableKey { .. } => {
            Verdict::Refused
        }
        ModelError::NoBalance { .. } => Verdict::NoBalance,
        ModelError::Unreachable { .. } => Verdict::Offline,
        ModelError::Silent { .. } | ModelError::Endless { .. } => Verdict::Slow,
        ModelError::RateLimited { .. } => Verdict::Limited,
        ModelError::NotFound { .. } | ModelError::UnknownModel { .. } => Verdict::UnknownModel,
        ModelError::WrongAddress { .. } | ModelError::WebPage { .. } => Verdict::WrongAddress,
        _ => Verdict::Other,
    }
}
