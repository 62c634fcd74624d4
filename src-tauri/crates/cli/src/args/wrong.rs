//! What is wrong with arguments, in the language of the program: clap says it in English.

use std::error::Error as _;

use clap::error::{ContextKind, ErrorKind};
use nexi_messages::{Language, Messages, say};

/// What is wrong, with what would be right; none where clap's own words are to be shown.
pub fn wrong(error: &clap::Error) -> Option<String> {
    if Messages::language() == Language::English || !error.use_stderr() {
        return None;
    }
    let told = |kind| error.get(kind).map(ToString::to_string).filter(|text| !text.is_empty());
    let named = |kind| told(kind).unwrap_or_default();
    let (argument, value) = (named(ContextKind::InvalidArg), named(ContextKind::InvalidValue));
    let what = match error.kind() {
        ErrorKind::UnknownArgument => say!("nexi-terminal-wrong.unknown", argument = argument),
        ErrorKind::InvalidSubcommand => say!("nexi-terminal-wrong.command", name = named(ContextKind::InvalidSubcommand)),
        ErrorKind::MissingRequiredArgument => say!("nexi-terminal-wrong.missing", arguments = argument),
        ErrorKind::ArgumentConflict => say!("nexi-terminal-wrong.conflict", argument = argument, other = named(ContextKind::PriorArg)),
        ErrorKind::InvalidValue if value.is_empty() => say!("nexi-terminal-wrong.no_value", argument = argument),
        ErrorKind::InvalidValue => say!("nexi-terminal-wrong.value", argument = argument, value = value),
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            say!("nexi-terminal-wrong.refused", argument = argument, value = value, why = why)
        }
        _ => return None,
    };
    let mut out = format!("{} {what}\n", say!("nexi-terminal-wrong.heading"));
    if let Some(values) = told(ContextKind::ValidValue) {
        out.push_str(&format!("  {}\n", say!("nexi-terminal-wrong.values", values = values)));
    }
    let meant = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue].into_iter().find_map(told);
    if let Some(meant) = meant {
        out.push_str(&format!("\n  {}\n", say!("nexi-terminal-wrong.meant", meant = meant)));
    }
    if let Some(usage) = told(ContextKind::Usage) {
        let usage = usage.trim().trim_start_matches("Usage:").trim();
        out.push_str(&format!("\n{} {usage}\n", say!("nexi-terminal-help.usage")));
    }
    out.push_str(&format!("\n{}\n", say!("nexi-terminal-wrong.more")));
    Some(out)
}
