//! What is attached to a message, where it is a document that can be read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use mail_parser::{MessagePart, MimeHeaders};
use nexi_core::{place::Place, text::fold_space};

use crate::{Extracted, FormatError, Kind, Part, extract};

/// How long the attachments of a file may take; those that are left are only named. A single one can take longer: then
/// the whole file is read again without any.
const PATIENCE: Duration = Duration::from_secs(8);

/// How a message's attachments are read.
pub(crate) struct Attachments {
    /// None where they are only named.
    until: Option<Instant>,
}

impl Attachments {
    pub(crate) fn read() -> Self {
        Self { until: Some(Instant::now() + PATIENCE) }
    }

    pub(crate) fn named() -> Self {
        Self { until: None }
    }

    /// Puts what an attachment says behind the message at `place`.
    pub(crate) fn put(&self, part: &MessagePart<'_>, place: &Place, out: &mut Extracted) {
        let name = part.attachment_name().map_or_else(|| "Attachment".into(), fold_space);
        let what = What::of(part, &name);
        if matches!(what, What::Other) {
            return;
        }
        if self.until.is_none_or(|until| Instant::now() > until) {
            out.unread.push(name);
            return;
        }
        let heading = |out: &mut Extracted| out.parts.push(Part::new(place.clone(), format!("## {name}")));
        match what {
            What::Text(text) => {
                heading(out);
                out.parts.push(Part::new(place.clone(), text.trim()));
            }
            What::Html(text) => {
                heading(out);
                out.parts.push(Part { html: true, ..Part::new(place.clone(), text) });
            }
            What::Document(kind) => match read(kind, part.contents()) {
                Ok(found) => {
                    heading(out);
                    out.parts.extend(found.parts.into_iter().map(|part| Part { place: Some(within(place, &name, part.place)), ..part }));
                    let unread = found.unread.into_iter().chain(found.cut.then(|| "the end".to_owned()));
                    out.unread.extend(unread.map(|unread| format!("{name}: {unread}")));
                }
                Err(_) => out.unread.push(name),
            },
            What::Other => {}
        }
    }
}

/// What is attached.
enum What {
    Text(String),
    Html(String),
    Document(Kind),
    /// A picture, an archive, a program: nothing to read.
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
        let is_html = part.is_content_type("text", "html") || matches!(ending.as_str(), "html" | "htm");
        // Programs that do not know Markdown or the like call it a sequence of bytes.
        let is_text = part.is_text() || matches!(ending.as_str(), "html" | "htm" | "md" | "txt" | "org" | "rst" | "tex" | "log");
        if !is_text {
            return Self::Other;
        }
        let text = part.text_contents().map_or_else(|| crate::decode(part.contents()), str::to_owned);
        if is_html { Self::Html(text) } else { Self::Text(text) }
    }
}

/// A message that is attached as a file names its own attachments.
fn read(kind: Kind, bytes: &[u8]) -> Result<Extracted, FormatError> {
    catch_unwind(AssertUnwindSafe(|| extract(kind, bytes, &Attachments::named(), &|_| {}))).unwrap_or(Err(FormatError::Broken))
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
        let found = mail::one(raw.as_bytes(), &Attachments::read()).unwrap();
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
        let found = mail::one(raw.as_bytes(), &Attachments::read()).unwrap();
        assert_eq!(found.unread, ["plan.pdf"]);
        assert!(all(&found).contains("See below.") && all(&found).contains("Mast painted."));
        let found = mail::one(raw.as_bytes(), &Attachments::named()).unwrap();
        assert_eq!(found.unread, ["plan.pdf", "log.txt"]);
        assert!(all(&found).contains("See below.") && !all(&found).contains("Mast painted."));
    }
}
