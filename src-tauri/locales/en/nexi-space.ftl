nexi-space-created = { $name } created. Ask in it with { $command }
nexi-space-changed = { $name } changed
nexi-space-moved =
    { $count ->
        [one] { $count } thread moved to { $space }
       *[other] { $count } threads moved to { $space }
    }
nexi-space-moved-out =
    { $count ->
        [one] { $count } thread no longer in a space
       *[other] { $count } threads no longer in a space
    }
nexi-space-say-yes = yes: without a terminal, add --yes to remove the space
nexi-space-remove =
    { $count ->
        [one] Remove { $name } with its memories? Its { $count } thread stays in the library.
       *[other] Remove { $name } with its memories? Its { $count } threads stay in the library.
    }
nexi-space-removed = { $name } removed
nexi-space-the-instructions = the instructions
nexi-space-unknown = space: there is none called "{ $name }"; known spaces: { $known }
nexi-space-unknown-none = space: there is none called "{ $name }"; make one with nexi space add
nexi-space-none-yet = No spaces yet. To create one: nexi space add House --docs ~/Documents/house --instructions "Prices in euros."
nexi-space-threads =
    { $count ->
        [one] { $count } thread
       *[other] { $count } threads
    }
nexi-space-documents = documents: { $folders }
nexi-space-usual-documents = documents: those of the settings
nexi-space-model = model: { $model }
nexi-space-usual-model = model: that of the settings
nexi-space-instructions = instructions:
nexi-space-memory = memory { $id }: { $text }
nexi-space-thread = thread { $id }: { $title }, { $when }
