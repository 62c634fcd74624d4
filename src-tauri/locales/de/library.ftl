library-title = Bibliothek
library-placeholder = Fragen, Antworten und Quellen durchsuchen
library-site = Website, z. B. nature.com
library-when = Wann
library-any-time = Beliebige Zeit
library-today = Heute
library-week = Letzte 7 Tage
library-month = Letzte 31 Tage
library-year = Letzte 12 Monate
library-any-effort = Jeder Aufwand
library-any-mode = Schnell und tief
library-any-tag = Jedes Schlagwort
library-tags = Schlagwörter
library-pinned = Angeheftet
library-saved =
    .title = Gespeicherte Suchen
    .save = Diese Suche speichern
    .help = Der Name, unter dem sie gespeichert wird.
    .removed = Suche entfernt
    .remove = Die Suche { $name } entfernen
library-nothing = Keine Treffer. Verwenden Sie weniger Wörter oder entfernen Sie einen Filter.
library-empty = Noch nichts hier. Ihre Fragen werden hier aufbewahrt.
library-found =
    { $count ->
        [one] { $count } Gespräch
       *[other] { $count } Gespräche
    }
library-first-of = Die ersten { $count } Gespräche; scrollen Sie, um mehr zu sehen
library-sources =
    { $count ->
        [one] { $count } Quelle
       *[other] { $count } Quellen
    }
library-turns =
    { $count ->
        [one] { $count } Frage
       *[other] { $count } Fragen
    }
library-deleted =
    .title = Kürzlich gelöscht
    .about = Nach 30 Tagen endgültig weg.
    .none = In den letzten 30 Tagen wurde nichts gelöscht.
    .nothing-found = Kein gelöschtes Gespräch und keine gelöschte Antwort hat diese Wörter im Titel.
    .answer = eine einzelne Antwort
    .restore = Wiederherstellen
    .open = Öffnen
    .forget = Endgültig löschen
    .keep = Behalten
    .sure = Das lässt sich nicht rückgängig machen
    .forget-all = Alle { $count } endgültig löschen
    .left =
        { $days ->
            [one] noch { $days } Tag
           *[other] noch { $days } Tage
        }
    .restored = „{ $title }“ ist wieder da
