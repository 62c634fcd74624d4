//! Why a run ended as it did, as facts. Frontends make sentences of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::ModelError;
use crate::ports::Cause;

/// One thing that has to be known of how a run ended: what stopped it, what became of its answer, or what
/// the answer does not rest on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum EndReason {
    // What stopped it.
    /// The cost limit, in millionths of a US dollar, is almost reached.
    CostLimit {
        #[ts(type = "number")]
        millionths: u64,
    },
    TokenLimit {
        #[ts(type = "number")]
        tokens: u64,
    },
    /// A limit of money and one of tokens, one of which is almost reached.
    LimitNear,
    StepLimit {
        steps: u32,
    },
    TimeTarget,
    /// The person wanted what there was.
    AnswerWanted,
    ReportWanted,
    Cancelled,
    /// The model asked for the same things three times in a row.
    SameCalls,
    ContextFull,
    /// A reply with calls of tools was cut off.
    ReplyCutOff,
    /// The provider refused to answer.
    Refused,
    ReportRefused,
    NoReport,
    /// The model sent nothing, twice.
    NothingSent,
    /// The model used its whole reply for thinking.
    ThoughtsCutOff {
        tokens: u32,
    },
    /// The model could not be used; what was wrong with it, as an English sentence and as facts. Earlier versions kept
    /// the sentence alone.
    ModelFailed {
        message: String,
        #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "crate::research::lenient::if_known")]
        error: Option<Box<ModelError>>,
    },
    /// All researchers of a round failed, for the reasons that follow.
    ResearchersFailed {
        round: u32,
    },
    ResearchersStopped {
        round: u32,
    },
    AllResearchersStopped,
    NoResearcherFoundAnything,
    /// Of a researcher whose run was over before it was done.
    NotFinished,
    /// Of a researcher that the person stopped.
    StoppedByPerson,
    NotStarted,
    Interrupted,
    /// A fault of Nexi's own.
    BrokeDown,
    /// Its journal could not be written; why, as a sentence.
    NotSaved {
        why: String,
    },
    /// Its journal cannot be read.
    JournalUnreadable,

    // What became of the answer.
    /// The answer breaks off where the model failed.
    BreaksOff,
    /// The answer is put together from the sources, without the model.
    WithoutModel,
    NoAnswerWritten,
    NoAnswerAndNoPage,
    NoCompleteAnswer,
    /// Nothing of a limit was left for the answer itself.
    NothingLeftForAnswer,
    AnswerUsesWhatWasFound,
    ReportUsesWhatWasFound,
    /// It is cut off at the limit that stands before this.
    AnswerCutThere,
    /// It is cut off at the output limit of the model.
    AnswerCutOff,
    ReportCutOff,
    /// The report is cut off, and what the researchers handed in stands below it.
    ReportCutWithFindings,
    /// The report names no source, and what the researchers handed in stands below it.
    ReportWithoutSources,
    FindingsInstead,
    NoReportYet,
    /// What researchers had read is put together.
    PutTogether,
    NothingFoundYet,
    NothingAnswers,

    // What has to be known of it.
    /// Another model answered because the first one failed; why, as an English sentence and as facts. Earlier versions
    /// kept the sentence alone.
    TakenOver {
        why: String,
        model: String,
        #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "crate::research::lenient::if_known")]
        error: Option<Box<ModelError>>,
    },
    /// Attachments that could not be read, and why each of them could not. Earlier versions kept the names alone.
    UnreadAttachments {
        names: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty", default, deserialize_with = "crate::research::lenient::known_ones")]
        causes: Vec<Cause>,
    },
    /// No page was read.
    OwnKnowledge,
    /// A sentence: what an engine reports, and what earlier versions kept.
    Told {
        text: String,
    },
    /// A reason that only a newer version knows.
    #[serde(other)]
    Unknown,
}

/// The reasons of an ending, in the order of the sentences.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS, JsonSchema)]
#[serde(transparent)]
pub struct Reasons(pub Vec<EndReason>);

impl EndReason {
    /// The model could not be used.
    pub fn model_failed(error: &ModelError) -> Self {
        Self::ModelFailed { message: error.to_string(), error: Some(Box::new(error.clone())) }
    }
}

impl Reasons {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These and one more.
    #[must_use]
    pub fn and(mut self, reason: EndReason) -> Self {
        self.0.push(reason);
        self
    }

    pub fn has(&self, reason: &EndReason) -> bool {
        self.0.contains(reason)
    }

    /// As text for a column of a database.
    pub fn to_column(&self) -> Option<String> {
        (!self.is_empty()).then(|| serde_json::to_string(self).unwrap_or_default())
    }

    /// Reads a column. A sentence that an earlier version kept becomes [`EndReason::Told`].
    pub fn from_column(text: &str) -> Self {
        // Earlier versions kept a plain sentence.
        serde_json::from_str(text).unwrap_or_else(|_| if text.starts_with("[{") { EndReason::Unknown.into() } else { text.into() })
    }
}

impl From<EndReason> for Reasons {
    fn from(reason: EndReason) -> Self {
        Self(vec![reason])
    }
}

impl From<String> for Reasons {
    fn from(text: String) -> Self {
        Self(if text.is_empty() { Vec::new() } else { vec![EndReason::Told { text }] })
    }
}

impl From<&str> for Reasons {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl FromIterator<EndReason> for Reasons {
    fn from_iter<I: IntoIterator<Item = EndReason>>(reasons: I) -> Self {
        Self(reasons.into_iter().collect())
    }
}

impl Extend<EndReason> for Reasons {
    fn extend<I: IntoIterator<Item = EndReason>>(&mut self, reasons: I) {
        self.0.extend(reasons);
    }
}

impl IntoIterator for Reasons {
    type Item = EndReason;
    type IntoIter = std::vec::IntoIter<EndReason>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A list, or the sentence that earlier versions wrote.
impl<'de> Deserialize<'de> for Reasons {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Kept {
            List(Vec<serde_json::Value>),
            Sentence(String),
        }
        Ok(match Option::<Kept>::deserialize(deserializer)? {
            // One that is not understood costs no other.
            Some(Kept::List(list)) => list.into_iter().map(|one| serde_json::from_value(one).unwrap_or(EndReason::Unknown)).collect(),
            Some(Kept::Sentence(text)) => Self::from(text),
            None => Self::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_earlier_versions_are_read() {
        for kept in ["\"Stopped. What was found is kept.\"", "[{\"code\":\"told\",\"text\":\"Stopped. What was found is kept.\"}]"] {
            let reasons: Reasons = serde_json::from_str(kept).unwrap();
            assert_eq!(reasons, Reasons::from("Stopped. What was found is kept."));
        }
        assert_eq!(serde_json::from_str::<Reasons>("null").unwrap(), Reasons::default());
        assert_eq!(Reasons::from_column("Stopped."), Reasons::from("Stopped."));
        let both = Reasons::from(EndReason::CostLimit { millionths: 620_000 }).and(EndReason::NothingLeftForAnswer);
        assert_eq!(Reasons::from_column(&both.to_column().unwrap()), both);
        assert_eq!(Reasons::default().to_column(), None);
    }

    #[test]
    fn reasons_of_later_versions_cost_nothing_else() {
        let both = r#"[{"code":"moon_full","phase":3},{"code":"cancelled"}]"#;
        let known = Reasons(vec![EndReason::Unknown, EndReason::Cancelled]);
        assert_eq!(serde_json::from_str::<Reasons>(both).unwrap(), known);
        assert_eq!(Reasons::from_column(both), known);
        assert_eq!(Reasons::from_column(r#"[{"code":"cost_limit"}]"#), EndReason::Unknown.into());
        let failed = r#"[{"code":"model_failed","message":"It hums.","error":{"kind":"hums","provider":"work"}}]"#;
        assert_eq!(Reasons::from_column(failed), EndReason::ModelFailed { message: "It hums.".into(), error: None }.into());
    }
}
