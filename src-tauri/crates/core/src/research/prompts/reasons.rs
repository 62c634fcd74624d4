//! Reasons in English, for prompts and for reports that are put together without a model. They do not depend on the
//! language of the program.

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
        EndReason::ModelFailed { message, .. } | EndReason::Told { text: message } => message.clone(),
        EndReason::Refused => "The model's provider refused to answer this question.".into(),
        EndReason::NothingSent => "The model sent nothing, twice. Try again, or choose another model in Settings.".into(),
        EndReason::ThoughtsCutOff { tokens } => format!(
            "The model used all {tokens} tokens of its reply for thinking and wrote no answer. Let it think less, raise max_output_tokens in Settings, or use another model."
        ),
        EndReason::NothingAnswers => "No source answers the question.".into(),
        EndReason::NoAnswerWritten => "The model wrote no answer.".into(),
        EndReason::NoAnswerAndNoPage => "No page had been read and no answer written.".into(),
        EndReason::NoCompleteAnswer => "The model wrote no complete answer; the sources it read are kept.".into(),
        EndReason::NothingLeftForAnswer => {
            "Nothing was left for the answer itself; the sources it read are kept. Raise the limit in Settings.".into()
        }
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
    if parts.is_empty() { "stopped before its researcher finished.".into() } else { parts.join(" ") }
}
