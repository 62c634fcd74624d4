nexi-corpus-password = Passwort von { $user }:
nexi-corpus-created = Das Korpus ist da. Wer darin suchen darf, ist Mitglied von nexi_reader, wer es füllt, von nexi_writer.
nexi-corpus-queued =
    { $count ->
        [one] { $count } Datei eingereiht
       *[other] { $count } Dateien eingereiht
    }
nexi-corpus-counts =
    .read = { $count } gelesen
    .unchanged = { $count } unverändert
    .unreadable = { $count } nicht lesbar
    .failed = { $count } vorerst fehlgeschlagen
    .absent = { $count } nicht auf diesem Computer
nexi-corpus-see-status = nexi corpus status sagt, was nicht zu lesen war, und warum. Was vorerst fehlschlug, versucht das nächste nexi corpus index noch einmal.
nexi-corpus-size = { $documents } Dokumente, { $passages } Abschnitte, { $megabytes } MB
nexi-corpus-group = für { $role }: { $count }
nexi-corpus-everybody = für alle, die lesen dürfen: { $count }
nexi-corpus-queue = Warteschlange: { $waiting } warten, { $taken } werden gelesen, { $failed } fehlgeschlagen
nexi-corpus-workers-died = jeder Prozess, der sie gelesen hat, endete vor der Zeit
nexi-corpus-unknown-reason = eine neuere Version von Nexi hat den Grund vermerkt
nexi-corpus-nothing = Nichts gefunden.
nexi-corpus-forgotten =
    { $count ->
        [one] { $count } Dokument entfernt, dessen Datei nicht mehr da ist
       *[other] { $count } Dokumente entfernt, deren Dateien nicht mehr da sind
    }
nexi-corpus-renewed = Es gab schon ein Korpus; es ist jetzt auf dem neuesten Stand.
nexi-corpus-say-yes = yes: Ohne Terminal ergänzen Sie --yes, um Dokumente zu entfernen
nexi-corpus-remove =
    { $count ->
        [one] Entfernen, was das Korpus von diesem Pfad hat, für alle und für jede Gruppe? Die Dateien selbst bleiben.
       *[other] Entfernen, was das Korpus von diesen { $count } Pfaden hat, für alle und für jede Gruppe? Die Dateien selbst bleiben.
    }
nexi-corpus-remove-group = Die Gruppe von { $role } mit allen ihren Dokumenten entfernen? Die Dateien selbst bleiben.
nexi-corpus-removed =
    { $count ->
        [one] { $count } Dokument entfernt
       *[other] { $count } Dokumente entfernt
    }
nexi-corpus-remove-from-group = Entfernen, was die Gruppe von { $role } von diesen Pfaden hat? Die Dateien selbst bleiben.
nexi-corpus-absent = Was nicht auf diesem Computer ist, wartet auf nexi corpus index auf einem, der es hat.
nexi-corpus-kept =
    { $count ->
        [one] { $count } Dokument dieser Ordner bleibt, obwohl seine Datei hier nicht da ist. Ist sie endgültig weg, entfernen Sie es mit nexi corpus remove.
       *[other] { $count } Dokumente dieser Ordner bleiben, obwohl ihre Dateien hier nicht da sind: So viele sind vielleicht nur nicht erreichbar. Sind sie endgültig weg, entfernen Sie sie mit nexi corpus remove.
    }
