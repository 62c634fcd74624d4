help-title = Hilfe
help-chapters = Kapitel des Handbuchs
# Was die Bilder des Handbuchs zeigen, für alle, die sie nicht sehen können.
help-pictures =
    .research = Das Recherchefenster mit einer Antwort und ihren Quellen
    .popup = Das Popup mit einer Antwort
    .library = Die Bibliothek mit einer Suche
