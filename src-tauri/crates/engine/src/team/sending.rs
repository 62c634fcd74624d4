//! What leaves of a thread that is shared, and what stays here: how answers came about, and whatever rests on private text
//! unless the person wants it shared; of documents the passages that are cited, and not where they lie.

use std::collections::HashSet;

use nexi_core::{
    ids::TurnId,
    ports::Page,
    protocol::{EndReason, Passage, Reasons, Source, Turn, TurnState},
    run, text, urls,
};
use nexi_postgres::{TeamEvent, TeamEventKind, TeamHead};
use nexi_store::{
    StoreError,
    history::{OutboxItem, OutboxKind, StoredSource, ThreadFile},
};
use uuid::Uuid;

use super::SharedTurn;

/// Between two passages of a document.
const GAP: &str = "\n\n[…]\n\n";
/// Letters of a title that is made of a question.
const TITLE: usize = 80;

/// What becomes of something that the team library is to be told.
pub(crate) enum Prepared {
    Send(Box<TeamEvent>),
    /// It is not sent, because it rests on private text, or it is no longer there.
    Nothing,
}

/// A thread as it is now, and what is known of its sharing.
pub(crate) struct Sharing<'a> {
    file: &'a ThreadFile,
    /// The ids of the turns that were sent, or may have been.
    sent: &'a HashSet<String>,
    /// The shared thread that it goes on from, and whose that was.
    origin: Option<&'a (Uuid, String)>,
    /// How addresses of the handbook begin.
    handbook: &'a str,
    /// The turns that are sent, and how many are held back.
    shown: Vec<&'a Turn>,
    held: usize,
}

/// What the team library is told of something that happened, and which turns have to be told again because of it: passages of
/// one document are cut together.
///
/// # Errors
/// When something cannot be written as JSON.
pub(crate) fn prepared(item: &OutboxItem, sharing: Option<&Sharing<'_>>) -> Result<(Prepared, Vec<TurnId>), StoreError> {
    let send = |what| Prepared::Send(Box::new(TeamEvent { id: item.id, thread: item.share, role: item.role.clone(), what }));
    let nothing = (Prepared::Nothing, Vec::new());
    match (&item.what, sharing) {
        (OutboxKind::Withdrawn, _) => Ok((send(TeamEventKind::Withdrawn), Vec::new())),
        (OutboxKind::TurnWithdrawn(turn), sharing) => {
            let again = sharing.map(Sharing::cut_turns).unwrap_or_default();
            Ok((send(TeamEventKind::TurnWithdrawn { turn: turn.to_string() }), again))
        }
        (_, None) => Ok(nothing),
        // The first turn that is sent tells what the thread is called.
        (OutboxKind::Head, Some(sharing)) => Ok(match sharing.shown.first() {
            Some(_) => (send(TeamEventKind::Head { head: sharing.head() }), Vec::new()),
            None => nothing,
        }),
        (OutboxKind::Turn(id), Some(sharing)) => match sharing.shown.iter().find(|turn| turn.id == *id) {
            Some(turn) => Ok((send(sharing.turn(turn)?), sharing.cut_with(turn))),
            None => Ok(nothing),
        },
    }
}

impl<'a> Sharing<'a> {
    /// `private` says that answers that rest on private text go along.
    pub(crate) fn new(
        file: &'a ThreadFile,
        private: bool,
        sent: &'a HashSet<String>,
        origin: Option<&'a (Uuid, String)>,
        handbook: &'a str,
    ) -> Self {
        let mut out = Self { file, sent, origin, handbook, shown: Vec::new(), held: 0 };
        // Whoever shared them before deleted what they rest on knows them to be shared.
        let after_deleted = |turn: &Turn| file.held_private && !sent.contains(turn.id.as_str());
        // An answer rests on those before it, so that all are held back from the first one on that rests on private text.
        let first = file.turns.iter().position(|turn| !private && (after_deleted(turn) || out.rests_on_private(turn)));
        let (shown, held) = file.turns.split_at(first.unwrap_or(file.turns.len()));
        out.held = held.iter().filter(|turn| is_over(turn)).count();
        out.shown = shown.iter().filter(|turn| is_over(turn)).collect();
        out
    }

    /// How many answers are held back.
    pub(crate) fn held(&self) -> u32 {
        u32::try_from(self.held).unwrap_or(u32::MAX)
    }

    /// Whether what stands at this address is not for others: the person's own, and what they asked elsewhere.
    fn is_private(&self, url: &str) -> bool {
        run::is_private(url, self.handbook) || urls::thread_of(url).is_some()
    }

    fn rests_on_private(&self, turn: &Turn) -> bool {
        turn.was_shown(|url| self.is_private(url))
    }

    /// What the thread is called. Its own title may tell of what is held back.
    fn head(&self) -> TeamHead {
        let is_whole = self.held == 0;
        let first = || self.shown.first().map(|turn| text::truncate_chars(&text::fold_space(&turn.question), TITLE));
        TeamHead {
            title: if is_whole { self.file.title.clone() } else { first().unwrap_or_default() },
            description: if is_whole { self.file.description.clone() } else { String::new() },
            tags: self.file.tags.clone(),
            space: self.file.space.clone(),
            origin: self.origin.map(|(share, _)| *share),
            origin_author: self.origin.map(|(_, author)| author.clone()),
        }
    }

    /// The numbers of private sources that a turn cites.
    fn cut_numbers(&self, turn: &Turn) -> HashSet<u32> {
        turn.ending.sources.iter().filter(|source| source.cited && self.is_private(&source.url)).map(|source| source.number).collect()
    }

    /// The turns that were sent and cite private sources.
    fn cut_turns(&self) -> Vec<TurnId> {
        let cut = self.shown.iter().filter(|turn| self.sent.contains(turn.id.as_str()) && !self.cut_numbers(turn).is_empty());
        cut.map(|turn| turn.id.clone()).collect()
    }

    /// The turns before this one that were sent and cite a private source that it cites, too.
    fn cut_with(&self, turn: &Turn) -> Vec<TurnId> {
        let numbers = self.cut_numbers(turn);
        let before = self.shown.iter().take_while(|before| before.id != turn.id).filter(|before| self.sent.contains(before.id.as_str()));
        before.filter(|before| !self.cut_numbers(before).is_disjoint(&numbers)).map(|before| before.id.clone()).collect()
    }

    fn turn(&self, turn: &Turn) -> Result<TeamEventKind, StoreError> {
        let private = self.file.held_private
            || self.file.turns.iter().take_while(|before| before.id != turn.id).chain([turn]).any(|turn| self.rests_on_private(turn));
        let mut turn = turn.clone();
        // How it came about tells of searches, folders, memories and settings.
        turn.events.clear();
        turn.change = None;
        let ending = &mut turn.ending;
        (ending.summary, ending.incident) = (None, None);
        ending.reason = Reasons(ending.reason.0.drain(..).filter(says_nothing_else).collect());
        if private {
            (ending.check, ending.method) = (None, None);
            ending.follow_ups.clear();
        }
        ending.sources.retain(|source| source.cited || !self.is_private(&source.url));
        let mut sources = Vec::new();
        for source in &mut ending.sources {
            let public = !self.is_private(&source.url);
            let stored = self.file.sources.iter().find(|stored| stored.number == source.number).cloned();
            if public {
                sources.extend(stored.map(|stored| {
                    let page = Page { url: address_for_others(&stored.page.url, true), ..stored.page };
                    StoredSource { page, ..stored }
                }));
            } else {
                if let Some(folder) = urls::file_path(&source.url).as_deref().and_then(std::path::Path::parent) {
                    ending.answer = without_folder(&ending.answer, &folder.to_string_lossy());
                }
                let stretches = self.stretches(source.number);
                sources.extend(stored.map(|stored| cut(stored, source, &stretches)));
            }
            source.url = address_for_others(&source.url, public);
        }
        let (question, answer, asked_ms) = (turn.question.clone(), turn.ending.answer.clone(), turn.asked_ms);
        let (id, head) = (turn.id.to_string(), self.head());
        let body = serde_json::to_string(&SharedTurn { turn, sources, private })?;
        Ok(TeamEventKind::Turn { head, turn: id, body, asked_ms, question, answer })
    }

    /// Where the passages of a source stand that any turn cites which is sent, in order.
    fn stretches(&self, number: u32) -> Vec<(usize, usize)> {
        let sources = self.shown.iter().flat_map(|turn| &turn.ending.sources).filter(|source| source.cited && source.number == number);
        let mut all: Vec<(usize, usize)> =
            sources.flat_map(|source| &source.passages).map(|passage| (passage.start, passage.end)).collect();
        all.sort_unstable();
        let mut out: Vec<(usize, usize)> = Vec::new();
        for (start, end) in all {
            match out.last_mut() {
                // Passages that overlap are one stretch.
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => out.push((start, end)),
            }
        }
        out
    }
}

fn is_over(turn: &Turn) -> bool {
    !matches!(turn.ending.state, TurnState::Running | TurnState::Interrupted)
}

/// Whether a reason is a code and numbers: words may come from services, files or settings.
fn says_nothing_else(reason: &EndReason) -> bool {
    let told = serde_json::to_value(reason).unwrap_or_default();
    told.as_object().is_some_and(|fields| fields.values().filter(|value| !value.is_number()).count() <= 1)
}

/// A text in which a folder is not named; it is as long as before, because citations count its bytes.
fn without_folder(answer: &str, folder: &str) -> String {
    if folder.len() < 2 { answer.to_owned() } else { answer.replace(folder, &"_".repeat(folder.len())) }
}

/// Of a source these stretches alone; places in the text are those of the text that is left.
fn cut(mut stored: StoredSource, source: &mut Source, stretches: &[(usize, usize)]) -> StoredSource {
    let whole = std::mem::take(&mut stored.page.text);
    let mut text = String::new();
    // Where each stretch begins, before and now.
    let mut moved: Vec<(usize, usize, usize)> = Vec::new();
    for (start, end) in stretches {
        let Some(stretch) = whole.get(*start..*end) else { continue };
        if !text.is_empty() {
            text.push_str(GAP);
        }
        moved.push((*start, *end, text.len()));
        text.push_str(stretch);
    }
    for passage in &mut source.passages {
        let Passage { start, end, .. } = *passage;
        let stretch = moved.iter().find(|(from, to, _)| *from <= start && end <= *to);
        (passage.start, passage.end) = stretch.map_or((0, 0), |(from, _, now)| (now + start - from, now + end - from));
    }
    stored.page.text = text;
    stored.page.url = address_for_others(&stored.page.url, false);
    // These are of lines that are not there any more.
    stored.page.lines = Vec::new();
    stored.page.places = Vec::new();
    stored.page.links = Vec::new();
    stored
}

/// The address that others see: of a document its name, and not where it lies.
pub(super) fn address_for_others(url: &str, public: bool) -> String {
    if url.starts_with("file:") || urls::corpus_of(url).is_some() { urls::shared_address(url, public) } else { url.to_owned() }
}

#[cfg(test)]
mod tests {
    use nexi_core::ids::ThreadId;
    use nexi_core::protocol::{Effort, Ending, Event, EventEnvelope, Mode};

    use super::*;

    fn source(number: u32, url: &str, passages: &[(usize, usize)]) -> Source {
        let passage = |(start, end): &(usize, usize)| Passage {
            start: *start,
            end: *end,
            quote: String::new(),
            start_line: None,
            end_line: None,
            page: None,
            place: None,
        };
        Source {
            number,
            url: url.into(),
            title: "T".into(),
            site: "e".into(),
            date: None,
            cached_ms: None,
            cited: true,
            passages: passages.iter().map(passage).collect(),
        }
    }

    fn turn(id: &str, sources: Vec<Source>) -> Turn {
        let started = Event::Started {
            question: "Q".into(),
            effort: Effort::M,
            max_steps: 4,
            model: "m".into(),
            mode: Mode::Quick,
            memories: vec!["I live in Aldermoor.".into()],
        };
        let thought = Event::Reasoning { step: 1, text: "They live in Aldermoor.".into() };
        let envelope = |(seq, event): (usize, Event)| EventEnvelope { turn: TurnId(id.into()), seq: seq as u64, elapsed_ms: 0, event };
        Turn {
            effort: Effort::M,
            mode: Mode::Quick,
            model: "m".into(),
            asked_ms: 1,
            duration_ms: 1,
            second: None,
            change: None,
            id: TurnId(id.into()),
            thread: ThreadId("t".into()),
            question: format!("Question {id}"),
            events: [started, thought, Event::StepStarted { step: 1 }].into_iter().enumerate().map(envelope).collect(),
            ending: Ending { state: TurnState::Answered, sources, ..Ending::failed("", "An answer [1].") },
        }
    }

    fn file(turns: Vec<Turn>) -> ThreadFile {
        let stored = |number: u32, url: &str| StoredSource {
            number,
            page: Page { url: url.into(), title: "T".into(), text: "One. Two. Three. Four. Secret.".into(), ..Page::default() },
            read_ms: 1,
        };
        let sources = vec![stored(1, "https://e.org/"), stored(2, "file:///home/anna/tax%202024.pdf")];
        let mut file = ThreadFile::of_turn("The tax of Anna", turns[0].clone(), sources);
        file.turns = turns;
        file
    }

    fn sent(what: OutboxKind, private: bool, file: ThreadFile) -> (Option<TeamEventKind>, u32) {
        told(what, private, file, &[])
    }

    fn told(what: OutboxKind, private: bool, file: ThreadFile, sent: &[&str]) -> (Option<TeamEventKind>, u32) {
        let item = OutboxItem { position: 1, id: Uuid::nil(), share: Uuid::nil(), what, thread: None, role: None };
        let sent = sent.iter().map(|turn| (*turn).to_owned()).collect();
        let sharing = Sharing::new(&file, private, &sent, None, "");
        let held = sharing.held();
        match prepared(&item, Some(&sharing)).unwrap().0 {
            Prepared::Send(event) => (Some(event.what), held),
            Prepared::Nothing => (None, held),
        }
    }

    fn body(what: Option<TeamEventKind>) -> String {
        match what {
            Some(TeamEventKind::Turn { body, .. }) => body,
            other => panic!("{other:?}"),
        }
    }

    fn title(what: Option<TeamEventKind>) -> String {
        match what {
            Some(TeamEventKind::Turn { head, .. } | TeamEventKind::Head { head }) => head.title,
            other => panic!("{other:?}"),
        }
    }

    fn turn_of(id: &str) -> OutboxKind {
        OutboxKind::Turn(TurnId(id.into()))
    }

    const TAX: &str = "file:///home/anna/tax%202024.pdf";

    #[test]
    fn how_an_answer_came_about_stays_here() {
        let mut public = turn("a", vec![source(1, "https://e.org/", &[(0, 4)])]);
        public.ending.reason = Reasons(vec![EndReason::StepLimit { steps: 8 }, EndReason::Told { text: "Aldermoor".into() }]);
        let body = body(sent(turn_of("a"), false, file(vec![public])).0);
        assert!(!body.contains("Aldermoor") && !body.contains("step_started") && body.contains("Secret."), "{body}");
        assert!(body.contains("step_limit"), "{body}");
    }

    #[test]
    fn what_rests_on_documents_and_all_that_follows_it_is_held_back() {
        let turns = || vec![turn("a", vec![]), turn("b", vec![source(2, TAX, &[(0, 4)])]), turn("c", vec![])];
        for (id, is_sent) in [("a", true), ("b", false), ("c", false)] {
            let (what, held) = sent(turn_of(id), false, file(turns()));
            assert_eq!((what.is_some(), held), (is_sent, 2), "{id}");
        }
        assert_eq!(title(sent(OutboxKind::Head, false, file(turns())).0), "Question a");
        assert_eq!(title(sent(turn_of("a"), false, file(turns())).0), "Question a");
        assert_eq!(title(sent(OutboxKind::Head, true, file(turns())).0), "The tax of Anna");
        // A thread that was asked elsewhere is as private as a document.
        let elsewhere = turn("a", vec![source(1, "nexi://thread/0190", &[(0, 4)])]);
        assert!(sent(turn_of("a"), false, file(vec![elsewhere])).0.is_none());
    }

    #[test]
    fn nothing_is_told_before_an_answer_is_there_that_is_sent() {
        let mut running = turn("a", vec![]);
        running.ending.state = TurnState::Running;
        assert!(sent(OutboxKind::Head, false, file(vec![running])).0.is_none());
        assert!(sent(OutboxKind::Head, false, file(vec![turn("a", vec![source(2, TAX, &[])])])).0.is_none());
    }

    #[test]
    fn a_turn_that_was_deleted_may_have_told_what_others_repeat() {
        let after = || ThreadFile { held_private: true, ..file(vec![turn("a", vec![]), turn("b", vec![])]) };
        assert_eq!(sent(turn_of("b"), false, after()).1, 2);
        let (what, held) = told(turn_of("a"), false, after(), &["a"]);
        assert!(what.is_some() && held == 1, "what was shared before stays shared");
    }

    #[test]
    #[cfg(unix)]
    fn of_documents_the_cited_passages_go_along_and_nothing_else() {
        let mut asked = turn("a", vec![source(2, TAX, &[(17, 22), (0, 4), (2, 9)])]);
        asked.ending.answer = "It stands in /home/anna/tax 2024.pdf [1].".into();
        asked.ending.sources.push(Source { cited: false, ..source(3, "file:///home/anna/will.pdf", &[]) });
        let later = turn("b", vec![source(2, TAX, &[(23, 26)])]);
        let whole = body(sent(turn_of("a"), true, file(vec![asked, later])).0);
        assert!(
            !whole.contains("Secret.") && !whole.contains("/home/anna") && !whole.contains("Three") && !whole.contains("will"),
            "{whole}"
        );
        let shared: SharedTurn = serde_json::from_str(&whole).unwrap();
        assert!(shared.private && shared.turn.events.is_empty());
        let (text, passages) = (&shared.sources[0].page.text, &shared.turn.ending.sources[0].passages);
        assert_eq!(text, "One. Two.\n\n[…]\n\nFour.\n\n[…]\n\nSec", "with what another answer cites of it");
        let quoted: Vec<&str> = passages.iter().map(|passage| &text[passage.start..passage.end]).collect();
        assert_eq!(quoted, ["Four.", "One.", "e. Two."]);
        assert_eq!(shared.sources[0].page.url, shared.turn.ending.sources[0].url);
        assert!(shared.sources[0].page.url.ends_with("/tax%202024.pdf"));
    }
}
