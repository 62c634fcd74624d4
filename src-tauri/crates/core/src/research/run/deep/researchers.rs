//! The researchers of a deep run: who begins, who shares what with whom, and what they use.

use super::{DeepRun, Phase};
use crate::protocol::{EndReason, Reasons};
use crate::{
    ports::{Failure, Page},
    prompts::disarm,
    protocol::{Ending, Event, Findings, Progress, ResearcherId, Task, TurnState, Usage},
    rank::alike::is_context_dependent,
    run::{
        Asked, Assignment, Attachment, Earlier, Effect, Input, Key, Limits, Run,
        conversation::tokens_of,
        fit::fit,
        researcher::{self, STEPS, UNITS, note},
        sources::SourceBook,
        spending::Reservations,
    },
    text,
    urls::page_key,
};

/// Bytes of a report that others are told.
const MAX_REPORT: usize = 50_000;
/// The part of the window that reports may take up which a researcher begins with: one in so many.
const NOTES: usize = 3;
/// Tokens that the tools of a researcher take, which no message shows.
const TOOLS: u64 = 900;

/// One researcher and its run.
pub(super) struct Researcher {
    pub id: ResearcherId,
    pub task: Task,
    pub run: Run,
    pub ended: Option<Ending>,
    /// Numbers of the pages that it read.
    pub pages: Vec<u32>,
    /// Pages that it could not read.
    pub unread: u32,
    /// What its requests that are going on use at most, by their numbers; empty without a ceiling.
    reserved: Reservations,
}

impl Researcher {
    /// Whether it has ended with nothing to show.
    pub(super) fn has_failed(&self) -> bool {
        self.ended
            .as_ref()
            .is_some_and(|ending| ending.answer.trim().is_empty() && (ending.state == TurnState::Failed || self.pages.is_empty()))
    }

    /// Whether the person stopped it.
    pub(super) fn was_stopped(&self) -> bool {
        self.ended.as_ref().is_some_and(|ending| ending.state == TurnState::Cancelled)
    }

    /// Why it did not do what it was asked to.
    pub(super) fn reason(&self) -> Reasons {
        self.ended.as_ref().map(|ending| ending.reason.clone()).unwrap_or_default()
    }

    /// Its report; empty where it wrote none.
    pub(super) fn report(&self) -> &str {
        self.ended.as_ref().map_or("", |ending| ending.answer.as_str())
    }

    pub(super) fn has_reported(&self) -> bool {
        !self.report().trim().is_empty()
    }

    /// What it found where it wrote no report: the best passages of the pages it read.
    pub(super) fn unwritten(&self, book: &SourceBook) -> String {
        researcher::unwritten(book, &self.pages, &format!("{} {}", self.task.title, self.task.goal))
    }

    /// What it has to show, as material for a model; none where that is nothing.
    pub(super) fn findings(&self, book: &SourceBook) -> Option<String> {
        let (kind, body) = match self.has_reported() {
            true => ("Report", self.report().trim().to_owned()),
            false => ("No report; what stands in the pages it read", self.unwritten(book)),
        };
        if body.trim().is_empty() {
            return None;
        }
        Some(format!("## {} {}\n{kind}:\n\n{}", self.id, disarm(&self.task.title), disarm(&body)))
    }

    fn committed(&self) -> Usage {
        let mut usage = self.run.spent();
        usage += self.reserved.total();
        usage
    }
}

/// A page that is being fetched for one researcher while others want it, too.
pub(super) struct InFlightFetch {
    owner: (ResearcherId, Key),
    url: String,
    waiters: Vec<(ResearcherId, Key)>,
}

impl DeepRun {
    /// Lets as many begin as may work at the same time; with nobody at work the round is complete.
    pub(super) fn spawn_researchers(&mut self, out: &mut Vec<Effect>) {
        let most = self.options().parallel.max(1) as usize;
        while matches!(self.phase, Phase::Researching) && self.at_work() < most {
            if self.limit.is_none() && self.asked.assisted && self.round + self.researchers.len() as u32 > 1 && self.is_nearly_spent() {
                self.limit = Some(self.token_budget().reason().into());
            }
            if self.limit.is_some() {
                break;
            }
            let Some(task) = self.queue.pop_front() else { break };
            self.start(task, out);
        }
        if matches!(self.phase, Phase::Researching) && self.at_work() == 0 && !self.closing {
            self.round_complete(out);
        }
    }

    fn at_work(&self) -> usize {
        self.researchers.iter().filter(|researcher| researcher.ended.is_none()).count()
    }

    fn start(&mut self, task: Task, out: &mut Vec<Effect>) {
        let number = self.researchers.iter().filter(|researcher| researcher.id.round == self.round).count() as u32 + 1;
        let id = ResearcherId { round: self.round, number };
        out.push(Effect::Emit(Event::ResearcherStarted { researcher: id, task: task.clone() }));
        let told: Vec<&Researcher> = self.researchers.iter().filter(|other| other.has_reported()).collect();
        // They stand in front of everything and are never shortened, so they may not take up much.
        let room = self.asked.limits.compaction_threshold() / NOTES / told.len().max(1);
        let notes: Vec<String> = told
            .iter()
            .map(|other| note(&other.task.title, &fit(&text::truncate(other.report(), MAX_REPORT), room, self.counter.as_ref())))
            .collect();
        if self.asked.assisted {
            out.extend(told.iter().map(|other| Effect::Emit(Event::ReportInjected { from: other.id, to: id })));
        }
        let asked = self.assignment_for(&task, notes);
        let run = Run::new(asked, self.counter.clone());
        self.researchers.push(Researcher { id, task, run, ended: None, pages: Vec::new(), unread: 0, reserved: Reservations::default() });
        self.with_shared_state(self.researchers.len() - 1, Run::set_out, out);
    }

    /// What a researcher is asked.
    fn assignment_for(&self, task: &Task, notes: Vec<String>) -> Asked {
        let asked = &self.asked;
        let options = self.options();
        // One that is no AI understands a follow-up by the question before it.
        let earlier = match self.plan.tasks.first() {
            _ if asked.assisted => Vec::new(),
            Some(first) if first != task && is_context_dependent(&task.goal) => {
                vec![Earlier { question: first.goal.clone(), ..Earlier::default() }]
            }
            Some(first) if first != task => Vec::new(),
            _ => asked.earlier.clone(),
        };
        Asked {
            question: if asked.assisted { format!("{}: {}", task.title, task.goal) } else { task.goal.clone() },
            limits: Limits { max_steps: STEPS, ..asked.limits },
            // For the whole question, not for each of them.
            ahead: asked.ahead / self.plan.tasks.len().max(1) as u32,
            earlier,
            summary: None,
            known: Vec::new(),
            attached: self.attached.iter().map(|url| Attachment::Address { url: url.clone() }).collect(),
            tools: asked.tools.iter().filter(|tool| self.plan.tools.iter().any(|planned| planned.name == tool.name)).cloned().collect(),
            assignment: Some(Assignment { task: task.clone(), question: asked.question.clone(), tools: options.tools, notes }),
            ..asked.clone()
        }
    }

    /// Something happened to a researcher.
    pub(super) fn of(&mut self, id: ResearcherId, input: Input, out: &mut Vec<Effect>) {
        let Some(index) = self.researchers.iter().position(|researcher| researcher.id == id) else { return };
        if self.researchers[index].ended.is_some() {
            return;
        }
        if let Input::Replied { request, .. } | Input::ModelFailed { request, .. } = &input {
            self.researchers[index].reserved.release(*request);
        }
        let arrived = match &input {
            Input::PageRead { key, page } => self.take_waiters(id, *key).map(|waiters| (waiters, page.clone())),
            _ => None,
        };
        self.advance(index, input, out);
        if let Some((waiters, page)) = arrived {
            self.share(waiters, &page, out);
        }
    }

    /// A page has come: who else waits for it?
    fn take_waiters(&mut self, id: ResearcherId, key: Key) -> Option<Vec<(ResearcherId, Key)>> {
        let place = self.fetches.iter().find(|(_, fetch)| fetch.owner == (id, key)).map(|(place, _)| place.clone())?;
        self.fetches.remove(&place).map(|fetch| fetch.waiters)
    }

    fn share(&mut self, waiters: Vec<(ResearcherId, Key)>, page: &Result<Box<Page>, Failure>, out: &mut Vec<Effect>) {
        for (id, key) in waiters {
            let index = self.researchers.iter().position(|researcher| researcher.id == id && researcher.ended.is_none());
            if let Some(index) = index {
                self.advance(index, Input::PageRead { key, page: page.clone() }, out);
            }
        }
    }

    /// Gives an input to a researcher's run and carries out what it wants.
    fn advance(&mut self, index: usize, input: Input, out: &mut Vec<Effect>) {
        self.with_shared_state(index, |run, effects| effects.extend(run.step(input)), out);
    }

    /// Lends a researcher's run what all of them share, for one step of it, and carries out what it wants.
    fn with_shared_state(&mut self, index: usize, step: impl FnOnce(&mut Run, &mut Vec<Effect>), out: &mut Vec<Effect>) {
        let others = self.others(index);
        let limited = self.asked.assisted && self.token_budget().is_limited();
        let counter = self.counter.clone();
        let price = self.price();
        let researcher = &mut self.researchers[index];
        let id = researcher.id;
        researcher.run.set_others(others);
        researcher.run.swap_shared(&mut self.book, &mut self.egress);
        let before = researcher.run.spent();
        let mut effects = Vec::new();
        step(&mut researcher.run, &mut effects);
        researcher.run.swap_shared(&mut self.book, &mut self.egress);
        let mut ending = None;
        let mut orphans = Vec::new();
        for effect in effects {
            let researcher = &mut self.researchers[index];
            match effect {
                // The report of the whole run is what is streamed; these are told at their end.
                Effect::Emit(Event::Started { .. } | Event::AnswerDelta { .. } | Event::AnswerReset) => {}
                Effect::Emit(event @ Event::Sources { .. }) => out.push(Effect::Emit(event)),
                Effect::Emit(event) => {
                    match &event {
                        Event::PageRead { number, .. } if !researcher.pages.contains(number) => researcher.pages.push(*number),
                        Event::PageFailed { .. } => researcher.unread += 1,
                        _ => {}
                    }
                    out.push(Effect::Emit(Event::Researcher { researcher: id, event: Box::new(event) }));
                }
                Effect::Finish { ending: done, .. } => ending = Some(*done),
                Effect::Read { key, url } => self.fetch(id, key, url, out),
                effect => {
                    match &effect {
                        Effect::AskModel { request, body, .. } if limited => {
                            let prompt = tokens_of(&body.messages, counter.as_ref());
                            let most = price.at_most().priced(Usage::tokens(prompt + TOOLS, u64::from(body.max_output_tokens)));
                            researcher.reserved.add(*request, most);
                        }
                        Effect::Abandon => {
                            researcher.reserved.clear();
                            orphans.extend(self.abandon_fetches(id));
                        }
                        _ => {}
                    }
                    out.push(Effect::Of { researcher: id, effect: Box::new(effect) });
                }
            }
        }
        for (id, key, url) in orphans {
            self.fetch(id, key, url, out);
        }
        if self.researchers[index].run.spent() != before {
            self.tell_usage(out);
        }
        if let Some(ending) = ending {
            self.researcher_ended(index, ending, out);
        }
    }

    /// Fetches a page, unless it is being fetched for somebody else already.
    fn fetch(&mut self, id: ResearcherId, key: Key, url: String, out: &mut Vec<Effect>) {
        let place = page_key(&url);
        if let Some(fetch) = self.fetches.get_mut(&place) {
            fetch.waiters.push((id, key));
            return;
        }
        self.fetches.insert(place, InFlightFetch { owner: (id, key), url: url.clone(), waiters: Vec::new() });
        out.push(Effect::Of { researcher: id, effect: Box::new(Effect::Read { key, url }) });
    }

    /// Takes a researcher out of all fetches; those that others wait for have to begin anew.
    fn abandon_fetches(&mut self, id: ResearcherId) -> Vec<(ResearcherId, Key, String)> {
        let mut orphans = Vec::new();
        for fetch in self.fetches.values_mut() {
            fetch.waiters.retain(|(waiter, _)| *waiter != id);
        }
        let places: Vec<String> = self.fetches.iter().filter(|(_, fetch)| fetch.owner.0 == id).map(|(place, _)| place.clone()).collect();
        for place in places {
            if let Some(fetch) = self.fetches.remove(&place) {
                orphans.extend(fetch.waiters.into_iter().map(|(waiter, key)| (waiter, key, fetch.url.clone())));
            }
        }
        orphans
    }

    fn researcher_ended(&mut self, index: usize, mut ending: Ending, out: &mut Vec<Effect>) {
        if ending.state == TurnState::Cancelled {
            ending.reason = if self.closing { EndReason::NotFinished } else { EndReason::StoppedByPerson }.into();
        }
        let researcher = &mut self.researchers[index];
        let id = researcher.id;
        researcher.reserved.clear();
        self.author.inherit_fallback(researcher.run.author());
        let findings = Findings {
            state: ending.state,
            reason: ending.reason.clone(),
            report: text::truncate(&ending.answer, MAX_REPORT),
            pages: researcher.pages.len() as u32,
        };
        researcher.ended = Some(ending);
        let injected = findings.report.clone();
        let title = researcher.task.title.clone();
        out.push(Effect::Emit(Event::ResearcherEnded { researcher: id, findings }));
        for (waiter, key, url) in self.abandon_fetches(id) {
            self.fetch(waiter, key, url, out);
        }
        if self.closing {
            return;
        }
        if self.asked.assisted && !injected.trim().is_empty() {
            for other in self.researchers.iter_mut().filter(|other| other.ended.is_none()) {
                other.run.add_note(note(&title, &injected));
                out.push(Effect::Emit(Event::ReportInjected { from: id, to: other.id }));
            }
        }
        self.spawn_researchers(out);
    }

    /// Sends everybody home; what they had found is kept.
    pub(super) fn cancel_all(&mut self, out: &mut Vec<Effect>) {
        self.closing = true;
        for index in 0..self.researchers.len() {
            if self.researchers[index].ended.is_none() {
                self.advance(index, Input::Cancelled, out);
            }
        }
        self.closing = false;
    }

    pub(super) fn outstanding_of(&self, researcher: &Researcher) -> Vec<Effect> {
        if researcher.ended.is_some() {
            return Vec::new();
        }
        let own = |effect: &Effect| match effect {
            Effect::Read { key, .. } => self.fetches.values().any(|fetch| fetch.owner == (researcher.id, *key)),
            _ => true,
        };
        let effects = researcher.run.outstanding().into_iter().filter(own);
        effects.map(|effect| Effect::Of { researcher: researcher.id, effect: Box::new(effect) }).collect()
    }

    /// What everybody together has used.
    pub(super) fn spent(&self) -> Usage {
        let mut usage = self.usage;
        for researcher in &self.researchers {
            usage += researcher.run.spent();
        }
        usage
    }

    /// What has been used and what requests that are going on use at most.
    pub(super) fn committed(&self) -> Usage {
        let mut usage = self.usage;
        for researcher in &self.researchers {
            usage += researcher.committed();
        }
        usage
    }

    /// What a researcher has to leave to the others: what they used, their last words, and the report.
    fn others(&mut self, index: usize) -> Usage {
        let mut usage = self.usage;
        if !self.asked.assisted || !self.token_budget().is_limited() {
            return usage;
        }
        for (_, researcher) in self.researchers.iter_mut().enumerate().filter(|(other, _)| *other != index) {
            usage += researcher.committed();
            if researcher.ended.is_none() {
                usage += researcher.run.last_words();
            }
        }
        usage += self.kept_for_report();
        usage
    }

    /// What is kept back for the report.
    pub(super) fn kept_for_report(&self) -> Usage {
        let asked = &self.asked;
        let (mut prompt, mut completion) = (8000_u64, u64::from(asked.limits.max_output_tokens.min(2000)));
        if let Some(max) = asked.limits.max_tokens {
            (prompt, completion) = (prompt.min(max / 4), completion.min(max / 12));
        }
        let mut kept = self.price().at_most().priced(Usage::tokens(prompt, completion));
        if let Some(max) = asked.limits.max_cost {
            kept.cost = kept.cost.min(max / 3);
        }
        kept
    }

    /// Whether another researcher would have to stop before it had begun.
    fn is_nearly_spent(&self) -> bool {
        let budget = self.token_budget();
        budget.is_limited() && budget.side(4000 + self.kept_for_report().total(), 4000, 1000).is_none()
    }

    pub(super) fn tell_usage(&self, out: &mut Vec<Effect>) {
        let usage = self.spent();
        if usage != Usage::default() {
            out.push(Effect::Emit(Event::Usage { usage, context: 0, max_context: self.asked.limits.max_context }));
        }
    }

    /// Tells how far the run is, where that has changed.
    pub(super) fn tell_progress(&mut self, out: &mut Vec<Effect>) {
        if self.round == 0 || self.is_over() {
            return;
        }
        let report = match self.phase {
            Phase::Evaluating { .. } | Phase::Synthesizing => UNITS / 2,
            _ => 0,
        };
        let done = report + self.researchers.iter().map(|researcher| researcher.run.units()).sum::<u32>();
        let planned = UNITS * (self.researchers.len() + self.queue.len() + 1) as u32;
        let progress = Progress { done: done.min(planned), planned, exploring: self.round > self.plan.target_rounds };
        if progress != self.progress {
            self.progress = progress;
            out.push(Effect::Emit(Event::Progress { progress }));
        }
    }
}
