# `nexi search` und `nexi read`.
nexi-web-too-many-queries = query: Höchstens { $most } Suchen gehen auf einmal; setzen Sie eine Suche aus mehreren Wörtern in Anführungszeichen
nexi-web-not-searched = { $query } wurde nicht gesucht: { $why }
nexi-web-nothing-found = für { $query } wurde nichts gefunden
nexi-web-not-read = { $url } konnte nicht gelesen werden: { $why }
nexi-web-is-folder = url: { $path } ist ein Ordner; dazu fragen Sie so: { $command }
nexi-web-no-file = url: Es gibt keine Datei { $path }
nexi-web-no-address = url: „{ $word }“ ist weder eine Datei noch eine Adresse; schreiben Sie eine wie https://example.org/seite
nexi-web-no-results = Keine Ergebnisse.
nexi-web-failed = Fehlgeschlagen: { $why }
nexi-web-unreadable = Konnte nicht gelesen werden: { $why }
nexi-web-more = (Von diesem Text gibt es mehr.)
