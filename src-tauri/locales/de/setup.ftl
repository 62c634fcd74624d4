setup-model-title = Ein Modell verbinden oder ohne beginnen
setup-model-text = Fügen Sie einen API-Schlüssel ein. Nexi findet heraus, zu welchem Dienst er gehört, und bewahrt ihn im Schlüsselbund Ihres Systems auf.
setup-paste = API-Schlüssel einfügen
setup-service = Dienst
setup-which = Dienst wählen…
setup-which-service = Für welchen Dienst ist dieser Schlüssel?
setup-other-address = Andere Adresse…
setup-works = { $label } funktioniert
setup-unchecked = { $label }, nicht getestet
setup-again = Noch einmal testen
setup-anyway = Trotzdem verwenden
setup-model = Modell
setup-find-model = { $count } Modelle durchsuchen
setup-free = kostenlos
setup-prices = Preis je Million Token, Eingabe und Ausgabe.
setup-local = Ein Modell auf diesem Computer verwenden
setup-choose = Wählen
setup-looking = Modelle auf diesem Computer werden gesucht…
setup-found-local =
    { $count ->
        [one] { $services }: { $count } Modell
       *[other] { $services }: { $count } Modelle
    }
setup-empty-local =
    { $count ->
        [one] { $services } läuft, hat aber noch keine Modelle
       *[other] { $services } laufen, haben aber noch keine Modelle
    }
setup-no-local = Nichts gefunden. Möglich sind { $services }.
setup-look-again = Noch einmal suchen
setup-other-program = Ein anderes Programm, über seine Adresse…
setup-without = Ohne Modell beginnen
setup-without-note = Zitiert Dokumente und das Web wörtlich; ohne KI
setup-start = Beginnen
setup-later = All das können Sie in den Einstellungen ändern.
setup-next = Die erste Frage stellen
setup-back = Zurück
setup-connected = Verbunden: { $model }
setup-question-title = Fragen Sie etwas
setup-question-text = Nexi durchsucht Ihre Dokumente und das Web. Sein englisches Handbuch bringt es mit; eine Frage zu Nexi funktioniert also sofort, am besten auf Englisch.
setup-finish = Fragen
setup-finish-empty = Nexi öffnen
setup-example = Was möchten Sie wissen?
setup-examples =
    .privacy = What leaves this computer when I ask a question?
    .documents = How do I add a folder of documents?
setup-window-title = Willkommen bei Nexi
