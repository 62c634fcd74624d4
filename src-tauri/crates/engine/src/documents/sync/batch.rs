//! What is read of documents is written many at a time.

use nexi_store::{DocumentIndex, StoreError, documents::NewDocument};

/// Files written in one transaction.
const BATCH: usize = 8000;
/// Bytes of them, of which a batch has no more either.
const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// What is written in one transaction.
#[derive(Default)]
pub(super) struct Batch {
    documents: Vec<NewDocument>,
    /// Of their passages.
    bytes: usize,
    /// Files whose times have changed, and nothing else.
    touched: Vec<(String, i64)>,
}

impl Batch {
    pub(super) fn add(&mut self, document: NewDocument) {
        self.bytes += document.passages.iter().map(|passage| passage.body.len()).sum::<usize>();
        self.documents.push(document);
    }

    pub(super) fn touch(&mut self, path: String, modified_ns: i64) {
        self.touched.push((path, modified_ns));
    }

    pub(super) fn is_full(&self) -> bool {
        self.documents.len() >= BATCH || self.bytes >= BATCH_BYTES
    }

    /// # Errors
    /// When the index cannot be written.
    pub(super) fn write(&self, index: &DocumentIndex) -> Result<(), StoreError> {
        index.put(&self.documents)?;
        index.touch(&self.touched)
    }
}
