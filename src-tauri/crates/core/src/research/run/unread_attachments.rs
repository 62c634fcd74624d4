//! What the person gave along and could not be read.

use crate::ports::{Cause, Failure};
use crate::protocol::EndReason;

/// The step in which attachments are read; those of the model come after it.
pub(super) const STEP: u32 = 0;

/// How an attachment is called: a file by its name, a page by its address.
fn name(url: &str) -> String {
    let path = url.strip_prefix("file:").map(|path| percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned());
    path.as_deref().and_then(|path| path.rsplit('/').next()).map_or_else(|| url.to_owned(), str::to_owned)
}

/// An attachment that could not be read.
#[derive(Debug, Clone)]
pub(super) struct Unread {
    name: String,
    cause: Option<Cause>,
}

impl Unread {
    pub(super) fn new(url: &str, failure: &Failure) -> Self {
        Self { name: name(url), cause: failure.cause.as_deref().cloned() }
    }
}

/// What has to be known of an answer that does not rest on all that was given along.
pub(super) fn unread(all: &[Unread]) -> Option<EndReason> {
    let names = all.iter().map(|one| one.name.clone()).collect();
    let causes: Option<Vec<Cause>> = all.iter().map(|one| one.cause.clone()).collect();
    (!all.is_empty()).then(|| EndReason::UnreadAttachments { names, causes: causes.unwrap_or_default() })
}
