//! Summarising a thread by hand, so that its next questions begin with more room.

use nexi_core::{ids::ThreadId, model::Purpose, protocol::EarlierSummary, run::thread_summary, settings::SideTask};
use nexi_messages::say;
use tokio_util::sync::CancellationToken;

use super::{Engine, OpinionLimits, blocking, thread::earlier};
use crate::{EngineError, log};

impl Engine {
    /// Summarises all turns of a thread but the last one, including those that were summarised before. The next question
    /// is given the summary instead of them; the turns themselves stay as they are. Dropping the future stops it.
    ///
    /// # Errors
    /// When there is nothing to summarise, no model is connected, the thread is being answered in, the model fails, or
    /// its price is not known where the cost is limited.
    pub async fn summarise(&self, thread: &ThreadId, allowed: OpinionLimits) -> Result<EarlierSummary, EngineError> {
        self.refresh_settings();
        self.check_mistakes()?;
        let history = self.history_of(thread)?;
        self.refuse_opened_share(&history)?;
        let work = self.make_summary(thread, allowed);
        if self.is_private(&history) { log::silenced(work).await } else { work.await }
    }

    async fn make_summary(&self, thread: &ThreadId, allowed: OpinionLimits) -> Result<EarlierSummary, EngineError> {
        let wrong = |message: String| EngineError::invalid("summary", message);
        if self.is_answering(thread) {
            return Err(EngineError::Busy);
        }
        let history = self.history_of(thread)?;
        let (reading, id, handbook) = (history.clone(), thread.clone(), self.handbook_address());
        let mut known = blocking(move || earlier(&reading, &id, &handbook)).await??;
        let last = known.last.ok_or_else(|| wrong(say!("arguments-beside.no_answer_yet")))?;
        // What was said last is what the next question builds on.
        known.earlier.pop();
        if known.earlier.is_empty() {
            return Err(wrong(say!("arguments-beside.nothing_before")));
        }
        let settings = self.settings();
        let beside = self.beside(&settings, allowed).await?;
        let parts = &beside.parts;
        if !parts.assisted {
            return Err(wrong(say!("arguments-beside.no_model")));
        }
        let before = known.summary.as_ref();
        let (limits, counter) = (&beside.limits, parts.counter.as_ref());
        let request = thread_summary::request(before, &known.earlier, &settings.prompts, limits, beside.told.price, counter);
        let request = request.ok_or_else(|| wrong(say!("arguments-beside.no_room")))?;
        let side = parts.side.as_ref().filter(|side| SideTask::of(Purpose::ThreadSummary).is_some_and(|task| side.tasks.contains(&task)));
        let model = side.map_or(&parts.model, |side| &side.model);
        let reply = model.reply(&request, &|_| {}, &CancellationToken::new()).await?;
        // It was paid for, whatever it holds.
        beside.count(&history, &last, model.label(), beside.priced(&reply)).await?;
        let made = thread_summary::made(&reply.text, before, &known.earlier, limits, counter);
        let made = made.ok_or_else(|| wrong(say!("arguments-beside.no_summary", model = model.label())))?;
        let summary = made.clone();
        blocking(move || history.keep_summary(&last, &summary)).await??;
        Ok(made)
    }
}
