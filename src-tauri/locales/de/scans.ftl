scans-title = Gescannte Seiten und Bilder lesen
scans-help = Erkennt Text in gescannten PDF-Dateien und Bildern Ihrer Ordner (OCR), auf diesem Computer, mit Tesseract.
scans-languages = Sprachen der gescannten Seiten
scans-far =
    { $pages ->
        [one] { $read } von { $pages } Seite gelesen
       *[other] { $read } von { $pages } Seiten gelesen
    }
scans-waiting =
    { $pages ->
        [one] { $pages } gescannte Seite in Ihren Ordnern ist noch nicht durchsuchbar.
       *[other] { $pages } gescannte Seiten in Ihren Ordnern sind noch nicht durchsuchbar.
    }
scans-running = { $far }. Sie können weiterarbeiten.
scans-on-battery = Wartet auf Netzstrom: { $far }.
scans-ready = Bereit: { $far }.
scans-none = Bereit. In Ihren Ordnern gibt es keine gescannten Seiten.
scans-not-installed = Das erfordert { $programs }. Installieren Sie unter Debian und Ubuntu die Pakete tesseract-ocr und poppler-utils, zum Beispiel mit: sudo apt install tesseract-ocr poppler-utils
scans-no-language = Tesseract hat hier kein Modell für { $languages }. Installieren Sie es, oder wählen Sie unter { $installed }.
