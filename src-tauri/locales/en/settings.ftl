settings-advanced = Advanced
settings-title = Settings
settings-sections =
    .models = Models
    .search = Search
    .reading = Reading
    .answers = Answers
    .documents = Documents
    .tools = Tools
    .effort = Effort and limits
    .usage = Usage
    .deep = Deep research
    .prompts = Prompts
    .memory = Memory
    .spaces = Spaces
    .templates = Templates
    .watched = Watched questions
    .hooks = Webhooks and commands
    .app = App
    .keys = Keys
    .network = Network
    .privacy = Privacy
    .data = Data
    .about = About
settings-search = Search settings
settings-found =
    { $count ->
        [0] No setting found
       *[other] { $count ->
                [one] { $count } setting
               *[other] { $count } settings
            }
    }
settings-reset-to = Reset to default
settings-none = none
settings-no-limit = no limit
settings-as-asked = same as the question
settings-add = Add
settings-remove = Remove
settings-up = Move up
settings-down = Move down
settings-saved = Saved
settings-broken = The settings file has mistakes. Defaults are used for these settings:
settings-open-file = Open the file
settings-ignored = Please check these settings:
settings-open-address = This address is not encrypted: your key and everything you ask can be read on the way. Use an address with https.
settings-intro =
    .models = The built-in researcher quotes sources and needs no key. A language model reads, reasons and writes.
    .search = Services that find pages. Wikipedia and DuckDuckGo need no key.
    .reading = How pages are fetched and turned into text. The built-in reader needs no service.
    .answers = How you like answers. What a question asks for takes precedence. Private threads and the built-in researcher do not use these.
    .documents = Your own files, searched on this computer. The model sees only the passages that matter.
    .tools = Tools of your own that models may use: programs and services that speak MCP, and commands.
    .effort = How much a question may use. At a limit, Nexi answers with what it has.
    .usage = Usage of your questions. Private threads are not listed; they count toward this month until you close Nexi.
    .deep = Deep research makes a plan, runs several researchers at once, checks what they found and writes one report.
    .prompts = Instructions for models. The rule that page text is data, not instructions, always applies and cannot be changed.
    .memory = What Nexi remembers about you. A model is told of it with every question, except in private threads. Type # and a sentence anywhere you ask to add to it.
    .spaces = Threads that belong together, with documents, instructions and memories of their own. Choose a space above the list of threads to ask in it.
    .templates = Questions that you ask often. Type / where you ask, choose one, and fill in the blanks.
    .watched = Questions that Nexi asks again automatically while it is open. You are told only when the answer says something new.
    .hooks = What Nexi calls when it is done: web addresses of your own services, or programs on this computer.
    .app = How Nexi behaves on this desktop.
    .keys = You enter an API key once. It is never shown again.
    .network = How Nexi reaches the network. Your own models and search services can be anywhere; pages are read only where it is safe.
    .privacy = No account, no telemetry. Only what a model, a search service or a website needs leaves this computer.
    .data = Everything is in one folder on your computer.
    .about = { "" }
settings-prompts =
    .system = Instructions
    .continuation = Follow-up questions
    .extractor = Reading one page
    .chunk_selector = Choosing passages
    .compaction = Summary of long research
    .thread_summary = Summary of a long thread
    .final_answer = The answer
    .check = Checking doubtful statements
    .second = Second opinion
    .planner = Research plan
    .researcher = Researchers
    .evaluator = Whether to research further
    .report = The report
    .json_tools = Tools for models without tool calls
settings-memory =
    .new = New memory
    .new-help = For example what you work with, your units, or how long answers should be.
    .add = Remember
    .none = Nothing is remembered yet.
    .edit = Edit
    .save = Save
    .cancel = Cancel
    .forget = Forget
    .all = Remembered
    .forgotten = Forgotten
settings-builtin =
    .llm_backends = Built-in researcher
    .search_backends = Your documents
    .fetch_backends = Built-in reader
settings-add-provider = Add a provider
settings-provider-name = Name
settings-provider-name-help = The name in lists: letters, digits, - and _.
settings-name-taken = This name is taken.
settings-name-wrong = Use letters, digits, - and _ only.
settings-kind = Type
settings-any-json = Any service that answers with JSON
settings-kind-help = The service or API.
settings-other-api = Another OpenAI-compatible API
settings-recognised = This looks like a key for { $label }.
settings-contact = Contact for Wikipedia
settings-contact-help = An email address or a web page. Wikipedia asks programs for one and limits those without it.
settings-model = Model
settings-model-help = Model ID, for example gpt-6-luna.
settings-list-models = List models
settings-no-models = The service lists no models.
settings-find-searxng = Find it on this computer
settings-no-searxng = No instance found at the usual addresses on this computer.
settings-found-searxng = Found at { $address }.
settings-found-without-json = Found at { $address }, but it does not offer JSON. Add json to search.formats in its settings.yml.
settings-managed = Run one for me
settings-managed-help = In a Docker or Podman container that starts when it is needed and stops with Nexi.
settings-base-url = Base URL
settings-base-url-help = Leave empty to use the service's default.
settings-base-url-needed = The base URL of the API, for example http://localhost:1234/v1.
settings-instance-needed = The base URL of the instance, for example http://localhost:8888.
settings-database-needed = For example postgres://anna@db.example.org/archive. Whoever looks after the corpus can tell you the address.
settings-database-password = Password
settings-shared-corpus = Shared corpus (PostgreSQL)
settings-key = API key
settings-key-help = Kept in your system's keyring, or where Settings, Keys says, and never shown again.
settings-key-stored = Stored ({ $where }); paste another one to replace it
settings-model-wanted = Name a model first. “List models” shows those that this key may use.
settings-key-page = Get a key
settings-origins =
    .none = no key
    .variable = environment variable
    .keyring = in the keyring
    .file = in the encrypted file
    .session = until you close Nexi
settings-engine-id = Search engine ID
settings-engine-id-help = Google calls it cx.
settings-site = Site
settings-site-help = For example stackoverflow.
settings-test = Test
settings-testing = Testing…
settings-forget-key = Remove the key
settings-delete-provider = Delete
settings-needs-both = Enter both prices or neither.
settings-save-provider = Save
settings-cancel = Cancel
settings-edit = Edit
settings-choose-file = Choose file…
settings-choose-model = Choose model
settings-no-key = No key
settings-key-set = Key set
settings-ready = Ready
settings-untested = Not tested yet
settings-own-about =
    .llm_backends = Quotes the sources word for word; needs no key and no network.
    .search_backends = The files of your folders, and the handbook.
    .fetch_backends = Reads web pages, PDF files and feeds itself.
settings-add-about =
    .llm_backends = OpenAI, Anthropic, Gemini, OpenRouter, Groq, Mistral, DeepSeek, Ollama, LM Studio, or any OpenAI-compatible address.
    .search_backends = Free ones such as Wikipedia and DuckDuckGo, your own SearXNG, or a service with a key.
    .fetch_backends = Services that read pages which need a browser.
settings-verdicts =
    .works = Works
    .refused = Refused
    .no_balance = No balance
    .offline = Offline
    .slow = Timed out
    .limited = Rate limited
    .unknown_model = Unknown model
    .wrong_address = Wrong base URL
    .other = Failed
settings-json-note = A service described in the settings file; see the handbook, Search and readers.
settings-prices = Prices and context windows
settings-prices-help = Nexi comes with published prices. Add a line to correct one or to add a model.
settings-price-model = Model
settings-price-context = Window
settings-price-input = $ per million in
settings-price-output = $ per million out
settings-choose-folder = Choose folder…
settings-hotkey =
    .press = Choose a shortcut
    .waiting = Press the shortcut now…
    .registering = Setting the shortcut…
    .works = Works
    .off = No shortcut is set.
    .offer = Use
    .wayland = On Wayland, your desktop manages shortcuts. If it offers none for Nexi, bind one to this command:
settings-tray = This desktop has no tray, so closing the window quits Nexi.
settings-keyring =
    .works = The keyring works.
    .locked = The keyring is locked.
    .no_collection = The keyring has no collection yet.
    .missing = No keyring was found.
    .silent = The keyring does not respond.
settings-places =
    .keyring = Stored by the operating system and unlocked when you log in.
    .file = A file in the data folder, encrypted with your passphrase (age). You enter it once after each start.
    .session = In memory only: keys are gone when you close Nexi.
settings-known = API keys
settings-no-keys = No provider needs an API key yet.
settings-passphrase = Passphrase
settings-passphrase-new = Choose a passphrase. It cannot be recovered.
settings-passphrase-old = The key file is locked. Enter its passphrase.
settings-passphrase-again = Once more
settings-passphrases-differ = The two passphrases differ. Type both again.
settings-set-passphrase = Set passphrase
settings-unlock = Unlock
settings-unlocked = The key file is unlocked.
settings-cache-size = { $pages } pages, { $mib } MiB
settings-clear-cache = Clear cache
settings-cleared = Cache cleared
settings-leaves =
    .question = Your question goes to the model you chose, with the passages and pages it reads. The built-in researcher never sends it anywhere.
    .search = Search queries go to the services you chose. Pages are fetched from their own sites, without cookies.
    .updates = If you let Nexi look for new versions (About), it fetches the list of its releases once a day.
    .nothing = Nothing else: no account, no telemetry, no icons or pictures from other sites.
settings-data-folder = Data folder
settings-settings-file = Settings file
settings-open-folder = Open folder
settings-restore = Restore a backup
settings-restore-help = Nexi backs up the library every day and keeps seven days and four weeks. The current library is backed up before you restore another.
settings-restore-now = Restore
settings-restore-sure = Really restore?
settings-no-backups = No backups yet.
settings-restored = Restored from the backup { $name }. The previous library is kept as { $kept }.
settings-backup-size =
    .threads =
        { $count ->
            [one] { $count } thread
           *[other] { $count } threads
        }
    .questions =
        { $count ->
            [one] { $count } question
           *[other] { $count } questions
        }
settings-backup = Back up the library
settings-backup-help = Saves all threads with their sources as one file in your downloads folder. You can import it again.
settings-backed-up =
    { $threads ->
        [one] { $threads } thread saved as { $file }
       *[other] { $threads } threads saved as { $file }
    }
settings-import-threads = Import threads
settings-import-threads-help = A .json or .jsonl file from Nexi, or history.jsonl from NEXI.
settings-import-settings = Import NEXI settings
settings-import-settings-help = config.json or config.toml. Keys go to your key storage.
settings-imported-settings =
    { $count ->
        [one] { $count } setting imported
       *[other] { $count } settings imported
    }
settings-indexed = Index
settings-indexed-help = What can be searched, and what is left out.
settings-indexing = Reading the folders…
settings-indexing-files =
    { $total ->
        [one] Reading { $done } of { $total } file…
       *[other] Reading { $done } of { $total } files…
    }
settings-partly-files =
    { $files ->
        [one] { $files } file read in part
       *[other] { $files } files read in part
    }
settings-patterns-title = Choose files
settings-pattern-labels =
    .include = Only files like
    .exclude = Leave out
settings-pattern-examples =
    .include = { "*" }.pdf, *.md
    .exclude = drafts/**, *.tmp
settings-look-again = Check again
settings-no-folders = No folders yet. Add one above.
settings-folder-gone = This folder does not exist, or may not be opened.
settings-indexed-files =
    { $files ->
        [one] { $passages ->
                [one] { $files } file indexed, { $passages } passage
               *[other] { $files } file indexed, { $passages } passages
            }
       *[other] { $passages ->
                [one] { $files } files indexed, { $passages } passage
               *[other] { $files } files indexed, { $passages } passages
            }
    }
settings-unread-files =
    { $count ->
        [one] { $count } file could not be read
       *[other] { $count } files could not be read
    }
settings-other-files =
    { $count ->
        [one] { $count } file of kinds that Nexi does not read: { $kinds }
       *[other] { $count } files of kinds that Nexi does not read: { $kinds }
    }
settings-other-kinds = others
settings-left-out = Left out: { $files }
settings-left-out-files =
    .hidden = { $count } hidden
    .ignored = { $count } ignored by .gitignore, .ignore or your patterns
settings-licence = Licence
settings-wizard = Open the setup wizard
settings-handbook = Open the handbook
# When each prompt is used.
settings-prompt-help =
    .system = What every run begins with.
    .continuation = Added to it when the question is a follow-up.
    .extractor = Takes what matters out of one page, when the model asked for a page with instructions.
    .chunk_selector = Chooses pieces of one page by their numbers.
    .compaction = Summarises the research when the model's context window is nearly full.
    .thread_summary = Summarises the oldest questions and answers of a thread when they no longer fit into the context window.
    .final_answer = Asks for the answer when a limit was reached.
    .check = Looks once more at the statements of an answer that its sources do not seem to support.
    .second = Asks another model for its answer from the sources of an answer.
    .planner = Makes the plan of a deep run.
    .researcher = What every researcher of a deep run begins with.
    .evaluator = Decides after a round of a deep run whether it is enough, and writes the report if it is.
    .report = Writes the report of a deep run.
    .json_tools = Explains the tools to models that have no tool calling of their own.
settings-prompt-needs = It must hold { $names }.
settings-parts = Parts of the settings
settings-keyring-help =
    .works = Keys are kept in this system's keyring.
    .locked = The keyring is locked. Unlock it and try again.
    .no_collection = The keyring has no default collection. Open your password manager once and create one, then try again.
    .missing = This system has no keyring service. Install gnome-keyring or KWallet, or put the key into an environment variable.
settings-window-title = Settings – Nexi
