spaces-all = All threads
spaces-any = Any space
spaces-choose = Space
spaces-manage = Manage spaces…
spaces-inside = Showing { $name } and asking in it
spaces-of-space = Model of the space
spaces-move = Move to space…
spaces-moved = Moved
spaces-none = No space
spaces-none-yet = No spaces yet. Create one in Settings, Spaces.
spaces-threads =
    { $count ->
        [one] { $count } thread
       *[other] { $count } threads
    }
spaces-list = Spaces
spaces-empty = No spaces yet.
spaces-add = New space
spaces-add-help = For example a project, a course or a trip.
spaces-name = Name
spaces-instructions = Instructions
spaces-instructions-help = Models are told this with every question in the space.
spaces-folders = Documents
spaces-folders-help = Folders and files, one per line. They are searched instead of your other documents; leave this empty to search those.
spaces-choose-folder = Choose a folder…
spaces-model = Model
spaces-model-help = For example openai/gpt-6-luna. Leave it empty for the usual model.
spaces-save = Save
spaces-create = Create
spaces-created = Space created
spaces-edit = Edit
spaces-cancel = Cancel
spaces-remove = Remove
spaces-remove-title = Remove this space?
spaces-remove-help =
    { $count ->
        [one] This also deletes its memories. Its { $count } thread stays in the library.
       *[other] This also deletes its memories. Its { $count } threads stay in the library.
    }
spaces-everywhere = Everywhere
spaces-only = In { $name }
spaces-kept = Remembered in { $name }: { $text }
spaces-where = Where it applies
