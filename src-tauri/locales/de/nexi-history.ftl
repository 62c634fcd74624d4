nexi-history-nothing-yet = es wurde noch nichts gefragt
nexi-history-summarised =
    { $count ->
        [one] { $count } frühere Frage zusammengefasst; sie bleibt, wie sie ist
       *[other] { $count } frühere Fragen zusammengefasst; sie bleiben, wie sie sind
    }
nexi-history-turn = Frage { $id }
nexi-history-how = { $mode } · { $effort }
nexi-history-steps =
    { $count ->
        [one] { $count } Schritt
       *[other] { $count } Schritte
    }
nexi-history-seconds = { $seconds } s
nexi-history-tokens = { $count } Token
# Wie Fragen ausgegangen sind. Die Namen sind die der Zustände.
nexi-history-states =
    .running = läuft
    .answered = beantwortet
    .partial = teilweise
    .nothing_found = nichts gefunden
    .cancelled = angehalten
    .failed = fehlgeschlagen
    .interrupted = unterbrochen
nexi-history-modes =
    .quick = schnell
    .deep = tief
nexi-history-first-question = Es wurde noch nichts gefragt. Fragen Sie etwas: nexi ask "Where are keys kept?"
nexi-history-sources =
    { $count ->
        [one] { $count } Quelle
       *[other] { $count } Quellen
    }
nexi-history-no-words = text: ist leer; schreiben Sie einige Wörter, die im Gesuchten vorkommen
nexi-history-not-found = es wurde nichts gefunden
nexi-history-no-pdf = format: PDF-Dateien entstehen im Fenster unter Exportieren; wählen Sie auf einem Terminal html oder docx, und drucken Sie das
nexi-history-library-is-json = format: Die ganze Bibliothek wird als JSON geschrieben, ein Gespräch je Zeile; nennen Sie für ein anderes Format die Kennung eines Gesprächs
nexi-history-standard-output = die Standardausgabe
nexi-history-written =
    { $count ->
        [one] { $count } Gespräch in { $place } geschrieben
       *[other] { $count } Gespräche in { $place } geschrieben
    }
nexi-history-not-written = { $place } konnte nicht geschrieben werden
nexi-history-word-file = out: Ein Word-Dokument ist kein Text; nennen Sie mit --out eine Datei
nexi-history-unknown-ending = out: Kein Format heißt .{ $ending }; verwenden Sie eines von { $known }, oder geben Sie --format an
nexi-history-no-newest = last: Es wurde noch nichts gefragt
nexi-history-out-taken = out: { $path } ist schon da; wählen Sie einen anderen Namen
nexi-history-out-unwritable = out: { $path } kann nicht geschrieben werden ({ $why })
nexi-history-broken =
    { $broken ->
        [1] file: Zeile { $line }: { $why }. Es wurde nichts importiert. Berichtigen Sie die Datei, oder importieren Sie den Rest ({ $others }) mit --skip-broken
       *[other] file: Zeile { $line }: { $why } ({ $broken } Zeilen sind insgesamt fehlerhaft). Es wurde nichts importiert. Berichtigen Sie die Datei, oder importieren Sie den Rest ({ $others }) mit --skip-broken
    }
nexi-history-threads =
    { $count ->
        [one] { $count } Gespräch
       *[other] { $count } Gespräche
    }
nexi-history-turns =
    { $count ->
        [one] { $count } Frage
       *[other] { $count } Fragen
    }
nexi-history-imported =
    { $count ->
        [one] { $count } Gespräch importiert
       *[other] { $count } Gespräche importiert
    }
nexi-history-imported-items =
    { $count ->
        [one] { $count } anderer Eintrag (Bereiche, Erinnerungen, Vorlagen, gespeicherte Suchen, beobachtete Fragen)
       *[other] { $count } andere Einträge (Bereiche, Erinnerungen, Vorlagen, gespeicherte Suchen, beobachtete Fragen)
    }
nexi-history-imported-known = { $count } schon vorhanden
nexi-history-imported-broken =
    { $count ->
        [one] { $count } Zeile übersprungen
       *[other] { $count } Zeilen übersprungen
    }
nexi-history-say-yes = yes: Ohne Terminal geben Sie --yes an, um zu löschen
nexi-history-delete = { $what } endgültig löschen, auch aus Sicherungen?
nexi-history-not-deleted = es wurde nichts gelöscht
nexi-history-deleted =
    { $count ->
        [one] { $count } Gespräch gelöscht
       *[other] { $count } Gespräche gelöscht
    }
nexi-history-deleted-turns =
    { $count ->
        [one] { $count } Frage gelöscht
       *[other] { $count } Fragen gelöscht
    }
nexi-history-being-answered = id: Im Gespräch { $id } wird gerade eine Frage beantwortet; halten Sie sie an, oder warten Sie
nexi-history-clear-say-yes = damit werden alle Gespräche endgültig gelöscht; geben Sie --yes an, wenn das gemeint ist
nexi-history-clear = Damit werden alle Gespräche, die in Sitzungen getippten Zeilen und alle Sicherungen der Bibliothek endgültig gelöscht. Geben Sie { $word } ein, um fortzufahren:
nexi-history-clear-word = ja
nexi-history-kept = { $count } behalten, weil darin noch Fragen beantwortet werden
nexi-history-none-deleted = Nichts, was in den letzten 30 Tagen in einem Fenster gelöscht wurde, kann wiederhergestellt werden. Was nexi history delete löscht, ist sofort fort.
nexi-history-single-answer = eine einzelne Antwort
nexi-history-questions =
    { $count ->
        [one] { $count } Frage
       *[other] { $count } Fragen
    }
nexi-history-days-left =
    { $count ->
        [one] noch { $count } Tag
       *[other] noch { $count } Tage
    }
nexi-history-not-among-deleted = id: Nichts Gelöschtes hat die Kennung „{ $id }“; nexi history deleted listet auf, was zurückgeholt werden kann
nexi-history-ambiguous = id: „{ $id }“ ist Teil von { $count } Kennungen; schreiben Sie mehr davon
nexi-history-restored = Wiederhergestellt: { $title }
nexi-history-no-sources = Es gibt keine Quellen, die sich auflisten ließen.
nexi-history-no-style = --style: Dieses Format kennt keine Zitierstile; nehmen Sie markdown, html oder docx, oder lassen Sie die Option weg
