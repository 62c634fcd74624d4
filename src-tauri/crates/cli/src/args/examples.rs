//! Examples of each command of `nexi`, as its help and the manual page show them.

/// Commands with lines to type and what each does.
pub(super) const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
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
        &[("nexi history", "The newest questions"), ("nexi history show", "The newest answer"), ("nexi history show 3f9a", "That answer")],
    ),
    ("history show", &[("nexi history show", "The newest answer"), ("nexi history show 3f9a --json", "That answer, as JSON")]),
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
    (
        "team",
        &[
            ("nexi team create --to postgres://admin@db.example.org/archive", "The tables, once"),
            ("nexi team join postgres://anna@db.example.org/archive", "Use it from here on"),
            ("nexi team share", "The newest thread"),
            ("nexi team search \"tide tables\"", "What others have found out"),
        ],
    ),
    ("team status", &[("nexi team status", "What is shared, and what waits")]),
    ("team create", &[("nexi team create --to postgres://admin@db.example.org/archive", "The tables, once")]),
    ("team join", &[("nexi team join postgres://anna@db.example.org/archive", "Its password is asked for")]),
    (
        "team share",
        &[
            ("nexi team share 3f9a", "A thread, by the id of one of its turns"),
            ("nexi team share 3f9a --group board", "With the members of a role alone"),
            ("nexi team share --space House", "All threads of a space, also those that come"),
        ],
    ),
    ("team withdraw", &[("nexi team withdraw 3f9a", "Nobody finds it any more")]),
    ("team list", &[("nexi team list", "The newest threads of everybody")]),
    ("team search", &[("nexi team search \"tide tables\"", "Threads in which both words stand")]),
    ("team show", &[("nexi team show 77b2", "Questions, answers and sources")]),
    ("team continue", &[("nexi team continue 77b2", "A copy among your own threads")]),
    ("team send", &[("nexi team send", "After the database was away")]),
    ("corpus create", &[("nexi corpus create --to postgres://admin@localhost/archive --group board", "With a group for a role")]),
    (
        "corpus index",
        &[
            ("nexi corpus index /srv/archive --to postgres://worker@db.example.org/archive", "Queue a folder and read it"),
            ("nexi corpus index --to postgres://worker@db.example.org/archive", "Help with what waits, from another machine"),
            ("nexi corpus index minutes/ --group board --only-queue --to postgres://worker@db/archive", "For a group; others read it"),
        ],
    ),
    (
        "corpus remove",
        &[
            ("nexi corpus remove /srv/archive/old --to postgres://worker@db.example.org/archive", "What was read of a folder"),
            ("nexi corpus remove --group board --to postgres://admin@db.example.org/archive", "A group and its documents"),
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
