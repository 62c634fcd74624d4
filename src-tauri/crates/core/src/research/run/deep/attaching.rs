//! Reading what the person gave along with the question, before there is a plan.

use super::{DeepRun, Phase};
use crate::{
    ports::{Failure, Page},
    prompts::disarm,
    protocol::Event,
    run::{
        Attachment, Effect, Key, attached, results,
        unread_attachments::{STEP, Unread},
    },
    text,
    urls::site,
};

/// Bytes of each attachment that a planner is shown.
const GLANCE: usize = 1_200;
/// Bytes of a title that are kept at most.
const MAX_TITLE: usize = 300;

impl DeepRun {
    /// Begins to read what is attached; planning begins when all of it is there.
    pub(super) fn read_attached(&mut self, out: &mut Vec<Effect>) {
        let attached = std::mem::take(&mut self.asked.attached);
        self.attached = attached.iter().map(|attachment| attachment.url().to_owned()).collect();
        if !attached.is_empty() {
            out.push(Effect::Emit(Event::StepStarted { step: STEP }));
        }
        for (part, attachment) in attached.into_iter().enumerate() {
            let url = attachment.url().to_owned();
            match attachment {
                Attachment::Text { page } => {
                    out.push(Effect::Emit(Event::Reading { step: STEP, url: url.clone(), title: page.title.clone() }));
                    attached::take_in(&mut self.book, &mut self.egress, &url, *page, out);
                }
                Attachment::Address { url } => {
                    let known = self.book.find(&url).map(|known| (known.number, known.page.clone()));
                    out.push(Effect::Emit(Event::Reading { step: STEP, url: url.clone(), title: site(&url) }));
                    match known {
                        Some((number, page)) => out.push(attached::read(&url, number, &page)),
                        None => {
                            let key = Key { step: STEP, call: 0, part: part as u32 };
                            self.awaited.expect(Effect::Read { key, url }, out);
                        }
                    }
                }
            }
        }
        self.plan_when_attached(out);
    }

    /// An attachment was read, or could not be.
    pub(super) fn attached(&mut self, key: Key, page: Result<Page, Failure>, out: &mut Vec<Effect>) {
        let read = self.awaited.take(key, |effect| matches!(effect, Effect::Read { .. }));
        let Some(Effect::Read { url, .. }) = read else { return };
        match page {
            Ok(mut page) => {
                page.title = text::truncate(&text::fold_space(&page.title), MAX_TITLE);
                attached::take_in(&mut self.book, &mut self.egress, &url, page, out);
            }
            Err(failure) => {
                self.attached.retain(|known| *known != url);
                self.unread_attachments.push(Unread::new(&url, &failure));
                out.push(Effect::Emit(Event::page_failed(STEP, url, &failure)));
            }
        }
        self.plan_when_attached(out);
    }

    fn plan_when_attached(&mut self, out: &mut Vec<Effect>) {
        if self.awaited.is_empty() && matches!(self.phase, Phase::Attaching) {
            self.begin_plan(out);
        }
    }

    /// A short look at the attachments for the planner; empty where there are none.
    pub(super) fn glance(&self) -> String {
        let question = &self.asked.question;
        let glances = self.attached.iter().filter_map(|url| self.book.at(url)).map(|known| {
            let best = results::best_passages(&known.page.text, question, "", 60, GLANCE / 7, usize::MAX);
            format!("[{}] {}\n{}", known.number, disarm(&known.page.title), disarm(&text::truncate(&best, GLANCE)))
        });
        let all: Vec<String> = glances.collect();
        if all.is_empty() {
            return String::new();
        }
        format!(
            "\n\nThe person gave these along with the question. Every researcher is shown them; plan for what they do not answer.\n<untrusted>\n{}\n</untrusted>",
            all.join("\n\n")
        )
    }
}
