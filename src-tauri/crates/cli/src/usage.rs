//! `nexi usage`: what questions have used.

use anyhow::Result;
use nexi_engine::core::pricing::dollars;
use nexi_engine::{MonthUsage, UsageBy, UsageRow};
use nexi_messages::say;

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
        print_line(&format!("{}\n{}", say!("nexi-usage-none"), month(usage.month)))?;
    } else {
        let total = UsageRow { name: say!("nexi-usage-total"), ..usage.total.clone() };
        print_line(&format!("{}\n{}", table(usage.rows.iter().chain([&total])), month(usage.month)))?;
    }
    Ok(exit::ANSWERED)
}

/// How much of a month's limit is spent.
fn month(MonthUsage { spent, limit }: MonthUsage) -> String {
    match limit {
        Some(limit) => say!("nexi-usage-month-of", spent = dollars(spent), limit = format!("${limit:.2}")),
        None => say!("nexi-usage-month", spent = dollars(spent)),
    }
}

/// The heads of the columns, and a line for each row.
fn table<'a>(rows: impl Iterator<Item = &'a UsageRow>) -> String {
    let head = [
        String::new(),
        say!("nexi-usage-columns.questions"),
        say!("nexi-usage-columns.input"),
        say!("nexi-usage-columns.cached"),
        say!("nexi-usage-columns.output"),
        say!("nexi-usage-columns.cost"),
        say!("nexi-usage-columns.time"),
    ];
    let cells = |row: &UsageRow| {
        let time = row.duration_ms / 1000;
        vec![
            one_line(&row.name),
            row.questions.to_string(),
            row.prompt_tokens.to_string(),
            row.cached_tokens.to_string(),
            row.completion_tokens.to_string(),
            dollars(row.cost),
            if time < 60 { say!("nexi-usage-seconds", count = time) } else { say!("nexi-usage-minutes", count = time / 60) },
        ]
    };
    let lines: Vec<Vec<String>> = std::iter::once(head.to_vec()).chain(rows.map(cells)).collect();
    columns(&lines).join("\n")
}
