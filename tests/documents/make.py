"""Writes the documents beside this file, all of them about a harbour that does not exist.

The files are written by the programs that people use: LibreOffice 7.4, pandoc 2.17 and groff 1.22 (Debian 12),
python-docx 1.2, python-pptx 1.0, openpyxl 3.1 and EbookLib 0.20 (PyPI).

    python3 -m venv v && v/bin/pip install python-docx python-pptx openpyxl ebooklib && v/bin/python make.py
"""

import datetime
import json
import mailbox
import pathlib
import subprocess
import tempfile
from email.message import EmailMessage

import docx
import openpyxl
from ebooklib import epub
from pptx import Presentation

HERE = pathlib.Path(__file__).parent
FILES = HERE / "files"
WORK = pathlib.Path(tempfile.mkdtemp())


def office(source, ending):
    """Has LibreOffice write a file anew, in another format."""
    subprocess.run(["soffice", "--headless", "--convert-to", ending, "--outdir", FILES, source], check=True, capture_output=True)


def word(name, title, author, sections, folder=FILES):
    document = docx.Document()
    document.core_properties.title, document.core_properties.author = title, author
    document.core_properties.created = document.core_properties.modified = datetime.datetime(2024, 3, 18, 9, 0)
    document.add_heading(title, 0)
    for heading, parts in sections:
        document.add_heading(heading, 1)
        for part in parts:
            if isinstance(part, list):
                table = document.add_table(rows=0, cols=len(part[0]))
                for line in part:
                    for cell, text in zip(table.add_row().cells, line):
                        cell.text = text
            else:
                document.add_paragraph(part.removeprefix("- "), style="List Bullet" if part.startswith("- ") else None)
    document.save(folder / name)


def sheet(name, tables, folder=FILES):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in tables.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(row)
    book.save(folder / name)


def annotate(name, formats, comments, folder=FILES):
    """Number formats and comments of cells."""
    book = openpyxl.load_workbook(folder / name)
    for cell, code in formats.items():
        book.active[cell].number_format = code
    for cell, text in comments.items():
        book.active[cell].comment = openpyxl.comments.Comment(text, "Harbour office")
    book.save(folder / name)


def slides(name, pages, folder=FILES):
    deck = Presentation()
    for title, body, notes in pages:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, body
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    deck.save(folder / name)


def book(name, title, author, chapters):
    whole = epub.EpubBook()
    whole.set_identifier(name), whole.set_title(title), whole.add_author(author), whole.set_language("en")
    items = []
    for number, (heading, text) in enumerate(chapters):
        item = epub.EpubHtml(title=heading, file_name=f"part{number}.xhtml")
        item.content = f"<h1>{heading}</h1>" + "".join(f"<p>{paragraph}</p>" for paragraph in text)
        whole.add_item(item)
        items.append(item)
    whole.toc, whole.spine = tuple(items), ["nav", *items]
    whole.add_item(epub.EpubNcx()), whole.add_item(epub.EpubNav())
    epub.write_epub(FILES / name, whole)


def mail(sender, day, subject, text, to="harbour@aldermoor.example", attached=None):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"] = datetime.datetime.fromisoformat(day + "T10:15:00+00:00")
    message.set_content(text)
    if attached:
        message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename=attached)
    return message


def main():
    FILES.mkdir(exist_ok=True)
    word("fees.docx", "Harbour fees 2024", "Ann Lee", [
        ("Visitors", ["A visiting yacht of up to ten metres pays 32 euros a night.", "- Fresh water is included.", "- Shore power costs 4 euros a day."]),
        ("Members", [[["Berth", "Fee a year"], ["Outer pier", "640 euros"], ["Inner basin", "910 euros"]]]),
        ("Late payment", ["Whoever pays after 30 April is charged a surcharge of 12 percent."]),
    ])
    word("statutes.docx", "Statutes of the sailing club", "Board of the club", [
        ("Name and seat", ["The club was founded in 1887 and has its seat in Aldermoor."]),
        ("General meeting", ["The general meeting takes place every year in the second week of February.", "A quorum needs 45 members."]),
        ("Dissolution", ["On dissolution the assets go to the lifeboat society."]),
    ], WORK)
    office(WORK / "statutes.docx", "odt")
    word("lease.docx", "Lease of the boathouse", "Notary Brandt", [
        ("Term", ["The lease runs for 25 years and ends on 31 December 2041."]),
        ("Rent", ["The annual rent is 18,400 euros and follows the consumer price index."]),
        ("Repairs", ["The tenant repairs the slipway; the landlord repairs the roof."]),
    ], WORK)
    office(WORK / "lease.docx", "rtf")
    word("manual.docx", "Manual of the crane", "Liebmann Works", [
        ("Limits", ["The crane lifts at most 12.5 tonnes, and 8 tonnes with the long boom.", "Above a wind speed of 14 metres a second it must not be used."]),
        ("Maintenance", ["The hydraulic oil is changed every 900 hours of operation."] + ["Each part is looked at by hand and noted in the log." for _ in range(60)]),
        ("Emergency stop", ["The red lever beside the cabin cuts the power at once.", "After an emergency stop the brake is released with key number seven."]),
    ], WORK)
    office(WORK / "manual.docx", "pdf")
    sheet("stock.xlsx", {
        "Chandlery": [["Item", "Price", "In stock", "Supplier"], ["Shackle 8 mm", 3.2, 140, "Norrland"], ["Mooring rope 20 m", 48, 12, "Taumann"], ["Fender large", 61.5, 9, "Norrland"]],
        "Orders": [["Number", "Placed", "Item", "Arrives"], [2041, datetime.date(2024, 5, 21), "Anchor chain", datetime.date(2024, 6, 14)], [2042, datetime.date(2024, 5, 28), "Boat hook", datetime.date(2024, 6, 3)]],
    })
    sheet("deposits.xlsx", {"Deposits": [["Boat", "Deposit", "Discount for members"], ["Dinghy", 250, 0.125], ["Motor boat", 900, 0.07]]})
    annotate("deposits.xlsx", {"C2": "0.0%", "C3": "0%"}, {"B3": "Only in cash, says the harbour master."})
    sheet("tides.xlsx", {"June": [["Day", "High water", "Height in metres"], *[[datetime.date(2024, 6, day), datetime.time((day * 50 // 60 + 3) % 24, day * 50 % 60), round(3.1 + day * 0.05, 2)] for day in range(1, 31)]]}, WORK)
    office(WORK / "tides.xlsx", "ods")
    sheet("accounts.xlsx", {"2023": [["Account", "Income", "Costs"], ["Berths", 48200, 0], ["Crane", 9100, 3750], ["Dredging", 0, 27300]]}, WORK)
    office(WORK / "accounts.xlsx", "xls")
    slides("season.pptx", [
        ("Season of 2023", "We had 412 visiting boats, 38 more than the year before.", ""),
        ("Plans for the crane", "The crane gets a new motor in October.", "The motor costs 85,000 euros, half of which the district pays."),
        ("Thanks", "Volunteers gave 1,130 hours.", ""),
    ])
    slides("training.pptx", [
        ("Man overboard", "Throw the horseshoe buoy first, then press the button on the plotter.", ""),
        ("Fire on board", "Close the valve of the gas bottle and use the blanket in the galley.", "The blanket hangs left of the stove."),
    ], WORK)
    office(WORK / "training.pptx", "odp")
    book("keeper.epub", "The lighthouse keeper", "Mara Finn", [
        ("The storm", ["On the third night the lamp went out at twenty to three.", "Old Jorren climbed the 197 steps with a lantern."]),
        ("The boat", ["Her name was Silver Heron, and she was painted green.", "Nobody had sailed her since the war."]),
        ("The letter", ["The letter came from Valparaiso and was eleven months old."]),
    ])
    notes = WORK / "pilot.md"
    notes.write_text("---\ntitle: Pilot of the estuary\nauthor: Ruth Oake\n---\n\n# Approach\n\nThe fairway buoy carries a flashing light of ten seconds.\n\n# Anchorage\n\nGood holding is found in four metres of mud south of Gull Island.\n\n# Dangers\n\nThe wreck of the Marigold dries at low water springs.\n")
    subprocess.run(["pandoc", notes, "-o", FILES / "pilot.epub"], check=True)
    subprocess.run(["pandoc", notes, "-o", FILES / "pilot.docx"], check=True)
    troff = ".TH DREDGER 1\n.SH NAME\ndredger \\- plans of the dredging\n.SH SCHEDULE\nThe basin is dredged to 3.4 metres in the first half of November.\n.bp\n.SH SPOIL\nThe spoil is taken to the field behind the old brickworks.\n"
    (WORK / "dredging.1").write_text(troff)
    pdf = subprocess.run(["groff", "-man", "-Tpdf", WORK / "dredging.1"], check=True, capture_output=True).stdout
    (FILES / "dredging.pdf").write_bytes(pdf)
    (FILES / "complaint.eml").write_bytes(bytes(mail("Bo Oyelaran <bo@example.net>", "2024-06-11", "Noise from the slipway", "The grinding begins at 5:50 in the morning, well before the hour that is allowed.\n\nPlease stop it.\n", attached="photos.pdf")))
    (FILES / "offer.eml").write_bytes(bytes(mail("Sales <sales@taumann.example>", "2024-04-02", "Offer for pontoons", "We offer six floating pontoons of eight metres for 54,900 euros, delivery included.\n")))
    box = mailbox.mbox(FILES / "board.mbox")
    for each in [
        ("Ann Lee <ann@aldermoor.example>", "2024-01-09", "Budget", "I propose 5,600 euros for the youth group.\n"),
        ("Ivo Marr <ivo@aldermoor.example>", "2024-01-10", "Re: Budget", "> I propose 5,600 euros for the youth group.\n\nI would rather give them 7,000 euros and save on the fireworks.\n"),
        ("Ann Lee <ann@aldermoor.example>", "2024-02-20", "New harbour master", "The board has chosen Signe Aas as harbour master from 1 May.\n"),
    ]:
        box.add(mail(*each))
    box.close()
    cells = [
        ("markdown", "# Salinity of the basin\n\nSamples were taken at six places in June.", None),
        ("code", "samples = [21.4, 22.0, 19.8]\nsum(samples) / len(samples)", "21.066666666666666"),
        ("markdown", "The lowest salinity was measured beside the sluice.", None),
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"language": "python", "name": "python3", "display_name": "Python 3"}}, "cells": [
        {"cell_type": kind, "id": str(number), "metadata": {}, "source": text, **({"execution_count": 1, "outputs": [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": printed}}]} if kind == "code" else {})}
        for number, (kind, text, printed) in enumerate(cells)
    ]}
    (FILES / "salinity.ipynb").write_text(json.dumps(notebook, indent=1))
    (FILES / "interview.vtt").write_text("WEBVTT\n\n00:00:02.000 --> 00:00:06.000\n<v Signe>I came to Aldermoor in 1998.\n\n00:01:10.500 --> 00:01:15.000\n<v Signe>The worst winter was that of 2010, when the basin froze.\n")
    (FILES / "film.srt").write_bytes("1\r\n00:00:05,000 --> 00:00:08,000\r\nThe ferry Morning Star sank in 1932.\r\n\r\n2\r\n00:02:31,000 --> 00:02:35,000\r\nDivers found her bell in 1987.\r\n".encode())
    (FILES / "berths.csv").write_text("Berth,Tenant,Boat\nA1,Oyelaran,Kittiwake\nA2,Marr,Nordlys\nB7,Lindqvist,Petrel\n")
    (FILES / "latin.txt").write_bytes("Das Café am Kai öffnet um neun Uhr und schließt um Mitternacht.\n".encode("windows-1252"))
    (FILES / "wide.txt").write_text("The night watch is paid 21 euros an hour.\n", encoding="utf-16")
    (FILES / "bridge.txt").write_text("アルダームーア橋は1931年に開通しました。\n橋の長さは312メートルです。\n")
    (FILES / "lighthouse.md").write_text("# 灯塔\n\n灯塔建于1874年，高二十九米。\n\n看守人住在旁边的白色小屋里。\n")
    (FILES / "rules.rst").write_text("Rules of the basin\n==================\n\nSpeed\n-----\n\nThe speed limit in the basin is three knots.\n")
    (FILES / "todo.org").write_text("* TODO Pontoon\nThe third pontoon needs new chains before the autumn gales.\n")
    (FILES / "report.tex").write_text("\\section{Birds}\nWe counted 2,310 sandpipers on the mudflats in August.\n")
    (FILES / "notes.html").write_text("<title>Notes of the harbour master</title><h1>Keys</h1><p>The spare key of the fuel berth hangs in the chart room.</p>")
    for one in FILES.iterdir():
        print(one.name, one.stat().st_size)


main()
