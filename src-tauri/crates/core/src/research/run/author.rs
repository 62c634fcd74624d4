//! Who writes the answer: the model that was asked, or one that took over from it.

use crate::{
    model::{Instead, ModelError},
    protocol::{EndReason, Event, Incident, IncidentAction, Notice},
};

/// A model that took over from the one that was asked first.
#[derive(Debug)]
struct FallbackModel {
    model: String,
    /// Why; none where no failure was told.
    why: Option<Box<ModelError>>,
}

/// The author of an answer, and what went wrong and decided who that is.
#[derive(Debug, Default)]
pub(super) struct Author {
    stand_in: Option<FallbackModel>,
    incident: Option<Incident>,
}

impl Author {
    /// Another model wrote a reply. What has to be told, where that is news.
    pub(super) fn fell_back_to(&mut self, instead: &Instead) -> Option<Event> {
        if self.stand_in() == Some(&instead.model) {
            return None;
        }
        let before = self.stand_in.take().and_then(|before| before.why);
        let why = instead.error.clone().or(before);
        self.stand_in = Some(FallbackModel { model: instead.model.clone(), why });
        Some(match Incident::of_instead(instead) {
            Some(incident) => {
                self.incident = Some(incident.clone());
                Event::Incident { incident }
            }
            None => Event::Notice { notice: Notice::NextModel { why: instead.why.clone(), model: instead.model.clone() } },
        })
    }

    /// The model that was chosen wrote a reply of the conversation.
    pub(super) fn primary_replied(&mut self) {
        if self.stand_in.take().is_some() {
            self.incident.take_if(|incident| matches!(incident.action, IncidentAction::NextModel { .. }));
        }
    }

    /// The model that took over.
    pub(super) fn stand_in(&self) -> Option<&str> {
        self.stand_in.as_ref().map(|stand_in| stand_in.model.as_str())
    }

    /// A researcher's stand-in is that of the run it works for.
    pub(super) fn inherit_fallback(&mut self, other: &Author) {
        if let Some(model) = other.stand_in() {
            let why = self.stand_in.take().and_then(|before| before.why);
            self.stand_in = Some(FallbackModel { model: model.to_owned(), why });
        }
    }

    /// Who answered in place of whom, and why: as an answer says it.
    pub(super) fn reason(&self) -> Option<EndReason> {
        let FallbackModel { model, why } = self.stand_in.as_ref()?;
        let why = why.as_ref()?;
        Some(EndReason::TakenOver { why: why.to_string(), model: model.clone(), error: Some(why.clone()) })
    }

    /// This decided who answers.
    pub(super) fn decided_by(&mut self, incident: Incident) {
        self.incident = Some(incident);
    }

    /// Nothing can be done about what decided it.
    pub(super) fn is_without_remedy(&mut self) {
        if let Some(incident) = &mut self.incident {
            incident.action = IncidentAction::None;
        }
    }

    /// What decided it, for the ending.
    pub(super) fn take_incident(&mut self) -> Option<Incident> {
        self.incident.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instead(model: &str, error: Option<ModelError>) -> Instead {
        Instead { model: model.into(), why: "it failed".into(), error: error.map(Box::new), builtin: false }
    }

    #[test]
    fn who_took_over_is_told_once_and_forgotten_when_the_first_model_is_back() {
        let mut author = Author::default();
        let failed = || Some(ModelError::Broken { provider: "first".into() });
        assert!(author.fell_back_to(&instead("second", failed())).is_some());
        assert!(author.fell_back_to(&instead("second", failed())).is_none());
        assert!(matches!(author.reason(), Some(EndReason::TakenOver { model, .. }) if model == "second"));
        assert!(author.fell_back_to(&instead("third", None)).is_some());
        assert!(matches!(author.reason(), Some(EndReason::TakenOver { model, .. }) if model == "third"), "the failure is still why");
        author.primary_replied();
        assert!(author.stand_in().is_none() && author.reason().is_none() && author.take_incident().is_none());
    }

    #[test]
    fn without_a_failure_there_is_no_reason_to_tell() {
        let mut author = Author::default();
        assert!(matches!(author.fell_back_to(&instead("second", None)), Some(Event::Notice { .. })));
        assert!(author.stand_in().is_some() && author.reason().is_none());
    }
}
