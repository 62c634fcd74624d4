nexi-session-needs-terminal = es wurde kein Befehl angegeben. Eine Sitzung braucht ein Terminal; um einmal zu fragen: nexi ask "Where are keys kept?"
nexi-session-welcome = Nexi { $version } · { $model } · /help listet die Befehle auf
nexi-session-commands =
    .effort = s, m oder l: wie gründlich die nächsten Antworten sind
    .deep = Plan und mehrere Rechercheure für die nächsten Fragen, oder nicht mehr; on oder off sagt, was gilt
    .model = NAME: wechselt das Modell; ohne Namen zeigt es das jetzige
    .focus = web, documents oder both: wo gesucht wird
    .docs = PFAD: durchsucht auch diesen Ordner oder diese Datei, bis die Sitzung endet; off: nicht mehr; ohne Wert zeigt es, was durchsucht wird
    .space = ein Name oder off: in einem Bereich fragen, mit seinen Dokumenten und Anweisungen
    .private = on oder off: ein Gespräch beginnen, das nirgends aufbewahrt wird
    .attach = PFAD oder URL: gibt der nächsten Frage eine Datei, einen Ordner, eine Webseite oder thread:ID mit; @PFAD darin tut dasselbe; off gibt nichts mit
    .sources = die Quellen der letzten Antwort
    .open = N: öffnet Quelle N im Browser, bei der belegenden Stelle
    .save = DATEI: exportiert das Gespräch im Format der Dateiendung, etwa md, docx oder bib
    .memory = was sich Nexi über Sie merkt; eine Zeile, die mit # und einem Leerzeichen beginnt, fügt etwas hinzu
    .retry = stellt die letzte Frage noch einmal; mit dem NAMEN eines Modells antwortet dieses
    .history = die neuesten Fragen; mit WÖRTERN die, in denen sie vorkommen
    .continue = ID: macht mit einem früheren Gespräch weiter
    .summarise = fasst das Gespräch bisher zusammen, damit die nächsten Fragen mehr Platz haben
    .new = beginnt ein anderes Gespräch
    .help = diese Liste
    .quit = beendet die Sitzung; Strg+D ebenso
nexi-session-help-more =
    Eine Vorlage rufen Sie mit /NAME auf, mit ihren Werten oder ohne; nexi template legt eine an.
    Ein \ am Ende einer Zeile setzt sie auf der nächsten fort.
nexi-session-not-text = das ist kein UTF-8-Text
nexi-session-once-more = (Noch einmal Strg+C beendet die Sitzung.)
nexi-session-on-or-off = /{ $command } ist on oder off, nicht „{ $value }“
nexi-session-deep-on = Tiefenrecherche ist an.
nexi-session-deep-off = Tiefenrecherche ist aus.
nexi-session-nothing-attached = Nichts ist angehängt. Anhängen: /attach PFAD, eine Webadresse oder thread:ID; oder schreiben Sie @PFAD in die Frage.
nexi-session-no-file = es gibt keine Datei und keinen Ordner { $path }
nexi-session-attached =
    { $count ->
        [one] { $count } Anhang für die nächste Frage.
       *[other] { $count } Anhänge für die nächste Frage.
    }
nexi-session-new = Die nächste Frage beginnt ein neues Gespräch.
nexi-session-effort = Aufwand { $effort }: höchstens { $steps } Schritte
nexi-session-focus = Suche: { $focus }
nexi-session-no-sources = Die letzte Antwort hat keine Quellen.
nexi-session-stopped = (angehalten)
nexi-session-private-keeps-nothing = ein privates Gespräch behält nichts; verlassen Sie es zuerst mit /private off
nexi-session-remembered = Gemerkt: { $text }
nexi-session-remembered-in = In { $space } gemerkt: { $text }
nexi-session-open-number = open braucht die Nummer einer Quelle, etwa /open 1
nexi-session-not-openable = { $address } ist weder eine Seite noch ein Dokument
nexi-session-no-browser = es konnte kein Browser gestartet werden; die Adresse ist { $address }
nexi-session-no-folder = { $path } ist kein Ordner
nexi-session-no-file-name = { $path } ist kein Name für eine Datei
nexi-session-not-written = { $path } konnte nicht geschrieben werden ({ $why })
nexi-session-written = Geschrieben nach { $path }
nexi-session-here = { $path } (in dieser Sitzung)
nexi-session-no-folders = Kein Ordner wird durchsucht. Hier einen durchsuchen: /docs PFAD; von jetzt an: nexi docs add ORDNER
nexi-session-searched = Außer dem Web durchsucht:
nexi-session-unknown-command = es gibt kein /{ $name }; /help listet die Befehle auf
nexi-session-summarised =
    { $count ->
        [one] ({ $count } frühere Frage zusammengefasst; sie bleibt, wie sie ist.)
       *[other] ({ $count } frühere Fragen zusammengefasst; sie bleiben, wie sie sind.)
    }
nexi-session-private-has-no-space = ein privates Gespräch gehört zu keinem Bereich; verlassen Sie es zuerst mit /private off
nexi-session-in-space = Fragen werden in { $space } gestellt.
nexi-session-in-no-space = Fragen werden außerhalb von Bereichen gestellt.
nexi-session-is-private = Dieses Gespräch wird nirgends aufbewahrt.
nexi-session-is-kept = Fragen und Antworten werden aufbewahrt.
nexi-session-now-private = Nichts von dem, was folgt, wird aufbewahrt, auch nicht, was Sie eingeben. Die nächste Frage beginnt ein neues Gespräch.
nexi-session-now-kept = Fragen und Antworten werden wieder aufbewahrt. Die nächste Frage beginnt ein neues Gespräch.
nexi-session-asking-again = Noch einmal gefragt: { $question }
nexi-session-continue-what = continue braucht die Kennung einer Frage, wie /history sie auflistet
nexi-session-private-goes-on-alone = ein privates Gespräch schließt an keines an, das aufbewahrt wird; /private off beendet es
nexi-session-follows = Die nächste Frage schließt an „{ $title }“ an.
nexi-session-unknown-ending = kein Format heißt wie das Ende von { $path }; schreiben Sie es mit .md, .html, .docx oder .txt
