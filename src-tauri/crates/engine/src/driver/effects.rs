//! What becomes of a run's effects, whether the run is new, carried out, or told by its journal.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use nexi_core::{
    protocol::{Ending, Event},
    run::{AnyRun, Effect, Input},
};
use nexi_store::history::Journaled;

use crate::{live::Live, wiring};

/// Tells the frontends what there is to tell, and notes what has to be kept.
pub(crate) struct Effects {
    live: Arc<Live>,
    /// Handles of pages whose texts are not kept yet.
    to_keep: Vec<u32>,
    milestones: usize,
    end: Option<End>,
}

/// How a run ended.
pub(crate) struct End {
    pub ending: Ending,
    /// The numbers that pages have in the end, by the handles under which they are kept until then.
    pub numbers: BTreeMap<u32, u32>,
}

impl Effects {
    pub(crate) fn new(live: Arc<Live>) -> Self {
        Self { live, to_keep: Vec::new(), milestones: 0, end: None }
    }

    /// Takes effects that a run wanted after so many milliseconds; those that are still to be performed.
    pub(crate) fn take(&mut self, effects: Vec<Effect>, elapsed_ms: u64) -> Vec<Effect> {
        let mut to_do = Vec::new();
        for effect in effects {
            match effect {
                Effect::Emit(event) => {
                    self.to_keep.extend(page_read(&event));
                    self.milestones += usize::from(is_milestone(&event));
                    self.live.push_at(event, elapsed_ms);
                }
                Effect::Finish { ending, numbers } => self.end = Some(End { ending: *ending, numbers }),
                effect => to_do.push(effect),
            }
        }
        to_do
    }

    /// Handles of pages that were read since this was asked last.
    pub(crate) fn take_read(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.to_keep)
    }

    /// How often the run has come further, so that it should be seen after a crash.
    pub(crate) fn milestones(&self) -> usize {
        self.milestones
    }

    /// Whether the run has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    pub(crate) fn take_end(&mut self) -> Option<End> {
        self.end.take()
    }
}

/// Whether a deep run has come further by this.
fn is_milestone(event: &Event) -> bool {
    matches!(event, Event::Phase { .. } | Event::PlanMade { .. } | Event::ResearcherStarted { .. } | Event::ResearcherEnded { .. })
}

/// The handle of the page that was read, where an event tells of one.
fn page_read(event: &Event) -> Option<u32> {
    match event {
        Event::PageRead { number, .. } => Some(*number),
        Event::Researcher { event, .. } => page_read(event),
        _ => None,
    }
}

/// A run as its journal leaves it.
pub(crate) struct Folded {
    pub run: AnyRun,
    /// What a person took to look at a plan.
    pub waited: Duration,
}

/// Folds a journal; `each` is given every input with the effects that it had and the milliseconds after which it came.
/// None where the journal does not begin with a question.
///
/// A run `keeps_handles` that was resumed after somebody had asked on in its thread.
pub(crate) fn fold(journal: Vec<Journaled>, keeps_handles: bool, mut each: impl FnMut(&Input, Vec<Effect>, u64)) -> Option<Folded> {
    let mut entries = journal.into_iter();
    let Journaled { input: first, elapsed_ms } = entries.next()?;
    let Input::Asked { asked } = &first else { return None };
    // Counted as it was at the beginning, whatever the settings say now.
    let (mut run, effects) = AnyRun::begin_as(asked.as_ref().clone(), wiring::counter(&asked.encoding), keeps_handles);
    each(&first, effects, elapsed_ms);
    let (mut waited, mut before) = (0, elapsed_ms);
    for Journaled { input, elapsed_ms } in entries {
        if run.proposed().is_some() {
            waited += elapsed_ms.saturating_sub(before);
        }
        before = elapsed_ms;
        let effects = run.step(input.clone());
        each(&input, effects, elapsed_ms);
    }
    Some(Folded { run, waited: Duration::from_millis(waited) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nexi_core::{
        ids::{ThreadId, TurnId},
        model::Reply,
        protocol::TurnState,
        run::Asked,
    };

    fn journal() -> Vec<Journaled> {
        let asked = Asked { question: "Why is the sea salty?".into(), assisted: true, ..Asked::default() };
        let reply = Reply { text: "Rivers carry salt into it.".into(), ..Reply::default() };
        let inputs = [Input::Asked { asked: Box::new(asked) }, Input::Replied { request: 1, reply }];
        inputs.into_iter().zip([0, 700]).map(|(input, elapsed_ms)| Journaled { elapsed_ms, input }).collect()
    }

    #[test]
    fn a_journal_is_told_at_its_own_times_and_ends_as_it_did() {
        let live = Arc::new(Live::new(TurnId("turn".into()), ThreadId("thread".into()), 0));
        let mut effects = Effects::new(live.clone());
        let mut left = 0;
        let folded = fold(journal(), false, |_, wanted, at| left += effects.take(wanted, at).len()).expect("a question comes first");
        assert_eq!(left, 1, "nothing but the request to the model is left to be performed");
        assert!(folded.run.is_over() && effects.has_ended());
        assert_eq!(effects.take_end().map(|end| end.ending.state), Some(TurnState::Answered));
        let events = live.kept_events();
        assert_eq!(events.first().map(|event| event.elapsed_ms), Some(0));
        assert!(!events.iter().any(|event| matches!(event.event, Event::Ended { .. })), "frontends hear of the end once it is saved");
    }

    #[test]
    fn what_does_not_begin_with_a_question_is_no_journal() {
        assert!(fold(Vec::new(), false, |_, _, _| {}).is_none());
        assert!(fold(journal().split_off(1), false, |_, _, _| {}).is_none());
    }
}
