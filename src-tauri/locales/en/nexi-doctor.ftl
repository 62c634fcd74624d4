# What `nexi doctor` looked at, as its lines begin.
nexi-doctor-what =
    .settings = settings
    .settings_and_data = settings and data
    .keys = keys
    .keyring = keyring
    .key = key
    .database = database
    .documents = documents
    .meaning = meaning
    .scans = scans
    .searxng = searxng
    .team = team library
    .search = search
    .price = price
    .network = network
    .window = window
    .hotkey = hotkey
nexi-doctor-model = model { $name }
nexi-doctor-reader = reader { $name }
# Four letters at most: columns are aligned by them.
nexi-doctor-state =
    .good = ok
    .note = note
    .bad = bad
nexi-doctor-fix-settings = Fix the settings file: nexi config edit
nexi-doctor-other-folder = Choose another folder with --data-dir, or see the message
nexi-doctor-no-settings = no file yet, so all defaults apply ({ $path })
nexi-doctor-default-used = { $problem }; the default is used
nexi-doctor-edit = nexi config edit opens the file
nexi-doctor-threads =
    { $count ->
        [one] { $count } thread in { $path }
       *[other] { $count } threads in { $path }
    }
nexi-doctor-searxng = one is running at { $address } and is not used
nexi-doctor-use-searxng = { $command } and put searx into search_backends
nexi-doctor-folders-gone = { $folders } cannot be opened
nexi-doctor-correct-folders = Correct documents.folders in the settings, or connect the drive
nexi-doctor-unread =
    { $count ->
        [one] { $count } file could not be read
       *[other] { $count } files could not be read
    }
nexi-doctor-partly-read =
    { $count ->
        [one] { $count } file read in part
       *[other] { $count } files read in part
    }
nexi-doctor-all-unread = nexi docs status names all of them
nexi-doctor-add-folder = Add a folder of your own: nexi docs add ~/Documents
nexi-doctor-only-handbook = only the handbook is indexed; you have added no folders
nexi-doctor-indexed =
    { $files ->
        [one] { $files } file indexed, of { $folders ->
            [one] { $folders } folder
           *[other] { $folders } folders
        } and the handbook
       *[other] { $files } files indexed, of { $folders ->
            [one] { $folders } folder
           *[other] { $folders } folders
        } and the handbook
    }
nexi-doctor-index-rebuilt = The index can be deleted at any time; it is rebuilt automatically
nexi-doctor-without-keyring = Until then keys can come from environment variables, or from a file with a passphrase: nexi config set keys file
nexi-doctor-type-passphrase = Run nexi doctor on a terminal, where the passphrase can be typed
nexi-doctor-locked = The key file is locked, so its keys could not be tested.
nexi-doctor-key-file = API keys are stored in a file with a passphrase.
nexi-doctor-no-key-file = There is no key file yet.
nexi-doctor-make-key-file = nexi key set PROVIDER makes it
nexi-doctor-keys-in-memory = API keys are kept in memory only, until the window is closed.
nexi-doctor-not-asked = was not asked, because of --offline
nexi-doctor-needs-nothing = works without key and network
nexi-doctor-other-searches = Fix one of them, or use services that need no key: { $command }
nexi-doctor-no-search = no search service works, so only documents can be searched
nexi-doctor-learned = { $quirk } ({ $address }). It said: { $said }
nexi-doctor-how-learned = Learned from the service's own reply; tried again after some days
nexi-doctor-nothing-reached = no service could be reached
nexi-doctor-check-network = Check your network and the proxy in the settings; documents can still be asked
nexi-doctor-reached =
    { $all ->
        [one] { $reached } of { $all } service reached
       *[other] { $reached } of { $all } services reached
    }
nexi-doctor-advice =
    .variable_or_key = Set { $variable } to a valid key, or unset it and run nexi key set { $name }
    .key_or_variable = Enter a key: nexi key set { $name }; or set { $variable }
    .key = Enter a key: nexi key set { $name }
    .key_again = Enter its key again: nexi key set { $name }
    .no_balance = Add credit at the service, or put another provider first
    .offline = Check your network, the proxy in the settings, and its address: nexi config get providers.{ $name }
    .slow = Wait until it is loaded and try again, or choose a smaller model
    .limited = Wait a while, or set requests_per_minute of this provider
    .unknown_model = Choose a model that it has: nexi config set providers.{ $name }.model MODEL
    .wrong_address = Correct its address: nexi config set providers.{ $name }.base_url ADDRESS
    .other = See the message and its settings: nexi config get providers.{ $name }
nexi-doctor-unpriced = max_cost is set and the price of { $model } is not known, so no question starts
nexi-doctor-give-price = Give its price ({ $command }, in dollars for a million tokens), limit tokens instead (max_tokens), or unset max_cost; --any-cost lifts it for one question
nexi-doctor-read = read { $address }
nexi-doctor-next-reader = The next reader takes over; see its key and address in the settings
nexi-doctor-no-window = nexi-desktop is not beside nexi and not in PATH
nexi-doctor-install-window = Install the desktop package to have the window and the popup
nexi-doctor-system-hotkey = this system lets programs have one
nexi-doctor-bind-key = Where it cannot, bind nexi-desktop --popup to a key in the settings of your desktop
nexi-doctor-wayland-hotkey = under Wayland the desktop decides; Settings, App in the window says whether it works
nexi-doctor-x11-hotkey = X11 lets programs have one
nexi-doctor-no-display = there is no display here
nexi-doctor-team =
    { $waiting ->
        [0] { $shared } of your threads are shared.
       *[other] { $shared } of your threads are shared; changes that wait to be sent: { $waiting }.
    }
nexi-doctor-send = nexi team send sends them, and says what is in the way
