//! Reading a scanned page or a picture with Tesseract, in a process with the limits that all parsers of documents have.
//! Poppler draws the page of a PDF first.

use nexi_messages::say;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nexi_core::rank::terms;
use nexi_formats::{Kind, Limited, limited, paragraphs};
use nexi_store::documents::{RecognisedPage, RecognisedWord};

/// What has to be installed.
pub const PROGRAMS: [&str; 2] = ["tesseract", "pdftoppm"];
/// How long the list of languages is taken for what is installed.
const FRESH: Duration = Duration::from_secs(30);
/// Pixels of the longer side of a page: 300 dots per inch of A4.
const PIXELS: &str = "3508";
/// Bytes of a drawn page, of the list of its words, and of a list of languages.
const MAX_PICTURE: u64 = 64 * 1024 * 1024;
const MAX_WORDS: u64 = 16 * 1024 * 1024;
const MAX_LANGUAGES: u64 = 64 * 1024;
/// What Tesseract is less sure of than this, of 100, is dirt on the paper or part of a drawing.
const SURE_OF_WORD: f32 = 30.0;
/// What it is less sure of on the whole shows no text.
const SURE_OF_PAGE: f32 = 55.0;
/// What a bullet in front of a line is read as.
const BULLETS: &[&str] = &["¢", "©", "®", "°", "»", "*", "•", "-", "–"];
/// The model that finds out which way up a page is.
pub const ORIENTATION: &str = "osd";

/// The languages that Tesseract has models for here; none where it is not installed. Starts it, at most twice a minute.
pub fn installed_languages() -> Vec<String> {
    static KNOWN: Mutex<Option<(Instant, Vec<String>)>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    match &*known {
        Some((at, languages)) if at.elapsed() < FRESH && !languages.is_empty() => languages.clone(),
        _ => known.insert((Instant::now(), list_languages())).1.clone(),
    }
}

fn list_languages() -> Vec<String> {
    let mut command = Limited::new(PROGRAMS[0], MAX_LANGUAGES);
    command.arguments(["--list-langs"]);
    let listed = limited(&command).unwrap_or_default();
    let listed = String::from_utf8_lossy(&listed);
    // The first line is a heading.
    listed.lines().skip(1).map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Why a page was not read.
#[derive(Debug, thiserror::Error)]
pub enum OcrError {
    NotDrawn,
    NoRoom(std::io::Error),
    NotRead,
    NoPicture,
}

impl std::fmt::Display for OcrError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            Self::NotDrawn => say!("errors-ocr.not_drawn"),
            Self::NoRoom(what) => say!("errors-ocr.no_room", what = what.to_string()),
            Self::NotRead => say!("errors-ocr.not_read"),
            Self::NoPicture => say!("errors-ocr.no_picture"),
        })
    }
}

/// Whether a file begins as one of the pictures that are read does.
fn is_picture(path: &Path) -> bool {
    let mut head = [0; 12];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    let is_riff = head.starts_with(b"RIFF") && head.ends_with(b"WEBP");
    let begins = [&b"\x89PNG\r\n\x1a\n"[..], b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"BM"];
    read.is_ok() && (is_riff || begins.iter().any(|begin| head.starts_with(begin)))
}

/// Reads page `page`, from 1, of a PDF, or a picture. Blocks for some seconds.
///
/// # Errors
/// When it cannot be read.
pub fn recognise(path: &Path, page: u32, languages: &str) -> Result<RecognisedPage, OcrError> {
    if Kind::of_path(path) == Some(Kind::Picture) {
        // Tesseract takes a file that is not a picture for a list of files to read, wherever they are.
        return if is_picture(path) { read(path, languages).map(|read| upright(path, read)) } else { Err(OcrError::NoPicture) };
    }
    let number = page.to_string();
    let mut command = Limited::new(PROGRAMS[1], MAX_PICTURE);
    command.arguments(["-f", &number, "-l", &number, "-scale-to", PIXELS, "-gray", "-png", "-singlefile"]);
    command.arguments([path.as_os_str()]);
    read_bytes(&limited(&command).ok_or(OcrError::NotDrawn)?, ".png", languages)
}

/// The words where they stand once the picture is shown the way its camera was held: Tesseract reads the letters whichever
/// way up they are, and counts from the corners of the picture as it is stored.
fn upright(path: &Path, mut page: RecognisedPage) -> RecognisedPage {
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(MAX_PICTURE).read_to_end(&mut bytes));
    let orientation = read.ok().and_then(|_| nexi_formats::read_bytes(Kind::Picture, bytes).ok()).map_or(0, |picture| picture.orientation);
    for word in &mut page.words {
        word.sides = turned(word.sides, orientation);
    }
    page
}

/// Where a rectangle (left, top, right, bottom, as shares) stands after a picture was turned and mirrored as EXIF says.
fn turned([left, top, right, bottom]: [f32; 4], orientation: u32) -> [f32; 4] {
    match orientation {
        2 => [1.0 - right, top, 1.0 - left, bottom],
        3 => [1.0 - right, 1.0 - bottom, 1.0 - left, 1.0 - top],
        4 => [left, 1.0 - bottom, right, 1.0 - top],
        5 => [top, left, bottom, right],
        6 => [1.0 - bottom, left, 1.0 - top, right],
        7 => [1.0 - bottom, 1.0 - right, 1.0 - top, 1.0 - left],
        8 => [top, 1.0 - right, bottom, 1.0 - left],
        _ => [left, top, right, bottom],
    }
}

/// Reads a picture that [`portable_pixmap`] made.
///
/// # Errors
/// When it cannot be read.
pub fn recognise_pixmap(picture: &[u8], languages: &str) -> Result<RecognisedPage, OcrError> {
    read_bytes(picture, ".ppm", languages)
}

/// A picture of red, green, blue and opacity, in the simplest format that Tesseract reads. What is transparent is white.
pub fn portable_pixmap(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    let mut out = format!("P6\n{width} {height}\n255\n").into_bytes();
    let (pixels, _) = pixels.as_chunks::<4>();
    for [red, green, blue, opacity] in pixels {
        let over_white = |part: u8| 255 - ((255 - u16::from(part)) * u16::from(*opacity) / 255) as u8;
        out.extend([red, green, blue].map(|part| over_white(*part)));
    }
    out
}

fn read_bytes(picture: &[u8], ending: &str, languages: &str) -> Result<RecognisedPage, OcrError> {
    // Only this user can read it, and it is deleted once the page has been read.
    let mut file = tempfile::Builder::new().suffix(ending).tempfile().map_err(OcrError::NoRoom)?;
    file.write_all(picture).map_err(OcrError::NoRoom)?;
    read(file.path(), languages)
}

fn read(picture: &Path, languages: &str) -> Result<RecognisedPage, OcrError> {
    let mut command = Limited::new(PROGRAMS[0], MAX_WORDS);
    command.arguments([picture.as_os_str()]);
    // It looks which way up the page is where it can.
    let mode = if has_orientation() { "1" } else { "3" };
    command.arguments(["stdout", "-l", languages, "--psm", mode, "tsv"]);
    let table = limited(&command).ok_or(OcrError::NotRead)?;
    Ok(page_of(&String::from_utf8_lossy(&table)))
}

fn has_orientation() -> bool {
    installed_languages().iter().any(|name| name == ORIENTATION)
}

/// A row of the table: where a word stands, how sure Tesseract is of it, and what it reads.
struct Row<'a> {
    /// Block, paragraph and line.
    line: [u32; 3],
    sides: [f32; 4],
    sure: f32,
    text: &'a str,
}

/// The page of Tesseract's table of words.
fn page_of(table: &str) -> RecognisedPage {
    let mut size = (1.0, 1.0);
    let mut rows = Vec::new();
    for columns in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let [level, _, block, paragraph, line, _, left, top, width, height, sure, text] = columns[..] else { continue };
        let number = |text: &str| text.parse::<f32>().unwrap_or_default();
        let [left, top, width, height] = [left, top, width, height].map(number);
        match level {
            "1" if width > 0.0 && height > 0.0 => size = (width, height),
            "5" if !text.trim().is_empty() => rows.push(Row {
                line: [block, paragraph, line].map(|number| number.parse().unwrap_or_default()),
                sides: [left / size.0, top / size.1, (left + width) / size.0, (top + height) / size.1],
                sure: number(sure),
                text: text.trim(),
            }),
            _ => {}
        }
    }
    rows.retain(|row| row.sure >= SURE_OF_WORD);
    let letters: usize = rows.iter().map(|row| row.text.chars().count()).sum();
    let sure: f32 = rows.iter().map(|row| row.sure * row.text.chars().count() as f32).sum();
    if letters == 0 || sure / (letters as f32) < SURE_OF_PAGE {
        return RecognisedPage::default();
    }
    // Where full lines end.
    let right = rows.iter().map(|row| row.sides[2]).fold(0.0, f32::max);
    let mut text = String::new();
    let mut before: Option<[u32; 3]> = None;
    for (index, row) in rows.iter().enumerate() {
        let begins = before != Some(row.line) && rows.get(index + 1).is_some_and(|next| next.line == row.line);
        if begins && BULLETS.contains(&row.text) {
            // Tesseract knows no bullets and takes them for the sign that looks most like one.
            text.push_str(if text.is_empty() { "-" } else { "\n\n-" });
            before = Some(row.line);
            continue;
        }
        text.push_str(match before {
            None => "",
            Some(line) if line == row.line => " ",
            Some(line) if line[..2] == row.line[..2] || goes_on(&text, rows[index.saturating_sub(1)].sides, row, right) => "\n",
            Some(_) => "\n\n",
        });
        text.push_str(row.text);
        before = Some(row.line);
    }
    let words = rows.into_iter().map(|row| RecognisedWord { text: row.text.to_owned(), sides: row.sides }).collect();
    RecognisedPage { text: without_gaps(&paragraphs(&text)), words }
}

/// Whether a paragraph is the rest of the one before it: Tesseract takes a short last line for a new one.
fn goes_on(before: &str, [_, _, end, bottom]: [f32; 4], after: &Row<'_>, right: f32) -> bool {
    let is_open = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-'));
    let is_close = after.sides[1] - bottom < 0.9 * (after.sides[3] - after.sides[1]);
    is_open && (after.text.starts_with(char::is_lowercase) || (is_close && end > 0.7 * right))
}

/// A text without the blanks between letters of scripts that have none.
fn without_gaps(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut before = None;
    while let Some(letter) = letters.next() {
        let has_none = |letter: Option<char>| letter.is_some_and(|letter| terms::is_ideograph(letter) || terms::is_unspaced(letter));
        if letter != ' ' || !has_none(before) || !has_none(letters.peek().copied()) {
            out.push(letter);
        }
        before = Some(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
1\t1\t0\t0\t0\t0\t0\t0\t1000\t2000\t-1\t
5\t1\t1\t1\t1\t1\t100\t200\t100\t40\t96.1\tHarbour
5\t1\t1\t1\t1\t2\t220\t200\t80\t40\t95.0\tregu-
5\t1\t1\t1\t2\t1\t100\t250\t100\t40\t93.4\tlations
5\t1\t1\t1\t2\t2\t900\t250\t10\t10\t12.0\t~|
5\t1\t2\t1\t1\t1\t100\t400\t100\t40\t91.7\tMoor
5\t1\t2\t1\t1\t2\t210\t400\t100\t40\t91.7\there.
";

    #[test]
    fn what_is_no_picture_is_not_read_as_a_list_of_files() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("harmless.png");
        std::fs::write(&list, "/etc/secret-scan.png\n").unwrap();
        assert!(matches!(recognise(&list, 1, "eng"), Err(OcrError::NoPicture)));
        std::fs::write(&list, b"\x89PNG\r\n\x1a\n\0\0\0\0").unwrap();
        assert!(is_picture(&list) && !is_picture(&folder.path().join("none.png")));
    }

    #[test]
    fn marks_turn_with_the_picture() {
        // A word in the upper left corner as it is seen: where the camera stored it, by how it was held.
        let seen = [0.0, 0.0, 0.5, 0.25];
        let near = |a: [f32; 4], b: [f32; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        let stored = [
            (1, [0.0, 0.0, 0.5, 0.25]),
            (2, [0.5, 0.0, 1.0, 0.25]),
            (3, [0.5, 0.75, 1.0, 1.0]),
            (4, [0.0, 0.75, 0.5, 1.0]),
            (5, [0.0, 0.0, 0.25, 0.5]),
            (6, [0.0, 0.5, 0.25, 1.0]),
            (7, [0.75, 0.5, 1.0, 1.0]),
            (8, [0.75, 0.0, 1.0, 0.5]),
        ];
        for (orientation, sides) in stored {
            assert!(near(turned(sides, orientation), seen), "{orientation}: {:?}", turned(sides, orientation));
        }
    }

    #[test]
    fn a_table_of_words_becomes_a_page() {
        let page = page_of(TABLE);
        assert_eq!(page.text, "Harbour regulations\\n\\nMoor here.".replace("\\n", "\n"));
        assert_eq!(page.words.len(), 5, "what it is not sure of is left out");
        assert_eq!(page.words[0].sides, [0.1, 0.1, 0.2, 0.12]);
        let list = TABLE.replace("Moor", "¢");
        assert_eq!(page_of(&list).text, "Harbour regulations\n\n- here.");
        let noise = TABLE.replace("96.1", "40").replace("95.0", "41").replace("93.4", "33").replace("91.7", "42");
        assert_eq!((page_of(&noise), page_of("junk")), (RecognisedPage::default(), RecognisedPage::default()));
        assert_eq!(without_gaps("港 口 rules 規 則 a b"), "港口 rules 規則 a b");
    }
}
