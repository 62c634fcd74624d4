nexi-docs-no-folders = No folders are set. Add one: nexi docs add ~/Documents
nexi-docs-unreadable = folder: { $path } cannot be read ({ $why })
nexi-docs-is-file = folder: { $path } is a file; give the folder it is in, or attach it to a question: nexi ask --attach { $given }
nexi-docs-searched-already = { $path } is searched already.
nexi-docs-reading = Reading the folder…
nexi-docs-unknown = folder: { $path } is not among those that are searched; there are { $folders }
nexi-docs-unknown-none = folder: { $path } is not among those that are searched; no folders are set
nexi-docs-removed = { $path } is no longer searched. Its files were not touched.
nexi-docs-passages-of =
    { $all ->
        [one] { $done } of { $all } passage
       *[other] { $done } of { $all } passages
    }
nexi-docs-pages-of =
    { $all ->
        [one] { $done } of { $all } scanned page
       *[other] { $done } of { $all } scanned pages
    }
nexi-docs-megabytes-of = { $done } of { $all } MB
# Finding documents by meaning. $far is nexi-docs-passages-of.
nexi-docs-meaning =
    .off = Documents are found by their words. To find them by meaning too: nexi docs fetch
    .not_fetched = The embedding model { $model } is not there yet. Download it: nexi docs fetch { $model }
    .fetching = The embedding model { $model } is being downloaded: { $far }.
    .failed = Documents are found by their words alone, because { $model } failed: { $why }
    .not_allowed = Documents are found by their words alone: none of your folders may be sent to { $model } yet. Decide: nexi docs embed
    .ready = Documents are also found by meaning, with { $model }: { $far } prepared.
    .incomplete = Documents are also found by meaning, with { $model }: { $far } prepared. Prepare the rest: nexi docs embed
    .building = Documents are being prepared for { $model }: { $far }.
    .on_battery = Preparing documents for { $model } waits for mains power: { $far }.
nexi-docs-not-sent =
    { $count ->
        [one] The text of { $count } folder is not sent to the service.
       *[other] The text of { $count } folders is not sent to the service.
    }
# Reading scanned pages. $far is nexi-docs-pages-of.
nexi-docs-scans =
    .off =
        { $pages ->
            [one] Your documents have { $pages } scanned page that can't be searched. To read them: nexi docs ocr
           *[other] Your documents have { $pages } scanned pages that can't be searched. To read them: nexi docs ocr
        }
    .none = Text recognition is on; there are no scanned pages.
    .ready = Scanned pages are read with Tesseract: { $far } read.
    .incomplete = Scanned pages are read with Tesseract: { $far } read. Read the rest: nexi docs ocr
    .running = Scanned pages are being read with Tesseract: { $far } read.
    .on_battery = Reading scanned pages waits for mains power: { $far } read.
    .not_installed =
        { $pages ->
            [one] { $pages } scanned page can't be read: { $programs } is not installed. On Debian and Ubuntu: sudo apt install tesseract-ocr poppler-utils
           *[other] { $pages } scanned pages can't be read: { $programs } is not installed. On Debian and Ubuntu: sudo apt install tesseract-ocr poppler-utils
        }
    .no_language =
        { $pages ->
            [one] { $pages } scanned page can't be read: Tesseract has no model for { $languages }. Installed are { $installed }
           *[other] { $pages } scanned pages can't be read: Tesseract has no model for { $languages }. Installed are { $installed }
        }
    .failed =
        { $pages ->
            [one] { $pages } scanned page can't be read: { $why }
           *[other] { $pages } scanned pages can't be read: { $why }
        }
nexi-docs-recognised =
    { $count ->
        [one] { $count } page read.
       *[other] { $count } pages read.
    }
nexi-docs-recognised-but =
    { $count ->
        [one] { $count } page read, { $failed ->
            [one] { $failed } page could not be.
           *[other] { $failed } pages could not be.
        }
       *[other] { $count } pages read, { $failed ->
            [one] { $failed } page could not be.
           *[other] { $failed } pages could not be.
        }
    }
nexi-docs-fetched = { $model } is there. Prepare your documents now with nexi docs embed, or leave it to the app.
nexi-docs-prepared =
    { $count ->
        [one] { $count } passage prepared.
       *[other] { $count } passages prepared.
    }
nexi-docs-allow-first = embeddings.remote_folders: { $model } is not on this computer, and the text of { $folders } would be sent to it. Say --yes to allow that
nexi-docs-cost = for about { $cost }
nexi-docs-cost-unknown = at a price that Nexi does not know
nexi-docs-size =
    { $passages ->
        [one] { $passages } passage, about { $tokens } tokens
       *[other] { $passages } passages, about { $tokens } tokens
    }
nexi-docs-send = Send the text of { $folder } to { $model } ({ $size }, { $cost })? What you ask about your documents is sent there too.
nexi-docs-gone = This folder does not exist, or may not be opened.
nexi-docs-indexed =
    { $files ->
        [one] { $files } file indexed, { $passages ->
            [one] { $passages } passage
           *[other] { $passages } passages
        }
       *[other] { $files } files indexed, { $passages ->
            [one] { $passages } passage
           *[other] { $passages } passages
        }
    }
nexi-docs-unread =
    { $count ->
        [one] { $count } file could not be read:
       *[other] { $count } files could not be read:
    }
nexi-docs-partly-read =
    { $count ->
        [one] { $count } file read in part:
       *[other] { $count } files read in part:
    }
nexi-docs-other-kinds =
    { $count ->
        [one] { $count } file of kinds that Nexi does not read: { $kinds }
       *[other] { $count } files of kinds that Nexi does not read: { $kinds }
    }
nexi-docs-others = others
nexi-docs-left-out = Left out: { $files }
nexi-docs-hidden = { $count } hidden
nexi-docs-ignored = { $count } ignored by .gitignore, .ignore or your patterns
