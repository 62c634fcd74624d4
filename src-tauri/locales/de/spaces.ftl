spaces-all = Alle Gespräche
spaces-any = Jeder Bereich
spaces-choose = Bereich
spaces-manage = Bereiche verwalten…
spaces-inside = { $name } wird gezeigt und darin gefragt
spaces-of-space = Modell des Bereichs
spaces-move = In einen Bereich verschieben…
spaces-moved = Verschoben
spaces-none = Kein Bereich
spaces-none-yet = Noch keine Bereiche. Legen Sie einen in den Einstellungen unter Bereiche an.
spaces-threads =
    { $count ->
        [one] { $count } Gespräch
       *[other] { $count } Gespräche
    }
spaces-list = Bereiche
spaces-empty = Noch keine Bereiche.
spaces-add = Neuer Bereich
spaces-add-help = Zum Beispiel ein Projekt, ein Kurs oder eine Reise.
spaces-name = Name
spaces-instructions = Anweisungen
spaces-instructions-help = Modelle erfahren dies bei jeder Frage im Bereich.
spaces-folders = Dokumente
spaces-folders-help = Ordner und Dateien, je Zeile eine Angabe. Sie werden statt Ihrer anderen Dokumente durchsucht; leer: diese werden durchsucht.
spaces-choose-folder = Ordner wählen…
spaces-model = Modell
spaces-model-help = Zum Beispiel openai/gpt-6-luna. Leer: das übliche Modell.
spaces-save = Speichern
spaces-create = Anlegen
spaces-created = Bereich angelegt
spaces-edit = Ändern
spaces-cancel = Abbrechen
spaces-remove = Entfernen
spaces-remove-title = Diesen Bereich entfernen?
spaces-remove-help =
    { $count ->
        [one] Damit werden auch seine Erinnerungen gelöscht. Sein { $count } Gespräch bleibt in der Bibliothek.
       *[other] Damit werden auch seine Erinnerungen gelöscht. Seine { $count } Gespräche bleiben in der Bibliothek.
    }
spaces-everywhere = Überall
spaces-only = In { $name }
spaces-kept = In { $name } gemerkt: { $text }
spaces-where = Wo es gilt
