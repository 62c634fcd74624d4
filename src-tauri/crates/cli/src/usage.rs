//! `nexi usage`: what questions have used.

use anyhow::Result;
use nexi_engine::core::pricing::dollars;
use nexi_engine::{MonthUsage, UsageBy, UsageRow};

use crate::args::{Common, SumBy, UsageArgs};
use crate::line::{columns, one_line};
use crate::output::{print, print_json, print_line};
use crate::{exit, start};

/// Carries the command out.
pub async fn run(wanted: UsageArgs, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    let by = match wanted.by {
        SumBy::Day => UsageBy::Day,
        SumBy::Month => UsageBy::Month,
        SumBy::Model => UsageBy::Model,
        SumBy::Service => UsageBy::Service,
        SumBy::Space => UsageBy::Space,
    };
    let any_time = wanted.all || wanted.until.is_some();
    let since = if any_time { wanted.since } else { Some(wanted.since.unwrap_or_else(nexi_engine::this_month)) };
    let usage = engine.usage(since.as_deref(), wanted.until.as_deref(), by).await?;
    if wanted.json {
        print_json(&usage)?;
    } else if wanted.csv {
        print(&usage.csv())?;
    } else if usage.rows.is_empty() {
        print_line(&format!("No questions in this period. Everything: nexi usage --all\n{}", month(usage.month)))?;
    } else {
        let total = UsageRow { name: "total".into(), ..usage.total.clone() };
        print_line(&format!("{}\n{}", table(usage.rows.iter().chain([&total])), month(usage.month)))?;
    }
    Ok(exit::ANSWERED)
}

/// How much of a month's limit is spent.
fn month(MonthUsage { spent, limit }: MonthUsage) -> String {
    match limit {
        Some(limit) => format!("This month: {} of ${limit:.2}", dollars(spent)),
        None => format!("This month: {}", dollars(spent)),
    }
}

/// The heads of the columns, and a line for each row.
fn table<'a>(rows: impl Iterator<Item = &'a UsageRow>) -> String {
    let head = ["", "questions", "input tokens", "cached", "output tokens", "cost", "time"].map(str::to_owned);
    let cells = |row: &UsageRow| {
        let time = row.duration_ms / 1000;
        vec![
            one_line(&row.name),
            row.questions.to_string(),
            row.prompt_tokens.to_string(),
            row.cached_tokens.to_string(),
            row.completion_tokens.to_string(),
            dollars(row.cost),
            if time < 60 { format!("{time} s") } else { format!("{} min", time / 60) },
        ]
    };
    let lines: Vec<Vec<String>> = std::iter::once(head.to_vec()).chain(rows.map(cells)).collect();
    columns(&lines).join("\n")
}
