//! `nexi`: Nexi on the command line.

mod args;
mod ask;
mod attach;
mod audit;
mod cache;
mod complete;
mod config;
mod corpus;
mod described;
mod desktop;
mod docs;
mod doctor;
mod echo;
mod eval;
mod form;
#[cfg(test)]
mod generated;
mod happening;
mod history;
mod hook;
mod key;
mod line;
mod manual;
mod markup;
mod mcp;
mod memory;
mod model;
mod output;
mod password;
mod permit;
mod plan;
mod progress;
mod restore;
mod session;
mod setup;
mod space;
mod start;
mod tables;
mod team;
mod template;
mod tools;
mod typed;
mod usage;
mod watch;
mod web;
mod words;
mod wrap;

use std::process::ExitCode;

use clap::FromArgMatches;

use args::{Cli, Command, Described};
use nexi_engine::report::{FoundTurns, Report, StreamLine, schema_of};
use nexi_messages::say;

/// Exit codes, as the handbook documents them.
mod exit {
    pub const ANSWERED: u8 = 0;
    pub const FAILED: u8 = 1;
    pub const USAGE: u8 = 2;
    pub const CANCELLED: u8 = 130;
}

fn main() -> ExitCode {
    nexi_engine::serve();
    nexi_engine::speak(&complete::options());
    complete::answer_shell(args::command);
    let cli = match args::command().try_get_matches_from(args::arguments()).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            match args::wrong(&error) {
                Some(wrong) => output::tell(&wrong),
                None => drop(error.print()),
            }
            if error.kind() == clap::error::ErrorKind::InvalidSubcommand {
                output::tell(&format!("\n{}\n", say!("nexi-terminal-to-ask")));
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
    runtime.block_on(start::finish_hooks());
    runtime.block_on(start::finish_upkeep());
    runtime.block_on(start::close());
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
    output::remember_data(&common);
    let Some(command) = cli.command else { return session::run(common).await };
    match command {
        Command::Ask(ask) => ask::ask(ask, common).await,
        Command::Resume(resume) => ask::resume(resume, common).await,
        Command::Search(search) => web::search(search, common).await,
        Command::Read(read) => web::read(read, common).await,
        Command::Eval(eval) => eval::run(eval, common).await,
        Command::History(history) => history::run(history, common).await,
        Command::Config(config) => config::run(config, common).await,
        Command::Tools(wanted) => tools::run(wanted, common).await,
        Command::Key(key) => key::run(key, common).await,
        Command::Restore(restore) => restore::run(restore, common).await,
        Command::Doctor(doctor) => doctor::run(doctor, common).await,
        Command::Setup => setup::run(common).await,
        Command::Model(model) => model::run(model, common).await,
        Command::Mcp(mcp) => mcp::run(mcp, common).await,
        Command::Docs(docs) => docs::run(docs, common).await,
        Command::Memory(memory) => memory::run(memory, common).await,
        Command::Space(wanted) => space::run(wanted, common).await,
        Command::Template(wanted) => template::run(wanted, common).await,
        Command::Audit(wanted) => audit::write(wanted, common).await,
        Command::Replay(wanted) => audit::replay(&wanted),
        Command::Usage(wanted) => usage::run(wanted, common).await,
        Command::Watch(wanted) => watch::run(wanted, common).await,
        Command::Hook(wanted) => hook::run(wanted, common).await,
        Command::Corpus(wanted) => corpus::run(wanted, common).await,
        Command::Team(wanted) => team::run(wanted, common).await,
        Command::Cache(cache) => cache::run(cache, common).await,
        Command::Completions { shell } => {
            output::print(&complete::registration(&shell.to_string())?)?;
            Ok(exit::ANSWERED)
        }
        Command::Schema { of } => {
            match of {
                Described::Json => output::print_json(&schema_of::<Report>())?,
                Described::Jsonl => output::print_json(&schema_of::<StreamLine>())?,
                Described::Found => output::print_json(&schema_of::<FoundTurns>())?,
                Described::Search => output::print_json(&schema_of::<web::Searches>())?,
                Described::Read => output::print_json(&schema_of::<web::Pages>())?,
                Described::Settings => output::print_json(nexi_engine::core::settings::schema::json_schema())?,
            }
            Ok(exit::ANSWERED)
        }
        Command::Man { dir: None } => {
            output::print(&manual::page()?)?;
            Ok(exit::ANSWERED)
        }
        Command::Man { dir: Some(dir) } => {
            let pages = manual::write_all(&dir)?;
            output::print_line(&say!("nexi-terminal-pages-written", count = pages, folder = dir.display().to_string()))?;
            Ok(exit::ANSWERED)
        }
    }
}
