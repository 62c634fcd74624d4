# Infobereich, Benachrichtigungen und Fenstertitel.
desktop-tray =
    .ask = Fragen…
    .open = Nexi öffnen
    .settings = Einstellungen
    .pause = Tastenkürzel aussetzen
    .quit = Nexi beenden
desktop-notification =
    .waiting = Wartet auf Sie
    .answered = Beantwortet
    .partial = Teilweise beantwortet
    .failed = Diese Frage konnte nicht beantwortet werden
    .private = Eine private Frage
    .open = Öffnen
    .changed = Geändert: { $question }
    .not-checked = Konnte nicht geprüft werden: { $question }
desktop-hook-gone = Die Adresse gibt es nicht mehr, daher wurde der Hook ausgeschaltet.
desktop-hotkey =
    .paused = Das Tastenkürzel ist ausgesetzt. Schalten Sie es im Menü des Infobereichs wieder ein.
    .refused = { $keys } konnte nicht eingerichtet werden: { $why }. Wählen Sie ein anderes.
    .taken = ein anderes Programm hat es
    .unavailable = Dieser Desktop lässt Programme keine Tastenkürzel registrieren. Legen Sie in seinen Einstellungen eines auf den Befehl unten.
    .assigned = Ihre Arbeitsumgebung hat dieses Tastenkürzel zugewiesen: { $keys }
    .unassigned = Ihre Arbeitsumgebung hat Nexi kein Tastenkürzel zugewiesen.
desktop-cannot-start = Nexi kann nicht starten
desktop-damaged = Die Bibliothek ist beschädigt und lässt sich nicht öffnen. Soll alles, was noch lesbar ist, zusammen mit der neuesten Sicherung wiederhergestellt werden? Die beschädigte Datei bleibt erhalten.
desktop-too-new = Eine neuere Version von Nexi hat diese Bibliothek geändert, und diese Version kann sie nicht lesen. Soll stattdessen die Kopie vom { $made } geöffnet werden? Was seither gefragt wurde, steht nicht darin. Die neuere Bibliothek bleibt als Sicherung erhalten, die die neuere Version wiederherstellen kann. „Nein“ beendet Nexi und ändert nichts.
desktop-no-autostart = ließ sich nicht einstellen: { $why }. Nexi wird nicht mit Ihrer Sitzung starten
# Was `nexi-desktop --help` sagt.
desktop-help =
    .about = Recherchierte Antworten mit Belegen, die Sie prüfen können
    .popup = Das Popup für eine schnelle Frage öffnen
    .hidden = Ohne Fenster starten; Tastenkürzel und Symbol in der Leiste funktionieren
    .thread = Diesen Thread zeigen
    .config = Diese Einstellungsdatei verwenden
    .data_dir = Diesen Ordner für Bibliothek und Index verwenden
    .verbose = Jede Entscheidung, Anfrage und Wartezeit auf der Standardfehlerausgabe protokollieren
    .link = Ein Link, dem gefolgt wird, etwa nexi://ask?q=... oder nexi://thread/...
