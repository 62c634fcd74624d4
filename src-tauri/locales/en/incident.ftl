incident-ways =
    .settings = Open Settings
    .other_model = Use another model
    .without_model = Answer without a model
    .retry = Try again
    .stop = Stop
incident-again = Trying again in { $seconds } s.
incident-the-model = The model
# What happened. $service is a name such as OpenAI, or incident-the-model; $status is the HTTP status and $amount
# the tokens of a window or of a reply, 0 where they are not known.
incident-what =
    .rate_limited = { $service } is asking for fewer requests.
    .own_limit = { $service } is limited to { $amount } requests a minute by your settings.
    .server_error =
        { $status ->
            [0] { $service } had a server error.
           *[other] { $service } had a server error ({ $status }).
        }
    .unreachable = { $service } could not be reached.
    .timed_out = { $service } took too long.
    .broken_reply = { $service }'s reply was cut off.
    .key_refused = { $service } refused the API key, or none is set.
    .no_balance = The account at { $service } has no balance left.
    .unknown_model = { $service } does not know this model.
    .wrong_address = { $service }'s base URL does not lead to an API.
    .rejected = { $service } did not accept the request.
    .context_full =
        { $amount ->
            [0] The conversation is longer than the context window of { $service }.
           *[other] The conversation is longer than the context window of { $service } ({ $amount } tokens).
        }
    .cut_off_thinking =
        { $amount ->
            [0] The model used its whole reply for thinking.
           *[other] The model used all { $amount } tokens of its reply for thinking.
        }
    .tools_in_text = { $service } has no tool calling; its tools are described in words.
    .turns_left_out =
        { $amount ->
            [one] The oldest turn of this thread does not fit the model's context window and is left out.
           *[other] The oldest { $amount } turns of this thread do not fit the model's context window and are left out.
        }
    .search_failed = Search with { $service } failed.
# What is done about it.
incident-action =
    .next_model = { $model } takes over.
    .shorten = The conversation was shortened. Trying again.
    .more_output = Trying again with more room.
    .without_model = The answer is put together from the sources, without the model.
incident-it-said = It said: { $words }
incident-reason = Reason: { $words }

