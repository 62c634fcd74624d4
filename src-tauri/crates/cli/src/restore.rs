//! `nexi restore` and `nexi doctor --repair`: a library from one of its backups, or from what can be read of it.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::{Backup, Engine, EngineError, backups, core::text::count, restore_unopened, salvage};

use crate::args::{Common, Restore, Usage};
use crate::output::{print_json, print_line, tell};
use crate::{exit, start};

/// Lists the backups, or puts one in the place of the library.
pub async fn run(restore: Restore, common: Common) -> Result<u8> {
    let paths = nexi_engine::paths(start::places(&common))?;
    let all = backups(&paths.database());
    let Some(name) = &restore.backup else { return list(&all, restore.json) };
    let Some(backup) = all.iter().find(|backup| backup.name == *name) else {
        let there: Vec<&str> = all.iter().map(|backup| backup.name.as_str()).collect();
        let there = if there.is_empty() { "there are none yet".to_owned() } else { format!("there are {}", there.join(", ")) };
        return Err(Usage(format!("backup: there is no {name:?}; {there}")).into());
    };
    if !restore.yes && !agreed(backup).await? {
        print_line("Nothing was changed.")?;
        return Ok(exit::CANCELLED);
    }
    let options = start::places(&common);
    // Damage may show at once, or when what is there is put aside.
    let restored = match tokio::task::spawn_blocking(move || Engine::open(options)).await? {
        Ok(engine) => engine.restore_backup(name).await.map(|kept| format!("the backup {kept}")),
        Err(error) => Err(error),
    };
    let kept = match restored {
        Ok(kept) => kept,
        Err(error) if error.is_damage() => {
            let (paths, name) = (paths.clone(), name.clone());
            let kept = tokio::task::spawn_blocking(move || restore_unopened(&paths, &name)).await?.map_err(while_nexi_runs)?;
            kept.display().to_string()
        }
        Err(error) => return Err(error.into()),
    };
    print_line(&format!("Restored from {name}: {}. The previous library is kept as {kept}.", held(backup)))?;
    Ok(exit::ANSWERED)
}

/// Saves what can be read of a damaged library.
pub async fn repair(common: &Common) -> Result<u8> {
    let options = start::places(common);
    let opened = tokio::task::spawn_blocking(move || Engine::open(options)).await?;
    match opened {
        Ok(engine) => {
            let problem = engine.damage().await?;
            let Some(problem) = problem else {
                print_line("The library is intact; there is nothing to repair.")?;
                return Ok(exit::ANSWERED);
            };
            tell(&format!("The library is damaged: {problem}\n"));
        }
        // What it says is how to come here.
        Err(error) if error.is_damage() => tell("The library is damaged. What can be read of it goes into a new one.\n"),
        Err(error) => return Err(error.into()),
    }
    let paths = nexi_engine::paths(start::places(common))?;
    let saved = tokio::task::spawn_blocking(move || salvage(&paths)).await?;
    let saved = saved.map_err(while_nexi_runs)?;
    let more = match saved.from_backup {
        0 => String::new(),
        threads => format!(", {} of them from the newest backup", count(threads.into(), "thread")),
    };
    print_line(&format!(
        "The new library holds {} with {}{more}. The damaged one is kept as {}.",
        count(saved.threads.into(), "thread"),
        count(saved.turns.into(), "question"),
        saved.kept.display()
    ))?;
    Ok(exit::ANSWERED)
}

/// A file that others have open is not replaced.
fn while_nexi_runs(error: EngineError) -> anyhow::Error {
    match error {
        EngineError::Store(nexi_engine::StoreError::InUse(_)) => anyhow::anyhow!("Nexi is running. Close it everywhere, then try again."),
        other => other.into(),
    }
}

fn list(all: &[Backup], json: bool) -> Result<u8> {
    if json {
        print_json(&all)?;
    } else if all.is_empty() {
        print_line("There are no backups yet. Nexi makes one a day once there is something to back up.")?;
    } else {
        for backup in all {
            print_line(&format!("{}  {}, {:.1} MB", backup.name, held(backup), backup.bytes as f64 / 1e6))?;
        }
    }
    Ok(exit::ANSWERED)
}

fn held(backup: &Backup) -> String {
    format!("{} with {}", count(backup.threads.into(), "thread"), count(backup.turns.into(), "question"))
}

async fn agreed(backup: &Backup) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Err(Usage("yes: without a terminal, say --yes to put the backup in the place of the library".into()).into());
    }
    start::agreed(&format!("Replace the library with the backup {} ({})? The current one is kept. [y/N] ", backup.name, held(backup))).await
}
