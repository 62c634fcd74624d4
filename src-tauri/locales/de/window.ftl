window-new-question = Neue Frage
window-open-palette = Suchen und mehr
window-open-palette-short = Suchen
window-settings = Einstellungen
window-pinned = Angeheftet
window-today = Heute
window-yesterday = Gestern
window-this-week = Diese Woche
window-earlier = Früher
window-states =
    .running = Läuft
    .interrupted = Unterbrochen
    .answered = Beantwortet
    .partial = Teilweise beantwortet
    .nothing_found = Nichts gefunden
    .cancelled = Angehalten
    .failed = Fehlgeschlagen
window-asked-open = Antwort öffnen
window-asked-on =
    { $same ->
        [true] Das haben Sie { $when } gefragt:
       *[other] Etwas Ähnliches haben Sie { $when } gefragt:
    }
# Wann eine Frage gestellt wurde, in window-asked-on.
window-asked-when =
    .today = heute
    .yesterday = gestern
    .on = am { $day }
window-no-threads = Hier stehen später Ihre Fragen.
window-ask = Fragen
window-stop = Anhalten
window-ask-first = Was möchten Sie wissen?
window-ask-more = Fragen Sie weiter, oder geben Sie @ ein, um etwas anzuhängen
window-effort = Aufwand
window-effort-names =
    .s = klein
    .m = mittel
    .l = groß
window-efforts =
    .s = Klein: ein kurzer Blick, höchstens 8 Schritte
    .m = Mittel: einige Suchen und Seiten, höchstens 16 Schritte
    .l = Groß: gründlich, höchstens 32 Schritte
window-mode = Wie recherchiert wird
window-mode-names =
    .quick = Schnell
    .deep = Tief
window-modes =
    .quick = Schnell: ein Rechercheur, eine Antwort in Sekunden
    .deep = Tief: ein Plan, mehrere Rechercheure zugleich und ein langer Bericht, in Minuten
window-deep-efforts =
    .s = Tief, klein: bis zu 2 Rechercheure und etwa 2 Runden
    .m = Tief, mittel: bis zu 3 Rechercheure und etwa 3 Runden
    .l = Tief, groß: bis zu 5 Rechercheure und etwa 5 Runden
window-tools =
    .web = { "" }
    .stackexchange = bei Stack Exchange
    .security = in Sicherheitsdatenbanken
    .grep = wörtlich in Dokumenten
    .library = in Ihren früheren Recherchen
window-builtin = Eingebauter Rechercheur: zitiert Quellen, ohne KI
window-builtin-name = Eingebauter Rechercheur
window-empty-title = Was möchten Sie wissen?
window-empty-text = Nexi bringt sein englisches Handbuch mit; Sie können also gleich eine dieser Fragen ausprobieren oder Ihre eigene stellen.
window-examples =
    .keys = Where does Nexi keep my keys?
    .documents = How do I add a folder of documents?
    .privacy = What leaves this computer when I ask a question?
window-offers =
    .title = Außerdem
    .documents = Ihre Dokumente hinzufügen
    .documents-note = PDF, Office-Dateien, Notizen, E-Mails; gesucht wird auf diesem Computer
    .search = Suchdienste
    .search-note = Wikipedia und DuckDuckGo brauchen keinen Schlüssel; andere finden mehr
    .shortcut = Aus jedem Programm fragen
    .shortcut-note = { $keys } öffnet ein kleines Fenster
    .no-shortcut = Ein Tastenkürzel für das Popup wählen
    .privacy = Was diesen Computer verlässt
    .privacy-note = und wo Schlüssel liegen
window-sources = Quellen
window-supported-count = { $count } belegt
window-partly-count = { $count } teilweise belegt
window-not-supported-count = { $count } nicht belegt
window-contradicted-count = { $count } widersprochen
window-source-count =
    { $failed ->
        [0] { $read } gelesen
       *[other] { $read } gelesen, { $failed } fehlgeschlagen
    }
window-support =
    .supported = belegt
    .partly_supported = teilweise belegt
    .not_supported = nicht belegt
    .contradicted = widersprochen
    .uncited = ohne Beleg
window-support-long =
    .supported = Belegt: Diese Stelle sagt es
    .partly_supported = Teilweise belegt: Diese Stelle sagt nicht alles davon
    .not_supported = Nicht belegt: In dieser Quelle wurde nichts dergleichen gefunden
    .contradicted = Widersprochen: Diese Stelle sagt etwas anderes
    .uncited = Ohne Beleg: Diese Aussage nennt keine Quelle
window-detected =
    .url = Beleg von Nexi hinzugefügt: Der Satz nennt diese Adresse
    .path = Beleg von Nexi hinzugefügt: Der Satz nennt diese Website und Seite
    .host = Beleg von Nexi hinzugefügt: Der Satz nennt diese Website
    .quote = Beleg von Nexi hinzugefügt: Der Satz zitiert diese Quelle
# $all Aussagen wurden mit ihren Quellen verglichen, und $supported davon sind belegt.
window-checked =
    .one-supported = Die Aussage ist durch ihre Quelle belegt
    .one-doubtful = Die Aussage ist nicht ganz belegt
    .all-supported =
        { $all ->
            [2] Beide Aussagen sind durch ihre Quellen belegt
           *[other] Alle { $all } Aussagen sind durch ihre Quellen belegt
        }
    .some = { $supported } von { $all } Aussagen belegt
# Teile einer Liste dessen, was mit einer Antwort nicht stimmt.
window-doubtful =
    .contradicted = { $count } widersprochen
    .not_supported = { $count } nicht belegt
    .partly_supported = { $count } teilweise belegt
    .uncited = { $count } ohne Beleg
    .unknown =
        { $count ->
            [one] { $count } Beleg hat keine Quelle
           *[other] { $count } Belege haben keine Quelle
        }
window-checking =
    { $count ->
        [one] Wird noch einmal geprüft: { $count } Aussage
       *[other] Werden noch einmal geprüft: { $count } Aussagen
    }
# Teile einer Liste hinter window-after-second-look.
window-second-look =
    .corrected =
        { $count ->
            [one] { $count } wurde berichtigt
           *[other] { $count } wurden berichtigt
        }
    .recited =
        { $count ->
            [one] { $count } nennt jetzt eine andere Quelle
           *[other] { $count } nennen jetzt eine andere Quelle
        }
    .struck =
        { $count ->
            [one] { $count } wurde gestrichen
           *[other] { $count } wurden gestrichen
        }
    .confirmed =
        { $count ->
            [one] { $count } wurde bestätigt
           *[other] { $count } wurden bestätigt
        }
window-second-look-failed = Der zweite Blick ist fehlgeschlagen
window-second-look-failed-hint = Das Modell sollte die zweifelhaften Aussagen noch einmal prüfen, und es kam keine brauchbare Antwort.
window-after-second-look = Nach einem zweiten Blick:{ " " }
window-correction =
    .corrected = berichtigt
    .recited = andere Quelle
    .struck = das sagt keine Quelle
window-read-before = Vorher: { $before }
window-next-doubt = Nächste zu prüfende
window-previous-doubt = Vorige zu prüfende
window-doubt =
    .at = { $at } von { $all }: { $label }
    .missing = { $at } von { $all }: { $label }, nicht in der Quelle: { $words }
window-not-in-passage = Nicht in dieser Stelle: { $words }
window-uncited-mark = Diese Aussage hat keinen Beleg
window-show-uncited = Aussagen ohne Beleg unterstreichen
window-sources-of-answer = Hier erscheinen die Quellen einer Antwort.
window-sources-to-come = Hier erscheinen Quellen, sobald sie gelesen werden.
window-no-sources = Diese Antwort hat keine Quellen.
window-added-numbers =
    { $count ->
        [one] { $count } Beleg von Nexi hinzugefügt
       *[other] { $count } Belege von Nexi hinzugefügt
    }
window-newest =
    .today = neueste Quelle: { $date }
    .days =
        { $count ->
            [one] neueste Quelle: { $date }, { $count } Tag alt
           *[other] neueste Quelle: { $date }, { $count } Tage alt
        }
    .months =
        { $count ->
            [one] neueste Quelle: { $date }, { $count } Monat alt
           *[other] neueste Quelle: { $date }, { $count } Monate alt
        }
    .years =
        { $count ->
            [one] neueste Quelle: { $date }, { $count } Jahr alt
           *[other] neueste Quelle: { $date }, { $count } Jahre alt
        }
window-not-cited = gelesen, nicht zitiert
window-unknown-number = Eine Quelle mit dieser Nummer gibt es nicht
window-opens =
    .browser = Klicken, um diese Stelle im Browser zu öffnen ↗
    .viewer = Klicken, um diese Stelle zu öffnen
    .source = Klicken, um die Quelle zu öffnen
    .thread = Klicken, um die frühere Antwort zu öffnen
window-fetched =
    .now = gerade geholt
    .minutes = vor { $count } min geholt
    .hours = vor { $count } h geholt
    .days =
        { $count ->
            [one] vor { $count } Tag geholt
           *[other] vor { $count } Tagen geholt
        }
window-kept-text = Gespeicherten Text zeigen
# Wo eine Stelle in ihrer Quelle steht. Nummern von Zeilen, Seiten und dergleichen sind Texte.

window-thinking = Denkt nach
window-starting = Beginnt
window-writing = Schreibt
window-searched = Gesucht
window-searching = Sucht
window-reading = Liest
window-read = Gelesen:
window-indexing = Dokumente werden in den Index aufgenommen, { $done } von { $total }
window-searches =
    { $count ->
        [one] { $count } Suche
       *[other] { $count } Suchen
    }
window-failed-searches = { $count } fehlgeschlagen
# $services are names, joined by commas.
window-unanswered = keine Antwort von { $services }
window-results =
    { $count ->
        [one] { $count } Ergebnis
       *[other] { $count } Ergebnisse
    }
window-pages =
    .all =
        { $count ->
            [one] { $count } Seite
           *[other] { $count } Seiten
        }
    .some = { $read } von { $count } Seiten
window-seconds = { $amount } s
window-tokens =
    .exact =
        { $count ->
            [one] { $count } Token
           *[other] { $count } Token
        }
    .thousands = { $count }k Token
window-no-results = keine Ergebnisse
window-copy = Kopieren
window-copied =
    .with_sources = Mit Quellen kopiert
    .markdown = Als Markdown kopiert
    .plain = Als reiner Text kopiert
window-copy-as = Kopieren als…
window-copy-with-sources = Mit Quellen
window-copy-markdown = Markdown
window-copy-plain = Reiner Text
window-copied-code = Code kopiert
window-export = Exportieren
window-retry = Noch einmal
window-follow-ups = Anschlussfragen
window-all-lines = Alle { $lines } Zeilen zeigen
window-fold = Weniger zeigen
window-table = Tabelle
window-edit = Ändern
window-edit-title = Die Frage ändern und in einem neuen Gespräch stellen. Dieses bleibt, wie es ist.
window-branch = Abzweigen
window-branch-title = In einem neuen Gespräch weitermachen. Dieses bleibt, wie es ist.
window-branched = Abgezweigt. Das Original bleibt, wie es ist.
window-cancel = Abbrechen
window-reasoning = Gedankengang
window-ranges =
    .day = nach Ergebnissen der letzten 24 Stunden
    .week = nach Ergebnissen der letzten Woche
    .month = nach Ergebnissen des letzten Monats
    .year = nach Ergebnissen des letzten Jahres
window-extracted = vom Modell herausgezogen
window-compacted = Zusammengefasst, um Platz zu schaffen: aus { $before }k Token wurden { $after }k

window-context = Kontext { $used }k von { $most }k
window-resume = Fortsetzen
window-close = Schließen
window-save = Speichern
window-more = Mehr
window-model = Modell
window-builtin-note = zitiert Quellen, ohne KI
window-focus = Wo gesucht wird
window-focuses =
    .both = Web + Dokumente
    .web = Web
    .documents = Dokumente
window-focus-notes =
    .both = alles, was in den Einstellungen eingeschaltet ist
    .web = nicht Ihre eigenen Dateien
    .documents = nur was das Modell bekommt, verlässt diesen Computer
window-no-web = keine Websuche eingerichtet; öffnet die Einstellungen
window-wait-or-stop = In diesem Gespräch wird noch eine Frage beantwortet. Warten Sie, oder halten Sie sie an; Ihr Text bleibt hier.
window-private = Privat
window-private-help = Private Gespräche liegen nur im Arbeitsspeicher. Sie sind weg, wenn Sie Nexi schließen, es sei denn, Sie behalten sie.
window-private-title = Ein privates Gespräch
window-private-text = Fragen, Antworten und Seiten dieses Gesprächs liegen nur im Arbeitsspeicher. Sie sind weg, wenn Sie Nexi schließen, es sei denn, Sie behalten das Gespräch.
window-add-model = Modell hinzufügen
window-all-models = Alle Modelle…
window-all-models-note = mit Kontextfenster und Preis
window-think-longer = Länger nachdenken
window-think-less = Wie sonst nachdenken
window-think-longer-help = Das Modell denkt mehr nach, bevor es antwortet; langsamer und teurer
window-price =
    .title = Der Preis dieses Modells ist unbekannt
    .text = Eine Kostengrenze ist gesetzt, aber der Preis von { $model } ist unbekannt; die Grenze lässt sich also nicht einhalten. Geben Sie in den Einstellungen seinen Preis oder eine Grenze für Token an, oder stellen Sie diese Frage ohne Kostengrenze.
    .give = Einstellungen öffnen
    .ask = Ohne Grenze fragen
window-month =
    .title = Kostengrenze des Monats erreicht
    .give = Einstellungen öffnen
    .ask = Trotzdem fragen
    .text = Die Fragen dieses Monats haben { $spent } gekostet; Ihre Grenze ist { $limit }.
window-record =
    .save = Protokoll dieses Laufs speichern
    .note = Jede Anfrage, Suche, Adresse, Entscheidung und alle Kosten, als Datei
    .done = Gespeichert als { $path }
window-memory =
    .kept = Gemerkt: { $text }
    .private = Ein privates Gespräch behält nichts. Schreiben Sie das in einem anderen Gespräch.
    .this = Sich etwas merken…
    .this-note = Für alle späteren Fragen
    .help = Ein Modell erfährt es bei jeder Frage, außer in privaten Gesprächen. Alles davon steht in den Einstellungen unter Erinnerungen.
    .told =
        { $count ->
            [one] { $count } Erinnerung benutzt
           *[other] { $count } Erinnerungen benutzt
        }
window-mistakes =
    .title = Die Einstellungsdatei enthält Fehler in diesen Einstellungen:
    .open = Datei öffnen
window-held =
    .title = Nexi hält etwas zurück
    .address = Privater Text (Ihre Dokumente oder früheren Antworten) ist Teil dieses Gesprächs, und das Modell möchte eine Adresse öffnen, die weder aus Suchergebnissen oder Seiten noch von Ihnen stammt. Sie kann etwas von diesem Text enthalten.
    .query = Das Modell möchte das Web nach Zahlen oder Formulierungen durchsuchen, die nur in Ihren Dokumenten oder früheren Antworten stehen.
    .open = Öffnen
    .send = Suche senden
    .keep = Zurückhalten
    .kept =
        { $count ->
            [one] { $count } Anfrage wurde zurückgehalten, um Ihren Text zu schützen:
           *[other] { $count } Anfragen wurden zurückgehalten, um Ihren Text zu schützen:
        }
window-keys-locked = Die Schlüsseldatei ist gesperrt.
window-unlock = Passphrase eingeben
window-just-now = gerade eben
window-minutes-ago = vor { $minutes } min
window-hours-ago =
    { $hours ->
        [one] vor { $hours } Stunde
       *[other] vor { $hours } Stunden
    }
window-days-ago =
    { $days ->
        [one] gestern
       *[other] vor { $days } Tagen
    }
# Von Vorleseprogrammen gesagt, wenn ein Lauf zu Ende ist.
window-ended =
    .answered = Die Antwort ist fertig.
    .partial = Eine unvollständige Antwort ist fertig.
    .nothing_found = Es wurde nichts gefunden.
    .cancelled = Angehalten.
    .failed = Diese Frage konnte nicht beantwortet werden.
    .interrupted = Unterbrochen.
# Teile einer Liste dessen, was ein Import getan hat.
window-imported =
    .threads =
        { $count ->
            [one] { $count } Gespräch importiert
           *[other] { $count } Gespräche importiert
        }
    .items =
        { $count ->
            [one] { $count } anderer Eintrag
           *[other] { $count } andere Einträge
        }
    .known = { $count } schon vorhanden
    .broken =
        { $count ->
            [one] { $count } fehlerhafte Zeile übersprungen
           *[other] { $count } fehlerhafte Zeilen übersprungen
        }
window-import-refused =
    { $broken ->
        [1] Zeile { $line } { $why }. Es wurde nichts importiert.
       *[other] Zeile { $line } { $why } ({ $broken } Zeilen sind insgesamt fehlerhaft). Es wurde nichts importiert.
    }
window-import-others =
    { $others ->
        [one] Das andere Gespräch importieren
       *[other] Die anderen { $others } Gespräche importieren
    }
window-offered = Diese Frage kam mit einem Link. Drücken Sie die Eingabetaste, um sie zu stellen.
window-turn =
    .delete = Diese Antwort löschen
    .deleted = Antwort gelöscht
window-thread =
    .pin = Anheften
    .unpin = Lösen
    .tags = Schlagwörter
    .tags-help = Trennen Sie Schlagwörter mit Kommas, zum Beispiel: Arbeit, Batterien
    .rename = Umbenennen
    .rename-help = Benennt das Gespräch nur in Listen um.
    .export = Exportieren…
    .copy-link = Link kopieren
    .copied-link = Link kopiert
    .delete = Löschen
    .deleted = Gespräch gelöscht
    .undo = Rückgängig
    .keep = Dieses Gespräch behalten
    .kept = Dieses Gespräch liegt jetzt in der Bibliothek
window-selection =
    .title = Gewählte Gespräche
    .export = Exportieren…
    .tag = Schlagwörter…
    .delete = Löschen
    .none = Auswahl aufheben
    .tag-help = Durch Kommas getrennt. Vorhandene Schlagwörter bleiben.
    .count = { $count } gewählt
    .tag-title =
        { $count ->
            [one] Schlagwörter für { $count } Gespräch
           *[other] Schlagwörter für { $count } Gespräche
        }
    .deleted =
        { $count ->
            [one] { $count } Gespräch gelöscht
           *[other] { $count } Gespräche gelöscht
        }
    .choose = Wählen: { $title }
window-keys-title = Tastenkürzel
window-shortcuts =
    .popup = Das Popup aus jedem Programm öffnen oder schließen
    .popup-deep = Im Popup: als Tiefenrecherche fragen
    .popup-window = Im Popup: im Fenster weitermachen
    .field = Zum Fragefeld
    .ask = Fragen
    .line = Neue Zeile
    .new = Neue Frage
    .private = Neues privates Gespräch
    .palette = Gespräche, Dokumente, Aktionen und Modelle suchen
    .palette-ask = In dieser Liste: das Getippte als neue Frage stellen
    .library = Bibliothek
    .documents = Dokumente
    .model = Modell wählen
    .connect = Modell verbinden
    .deep = Tiefenrecherche oder schnelle Antwort
    .stop = Anhalten
    .answer = Vom Fragefeld zur Antwort, wo diese Tasten gelten:
    .turns = Nächste und vorige Frage
    .first = Erster Beleg der Antwort; von überall Alt F
    .doubt = Nächste zu prüfende Aussage
    .copy = Die Antwort mit ihren Quellen kopieren
    .export = Die Antwort exportieren; Umschalt E exportiert das Gespräch
    .retry = Die letzte Frage noch einmal stellen
    .source = Eine Quelle über ihre Nummer öffnen
    .remember = Das Folgende merken, statt zu fragen
    .attach = Dokument, Ordner, frühere Frage oder Website anhängen
    .passages = Nächste und vorige Stelle in der Leseansicht
    .settings = Einstellungen
    .tab = Zum nächsten Beleg, zur nächsten Quelle oder Schaltfläche
    .open = Auf einem Beleg oder einer Quelle: die zugehörige Stelle öffnen
    .close = Schließen
    .close-window = Das Fenster schließen
    .help = Hilfe
    .list = Diese Liste
# Was auf Tasten steht.
window-key-names =
    .ctrl = Strg
    .shift = Umschalt
    .alt = Alt
    .enter = Eingabe
    .esc = Esc
    .tab = Tab
    .space = Leertaste
window-menu = Gespräche
window-steps-of = Schritte des Laufs
window-untitled = Ohne Titel
window-opening = Nexi wird gestartet
