//! Times that tests let pass.

use std::time::Duration;

/// Lets this time pass: before a look at what must not have happened meanwhile, or where the time itself is what counts,
/// such as a pause that a service asks for. What must happen is waited for until it does, however long that takes; a
/// test of the house finds other sleeps.
pub async fn let_pass(time: Duration) {
    tokio::time::sleep(time).await;
}
