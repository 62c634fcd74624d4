nexi-hook-unknown = name: there is no hook "{ $name }"; nexi hook lists them
nexi-hook-removed = { $names } removed
nexi-hook-no-target = url: give the address of a webhook, or a program behind --, for example { $example }
nexi-hook-or = { $first }, or { $second }
nexi-hook-added = { $name } added: { $events }
nexi-hook-signed = requests are signed; to give the secret to the receiver: nexi hook secret { $name }
nexi-hook-try = to try it: nexi hook test { $name }
nexi-hook-on = { $name } is turned on
nexi-hook-off = { $name } is turned off; its deliveries wait for a week
nexi-hook-when =
    .answered = after each answer
    .failed = when there is no answer
    .changed = when the answer to a watched question changed
nexi-hook-none-yet =
    There are no hooks yet. To call a webhook after each answer: { $webhook }
    To run a program: { $program }
nexi-hook-turned-off = turned off
nexi-hook-nothing-yet = nothing delivered yet
nexi-hook-waiting =
    { $count ->
        [one] { $count } delivery waiting
       *[other] { $count } deliveries waiting
    }
nexi-hook-nothing-delivered = Nothing was delivered yet.
nexi-hook-test = test
nexi-hook-events =
    .answered = answered
    .failed = failed
    .changed = changed
nexi-hook-tries = { $count } tries
nexi-hook-still-waiting = waiting
nexi-hook-type-secret = The secret of { $name }, beginning with whsec_ (hidden):
nexi-hook-the-secret = the secret
nexi-hook-secret-stored = Secret stored.
nexi-hook-nothing-due = Nothing is due.
nexi-hook-nothing-due-yet =
    { $count ->
        [one] Nothing is due. Waiting for a later try: { $count } delivery.
       *[other] Nothing is due. Waiting for a later try: { $count } deliveries.
    }
nexi-hook-delivered = { $count } delivered
