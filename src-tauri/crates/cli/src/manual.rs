//! `nexi man`: one manual page with every command in it, or a page for each.

use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::args::{Cli, all_examples, command};

/// Files that people may look for.
const FILES: &[(&str, &str)] = &[
    ("~/.config/nexi/config.toml", "The settings; nexi config path prints where they are on this computer."),
    ("~/.local/share/nexi/nexi.db", "The library: questions, answers and the text of their sources."),
    ("~/.local/share/nexi/documents.db", "The index of your documents; it is made again where it is missing."),
    ("~/.local/share/nexi/backups/", "Copies of the library, one a day; nexi restore lists them."),
    ("~/.local/share/nexi/keys.age", "API keys, encrypted with a passphrase, where keys = \"file\"."),
    ("~/.local/share/nexi/session-history.txt", "Lines that were typed in sessions."),
];

/// What is read of the environment.
const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "OPENAI_API_KEY, ANTHROPIC_API_KEY, BRAVE_API_KEY, ...",
        "Keys of services whose key is not stored; nexi key list names the variable of each.",
    ),
    ("NEXI_KEYS_PASSPHRASE_FILE", "A file with the passphrase of keys.age, for programs that run unattended."),
    ("NEXI_MCP_TOKEN", "The token that clients of nexi mcp --http must send."),
    ("NEXI_PRICES", "A file with prices of models instead of the built-in table."),
    ("HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY", "The proxy that requests go through."),
    ("HF_ENDPOINT", "Where nexi docs fetch finds models instead of https://huggingface.co."),
    ("VISUAL, EDITOR", "The editor of nexi config edit."),
    ("NO_COLOR", "Where it is set, nothing is coloured."),
    ("FORCE_HYPERLINK", "1 makes links of sources in a terminal that is not known to show them, 0 makes none."),
    ("TERM", "dumb means a terminal without colours, links and a moving line."),
];

/// The page in roff.
///
/// # Errors
/// When a part of it cannot be written.
pub fn page() -> Result<String> {
    let mut command = command();
    command.build();
    let mut text = Vec::new();
    let page = Man::new(without_examples(command.clone()));
    page.render(&mut text)?;
    for (name, command) in all_below(&command) {
        let page = Man::new(command);
        text.extend(format!(".SH \"{}\"\n", name.to_uppercase()).into_bytes());
        for part in [Man::render_description_section, Man::render_options_section] {
            let mut section = Vec::new();
            part(&page, &mut section)?;
            // A chapter for each command, its parts below it.
            text.extend(String::from_utf8(section)?.replace(".SH ", ".SS ").into_bytes());
        }
    }
    let mut rest = Roff::new();
    let examples: Vec<(&str, &str)> = all_examples().flat_map(|(_, lines)| lines).copied().collect();
    for (heading, entries) in [("EXAMPLES", examples.as_slice()), ("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT)] {
        chapter(&mut rest, heading, entries);
    }
    rest.to_writer(&mut text)?;
    // Everything stands on this one page.
    let text = String::from_utf8(text)?.replace(".SH EXTRA", ".SH EXIT STATUS");
    Ok(text.lines().map(|line| format!("{}\n", one_page(line))).collect())
}

/// Writes the page of the program and one for each command, with its own examples. How many they are.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_all(dir: &Path) -> Result<usize> {
    let write = |name: &str, page: &[u8]| {
        let path = dir.join(format!("{name}.1"));
        std::fs::write(&path, page).with_context(|| format!("{} cannot be written", path.display()))
    };
    std::fs::create_dir_all(dir).with_context(|| format!("{} cannot be made", dir.display()))?;
    write("nexi", page()?.as_bytes())?;
    // Examples stand in a chapter of their own.
    let mut command = Cli::command();
    command.build();
    let all = all_below(&command);
    let pages = all.len() + 1;
    for (name, command) in all {
        let page_name = name.replace(' ', "-");
        let path = name.split_once(' ').map_or("", |(_, path)| path);
        let mut text = Vec::new();
        Man::new(command).title(page_name.clone()).render(&mut text)?;
        let examples: Vec<_> = all_examples().filter(|(known, _)| *known == path).flat_map(|(_, lines)| lines).copied().collect();
        let mut rest = Roff::new();
        chapter(&mut rest, "EXAMPLES", &examples);
        rest.control("SH", ["SEE ALSO"]).text([roman("nexi(1)")]);
        rest.to_writer(&mut text)?;
        write(&page_name, &text)?;
    }
    Ok(pages)
}

/// A chapter of things and what they are; none where there is nothing.
fn chapter(page: &mut Roff, heading: &str, entries: &[(&str, &str)]) {
    if entries.is_empty() {
        return;
    }
    page.control("SH", [heading]);
    for (name, about) in entries {
        page.control("TP", []).text([bold(*name)]).text([roman(*about)]);
    }
}

/// The program with its exit codes alone below its help: examples have a chapter of their own.
fn without_examples(command: clap::Command) -> clap::Command {
    command.after_help(crate::args::EXITS)
}

/// A line without the number of a chapter, where it names a command of ours.
fn one_page(line: &str) -> String {
    match line.strip_prefix("nexi\\-").and_then(|rest| rest.strip_suffix("(1)")) {
        Some(name) => format!("nexi {name}"),
        None => line.to_owned(),
    }
}

/// All commands of the program with their whole names, each before those within it.
fn all_below(program: &clap::Command) -> Vec<(String, clap::Command)> {
    let mut waiting = named("nexi", program);
    let mut all = Vec::new();
    while let Some((name, command)) = waiting.pop() {
        waiting.extend(named(&name, &command));
        all.push((name, command));
    }
    all
}

/// The commands of a command with their whole names, last one first.
fn named(parent: &str, command: &clap::Command) -> Vec<(String, clap::Command)> {
    let all = command.get_subcommands().filter(|sub| sub.get_name() != "help");
    all.map(|sub| (format!("{parent} {}", sub.get_name()), sub.clone())).collect::<Vec<_>>().into_iter().rev().collect()
}
