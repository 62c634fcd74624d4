//! The tokens of sign-ins to tool servers: kept with the keys, and renewed by one process at a time.

use std::fs::OpenOptions;
use std::path::PathBuf;
use std::time::Duration;

use nexi_store::{keys, lock::take_within, paths::make_private};
use nexi_tools::TokenStore;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

/// How long another process may take to renew a token.
const PATIENCE: Duration = Duration::from_secs(60);

/// The tokens of one server.
pub(crate) struct KeptTokens {
    /// Their name among the keys.
    pub(crate) name: String,
    /// The file that is locked while they are renewed.
    pub(crate) lock: PathBuf,
}

impl TokenStore for KeptTokens {
    fn load(&self) -> Result<Option<String>, String> {
        let found = keys::find(&self.name, None).map_err(|error| error.to_string())?;
        Ok(found.map(|kept| kept.expose_secret().to_owned()).inspect(|kept| keep_out_of_logs(kept)))
    }

    fn save(&self, tokens: &str) -> Result<(), String> {
        keep_out_of_logs(tokens);
        keys::store(&self.name, &SecretString::from(tokens.to_owned())).map_err(|error| error.to_string())
    }

    fn clear(&self) -> Result<(), String> {
        keys::remove(&self.name).map_err(|error| error.to_string())
    }

    fn lock(&self) -> Result<Box<dyn Send>, String> {
        let failed = |error: &dyn std::fmt::Display| format!("the tokens of the sign-in could not be locked ({error})");
        if let Some(folder) = self.lock.parent() {
            make_private(folder).map_err(|error| failed(&error))?;
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&self.lock).map_err(|error| failed(&error))?;
        match take_within(&file, PATIENCE) {
            Ok(()) => Ok(Box::new(file)),
            Err(std::fs::TryLockError::WouldBlock) => Err("another Nexi has been renewing this sign-in for a minute; try again".into()),
            // A file system without locks: one process alone is the usual case.
            Err(std::fs::TryLockError::Error(_)) => Ok(Box::new(())),
        }
    }
}

/// What is secret among what is kept must not get into a log by itself either.
fn keep_out_of_logs(tokens: &str) {
    fn walk(value: &Value, name: &str) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(name, value)| walk(value, name)),
            Value::String(text) if ["access_token", "refresh_token", "id_token", "client_secret"].contains(&name) => {
                keys::keep_out_of_logs(&SecretString::from(text.clone()));
            }
            _ => {}
        }
    }
    if let Ok(value) = serde_json::from_str::<Value>(tokens) {
        walk(&value, "");
    }
}
