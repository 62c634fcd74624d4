//! `nexi tools`: servers and commands that models may use.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::settings::{KeyPlace, ToolServer, tools::COMMANDS};
use nexi_engine::core::user_tools::ToolDefinition;
use nexi_engine::{Engine, MAX_TOOLS, ToolServerView, ToolState, ToolView, tool_difference};
use nexi_messages::say;
use tokio::sync::mpsc;

use crate::args::{AddServer, Common, Tools, ToolsCommand, Usage};
use crate::line::{one_line, sanitized};
use crate::output::{note, print_json, print_line};
use crate::start::Interrupts;
use crate::{exit, key, start};

/// Carries the command out.
pub async fn run(wanted: Tools, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    let code = carry_out(&engine, wanted).await;
    engine.stop_tools().await;
    code
}

async fn carry_out(engine: &Engine, wanted: Tools) -> Result<u8> {
    match wanted.command {
        None => list(engine, wanted.json).await?,
        Some(ToolsCommand::List { json }) => list(engine, json).await?,
        Some(ToolsCommand::Add(server)) => return add(engine, server).await,
        Some(ToolsCommand::Test { name, json }) => {
            let server = known(engine, &name)?;
            if std::io::stdin().is_terminal() && !is_approved(engine, &name).await? && !agrees_to_start(&server).await? {
                print_line(&say!("nexi-tools-not-started"))?;
                return Ok(exit::CANCELLED);
            }
            let found = look(engine, &name).await?;
            if json {
                print_json(&found)?;
                return Ok(exit::ANSWERED);
            }
            print_line(&described(&found))?;
            let unapproved = found.tools.iter().filter(|tool| matches!(tool.state, ToolState::New | ToolState::Changed)).count();
            if unapproved > 0 {
                note(&say!("nexi-tools-to-approve", name = name));
            }
        }
        Some(ToolsCommand::Approve { name, tools, yes }) => return approve(engine, &name, &tools, yes).await,
        Some(ToolsCommand::Allow { server, tool }) => {
            engine.grant_tool(&server, &tool, true).await?;
            print_line(&say!("nexi-tools-allowed", tool = named(&tool, &server)))?;
        }
        Some(ToolsCommand::Ask { server, tool }) => {
            engine.grant_tool(&server, &tool, false).await?;
            print_line(&say!("nexi-tools-asked", tool = named(&tool, &server)))?;
        }
        Some(ToolsCommand::Revoke { server, tool }) => {
            known(engine, &server)?;
            let approved = engine.tool_servers().await?;
            if !approved.iter().any(|known| known.name == server && known.tools.iter().any(|known| known.definition.name == tool)) {
                return Err(Usage(say!("nexi-tools-none-approved-named", server = server, tool = tool)).into());
            }
            engine.disapprove_tools(&server, Some(&tool)).await?;
            print_line(&say!("nexi-tools-revoked", tool = tool, server = server))?;
        }
        Some(ToolsCommand::Secret { name, variable, remove }) => secret(engine, &name, variable.as_deref(), remove).await?,
        Some(ToolsCommand::SignIn { name, no_browser }) => return sign_in(engine, &name, no_browser).await,
        Some(ToolsCommand::SignOut { name }) => {
            known(engine, &name)?;
            start::unlock_if_possible(engine).await?;
            let was_signed_in = engine.sign_out(&name).await?;
            print_line(&match was_signed_in {
                true => say!("nexi-tools-signed-out", name = name),
                false => say!("nexi-tools-was-signed-out", name = name),
            })?;
        }
        Some(ToolsCommand::Import { names }) => return import(engine, &names).await,
        Some(ToolsCommand::Remove { name }) => {
            known(engine, &name)?;
            // Its secrets go with it.
            start::unlock_if_possible(engine).await?;
            engine.remove_tool_server(&name).await?;
            print_line(&say!("nexi-tools-removed", name = name))?;
        }
    }
    Ok(exit::ANSWERED)
}

/// A tool with where it is from.
fn named(tool: &str, server: &str) -> String {
    if server == COMMANDS { say!("nexi-tools-command", name = tool) } else { say!("nexi-tools-tool", tool = tool, server = server) }
}

async fn list(engine: &Engine, as_json: bool) -> Result<()> {
    let servers = engine.tool_servers().await?;
    if as_json {
        return print_json(&servers);
    }
    let settings = engine.settings();
    if servers.is_empty() && settings.commands.is_empty() {
        return print_line(&say!("nexi-tools-none-yet"));
    }
    let mut lines = Vec::new();
    for server in servers {
        let state = match (&server.approved_launch, server.enabled) {
            (_, false) => say!("nexi-tools-server-states.off"),
            (Some(_), true) => say!("nexi-tools-server-states.changed"),
            (None, true) if server.tools.is_empty() => say!("nexi-tools-server-states.none-approved"),
            (None, true) => say!("nexi-tools-server-states.on"),
        };
        lines.push(format!("{}  ({state})  {}", server.name, one_line(&server.launch)));
        lines.extend(server.tools.iter().map(|tool| format!("  {}{}", one_line(&tool.definition.name), marks(tool))));
    }
    for (name, command) in settings.commands {
        let state = if command.enabled { say!("nexi-tools-server-states.on") } else { say!("nexi-tools-server-states.off") };
        lines.push(format!("{COMMANDS} {name}  ({state})  {}", one_line(&command.launch())));
    }
    print_line(&lines.join("\n"))
}

fn marks(tool: &ToolView) -> String {
    let kind = if tool.definition.reads { say!("nexi-tools-reads") } else { say!("nexi-tools-may-change") };
    let granted = if tool.granted { format!(", {}", say!("nexi-tools-always")) } else { String::new() };
    format!("  ({kind}{granted})")
}

async fn add(engine: &Engine, wanted: AddServer) -> Result<u8> {
    let name = wanted.name;
    let mut server = ToolServer {
        url: wanted.url,
        client_id: wanted.client_id,
        redirect_port: wanted.redirect_port,
        scopes: wanted.scope,
        secrets: wanted.secret,
        public: wanted.public,
        local: wanted.local,
        ..ToolServer::default()
    };
    let mut words = wanted.command.into_iter().map(|word| word.to_string_lossy().into_owned());
    server.command = words.next();
    server.args = words.collect();
    if server.command.is_none() && server.url.is_none() {
        return Err(Usage(say!("nexi-tools-no-program")).into());
    }
    for pair in &wanted.env {
        let (variable, value) = pair.split_once('=').ok_or_else(|| Usage(say!("nexi-tools-bad-variable", pair = pair)))?;
        server.env.insert(variable.to_owned(), value.to_owned());
    }
    engine.add_tool_server(&name, &server)?;
    for variable in &server.secrets {
        if std::io::stdin().is_terminal() {
            secret(engine, &name, Some(variable), false).await?;
        } else {
            note(&say!("nexi-tools-store-value", variable = variable, name = &name));
        }
    }
    if wanted.no_test || !std::io::stdin().is_terminal() {
        print_line(&say!("nexi-tools-added-unapproved", name = name))?;
        return Ok(exit::ANSWERED);
    }
    print_line(&say!("nexi-tools-added", name = &name))?;
    let approved = approve(engine, &name, &[], false).await;
    // Most servers at an address want something first.
    if approved.is_err() {
        note(&say!("nexi-tools-not-listed", name = name));
    }
    approved
}

/// Signs in to a server: the person does so in a browser, on this computer or on another.
async fn sign_in(engine: &Engine, name: &str, no_browser: bool) -> Result<u8> {
    let launch = known(engine, name)?.launch();
    if engine.settings().keys == KeyPlace::Session {
        return Err(Usage(say!("nexi-tools-session-keys")).into());
    }
    key::place(engine).await?;
    let address = engine.begin_sign_in(name, &launch).await?;
    let is_watched = std::io::stdin().is_terminal();
    let host = url::Url::parse(&address).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    print_line(&format!("{}\n  {}", say!("nexi-tools-sign-in", name = name, host = host), sanitized(&address)))?;
    if is_watched && !no_browser && open::that_detached(&address).is_err() {
        note(&say!("nexi-tools-no-browser"));
    }
    if is_watched {
        note(&say!("nexi-tools-waiting"));
    }
    let mut interrupts = Interrupts::new()?;
    tokio::select! {
        done = engine.finish_sign_in(name, typed(is_watched), note) => done?,
        () = interrupts.next() => {
            engine.cancel_sign_in(name);
            print_line(&say!("nexi-tools-cancelled"))?;
            return Ok(exit::CANCELLED);
        }
    }
    print_line(&say!("nexi-tools-signed-in", name = name))?;
    let hint = if is_approved(engine, name).await? { format!("nexi tools test {name}") } else { format!("nexi tools approve {name}") };
    note(&say!("nexi-tools-to-see", command = hint));
    Ok(exit::ANSWERED)
}

/// Lines typed on standard input, if a person is at the terminal.
fn typed(is_watched: bool) -> mpsc::Receiver<String> {
    let (send, lines) = mpsc::channel(1);
    if is_watched {
        // A thread of its own, so that the program can end while it waits.
        std::thread::spawn(move || {
            let mut line = String::new();
            while std::io::stdin().read_line(&mut line).is_ok_and(|read| read > 0) {
                let said = std::mem::take(&mut line);
                if !said.trim().is_empty() && send.blocking_send(said).is_err() {
                    return;
                }
            }
        });
    }
    lines
}

/// Shows what a server offers, and approves it where the person agrees.
async fn approve(engine: &Engine, name: &str, only: &[String], yes: bool) -> Result<u8> {
    let server = known(engine, name)?;
    if !yes {
        if !std::io::stdin().is_terminal() {
            return Err(Usage(say!("nexi-tools-approve-say-yes")).into());
        }
        if !agrees_to_start(&server).await? {
            print_line(&say!("nexi-tools-not-started-yet", name = name))?;
            return Ok(exit::CANCELLED);
        }
    }
    let found = look(engine, name).await?;
    let offered = |tool: &&ToolView| tool.state != ToolState::Gone;
    if let Some(missing) = only.iter().find(|wanted| !found.tools.iter().filter(offered).any(|tool| tool.definition.name == **wanted)) {
        return Err(Usage(say!("nexi-tools-not-offered", name = name, tool = missing)).into());
    }
    let wanted = |tool: &&ToolView| only.is_empty() || only.contains(&tool.definition.name);
    let shown: Vec<ToolDefinition> = found.tools.iter().filter(offered).filter(wanted).map(|tool| tool.definition.clone()).collect();
    print_line(&described(&found))?;
    if shown.is_empty() {
        print_line(&say!("nexi-tools-none-offered", name = name))?;
        return Ok(exit::FAILED);
    }
    if !yes && !start::agreed(&say!("nexi-tools-approve", count = shown.len())).await? {
        print_line(&say!("nexi-tools-none-approved"))?;
        return Ok(exit::CANCELLED);
    }
    let names: Vec<String> = shown.into_iter().map(|tool| tool.name).collect();
    engine.approve_tools(name, &found.launch, &names).await?;
    print_line(&say!("nexi-tools-approved", count = names.len()))?;
    let all: usize = engine.tool_servers().await?.iter().filter(|server| server.enabled).map(|server| server.tools.len()).sum();
    if all > MAX_TOOLS {
        note(&say!("nexi-tools-too-many", count = all, most = MAX_TOOLS));
    }
    Ok(exit::ANSWERED)
}

/// Whether the person wants this started or reached.
async fn agrees_to_start(server: &ToolServer) -> Result<bool> {
    let what = if server.url.is_some() { say!("nexi-tools-will-connect") } else { say!("nexi-tools-will-run") };
    start::agreed(&format!("{what}\n  {}\n{}", sanitized(&server.launch()), say!("nexi-tools-continue"))).await
}

/// Whether what is started or reached was approved before, as it is now.
async fn is_approved(engine: &Engine, name: &str) -> Result<bool> {
    Ok(engine.tool_servers().await?.iter().any(|server| server.name == name && !server.tools.is_empty()))
}

async fn look(engine: &Engine, name: &str) -> Result<ToolServerView> {
    start::unlock_if_possible(engine).await?;
    Ok(engine.look_at_tools(name, &known(engine, name)?.launch()).await?)
}

/// Everything a server says of itself.
fn described(server: &ToolServerView) -> String {
    let mut out = format!("{}: {}\n", server.name, one_line(&server.launch));
    if let Some(before) = &server.approved_launch {
        out.push_str(&format!("  {}\n", say!("nexi-tools-you-approved", launch = one_line(before))));
    }
    for tool in &server.tools {
        let state = match tool.state {
            ToolState::New => say!("nexi-tools-states.new"),
            ToolState::Approved => say!("nexi-tools-states.approved"),
            ToolState::Changed => say!("nexi-tools-states.changed"),
            ToolState::Gone => say!("nexi-tools-states.gone"),
        };
        out.push_str(&format!("\n{}  [{state}]{}\n", one_line(&tool.definition.name), marks(tool)));
        let said = tool.definition.description.trim();
        let said = if said.is_empty() { say!("nexi-tools-no-description") } else { sanitized(said) };
        out.extend(said.lines().map(|line| format!("  {line}\n")));
        if let Some(before) = &tool.approved {
            let difference = tool_difference(before, &tool.definition);
            out.extend(difference.removed.iter().map(|line| format!("  - {}\n", sanitized(line))));
            out.extend(difference.added.iter().map(|line| format!("  + {}\n", sanitized(line))));
        }
        let schema = one_line(&tool.definition.parameters.to_string());
        out.push_str(&format!("  {}\n", say!("nexi-tools-arguments", schema = schema)));
    }
    out.trim_end().to_owned()
}

async fn secret(engine: &Engine, name: &str, variable: Option<&str>, remove: bool) -> Result<()> {
    known(engine, name)?;
    // Checked first: what has no place should not have to be typed.
    engine.tool_secret(name, variable)?;
    if remove {
        engine.set_tool_secret(name, variable, None).await?;
        return print_line(&say!("nexi-tools-secret-removed"));
    }
    key::place(engine).await?;
    let what = match variable {
        Some(variable) => say!("nexi-tools-value-of", variable = variable, name = name),
        None => say!("nexi-tools-key-of", name = name),
    };
    let value = if std::io::stdin().is_terminal() {
        start::hidden(&say!("nexi-tools-hidden", what = what)).await?
    } else {
        start::input(&what, key::MAX_KEY)?
    };
    engine.set_tool_secret(name, variable, Some(value.trim().to_owned().into())).await?;
    print_line(&say!("nexi-tools-secret-stored"))
}

async fn import(engine: &Engine, names: &[String]) -> Result<u8> {
    let found = engine.foreign_tool_servers().await?;
    if found.is_empty() {
        print_line(&say!("nexi-tools-none-found"))?;
        return Ok(exit::ANSWERED);
    }
    if let Some(unknown) = names.iter().find(|name| !found.iter().any(|server| server.name == **name)) {
        return Err(Usage(say!("nexi-tools-not-found", name = unknown)).into());
    }
    let asks = names.is_empty() && std::io::stdin().is_terminal();
    let mut added = 0;
    for server in &found {
        print_line(&say!("nexi-tools-found", name = &server.name, program = server.program.clone(), launch = one_line(&server.launch)))?;
        let is_wanted = if asks && !server.known {
            start::agreed(&format!("  {}", say!("nexi-tools-import"))).await?
        } else {
            names.contains(&server.name)
        };
        if server.known {
            let why = if server.same { say!("nexi-tools-already-added") } else { say!("nexi-tools-name-in-use") };
            print_line(&format!("  {why}"))?;
        } else if is_wanted {
            if server.has_secrets() {
                key::place(engine).await?;
            }
            engine.take_over_tool_server(server).await?;
            added += 1;
        }
    }
    if added > 0 {
        note(&say!("nexi-tools-approve-imported"));
    } else if names.is_empty() && !asks {
        note(&say!("nexi-tools-to-import"));
    }
    Ok(exit::ANSWERED)
}

fn known(engine: &Engine, name: &str) -> Result<ToolServer> {
    let settings = engine.settings();
    settings.tools.get(name).cloned().ok_or_else(|| {
        let known: Vec<&str> = settings.tools.keys().map(String::as_str).collect();
        Usage(match known.is_empty() {
            true => say!("nexi-tools-unknown-none", name = name),
            false => say!("nexi-tools-unknown", name = name, known = known.join(", ")),
        })
        .into()
    })
}
