//! `nexi space`: threads that belong together, with their documents, instructions and memories.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::protocol::{Space, SpaceDraft};
use nexi_engine::core::text::count;
use nexi_engine::{Engine, EngineError, StoreError};

use crate::args::{Common, SpaceArgs, SpaceCommand, SpaceValues, Usage};
use crate::line::{age, harmless, now_ms, one_line, short};
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
            print_line(&harmless(&format!("{} created. Ask in it with nexi ask --space \"{}\" \"…\"", space.name, space.name)))?;
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
            print_line(&harmless(&format!("{} changed", space.name)))?;
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
            let moved = count(threads.len() as u64, "thread");
            print_line(&harmless(&match space {
                Some(space) => format!("{moved} moved to {}", space.name),
                None => format!("{moved} no longer in a space"),
            }))?;
        }
        Some(SpaceCommand::Remove { name, yes }) => {
            let space = named(&engine, &name).await?;
            if !yes {
                if !std::io::stdin().is_terminal() {
                    return Err(Usage("yes: without a terminal, add --yes to remove the space".into()).into());
                }
                let threads = count(space.threads.into(), "thread");
                let stay = if space.threads == 1 { "stays" } else { "stay" };
                let question = format!("Remove {} with its memories? Its {threads} {stay} in the library. [y/N] ", harmless(&space.name));
                if !start::agreed(&question).await? {
                    return Ok(exit::CANCELLED);
                }
            }
            engine.remove_space(&space.id).await?;
            print_line(&harmless(&format!("{} removed", space.name)))?;
        }
    }
    Ok(exit::ANSWERED)
}

/// A draft with what is named on the command line.
fn changed(engine: &Engine, draft: SpaceDraft, what: SpaceValues) -> Result<SpaceDraft> {
    let instructions = match what.instructions.as_deref() {
        Some("-") => start::input("the instructions", MAX_INPUT)?,
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
            let list =
                if known.is_empty() { "make one with nexi space add".to_owned() } else { format!("known spaces: {}", known.join(", ")) };
            Err(Usage(format!("space: there is none called {name:?}; {list}")).into())
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
        return print_line(
            "No spaces yet. To create one: nexi space add House --docs ~/Documents/house --instructions \"Prices in euros.\"",
        );
    }
    let line = |space: &Space| format!("{}  {}", one_line(&space.name), count(space.threads.into(), "thread"));
    print_line(&all.iter().map(line).collect::<Vec<_>>().join("\n"))
}

async fn show(engine: &Engine, name: &str, as_json: bool) -> Result<()> {
    let space = named(engine, name).await?;
    if as_json {
        return print_json(&space);
    }
    let or_settings = |text: String| if text.is_empty() { "those of the settings".to_owned() } else { text };
    let mut lines = vec![
        format!("{}  {}", one_line(&space.name), count(space.threads.into(), "thread")),
        format!("  documents: {}", or_settings(one_line(&space.folders.join(", ")))),
        format!("  model: {}", space.model.as_deref().map_or("that of the settings".to_owned(), one_line)),
    ];
    if !space.instructions.is_empty() {
        lines.push("  instructions:".into());
        lines.extend(harmless(&space.instructions).lines().map(|line| format!("    {line}")));
    }
    let own = engine.memories().await?.into_iter().filter(|memory| memory.space.as_deref() == Some(space.id.as_str()));
    lines.extend(own.map(|memory| format!("  memory {}: {}", short(&memory.id), one_line(&memory.text))));
    let now = now_ms();
    let threads = engine.threads_in(Some(&space.id), SHOWN).await?;
    lines.extend(
        threads
            .iter()
            .map(|thread| format!("  thread {}: {}, {}", short(thread.id.as_str()), one_line(&thread.title), age(thread.updated_ms, now))),
    );
    print_line(&lines.join("\n"))
}
