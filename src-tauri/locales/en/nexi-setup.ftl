nexi-setup-needs-terminal = setup asks questions and needs a terminal; without one: nexi model add SERVICE < key.txt, nexi docs add FOLDER
nexi-setup-answers-now = Answering now: { $model }
nexi-setup-who = Who should answer?
nexi-setup-service = A model of a service: paste an API key
nexi-setup-local = A local model with Ollama ({ $state })
nexi-setup-built-in = The built-in researcher: no model, quotes from pages and documents
nexi-setup-as-it-is = Leave it as it is
nexi-setup-number = Number [3]:
nexi-setup-no-such-number = { $typed } is none of 1, 2 and 3
nexi-setup-not-connected = no model was connected; to try again: nexi model add
nexi-setup-folder = A folder with documents to search, such as ~/Documents (Enter for none):
nexi-setup-ready = Ready. Ask something: nexi ask "…", or nexi for a session. To change anything: nexi setup, nexi config edit
nexi-setup-ollama-empty = it runs here, without a model
nexi-setup-ollama-models =
    { $count ->
        [one] { $count } model here
       *[other] { $count } models here
    }
nexi-setup-no-ollama = it does not run here
nexi-setup-key-for-folder = That looks like an API key of { $service }, and not like a folder. To connect it, run: nexi model add
