nexi-docs-no-folders = Es sind keine Ordner eingerichtet. Fügen Sie einen hinzu: nexi docs add ~/Dokumente
nexi-docs-unreadable = folder: { $path } kann nicht gelesen werden ({ $why })
nexi-docs-is-file = folder: { $path } ist eine Datei; nennen Sie ihren Ordner, oder hängen Sie sie an eine Frage an: nexi ask --attach { $given }
nexi-docs-searched-already = { $path } wird schon durchsucht.
nexi-docs-reading = Der Ordner wird gelesen…
nexi-docs-unknown = folder: { $path } ist keiner der durchsuchten Ordner; es gibt { $folders }
nexi-docs-unknown-none = folder: { $path } ist keiner der durchsuchten Ordner; es sind keine eingerichtet
nexi-docs-removed = { $path } wird nicht mehr durchsucht. Die Dateien darin sind unberührt.
nexi-docs-passages-of =
    { $all ->
        [one] { $done } von { $all } Stelle
       *[other] { $done } von { $all } Stellen
    }
nexi-docs-pages-of =
    { $all ->
        [one] { $done } von { $all } gescannten Seite
       *[other] { $done } von { $all } gescannten Seiten
    }
nexi-docs-megabytes-of = { $done } von { $all } MB
# Suche nach Bedeutung. $far ist nexi-docs-passages-of.
nexi-docs-meaning =
    .off = Dokumente werden nach ihren Wörtern gefunden. Um sie auch nach Bedeutung zu finden: nexi docs fetch
    .not_fetched = Das Einbettungsmodell { $model } ist noch nicht da. Laden Sie es herunter: nexi docs fetch { $model }
    .fetching = Das Einbettungsmodell { $model } wird heruntergeladen: { $far }.
    .failed = Dokumente werden nur nach ihren Wörtern gefunden, weil { $model } fehlgeschlagen ist: { $why }
    .not_allowed = Dokumente werden nur nach ihren Wörtern gefunden: Noch darf keiner Ihrer Ordner an { $model } gesendet werden. Entscheiden Sie: nexi docs embed
    .ready = Dokumente werden auch nach Bedeutung gefunden, mit { $model }: { $far } vorbereitet.
    .incomplete = Dokumente werden auch nach Bedeutung gefunden, mit { $model }: { $far } vorbereitet. Den Rest vorbereiten: nexi docs embed
    .building = Dokumente werden für { $model } vorbereitet: { $far }.
    .on_battery = Die Vorbereitung der Dokumente für { $model } wartet auf Netzstrom: { $far }.
nexi-docs-not-sent =
    { $count ->
        [one] Der Text von { $count } Ordner wird nicht an den Dienst gesendet.
       *[other] Der Text von { $count } Ordnern wird nicht an den Dienst gesendet.
    }
# Gescannte Seiten lesen. $far ist nexi-docs-pages-of.
nexi-docs-scans =
    .off =
        { $pages ->
            [one] Ihre Dokumente haben { $pages } gescannte Seite, die nicht durchsuchbar ist. Um sie zu lesen: nexi docs ocr
           *[other] Ihre Dokumente haben { $pages } gescannte Seiten, die nicht durchsuchbar sind. Um sie zu lesen: nexi docs ocr
        }
    .none = Die Texterkennung ist an; es gibt keine gescannten Seiten.
    .ready = Gescannte Seiten werden mit Tesseract gelesen: { $far } gelesen.
    .incomplete = Gescannte Seiten werden mit Tesseract gelesen: { $far } gelesen. Den Rest lesen: nexi docs ocr
    .running = Gescannte Seiten werden gerade mit Tesseract gelesen: { $far } gelesen.
    .on_battery = Das Lesen gescannter Seiten wartet auf Netzstrom: { $far } gelesen.
    .not_installed =
        { $pages ->
            [one] { $pages } gescannte Seite ist nicht lesbar; nicht installiert: { $programs }. Unter Debian und Ubuntu: sudo apt install tesseract-ocr poppler-utils
           *[other] { $pages } gescannte Seiten sind nicht lesbar; nicht installiert: { $programs }. Unter Debian und Ubuntu: sudo apt install tesseract-ocr poppler-utils
        }
    .no_language =
        { $pages ->
            [one] { $pages } gescannte Seite ist nicht lesbar: Tesseract hat kein Modell für { $languages }. Installiert sind { $installed }
           *[other] { $pages } gescannte Seiten sind nicht lesbar: Tesseract hat kein Modell für { $languages }. Installiert sind { $installed }
        }
    .failed =
        { $pages ->
            [one] { $pages } gescannte Seite ist nicht lesbar: { $why }
           *[other] { $pages } gescannte Seiten sind nicht lesbar: { $why }
        }
nexi-docs-recognised =
    { $count ->
        [one] { $count } Seite gelesen.
       *[other] { $count } Seiten gelesen.
    }
nexi-docs-recognised-but =
    { $count ->
        [one] { $count } Seite gelesen, { $failed ->
            [one] { $failed } Seite nicht.
           *[other] { $failed } Seiten nicht.
        }
       *[other] { $count } Seiten gelesen, { $failed ->
            [one] { $failed } Seite nicht.
           *[other] { $failed } Seiten nicht.
        }
    }
nexi-docs-fetched = { $model } ist da. Bereiten Sie Ihre Dokumente jetzt mit nexi docs embed vor, oder überlassen Sie es dem Programm.
nexi-docs-prepared =
    { $count ->
        [one] { $count } Stelle vorbereitet.
       *[other] { $count } Stellen vorbereitet.
    }
nexi-docs-allow-first = embeddings.remote_folders: { $model } ist nicht auf diesem Computer, und der Text von { $folders } würde dorthin gesendet. Erlauben Sie das mit --yes
nexi-docs-cost = für etwa { $cost }
nexi-docs-cost-unknown = zu einem Preis, den Nexi nicht kennt
nexi-docs-size =
    { $passages ->
        [one] { $passages } Stelle, etwa { $tokens } Token
       *[other] { $passages } Stellen, etwa { $tokens } Token
    }
nexi-docs-send = Den Text von { $folder } an { $model } senden ({ $size }, { $cost })? Was Sie zu Ihren Dokumenten fragen, wird ebenfalls dorthin gesendet.
nexi-docs-gone = Diesen Ordner gibt es nicht, oder er darf nicht geöffnet werden.
nexi-docs-indexed =
    { $files ->
        [one] { $files } Datei im Index, { $passages ->
            [one] { $passages } Stelle
           *[other] { $passages } Stellen
        }
       *[other] { $files } Dateien im Index, { $passages ->
            [one] { $passages } Stelle
           *[other] { $passages } Stellen
        }
    }
nexi-docs-unread =
    { $count ->
        [one] { $count } Datei konnte nicht gelesen werden:
       *[other] { $count } Dateien konnten nicht gelesen werden:
    }
nexi-docs-partly-read =
    { $count ->
        [one] { $count } Datei teilweise gelesen:
       *[other] { $count } Dateien teilweise gelesen:
    }
nexi-docs-other-kinds =
    { $count ->
        [one] { $count } Datei einer Art, die Nexi nicht liest: { $kinds }
       *[other] { $count } Dateien von Arten, die Nexi nicht liest: { $kinds }
    }
nexi-docs-others = andere
nexi-docs-left-out = Ausgelassen: { $files }
nexi-docs-hidden = { $count } versteckt
nexi-docs-ignored = { $count } wegen .gitignore, .ignore oder Ihrer Muster
