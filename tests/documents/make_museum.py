"""Writes the folder `museum` beside this file: documents about a small-town museum that does not exist.

The files are written by the programs that people use: LibreOffice 7.4, pandoc 2.17, groff 1.22 with Ghostscript 10.00
and qpdf 11.3 (Debian 12), and from PyPI python-docx 1.2, python-pptx 1.0, openpyxl 3.1, XlsxWriter 3.3, EbookLib 0.20,
reportlab 5.1, Pillow 13.0, img2pdf 0.6 and nbformat 5.11. The scans use the DejaVu fonts of Debian.

    apt-get install -y --no-install-recommends pandoc groff ghostscript qpdf fonts-dejavu-core \\
        libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui
    python3 -m venv v
    v/bin/pip install python-docx python-pptx openpyxl xlsxwriter ebooklib reportlab pillow img2pdf nbformat
    v/bin/python make_museum.py

Clocks and chance are held still wherever the programs allow it, so that a second run writes nearly the same bytes.
"""

import datetime
import io
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import zipfile
from email.headerregistry import Address
from email.message import EmailMessage

import docx
import img2pdf
import nbformat
import openpyxl
import xlsxwriter
from ebooklib import epub
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from pptx import Presentation
from pptx.util import Inches
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen import canvas
from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, PageBreak, PageTemplate, Paragraph, Table

HERE = pathlib.Path(__file__).resolve().parent
FILES = HERE / "museum"
WORK = pathlib.Path(tempfile.mkdtemp())
FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")
THEN = datetime.datetime(2024, 4, 2, 9, 30)
QUIET = {**os.environ, "SOURCE_DATE_EPOCH": "1712050200", "TZ": "UTC"}


# ---------------------------------------------------------------- helpers


def run(*command):
    """Runs a program with its clock held still and returns what it printed."""
    return subprocess.run([str(each) for each in command], check=True, capture_output=True, env=QUIET).stdout


def office(source, ending):
    """Has LibreOffice write a file anew, in another format."""
    run("soffice", f"-env:UserInstallation=file://{WORK}/profile", "--headless", "--convert-to", ending, "--outdir", FILES, source)


def steady(path):
    """Packs a zip file anew, with one date for all that is in it."""
    with zipfile.ZipFile(path) as old:
        parts = [(each, old.read(each)) for each in old.infolist()]
    with zipfile.ZipFile(path, "w") as new:
        for info, content in parts:
            if info.filename in ("docProps/core.xml", "meta.xml"):
                content = re.sub(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?", b"2024-04-02T09:30:00", content)
            entry = zipfile.ZipInfo(info.filename, (2024, 4, 2, 9, 30, 0))
            entry.compress_type = info.compress_type
            new.writestr(entry, content)


def word(path, title, author, sections):
    """A text document by python-docx: sections are (heading, parts), where a part is a paragraph, a "- " item or a table."""
    document = docx.Document()
    document.core_properties.title, document.core_properties.author = title, author
    document.core_properties.comments, document.core_properties.created, document.core_properties.modified = "", THEN, THEN
    document.add_heading(title, 0)
    for heading, parts in sections:
        document.add_heading(heading, 1)
        for part in parts:
            if isinstance(part, list):
                table = document.add_table(rows=0, cols=len(part[0]), style="Table Grid")
                for line in part:
                    for cell, text in zip(table.add_row().cells, line):
                        cell.text = text
            else:
                document.add_paragraph(part.removeprefix("- "), style="List Bullet" if part.startswith("- ") else None)
    document.save(path)


def sheet(path, tables):
    """A workbook by openpyxl: tables is {title of the sheet: rows}."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    book.properties.creator, book.properties.created, book.properties.modified = "Oskar Lindgren", THEN, THEN
    for title, rows in tables.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(row)
    book.save(path)


def slides(path, title, author, pages):
    """A deck by python-pptx: pages are (title, lines or a table, notes)."""
    deck = Presentation()
    deck.core_properties.title, deck.core_properties.author, deck.core_properties.comments = title, author, ""
    deck.core_properties.created = deck.core_properties.modified = THEN
    for title, body, notes in pages:
        is_table = isinstance(body[0], list)
        slide = deck.slides.add_slide(deck.slide_layouts[5 if is_table else 1])
        slide.shapes.title.text = title
        if is_table:
            table = slide.shapes.add_table(len(body), len(body[0]), Inches(1), Inches(2), Inches(8), Inches(2)).table
            for y, line in enumerate(body):
                for x, text in enumerate(line):
                    table.cell(y, x).text = text
        else:
            slide.placeholders[1].text = "\n".join(body)
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    deck.save(path)


def pandoc(name, text):
    """A document by pandoc from Markdown."""
    source = WORK / "source.md"
    source.write_text(text, encoding="utf-8")
    run("pandoc", source, "-o", FILES / name)
    steady(FILES / name)


def plain(name, text, encoding="utf-8"):
    (FILES / name).write_bytes(text.encode(encoding))


# ---------------------------------------------------------------- text documents


def make_docx():
    word(FILES / "Visitor guide 2024.docx", "Visitor guide 2024", "Nadia Bellwether", [
        ("Opening hours", [
            "The museum is open from Wednesday to Sunday, 10 to 17. From November to March the doors close at 16.",
            "We are shut on Good Friday and in the whole week after New Year.",
        ]),
        ("Admission", [
            "Prices hold from 1 April 2024.",
            [["Ticket", "Price"], ["Adult", "9 euros"], ["Child from six to sixteen", "4 euros"], ["Family", "21 euros"], ["Group of ten or more, each", "7 euros 50"]],
        ]),
        ("Getting around", [
            "- The lift stands beside the cloakroom and takes eight people.",
            "- Pushchairs may be left in the boiler house.",
            "- Wheelchairs can be borrowed at the ticket desk; there are three of them.",
        ]),
        ("Café", ["The Drying Loft serves soup until half past two. Its terrace has 36 seats."]),
        ("Photographs", ["You may take photographs without flash. A tripod needs the permission of the curator, Nadia Bellwether."]),
    ])
    word(FILES / "loan-agreement-orrery.docx", "Loan agreement: the Pellbrook orrery", "Tomas Quill", [
        ("Parties", ["The Pellbrook Mill Museum lends the orrery of 1779 (register number PM 0412) to the Observatory of Carrow."]),
        ("Period", ["The loan begins on 2 September 2024 and ends on 28 February 2025. It may be prolonged once, by three months."]),
        ("Insurance", ["The borrower insures the orrery from nail to nail for 135,000 euros."]),
        ("Transport", ["The crate travels upright, by road and never by rail. Mireille Sato goes with it as courier.", "The borrower pays for two nights in a hotel."]),
        ("Conditions of display", ["Light on the orrery stays below 150 lux.", "Relative humidity stays between 45 and 55 percent.", "The case is locked with two different keys, one of which the courier takes home."]),
    ])
    for name in ("Visitor guide 2024.docx", "loan-agreement-orrery.docx"):
        steady(FILES / name)
    pandoc("Trustees minutes 14 March 2024.docx", """---
title: Minutes of the trustees, 14 March 2024
author: Tomas Quill
---

# Attendance

Present were Lena Okafor (in the chair), Oskar Lindgren, Ruth Calloway, Ben Oduya and the director, Edith Varga. Ivo Strand sent his apologies.

# Roof

The trustees accepted the tender of Brannigan & Daughter for the roof of the boiler house at 64,200 euros. Oskar Lindgren voted against it. The tender of Holt Roofing, at 71,900 euros, was declined.

# Staff

The post of Priya Dunmore, education officer, grows to four days a week from 1 September. Gus Adeyemi was thanked for eleven years as coordinator of the volunteers.

# Loans

The request from Lindenau for the musical box was granted, provided that it travels in a climate crate.

# Next meeting

The trustees meet again on 13 June at half past six in the Rag Room.
""")


def make_odt_and_rtf():
    source = WORK / "Tapestry condition report.docx"
    word(source, "Condition report: tapestry “The Great Flood”", "Mireille Sato", [
        ("Description", ["The tapestry is of wool and silk, woven about 1742, and measures 3.15 by 2.40 metres."]),
        ("Damage", ["There are 27 moth holes in the lower border.", "A tear of 14 centimetres runs below the hat of the miller.", "The blue of the river has faded more than any other colour."]),
        ("Treatment", ["The tapestry was frozen at minus 30 degrees for three days.", "The tear was sewn with silk dyed with weld. The whole work took 96 hours."]),
        ("Recommendation", ["Show the tapestry for no more than four months a year, and at 40 lux.", "It should hang from a strip of hook tape, not from rings."]),
    ])
    office(source, "odt")
    steady(FILES / "Tapestry condition report.odt")
    pandoc("volunteer-handbook.odt", """---
title: Handbook for volunteers
author: Gus Adeyemi
---

# Shifts

A shift lasts four hours. If you cannot come, ring the coordinator before eight in the morning.

# Expenses

Bus fares are refunded up to 6 euros 40 a day. Hand in the tickets by the last Friday of the month.

# Dress

Volunteers wear a green apron and a badge. Those who demonstrate the machine wear closed shoes and no scarf.

# Accidents

The first-aid box is under the ticket desk. Ring the caretaker, Hal Pember, on extension 214, and write the accident into the red book.

# Thanks

After fifty hours you get a pass that lets you and a guest in for free at nine museums of the region.
""")
    source = WORK / "deed-of-gift-hartnell.docx"
    word(source, "Deed of gift", "Notary Pauline Ashgrove", [
        ("Donor", ["Beatrix Hartnell of Carrow gives the things named below to the Pellbrook Mill Museum, on 9 May 2017."]),
        ("Gift", ["The gift is 430 glass negatives by her grandfather, Rowland Hartnell, with his mahogany camera and its two lenses."]),
        ("Conditions", ["The negatives may not be sold.", "Prints may be sold only after 1 January 2030.", "At every showing the name of the photographer is given."]),
        ("Storage", ["The museum keeps the negatives in a steel cabinet, upright, in sleeves of cotton paper."]),
    ])
    office(source, "rtf")
    path = FILES / "deed-of-gift-hartnell.rtf"
    path.write_bytes(re.sub(rb"\{\\\*?\\?(creatim|revtim|printim)[^}]*\}", b"", path.read_bytes()))


def make_slides():
    slides(FILES / "annual-review-2023.pptx", "Review of the year 2023", "Edith Varga", [
        ("The year 2023 in numbers", ["18,764 visitors, six percent more than the year before", "142 school classes"], ""),
        ("The best-loved object", ["The carousel horse Duchess won with 31 percent of the votes", "Second came the stuffed pike"], "The vote was held in August, with 2,208 slips in the box."),
        ("The shop", ["Turnover of 37,900 euros"], "Postcards sold best: 5,210 of them went over the counter."),
        ("Repairs", ["New glass in eleven windows of the Rag Room", "The lift stood still for 19 days in March"], ""),
    ])
    slides(FILES / "new-gallery-proposal.pptx", "A gallery for water and steam", "Edith Varga", [
        ("A gallery for water and steam", ["It would fill the empty turbine hall, 260 square metres"], "The idea goes back to a sketch by Harold Finch."),
        ("Who pays", [["Source", "Share"], ["Heritage fund", "247,000 euros"], ["Town of Pellbrook", "90,000 euros"], ["Friends of the museum", "75,000 euros"]], ""),
        ("Timetable", ["Plans are ready in February 2025", "Doors open in May 2026"], "The builders need the yard for thirty weeks."),
        ("Risks", ["The flood wall must be raised by 45 centimetres first"], ""),
    ])
    source = WORK / "school-visits-induction.pptx"
    slides(source, "Induction for school visits", "Priya Dunmore", [
        ("Before the class arrives", ["A class has at most 28 pupils and comes with two teachers", "Coats go into the wire trolleys"], ""),
        ("Papermaking workshop", ["Every child makes two sheets", "The workshop lasts 75 minutes"], "The aprons for children are in the blue chest behind the vat."),
        ("A child is missing", ["Stay where you are and ring the hand bell", "All others gather at the carousel horse"], "Tell the front desk at once; the code word is marigold."),
    ])
    office(source, "odp")
    for name in ("annual-review-2023.pptx", "new-gallery-proposal.pptx", "school-visits-induction.odp"):
        steady(FILES / name)


# ---------------------------------------------------------------- tables

THINGS = ["Sundial", "Lantern", "Kettle", "Spindle", "Inkwell", "Tankard", "Hourglass", "Bellows", "Snuffbox", "Padlock"]
TOWNS = ["Carrow", "Fenlow", "Tarn Hythe", "Lindenau", "Osmere", "Great Sall", "Dunwick", "Harrowgate Mill", "Pell St Mary", "Brockley Ford",
         "Wexmoor", "Inchbeck", "Stannery", "Oldcote", "Merrin", "Quarrel Hill", "Askby", "Thorne Abbas", "Luddock", "Vale End"]
KEPT = ["Rag Room", "Tower", "Vat House", "Store A", "Store B"]


def register():
    """The 200 rows of the register: every thing from every town once, each with a value of its own."""
    rows = [["Number", "Object", "From", "Made in", "Kept in", "Value in euros"]]
    for at in range(200):
        rows.append([f"PM {1001 + at}", THINGS[at % 10], TOWNS[(at // 10 + at) % 20], 1701 + at * 29 % 211, KEPT[at * 3 % 5], 140 + at * 173 % 1999])
    return rows


def make_workbooks():
    sheet(FILES / "collection-register.xlsx", {
        "Objects": register(),
        "Rooms": [["Room", "Floor", "Attendant", "Square metres"], ["Rag Room", 1, "Gus Adeyemi", 118], ["Tower", 4, "Hal Pember", 31], ["Vat House", 0, "Nadia Bellwether", 204], ["Store A", 0, "Tomas Quill", 77], ["Store B", 2, "Mireille Sato", 92]],
        "Disposals": [["Number", "Object", "Given to", "Day"], ["PM 0088", "Sledge", "Toy museum of Osmere", datetime.date(2021, 10, 5)], ["PM 0151", "Harmonium", "Chapel of Askby", datetime.date(2022, 2, 17)], ["PM 0309", "Fire engine", "Fire brigade of Merrin", datetime.date(2023, 6, 30)]],
    })
    sheet(FILES / "shop-stock.xlsx", {
        "Stock": [["Article", "Price", "In stock", "Shelf"], ["Postcard of the carousel horse", 1.2, 860, "S1"], ["Notebook of rag paper", 14.5, 64, "S3"], ["Jigsaw of the tapestry", 22, 35, "S2"], ["Tin whistle", 6.9, 118, "S2"], ["Beeswax candle", 8.4, 57, "S4"], ["Model kit of the waterwheel", 39, 16, "S4"]],
        "Suppliers": [["Supplier", "Town", "Delivers", "Discount in percent"], ["Osmere Print", "Osmere", "Postcard, jigsaw", 12], ["Wick & Comb", "Askby", "Beeswax candle", 5], ["Lowe Toys", "Stannery", "Tin whistle, model kit", 8]],
        "Orders": [["Order", "Placed", "Article", "Pieces", "Due"], [731, datetime.date(2024, 3, 4), "Jigsaw of the tapestry", 60, datetime.date(2024, 4, 22)], [732, datetime.date(2024, 3, 11), "Beeswax candle", 144, datetime.date(2024, 3, 27)], [733, datetime.date(2024, 3, 19), "Tin whistle", 75, datetime.date(2024, 5, 6)]],
    })
    for name in ("collection-register.xlsx", "shop-stock.xlsx"):
        steady(FILES / name)

    book = xlsxwriter.Workbook(FILES / "budget-2024.xlsx")
    book.set_properties({"title": "Budget 2024", "author": "Oskar Lindgren", "created": THEN})
    bold, day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd"})
    for title, head, rows in [
        ("Income", ["Source", "Planned", "Year before"], [["Admissions", 121400, 114950], ["Grant of the town", 88000, 88000], ["Shop", 39500, 37900], ["Lease of the café", 14300, 13800], ["Donations", 22750, 26110]]),
        ("Spending", ["Purpose", "Planned", "Year before"], [["Salaries", 176300, 169200], ["Heating", 31850, 27480], ["Insurance", 12640, 12105], ["Cleaning", 9480, 9120], ["Exhibitions", 24900, 30350]]),
        ("Projects", ["Project", "Planned", "Responsible", "Ready by"], [["Roof of the boiler house", 70000, "Hal Pember", datetime.date(2024, 9, 30)], ["Barrel organ", 6800, "Mireille Sato", datetime.date(2024, 11, 15)], ["Website", 11200, "Priya Dunmore", datetime.date(2024, 8, 1)], ["Digital archive", 15750, "Tomas Quill", datetime.date(2025, 1, 31)]]),
    ]:
        page = book.add_worksheet(title)
        page.set_column(0, 0, 28)
        page.merge_range(0, 0, 0, len(head) - 1, f"Pellbrook Mill Museum: {title.lower()} 2024, in euros", bold)
        page.write_row(2, 0, head, bold)
        for y, row in enumerate(rows, 3):
            for x, value in enumerate(row):
                page.write_datetime(y, x, datetime.datetime.combine(value, datetime.time()), day) if isinstance(value, datetime.date) else page.write(y, x, value)
        last = 3 + len(rows)
        page.write(last, 0, "Total", bold)
        page.write_formula(last, 1, f"=SUM(B4:B{last})", bold, sum(row[1] for row in rows))
    book.close()


def make_other_sheets():
    remarks = {("Store", 6): "dehumidifier emptied", ("Store", 17): "window left ajar", ("Store", 23): "sensor moved to shelf nine", ("Tower", 9): "snow on the sill", ("Tower", 20): "bat found behind the clock"}
    source = WORK / "climate-readings-february.xlsx"
    sheet(source, {
        title: [["Day", "Degrees", "Humidity in percent", "Remark"]] + [[datetime.date(2024, 2, day), round(warm + day * 7 % 11 / 10, 1), damp + day * 5 % 13, remarks.get((title, day), "none")] for day in range(1, 30)]
        for title, warm, damp in (("Store", 16.1, 48), ("Tower", 7.4, 61))
    })
    office(source, "ods")
    steady(FILES / "climate-readings-february.ods")

    months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
    source = WORK / "visitors-by-month.xlsx"
    sheet(source, {
        year: [["Month", "Adults", "Children", "Guided tours"]] + [[month, 310 + (at * a + b) % 977, 120 + (at * b + a) % 491, 4 + (at * 7 + b) % 19] for at, month in enumerate(months)]
        for year, a, b in (("2022", 431, 89), ("2023", 389, 147))
    })
    office(source, "xls")


def make_separated():
    plain("donors-2023.csv", '''Name,Town,Euros,Purpose,Received
"Calloway, Ruth",Pellbrook,1500,Roof of the boiler house,2023-02-14
"Bakery Tarrant, Ltd",Pellbrook,420,School classes,2023-03-02
"Hartnell, Beatrix",Carrow,2750,Cabinet for glass negatives,2023-04-19
"Rotary circle of Merrin",Merrin,3300,Barrel organ,2023-05-23
"Oduya, Ben",Great Sall,185,School classes,2023-07-08
"Anonymous",Unknown,640,"Stork camera, with mast",2023-08-30
"Lowe, Dorothea",Stannery,975,Barrel organ,2023-10-11
"Choir of St Mary's",Pell St Mary,260,New chairs,2023-12-17
''')
    plain("kassenbuch-mai.csv", "\r\n".join([
        "Datum;Beleg;Buchungstext;Einnahme;Ausgabe", "02.05.2024;113;Eintrittskarten;412,00;0,00", "03.05.2024;114;Führung Grundschule Mühlbach;84,00;0,00",
        "07.05.2024;115;Schlüsseldienst, Türschloss am Archiv;0,00;146,50", "11.05.2024;116;Blumen zum Jubiläum von Frau Sato;0,00;23,90", "16.05.2024;117;Spende der Bäckerei Höfer;250,00;0,00",
        "22.05.2024;118;Glühbirnen für die Säle;0,00;61,20", "28.05.2024;119;Saalmiete des Männerchors;130,00;0,00", "",
    ]), "iso-8859-1")
    plain("photo-index.tsv", """Plate\tSubject\tPhotographer\tYear\tBox
H-017\tWomen sorting rags\tRowland Hartnell\t1908\t4
H-052\tThe frozen weir\tRowland Hartnell\t1912\t4
H-133\tFuneral of Constance Tarrant the younger\tRowland Hartnell\t1921\t7
H-208\tFirst motor lorry of the mill\tRowland Hartnell\t1924\t9
K-004\tBrass band on the chimney base\tIda Kestrel\t1933\t12
K-019\tFlood in Mill Lane\tIda Kestrel\t1937\t12
K-031\tChildren with a carousel horse\tIda Kestrel\t1948\t13
""")


# ---------------------------------------------------------------- PDF


def make_fire_plan():
    """A PDF by groff, with the macros of its ms package."""
    text = """.TL
Fire plan of the Pellbrook Mill Museum
.AU
Hal Pember, caretaker
.SH
Alarm
.PP
Break the glass of the nearest red box.
The siren sounds in three short bursts.
Do not use the lift.
.SH
Where to gather
.PP
Everybody gathers under the lime tree in the yard of the old bakery.
The volunteer with the yellow vest counts heads and reports to the fire brigade of Merrin.
.SH
Gas and power
.PP
The main gas tap is in the cellar, behind the coal hatch.
The switch for the whole building is grey and hangs in the porter's lodge.
.bp
.SH
What is carried out first
.PP
Only if the fire brigade allows it, things are carried out in this order: first the ledger of 1791, then the orrery, then the tapestry.
The tapestry needs four people and the long cardboard roll.
.SH
Extinguishers
.PP
In the Tower there is one with carbon dioxide, since water would ruin the clock.
All others hold foam.
They are checked every two years, the last time in October 2023.
"""
    source = WORK / "fire-plan.ms"
    source.write_text(text)
    (FILES / "fire-plan.pdf").write_bytes(run("groff", "-ms", "-Tpdf", source))


def make_machine_manual():
    """A PDF by LibreOffice, long enough for three pages."""
    checks = ["Look at the belts from both sides.", "Wipe the oil from the glass of the gauge.", "See that nobody stands at the wet end.", "Listen to the bearings for half a minute.", "Sweep the broke from the floor and weigh it.", "Write the hour and your name into the book."]
    source = WORK / "paper-machine-manual.docx"
    word(source, "Working the paper machine “Big Agnes”", "Hal Pember", [
        ("Starting", ["Open the steam valve by a quarter turn and wait six minutes.", "The machine then runs at 18 metres a minute; for visitors, never faster.", "Two people are needed: one at the wet end and one at the reel."]),
        ("Daily checks", [f"- {checks[at % 6]}" for at in range(90)]),
        ("Care", ["The felt is washed after every 40 hours of running, with soft soap only.", "The couch roll is greased on the first Monday of the month."]),
        ("Stopping in danger", ["Pull the yellow rope that runs along the whole machine.", "Afterwards only the caretaker may start the machine again, with the brass key."]),
    ])
    office(source, "pdf")


HEAD = ParagraphStyle("head", fontName="Times-Bold", fontSize=13, leading=16, spaceBefore=8, spaceAfter=4)
BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=10.5, leading=13.5, alignment=4, spaceAfter=5)
LARGE = ParagraphStyle("large", parent=BODY, fontSize=12, leading=17, spaceAfter=9)


def make_newsletter():
    """Two pages of two columns each, by reportlab."""
    columns = [
        [("The organ will sing again", ["For sixteen years the barrel organ in the Vat House has been silent. In September its bellows went to the workshop of Anselm Reith in Osmere, who has promised us eight tunes by next autumn. The ninth, a polka, is beyond saving: mice have eaten the pins of the barrel.",
                                        "The repair is paid by the Rotary circle of Merrin and by a lady in Stannery who wishes to hear the waltz that her mother danced to."]),
         ("A stork on the chimney", ["A pair of storks has built a nest on the chimney, the first since 1953. A camera on a mast now shows them to everybody in the Drying Loft. Three young birds flew off on 11 August."])],
        [("Hands wanted", ["We look for people who would like to sort rags in the old way, on the second Saturday of the month. You need no knowledge, only patience and a good pair of eyes. Ask Gus Adeyemi.",
                           "Four posts are free at the ticket desk as well."]),
         ("Thefts from the garden", ["Somebody has dug up the madder and the weld in our dyers' garden, 23 plants in all. If you have seen them, please tell the caretaker. No questions will be asked, and there will be cake."])],
        [("Talks in winter", ["On 16 November Ruth Calloway speaks on watermarks and their forgers. On 14 December Mireille Sato shows how a tapestry is washed. On 18 January Tomas Quill reads from the letters of the strikers. All talks begin at seven in the evening and cost 5 euros, with mulled cider."]),
         ("From the archive", ["This season's find is a bill of 1847 for the food of sixteen horses and their drivers, who brought the paper machine up the hill. They ate 210 loaves in nine days."])],
        [("The shop", ["There is a new calendar with twelve of Rowland Hartnell's pictures, printed on our own paper. It costs 17 euros, and only 400 have been made."]),
         ("People", ["Priya Dunmore has joined us as education officer; she used to teach at the school in Brockley Ford. We say farewell to Walter Nye, who wound the tower clock every Monday for 33 years."])],
    ]

    def title(page, document):
        page.setFont("Times-Bold", 20)
        page.drawString(18 * mm, 277 * mm, "The Pellbrook Heron")
        page.setFont("Times-Italic", 10)
        page.drawRightString(192 * mm, 277 * mm, "Newsletter of the mill museum, autumn 2023")
        page.line(18 * mm, 273 * mm, 192 * mm, 273 * mm)

    frames = [Frame(x * mm, 18 * mm, 83 * mm, 252 * mm) for x in (18, 109)]
    paper = BaseDocTemplate(str(FILES / "newsletter-autumn-2023.pdf"), pagesize=A4, title="The Pellbrook Heron, autumn 2023", author="Gus Adeyemi", invariant=1)
    paper.addPageTemplates(PageTemplate(frames=frames, onPage=title))
    story = []
    for number, column in enumerate(columns):
        if number:
            story.append(FrameBreak())
        for heading, paragraphs in column:
            story += [Paragraph(heading, HEAD), *(Paragraph(each, BODY) for each in paragraphs)]
    paper.build(story)


HISTORY = [
    ("The weir", ["In 1791 Josiah Tarrant, a dealer in linen, bought the weir on the river Sall for 310 guineas. There had been a corn mill on the bank for four hundred years, but its last miller had gone bankrupt, and the wheel stood still.",
                  "Tarrant kept a ledger from the first day. It begins with the price of a spade and ends, on the last leaf, with a recipe for the gout. It is the oldest book in our archive."]),
    ("The first sheet", ["It took two years until the vats were set up and the wheel turned the beaters. The first sheet was drawn on 4 February 1793, in the presence of the vicar, and is said to have been given to him to write his sermon on.",
                         "Tarrant chose a heron for his watermark, since one stood on the weir every morning. Six vatmen came from the south with their families and were housed in the row that is now Mill Lane."]),
    ("The flood", ["On the night of 12 November 1808 the Sall rose above its banks. In the vat house the water stood 1.9 metres high, and the mark can still be seen beside the door.",
                   "Nobody drowned, but 700 reams were lost. It was after this flood that the drying loft was moved to the upper floor, where it has remained, and where today coffee is served."]),
    ("Rags", ["Paper was made of rags, and rags were scarce. Tarrant's carts fetched them from three ports, and he bought the old sails of the whole herring fleet.",
              "They were sorted by 38 women, who cut off the buttons and the seams with a blade fixed upright in the table. They were paid by the hundredweight. Buttons they could keep, and a jar with 4,112 of them was found under the floor in 1987."]),
    ("The fire", ["On Whit Monday of 1826 a fire began in the glue kitchen. It burned for two days and destroyed the roof, both beaters and 2,400 reams of writing paper.",
                  "Josiah Tarrant died in the same year. It was his daughter Constance who built up the mill again, in fourteen months, with money lent by a Quaker bank. She was then twenty-six years old."]),
    ("Big Agnes", ["The paper machine was ordered in 1846 from Loxley & Brand for 5,250 guineas, twice as much as the house of the Tarrants had cost. It came the next summer in eleven wagons, drawn by sixteen horses.",
                   "The men named the machine after the wife of the foreman, Agnes Plumb, who is reported to have been just as loud. In the first year it made more paper than the vats had made in ten."]),
    ("The school", ["In 1851 Constance Tarrant opened a school for the children of the mill, with 64 pupils in one room above the stables. Its only teacher for thirty years was Ada Prewett, who had herself sorted rags as a child.",
                    "The lessons ended at noon, for in the afternoon the older children turned the sheets in the loft. The slates have survived, and so has the cane."]),
    ("The strike", ["In the spring of 1889 the machine stood still for seven weeks. The women of the rag room, led by Martha Dyson, wanted a penny more an hour and a window that could be opened.",
                    "They got both. The letters that passed between Dyson and the owners, 52 in all, were bought by the museum at an auction in 2004."]),
    ("The railway", ["A siding was laid to the mill in 1896, and on its first day a locomotive ran through the wall of the coal shed. From then on the china clay came by rail, and the carters of the town lost their bread.",
                     "One of them, Elias Groom, turned his stable into the carousel from which our horse Duchess comes. It travelled to fairs until 1939."]),
    ("The wars", ["From 1915 the mill made paper for cartridges, and after 1940 it made maps printed on both sides. The chimney was shortened by six metres so that it could not guide the bombers.",
                  "Of the 97 men who went to the first war, 22 did not come back. Their names are on the brass plate in the porter's lodge."]),
    ("The end of the work", ["After 1950 one customer after another was lost to bigger mills. The last order with the heron in the sheet was for the ballot papers of 1958.",
                             "On 29 March 1974 the machine was stopped for good, and 83 people lost their work. For some years the halls were let to a grower of mushrooms."]),
    ("The museum", ["In 1983 the building was to be torn down for a car park. A teacher, Harold Finch, gathered 5,600 signatures against it and became the first curator when the museum opened, on 1 June 1991.",
                    "It began with twelve volunteers and one stove. Since 2016 it has been led by Edith Varga, and Big Agnes runs again on the first Sunday of every month."]),
]


def make_history():
    """Twelve pages with running heads, by reportlab."""

    def running(page, document):
        page.setFont("Times-Italic", 9)
        page.drawString(30 * mm, 280 * mm, "A history of the mill at Pellbrook")
        page.drawRightString(180 * mm, 280 * mm, HISTORY[document.page - 1][0])
        page.drawCentredString(105 * mm, 14 * mm, f"page {document.page} of {len(HISTORY)}")

    paper = BaseDocTemplate(str(FILES / "history-of-the-mill.pdf"), pagesize=A4, title="A history of the mill at Pellbrook", author="Ruth Calloway", invariant=1)
    paper.addPageTemplates(PageTemplate(frames=[Frame(28 * mm, 22 * mm, 154 * mm, 250 * mm)], onPage=running))
    story = []
    for number, (heading, paragraphs) in enumerate(HISTORY):
        if number:
            story.append(PageBreak())
        story += [Paragraph(f"{number + 1}. {heading}", HEAD), *(Paragraph(each, LARGE) for each in paragraphs)]
    paper.build(story)


def make_invoice():
    """One page with a table, by reportlab."""
    rows = [["Item", "Quantity", "Euros"], ["Scaffold, hire for nine weeks", "1", "5,300"], ["Welsh slates, laid", "3,150", "11,970"], ["Lead flashing at the chimney", "26 m", "2,860"], ["Clearing of two gutters", "2", "1,270"], ["Sum of this instalment", "", "21,400"]]
    paper = BaseDocTemplate(str(FILES / "invoice-2024-117-brannigan.pdf"), pagesize=A4, title="Invoice 2024-117", author="Brannigan & Daughter", invariant=1)
    paper.addPageTemplates(PageTemplate(frames=[Frame(25 * mm, 25 * mm, 160 * mm, 245 * mm)]))
    paper.build([
        Paragraph("Brannigan &amp; Daughter, roofers, Stannery", HEAD), Paragraph("Invoice 2024-117 of 1 July 2024, to the Pellbrook Mill Museum", LARGE),
        Paragraph("First of three instalments for the roof of the boiler house. The contract sum is 64,200 euros.", LARGE),
        Table(rows, colWidths=[90 * mm, 30 * mm, 30 * mm], style=[("GRID", (0, 0), (-1, -1), 0.5, "black"), ("FONTNAME", (0, 0), (-1, -1), "Times-Roman"), ("ALIGN", (1, 0), (-1, -1), "RIGHT")]),
        Paragraph("<br/>Please pay by 30 July 2024. Whoever pays within ten days may deduct two percent.", LARGE), Paragraph("Our foreman on the site is Declan Moyle.", LARGE),
    ])


def make_locked():
    """A PDF that opens only with a password."""
    source = WORK / "open.pdf"
    page = canvas.Canvas(str(source), pagesize=A4, invariant=1)
    page.drawString(30 * mm, 250 * mm, "Salaries of the staff. Nobody without the password can read this line.")
    page.save()
    run("qpdf", "--static-id", "--static-aes-iv", "--encrypt", "heron-on-the-weir", "owner-of-the-weir", "256", "--", source, FILES / "locked.pdf")


# ---------------------------------------------------------------- book and mail


def make_epub():
    book = epub.EpubBook()
    book.set_identifier("the-bell-founder"), book.set_title("The bell founder"), book.add_author("Dorothea Lowe"), book.set_language("en")
    items = []
    for number, (heading, paragraphs) in enumerate([
        ("The casting", ["Ambrose Teal had dug the pit himself, eleven feet deep, behind the tannery.", "Into the molten bronze his widowed sister threw her wedding ring and a handful of silver spoons.", "They let the bell cool for five days and slept beside it by turns."]),
        ("The crack", ["On the road to Fenlow the left wheel broke, and the bell rolled down into the nettles.", "When they struck it, it answered with the voice of a saucepan.", "Ambrose laughed until he wept; then he sold his horse, a piebald called Parson, to buy new tin."]),
        ("The peal", ["The second bell was hung on the eve of Michaelmas.", "A blind girl named Tamsin was allowed to ring it first, because she had asked for nothing else in her life.", "It could be heard as far as Quarrel Hill, nine miles away."]),
    ], 1):
        item = epub.EpubHtml(title=heading, file_name=f"chapter{number}.xhtml", lang="en")
        item.content = f"<h1>{heading}</h1>" + "".join(f"<p>{each}</p>" for each in paragraphs)
        book.add_item(item)
        items.append(item)
    book.toc, book.spine = tuple(items), ["nav", *items]
    book.add_item(epub.EpubNcx()), book.add_item(epub.EpubNav())
    epub.write_epub(FILES / "the-bell-founder.epub", book, {"mtime": THEN})
    steady(FILES / "the-bell-founder.epub")


def mail(name, box, host, when, subject, text, to="office@pellbrook-mill.example", **how):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = Address(name, box, host), to, subject
    message["Date"] = datetime.datetime.fromisoformat(when + "T11:40:00+00:00")
    message["Message-ID"] = f"<{when}.{box}@{host}>"
    message.set_content(text, **how)
    return message


def make_mail():
    letter = mail("Clara Winthrop", "clara", "carrow-observatory.example", "2024-05-17", "Re: Loan of the astrolabe",
                  "Dear Edith,\n\nthank you for asking. We can lend you our astrolabe from 10 June, but for eleven weeks only.\n\nIt must be insured for 87,500 euros, and it needs a case with a pane of at least six millimetres.\n\nThe fee for the loan is 350 euros; we waive it if you send us your catalogue.\n\nYours, Clara Winthrop\n")
    letter.add_alternative("""<html><body><p>Dear Edith,</p>
<p>thank you for asking. We can lend you our <b>astrolabe</b> from 10&nbsp;June, but for eleven weeks only.</p>
<p>It must be insured for <b>87,500 euros</b>, and it needs a case with a pane of at least six millimetres.</p>
<p>The fee for the loan is 350 euros; we waive it if you send us your catalogue.</p>
<p>Yours, Clara Winthrop</p></body></html>
""", subtype="html")
    letter.set_boundary("=====astrolabe=====")
    (FILES / "Re Loan of the astrolabe.eml").write_bytes(bytes(letter))

    letter = mail("Jürgen Köhler", "koehler", "mechanik-lindenau.example", "2024-02-26", "Anfrage: Leihgabe der Spieluhr für Lindenau", """Sehr geehrte Frau Varga,

für unsere Ausstellung „Klang aus Messing“ möchten wir gern Ihre Spieluhr von 1863 ausleihen, und zwar vom 5. Oktober bis zum 12. Januar.

Wir versichern das Stück mit 28.000 Euro. Unser Restaurator, Herr Weißgerber, holt es selbst ab.

Bitte teilen Sie uns bis zum 15. April mit, ob die Walze noch spielbar ist und wie viele Zähne dem Kamm fehlen.

Mit freundlichen Grüßen
Jürgen Köhler
Museum für Mechanik, Lindenau
""", charset="utf-8", cte="quoted-printable")
    (FILES / "Anfrage Spieluhr.eml").write_bytes(bytes(letter))

    host = "pellbrook-mill.example"
    letters = [
        mail("Oskar Lindgren", "oskar", host, "2024-01-08", "Heating bill", "The heating bill for the last quarter is 9,730 euros, a third more than we had planned.\n\nI ask everybody to keep the doors to the Tower shut.\n"),
        mail("Lena Okafor", "lena", host, "2024-01-09", "Re: Heating bill", "> The heating bill for the last quarter is 9,730 euros, a third more than we had planned.\n\nLet us lower the stores to 16 degrees and put felt on the north door. I can get the felt for 110 euros.\n"),
        mail("Nadia Bellwether", "nadia", host, "2024-01-22", "Name of the summer exhibition", "After much talk the summer exhibition will be called “Clockwork and Moonlight”. The poster will be drawn by Jonas Imre.\n"),
        mail("Edith Varga", "edith", host, "2024-02-05", "Visit of the minister", "The minister for culture comes on 3 May at eleven. She has forty minutes and wants to see the tapestry. Please no brass band this time.\n"),
        mail("Hal Pember", "hal", host, "2024-02-12", "Eel in the turbine", "We had to stop the small turbine since an eel of nearly a metre got past the grating. The grating costs 275 euros to mend. The eel is well.\n"),
    ]
    whole = b"".join(b"From " + each["From"].addresses[0].addr_spec.encode() + each["Date"].datetime.strftime(" %a %b %d %H:%M:%S %Y\n").encode() + bytes(each) + b"\n" for each in letters)
    (FILES / "trustees-2024.mbox").write_bytes(whole)


# ---------------------------------------------------------------- text of many kinds


def make_notebook():
    cells = [
        nbformat.v4.new_markdown_cell("# Survey of visitors\n\nIn October we handed out forms at the exit and got 326 of them back."),
        nbformat.v4.new_code_cell("marks = {5: 148, 4: 121, 3: 39, 2: 12, 1: 6}\nround(sum(mark * many for mark, many in marks.items()) / sum(marks.values()), 2)", execution_count=1,
                                  outputs=[nbformat.v4.new_output("execute_result", data={"text/plain": "4.21"}, execution_count=1)]),
        nbformat.v4.new_markdown_cell("What most people miss are benches: 94 wrote so. Next come labels in larger print, with 58."),
        nbformat.v4.new_code_cell("minutes = [35, 50, 65, 80, 95, 120, 150]\nsorted(minutes)[len(minutes) // 2]", execution_count=2,
                                  outputs=[nbformat.v4.new_output("execute_result", data={"text/plain": "80"}, execution_count=2)]),
        nbformat.v4.new_markdown_cell("The farthest visitor came from Hobart, and one family had cycled 140 kilometres."),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"survey-{number}"
    book = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"language": "python", "name": "python3", "display_name": "Python 3"}})
    nbformat.validate(book)
    nbformat.write(book, FILES / "visitor-survey.ipynb")


def make_subtitles():
    plain("oral-history-rag-sorter.srt", "\r\n".join([
        "1", "00:00:04,000 --> 00:00:09,500", "My name is Peggy Marlow, and I started in the rag room", "when I was fourteen, in 1946.", "",
        "2", "00:00:48,000 --> 00:00:54,000", "We got eleven shillings a week,", "and a bar of soap at Christmas.", "",
        "3", "00:01:36,200 --> 00:01:41,000", "<i>Once I found a love letter in the lining of a coat.</i>", "",
        "4", "00:02:25,000 --> 00:02:31,500", "The foreman was called Sid Garrity,", "and he had a wooden hand.", "",
        "5", "00:03:19,000 --> 00:03:25,000", "On the last day we each took home", "a sheet with the heron in it.", "",
    ]))
    plain("audio-guide.vtt", """WEBVTT - Audio guide, ground floor

NOTE recorded by Priya Dunmore in January 2024

station-1
00:00:03.000 --> 00:00:10.000
<v Priya>You are standing before the great vat. It holds 1,450 litres of pulp.

station-2
00:01:05.000 --> 00:01:13.500
<v Priya>The hammers to your left were driven by the wheel and beat the rags for eighteen hours.

station-3
00:02:20.000 --> 00:02:29.000
<v Hal>This pike was caught below the weir in 1902. It weighed 31 pounds.

station-4
00:03:40.000 --> 00:03:48.000
<v Priya>The musical box beside the window plays six airs. Only the curator may wind it.
""")


def make_web_pages():
    plain("opening-hours.html", """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="author" content="Walter Nye">
<meta name="date" content="2022-05-03">
<title>Opening hours and prices 2022</title>
</head>
<body>

<h1>Opening hours and prices 2022</h1>

<p>In 2022 the museum is open on Saturdays and Sundays only, from 11 to 16, because of the works in the Rag Room.</p>

<h2>Prices</h2>

<p>In 2022 adults pay 8 euros and children pay 3 euros. The guided tour at two o'clock costs 2 euros more.</p>

<h2>How to find us</h2>

<p>Bus number 47 stops at the bridge. From the railway station it is a walk of 25 minutes along the Sall.</p>

</body>
</html>
""")
    plain("exhibition-clockwork.html", """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Clockwork and Moonlight</title><style>p { max-width: 40em }</style></head>
<body>

<h1>Clockwork and Moonlight</h1>

<p>Our summer exhibition shows 73 machines that tell the hour, the tide or the phase of the moon. It runs from 15 June to 25 August.</p>

<ul>

<li>The smallest piece is a watch set in a ring, eight millimetres wide.</li>

<li>The loudest is the alarm clock of Captain Yarrow, which fires a little cannon.</li>

<li>The oldest is the tower clock of 1688, with a single hand.</li>

</ul>

<p>The curators Nadia Bellwether &amp; Felix Amari lead through the rooms every Thursday at three.</p>

</body>
</html>
""")


def make_markup():
    plain("barrel-organ-repair.md", """---
title: Repair of the barrel organ
author: Mireille Sato
date: 2024-02-08
tags: [organ, repair]
---

# Repair of the barrel organ

The organ was built in 1856 by Gavioli's pupil Enzo Marchetti. It has 46 pipes, of which five are dumb.

## Bellows

The leather of the bellows was replaced with sheepskin. Anselm Reith charged 2,380 euros for it.

## Barrel

- The barrel is of poplar and carries about 7,900 pins.
- We replaced 314 pins with brass wire.

## Still to do

The crank squeaks. Before the opening it needs a new bush of *lignum vitae*.
""")
    plain("cataloguing-rules.md", """# Rules for cataloguing

Every new object gets its number within five working days.

Numbers are written with India ink on a bed of clear lacquer, never on the face of the object. On textiles we sew a cotton tape instead.

## Photographs

Each object is photographed from four sides, with the grey card and a scale of ten centimetres.

## Loans that come in

Loans that come in get a number that begins with L, and a blue tag. After two years without contact with the owner, tell the archivist.
""")
    plain("caretaker-tasks.org", """#+TITLE: Tasks of the caretaker
#+AUTHOR: Hal Pember

* TODO Swallows under the eaves

Leave the ladder down until the swallows have flown, about the tenth of September.

* TODO Tower clock

The tower clock loses two minutes a week. The pendulum needs another penny on it.

* DONE Boiler

The boiler was swept on 6 March by Norris Teague, who found a boot in the flue.

* TODO Gutter at the north side

Order nine metres of zinc gutter and a new downpipe for the north side.
""")
    plain("archive-access.rst", """Using the archive
=================

Reading room
------------

The reading room has six desks and is open on Tuesdays and Thursdays from nine to one.

Orders
------

Papers are ordered three days ahead. Nobody gets more than five boxes a day.

Copies
------

A scan costs 40 cents a page. Letters younger than 70 years are not copied without leave of the family.

Pencils
-------

Only pencils may be used. Gloves of nitrile are handed out for photographs, but not for paper.
""")
    plain("dating-the-waterwheel.tex", r"""\documentclass{article}
\title{Dating the old waterwheel}
\author{Saskia Brandvold}
\date{11 September 2019}
\begin{document}
\maketitle

\section{Sample}

The sample was taken from the fifth spoke of the wheel and shows 137 rings.

\section{Result}

The oak was felled in the winter of 1788, three years before Tarrant bought the weir. The last ring below the bark is complete.

\section{Origin}

The curve fits best with the oaks of \emph{Thorne Abbas}, some 60~kilometres upstream, so the timber was probably rafted.

\end{document}
""")


def make_plain_texts():
    plain("shift-notes.txt", """Saturday, 20 April

The card reader at the desk did not work until noon. Spare rolls are in the drawer with the string.

A man from Dunwick asked for the grave of Elias Groom. I sent him to the chapel of Askby – he left 50 euros in the box.

Sunday, 21 April

We counted 211 visitors, most of them after three. The lift got stuck once, with a pram in it.

Lost property: one grey glove, a child's wellington boot and a set of false teeth.
""")
    plain("Besucherbuch.txt", """Aus unserem Besucherbuch\r
\r
14. Mai: Die alte Papiermaschine ist großartig, aber im Café gab es leider keinen Käsekuchen mehr. – Ute Brömmel\r
\r
19. Mai: Unser Sohn hat seine rote Mütze im Glockenturm verloren. Wer sie findet, bekommt 5 € Finderlohn! – Familie Grünwald aus Fößlingen\r
\r
26. Mai: „Wir haben siebzehn Bögen Papier geschöpft und nur einen zerrissen.“ – Klasse 4b\r
\r
2. Juni: Die Führung mit Herrn Pember dauerte zwei Stunden und war keine Minute zu lang. – Dr. Hölzl\r
""", "windows-1252")
    plain("key-list.txt", """List of keys, January 2024\r
\r
The key of the Tower hangs on hook 12 in the porter's lodge.\r
\r
Store A has two keys. Tomas Quill has one; the other is sealed in the director's safe.\r
\r
The key of the donation box is kept by Ruth Calloway, who empties it on the first of the month.\r
\r
The padlock at the weir was changed on 19 January after the old one had rusted through.\r
""", "utf-16-le")
    plain("手紙_白浜紙の館.txt", """拝啓\r
\r
このたび白浜紙の館より、水車の模型をお貸しいたします。模型の縮尺は二十分の一で、重さは34キロです。\r
\r
木箱の鍵は館長の森下が持参いたします。\r
\r
展示は11月3日に始め、来年の4月18日までにご返却ください。\r
\r
運送費の8万6千円は当館が負担いたします。\r
\r
敬具\r
""", "shift_jis")
    plain("นิทรรศการกระดาษสา.txt", """นิทรรศการกระดาษสา

นิทรรศการกระดาษสาเปิดวันที่ 6 กรกฎาคม และปิดวันที่ 29 กันยายน

ร่มกระดาษคันใหญ่ที่สุดมีเส้นผ่านศูนย์กลาง 2.8 เมตร ทำโดยช่างสมหมาย

เด็ก ๆ ทำโคมกระดาษได้ทุกวันเสาร์ ค่าวัสดุ 90 บาท

ผู้ดูแลห้องจัดแสดงคือคุณวิภา
""")
    plain("纸灯笼展览.md", """# 纸灯笼展览

展览共展出六十四盏纸灯笼，其中最古老的一盏制于1868年。

最大的灯笼形如鲤鱼，长三米二，由匠人陆青山捐赠。

## 开放时间

灯笼每晚七点点亮，九点熄灭。展厅的湿度须保持在百分之五十五以下。
""")


def make_code_and_log():
    plain("label_printer.py", '''"""Prints the labels for the showcases on the printer in the workshop, which we call Zebedee."""

import textwrap

MARGIN = 7  # millimetres on every side
LONGEST = 240  # characters; visitors do not read more
PAPER = "ivory card, 300 grams"


def label(title, year, text, donor=None):
    """Returns the lines of one label. A donor is thanked in the last line."""
    if len(text) > LONGEST:
        raise ValueError(f"the text has more than {LONGEST} characters")
    lines = [title.upper(), str(year), *textwrap.wrap(text, 48)]
    if donor:
        lines.append(f"Given by {donor}")
    return lines


def braille(title):
    """Only the title is embossed, with dots 1.4 millimetres across."""
    return [title.lower()]


if __name__ == "__main__":
    print("\\n".join(label("Stuffed pike", 1902, "Caught below the weir by the miller's boy.", "Elias Groom")))
''')
    lines = []
    for hour in range(36):
        when = datetime.datetime(2024, 1, 17) + datetime.timedelta(hours=hour)
        lines.append(f"{when:%Y-%m-%d %H:%M:%S} INFO tower reading ok, humidity {58 + hour * 5 % 9} percent")
        if hour == 9:
            lines.append("2024-01-17 09:12:44 WARN tower battery low, 11 percent left")
        if hour == 14:
            lines.append("2024-01-17 14:31:08 ERROR tower no answer from sensor HX-5, tried 4 times")
        if hour == 15:
            lines.append("2024-01-17 15:02:50 INFO tower battery replaced by user hpember")
        if hour == 27:
            lines.append("2024-01-18 03:26:19 WARN tower humidity peak of 79 percent, alarm sent to msato")
    plain("hygrometer-tower.log", "\n".join(lines) + "\n")


# ---------------------------------------------------------------- pictures of text


def font(name, size):
    return ImageFont.truetype(str(FONTS / name), size)


def speckle(picture, many, seed, dark=0):
    """Puts dark and light specks on a grey picture."""
    chance, pixels = random.Random(seed), picture.load()
    for _ in range(many):
        x, y = chance.randrange(picture.width - 1), chance.randrange(picture.height - 1)
        pixels[x, y] = pixels[x + 1, y] = chance.choice((dark, 255))


def make_scan():
    """Three typed pages of 1931 as a scanner would see them: no text in the file, only black and white dots, 300 to the inch."""
    pages = [
        ["Loxley House, Carrow", "3 October 1931", "", "Dear Mr Tarrant,", "", "I have resolved to part with the long-case clock that", "stood in my late father's study. It was made by", "Thaddeus Crome in 1764 and strikes the quarters.", "",
         "I ask 45 pounds for it, which is less than Mr Dace", "of Osmere has offered. I should like to know it in", "a house where it will be wound.", "", "Yours truly,", "Agatha Loxley"],
        ["Inventory of the study at Loxley House", "", "1 long-case clock, walnut, by Crome", "2 globes, one without its stand", "1 barometer, the tube broken", "14 volumes of sermons", "1 stuffed heron under glass",
         "", "The globes are promised to the grammar school.", "The barometer goes to my nephew Percival.", "", "A. L."],
        ["Pellbrook Mill", "19 October 1931", "", "Dear Miss Loxley,", "", "The clock arrived on Friday by the carrier, Mr Jessop,", "who asked for 12 shillings. It has lost its minute", "hand on the way, but it goes.", "",
         "I enclose a cheque for 40 pounds and will send the", "rest at Christmas, as we agreed by telephone.", "", "Yours sincerely,", "Edmund Tarrant"],
    ]
    sheets = []
    for number, lines in enumerate(pages):
        page = Image.new("L", (2480, 3508), 255)
        pen = ImageDraw.Draw(page)
        for at, line in enumerate(lines):
            pen.text((300, 380 + at * 96), line, 20, font("DejaVuSerif.ttf", 58))
        page = page.rotate((0.6, -0.8, 0.4)[number], Image.Resampling.BICUBIC, fillcolor=255)
        speckle(page, 1500, number)
        stream = io.BytesIO()
        page.point(lambda grey: 255 if grey > 140 else 0).convert("1").save(stream, "TIFF", compression="group4", dpi=(300, 300))
        sheets.append(stream.getvalue())
    (FILES / "scan-loxley-letters-1931.pdf").write_bytes(img2pdf.convert(sheets, creationdate=THEN, moddate=THEN, nodate=False))


def make_screenshot():
    picture = Image.new("RGB", (900, 620), "#e9e9ee")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, 900, 46), "#3c4f76")
    pen.text((18, 10), "Notes – Nadia", "white", font("DejaVuSans-Bold.ttf", 22))
    pen.rectangle((30, 76, 870, 590), "#fffbe0", "#c8c090")
    lines = ["To do before the opening", "", "• Dehumidifier DX-40: Mr Abernathy wants 685 euros", "• Fetch the picture frames on Friday at 15:45", "• Alarm company tests the siren on 21 May", "• Order 18 stools from the joiner in Luddock", "• Ask Felix about the glass dome for the moon clock"]
    for at, line in enumerate(lines):
        pen.text((60, 104 + at * 62), line, "#202020", font("DejaVuSans-Bold.ttf" if at == 0 else "DejaVuSans.ttf", 26))
    picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=32).save(FILES / "Screenshot 2024-05-13.png", optimize=True)


def make_receipt():
    lines = ["COBB & SONS IRONMONGERS", "4 Bridge Street, Pellbrook", "", "11 June 2024        09:52", "", "Brass screws x 80    7.60", "Linseed oil 2 l     18.25", "Hinge, cast iron    23.10", "Sandpaper            3.95", "Picture wire 10 m    4.45", "", "TOTAL EUR           57.35", "Paid by card", "", "Served by Winifred", "Goods may be returned", "within 21 days"]
    paper = Image.new("L", (860, 1400), 242)
    pen = ImageDraw.Draw(paper)
    for at, line in enumerate(lines):
        pen.text((60, 70 + at * 74), line, 35, font("DejaVuSansMono.ttf", 46))
    photo = Image.new("L", (1240, 1754), 120)
    desk = ImageDraw.Draw(photo)
    for y in range(photo.height):
        desk.line((0, y, photo.width, y), 105 + y * 40 // photo.height)
    mask = Image.new("L", paper.size, 255).rotate(1.7, Image.Resampling.BICUBIC, expand=True)
    photo.paste(paper.rotate(1.7, Image.Resampling.BICUBIC, expand=True), (170, 150), mask)
    speckle(photo, 1200, 7, 90)
    photo.filter(ImageFilter.GaussianBlur(0.6)).save(FILES / "IMG_20240611_0957.jpg", quality=58, dpi=(150, 150))


def main():
    shutil.rmtree(FILES, ignore_errors=True)
    FILES.mkdir()
    for make in (make_docx, make_odt_and_rtf, make_slides, make_workbooks, make_other_sheets, make_separated, make_fire_plan, make_machine_manual, make_newsletter, make_history, make_invoice, make_locked,
                 make_epub, make_mail, make_notebook, make_subtitles, make_web_pages, make_markup, make_plain_texts, make_code_and_log, make_scan, make_screenshot, make_receipt):
        make()
    for one in sorted(FILES.iterdir()):
        print(one.stat().st_size, one.name)
    shutil.rmtree(WORK)


main()
