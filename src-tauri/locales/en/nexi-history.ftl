nexi-history-nothing-yet = nothing has been asked yet
nexi-history-summarised =
    { $count ->
        [one] { $count } earlier question summarised; they stay as they are
       *[other] { $count } earlier questions summarised; they stay as they are
    }
nexi-history-turn = turn { $id }
nexi-history-how = { $mode } · { $effort }
nexi-history-steps =
    { $count ->
        [one] { $count } step
       *[other] { $count } steps
    }
nexi-history-seconds = { $seconds } s
nexi-history-tokens = { $count } tokens
# How questions ended. The names are those of the states.
nexi-history-states =
    .running = running
    .answered = answered
    .partial = partial
    .nothing_found = nothing found
    .cancelled = cancelled
    .failed = failed
    .interrupted = interrupted
nexi-history-modes =
    .quick = quick
    .deep = deep
nexi-history-first-question = Nothing has been asked yet. Ask something: nexi ask "Where are keys kept?"
nexi-history-sources =
    { $count ->
        [one] { $count } source
       *[other] { $count } sources
    }
nexi-history-no-words = text: is empty; write a few words that occur in what is looked for
nexi-history-not-found = nothing was found
nexi-history-no-pdf = format: PDF files are made in the window, under Export; on a terminal, choose html or docx and print that
nexi-history-library-is-json = format: the whole library is written as JSON, one thread a line; give the id of a thread for another format
nexi-history-standard-output = standard output
nexi-history-written =
    { $count ->
        [one] { $count } thread written to { $place }
       *[other] { $count } threads written to { $place }
    }
nexi-history-not-written = { $place } could not be written
nexi-history-word-file = out: a Word document is no text; name a file with --out
nexi-history-unknown-ending = out: no format is named .{ $ending }; use one of { $known }, or say --format
nexi-history-no-newest = last: nothing has been asked yet
nexi-history-out-taken = out: { $path } is there already; choose another name
nexi-history-out-unwritable = out: { $path } cannot be written ({ $why })
nexi-history-broken =
    { $broken ->
        [1] file: line { $line } { $why }. Nothing was imported. Correct the file, or import the rest of it ({ $others }) with --skip-broken
       *[other] file: line { $line } { $why } ({ $broken } lines are broken in all). Nothing was imported. Correct the file, or import the rest of it ({ $others }) with --skip-broken
    }
nexi-history-threads =
    { $count ->
        [one] { $count } thread
       *[other] { $count } threads
    }
nexi-history-turns =
    { $count ->
        [one] { $count } turn
       *[other] { $count } turns
    }
nexi-history-imported =
    { $count ->
        [one] { $count } thread imported
       *[other] { $count } threads imported
    }
nexi-history-imported-items =
    { $count ->
        [one] { $count } other item (spaces, memories, templates, saved searches, watched questions)
       *[other] { $count } other items (spaces, memories, templates, saved searches, watched questions)
    }
nexi-history-imported-known = { $count } already present
nexi-history-imported-broken =
    { $count ->
        [one] { $count } line skipped
       *[other] { $count } lines skipped
    }
nexi-history-say-yes = yes: without a terminal, say --yes to delete
nexi-history-delete = Delete { $what } for good, out of backups, too?
nexi-history-not-deleted = nothing was deleted
nexi-history-deleted =
    { $count ->
        [one] { $count } thread deleted
       *[other] { $count } threads deleted
    }
nexi-history-deleted-turns =
    { $count ->
        [one] { $count } turn deleted
       *[other] { $count } turns deleted
    }
nexi-history-being-answered = id: a question of thread { $id } is being answered; stop it, or wait until it is
nexi-history-clear-say-yes = clearing deletes all threads for good; say --yes if that is meant
nexi-history-clear = This permanently deletes all threads, the lines typed in sessions, and every backup of the library. Type { $word } to continue:
nexi-history-clear-word = yes
nexi-history-kept = { $count } kept, because questions in them are still being answered
nexi-history-none-deleted = Nothing that was deleted in a window in the last 30 days can be restored. What nexi history delete deletes is gone at once.
nexi-history-single-answer = a single answer
nexi-history-questions =
    { $count ->
        [one] { $count } question
       *[other] { $count } questions
    }
nexi-history-days-left =
    { $count ->
        [one] { $count } day left
       *[other] { $count } days left
    }
nexi-history-not-among-deleted = id: nothing that was deleted has the id "{ $id }"; nexi history deleted lists what can be brought back
nexi-history-ambiguous = id: "{ $id }" is part of { $count } ids; write more of it
nexi-history-restored = Restored: { $title }
nexi-history-no-sources = There are no sources to list.
nexi-history-no-style = --style: this format has no citation styles; take markdown, html or docx, or leave it out
