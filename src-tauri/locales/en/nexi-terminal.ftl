# What several commands say.
nexi-terminal-agree = { $question } [y/N]
nexi-terminal-yes-or-no = write y for yes or n for no
# What is typed to agree and to decline, in small letters, separated by spaces.
nexi-terminal-yes = y yes
nexi-terminal-no = n no
nexi-terminal-and = { $first } and { $last }
nexi-terminal-warning = warning: { $text }
nexi-terminal-correct-settings = { $problem }; correct it with { $command }
nexi-terminal-stopping = stopping…
nexi-terminal-hook = hook { $name }: { $what }
nexi-terminal-hooks-failed = hooks could not be called: { $why }
nexi-terminal-calling-hooks = calling hooks… (Ctrl+C leaves it for later)
nexi-terminal-backing-up = making today's backup of the library… (Ctrl+C leaves it for the next time)
nexi-terminal-keys-locked = the file with the keys is locked; type its passphrase on a terminal, or name a file that holds it in NEXI_KEYS_PASSPHRASE_FILE
nexi-terminal-passphrase = Passphrase of the key file:
nexi-terminal-new-passphrase = Passphrase for the new key file:
nexi-terminal-once-more = The same once more:
nexi-terminal-not-the-same = these are not the same
nexi-terminal-not-opened = the file with the keys was not opened
nexi-terminal-needs-terminal = { $what } has to be typed on a terminal, and there is none
nexi-terminal-nothing-read = nothing could be read from the terminal
nexi-terminal-no-interrupts = Ctrl+C cannot be listened for
nexi-terminal-no-input = { $what } could not be read from standard input
nexi-terminal-on-input = { $what } on standard input
nexi-terminal-unreadable = { $what } cannot be read ({ $why })
nexi-terminal-the-file = the file
nexi-terminal-too-large = { $what } is larger than { $kib } KiB
nexi-terminal-not-utf8 = { $what } is not UTF-8 text
nexi-terminal-unknown-model = model: "{ $name }" is not in the settings; there are { $known }
nexi-terminal-unknown-model-of = model: "{ $name }" is not in the settings; there are { $known }; to ask another model of { $provider }, write { $provider }/{ $name }
nexi-terminal-ago =
    .now = just now
    .minutes =
        { $count ->
            [one] { $count } minute ago
           *[other] { $count } minutes ago
        }
    .hours =
        { $count ->
            [one] { $count } hour ago
           *[other] { $count } hours ago
        }
    .days =
        { $count ->
            [one] { $count } day ago
           *[other] { $count } days ago
        }
    .months =
        { $count ->
            [one] { $count } month ago
           *[other] { $count } months ago
        }
    .years =
        { $count ->
            [one] { $count } year ago
           *[other] { $count } years ago
        }
nexi-terminal-unwritable = the output could not be written
nexi-terminal-delivered = delivered
nexi-terminal-not-delivered = not delivered: { $why }
nexi-terminal-delivered-later = not delivered ({ $why }); next try at { $time }
nexi-terminal-address-gone = the address is gone; the hook was turned off
nexi-terminal-with-sources = The answer with its sources:
nexi-terminal-sources = Sources:
nexi-terminal-read-so-far = Read so far:
nexi-terminal-struck-out = struck out: { $before }
nexi-terminal-was = was: { $before }
nexi-terminal-is = now: { $after }
nexi-terminal-changed = Changed after a second look:
nexi-terminal-not-in-source = { $statement } (not in the source: { $missing })
nexi-terminal-more-doubtful = and { $count } more: nexi history show { $id }
nexi-terminal-no-such-source = no source numbered { $numbers }; treat that sentence with caution
nexi-terminal-no-window = open: { $program } is not installed beside nexi and not in PATH
nexi-terminal-no-window-now = open: { $program } is not installed beside nexi and not in PATH; the thread is in the library
nexi-terminal-no-display = open: there is no display here
nexi-terminal-not-started = open: { $program } could not be started ({ $why })
nexi-terminal-to-ask = To ask a question: nexi ask "…"
nexi-terminal-pages-written =
    { $count ->
        [one] { $count } page written to { $folder }
       *[other] { $count } pages written to { $folder }
    }
nexi-terminal-exits = Exit codes: 0 answered, 1 failed, nothing found or a replay that differs, 2 invalid arguments or settings, 130 stopped.
nexi-terminal-examples = Examples:
nexi-terminal-dollars = write US dollars above 0, such as 0.25
nexi-terminal-whole-from = write a whole number of at least { $least }
nexi-terminal-whole-between = write a whole number from { $least } to { $most }
nexi-terminal-one-of = must be { $others } or { $last }, not { $typed }
nexi-terminal-no-shell = this shell is not known
nexi-terminal-cannot-be-made = { $path } cannot be made ({ $why })
nexi-terminal-pages-kept =
    { $count ->
        [one] { $count } page kept, { $size } MB on disk
       *[other] { $count } pages kept, { $size } MB on disk
    }
# What stands around the help of commands.
nexi-terminal-help =
    .usage = Usage:
    .arguments = Arguments
    .options = Options
    .everywhere = Options of every command
    .commands = Commands
    .help = Print help
    .version = Print version
    .default = default
    .values = possible values
# What is wrong with arguments; in English clap says it.
nexi-terminal-wrong =
    .heading = error:
    .unknown = unexpected argument { $argument }
    .command = unrecognized command { $name }
    .missing = required arguments were not provided: { $arguments }
    .conflict = { $argument } cannot be used with { $other }
    .no_value = { $argument } needs a value
    .value = { $value } is not a value of { $argument }
    .refused = { $value } is not a value of { $argument }: { $why }
    .values = possible: { $values }
    .meant = did you mean { $meant }?
    .more = More with --help.
