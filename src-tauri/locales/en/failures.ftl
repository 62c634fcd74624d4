# What went wrong with a model. The names are those of ModelError; $status is the HTTP status, $window the tokens of a
# context window or 0, and $time stands where $waits is true.
failures-model =
    .unauthorized = { $provider } refused the API key ({ $status }). Check the key in Settings, or the environment variable it comes from.
    .key_wanted = { $provider } needs an API key. Enter it in Settings, or store it with `nexi key set { $provider }`.
    .unusable_key = The API key of { $provider } contains a space, a line break or another character that keys never have. Enter it again in Settings, or correct the environment variable it comes from.
    .no_balance = The account at { $provider } has no balance left. Add credit at the service, or use another model.
    .not_found = { $provider } does not know { $what }. Check the model ID and the base URL in Settings.
    .unknown_model = { $provider } has no model "{ $model }". Choose another model ID in Settings.
    .wrong_address = { $provider } has nothing at { $address }. Check the base URL in Settings; most end in /v1.
    .web_page = { $provider } answered with a web page, not with an API reply. Check the base URL in Settings.
    .rejected = { $provider } did not accept the request ({ $status }): { $message }
    .context_full =
        { $window ->
            [0] The conversation no longer fits the context window of { $provider }. Ask a shorter question in a new thread, or choose a model with a larger window.
           *[other] The conversation no longer fits the context window of { $provider } ({ $window } tokens). Ask a shorter question in a new thread, or choose a model with a larger window.
        }
    .rate_limited =
        { $waits ->
            [true] { $provider } is rate limiting requests; try again in { $time }.
           *[other] { $provider } is rate limiting requests.
        }
    .server = { $provider } had a server error ({ $status }). Try again in a moment, or use another model.
    .unreachable = { $provider } could not be reached: { $message } Is it running, and is this computer online?
    .tls = The secure connection to { $provider } failed: { $message }
    .silent = { $provider } sent nothing for { $time }. Allow more time with model_timeout in Settings.
    .endless = { $provider } was still writing after { $time }. Allow more time with model_total_timeout in Settings.
    .broken = The connection to { $provider } broke in the middle of a reply.
    .malformed = { $provider } sent a reply that cannot be read: { $message }
    .runaway = { $provider } sent far more than an answer needs, so the request was stopped: { $message }
    .no_key = No API key for { $provider }. Set { $variable }, or store a key with `nexi key set { $provider }` or in Settings.
    .cancelled = Stopped.
# What is wrong with a reply that cannot be read, or that was cut off. It follows a colon.
failures-reply =
    .empty = it is empty.
    .not_json = it is not valid JSON.
    .event_not_json = an event is not valid JSON.
    .not_a_completion = it is not a chat completion.
    .broke_reader = Nexi failed to read it.
    .never_ends = it never ends.
    .large_event = an event is larger than 1 MiB.
failures-time =
    .seconds = { $count } s
    .minutes =
        { $count ->
            [one] { $count } minute
           *[other] { $count } minutes
        }
    .hours =
        { $count ->
            [one] { $count } hour
           *[other] { $count } hours
        }
    .days = more than two days
failures-check =
    .key_refused = The key was refused ({ $status }). Check that it is complete, and that it belongs to this service.
    .corpus =
        { $count ->
            [one] It holds { $count } document that you may see.
           *[other] It holds { $count } documents that you may see.
        }
    .answers = { $model } answers.
    .found =
        { $count ->
            [one] It found { $count } result.
           *[other] It found { $count } results.
        }
    .slow = { $model } did not answer within { $seconds } s. Is it still being loaded?
