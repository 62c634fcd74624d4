# Was man wissen muss, obwohl ein Lauf weitergeht. Die Namen sind die von Notice.
notices-what =
    .plan_unreadable = Der Plan des Modells war nicht lesbar, daher übernimmt ein Rechercheur die Frage, wie sie ist.
    .next_model = { $why } { $model } übernimmt.
    .resumed = Nach einer Unterbrechung fortgesetzt.
    .file_unread = { $name } konnte nicht gelesen werden: { $why }.
    .folder_unread = { $folder }, ein Ordner dieses Bereichs, ist nicht lesbar und wird nicht durchsucht.
    .documents_still_read = Einige Dokumente werden noch gelesen; was sie sagen, kann dieser Antwort fehlen.
    .not_indexed = Die Dokumente konnten nicht in den Index aufgenommen werden: { $why }
    .told = { $text }
    .unknown = Eine neuere Version von Nexi hat hier etwas vermerkt.
