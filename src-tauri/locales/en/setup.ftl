setup-model-title = Connect a model, or start without one
setup-model-text = Paste an API key. Nexi finds out which service it belongs to and keeps it in your system's keyring.
setup-paste = Paste an API key
setup-service = Service
setup-which = Choose the service…
setup-which-service = Which service is this key for?
setup-other-address = Another address…
setup-works = { $label } works
setup-unchecked = { $label }, not tested
setup-again = Test again
setup-anyway = Use it anyway
setup-model = Model
setup-find-model = Search { $count } models
setup-free = free
setup-prices = Price per million tokens, in and out.
setup-local = Use a model on this computer
setup-choose = Choose
setup-looking = Looking for models on this computer…
setup-found-local =
    { $count ->
        [one] { $services }: { $count } model
       *[other] { $services }: { $count } models
    }
setup-empty-local =
    { $count ->
        [one] { $services } is running but has no models yet
       *[other] { $services } are running but have no models yet
    }
setup-no-local = Nothing found. Works with { $services }.
setup-look-again = Look again
setup-other-program = Another program, by its address…
setup-without = Start without a model
setup-without-note = Quotes documents and the web word for word; no AI
setup-start = Start
setup-later = You can change all of this in Settings.
setup-next = Ask the first question
setup-back = Back
setup-connected = Connected: { $model }
setup-question-title = Ask something
setup-question-text = Nexi searches your documents and the web. It comes with its handbook, so a question about Nexi works right away.
setup-finish = Ask
setup-finish-empty = Open Nexi
setup-example = What do you want to know?
setup-examples =
    .privacy = What leaves this computer when I ask a question?
    .documents = How do I add a folder of documents?
setup-window-title = Welcome to Nexi
