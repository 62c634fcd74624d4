nexi-memory-changed = geändert
nexi-memory-removed =
    { $count ->
        [one] { $count } Erinnerung entfernt
       *[other] { $count } Erinnerungen entfernt
    }
nexi-memory-kept =
    { $count ->
        [one] { $count } Erinnerung gespeichert
       *[other] { $count } Erinnerungen gespeichert
    }
nexi-memory-known =
    { $count ->
        [one] { $count } Erinnerung gab es schon; sie trägt jetzt das heutige Datum
       *[other] { $count } Erinnerungen gab es schon; sie tragen jetzt das heutige Datum
    }
nexi-memory-none-yet = Noch gibt es keine Erinnerungen. Um eine hinzuzufügen: nexi memory add "Ich arbeite mit PostgreSQL 16"
nexi-memory-in = (in { $space })
nexi-memory-no-text = text: Schreiben Sie, was sich Nexi merken soll, etwa nexi memory add "Ich arbeite mit PostgreSQL 16"
nexi-memory-the-list = die Liste der Erinnerungen
nexi-memory-ambiguous = id: „{ $id }“ ist Anfang oder Ende von mehreren; geben Sie mehr davon an
nexi-memory-unknown = id: Keine Erinnerung beginnt oder endet mit „{ $id }“; nexi memory listet sie auf
