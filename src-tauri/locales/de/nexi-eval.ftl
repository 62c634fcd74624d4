nexi-eval-settings = Einstellungen
nexi-eval-check = Prüfung { $how }
nexi-eval-unreadable = { $file } kann nicht gelesen werden
nexi-eval-bad-line = { $file }: Zeile { $line }: { $why }; schreiben Sie { $example }
nexi-eval-empty-question = { $file }: Zeile { $line }: question: ist leer
nexi-eval-empty = { $file }: enthält keine Fragen; schreiben Sie ein JSON-Objekt je Zeile
nexi-eval-columns =
    .answered = beantwortet
    .accepted = richtig
    .at_once = sofort
    .statements = Aussagen
    .supported = belegt
    .uncited = ohne Beleg
    .corrected = berichtigt
    .tokens = Token
    .cost = Kosten
    .time = Zeit
nexi-eval-share = { $share } %
nexi-eval-seconds = { $seconds } s
nexi-eval-legend =
    { $count ->
        [one] { $count } Frage, { $judged } mit bekannter Antwort; „sofort“ heißt innerhalb von { $words } Wörtern, Zeit ist der Median.
       *[other] { $count } Fragen, { $judged } mit bekannter Antwort; „sofort“ heißt innerhalb von { $words } Wörtern, Zeit ist der Median.
    }
nexi-eval-built-in = { $name } zitiert seine Quellen, daher sind alle seine Aussagen belegt.
