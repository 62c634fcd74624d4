# Was mehrere Befehle sagen.
nexi-terminal-agree = { $question } [j/N]
nexi-terminal-yes-or-no = schreiben Sie j für ja oder n für nein
# Was zur Zustimmung und zur Ablehnung eingegeben wird, in Kleinbuchstaben, durch Leerzeichen getrennt.
nexi-terminal-yes = j ja
nexi-terminal-no = n nein
nexi-terminal-and = { $first } und { $last }
nexi-terminal-warning = Warnung: { $text }
nexi-terminal-correct-settings = { $problem }; berichtigen Sie es mit { $command }
nexi-terminal-stopping = wird angehalten…
nexi-terminal-hook = Hook { $name }: { $what }
nexi-terminal-hooks-failed = Hooks konnten nicht aufgerufen werden: { $why }
nexi-terminal-calling-hooks = Hooks werden aufgerufen… (Strg+C verschiebt es auf später)
nexi-terminal-backing-up = die heutige Sicherung der Bibliothek wird angelegt… (Strg+C verschiebt es auf das nächste Mal)
nexi-terminal-keys-locked = die Schlüsseldatei ist gesperrt; geben Sie ihre Passphrase auf einem Terminal ein, oder nennen Sie in NEXI_KEYS_PASSPHRASE_FILE eine Datei, die sie enthält
nexi-terminal-passphrase = Passphrase der Schlüsseldatei:
nexi-terminal-new-passphrase = Passphrase für die neue Schlüsseldatei:
nexi-terminal-once-more = Dieselbe noch einmal:
nexi-terminal-not-the-same = die beiden sind verschieden
nexi-terminal-not-opened = die Schlüsseldatei wurde nicht geöffnet
nexi-terminal-needs-terminal = { $what } muss auf einem Terminal eingegeben werden, und es gibt keines
nexi-terminal-nothing-read = vom Terminal konnte nichts gelesen werden
nexi-terminal-no-interrupts = auf Strg+C kann nicht reagiert werden
nexi-terminal-no-input = { $what } konnte nicht von der Standardeingabe gelesen werden
nexi-terminal-on-input = { $what } auf der Standardeingabe
nexi-terminal-unreadable = { $what } kann nicht gelesen werden ({ $why })
nexi-terminal-the-file = die Datei
nexi-terminal-too-large = { $what } ist größer als { $kib } KiB
nexi-terminal-not-utf8 = { $what } ist kein UTF-8-Text
nexi-terminal-unknown-model = model: „{ $name }“ steht nicht in den Einstellungen; es gibt { $known }
nexi-terminal-unknown-model-of = model: „{ $name }“ steht nicht in den Einstellungen; es gibt { $known }; für ein anderes Modell von { $provider } schreiben Sie { $provider }/{ $name }
nexi-terminal-ago =
    .now = gerade eben
    .minutes =
        { $count ->
            [one] vor { $count } Minute
           *[other] vor { $count } Minuten
        }
    .hours =
        { $count ->
            [one] vor { $count } Stunde
           *[other] vor { $count } Stunden
        }
    .days =
        { $count ->
            [one] vor { $count } Tag
           *[other] vor { $count } Tagen
        }
    .months =
        { $count ->
            [one] vor { $count } Monat
           *[other] vor { $count } Monaten
        }
    .years =
        { $count ->
            [one] vor { $count } Jahr
           *[other] vor { $count } Jahren
        }
nexi-terminal-unwritable = die Ausgabe konnte nicht geschrieben werden
nexi-terminal-delivered = zugestellt
nexi-terminal-not-delivered = nicht zugestellt: { $why }
nexi-terminal-delivered-later = nicht zugestellt ({ $why }); nächster Versuch am { $time }
nexi-terminal-address-gone = die Adresse gibt es nicht mehr; der Hook wurde ausgeschaltet
nexi-terminal-with-sources = Die Antwort mit ihren Quellen:
nexi-terminal-sources = Quellen:
nexi-terminal-read-so-far = Bis dahin gelesen:
nexi-terminal-struck-out = gestrichen: { $before }
nexi-terminal-was = war: { $before }
nexi-terminal-is = ist: { $after }
nexi-terminal-changed = Nach einem zweiten Blick geändert:
nexi-terminal-not-in-source = { $statement } (nicht in der Quelle: { $missing })
nexi-terminal-more-doubtful = und { $count } weitere: nexi history show { $id }
nexi-terminal-no-such-source = keine Quelle mit der Nummer { $numbers }; lesen Sie diesen Satz mit Vorsicht
nexi-terminal-no-window = open: { $program } ist weder neben nexi installiert noch in PATH
nexi-terminal-no-window-now = open: { $program } ist weder neben nexi installiert noch in PATH; das Gespräch liegt in der Bibliothek
nexi-terminal-no-display = open: hier gibt es keinen Bildschirm
nexi-terminal-not-started = open: { $program } konnte nicht gestartet werden ({ $why })
nexi-terminal-to-ask = Um eine Frage zu stellen: nexi ask "…"
nexi-terminal-pages-written =
    { $count ->
        [one] { $count } Seite nach { $folder } geschrieben
       *[other] { $count } Seiten nach { $folder } geschrieben
    }
nexi-terminal-exits = Rückgabewerte: 0 beantwortet, 1 fehlgeschlagen, nichts gefunden oder eine abweichende Wiederholung, 2 ungültige Argumente oder Einstellungen, 130 angehalten.
nexi-terminal-examples = Beispiele:
nexi-terminal-dollars = schreiben Sie US-Dollar über 0, etwa 0.25
nexi-terminal-whole-from = schreiben Sie eine ganze Zahl ab { $least }
nexi-terminal-whole-between = schreiben Sie eine ganze Zahl von { $least } bis { $most }
nexi-terminal-one-of = muss { $others } oder { $last } sein, nicht { $typed }
nexi-terminal-no-shell = diese Shell ist nicht bekannt
nexi-terminal-cannot-be-made = { $path } kann nicht angelegt werden ({ $why })
nexi-terminal-pages-kept =
    { $count ->
        [one] { $count } Seite gespeichert, { $size } MB auf dem Datenträger
       *[other] { $count } Seiten gespeichert, { $size } MB auf dem Datenträger
    }
# Was um die Hilfe von Befehlen herum steht.
nexi-terminal-help =
    .usage = Aufruf:
    .arguments = Argumente
    .options = Optionen
    .everywhere = Optionen aller Befehle
    .commands = Befehle
    .help = Hilfe zeigen: mit -h kurz, mit --help ausführlich
    .version = Die Version zeigen
    .default = Vorgabe
    .values = möglich
# Was an Argumenten falsch ist.
nexi-terminal-wrong =
    .heading = Fehler:
    .unknown = das Argument { $argument } gibt es hier nicht
    .command = den Befehl { $name } gibt es nicht
    .missing = es fehlt: { $arguments }
    .conflict = { $argument } geht nicht zusammen mit { $other }
    .no_value = { $argument } braucht einen Wert
    .value = { $value } ist kein Wert für { $argument }
    .refused = { $value } ist kein Wert für { $argument }: { $why }
    .values = möglich: { $values }
    .meant = Meinten Sie { $meant }?
    .more = Mehr mit --help.
