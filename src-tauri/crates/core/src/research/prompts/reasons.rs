//! What models, and reports put together without one, are told of reasons. Models are told in English,
//! whatever the language of the program.

use crate::protocol::{EndReason, Reasons};

/// Why the answer is wanted now, as a sentence.
pub fn stopped_by(reason: &EndReason) -> String {
    match reason {
        EndReason::CostLimit { millionths } => format!("The cost limit of ${} is almost reached.", *millionths as f64 / 1e6),
        EndReason::TokenLimit { tokens } => format!("The token limit of {tokens} is almost reached."),
        EndReason::StepLimit { steps: 1 } => "The limit of 1 step is reached.".into(),
        EndReason::StepLimit { steps } => format!("The limit of {steps} steps is reached."),
        EndReason::TimeTarget => "The time target is reached.".into(),
        EndReason::AnswerWanted => "You asked for the answer now.".into(),
        EndReason::ReportWanted => "You asked for the report now.".into(),
        EndReason::SameCalls => "The model made the same calls three times in a row.".into(),
        EndReason::ContextFull => "The model's context window is full.".into(),
        EndReason::ReplyCutOff => "The model's last reply was cut off at its output limit.".into(),
        _ => "The limit for this question is almost reached.".into(),
    }
}

/// Why a task has no report, as the rest of a sentence.
pub fn unfinished(reasons: &Reasons) -> String {
    let of = |reason: &EndReason| match reason {
        EndReason::NotStarted => "not started.".into(),
        EndReason::NotFinished => "stopped before it finished.".into(),
        EndReason::StoppedByPerson => "you stopped it; what it had read is kept.".into(),
        EndReason::ModelFailed { message } | EndReason::Told { text: message } => message.clone(),
        EndReason::Refused => "The model's provider refused to answer this question.".into(),
        EndReason::NothingSent => "The model sent nothing, twice.".into(),
        EndReason::ThoughtsCutOff { .. } => "The model used its whole reply for thinking.".into(),
        EndReason::NothingAnswers => "No source answers the question.".into(),
        EndReason::NoAnswerWritten | EndReason::NoCompleteAnswer | EndReason::NoAnswerAndNoPage => "It wrote no complete report.".into(),
        EndReason::NothingLeftForAnswer => "Nothing was left for its report.".into(),
        EndReason::CostLimit { .. }
        | EndReason::TokenLimit { .. }
        | EndReason::StepLimit { .. }
        | EndReason::TimeTarget
        | EndReason::SameCalls
        | EndReason::ContextFull
        | EndReason::ReplyCutOff
        | EndReason::LimitNear => stopped_by(reason),
        _ => String::new(),
    };
    let parts: Vec<String> = reasons.0.iter().map(of).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "it has no report.".into() } else { parts.join(" ") }
}
