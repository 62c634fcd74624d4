//! What a person gives along with a question: files, addresses, texts and earlier threads. They are read before the
//! model is asked anything, and become sources like any other.

use serde::{Deserialize, Serialize};

use super::{
    Effect, Key, PageResult, Shown, ToolResult,
    egress::Egress,
    machine::{Phase, Run},
    results,
    round::{PageWork, Round, Work, no_time},
    sources::SourceBook,
    streaming,
    unread_attachments::STEP,
};
use crate::{
    model::{Message, ToolCall},
    ports::Page,
    protocol::Event,
    text,
    tools::PageMode,
    urls::site,
};

/// The id of the call that stands for the person's giving them. Some services want nine letters or digits.
pub const CALL: &str = "attached0";
/// Bytes that are shown of all attachments together, at most, where the window is large.
const MAX_SHOWN_BYTES: usize = 160_000;
/// The same for a researcher of a deep run, as all of them are shown them.
const MOST_OF_RESEARCHER: usize = 48_000;
/// Bytes of each attachment that are shown at least.
const LEAST: usize = 2_000;
/// Bytes of the beginning that are shown of one that is too long.
const BEGINNING: usize = 2_000;

/// One attachment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Attachment {
    /// A document (`file:`) or a page of the web, which is read at the beginning of the run.
    Address { url: String },
    /// A text that is there already: typed, piped, or an earlier thread. Its address is one of [`crate::urls`]' own.
    Text { page: Box<Page> },
}

impl Attachment {
    /// The address under which it is a source.
    pub fn url(&self) -> &str {
        match self {
            Attachment::Address { url } => url,
            Attachment::Text { page } => &page.url,
        }
    }

    /// The person chose it, so it may be visited.
    pub(super) fn allow(&self, egress: &mut Egress) {
        if let Attachment::Address { url } = self {
            egress.allow(url);
        }
    }
}

impl Run {
    /// Begins to read what is attached; false where nothing is.
    pub(super) fn read_attached(&mut self, out: &mut Vec<Effect>) -> bool {
        let attached = std::mem::take(&mut self.asked.attached);
        if attached.is_empty() {
            return false;
        }
        out.push(Effect::Emit(Event::StepStarted { step: STEP }));
        let urls: Vec<String> = attached.iter().map(|attachment| attachment.url().to_owned()).collect();
        let arguments = serde_json::json!({ "urls": urls }).to_string();
        let call = ToolCall { id: CALL.into(), name: "web_get".into(), arguments, signature: None };
        self.conversation.push(Message::said("", vec![call.clone()]));
        self.phase = Phase::Acting(Round::default());
        let mut pages = Vec::new();
        for (part, attachment) in attached.into_iter().enumerate() {
            let key = Key { step: STEP, call: 0, part: part as u32 };
            pages.push(self.attach(key, attachment, out));
        }
        // What is read alone is shown by its own rule, see `shown_attached`.
        let work = Work::Reading { urls, instructions: String::new(), mode: PageMode::Full, pages };
        if let Phase::Acting(round) = &mut self.phase {
            round.push(call, work);
        }
        self.settle(out);
        true
    }

    fn attach(&mut self, key: Key, attachment: Attachment, out: &mut Vec<Effect>) -> PageWork {
        let known = self.book.find(attachment.url()).map(|known| (known.number, known.page.clone()));
        let url = attachment.url().to_owned();
        match (known, attachment) {
            (Some((number, page)), _) => {
                out.push(Effect::Emit(Event::Reading { step: STEP, url: url.clone(), title: page.title.clone() }));
                out.push(read(&url, number, &page));
                PageWork::Ready(number, None)
            }
            (None, Attachment::Text { page }) => {
                out.push(Effect::Emit(Event::Reading { step: STEP, url: url.clone(), title: page.title.clone() }));
                PageWork::Ready(take_in(&mut self.book, &mut self.egress, &url, *page, out), None)
            }
            (None, Attachment::Address { url }) => self.fetch(key, &url, out),
        }
    }

    /// Whether attachments are being read.
    pub(super) fn is_attaching(&self) -> bool {
        self.step == STEP
    }

    /// The attachments as the model sees them: whole where they fit, else their beginning and the passages that
    /// matter for the question.
    pub(super) fn attached_result(&self, urls: Vec<String>, pages: Vec<PageWork>) -> ToolResult {
        let read = pages.iter().filter(|page| matches!(page, PageWork::Ready(..))).count();
        let most = if self.researcher.is_some() { MOST_OF_RESEARCHER } else { MAX_SHOWN_BYTES };
        // About two thirds of the window at the usual four bytes a token; the built-in researcher has none.
        let window = self.asked.limits.compaction_threshold().saturating_mul(2);
        let all = if self.asked.assisted { window.min(most) } else { usize::MAX };
        let room = (all / read.max(1)).max(LEAST);
        let pages = urls
            .into_iter()
            .zip(pages)
            .map(|(url, work)| {
                let page = match work {
                    PageWork::Ready(number, _) => self.book.get(number).map(|known| {
                        let shown = shown(&known.page, &self.asked.question, room);
                        results::read_page(&known.page, number, shown)
                    }),
                    PageWork::Failed(failure) => return PageResult { url, page: Err(failure) },
                    _ => None,
                };
                PageResult { url, page: page.ok_or_else(no_time) }
            })
            .collect::<Vec<PageResult>>();
        ToolResult::Pages { pages }
    }
}

/// The whole where it fits into so many bytes, else the beginning and the best passages.
fn shown(page: &Page, question: &str, room: usize) -> (String, Shown) {
    if page.text.len() <= room {
        return (page.text.clone(), Shown::Whole);
    }
    let beginning = text::truncate(&page.text, BEGINNING.min(room / 2));
    let words = (room - beginning.len()) / 7;
    let best = results::best_passages(&page.text, question, "", 120, words, usize::MAX);
    let best = text::truncate(&best, room - beginning.len());
    (format!("{beginning}\n\n[…]\n\n{best}"), Shown::Passages)
}

/// Makes a page that is there a source, and tells so; its number.
pub(super) fn take_in(book: &mut SourceBook, egress: &mut Egress, url: &str, page: Page, out: &mut Vec<Effect>) -> u32 {
    egress.page(&page);
    let number = book.add(url, page);
    out.extend(book.get(number).map(|known| read(url, number, &known.page)));
    out.push(streaming::sources(book, &[]));
    number
}

/// What tells that an attachment was read.
pub(super) fn read(url: &str, number: u32, page: &Page) -> Effect {
    let title = if page.title.is_empty() { site(url) } else { page.title.clone() };
    Effect::Emit(Event::PageRead { step: STEP, url: url.to_owned(), title, number, words: text::word_count(&page.text) as u32 })
}

/// Whether a call of the conversation stands for attachments.
pub fn is_attached(call_id: &str) -> bool {
    call_id == CALL
}
