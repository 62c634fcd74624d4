hooks-all = Webhooks and commands
hooks-none = There are none yet.
hooks-events =
    .answered = After each answer
    .failed = When there is no answer
    .changed = When the answer to a watched question changed
hooks-add = Add a webhook or command
hooks-add-help = A webhook gets the answer with its sources as JSON. A command reads the same from its standard input. That includes quotations from your documents, but never private threads.
hooks-name = Name
hooks-name-help = Lowercase letters, digits and hyphens.
hooks-target = Address or program
hooks-target-help = For example https://n8n.example.org/webhook/nexi, or notify-send Nexi "{ "{" }question{ "}" }"
hooks-when = Call it
hooks-signed = Sign requests
hooks-signed-help = Addresses only. The receiver can then check that requests come from this Nexi (Standard Webhooks).
hooks-submit = Add
hooks-added = Added
hooks-enabled = Call it
hooks-test = Send test
hooks-testing = Sending…
hooks-remove = Remove
hooks-remove-title = Remove this hook?
hooks-remove-help = This also deletes its secret and waiting deliveries.
hooks-copy-secret = Copy signing secret
hooks-secret-copied = Copied. Paste it where requests are received.
hooks-renew = New secret
hooks-renew-title = Make a new secret?
hooks-renew-help = Requests signed with the new secret are refused until you enter it at the receiver.
hooks-renewed = New secret made
hooks-never = Nothing delivered yet
hooks-delivered = Delivered
hooks-gone = The address is gone, so this was turned off.
hooks-failed = Not delivered: { $message }
hooks-again = Not delivered: { $message }. Next try: { $when }
hooks-waiting =
    { $count ->
        [one] { $count } delivery waiting
       *[other] { $count } deliveries waiting
    }
hooks-trouble = { $hook } was not called: { $why }
# Why a delivery failed.
hooks-why =
    .no-secret = its signing secret is missing; make one with nexi hook secret { $name } --new, and give it to the receiver
    .moved = it answered with { $status }, which leads to another address; enter that one instead
    .answered = it answered with { $status }
    .answered-saying = it answered with { $status }: { $said }
    .nexi-ended = Nexi ended each time while this program ran
