//! A second look by the model at statements that their sources do not seem to support.
//!
//! The model sees each of them with the passages that come nearest, and may keep it, correct it, cite another source,
//! or strike it out. It is believed in nothing: to keep a statement it has to show words that stand in the source and
//! agree in their numbers and names, and what it writes anew is judged as if it had been written first.

use crate::protocol::Reasons;
use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::{
    Asked,
    budget::TokenBudget,
    conversation::tokens_of,
    finish::{self, Change, CheckedAnswer, Confirmed},
    json,
    sources::SourceBook,
};
use crate::{
    citations::{self, statements},
    evidence::Evidence,
    model::{Message, ModelRequest},
    ports::TokenCounter,
    prompts,
    protocol::{CorrectionKind, Statement, Support, TurnState},
    text,
};

/// Statements of one answer that are looked at; the worst come first.
const MAX_CHECKED: usize = 24;
/// Passages that are shown for one.
const PASSAGES: usize = 3;
/// Bytes of one passage.
const PASSAGE: usize = 700;
/// What a passage covers of a statement at least.
const NEAR: f64 = 0.15;
/// How much longer a statement may get, in bytes.
const LONGER: usize = 120;
/// Tokens that the reply may take.
const OUTPUT: u32 = 3000;
/// Tokens that models which reason first may take besides, where there is no ceiling.
const REASONING: u32 = 6000;

/// An answer that is complete, with handles, while it is looked at once more.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub state: TurnState,
    pub reason: Reasons,
    pub answer: String,
    doubts: Vec<Doubt>,
}

/// A statement that is not supported.
#[derive(Debug, Clone)]
struct Doubt {
    /// Bytes of the draft.
    range: Range<usize>,
    /// As plain text without citations.
    text: String,
    support: Support,
    missing: Vec<String>,
}

impl Draft {
    /// The statements of an answer that need a second look; none where all are supported.
    pub(super) fn new(state: TurnState, reason: Reasons, answer: &str, book: &SourceBook) -> Option<Self> {
        let cited = finish::cite(answer.to_owned(), book, true);
        if cited.citations.iter().any(|citation| citation.detected.is_some()) {
            return None;
        }
        let answer = cited.answer;
        let plain = |statement: &Statement| {
            let own = &answer[statement.start..statement.end];
            text::plain(&citations::without(own, &citations::citations(own)))
        };
        let mut doubts: Vec<Doubt> = cited
            .statements
            .iter()
            .filter(|statement| statement.support != Support::Supported && statement.end <= answer.len())
            // A row of a table is no sentence that can be written anew.
            .filter(|statement| !answer[statement.start..statement.end].contains(['|', '\n']))
            .map(|statement| {
                let own = cited.citations.iter().filter(|citation| (statement.start..statement.end).contains(&citation.start));
                let missing = own.flat_map(|citation| citation.missing.iter().cloned()).collect();
                Doubt { range: statement.start..statement.end, text: plain(statement), support: statement.support, missing }
            })
            .collect();
        doubts.sort_by_key(|doubt| (std::cmp::Reverse(doubt.support), doubt.range.start));
        doubts.truncate(MAX_CHECKED);
        doubts.sort_by_key(|doubt| doubt.range.start);
        (!doubts.is_empty()).then_some(Self { state, reason, answer, doubts })
    }

    /// How many statements are looked at.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.doubts.len()).unwrap_or(u32::MAX)
    }

    /// What the model is asked. None where that is too long for it, or too dear.
    pub(super) fn request(
        &self,
        asked: &Asked,
        book: &SourceBook,
        budget: &TokenBudget,
        counter: &dyn TokenCounter,
    ) -> Option<ModelRequest> {
        let text = asked.prompts.check(&asked.question, &self.statements(book));
        let messages = vec![Message::User { text }];
        let prompt = tokens_of(&messages, counter);
        if prompt + u64::from(OUTPUT) > asked.limits.compaction_threshold() as u64 {
            return None;
        }
        let max_output_tokens = match budget.is_limited() {
            true => budget.answer(prompt)?.min(OUTPUT),
            false => (OUTPUT + REASONING).min(asked.limits.max_output_tokens),
        };
        Some(ModelRequest::for_text(messages, max_output_tokens))
    }

    /// The statements with the passages that come nearest, as the model is shown them.
    fn statements(&self, book: &SourceBook) -> String {
        let evidence: Vec<(u32, &str, Evidence<'_>)> =
            book.all().map(|known| (known.number, known.page.text.as_str(), Evidence::new(&known.page.title, &known.page.text))).collect();
        let mut out = String::new();
        for (index, doubt) in self.doubts.iter().enumerate() {
            out.push_str(&format!("Statement {}: {}\n", index + 1, self.answer[doubt.range.clone()].trim()));
            if !doubt.missing.is_empty() {
                out.push_str(&format!("Not in its source: {}\n", doubt.missing.join(", ")));
            }
            let cited: Vec<u32> =
                citations::citations(&self.answer[doubt.range.clone()]).into_iter().flat_map(|marker| marker.numbers).collect();
            let mut near: Vec<(f64, u32, &str, Range<usize>)> = evidence
                .iter()
                .filter_map(|(handle, text, evidence)| evidence.closest(&doubt.text).map(|(share, range)| (share, *handle, *text, range)))
                .filter(|(share, handle, ..)| *share >= NEAR || cited.contains(handle))
                .collect();
            // What it cites comes first: the model has to see what its own source says.
            near.sort_by(|a, b| cited.contains(&b.1).cmp(&cited.contains(&a.1)).then(b.0.total_cmp(&a.0)));
            for (_, handle, text, range) in near.into_iter().take(PASSAGES) {
                out.push_str(&format!("[{handle}] “{}”\n", around(text, range)));
            }
            out.push('\n');
        }
        prompts::disarm(out.trim_end())
    }

    /// The answer as it is, with no statement checked.
    pub(super) fn unchecked(&self) -> CheckedAnswer {
        let order = citations::order(&citations::citations(&self.answer), |_| true);
        CheckedAnswer { answer: self.answer.clone(), order, ..CheckedAnswer::default() }
    }

    /// The answer as it is, after a check that did not come.
    pub(super) fn failed(&self) -> CheckedAnswer {
        CheckedAnswer { failed: true, ..self.unchecked() }
    }

    /// Takes the verdicts of a reply. The check failed where there is nothing in it that can be read as some.
    pub(super) fn look(&self, reply: &str, book: &SourceBook) -> CheckedAnswer {
        let Some(verdicts) = read(reply) else { return self.failed() };
        let mut looked = CheckedAnswer { looked_at: self.len(), answer: String::with_capacity(self.answer.len()), ..self.unchecked() };
        looked.answer.clear();
        let mut at = 0;
        for (index, doubt) in self.doubts.iter().enumerate() {
            // Statements do not overlap; if ever two did, the first one counts.
            if doubt.range.start < at {
                continue;
            }
            looked.answer.push_str(&self.answer[at..doubt.range.start]);
            at = doubt.range.end;
            let before = &self.answer[doubt.range.clone()];
            let outcome = verdicts.get(&(index + 1)).map_or(Outcome::None, |verdict| decide(verdict, doubt, before, book));
            let start = looked.answer.len();
            let (text, kind, confirmed) = match outcome {
                Outcome::None => (before.to_owned(), None, None),
                Outcome::Kept(handle, passage) => (before.to_owned(), None, Some((handle, passage))),
                Outcome::Changed(kind, text, confirmed) => (text, Some(kind), confirmed),
            };
            looked.answer.push_str(&text);
            let range = start..looked.answer.len();
            looked.confirmed.extend(confirmed.map(|(handle, passage)| Confirmed { range: range.clone(), handle, passage }));
            looked.changes.extend(kind.map(|kind| Change { kind, range, before: before.to_owned() }));
        }
        looked.answer.push_str(&self.answer[at..]);
        looked
    }
}

/// What the model says of a statement.
#[derive(Debug, Default)]
struct Verdict {
    word: String,
    text: String,
    source: Option<u32>,
    quotation: String,
}

enum Outcome {
    /// It stays as it is, with what was found about it.
    None,
    /// This source was shown to say it.
    Kept(u32, Range<usize>),
    Changed(CorrectionKind, String, Option<(u32, Range<usize>)>),
}

/// The verdicts of a reply by the number of their statement.
fn read(reply: &str) -> Option<BTreeMap<usize, Verdict>> {
    let value = json::find(text::without_thinking(reply))?;
    let list = value.get("verdicts").or_else(|| value.get("statements")).unwrap_or(&value).as_array()?;
    let number = |value: Option<&Value>| {
        let value = value?;
        value.as_u64().or_else(|| value.as_str()?.trim_matches(['[', ']', ' ']).parse().ok())
    };
    let word = |item: &Value, name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let mut out = BTreeMap::new();
    for item in list.iter().take(MAX_CHECKED * 2) {
        let Some(index) = number(item.get("statement").or_else(|| item.get("id"))).and_then(|index| usize::try_from(index).ok()) else {
            continue;
        };
        let source = number(item.get("source")).and_then(|source| u32::try_from(source).ok());
        let verdict =
            Verdict { word: word(item, "verdict").to_lowercase(), text: word(item, "text"), source, quotation: word(item, "quote") };
        out.entry(index).or_insert(verdict);
    }
    // An empty list changes nothing, and is a reply.
    (list.is_empty() || !out.is_empty()).then_some(out)
}

/// What a verdict comes to, after it was checked.
fn decide(verdict: &Verdict, doubt: &Doubt, before: &str, book: &SourceBook) -> Outcome {
    match verdict.word.as_str() {
        "keep" => keep(verdict, doubt, before, book),
        "cite" => recite(verdict, doubt, before, book),
        "correct" => correct(&verdict.text, before, book),
        "strike" => strike(before),
        _ => Outcome::None,
    }
}

/// Where a source has the words that the verdict quotes, and they agree with the statement.
fn shown(verdict: &Verdict, doubt: &Doubt, handle: u32, book: &SourceBook) -> Option<Range<usize>> {
    let page = &book.get(handle)?.page;
    Evidence::new(&page.title, &page.text).bears_out(&doubt.text, &verdict.quotation)
}

fn keep(verdict: &Verdict, doubt: &Doubt, before: &str, book: &SourceBook) -> Outcome {
    let cited: Vec<u32> = citations::citations(before).into_iter().flat_map(|marker| marker.numbers).collect();
    let named = verdict.source.filter(|handle| cited.contains(handle));
    let mut candidates = named.into_iter().chain(cited.iter().copied());
    let found = candidates.find_map(|handle| shown(verdict, doubt, handle, book).map(|passage| (handle, passage)));
    match found {
        Some((handle, passage)) => Outcome::Kept(handle, passage),
        // It cites another source than the one that says it, or none.
        None => recite(verdict, doubt, before, book),
    }
}

fn recite(verdict: &Verdict, doubt: &Doubt, before: &str, book: &SourceBook) -> Outcome {
    let markers = citations::citations(before);
    let Some(handle) = verdict.source.filter(|handle| book.get(*handle).is_some()) else { return Outcome::None };
    if markers.iter().any(|marker| marker.numbers.contains(&handle)) {
        return Outcome::None;
    }
    let bare = citations::without(before, &markers);
    let text = format!("{} [{handle}]", bare.trim_end());
    match shown(verdict, doubt, handle, book) {
        Some(passage) => Outcome::Changed(CorrectionKind::Recited, text, Some((handle, passage))),
        None if is_supported(&text, book) => Outcome::Changed(CorrectionKind::Recited, text, None),
        None => Outcome::None,
    }
}

fn correct(text: &str, before: &str, book: &SourceBook) -> Outcome {
    let text = text.trim().trim_start_matches(['-', '*', '#', '>', ' ']).trim();
    let is_plain = !text.is_empty()
        && text.len() <= before.len() + LONGER
        && !text.contains(['\n', '|', '<', '>', '`', '~'])
        && !text.contains("](")
        && !["://", "www.", "@"].iter().any(|address| text.contains(address))
        // A number and a full stop would begin a list.
        && !text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')'])
        && is_balanced(text, "**");
    // What of the old statement opens or closes something around it has to stay.
    let all_balanced = ["**", "__", "`", "~~"].iter().all(|mark| is_balanced(before, mark));
    if !is_plain || !all_balanced || text == before.trim() || !is_supported(text, book) {
        return Outcome::None;
    }
    Outcome::Changed(CorrectionKind::Corrected, text.to_owned(), None)
}

fn strike(before: &str) -> Outcome {
    let markers = citations::citations(before);
    let bare = citations::without(before, &markers);
    let bare = bare.trim();
    let all_balanced = ["**", "__", "`", "~", "*"].iter().all(|mark| is_balanced(bare, mark));
    if bare.is_empty() || bare.contains('~') || !all_balanced {
        return Outcome::None;
    }
    // The full stop stays outside, so that the sentence still ends there.
    let body = bare.trim_end_matches(text::SENTENCE_ENDS);
    Outcome::Changed(CorrectionKind::Struck, format!("~~{body}~~{}", &bare[body.len()..]), None)
}

/// Whether a mark that opens something also closes it.
fn is_balanced(text: &str, mark: &str) -> bool {
    text.matches(mark).count().is_multiple_of(2)
}

/// Whether every statement of a text cites sources that support it.
fn is_supported(text: &str, book: &SourceBook) -> bool {
    let markers = citations::citations(text);
    let all_known = !markers.is_empty() && markers.iter().flat_map(|marker| &marker.numbers).all(|handle| book.get(*handle).is_some());
    if !all_known {
        return false;
    }
    let cited = finish::cite(text.to_owned(), book, true);
    let said = statements::statements(&cited.answer, &citations::citations(&cited.answer)).len();
    said > 0 && cited.statements.len() == said && cited.statements.iter().all(|statement| statement.support == Support::Supported)
}

/// A passage with a sentence before and behind it, on one line.
fn around(page: &str, range: Range<usize>) -> String {
    let sentences = text::sentences(page);
    let first = sentences.partition_point(|known| known.end <= range.start).saturating_sub(1);
    let last = (sentences.partition_point(|known| known.start < range.end) + 1).min(sentences.len());
    let start = sentences.get(first).map_or(range.start, |known| known.start.min(range.start));
    let end = last.checked_sub(1).and_then(|last| sentences.get(last)).map_or(range.end, |known| known.end.max(range.end));
    let wide = &page[start..end];
    let shown = if wide.len() <= PASSAGE { wide } else { &page[range] };
    text::truncate(&text::fold_space(shown), PASSAGE)
}
