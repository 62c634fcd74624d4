nexi-setup-needs-terminal = setup asks questions and needs a terminal; without one: nexi model add SERVICE < key.txt, nexi docs add FOLDER
nexi-setup-answers-now = Answering now: { $model }
nexi-setup-who = Who should answer?
nexi-setup-service = A model of a service: paste an API key
nexi-setup-local = A local model ({ $state })
nexi-setup-built-in = The built-in researcher: no model, quotes from pages and documents
nexi-setup-as-it-is = Leave it as it is
nexi-setup-number = Number [3]:
nexi-setup-no-such-number = { $typed } is none of 1, 2 and 3
nexi-setup-not-connected = no model was connected; to try again: nexi model add
nexi-setup-folder = A folder with documents to search, such as ~/Documents (Enter for none):
nexi-setup-ready = Ready. Ask something: nexi ask "…", or nexi for a session. To change anything: nexi setup, nexi config edit
nexi-setup-local-models =
    { $count ->
        [one] { $service }: { $count } model
       *[other] { $service }: { $count } models
    }
nexi-setup-no-local = none is running
nexi-setup-start-local = No program with models is running here. Nexi looks for { $services }: start one and choose 2 again, or name its address with: nexi model add --base-url ADDRESS
nexi-setup-which-local = Which one?
nexi-setup-no-local-number = { $typed } is none of 1 to { $count }
nexi-setup-local-number = Number [1]:
nexi-setup-key-for-folder = That looks like an API key of { $service }, and not like a folder. To connect it, run: nexi model add
