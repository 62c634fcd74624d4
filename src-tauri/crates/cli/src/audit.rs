//! `nexi audit` and `nexi replay`: what happened in a run, and whether it leads to the same answer again.

use anyhow::{Context, Result};
use nexi_engine::core::pricing::dollars;
use nexi_engine::settings_file::told;
use nexi_engine::{EngineError, Replay};
use nexi_messages::say;
use std::io::Write;

use crate::args::{Audit, Common, ReplayArgs};
use crate::history::{create, in_words, newest};
use crate::line::one_line;
use crate::output::{note, print, print_json, print_line};
use crate::{exit, start};

/// Writes the record of a run.
pub async fn write(wanted: Audit, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    let turn = match &wanted.id {
        Some(id) => engine.find_turn(id).await?,
        None => newest(&engine).await?,
    };
    let text = engine.audit(&turn).await?;
    match wanted.out.filter(|path| path.as_os_str() != "-") {
        None => print(&text)?,
        Some(path) => {
            create(&path)?
                .write_all(text.as_bytes())
                .with_context(|| say!("nexi-history-not-written", place = path.display().to_string()))?;
            note(&say!("nexi-audit-written", count = text.lines().count(), path = path.display().to_string()));
        }
    }
    Ok(exit::ANSWERED)
}

/// Replays a record.
pub fn replay(wanted: &ReplayArgs) -> Result<u8> {
    let text =
        std::fs::read_to_string(&wanted.file).with_context(|| say!("nexi-audit-unreadable", path = wanted.file.display().to_string()))?;
    let replay = nexi_engine::replay(&text).map_err(|error| match error {
        // Which file it is stands in the command.
        EngineError::Invalid(problem) => anyhow::Error::from(crate::args::Usage(told::problem(&problem))),
        other => other.into(),
    })?;
    if wanted.json {
        print_json(&replay)?;
    } else {
        print_line(&told(&replay))?;
    }
    Ok(if replay.same_answer { exit::ANSWERED } else { exit::FAILED })
}

fn told(replay: &Replay) -> String {
    let Replay { question, state, inputs, requests, searches, addresses, usage, same_answer, same_requests, answer } = replay;
    let facts = [
        say!("nexi-audit-inputs", count = *inputs),
        say!("nexi-audit-requests", count = *requests),
        say!("nexi-audit-searches", count = *searches),
        say!("nexi-audit-addresses", count = *addresses),
        dollars(usage.cost),
    ];
    let verdict = match (same_answer, same_requests) {
        (true, true) => say!("nexi-audit-same"),
        (true, false) => say!("nexi-audit-other-requests"),
        (false, _) => say!("nexi-audit-differs"),
    };
    let answer = if *same_answer { String::new() } else { format!("\n\n{}", crate::line::sanitized(answer)) };
    format!("{}\n{} · {}\n{verdict}{answer}", one_line(question), in_words(*state), facts.join(" · "))
}
