incident-ways =
    .settings = Einstellungen öffnen
    .other_model = Anderes Modell verwenden
    .without_model = Ohne Modell antworten
    .retry = Noch einmal versuchen
    .stop = Anhalten
incident-again = Neuer Versuch in { $seconds } s.
incident-the-model = Das Modell
# Was geschehen ist.
incident-what =
    .rate_limited = { $service } verlangt weniger Anfragen.
    .own_limit = { $service } ist durch Ihre Einstellungen auf { $amount } Anfragen je Minute begrenzt.
    .server_error =
        { $status ->
            [0] { $service } hatte einen Serverfehler.
           *[other] { $service } hatte einen Serverfehler ({ $status }).
        }
    .unreachable = { $service } war nicht zu erreichen.
    .timed_out = { $service } hat zu lange gebraucht.
    .broken_reply = Die Antwort von { $service } ist abgebrochen.
    .key_refused = { $service } hat den API-Schlüssel abgelehnt, oder es ist keiner hinterlegt.
    .no_balance = Das Konto bei { $service } hat kein Guthaben mehr.
    .unknown_model = { $service } kennt dieses Modell nicht.
    .wrong_address = Die Basisadresse von { $service } führt zu keiner API.
    .rejected = { $service } hat die Anfrage nicht angenommen.
    .context_full =
        { $amount ->
            [0] Das Gespräch ist länger als das Kontextfenster von { $service }.
           *[other] Das Gespräch ist länger als das Kontextfenster von { $service } ({ $amount } Token).
        }
    .cut_off_thinking =
        { $amount ->
            [0] Das Modell hat seine ganze Antwort für das Nachdenken verbraucht.
           *[other] Das Modell hat alle { $amount } Token seiner Antwort für das Nachdenken verbraucht.
        }
    .tools_in_text = { $service } kennt keine Werkzeugaufrufe; seine Werkzeuge werden in Worten beschrieben.
    .turns_left_out =
        { $amount ->
            [one] Die älteste Frage dieses Gesprächs passt nicht in das Kontextfenster des Modells und wird ausgelassen.
           *[other] Die ältesten { $amount } Fragen dieses Gesprächs passen nicht in das Kontextfenster des Modells und werden ausgelassen.
        }
    .search_failed = Die Suche mit { $service } ist fehlgeschlagen.
# Was dagegen getan wird.
incident-action =
    .next_model = { $model } übernimmt.
    .shorten = Das Gespräch wurde gekürzt. Neuer Versuch.
    .more_output = Neuer Versuch mit mehr Platz.
    .without_model = Die Antwort wird ohne das Modell aus den Quellen zusammengestellt.
incident-it-said = Die Meldung lautet: { $words }
incident-reason = Grund: { $words }

