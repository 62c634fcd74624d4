//! `nexi setup`: who answers and which folders are searched, asked step by step.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::Result;
use nexi_engine::core::settings::Vendor;
use nexi_engine::{LocalService, sentences};
use nexi_messages::say;

use crate::args::{AddModel, Common, Usage};
use crate::line::sanitized;
use crate::output::{failure, note, print_words, tell};
use crate::{docs, exit, model, start};

/// Asks, and carries out what is wanted.
pub async fn run(common: Common) -> Result<u8> {
    if !std::io::stdin().is_terminal() {
        return Err(Usage(say!("nexi-setup-needs-terminal")).into());
    }
    let engine = start::open(&common).await?;
    print_words(&format!("{}\n", say!("nexi-setup-answers-now", model = sanitized(&sentences::model_name(&engine.model_label())))))?;
    let mut local = engine.local_services().await;
    let is_built_in = engine.settings().llm_backends.first().is_none_or(|first| first == "builtin");
    let third = if is_built_in { say!("nexi-setup-built-in") } else { say!("nexi-setup-as-it-is") };
    tell(&format!(
        "{}\n  1  {}\n  2  {}\n  3  {third}\n",
        say!("nexi-setup-who"),
        say!("nexi-setup-service"),
        say!("nexi-setup-local", state = running(&local))
    ));
    let wanted = loop {
        match start::line(&say!("nexi-setup-number")).await?.trim() {
            "1" => break Some(AddModel::default()),
            "2" => {
                // It may have been started meanwhile.
                if local.is_empty() {
                    local = engine.local_services().await;
                }
                match local_service(&local).await? {
                    Some(service) => {
                        // One that is connected already keeps its name and its address.
                        let known = engine.settings().providers.get(&service.provider).cloned();
                        break Some(AddModel {
                            service: Some(service.vendor),
                            name: known.as_ref().map(|_| service.provider),
                            base_url: known.and_then(|provider| provider.base_url),
                            ..AddModel::default()
                        });
                    }
                    None => note(&say!("nexi-setup-start-local", services = Vendor::local_labels())),
                }
            }
            "" | "3" => break None,
            other => note(&say!("nexi-setup-no-such-number", typed = other)),
        }
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
    print_words(&format!("\n{}", say!("nexi-setup-ready")))?;
    Ok(exit::ANSWERED)
}

/// What runs here, and how many models it has.
fn running(local: &[LocalService]) -> String {
    if local.is_empty() {
        return say!("nexi-setup-no-local");
    }
    let each = local.iter().map(|service| say!("nexi-setup-local-models", service = &service.label, count = service.models.len()));
    each.collect::<Vec<_>>().join(", ")
}

/// The service to connect, of those that run here; none where there is none.
async fn local_service(local: &[LocalService]) -> Result<Option<LocalService>> {
    let [_, _, ..] = local else { return Ok(local.first().cloned()) };
    let rows = local.iter().enumerate().map(|(at, service)| format!("  {}  {}", at + 1, running(std::slice::from_ref(service))));
    tell(&format!("{}\n{}\n", say!("nexi-setup-which-local"), rows.collect::<Vec<_>>().join("\n")));
    loop {
        let typed = start::line(&say!("nexi-setup-local-number")).await?;
        let place =
            if typed.trim().is_empty() { Some(0) } else { typed.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1)) };
        match place.and_then(|place| local.get(place)) {
            Some(service) => return Ok(Some(service.clone())),
            None => note(&say!("nexi-setup-no-local-number", typed = typed.trim(), count = local.len())),
        }
    }
}
