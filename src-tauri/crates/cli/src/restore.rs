//! `nexi restore` and `nexi doctor --repair`: a library from one of its backups, or from what can be read of it.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::{Backup, Engine, EngineError, OlderCopy, backups, go_back, restore_unopened, salvage};
use nexi_messages::{decimal, say};

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
        return Err(Usage(match there.is_empty() {
            true => say!("nexi-restore-unknown-none", name = name),
            false => say!("nexi-restore-unknown", name = name, known = there.join(", ")),
        })
        .into());
    };
    if !restore.yes && !agreed(backup).await? {
        print_line(&say!("nexi-restore-unchanged"))?;
        return Ok(exit::CANCELLED);
    }
    let options = start::places(&common);
    // Damage may show at once, or when what is there is put aside.
    let restored = match tokio::task::spawn_blocking(move || Engine::open(options)).await? {
        Ok(engine) => {
            let restored = engine.restore_backup(name).await;
            engine.close().await;
            restored.map(|kept| say!("nexi-restore-kept-as-backup", name = kept))
        }
        Err(error) => Err(error),
    };
    let kept = match restored {
        Ok(kept) => kept,
        Err(error) if error.is_damage() => {
            let (paths, name) = (paths.clone(), name.clone());
            let kept = tokio::task::spawn_blocking(move || restore_unopened(&paths, &name)).await?.map_err(while_nexi_runs)?;
            kept.display().to_string()
        }
        // A later version has changed it.
        Err(error) if error.is_too_new() => {
            let (paths, older) = (paths.clone(), OlderCopy::from(backup));
            let kept = tokio::task::spawn_blocking(move || go_back(&paths, &older)).await?.map_err(while_nexi_runs)?;
            say!("nexi-restore-kept-as-backup", name = kept)
        }
        Err(error) => return Err(error.into()),
    };
    print_line(&say!("nexi-restore-restored", name = name, held = held(backup.threads, backup.turns), kept = kept))?;
    Ok(exit::ANSWERED)
}

/// Saves what can be read of a damaged library.
pub async fn repair(common: &Common) -> Result<u8> {
    let options = start::places(common);
    let opened = tokio::task::spawn_blocking(move || Engine::open(options)).await?;
    match opened {
        Ok(engine) => {
            let problem = engine.damage().await;
            engine.close().await;
            let Some(problem) = problem? else {
                print_line(&say!("nexi-restore-intact"))?;
                return Ok(exit::ANSWERED);
            };
            tell(&format!("{}\n", say!("nexi-restore-damaged", what = problem)));
        }
        // What it says is how to come here.
        Err(error) if error.is_damage() => tell(&format!("{}\n", say!("nexi-restore-salvaging"))),
        Err(error) => return Err(error.into()),
    }
    let paths = nexi_engine::paths(start::places(common))?;
    let saved = tokio::task::spawn_blocking(move || salvage(&paths)).await?;
    let saved = saved.map_err(while_nexi_runs)?;
    let (held, kept) = (held(saved.threads, saved.turns), saved.kept.display().to_string());
    print_line(&match saved.from_backup {
        0 => say!("nexi-restore-salvaged", held = held, kept = kept),
        threads => say!("nexi-restore-salvaged-more", count = threads, held = held, kept = kept),
    })?;
    Ok(exit::ANSWERED)
}

/// A file that others have open is not replaced.
fn while_nexi_runs(error: EngineError) -> anyhow::Error {
    match error {
        EngineError::Store(nexi_engine::StoreError::InUse(_)) => anyhow::anyhow!(say!("nexi-restore-in-use")),
        other => other.into(),
    }
}

fn list(all: &[Backup], json: bool) -> Result<u8> {
    if json {
        print_json(&all)?;
    } else if all.is_empty() {
        print_line(&say!("nexi-restore-none"))?;
    } else {
        for backup in all {
            let (held, size) = (held(backup.threads, backup.turns), decimal(backup.bytes as f64 / 1e6, 1));
            print_line(&say!("nexi-restore-line", name = &backup.name, held = held, size = size))?;
        }
    }
    Ok(exit::ANSWERED)
}

fn held(threads: u32, turns: u32) -> String {
    say!("nexi-restore-held", threads = threads, turns = turns)
}

async fn agreed(backup: &Backup) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Err(Usage(say!("nexi-restore-say-yes")).into());
    }
    start::agreed(&say!("nexi-restore-replace", name = &backup.name, held = held(backup.threads, backup.turns))).await
}
