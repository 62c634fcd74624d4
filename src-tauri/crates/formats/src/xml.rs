//! XML as a stream of what matters in documents.

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use crate::FormatError;

/// Elements within one another, at most.
const MAX_DEPTH: usize = 256;

/// What happens in a document. Names have no prefix.
#[derive(Debug)]
pub(crate) enum Node<'a> {
    Open(&'a str, &'a Attributes<'a>),
    Close(&'a str),
    Text(&'a str),
}

/// The attributes of an element.
#[derive(Debug)]
pub(crate) struct Attributes<'a>(&'a BytesStart<'a>);

impl Attributes<'_> {
    /// The value of the attribute with this name, without its prefix.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.0
            .attributes()
            .flatten()
            .find(|attribute| attribute.key.local_name().as_ref() == name)
            .map(|attribute| unescaped(&attribute.value))
    }
}

impl Attributes<'_> {
    /// The same for the first attribute of this name whose value is no number.
    pub(crate) fn get_not_number(&self, name: &str) -> Option<String> {
        let named = self.0.attributes().flatten().filter(|attribute| attribute.key.local_name().as_ref() == name);
        let values = named.map(|attribute| attribute.value.into_owned());
        values.into_iter().find(|value| value.parse::<u64>().is_err())
    }
}

/// Walks through a document. Entities of its own are left as they are, so none can grow.
pub(crate) fn walk(bytes: &[u8], mut visit: impl FnMut(Node<'_>)) -> Result<(), FormatError> {
    let text = crate::decode(bytes);
    let mut reader = Reader::from_str(&text);
    reader.config_mut().check_end_names = false;
    let mut depth = 0usize;
    loop {
        match reader.read_event().map_err(|_| FormatError::Broken)? {
            Event::Start(start) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(FormatError::TooComplex);
                }
                visit(Node::Open(&local(&start), &Attributes(&start)));
            }
            Event::Empty(start) => {
                let name = local(&start);
                visit(Node::Open(&name, &Attributes(&start)));
                visit(Node::Close(&name));
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                visit(Node::Close(end.local_name().as_ref()));
            }
            Event::Text(text) => visit(Node::Text(&text)),
            Event::CData(text) => visit(Node::Text(&text)),
            Event::GeneralRef(name) => visit(Node::Text(&unescaped(&format!("&{};", &*name)))),
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

fn local(start: &BytesStart<'_>) -> String {
    start.local_name().as_ref().to_owned()
}

fn unescaped(text: &str) -> String {
    quick_xml::escape::unescape(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

/// The text of the first element of each of these names, in their order; empty where there is none.
pub(crate) fn texts<const N: usize>(bytes: &[u8], names: [&str; N]) -> [String; N] {
    let mut out = [const { String::new() }; N];
    let mut within: Option<usize> = None;
    let mut done = [false; N];
    let _ = walk(bytes, |node| match node {
        Node::Open(name, _) => {
            if let Some(at) = names.iter().position(|wanted| *wanted == name)
                && !done[at]
            {
                within = Some(at);
            }
        }
        Node::Text(text) => {
            if let Some(at) = within {
                out[at].push_str(text);
            }
        }
        Node::Close(name) => {
            if within.is_some_and(|at| names[at] == name) {
                done[within.take().unwrap_or_default()] = true;
            }
        }
    });
    out
}

/// The day of a time such as `2024-06-01T12:00:00Z`; none for anything else.
pub(crate) fn day(time: &str) -> Option<String> {
    let day = time.trim().get(..10)?;
    let shape = day.bytes().enumerate().all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    shape.then(|| day.to_owned())
}
