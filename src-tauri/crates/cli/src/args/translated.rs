//! What `--help` says, in the language of the program.
//!
//! The English text stands beside the arguments, as comments of their fields. A test writes it into
//! `locales/en/nexi-commands.ftl`, which is what translators see; other languages have a file of the same name.

use std::ffi::OsString;

use clap::{Arg, ArgAction, CommandFactory};
use nexi_messages::{Language, Messages, say};

use super::Cli;

/// The name of the catalogue's message for a command: `nexi-commands-hook-add` for `nexi hook add`.
pub fn id(path: &str) -> String {
    match path {
        "" => "nexi-commands".to_owned(),
        path => format!("nexi-commands-{}", path.replace(' ', "-")),
    }
}

/// What an example does, in the language of the program.
pub fn example(path: &str, number: usize, english: &'static str) -> String {
    text(&format!("{}.example-{number}", id(path))).unwrap_or_else(|| english.to_owned())
}

/// The command with its help in the language of the program.
pub fn translated(command: clap::Command) -> clap::Command {
    if Messages::language() == Language::English { command } else { of(command, "") }
}

fn of(command: clap::Command, path: &str) -> clap::Command {
    let mut command = framed(command);
    let message = id(path);
    if let Some(about) = text(&format!("{message}.about")) {
        command = command.about(about);
    }
    if let Some(about) = text(&format!("{message}.long-about")) {
        command = command.long_about(about);
    }
    let arguments: Vec<String> = command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    for argument in arguments {
        let help = text(&format!("{message}.{argument}"));
        let long = text(&format!("{message}.{argument}-long"));
        command = command.mut_arg(argument, |known| {
            let known = help.into_iter().fold(known, Arg::help);
            with_values(long.into_iter().fold(known, Arg::long_help), &message)
        });
    }
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let below = format!("{path} {name}").trim().to_owned();
        command = command.mut_subcommand(name, |sub| of(sub, &below));
    }
    command
}

/// The arguments of this program as [`translated`] takes them. The command `help` that clap adds is English, so that
/// `nexi help ask` becomes `nexi ask --help`.
pub fn arguments() -> Vec<OsString> {
    let all: Vec<OsString> = std::env::args_os().collect();
    if Messages::language() == Language::English { all } else { without_help(&Cli::command(), all) }
}

fn without_help(command: &clap::Command, mut all: Vec<OsString>) -> Vec<OsString> {
    let mut at = command;
    let mut is_value = false;
    for place in 1..all.len() {
        if std::mem::take(&mut is_value) {
            continue;
        }
        if all[place] == "help" && at.has_subcommands() {
            all.remove(place);
            all.push("--help".into());
            break;
        }
        let word = all[place].to_string_lossy();
        if word == "--" {
            break;
        }
        if let Some(sub) = at.find_subcommand(&*word) {
            at = sub;
        } else if let Some(name) = word.strip_prefix("--") {
            let takes = |known: &Arg| known.get_long() == Some(name) && known.get_action().takes_values();
            is_value = command.get_arguments().chain(at.get_arguments()).any(takes);
        } else if !word.starts_with('-') {
            break;
        }
    }
    all
}

/// The headings, and what clap adds of its own.
fn framed(command: clap::Command) -> clap::Command {
    let usage = say!("nexi-terminal-help.usage");
    let options = say!("nexi-terminal-help.options");
    let everywhere = say!("nexi-terminal-help.everywhere");
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).help(say!("nexi-terminal-help.help"));
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version).help(say!("nexi-terminal-help.version"));
    command
        .help_template(format!("{{before-help}}{{about-with-newline}}\n{usage} {{usage}}\n\n{{all-args}}{{after-help}}"))
        .subcommand_help_heading(say!("nexi-terminal-help.commands"))
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .args([help.help_heading(options.clone()), version.help_heading(options.clone())])
        .mut_args(move |known| {
            let heading = match known.is_positional() {
                true => say!("nexi-terminal-help.arguments"),
                false if known.is_global_set() => everywhere.clone(),
                false => options.clone(),
            };
            known.help_heading(heading)
        })
}

/// What an argument may be and is by default, at the end of what it does: clap says it in English.
fn with_values(known: Arg, message: &str) -> Arg {
    let all = known.get_possible_values();
    let values: Vec<&str> = all.iter().filter(|value| !value.is_hide_set()).map(clap::builder::PossibleValue::get_name).collect();
    let standard: Vec<String> = known.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let mut more = String::new();
    if known.get_action().takes_values() && !standard.is_empty() && !known.is_hide_default_value_set() {
        more.push_str(&format!(" [{}: {}]", say!("nexi-terminal-help.default"), standard.join(" ")));
    }
    if known.get_action().takes_values() && !values.is_empty() && !known.is_hide_possible_values_set() {
        more.push_str(&format!(" [{}: {}]", say!("nexi-terminal-help.values"), values.join(", ")));
    }
    if more.is_empty() {
        return known;
    }
    let meaning = |value: &str| text(&format!("{message}.{}-is-{value}", known.get_id()));
    let meanings: String = values.iter().filter_map(|value| Some(format!("\n- {value}: {}", meaning(value)?))).collect();
    let with = |help: Option<&clap::builder::StyledStr>, end: &str| help.map(|help| format!("{help}{more}{end}"));
    let short = with(known.get_help(), "");
    let end = if meanings.is_empty() { String::new() } else { format!("\n{meanings}") };
    let long = with(known.get_long_help().or(known.get_help()), &end);
    let known = known.hide_default_value(true).hide_possible_values(true);
    let known = short.into_iter().fold(known, Arg::help);
    long.into_iter().fold(known, Arg::long_help)
}

fn text(message: &str) -> Option<String> {
    let messages = Messages::current();
    messages.has(message).then(|| messages.text(message, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::all_examples;
    use crate::generated::{generated, value};

    fn message(command: &clap::Command, path: &str, out: &mut String) {
        let mut lines = Vec::new();
        let mut line = |name: String, text: Option<String>| {
            lines.extend(text.map(|text| format!("    .{name} = {}\n", value(&text))));
        };
        line("about".into(), command.get_about().map(ToString::to_string));
        line("long-about".into(), command.get_long_about().map(ToString::to_string));
        for argument in command.get_arguments() {
            let name = argument.get_id().to_string();
            line(name.clone(), argument.get_help().map(ToString::to_string));
            line(format!("{name}-long"), argument.get_long_help().map(ToString::to_string));
            for value in argument.get_possible_values().iter().filter(|value| !value.is_hide_set() && argument.get_action().takes_values())
            {
                line(format!("{name}-is-{}", value.get_name()), value.get_help().map(ToString::to_string));
            }
        }
        let examples = all_examples().filter(|(known, _)| *known == path).flat_map(|(_, examples)| examples.iter());
        for (number, (_, about)) in examples.enumerate() {
            line(format!("example-{}", number + 1), Some((*about).to_owned()));
        }
        out.push_str(&format!("{} =\n{}", id(path), lines.concat()));
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            message(sub, format!("{path} {}", sub.get_name()).trim(), out);
        }
    }

    #[test]
    fn help_is_asked_for_in_either_order() {
        let asked = |line: &str| without_help(&Cli::command(), line.split(' ').map(OsString::from).collect());
        for (line, wanted) in [
            ("nexi help ask", "nexi ask --help"),
            ("nexi history help export", "nexi history export --help"),
            ("nexi help", "nexi --help"),
            ("nexi ask help", "nexi ask help"),
            ("nexi --plain help docs", "nexi --plain docs --help"),
            ("nexi --data-dir /x help docs", "nexi --data-dir /x docs --help"),
            ("nexi --config help docs", "nexi --config help docs"),
            ("nexi -- help", "nexi -- help"),
        ] {
            assert_eq!(asked(line), wanted.split(' ').map(OsString::from).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_catalogue_has_the_help_of_every_command() {
        let mut text = String::new();
        message(&Cli::command(), "", &mut text);
        generated("nexi-commands", "arguments", "translated", &text);
    }
}
