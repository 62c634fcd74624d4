//! The text of PDF files, page by page, so that a citation can name the page.
//!
//! The format is a programming language with cycles in it, and parsers of it run out of stack or
//! memory where somebody wants them to. A process of its own with limits does the work, where the
//! program offers itself as one ([`serve`]); elsewhere a thread with a large stack.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nexi_core::ports::{Failure, Page};
use nexi_core::text;
use serde::{Deserialize, Serialize};
use url::Url;

/// The argument that turns a program into a reader of PDF files; see [`serve`].
const ARGUMENT: &str = "--nexi-read-pdf";
/// How long a file may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Memory that the process of its own may have, in bytes.
const MEMORY: u64 = 128 * 1024 * 1024;
const STACK: usize = 64 * 1024 * 1024;
/// Pages that are read; the rest of a longer document is left out.
const MAX_PAGES: u32 = 1500;
/// Bytes of text that one document may become.
const MAX_TEXT: usize = 4 * 1024 * 1024;

static HELPER: OnceLock<PathBuf> = OnceLock::new();

/// What the pages say.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Text {
    title: String,
    pages: Vec<String>,
}

/// Call this first in `main`: it keeps crashes from leaving dumps, and makes the program do the work when it was started for it, and
/// else remembers that it can be.
pub fn serve() {
    // A dump of a crash would hold keys and private text.
    #[cfg(unix)]
    let _ = rlimit::setrlimit(rlimit::Resource::CORE, 0, 0);
    if std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT) {
        #[cfg(unix)]
        {
            let _ = rlimit::setrlimit(rlimit::Resource::DATA, MEMORY, MEMORY);
            let _ = rlimit::setrlimit(rlimit::Resource::CPU, PATIENCE.as_secs(), PATIENCE.as_secs());
        }
        let mut body = Vec::new();
        let read = std::io::stdin().take(64 * 1024 * 1024).read_to_end(&mut body);
        // What the parser prints or how it panics interests nobody.
        std::panic::set_hook(Box::new(|_| {}));
        let code = match read.ok().and_then(|_| extract(&body)) {
            Some(text) => {
                let sent = serde_json::to_vec(&text).ok().is_some_and(|reply| std::io::stdout().write_all(&reply).is_ok());
                i32::from(!sent)
            }
            None => 1,
        };
        std::process::exit(code);
    }
    if let Ok(program) = std::env::current_exe() {
        let _ = HELPER.set(program);
    }
}

/// The document as a page. Blocks for up to 20 seconds.
///
/// # Errors
/// When it is broken, protected, or holds pictures only.
pub(super) fn page(url: &Url, body: Vec<u8>) -> Result<Page, Failure> {
    let found = match HELPER.get() {
        Some(program) => in_process(program, body),
        None => in_thread(body),
    };
    let Text { title, mut pages } =
        found.ok_or_else(|| Failure::new("the PDF could not be read: it is broken, protected, or too complex"))?;
    without_running_heads(&mut pages);
    let (text, lines) = join(&pages);
    if text.trim().is_empty() {
        return Err(Failure::new(
            "the PDF holds no text that can be read: its pages are pictures, or its fonts do not say what their letters are",
        ));
    }
    let title = text::fold_space(&title);
    let title = if title.is_empty() { text.lines().next().unwrap_or_default().chars().take(120).collect() } else { title };
    Ok(Page { url: url.to_string(), title, text, lines, paged: true, ..Page::default() })
}

fn in_process(program: &PathBuf, body: Vec<u8>) -> Option<Text> {
    let mut child =
        Command::new(program).arg(ARGUMENT).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let (mut input, mut output) = (child.stdin.take()?, child.stdout.take()?);
    std::thread::spawn(move || drop(input.write_all(&body)));
    let reader = std::thread::spawn(move || {
        let mut reply = Vec::new();
        output.by_ref().take(4 * MAX_TEXT as u64).read_to_end(&mut reply).map(|_| reply)
    });
    let began = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if began.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let reply = reader.join().ok()?.ok()?;
    status.filter(std::process::ExitStatus::success)?;
    serde_json::from_slice(&reply).ok()
}

fn in_thread(body: Vec<u8>) -> Option<Text> {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::Builder::new().name("pdf".into()).stack_size(STACK).spawn(move || drop(send.send(extract(&body)))).ok()?;
    receive.recv_timeout(PATIENCE).ok()?
}

fn extract(body: &[u8]) -> Option<Text> {
    let body = body.to_vec();
    let work = move || {
        let mut document = pdf_extract::Document::load_mem(&body).ok()?;
        if document.is_encrypted() {
            document.decrypt("").ok()?;
        }
        let title = document
            .trailer
            .get(b"Info")
            .and_then(pdf_extract::Object::as_reference)
            .and_then(|id| document.get_dictionary(id))
            .and_then(|info| info.get(b"Title"))
            .and_then(|title| title.as_str())
            .map(decode_string)
            .unwrap_or_default();
        let mut pages = Vec::new();
        let mut bytes = 0;
        let last = document.get_pages().len().try_into().unwrap_or(u32::MAX).min(MAX_PAGES);
        for number in 1..=last {
            let mut out = String::new();
            // A page that cannot be read is an empty one; the others may be fine.
            let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mut output = pdf_extract::PlainTextOutput::new(&mut out);
                pdf_extract::output_doc_page(&document, &mut output, number).is_ok()
            }));
            if read.is_err() {
                out.clear();
            }
            bytes += out.len();
            pages.push(out);
            if bytes > MAX_TEXT {
                break;
            }
        }
        Some(Text { title, pages })
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok()?
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
fn without_running_heads(pages: &mut [String]) {
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

/// Paragraphs without the line breaks of print, and for every line of the result its page.
fn join(pages: &[String]) -> (String, Vec<u32>) {
    let (mut out, mut lines) = (String::new(), Vec::new());
    for (index, page) in pages.iter().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut paragraph = String::new();
        for line in page.lines().map(str::trim).chain([""]) {
            if !line.is_empty() {
                push_line(&mut paragraph, line);
                continue;
            }
            let whole = text::fold_space(&paragraph);
            paragraph.clear();
            if !whole.is_empty() {
                if !out.is_empty() {
                    out.push_str("\n\n");
                    lines.push(number);
                }
                out.push_str(&whole);
                lines.push(number);
            }
        }
    }
    (out, lines)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with these lines, a page each.
    fn file(pages: &[&str]) -> Vec<u8> {
        let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
        let kids: Vec<String> = (0..pages.len()).map(|index| format!("{} 0 R", 4 + 2 * index)).collect();
        objects.push(format!("<< /Type /Pages /Kids [{}] /Count {} /MediaBox [0 0 612 792] >>", kids.join(" "), pages.len()));
        objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".into());
        for (index, page) in pages.iter().enumerate() {
            let mut content = String::from("BT /F1 12 Tf 72 720 Td 14 TL\n");
            for line in page.lines() {
                content.push_str(&format!("({line}) Tj T*\n"));
            }
            content.push_str("ET");
            objects.push(format!("<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents {} 0 R >>", 5 + 2 * index));
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
    fn pages_are_kept_apart() {
        let url = Url::parse("https://e.org/a.pdf").unwrap();
        let page = page(&url, file(&["The bridge opened in 1931.", "It has two towers."])).unwrap();
        assert!(page.paged && page.text.contains("opened in 1931."), "{page:?}");
        let at = page.text.find("two towers").unwrap();
        assert_eq!(text::line_of(&page.text, &page.lines, at), 2, "{page:?}");
        assert_eq!(text::line_of(&page.text, &page.lines, 0), 1);
    }

    #[test]
    fn broken_files_are_refused() {
        let url = Url::parse("https://e.org/a.pdf").unwrap();
        let whole = file(&["The bridge opened in 1931."]);
        for body in [b"%PDF-1.7".to_vec(), b"%PDF-1.7\nxref\n0 99999999\n".to_vec(), whole[..whole.len() / 2].to_vec()] {
            assert!(page(&url, body).is_err());
        }
    }

    #[test]
    fn words_and_pages_lose_the_marks_of_print() {
        let mut pages: Vec<String> =
            (1..=5).map(|page| format!("Journal of Bridges\n\nThe exam-\nple number {page}\nends.\n\n- {page} -")).collect();
        without_running_heads(&mut pages);
        let (text, lines) = join(&pages);
        assert!(text.starts_with("The example number 1 ends.\n\nThe example"), "{text}");
        assert!(!text.contains("Journal") && !text.contains("- 1 -"));
        assert_eq!(lines, [1, 2, 2, 3, 3, 4, 4, 5, 5]);
        for each in [
            "Article {}. The fee for class {} is X.\nThe words of {} are other.",
            "{} 40 77\nRow {} of rows.",
            "Slide {}: revenue was {} million",
        ] {
            let whole: Vec<String> = (1..=6).map(|page: usize| each.replace("{}", &page.to_string())).collect();
            let mut pages = whole.clone();
            without_running_heads(&mut pages);
            assert_eq!(pages, whole, "what differs in its numbers is no running head");
        }
    }
}
