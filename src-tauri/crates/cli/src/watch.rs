//! `nexi watch`: questions that are asked again automatically.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use nexi_engine::core::pricing::dollars;
use nexi_engine::core::protocol::{AnswerChange, CheckOutcome, WatchedQuestion};
use nexi_engine::now_ms;
use nexi_engine::report::change_lines;
use nexi_engine::{CheckAttempt, CheckReport, Engine, NewWatch, PauseReason, WatchedChange, local_time, write_atomically};
use nexi_messages::say;
use serde_json::json;

use crate::args::{AddWatch, Common, Output, Usage, Watch, WatchCommand};
use crate::line::{age, one_line, sanitized, short};
use crate::output::{failure, note, print, print_json, print_line};
use crate::start::Interrupts;
use crate::{ask, exit, start};

/// Changes that are listed.
const CHANGES: u32 = 50;
/// How long a check that is stopped may take to be cleared away.
const CLEARING_WAIT: Duration = Duration::from_secs(10);
/// What every feed of ours holds.
const FEED: &str = "urn:nexi:watched";

/// Carries the command out.
pub async fn run(wanted: Watch, common: Common) -> Result<u8> {
    // Only what asks a model needs keys.
    let engine = match wanted.command {
        Some(WatchCommand::Add(_) | WatchCommand::Run { .. }) => start::open_with_keys(&common).await?,
        _ => start::open(&common).await?,
    };
    match wanted.command {
        Some(WatchCommand::Add(add)) => return self::add(&engine, add, &common).await,
        Some(WatchCommand::Run { id, json }) => return check(&engine, id.as_deref(), json).await,
        None => list(&engine, false).await?,
        Some(WatchCommand::List { json }) => list(&engine, json).await?,
        Some(WatchCommand::Show { id, json }) => show(&engine, id.as_deref(), json).await?,
        Some(WatchCommand::Every { id, schedule }) => {
            let watched = engine.watched_question(&id).await?;
            engine.schedule_watched(&watched.id, schedule).await?;
            let next = engine.watched_question(&watched.id).await?.next_ms;
            print_line(&say!("nexi-watch-every", schedule = schedule.to_string(), next = local_time(next)))?;
        }
        Some(WatchCommand::Pause { id }) => pause(&engine, &id, true).await?,
        Some(WatchCommand::Resume { id }) => pause(&engine, &id, false).await?,
        Some(WatchCommand::Remove { ids }) => {
            let mut wanted = Vec::new();
            for id in &ids {
                let id = engine.watched_question(id).await?.id;
                if !wanted.contains(&id) {
                    wanted.push(id);
                }
            }
            for id in &wanted {
                engine.stop_watching(id).await?;
            }
            print_line(&say!("nexi-watch-removed", count = wanted.len()))?;
        }
        Some(WatchCommand::Feed { out }) => {
            let feed = engine.watch_feed().await?;
            match out {
                Some(path) => write_feed(&path, &feed)?,
                None => print(&feed)?,
            }
        }
    }
    Ok(exit::ANSWERED)
}

/// Writes the feed, and over nothing but a feed of ours.
fn write_feed(path: &Path, feed: &str) -> Result<()> {
    let known = std::fs::read_to_string(path);
    let is_feed = known.as_ref().is_ok_and(|known| known.contains(FEED));
    if path.exists() && !is_feed {
        return Err(Usage(say!("nexi-watch-no-feed", path = path.display().to_string())).into());
    }
    let failed = |error: std::io::Error| Usage(say!("nexi-watch-unwritable", path = path.display().to_string(), why = error.to_string()));
    Ok(write_atomically(path, feed.as_bytes(), !is_feed).map_err(failed)?)
}

async fn add(engine: &Engine, add: AddWatch, common: &Common) -> Result<u8> {
    let words = Some(add.question.join(" ")).filter(|words| !words.trim().is_empty());
    let (turn, question) = match &add.turn {
        Some(id) => (engine.find_turn(id).await?, words),
        None => {
            let question = words.ok_or_else(|| Usage(say!("nexi-watch-no-question")))?;
            let options = ask::options(engine, question, None, &add.how()).await?;
            if !add.any_cost {
                engine.check_watchable(options.provider.as_deref()).await?;
            }
            let run = engine.ask(options).await?;
            let turn = run.turn().clone();
            let wanted = ask::Wanted { output: Output { quiet: add.quiet, ..Output::default() }, ..ask::Wanted::default() };
            let outcome = ask::follow(engine, run, Interrupts::new()?, wanted, common).await?;
            if outcome.code != exit::ANSWERED {
                note(&say!("nexi-watch-no-answer"));
                return Ok(outcome.code);
            }
            (turn, None)
        }
    };
    let new = NewWatch { turn, question, schedule: add.every, max_cost: add.max_cost, any_cost: add.any_cost, stands_alone: add.as_is };
    let watched = engine.watch(new).await?;
    let (id, schedule, next) = (short(&watched.id), watched.schedule.to_string(), local_time(watched.next_ms));
    note(&say!("nexi-watch-watched", id = id, schedule = schedule, next = next));
    Ok(exit::ANSWERED)
}

async fn pause(engine: &Engine, id: &str, paused: bool) -> Result<()> {
    let watched = engine.watched_question(id).await?;
    engine.pause_watched(&watched.id, paused).await?;
    print_line(&if paused { say!("nexi-watch-paused") } else { say!("nexi-watch-resumed") })
}

async fn list(engine: &Engine, as_json: bool) -> Result<()> {
    let all = engine.watched().await?;
    if as_json {
        return print_json(&all);
    }
    if all.is_empty() {
        return print_line(&say!("nexi-watch-none-yet"));
    }
    let lines: Vec<String> = all.iter().flat_map(lines).collect();
    print_line(&lines.join("\n"))
}

fn lines(watched: &WatchedQuestion) -> [String; 2] {
    let now = now_ms();
    let pace = match watched.paused {
        true => say!("nexi-watch-paused"),
        false => say!("nexi-watch-pace", schedule = watched.schedule.to_string(), next = local_time(watched.next_ms)),
    };
    let last = match (&watched.outcome, watched.checked_ms) {
        (Some(outcome), Some(checked)) => say!("nexi-watch-last", when = age(checked, now), what = said(outcome)),
        _ => say!("nexi-watch-not-checked-yet"),
    };
    let changed = say!("nexi-watch-changed-of", changes = watched.changes, checks = watched.checks);
    let cost = if watched.spent > 0 { format!(" · {}", dollars(watched.spent)) } else { String::new() };
    [format!("{}  {}", short(&watched.id), one_line(&watched.question)), format!("          {pace} · {last} · {changed}{cost}")]
}

fn said(outcome: &CheckOutcome) -> String {
    match outcome {
        CheckOutcome::First => say!("nexi-watch-outcomes.first"),
        CheckOutcome::Unchanged => say!("nexi-watch-outcomes.unchanged"),
        CheckOutcome::Changed { statements, .. } => say!("nexi-watch-outcomes.changed", count = *statements),
        CheckOutcome::NotChecked { message, .. } => say!("nexi-watch-outcomes.not_checked", why = one_line(message)),
    }
}

async fn show(engine: &Engine, id: Option<&str>, as_json: bool) -> Result<()> {
    let id = match id {
        Some(id) => Some(engine.watched_question(id).await?.id),
        None => None,
    };
    let changes = engine.watched_changes(id.as_deref(), CHANGES).await?;
    if as_json {
        return print_json(&changes.iter().map(as_value).collect::<Vec<_>>());
    }
    if changes.is_empty() {
        return print_line(&say!("nexi-watch-no-changes"));
    }
    let now = now_ms();
    for one in &changes {
        print_line(&format!("{}  {}  {}", short(one.turn.as_str()), age(one.changed_ms, now), one_line(&one.question)))?;
        print_change(&one.change)?;
    }
    Ok(())
}

fn as_value(one: &WatchedChange) -> serde_json::Value {
    json!({ "turn": one.turn, "thread": one.thread, "question": one.question, "changed_ms": one.changed_ms, "change": one.change })
}

fn print_change(change: &AnswerChange) -> Result<()> {
    print_line(&sanitized(&change_lines(change).join("\n")))
}

async fn check(engine: &Engine, id: Option<&str>, as_json: bool) -> Result<u8> {
    let mut interrupts = Interrupts::new()?;
    let reports = std::sync::Mutex::new(Vec::<CheckReport>::new());
    // Reports are printed as they come, even if a later check fails or is stopped.
    let tell = |report: CheckReport| {
        if !as_json && let Err(error) = print_report(&report) {
            note(&failure(&error));
        }
        reports.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(report);
    };
    let mut work = std::pin::pin!(async {
        let Some(id) = id else { return Ok(engine.check_due(tell).await?) };
        let watched = engine.watched_question(id).await?;
        note(&say!("nexi-watch-checking", question = one_line(&watched.question)));
        match engine.check_watched(&watched.id, true).await? {
            CheckAttempt::Checked(report) => tell(*report),
            CheckAttempt::NotDue => note(&say!("nexi-watch-gone")),
            CheckAttempt::Busy => return Err(anyhow::anyhow!(say!("nexi-watch-busy"))),
        }
        Ok::<_, anyhow::Error>(None)
    });
    let done = tokio::select! {
        done = &mut work => Some(done),
        () = interrupts.next() => {
            note(&say!("nexi-terminal-stopping"));
            // The check ends as a failed one and is cleared away.
            let stopped = async { tokio::join!(engine.stop_all(CLEARING_WAIT), &mut work).1 };
            let _ = tokio::time::timeout(CLEARING_WAIT, stopped).await;
            None
        }
    };
    let reports = std::mem::take(&mut *reports.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    if as_json {
        let value = |report: &CheckReport| json!({ "watched": report.watched, "outcome": report.outcome, "change": report.change });
        print_json(&reports.iter().map(value).collect::<Vec<_>>())?;
    }
    let Some(done) = done else { return Ok(exit::CANCELLED) };
    let left = done?;
    if let Some(rest) = left {
        note(&match rest {
            PauseReason::Battery => say!("nexi-watch-on-battery"),
            PauseReason::Metered => say!("nexi-watch-on-metered"),
            PauseReason::Busy => say!("nexi-watch-busy"),
        });
    } else if reports.is_empty() && id.is_none() && !as_json {
        print_line(&say!("nexi-watch-none-due"))?;
    }
    let failed = reports.iter().any(|report| matches!(report.outcome, CheckOutcome::NotChecked { .. }));
    Ok(if failed { exit::FAILED } else { exit::ANSWERED })
}

fn print_report(report: &CheckReport) -> Result<()> {
    print_line(&format!("{}  {}: {}", short(&report.watched.id), one_line(&report.watched.question), said(&report.outcome)))?;
    report.change.as_ref().map_or(Ok(()), print_change)
}

#[cfg(test)]
mod tests {
    use nexi_engine::core::ids::TurnId;

    use super::*;

    #[test]
    fn outcomes_are_said_in_a_few_words() {
        assert_eq!(said(&CheckOutcome::Unchanged), "nothing new");
        assert_eq!(said(&CheckOutcome::Changed { turn: TurnId("t".into()), statements: 1 }), "1 statement changed");
    }
}
