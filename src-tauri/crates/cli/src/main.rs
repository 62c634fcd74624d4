//! `nexi`: Nexi on the command line.

mod args;
mod ask;
mod attach;
mod cache;
mod config;
mod desktop;
mod docs;
mod doctor;
mod eval;
mod history;
mod key;
mod markup;
mod mcp;
mod model;
mod output;
mod permit;
mod plan;
mod progress;
mod restore;
mod session;
mod start;
mod web;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};

/// Exit codes, as the handbook documents them.
mod exit {
    pub const ANSWERED: u8 = 0;
    pub const FAILED: u8 = 1;
    pub const USAGE: u8 = 2;
    pub const CANCELLED: u8 = 130;
}

fn main() -> ExitCode {
    nexi_engine::serve();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            if error.kind() == clap::error::ErrorKind::InvalidSubcommand {
                output::tell("\nTo ask a question: nexi ask \"…\"\n");
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(exit::USAGE));
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            output::note(&error.to_string());
            return ExitCode::from(exit::FAILED);
        }
    };
    let result = runtime.block_on(carry_out(cli));
    nexi_engine::searxng::leave();
    // Threads that wait for a keyring must not keep the program alive.
    runtime.shutdown_background();
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) if error.is::<args::Stopped>() => ExitCode::from(exit::CANCELLED),
        Err(error) => {
            output::note(&output::failure(&error));
            let usage = error.downcast_ref::<nexi_engine::EngineError>().is_some_and(nexi_engine::EngineError::is_usage)
                || error.is::<args::Usage>();
            ExitCode::from(if usage { exit::USAGE } else { exit::FAILED })
        }
    }
}

async fn carry_out(cli: Cli) -> anyhow::Result<u8> {
    let common = cli.common;
    let Some(command) = cli.command else { return session::run(common).await };
    match command {
        Command::Ask(ask) => ask::ask(ask, common).await,
        Command::Resume(resume) => ask::resume(resume, common).await,
        Command::Search(search) => web::search(search, common).await,
        Command::Read(read) => web::read(read, common).await,
        Command::Eval(eval) => eval::run(eval, common).await,
        Command::History(history) => history::run(history, common).await,
        Command::Config(config) => config::run(config, common).await,
        Command::Key(key) => key::run(key, common).await,
        Command::Restore(restore) => restore::run(restore, common).await,
        Command::Doctor(doctor) => doctor::run(doctor, common).await,
        Command::Model(model) => model::run(model, common).await,
        Command::Mcp(mcp) => mcp::run(mcp, common).await,
        Command::Docs(docs) => docs::run(docs, common).await,
        Command::Cache(cache) => cache::run(cache, common).await,
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "nexi", &mut text);
            output::print(&String::from_utf8(text)?)?;
            Ok(exit::ANSWERED)
        }
        Command::Man => {
            output::print(&manual()?)?;
            Ok(exit::ANSWERED)
        }
    }
}

/// One manual page with every command in it.
fn manual() -> anyhow::Result<String> {
    let mut command = Cli::command();
    command.build();
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(command.clone());
    page.render(&mut text)?;
    let mut waiting: Vec<(String, clap::Command)> = named("nexi", &command);
    while let Some((name, command)) = waiting.pop() {
        waiting.extend(named(&name, &command));
        let page = clap_mangen::Man::new(command.clone());
        text.extend(format!(".SH \"{}\"\n", name.to_uppercase()).into_bytes());
        for part in [clap_mangen::Man::render_description_section, clap_mangen::Man::render_options_section] {
            let mut section = Vec::new();
            part(&page, &mut section)?;
            // A chapter for each command, its parts below it.
            text.extend(String::from_utf8(section)?.replace(".SH ", ".SS ").into_bytes());
        }
    }
    // Everything stands on this one page.
    let text = String::from_utf8(text)?.replace(".SH EXTRA", ".SH EXIT STATUS");
    Ok(text.lines().map(|line| format!("{}\n", one_page(line))).collect())
}

/// A line without the number of a chapter, where it names a command of ours.
fn one_page(line: &str) -> String {
    match line.strip_prefix("nexi\\-").and_then(|rest| rest.strip_suffix("(1)")) {
        Some(name) => format!("nexi {name}"),
        None => line.to_owned(),
    }
}

/// The commands of a command with their whole names, last one first.
fn named(parent: &str, command: &clap::Command) -> Vec<(String, clap::Command)> {
    let all = command.get_subcommands().filter(|sub| sub.get_name() != "help");
    all.map(|sub| (format!("{parent} {}", sub.get_name()), sub.clone())).collect::<Vec<_>>().into_iter().rev().collect()
}
