//! Where the key of a service comes from.

use nexi_core::{
    ports::{Failure, OwnCause},
    settings::Provider,
};
use nexi_messages::say;
use nexi_store::keys;
use secrecy::{ExposeSecret, SecretString};

use crate::EngineError;

/// The provider's key. A variable that nobody named is read only for the service it belongs to:
/// a key must not go to another host because the variable happens to be set.
pub(super) fn key(name: &str, provider: &Provider) -> Result<Option<SecretString>, EngineError> {
    let variable = variable(provider);
    match keys::find(name, variable) {
        Ok(key) => Ok(key),
        // Services that need no key go on without one.
        Err(error) if variable.is_none() => {
            tracing::warn!(provider = name, %error, "the keyring could not be read");
            Ok(None)
        }
        Err(error) => {
            tracing::warn!(provider = name, %error, "the keyring could not be read");
            Err(EngineError::Web(Failure::because(OwnCause::KeyUnread { service: name.to_owned(), message: error.to_string() })))
        }
    }
}

/// The variable that a provider takes its key from.
pub(crate) fn variable(provider: &Provider) -> Option<&str> {
    provider.api_key_env.as_deref().or_else(|| provider.own_key_env())
}

/// Whether this can be a key at all.
pub(crate) fn check_key(key: &SecretString) -> Result<(), EngineError> {
    let text = key.expose_secret().trim();
    let problem = |message: String| Err(EngineError::invalid("key", message));
    if text.is_empty() {
        return problem(say!("arguments-key.empty"));
    }
    if text.len() > 4096 || !text.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
        return problem(say!("arguments-key.characters"));
    }
    Ok(())
}

/// Whether this can be a password at all.
pub(crate) fn check_password(password: &SecretString) -> Result<(), EngineError> {
    let text = password.expose_secret();
    match text {
        "" => Err(EngineError::invalid("key", say!("arguments-key.empty"))),
        _ if text.len() > 4096 || text.chars().any(char::is_control) => Err(EngineError::invalid("key", say!("arguments-key.characters"))),
        _ => Ok(()),
    }
}

/// The provider's key and its further ones.
pub(super) fn all_keys(name: &str, provider: &Provider) -> Result<Vec<SecretString>, EngineError> {
    let mut out: Vec<SecretString> = key(name, provider)?.into_iter().collect();
    for (index, variable) in provider.more_key_envs.iter().enumerate() {
        match keys::find(&format!("{name}#{}", index + 2), Some(variable)) {
            Ok(Some(key)) => out.push(key),
            Ok(None) => tracing::warn!(provider = name, variable, "a further key is not there"),
            Err(error) => tracing::warn!(provider = name, %error, "a further key could not be read"),
        }
    }
    Ok(out)
}
