nexi-hook-unknown = name: Es gibt keinen Hook „{ $name }“; nexi hook listet sie auf
nexi-hook-removed = { $names } entfernt
nexi-hook-no-target = url: Nennen Sie die Adresse eines Webhooks oder hinter -- ein Programm, zum Beispiel { $example }
nexi-hook-or = { $first } oder { $second }
nexi-hook-added = { $name } hinzugefügt: { $events }
nexi-hook-signed = Anfragen werden signiert; um dem Empfänger das Geheimnis zu geben: nexi hook secret { $name }
nexi-hook-try = um ihn auszuprobieren: nexi hook test { $name }
nexi-hook-on = { $name } ist eingeschaltet
nexi-hook-off = { $name } ist ausgeschaltet; seine Zustellungen warten eine Woche
nexi-hook-when =
    .answered = nach jeder Antwort
    .failed = wenn es keine Antwort gibt
    .changed = wenn sich die Antwort auf eine beobachtete Frage geändert hat
nexi-hook-none-yet =
    Es gibt noch keine Hooks. Um nach jeder Antwort einen Webhook aufzurufen: { $webhook }
    Um ein Programm zu starten: { $program }
nexi-hook-turned-off = ausgeschaltet
nexi-hook-nothing-yet = noch nichts zugestellt
nexi-hook-waiting =
    { $count ->
        [one] { $count } Zustellung wartet
       *[other] { $count } Zustellungen warten
    }
nexi-hook-nothing-delivered = Es wurde noch nichts zugestellt.
nexi-hook-test = Test
nexi-hook-events =
    .answered = beantwortet
    .failed = fehlgeschlagen
    .changed = geändert
nexi-hook-tries = { $count } Versuche
nexi-hook-still-waiting = wartet
nexi-hook-type-secret = Das Geheimnis von { $name }, beginnend mit whsec_ (verdeckt):
nexi-hook-the-secret = das Geheimnis
nexi-hook-secret-stored = Geheimnis gespeichert.
nexi-hook-nothing-due = Nichts ist fällig.
nexi-hook-nothing-due-yet =
    { $count ->
        [one] Nichts ist fällig. Auf einen späteren Versuch wartet { $count } Zustellung.
       *[other] Nichts ist fällig. Auf einen späteren Versuch warten { $count } Zustellungen.
    }
nexi-hook-delivered = { $count } zugestellt
