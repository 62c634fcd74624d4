//! Every command of `nexi`, as its help and the manual page show them.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum, ValueHint};
use nexi_messages::say;

use super::examples::EXAMPLES;
use super::translated::example;
use super::{
    Ask, Audit, Cache, Config, CorpusArgs, Docs, Doctor, Eval, History, HookArgs, Key, Mcp, MemoryArgs, Model, Read, ReplayArgs, Restore,
    Resume, Search, SpaceArgs, TeamArgs, TemplateArgs, Tools, UsageArgs, Watch,
};

/// Every command, in the order in which the help lists them.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask a question and wait for the answer
    Ask(Ask),
    /// Continue an interrupted run
    Resume(Resume),
    /// Search with the configured backends, without a model
    Search(Search),
    /// Read pages with the configured readers, without a model
    Read(Read),
    /// Run a set of questions with several models, searches and checks, and compare the results
    Eval(Eval),
    /// Show, search, export, import or delete past research
    History(History),
    /// Show, add, change or remove what Nexi remembers about you
    Memory(MemoryArgs),
    /// Group threads into spaces with their own documents, instructions, memories and model
    Space(SpaceArgs),
    /// Show, set or remove templates: questions with fields, typed as /NAME
    Template(TemplateArgs),
    /// Export a record of a run: every request, search, address, decision and cost
    Audit(Audit),
    /// Replay a record offline and compare the answers
    Replay(ReplayArgs),
    /// Show usage: tokens, cost and time by day, month, model or service
    Usage(UsageArgs),
    /// Ask questions again automatically and report what changed
    Watch(Watch),
    /// Call webhooks or run programs after research
    Hook(HookArgs),
    /// Show or change the settings
    Config(Config),
    /// Choose who answers and which folders are searched, step by step
    Setup,
    /// Connect a model, list those that are connected, or choose one
    Model(Model),
    /// Store, list or remove API keys
    Key(Key),
    /// Connect MCP servers whose tools models may use; approve, allow or remove tools
    Tools(Tools),
    /// List backups of the library, or restore one
    Restore(Restore),
    /// Check providers, keys, the database and documents, and suggest fixes
    Doctor(Doctor),
    /// Serve Nexi's tools over the Model Context Protocol (MCP)
    Mcp(Mcp),
    /// Add folders of documents, and show what is indexed of them and what is left out
    Docs(Docs),
    /// Share documents with others in a PostgreSQL database: fill it, search it
    Corpus(CorpusArgs),
    /// Share threads with others in a PostgreSQL database, and find theirs
    Team(TeamArgs),
    /// Show the size of the page cache, or clear it
    Cache(Cache),
    /// Print shell completions
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page (roff)
    Man {
        /// Write a page for each command into this folder instead
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
    },
    /// Print the JSON Schema of what --json or --jsonl prints, or of the settings file
    Schema {
        /// Of which of them
        #[arg(value_enum, default_value_t)]
        of: Described,
    },
}

/// What `nexi schema` describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Described {
    /// What --json prints of an answer; nexi history prints a list of them
    #[default]
    Json,
    /// A line that --jsonl prints
    Jsonl,
    /// What nexi history search --json prints
    Found,
    /// What nexi search --json prints
    Search,
    /// What nexi read --json prints
    Read,
    /// The settings file, for editors that complete and check it
    Settings,
}

/// Every command with its examples, the program itself first.
pub fn all_examples() -> impl Iterator<Item = (&'static str, &'static [(&'static str, &'static str)])> {
    EXAMPLES.iter().copied()
}

/// Puts the examples below the help of their commands.
pub fn with_examples(mut command: clap::Command) -> clap::Command {
    for (path, lines) in all_examples() {
        command = at(command, path.split_whitespace().collect::<Vec<_>>().as_slice(), &text(path, lines));
    }
    command
}

fn at(command: clap::Command, path: &[&str], text: &str) -> clap::Command {
    match path {
        [] => {
            let after = command.get_after_help().map(|known| format!("{text}\n\n{known}"));
            command.after_help(after.unwrap_or_else(|| text.to_owned()))
        }
        [first, rest @ ..] => command.mut_subcommand(first, |sub| at(sub, rest, text)),
    }
}

/// Longest line that still has what it does beside it.
const BESIDE: usize = 46;

fn text(path: &str, lines: &[(&str, &'static str)]) -> String {
    let width = lines.iter().map(|(line, _)| line.len()).filter(|width| *width <= BESIDE).max().unwrap_or_default();
    let lines = lines.iter().enumerate().map(|(at, (line, does))| {
        let does = example(path, at + 1, does);
        if line.len() <= BESIDE { format!("  {line:width$}  {does}") } else { format!("  {line}\n  {:width$}  {does}", "") }
    });
    format!("{}\n{}", say!("nexi-terminal-examples"), lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, command};

    #[test]
    fn every_command_has_examples() {
        fn leaves(path: &str, command: &clap::Command, out: &mut Vec<String>) {
            let below: Vec<&clap::Command> = command.get_subcommands().filter(|sub| sub.get_name() != "help").collect();
            if below.is_empty() || !command.is_subcommand_required_set() {
                out.push(path.to_owned());
            }
            for sub in below {
                leaves(format!("{path} {}", sub.get_name()).trim(), sub, out);
            }
        }
        let mut wanted = Vec::new();
        leaves("", &command(), &mut wanted);
        for path in wanted {
            assert!(all_examples().any(|(known, _)| known == path), "nexi {path} has no example");
        }
    }

    #[test]
    fn every_example_is_understood() {
        for (path, lines) in all_examples() {
            for (line, _) in lines {
                // What a shell does with the rest of the line is its own affair.
                let own = line.rsplit_once("| nexi").map_or((*line).to_owned(), |(_, own)| format!("nexi{own}"));
                let own = own.split([' ']).take_while(|word| !["|", "<", ">"].contains(word)).collect::<Vec<_>>().join(" ");
                let words = shell_words(&own);
                let parsed = Cli::try_parse_from(&words);
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
                assert_eq!(words.get(1..1 + path.split_whitespace().count()).unwrap_or_default().join(" "), path, "{line}");
            }
        }
    }

    /// The words of a line with quotation marks around some of them.
    fn shell_words(line: &str) -> Vec<String> {
        let mut out = vec![String::new()];
        let mut quoted = None;
        for c in line.chars() {
            match (quoted, c) {
                (Some(open), c) if c == open => quoted = None,
                (None, '"' | '\'') => quoted = Some(c),
                (None, ' ') => out.push(String::new()),
                _ => out.last_mut().unwrap().push(c),
            }
        }
        out
    }
}
