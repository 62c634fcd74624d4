//! A file of threads that comes from a window piece by piece.

use std::io::{self, BufReader, Read};

use nexi_engine::import::{ImportOutcome, OnBroken};
use nexi_engine::{Engine, EngineError};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Pieces that wait to be read.
const WAITING: usize = 4;

/// A file that is being taken in.
pub(crate) struct Importing {
    /// Pieces of the text; the end is said, so that a window that goes away in the middle is no end of the file.
    pieces: mpsc::Sender<Option<String>>,
    job: JoinHandle<Result<ImportOutcome, EngineError>>,
}

/// What the window sends, as a file.
struct Pieces {
    coming: mpsc::Receiver<Option<String>>,
    current: io::Cursor<Vec<u8>>,
    ended: bool,
}

impl Read for Pieces {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.current.read(out)?;
            if read > 0 || self.ended || out.is_empty() {
                return Ok(read);
            }
            match self.coming.blocking_recv() {
                Some(Some(text)) => self.current = io::Cursor::new(text.into_bytes()),
                Some(None) => self.ended = true,
                None => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the window did not send all of it")),
            }
        }
    }
}

impl Importing {
    pub(crate) fn begin(engine: Engine, on_broken: OnBroken) -> Self {
        let (pieces, coming) = mpsc::channel(WAITING);
        let reader = BufReader::new(Pieces { coming, current: io::Cursor::default(), ended: false });
        let job = tokio::spawn(async move { engine.import_threads(reader, on_broken).await });
        Self { pieces, job }
    }

    /// Where the next pieces go.
    pub(crate) fn pieces(&self) -> mpsc::Sender<Option<String>> {
        self.pieces.clone()
    }

    /// The end of the text, or, where it is not `whole`, of trying.
    ///
    /// # Errors
    /// What kept the file from being taken in; nothing of it was then.
    pub(crate) async fn end(self, whole: bool) -> Result<ImportOutcome, EngineError> {
        if whole {
            let _ = self.pieces.send(None).await;
        }
        drop(self.pieces);
        self.job.await.unwrap_or(Err(EngineError::Gone))
    }
}
