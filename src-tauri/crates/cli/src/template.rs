//! `nexi template`: questions that are asked often.

use anyhow::Result;
use nexi_engine::core::template::{Template, fill};
use nexi_engine::{Engine, EngineError, StoreError};
use nexi_messages::say;

use crate::args::{Common, SESSION_COMMANDS, TemplateArgs, TemplateCommand, Usage};
use crate::line::{one_line, sanitized};
use crate::output::{print_json, print_line};
use crate::{exit, start};

/// Carries the command out.
pub async fn run(wanted: TemplateArgs, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match wanted.command {
        None => list(&engine, false).await?,
        Some(TemplateCommand::List { json }) => list(&engine, json).await?,
        Some(TemplateCommand::Set { name, text }) => {
            // In a session, the command would be meant.
            if SESSION_COMMANDS.contains(&format!("/{}", plain(&name)).as_str()) {
                return Err(Usage(say!("nexi-template-is-command", name = plain(&name))).into());
            }
            let known = engine.templates().await?.into_iter().find(|known| known.name == plain(&name)).map(|known| known.id);
            let kept = engine.keep_template(known, name, text.join(" ")).await.map_err(in_words)?;
            print_line(&match kept.fields.is_empty() {
                true => say!("nexi-template-kept", name = kept.name),
                false => say!("nexi-template-kept-fields", name = kept.name, fields = one_line(&kept.fields.join(", "))),
            })?;
        }
        Some(TemplateCommand::Remove { names }) => {
            let mut wanted = Vec::new();
            for name in &names {
                wanted.push(named(&engine, name).await?);
            }
            for template in wanted {
                engine.remove_template(template.id).await?;
                print_line(&say!("nexi-template-removed", name = template.name))?;
            }
        }
    }
    Ok(exit::ANSWERED)
}

async fn list(engine: &Engine, as_json: bool) -> Result<()> {
    let all = engine.templates().await?;
    if as_json {
        return print_json(&all);
    }
    if all.is_empty() {
        return {
            let command = "nexi template set compare \"Compare {product} with {other}.\"";
            print_line(&say!("nexi-template-none-yet", command = command))
        };
    }
    print_line(&all.iter().map(|one| format!("/{}  {}", one.name, one_line(&one.text))).collect::<Vec<_>>().join("\n"))
}

/// The template of this name.
async fn named(engine: &Engine, name: &str) -> Result<Template> {
    let wanted = plain(name);
    let found = engine.templates().await?.into_iter().find(|known| known.name == wanted);
    found.ok_or_else(|| Usage(say!("nexi-template-unknown", name = sanitized(&wanted))).into())
}

/// The question of a template; `given` are `field=value`, or values in the order of the fields.
///
/// # Errors
/// When a field has no value, or a value no field.
pub async fn question(engine: &Engine, name: &str, given: &[String]) -> Result<String> {
    filled(engine, named(engine, name).await?, given).await
}

/// The question of this template.
///
/// # Errors
/// When a field has no value, or a value no field.
pub async fn filled(engine: &Engine, template: Template, given: &[String]) -> Result<String> {
    let mut values: Vec<Option<String>> = vec![None; template.fields.len()];
    for one in given {
        let by_name = one.split_once('=').and_then(|(field, value)| {
            let at = template.fields.iter().position(|known| known.eq_ignore_ascii_case(field.trim()))?;
            Some((at, value.to_owned()))
        });
        let next = values.iter().position(Option::is_none).map(|at| (at, one.clone()));
        let Some((at, value)) = by_name.or(next) else {
            return Err(Usage(match template.fields.is_empty() {
                true => say!("nexi-template-no-fields", name = template.name, value = one),
                false => say!("nexi-template-too-many", name = template.name, fields = template.fields.join(", "), value = one),
            })
            .into());
        };
        values[at] = Some(value);
    }
    if let Some(missing) = template.fields.iter().zip(&values).find(|(_, value)| value.is_none()) {
        let usage = template.fields.iter().map(|field| format!("\"{field}=…\"")).collect::<Vec<_>>().join(" ");
        let command = format!("nexi ask --template {} {usage}", template.name);
        return Err(Usage(say!("nexi-template-missing", field = missing.0, command = command)).into());
    }
    engine.use_template(template.id.clone()).await?;
    Ok(fill(&template.text, |field| values[template.fields.iter().position(|known| known == field)?].clone()))
}

fn plain(name: &str) -> String {
    name.trim().trim_start_matches('/').to_lowercase()
}

/// Mistakes in a template are usage errors.
fn in_words(error: EngineError) -> anyhow::Error {
    match error {
        EngineError::Store(
            error @ (StoreError::TemplateName
            | StoreError::TemplateText { .. }
            | StoreError::TemplateTaken { .. }
            | StoreError::TooManyTemplates { .. }),
        ) => Usage(error.to_string()).into(),
        other => other.into(),
    }
}
