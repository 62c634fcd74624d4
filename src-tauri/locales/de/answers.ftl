# Was um eine Antwort herum steht: auf dem Terminal, in Exporten und für MCP-Clients.
answers-newest =
    .today = Neueste Quelle: { $day }, heute.
    .days =
        { $count ->
            [one] Neueste Quelle: { $day }, { $count } Tag alt.
           *[other] Neueste Quelle: { $day }, { $count } Tage alt.
        }
    .months =
        { $count ->
            [one] Neueste Quelle: { $day }, { $count } Monat alt.
           *[other] Neueste Quelle: { $day }, { $count } Monate alt.
        }
    .years =
        { $count ->
            [one] Neueste Quelle: { $day }, { $count } Jahr alt.
           *[other] Neueste Quelle: { $day }, { $count } Jahre alt.
        }
answers-all-supported =
    { $count ->
        [1] Die Aussage ist durch ihre Quelle belegt
        [2] Beide Aussagen sind durch ihre Quellen belegt
       *[other] Alle { $count } Aussagen sind durch ihre Quellen belegt
    }
answers-some-supported =
    { $count ->
        [one] { $supported } von { $count } Aussage belegt
       *[other] { $supported } von { $count } Aussagen belegt
    }
answers-counts =
    .contradicted = { $count } widersprochen
    .not_supported = { $count } nicht belegt
    .partly_supported = { $count } teilweise belegt
    .uncited = { $count } ohne Beleg
    .unknown =
        { $count ->
            [one] { $count } Beleg hat keine Quelle
           *[other] { $count } Belege haben keine Quelle
        }
answers-counted = { $head }.
answers-counted-with = { $head } ({ $rest }).
answers-changed-since = Geändert seit { $day }
answers-before = vorher: { $statement }
answers-differs = verschieden:
answers-only-first = nur die erste sagt: { $statement }
answers-only-second = nur die zweite sagt: { $statement }
answers-agreements =
    .agrees = { $count } gleich
    .similar = { $count } ähnlich
    .differs = { $count } verschieden
    .only_first = { $count } nur in der ersten Antwort
    .only_second = { $count } nur in der zweiten
answers-nothing-to-compare = keine Aussagen zu vergleichen
answers-second-opinion = Zweite Meinung von { $model }: { $counts }.
answers-second-look = Nach einem zweiten Blick: { $what }.
answers-second-look-failed = Der zweite Blick des Modells auf zweifelhafte Aussagen ist fehlgeschlagen.
answers-looked-again =
    .corrected =
        { $count ->
            [one] { $count } wurde berichtigt
           *[other] { $count } wurden berichtigt
        }
    .recited =
        { $count ->
            [one] { $count } nennt jetzt eine andere Quelle
           *[other] { $count } nennen jetzt eine andere Quelle
        }
    .struck =
        { $count ->
            [one] { $count } wurde gestrichen
           *[other] { $count } wurden gestrichen
        }
    .confirmed =
        { $count ->
            [one] { $count } wurde bestätigt
           *[other] { $count } wurden bestätigt
        }
answers-line = (Zeile { $number })
answers-lines = (Zeilen { $range })
answers-fetched = (geholt am { $day })
answers-citations-supported = ({ $supported } von { $all } Belegen bestätigt)
answers-support =
    .supported = belegt
    .partly_supported = teilweise belegt
    .not_supported = nicht belegt
    .contradicted = widersprochen
    .uncited = ohne Beleg
# Dasselbe, wo Platz ist, und von einer Nummer, die keine Quelle hat.
answers-legend =
    .supported = belegt
    .partly_supported = teilweise belegt
    .not_supported = durch die Quelle nicht belegt
    .contradicted = die Quelle widerspricht
    .uncited = ohne Beleg
    .unknown = eine Quelle mit dieser Nummer gibt es nicht
    .changed = nach einem zweiten Blick geändert
answers-titles =
    .supported = Belegt
    .partly_supported = Teilweise belegt
    .not_supported = Durch die Quelle nicht belegt
    .contradicted = Die Quelle widerspricht
    .uncited = Ohne Beleg
    .unknown = Eine Quelle mit dieser Nummer gibt es nicht
    .changed = Nach einem zweiten Blick geändert
answers-title-missing = { $title }. Nicht in der Quelle: { $missing }
answers-sources = Quellen
answers-sources-below = Quellen:
answers-method = Wie recherchiert wurde
answers-method-line = Wie recherchiert wurde: { $facts }
answers-not-established = Nicht geklärt:
answers-not-established-line = Nicht geklärt: { $what }
answers-rounds =
    { $count ->
        [one] { $count } Runde
       *[other] { $count } Runden
    }
answers-researchers =
    { $count ->
        [one] { $count } Rechercheur
       *[other] { $count } Rechercheure
    }
answers-searches =
    { $count ->
        [one] { $count } Suche
       *[other] { $count } Suchen
    }
answers-pages =
    { $count ->
        [one] { $count } Seite gelesen
       *[other] { $count } Seiten gelesen
    }
answers-pages-but = { $pages } ({ $count } nicht lesbar)
answers-seconds = { $count } s
answers-minutes = { $minutes } min { $seconds } s
answers-tokens = { $count } Token
answers-opinion = Zweite Meinung
answers-they-differ = Sie sind verschieden. Diese Antwort: { $first } Die andere: { $second }
answers-only-this = Nur diese Antwort sagt: { $statement }
answers-only-other = Nur die andere sagt: { $statement }
answers-effort =
    { $effort ->
        [s] kleiner Aufwand
        [l] großer Aufwand
       *[m] mittlerer Aufwand
    }
answers-deep = tief
answers-saved-as = Gespeichert als { $path }
# Was der eingebaute Rechercheur um seine Zitate herum sagt.
answers-built-in =
    .also = Außerdem in den Quellen:
    .doubtful = Keine Quelle beantwortet die ganze Frage. Die nächstliegende Stelle:
    .other = Ich habe nichts gefunden, das diese Frage beantwortet. Die nächstliegende Stelle handelt von etwas anderem:
    .nothing = Ich habe zu dieser Frage nichts Passendes gefunden.
    .no-search = Keine der Suchen ließ sich ausführen.
    .no-results = Die Suchen hatten keine Ergebnisse.
    .no-page = Es gab Ergebnisse, aber keine der Seiten war lesbar.
    .other-things = Die Seiten, die ich gelesen habe, handeln von anderem.
    .failed = Nicht jede Suche hat funktioniert:
    .advice = Fügen Sie Ordner mit Dokumenten hinzu, versuchen Sie andere Wörter, oder verbinden Sie in den Einstellungen ein Modell. Fragen zu Nexi selbst stellen Sie auf Englisch: Das Handbuch ist englisch.
# In Antworten und Berichten, die kein Modell geschrieben hat.
answers-own =
    .no-source = Keine Quelle beantwortet die Frage. Gelesen wurden diese:
    .key-findings = Die wichtigsten Ergebnisse
    .not-established = Was sich nicht klären ließ
# What would be right in a field of a form.
answers-field =
    .required = Dieses Feld ist erforderlich.
    .text = Geben Sie einen Text ein.
    .yes_no = Wählen Sie ja oder nein.
    .number = Geben Sie eine Zahl ein.
    .whole_number = Geben Sie eine ganze Zahl ein.
    .at_least = Geben Sie { $least } oder mehr ein.
    .at_most = Geben Sie { $most } oder weniger ein.
    .not_listed = Wählen Sie aus der Liste.
