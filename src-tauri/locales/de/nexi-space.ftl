nexi-space-created = { $name } angelegt. Darin fragen Sie mit { $command }
nexi-space-changed = { $name } geändert
nexi-space-moved =
    { $count ->
        [one] { $count } Gespräch nach { $space } verschoben
       *[other] { $count } Gespräche nach { $space } verschoben
    }
nexi-space-moved-out =
    { $count ->
        [one] { $count } Gespräch nicht mehr in einem Bereich
       *[other] { $count } Gespräche nicht mehr in einem Bereich
    }
nexi-space-say-yes = yes: Ohne Terminal ergänzen Sie --yes, um den Bereich zu entfernen
nexi-space-remove =
    { $count ->
        [one] { $name } mit seinen Erinnerungen entfernen? Sein { $count } Gespräch bleibt in der Bibliothek.
       *[other] { $name } mit seinen Erinnerungen entfernen? Seine { $count } Gespräche bleiben in der Bibliothek.
    }
nexi-space-removed = { $name } entfernt
nexi-space-the-instructions = die Anweisungen
nexi-space-unknown = space: Es gibt keinen Bereich namens „{ $name }“; vorhanden: { $known }
nexi-space-unknown-none = space: Es gibt keinen Bereich namens „{ $name }“; legen Sie mit nexi space add einen an
nexi-space-none-yet = Noch keine Bereiche. Einen anlegen: nexi space add Haus --docs ~/Dokumente/haus --instructions "Preise in Euro."
nexi-space-threads =
    { $count ->
        [one] { $count } Gespräch
       *[other] { $count } Gespräche
    }
nexi-space-documents = Dokumente: { $folders }
nexi-space-usual-documents = Dokumente: die der Einstellungen
nexi-space-model = Modell: { $model }
nexi-space-usual-model = Modell: das der Einstellungen
nexi-space-instructions = Anweisungen:
nexi-space-memory = Erinnerung { $id }: { $text }
nexi-space-thread = Gespräch { $id }: { $title }, { $when }
