//! What is attached to messages, where it is a document that can be read.

use std::path::Path;
use std::time::{Duration, Instant};

use mail_parser::{Message, MessagePart, MimeHeaders};
use nexi_core::{place::Place, text::fold_space};

use super::body::{bytes_of, text_of};
use crate::{Extracted, Kind, MAX_TEXT, Part, guarded};

/// How long documents that are attached in one file may take together; those that are left are only named. A single one
/// can take longer: then the file is read again with plain texts alone.
const ATTACHMENTS_TIMEOUT: Duration = Duration::from_secs(8);
/// Bytes and parts of all that is attached in one file, and bytes of one attachment.
const MAX_ATTACHED: usize = 8 * 1024 * 1024;
const MAX_PARTS: usize = 50_000;
const MAX_ONE: usize = 2 * 1024 * 1024;
/// Attachments that are named because they could not be read.
const MAX_UNREAD: usize = 100;
/// Endings of text that programs send as a sequence of bytes.
const TEXTS: &[&str] = &["md", "markdown", "txt", "org", "rst", "tex", "log", "json", "yaml", "yml", "toml", "xml"];
/// Endings of archives and of documents that Nexi does not read.
const UNREADABLE: &[&str] = &["zip", "7z", "rar", "tar", "gz", "tgz", "doc", "ppt", "dat", "p7m", "pages", "numbers", "key"];
/// What documents are by the type that a message tells.
const TYPES: &[(&str, &str, Kind)] = &[
    ("application", "pdf", Kind::Pdf),
    ("application", "rtf", Kind::Rtf),
    ("application", "epub+zip", Kind::Book),
    ("application", "vnd.openxmlformats-officedocument.wordprocessingml.document", Kind::Word),
    ("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet", Kind::Sheet),
    ("application", "vnd.openxmlformats-officedocument.presentationml.presentation", Kind::Slides),
    ("application", "vnd.oasis.opendocument.text", Kind::OpenText),
    ("application", "vnd.oasis.opendocument.spreadsheet", Kind::Sheet),
    ("application", "vnd.oasis.opendocument.presentation", Kind::OpenSlides),
    ("text", "csv", Kind::Delimited),
];

/// Which attachments are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attached {
    All,
    /// Documents with a format of their own are only named.
    Texts,
}

/// What the attachments of a file say. It stands behind all messages, so that it never takes their room.
pub(super) struct Attachments {
    which: Attached,
    spent: Duration,
    bytes: usize,
    parts: Vec<Part>,
    unread: Vec<String>,
}

impl Attachments {
    pub(super) fn new(which: Attached) -> Self {
        Self { which, spent: Duration::ZERO, bytes: 0, parts: Vec::new(), unread: Vec::new() }
    }

    /// Reads an attachment of `message`, which stands at `place`.
    pub(super) fn read(&mut self, message: &Message<'_>, part: &MessagePart<'_>, place: &Place) {
        let name = part.attachment_name().map_or_else(|| "Attachment".into(), fold_space);
        match What::of(part, &name) {
            What::Text { html } => {
                let text = text_of(message, part);
                self.add(&name, place, vec![Part { html, ..Part::new(place.clone(), text.trim()) }]);
            }
            What::Document(kind) if self.which == Attached::All && self.spent < ATTACHMENTS_TIMEOUT && self.bytes < MAX_ATTACHED => {
                let begun = Instant::now();
                // A message that is attached as a file names its own attachments.
                let found = guarded(kind, &bytes_of(message, part), Attached::Texts, &|_| {});
                self.spent += begun.elapsed();
                match found {
                    Ok(found) if found.has_text() => {
                        let pages = found.scanned.iter().map(|page| format!("page {page}"));
                        for unread in found.unread.into_iter().chain(pages) {
                            self.unread(format!("{name}: {unread}"));
                        }
                        let parts = found.parts.into_iter().filter(|part| !part.text.trim().is_empty());
                        self.add(&name, place, parts.map(|part| Part { place: Some(within(place, &name, part.place)), ..part }).collect());
                    }
                    _ => self.unread(name),
                }
            }
            What::Document(_) | What::Unreadable => self.unread(name),
            What::Other => {}
        }
    }

    /// Puts what was read behind the messages, as far as there is room.
    pub(super) fn finish(self, out: &mut Extracted) {
        let used: usize = out.parts.iter().map(|part| part.text.len()).sum();
        let mut room = MAX_TEXT.saturating_sub(used);
        for part in self.parts {
            if part.text.len() > room {
                out.cut = true;
                break;
            }
            room -= part.text.len();
            out.parts.push(part);
        }
        out.unread.extend(self.unread);
    }

    fn add(&mut self, name: &str, place: &Place, parts: Vec<Part>) {
        // They stand behind all messages, and not below the last one.
        self.parts.push(Part::new(place.clone(), format!("# {name} · {place}")));
        let mut of_this = 0;
        for part in parts {
            of_this += part.text.len();
            if of_this > MAX_ONE || self.bytes + part.text.len() > MAX_ATTACHED || self.parts.len() >= MAX_PARTS {
                self.unread(format!("the rest of {name}"));
                return;
            }
            self.bytes += part.text.len();
            self.parts.push(part);
        }
    }

    pub(super) fn unread(&mut self, name: String) {
        if self.unread.len() < MAX_UNREAD {
            self.unread.push(name);
        }
    }
}

/// What is attached.
enum What {
    Text {
        html: bool,
    },
    Document(Kind),
    /// An archive, or a document that Nexi does not read.
    Unreadable,
    /// A picture, an invitation, a signature: nothing to read.
    Other,
}

impl What {
    fn of(part: &MessagePart<'_>, name: &str) -> Self {
        let ending = Path::new(name).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        match Kind::of_ending(&ending) {
            // Pictures are read where they lie as files, with the recogniser.
            Some(Kind::Picture) => return Self::Other,
            Some(kind) => return Self::Document(kind),
            None => {}
        }
        // Some come without a name.
        let of_type = |(kind, subtype, is): &(&str, &str, Kind)| part.is_content_type(kind, subtype).then_some(*is);
        if let Some(kind) = TYPES.iter().find_map(of_type) {
            return Self::Document(kind);
        }
        if UNREADABLE.contains(&ending.as_str()) || part.is_content_type("application", "ms-tnef") {
            return Self::Unreadable;
        }
        let html = part.is_content_type("text", "html") || matches!(ending.as_str(), "html" | "htm");
        let is_text = ["plain", "markdown", "x-markdown"].iter().any(|kind| part.is_content_type("text", kind));
        if !html && !is_text && !TEXTS.contains(&ending.as_str()) {
            return Self::Other;
        }
        Self::Text { html }
    }
}

/// A place of an attachment as one of the message.
fn within(message: &Place, name: &str, place: Option<Place>) -> Place {
    let name = match place {
        Some(place) => format!("{message}, {name}, {place}"),
        None => format!("{message}, {name}"),
    };
    Place::Message { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail;

    /// A message with these attachments: their headers and what they hold.
    fn message(attachments: &[(&str, &str)]) -> String {
        let mut raw = "From: ann@e.org\r\nSubject: Plans\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
                       --x\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n"
            .to_owned();
        for (headers, body) in attachments {
            raw.push_str(&format!("--x\r\n{headers}\r\n\r\n{body}\r\n"));
        }
        raw + "--x--\r\n"
    }

    fn all(found: &Extracted) -> String {
        found
            .parts
            .iter()
            .map(|part| format!("[{}] {}\n", part.place.as_ref().map_or_else(String::new, Place::to_string), part.text))
            .collect()
    }

    #[test]
    fn attached_documents_are_read_and_say_where_they_stand() {
        let raw = message(&[
            (
                "Content-Type: text/csv; name=\"masts.csv\"\r\nContent-Disposition: attachment; filename=masts.csv",
                "mast,paint\r\nnorth,white\r\n",
            ),
            ("Content-Type: text/html\r\nContent-Disposition: attachment; filename=page.html", "<p>The keel is oak.</p>"),
            (
                "Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=notes.md",
                "# Sails\r\n\r\nThree of them.",
            ),
            ("Content-Type: application/rtf\r\nContent-Disposition: attachment; filename=deck.rtf", "{\\rtf1 The deck is teak.\\par}"),
            ("Content-Type: image/png\r\nContent-Disposition: attachment; filename=mast.png", "xx"),
        ]);
        let found = mail::one(raw.as_bytes(), Attached::All).unwrap();
        let text = all(&found);
        for wanted in [
            "[ann@e.org: Plans, masts.csv, A2:B2] mast: north",
            "[ann@e.org: Plans] <p>The keel is oak.</p>",
            "Three of them.",
            "The deck is teak.",
            "Attached: masts.csv, page.html, notes.md, deck.rtf, mast.png",
        ] {
            assert!(text.contains(wanted), "{wanted} in {text}");
        }
        assert!(found.parts.iter().any(|part| part.html && part.text.contains("keel")));
        assert!(found.unread.is_empty(), "{:?}", found.unread);
    }

    #[test]
    fn attachments_that_cannot_be_read_are_named_and_cost_nothing_else() {
        let raw = message(&[
            ("Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=plan.pdf", "no PDF"),
            ("Content-Type: text/plain\r\nContent-Disposition: attachment; filename=log.txt", "Mast painted."),
        ]);
        let found = mail::one(raw.as_bytes(), Attached::All).unwrap();
        assert_eq!(found.unread, ["plan.pdf"]);
        assert!(all(&found).contains("See below.") && all(&found).contains("Mast painted."));
        let found = mail::one(raw.as_bytes(), Attached::Texts).unwrap();
        assert_eq!(found.unread, ["plan.pdf"], "texts cost nothing");
        assert!(all(&found).contains("See below.") && all(&found).contains("Mast painted."));
    }

    #[test]
    fn attachments_without_a_name_or_in_an_old_encoding_are_read() {
        let mut raw = message(&[
            ("Content-Type: application/rtf", "{\\rtf1 The deck is teak.\\par}"),
            ("Content-Type: text/csv\r\nContent-Disposition: attachment; filename=g.csv", "name,price\r\nSPOT,5"),
            ("Content-Type: application/zip\r\nContent-Disposition: attachment; filename=stuff.zip", "PK"),
        ])
        .into_bytes();
        let at = raw.windows(4).position(|window| window == b"SPOT").unwrap();
        raw[at..at + 4].copy_from_slice(b"Gr\xfcn");
        let found = mail::one(&raw, Attached::All).unwrap();
        let text = all(&found);
        assert!(text.contains("The deck is teak.") && text.contains("Gr\u{fc}n"), "{text}");
        assert_eq!(found.unread, ["stuff.zip"]);
    }

    #[test]
    fn attachments_take_no_room_of_messages() {
        let row = "Orvik,a line of the ledger that is rather long\r\n";
        let ledger = format!("place,note\r\n{}", row.repeat(3 * 1024 * 1024 / row.len()));
        let invitation =
            ("Content-Type: text/calendar; name=meet.ics\r\nContent-Disposition: attachment; filename=meet.ics", "BEGIN:VCALENDAR");
        let long = message(&[("Content-Type: text/csv\r\nContent-Disposition: attachment; filename=ledger.csv", &ledger), invitation]);
        let mut mailbox = format!("From - Mon\r\n{long}\r\n").repeat(8);
        mailbox.push_str("From - Tue\r\nSubject: Last\r\n\r\nThe harbour is closed.\r\n");
        let found = mail::many(mailbox.as_bytes(), Attached::All).unwrap();
        let text = all(&found);
        assert!(text.contains("The harbour is closed.") && text.contains("Orvik") && !text.contains("VCALENDAR"));
        assert!(text.len() < 2 * MAX_TEXT && found.unread.contains(&"the rest of ledger.csv".to_owned()), "{:?}", found.unread);
    }
}
