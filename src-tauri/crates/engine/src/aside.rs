//! Work that takes a core for a while, out of the way of everything that waits.

use tokio::runtime::{Handle, RuntimeFlavor};

use crate::EngineError;

/// Does work that blocks on this thread, which the runtime gives no other task meanwhile. For work that needs what the task
/// borrows; what can be moved goes to [`blocking`].
pub fn aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // One thread for everything, as tests have it: nowhere to go.
        _ => work(),
    }
}

/// Runs blocking work on the pool made for it.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, EngineError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| EngineError::Gone)
}
