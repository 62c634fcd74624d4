//! What a message says: its plain text, or the HTML where that says more, in whatever encoding.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use mail_parser::{
    Encoding, Message, MessagePart, MimeHeaders, PartType,
    decoders::{base64::base64_decode, html::html_to_text, quoted_printable::quoted_printable_decode},
};

use crate::Part;

/// Plain text that has fewer letters than one in so many of the HTML's is a stub; addresses do not count.
const STUB: usize = 2;
/// Letters of a line that tell it from others.
const TELLING: usize = 12;

/// The bodies of a message, without a place.
pub(super) fn parts(message: &Message<'_>) -> Vec<Part> {
    let letters = |text: &str| -> usize {
        let words = text.split_whitespace().filter(|word| !word.contains("://"));
        words.map(|word| word.chars().filter(|c| c.is_alphanumeric()).count()).sum()
    };
    let of = |part: &MessagePart<'_>| Part { html: part.is_text_html(), ..Part::new(None, text_of(message, part)) };
    let (plain, html): (Vec<Part>, Vec<Part>) = (message.text_bodies().map(of).collect(), message.html_bodies().map(of).collect());
    let said = |parts: &[Part]| -> usize {
        parts.iter().map(|part| if part.html { letters(&html_to_text(&part.text)) } else { letters(&part.text) }).sum()
    };
    if said(&plain) * STUB < said(&html) { html } else { plain }
}

/// The text of a part. Where its encoding is not told, or wrongly, it is guessed as for files.
pub(super) fn text_of(message: &Message<'_>, part: &MessagePart<'_>) -> String {
    match &part.body {
        PartType::Text(text) | PartType::Html(text) if !is_garbled(part, text) => text.clone().into_owned(),
        _ => crate::decode(&bytes_of(message, part)),
    }
}

/// The bytes of a part as they were before they were packed for the way.
pub(super) fn bytes_of<'a>(message: &'a Message<'_>, part: &'a MessagePart<'_>) -> Cow<'a, [u8]> {
    match &part.body {
        PartType::Text(text) | PartType::Html(text) if is_garbled(part, text) => {
            let raw = message.raw_message().get(part.offset_body as usize..part.offset_end as usize).unwrap_or_default();
            let unpacked = match part.encoding {
                Encoding::None => None,
                Encoding::QuotedPrintable => quoted_printable_decode(raw),
                Encoding::Base64 => base64_decode(raw),
            };
            unpacked.map_or(Cow::Borrowed(raw), Cow::Owned)
        }
        _ => Cow::Borrowed(part.contents()),
    }
}

/// Whether a text was read in an encoding that it does not have.
fn is_garbled(part: &MessagePart<'_>, text: &str) -> bool {
    let is_told = part.content_type().is_some_and(|kind| kind.has_attribute("charset"));
    text.contains('\u{fffd}') || (!is_told && text.contains('\0'))
}

/// Lines that are quoted of other messages.
pub(super) enum Quotes {
    /// They stay, since the other message may not be among the documents.
    Kept,
    /// Those that stand in a message before this one are left out. Of each of its lines a number.
    Once(HashSet<u64>),
}

impl Quotes {
    pub(super) fn once() -> Self {
        Self::Once(HashSet::new())
    }

    /// The plain text of a message without lines that were read before.
    pub(super) fn take(&mut self, text: &str) -> String {
        let Self::Once(seen) = self else { return text.to_owned() };
        let mut out = String::with_capacity(text.len());
        let mut own = Vec::new();
        for line in text.lines() {
            let said = line.trim_start_matches(['>', ' ', '\t']).trim_end();
            let is_quoted = line.trim_start().starts_with('>');
            if is_quoted && (said.chars().count() < TELLING || seen.contains(&number(said))) {
                continue;
            }
            if said.chars().count() >= TELLING {
                own.push(number(said));
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        seen.extend(own);
        out
    }
}

fn number(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
}
