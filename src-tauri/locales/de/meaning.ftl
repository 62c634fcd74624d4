meaning-title = Nach Bedeutung suchen
meaning-help = Findet auch Stellen, die dasselbe mit anderen Worten sagen. Die Modelle laufen auf diesem Computer; stattdessen kann ein Dienst verwendet werden.
meaning-off = Aus: nur nach Wörtern suchen
meaning-service = Ein Dienst, etwa Ollama
meaning-service-label = Dienst und Modell
# $size ist ein Text wie 90 MB.
meaning-known =
    { $multilingual ->
        [true] { $name } (jede Sprache, { $size })
       *[other] { $name } (Englisch, { $size })
    }
meaning-own = Auf diesem Computer: { $path }
meaning-not-fetched = Dieses Modell wurde noch nicht heruntergeladen.
meaning-not-there = An dieser Stelle ist kein Modell. Gebraucht werden config.json, tokenizer.json und model.safetensors.
meaning-fetch = Herunterladen ({ $size })
meaning-fetching = { $done } von { $total } heruntergeladen
meaning-stop = Anhalten
meaning-again = Noch einmal versuchen
meaning-far =
    { $passages ->
        [one] { $vectors } von { $passages } Stelle
       *[other] { $vectors } von { $passages } Stellen
    }
meaning-building = Ihre Dokumente werden vorbereitet: { $far }. Sie können weiterarbeiten.
meaning-on-battery = Wartet auf Netzstrom: { $far } vorbereitet.
meaning-incomplete = { $far } vorbereitet.
meaning-ready = Bereit: { $far } vorbereitet.
meaning-ready-for-all = Bereit.
meaning-remote = { $model } ist nicht auf diesem Computer. Der Text der Ordner, die Sie hier einschalten, und Ihre Fragen dazu werden dorthin gesendet.
meaning-send = Den Text von { $folder } senden
meaning-size =
    { $passages ->
        [one] { $passages } Stelle, etwa { $tokens } Token
       *[other] { $passages } Stellen, etwa { $tokens } Token
    }
meaning-cost = etwa { $cost }
