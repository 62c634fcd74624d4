deep-phases =
    .planning = Plan wird erstellt
    .approving = Wartet auf Sie
    .researching = Recherche
    .evaluating = Gefundenes wird geprüft
    .synthesizing = Bericht wird geschrieben
deep-exploring = sucht weiter
deep-round-running = Runde { $round } von etwa { $target }
deep-rounds =
    { $count ->
        [one] { $count } Runde
       *[other] { $count } Runden
    }
deep-round-title = Runde { $round }
deep-researchers =
    { $count ->
        [one] { $count } Rechercheur
       *[other] { $count } Rechercheure
    }
deep-heard = hat Bericht { $reports } gelesen
deep-states =
    .running = Wartet
    .answered = Fertig
    .partial = Fertig, an einer Grenze
    .nothing_found = Nichts gefunden
    .cancelled = Angehalten
    .failed = Fehlgeschlagen
    .interrupted = Unterbrochen
deep-progress = Fortschritt der Recherche
deep-details = Aufgabe und Schritte
deep-report = Bericht
deep-finish = Jetzt abschließen
deep-finish-title = Den Bericht jetzt schreiben, mit dem, was gefunden wurde
deep-stop-one = Diesen Rechercheur anhalten. Was er gelesen hat, bleibt erhalten.
deep-plan = Der Plan
deep-plan-help = ändern Sie, was Sie möchten, und beginnen Sie dann.
deep-begin = Beginnen
deep-add-task = Aufgabe hinzufügen
deep-task-title = Kurzer Titel
deep-task-goal = Was herauszufinden ist
deep-no-task = Schreiben Sie bei mindestens einer Aufgabe, was herauszufinden ist.
deep-title-of = Titel von Aufgabe { $n }
deep-goal-of = Was in Aufgabe { $n } herauszufinden ist
deep-remove-task = Aufgabe { $n } entfernen
deep-save-report = Bericht speichern
deep-save-report-title = Den Bericht mit Quellen und Bewertungen als Datei speichern
deep-saved = Gespeichert als { $path }
deep-method = Wie recherchiert wurde
deep-open = Nicht geklärt
deep-contents = Inhalt
deep-fold-all = Alles einklappen
deep-unfold-all = Alles ausklappen
deep-searches =
    { $count ->
        [one] { $count } Suche
       *[other] { $count } Suchen
    }
deep-pages-read =
    { $count ->
        [one] { $count } Seite gelesen
       *[other] { $count } Seiten gelesen
    }
deep-unread = { $count } nicht lesbar
