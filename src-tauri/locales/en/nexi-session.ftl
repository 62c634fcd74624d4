nexi-session-needs-terminal = no command was given. A session needs a terminal; to ask once: nexi ask "Where are keys kept?"
nexi-session-welcome = Nexi { $version } · { $model } · /help lists the commands
nexi-session-commands =
    .effort = s, m or l: how thorough the next answers are
    .deep = a plan and several researchers for the next questions, or no longer; on or off says which
    .model = NAME: switch models; without a name, show the current one
    .focus = web, documents or both: where to look
    .docs = PATH: search this folder or file, too, until you leave; off: no more; without a value, show what is searched
    .space = a name, or off: ask in a space, with its documents and instructions
    .private = on or off: begin a thread that is kept nowhere
    .attach = PATH or URL: give a file, folder, web page or thread:ID to the next question; @PATH in it does the same; off gives nothing along
    .sources = the sources of the last answer
    .open = N: open source N at its passage in the browser
    .save = FILE: export the thread, in the format of the file extension, such as md, docx or bib
    .memory = what Nexi remembers about you; a line that begins with # and a space adds to it
    .retry = ask the last question again; with the NAME of a model, that one answers
    .history = the newest questions; with WORDS, those that have them
    .continue = ID: go on with an earlier thread
    .summarise = summarise the thread so far, so that its next questions have more room
    .new = begins another thread
    .help = this list
    .quit = leaves; so does Ctrl+D
nexi-session-help-more =
    A template is asked as /NAME, with its values or without; nexi template makes one.
    End a line with \ to continue on the next one.
nexi-session-not-text = this is not UTF-8 text
nexi-session-once-more = (Ctrl+C once more leaves.)
nexi-session-on-or-off = /{ $command } is on or off, not "{ $value }"
nexi-session-deep-on = Deep research is on.
nexi-session-deep-off = Deep research is off.
nexi-session-nothing-attached = Nothing is attached. To attach: /attach PATH, a web address or thread:ID; or write @PATH in the question.
nexi-session-no-file = there is no file or folder { $path }
nexi-session-attached =
    { $count ->
        [one] { $count } item attached to the next question.
       *[other] { $count } items attached to the next question.
    }
nexi-session-new = The next question starts a new thread.
nexi-session-effort = effort { $effort }: at most { $steps } steps
nexi-session-focus = focus { $focus }
nexi-session-no-sources = The last answer has no sources.
nexi-session-stopped = (stopped)
nexi-session-private-keeps-nothing = a private thread keeps nothing; leave it with /private off first
nexi-session-remembered = Remembered: { $text }
nexi-session-remembered-in = Remembered in { $space }: { $text }
nexi-session-open-number = open needs the number of a source, such as /open 1
nexi-session-not-openable = { $address } is neither a page nor a document
nexi-session-no-browser = no browser could be started; the address is { $address }
nexi-session-no-folder = { $path } is not a folder
nexi-session-no-file-name = { $path } is no name for a file
nexi-session-not-written = { $path } could not be written ({ $why })
nexi-session-written = Written to { $path }
nexi-session-here = { $path } (in this session)
nexi-session-no-folders = No folder is searched. To search one here: /docs PATH; from now on: nexi docs add FOLDER
nexi-session-searched = Searched besides the web:
nexi-session-unknown-command = there is no /{ $name }; /help lists the commands
nexi-session-summarised =
    { $count ->
        [one] ({ $count } earlier question summarised; they stay as they are.)
       *[other] ({ $count } earlier questions summarised; they stay as they are.)
    }
nexi-session-private-has-no-space = a private thread belongs to no space; leave it with /private off first
nexi-session-in-space = Questions are asked in { $space }.
nexi-session-in-no-space = Questions are asked outside spaces.
nexi-session-is-private = This thread is kept nowhere.
nexi-session-is-kept = Questions and answers are kept.
nexi-session-now-private = Nothing of what follows is kept, not even what you type. The next question starts a new thread.
nexi-session-now-kept = Questions and answers are kept again. The next question starts a new thread.
nexi-session-asking-again = Asking again: { $question }
nexi-session-continue-what = continue needs the id of a question, such as /history lists them
nexi-session-private-goes-on-alone = a private thread goes on with none that is kept; /private off ends it
nexi-session-follows = The next question follows “{ $title }”.
nexi-session-unknown-ending = no format is named like the end of { $path }; write it with .md, .html, .docx or .txt
