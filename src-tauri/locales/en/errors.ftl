# What went wrong, where it is to blame and what to do. The names are those of the errors of each part.
errors-store =
    .too_new = The database { $path } was written by a newer version of Nexi. Install that version, or list older copies of the library with nexi restore and go back to one; nothing was changed.
    .damaged = The database { $path } is damaged: { $message }. Nothing was changed. Run nexi doctor --repair to save what can be read, or nexi restore to go back to a backup.
    .in_use = The database { $path } is locked by another program. Close that program (perhaps a backup or another Nexi) and try again.
    .occupied = Another program has been writing to the library for more than five seconds. Try again in a moment.
    .disk_full = The disk is full. Nothing was changed; make room and try again.
    .read_only = The library cannot be written: its folder or file is read-only. Nothing was changed. Change its permissions, or choose another folder with --data-dir.
    .folder = { $path } cannot be used: { $source }. Choose another folder with --data-dir.
    .corrupt = The library is damaged: { $what }. Nothing was changed. Run nexi doctor --repair to save what can be read, or nexi restore to go back to a backup.
    .damaged_index = The index of your documents is damaged. It is built anew the next time Nexi starts or a command is run; your library and your files are not affected.
    .sqlite = The database refused: { $what }
    .json = A stored value could not be read: { $what }
    .packed = A stored page could not be unpacked: { $what }
    .busy = A question is still being answered in this thread, or a later one was asked. Ask in a new thread.
    .search_name = name: is empty; give the search a name
    .too_many_searches = There are { $most } saved searches already. Remove one first.
    .memory_text = text: write what to remember, in at most { $most } letters
    .too_many_memories = There are { $most } memories already. Remove one first.
    .template_name = name: write lowercase letters, digits and hyphens, such as compare
    .template_text = text: write the question, in at most { $most } bytes
    .template_taken = name: another template is called "{ $name }"; choose another name, or change that one
    .too_many_templates = There are { $most } templates already. Remove one first.
    .space_name = name: write a name of up to { $most } letters
    .space_taken = name: another space is called "{ $name }"; choose another name, or change that one
    .space_instructions = instructions: must be at most { $most } bytes; put long material into a document of the space
    .space_folders = folders: a space can have { $most } folders and files at most
    .too_many_spaces = There are { $most } spaces already. Remove one first.
    .too_many_watched = { $most } questions are watched already. Stop watching one first.
    .already_watched = question: is watched already, as { $id }
    .running = This question is still being answered. Stop it before you delete it.
    .at_work = A question is still being answered, here or in another window or terminal. Wait until it is done, then restore the backup.
    .superseded = Another search came first.
    .ambiguous = "{ $id }" matches more than one turn; give more of it.
    .short = "{ $id }" is too short for an id; give at least four digits from its start or end.
errors-keys =
    .timed_out = The keyring did not answer within 30 seconds. A question to unlock it may be waiting behind another window.
    .file_locked = The key file is locked. Enter its passphrase in Settings, Keys, or on a terminal (nexi key list); for programs without one, write it into a file and name that in NEXI_KEYS_PASSPHRASE_FILE.
    .wrong_passphrase = This is not the passphrase of the key file.
    .short_passphrase = A passphrase needs at least { $shortest } characters; this one has { $length }. Use several words.
    .dear_file = The key file was made to be opened with much more memory than this version allows (2^{ $required }). Open it with the program that made it.
    .damaged_file = The key file is damaged: { $what }. Put a copy of it in its place, or move it away and enter the keys again.
    .lost_file = The key file { $path } is gone or empty although it held keys. Put it back; or restart Nexi to begin a new one, and enter the keys again.
    .file = The key file could not be read or written: { $what }
    .passphrase_file = NEXI_KEYS_PASSPHRASE_FILE: { $path } { $problem }
    .not_text = The environment variable { $what } holds something that is not text. Set it to the key, or unset it.
    .other = The keys could not be reached: { $what }
errors-settings =
    .missing = There is no settings file { $path }. Name another one with --config, or create it first.
    .file = The settings file { $path } cannot be used: { $source }. Check its permissions, or name another one with --config.
    .syntax = The settings file { $path } is not valid TOML: { $message }
    .invalid = The settings file { $path } has mistakes:{ $problems }
errors-engine =
    .file = { $path } cannot be written: { $source }
    .price_unknown = max_cost: The price of { $model } is not known, so a cost limit cannot be held. Give its price under [models."{ $id }"], set a token limit, or ask without a cost limit (--any-cost on the command line).
    .month_is_spent = max_cost_month: This month's questions have cost { $spent }, and the limit is { $limit }. Raise the limit, choose a model that costs nothing, or on the command line add --over-month (nexi eval: --any-cost).
    .busy = A question is still being answered in this thread. Wait for it or stop it first.
    .at_work = A question is still being answered. Wait for it or stop it, and restore the backup then.
    .gone = The engine's work ended unexpectedly.
errors-file =
    .too_large = it is larger than { $max_mib } MiB; split it into parts
    .not_text = it is not text, whatever its name says; give it the right ending or leave it out
    .unreadable = it cannot be opened ({ $message }); check who may read it
    .encrypted = it is protected by a password; save a copy without one
    .no_text = there is no text in it
    .scanned = 
        { $waits ->
            [true] its text has not been recognized yet
           *[other] it is scanned; turn on text recognition to read it
        }
    .nothing_recognised = no text was recognized in it
    .not_recognised = its text could not be recognized; it may be damaged, or not what its name says
    .damaged = it is damaged, or not what its name says; open it with its own program and save it again
    .too_complex = it is too complex; save it in a simpler form, such as plain text
    .too_slow = reading it takes too long; split it into parts, or save it in a simpler form
    .archive = it is an archive; unpack it to have its documents read
    .link = it is a link; add the folder that it leads to
    .no_file = it is not a regular file
    .bad_name = its name is not Unicode; rename it
    .cut = it is very long, and only its beginning was read; split it into parts
errors-ocr =
    .not_drawn = the page cannot be drawn
    .no_room = the page cannot be written to the folder for temporary files: { $what }
    .not_read = Tesseract cannot read the page
    .no_picture = it is not a picture, whatever its name says
errors-missing =
    .backup =
        { $named ->
            [true] There is no backup "{ $id }".
           *[other] There is no backup yet.
        }
    .interrupted-run =
        { $named ->
            [true] There is no interrupted run "{ $id }".
           *[other] There is no interrupted run yet.
        }
    .memory =
        { $named ->
            [true] There is no memory "{ $id }".
           *[other] There is no memory yet.
        }
    .report-of-researcher =
        { $named ->
            [true] Researcher "{ $id }" has no report.
           *[other] This researcher has no report yet.
        }
    .source =
        { $named ->
            [true] There is no source "{ $id }".
           *[other] There is no source yet.
        }
    .space =
        { $named ->
            [true] There is no space "{ $id }".
           *[other] There is no space yet.
        }
    .template =
        { $named ->
            [true] There is no template "{ $id }".
           *[other] There is no template yet.
        }
    .thread =
        { $named ->
            [true] There is no thread "{ $id }".
           *[other] There is no thread yet.
        }
    .turn =
        { $named ->
            [true] There is no turn "{ $id }".
           *[other] There is no turn yet.
        }
    .watched-question =
        { $named ->
            [true] There is no watched question "{ $id }".
           *[other] There is no watched question yet.
        }
errors-suspended = Another Nexi (process { $pid }) was suspended while it was saving something. Let it go on (fg, or kill -CONT { $pid }) or end it (kill -KILL { $pid }), and try again.
errors-file-parts =
    { $more ->
        [0] { $names } could not be read; try opening and saving again in the original program
       *[other] { $names } and { $more } more could not be read; try opening and saving again in the original program
    }
errors-store-not-kept = This answer is not in the library yet: { $why } Copy it if you cannot wait. Nexi saves it as soon as that is possible; if Nexi is closed before, resume the question.
# What is wrong with a thread that is to be imported.
errors-import =
    .version = This file has version { $version }; this Nexi reads up to { $most }. Install a newer one.
    .turns = turns: must be 1 to { $most } turns, not { $count }
    .id = id: { $id } is not an id
    .twice = sources: a number occurs twice in one turn
    .address = sources: the address of source { $number } must begin with https:, http: or file:
errors-passphrase =
    .open = can be read by others; run chmod 600 { $path }
    .nothing = gives nothing; write the passphrase into a file of its own
    .unreadable = cannot be read ({ $why })
    .empty = has nothing in its first line; write the passphrase there
errors-no-keys-in-file = it holds no keys
errors-keyring-no-text = what it holds is not text
# Of a shared thread: why the team library refused what has changed.
errors-team-refused = “{ $title }”: { $why }
