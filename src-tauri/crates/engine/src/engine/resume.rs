//! Going on with runs that were interrupted.

use nexi_core::protocol::Notice;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use nexi_core::{
    ports::{Failure, OwnCause},
    protocol::{EndReason, Event, ResearcherId},
    run::{AnyRun, Asked, Effect, Input},
    settings::DOCUMENTS,
    user_tools::UserTool,
};
use nexi_store::{StoreError, history::StoredSource};

use super::{
    Engine,
    ask::{choose, fail},
    attach, blocking,
    thread::whole_journal,
};
use crate::{
    EngineError,
    driver::{Driver, Effects, Folded, fold, now_ms},
    live::{Live, Subscription},
};

impl Engine {
    /// Picks an interrupted run up where it was: nothing that had been received is asked for again.
    ///
    /// # Errors
    /// When there is no such run, or a key is missing.
    pub async fn resume(&self, id: Option<&str>) -> Result<Subscription, EngineError> {
        self.refresh_settings();
        self.check_mistakes()?;
        let mut settings = self.settings();
        let history = self.inner.history.clone();
        let wanted = id.map(str::to_owned);
        let (turn, journal) = blocking(move || {
            let turn = history.find_interrupted(wanted.as_deref())?;
            let journal = history.read_journal(&turn)?;
            Ok::<_, StoreError>((turn, journal))
        })
        .await??;
        let asked = match journal.first().map(|entry| &entry.input) {
            Some(Input::Asked { asked }) => asked.as_ref().clone(),
            _ => Asked::default(),
        };
        choose(&mut settings, asked.provider.as_deref(), asked.focus)?;
        if !asked.sites.is_empty() {
            settings.search.include_sites.clone_from(&asked.sites);
        }
        // Its queries were not looked at on their way to the web, or to corpora that it did not know, and none may go there now.
        let may_be_asked = |name: &&String| match settings.is_corpus(name) {
            true => asked.corpora.contains(name),
            false => !asked.searches_here || *name == DOCUMENTS,
        };
        settings.search_backends = settings.search_backends.iter().filter(may_be_asked).cloned().collect();
        let folders: Vec<PathBuf> = asked.folders.iter().map(PathBuf::from).collect();
        let files = attach::files(&asked.attached);
        let handbook = self.handbook_folder();
        let mut roots = self.roots_of(&settings, &folders, asked.only_folders);
        roots.retain(|root| files.is_empty() || *root != handbook);
        let may_look_back = asked.library && settings.past_research;
        let past = if may_look_back { self.past_research(Some(self.thread_of(Some(&turn)).await?)).await? } else { None };
        let mut parts = self.parts(&settings, &roots, &files, past).await?;
        if !asked.tools.is_empty() {
            // What is no longer what it was, or no longer granted, is not called any more.
            let private = asked.tools.iter().any(|tool| tool.fleeting);
            let (now, toolbox) = self.user_tools(&settings, asked.focus, private).await?;
            let is_still = |name: &str| {
                asked.tools.iter().any(|before| before.name == name && now.iter().any(|tool| tool.name == name && tool.is_still(before)))
            };
            parts.toolbox = toolbox.only(is_still).asking(asked.may_ask);
        }
        let history = self.inner.history.clone();
        let owned = turn.clone();
        // Read again once it is ours: until then another process could have gone on with it.
        let (thread, journal, has_later_turns) = blocking(move || {
            let thread = history.take_over(&owned)?;
            // What cannot be read now may be readable another time.
            let journal = whole_journal(&history, &thread, &owned).inspect_err(|_| drop(history.hand_back(&owned)))?;
            let is_last = history.outlines(&thread)?.last().is_some_and(|last| last.id == owned);
            Ok::<_, StoreError>((thread, journal, !is_last))
        })
        .await??;
        let before = journal.last().map_or(0, |entry| entry.elapsed_ms);
        let live = Arc::new(Live::new(turn, thread, before));
        let seq = journal.len() as u64;
        let mut told = Effects::new(live.clone());
        // What is not done yet is known when all of it is folded.
        let (folded, mut told) = blocking(move || {
            let folded = fold(journal, has_later_turns, |_, effects, at| drop(told.take(effects, at)));
            (folded, told)
        })
        .await?;
        let Some(Folded { run, waited }) = folded else {
            fail(&self.inner.history, &live, EndReason::JournalUnreadable).await;
            return Err(Failure::because(OwnCause::JournalUnreadable).into());
        };
        if let Err(error) = self.keep_sources(&run, &live, told.take_read()).await {
            fail(&self.inner.history, &live, EndReason::NotSaved { why: error.to_string() }).await;
            return Err(error);
        }
        let mut effects = Vec::new();
        if !told.has_ended() {
            live.push(Event::Notice { notice: Notice::Resumed });
            effects = run.outstanding();
            effects.retain(|effect| !uncertain(effect, None, &asked.tools, &live));
        }
        let target = asked.time_target.map(|seconds| Duration::from_secs(seconds.into()));
        let history = self.inner.history.clone();
        let afterwards = Some(self.tell_afterwards(live.turn.clone()));
        let driver = Driver { seq, time_target: target, waited, afterwards, effects: told, ..Driver::new(history, parts, live, run) };
        Ok(self.start(driver, effects, roots, Vec::new()))
    }

    /// Keeps pages whose text had not been kept when the process went away; those that had are left as they are.
    async fn keep_sources(&self, run: &AnyRun, live: &Live, numbers: Vec<u32>) -> Result<(), EngineError> {
        let sources: Vec<StoredSource> = numbers
            .into_iter()
            .filter_map(|number| Some(StoredSource { number, page: run.source(number)?.clone(), read_ms: now_ms() }))
            .collect();
        let (history, thread) = (self.inner.history.clone(), live.thread.clone());
        Ok(blocking(move || history.add_sources(&thread, &sources)).await??)
    }
}

/// Whether an effect is a call that may have changed something before the interruption. It is not made again; the run is
/// told that nobody knows.
fn uncertain(effect: &Effect, of: Option<ResearcherId>, tools: &[UserTool], live: &Live) -> bool {
    match effect {
        Effect::Of { researcher, effect } => uncertain(effect, Some(*researcher), tools, live),
        Effect::Call { key, tool, .. } if !tools.iter().any(|known| known.name == *tool && known.reads) => {
            let unknown = Failure::because(OwnCause::UnknownCall);
            let input = Input::Called { key: *key, result: Err(unknown) };
            live.command(match of {
                Some(researcher) => Input::Of { researcher, input: Box::new(input) },
                None => input,
            });
            true
        }
        _ => false,
    }
}
