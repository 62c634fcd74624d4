//! `nexi setup`: who answers and which folders are searched, asked step by step.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::Result;
use nexi_engine::core::settings::Vendor;
use nexi_engine::{Engine, EngineError};

use crate::args::{AddModel, Common, Usage};
use crate::line::harmless;
use crate::output::{failure, note, print_line, tell};
use crate::{docs, exit, model, start};

/// Who answers.
enum Answers {
    /// A service with a key.
    Service,
    /// A model of Ollama, on this computer.
    Local,
    /// The built-in researcher, or what is connected already.
    AsItIs,
}

/// Asks, and carries out what is wanted.
pub async fn run(common: Common) -> Result<u8> {
    if !std::io::stdin().is_terminal() {
        return Err(Usage(
            "setup asks questions and needs a terminal; without one: nexi model add SERVICE < key.txt, nexi docs add FOLDER".into(),
        )
        .into());
    }
    let engine = start::open(&common).await?;
    print_line(&format!("Answers come from {} now.\n", harmless(&engine.model_label())))?;
    let local = local_models(&engine).await;
    tell(&format!(
        "Who should answer?\n  1  A model of a service: paste an API key\n  2  A local model with Ollama ({local})\n  3  {}\n",
        if engine.settings().llm_backends.first().is_none_or(|first| first == "builtin") {
            "The built-in researcher: no model, quotes from pages and documents"
        } else {
            "Leave it as it is"
        }
    ));
    let chosen = loop {
        match start::line("Number [3]: ").await?.trim() {
            "1" => break Answers::Service,
            "2" => break Answers::Local,
            "" | "3" => break Answers::AsItIs,
            other => note(&format!("{other} is none of 1, 2 and 3")),
        }
    };
    let wanted = match chosen {
        Answers::Service => Some(AddModel::default()),
        Answers::Local => Some(AddModel { service: Some("ollama".into()), ..AddModel::default() }),
        Answers::AsItIs => None,
    };
    if let Some(wanted) = wanted {
        // What did not work can be tried again; the rest goes on.
        if let Err(error) = model::add(&engine, wanted).await {
            if error.is::<crate::args::Stopped>() {
                return Err(error);
            }
            note(&failure(&error));
            note("no model was connected; to try again: nexi model add");
        }
    }
    loop {
        let folder = start::line("\nA folder with documents to search, such as ~/Documents (Enter for none): ").await?;
        if folder.trim().is_empty() {
            break;
        }
        if let Err(error) = docs::add(&engine, Path::new(folder.trim())).await {
            note(&failure(&error));
        }
    }
    print_line("\nReady. Ask something: nexi ask \"…\", or nexi for a session. To change anything: nexi setup, nexi config edit")?;
    Ok(exit::ANSWERED)
}

/// How many models Ollama has here, in words.
async fn local_models(engine: &Engine) -> String {
    let Some(vendor) = Vendor::by_id("ollama") else { return String::new() };
    let models: Result<Vec<_>, EngineError> = engine.catalog_of(&engine.settings(), vendor.id, vendor.provider(), None).await;
    match models {
        Ok(models) if models.is_empty() => "it runs here, without a model".into(),
        Ok(models) => format!("{} here", nexi_engine::core::text::count(models.len() as u64, "model")),
        Err(_) => "it does not run here".into(),
    }
}
