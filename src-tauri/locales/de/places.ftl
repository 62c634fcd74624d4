# Where a passage stands in its source. Numbers of lines, pages and the like are texts.
places-where =
    .page = S. { $number }
    .pages = S. { $range }
    .slide = Folie { $number }
    .slides = Folien { $range }
    .paragraph = Absatz { $number }
    .paragraphs = Absätze { $range }
    .cell = Zelle { $number }
    .cells = Zellen { $range }
    .line = Zeile { $number }
    .lines = Zeilen { $range }
    .name = „{ $name }“
    .from = ab { $place }
# What a source of Nexi's own is.
places-own =
    .corpus = { $file } in { $corpus }
    .text = angehängter Text
    .thread = frühere Recherche
    .tool = Ergebnis eines Werkzeugs, { $server }
