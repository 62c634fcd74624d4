//! The text of documents that are no plain text: PDF, office files, books, mail, notebooks and subtitles.
//!
//! All of them are parsed in a process of its own with limits ([`read`], [`serve`]): their formats are complicated, and
//! files come from anywhere. What comes back is text with the places it stands at, so that a citation can name the page,
//! the slide, the row, the chapter or the time.

mod archive;
mod book;
mod helper;
mod mail;
mod notebook;
mod opendocument;
mod pdf;
mod process;
mod right_to_left;
mod rtf;
mod sheet;
mod slides;
mod subtitles;
mod text;
mod tool;
mod wide;
mod word;
mod xml;

use std::collections::BTreeMap;
use std::path::Path;

use mail::Attached;
use nexi_core::place::Place;
use serde::{Deserialize, Serialize};

pub use pdf::{paragraphs, without_print_marks};
pub use process::{read, read_bytes, serve};
pub use tool::{Limited, is_installed, limited};
pub use wide::decode as decode_wide;

/// Bytes of text that one document may become; the rest of a longer one is left out.
pub const MAX_TEXT: usize = 16 * 1024 * 1024;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Pdf,
    /// `.docx`
    Word,
    /// `.pptx`
    Slides,
    /// `.odt`
    OpenText,
    /// `.odp`
    OpenSlides,
    /// `.xlsx`, `.xlsm`, `.xlsb`, `.xls` and `.ods`
    Sheet,
    /// `.csv` and `.tsv`
    Delimited,
    Rtf,
    /// `.epub`
    Book,
    /// `.eml`
    Mail,
    /// `.mbox`
    Mailbox,
    /// `.ipynb`
    Notebook,
    /// `.vtt` and `.srt`
    Subtitles,
    /// `.png`, `.jpg` and the like, which may show text
    Picture,
}

/// Endings of files and what they are, in the order of the alphabet.
const ENDINGS: &[(&str, Kind)] = &[
    ("bmp", Kind::Picture),
    ("csv", Kind::Delimited),
    ("docm", Kind::Word),
    ("docx", Kind::Word),
    ("eml", Kind::Mail),
    ("epub", Kind::Book),
    ("ipynb", Kind::Notebook),
    ("jpeg", Kind::Picture),
    ("jpg", Kind::Picture),
    ("mbox", Kind::Mailbox),
    ("odp", Kind::OpenSlides),
    ("ods", Kind::Sheet),
    ("odt", Kind::OpenText),
    ("pdf", Kind::Pdf),
    ("png", Kind::Picture),
    ("pptm", Kind::Slides),
    ("pptx", Kind::Slides),
    ("rtf", Kind::Rtf),
    ("srt", Kind::Subtitles),
    ("tif", Kind::Picture),
    ("tiff", Kind::Picture),
    ("tsv", Kind::Delimited),
    ("vtt", Kind::Subtitles),
    ("webp", Kind::Picture),
    ("xls", Kind::Sheet),
    ("xlsb", Kind::Sheet),
    ("xlsm", Kind::Sheet),
    ("xlsx", Kind::Sheet),
];

impl Kind {
    /// What a file with this ending is, without the dot and in any case; none for plain text and everything unknown.
    pub fn of_ending(ending: &str) -> Option<Self> {
        let ending = ending.to_ascii_lowercase();
        ENDINGS.binary_search_by(|(known, _)| (*known).cmp(&ending)).ok().map(|at| ENDINGS[at].1)
    }

    /// What a file is by its name; none for plain text and everything unknown.
    pub fn of_path(path: &Path) -> Option<Self> {
        // Thunderbird keeps mail in files without an ending, though their names may hold a dot, and beside each a summary.
        path.extension().and_then(|end| end.to_str()).and_then(Self::of_ending).or_else(|| has_summary(path).then_some(Self::Mailbox))
    }
}

/// Whether a file is a mail folder of Thunderbird, and holds mail.
fn has_summary(path: &Path) -> bool {
    let mut summary = path.as_os_str().to_owned();
    summary.push(".msf");
    Path::new(&summary).is_file() && std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0)
}

/// What a document says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    /// As the document names itself; often empty.
    pub title: String,
    pub authors: Vec<String>,
    /// When it was written or last changed, as `YYYY-MM-DD`, where it says so.
    pub date: Option<String>,
    pub parts: Vec<Part>,
    /// Pages, from 1, that show something and hold no letters: scanned ones, and the one page of a picture. A document
    /// without any other pages has no text yet; see [`Extracted::has_text`].
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub scanned: Vec<u32>,
    /// The rest was left out, because it is longer than what is read of one document.
    pub cut: bool,
    /// Pages and sheets that could not be read, or not to their end, as people call them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unread: Vec<String>,
    /// How a picture is to be turned or mirrored before it is shown, as EXIF numbers it; 0 where it does not say.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub orientation: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// None where the document has no places, or it stands before the first.
    pub place: Option<Place>,
    /// Markdown, or HTML.
    pub text: String,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub html: bool,
}

/// A document as one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assembled {
    /// Markdown.
    pub text: String,
    /// For every line of `text` its page where `paged`, else its place in `places`, from 1; 0 where it has none.
    pub lines: Vec<u32>,
    pub places: Vec<Place>,
    pub paged: bool,
}

impl Extracted {
    /// Whether there is anything to read.
    pub fn has_text(&self) -> bool {
        self.parts.iter().any(|part| !part.text.trim().is_empty())
    }

    /// Puts what was recognised on scanned pages in their place.
    pub fn add_recognised(&mut self, scanned: &[u32], pages: &BTreeMap<u32, String>) {
        for number in scanned {
            let Some(text) = pages.get(number) else { continue };
            let is_here = |part: &&mut Part| part.place.as_ref().is_none_or(|place| *place == Place::Page { number: *number });
            // What stood there may be a title beside a drawing, or a stamp, which was recognised, too.
            if let Some(part) = self.parts.iter_mut().find(is_here).filter(|part| part.text.len() < text.len()) {
                part.text.clone_from(text);
            }
        }
    }

    /// Puts the parts together. `html` makes Markdown of the parts that are HTML.
    pub fn assemble(&self, html: impl Fn(&str) -> String) -> Assembled {
        let mut out =
            Assembled { paged: self.parts.iter().all(|part| matches!(part.place, Some(Place::Page { .. }))), ..Assembled::default() };
        for part in &self.parts {
            let made = if part.html { html(&part.text) } else { String::new() };
            let text = if part.html { made.trim() } else { part.text.trim() };
            if text.is_empty() {
                continue;
            }
            let number = match &part.place {
                Some(Place::Page { number }) if out.paged => *number,
                Some(place) => {
                    if out.places.last() != Some(place) {
                        out.places.push(place.clone());
                    }
                    u32::try_from(out.places.len()).unwrap_or(u32::MAX)
                }
                None => 0,
            };
            if !out.text.is_empty() {
                out.text.push_str("\n\n");
                out.lines.push(number);
            }
            out.text.push_str(text);
            out.lines.extend(text.split('\n').map(|_| number));
        }
        if !out.paged && out.places.is_empty() {
            // Lines that have no other place count themselves.
            out.lines.clear();
        }
        out
    }
}

impl Part {
    fn new(place: impl Into<Option<Place>>, text: impl Into<String>) -> Self {
        Self { place: place.into(), text: text.into(), html: false }
    }
}

/// Why a document could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormatError {
    #[error("it is protected by a password; save a copy without one")]
    Encrypted,
    #[error("it holds no text: its pages are pictures, or its fonts do not say what their letters are")]
    NoText,
    #[error("it is damaged, or not what its name says")]
    Broken,
    #[error("it is too large or too complex to be read")]
    TooComplex,
    #[error("reading it took too long")]
    TooSlow,
    #[error("the file cannot be opened")]
    Unreadable,
}

/// The parts of a document that is at hand, in this process. [`read`] is the one to use. `pages` is told how many pages
/// there are, where they are read one after the other.
fn extract(kind: Kind, bytes: &[u8], attached: Attached, pages: &dyn Fn(u32)) -> Result<Extracted, FormatError> {
    let mut out = match kind {
        Kind::Pdf => pdf::extract(bytes, pages),
        Kind::Word => word::extract(bytes),
        Kind::Slides => slides::extract(bytes),
        Kind::OpenText => opendocument::text(bytes),
        Kind::OpenSlides => opendocument::slides(bytes),
        Kind::Sheet => sheet::extract(bytes),
        Kind::Delimited => sheet::delimited(bytes),
        Kind::Rtf => rtf::extract(bytes),
        Kind::Book => book::extract(bytes),
        Kind::Mail => mail::one(bytes, attached),
        Kind::Mailbox => mail::many(bytes, attached),
        Kind::Notebook => notebook::extract(bytes),
        Kind::Subtitles => subtitles::extract(bytes),
        Kind::Picture => Ok(picture(bytes)),
    }?;
    if matches!(kind, Kind::Word | Kind::OpenText | Kind::Rtf) {
        text::number_paragraphs(&mut out.parts);
    }
    shorten(&mut out);
    if !out.has_text() && out.scanned.is_empty() {
        return Err(FormatError::NoText);
    }
    Ok(out)
}

/// The same, where a parser that panics has met a damaged document.
fn guarded(kind: Kind, bytes: &[u8], attached: Attached, pages: &dyn Fn(u32)) -> Result<Extracted, FormatError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| extract(kind, bytes, attached, pages))).unwrap_or(Err(FormatError::Broken))
}

/// A picture is one page that nobody has read yet.
fn picture(bytes: &[u8]) -> Extracted {
    let exif = exif::Reader::new().read_from_container(&mut std::io::Cursor::new(bytes)).ok();
    let orientation = exif.and_then(|exif| exif.get_field(exif::Tag::Orientation, exif::In::PRIMARY)?.value.get_uint(0));
    Extracted { parts: vec![Part::new(None, "")], scanned: vec![1], orientation: orientation.unwrap_or_default(), ..Extracted::default() }
}

/// Leaves out what is more than [`MAX_TEXT`].
fn shorten(out: &mut Extracted) {
    let mut room = MAX_TEXT;
    let mut kept = 0;
    for part in &mut out.parts {
        let fits = part.text.len() <= room;
        if !fits {
            part.text.truncate(nexi_core::text::floor_char(&part.text, room));
            out.cut = true;
        }
        room -= part.text.len();
        kept += 1;
        if !fits || room == 0 {
            break;
        }
    }
    out.cut |= kept < out.parts.len();
    out.parts.truncate(kept);
}

/// Text of unknown encoding.
fn decode(bytes: &[u8]) -> String {
    if let Some(text) = wide::decode(bytes) {
        return text;
    }
    if let Some((encoding, mark)) = encoding_rs::Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, chardetng::Utf8Detection::Allow).decode_without_bom_handling(bytes).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_keeps_all_that_fits() {
        let rows: String = (1..=200_000).map(|row| format!("{row},Orvik,a line of the ledger\n")).collect();
        let table = extract(Kind::Delimited, format!("number,place,note\n{rows}").as_bytes(), Attached::Texts, &|_| {}).unwrap();
        assert!(table.cut && table.parts.len() > 10_000, "{} rows", table.parts.len());
        let part = || Part::new(Place::Page { number: 1 }, "x".repeat(MAX_TEXT / 4));
        let mut long = Extracted { parts: vec![part(), part(), part(), part(), part()], ..Extracted::default() };
        shorten(&mut long);
        assert!(long.cut && long.parts.len() == 4);
        let mut cut = Extracted { parts: vec![part(), part()], cut: true, ..Extracted::default() };
        shorten(&mut cut);
        assert_eq!(cut.parts.len(), 2);
    }

    #[test]
    fn endings_are_sorted_and_found() {
        assert!(ENDINGS.is_sorted_by_key(|(ending, _)| ending));
        assert_eq!(Kind::of_ending("PDF"), Some(Kind::Pdf));
        assert_eq!(Kind::of_ending("md"), None);
    }

    #[test]
    fn every_line_knows_its_place() {
        let row = |number: u32| Place::Row { sheet: "Stock".into(), cells: format!("A{number}:B{number}") };
        let parts = vec![
            Part::new(None, "# Stock"),
            Part::new(row(1), "a"),
            Part::new(row(2), "b"),
            Part::new(Place::Slide { number: 1 }, "c\n\nd"),
        ];
        let whole = Extracted { parts, ..Extracted::default() }.assemble(str::to_owned);
        assert_eq!(whole.text, "# Stock\n\na\n\nb\n\nc\n\nd");
        assert_eq!(whole.lines, [0, 1, 1, 2, 2, 3, 3, 3, 3]);
        assert_eq!(whole.text.split('\n').count(), whole.lines.len());
        assert_eq!(whole.places.len(), 3);
        let pages = vec![
            Part::new(Place::Page { number: 1 }, "a"),
            Part::new(Place::Page { number: 2 }, ""),
            Part::new(Place::Page { number: 3 }, "b"),
        ];
        let whole = Extracted { parts: pages, ..Extracted::default() }.assemble(str::to_owned);
        assert_eq!((whole.lines, whole.paged, whole.places.len()), (vec![1, 3, 3], true, 0));
    }

    #[test]
    fn long_documents_are_cut_at_a_letter() {
        let part = |text: String| Part::new(None, text);
        let mut long = Extracted { parts: vec![part("a".into()), part("é".repeat(MAX_TEXT)), part("b".into())], ..Extracted::default() };
        shorten(&mut long);
        assert!(long.cut && long.parts.len() == 2);
        assert!(long.parts.iter().map(|part| part.text.len()).sum::<usize>() <= MAX_TEXT);
        let mut short = Extracted { parts: vec![part("a".into())], ..Extracted::default() };
        shorten(&mut short);
        assert!(!short.cut);
    }
}
