//! Attributes of elements, as far as anything depends on them.

/// The attributes that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::page) enum Attribute {
    AriaHidden,
    Bgcolor,
    Class,
    Color,
    Colspan,
    Content,
    Datetime,
    Hidden,
    Href,
    HttpEquiv,
    Id,
    Itemprop,
    Lang,
    Name,
    Property,
    Rel,
    Role,
    Rowspan,
    Src,
    Start,
    Style,
    Type,
}

impl Attribute {
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "aria-hidden" => Attribute::AriaHidden,
            "bgcolor" => Attribute::Bgcolor,
            "class" => Attribute::Class,
            "color" => Attribute::Color,
            "colspan" => Attribute::Colspan,
            "content" => Attribute::Content,
            "datetime" => Attribute::Datetime,
            "hidden" => Attribute::Hidden,
            "href" => Attribute::Href,
            "http-equiv" => Attribute::HttpEquiv,
            "id" => Attribute::Id,
            "itemprop" => Attribute::Itemprop,
            "lang" => Attribute::Lang,
            "name" => Attribute::Name,
            "property" => Attribute::Property,
            "rel" => Attribute::Rel,
            "role" => Attribute::Role,
            "rowspan" => Attribute::Rowspan,
            "src" => Attribute::Src,
            "start" => Attribute::Start,
            "style" => Attribute::Style,
            "type" => Attribute::Type,
            _ => return None,
        })
    }
}
