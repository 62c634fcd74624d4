//! `nexi usage`: what questions have used.

use anyhow::Result;
use nexi_engine::core::pricing::dollars;
use nexi_engine::{MonthUsage, UsageBy, UsageRow};

use crate::args::{Common, SumBy, UsageArgs};
use crate::line::one_line;
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
    };
    let any_time = wanted.all || wanted.until.is_some();
    let since = if any_time { wanted.since } else { Some(wanted.since.unwrap_or_else(nexi_engine::this_month)) };
    let table = engine.usage(since.as_deref(), wanted.until.as_deref(), by).await?;
    if wanted.json {
        print_json(&table)?;
    } else if wanted.csv {
        print(&table.csv())?;
    } else if table.rows.is_empty() {
        print_line(&format!("No questions in this period. Everything: nexi usage --all\n{}", month(table.month)))?;
    } else {
        let total = UsageRow { name: "total".into(), ..table.total.clone() };
        print_line(&format!("{}\n{}", aligned(table.rows.iter().chain([&total])), month(table.month)))?;
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

/// Rows below each other, numbers to the right.
fn aligned<'a>(rows: impl Iterator<Item = &'a UsageRow>) -> String {
    let head = ["", "questions", "input tokens", "cached", "output tokens", "cost", "time"].map(str::to_owned);
    let cells = |row: &UsageRow| {
        let time = row.duration_ms / 1000;
        [
            one_line(&row.name),
            row.questions.to_string(),
            row.prompt_tokens.to_string(),
            row.cached_tokens.to_string(),
            row.completion_tokens.to_string(),
            dollars(row.cost),
            if time < 60 { format!("{time} s") } else { format!("{} min", time / 60) },
        ]
    };
    let lines: Vec<[String; 7]> = std::iter::once(head).chain(rows.map(cells)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..7).map(width).collect();
    let line = |cells: &[String; 7]| {
        let padded = cells.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}
