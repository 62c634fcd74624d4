//! What questions have used, summed up, and what a month may cost.

use std::path::{Path, PathBuf};

use jiff::{Zoned, civil::Date, tz::TimeZone};
use nexi_core::{model::ModelInfo, protocol::Usage};
use nexi_messages::say;
use nexi_store::{StoreError, history::Used};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Engine, blocking};
use crate::{EngineError, new_file::write_new, wiring::RunDeps};

/// What is used in no space, in sums by space.
const NO_SPACE: &str = "no space";

/// What sums are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum UsageBy {
    #[default]
    Day,
    Month,
    /// With its service, as turns name it.
    Model,
    Service,
    /// The spaces of threads, by the names that they had.
    Space,
}

/// What was used on one day, in one month, or of one model or service.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
pub struct UsageRow {
    /// `2026-11-26`, `2026-11`, `gpt-x · work` or `work`; empty for the sum of all.
    pub name: String,
    /// Second opinions are no questions of their own.
    pub questions: u32,
    #[ts(type = "number")]
    pub prompt_tokens: u64,
    /// Part of those of the prompt.
    #[ts(type = "number")]
    pub cached_tokens: u64,
    #[ts(type = "number")]
    pub completion_tokens: u64,
    /// In millionths of a US dollar; 0 where no price is known.
    #[ts(type = "number")]
    pub cost: u64,
    #[ts(type = "number")]
    pub duration_ms: u64,
}

/// What was used in some time.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct UsageTable {
    /// Days and months newest first, models and services dearest first.
    pub rows: Vec<UsageRow>,
    pub total: UsageRow,
    pub month: MonthUsage,
}

/// What this month has cost and may cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, TS)]
pub struct MonthUsage {
    /// In millionths of a US dollar.
    #[ts(type = "number")]
    pub spent: u64,
    /// In US dollars, by the settings.
    pub limit: Option<f64>,
}

/// The month that it is by the clock of this computer, as `2026-11`.
pub fn this_month() -> String {
    Zoned::now().strftime("%Y-%m").to_string()
}

impl Engine {
    /// What was used between two days, both included; each is a day, a month or a year (`2026-11-26`, `2026-11`,
    /// `2026`), and none is no bound. Days begin by the clock of this computer.
    ///
    /// # Errors
    /// When a day cannot be understood, or the library cannot be read.
    pub async fn usage(&self, since: Option<&str>, until: Option<&str>, by: UsageBy) -> Result<UsageTable, EngineError> {
        let zone = TimeZone::system();
        let since_ms = since.map(|text| bound("since", text, Edge::First, &zone)).transpose()?.unwrap_or(i64::MIN);
        let until_ms = until.map(|text| bound("until", text, Edge::Last, &zone)).transpose()?.unwrap_or(i64::MAX);
        let history = self.inner.history.clone();
        let used = blocking(move || history.used(since_ms, until_ms)).await??;
        let (rows, total) = sums(&used, by, &zone);
        Ok(UsageTable { rows, total, month: self.month_usage().await? })
    }

    /// Writes a table as CSV into a new file in `folder`; the file.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub async fn save_usage(&self, folder: &Path, table: &UsageTable) -> Result<PathBuf, EngineError> {
        let (folder, csv) = (folder.to_path_buf(), table.csv());
        blocking(move || write_new(&folder, &format!("nexi-usage-{}.csv", Zoned::now().strftime("%Y-%m-%d")), &csv)).await?
    }

    /// What this month has cost so far, private threads of this process included.
    pub(super) async fn month_usage(&self) -> Result<MonthUsage, EngineError> {
        let limit = self.settings().max_cost_month;
        let start = start_of_month(&Zoned::now());
        let histories: Vec<_> = std::iter::once(self.inner.history.clone()).chain(self.private_history()).collect();
        let spent = blocking(move || {
            histories.iter().try_fold(0_u64, |sum, history| Ok::<_, StoreError>(sum.saturating_add(history.spent_since(start)?)))
        })
        .await??;
        Ok(MonthUsage { spent, limit })
    }

    /// Whether these models may be asked: a cost limit that cannot be held is not one, and that of the month, unless the person goes over
    /// it (`over_month`), must not be reached.
    ///
    /// # Errors
    /// [`EngineError::PriceUnknown`] or [`EngineError::MonthIsSpent`] where not.
    pub(super) async fn check_costs(
        &self,
        parts: &RunDeps,
        told: &ModelInfo,
        max_cost: Option<f64>,
        max_tokens: Option<u32>,
        over_month: bool,
    ) -> Result<(), EngineError> {
        let month = self.settings().max_cost_month.filter(|_| !over_month);
        if let Some(model) = told.unpriced.first().filter(|_| max_cost.or(month).is_some() && max_tokens.is_none()) {
            return Err(EngineError::PriceUnknown { model: model.clone() });
        }
        let costs_something = !told.unpriced.is_empty() || told.price.is_none_or(|price| price.input > 0.0 || price.output > 0.0);
        let Some(dollars) = month.filter(|_| parts.assisted && costs_something) else { return Ok(()) };
        let (limit, MonthUsage { spent, .. }) = ((dollars * 1e6) as u64, self.month_usage().await?);
        if spent >= limit { Err(EngineError::MonthIsSpent { spent, limit }) } else { Ok(()) }
    }
}

impl UsageTable {
    /// The rows as CSV, with a line of names.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            // Nothing is written but text and numbers into memory.
            let _ = writer.serialize(CsvRow::of(row));
        }
        writer.into_inner().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct CsvRow<'a> {
    name: &'a str,
    questions: u32,
    prompt_tokens: u64,
    cached_tokens: u64,
    completion_tokens: u64,
    cost_usd: String,
    seconds: String,
}

impl<'a> CsvRow<'a> {
    fn of(row: &'a UsageRow) -> Self {
        Self {
            name: &row.name,
            questions: row.questions,
            prompt_tokens: row.prompt_tokens,
            cached_tokens: row.cached_tokens,
            completion_tokens: row.completion_tokens,
            cost_usd: format!("{:.6}", row.cost as f64 / 1e6),
            seconds: format!("{:.1}", row.duration_ms as f64 / 1e3),
        }
    }
}

impl UsageRow {
    fn add(&mut self, used: &Used) {
        let Usage { prompt, cached, completion, cost, .. } = used.usage;
        self.questions += u32::from(!used.is_second);
        for (sum, more) in [
            (&mut self.prompt_tokens, prompt),
            (&mut self.cached_tokens, cached),
            (&mut self.completion_tokens, completion),
            (&mut self.cost, cost),
            (&mut self.duration_ms, used.duration_ms),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
}

fn sums(used: &[Used], by: UsageBy, zone: &TimeZone) -> (Vec<UsageRow>, UsageRow) {
    let mut rows: std::collections::BTreeMap<String, UsageRow> = std::collections::BTreeMap::new();
    let mut total = UsageRow::default();
    for one in used {
        let name = name(one, by, zone);
        rows.entry(name.clone()).or_insert_with(|| UsageRow { name, ..UsageRow::default() }).add(one);
        total.add(one);
    }
    let mut rows: Vec<UsageRow> = rows.into_values().rev().collect();
    if matches!(by, UsageBy::Model | UsageBy::Service | UsageBy::Space) {
        rows.sort_by_key(|row| std::cmp::Reverse((row.cost, row.prompt_tokens + row.completion_tokens, row.questions)));
    }
    (rows, total)
}

fn name(used: &Used, by: UsageBy, zone: &TimeZone) -> String {
    match by {
        UsageBy::Day | UsageBy::Month => {
            let moment = jiff::Timestamp::from_millisecond(used.asked_ms).unwrap_or_default().to_zoned(zone.clone());
            moment.strftime(if by == UsageBy::Day { "%Y-%m-%d" } else { "%Y-%m" }).to_string()
        }
        UsageBy::Model => used.model.clone(),
        UsageBy::Space => used.space.clone().unwrap_or_else(|| NO_SPACE.to_owned()),
        UsageBy::Service => used.model.rsplit_once(" · ").map_or(used.model.as_str(), |(_, service)| service).to_owned(),
    }
}

pub(super) fn start_of_month(now: &Zoned) -> i64 {
    let first = now.date().first_of_month();
    first.to_zoned(now.time_zone().clone()).map_or(i64::MIN, |start| start.timestamp().as_millisecond())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    First,
    Last,
}

/// The moment at which a day, month or year begins, or has ended.
fn bound(field: &str, text: &str, edge: Edge, zone: &TimeZone) -> Result<i64, EngineError> {
    let wrong = || EngineError::invalid(field, say!("arguments-day", text = text));
    let text = text.trim();
    let (first, last) = match text.len() {
        4 => format!("{text}-01-01").parse().map(|first: Date| (first, first.last_of_year())),
        7 => format!("{text}-01").parse().map(|first: Date| (first, first.last_of_month())),
        _ => text.parse().map(|day: Date| (day, day)),
    }
    .map_err(|_| wrong())?;
    let day = match edge {
        Edge::First => first,
        Edge::Last => last.tomorrow().map_err(|_| wrong())?,
    };
    Ok(day.to_zoned(zone.clone()).map_err(|_| wrong())?.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(day: &str, model: &str, cost: u64, is_second: bool) -> Used {
        let asked_ms = format!("{day}T23:30:00+01:00[Europe/Berlin]").parse::<Zoned>().unwrap().timestamp().as_millisecond();
        let usage = Usage { prompt: 100, completion: 10, cached: 40, cost, ..Usage::default() };
        Used { asked_ms, model: model.into(), duration_ms: 1500, usage, is_second, space: None }
    }

    #[test]
    fn days_begin_by_the_clock_of_this_computer() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let all = [
            used("2026-01-31", "big · work", 500, false),
            used("2026-02-01", "small · work", 20, false),
            used("2026-02-01", "small · work", 20, true),
            used("2026-02-01", "built-in researcher", 0, false),
        ];
        let names = |by| sums(&all, by, &zone).0.into_iter().map(|row| (row.name, row.questions, row.cost)).collect::<Vec<_>>();
        let row = |name: &str, questions, cost| (name.to_owned(), questions, cost);
        assert_eq!(names(UsageBy::Day), [row("2026-02-01", 2, 40), row("2026-01-31", 1, 500)]);
        assert_eq!(names(UsageBy::Month), [row("2026-02", 2, 40), row("2026-01", 1, 500)]);
        assert_eq!(names(UsageBy::Model), [row("big · work", 1, 500), row("small · work", 1, 40), row("built-in researcher", 1, 0)]);
        assert_eq!(names(UsageBy::Service), [row("work", 2, 540), row("built-in researcher", 1, 0)]);
        let table =
            UsageTable { rows: sums(&all, UsageBy::Day, &zone).0, total: UsageRow::default(), month: MonthUsage { spent: 0, limit: None } };
        assert_eq!(
            table.csv(),
            "name,questions,prompt_tokens,cached_tokens,completion_tokens,cost_usd,seconds\n\
             2026-02-01,2,300,120,30,0.000040,4.5\n2026-01-31,1,100,40,10,0.000500,1.5\n"
        );
    }

    #[test]
    fn times_have_two_ends() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let edges = |text| (bound("since", text, Edge::First, &zone).unwrap(), bound("until", text, Edge::Last, &zone).unwrap());
        let hours = |text| (edges(text).1 - edges(text).0) / 3_600_000;
        // The clock was put forward on the last Sunday of March.
        assert_eq!((hours("2026-03-28"), hours("2026-03-29"), hours("2026-02"), hours("2026")), (24, 23, 28 * 24, 365 * 24));
        for wrong in ["", "March", "2026-13", "2026-02-30", "26"] {
            assert!(bound("since", wrong, Edge::First, &zone).unwrap_err().to_string().contains("YYYY-MM"), "{wrong}");
        }
    }
}
