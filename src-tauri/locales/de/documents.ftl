documents-title = Dokumente
documents-ask = Ihre Dokumente fragen…
documents-search = In Ihren Dokumenten suchen
documents-none = Noch keine Ordner. Fügen Sie einen hinzu, und Nexi kann aus Ihren Dateien antworten. Gesucht wird auf diesem Computer.
documents-summary =
    { $files ->
        [one] { $folders ->
                [one] { $files } Datei in { $folders } Ordner. Gesucht wird auf diesem Computer.
               *[other] { $files } Datei in { $folders } Ordnern. Gesucht wird auf diesem Computer.
            }
       *[other] { $folders ->
                [one] { $files } Dateien in { $folders } Ordner. Gesucht wird auf diesem Computer.
               *[other] { $files } Dateien in { $folders } Ordnern. Gesucht wird auf diesem Computer.
            }
    }
documents-found =
    { $passages ->
        [one] { $files ->
                [one] { $passages } Stelle in { $files } Datei
               *[other] { $passages } Stelle in { $files } Dateien
            }
       *[other] { $files ->
                [one] { $passages } Stellen in { $files } Datei
               *[other] { $passages } Stellen in { $files } Dateien
            }
    }
documents-nothing = Keine Treffer. Verwenden Sie weniger oder andere Wörter.
documents-looking = Ihre Ordner werden durchgesehen…
documents-indexing =
    { $total ->
        [one] { $done } von { $total } Datei gelesen…
       *[other] { $done } von { $total } Dateien gelesen…
    }
documents-settings =
    .meaning =
        { $on ->
            [true] Suche nach Bedeutung: an
           *[other] Suche nach Bedeutung: aus
        }
    .scans =
        { $on ->
            [true] Gescannte Seiten lesen: an
           *[other] Gescannte Seiten lesen: aus
        }
    .waiting =
        { $count ->
            [one] { $count } gescannte Seite noch nicht gelesen
           *[other] { $count } gescannte Seiten noch nicht gelesen
        }
documents-up-to-date = aktuell
documents-missing = nicht gefunden
documents-more = Mehr zu { $folder }
documents-open = Ordner öffnen
documents-remove = Diesen Ordner nicht mehr durchsuchen
documents-removed = { $folder } wird nicht mehr durchsucht. Die Dateien bleiben, wo sie sind.
documents-add = Ordner hinzufügen…
documents-meaning = Einstellungen…
documents-ask-folder = Diesen Ordner fragen
documents-ask-file = Diese Datei fragen
documents-files =
    { $files ->
        [one] { $files } Datei
       *[other] { $files } Dateien
    }
documents-skipped =
    { $files ->
        [one] { $files } Datei wurde ausgelassen
       *[other] { $files } Dateien wurden ausgelassen
    }
documents-partly =
    { $files ->
        [one] { $files } Datei wurde teilweise gelesen
       *[other] { $files } Dateien wurden teilweise gelesen
    }
documents-show = Zeigen
documents-hide = Ausblenden
documents-other =
    { $files ->
        [one] { $files } Datei einer Art, die Nexi nicht liest: { $kinds }
       *[other] { $files } Dateien von Arten, die Nexi nicht liest: { $kinds }
    }
