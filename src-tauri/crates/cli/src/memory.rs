//! `nexi memory`: what the person wants remembered.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::protocol::Memory;
use nexi_engine::{Engine, EngineError};
use nexi_messages::say;

use crate::args::{Common, MemoryArgs, MemoryCommand, Usage};
use crate::line::{one_line, sanitized, short};
use crate::output::{print_json, print_line};
use crate::{exit, space, start};

/// Bytes of a list of memories on standard input.
const MAX_INPUT: u64 = 1024 * 1024;

/// Carries the command out.
pub async fn run(wanted: MemoryArgs, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match wanted.command {
        None => list(&engine, wanted.json).await?,
        Some(MemoryCommand::Add { text, space }) => add(&engine, &text, space.as_deref()).await?,
        Some(MemoryCommand::Edit { id, text }) => {
            let memory = meant(&engine, &id).await?;
            engine.change_memory(memory.id, text.join(" ")).await.map_err(in_words)?;
            print_line(&say!("nexi-memory-changed"))?;
        }
        Some(MemoryCommand::Remove { ids }) => {
            let mut wanted = Vec::new();
            for id in &ids {
                let id = meant(&engine, id).await?.id;
                if !wanted.contains(&id) {
                    wanted.push(id);
                }
            }
            let said = say!("nexi-memory-removed", count = wanted.len());
            engine.forget_memories(wanted).await?;
            print_line(&said)?;
        }
    }
    Ok(exit::ANSWERED)
}

/// Shows what is remembered.
pub async fn list(engine: &Engine, as_json: bool) -> Result<()> {
    let all = engine.memories().await?;
    if as_json {
        return print_json(&all);
    }
    if all.is_empty() {
        return print_line(&say!("nexi-memory-none-yet"));
    }
    let spaces = engine.spaces().await?;
    let place = |memory: &Memory| {
        let space = spaces.iter().find(|space| Some(&space.id) == memory.space.as_ref());
        space.map(|space| format!("  {}", say!("nexi-memory-in", space = one_line(&space.name)))).unwrap_or_default()
    };
    let lines: Vec<String> =
        all.iter().map(|memory| format!("{}  {}{}", short(&memory.id), one_line(&memory.text), place(memory))).collect();
    print_line(&lines.join("\n"))
}

async fn add(engine: &Engine, words: &[String], space: Option<&str>) -> Result<()> {
    let space = match space {
        Some(name) => Some(space::named(engine, name).await?.id),
        None => None,
    };
    let is_piped = words.is_empty() || words == ["-"];
    if is_piped && std::io::stdin().is_terminal() && words.is_empty() {
        return Err(Usage(say!("nexi-memory-no-text")).into());
    }
    let text = if is_piped { start::input(&say!("nexi-memory-the-list"), MAX_INPUT)? } else { words.join(" ") };
    // A line each, as they are listed elsewhere.
    let lines = if is_piped { text.lines().map(str::trim).filter(|line| !line.is_empty()).collect() } else { vec![text.as_str()] };
    let (mut kept, mut known) = (0_u32, 0_u32);
    for line in lines {
        let (_, is_new) = remember(engine, line, space.clone()).await?;
        *(if is_new { &mut kept } else { &mut known }) += 1;
    }
    if known > 0 {
        print_line(&say!("nexi-memory-known", count = known))?;
    }
    if kept > 0 || known == 0 { print_line(&say!("nexi-memory-kept", count = kept)) } else { Ok(()) }
}

/// Keeps one memory; what is wrong with it is the person's to mend.
pub async fn remember(engine: &Engine, text: &str, space: Option<String>) -> Result<(Memory, bool)> {
    engine.remember(sanitized(text), space).await.map_err(in_words)
}

fn in_words(error: EngineError) -> anyhow::Error {
    match error {
        EngineError::Store(error @ (nexi_engine::StoreError::MemoryText { .. } | nexi_engine::StoreError::TooManyMemories { .. })) => {
            Usage(error.to_string()).into()
        }
        other => other.into(),
    }
}

/// The memory with this id, or part of it.
async fn meant(engine: &Engine, id: &str) -> Result<Memory> {
    let wanted = id.trim().to_ascii_lowercase();
    let known = engine.memories().await?;
    let fits = |id: &str| id.starts_with(&wanted) || id.ends_with(&wanted) || short(id).starts_with(&wanted);
    let mut found = known.into_iter().filter(|memory| wanted.len() >= 4 && fits(&memory.id));
    match (found.next(), found.next()) {
        (Some(memory), None) => Ok(memory),
        (Some(_), Some(_)) => Err(Usage(say!("nexi-memory-ambiguous", id = id)).into()),
        (None, _) => Err(Usage(say!("nexi-memory-unknown", id = id)).into()),
    }
}
