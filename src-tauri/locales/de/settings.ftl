settings-advanced = Erweitert
settings-title = Einstellungen
settings-sections =
    .models = Modelle
    .search = Suche
    .reading = Lesen
    .answers = Antworten
    .documents = Dokumente
    .tools = Werkzeuge
    .effort = Aufwand und Grenzen
    .usage = Verbrauch
    .deep = Tiefenrecherche
    .prompts = Anweisungen
    .memory = Erinnerungen
    .spaces = Bereiche
    .templates = Vorlagen
    .watched = Beobachtete Fragen
    .hooks = Webhooks und Befehle
    .app = Programm
    .keys = Schlüssel
    .network = Netzwerk
    .privacy = Privatsphäre
    .data = Daten
    .about = Über Nexi
settings-search = Einstellungen suchen
settings-found =
    { $count ->
        [0] Keine Einstellung gefunden
       *[other] { $count ->
                [one] { $count } Einstellung
               *[other] { $count } Einstellungen
            }
    }
settings-reset-to = Zurücksetzen
settings-none = nicht gesetzt
settings-no-limit = keine Grenze
settings-as-asked = wie die Frage
settings-add = Hinzufügen
settings-remove = Entfernen
settings-up = Nach oben
settings-down = Nach unten
settings-saved = Gespeichert
settings-broken = Die Einstellungsdatei enthält Fehler. Für diese Einstellungen gelten die Vorgaben:
settings-open-file = Datei öffnen
settings-ignored = Bitte prüfen Sie diese Einstellungen:
settings-open-address = Diese Adresse ist nicht verschlüsselt: Ihr Schlüssel und alles, was Sie fragen, können unterwegs gelesen werden. Verwenden Sie eine Adresse mit https.
settings-intro =
    .models = Der eingebaute Rechercheur zitiert Quellen und braucht keinen Schlüssel. Ein Sprachmodell liest, denkt nach und schreibt.
    .search = Dienste, die Seiten finden. Wikipedia und DuckDuckGo brauchen keinen Schlüssel.
    .reading = Wie Seiten geholt und in Text verwandelt werden. Der eingebaute Leser braucht keinen Dienst.
    .answers = Wie Sie Antworten mögen. Was eine Frage verlangt, hat Vorrang. In privaten Gesprächen und beim eingebauten Rechercheur gilt dies nicht.
    .documents = Ihre eigenen Dateien, auf diesem Computer durchsucht. Das Modell sieht nur die Stellen, auf die es ankommt.
    .tools = Eigene Werkzeuge, die Modelle benutzen dürfen: Programme und Dienste, die MCP sprechen, und Befehle.
    .effort = Wie viel eine Frage verbrauchen darf. An einer Grenze antwortet Nexi mit dem, was es hat.
    .usage = Was Ihre Fragen verbraucht haben. Private Gespräche stehen nicht in der Liste; bis Sie Nexi schließen, zählen sie zu diesem Monat.
    .deep = Eine Tiefenrecherche macht einen Plan, setzt mehrere Rechercheure zugleich ein, prüft, was sie gefunden haben, und schreibt einen Bericht.
    .prompts = Anweisungen für Modelle. Die Regel, dass Text von Seiten Material und keine Anweisung ist, gilt immer und lässt sich nicht ändern.
    .memory = Was sich Nexi über Sie merkt. Ein Modell erfährt es bei jeder Frage, außer in privaten Gesprächen. Geben Sie irgendwo, wo Sie fragen, # und einen Satz ein, um etwas hinzuzufügen.
    .spaces = Gespräche, die zusammengehören, mit eigenen Dokumenten, Anweisungen und Erinnerungen. Wählen Sie über der Liste der Gespräche einen Bereich, um darin zu fragen.
    .templates = Fragen, die Sie oft stellen. Geben Sie / ein, wo Sie fragen, wählen Sie eine, und füllen Sie die Lücken aus.
    .watched = Fragen, die Nexi von selbst wieder stellt, während es geöffnet ist. Sie erfahren es nur, wenn die Antwort etwas Neues sagt.
    .hooks = Was Nexi aufruft, wenn es fertig ist: Webadressen Ihrer eigenen Dienste oder Programme auf diesem Computer.
    .app = Wie sich Nexi auf diesem Desktop verhält.
    .keys = Einen API-Schlüssel geben Sie einmal ein. Er wird nie wieder gezeigt.
    .network = Wie Nexi ins Netz kommt. Ihre eigenen Modelle und Suchdienste können überall stehen; Seiten werden nur gelesen, wo es sicher ist.
    .privacy = Kein Konto, keine Telemetrie. Nur was ein Modell, ein Suchdienst oder eine Website braucht, verlässt diesen Computer.
    .data = Alles liegt in einem Ordner auf Ihrem Computer.
    .about = { "" }
settings-prompts =
    .system = Anweisungen
    .continuation = Anschlussfragen
    .extractor = Eine Seite lesen
    .chunk_selector = Stellen auswählen
    .compaction = Zusammenfassung langer Recherchen
    .thread_summary = Zusammenfassung eines langen Gesprächs
    .final_answer = Die Antwort
    .check = Zweifelhafte Aussagen prüfen
    .second = Zweite Meinung
    .planner = Rechercheplan
    .researcher = Rechercheure
    .evaluator = Ob weiter recherchiert wird
    .report = Der Bericht
    .json_tools = Werkzeuge für Modelle ohne Werkzeugaufrufe
settings-memory =
    .new = Neue Erinnerung
    .new-help = Zum Beispiel, womit Sie arbeiten, Ihre Einheiten oder wie lang Antworten sein sollen.
    .add = Merken
    .none = Noch gibt es keine Erinnerungen.
    .edit = Ändern
    .save = Speichern
    .cancel = Abbrechen
    .forget = Vergessen
    .all = Gemerkt
    .forgotten = Vergessen
settings-builtin =
    .llm_backends = Eingebauter Rechercheur
    .search_backends = Ihre Dokumente
    .fetch_backends = Eingebauter Leser
settings-add-provider = Anbieter hinzufügen
settings-provider-name = Name
settings-provider-name-help = Der Name in Listen: Buchstaben, Ziffern, - und _.
settings-name-taken = Dieser Name ist vergeben.
settings-name-wrong = Verwenden Sie nur Buchstaben, Ziffern, - und _.
settings-kind = Art
settings-any-json = Irgendein Dienst, der mit JSON antwortet
settings-kind-help = Der Dienst oder die API.
settings-other-api = Eine andere OpenAI-kompatible API
settings-recognised = Das sieht nach einem Schlüssel für { $label } aus.
settings-contact = Kontakt für Wikipedia
settings-contact-help = Eine E-Mail-Adresse oder Webseite. Wikipedia bittet Programme darum und begrenzt die, die keine angeben.
settings-model = Modell
settings-model-help = Kennung des Modells, zum Beispiel gpt-6-luna.
settings-list-models = Modelle auflisten
settings-no-models = Der Dienst listet keine Modelle auf.
settings-find-searxng = Auf diesem Computer suchen
settings-no-searxng = An den üblichen Adressen dieses Computers wurde keine Instanz gefunden.
settings-found-searxng = Gefunden unter { $address }.
settings-found-without-json = Gefunden unter { $address }, aber ohne JSON. Ergänzen Sie json bei search.formats in der settings.yml.
settings-managed = Eine für mich betreiben
settings-managed-help = In einem Container von Docker oder Podman, der startet, wenn er gebraucht wird, und mit Nexi endet.
settings-base-url = Basisadresse
settings-base-url-help = Leer: die Vorgabe des Dienstes.
settings-base-url-needed = Die Basisadresse der API, zum Beispiel http://localhost:1234/v1.
settings-instance-needed = Die Basisadresse der Instanz, zum Beispiel http://localhost:8888.
settings-database-needed = Zum Beispiel postgres://anna@db.example.org/archiv. Wer das Korpus betreut, kennt die Adresse.
settings-database-password = Passwort
settings-shared-corpus = Gemeinsames Korpus (PostgreSQL)
settings-key = API-Schlüssel
settings-key-help = Wird im Schlüsselbund Ihres Systems aufbewahrt oder dort, wo es unter Einstellungen, Schlüssel steht, und nie wieder gezeigt.
settings-key-stored = Gespeichert ({ $where }); fügen Sie einen anderen ein, um ihn zu ersetzen
settings-model-wanted = Nennen Sie zuerst ein Modell. „Modelle auflisten“ zeigt, welche dieser Schlüssel nutzen darf.
settings-key-page = Schlüssel besorgen
settings-origins =
    .none = kein Schlüssel
    .variable = Umgebungsvariable
    .keyring = im Schlüsselbund
    .file = in der verschlüsselten Datei
    .session = bis Sie Nexi schließen
settings-engine-id = Kennung der Suchmaschine
settings-engine-id-help = Google nennt sie cx.
settings-site = Website
settings-site-help = Zum Beispiel stackoverflow.
settings-test = Testen
settings-testing = Wird getestet…
settings-forget-key = Schlüssel entfernen
settings-delete-provider = Löschen
settings-needs-both = Geben Sie beide Preise an oder keinen.
settings-save-provider = Speichern
settings-cancel = Abbrechen
settings-edit = Ändern
settings-choose-file = Datei wählen…
settings-choose-model = Modell wählen
settings-no-key = Kein Schlüssel
settings-key-set = Schlüssel hinterlegt
settings-ready = Bereit
settings-untested = Noch nicht getestet
settings-own-about =
    .llm_backends = Zitiert die Quellen wörtlich; braucht keinen Schlüssel und kein Netz.
    .search_backends = Die Dateien Ihrer Ordner und das Handbuch.
    .fetch_backends = Liest Webseiten, PDF-Dateien und Feeds selbst.
settings-add-about =
    .llm_backends = OpenAI, Anthropic, Gemini, OpenRouter, Groq, Mistral, DeepSeek, Ollama, LM Studio oder eine beliebige OpenAI-kompatible Adresse.
    .search_backends = Kostenlose wie Wikipedia und DuckDuckGo, Ihr eigenes SearXNG oder ein Dienst mit Schlüssel.
    .fetch_backends = Dienste, die Seiten lesen, für die ein Browser nötig ist.
settings-verdicts =
    .works = Funktioniert
    .refused = Abgelehnt
    .no_balance = Kein Guthaben
    .offline = Nicht erreichbar
    .slow = Zu langsam
    .limited = Zu viele Anfragen
    .unknown_model = Unbekanntes Modell
    .wrong_address = Falsche Basisadresse
    .other = Fehlgeschlagen
settings-json-note = Ein Dienst, der in der Einstellungsdatei beschrieben ist; siehe Handbuch, Suche und Leser.
settings-prices = Preise und Kontextfenster
settings-prices-help = Nexi bringt veröffentlichte Preise mit. Fügen Sie eine Zeile hinzu, um einen zu berichtigen oder ein Modell zu ergänzen.
settings-price-model = Modell
settings-price-context = Fenster
settings-price-input = $ je Million Eingabe
settings-price-output = $ je Million Ausgabe
settings-choose-folder = Ordner wählen…
settings-hotkey =
    .press = Tastenkürzel wählen
    .waiting = Drücken Sie jetzt das Tastenkürzel…
    .registering = Tastenkürzel wird eingerichtet…
    .works = Funktioniert
    .off = Es ist kein Tastenkürzel eingerichtet.
    .offer = Verwenden:
    .wayland = Unter Wayland verwaltet Ihre Arbeitsumgebung die Tastenkürzel. Bietet sie für Nexi keines an, weisen Sie diesem Befehl eines zu:
settings-tray = Diese Arbeitsumgebung hat keinen Infobereich; wenn Sie das Fenster schließen, endet Nexi.
settings-keyring =
    .works = Der Schlüsselbund funktioniert.
    .locked = Der Schlüsselbund ist gesperrt.
    .no_collection = Der Schlüsselbund hat noch keine Sammlung.
    .missing = Es wurde kein Schlüsselbund gefunden.
    .silent = Der Schlüsselbund antwortet nicht.
settings-places =
    .keyring = Vom Betriebssystem aufbewahrt und bei der Anmeldung entsperrt.
    .file = Eine Datei im Datenordner, mit Ihrer Passphrase verschlüsselt (age). Sie geben sie nach jedem Start einmal ein.
    .session = Nur im Arbeitsspeicher: Die Schlüssel sind weg, wenn Sie Nexi schließen.
settings-known = API-Schlüssel
settings-no-keys = Noch braucht kein Anbieter einen API-Schlüssel.
settings-passphrase = Passphrase
settings-passphrase-new = Wählen Sie eine Passphrase. Sie lässt sich nicht wiederherstellen.
settings-passphrase-old = Die Schlüsseldatei ist gesperrt. Geben Sie ihre Passphrase ein.
settings-passphrase-again = Noch einmal
settings-passphrases-differ = Die beiden Passphrasen sind verschieden. Geben Sie beide noch einmal ein.
settings-set-passphrase = Passphrase festlegen
settings-unlock = Entsperren
settings-unlocked = Die Schlüsseldatei ist entsperrt.
settings-cache-size = { $pages } Seiten, { $mib } MiB
settings-clear-cache = Cache leeren
settings-cleared = Cache geleert
settings-leaves =
    .question = Ihre Frage geht an das Modell, das Sie gewählt haben, mit den Stellen und Seiten, die es liest. Der eingebaute Rechercheur sendet sie nie irgendwohin.
    .search = Suchanfragen gehen an die Dienste, die Sie gewählt haben. Seiten werden von ihren eigenen Websites geholt, ohne Cookies.
    .updates = Wenn Sie Nexi nach neuen Versionen suchen lassen (Über Nexi), holt es einmal am Tag die Liste seiner Versionen.
    .nothing = Sonst nichts: kein Konto, keine Telemetrie, keine Symbole oder Bilder von anderen Websites.
settings-data-folder = Datenordner
settings-settings-file = Einstellungsdatei
settings-open-folder = Ordner öffnen
settings-restore = Sicherung wiederherstellen
settings-restore-help = Nexi sichert die Bibliothek jeden Tag und behält die Sicherungen von sieben Tagen und vier Wochen. Die jetzige Bibliothek wird gesichert, bevor Sie eine andere wiederherstellen.
settings-restore-now = Wiederherstellen
settings-restore-sure = Wirklich wiederherstellen?
settings-no-backups = Noch keine Sicherungen.
settings-restored = Aus der Sicherung { $name } wiederhergestellt. Die vorige Bibliothek bleibt als { $kept } erhalten.
settings-backup-size =
    .threads =
        { $count ->
            [one] { $count } Gespräch
           *[other] { $count } Gespräche
        }
    .questions =
        { $count ->
            [one] { $count } Frage
           *[other] { $count } Fragen
        }
settings-backup = Bibliothek sichern
settings-backup-help = Speichert alle Gespräche mit ihren Quellen als eine Datei in Ihrem Ordner für Downloads. Sie können sie wieder importieren.
settings-backed-up =
    { $threads ->
        [one] { $threads } Gespräch gespeichert als { $file }
       *[other] { $threads } Gespräche gespeichert als { $file }
    }
settings-import-threads = Gespräche importieren
settings-import-threads-help = Eine .json- oder .jsonl-Datei von Nexi oder history.jsonl von NEXI.
settings-import-settings = Einstellungen von NEXI importieren
settings-import-settings-help = config.json oder config.toml. Schlüssel kommen dorthin, wo Nexi sie aufbewahrt.
settings-imported-settings =
    { $count ->
        [one] { $count } Einstellung importiert
       *[other] { $count } Einstellungen importiert
    }
settings-indexed = Index
settings-indexed-help = Was durchsucht werden kann und was ausgelassen ist.
settings-indexing = Die Ordner werden gelesen…
settings-indexing-files =
    { $total ->
        [one] { $done } von { $total } Datei gelesen…
       *[other] { $done } von { $total } Dateien gelesen…
    }
settings-partly-files =
    { $files ->
        [one] { $files } Datei teilweise gelesen
       *[other] { $files } Dateien teilweise gelesen
    }
settings-patterns-title = Dateien auswählen
settings-pattern-labels =
    .include = Nur Dateien wie
    .exclude = Auslassen
settings-pattern-examples =
    .include = { "*" }.pdf, *.md
    .exclude = entwuerfe/**, *.tmp
settings-look-again = Noch einmal prüfen
settings-no-folders = Noch keine Ordner. Fügen Sie oben einen hinzu.
settings-folder-gone = Diesen Ordner gibt es nicht, oder er darf nicht geöffnet werden.
settings-indexed-files =
    { $files ->
        [one] { $passages ->
                [one] { $files } Datei im Index, { $passages } Stelle
               *[other] { $files } Datei im Index, { $passages } Stellen
            }
       *[other] { $passages ->
                [one] { $files } Dateien im Index, { $passages } Stelle
               *[other] { $files } Dateien im Index, { $passages } Stellen
            }
    }
settings-unread-files =
    { $count ->
        [one] { $count } Datei konnte nicht gelesen werden
       *[other] { $count } Dateien konnten nicht gelesen werden
    }
settings-other-files =
    { $count ->
        [one] { $count } Datei einer Art, die Nexi nicht liest: { $kinds }
       *[other] { $count } Dateien von Arten, die Nexi nicht liest: { $kinds }
    }
settings-other-kinds = andere
settings-left-out = Ausgelassen: { $files }
settings-left-out-files =
    .hidden = { $count } versteckt
    .ignored = { $count } wegen .gitignore, .ignore oder Ihrer Muster
settings-licence = Lizenz
settings-wizard = Einrichtungsassistent öffnen
settings-handbook = Handbuch öffnen
# Wann jede Anweisung gebraucht wird.
settings-prompt-help =
    .system = Womit jeder Lauf beginnt.
    .continuation = Kommt hinzu, wenn es eine Anschlussfrage ist.
    .extractor = Nimmt aus einer Seite heraus, worauf es ankommt, wenn das Modell eine Seite mit Anweisungen verlangt hat.
    .chunk_selector = Wählt Stücke einer Seite nach ihren Nummern aus.
    .compaction = Fasst die Recherche zusammen, wenn das Kontextfenster des Modells fast voll ist.
    .thread_summary = Fasst die ältesten Fragen und Antworten eines Gesprächs zusammen, wenn sie nicht mehr in das Kontextfenster passen.
    .final_answer = Verlangt die Antwort, wenn eine Grenze erreicht wurde.
    .check = Sieht sich die Aussagen einer Antwort noch einmal an, die ihre Quellen nicht zu belegen scheinen.
    .second = Bittet ein anderes Modell um seine Antwort aus den Quellen einer Antwort.
    .planner = Macht den Plan einer Tiefenrecherche.
    .researcher = Womit jeder Rechercheur einer Tiefenrecherche beginnt.
    .evaluator = Entscheidet nach einer Runde einer Tiefenrecherche, ob es genug ist, und schreibt, wenn ja, den Bericht.
    .report = Schreibt den Bericht einer Tiefenrecherche.
    .json_tools = Erklärt die Werkzeuge Modellen, die selbst keine Werkzeugaufrufe kennen.
settings-prompt-needs = Der Text muss { $names } enthalten.
settings-parts = Teile der Einstellungen
settings-keyring-help =
    .works = Schlüssel liegen im Schlüsselbund dieses Systems.
    .locked = Der Schlüsselbund ist gesperrt. Entsperren Sie ihn und versuchen Sie es noch einmal.
    .no_collection = Der Schlüsselbund hat keine Standardsammlung. Öffnen Sie einmal Ihre Passwortverwaltung, legen Sie dort eine Sammlung an, und versuchen Sie es noch einmal.
    .missing = Dieses System hat keinen Schlüsselbunddienst. Installieren Sie gnome-keyring oder KWallet, oder legen Sie den Schlüssel in eine Umgebungsvariable.
settings-window-title = Einstellungen – Nexi
