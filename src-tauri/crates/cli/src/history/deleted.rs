//! What was deleted in the last 30 days, and bringing it back.

use anyhow::Result;
use nexi_engine::Engine;
use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::protocol::DeletedItem;
use nexi_engine::now_ms;
use nexi_messages::say;

use crate::args::Usage;
use crate::exit;
use crate::line::{one_line, short};
use crate::output::{print_json, print_line};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Lists it, the newest first.
pub async fn list(engine: &Engine, json: bool) -> Result<u8> {
    let items = engine.deleted().await?;
    if json {
        print_json(&items)?;
    } else if items.is_empty() {
        print_line(&say!("nexi-history-none-deleted"))?;
    } else {
        let now = now_ms();
        let line = |item: &DeletedItem| {
            let days = u64::try_from((item.gone_ms - now).max(0).div_euclid(DAY_MS) + 1).unwrap_or_default();
            let what = if item.is_turn { say!("nexi-history-single-answer") } else { say!("nexi-history-questions", count = item.turns) };
            format!("{}  {} ({what}, {})", short(&item.id), one_line(&item.title), say!("nexi-history-days-left", count = days))
        };
        print_line(&items.iter().map(line).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(exit::ANSWERED)
}

/// Brings one of them back.
pub async fn restore(engine: &Engine, id: &str) -> Result<u8> {
    let wanted = id.trim().to_lowercase();
    let items = engine.deleted().await?;
    let found: Vec<&DeletedItem> = items.iter().filter(|item| !wanted.is_empty() && item.id.contains(&wanted)).collect();
    let [item] = found[..] else {
        let message = match found.len() {
            0 => say!("nexi-history-not-among-deleted", id = id),
            many => say!("nexi-history-ambiguous", id = id, count = many),
        };
        return Err(Usage(message).into());
    };
    if item.is_turn {
        engine.restore_turn(&TurnId(item.id.clone())).await?;
    } else {
        engine.restore(&ThreadId(item.id.clone())).await?;
    }
    print_line(&say!("nexi-history-restored", title = one_line(&item.title)))?;
    Ok(exit::ANSWERED)
}
