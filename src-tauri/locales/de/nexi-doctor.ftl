# Was sich `nexi doctor` angesehen hat, wie seine Zeilen beginnen.
nexi-doctor-what =
    .settings = Einstellungen
    .settings_and_data = Einstellungen und Daten
    .keys = Schlüssel
    .keyring = Schlüsselbund
    .key = Schlüssel
    .database = Datenbank
    .documents = Dokumente
    .meaning = Bedeutung
    .scans = Scans
    .team = Team-Bibliothek
    .searxng = searxng
    .search = Suche
    .price = Preis
    .network = Netz
    .window = Fenster
    .hotkey = Tastenkürzel
nexi-doctor-model = Modell { $name }
nexi-doctor-reader = Leser { $name }
# Höchstens vier Buchstaben: Danach sind die Spalten ausgerichtet.
nexi-doctor-state =
    .good = gut
    .note = Info
    .bad = !!
nexi-doctor-fix-settings = Berichtigen Sie die Einstellungsdatei: nexi config edit
nexi-doctor-other-folder = Wählen Sie mit --data-dir einen anderen Ordner, oder lesen Sie die Meldung
nexi-doctor-no-settings = noch keine Datei, daher gelten alle Vorgaben ({ $path })
nexi-doctor-default-used = { $problem }; die Vorgabe gilt
nexi-doctor-edit = nexi config edit öffnet die Datei
nexi-doctor-threads =
    { $count ->
        [one] { $count } Gespräch in { $path }
       *[other] { $count } Gespräche in { $path }
    }
nexi-doctor-searxng = unter { $address } läuft eines und wird nicht benutzt
nexi-doctor-use-searxng = { $command } und searx in search_backends aufnehmen
nexi-doctor-folders-gone = nicht zu öffnen: { $folders }
nexi-doctor-correct-folders = Berichtigen Sie documents.folders in den Einstellungen, oder schließen Sie das Laufwerk an
nexi-doctor-unread =
    { $count ->
        [one] { $count } Datei konnte nicht gelesen werden
       *[other] { $count } Dateien konnten nicht gelesen werden
    }
nexi-doctor-partly-read =
    { $count ->
        [one] { $count } Datei teilweise gelesen
       *[other] { $count } Dateien teilweise gelesen
    }
nexi-doctor-all-unread = nexi docs status nennt alle
nexi-doctor-add-folder = Fügen Sie einen eigenen Ordner hinzu: nexi docs add ~/Dokumente
nexi-doctor-only-handbook = nur das Handbuch ist im Index; Sie haben keine Ordner hinzugefügt
nexi-doctor-indexed =
    { $files ->
        [one] { $files } Datei im Index, aus { $folders ->
            [one] { $folders } Ordner
           *[other] { $folders } Ordnern
        } und dem Handbuch
       *[other] { $files } Dateien im Index, aus { $folders ->
            [one] { $folders } Ordner
           *[other] { $folders } Ordnern
        } und dem Handbuch
    }
nexi-doctor-index-rebuilt = Der Index kann jederzeit gelöscht werden; er wird von selbst neu aufgebaut
nexi-doctor-without-keyring = Bis dahin können Schlüssel aus Umgebungsvariablen kommen oder aus einer Datei mit Passphrase: nexi config set keys file
nexi-doctor-type-passphrase = Führen Sie nexi doctor auf einem Terminal aus, wo die Passphrase eingegeben werden kann
nexi-doctor-locked = Die Schlüsseldatei ist gesperrt; ihre Schlüssel konnten nicht getestet werden.
nexi-doctor-key-file = API-Schlüssel liegen in einer Datei mit Passphrase.
nexi-doctor-no-key-file = Es gibt noch keine Schlüsseldatei.
nexi-doctor-make-key-file = nexi key set ANBIETER legt sie an
nexi-doctor-keys-in-memory = API-Schlüssel liegen nur im Arbeitsspeicher, bis das Fenster geschlossen wird.
nexi-doctor-not-asked = wurde wegen --offline nicht gefragt
nexi-doctor-needs-nothing = funktioniert ohne Schlüssel und Netz
nexi-doctor-other-searches = Bringen Sie einen davon in Ordnung, oder verwenden Sie Dienste ohne Schlüssel: { $command }
nexi-doctor-no-search = kein Suchdienst funktioniert; nur Dokumente können durchsucht werden
nexi-doctor-learned = { $quirk } ({ $address }). Die Meldung lautete: { $said }
nexi-doctor-how-learned = Aus der Antwort des Dienstes gelernt; nach einigen Tagen wird es wieder versucht
nexi-doctor-nothing-reached = kein Dienst war zu erreichen
nexi-doctor-check-network = Prüfen Sie Ihr Netz und den Proxy in den Einstellungen; Dokumente können weiterhin gefragt werden
nexi-doctor-reached =
    { $all ->
        [one] { $reached } von { $all } Dienst erreicht
       *[other] { $reached } von { $all } Diensten erreicht
    }
nexi-doctor-advice =
    .variable_or_key = Setzen Sie { $variable } auf einen gültigen Schlüssel, oder entfernen Sie die Variable und führen Sie nexi key set { $name } aus
    .key_or_variable = Geben Sie einen Schlüssel ein: nexi key set { $name }; oder setzen Sie { $variable }
    .key = Geben Sie einen Schlüssel ein: nexi key set { $name }
    .key_again = Geben Sie den Schlüssel noch einmal ein: nexi key set { $name }
    .no_balance = Laden Sie beim Dienst Guthaben auf, oder stellen Sie einen anderen Anbieter voran
    .offline = Prüfen Sie Ihr Netz, den Proxy in den Einstellungen und die Adresse: nexi config get providers.{ $name }
    .slow = Warten Sie, bis es geladen ist, und versuchen Sie es noch einmal, oder wählen Sie ein kleineres Modell
    .limited = Warten Sie eine Weile, oder setzen Sie requests_per_minute dieses Anbieters
    .unknown_model = Wählen Sie ein Modell, das er hat: nexi config set providers.{ $name }.model MODELL
    .wrong_address = Berichtigen Sie die Adresse: nexi config set providers.{ $name }.base_url ADRESSE
    .other = Siehe die Meldung und die Einstellungen: nexi config get providers.{ $name }
nexi-doctor-unpriced = max_cost ist gesetzt und der Preis von { $model } nicht bekannt; daher beginnt keine Frage
nexi-doctor-give-price = Geben Sie den Preis an ({ $command }, in Dollar je Million Token), begrenzen Sie stattdessen die Token (max_tokens), oder nehmen Sie max_cost zurück; --any-cost hebt die Grenze für eine Frage auf
nexi-doctor-read = hat { $address } gelesen
nexi-doctor-next-reader = Der nächste Leser übernimmt; prüfen Sie Schlüssel und Adresse in den Einstellungen
nexi-doctor-no-window = nexi-desktop ist weder neben nexi noch in PATH
nexi-doctor-install-window = Installieren Sie das Paket für den Desktop, um Fenster und Popup zu haben
nexi-doctor-system-hotkey = dieses System lässt Programme ein Tastenkürzel einrichten
nexi-doctor-bind-key = Wo es nicht geht, legen Sie nexi-desktop --popup in den Einstellungen Ihrer Arbeitsumgebung auf eine Taste
nexi-doctor-wayland-hotkey = unter Wayland entscheidet die Arbeitsumgebung; ob es funktioniert, steht im Fenster unter Einstellungen, Programm
nexi-doctor-x11-hotkey = X11 lässt Programme ein Tastenkürzel einrichten
nexi-doctor-no-display = hier gibt es keinen Bildschirm
nexi-doctor-team =
    { $waiting ->
        [0] Geteilte eigene Threads: { $shared }.
       *[other] Geteilte eigene Threads: { $shared }; Änderungen, die noch zu senden sind: { $waiting }.
    }
nexi-doctor-send = nexi team send sendet sie und sagt, was im Weg ist
