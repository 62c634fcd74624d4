//! What was found out about an answer's citations and statements.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How well a sentence of an answer is supported by what it cites, as far as words, numbers and names can tell.
/// Ordered from well to badly supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// A passage says it: its numbers and names agree, and so do most of its words.
    Supported,
    /// A passage is about the same, but something in the sentence is not in it.
    #[default]
    #[serde(alias = "weak")]
    PartlySupported,
    /// It cites nothing. Only statements can be, never citations.
    Uncited,
    /// Nothing in the source comes near the sentence.
    #[serde(alias = "not_found")]
    NotSupported,
    /// A passage says otherwise: another number in the same place, the opposite, or that it is not so.
    Contradicted,
}

impl Support {
    /// As the protocol writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::PartlySupported => "partly_supported",
            Self::Uncited => "uncited",
            Self::NotSupported => "not_supported",
            Self::Contradicted => "contradicted",
        }
    }
}

/// By what a citation was recognised that the model had not written itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Detection {
    /// The sentence names the source's address.
    Url,
    /// It names the host and part of the path.
    Path,
    /// It names the host, which no other source has.
    Host,
    /// It quotes the source word for word.
    Quote,
}

/// A `[n]` in the answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
pub struct Citation {
    /// The number as written.
    pub number: u32,
    /// Which `[n]` of the answer this is, counted from 0 over all numbers in order.
    pub ordinal: u32,
    /// Byte of the answer where its bracket begins; 0, like the end, in turns of versions that did not note it.
    #[serde(default)]
    #[ts(type = "number")]
    pub start: usize,
    /// Byte just behind the bracket. Several numbers of one bracket share it.
    #[serde(default)]
    #[ts(type = "number")]
    pub end: usize,
    /// Index into the source's `passages`; none when no passage was found or the number is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub passage: Option<u32>,
    /// False when no source has this number.
    pub known: bool,
    /// What was found for it in its source.
    #[serde(default)]
    pub support: Support,
    /// The numbers, names and words of the sentence that the passage does not hold, as the answer writes them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub missing: Vec<String>,
    /// Present when the model forgot the number and Nexi put it there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub detected: Option<Detection>,
}

/// A sentence of an answer that says something which can be true or false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Statement {
    /// Byte of the answer where it begins.
    #[ts(type = "number")]
    pub start: usize,
    /// Byte just behind it, its citations included.
    #[ts(type = "number")]
    pub end: usize,
    /// The best that any of its citations found, and the worst of its parts where it cites for several.
    pub support: Support,
}

/// What the model's second look changed about a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CorrectionKind {
    /// It reads differently now.
    Corrected,
    /// It cites another source.
    Recited,
    /// It was struck out: no source says it.
    Struck,
}

/// A statement that a second look changed. What it says now was judged like every other statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Correction {
    pub kind: CorrectionKind,
    /// Byte of the answer where the statement begins now.
    #[ts(type = "number")]
    pub start: usize,
    /// Byte just behind it.
    #[ts(type = "number")]
    pub end: usize,
    /// As the model had written it first, in Markdown.
    pub before: String,
}

/// The model's second look at the statements that were not supported.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
pub struct SecondLook {
    /// Statements that were looked at.
    pub looked_at: u32,
    /// Those of which it showed the words that support them.
    pub confirmed: u32,
    /// Those that it changed, in the order of the answer.
    pub corrections: Vec<Correction>,
    /// It was requested and failed: there was no reply, or none that could be read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub failed: bool,
}

/// How many statements an answer makes, by their support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
pub struct StatementCounts {
    pub all: u32,
    pub supported: u32,
    pub partly_supported: u32,
    pub not_supported: u32,
    pub contradicted: u32,
    pub uncited: u32,
    /// Citations whose number no source has.
    #[serde(default)]
    pub unknown: u32,
}
