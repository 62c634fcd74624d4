nexi-audit-written =
    { $count ->
        [one] { $count } Zeile nach { $path } geschrieben
       *[other] { $count } Zeilen nach { $path } geschrieben
    }
nexi-audit-unreadable = { $path } konnte nicht gelesen werden
nexi-audit-inputs =
    { $count ->
        [one] { $count } Eingang
       *[other] { $count } Eingänge
    }
nexi-audit-requests =
    { $count ->
        [one] { $count } Anfrage
       *[other] { $count } Anfragen
    }
nexi-audit-searches =
    { $count ->
        [one] { $count } Suche
       *[other] { $count } Suchen
    }
nexi-audit-addresses =
    { $count ->
        [one] { $count } Adresse
       *[other] { $count } Adressen
    }
nexi-audit-same = Dieselbe Antwort, mit denselben Anfragen.
nexi-audit-other-requests = Dieselbe Antwort, aber diese Version von Nexi hätte unterwegs andere Anfragen gestellt.
nexi-audit-differs = Die Antwort weicht von der in der Datei ab:
