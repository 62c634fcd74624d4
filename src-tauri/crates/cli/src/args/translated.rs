//! What `--help` says, in the language of the program.
//!
//! The English text stands beside the arguments, as comments of their fields. A test writes it into
//! `locales/en/nexi-commands.ftl`, which is what translators see; other languages have a file of the same name.

use nexi_messages::{Language, Messages};

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

fn of(mut command: clap::Command, path: &str) -> clap::Command {
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
            let known = help.into_iter().fold(known, clap::Arg::help);
            long.into_iter().fold(known, clap::Arg::long_help)
        });
    }
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let below = format!("{path} {name}").trim().to_owned();
        command = command.mut_subcommand(name, |sub| of(sub, &below));
    }
    command
}

fn text(message: &str) -> Option<String> {
    let messages = Messages::current();
    messages.has(message).then(|| messages.text(message, &[]))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::CommandFactory;

    use super::*;
    use crate::args::{Cli, all_examples};

    /// A text as the value of a message.
    fn value(text: &str) -> String {
        let escaped: String = text
            .chars()
            .map(|letter| match letter {
                '{' => "{ \"{\" }".to_owned(),
                '}' => "{ \"}\" }".to_owned(),
                '\n' => "\n        ".to_owned(),
                letter => letter.to_string(),
            })
            .collect();
        if text.contains('\n') { format!("\n        {escaped}") } else { escaped }
    }

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

    /// Fails when the catalogue does not say what the comments say; `NEXI_UPDATE=1` writes it.
    #[test]
    fn the_catalogue_has_the_help_of_every_command() {
        let mut text =
            String::from("# Generated from the arguments of nexi by `NEXI_UPDATE=1 cargo test -p nexi-cli translated`. Do not edit.\n");
        message(&Cli::command(), "", &mut text);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales/en/nexi-commands.ftl");
        if std::env::var_os("NEXI_UPDATE").is_some() {
            return std::fs::write(path, text).expect("a file that can be written");
        }
        let there = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            there == text,
            "locales/en/nexi-commands.ftl is older than the arguments. Run: NEXI_UPDATE=1 cargo test -p nexi-cli translated"
        );
    }
}
