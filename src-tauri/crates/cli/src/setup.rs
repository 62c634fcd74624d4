//! `nexi setup`: who answers and which folders are searched, asked step by step.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::Result;
use nexi_engine::core::settings::Vendor;
use nexi_engine::{Engine, EngineError, sentences};
use nexi_messages::say;

use crate::args::{AddModel, Common, Usage};
use crate::line::sanitized;
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
        return Err(Usage(say!("nexi-setup-needs-terminal")).into());
    }
    let engine = start::open(&common).await?;
    print_line(&format!("{}\n", say!("nexi-setup-answers-now", model = sanitized(&sentences::model_name(&engine.model_label())))))?;
    let local = local_models(&engine).await;
    let is_built_in = engine.settings().llm_backends.first().is_none_or(|first| first == "builtin");
    let third = if is_built_in { say!("nexi-setup-built-in") } else { say!("nexi-setup-as-it-is") };
    tell(&format!(
        "{}\n  1  {}\n  2  {}\n  3  {third}\n",
        say!("nexi-setup-who"),
        say!("nexi-setup-service"),
        say!("nexi-setup-local", state = local)
    ));
    let chosen = loop {
        match start::line(&say!("nexi-setup-number")).await?.trim() {
            "1" => break Answers::Service,
            "2" => break Answers::Local,
            "" | "3" => break Answers::AsItIs,
            other => note(&say!("nexi-setup-no-such-number", typed = other)),
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
            note(&say!("nexi-setup-not-connected"));
        }
    }
    loop {
        let folder = start::line(&format!("\n{}", say!("nexi-setup-folder"))).await?;
        if folder.trim().is_empty() {
            break;
        }
        // Pasted too late; it must not be shown in an error.
        if let Some(vendor) = Vendor::by_key(folder.trim()) {
            note(&say!("nexi-setup-key-for-folder", service = vendor.label));
            continue;
        }
        if let Err(error) = docs::add(&engine, Path::new(folder.trim())).await {
            note(&failure(&error));
        }
    }
    print_line(&format!("\n{}", say!("nexi-setup-ready")))?;
    Ok(exit::ANSWERED)
}

/// How many models Ollama has here, in words.
async fn local_models(engine: &Engine) -> String {
    let Some(vendor) = Vendor::by_id("ollama") else { return String::new() };
    let models: Result<Vec<_>, EngineError> = engine.catalog_of(&engine.settings(), vendor.id, vendor.provider(), None).await;
    match models {
        Ok(models) if models.is_empty() => say!("nexi-setup-ollama-empty"),
        Ok(models) => say!("nexi-setup-ollama-models", count = models.len()),
        Err(_) => say!("nexi-setup-no-ollama"),
    }
}
