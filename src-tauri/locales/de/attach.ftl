attach-help = Dateien, Ordner, frühere Recherchen oder Webseiten anhängen
attach-attached = Angehängt
attach-suggestions = Was angehängt werden kann
attach-files = Dateien…
attach-folder = Ordner…
attach-folder-note = Die Frage wird dann nur an diesen Ordner gestellt
attach-by-name = Mit Namen…
attach-by-name-note = Oder geben Sie irgendwo in der Frage @ ein
attach-none = Geben Sie einen Namen ein: Dokumente, Ordner, frühere Fragen oder eine Website wie example.org
attach-drop-here = Zum Anhängen hier ablegen
attach-too-many = Höchstens { $most } Dinge können angehängt werden. Hängen Sie stattdessen ihren Ordner an.
attach-remove = { $label } entfernen
attach-marks =
    .file = DATEI
    .folder = ORDNER
    .text = TEXT
    .address = WEB
    .thread = @
    .site = SITE
attach-given = Angehängt
# What is said of a suggestion.
attach-note-words =
    { $count ->
        [one] { $count } Wort
       *[other] { $count } Wörter
    }
attach-note =
    .asked = gefragt am { $day }
    .page = diese Seite lesen
    .site = nur auf dieser Website suchen
