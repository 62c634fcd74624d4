# Chapters of the manual page.
nexi-manual-headings =
    .examples = EXAMPLES
    .files = FILES
    .environment = ENVIRONMENT
    .exit-status = EXIT STATUS
    .see-also = SEE ALSO
nexi-manual-files =
    .settings = The settings; nexi config path prints where they are on this computer.
    .library = The library: questions, answers and the text of their sources.
    .documents = The index of your documents; it is made again where it is missing.
    .backups = Copies of the library, one a day; nexi restore lists them.
    .keys = API keys, encrypted with a passphrase, where keys = "file".
    .session = Lines that were typed in sessions.
nexi-manual-variables =
    .keys = Keys of services whose key is not stored; nexi key list names the variable of each.
    .passphrase = A file with the passphrase of keys.age, for programs that run unattended.
    .token = The token that clients of nexi mcp --http must send.
    .prices = A file with prices of models instead of the built-in table.
    .proxy = The proxy that requests go through.
    .models = Where nexi docs fetch finds models instead of https://huggingface.co.
    .editor = The editor of nexi config edit.
    .colour = Where it is set, nothing is coloured.
    .links = 1 makes links of sources in a terminal that is not known to show them, 0 makes none.
    .terminal = dumb means a terminal without colours, links and a moving line.
    .language = The language of Nexi, such as en; otherwise that of the system.
nexi-manual-unwritable = { $path } cannot be written
nexi-manual-cannot-be-made = { $path } cannot be made
