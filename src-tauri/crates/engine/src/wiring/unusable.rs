//! What stands in for a service that cannot be set up on this system, for want of certificates most often: the others
//! are asked all the same, and the run says why this one was not.

use async_trait::async_trait;
use nexi_core::ports::{Failure, Hit, Query, ReadOutcome, ReadRequest, Reader, SearchBackend};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::EngineError;

pub(super) struct Unusable {
    name: String,
    why: Failure,
}

impl Unusable {
    /// A stand-in where a service failed to be set up.
    ///
    /// # Errors
    /// Every other error: what is wrong in the settings is not passed over.
    pub(super) fn of(name: &str, error: EngineError) -> Result<Self, EngineError> {
        match error {
            EngineError::Web(why) => Ok(Self { name: name.to_owned(), why }),
            EngineError::Database(cause) => Ok(Self { name: name.to_owned(), why: Failure::because(cause) }),
            other => Err(other),
        }
    }
}

#[async_trait]
impl SearchBackend for Unusable {
    fn name(&self) -> &str {
        &self.name
    }

    async fn search(&self, _: &Query, _: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        Err(self.why.clone())
    }
}

#[async_trait]
impl Reader for Unusable {
    fn name(&self) -> &str {
        &self.name
    }

    fn accepts(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https")
    }

    async fn read(&self, _: &ReadRequest, _: &CancellationToken) -> Result<ReadOutcome, Failure> {
        Err(self.why.clone())
    }
}
