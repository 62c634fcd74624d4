# Was schiefging, woran es liegt und was zu tun ist. Die Namen sind die der Fehler jedes Teils.
errors-store =
    .too_new = Die Datenbank { $path } wurde von einer neueren Version von Nexi geschrieben. Installieren Sie diese Version, oder zeigen Sie mit nexi restore ältere Kopien der Bibliothek an und kehren Sie zu einer zurück; es wurde nichts geändert.
    .damaged = Die Datenbank { $path } ist beschädigt: { $message }. Es wurde nichts geändert. Führen Sie nexi doctor --repair aus, um zu retten, was lesbar ist, oder nexi restore, um zu einer Sicherung zurückzukehren.
    .in_use = Die Datenbank { $path } ist von einem anderen Programm gesperrt. Schließen Sie dieses Programm (vielleicht eine Datensicherung oder ein anderes Nexi) und versuchen Sie es noch einmal.
    .occupied = Ein anderes Programm schreibt seit mehr als fünf Sekunden in die Bibliothek. Versuchen Sie es gleich noch einmal.
    .disk_full = Der Datenträger ist voll. Es wurde nichts geändert; schaffen Sie Platz und versuchen Sie es noch einmal.
    .read_only = In die Bibliothek kann nicht geschrieben werden: Der Ordner oder die Datei ist schreibgeschützt. Es wurde nichts geändert. Ändern Sie die Rechte, oder wählen Sie mit --data-dir einen anderen Ordner.
    .folder = { $path } ist nicht benutzbar: { $source }. Wählen Sie mit --data-dir einen anderen Ordner.
    .corrupt = Die Bibliothek ist beschädigt: { $what }. Es wurde nichts geändert. Führen Sie nexi doctor --repair aus, um zu retten, was lesbar ist, oder nexi restore, um zu einer Sicherung zurückzukehren.
    .damaged_index = Der Index Ihrer Dokumente ist beschädigt. Er wird neu aufgebaut, sobald Nexi wieder startet oder ein Befehl ausgeführt wird; Ihre Bibliothek und Ihre Dateien sind nicht betroffen.
    .sqlite = Die Datenbank hat abgelehnt: { $what }
    .json = Ein gespeicherter Wert ist nicht lesbar: { $what }
    .packed = Eine gespeicherte Seite ließ sich nicht entpacken: { $what }
    .busy = In diesem Gespräch wird noch eine Frage beantwortet, oder es wurde eine spätere gestellt. Fragen Sie in einem neuen Gespräch.
    .search_name = name: ist leer; geben Sie der Suche einen Namen
    .too_many_searches = Es gibt schon { $most } gespeicherte Suchen. Entfernen Sie zuerst eine.
    .memory_text = text: Schreiben Sie in höchstens { $most } Zeichen, was sich Nexi merken soll
    .too_many_memories = Es gibt schon { $most } Erinnerungen. Entfernen Sie zuerst eine.
    .template_name = name: Verwenden Sie Kleinbuchstaben, Ziffern und Bindestriche, etwa vergleich
    .template_text = text: Schreiben Sie die Frage, in höchstens { $most } Bytes
    .template_taken = name: Eine andere Vorlage heißt „{ $name }“; wählen Sie einen anderen Namen, oder ändern Sie jene
    .too_many_templates = Es gibt schon { $most } Vorlagen. Entfernen Sie zuerst eine.
    .space_name = name: Schreiben Sie einen Namen von bis zu { $most } Zeichen
    .space_taken = name: Ein anderer Bereich heißt „{ $name }“; wählen Sie einen anderen Namen, oder ändern Sie jenen Bereich
    .space_instructions = instructions: dürfen höchstens { $most } Bytes lang sein; legen Sie langes Material in ein Dokument des Bereichs
    .space_folders = folders: Ein Bereich kann höchstens { $most } Ordner und Dateien haben
    .too_many_spaces = Es gibt schon { $most } Bereiche. Entfernen Sie zuerst einen.
    .too_many_watched = Es werden schon { $most } Fragen beobachtet. Beenden Sie zuerst die Beobachtung einer Frage.
    .already_watched = question: wird schon beobachtet, als { $id }
    .running = Diese Frage wird noch beantwortet. Halten Sie sie an, bevor Sie sie löschen.
    .at_work = Hier oder in einem anderen Fenster oder Terminal wird noch eine Frage beantwortet. Warten Sie, bis sie fertig ist, und stellen Sie dann die Sicherung wieder her.
    .superseded = Eine andere Suche kam dazwischen.
    .ambiguous = „{ $id }“ passt auf mehr als eine Frage; geben Sie mehr davon an.
    .short = „{ $id }“ ist zu kurz für eine Kennung; geben Sie mindestens vier Zeichen ihres Anfangs oder Endes an.
errors-keys =
    .timed_out = Der Schlüsselbund hat nicht innerhalb von 30 Sekunden geantwortet. Vielleicht wartet hinter einem anderen Fenster eine Frage, ob er entsperrt werden soll.
    .file_locked = Die Schlüsseldatei ist gesperrt. Geben Sie ihre Passphrase in den Einstellungen unter Schlüssel ein, oder auf einem Terminal (nexi key list); für Programme ohne Terminal schreiben Sie sie in eine Datei und nennen diese in NEXI_KEYS_PASSPHRASE_FILE.
    .wrong_passphrase = Das ist nicht die Passphrase der Schlüsseldatei.
    .short_passphrase = Eine Passphrase braucht mindestens { $shortest } Zeichen; diese hat { $length }. Verwenden Sie mehrere Wörter.
    .dear_file = Die Schlüsseldatei verlangt zum Öffnen viel mehr Speicher, als diese Version zulässt (2^{ $required }). Öffnen Sie sie mit dem Programm, das sie angelegt hat.
    .damaged_file = Die Schlüsseldatei ist beschädigt: { $what }. Legen Sie eine Kopie an ihre Stelle, oder verschieben Sie sie und geben Sie die Schlüssel noch einmal ein.
    .lost_file = Die Schlüsseldatei { $path } ist weg oder leer, obwohl sie Schlüssel enthielt. Legen Sie sie zurück; oder starten Sie Nexi neu, um eine neue zu beginnen, und geben Sie die Schlüssel noch einmal ein.
    .file = Die Schlüsseldatei konnte nicht gelesen oder geschrieben werden: { $what }
    .passphrase_file = NEXI_KEYS_PASSPHRASE_FILE: { $path } { $problem }
    .not_text = Die Umgebungsvariable { $what } enthält etwas, das kein Text ist. Setzen Sie sie auf den Schlüssel, oder entfernen Sie sie.
    .other = Die Schlüssel waren nicht zu erreichen: { $what }
errors-settings =
    .missing = Es gibt keine Einstellungsdatei { $path }. Nennen Sie mit --config eine andere, oder legen Sie sie zuerst an.
    .file = Die Einstellungsdatei { $path } ist nicht benutzbar: { $source }. Prüfen Sie ihre Rechte, oder nennen Sie mit --config eine andere.
    .syntax = Die Einstellungsdatei { $path } ist kein gültiges TOML: { $message }
    .invalid = Die Einstellungsdatei { $path } enthält Fehler:{ $problems }
errors-engine =
    .file = { $path } kann nicht geschrieben werden: { $source }
    .price_unknown = max_cost: Der Preis von { $model } ist nicht bekannt; eine Kostengrenze lässt sich daher nicht einhalten. Geben Sie seinen Preis unter [models."{ $id }"] an, setzen Sie eine Grenze für Token, oder fragen Sie ohne Kostengrenze (auf der Befehlszeile --any-cost).
    .month_is_spent = max_cost_month: Die Fragen dieses Monats haben { $spent } gekostet, und die Grenze ist { $limit }. Erhöhen Sie die Grenze, wählen Sie ein Modell, das nichts kostet, oder ergänzen Sie auf der Befehlszeile --over-month (nexi eval: --any-cost).
    .busy = In diesem Gespräch wird noch eine Frage beantwortet. Warten Sie, oder halten Sie sie zuerst an.
    .at_work = Es wird noch eine Frage beantwortet. Warten Sie, oder halten Sie sie an, und stellen Sie die Sicherung dann wieder her.
    .gone = Die Arbeit von Nexi ist unerwartet zu Ende gegangen.
errors-file =
    .too_large = sie ist größer als { $max_mib } MiB; teilen Sie sie auf
    .not_text = sie ist kein Text, auch wenn ihr Name das sagt; geben Sie ihr die richtige Endung, oder lassen Sie sie aus
    .unreadable = sie lässt sich nicht öffnen ({ $message }); prüfen Sie, wer sie lesen darf
    .encrypted = sie ist mit einem Passwort geschützt; speichern Sie eine Kopie ohne
    .no_text = es ist kein Text darin
    .scanned =
        { $waits ->
            [true] ihr Text ist noch nicht erkannt
           *[other] sie ist gescannt; schalten Sie die Texterkennung ein, um sie zu lesen
        }
    .nothing_recognised = es wurde kein Text darin erkannt
    .not_recognised = ihr Text ließ sich nicht erkennen; vielleicht ist sie beschädigt oder nicht das, was ihr Name sagt
    .damaged = sie ist beschädigt oder nicht das, was ihr Name sagt; öffnen Sie sie mit ihrem eigenen Programm, und speichern Sie sie noch einmal
    .too_complex = sie ist zu verschachtelt; speichern Sie sie in einer einfacheren Form, etwa als reinen Text
    .too_slow = das Lesen dauert zu lange; teilen Sie sie auf, oder speichern Sie sie in einer einfacheren Form
    .archive = sie ist ein Archiv; entpacken Sie es, damit seine Dokumente gelesen werden
    .link = sie ist eine Verknüpfung; fügen Sie den Ordner hinzu, zu dem sie führt
    .no_file = sie ist keine gewöhnliche Datei
    .bad_name = ihr Name ist kein Unicode; benennen Sie sie um
    .cut = sie ist sehr lang, und nur ihr Anfang wurde gelesen; teilen Sie sie auf
errors-ocr =
    .not_drawn = die Seite lässt sich nicht zeichnen
    .no_room = die Seite lässt sich nicht in den Ordner für vorläufige Dateien schreiben: { $what }
    .not_read = Tesseract kann die Seite nicht lesen
    .no_picture = das ist kein Bild, auch wenn der Name das sagt
errors-missing =
    .backup =
        { $named ->
            [true] Es gibt keine Sicherung „{ $id }“.
           *[other] Es gibt noch keine Sicherung.
        }
    .interrupted-run =
        { $named ->
            [true] Es gibt keinen unterbrochenen Lauf „{ $id }“.
           *[other] Es gibt noch keinen unterbrochenen Lauf.
        }
    .memory =
        { $named ->
            [true] Es gibt keine Erinnerung „{ $id }“.
           *[other] Es gibt noch keine Erinnerung.
        }
    .report-of-researcher =
        { $named ->
            [true] Es gibt keinen Bericht von Rechercheur „{ $id }“.
           *[other] Es gibt noch keinen Bericht eines Rechercheurs.
        }
    .source =
        { $named ->
            [true] Es gibt keine Quelle „{ $id }“.
           *[other] Es gibt noch keine Quelle.
        }
    .space =
        { $named ->
            [true] Es gibt keinen Bereich „{ $id }“.
           *[other] Es gibt noch keinen Bereich.
        }
    .template =
        { $named ->
            [true] Es gibt keine Vorlage „{ $id }“.
           *[other] Es gibt noch keine Vorlage.
        }
    .thread =
        { $named ->
            [true] Es gibt kein Gespräch „{ $id }“.
           *[other] Es gibt noch kein Gespräch.
        }
    .turn =
        { $named ->
            [true] Es gibt keine Frage „{ $id }“.
           *[other] Es gibt noch keine Frage.
        }
    .watched-question =
        { $named ->
            [true] Es gibt keine beobachtete Frage „{ $id }“.
           *[other] Es gibt noch keine beobachtete Frage.
        }
errors-suspended = Ein anderes Nexi (Prozess { $pid }) wurde angehalten, während es etwas speicherte. Lassen Sie es weiterlaufen (fg oder kill -CONT { $pid }), oder beenden Sie es (kill -KILL { $pid }), und versuchen Sie es noch einmal.
errors-file-parts =
    { $more ->
        [0] nicht lesbar: { $names }; öffnen Sie die Datei mit ihrem eigenen Programm, und speichern Sie sie noch einmal
       *[other] nicht lesbar: { $names } und { $more } weitere; öffnen Sie die Datei mit ihrem eigenen Programm, und speichern Sie sie noch einmal
    }
errors-store-not-kept = Diese Antwort ist noch nicht in der Bibliothek: { $why } Kopieren Sie sie, wenn Sie nicht warten können. Nexi speichert sie, sobald es möglich ist; wird Nexi vorher geschlossen, setzen Sie die Frage fort.
# What is wrong with a thread that is to be imported.
errors-import =
    .version = Diese Datei hat Version { $version }; dieses Nexi liest bis { $most }. Installieren Sie ein neueres.
    .turns = turns: 1 bis { $most } Fragen sind möglich, nicht { $count }
    .id = id: { $id } ist keine Kennung
    .twice = sources: eine Nummer kommt in einer Antwort zweimal vor
    .address = sources: die Adresse von Quelle { $number } muss mit https:, http: oder file: beginnen
errors-passphrase =
    .open = kann von anderen gelesen werden; führen Sie chmod 600 { $path } aus
    .nothing = ergibt nichts; schreiben Sie die Passphrase in eine eigene Datei
    .unreadable = kann nicht gelesen werden ({ $why })
    .empty = hat in der ersten Zeile nichts; schreiben Sie die Passphrase dorthin
errors-no-keys-in-file = sie enthält keine Schlüssel
errors-keyring-no-text = was er enthält, ist kein Text
# Von einem geteilten Thread: warum die Team-Bibliothek abgelehnt hat, was sich geändert hat.
errors-team-refused = „{ $title }“: { $why }
