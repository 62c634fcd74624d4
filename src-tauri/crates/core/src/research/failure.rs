//! Why a search, a page or a call failed.

use serde::{Deserialize, Serialize};

use super::cause::{Cause, Fault};
use super::incident::{Incident, IncidentAction, IncidentKind};

/// Why a search or a page failed: a sentence in English for models, and the same as data for messages in the user's language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Failure {
    pub message: String,
    /// The same as facts; none where only a sentence is known, and in journals of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "super::lenient::if_known")]
    pub cause: Option<Box<Cause>>,
    /// What kind of failure it is, for those who decide what to do next.
    #[serde(skip_serializing_if = "Fault::is_other", default)]
    pub fault: Fault,
    /// The HTTP status of a service, where it is from 500.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status: Option<u16>,
    /// The service's own words, shortened.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub said: Option<String>,
    /// What each service had, where several were asked and all of them failed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub incidents: Vec<Incident>,
}

impl Failure {
    /// A failure with this sentence.
    pub fn new(message: impl Into<String>) -> Self {
        Self::of(Fault::Other, message)
    }

    /// A failure of this kind.
    pub fn of(fault: Fault, message: impl Into<String>) -> Self {
        Self { message: message.into(), cause: None, fault, status: None, said: None, incidents: Vec::new() }
    }

    /// A failure for this reason, which decides on its kind, too.
    pub fn because(cause: impl Into<Cause>) -> Self {
        let cause = cause.into();
        Self { cause: Some(Box::new(cause.clone())), ..Self::of(cause.fault(), cause.to_string()) }
    }

    /// The same with the name of a service or a server before it.
    #[must_use]
    pub fn of_service(self, service: &str) -> Self {
        let cause = Cause::OfService { service: service.to_owned(), cause: Box::new(self.cause()) };
        Self { message: cause.to_string(), cause: Some(Box::new(cause)), ..self }
    }

    /// The failure of work that was cancelled.
    pub fn cancelled() -> Self {
        Self::because(Cause::Cancelled)
    }

    /// Why it failed, as data; the sentence alone where nothing else was noted.
    pub fn cause(&self) -> Cause {
        self.cause.as_deref().cloned().unwrap_or_else(|| Cause::Words { message: self.message.clone() })
    }
}

impl Incident {
    /// What a failing search service means; the run goes on with the others.
    pub fn of_search(service: &str, failure: &Failure) -> Self {
        let kind = match failure.fault {
            // What is wrong with a database is no matter of API keys and services.
            _ if matches!(failure.cause.as_deref(), Some(Cause::Database { .. })) => IncidentKind::SearchFailed,
            Fault::Key => IncidentKind::KeyRefused,
            Fault::Balance => IncidentKind::NoBalance,
            Fault::Limited { .. } => IncidentKind::RateLimited,
            Fault::Transient if failure.status.is_some() => IncidentKind::ServerError,
            Fault::Transient => IncidentKind::Unreachable,
            Fault::Other | Fault::Forbidden | Fault::Cancelled => IncidentKind::SearchFailed,
        };
        let said = if kind == IncidentKind::SearchFailed { Some(failure.message.clone()) } else { failure.said.clone() };
        let cause = Some(Box::new(failure.cause()));
        Self { said, cause, status: failure.status, ..Self::new(kind, service, IncidentAction::Others) }
    }
}
