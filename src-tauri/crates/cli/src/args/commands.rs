//! Every command of `nexi`, and examples of each, as its help and the manual page show them.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum, ValueHint};
use nexi_messages::say;

use super::translated::example;
use super::{
    Ask, Audit, Cache, Config, CorpusArgs, Docs, Doctor, Eval, History, HookArgs, Key, Mcp, MemoryArgs, Model, Read, ReplayArgs, Restore,
    Resume, Search, SpaceArgs, TemplateArgs, Tools, UsageArgs, Watch,
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
    /// The object that --json prints
    #[default]
    Json,
    /// A line that --jsonl prints
    Jsonl,
    /// The settings file, for editors that complete and check it
    Settings,
}

/// Commands with lines to type and what each does.
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    ("", &[("nexi", "Open a session"), ("nexi ask \"Where are keys kept?\"", "Ask once"), ("nexi setup", "Choose who answers")]),
    (
        "ask",
        &[
            ("nexi ask --template compare Kestrel Wren", "A template with its two fields"),
            ("nexi ask \"Who maintains SQLite today?\"", "Ask and read the answer here"),
            ("nexi ask --deep --save-report \"Is geothermal heating worth it?\"", "Several researchers, one report, kept as a file"),
            ("nexi ask --focus documents \"When does the lease end?\"", "Your documents alone; nothing goes to the web"),
            ("nexi ask --attach contract.pdf \"What are the penalties?\"", "About one file"),
            ("git diff | nexi ask \"What could break?\"", "About what another program prints"),
            ("nexi ask --space House \"Which roof lasts longest?\"", "In a space, with its documents and instructions"),
            ("nexi ask --continue \"And before 2010?\"", "Follow up on the newest answer"),
            ("nexi ask --json \"Who is behind Zig?\" | jq -r .answer", "For scripts"),
        ],
    ),
    ("resume", &[("nexi resume", "Finish what was interrupted last"), ("nexi resume 3f9a", "Finish that one")]),
    ("search", &[("nexi search \"rust async runtimes\"", "One search"), ("nexi search --backend documents lease", "Your documents")]),
    (
        "read",
        &[
            ("nexi read https://example.org", "A page as text"),
            ("nexi read report.pdf --instructions \"revenue in 2025\"", "The best passages of a file"),
        ],
    ),
    (
        "eval",
        &[
            ("nexi eval questions.jsonl --model openai --model builtin", "Compare two models"),
            ("nexi eval - --limit 5 --json", "Five questions of standard input"),
        ],
    ),
    (
        "history",
        &[
            ("nexi history", "The newest questions"),
            ("nexi history --prev", "The newest answer"),
            ("nexi history --show 3f9a", "That answer"),
        ],
    ),
    (
        "memory",
        &[
            ("nexi memory", "What is remembered"),
            ("nexi memory add \"I work with PostgreSQL 16\"", "Add one"),
            ("nexi memory add --space House \"The roof faces south\"", "In a space alone"),
            ("nexi memory --json > memories.json", "A copy of all"),
        ],
    ),
    (
        "tools",
        &[
            ("nexi tools add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes", "A program that offers tools"),
            ("nexi tools add docs --url https://docs.example.org/mcp", "A server at an address"),
            ("nexi tools test files", "What it offers, and what has changed"),
            ("nexi tools allow files read_text_file", "No longer ask about this tool"),
        ],
    ),
    (
        "tools add",
        &[
            ("nexi tools add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes", "A program that offers tools"),
            ("nexi tools add docs --url https://docs.example.org/mcp", "A server at an address"),
            (
                "nexi tools add crm --url https://crm.example.org/mcp --client-id ID --redirect-port 8123",
                "One whose provider you registered Nexi with",
            ),
            ("nexi tools add issues --secret GITHUB_TOKEN -- github-mcp-server stdio", "One that needs a secret"),
        ],
    ),
    ("tools list", &[("nexi tools list", "Servers, commands and the tools you approved")]),
    ("tools test", &[("nexi tools test files", "What it offers, and what has changed")]),
    (
        "tools approve",
        &[
            ("nexi tools approve files", "Read every tool, then approve them all"),
            ("nexi tools approve files read_text_file", "Only this one"),
        ],
    ),
    ("tools allow", &[("nexi tools allow files read_text_file", "No longer ask about this tool")]),
    ("tools ask", &[("nexi tools ask files read_text_file", "Ask again before each call")]),
    ("tools revoke", &[("nexi tools revoke files write_file", "Models no longer see this tool")]),
    ("tools secret", &[("nexi tools secret issues GITHUB_TOKEN", "You are asked for its value")]),
    (
        "tools sign-in",
        &[
            ("nexi tools sign-in docs", "Opens your browser, and waits until you are done"),
            ("nexi tools sign-in docs --no-browser", "Over SSH: paste the address your browser ends up at"),
        ],
    ),
    ("tools sign-out", &[("nexi tools sign-out docs", "Forget the sign-in")]),
    ("tools import", &[("nexi tools import", "Choose among the servers of other programs")]),
    ("tools remove", &[("nexi tools remove files", "With its approvals and secrets")]),
    ("audit", &[("nexi audit --out run.jsonl", "The newest run"), ("nexi audit 3f9a | less", "A run by its id")]),
    ("replay", &[("nexi replay run.jsonl", "Does it lead to the same answer?")]),
    (
        "corpus",
        &[
            ("nexi corpus create --to postgres://admin@db.example.org/archive", "The tables, once"),
            ("nexi corpus index /srv/archive --to postgres://worker@db.example.org/archive", "Read a folder into it"),
            ("nexi corpus search \"tide tables of 1931\" --to postgres://anna@db.example.org/archive", "Search it"),
        ],
    ),
    ("corpus create", &[("nexi corpus create --to postgres://admin@localhost/archive --group board", "With a group for a role")]),
    (
        "corpus index",
        &[
            ("nexi corpus index /srv/archive --to postgres://worker@db.example.org/archive", "Queue a folder and read it"),
            ("nexi corpus index --to postgres://worker@db.example.org/archive", "Help with what waits, from another machine"),
            ("nexi corpus index minutes/ --group board --only-queue --to postgres://worker@db/archive", "For a group; others read it"),
        ],
    ),
    ("corpus status", &[("nexi corpus status --to postgres://worker@db.example.org/archive", "What is there, what waits, what failed")]),
    ("corpus search", &[("nexi corpus search \"lease of the mill\" --to postgres://anna@localhost/archive", "Passages, best first")]),
    (
        "usage",
        &[
            ("nexi usage", "This month, day by day"),
            ("nexi usage --by model --since 2026", "Which models cost what this year"),
            ("nexi usage --all --by month --csv > usage.csv", "A table for a spreadsheet"),
        ],
    ),
    (
        "watch",
        &[
            ("nexi watch add \"What is the latest version of PostgreSQL?\" --every 1w", "Ask now, and again each week"),
            ("nexi watch", "What is watched, and what came of the last check"),
            ("nexi watch run", "Check what is due, from cron or a timer"),
        ],
    ),
    (
        "watch add",
        &[
            ("nexi watch add \"What is the latest version of PostgreSQL?\"", "Ask now, and again each day"),
            ("nexi watch add \"Which offers came in?\" --focus documents --every 6h", "In your documents, four times a day"),
            ("nexi watch add --turn 3f9a --every \"1d at 08:00\"", "A question that was answered already"),
        ],
    ),
    (
        "space",
        &[
            ("nexi space add House --docs ~/Documents/house --instructions \"Prices in euros.\"", "Make a space"),
            ("nexi space move 3f9a --to House", "Put an earlier thread into it"),
            ("nexi space", "All spaces"),
        ],
    ),
    ("space list", &[("nexi space list", "Each with the number of its threads")]),
    ("space show", &[("nexi space show House", "What belongs to it")]),
    ("space add", &[("nexi space add Thesis --docs ~/thesis --model builtin", "With documents and a model of its own")]),
    (
        "space set",
        &[
            ("nexi space set House --instructions - < rules.txt", "Other instructions"),
            ("nexi space set House --rename \"Our house\"", "Another name"),
        ],
    ),
    ("space move", &[("nexi space move 3f9a --to House", "Into a space"), ("nexi space move 3f9a", "Out of its space")]),
    ("space remove", &[("nexi space remove House", "Its threads stay")]),
    (
        "hook",
        &[
            ("nexi hook add n8n --url https://n8n.example.org/webhook/nexi", "Send each answer to a webhook"),
            ("nexi hook add popup -- notify-send Nexi \"{question}\"", "Run a program after each answer"),
            ("nexi hook log", "What was delivered"),
        ],
    ),
    (
        "hook add",
        &[
            ("nexi hook add n8n --url https://n8n.example.org/webhook/nexi", "Signed requests with the answer as JSON"),
            ("nexi hook add notes -- ~/bin/save-answer", "A program that reads the same JSON"),
            ("nexi hook add pager --on failed --url https://pager.example.org/nexi", "Only when there is no answer"),
        ],
    ),
    ("hook list", &[("nexi hook list", "Each with its last delivery")]),
    ("hook test", &[("nexi hook test n8n", "Send a test now")]),
    ("hook secret", &[("nexi hook secret n8n", "For the receiver"), ("nexi hook secret n8n --new", "Replace it")]),
    ("hook log", &[("nexi hook log n8n -n 5", "The last five deliveries")]),
    ("hook on", &[("nexi hook on n8n", "After an address was gone, for example")]),
    ("hook off", &[("nexi hook off n8n", "Its secret stays")]),
    ("hook run", &[("nexi hook run", "Retry what is due, from cron or a timer")]),
    ("hook remove", &[("nexi hook remove n8n", "With its secret")]),
    ("watch list", &[("nexi watch list --json", "Everything that is known of them")]),
    ("watch show", &[("nexi watch show 3f9a", "What changed in its answers")]),
    ("watch run", &[("nexi watch run", "Those that are due"), ("nexi watch run 3f9a", "This one, now")]),
    ("watch every", &[("nexi watch every 3f9a \"1w at 07:30\"", "Check it at other times")]),
    ("watch pause", &[("nexi watch pause 3f9a", "Leave it alone for a while")]),
    ("watch resume", &[("nexi watch resume 3f9a", "Check it again")]),
    ("watch remove", &[("nexi watch remove 3f9a", "Its answers stay")]),
    ("watch feed", &[("nexi watch feed --out ~/nexi-changes.xml", "A file for a feed reader")]),
    (
        "template",
        &[
            ("nexi template set compare \"Compare {product} with {other}.\"", "Make one"),
            ("nexi template", "What there is"),
            ("nexi template remove compare", "Remove it"),
        ],
    ),
    ("template list", &[("nexi template list --json > templates.json", "A copy of all")]),
    ("template set", &[("nexi template set news \"What is new about {topic} since {day}?\"", "With two fields")]),
    ("template remove", &[("nexi template remove news", "Remove it")]),
    ("memory add", &[("nexi memory add \"Answer in metric units\"", "How you like answers")]),
    ("memory edit", &[("nexi memory edit 3f9a \"I work with PostgreSQL 17\"", "Change what it says")]),
    ("memory remove", &[("nexi memory remove 3f9a", "Forget it")]),
    ("history summarise", &[("nexi history summarise 3f9a", "So that models are sent less of a long thread")]),
    ("history search", &[("nexi history search lighthouse", "Threads that have this word")]),
    (
        "history export",
        &[
            ("nexi history export 3f9a --out answer.md", "One answer with its sources"),
            ("nexi history export 3f9a --format bibtex", "Its sources for LaTeX"),
            ("nexi history export --out library.jsonl", "Everything"),
        ],
    ),
    ("history import", &[("nexi history import library.jsonl", "Import an exported library")]),
    (
        "history delete",
        &[
            ("nexi history delete 3f9a", "Delete the thread of that answer, after asking"),
            ("nexi history delete 3f9a --turn", "Delete that answer alone"),
        ],
    ),
    ("history deleted", &[("nexi history deleted", "What can be brought back, and for how long")]),
    ("history restore", &[("nexi history restore 3f9a", "Bring it back")]),
    ("history clear", &[("nexi history clear", "Delete everything, after asking")]),
    (
        "config",
        &[
            ("nexi config get", "All settings"),
            ("nexi config set default_effort l", "Change one"),
            ("nexi config edit", "Change them in your editor"),
        ],
    ),
    ("config path", &[("nexi config path", "Where the settings are")]),
    ("config get", &[("nexi config get", "All settings"), ("nexi config get default_effort", "One")]),
    (
        "config set",
        &[
            ("nexi config set default_effort l", "Be thorough"),
            ("nexi config set search_backends '[\"documents\", \"wikipedia\"]'", "Where to search, in order"),
        ],
    ),
    ("config unset", &[("nexi config unset default_effort", "Back to the default")]),
    (
        "config explain",
        &[
            ("nexi config explain", "All settings, a line each"),
            ("nexi config explain search.count", "One, with its range, its default and its value"),
        ],
    ),
    ("config edit", &[("nexi config edit", "All settings in your editor")]),
    ("config import", &[("nexi config import config.json", "Take over the settings of NEXI")]),
    ("setup", &[("nexi setup", "Be asked who answers and which folders are searched")]),
    (
        "model",
        &[
            ("nexi model add", "Paste a key; the service is recognised"),
            ("nexi model list", "All models of connected services"),
            ("nexi model use openai/gpt-4.1", "This one answers from now on"),
        ],
    ),
    (
        "model add",
        &[
            ("nexi model add", "Paste a key; the service is recognised"),
            ("nexi model add anthropic < key.txt", "Read the key from a file"),
            ("nexi model add ollama --model qwen3:8b", "A model on this computer"),
            ("nexi model add --base-url http://localhost:1234/v1 --model local-model", "Any OpenAI-compatible server"),
        ],
    ),
    ("model list", &[("nexi model list", "All models of connected services"), ("nexi model list mini", "Those whose name has this word")]),
    ("model use", &[("nexi model use openai/gpt-4.1", "This one answers from now on")]),
    ("key", &[("nexi key set brave", "Be asked for the key"), ("nexi key list", "Where keys come from")]),
    ("key set", &[("nexi key set brave", "Be asked for the key"), ("nexi key set brave < key.txt", "Read it from a file")]),
    ("key list", &[("nexi key list", "Where keys come from")]),
    ("key remove", &[("nexi key remove brave", "Forget this one")]),
    ("restore", &[("nexi restore", "List backups"), ("nexi restore 2026-03-01", "Bring that one back")]),
    (
        "doctor",
        &[
            ("nexi doctor", "Check everything"),
            ("nexi doctor --offline", "Without asking any service"),
            ("nexi doctor --repair", "Recover a damaged library"),
        ],
    ),
    (
        "mcp",
        &[
            ("nexi mcp", "Serve a program that starts Nexi itself"),
            ("nexi mcp --http 127.0.0.1:8765 --token-file token.txt", "Serve others over HTTP"),
        ],
    ),
    ("mcp install", &[("nexi mcp install claude-code", "Show the change to its settings, and make it after asking")]),
    (
        "docs",
        &[
            ("nexi docs add ~/Documents", "Search this folder, too"),
            ("nexi docs status", "What is indexed, and what is left out and why"),
            ("nexi docs fetch", "A model that finds documents by meaning"),
        ],
    ),
    ("docs add", &[("nexi docs add ~/Documents", "Search this folder, too")]),
    ("docs remove", &[("nexi docs remove ~/Documents", "No longer")]),
    ("docs list", &[("nexi docs list", "Which folders are searched")]),
    ("docs status", &[("nexi docs status", "What is indexed, and what is left out and why")]),
    ("docs fetch", &[("nexi docs fetch", "A model that finds documents by meaning")]),
    (
        "docs ocr",
        &[("nexi docs ocr", "Read the scanned pages of all documents"), ("nexi docs ocr eng deu", "Read English and German ones")],
    ),
    ("docs embed", &[("nexi docs embed", "Prepare all documents for it now")]),
    ("cache", &[("nexi cache", "How large it is"), ("nexi cache --clear", "Clear it")]),
    (
        "completions",
        &[
            ("nexi completions bash > ~/.local/share/bash-completion/completions/nexi", "For bash"),
            ("nexi completions fish > ~/.config/fish/completions/nexi.fish", "For fish"),
            ("nexi completions zsh > ~/.zfunc/_nexi", "For zsh, with ~/.zfunc in fpath"),
        ],
    ),
    (
        "man",
        &[
            ("nexi man > ~/.local/share/man/man1/nexi.1", "Read it with: man nexi"),
            ("nexi man --dir ~/.local/share/man/man1", "A page for each command, too: man nexi-ask"),
        ],
    ),
    ("schema", &[("nexi schema jsonl > nexi-events.schema.json", "What nexi ask --jsonl prints")]),
];

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
