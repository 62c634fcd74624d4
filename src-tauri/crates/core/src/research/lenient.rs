//! Reading what a later version of Nexi may have written.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};

/// None for a kind that only later versions know: the sentence beside it says what happened.
pub(super) fn if_known<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<Box<T>>, D::Error> {
    let value = Option::<serde_json::Value>::deserialize(deserializer)?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()))
}

/// None of them where one is of a kind that only later versions know.
pub(super) fn known_ones<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}
