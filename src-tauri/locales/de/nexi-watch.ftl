nexi-watch-busy = eine Frage wird von einem anderen Nexi geprüft, oder eine in ihrem Gespräch wird beantwortet; versuchen Sie es später noch einmal
nexi-watch-every = wird ab jetzt im Takt { $schedule } geprüft, das nächste Mal am { $next }
nexi-watch-removed =
    { $count ->
        [one] { $count } Frage wird nicht mehr beobachtet
       *[other] { $count } Fragen werden nicht mehr beobachtet
    }
nexi-watch-no-feed = out: { $path } ist schon da und kein Feed von Nexi; wählen Sie einen anderen Namen
nexi-watch-unwritable = out: { $path } konnte nicht geschrieben werden ({ $why })
nexi-watch-no-question = question: Schreiben Sie, was beobachtet werden soll
nexi-watch-no-answer = wird nicht beobachtet, weil es keine Antwort gibt, mit der spätere verglichen werden könnten
nexi-watch-watched = wird als { $id } beobachtet: im Takt { $schedule } geprüft, das nächste Mal am { $next }, während Nexi geöffnet ist oder durch nexi watch run
nexi-watch-paused = ausgesetzt
nexi-watch-resumed = wird ab jetzt wieder geprüft
nexi-watch-none-yet = Noch wird keine Frage beobachtet. Eine beobachten: nexi watch add "What is the latest version of PostgreSQL?"
nexi-watch-pace = Takt { $schedule }, das nächste Mal am { $next }
nexi-watch-last = { $when }, { $what }
nexi-watch-not-checked-yet = noch nicht geprüft
nexi-watch-changed-of =
    { $checks ->
        [one] { $changes } von { $checks } Prüfung brachte etwas Neues
       *[other] { $changes ->
            [one] { $changes } von { $checks } Prüfungen brachte etwas Neues
           *[other] { $changes } von { $checks } Prüfungen brachten etwas Neues
        }
    }
nexi-watch-outcomes =
    .first = erste Antwort
    .unchanged = nichts Neues
    .changed =
        { $count ->
            [one] { $count } Aussage geändert
           *[other] { $count } Aussagen geändert
        }
    .not_checked = konnte nicht geprüft werden: { $why }
nexi-watch-no-changes = Bisher hat sich nichts geändert.
nexi-watch-checking = wird geprüft: { $question }
nexi-watch-gone = sie wird nicht mehr beobachtet
nexi-watch-on-battery = im Akkubetrieb wird nichts geprüft (watched.on_battery)
nexi-watch-on-metered = in einem getakteten Netz wird nichts geprüft (watched.on_metered)
nexi-watch-none-due = Keine Frage ist fällig.
