documents-title = Documents
documents-ask = Ask your documents…
documents-search = Search your documents
documents-none = No folders yet. Add one, and Nexi can answer from your files. They are searched on this computer.
documents-summary =
    { $files ->
        [one] { $folders ->
                [one] { $files } file in { $folders } folder. They are searched on this computer.
               *[other] { $files } file in { $folders } folders. They are searched on this computer.
            }
       *[other] { $folders ->
                [one] { $files } files in { $folders } folder. They are searched on this computer.
               *[other] { $files } files in { $folders } folders. They are searched on this computer.
            }
    }
documents-found =
    { $passages ->
        [one] { $files ->
                [one] { $passages } passage in { $files } file
               *[other] { $passages } passage in { $files } files
            }
       *[other] { $files ->
                [one] { $passages } passages in { $files } file
               *[other] { $passages } passages in { $files } files
            }
    }
documents-nothing = No matches. Use fewer or other words.
documents-looking = Looking through your folders…
documents-indexing =
    { $total ->
        [one] Reading { $done } of { $total } file…
       *[other] Reading { $done } of { $total } files…
    }
documents-settings =
    .meaning =
        { $on ->
            [true] Find by meaning: on
           *[other] Find by meaning: off
        }
    .scans =
        { $on ->
            [true] Read scanned pages: on
           *[other] Read scanned pages: off
        }
    .waiting =
        { $count ->
            [one] { $count } scanned page not read yet
           *[other] { $count } scanned pages not read yet
        }
documents-up-to-date = up to date
documents-missing = not found
documents-more = More for { $folder }
documents-open = Open folder
documents-remove = Stop searching this folder
documents-removed = { $folder } is no longer searched. Its files stay where they are.
documents-add = Add folder…
documents-meaning = Settings…
documents-ask-folder = Ask this folder
documents-ask-file = Ask this file
documents-files =
    { $files ->
        [one] { $files } file
       *[other] { $files } files
    }
documents-skipped =
    { $files ->
        [one] { $files } file was skipped
       *[other] { $files } files were skipped
    }
documents-partly =
    { $files ->
        [one] { $files } file was read in part
       *[other] { $files } files were read in part
    }
documents-show = Show
documents-hide = Hide
documents-other =
    { $files ->
        [one] { $files } file of kinds Nexi doesn't read: { $kinds }
       *[other] { $files } files of kinds Nexi doesn't read: { $kinds }
    }
