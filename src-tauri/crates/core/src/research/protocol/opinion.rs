//! What another model says about the same sources.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Citation, Statement, Usage};

/// How statements of two answers compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// Both say it.
    Agrees,
    /// Both speak of it; words of one are not in the other.
    Similar,
    /// They say different things: another number or name, or the opposite.
    Differs,
    /// The first answer alone says it.
    OnlyFirst,
    /// The second answer alone says it.
    OnlySecond,
}

/// Two statements that belong together, or one that stands alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Compared {
    pub agreement: Agreement,
    /// The statement of the first answer, as plain text without citations.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub first: Option<String>,
    /// That of the second.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub second: Option<String>,
    /// Words, numbers and names of the first that the second does not have.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub missing: Vec<String>,
}

/// Another model's answer from the same sources, beside the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct SecondOpinion {
    /// Who gave it.
    pub model: String,
    /// Markdown with `[n]`, the numbers of the thread.
    pub answer: String,
    pub citations: Vec<Citation>,
    pub statements: Vec<Statement>,
    /// First those of the first answer, in its order, then those that only the second has.
    pub compared: Vec<Compared>,
    pub usage: Usage,
}

impl SecondOpinion {
    /// How many statements compare like this.
    pub fn count(&self, agreement: Agreement) -> usize {
        self.compared.iter().filter(|compared| compared.agreement == agreement).count()
    }
}
