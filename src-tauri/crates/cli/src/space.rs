//! `nexi space`: threads that belong together, with their documents, instructions and memories.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::protocol::{Space, SpaceDraft};
use nexi_engine::now_ms;
use nexi_engine::{Engine, EngineError, StoreError};
use nexi_messages::say;

use crate::args::{Common, SpaceArgs, SpaceCommand, SpaceValues, Usage};
use crate::line::{age, one_line, sanitized, short};
use crate::output::{print_json, print_line};
use crate::{exit, start};

/// Bytes of instructions that are read.
const MAX_INPUT: u64 = 64 * 1024;
/// Threads that are shown of one.
const SHOWN: u32 = 10;

/// Carries the command out.
pub async fn run(wanted: SpaceArgs, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match wanted.command {
        None => list(&engine, false).await?,
        Some(SpaceCommand::List { json }) => list(&engine, json).await?,
        Some(SpaceCommand::Show { name, json }) => show(&engine, &name, json).await?,
        Some(SpaceCommand::Add { name, what }) => {
            let draft = changed(&engine, SpaceDraft { name, ..SpaceDraft::default() }, what)?;
            let space = engine.keep_space(None, draft).await.map_err(in_words)?;
            let command = format!("nexi ask --space \"{}\" \"…\"", space.name);
            print_line(&sanitized(&say!("nexi-space-created", name = space.name, command = command)))?;
        }
        Some(SpaceCommand::Set { name, rename, what, no_docs, no_model }) => {
            let known = named(&engine, &name).await?;
            let (id, mut draft) = (known.id.clone(), SpaceDraft::from(known));
            if no_docs {
                draft.folders.clear();
            }
            if no_model {
                draft.model = None;
            }
            draft.name = rename.unwrap_or(draft.name);
            let space = engine.keep_space(Some(id), changed(&engine, draft, what)?).await.map_err(in_words)?;
            print_line(&sanitized(&say!("nexi-space-changed", name = space.name)))?;
        }
        Some(SpaceCommand::Move { ids, space }) => {
            let space = match &space {
                Some(name) => Some(named(&engine, name).await?),
                None => None,
            };
            let mut threads = Vec::new();
            for id in &ids {
                let thread = engine.find_thread(id).await?;
                if !threads.contains(&thread) {
                    threads.push(thread);
                }
            }
            for thread in &threads {
                engine.move_to_space(thread, space.as_ref().map(|space| space.id.clone())).await?;
            }
            print_line(&sanitized(&match space {
                Some(space) => say!("nexi-space-moved", count = threads.len(), space = space.name),
                None => say!("nexi-space-moved-out", count = threads.len()),
            }))?;
        }
        Some(SpaceCommand::Remove { name, yes }) => {
            let space = named(&engine, &name).await?;
            if !yes {
                if !std::io::stdin().is_terminal() {
                    return Err(Usage(say!("nexi-space-say-yes")).into());
                }
                let question = say!("nexi-space-remove", count = space.threads, name = sanitized(&space.name));
                if !start::agreed(&question).await? {
                    return Ok(exit::CANCELLED);
                }
            }
            engine.remove_space(&space.id).await?;
            print_line(&sanitized(&say!("nexi-space-removed", name = space.name)))?;
        }
    }
    Ok(exit::ANSWERED)
}

/// A draft with what is named on the command line.
fn changed(engine: &Engine, draft: SpaceDraft, what: SpaceValues) -> Result<SpaceDraft> {
    let instructions = match what.instructions.as_deref() {
        Some("-") => start::input(&say!("nexi-space-the-instructions"), MAX_INPUT)?,
        Some(text) => text.to_owned(),
        None => draft.instructions,
    };
    let model = match what.model.as_deref() {
        Some(name) => Some(start::model_named(&engine.settings(), name)?),
        None => draft.model,
    };
    let folders =
        if what.docs.is_empty() { draft.folders } else { what.docs.iter().map(|path| path.to_string_lossy().into_owned()).collect() };
    Ok(SpaceDraft { instructions, model, folders, ..draft })
}

/// The space of this name.
pub async fn named(engine: &Engine, name: &str) -> Result<Space> {
    match engine.space(name).await {
        Err(EngineError::Store(StoreError::Missing { .. })) => {
            let known: Vec<String> = engine.spaces().await?.into_iter().map(|space| one_line(&space.name)).collect();
            Err(Usage(match known.is_empty() {
                true => say!("nexi-space-unknown-none", name = name),
                false => say!("nexi-space-unknown", name = name, known = known.join(", ")),
            })
            .into())
        }
        found => Ok(found?),
    }
}

fn in_words(error: EngineError) -> anyhow::Error {
    match error {
        EngineError::Store(
            error @ (StoreError::SpaceName { .. }
            | StoreError::SpaceTaken { .. }
            | StoreError::SpaceInstructions { .. }
            | StoreError::SpaceFolders { .. }
            | StoreError::TooManySpaces { .. }),
        ) => Usage(error.to_string()).into(),
        other => other.into(),
    }
}

async fn list(engine: &Engine, as_json: bool) -> Result<()> {
    let all = engine.spaces().await?;
    if as_json {
        return print_json(&all);
    }
    if all.is_empty() {
        return print_line(&say!("nexi-space-none-yet"));
    }
    let line = |space: &Space| format!("{}  {}", one_line(&space.name), say!("nexi-space-threads", count = space.threads));
    print_line(&all.iter().map(line).collect::<Vec<_>>().join("\n"))
}

async fn show(engine: &Engine, name: &str, as_json: bool) -> Result<()> {
    let space = named(engine, name).await?;
    if as_json {
        return print_json(&space);
    }
    let documents = match space.folders.is_empty() {
        true => say!("nexi-space-usual-documents"),
        false => say!("nexi-space-documents", folders = one_line(&space.folders.join(", "))),
    };
    let model = match space.model.as_deref() {
        Some(model) => say!("nexi-space-model", model = one_line(model)),
        None => say!("nexi-space-usual-model"),
    };
    let threads = say!("nexi-space-threads", count = space.threads);
    let mut lines = vec![format!("{}  {threads}", one_line(&space.name)), format!("  {documents}"), format!("  {model}")];
    if !space.instructions.is_empty() {
        lines.push(format!("  {}", say!("nexi-space-instructions")));
        lines.extend(sanitized(&space.instructions).lines().map(|line| format!("    {line}")));
    }
    let own = engine.memories().await?.into_iter().filter(|memory| memory.space.as_deref() == Some(space.id.as_str()));
    lines.extend(own.map(|memory| format!("  {}", say!("nexi-space-memory", id = short(&memory.id), text = one_line(&memory.text)))));
    let now = now_ms();
    let threads = engine.threads_in(Some(&space.id), SHOWN).await?;
    lines.extend(threads.iter().map(|thread| {
        let (id, title, when) = (short(thread.id.as_str()), one_line(&thread.title), age(thread.updated_ms, now));
        format!("  {}", say!("nexi-space-thread", id = id, title = title, when = when))
    }));
    print_line(&lines.join("\n"))
}
