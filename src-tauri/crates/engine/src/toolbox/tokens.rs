//! The tokens of sign-ins to tool servers: kept with the keys, and renewed by one process at a time.

use std::path::PathBuf;
use std::time::Duration;

use nexi_store::{files::lock_for_change, keys};
use nexi_tools::TokenStore;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

/// How long another process may take to renew a token.
const RENEWAL_WAIT: Duration = Duration::from_secs(60);

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
        match lock_for_change(&self.lock, RENEWAL_WAIT) {
            Ok(turn) => Ok(Box::new(turn)),
            // A file system without locks: one process alone is the usual case.
            Err(error) if error.kind() == std::io::ErrorKind::Unsupported => Ok(Box::new(())),
            Err(error) => Err(format!("the tokens of the sign-in could not be locked ({error})")),
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
