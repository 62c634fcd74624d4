//! Which part of a page is its text.
//!
//! The page is cut into blocks (runs of text between the beginnings and ends of block elements).
//! Blocks that read like prose count for the elements they stand in, blocks of links against
//! them. What names itself as surroundings is left out first; then the element is sought that
//! holds the prose, and what belongs to it beside it; last, what is no prose inside is left out.

mod surroundings;

use surroundings::is_hidden;

use super::dom::{Dom, Id};
use super::tag::Tag;
use super::words;

/// Characters from which on a block counts as prose, when it has the marks of a sentence.
const SENTENCE: u32 = 40;
/// And without them.
const LONG: u32 = 90;
/// Parts named as surroundings are kept when they hold this share of the page's prose.
const TOO_MUCH: f32 = 0.3;
/// Prose below which comments are taken for the text: on a forum they are.
const LITTLE: u32 = 250;
/// Characters up to which a text at a picture is no more than its caption.
const CAPTION: u32 = 400;

/// What stands inside an element, surroundings not counted.
#[derive(Debug, Default, Clone, Copy)]
struct TextStats {
    /// Characters.
    text: u32,
    /// Of these, within links.
    link: u32,
    /// Of these, in blocks of prose.
    prose: u32,
    /// Prose for it, links against it.
    score: f32,
}

impl TextStats {
    fn add(&mut self, other: TextStats) {
        self.text += other.text;
        self.link += other.link;
        self.prose += other.prose;
        self.score += other.score;
    }

    fn density(&self) -> f32 {
        self.link as f32 / self.text.max(1) as f32
    }
}

/// A run of text that no beginning or end of a block element interrupts.
struct Block {
    /// The block element it stands in.
    container: Id,
    text: u32,
    link: u32,
    has_sentence: bool,
}

impl Block {
    fn is_prose(&self) -> bool {
        self.text >= SENTENCE && (self.has_sentence || self.text > LONG) && self.link * 3 < self.text * 2
    }
}

/// The parts of a page that are its text.
pub(super) struct Content {
    /// Elements, in the order of the page, none inside another.
    pub roots: Vec<Id>,
    /// For every node whether it is left out, with all inside it.
    pub dropped: Vec<bool>,
}

impl Content {
    /// Finds the text of a page.
    pub(super) fn find(dom: &Dom) -> Self {
        let heading = dom.elements().find(|(_, tag)| *tag == Tag::H1).map(|(id, _)| id);
        let mut search = Search { dom, dropped: vec![false; dom.len()], heading, comments: Vec::new(), mass: Vec::new() };
        search.measure();
        search.drop_surroundings();
        search.measure();
        search.admit_comments();
        let root = search.root();
        let roots = search.with_neighbours(root);
        for root in &roots {
            search.clean(*root);
        }
        search.drop_headings_without_text(&roots);
        Self { roots, dropped: search.dropped }
    }

    /// All that is visible, for pages where nothing stands out.
    pub(super) fn whole(dom: &Dom) -> Self {
        let mut dropped = vec![false; dom.len()];
        for (id, tag) in dom.elements() {
            dropped[id] = matches!(tag, Tag::Head | Tag::Nav | Tag::Footer | Tag::Button | Tag::Select | Tag::Textarea | Tag::Title)
                || is_hidden(dom, id);
        }
        Self { roots: vec![0], dropped }
    }
}

struct Search<'a> {
    dom: &'a Dom,
    dropped: Vec<bool>,
    /// The page's first heading of the first level.
    heading: Option<Id>,
    /// Parts that were left out because they are named as comments.
    comments: Vec<Id>,
    mass: Vec<TextStats>,
}

impl Search<'_> {
    fn measure(&mut self) {
        self.mass = vec![TextStats::default(); self.dom.len()];
        for block in self.blocks() {
            let prose = block.is_prose() && !self.dom.tag(block.container).is_some_and(Tag::is_heading);
            let plain = (block.text - block.link) as f32;
            let link = block.link as f32;
            self.mass[block.container].add(TextStats {
                text: block.text,
                link: block.link,
                prose: if prose { block.text } else { 0 },
                score: if prose { plain - 1.5 * link } else { -link },
            });
        }
        for id in (1..self.dom.len()).rev() {
            let mass = self.mass[id];
            self.mass[self.dom.parent(id)].add(mass);
        }
    }

    /// The blocks that are not left out.
    fn blocks(&self) -> Vec<Block> {
        let mut out: Vec<Block> = Vec::new();
        // Open block elements and where they end.
        let mut open: Vec<(Id, Id)> = vec![(0, self.dom.len())];
        let (mut in_block, mut link_end, mut id) = (false, 0, 0);
        while id < self.dom.len() {
            while open.len() > 1 && open.last().is_some_and(|(_, end)| *end <= id) {
                open.pop();
                in_block = false;
            }
            let tag = self.dom.tag(id);
            if self.dropped[id] {
                in_block &= !tag.is_some_and(Tag::is_block);
                id = self.dom.end(id);
                continue;
            }
            match tag {
                Some(tag) if tag.is_block() => {
                    open.push((id, self.dom.end(id)));
                    in_block = false;
                }
                Some(Tag::A) => link_end = self.dom.end(id),
                Some(_) => {}
                None => {
                    let words = self.dom.text(id);
                    let length = length(words);
                    if length > 0 {
                        if !in_block {
                            let container = open.last().map_or(0, |(id, _)| *id);
                            out.push(Block { container, text: 0, link: 0, has_sentence: false });
                            in_block = true;
                        }
                        if let Some(block) = out.last_mut() {
                            block.text += length;
                            if id < link_end {
                                block.link += length;
                            } else {
                                block.has_sentence |= has_sentence(words);
                            }
                        }
                    }
                }
            }
            id += 1;
        }
        out
    }

    /// The element that holds the text.
    fn root(&self) -> Id {
        let total = self.mass[0].prose.max(1) as f32;
        let mut best: Option<(f32, Id)> = None;
        let mut id = 0;
        while id < self.dom.len() {
            if self.dropped[id] {
                id = self.dom.end(id);
                continue;
            }
            if let Some(tag) = self.dom.tag(id).filter(|tag| tag.is_block()) {
                let weight = if self.dom.is_article_body(id) {
                    1.3
                } else if tag == Tag::Article {
                    1.1
                } else if self.dom.is_main(id) {
                    1.0
                } else if self.dom.is_named(id, words::names_content) {
                    1.15
                } else {
                    0.0
                };
                let mass = self.mass[id];
                // What the page itself calls its article needs not be the larger part of it.
                let share = if self.dom.is_article_body(id) { 0.15 } else { 0.5 };
                if weight > 0.0 && mass.prose as f32 >= share * total && best.is_none_or(|(score, _)| weight * mass.score > score) {
                    best = Some((weight * mass.score, id));
                }
            }
            id += 1;
        }
        match best {
            Some((_, id)) => self.descend(id, 0.97),
            None => self.descend(0, 0.9),
        }
    }

    /// Goes inside as long as one element holds almost all.
    fn descend(&self, mut id: Id, share: f32) -> Id {
        loop {
            let best = self
                .dom
                .children(id)
                .filter(|child| !self.dropped[*child] && self.dom.tag(*child).is_some_and(is_container))
                .max_by_key(|child| self.mass[*child].prose);
            match best {
                Some(child) if self.mass[child].prose > 0 && self.mass[child].prose as f32 >= share * self.mass[id].prose as f32 => {
                    id = child;
                }
                _ => return id,
            }
        }
    }

    /// The root, and what stands before and behind it and belongs to it: the lead above all.
    fn with_neighbours(&self, root: Id) -> Vec<Id> {
        let mut roots = vec![root];
        let mass = self.mass[root];
        let mut inner = root;
        for _ in 0..10 {
            let around = self.dom.parent(inner);
            if inner == 0 || self.dom.is(inner, Tag::Body) {
                break;
            }
            let mut before = Vec::new();
            for child in self.dom.children(around) {
                if self.dropped[child] || child == inner || !self.dom.tag(child).is_some_and(Tag::is_block) {
                    continue;
                }
                let own = self.mass[child];
                if child < inner {
                    if own.text >= SENTENCE && own.density() < 0.35 && own.prose < mass.prose.max(600) && self.is_lead(child) {
                        before.push(child);
                    }
                } else if own.prose * 8 > mass.prose && own.density() < 0.15 && !self.dom.is_article_body(root) {
                    roots.push(child);
                }
            }
            before.extend(roots);
            roots = before;
            inner = around;
        }
        roots
    }

    fn is_lead(&self, id: Id) -> bool {
        let own = self.mass[id];
        (own.prose > 0 && own.prose * 2 > own.text)
            || (id..self.dom.end(id)).any(|inside| self.dom.is(inside, Tag::H1) || self.dom.is_named(inside, words::names_lead))
    }

    /// Leaves out what is no text inside a root.
    fn clean(&mut self, root: Id) {
        let mut id = root + 1;
        while id < self.dom.end(root) {
            if self.dropped[id] || self.is_clutter(id) {
                self.dropped[id] = true;
                id = self.dom.end(id);
            } else {
                id += 1;
            }
        }
    }

    fn is_clutter(&self, id: Id) -> bool {
        let Some(tag) = self.dom.tag(id) else { return false };
        let mass = self.mass[id];
        match tag {
            Tag::P => {
                let words = || self.dom.inner_text(id, 500);
                (mass.density() > 0.8 && mass.text < CAPTION)
                    || (mass.text < 100 && words::announces_more(&words()))
                    || (mass.text < 250 && mass.density() > 0.3 && words::begins_as_announcement(&words()))
                    || (mass.text < 150 && words::is_credit(&words()))
            }
            Tag::Figcaption => mass.text < CAPTION,
            Tag::Figure => {
                mass.text < CAPTION
                    && !(id..self.dom.end(id)).any(|inside| matches!(self.dom.tag(inside), Some(Tag::Table | Tag::Pre | Tag::Blockquote)))
            }
            Tag::Div | Tag::Section | Tag::Article if mass.prose >= LONG => mass.density() > 0.67 && mass.text < 2000,
            Tag::Table => mass.density() > 0.5 && mass.text < 2000 && !(id..self.dom.end(id)).any(|inside| self.dom.is(inside, Tag::Th)),
            Tag::Ul | Tag::Ol | Tag::Dl | Tag::Div | Tag::Section | Tag::Article | Tag::Header => mass.density() > 0.5 && mass.text < 2000,
            _ if tag.is_heading() => words::announces_more(&self.dom.inner_text(id, 500)),
            _ => false,
        }
    }

    /// A heading over nothing announced what was left out.
    fn drop_headings_without_text(&mut self, roots: &[Id]) {
        let mut pending: Vec<(usize, Id)> = Vec::new();
        for root in roots {
            let mut id = *root;
            while id < self.dom.end(*root) {
                if self.dropped[id] {
                    id = self.dom.end(id);
                    continue;
                }
                if let Some(level) = self.dom.tag(id).and_then(Tag::heading_level) {
                    while pending.last().is_some_and(|(known, _)| *known >= level) {
                        let Some((level, heading)) = pending.pop() else { break };
                        self.drop_heading(level, heading);
                    }
                    pending.push((level, id));
                    id = self.dom.end(id);
                    continue;
                }
                if !self.dom.text(id).trim().is_empty() {
                    pending.clear();
                }
                id += 1;
            }
        }
        for (level, heading) in pending {
            self.drop_heading(level, heading);
        }
    }

    fn drop_heading(&mut self, level: usize, heading: Id) {
        self.dropped[heading] |= level > 1 && self.mass[heading].text < 120;
    }
}

fn is_container(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Body
            | Tag::Div
            | Tag::Section
            | Tag::Article
            | Tag::Main
            | Tag::Form
            | Tag::Table
            | Tag::Tbody
            | Tag::Tr
            | Tag::Td
            | Tag::Fieldset
            | Tag::Header
            | Tag::Dialog
            | Tag::Aside
    )
}

/// Characters without blanks, plus one a word. A letter of Chinese or Japanese says as much as
/// three of others.
fn length(words: &str) -> u32 {
    let mut out = 0;
    for word in words.split_whitespace() {
        out += 1 + word.chars().map(|c| if c as u32 >= 0x2e80 { 3 } else { 1 }).sum::<u32>();
    }
    out
}

fn has_sentence(words: &str) -> bool {
    words.trim_end().ends_with(['.', '!', '?', ':', '…', '“', '”', '"', '»', '。', '！', '？', '।'])
        || words.contains(", ")
        || words.contains(['，', '、', '।'])
}
