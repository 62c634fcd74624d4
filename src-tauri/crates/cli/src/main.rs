//! `nexi`: Nexi on the command line.

mod args;
mod ask;
mod progress;

use std::process::ExitCode;

use clap::Parser;

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
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("nexi: {error}");
            return ExitCode::from(exit::FAILED);
        }
    };
    let result = runtime.block_on(async {
        match cli.command {
            Command::Ask(ask) => ask::ask(ask, cli.common).await,
            Command::Resume(resume) => ask::resume(resume, cli.common).await,
            Command::Cache(cache) => ask::cache(cache, cli.common).await,
        }
    });
    // Threads that wait for a keyring must not keep the program alive.
    runtime.shutdown_background();
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("nexi: {}", ask::harmless(&format!("{error:#}")));
            let usage = error.downcast_ref::<nexi_engine::EngineError>().is_some_and(nexi_engine::EngineError::is_usage)
                || error.is::<args::Usage>();
            ExitCode::from(if usage { exit::USAGE } else { exit::FAILED })
        }
    }
}
