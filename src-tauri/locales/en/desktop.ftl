# The tray, notifications and the titles of windows.
desktop-tray =
    .ask = Ask…
    .open = Open Nexi
    .settings = Settings
    .pause = Pause shortcut
    .quit = Quit Nexi
desktop-notification =
    .waiting = Waiting for you
    .answered = Answered
    .partial = Answered in part
    .failed = This question could not be answered
    .private = A private question
    .open = Open
    .changed = Changed: { $question }
    .not-checked = Could not be checked: { $question }
desktop-hook-gone = The address is gone, so the hook was turned off.
desktop-hotkey =
    .paused = The shortcut is paused. Turn it on again in the tray menu.
    .refused = { $keys } could not be registered: { $why }. Choose another one.
    .taken = another program has it
    .unavailable = This desktop does not let programs register shortcuts. Bind one to the command below in its settings.
    .assigned = Your desktop assigned this shortcut: { $keys }
    .unassigned = Your desktop did not assign a shortcut to Nexi.
desktop-cannot-start = Nexi cannot start
desktop-damaged = The library is damaged and cannot be opened. Recover everything that can still be read, together with the newest backup? The damaged file is kept.
desktop-too-new = A newer version of Nexi has changed this library, and this version cannot read it. Open the copy from { $made } instead? What was asked since is not in it. The newer library is kept as a backup, which the newer version can restore. No ends Nexi, and nothing changes.
desktop-no-autostart = could not be set: { $why }. Nexi will not start with your session
# What `nexi-desktop --help` says; equal to the comments of the arguments.
desktop-help =
    .about = Researched answers with citations you can check
    .popup = Open the popup for a quick question
    .hidden = Start without a window; the shortcut and the tray icon work
    .thread = Show this thread
    .config = Use this settings file
    .data_dir = Use this folder for the library and the index
    .verbose = Log every decision, request and wait to standard error
    .link = A link to follow, such as nexi://ask?q=... or nexi://thread/...
