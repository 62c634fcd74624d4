tools-waiting = Wartet auf Sie
tools-using = Benutzt ein Werkzeug
tools-returned = Von einem Werkzeug geliefert
tools-states =
    .waiting = Möchte { $who } benutzen
    .running = Benutzt { $who }
    .done = { $who } benutzt
    .refused = { $who } nicht benutzt
    .failed = Wollte { $who } benutzen
tools-refused = nicht erlaubt
tools-failed = fehlgeschlagen
tools-commands = Ihre Befehle
tools-ask =
    .title = Das Modell möchte ein Werkzeug benutzen
    .wants =
        { $command ->
            [true] Das Modell möchte Ihren Befehl ausführen:{ " " }
           *[other] Das Modell möchte benutzen:{ " " }
        }
    .from = { " " }von{ " " }
    .about = Was dieses Werkzeug tut
    .changes = Dieses Werkzeug kann etwas ändern.
    .private =
        { $command ->
            [true] Dieser Aufruf kann Text enthalten, der nur in Ihren Dokumenten, früheren Antworten oder Ergebnissen anderer Werkzeuge steht. Wenn Sie ihn erlauben, geht er an diesen Befehl.
           *[other] Dieser Aufruf kann Text enthalten, der nur in Ihren Dokumenten, früheren Antworten oder Ergebnissen anderer Werkzeuge steht. Wenn Sie ihn erlauben, geht er an { $server }.
        }
    .no-arguments = Keine Argumente.
    .patience = Keine Antwort innerhalb von fünf Minuten gilt als Nicht erlauben.
    .position = { $at } von { $all }
    .refuse = Nicht erlauben
    .once = Einmal erlauben
    .research = Für diese Recherche erlauben
    .always = Immer erlauben
tools-plan =
    .command =
        { $calls ->
            [one] Ihr Befehl { $tool }, bis zu { $calls } Aufruf
           *[other] Ihr Befehl { $tool }, bis zu { $calls } Aufrufe
        }
    .tool =
        { $calls ->
            [one] { $tool } von { $server }, bis zu { $calls } Aufruf
           *[other] { $tool } von { $server }, bis zu { $calls } Aufrufe
        }
    .title = Werkzeuge
    .help = Mit dem Beginn erlauben Sie auch diese Aufrufe. Nexi fragt weiterhin, bevor es Ihren privaten Text sendet.
tools-form =
    .from-to = Von { $least } bis { $most }.
    .at-least = { $least } oder mehr.
    .at-most = { $most } oder weniger.
    .title = { $server } fragt
    .note = Was Sie eingeben, geht an diesen Werkzeugserver. Das Modell sieht nur, was der Server zurückgibt.
    .send = Senden
    .decline = Nicht antworten
    .none = Keine Auswahl
    .required = erforderlich
