# Was mit einem Modell schiefging. Die Namen sind die von ModelError; $status ist der HTTP-Status, $window die Token eines
# Kontextfensters oder 0, und $time steht da, wo $waits wahr ist.
failures-model =
    .unauthorized = { $provider } hat den API-Schlüssel abgelehnt ({ $status }). Prüfen Sie den Schlüssel in den Einstellungen oder die Umgebungsvariable, aus der er kommt.
    .key_wanted = { $provider } braucht einen API-Schlüssel. Geben Sie ihn in den Einstellungen ein, oder speichern Sie ihn mit `nexi key set { $provider }`.
    .unusable_key = Der API-Schlüssel von { $provider } enthält ein Leerzeichen, einen Zeilenumbruch oder ein anderes Zeichen, das Schlüssel nie haben. Geben Sie ihn in den Einstellungen noch einmal ein, oder berichtigen Sie die Umgebungsvariable, aus der er kommt.
    .no_balance = Das Konto bei { $provider } hat kein Guthaben mehr. Laden Sie beim Dienst Guthaben auf, oder verwenden Sie ein anderes Modell.
    .not_found = { $provider } kennt { $what } nicht. Prüfen Sie die Kennung des Modells und die Basisadresse in den Einstellungen.
    .unknown_model = { $provider } hat kein Modell „{ $model }“. Wählen Sie in den Einstellungen ein anderes.
    .wrong_address = { $provider } hat nichts unter { $address }. Prüfen Sie die Basisadresse in den Einstellungen; die meisten enden auf /v1.
    .web_page = { $provider } hat mit einer Webseite geantwortet, nicht wie eine API. Prüfen Sie die Basisadresse in den Einstellungen.
    .rejected = { $provider } hat die Anfrage nicht angenommen ({ $status }): { $message }
    .context_full =
        { $window ->
            [0] Das Gespräch passt nicht mehr in das Kontextfenster von { $provider }. Stellen Sie eine kürzere Frage in einem neuen Gespräch, oder wählen Sie ein Modell mit größerem Fenster.
           *[other] Das Gespräch passt nicht mehr in das Kontextfenster von { $provider } ({ $window } Token). Stellen Sie eine kürzere Frage in einem neuen Gespräch, oder wählen Sie ein Modell mit größerem Fenster.
        }
    .rate_limited =
        { $waits ->
            [true] { $provider } begrenzt die Anfragen; in { $time } geht es weiter.
           *[other] { $provider } begrenzt die Anfragen.
        }
    .server = { $provider } hatte einen Serverfehler ({ $status }). Versuchen Sie es gleich noch einmal, oder verwenden Sie ein anderes Modell.
    .unreachable = { $provider } war nicht zu erreichen: { $message } Läuft der Dienst, und ist dieser Computer online?
    .tls = Die sichere Verbindung zu { $provider } ist gescheitert: { $message }
    .silent = { $provider } hat { $time } lang nichts gesendet. Erlauben Sie mit model_timeout in den Einstellungen mehr Zeit.
    .endless = { $provider } hat nach { $time } immer noch geschrieben. Erlauben Sie mit model_total_timeout in den Einstellungen mehr Zeit.
    .broken = Die Verbindung zu { $provider } ist mitten in einer Antwort abgerissen.
    .malformed = { $provider } hat eine Antwort gesendet, die nicht lesbar ist: { $message }
    .runaway = { $provider } hat weit mehr gesendet, als eine Antwort braucht; die Anfrage wurde abgebrochen: { $message }
    .no_key = Kein API-Schlüssel für { $provider }. Setzen Sie { $variable }, oder speichern Sie einen Schlüssel mit `nexi key set { $provider }` oder in den Einstellungen.
    .cancelled = Angehalten.
# Was an einer Antwort falsch ist, die nicht zu lesen ist oder abgebrochen wurde. Es folgt auf einen Doppelpunkt.
failures-reply =
    .empty = Sie ist leer.
    .not_json = Sie ist kein gültiges JSON.
    .event_not_json = Ein Ereignis ist kein gültiges JSON.
    .not_a_completion = Sie ist keine Chat-Antwort.
    .broke_reader = Nexi ist am Lesen gescheitert.
    .never_ends = Sie endet nicht.
    .large_event = Ein Ereignis ist größer als 1 MiB.
failures-time =
    .seconds = { $count } s
    .minutes =
        { $count ->
            [one] { $count } Minute
           *[other] { $count } Minuten
        }
    .hours =
        { $count ->
            [one] { $count } Stunde
           *[other] { $count } Stunden
        }
    .days = mehr als zwei Tagen
failures-check =
    .key_refused = Der Schlüssel wurde abgelehnt ({ $status }). Prüfen Sie, ob er vollständig ist und zu diesem Dienst gehört.
    .corpus =
        { $count ->
            [one] { $count } Dokument, das Sie sehen dürfen.
           *[other] { $count } Dokumente, die Sie sehen dürfen.
        }
    .answers = { $model } antwortet.
    .found =
        { $count ->
            [one] { $count } Ergebnis gefunden.
           *[other] { $count } Ergebnisse gefunden.
        }
    .slow = { $model } hat innerhalb von { $seconds } s nicht geantwortet. Wird es noch geladen?
