window-new-question = New question
window-open-palette = Search or do anything
window-open-palette-short = Search
window-settings = Settings
window-pinned = Pinned
window-today = Today
window-yesterday = Yesterday
window-this-week = This week
window-earlier = Earlier
window-states =
    .running = Running
    .interrupted = Interrupted
    .answered = Answered
    .partial = Answered in part
    .nothing_found = Nothing found
    .cancelled = Stopped
    .failed = Failed
window-asked-open = Open the answer
window-asked-on =
    { $same ->
        [true] You asked this { $when }:
       *[other] You asked something similar { $when }:
    }
# When a question was asked, inside window-asked-on.
window-asked-when =
    .today = today
    .yesterday = yesterday
    .on = on { $day }
window-no-threads = Your questions will be listed here.
window-ask = Ask
window-stop = Stop
window-ask-first = What do you want to know?
window-ask-more = Ask a follow-up, or type @ to attach
window-effort = Effort
window-effort-names =
    .s = small
    .m = medium
    .l = large
window-efforts =
    .s = Small: a quick look, at most 8 steps
    .m = Medium: a few searches and pages, at most 16 steps
    .l = Large: thorough, at most 32 steps
window-mode = How to research
window-mode-names =
    .quick = Quick
    .deep = Deep
window-modes =
    .quick = Quick: one researcher, an answer in seconds
    .deep = Deep: a plan, several researchers at once and a long report, in minutes
window-deep-efforts =
    .s = Deep, small: up to 2 researchers and about 2 rounds
    .m = Deep, medium: up to 3 researchers and about 3 rounds
    .l = Deep, large: up to 5 researchers and about 5 rounds
window-tools =
    .web = { "" }
    .stackexchange = Stack Exchange
    .security = security databases
    .grep = words in documents
    .library = your past research
window-builtin = Built-in researcher: quotes sources, uses no AI
window-builtin-name = Built-in researcher
window-empty-title = What do you want to know?
window-empty-text = Nexi comes with its handbook, so you can try one of these right away, or ask your own question.
window-examples =
    .keys = Where does Nexi keep my keys?
    .documents = How do I add a folder of documents?
    .privacy = What leaves this computer when I ask a question?
window-offers =
    .title = Also here
    .documents = Add your documents
    .documents-note = PDF, office files, notes, mail; searched on this computer
    .search = Search services
    .search-note = Wikipedia and DuckDuckGo need no key; others find more
    .shortcut = Ask from any program
    .shortcut-note = { $keys } opens a small window
    .no-shortcut = Choose a shortcut for the popup
    .privacy = What leaves this computer
    .privacy-note = and where keys are kept
window-sources = Sources
window-supported-count = { $count } supported
window-partly-count = { $count } partly supported
window-not-supported-count = { $count } not supported
window-contradicted-count = { $count } contradicted
window-source-count =
    { $failed ->
        [0] { $read } read
       *[other] { $read } read, { $failed } failed
    }
window-support =
    .supported = supported
    .partly_supported = partly supported
    .not_supported = not supported
    .contradicted = contradicted
    .uncited = no citation
window-support-long =
    .supported = Supported: this passage says it
    .partly_supported = Partly supported: this passage doesn't say all of it
    .not_supported = Not supported: nothing like it was found in this source
    .contradicted = Contradicted: this passage says otherwise
    .uncited = No citation: this statement names no source
window-detected =
    .url = Citation added by Nexi: the sentence names this address
    .path = Citation added by Nexi: the sentence names this site and page
    .host = Citation added by Nexi: the sentence names this site
    .quote = Citation added by Nexi: the sentence quotes this source
# $all statements were compared with their sources, and $supported of them are supported.
window-checked =
    .one-supported = The statement is supported by its source
    .one-doubtful = The statement is not fully supported
    .all-supported =
        { $all ->
            [2] Both statements are supported by their sources
           *[other] All { $all } statements are supported by their sources
        }
    .some = { $supported } of { $all } statements supported
# Parts of a list of what is wrong with an answer.
window-doubtful =
    .contradicted = { $count } contradicted
    .not_supported = { $count } not supported
    .partly_supported = { $count } partly supported
    .uncited = { $count } without a citation
    .unknown =
        { $count ->
            [one] { $count } citation has no source
           *[other] { $count } citations have no source
        }
window-checking =
    { $count ->
        [one] Checking again: { $count } statement
       *[other] Checking again: { $count } statements
    }
# Parts of a list that follows window-after-second-look.
window-second-look =
    .corrected =
        { $count ->
            [one] { $count } was corrected
           *[other] { $count } were corrected
        }
    .recited =
        { $count ->
            [one] { $count } now cites another source
           *[other] { $count } now cite another source
        }
    .struck =
        { $count ->
            [one] { $count } was struck out
           *[other] { $count } were struck out
        }
    .confirmed =
        { $count ->
            [one] { $count } was confirmed
           *[other] { $count } were confirmed
        }
window-second-look-failed = The second look failed
window-second-look-failed-hint = The model was asked to check the doubtful statements once more, and no usable reply came.
window-after-second-look = After a second look:{ " " }
window-correction =
    .corrected = corrected
    .recited = other source
    .struck = no source says this
window-read-before = Before: { $before }
window-next-doubt = Next to check
window-previous-doubt = Previous to check
window-doubt =
    .at = { $at } of { $all }: { $label }
    .missing = { $at } of { $all }: { $label }, not in the source: { $words }
window-not-in-passage = Not in this passage: { $words }
window-uncited-mark = This statement has no citation
window-show-uncited = Underline uncited
window-sources-of-answer = The sources of an answer appear here.
window-sources-to-come = Sources appear here as they are read.
window-no-sources = This answer has no sources.
window-added-numbers =
    { $count ->
        [one] { $count } citation added by Nexi
       *[other] { $count } citations added by Nexi
    }
window-newest =
    .today = newest source: { $date }
    .days =
        { $count ->
            [one] newest source: { $date }, { $count } day old
           *[other] newest source: { $date }, { $count } days old
        }
    .months =
        { $count ->
            [one] newest source: { $date }, { $count } month old
           *[other] newest source: { $date }, { $count } months old
        }
    .years =
        { $count ->
            [one] newest source: { $date }, { $count } year old
           *[other] newest source: { $date }, { $count } years old
        }
window-not-cited = read, not cited
window-unknown-number = There is no source with this number
window-opens =
    .browser = Click to open at this passage in your browser ↗
    .viewer = Click to open at this passage
    .source = Click to open the source
    .thread = Click to open the earlier answer
window-fetched =
    .now = fetched just now
    .minutes = fetched { $count } min ago
    .hours = fetched { $count } h ago
    .days =
        { $count ->
            [one] fetched { $count } day ago
           *[other] fetched { $count } days ago
        }
window-kept-text = Show the saved text

window-thinking = Thinking
window-starting = Starting
window-writing = Writing
window-searched = Searched
window-searching = Searching
window-reading = Reading
window-read = Read
window-indexing = Indexing documents, { $done } of { $total }
window-searches =
    { $count ->
        [one] { $count } search
       *[other] { $count } searches
    }
window-failed-searches = { $count } failed
# $services are names, joined by commas.
window-unanswered = no answer from { $services }
window-results =
    { $count ->
        [one] { $count } result
       *[other] { $count } results
    }
window-pages =
    .all =
        { $count ->
            [one] { $count } page
           *[other] { $count } pages
        }
    .some = { $read } of { $count } pages
window-seconds = { $amount } s
window-tokens =
    .exact =
        { $count ->
            [one] { $count } token
           *[other] { $count } tokens
        }
    .thousands = { $count }k tokens
window-no-results = no results
window-copy = Copy
window-copied =
    .with_sources = Copied with sources
    .markdown = Copied as Markdown
    .plain = Copied as plain text
window-copy-as = Copy as…
window-copy-with-sources = With sources
window-copy-markdown = Markdown
window-copy-plain = Plain text
window-copied-code = Code copied
window-export = Export
window-retry = Retry
window-follow-ups = Follow-up questions
window-all-lines = Show all { $lines } lines
window-fold = Show less
window-table = Table
window-edit = Edit
window-edit-title = Edit the question and ask it in a new thread. This one stays unchanged.
window-branch = Branch
window-branch-title = Continue in a new thread. This one stays unchanged.
window-branched = Branched. The original is unchanged.
window-cancel = Cancel
window-reasoning = Reasoning
window-ranges =
    .day = results of the past day
    .week = results of the past week
    .month = results of the past month
    .year = results of the past year
window-extracted = extracted by the model
window-compacted = Summarised to make room: { $before }k tokens became { $after }k

window-context = context { $used }k of { $most }k
window-resume = Resume
window-close = Close
window-save = Save
window-more = More
window-model = Model
window-builtin-note = quotes sources, uses no AI
window-focus = Where to look
window-focuses =
    .both = Web + documents
    .web = Web
    .documents = Documents
window-focus-notes =
    .both = everything enabled in Settings
    .web = not your own files
    .documents = only what the model is sent leaves this computer
window-no-web = no web search is set up; opens Settings
window-wait-or-stop = This thread is still being answered. Wait for it or stop it; your text stays here.
window-private = Private
window-private-help = Private threads are kept in memory only. They are gone when you close Nexi, unless you keep them.
window-private-title = A private thread
window-private-text = Questions, answers and pages of this thread are kept in memory only. They are gone when you close Nexi, unless you keep the thread.
window-add-model = Add a model
window-all-models = All models…
window-all-models-note = with context window and price
window-think-longer = Think longer
window-think-less = Think as usual
window-think-longer-help = The model reasons more before it answers; slower and more expensive
window-price =
    .title = The price of this model is unknown
    .text = A cost limit is set, but the price of { $model } is unknown, so the limit cannot be enforced. Enter its price or a token limit in Settings, or ask this question without a cost limit.
    .give = Open Settings
    .ask = Ask without a limit
window-month =
    .title = Monthly cost limit reached
    .give = Open Settings
    .ask = Ask anyway
    .text = This month's questions have cost { $spent }; your limit is { $limit }.
window-record =
    .save = Save a record of this run
    .note = Every request, search, address, decision and cost, as a file
    .done = Saved as { $path }
window-memory =
    .kept = Remembered: { $text }
    .private = A private thread keeps nothing. Write this in another thread.
    .this = Remember something…
    .this-note = For all later questions
    .help = A model is told of it with every question, except in private threads. You find all of it in Settings, Memory.
    .told =
        { $count ->
            [one] Used { $count } memory
           *[other] Used { $count } memories
        }
window-mistakes =
    .title = The settings file has mistakes in these settings:
    .open = Open the file
window-held =
    .title = Nexi is holding something back
    .address = Private text (your documents or earlier answers) is part of this conversation, and the model wants to open an address that came neither from search results or pages nor from you. It may carry some of that text.
    .query = The model wants to search the web for numbers or wording found only in your documents or earlier answers.
    .open = Open it
    .send = Send the search
    .keep = Keep it back
    .kept =
        { $count ->
            [one] { $count } request was held back to keep your text private:
           *[other] { $count } requests were held back to keep your text private:
        }
window-keys-locked = The key file is locked.
window-unlock = Enter its passphrase
window-just-now = just now
window-minutes-ago = { $minutes } min ago
window-hours-ago =
    { $hours ->
        [one] { $hours } hour ago
       *[other] { $hours } hours ago
    }
window-days-ago =
    { $days ->
        [one] yesterday
       *[other] { $days } days ago
    }
# Said aloud by screen readers when a run is over.
window-ended =
    .answered = The answer is ready.
    .partial = A partial answer is ready.
    .nothing_found = Nothing was found.
    .cancelled = Stopped.
    .failed = This question could not be answered.
    .interrupted = Interrupted.
# Parts of a list of what an import did.
window-imported =
    .threads =
        { $count ->
            [one] { $count } thread imported
           *[other] { $count } threads imported
        }
    .items =
        { $count ->
            [one] { $count } other item
           *[other] { $count } other items
        }
    .known = { $count } already present
    .broken =
        { $count ->
            [one] { $count } broken line skipped
           *[other] { $count } broken lines skipped
        }
window-import-refused =
    { $broken ->
        [1] Line { $line } { $why }. Nothing was imported.
       *[other] Line { $line } { $why } ({ $broken } lines are broken in all). Nothing was imported.
    }
window-import-others =
    { $others ->
        [one] Import the other thread
       *[other] Import the other { $others } threads
    }
window-offered = This question came with a link. Press Enter to ask it.
window-turn =
    .delete = Delete this answer
    .deleted = Answer deleted
window-thread =
    .pin = Pin
    .unpin = Unpin
    .tags = Tags
    .tags-help = Separate tags with commas, for example: work, batteries
    .rename = Rename
    .rename-help = Renames the thread in lists only.
    .export = Export…
    .copy-link = Copy link
    .copied-link = Link copied
    .delete = Delete
    .deleted = Thread deleted
    .undo = Undo
    .keep = Keep this thread
    .kept = This thread is now kept in the library
window-selection =
    .title = Chosen threads
    .export = Export…
    .tag = Tag…
    .delete = Delete
    .none = Clear
    .tag-help = Separated by commas. Tags that are there stay.
    .count = { $count } chosen
    .tag-title =
        { $count ->
            [one] Tag { $count } thread
           *[other] Tag { $count } threads
        }
    .deleted =
        { $count ->
            [one] { $count } thread deleted
           *[other] { $count } threads deleted
        }
    .choose = Choose: { $title }
window-keys-title = Shortcuts
window-shortcuts =
    .popup = Open or close the popup from any program
    .popup-deep = In the popup: ask as deep research
    .popup-window = In the popup: go on in the window
    .field = Go to the question field
    .ask = Ask
    .line = New line
    .new = New question
    .private = New private thread
    .palette = Search threads, documents, actions and models
    .palette-ask = In that list: ask what is typed as a new question
    .library = Library
    .documents = Documents
    .model = Choose a model
    .connect = Connect a model
    .deep = Deep research or a quick answer
    .stop = Stop
    .answer = From the question field to the answer, where these keys work:
    .turns = Next and previous question
    .first = First citation of the answer; Alt F from anywhere
    .doubt = Next statement to check
    .copy = Copy the answer with its sources
    .export = Export the answer; Shift E exports the thread
    .retry = Ask the last question again
    .source = Open a source by its number
    .remember = Remember what follows, instead of asking
    .attach = Attach a document, folder, past question or site
    .passages = Next and previous passage in the reader
    .settings = Settings
    .tab = Go to the next citation, source or button
    .open = On a citation or source: open it at its passage
    .close = Close
    .close-window = Close the window
    .help = Help
    .list = This list
# What stands on keys.
window-key-names =
    .ctrl = Ctrl
    .shift = Shift
    .alt = Alt
    .enter = Enter
    .esc = Esc
    .tab = Tab
    .space = Space
window-menu = Threads
window-steps-of = Steps of the run
window-untitled = Untitled
window-opening = Starting Nexi
