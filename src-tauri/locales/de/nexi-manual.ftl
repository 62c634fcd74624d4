# Kapitel der Handbuchseite.
nexi-manual-headings =
    .examples = BEISPIELE
    .files = DATEIEN
    .environment = UMGEBUNG
    .exit-status = RÜCKGABEWERT
    .see-also = SIEHE AUCH
nexi-manual-files =
    .settings = Die Einstellungen; nexi config path sagt, wo sie auf diesem Computer liegen.
    .library = Die Bibliothek: Fragen, Antworten und der Text ihrer Quellen.
    .documents = Der Index Ihrer Dokumente; fehlt er, wird er neu angelegt.
    .backups = Kopien der Bibliothek, eine am Tag; nexi restore listet sie auf.
    .keys = API-Schlüssel, mit einer Passphrase verschlüsselt, wo keys = "file" gilt.
    .session = Zeilen, die in Sitzungen eingegeben wurden.
nexi-manual-variables =
    .keys = Schlüssel von Diensten, deren Schlüssel nicht gespeichert ist; nexi key list nennt die Variable eines jeden.
    .passphrase = Eine Datei mit der Passphrase von keys.age, für Programme, die unbeaufsichtigt laufen.
    .token = Das Token, das Clients von nexi mcp --http senden müssen.
    .prices = Eine Datei mit Preisen von Modellen statt der eingebauten Tabelle.
    .proxy = Der Proxy, durch den Anfragen gehen.
    .models = Wo nexi docs fetch Modelle findet, statt unter https://huggingface.co.
    .editor = Der Editor von nexi config edit.
    .colour = Ist sie gesetzt, wird nichts gefärbt.
    .links = 1 macht Links zu Quellen in einem Terminal, von dem nicht bekannt ist, ob es sie zeigt, 0 macht keine.
    .terminal = dumb heißt: ein Terminal ohne Farben, Links und bewegte Zeile.
    .language = Die Sprache von Nexi, etwa en; sonst die des Systems.
nexi-manual-unwritable = { $path } kann nicht geschrieben werden
nexi-manual-cannot-be-made = { $path } kann nicht angelegt werden
