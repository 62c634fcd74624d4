//! Elements that style sheets keep from people's eyes.

use super::{Attribute, Dom, Id, Tag};
use crate::style;

impl Dom {
    /// Whether a style sheet of the page puts an element where nobody sees it.
    pub(in crate::page) fn is_hidden_by_sheet(&self, id: Id) -> bool {
        let attribute = |name| self.attribute(id, name).unwrap_or_default();
        !self.hiding.is_empty() && style::is_named(&self.hiding, attribute(Attribute::Class), attribute(Attribute::Id))
    }

    /// Whether an element writes in the colour of what stands behind it.
    pub(in crate::page) fn is_text_hidden_by_colour(&self, id: Id) -> bool {
        let element = |id: Id| style::Element {
            tag: self.tag(id).map_or("", Tag::name),
            classes: self.attribute(id, Attribute::Class).unwrap_or_default(),
            id: self.attribute(id, Attribute::Id).unwrap_or_default(),
            style: self.attribute(id, Attribute::Style).unwrap_or_default(),
            color: self.attribute(id, Attribute::Color).unwrap_or_default(),
            bgcolor: self.attribute(id, Attribute::Bgcolor).unwrap_or_default(),
        };
        let is_outer = |id: Id| !matches!(self.tag(id), Some(Tag::Html | Tag::Body));
        let around = std::iter::successors((id != 0).then(|| self.parent(id)), |id| (*id != 0).then(|| self.parent(*id)));
        is_outer(id) && self.grounds.hide(&element(id), around.map(element))
    }
}
