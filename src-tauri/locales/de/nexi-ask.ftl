nexi-ask-think-equals = think: Schreiben Sie die Stufe hinter ein Gleichheitszeichen: --think={ $level }
nexi-ask-private-follow-up = private: Eine Anschlussfrage liegt dort, wo ihr Gespräch liegt; fragen Sie ohne --thread oder --continue
nexi-ask-space-follow-up = space: Eine Anschlussfrage wird im Bereich ihres Gesprächs gestellt; nexi space move verschiebt ein Gespräch in einen anderen
nexi-ask-month-spent = Die Fragen dieses Monats haben { $spent } gekostet, und die Grenze ist { $limit }. Trotzdem fragen?
nexi-ask-not-asked = nicht gefragt: Die Kostengrenze des Monats (max_cost_month) ist erreicht
nexi-ask-second-built-in = second: Der eingebaute Rechercheur schreibt keine eigenen Antworten; nennen Sie ein Modell
nexi-ask-no-folder = save-report: { $path } ist kein Ordner
nexi-ask-no-report = es gibt keinen Bericht, der gespeichert werden könnte
nexi-ask-not-resumed =
    .cancelled = id: Diese Frage wurde angehalten, und nur unterbrochene Läufe gehen weiter. Fragen Sie noch einmal in ihrem Gespräch: { $command }
    .failed = id: Diese Frage ist fehlgeschlagen, und nur unterbrochene Läufe gehen weiter. Fragen Sie noch einmal in ihrem Gespräch: { $command }
    .answered = id: Diese Frage ist beantwortet, und nur unterbrochene Läufe gehen weiter. Fragen Sie noch einmal in ihrem Gespräch: { $command }
nexi-ask-no-question = es wurde keine Frage angegeben. Schreiben Sie eine: nexi ask "Where are keys kept?"
nexi-ask-the-question = die Frage
nexi-ask-empty-input = die Frage auf der Standardeingabe ist leer
nexi-ask-asking-second = { $model } wird um eine zweite Meinung gebeten…
nexi-ask-no-second = keine zweite Meinung: { $why }
nexi-ask-second-stopped = keine zweite Meinung: sie wurde angehalten
nexi-ask-saved = der Bericht wurde als { $path } gespeichert
nexi-ask-written-anew = (Das war nicht die ganze Antwort; sie wird neu geschrieben.)
nexi-ask-attached-thread = das angehängte Gespräch
nexi-ask-waiting-for-input = es wird auf den Text auf der Standardeingabe gewartet; gibt es keinen, rufen Sie es mit </dev/null auf
nexi-ask-input-unreadable = die Standardeingabe kann nicht gelesen werden ({ $why })
nexi-ask-input-too-large = der Text auf der Standardeingabe ist größer als { $mib } MiB; speichern Sie ihn als Datei und verwenden Sie --attach
nexi-ask-input-not-text = was hereinkam, ist kein UTF-8-Text; speichern Sie es als Datei und verwenden Sie --attach
nexi-ask-standard-input = Standardeingabe
# Felder eines Formulars, um die ein Werkzeugserver bittet.
nexi-ask-field-numbers = Nummern
nexi-ask-field-number = Nummer
nexi-ask-field-yes-no = [j/n]
nexi-ask-enter-yes-no = Geben Sie j oder n ein.
# Fragen mitten in einer Recherche.
nexi-ask-no-answer = Keine rechtzeitige Antwort; die Recherche geht ohne weiter.
nexi-ask-form =
    { $server } fragt: { $question }
    Was Sie eingeben, geht an diesen Werkzeugserver, nicht an das Modell. Die Eingabetaste überspringt ein Feld oder übernimmt den Wert in Klammern. * ist erforderlich; :q lehnt ab.
nexi-ask-open-address =
    Privater Text (Ihre Dokumente oder früheren Antworten) ist Teil dieses Gesprächs, und das Modell möchte eine Adresse öffnen, die nicht unter den Ergebnissen ist:
    { "  " }{ $address }
    Sie kann etwas von diesem Text enthalten. Öffnen?
nexi-ask-send-search =
    Das Modell möchte das Web nach Wörtern durchsuchen, die nur in Ihren Dokumenten oder früheren Antworten stehen:
    { "  " }{ $words }
    Diese Suche senden?
nexi-ask-run-command = Das Modell möchte Ihren Befehl { $tool } ausführen:
nexi-ask-use-tool = Das Modell möchte { $tool } von { $server } benutzen:
nexi-ask-leaks-to-command = Dieser Aufruf kann Text enthalten, der nur in Ihren Dokumenten, früheren Antworten oder Ergebnissen anderer Werkzeuge steht. Wenn Sie ihn erlauben, geht er an diesen Befehl.
nexi-ask-leaks-to-server = Dieser Aufruf kann Text enthalten, der nur in Ihren Dokumenten, früheren Antworten oder Ergebnissen anderer Werkzeuge steht. Wenn Sie ihn erlauben, geht er an { $server }.
nexi-ask-may-change = Dieses Werkzeug kann etwas ändern.
nexi-ask-allow-call = Diesen Aufruf erlauben?
nexi-ask-ways =
    .always = j einmal, r für diese Recherche, a immer, Eingabe nein:
    .research = j einmal, r für diese Recherche, Eingabe nein:
# Der Plan einer Tiefenrecherche.
nexi-ask-plan = Plan: { $title }
nexi-ask-plan-tools = Werkzeuge: { $tools }
nexi-ask-plan-tool =
    { $calls ->
        [one] { $tool } von { $server } (bis zu { $calls } Aufruf)
       *[other] { $tool } von { $server } (bis zu { $calls } Aufrufe)
    }
nexi-ask-plan-ways = Eingabetaste beginnt, 2 3 streicht Aufgaben, + und Text fügt eine hinzu, q bricht ab:
nexi-ask-plan-ways-tools = Eingabetaste beginnt, 2 3 streicht Aufgaben, + und Text fügt eine hinzu, t beginnt ohne Werkzeuge, q bricht ab:
nexi-ask-plan-empty = Damit bliebe keine Aufgabe übrig; q bricht ab.
nexi-ask-plan-unclear = Geben Sie Nummern von Aufgaben ein, + und eine Aufgabe, oder q.
