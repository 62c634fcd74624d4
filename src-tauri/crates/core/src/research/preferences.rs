//! How the person likes answers.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::problem::Problem;

/// Letters of the name of a language.
const MAX_LANGUAGE: usize = 40;

/// How answers of models should be. What a question asks for takes precedence.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Preferences {
    /// The language of answers, in any words, such as `German`; none is that of the question.
    #[serde(default)]
    pub language: Option<String>,
    #[serde(default)]
    pub units: Option<Units>,
    #[serde(default)]
    pub length: Option<AnswerLength>,
}

/// The units in which quantities are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    Metric,
    /// Those of the United States.
    Imperial,
}

/// How long answers should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum AnswerLength {
    Short,
    Medium,
    Long,
}

impl Units {
    pub fn parse(word: &str) -> Option<Self> {
        match word.trim() {
            "metric" => Some(Units::Metric),
            "imperial" => Some(Units::Imperial),
            _ => None,
        }
    }
}

impl AnswerLength {
    pub fn parse(word: &str) -> Option<Self> {
        match word.trim() {
            "short" => Some(AnswerLength::Short),
            "medium" => Some(AnswerLength::Medium),
            "long" => Some(AnswerLength::Long),
            _ => None,
        }
    }
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
            let message = format!("must be the name of a language, such as German, in at most {MAX_LANGUAGE} letters");
            out.push(Problem::new("preferences.language", message));
        }
    }
}
