//! `nexi tools`: servers and commands that models may use.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::settings::{KeyPlace, ToolServer, tools::COMMANDS};
use nexi_engine::core::user_tools::ToolDefinition;
use nexi_engine::{Engine, MAX_TOOLS, ToolServerView, ToolState, ToolView, tool_difference};
use tokio::sync::mpsc;

use crate::args::{AddServer, Common, Tools, ToolsCommand, Usage};
use crate::line::{harmless, one_line};
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
                print_line("Nothing was started.")?;
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
                note(&format!("to approve: nexi tools approve {name}"));
            }
        }
        Some(ToolsCommand::Approve { name, tools, yes }) => return approve(engine, &name, &tools, yes).await,
        Some(ToolsCommand::Allow { server, tool }) => {
            engine.grant_tool(&server, &tool, true).await?;
            print_line(&format!("Nexi no longer asks before calls of {}, unless they contain private text.", named(&tool, &server)))?;
        }
        Some(ToolsCommand::Ask { server, tool }) => {
            engine.grant_tool(&server, &tool, false).await?;
            print_line(&format!("Nexi asks before each call of {}.", named(&tool, &server)))?;
        }
        Some(ToolsCommand::Revoke { server, tool }) => {
            known(engine, &server)?;
            let approved = engine.tool_servers().await?;
            if !approved.iter().any(|known| known.name == server && known.tools.iter().any(|known| known.definition.name == tool)) {
                return Err(Usage(format!("tool: {server} has no approved tool named {tool:?}; nexi tools lists them")).into());
            }
            engine.disapprove_tools(&server, Some(&tool)).await?;
            print_line(&format!("{tool} from {server} is no longer approved."))?;
        }
        Some(ToolsCommand::Secret { name, variable, remove }) => secret(engine, &name, variable.as_deref(), remove).await?,
        Some(ToolsCommand::SignIn { name, no_browser }) => return sign_in(engine, &name, no_browser).await,
        Some(ToolsCommand::SignOut { name }) => {
            known(engine, &name)?;
            start::unlock_if_possible(engine).await?;
            let said =
                if engine.sign_out(&name).await? { format!("Signed out of {name}.") } else { format!("You were not signed in to {name}.") };
            print_line(&said)?;
        }
        Some(ToolsCommand::Import { names }) => return import(engine, &names).await,
        Some(ToolsCommand::Remove { name }) => {
            known(engine, &name)?;
            // Its secrets go with it.
            start::unlock_if_possible(engine).await?;
            engine.remove_tool_server(&name).await?;
            print_line(&format!("{name} removed"))?;
        }
    }
    Ok(exit::ANSWERED)
}

/// A tool with where it is from.
fn named(tool: &str, server: &str) -> String {
    if server == COMMANDS { format!("your command {tool}") } else { format!("{tool} from {server}") }
}

async fn list(engine: &Engine, as_json: bool) -> Result<()> {
    let servers = engine.tool_servers().await?;
    if as_json {
        return print_json(&servers);
    }
    let settings = engine.settings();
    if servers.is_empty() && settings.commands.is_empty() {
        return print_line(
            "There are no tools yet. To add a server: nexi tools add files -- npx -y @modelcontextprotocol/server-filesystem ~/Documents\nTo import those of another program: nexi tools import",
        );
    }
    let mut lines = Vec::new();
    for server in servers {
        let state = match (&server.approved_launch, server.enabled) {
            (_, false) => "turned off",
            (Some(_), true) => "changed since approval; approve it again",
            (None, true) if server.tools.is_empty() => "no tools approved",
            (None, true) => "on",
        };
        lines.push(format!("{}  ({state})  {}", server.name, one_line(&server.launch)));
        lines.extend(server.tools.iter().map(|tool| format!("  {}{}", one_line(&tool.definition.name), marks(tool))));
    }
    for (name, command) in settings.commands {
        let state = if command.enabled { "on" } else { "turned off" };
        lines.push(format!("{COMMANDS} {name}  ({state})  {}", one_line(&command.launch())));
    }
    print_line(&lines.join("\n"))
}

fn marks(tool: &ToolView) -> String {
    let kind = if tool.definition.reads { "reads" } else { "may change things" };
    let granted = if tool.granted { ", always allowed" } else { "" };
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
        return Err(
            Usage("command: put the program after --, for example nexi tools add files -- npx -y SERVER, or give --url".into()).into()
        );
    }
    for pair in &wanted.env {
        let (variable, value) = pair.split_once('=').ok_or_else(|| Usage(format!("env: {pair:?} must look like NAME=VALUE")))?;
        server.env.insert(variable.to_owned(), value.to_owned());
    }
    engine.add_tool_server(&name, &server)?;
    for variable in &server.secrets {
        if std::io::stdin().is_terminal() {
            secret(engine, &name, Some(variable), false).await?;
        } else {
            note(&format!("store the value of {variable}: nexi tools secret {name} {variable}"));
        }
    }
    if wanted.no_test || !std::io::stdin().is_terminal() {
        print_line(&format!("{name} added. To approve its tools: nexi tools approve {name}"))?;
        return Ok(exit::ANSWERED);
    }
    print_line(&format!("{name} added."))?;
    let approved = approve(engine, &name, &[], false).await;
    // Most servers at an address want something first.
    if approved.is_err() {
        note(&format!("{name} was added, but its tools could not be listed yet; when they can: nexi tools approve {name}"));
    }
    approved
}

/// Signs in to a server: the person does so in a browser, on this computer or on another.
async fn sign_in(engine: &Engine, name: &str, no_browser: bool) -> Result<u8> {
    let launch = known(engine, name)?.launch();
    if engine.settings().keys == KeyPlace::Session {
        let way = "keep keys in the keyring (nexi config unset keys) or in a file with a passphrase (nexi config set keys file)";
        return Err(
            Usage(format!("keys: the settings keep keys for one session only, so the sign-in would end with this command; {way}")).into()
        );
    }
    key::place(engine).await?;
    let address = engine.begin_sign_in(name, &launch).await?;
    let is_watched = std::io::stdin().is_terminal();
    let host = url::Url::parse(&address).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    print_line(&format!("To sign in to {name} at {host}, open this address in your browser:\n  {}", harmless(&address)))?;
    if is_watched && !no_browser && open::that_detached(&address).is_err() {
        note("no browser could be started here");
    }
    if is_watched {
        note(
            "waiting for the browser… If it is on another computer, paste the address it ends up at here, and press Enter. (Ctrl+C cancels)",
        );
    }
    let mut interrupts = Interrupts::new()?;
    tokio::select! {
        done = engine.finish_sign_in(name, typed(is_watched), note) => done?,
        () = interrupts.next() => {
            engine.cancel_sign_in(name);
            print_line("The sign-in was cancelled.")?;
            return Ok(exit::CANCELLED);
        }
    }
    print_line(&format!("Signed in to {name}."))?;
    let hint = if is_approved(engine, name).await? { format!("nexi tools test {name}") } else { format!("nexi tools approve {name}") };
    note(&format!("to see its tools: {hint}"));
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
            return Err(Usage("yes: without a terminal, add --yes to approve the tools".into()).into());
        }
        if !agrees_to_start(&server).await? {
            print_line(&format!(
                "Nothing was started. To approve its tools later: nexi tools approve {name}. To remove it: nexi tools remove {name}"
            ))?;
            return Ok(exit::CANCELLED);
        }
    }
    let found = look(engine, name).await?;
    let offered = |tool: &&ToolView| tool.state != ToolState::Gone;
    if let Some(missing) = only.iter().find(|wanted| !found.tools.iter().filter(offered).any(|tool| tool.definition.name == **wanted)) {
        return Err(Usage(format!("tools: {name} offers no tool named {missing:?}; nexi tools test {name} lists what it offers")).into());
    }
    let wanted = |tool: &&ToolView| only.is_empty() || only.contains(&tool.definition.name);
    let shown: Vec<ToolDefinition> = found.tools.iter().filter(offered).filter(wanted).map(|tool| tool.definition.clone()).collect();
    print_line(&described(&found))?;
    if shown.is_empty() {
        print_line(&format!("{name} offers no tools."))?;
        return Ok(exit::FAILED);
    }
    let tools = nexi_engine::core::text::count(shown.len() as u64, "tool");
    if !yes && !start::agreed(&format!("Approve {tools}? Nexi still asks before every call. [y/N] ")).await? {
        print_line("No tool was approved.")?;
        return Ok(exit::CANCELLED);
    }
    let names: Vec<String> = shown.into_iter().map(|tool| tool.name).collect();
    engine.approve_tools(name, &found.launch, &names).await?;
    print_line(&format!("{tools} approved"))?;
    let all: usize = engine.tool_servers().await?.iter().filter(|server| server.enabled).map(|server| server.tools.len()).sum();
    if all > MAX_TOOLS {
        note(&format!("{all} tools are approved, and models are offered {MAX_TOOLS} at most; revoke those you do not need"));
    }
    Ok(exit::ANSWERED)
}

/// Whether the person wants this started or reached.
async fn agrees_to_start(server: &ToolServer) -> Result<bool> {
    let what = if server.url.is_some() { "Nexi will connect to this address" } else { "Nexi will run this program" };
    start::agreed(&format!("{what}:\n  {}\nContinue? [y/N] ", harmless(&server.launch()))).await
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
        out.push_str(&format!("  you approved: {}\n", one_line(before)));
    }
    for tool in &server.tools {
        let state = match tool.state {
            ToolState::New => "new",
            ToolState::Approved => "approved",
            ToolState::Changed => "changed since it was approved",
            ToolState::Gone => "no longer offered",
        };
        out.push_str(&format!("\n{}  [{state}]{}\n", one_line(&tool.definition.name), marks(tool)));
        let said = tool.definition.description.trim();
        out.extend(harmless(if said.is_empty() { "(no description)" } else { said }).lines().map(|line| format!("  {line}\n")));
        if let Some(before) = &tool.approved {
            let difference = tool_difference(before, &tool.definition);
            out.extend(difference.removed.iter().map(|line| format!("  - {}\n", harmless(line))));
            out.extend(difference.added.iter().map(|line| format!("  + {}\n", harmless(line))));
        }
        out.push_str(&format!("  arguments: {}\n", one_line(&tool.definition.parameters.to_string())));
    }
    out.trim_end().to_owned()
}

async fn secret(engine: &Engine, name: &str, variable: Option<&str>, remove: bool) -> Result<()> {
    known(engine, name)?;
    // Checked first: what has no place should not have to be typed.
    engine.tool_secret(name, variable)?;
    if remove {
        engine.set_tool_secret(name, variable, None).await?;
        return print_line("Secret removed.");
    }
    key::place(engine).await?;
    let what = variable.map_or_else(|| format!("the key for {name}"), |variable| format!("the value of {variable} for {name}"));
    let value = if std::io::stdin().is_terminal() {
        start::hidden(&format!("{what} (hidden): ")).await?
    } else {
        start::input(&what, key::MAX_KEY)?
    };
    engine.set_tool_secret(name, variable, Some(value.trim().to_owned().into())).await?;
    print_line("Secret stored.")
}

async fn import(engine: &Engine, names: &[String]) -> Result<u8> {
    let found = engine.foreign_tool_servers().await?;
    if found.is_empty() {
        print_line("No tool servers found in Claude Desktop, Cursor or VS Code.")?;
        return Ok(exit::ANSWERED);
    }
    if let Some(unknown) = names.iter().find(|name| !found.iter().any(|server| server.name == **name)) {
        return Err(Usage(format!("names: no server named {unknown:?} was found in Claude Desktop, Cursor or VS Code")).into());
    }
    let asks = names.is_empty() && std::io::stdin().is_terminal();
    let mut added = 0;
    for server in &found {
        print_line(&format!("{} ({}): {}", server.name, server.program, one_line(&server.launch)))?;
        let is_wanted = if asks && !server.known { start::agreed("  Import it? [y/N] ").await? } else { names.contains(&server.name) };
        if server.known {
            print_line(if server.same { "  already added" } else { "  its name is already in use; rename or remove that server first" })?;
        } else if is_wanted {
            if server.has_secrets() {
                key::place(engine).await?;
            }
            engine.take_over_tool_server(server).await?;
            added += 1;
        }
    }
    if added > 0 {
        note("to approve their tools: nexi tools approve NAME");
    } else if names.is_empty() && !asks {
        note("to import some: nexi tools import NAME…");
    }
    Ok(exit::ANSWERED)
}

fn known(engine: &Engine, name: &str) -> Result<ToolServer> {
    let settings = engine.settings();
    settings.tools.get(name).cloned().ok_or_else(|| {
        let known: Vec<&str> = settings.tools.keys().map(String::as_str).collect();
        let list = if known.is_empty() { "add one with nexi tools add".to_owned() } else { format!("known servers: {}", known.join(", ")) };
        Usage(format!("name: there is no tool server {name:?}; {list}")).into()
    })
}
