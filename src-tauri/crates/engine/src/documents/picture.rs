//! A page of a PDF as a picture, with the words of a passage marked. Poppler draws it, where it is installed, in a process
//! with the limits that all parsers of documents have.

use std::io::Read;
use std::path::Path;

use nexi_formats::{Kind, Limited, limited};
use nexi_store::documents::RecognisedWord;
use quick_xml::{Reader, events::Event};

/// Dots per inch.
const RESOLUTION: u32 = 110;
/// Bytes of a picture, and of the list of its words.
const MAX_PICTURE: u64 = 24 * 1024 * 1024;
const MAX_WORDS: u64 = 16 * 1024 * 1024;
/// Letters of a passage's beginning and end that are looked for where it does not stand there as a whole.
const ENDS: usize = 32;

/// A page, drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct PagePicture {
    /// Of the page, from 1.
    pub number: u32,
    pub picture: Vec<u8>,
    /// Such as `image/png`.
    pub media_type: &'static str,
    /// Where the marked words stand: left, top, width and height as shares of the page.
    pub marks: Vec<[f64; 4]>,
}

/// Whether pages can be drawn here.
pub fn can_draw() -> bool {
    nexi_formats::is_installed("pdftoppm") && nexi_formats::is_installed("pdftotext")
}

/// Draws a page and finds the words of `quote` on it, among those that were `recognised` where the page is scanned. Blocks
/// for some seconds at most; none where it cannot be drawn.
pub fn draw(file: &Path, number: u32, quote: &str, recognised: &[RecognisedWord]) -> Option<PagePicture> {
    if Kind::of_path(file) == Some(Kind::Picture) {
        return shown(file, quote, recognised);
    }
    let page = number.to_string();
    let resolution = RESOLUTION.to_string();
    let run = |program: &str, options: &[&str], output: &[&str], most: u64| {
        let mut command = Limited::new(program, most);
        command.arguments(["-f", &page, "-l", &page]);
        command.arguments(options);
        command.arguments([file.as_os_str()]);
        command.arguments(output);
        limited(&command)
    };
    // Without a name it writes the picture to its output.
    let png = run("pdftoppm", &["-r", &resolution, "-png", "-singlefile"], &[], MAX_PICTURE)?;
    if !png.starts_with(b"\x89PNG") {
        return None;
    }
    let marks = if recognised.is_empty() {
        marks(&String::from_utf8_lossy(&run("pdftotext", &["-bbox"], &["-"], MAX_WORDS).unwrap_or_default()), quote)
    } else {
        recognised_marks(recognised, quote)
    };
    Some(PagePicture { number, picture: png, media_type: "image/png", marks })
}

/// The media type of a picture that a window can show; none of other files.
fn media_type(file: &Path) -> Option<&'static str> {
    match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "png" => Some("image/png"),
        "jpg" | "jpeg" => Some("image/jpeg"),
        "webp" => Some("image/webp"),
        "bmp" => Some("image/bmp"),
        _ => None,
    }
}

/// Whether a window can show this picture.
pub fn can_show(file: &Path) -> bool {
    media_type(file).is_some()
}

/// A picture as it is.
fn shown(file: &Path, quote: &str, recognised: &[RecognisedWord]) -> Option<PagePicture> {
    let media_type = media_type(file)?;
    let mut picture = Vec::new();
    std::fs::File::open(file).ok()?.take(MAX_PICTURE + 1).read_to_end(&mut picture).ok()?;
    (picture.len() as u64 <= MAX_PICTURE).then(|| PagePicture {
        number: 1,
        picture,
        media_type,
        marks: recognised_marks(recognised, quote),
    })
}

fn recognised_marks(recognised: &[RecognisedWord], quote: &str) -> Vec<[f64; 4]> {
    let word = |word: &RecognisedWord| Word { letters: letters(&word.text), place: word.sides.map(f64::from) };
    marks_among(&recognised.iter().map(word).collect::<Vec<_>>(), (1.0, 1.0), quote)
}

/// A word and where it stands.
struct Word {
    letters: String,
    place: [f64; 4],
}

/// Where the words of a passage stand on a page, a mark for each line.
fn marks(boxes: &str, quote: &str) -> Vec<[f64; 4]> {
    words(boxes).map(|(words, width, height)| marks_among(&words, (width, height), quote)).unwrap_or_default()
}

fn marks_among(words: &[Word], (width, height): (f64, f64), quote: &str) -> Vec<[f64; 4]> {
    let all: String = words.iter().map(|word| word.letters.as_str()).collect();
    let wanted = letters(quote);
    let Some((start, end)) = stretch(&all, &wanted) else { return Vec::new() };
    let mut at = 0;
    let mut lines: Vec<[f64; 4]> = Vec::new();
    for word in words {
        let begin = at;
        at += word.letters.len();
        if word.letters.is_empty() || begin >= end || at <= start {
            continue;
        }
        let [x0, y0, x1, y1] = word.place;
        match lines.last_mut() {
            // The same line goes on to the right.
            Some(line) if (y0 - line[1]).abs() < (y1 - y0) / 2.0 && x0 >= line[0] => {
                line[2] = line[2].max(x1);
                line[3] = line[3].max(y1);
            }
            _ => lines.push([x0, y0, x1, y1]),
        }
    }
    let share = |[x0, y0, x1, y1]: [f64; 4]| [x0 / width, y0 / height, (x1 - x0) / width, (y1 - y0) / height];
    lines.into_iter().map(share).collect()
}

/// Where a passage stands among the letters of a page, which may hold only its beginning or its end.
fn stretch(all: &str, wanted: &str) -> Option<(usize, usize)> {
    if wanted.is_empty() {
        return None;
    }
    if let Some(start) = all.find(wanted) {
        return Some((start, start + wanted.len()));
    }
    let head: String = wanted.chars().take(ENDS).collect();
    let tail: String = wanted.chars().rev().take(ENDS).collect::<Vec<_>>().into_iter().rev().collect();
    match (all.find(&head), all.find(&tail)) {
        (Some(start), Some(end)) if start < end && end - start < 3 * wanted.len() => Some((start, end + tail.len())),
        // It begins on this page and goes on on the next one.
        (Some(start), _) => Some((start, (start + wanted.len()).min(all.len()))),
        (None, Some(end)) => Some(((end + tail.len()).saturating_sub(wanted.len()), end + tail.len())),
        (None, None) => None,
    }
}

/// The letters and digits of a text, small, and nothing else: hyphens and blanks are other ones on every way of reading.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a page as `pdftotext -bbox` lists them, and how large the page is.
fn words(boxes: &str) -> Option<(Vec<Word>, f64, f64)> {
    let mut reader = Reader::from_str(boxes);
    let (mut out, mut size, mut open) = (Vec::new(), None, None);
    loop {
        match reader.read_event().ok()? {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => {
                let number = |name: &str| -> Option<f64> {
                    let attribute = tag.try_get_attribute(name).ok()??;
                    attribute.value.parse().ok()
                };
                match tag.name().as_ref() {
                    "page" => size = number("width").zip(number("height")).filter(|(width, height)| *width > 0.0 && *height > 0.0),
                    "word" => {
                        let sides = (number("xMin"), number("yMin"), number("xMax"), number("yMax"));
                        open = if let (Some(x0), Some(y0), Some(x1), Some(y1)) = sides { Some([x0, y0, x1, y1]) } else { None };
                    }
                    _ => {}
                }
            }
            Event::Text(text) => {
                if let Some(place) = open {
                    out.push(Word { letters: letters(text.as_ref()), place });
                }
            }
            Event::End(tag) if tag.name().as_ref() == "word" => open = None,
            _ => {}
        }
    }
    let (width, height) = size?;
    Some((out, width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOXES: &str = r#"<html><body><doc><page width="100" height="200">
        <word xMin="10" yMin="20" xMax="30" yMax="30">The</word><word xMin="32" yMin="20" xMax="60" yMax="30">town</word>
        <word xMin="10" yMin="32" xMax="40" yMax="42">paid</word><word xMin="42" yMin="32" xMax="60" yMax="42">two</word>
        <word xMin="62" yMin="32" xMax="90" yMax="42">thirds.</word></page></doc></body></html>"#;

    #[test]
    fn a_passage_is_marked_line_by_line() {
        assert_eq!(marks(BOXES, "town paid two"), [[0.32, 0.1, 0.28, 0.05], [0.1, 0.16, 0.5, 0.05]]);
        assert_eq!(marks(BOXES, "nothing like it"), [] as [[f64; 4]; 0]);
        assert_eq!(marks("junk", "town"), [] as [[f64; 4]; 0]);
        // A passage that goes on on the next page is marked as far as this one has it.
        let long = format!("two thirds. {}", "and so on and on ".repeat(6));
        assert_eq!(stretch("thetownpaidtwothirds", &letters(&long)), None, "too little of it");
        let head = "abcdefghijklmnopqrstuvwxyz0123456789";
        assert_eq!(stretch(&format!("xx{head}"), &format!("{head}more")), Some((2, 38)));
    }
}
