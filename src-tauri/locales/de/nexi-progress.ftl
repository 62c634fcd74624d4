# Die Zeile, die sich bewegt, während eine Frage beantwortet wird, und was MCP-Clients erfahren.
nexi-progress-exploring = sucht weiter
nexi-progress-planning = plant
nexi-progress-percent = { $percent } %
nexi-progress-deep =
    { $researchers ->
        [one] { $far } · Runde { $round } · { $researchers } Rechercheur
       *[other] { $far } · Runde { $round } · { $researchers } Rechercheure
    }
nexi-progress-step = Schritt { $step }/{ $most }
nexi-progress-seconds = { $seconds } s
nexi-progress-summarising =
    { $count ->
        [one] fasst { $count } frühere Frage zusammen
       *[other] fasst { $count } frühere Fragen zusammen
    }
nexi-progress-indexing = nimmt Dokumente in den Index auf { $done }/{ $all }
nexi-progress-attached = liest, was angehängt ist
nexi-progress-thinking = denkt nach
nexi-progress-phases =
    .planning = macht einen Plan
    .approving = wartet auf Sie
    .researching = Runde { $round }
    .evaluating = reicht es?
    .synthesizing = schreibt den Bericht
nexi-progress-plan = der Plan: { $tasks }
nexi-progress-begins = { $researcher } beginnt: { $task }
nexi-progress-ended = { $researcher } ist fertig
nexi-progress-of-researcher = { $researcher } { $what }
nexi-progress-hears = { $to } erfährt von { $from }
nexi-progress-enough = es reicht
nexi-progress-another-round =
    { $count ->
        [one] noch eine Runde: { $count } Aufgabe
       *[other] noch eine Runde: { $count } Aufgaben
    }
nexi-progress-searching = sucht: { $queries }
nexi-progress-results =
    { $count ->
        [one] { $count } Ergebnis für { $query }
       *[other] { $count } Ergebnisse für { $query }
    }
nexi-progress-reading = liest { $site }
nexi-progress-read = hat { $title } gelesen
nexi-progress-unread = konnte { $site } nicht lesen: { $why }
nexi-progress-tool = { $tool } von { $server }
nexi-progress-using = benutzt { $tool }
nexi-progress-done-of = { $done } von { $all }
nexi-progress-some-tool = ein Werkzeug
nexi-progress-tool-failed = ein Werkzeug ist gescheitert: { $what }
nexi-progress-tool-returned = das Werkzeug hat geliefert
nexi-progress-form = { $server } fragt etwas
nexi-progress-not-sent = nicht ins Web gesendet, weil es Wörter aus Ihren Dokumenten oder früheren Antworten enthält: { $query }
nexi-progress-waiting = wartet auf Sie: { $tool }
nexi-progress-held-back = zurückgehalten
nexi-progress-held-back-what = zurückgehalten: { $what }
nexi-progress-let-through = durchgelassen
nexi-progress-writing = schreibt
nexi-progress-filling = Frühere Fragen und Antworten füllen { $percent } % des Platzes, den das Modell für sie hat. Um Platz zu schaffen: nexi history summarise
nexi-progress-compacting = fasst zusammen, um Platz zu schaffen
nexi-progress-extracting = nimmt { $site } auf
nexi-progress-checking =
    { $count ->
        [one] sieht sich { $count } Aussage noch einmal an
       *[other] sieht sich { $count } Aussagen noch einmal an
    }
nexi-progress-reasoning = überlegt
nexi-progress-tokens = { $count } Token
nexi-progress-context = Kontext { $used }/{ $most }
nexi-progress-pages =
    { $count ->
        [one] { $count } Seite
       *[other] { $count } Seiten
    }
nexi-progress-pages-read =
    { $count ->
        [one] { $count } Seite gelesen
       *[other] { $count } Seiten gelesen
    }
nexi-progress-compact =
    .step = [Schritt { $number }
    .round = [Runde { $number }
nexi-progress-error = Fehler: { $what }
