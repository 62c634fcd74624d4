//! What is read of documents is written many at a time.

use nexi_store::{DocumentIndex, StoreError, documents::NewDocument};

/// Files written in one transaction.
const BATCH: usize = 8000;
/// Bytes of them, of which a batch has no more either.
const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// What is written at once.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nexi_store::DocumentIndex;

    use crate::documents::{Rules, resolve, sync};

    #[test]
    fn an_index_that_cannot_be_written_ends_the_reading_with_its_error() {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs).unwrap();
        for number in 0..200 {
            std::fs::write(docs.join(format!("{number}.md")), "A harbour has a wall.").unwrap();
        }
        let database = folder.path().join("d.db");
        let index = Arc::new(DocumentIndex::open(&database).unwrap());
        rusqlite::Connection::open(&database)
            .unwrap()
            .execute_batch("CREATE TRIGGER full BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'there is no room'); END")
            .unwrap();
        let error = sync(&index, &resolve(&[docs]), &Rules::default(), &|_, _| {}).unwrap_err();
        assert!(error.to_string().contains("no room"), "{error}");
    }
}
