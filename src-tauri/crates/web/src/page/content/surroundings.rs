//! What stands around the text of a page: named so, hidden, or made of what is no text.

use super::{CAPTION, LITTLE, LONG, Search, TOO_MUCH, length};
use crate::page::dom::{Attribute, Dom, Id};
use crate::page::tag::Tag;
use crate::page::words;
use crate::style;

impl Search<'_> {
    pub(super) fn drop_surroundings(&mut self) {
        let total = self.mass[0].prose;
        let protected = self.protected();
        self.drop_surroundings_within(0, total, &protected);
    }

    fn drop_surroundings_within(&mut self, root: Id, total: u32, protected: &[bool]) {
        let mut id = root + 1;
        while id < self.dom.end(root) {
            if self.is_surroundings(id, total, protected) {
                self.dropped[id] = true;
                id = self.dom.end(id);
            } else {
                id += 1;
            }
        }
    }

    /// Elements that hold what the page itself says to be its text.
    fn protected(&self) -> Vec<bool> {
        let mut out = vec![false; self.dom.len()];
        for id in 0..self.dom.len() {
            let says = self.dom.is_main(id) || self.dom.is_article_body(id);
            if says && self.mass[id].prose > 0 {
                let mut around = id;
                while !out[around] {
                    out[around] = true;
                    around = self.dom.parent(around);
                }
            }
        }
        out
    }

    fn is_surroundings(&mut self, id: Id, total: u32, protected: &[bool]) -> bool {
        let Some(tag) = self.dom.tag(id) else { return false };
        let attribute = |name| self.dom.attribute(id, name);
        let mass = self.mass[id];
        let share = mass.prose as f32 / total.max(1) as f32;
        let is_protected = protected.get(id).copied().unwrap_or(false);
        match tag {
            // The heading of a fold is a button.
            Tag::Button if self.names_a_fold(id) => return false,
            Tag::Head | Tag::Button | Tag::Select | Tag::Textarea | Tag::Option | Tag::Iframe | Tag::Object | Tag::Title => return true,
            Tag::Dialog => return share < 0.5,
            Tag::Nav | Tag::Footer if share < TOO_MUCH => return true,
            Tag::Aside if share < TOO_MUCH && !self.is_note(id) => return true,
            Tag::Form if share < TOO_MUCH && !is_protected && !(self.is_note(id) && mass.prose >= LONG) => return true,
            Tag::Body | Tag::Html => return false,
            _ => {}
        }
        if is_hidden(self.dom, id) && share < 0.5 {
            return true;
        }
        // A column beside a short text may well hold more than the text.
        let beside = tag == Tag::Aside || self.dom.is_named(id, words::names_sidebar);
        if beside
            && !is_protected
            && share < 0.9
            && self.heading.is_some_and(|heading| heading < id || heading >= self.dom.end(id))
            && !self.is_note(id)
        {
            return true;
        }
        if share >= TOO_MUCH || is_protected {
            return false;
        }
        if let Some(role) = attribute(Attribute::Role) {
            let named = matches!(
                role,
                "navigation" | "search" | "banner" | "contentinfo" | "menu" | "menubar" | "dialog" | "alertdialog" | "toolbar" | "tablist"
            );
            if named || (matches!(role, "alert" | "complementary") && !self.is_note(id)) {
                return true;
            }
        }
        let class = attribute(Attribute::Class);
        if !tag.is_block() && class.is_some() && self.stands_in_words(id) {
            // Of a sentence only what is there for no eye to see.
            return class.is_some_and(words::names_unseen);
        }
        if tag.is_heading() || matches!(tag, Tag::Dt | Tag::Dd | Tag::Pre | Tag::Body) {
            return false;
        }
        if class.is_some_and(words::names_line_numbers) && self.dom.inner_text(id, 2000).chars().all(|c| c.is_ascii_digit() || c == ' ') {
            return true;
        }
        // In documentation the id of a section is the words of its heading.
        let names_itself = matches!(
            tag,
            Tag::Div | Tag::Aside | Tag::Nav | Tag::Ul | Tag::Ol | Tag::Form | Tag::Header | Tag::Footer | Tag::Table | Tag::P
        );
        for name in [class, attribute(Attribute::Id).filter(|_| names_itself)].into_iter().flatten() {
            match words::meaning(name) {
                Some(words::Meaning::Surroundings) if !matches!(tag, Tag::Article) => return true,
                Some(words::Meaning::Comments) if protected.is_empty() => {}
                Some(words::Meaning::Comments) => {
                    self.comments.push(id);
                    return true;
                }
                Some(words::Meaning::Caption) if mass.text < CAPTION && tag != Tag::Caption => return true,
                Some(words::Meaning::Teaser) if mass.link * 2 > mass.text || mass.text == 0 => return true,
                Some(words::Meaning::Perhaps)
                    if mass.link * 2 > mass.text || (mass.prose < LONG && mass.text < 300 && !self.holds_code(id)) =>
                {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether it is a note within the text: prose without links, inside an article or the main part.
    fn is_note(&self, id: Id) -> bool {
        let mass = self.mass[id];
        if mass.prose == 0 || mass.density() > 0.2 {
            return false;
        }
        let mut around = id;
        while around != 0 {
            around = self.dom.parent(around);
            if matches!(self.dom.tag(around), Some(Tag::Article | Tag::Main)) {
                return true;
            }
        }
        false
    }

    /// Whether a button is a heading, or stands in one.
    fn names_a_fold(&self, id: Id) -> bool {
        let parent = self.dom.parent(id);
        self.dom.tag(parent).is_some_and(Tag::is_heading)
            || self.dom.is(parent, Tag::Dt)
            || [id, parent].into_iter().any(|id| self.dom.is_named(id, words::names_fold))
    }

    /// Whether other words stand before or behind an element in its block.
    fn stands_in_words(&self, id: Id) -> bool {
        let mut block = id;
        while block != 0 && !self.dom.tag(block).is_some_and(Tag::is_block) {
            block = self.dom.parent(block);
        }
        let own = length(&self.dom.inner_text(id, 300));
        self.mass[block].text >= own + own / 2 + 8
    }

    fn holds_code(&self, id: Id) -> bool {
        (id..self.dom.end(id)).any(|inside| self.dom.is(inside, Tag::Pre))
    }

    /// Where there is next to nothing else, the comments are the text.
    pub(super) fn admit_comments(&mut self) {
        if self.mass[0].prose >= LITTLE || self.comments.is_empty() {
            return;
        }
        let total = self.mass[0].prose;
        for id in std::mem::take(&mut self.comments) {
            self.dropped[id] = false;
            self.drop_surroundings_within(id, total, &[]);
        }
        self.measure();
    }
}

pub(super) fn is_hidden(dom: &Dom, id: Id) -> bool {
    // Formulas for machines are hidden from eyes, which see a picture.
    if dom.attribute(id, Attribute::Class).is_some_and(|class| class.contains("mathml")) {
        return false;
    }
    // Whoever hides text like this does not want it to be brought up by a press.
    if dom.attribute(id, Attribute::Style).is_some_and(style::hides_present_text)
        || dom.is_hidden_by_sheet(id)
        || dom.is_text_hidden_by_colour(id)
    {
        return true;
    }
    // Behind a tab or a fold there is text that a press brings up.
    if dom.attribute(id, Attribute::Role) == Some("tabpanel") || dom.is_named(id, words::names_fold) {
        return false;
    }
    dom.attribute(id, Attribute::Hidden).is_some_and(|value| value != "until-found")
        || dom.attribute(id, Attribute::AriaHidden) == Some("true")
        || dom.attribute(id, Attribute::Style).is_some_and(style::hides)
}
