hooks-all = Webhooks und Befehle
hooks-none = Noch keine.
hooks-events =
    .answered = Nach jeder Antwort
    .failed = Wenn es keine Antwort gibt
    .changed = Wenn sich die Antwort auf eine beobachtete Frage geändert hat
hooks-add = Webhook oder Befehl hinzufügen
hooks-add-help = Ein Webhook erhält die Antwort mit ihren Quellen als JSON. Ein Befehl liest dasselbe von seiner Standardeingabe. Dazu gehören Zitate aus Ihren Dokumenten, aber nie private Gespräche.
hooks-name = Name
hooks-name-help = Kleinbuchstaben, Ziffern und Bindestriche.
hooks-target = Adresse oder Programm
hooks-target-help = Zum Beispiel https://n8n.example.org/webhook/nexi oder notify-send Nexi "{ "{" }question{ "}" }"
hooks-when = Aufrufen
hooks-signed = Anfragen signieren
hooks-signed-help = Nur bei Adressen. Der Empfänger kann dann prüfen, dass Anfragen von diesem Nexi kommen (Standard Webhooks).
hooks-submit = Hinzufügen
hooks-added = Hinzugefügt
hooks-enabled = Aufrufen
hooks-test = Test senden
hooks-testing = Wird gesendet…
hooks-remove = Entfernen
hooks-remove-title = Diesen Hook entfernen?
hooks-remove-help = Damit werden auch sein Geheimnis und wartende Zustellungen gelöscht.
hooks-copy-secret = Signaturgeheimnis kopieren
hooks-secret-copied = Kopiert. Fügen Sie es dort ein, wo die Anfragen ankommen.
hooks-renew = Neues Geheimnis
hooks-renew-title = Neues Geheimnis erzeugen?
hooks-renew-help = Anfragen, die mit dem neuen Geheimnis signiert sind, werden abgewiesen, bis Sie es beim Empfänger eintragen.
hooks-renewed = Neues Geheimnis erzeugt
hooks-never = Noch nichts zugestellt
hooks-delivered = Zugestellt
hooks-gone = Die Adresse gibt es nicht mehr, daher wurde dies ausgeschaltet.
hooks-failed = Nicht zugestellt: { $message }
hooks-again = Nicht zugestellt: { $message }. Nächster Versuch: { $when }
hooks-waiting =
    { $count ->
        [one] { $count } Zustellung wartet
       *[other] { $count } Zustellungen warten
    }
hooks-trouble = { $hook } wurde nicht aufgerufen: { $why }
# Why a delivery failed.
hooks-why =
    .no-secret = das Geheimnis zum Unterschreiben fehlt; erzeugen Sie eines mit nexi hook secret { $name } --new, und geben Sie es dem Empfänger
    .moved = die Antwort war { $status } und führt zu einer anderen Adresse; tragen Sie diese ein
    .answered = die Antwort war { $status }
    .answered-saying = die Antwort war { $status }: { $said }
    .nexi-ended = Nexi wurde jedes Mal beendet, während dieses Programm lief
