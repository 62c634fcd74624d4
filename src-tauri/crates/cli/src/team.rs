//! `nexi team`: threads that people share, in PostgreSQL.

use anyhow::Result;
use nexi_engine::core::ids::ThreadId;
use nexi_engine::core::ports::DatabaseCause;
use nexi_engine::core::protocol::{SharedFacts, TeamRow, TeamSearch, TeamStatus};
use nexi_engine::now_ms;
use nexi_engine::report::Report;
use nexi_engine::settings_file::Change;
use nexi_engine::team::Team;
use nexi_engine::{Engine, EngineError, StoreError};
use nexi_messages::say;
use serde_json::json;

use crate::args::{Common, Format, TeamArgs, TeamCommand, Usage};
use crate::line::{age, one_line, sanitized, short};
use crate::output::{Shown, TerminalStyle, note, print_json, print_line, print_turn};
use crate::{exit, password, space, start};

/// Carries the command out.
pub async fn run(wanted: TeamArgs, common: Common) -> Result<u8> {
    let engine = start::open_with_keys(&common).await?;
    match wanted.command {
        None => status(&engine, false).await?,
        Some(TeamCommand::Status { json }) => status(&engine, json).await?,
        Some(TeamCommand::Create { place }) => {
            let known = password::known().filter(|_| !place.is_name());
            let team = engine.team_at(&place.address, place.is_name(), known.map(Into::into)).await?;
            let (_, is_new, _) = password::reached(team, Team::with_password, async |team| team.create().await).await?;
            print_line(&if is_new { say!("nexi-team-created") } else { say!("nexi-team-renewed") })?;
        }
        Some(TeamCommand::Join { address, name }) => join(&engine, &address, &name).await?,
        Some(TeamCommand::Share { id: None, space: Some(name), group, .. }) => {
            let space = space::named(&engine, &name).await?;
            engine.share_space(&space.id, group, true).await?;
            print_line(&sanitized(&say!("nexi-team-space-shared", name = space.name, count = space.threads)))?;
            told_what_waits(&sent(&engine).await?);
        }
        Some(TeamCommand::Share { id, group, with_documents, .. }) => {
            let thread = match id {
                Some(id) => engine.find_thread(&id).await?,
                None => engine.thread_of(None).await?,
            };
            let facts = engine.share(&thread, group, with_documents).await?;
            let (title, turns) = (engine.thread_facts(&thread).await?.title, engine.outlines(&thread).await?.len());
            print_line(&sanitized(&shared_text(&facts, &one_line(&title), turns)))?;
            if facts.held > 0 {
                note(&say!(
                    "nexi-team-held",
                    count = facts.held,
                    command = format!("nexi team share {} --with-documents", short(thread.as_str()))
                ));
            }
            told_what_waits(&sent(&engine).await?);
        }
        Some(TeamCommand::Withdraw { space: Some(name), .. }) => {
            let space = space::named(&engine, &name).await?;
            engine.share_space(&space.id, None, false).await?;
            print_line(&sanitized(&say!("nexi-team-space-withdrawn", name = space.name)))?;
            told_what_waits(&sent(&engine).await?);
        }
        Some(TeamCommand::Withdraw { id, .. }) => {
            withdraw(&engine, &id.unwrap_or_default()).await?;
            let status = sent(&engine).await?;
            if status.waiting == 0 {
                print_line(&say!("nexi-team-withdrawn"))?;
            }
            told_what_waits(&status);
        }
        Some(TeamCommand::List { limit, json }) => return list(&engine, String::new(), limit, json).await,
        Some(TeamCommand::Search { words, limit, json }) => {
            if words.trim().is_empty() {
                return Err(Usage(say!("nexi-team-no-words")).into());
            }
            return list(&engine, words, limit, json).await;
        }
        Some(TeamCommand::Show { id, json }) => show(&engine, &id, json, &common).await?,
        Some(TeamCommand::Continue { id }) => {
            let share = engine.find_shared(&id).await?;
            let thread = engine.continue_shared(&share).await?;
            let last = engine.outlines(&thread).await?.pop().map(|turn| turn.id.to_string()).unwrap_or_default();
            print_line(&say!("nexi-team-continued", command = format!("nexi ask --thread {} \"…\"", short(&last))))?;
        }
        Some(TeamCommand::Send) => {
            let status = sent(&engine).await?;
            match status.waiting {
                0 => print_line(&say!("nexi-team-all-told"))?,
                _ => {
                    told_what_waits(&status);
                    return Ok(exit::FAILED);
                }
            }
        }
    }
    Ok(exit::ANSWERED)
}

/// Adds a database to the settings as the team library, once it was found to be one.
async fn join(engine: &Engine, address: &str, name: &str) -> Result<()> {
    let settings = engine.settings();
    let is_plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if !is_plain || ["builtin", "documents"].contains(&name) {
        return Err(Usage(say!("nexi-team-bad-name", name = name)).into());
    }
    if settings.providers.get(name).is_some_and(|known| known.address() != address) {
        return Err(Usage(say!("nexi-team-name-taken", name = name)).into());
    }
    let wanted = TeamSearch { limit: 1, ..TeamSearch::default() };
    let team = engine.team_at(address, false, password::known().map(Into::into)).await?;
    let (_, _, password) = password::reached(team, Team::with_password, async |team| team.threads(&wanted).await).await?;
    let change = |path: &[&str], value: serde_json::Value| Change { path: path.iter().map(|part| (*part).to_owned()).collect(), value };
    let mut changes = vec![change(&["team_library"], json!(name))];
    if !settings.providers.contains_key(name) {
        changes.insert(0, change(&["providers", name], json!({"type": "postgres", "base_url": address})));
    }
    engine.change_settings(&changes)?;
    if let Some(password) = password
        && let Err(error) = engine.set_key(name, password.into()).await
    {
        // Somebody who sets this variable will most likely set it again.
        match password::known() {
            Some(_) => drop(engine.change_settings(&[change(&["providers", name, "api_key_env"], json!(password::VARIABLE))])?),
            None => note(&say!("nexi-team-password-not-kept", why = error.to_string(), command = format!("nexi key set {name}"))),
        }
    }
    print_line(&sanitized(&say!("nexi-team-joined", name = name)))
}

async fn withdraw(engine: &Engine, id: &str) -> Result<()> {
    match engine.find_thread(id).await {
        Ok(thread) if engine.withdraw(&thread).await? => return Ok(()),
        Ok(_) | Err(EngineError::Store(StoreError::Missing { .. })) => {}
        Err(other) => return Err(other.into()),
    }
    // One that is no longer here.
    let share = match engine.find_shared(id).await {
        Err(EngineError::Database(DatabaseCause::NoSharedThread)) => return Err(Usage(say!("nexi-team-not-shared", id = id)).into()),
        found => found?,
    };
    Ok(engine.withdraw_share(&share).await?)
}

fn shared_text(facts: &SharedFacts, title: &str, turns: usize) -> String {
    match &facts.role {
        _ if facts.held as usize == turns => say!("nexi-team-all-held", title = title),
        Some(role) => say!("nexi-team-shared-with", title = title, role = role),
        None => say!("nexi-team-shared", title = title),
    }
}

/// Sends what waits, as far as that is possible, and how sharing stands then.
async fn sent(engine: &Engine) -> Result<TeamStatus> {
    // What goes wrong is part of how it stands.
    let _ = engine.send_outbox().await;
    Ok(engine.team_status().await?)
}

fn told_what_waits(status: &TeamStatus) {
    if status.waiting > 0 {
        note(&match &status.trouble {
            Some(why) => say!("nexi-team-waits-because", count = status.waiting, why = why),
            None => say!("nexi-team-waits", count = status.waiting),
        });
    }
}

async fn status(engine: &Engine, json: bool) -> Result<()> {
    let status = sent(engine).await?;
    if json {
        return print_json(&status);
    }
    let Some(library) = &status.library else { return print_line(&say!("nexi-team-none")) };
    let mut lines = vec![say!("nexi-team-library", name = library), say!("nexi-team-sharing", count = status.shared)];
    let spaces = engine.spaces().await?;
    lines.extend(
        spaces.iter().filter(|space| status.spaces.contains(&space.id)).map(|space| say!("nexi-team-space", name = one_line(&space.name))),
    );
    if status.held > 0 {
        lines.push(say!("nexi-team-holding", count = status.held));
    }
    print_line(&sanitized(&lines.join("\n")))?;
    told_what_waits(&status);
    Ok(())
}

async fn list(engine: &Engine, text: String, limit: u8, json: bool) -> Result<u8> {
    let page = engine.team_threads(&TeamSearch { text, limit: limit.into(), ..TeamSearch::default() }).await?;
    if json {
        print_json(&page.rows)?;
    } else if page.rows.is_empty() {
        print_line(&say!("nexi-team-nothing"))?;
    } else {
        let now = now_ms();
        print_line(&page.rows.iter().map(|row| line(row, now)).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(if page.rows.is_empty() { exit::FAILED } else { exit::ANSWERED })
}

fn line(row: &TeamRow, now: i64) -> String {
    let author = if row.own { say!("nexi-team-you") } else { one_line(&row.author) };
    let turns = say!("nexi-team-turns", count = row.turns);
    let first = format!("{}  {}  ({author}, {}, {turns})", short(row.id.as_str()), one_line(&row.title), age(row.updated_ms, now));
    let pieces: String = row.pieces.iter().map(|piece| piece.text.as_str()).collect();
    if pieces.is_empty() { first } else { format!("{first}\n          {}", one_line(&pieces)) }
}

async fn show(engine: &Engine, id: &str, json: bool, common: &Common) -> Result<()> {
    let thread: ThreadId = engine.open_shared(&engine.find_shared(id).await?).await?;
    for turn in engine.turns(&thread).await? {
        if json {
            print_json(&Report::from(turn))?;
        } else {
            print_line(&format!("{}\n{}\n", one_line(&turn.question), age(turn.asked_ms, now_ms())))?;
            print_turn(engine, turn, Format::Text, TerminalStyle::of(common), Shown::Nothing, None).await?;
        }
    }
    Ok(())
}
