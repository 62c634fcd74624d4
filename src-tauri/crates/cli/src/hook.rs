//! `nexi hook`: webhooks and commands that run after research.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::Engine;
use nexi_engine::core::protocol::{Delivery, DeliveryOutcome, HookEvent};
use nexi_engine::core::settings::Hook;
use nexi_engine::core::text::count;
use secrecy::ExposeSecret;

use crate::args::{AddHook, Common, HookArgs, HookCommand, Usage};
use crate::line::{age, now_ms, one_line, short};
use crate::output::{not_delivered, note, print_json, print_line};
use crate::{exit, key, start};

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
                return Err(Usage(format!("name: there is no hook {unknown:?}; nexi hook lists them")).into());
            }
            start::unlock_if_possible(&engine).await?;
            for name in &names {
                // One that is named twice is gone the second time.
                if engine.settings().hooks.contains_key(name) {
                    engine.remove_hook(name).await?;
                }
            }
            print_line(&format!("{} removed", names.join(", ")))?;
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
        let example =
            "nexi hook add n8n --url https://n8n.example.org/webhook/nexi, or nexi hook add popup -- notify-send Nexi \"{question}\"";
        return Err(Usage(format!("url: give the address of a webhook, or a program behind --, for example {example}")).into());
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
    print_line(&format!("{name} added: {}", events(&hook)))?;
    if secret.is_some() {
        note(&format!("requests are signed; to give the secret to the receiver: nexi hook secret {name}"));
    }
    note(&format!("to try it: nexi hook test {name}"));
    Ok(())
}

/// Turns a hook on or off.
fn turn(engine: &Engine, name: &str, on: bool) -> Result<()> {
    engine.turn_hook(name, on)?;
    print_line(&format!("{name} is turned {}", if on { "on" } else { "off; its deliveries wait for a week" }))
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
    let words: Vec<&str> = hook.on.iter().map(|event| when(*event)).collect();
    words.join(" and ")
}

fn when(event: HookEvent) -> &'static str {
    match event {
        HookEvent::Answered => "after each answer",
        HookEvent::Failed => "when there is no answer",
        HookEvent::Changed => "when the answer to a watched question changed",
    }
}

async fn list(engine: &Engine, as_json: bool) -> Result<()> {
    let hooks = engine.hooks().await?;
    if as_json {
        return print_json(&hooks);
    }
    if hooks.is_empty() {
        return print_line(
            "There are no hooks yet. To call a webhook after each answer: nexi hook add n8n --url https://n8n.example.org/webhook/nexi\nTo run a program: nexi hook add popup -- notify-send Nexi \"{question}\"",
        );
    }
    let mut lines = Vec::new();
    for view in hooks {
        let state = if view.hook.enabled { events(&view.hook) } else { "turned off".to_owned() };
        lines.push(format!("{}  ({state})  {}", view.name, one_line(&view.target)));
        let last = view.last.as_ref().map_or_else(|| "nothing delivered yet".to_owned(), line);
        let waiting = if view.waiting > 0 { format!(" · {} waiting", count(view.waiting.into(), "delivery")) } else { String::new() };
        lines.push(format!("  {last}{waiting}"));
    }
    print_line(&lines.join("\n"))
}

async fn log(engine: &Engine, name: Option<&str>, most: u32, as_json: bool) -> Result<()> {
    if let Some(name) = name.filter(|name| !engine.settings().hooks.contains_key(*name)) {
        return Err(Usage(format!("name: there is no hook {name:?}; nexi hook lists them")).into());
    }
    let deliveries = engine.hook_deliveries(name, most).await?;
    if as_json {
        return print_json(&deliveries);
    }
    if deliveries.is_empty() {
        return print_line("Nothing was delivered yet.");
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
    let event = delivery.event.map_or("test", HookEvent::as_str);
    let tries = if delivery.attempts > 1 { format!(", {} tries", delivery.attempts) } else { String::new() };
    format!("{event}, {}{tries}: {}", age(delivery.created_ms, now_ms()), said(delivery))
}

fn said(delivery: &Delivery) -> String {
    match &delivery.outcome {
        None => "waiting".into(),
        Some(outcome) => not_delivered(outcome),
    }
}

async fn secret(engine: &Engine, name: &str, new: bool, set: bool) -> Result<()> {
    start::unlock_if_possible(engine).await?;
    let secret = if set {
        key::place(engine).await?;
        let typed = if std::io::stdin().is_terminal() {
            start::hidden(&format!("The secret of {name}, beginning with whsec_ (hidden): ")).await?
        } else {
            start::input("the secret", key::MAX_KEY)?
        };
        engine.set_hook_secret(name, Some(typed.trim().to_owned().into())).await?;
        return print_line("Secret stored.");
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
            0 => "Nothing is due.".to_owned(),
            waiting => format!("Nothing is due. Waiting for a later try: {}.", count(waiting, "delivery")),
        })?;
    } else if made > 0 {
        print_line(&format!("{made} delivered"))?;
    }
    Ok(if failed > 0 { exit::FAILED } else { exit::ANSWERED })
}
