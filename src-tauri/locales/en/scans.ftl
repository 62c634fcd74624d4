scans-title = Read scanned pages and pictures
scans-help = Recognizes text in scanned PDFs and pictures of your folders (OCR), on this computer, with Tesseract.
scans-languages = Languages of scanned pages
scans-far =
    { $pages ->
        [one] { $read } of { $pages } page read
       *[other] { $read } of { $pages } pages read
    }
scans-waiting =
    { $pages ->
        [one] { $pages } scanned page in your folders can't be searched yet.
       *[other] { $pages } scanned pages in your folders can't be searched yet.
    }
scans-running = { $far }. You can keep working.
scans-on-battery = Waiting for mains power: { $far }.
scans-ready = Ready: { $far }.
scans-none = Ready. There are no scanned pages in your folders.
scans-not-installed = This needs { $programs }. On Debian and Ubuntu, install the packages tesseract-ocr and poppler-utils, for example with: sudo apt install tesseract-ocr poppler-utils
scans-no-language = Tesseract has no model for { $languages } here. Install it, or choose among { $installed }.
