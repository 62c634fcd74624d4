watched-watch = Diese Frage beobachten…
watched-watch-note = Stellt die Frage von selbst immer wieder und sagt Ihnen, wenn sich die Antwort ändert
watched-title = Eine Frage beobachten
watched-question = Frage
watched-stands-alone = Schreiben Sie sie so, dass sie ohne den Rest des Gesprächs verständlich ist.
watched-every = Wie oft
watched-time = Um
watched-start = Beobachten
watched-started = Wird beobachtet. Sie erfahren es, wenn sich die Antwort ändert.
watched-without-limit = Ohne Kostengrenze beobachten
watched-stop = Nicht mehr beobachten
watched-stopped = Nicht mehr beobachtet
watched-sign = Beobachtet
watched-schedule =
    .form = muss Stunden, Tage oder Wochen sein, etwa 6h, 1d, 2w oder 1d at 08:00, und nicht „{ $text }“
    .range = muss mindestens eine Stunde und höchstens ein Jahr sein
    .time_of_day = eine Uhrzeit verlangt ganze Tage oder Wochen, etwa 1d at 08:00
watched-schedules =
    .hours6 = Alle 6 Stunden
    .day = Jeden Tag
    .week = Jede Woche
    .weeks4 = Alle 4 Wochen
watched-pace =
    .hours =
        { $count ->
            [1] Jede Stunde
           *[other] Alle { $count } Stunden
        }
    .days =
        { $count ->
            [1] Jeden Tag
           *[other] Alle { $count } Tage
        }
    .weeks =
        { $count ->
            [1] Jede Woche
           *[other] Alle { $count } Wochen
        }
    .at = { $pace } um { $time } Uhr
watched-changed-since = Geändert seit { $day }
watched-before = Vorher:
watched-changed = Die Antwort hat sich geändert: { $question }
watched-changed-more =
    { $others ->
        [one] Die Antwort hat sich geändert: { $question } (und { $others } weitere Antwort)
       *[other] Die Antwort hat sich geändert: { $question } (und { $others } weitere Antworten)
    }
watched-show = Zeigen
watched-all = Beobachtete Fragen
watched-none = Noch wird keine Frage beobachtet. Um eine zu beobachten, wählen Sie „Diese Frage beobachten…“ im Menü unter ihrer Antwort.
watched-pause = Aussetzen
watched-resume = Fortsetzen
watched-paused = Ausgesetzt
watched-check = Jetzt prüfen
watched-checking = Wird geprüft…
watched-remove = Nicht mehr beobachten
watched-feed = Feed
watched-feed-help = Alle Änderungen als Atom-Datei für Feedreader. nexi watch feed --out DATEI schreibt sie neu, zum Beispiel jede Stunde.
watched-save-feed = Feed speichern
watched-feed-saved = Gespeichert als { $path }
watched-last =
    .never = Noch nicht geprüft
    .first = { $when }: erste Antwort
    .unchanged = { $when }: nichts Neues
    .changed =
        { $count ->
            [one] { $when }: { $count } Aussage geändert
           *[other] { $when }: { $count } Aussagen geändert
        }
    .failed = { $when }: konnte nicht geprüft werden. { $message }
watched-checks =
    { $count ->
        [one] { $count } Prüfung
       *[other] { $count } Prüfungen
    }
watched-changes =
    { $count ->
        [one] { $count } Änderung
       *[other] { $count } Änderungen
    }
watched-next = Nächste Prüfung: { $when }
# Why a check failed.
watched-failed =
    .month = Beobachtete Fragen haben in diesem Monat { $spent } gekostet, und die Grenze (watched.max_cost_month) ist { $limit }.
    .no-answer = Die Prüfung endete ohne Antwort.
    .no-model = Das Modell war nicht zu erreichen; die Zitate des eingebauten Rechercheurs lassen sich nicht mit seinen Antworten vergleichen.
# The feed that other programs read.
watched-atom =
    .title = Nexi: beobachtete Fragen
    .before = vorher: { $statement }
