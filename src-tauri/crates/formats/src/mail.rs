//! `.eml` and `.mbox`: sender, day and subject of every message, its text and what is attached.

mod attachment;
mod body;

use std::borrow::Cow;

pub(crate) use attachment::Attached;
use attachment::Attachments;
use body::Quotes;
use mail_parser::{Address, Message, MessageParser, MimeHeaders};
use nexi_core::{place::Place, text::fold_space};

use crate::{Extracted, FormatError, Part};

/// Messages of a mailbox that are read.
const MAX_MESSAGES: usize = 50_000;
/// Messages within a message within a message.
const MAX_DEPTH: usize = 24;

pub(crate) fn one(bytes: &[u8], attached: Attached) -> Result<Extracted, FormatError> {
    let bytes = with_readable_head(bytes);
    let message = MessageParser::default().parse(&*bytes).ok_or(FormatError::Broken)?;
    let mut out = Extracted {
        title: fold_space(message.subject().unwrap_or_default()),
        authors: senders(&message),
        date: day(&message),
        ..Extracted::default()
    };
    let mut mail = Mail { attachments: Attachments::new(attached), quotes: Quotes::Kept };
    mail.put(&message, 0, &mut out);
    mail.attachments.finish(&mut out);
    Ok(out)
}

pub(crate) fn many(bytes: &[u8], attached: Attached) -> Result<Extracted, FormatError> {
    let mut out = Extracted::default();
    let mut mail = Mail { attachments: Attachments::new(attached), quotes: Quotes::once() };
    for raw in messages(bytes).take(MAX_MESSAGES) {
        let raw = without_quoting(with_readable_head(raw));
        let Some(message) = MessageParser::default().parse(&*raw).filter(|message| !was_deleted(message)) else { continue };
        mail.put(&message, 0, &mut out);
    }
    mail.attachments.finish(&mut out);
    if out.parts.is_empty() { Err(FormatError::Broken) } else { Ok(out) }
}

/// Whether a message was deleted in Thunderbird, which keeps it in the file for a while.
fn was_deleted(message: &Message<'_>) -> bool {
    const EXPUNGED: u16 = 0x0008;
    let status = message.header_raw("X-Mozilla-Status").and_then(|status| u16::from_str_radix(status.trim(), 16).ok());
    status.is_some_and(|status| status & EXPUNGED != 0)
}

/// Each message of a mailbox: a line that begins with `From ` stands before it.
fn messages(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut starts = Vec::new();
    let mut at = 0;
    let mut after_blank = true;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if after_blank && line.starts_with(b"From ") {
            starts.push((at, at + line.len()));
        }
        after_blank = line.iter().all(|byte| matches!(byte, b'\r' | b'\n'));
        at += line.len();
    }
    let ends: Vec<usize> = starts.iter().skip(1).map(|(start, _)| *start).chain([bytes.len()]).collect();
    starts.into_iter().zip(ends).map(|((_, from), to)| &bytes[from..to])
}

/// The same with headers in UTF-8 and lines that end as they should: old programs wrote letters there as they were, and old
/// Macs ended lines with a return alone.
fn with_readable_head(bytes: &[u8]) -> Cow<'_, [u8]> {
    if bytes.contains(&b'\r') && !bytes.contains(&b'\n') {
        let lines: Vec<u8> = bytes.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte }).collect();
        return Cow::Owned(with_readable_head(&lines).into_owned());
    }
    let breaks = |end: &[u8]| bytes.windows(end.len()).position(|window| window == end);
    let end = [breaks(b"\r\n\r\n"), breaks(b"\n\n")].into_iter().flatten().min().unwrap_or(bytes.len());
    if std::str::from_utf8(&bytes[..end]).is_ok() {
        return Cow::Borrowed(bytes);
    }
    let mut out = crate::decode(&bytes[..end]).into_bytes();
    out.extend_from_slice(&bytes[end..]);
    Cow::Owned(out)
}

/// Lines as they were before a mailbox was made of the message: `From ` at the beginning of one got a `>` in front.
fn without_quoting(raw: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let is_quoted = |line: &[u8]| line.first() == Some(&b'>') && line.iter().skip_while(|byte| **byte == b'>').take(5).eq(b"From ");
    if !raw.split_inclusive(|byte| *byte == b'\n').any(is_quoted) {
        return raw;
    }
    let lines = raw.split_inclusive(|byte| *byte == b'\n').map(|line| if is_quoted(line) { &line[1..] } else { line });
    Cow::Owned(lines.collect::<Vec<_>>().concat())
}

/// What is gathered while the messages of a file are read.
struct Mail {
    attachments: Attachments,
    quotes: Quotes,
}

impl Mail {
    /// The message as parts: who, when and what about, then what it says, then the messages that it brings along.
    fn put(&mut self, message: &Message<'_>, depth: usize, out: &mut Extracted) {
        let place = place(message);
        out.parts.push(Part::new(place.clone(), head(message)));
        for mut part in body::parts(message) {
            if !part.html {
                part.text = self.quotes.take(&part.text);
            }
            out.parts.push(Part { place: Some(place.clone()), ..part });
        }
        for part in message.attachments() {
            match part.message() {
                Some(forwarded) if depth < MAX_DEPTH => self.put(forwarded, depth + 1, out),
                Some(forwarded) => self.attachments.unread(forwarded.subject().map_or_else(|| "a forwarded message".into(), fold_space)),
                None => self.attachments.read(message, part, &place),
            }
        }
    }
}

fn head(message: &Message<'_>) -> String {
    let mut head = format!("# {}\n\n", fold_space(message.subject().unwrap_or("(no subject)")));
    for (name, people) in [("From", message.from()), ("To", message.to()), ("Cc", message.cc())] {
        let people = people.map(people_of).unwrap_or_default();
        if !people.is_empty() {
            head.push_str(&format!("- {name}: {}\n", people.join(", ")));
        }
    }
    if let Some(date) = message.date() {
        head.push_str(&format!("- Date: {:04}-{:02}-{:02} {:02}:{:02}\n", date.year, date.month, date.day, date.hour, date.minute));
    }
    let attached: Vec<String> = message.attachments().filter_map(|part| part.attachment_name()).map(fold_space).collect();
    if !attached.is_empty() {
        head.push_str(&format!("- Attached: {}\n", attached.join(", ")));
    }
    head
}

/// Sender, day and subject.
fn place(message: &Message<'_>) -> Place {
    let from = senders(message).into_iter().next().unwrap_or_else(|| "unknown sender".into());
    let subject = fold_space(message.subject().unwrap_or("no subject"));
    let name = match day(message) {
        Some(day) => format!("{from}, {day}: {subject}"),
        None => format!("{from}: {subject}"),
    };
    Place::Message { name: nexi_core::text::truncate(&name, 160) }
}

fn senders(message: &Message<'_>) -> Vec<String> {
    message.from().map(people_of).unwrap_or_default()
}

fn people_of(address: &Address<'_>) -> Vec<String> {
    let person = |one: &mail_parser::Addr<'_>| match (one.name(), one.address()) {
        (Some(name), Some(address)) => Some(format!("{} <{address}>", fold_space(name))),
        (name, address) => name.or(address).map(fold_space),
    };
    address.iter().filter_map(person).collect()
}

fn day(message: &Message<'_>) -> Option<String> {
    message.date().map(|date| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_a_mailbox_has_quoted_are_as_they_were() {
        let text = b"From a@e.org Mon\nSubject: One\n\n>From here on it is text.\n>>From deeper.\n> A quotation.\n";
        let found = many(text, Attached::Texts).unwrap();
        let all: String = found.parts.iter().map(|part| part.text.as_str()).collect();
        assert!(all.contains("From here on it is text.") && !all.contains(">From here"), "{all}");
        assert!(all.contains(">From deeper.") && !all.contains(">>From"), "{all}");
    }

    #[test]
    fn a_mailbox_is_taken_apart_at_its_from_lines() {
        let text = b"From a@e.org Mon\nSubject: One\n\nFirst.\nFrom here on it is text.\n\nFrom b@e.org Tue\nSubject: Two\n\nSecond.\n";
        let all: Vec<&[u8]> = messages(text).collect();
        assert_eq!(all.len(), 2);
        assert!(all[0].ends_with(b"it is text.\n\n") && all[1].starts_with(b"Subject: Two"));
    }

    #[test]
    fn messages_that_were_deleted_are_not_read() {
        let text = b"From - Mon\nX-Mozilla-Status: 0009\nSubject: Gone\n\nSecret.\n\nFrom - Tue\nX-Mozilla-Status: 0001\nSubject: Kept\n\nWords.\n";
        let all: String = many(text, Attached::All).unwrap().parts.iter().map(|part| part.text.as_str()).collect();
        assert!(all.contains("Words.") && !all.contains("Secret."), "{all}");
    }

    #[test]
    fn a_message_says_who_wrote_what_and_when() {
        let raw = "From: \"Ann Lee\" <ann@e.org>\r\nTo: bob@e.org\r\nDate: Sat, 1 Jun 2024 09:30:00 +0000\r\nSubject: =?utf-8?q?The_br=C3=BCcke?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nVGhlIGJyaWRnZSBvcGVucyBpbiBNYXkuCj4gV2hlbiBkb2VzIGl0IG9wZW4/Cg==\r\n--x\r\nContent-Type: application/pdf; name=\"plan.pdf\"\r\nContent-Disposition: attachment; filename=\"plan.pdf\"\r\n\r\nxx\r\n--x--\r\n";
        let found = one(raw.as_bytes(), Attached::All).unwrap();
        assert_eq!((found.title.as_str(), found.date.as_deref()), ("The brücke", Some("2024-06-01")));
        assert_eq!(found.authors, ["Ann Lee <ann@e.org>"]);
        let text: String = found.parts.iter().map(|part| part.text.as_str()).collect();
        assert!(text.contains("The bridge opens in May.") && text.contains("> When does") && text.contains("Attached: plan.pdf"), "{text}");
    }

    #[test]
    fn forwarded_messages_and_attached_texts_are_read() {
        let inner = "From: bo@e.org\r\nSubject: The crane\r\nContent-Type: text/plain\r\n\r\nThe crane was oiled.\r\n";
        let raw = format!(
            "From: ann@e.org\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
             --x\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n\
             --x\r\nContent-Type: message/rfc822\r\n\r\n{inner}\
             --x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=log.txt\r\n\r\nMast painted.\r\n"
        );
        // Programs that were interrupted leave the last boundary out.
        for raw in [format!("{raw}--x--\r\n"), raw] {
            let found = one(raw.as_bytes(), Attached::All).unwrap();
            let text: String = found.parts.iter().map(|part| part.text.as_str()).collect();
            for wanted in ["See below.", "The crane was oiled.", "# log.txt · ", "Mast painted."] {
                assert!(text.contains(wanted), "{wanted} in {text}");
            }
            assert_eq!(text.matches("Mast painted.").count(), 1, "{text}");
            let crane = found.parts.iter().find(|part| part.text.contains("oiled")).unwrap();
            assert_eq!(crane.place.as_ref().unwrap().to_string(), "bo@e.org: The crane");
        }
    }

    #[test]
    fn bodies_are_read_where_they_say_more() {
        let mail = |plain: &str, html: &str| {
            format!(
                "From: ann@e.org\nSubject: S\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x\n\n\
                 --x\nContent-Type: text/plain\n\n{plain}\n--x\nContent-Type: text/html\n\n{html}\n--x--\n"
            )
        };
        let read = |raw: &str| one(raw.as_bytes(), Attached::All).unwrap().parts.iter().map(|part| part.text.clone()).collect::<String>();
        let html = "<p>The invoice for the harbour gate comes to 4500 euro, due on the third of May.</p>";
        for stub in [" ", "View this mail in your browser: https://mail.example/a/very/long/address/of/a/page/with/1234567890"] {
            assert!(read(&mail(stub, html)).contains("4500 euro"), "{stub}");
        }
        let plain = "The invoice for the harbour gate comes to 4500 euro, due on the third of May.";
        assert!(!read(&mail(plain, html)).contains("<p>"));
        // No charset is named, and these bytes are no UTF-8.
        let found = one(b"From: a@e.org\nSubject: S\n\nM\xfctzen und Gr\xfc\xdfe.\n", Attached::All).unwrap();
        assert!(found.parts[1].text.contains("M\u{fc}tzen und Gr\u{fc}\u{df}e."), "{:?}", found.parts);
        let found = one(b"From: a@e.org\rSubject: Old Mac\r\rLines end alike.\r", Attached::All).unwrap();
        assert_eq!((found.title.as_str(), found.parts[1].text.trim()), ("Old Mac", "Lines end alike."));
    }

    #[test]
    fn what_a_mailbox_quotes_stands_there_once() {
        let text = b"From - Mon\nSubject: A\n\nThe gate is painted red every May.\n\nFrom - Tue\nSubject: Re: A\n\n> The gate is painted red every May.\n> It was green before the war.\nThank you.\n";
        let all: String = many(text, Attached::All).unwrap().parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(all.matches("painted red every May").count(), 1, "{all}");
        assert!(all.contains("> It was green before the war.") && all.contains("Thank you."), "{all}");
    }

    #[test]
    fn letters_in_headers_are_read_without_their_encoding() {
        let found = one(b"From: J\xfcrgen <j@e.org>\nSubject: Br\xfccke gesperrt\n\nText.\n", Attached::All).unwrap();
        assert_eq!((found.title.as_str(), found.authors[0].as_str()), ("Br\u{fc}cke gesperrt", "J\u{fc}rgen <j@e.org>"));
    }
}
