attach-help = Attach files, folders, past research or web pages
attach-attached = Attached
attach-suggestions = What to attach
attach-files = Files…
attach-folder = Folder…
attach-folder-note = The question is then asked of this folder only
attach-by-name = By name…
attach-by-name-note = Or type @ anywhere in your question
attach-none = Type a name: documents, folders, past questions, or a site such as example.org
attach-drop-here = Drop to attach
attach-too-many = At most { $most } things can be attached. Attach their folder instead.
attach-remove = Remove { $label }
attach-marks =
    .file = FILE
    .folder = DIR
    .text = TXT
    .address = WEB
    .thread = @
    .site = SITE
attach-given = Attached
# What is said of a suggestion.
attach-note-words =
    { $count ->
        [one] { $count } word
       *[other] { $count } words
    }
attach-note =
    .asked = asked on { $day }
    .page = read this page
    .site = search this site only
