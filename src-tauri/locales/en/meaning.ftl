meaning-title = Find by meaning
meaning-help = Also finds passages that say the same in other words. The models run on this computer; a service can be used instead.
meaning-off = Off: find by words only
meaning-service = A service, such as Ollama
meaning-service-label = Service and model
# $size is a text such as 90 MB.
meaning-known =
    { $multilingual ->
        [true] { $name } (any language, { $size })
       *[other] { $name } (English, { $size })
    }
meaning-own = On this computer: { $path }
meaning-not-fetched = This model has not been downloaded yet.
meaning-not-there = There is no model at this place. It needs config.json, tokenizer.json and model.safetensors.
meaning-fetch = Download ({ $size })
meaning-fetching = { $done } of { $total } downloaded
meaning-stop = Stop
meaning-again = Try again
meaning-far =
    { $passages ->
        [one] { $vectors } of { $passages } passage
       *[other] { $vectors } of { $passages } passages
    }
meaning-building = Preparing your documents: { $far }. You can keep working.
meaning-on-battery = Waiting for mains power: { $far } prepared.
meaning-incomplete = { $far } prepared.
meaning-ready = Ready: { $far } prepared.
meaning-ready-for-all = Ready.
meaning-remote = { $model } is not on this computer. The text of the folders you switch on here, and your questions about them, are sent to it.
meaning-send = Send the text of { $folder }
meaning-size =
    { $passages ->
        [one] { $passages } passage, about { $tokens } tokens
       *[other] { $passages } passages, about { $tokens } tokens
    }
meaning-cost = about { $cost }
