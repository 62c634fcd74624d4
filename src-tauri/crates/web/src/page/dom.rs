//! A page as a tree, built in one pass: every step of building it costs the same however deep or broken the page is.
//!
//! Nodes lie in the order of the document; the inside of a node is the range behind it.

mod attribute;
mod unseen;

use std::cell::RefCell;
use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

pub(super) use attribute::Attribute;

use super::{
    raw::{Keeps, Raw},
    tag::Tag,
};
use crate::{
    excess_attributes::{Deadline, feed, strip_excess_attributes},
    style,
};

/// Elements opened within this many others are kept beside and not within them.
const MAX_DEPTH: usize = 256;
/// How far up an end tag looks for its beginning.
const REACH: usize = 48;
/// Nodes after which the rest of a page is left out; the largest books have fewer.
const MAX_NODES: usize = 400_000;
/// Attributes longer than this are cut; addresses and class lists are shorter.
const MAX_VALUE: usize = 4096;

/// Index of a node; the root is 0.
pub(super) type Id = usize;

/// A page.
pub(super) struct Dom {
    nodes: Vec<Node>,
    attributes: Vec<(Attribute, StrTendril)>,
    text: String,
    /// What stands in elements whose inside is no text of the page.
    pub raw: Raw,
    /// Classes and ids that its style sheets put where nobody sees them, with their `.` or `#`.
    hiding: Vec<String>,
    /// The colours of its style sheets.
    grounds: style::PageColours,
}

struct Node {
    parent: Id,
    /// Behind the last node inside.
    end: Id,
    kind: Kind,
}

enum Kind {
    /// A range of the page's text.
    Text(Range<usize>),
    /// Its tag and its attributes' range.
    Element(Tag, Range<usize>),
}

impl Dom {
    /// Reads a page.
    pub(super) fn parse(html: &str) -> Self {
        let tokenizer = Tokenizer::new(Builder(RefCell::new(State::new())), TokenizerOpts::default());
        feed(&tokenizer, &strip_excess_attributes(html), &Deadline::new());
        let dom = tokenizer.sink.0.into_inner().finish();
        Self { hiding: style::hiding_names(html), grounds: style::PageColours::of(html), ..dom }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node around a node; the root's is itself.
    pub(super) fn parent(&self, id: Id) -> Id {
        self.nodes[id].parent
    }

    /// Behind the last node inside this one.
    pub(super) fn end(&self, id: Id) -> Id {
        self.nodes[id].end
    }

    /// The nodes directly inside.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let end = self.end(id);
        let mut next = id + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = next;
                next = self.end(child);
                child
            })
        })
    }

    /// The tag of an element; none for text.
    pub(super) fn tag(&self, id: Id) -> Option<Tag> {
        match &self.nodes[id].kind {
            Kind::Element(tag, _) => Some(*tag),
            Kind::Text(_) => None,
        }
    }

    /// Whether it is an element with this tag.
    pub(super) fn is(&self, id: Id, tag: Tag) -> bool {
        self.tag(id) == Some(tag)
    }

    /// The text of a text node; empty for elements.
    pub(super) fn text(&self, id: Id) -> &str {
        match &self.nodes[id].kind {
            Kind::Text(range) => &self.text[range.clone()],
            Kind::Element(..) => "",
        }
    }

    /// The text inside, as it stands there, of about so many bytes at most.
    pub(super) fn inner_text(&self, id: Id, most: usize) -> String {
        let mut out = String::new();
        for inside in id..self.end(id) {
            if self.tag(inside).is_some_and(Tag::is_block) {
                out.push(' ');
            }
            out.push_str(nexi_core::text::truncate_bytes(self.text(inside), most));
            if out.len() >= most {
                break;
            }
        }
        nexi_core::text::fold_space(&out)
    }

    /// An attribute's value.
    pub(super) fn attribute(&self, id: Id, wanted: Attribute) -> Option<&str> {
        let Kind::Element(_, range) = &self.nodes[id].kind else { return None };
        self.attributes[range.clone()].iter().find(|(name, _)| *name == wanted).map(|(_, value)| &**value)
    }

    /// Whether the class list or the id of an element says so.
    pub(super) fn is_named(&self, id: Id, says: fn(&str) -> bool) -> bool {
        [Attribute::Class, Attribute::Id].into_iter().any(|name| self.attribute(id, name).is_some_and(says))
    }

    /// Whether the page itself says that an element is the text of its article.
    pub(super) fn is_article_body(&self, id: Id) -> bool {
        self.attribute(id, Attribute::Itemprop).is_some_and(|name| name.eq_ignore_ascii_case("articleBody"))
    }

    /// Whether the page itself says that an element is its main part.
    pub(super) fn is_main(&self, id: Id) -> bool {
        self.is(id, Tag::Main) || self.attribute(id, Attribute::Role) == Some("main")
    }

    /// All elements, in order.
    pub(super) fn elements(&self) -> impl Iterator<Item = (Id, Tag)> + '_ {
        (0..self.len()).filter_map(|id| Some((id, self.tag(id)?)))
    }
}

/// Tells tags apart.
type Which = fn(Tag) -> bool;

struct Builder(RefCell<State>);

struct State {
    dom: Dom,
    /// Open elements, outermost first.
    open: Vec<(Id, Tag)>,
    /// Elements that are open but were too deep to be entered.
    too_deep: usize,
    /// The element whose inside is left out, and how often it is open.
    skipped: Option<(Tag, usize)>,
    in_script: bool,
    /// A page has one body, however often it says so.
    has_body: bool,
}

impl TokenSink for Builder {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => state.tag(tag),
            Token::CharacterTokens(text) => {
                state.text(&text);
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

impl State {
    fn new() -> Self {
        let root = Node { parent: 0, end: 0, kind: Kind::Element(Tag::Html, 0..0) };
        let dom = Dom {
            nodes: vec![root],
            attributes: Vec::new(),
            text: String::new(),
            raw: Raw::default(),
            hiding: Vec::new(),
            grounds: style::PageColours::default(),
        };
        Self { dom, open: vec![(0, Tag::Html)], too_deep: 0, skipped: None, in_script: false, has_body: false }
    }

    fn finish(mut self) -> Dom {
        self.close_to(0);
        let end = self.dom.nodes.len();
        self.dom.nodes[0].end = end;
        self.dom
    }

    /// Closes all elements from this place of the stack on.
    fn close_to(&mut self, place: usize) {
        let end = self.dom.nodes.len();
        for (id, _) in self.open.drain(place..) {
            self.dom.nodes[id].end = end;
        }
    }

    fn tag(&mut self, token: TagToken) -> TokenSinkResult<()> {
        let tag = Tag::parse(&token.name);
        let start = token.kind == TagKind::StartTag;
        if let Some((skipped, count)) = &mut self.skipped {
            let breaks_out = match *skipped {
                Tag::Svg => start && tag.breaks_out(),
                // Its end may be left out.
                Tag::Ruby => tag.is_block() || (!start && tag == Tag::Other),
                _ => false,
            };
            if !breaks_out {
                // In a picture, titles and styles are elements like any other, and may end in themselves.
                let is_foreign = *skipped == Tag::Svg;
                if tag == *skipped && !token.self_closing {
                    *count = if start { *count + 1 } else { *count - 1 };
                    // Readings follow each other, and are not within each other.
                    if *count == 0 || (tag == Tag::Ruby && !start) {
                        self.skipped = None;
                    }
                }
                return if is_foreign { TokenSinkResult::Continue } else { raw(tag, start) };
            }
            self.skipped = None;
        }
        if self.dom.nodes.len() >= MAX_NODES {
            return raw(tag, start);
        }
        if start {
            self.open(tag, token);
        } else {
            self.close(tag);
        }
        raw(tag, start)
    }

    fn open(&mut self, tag: Tag, token: TagToken) {
        self.in_script = false;
        match tag {
            Tag::Html | Tag::Body => {
                if let Some(head) = self.open.iter().position(|(_, open)| *open == Tag::Head) {
                    self.close_to(head);
                }
                let known = self.has_body;
                self.has_body |= tag == Tag::Body;
                if tag == Tag::Html || known {
                    self.adopt_language(tag, &token);
                    return;
                }
            }
            Tag::Script => {
                let kind = token.attrs.iter().find(|attr| &*attr.name.local == "type");
                let kind = kind.map(|attr| attr.value.trim().to_ascii_lowercase());
                self.raw_begins(match kind.as_deref() {
                    Some("application/ld+json") => Keeps::LinkedData,
                    Some("text/template" | "text/x-template" | "text/html" | "text/x-handlebars-template") => Keeps::Unscripted,
                    _ => Keeps::Nothing,
                });
                return;
            }
            Tag::Style | Tag::Noscript | Tag::Raw => {
                self.raw_begins(if tag == Tag::Noscript { Keeps::Unscripted } else { Keeps::Nothing });
                return;
            }
            Tag::Ruby => {
                self.skipped = Some((tag, 1));
                return;
            }
            Tag::Svg | Tag::Template => {
                // A formula in words of its own.
                if let Some(formula) = token.attrs.iter().find(|attribute| &*attribute.name.local == "alttext") {
                    self.text(nexi_core::text::truncate_bytes(&formula.value, MAX_VALUE));
                }
                if !token.self_closing {
                    self.skipped = Some((tag, 1));
                }
                return;
            }
            _ => {}
        }
        if self.open.last().is_some_and(|(_, open)| *open == Tag::Head) && !tag.belongs_to_head() {
            self.close_to(self.open.len() - 1);
        }
        self.close_implied(tag);
        let from = self.dom.attributes.len();
        for attribute in token.attrs {
            if let Some(name) = Attribute::parse(&attribute.name.local) {
                let value = attribute.value;
                let value = if value.len() > MAX_VALUE { StrTendril::from(nexi_core::text::truncate(&value, MAX_VALUE)) } else { value };
                self.dom.attributes.push((name, value));
            }
        }
        let id = self.push(Kind::Element(tag, from..self.dom.attributes.len()));
        if tag.is_void() {
            // What stands inside a frame is for browsers that know none.
            self.raw_begins(Keeps::Nothing);
            self.in_script = tag == Tag::Iframe;
            return;
        }
        if self.open.len() >= MAX_DEPTH {
            self.too_deep += 1;
        } else {
            self.open.push((id, tag));
        }
    }

    fn adopt_language(&mut self, tag: Tag, token: &TagToken) {
        let language = token.attrs.iter().find(|attribute| &*attribute.name.local == "lang");
        if let (Tag::Html, Some(language), Kind::Element(_, range)) = (tag, language, &mut self.dom.nodes[0].kind)
            && range.start == range.end
        {
            *range = self.dom.attributes.len()..self.dom.attributes.len() + 1;
            self.dom.attributes.push((Attribute::Lang, language.value.clone()));
        }
    }

    fn push(&mut self, kind: Kind) -> Id {
        let id = self.dom.nodes.len();
        let parent = self.open.last().map_or(0, |(id, _)| *id);
        self.dom.nodes.push(Node { parent, end: id + 1, kind });
        id
    }

    /// Elements that end because this one begins.
    fn close_implied(&mut self, tag: Tag) {
        let (ends, stops): (Which, Which) = match tag {
            Tag::Li => (|open| open == Tag::Li, |open| matches!(open, Tag::Ul | Tag::Ol | Tag::Td | Tag::Table)),
            Tag::Dt | Tag::Dd => (|open| matches!(open, Tag::Dt | Tag::Dd), |open| matches!(open, Tag::Dl | Tag::Td | Tag::Table)),
            Tag::Td | Tag::Th => (|open| matches!(open, Tag::Td | Tag::Th), |open| matches!(open, Tag::Tr | Tag::Table)),
            Tag::Tr => (|open| open == Tag::Tr, |open| open == Tag::Table),
            Tag::Option => (|open| open == Tag::Option, |open| open != Tag::Option),
            Tag::A => (|open| open == Tag::A, |open| matches!(open, Tag::Td | Tag::Li | Tag::Table | Tag::Div | Tag::Section)),
            _ if tag.closes_paragraph() => {
                if tag.is_heading() {
                    (|open| open == Tag::P || open.is_heading(), |open| open.is_block())
                } else {
                    (|open| open == Tag::P, |open| open.is_block())
                }
            }
            _ => return,
        };
        let low = self.open.len().saturating_sub(REACH).max(1);
        for place in (low..self.open.len()).rev() {
            let open = self.open[place].1;
            if ends(open) {
                return self.close_to(place);
            }
            if stops(open) {
                return;
            }
        }
    }

    fn close(&mut self, tag: Tag) {
        self.in_script = false;
        if matches!(tag, Tag::Html | Tag::Body) || tag.is_void() {
            return;
        }
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let low = self.open.len().saturating_sub(REACH).max(1);
        for place in (low..self.open.len()).rev() {
            let open = self.open[place].1;
            if open == tag {
                return self.close_to(place);
            }
            let stops = match tag {
                Tag::Table => false,
                // One unknown element is not another.
                Tag::Other => open.is_block(),
                Tag::Tr | Tag::Td | Tag::Th => open == Tag::Table,
                Tag::Li => matches!(open, Tag::Ul | Tag::Ol | Tag::Td | Tag::Th | Tag::Table),
                Tag::A => matches!(open, Tag::Td | Tag::Th | Tag::Table | Tag::Li),
                _ if tag.is_block() => matches!(open, Tag::Td | Tag::Th | Tag::Table),
                _ => open.is_block(),
            };
            if stops {
                return;
            }
        }
    }

    fn raw_begins(&mut self, keeps: Keeps) {
        self.in_script = true;
        self.dom.raw.begin(keeps);
    }

    fn text(&mut self, text: &str) {
        if self.skipped.is_some() || self.dom.nodes.len() >= MAX_NODES {
            return;
        }
        if self.in_script {
            self.dom.raw.push(text);
            return;
        }
        let end = self.dom.text.len() + text.len();
        // Tokens cut text into pieces; they are one again if nothing came between.
        if let Some(Node { kind: Kind::Text(range), parent, .. }) = self.dom.nodes.last_mut()
            && self.open.last().is_some_and(|(open, _)| open == parent)
        {
            range.end = end;
            self.dom.text.push_str(text);
            return;
        }
        let start = self.dom.text.len();
        self.dom.text.push_str(text);
        self.push(Kind::Text(start..end));
    }
}

/// Without the usual tree builder it has to be said which elements hold raw text.
fn raw(tag: Tag, start: bool) -> TokenSinkResult<()> {
    if !start {
        return TokenSinkResult::Continue;
    }
    match tag {
        Tag::Script => TokenSinkResult::RawData(RawKind::ScriptData),
        Tag::Style | Tag::Noscript | Tag::Iframe | Tag::Raw => TokenSinkResult::RawData(RawKind::Rawtext),
        Tag::Title | Tag::Textarea => TokenSinkResult::RawData(RawKind::Rcdata),
        _ => TokenSinkResult::Continue,
    }
}
