nexi-restore-unknown = backup: Es gibt keine Sicherung „{ $name }“; es gibt { $known }
nexi-restore-unknown-none = backup: Es gibt keine Sicherung „{ $name }“; es gibt noch gar keine
nexi-restore-unchanged = Es wurde nichts geändert.
nexi-restore-kept-as-backup = die Sicherung { $name }
nexi-restore-restored = Aus { $name } wiederhergestellt: { $held }. Die vorige Bibliothek bleibt als { $kept } erhalten.
nexi-restore-intact = Die Bibliothek ist unversehrt; es gibt nichts zu reparieren.
nexi-restore-damaged = Die Bibliothek ist beschädigt: { $what }
nexi-restore-salvaging = Die Bibliothek ist beschädigt. Was davon lesbar ist, kommt in eine neue.
nexi-restore-salvaged = Die neue Bibliothek enthält { $held }. Die beschädigte bleibt als { $kept } erhalten.
nexi-restore-salvaged-more =
    { $count ->
        [one] Die neue Bibliothek enthält { $held }, davon { $count } Gespräch aus der neuesten Sicherung. Die beschädigte bleibt als { $kept } erhalten.
       *[other] Die neue Bibliothek enthält { $held }, davon { $count } Gespräche aus der neuesten Sicherung. Die beschädigte bleibt als { $kept } erhalten.
    }
nexi-restore-in-use = Nexi läuft. Schließen Sie es überall, und versuchen Sie es noch einmal.
nexi-restore-none = Es gibt noch keine Sicherungen. Nexi legt jeden Tag eine an, sobald es etwas zu sichern gibt.
nexi-restore-line = { $name }  { $held }, { $size } MB
nexi-restore-held =
    { $threads ->
        [one] { $threads } Gespräch mit { $turns ->
            [one] { $turns } Frage
           *[other] { $turns } Fragen
        }
       *[other] { $threads } Gespräche mit { $turns ->
            [one] { $turns } Frage
           *[other] { $turns } Fragen
        }
    }
nexi-restore-say-yes = yes: Ohne Terminal geben Sie --yes an, um die Sicherung an die Stelle der Bibliothek zu setzen
nexi-restore-replace = Die Bibliothek durch die Sicherung { $name } ersetzen ({ $held })? Die jetzige bleibt erhalten.
