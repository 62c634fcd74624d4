nexi-tools-not-started = Nothing was started.
nexi-tools-to-approve = to approve: nexi tools approve { $name }
nexi-tools-allowed = Nexi no longer asks before calls of { $tool }, unless they contain private text.
nexi-tools-asked = Nexi asks before each call of { $tool }.
nexi-tools-none-approved-named = tool: { $server } has no approved tool named "{ $tool }"; nexi tools lists them
nexi-tools-revoked = { $tool } from { $server } is no longer approved.
nexi-tools-signed-out = Signed out of { $name }.
nexi-tools-was-signed-out = You were not signed in to { $name }.
nexi-tools-removed = { $name } removed
nexi-tools-command = your command { $name }
nexi-tools-tool = { $tool } from { $server }
nexi-tools-none-yet =
    There are no tools yet. To add a server: nexi tools add files -- npx -y @modelcontextprotocol/server-filesystem ~/Documents
    To import those of another program: nexi tools import
nexi-tools-server-states =
    .off = turned off
    .changed = changed since approval; approve it again
    .none-approved = no tools approved
    .on = on
nexi-tools-reads = reads
nexi-tools-may-change = may change things
nexi-tools-always = always allowed
nexi-tools-no-program = command: put the program after --, for example nexi tools add files -- npx -y SERVER, or give --url
nexi-tools-bad-variable = env: "{ $pair }" must look like NAME=VALUE
nexi-tools-store-value = store the value of { $variable }: nexi tools secret { $name } { $variable }
nexi-tools-added = { $name } added.
nexi-tools-added-unapproved = { $name } added. To approve its tools: nexi tools approve { $name }
nexi-tools-not-listed = { $name } was added, but its tools could not be listed yet; when they can: nexi tools approve { $name }
nexi-tools-session-keys = keys: the settings keep keys for one session only, so the sign-in would end with this command; keep keys in the keyring (nexi config unset keys) or in a file with a passphrase (nexi config set keys file)
nexi-tools-sign-in = To sign in to { $name } at { $host }, open this address in your browser:
nexi-tools-no-browser = no browser could be started here
nexi-tools-waiting = waiting for the browser… If it is on another computer, paste the address it ends up at here, and press Enter. (Ctrl+C cancels)
nexi-tools-cancelled = The sign-in was cancelled.
nexi-tools-signed-in = Signed in to { $name }.
nexi-tools-to-see = to see its tools: { $command }
nexi-tools-approve-say-yes = yes: without a terminal, add --yes to approve the tools
nexi-tools-not-started-yet = Nothing was started. To approve its tools later: nexi tools approve { $name }. To remove it: nexi tools remove { $name }
nexi-tools-not-offered = tools: { $name } offers no tool named "{ $tool }"; nexi tools test { $name } lists what it offers
nexi-tools-none-offered = { $name } offers no tools.
nexi-tools-approve =
    { $count ->
        [one] Approve { $count } tool? Nexi still asks before every call.
       *[other] Approve { $count } tools? Nexi still asks before every call.
    }
nexi-tools-none-approved = No tool was approved.
nexi-tools-approved =
    { $count ->
        [one] { $count } tool approved
       *[other] { $count } tools approved
    }
nexi-tools-too-many = { $count } tools are approved, and models are offered { $most } at most; revoke those you do not need
nexi-tools-will-connect = Nexi will connect to this address:
nexi-tools-will-run = Nexi will run this program:
nexi-tools-continue = Continue?
nexi-tools-you-approved = you approved: { $launch }
nexi-tools-states =
    .new = new
    .approved = approved
    .changed = changed since it was approved
    .gone = no longer offered
nexi-tools-no-description = (no description)
nexi-tools-arguments = arguments: { $schema }
nexi-tools-secret-removed = Secret removed.
nexi-tools-secret-stored = Secret stored.
nexi-tools-key-of = the key for { $name }
nexi-tools-value-of = the value of { $variable } for { $name }
nexi-tools-hidden = { $what } (hidden):
nexi-tools-none-found = No tool servers found in Claude Desktop, Cursor or VS Code.
nexi-tools-not-found = names: no server named "{ $name }" was found in Claude Desktop, Cursor or VS Code
nexi-tools-found = { $name } ({ $program }): { $launch }
nexi-tools-import = Import it?
nexi-tools-already-added = already added
nexi-tools-name-in-use = its name is already in use; rename or remove that server first
nexi-tools-approve-imported = to approve their tools: nexi tools approve NAME
nexi-tools-to-import = to import some: nexi tools import NAME…
nexi-tools-unknown = name: there is no tool server "{ $name }"; known servers: { $known }
nexi-tools-unknown-none = name: there is no tool server "{ $name }"; add one with nexi tools add
