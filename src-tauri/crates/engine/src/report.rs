//! A finished turn as the one JSON object that scripts read, and as plain text.

use crate::clock::local_day;
use crate::sentences;
use nexi_core::protocol::{
    Agreement, AnswerChange, Citation, CorrectionKind, Effort, Event, EventEnvelope, HeldId, Incident, Method, Mode, Outgoing, Passage,
    SecondLook, SecondOpinion, Source, Statement, StatementCounts, Support, Turn, TurnState,
};
use nexi_messages::say;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

mod source_lines;

pub use source_lines::{source_text, sources_text};

/// What `nexi ask --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Report {
    pub id: String,
    pub thread: String,
    pub question: String,
    /// When it was asked, such as `2026-03-01T12:00:00Z`.
    pub asked: String,
    pub answer: String,
    pub state: TurnState,
    /// Why, unless the state is `answered`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What went wrong and decided who answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incident: Option<Box<Incident>>,
    /// Everything that went wrong on the way and was told, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<Incident>,
    /// Pages that were asked for and could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// Addresses and searches that were held back, because they could have carried private text away.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<Outgoing>,
    pub sources: Vec<ReportSource>,
    pub citations: Vec<Citation>,
    /// The statements of the answer, with their places in it.
    pub statements: Vec<Statement>,
    /// How many there are, by their support.
    pub counts: StatementCounts,
    /// The day of the newest cited source, as `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newest_source: Option<String>,
    pub steps: u32,
    pub effort: Effort,
    /// `quick` or `deep`.
    pub mode: Mode,
    /// How a deep run came to its report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Box<Method>>,
    /// What a second look by the model came to; absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Box<SecondLook>>,
    /// What another model answered from the same sources, statement by statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<Box<SecondOpinion>>,
    /// What it says that an earlier answer to the same question, which is watched, did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Box<AnswerChange>>,
    pub duration_s: f64,
    pub tokens: ReportTokens,
    /// In US dollars, where a price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    pub model: String,
    /// Where the report was saved, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_file: Option<String>,
}

/// A line of what `nexi ask --jsonl` prints: everything that happens, in order, and the result at the end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum StreamLine {
    /// What happened.
    Event(Box<EventEnvelope>),
    /// The last line: what `--json` prints.
    Report { report: Box<Report> },
}

/// The JSON Schema of what is printed as this type.
pub fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// What `nexi history search --json` prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FoundTurns {
    pub results: Vec<FoundTurn>,
    /// Whether there are more than were asked for.
    pub more: bool,
}

/// A turn that has the words that were searched for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FoundTurn {
    pub id: String,
    /// The same as `id`.
    pub turn: String,
    pub thread: String,
    /// The title of the thread.
    pub title: String,
    /// The words around what was found.
    pub snippet: String,
    /// Unix time in milliseconds at which the thread was last asked something.
    pub updated_ms: i64,
    /// How many sources the thread has.
    pub sources: u32,
}

/// A time in the notation of RFC 3339, in UTC and without fractions. `ms` is Unix time.
pub(crate) fn moment(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A page that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unread {
    pub url: String,
    /// A sentence.
    pub reason: String,
}

/// What was held back in a run and not let through by the person.
fn held(turn: &Turn) -> Vec<Outgoing> {
    let let_through: Vec<HeldId> = turn.events.iter().filter_map(|envelope| envelope.event.let_through()).collect();
    let held = turn.events.iter().filter_map(|envelope| envelope.event.held());
    held.filter(|(id, _)| !let_through.contains(id)).map(|(_, what)| what.clone()).collect()
}

/// A source in a [`Report`].
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReportSource {
    pub number: u32,
    pub url: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The day it was fetched, where that was earlier than it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetched: Option<String>,
    pub cited: bool,
    pub passages: Vec<ReportPassage>,
}

/// A passage in a [`Report`].
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReportPassage {
    pub quote: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// Of a document with pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Of a document with other places: `slide 3`, `Budget!A3:D3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// Tokens in a [`Report`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReportTokens {
    pub prompt: u64,
    pub completion: u64,
    pub total: u64,
    /// Tokens of the prompts that the service had cached.
    #[serde(skip_serializing_if = "is_zero")]
    pub cached: u64,
    /// Part of it was counted by Nexi, because the provider did not say.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl From<Turn> for Report {
    fn from(turn: Turn) -> Self {
        let held = held(&turn);
        let ending = turn.ending;
        let events = || turn.events.iter().map(|envelope| envelope.event.own());
        let incidents = events().filter_map(|event| match event {
            Event::Incident { incident } if incident.wait().is_none() => Some(incident.clone()),
            _ => None,
        });
        let unread = events().filter_map(|event| match event {
            Event::PageFailed { url, reason, cause, .. } => {
                Some(Unread { url: url.clone(), reason: sentences::failed(cause.as_deref(), reason) })
            }
            _ => None,
        });
        let (incidents, unread) = (incidents.collect(), unread.collect());
        let newest_source = ending.newest_source().map(str::to_owned);
        let counts = ending.counts();
        Self {
            id: turn.id.0,
            thread: turn.thread.0,
            question: turn.question,
            asked: moment(turn.asked_ms),
            answer: ending.answer,
            state: ending.state,
            reason: sentences::reason_told(&ending.reason),
            incident: ending.incident,
            incidents,
            unread,
            held,
            newest_source,
            sources: ending.sources.into_iter().map(ReportSource::from).collect(),
            counts,
            citations: ending.citations,
            statements: ending.statements,
            steps: ending.steps,
            effort: turn.effort,
            mode: turn.mode,
            method: ending.method,
            check: ending.check,
            second: turn.second,
            change: turn.change,
            duration_s: turn.duration_ms as f64 / 1000.0,
            tokens: ReportTokens {
                prompt: ending.usage.prompt,
                completion: ending.usage.completion,
                total: ending.usage.total(),
                cached: ending.usage.cached,
                estimated: ending.usage.estimated,
            },
            cost: (ending.usage.cost > 0).then_some(ending.usage.cost as f64 / 1e6),
            model: turn.model,
            report_file: None,
        }
    }
}

impl From<Source> for ReportSource {
    fn from(source: Source) -> Self {
        Self {
            number: source.number,
            url: source.url,
            title: source.title,
            date: source.date,
            fetched: source.cached_ms.map(local_day),
            cited: source.cited,
            passages: source.passages.into_iter().map(ReportPassage::from).collect(),
        }
    }
}

impl From<Passage> for ReportPassage {
    fn from(passage: Passage) -> Self {
        Self {
            quote: passage.quote,
            start_line: passage.start_line,
            end_line: passage.end_line,
            page: passage.page,
            place: passage.place.map(|place| place.to_string()),
        }
    }
}

/// How old the newest cited source was when the question was asked, as a sentence.
pub fn newest_source(turn: &Turn) -> Option<String> {
    let newest = turn.ending.newest_source()?;
    let day: jiff::civil::Date = newest.parse().ok()?;
    let asked = jiff::Timestamp::from_millisecond(turn.asked_ms).ok()?.to_zoned(jiff::tz::TimeZone::system()).date();
    let days = asked.since((jiff::Unit::Day, day)).ok()?.get_days();
    Some(match days {
        i32::MIN..=0 => say!("answers-newest.today", day = newest),
        1..=60 => say!("answers-newest.days", count = days, day = newest),
        61..=730 => say!("answers-newest.months", count = days / 30, day = newest),
        _ => say!("answers-newest.years", count = days / 365, day = newest),
    })
}

/// How many statements the answer makes and how well they are supported, as a sentence; none where it makes none.
pub fn statements_line(turn: &Turn) -> Option<String> {
    let counts = turn.ending.counts();
    let part = |count: u32, code: &str| (count > 0).then(|| say!(&format!("answers-counts.{code}"), count = count));
    if counts.all == 0 {
        return None;
    }
    let head = match (counts.all, counts.supported) {
        (all, supported) if all == supported => say!("answers-all-supported", count = all),
        (all, supported) => say!("answers-some-supported", count = all, supported = supported),
    };
    let rest: Vec<String> = [
        part(counts.contradicted, "contradicted"),
        part(counts.not_supported, "not_supported"),
        part(counts.partly_supported, "partly_supported"),
        part(counts.uncited, "uncited"),
        part(counts.unknown, "unknown"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let line = match rest.is_empty() {
        true => say!("answers-counted", head = head),
        false => say!("answers-counted-with", head = head, rest = rest.join(", ")),
    };
    Some(check_line(turn).into_iter().fold(line, |line, check| format!("{line} {check}")))
}

/// Since when an answer says something new, as a heading.
pub fn change_head(change: &AnswerChange) -> String {
    say!("answers-changed-since", day = local_day(change.since_ms))
}

/// What stood in the place of a new statement.
pub fn before(statement: &str) -> String {
    say!("answers-before", statement = statement)
}

/// What an answer says that an earlier one did not, as lines.
pub fn change_lines(change: &AnswerChange) -> Vec<String> {
    let mut out = vec![format!("{}:", change_head(change))];
    for new in &change.statements {
        out.push(format!("  + {}", new.text));
        out.extend(new.before.as_deref().map(|statement| format!("    {}", before(statement))));
    }
    out
}

/// How another model's answer compares, as lines; none where nobody was asked.
pub fn opinion_lines(turn: &Turn) -> Vec<String> {
    let Some(opinion) = turn.second.as_deref() else { return Vec::new() };
    let mut out = vec![opinion_counts(opinion)];
    for compared in &opinion.compared {
        let (first, second) = (compared.first.as_deref().unwrap_or_default(), compared.second.as_deref().unwrap_or_default());
        match compared.agreement {
            Agreement::Agrees | Agreement::Similar => {}
            Agreement::Differs => {
                let differs = say!("answers-differs");
                let below = " ".repeat(differs.chars().count());
                out.extend([format!("  {differs} {first}"), format!("  {below} {second}")]);
            }
            Agreement::OnlyFirst => out.push(format!("  {}", say!("answers-only-first", statement = first))),
            Agreement::OnlySecond => out.push(format!("  {}", say!("answers-only-second", statement = second))),
        }
    }
    out
}

/// How many statements of two answers are the same, and how many are not, as a sentence.
pub fn opinion_counts(opinion: &SecondOpinion) -> String {
    let part = |agreement: Agreement, code: &str| {
        let count = opinion.count(agreement);
        (count > 0).then(|| say!(&format!("answers-agreements.{code}"), count = count))
    };
    let parts: Vec<String> = [
        part(Agreement::Agrees, "agrees"),
        part(Agreement::Similar, "similar"),
        part(Agreement::Differs, "differs"),
        part(Agreement::OnlyFirst, "only_first"),
        part(Agreement::OnlySecond, "only_second"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let counts = if parts.is_empty() { say!("answers-nothing-to-compare") } else { parts.join(", ") };
    say!("answers-second-opinion", model = &opinion.model, counts = counts)
}

/// What a second look changed, or that it did not come, as a sentence; none where it changed nothing.
fn check_line(turn: &Turn) -> Option<String> {
    let check = turn.ending.check.as_deref()?;
    if check.failed {
        return Some(say!("answers-second-look-failed"));
    }
    let of = |kind: CorrectionKind| check.corrections.iter().filter(|correction| correction.kind == kind).count();
    let part = |count: usize, code: &str| (count > 0).then(|| say!(&format!("answers-looked-again.{code}"), count = count));
    let parts: Vec<String> = [
        part(of(CorrectionKind::Corrected), "corrected"),
        part(of(CorrectionKind::Recited), "recited"),
        part(of(CorrectionKind::Struck), "struck"),
        part(check.confirmed as usize, "confirmed"),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!parts.is_empty()).then(|| say!("answers-second-look", what = parts.join(", ")))
}

/// What a label of a statement or citation says.
pub fn support_words(support: Support) -> String {
    say!(&format!("answers-support.{}", support.as_str()))
}
