# Where a passage stands in its source. Numbers of lines, pages and the like are texts.
places-where =
    .page = p. { $number }
    .pages = pp. { $range }
    .slide = slide { $number }
    .slides = slides { $range }
    .paragraph = paragraph { $number }
    .paragraphs = paragraphs { $range }
    .cell = cell { $number }
    .cells = cells { $range }
    .line = line { $number }
    .lines = lines { $range }
    .name = “{ $name }”
    .from = from { $place }
# What a source of Nexi's own is.
places-own =
    .corpus = { $file } in { $corpus }
    .text = attached text
    .thread = past research
    .tool = tool result, { $server }
