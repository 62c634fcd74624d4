//! What the person gave along and could not be read.

use crate::protocol::EndReason;
/// The step in which attachments are read; those of the model come after it.
pub(super) const STEP: u32 = 0;

/// How an attachment is called: a file by its name, a page by its address.
pub(super) fn name(url: &str) -> String {
    let path = url.strip_prefix("file:").map(|path| percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned());
    path.as_deref().and_then(|path| path.rsplit('/').next()).map_or_else(|| url.to_owned(), str::to_owned)
}

/// What has to be known of an answer that does not rest on all that was given along.
pub(super) fn unread(names: &[String]) -> Option<EndReason> {
    (!names.is_empty()).then(|| EndReason::UnreadAttachments { names: names.to_vec() })
}
