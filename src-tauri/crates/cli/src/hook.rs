//! `nexi hook`: webhooks and commands that run after research.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::Engine;
use nexi_engine::core::protocol::{Delivery, DeliveryOutcome, HookEvent};
use nexi_engine::core::settings::Hook;
use nexi_engine::now_ms;
use nexi_messages::say;
use secrecy::ExposeSecret;

use crate::args::{AddHook, Common, HookArgs, HookCommand, Usage};
use crate::line::{age, listed, one_line, short};
use crate::output::{not_delivered, note, print_json, print_line};
use crate::{exit, key, start};

/// An example of each kind of hook.
const WEBHOOK: &str = "nexi hook add n8n --url https://n8n.example.org/webhook/nexi";
const PROGRAM: &str = "nexi hook add popup -- notify-send Nexi \"{question}\"";

/// Carries the command out.
pub async fn run(wanted: HookArgs, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match wanted.command {
        None => list(&engine, false).await?,
        Some(HookCommand::List { json }) => list(&engine, json).await?,
        Some(HookCommand::Add(hook)) => add(&engine, hook).await?,
        Some(HookCommand::Test { name }) => {
            start::unlock_if_possible(&engine).await?;
            let tested = engine.test_hook(&name).await?;
            print_line(&format!("{name}: {}", said(&tested)))?;
            return Ok(if tested.outcome == Some(DeliveryOutcome::Delivered) { exit::ANSWERED } else { exit::FAILED });
        }
        Some(HookCommand::Secret { name, new, set }) => secret(&engine, &name, new, set).await?,
        Some(HookCommand::Log { name, count, json }) => log(&engine, name.as_deref(), count, json).await?,
        Some(HookCommand::Run) => return deliver(&engine).await,
        Some(HookCommand::On { name }) => turn(&engine, &name, true)?,
        Some(HookCommand::Off { name }) => turn(&engine, &name, false)?,
        Some(HookCommand::Remove { names }) => {
            let known = engine.settings().hooks;
            if let Some(unknown) = names.iter().find(|name| !known.contains_key(*name)) {
                return Err(Usage(say!("nexi-hook-unknown", name = unknown)).into());
            }
            start::unlock_if_possible(&engine).await?;
            for name in &names {
                // One that is named twice is gone the second time.
                if engine.settings().hooks.contains_key(name) {
                    engine.remove_hook(name).await?;
                }
            }
            print_line(&say!("nexi-hook-removed", names = names.join(", ")))?;
        }
    }
    Ok(exit::ANSWERED)
}

async fn add(engine: &Engine, wanted: AddHook) -> Result<()> {
    let mut words = wanted.command.into_iter().map(|word| word.to_string_lossy().into_owned());
    let command = words.next().map(whole);
    let mut hook = Hook { url: wanted.url, command, signed: !wanted.unsigned, ..Hook::default() };
    hook.args = words.collect();
    if hook.url.is_none() && hook.command.is_none() {
        let example = say!("nexi-hook-or", first = WEBHOOK, second = PROGRAM);
        return Err(Usage(say!("nexi-hook-no-target", example = example)).into());
    }
    if !wanted.on.is_empty() {
        hook.on = HookEvent::ALL.into_iter().filter(|event| wanted.on.contains(event)).collect();
    }
    hook.timeout = wanted.timeout.unwrap_or(hook.timeout);
    // Before anybody is asked for a passphrase.
    engine.check_new_hook(&wanted.name, &hook)?;
    if hook.url.is_some() && hook.signed {
        key::place(engine).await?;
    }
    let secret = engine.add_hook(&wanted.name, &hook).await?;
    let name = &wanted.name;
    print_line(&say!("nexi-hook-added", name = name, events = events(&hook)))?;
    if secret.is_some() {
        note(&say!("nexi-hook-signed", name = name));
    }
    note(&say!("nexi-hook-try", name = name));
    Ok(())
}

/// Turns a hook on or off.
fn turn(engine: &Engine, name: &str, on: bool) -> Result<()> {
    engine.set_hook_enabled(name, on)?;
    print_line(&if on { say!("nexi-hook-on", name = name) } else { say!("nexi-hook-off", name = name) })
}

/// A program that was named by its place is started from the home folder later on.
fn whole(program: String) -> String {
    let named = program.contains('/') && !program.starts_with('~');
    if !named {
        return program;
    }
    std::path::absolute(&program).map_or(program, |path| path.to_string_lossy().into_owned())
}

/// When a hook is called, in words.
fn events(hook: &Hook) -> String {
    let words: Vec<String> = hook.on.iter().map(|event| say!(&format!("nexi-hook-when.{}", event.as_str()))).collect();
    listed(&words)
}

async fn list(engine: &Engine, as_json: bool) -> Result<()> {
    let hooks = engine.hooks().await?;
    if as_json {
        return print_json(&hooks);
    }
    if hooks.is_empty() {
        return print_line(&say!("nexi-hook-none-yet", webhook = WEBHOOK, program = PROGRAM));
    }
    let mut lines = Vec::new();
    for view in hooks {
        let state = if view.hook.enabled { events(&view.hook) } else { say!("nexi-hook-turned-off") };
        lines.push(format!("{}  ({state})  {}", view.name, one_line(&view.target)));
        let last = view.last.as_ref().map_or_else(|| say!("nexi-hook-nothing-yet"), line);
        let waiting = if view.waiting > 0 { format!(" · {}", say!("nexi-hook-waiting", count = view.waiting)) } else { String::new() };
        lines.push(format!("  {last}{waiting}"));
    }
    print_line(&lines.join("\n"))
}

async fn log(engine: &Engine, name: Option<&str>, most: u32, as_json: bool) -> Result<()> {
    if let Some(name) = name.filter(|name| !engine.settings().hooks.contains_key(*name)) {
        return Err(Usage(say!("nexi-hook-unknown", name = name)).into());
    }
    let deliveries = engine.hook_deliveries(name, most).await?;
    if as_json {
        return print_json(&deliveries);
    }
    if deliveries.is_empty() {
        return print_line(&say!("nexi-hook-nothing-delivered"));
    }
    let told = |delivery: &Delivery| {
        let about = delivery.turn.as_ref().zip(delivery.question.as_deref());
        about.map(|(turn, question)| format!("\n  {}  {}", short(turn.as_str()), one_line(question))).unwrap_or_default()
    };
    let lines: Vec<String> = deliveries.iter().map(|delivery| format!("{}  {}{}", delivery.hook, line(delivery), told(delivery))).collect();
    print_line(&lines.join("\n"))
}

/// A delivery with when it came up.
fn line(delivery: &Delivery) -> String {
    let event = delivery.event.map_or_else(|| say!("nexi-hook-test"), |event| say!(&format!("nexi-hook-events.{}", event.as_str())));
    let tries = if delivery.attempts > 1 { format!(", {}", say!("nexi-hook-tries", count = delivery.attempts)) } else { String::new() };
    format!("{event}, {}{tries}: {}", age(delivery.created_ms, now_ms()), said(delivery))
}

fn said(delivery: &Delivery) -> String {
    match &delivery.outcome {
        None => say!("nexi-hook-still-waiting"),
        Some(outcome) => not_delivered(outcome),
    }
}

async fn secret(engine: &Engine, name: &str, new: bool, set: bool) -> Result<()> {
    start::unlock_if_possible(engine).await?;
    let secret = if set {
        key::place(engine).await?;
        let typed = if std::io::stdin().is_terminal() {
            start::hidden(&say!("nexi-hook-type-secret", name = name)).await?
        } else {
            start::input(&say!("nexi-hook-the-secret"), key::MAX_KEY)?
        };
        engine.set_hook_secret(name, Some(typed.trim().to_owned().into())).await?;
        return print_line(&say!("nexi-hook-secret-stored"));
    } else if new {
        engine.set_hook_secret(name, None).await?
    } else {
        engine.hook_secret(name).await?
    };
    print_line(secret.expose_secret())
}

async fn deliver(engine: &Engine) -> Result<u8> {
    start::unlock_if_possible(engine).await?;
    let (mut made, mut failed) = (0_u64, 0_u64);
    let mut tell = |hook: &str, outcome: &DeliveryOutcome| {
        let delivered = *outcome == DeliveryOutcome::Delivered;
        made += u64::from(delivered);
        failed += u64::from(!delivered);
        if !delivered {
            note(&format!("{hook}: {}", not_delivered(outcome)));
        }
    };
    engine.deliver_due(None, &mut tell).await?;
    if made + failed == 0 {
        let waiting: u64 = engine.hooks().await?.iter().map(|view| u64::from(view.waiting)).sum();
        print_line(&match waiting {
            0 => say!("nexi-hook-nothing-due"),
            waiting => say!("nexi-hook-nothing-due-yet", count = waiting),
        })?;
    } else if made > 0 {
        print_line(&say!("nexi-hook-delivered", count = made))?;
    }
    Ok(if failed > 0 { exit::FAILED } else { exit::ANSWERED })
}
