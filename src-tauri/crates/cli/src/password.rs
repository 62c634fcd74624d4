//! Passwords of databases: from a variable, or asked for once.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::EngineError;
use nexi_engine::core::ports::DatabaseCause;
use nexi_messages::say;
use secrecy::SecretString;

use crate::start;

/// The variable that libpq takes a password from.
pub const VARIABLE: &str = "PGPASSWORD";

/// What it holds.
pub fn known() -> Option<String> {
    std::env::var(VARIABLE).ok().filter(|password| !password.is_empty())
}

/// Does this with what is in a database; where its password is missing, the variable's is taken, or a person at a terminal is
/// asked for it once. Returns also the password that was used besides one that is kept.
pub async fn reached<D, T>(
    database: D,
    with_password: impl FnOnce(D, SecretString) -> D,
    work: impl AsyncFn(&D) -> Result<T, EngineError>,
) -> Result<(D, T, Option<String>)> {
    let known = known();
    match work(&database).await {
        Err(EngineError::Database(DatabaseCause::PasswordMissing { user, .. })) if known.is_some() || std::io::stdin().is_terminal() => {
            let password = match known {
                Some(password) => password,
                None => start::hidden(&say!("nexi-corpus-password", user = user)).await?,
            };
            let database = with_password(database, password.clone().into());
            let done = work(&database).await?;
            Ok((database, done, Some(password)))
        }
        done => Ok((database, done?, known)),
    }
}
