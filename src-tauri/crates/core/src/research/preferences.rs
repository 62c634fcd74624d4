//! How the person likes answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::problem::{Problem, Wrong};

/// Letters of the name of a language.
const MAX_LANGUAGE: usize = 40;

/// How answers of models should be. What a question asks for takes precedence.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Preferences {
    /// The language of answers, in any words, such as `German`; none is that of the question.
    #[serde(deserialize_with = "filled")]
    pub language: Option<String>,
    /// The units in which quantities are given; without it those of the source.
    #[serde(deserialize_with = "filled")]
    pub units: Option<Units>,
    /// How long answers are; without it as long as the question asks for.
    #[serde(deserialize_with = "filled")]
    pub length: Option<AnswerLength>,
}

/// The units in which quantities are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// Metres, kilograms, degrees Celsius.
    Metric,
    /// Those of the United States.
    Imperial,
}

/// How long answers should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnswerLength {
    Short,
    Medium,
    Long,
}

/// Text that is not blank. For settings that count as not set where they are.
pub(crate) fn filled<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?.filter(|text| !text.trim().is_empty());
    text.map(|text| T::deserialize(serde::de::IntoDeserializer::into_deserializer(text))).transpose()
}

impl Preferences {
    /// Whether nothing is preferred.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn check(&self, out: &mut Vec<Problem>) {
        let fits = |language: &String| {
            let letters = language.trim().chars().count();
            letters > 0 && letters <= MAX_LANGUAGE && !language.contains(['\n', '<', '>', '{', '}'])
        };
        if self.language.as_ref().is_some_and(|language| !fits(language)) {
            out.push(Problem::new("preferences.language", Wrong::LanguageName { most: MAX_LANGUAGE }));
        }
    }
}
