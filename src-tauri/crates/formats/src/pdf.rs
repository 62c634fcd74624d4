//! `.pdf`: the text of every page.

use std::collections::HashMap;

use nexi_core::{place::Place, text};
use pdf_extract::{Document, ObjectId};

use crate::{Extracted, FormatError, MAX_TEXT, Part, right_to_left};

/// Pages that are read; the rest of a longer document is left out.
pub(crate) const MAX_PAGES: u32 = 20_000;
/// Fewer letters than this are what a scanner or a printer left on a page, such as its number.
const FEWEST_LETTERS: usize = 16;
/// Pages that say the same, and letters of it, for it to be a stamp such as a watermark.
const FEWEST_STAMPS: usize = 2;
const MOST_STAMPED: usize = 200;

pub(crate) fn extract(bytes: &[u8], told: &dyn Fn(u32)) -> Result<Extracted, FormatError> {
    let mut document = Document::load_mem(bytes).map_err(|_| FormatError::Broken)?;
    if document.is_encrypted() {
        document.decrypt("").map_err(|_| FormatError::Encrypted)?;
    }
    replace_missing_pictures(&mut document);
    let information = |key: &[u8]| {
        let id = document.trailer.get(b"Info").and_then(pdf_extract::Object::as_reference);
        let value = id.and_then(|id| document.get_dictionary(id)).and_then(|info| info.get(key)).and_then(|value| value.as_str());
        value.map(decode_string).unwrap_or_default()
    };
    let mut out = Extracted {
        title: own_title(&text::fold_space(&information(b"Title"))),
        authors: Some(own_title(&text::fold_space(&information(b"Author")))).filter(|name| !name.is_empty()).into_iter().collect(),
        date: day(&information(b"CreationDate")).or_else(|| day(&information(b"ModDate"))),
        ..Extracted::default()
    };
    let (mut pages, mut pictured) = (Vec::new(), Vec::new());
    let mut bytes = 0;
    let ids = document.get_pages();
    let all = u32::try_from(ids.len()).unwrap_or(u32::MAX);
    told(all.min(MAX_PAGES));
    for number in 1..=all.min(MAX_PAGES) {
        let mut page = String::new();
        // A page that cannot be read is an empty one; the others may be fine.
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut output = pdf_extract::PlainTextOutput::new(&mut page);
            pdf_extract::output_doc_page(&document, &mut output, number).is_ok()
        }));
        if !read.unwrap_or(false) {
            out.unread.push(Place::Page { number }.to_string());
        }
        if letters(&page) < MOST_STAMPED && ids.get(&number).is_some_and(|id| shows_picture(&document, *id)) {
            pictured.push(number);
        }
        bytes += page.len();
        pages.push(page);
        if bytes > MAX_TEXT {
            break;
        }
    }
    out.cut = pages.len() < all as usize;
    out.scanned = scanned(&pages, &pictured);
    right_to_left::put_in_order(&mut pages);
    without_print_marks(&mut pages);
    out.parts = (1..).zip(&pages).map(|(number, page)| Part::new(Place::Page { number }, paragraphs(page))).collect();
    if out.title.is_empty() {
        // What a scanner prints on a page is no title.
        let read = (1..).zip(&out.parts).filter(|(number, _)| !out.scanned.contains(number));
        let first = read.flat_map(|(_, part)| part.text.lines()).find(|line| !line.trim().is_empty());
        out.title = first.unwrap_or_default().chars().take(120).collect();
    }
    Ok(out)
}

/// Puts an empty picture in the place of each one that is not in the file: a page that shows one would end there.
fn replace_missing_pictures(document: &mut Document) {
    let dictionaries = document.objects.values().filter_map(|object| match object {
        pdf_extract::Object::Dictionary(dictionary) => Some(dictionary),
        pdf_extract::Object::Stream(stream) => Some(&stream.dict),
        _ => None,
    });
    // Resources stand by themselves, or in the dictionary of the page.
    let resources = dictionaries.flat_map(|dictionary| {
        let inner = dictionary.get(b"Resources").and_then(pdf_extract::Object::as_dict).ok();
        std::iter::once(dictionary).chain(inner)
    });
    let drawn = resources.filter_map(|resources| {
        let drawn = resources.get(b"XObject").ok()?;
        document.dereference(drawn).ok()?.1.as_dict().ok()
    });
    let named = drawn.flat_map(pdf_extract::Dictionary::iter).filter_map(|(_, object)| object.as_reference().ok());
    let missing: Vec<ObjectId> = named.filter(|id| document.get_object(*id).is_err()).collect();
    for id in missing {
        let kind = pdf_extract::Dictionary::from_iter([("Subtype", pdf_extract::Object::Name(b"Image".to_vec()))]);
        document.objects.insert(id, pdf_extract::Object::Stream(pdf_extract::Stream::new(kind, Vec::new())));
    }
}

/// Letters and digits of a page.
fn letters(page: &str) -> usize {
    page.chars().filter(|letter| letter.is_alphanumeric()).count()
}

/// Which pages are scanned, among those that say little and show a picture: the ones without letters, and the ones that all
/// say the same, which is what was stamped on them.
fn scanned(pages: &[String], pictured: &[u32]) -> Vec<u32> {
    let page_of = |number: u32| pages[number as usize - 1].as_str();
    let mut stamps: HashMap<String, usize> = HashMap::new();
    for number in pictured {
        *stamps.entry(without_number(page_of(*number))).or_default() += 1;
    }
    let is_stamp = |page: &str| stamps.get(&without_number(page)).is_some_and(|count| *count >= FEWEST_STAMPS);
    pictured.iter().copied().filter(|number| letters(page_of(*number)) < FEWEST_LETTERS || is_stamp(page_of(*number))).collect()
}

/// Whether a page shows a picture, or anything else that is drawn elsewhere in the file.
fn shows_picture(document: &Document, page: ObjectId) -> bool {
    // Of malformed dictionaries the parser of some versions panics.
    let shows = || {
        let (own, inherited) = document.get_page_resources(page).ok()?;
        let inherited = inherited.into_iter().filter_map(|id| document.get_dictionary(id).ok());
        Some(own.into_iter().chain(inherited).any(|resources| {
            let drawn = resources.get(b"XObject").and_then(|drawn| document.dereference(drawn)).and_then(|(_, drawn)| drawn.as_dict());
            drawn.is_ok_and(|drawn| !drawn.is_empty())
        }))
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(shows)).ok().flatten().unwrap_or(false)
}

/// The day of `D:20240601120000Z`.
fn day(time: &str) -> Option<String> {
    let digits = time.strip_prefix("D:").unwrap_or(time).get(..8).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some(format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]))
}

/// Strings of a PDF are UTF-16 with a mark, or Latin.
fn decode_string(bytes: &[u8]) -> String {
    match bytes.strip_prefix(b"\xfe\xff") {
        Some(wide) => encoding_rs::UTF_16BE.decode(wide).0.into_owned(),
        None => encoding_rs::UTF_8
            .decode_without_bom_handling_and_without_replacement(bytes)
            .map_or_else(|| encoding_rs::WINDOWS_1252.decode(bytes).0.into_owned(), std::borrow::Cow::into_owned),
    }
}

/// Takes away first and last lines that most pages share word for word, but for a page number
/// before or behind them, and bare page numbers. A page never loses all it says.
pub fn without_print_marks(pages: &mut [String]) {
    if pages.len() < 4 {
        return;
    }
    for first in [true, false] {
        let edge = |page: &str| {
            let mut lines = page.lines().filter(|line| !line.trim().is_empty());
            let line = if first { lines.next() } else { lines.next_back() }?;
            (page.lines().filter(|line| !line.trim().is_empty()).count() > 1).then(|| line.to_owned())
        };
        let mut counts: HashMap<String, usize> = HashMap::new();
        for line in pages.iter().filter_map(|page| edge(page)) {
            *counts.entry(without_number(&line)).or_default() += 1;
        }
        let least = pages.len() * 6 / 10;
        for page in pages.iter_mut() {
            if let Some(line) = edge(page)
                && counts.get(&without_number(&line)).is_some_and(|count| *count > least)
            {
                *page = if first {
                    page.replacen(&line, "", 1)
                } else {
                    page.rfind(&line).map_or_else(|| page.clone(), |at| page[..at].to_owned())
                };
            }
        }
    }
}

/// A line without one number at its beginning or end; lines of several numbers stay as they are.
fn without_number(line: &str) -> String {
    let folded = text::fold_space(line);
    let words: Vec<&str> = folded.split(' ').filter(|word| word.chars().any(char::is_alphanumeric)).collect();
    let is_number = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric()).bytes().all(|byte| byte.is_ascii_digit());
    let numbers = words.iter().filter(|word| is_number(word)).count();
    match words.as_slice() {
        [rest @ .., last] if numbers == 1 && is_number(last) => rest.join(" "),
        [first, rest @ ..] if numbers == 1 && is_number(first) => rest.join(" "),
        words => words.join(" "),
    }
}

/// Paragraphs without the line breaks of print; between two of them stands an empty line, as before. On a page whose lines
/// all stand apart, a line that is filled and ends in the middle of a sentence goes on in the next one.
pub fn paragraphs(page: &str) -> String {
    let lines: Vec<&str> = page.lines().map(str::trim).collect();
    let longest = lines.iter().map(|line| letters(line)).max().unwrap_or_default();
    let filled = if stand_apart(&lines) { longest * 3 / 5 } else { usize::MAX };
    let goes_on = |line: &str| letters(line) >= filled && !line.ends_with(['.', '!', '?', ':', ';', '…', '”', '»', '"', ')']);
    let mut out = vec![String::new()];
    let mut last = "";
    for line in lines {
        match (line.is_empty(), out.last_mut()) {
            (false, Some(paragraph)) => {
                push_line(paragraph, line);
                last = line;
            }
            (true, Some(paragraph)) if !paragraph.is_empty() && !goes_on(last) => out.push(String::new()),
            _ => {}
        }
    }
    out.retain(|paragraph| !paragraph.is_empty());
    out.iter().map(|paragraph| text::fold_space(paragraph)).collect::<Vec<_>>().join("\n\n")
}

/// Whether a page was printed with so much room between its lines that each seems a paragraph of its own.
fn stand_apart(lines: &[&str]) -> bool {
    let printed = lines.iter().filter(|line| !line.is_empty()).count();
    let close = lines.windows(2).filter(|pair| pair.iter().all(|line| !line.is_empty())).count();
    printed >= 3 && close * 5 <= printed
}

/// Adds a line; a word that was divided at its end is made whole.
fn push_line(paragraph: &mut String, line: &str) {
    let divided =
        paragraph.strip_suffix('-').is_some_and(|rest| rest.ends_with(char::is_lowercase)) && line.starts_with(char::is_lowercase);
    if divided {
        paragraph.pop();
    } else if !paragraph.is_empty() {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}

/// A title that somebody gave; programs that know none write something in its place.
fn own_title(title: &str) -> String {
    const NONE: [&str; 5] = ["(anonymous)", "anonymous", "untitled", "(unspecified)", "unspecified"];
    let title = title.strip_prefix("Microsoft Word - ").unwrap_or(title);
    if NONE.contains(&title.to_lowercase().as_str()) { String::new() } else { title.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_write_in_place_of_a_title_is_none() {
        assert_eq!((own_title("(anonymous)").as_str(), own_title("Untitled").as_str()), ("", ""));
        assert_eq!(own_title("Microsoft Word - Tides.docx"), "Tides.docx");
        assert_eq!(own_title("Anonymous letters"), "Anonymous letters");
    }

    #[test]
    fn what_is_stamped_on_scans_is_no_text_of_theirs() {
        let stamp = |page: u32| format!("For the use of the Orvik harbour office only, page {page}\n");
        let drawing = "Figure 3: the gate of the lock, seen from the quay\n".to_owned();
        let pages = [stamp(1), stamp(2), drawing, String::new(), "17\n".to_owned()];
        assert_eq!(scanned(&pages, &[1, 2, 3, 4, 5]), [1, 2, 4, 5], "a drawing has words of its own");
        assert_eq!(scanned(&pages, &[1, 3]), [] as [u32; 0], "what stands on one page only is no stamp");
        assert!(letters(&stamp(1)) < MOST_STAMPED && letters(&"a whole page of text ".repeat(30)) >= MOST_STAMPED);
    }

    /// A file with these lines, a page each.
    fn file(pages: &[&str]) -> Vec<u8> {
        let content = |page: &&str| {
            let lines: String = page.lines().map(|line| format!("({line}) Tj T*\n")).collect();
            format!("BT /F1 12 Tf 72 720 Td 14 TL\n{lines}ET")
        };
        drawn(&pages.iter().map(content).collect::<Vec<_>>(), "")
    }

    /// A file with what draws each page, and resources besides a font.
    fn drawn(pages: &[String], resources: &str) -> Vec<u8> {
        let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
        let kids: Vec<String> = (0..pages.len()).map(|index| format!("{} 0 R", 4 + 2 * index)).collect();
        objects.push(format!("<< /Type /Pages /Kids [{}] /Count {} /MediaBox [0 0 612 792] >>", kids.join(" "), pages.len()));
        objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".into());
        for (index, content) in pages.iter().enumerate() {
            let resources = format!("<< /Font << /F1 3 0 R >> {resources} >>");
            objects.push(format!("<< /Type /Page /Parent 2 0 R /Resources {resources} /Contents {} 0 R >>", 5 + 2 * index));
            objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
        }
        let mut out = String::from("%PDF-1.4\n");
        let mut offsets = Vec::new();
        for (index, object) in objects.iter().enumerate() {
            offsets.push(out.len());
            out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
        }
        let xref = out.len();
        out.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
        for offset in offsets {
            out.push_str(&format!("{offset:010} 00000 n \n"));
        }
        out.push_str(&format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{xref}\n%%EOF", objects.len() + 1));
        out.into_bytes()
    }

    #[test]
    fn lines_that_stand_far_apart_are_one_paragraph() {
        let lines = [
            "The lighthouse of Vexholm",
            "The lighthouse of Vexholm is 41 metres high, and it was",
            "lit for the first time on a day of March 1902. Its keeper was",
            "Anders Snorrbakke.",
            "It was closed in 1974, and nobody has kept it ever since.",
        ];
        assert_eq!(paragraphs(&lines.join("\n\n")), format!("{}\n\n{} {} {}\n\n{}", lines[0], lines[1], lines[2], lines[3], lines[4]));
        // Where lines stand close, an empty one is the end of a paragraph.
        let close = "The lighthouse of Vexholm is high\nand it was lit in 1902 by Anders\n\nIts keeper was a man of few words\nwho liked the sea and the wind.";
        assert_eq!(paragraphs(close).matches("\n\n").count(), 1);
    }

    #[test]
    fn pages_are_kept_apart() {
        let found = extract(&file(&["The bridge opened in 1931.", "It has two towers."]), &|_| {}).unwrap();
        assert_eq!(found.parts[0], Part::new(Place::Page { number: 1 }, "The bridge opened in 1931."));
        assert_eq!(found.parts[1], Part::new(Place::Page { number: 2 }, "It has two towers."));
    }

    #[test]
    fn a_picture_that_is_missing_ends_no_page() {
        let lines = ["The bridge opened in 1931.", "It has two towers."];
        let line = |at: u32, text: &str| format!("BT /F1 12 Tf 72 {at} Td ({text}) Tj ET");
        let content = format!("{} /Im1 Do {}", line(720, lines[0]), line(700, lines[1]));
        let found = extract(&drawn(&[content], "/XObject << /Im1 77 0 R >>"), &|_| {}).unwrap();
        assert!(lines.iter().all(|line| found.parts[0].text.contains(line)), "{found:?}");
        assert!(found.unread.is_empty(), "{found:?}");
    }

    #[test]
    fn broken_files_are_refused() {
        let whole = file(&["The bridge opened in 1931."]);
        for body in [b"%PDF-1.7".to_vec(), b"%PDF-1.7\nxref\n0 99999999\n".to_vec(), whole[..whole.len() / 2].to_vec()] {
            assert!(extract(&body, &|_| {}).is_err());
        }
    }

    #[test]
    fn words_and_pages_lose_the_marks_of_print() {
        let mut pages: Vec<String> =
            (1..=5).map(|page| format!("Journal of Bridges\n\nThe exam-\nple number {page}\nends.\n\n- {page} -")).collect();
        without_print_marks(&mut pages);
        assert!(pages.iter().all(|page| !page.contains("Journal") && !page.contains("- ")), "{pages:?}");
        assert_eq!(paragraphs(&pages[0]), "The example number 1 ends.");
        for each in [
            "Article {}. The fee for class {} is X.\nThe words of {} are other.",
            "{} 40 77\nRow {} of rows.",
            "Slide {}: revenue was {} million",
        ] {
            let whole: Vec<String> = (1..=6).map(|page: usize| each.replace("{}", &page.to_string())).collect();
            let mut pages = whole.clone();
            without_print_marks(&mut pages);
            assert_eq!(pages, whole, "what differs in its numbers is no running head");
        }
    }
}
