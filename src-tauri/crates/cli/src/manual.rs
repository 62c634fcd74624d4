//! `nexi man`: one manual page with every command in it, or a page for each.

use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use nexi_messages::say;

use crate::args::{Cli, all_examples, command, example, translated};

/// Files that people may look for.
const FILES: [(&str, &str); 6] = [
    ("~/.config/nexi/config.toml", "settings"),
    ("~/.local/share/nexi/nexi.db", "library"),
    ("~/.local/share/nexi/documents.db", "documents"),
    ("~/.local/share/nexi/backups/", "backups"),
    ("~/.local/share/nexi/keys.age", "keys"),
    ("~/.local/share/nexi/session-history.txt", "session"),
];

/// What is read of the environment.
const ENVIRONMENT: [(&str, &str); 11] = [
    ("OPENAI_API_KEY, ANTHROPIC_API_KEY, BRAVE_API_KEY, ...", "keys"),
    ("NEXI_KEYS_PASSPHRASE_FILE", "passphrase"),
    ("NEXI_MCP_TOKEN", "token"),
    ("NEXI_PRICES", "prices"),
    ("NEXI_LANGUAGE", "language"),
    ("HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY", "proxy"),
    ("HF_ENDPOINT", "models"),
    ("VISUAL, EDITOR", "editor"),
    ("NO_COLOR", "colour"),
    ("FORCE_HYPERLINK", "links"),
    ("TERM", "terminal"),
];

/// The page in roff, with all commands in it.
///
/// # Errors
/// When a part of it cannot be written.
pub fn page() -> Result<String> {
    let text = page_of_program(true)?;
    Ok(text.lines().map(|line| format!("{}\n", one_page(line))).collect())
}

/// The page of the program: with a chapter for each command, or with their names alone.
fn page_of_program(with_commands: bool) -> Result<String> {
    let mut command = command();
    command.build();
    let mut text = Vec::new();
    let page = man(without_examples(command.clone()));
    page.render(&mut text)?;
    let below = if with_commands { all_below(&command) } else { Vec::new() };
    for (name, command) in below {
        let page = man(command);
        text.extend(format!(".SH \"{}\"\n", name.to_uppercase()).into_bytes());
        for part in [Man::render_description_section, Man::render_options_section] {
            let mut section = Vec::new();
            part(&page, &mut section)?;
            // A chapter for each command, its parts below it.
            text.extend(String::from_utf8(section)?.replace(".SH ", ".SS ").into_bytes());
        }
    }
    let mut rest = Roff::new();
    chapter(&mut rest, &say!("nexi-manual-headings.examples"), &examples(|_| true));
    let files = FILES.map(|(file, name)| (file, say!(&format!("nexi-manual-files.{name}"))));
    chapter(&mut rest, &say!("nexi-manual-headings.files"), &files);
    let variables = ENVIRONMENT.map(|(variable, name)| (variable, say!(&format!("nexi-manual-variables.{name}"))));
    chapter(&mut rest, &say!("nexi-manual-headings.environment"), &variables);
    rest.to_writer(&mut text)?;
    let text = String::from_utf8(text)?.replace(".SH EXTRA", &format!(".SH {}", say!("nexi-manual-headings.exit-status")));
    Ok(with_lists(&text))
}

/// A page that says whose it is at its foot and its head.
fn man(command: clap::Command) -> Man {
    Man::new(command).source(concat!("Nexi ", env!("CARGO_PKG_VERSION"))).manual("Nexi")
}

/// Writes the page of the program and one for each command, with its own examples. How many they are.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_all(dir: &Path) -> Result<usize> {
    let write = |name: &str, page: &[u8]| {
        let path = dir.join(format!("{name}.1"));
        std::fs::write(&path, page).with_context(|| say!("nexi-manual-unwritable", path = path.display().to_string()))
    };
    std::fs::create_dir_all(dir).with_context(|| say!("nexi-manual-cannot-be-made", path = dir.display().to_string()))?;
    write("nexi", page_of_program(false)?.as_bytes())?;
    // Examples stand in a chapter of their own.
    let mut command = translated(Cli::command());
    command.build();
    let all = all_below(&command);
    let pages = all.len() + 1;
    for (name, command) in all {
        let page_name = name.replace(' ', "-");
        let path = name.split_once(' ').map_or("", |(_, path)| path);
        let mut text = Vec::new();
        man(command).title(page_name.clone()).render(&mut text)?;
        let mut rest = Roff::new();
        chapter(&mut rest, &say!("nexi-manual-headings.examples"), &examples(|known| known == path));
        rest.control("SH", [say!("nexi-manual-headings.see-also").as_str()]).text([roman("nexi(1)")]);
        rest.to_writer(&mut text)?;
        write(&page_name, with_lists(&String::from_utf8(text)?).as_bytes())?;
    }
    Ok(pages)
}

/// Lines to type and what they do, of the commands that are wanted.
fn examples(wanted: impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
    let all = all_examples().filter(|(path, _)| wanted(path));
    let of = |(path, lines): (&'static str, &'static [(&'static str, &'static str)])| {
        lines.iter().enumerate().map(move |(at, (line, does))| (*line, example(path, at + 1, does)))
    };
    all.flat_map(of).collect()
}

/// A chapter of things and what they are; none where there is nothing.
fn chapter(page: &mut Roff, heading: &str, entries: &[(&str, String)]) {
    if entries.is_empty() {
        return;
    }
    page.control("SH", [heading]);
    for (name, about) in entries {
        page.control("TP", []).text([bold(*name)]).text([roman(about)]);
    }
}

/// The program with its exit codes alone below its help: examples have a chapter of their own.
fn without_examples(command: clap::Command) -> clap::Command {
    command.after_help(say!("nexi-terminal-exits"))
}

/// A line without the number of a chapter, where it names a command of ours.
fn one_page(line: &str) -> String {
    match line.strip_prefix("nexi\\-").and_then(|rest| rest.strip_suffix("(1)")) {
        Some(name) => format!("nexi {name}"),
        None => line.to_owned(),
    }
}

/// Begins a line for each value of a list, which roff would run together.
fn with_lists(page: &str) -> String {
    let is_value = |line: &str| line.strip_prefix("\\- ").is_some_and(|rest| rest.contains(": "));
    page.lines().map(|line| if is_value(line) { format!(".br\n{line}\n") } else { format!("{line}\n") }).collect()
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
