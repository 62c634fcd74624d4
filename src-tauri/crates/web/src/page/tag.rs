//! The elements that matter here.

/// An element's name; those that mean nothing to the text are [`Tag::Other`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tag {
    A,
    Address,
    Article,
    Aside,
    B,
    Base,
    Blockquote,
    Body,
    Br,
    Button,
    Caption,
    Code,
    Dd,
    Del,
    Details,
    Dialog,
    Div,
    Dl,
    Dt,
    Fieldset,
    Figcaption,
    Figure,
    Footer,
    Form,
    Frame,
    H1,
    H2,
    H3,
    H4,
    H5,
    H6,
    Head,
    Header,
    Hr,
    Html,
    I,
    Iframe,
    Img,
    Input,
    Li,
    Link,
    Main,
    Meta,
    Nav,
    Noscript,
    Object,
    Ol,
    Option,
    P,
    Pre,
    /// Elements whose inside is raw text that nobody sees.
    Raw,
    /// How characters are read aloud; it stands above them and is no part of the sentence.
    Ruby,
    Samp,
    Script,
    Section,
    Select,
    Span,
    Style,
    Summary,
    Sup,
    Svg,
    Table,
    Tbody,
    Td,
    Template,
    Textarea,
    Th,
    Time,
    Title,
    Tr,
    Ul,
    /// Elements that stand alone and say nothing.
    Void,
    Other,
}

impl Tag {
    /// The tag of a name in lower case.
    pub(super) fn parse(name: &str) -> Self {
        match name {
            "a" => Tag::A,
            "address" => Tag::Address,
            "article" => Tag::Article,
            "aside" => Tag::Aside,
            "b" | "strong" => Tag::B,
            "blockquote" | "q-block" => Tag::Blockquote,
            "body" => Tag::Body,
            "br" => Tag::Br,
            "button" => Tag::Button,
            "caption" => Tag::Caption,
            "code" => Tag::Code,
            "dd" => Tag::Dd,
            "del" | "s" | "strike" => Tag::Del,
            "details" => Tag::Details,
            "dialog" => Tag::Dialog,
            "div" | "center" | "hgroup" | "search" => Tag::Div,
            "dl" => Tag::Dl,
            "dt" => Tag::Dt,
            "fieldset" => Tag::Fieldset,
            "figcaption" => Tag::Figcaption,
            "figure" => Tag::Figure,
            "footer" => Tag::Footer,
            "form" => Tag::Form,
            "frame" => Tag::Frame,
            "h1" => Tag::H1,
            "h2" => Tag::H2,
            "h3" => Tag::H3,
            "h4" => Tag::H4,
            "h5" => Tag::H5,
            "h6" => Tag::H6,
            "head" => Tag::Head,
            "header" => Tag::Header,
            "hr" => Tag::Hr,
            "html" => Tag::Html,
            "i" | "em" => Tag::I,
            "iframe" => Tag::Iframe,
            "img" => Tag::Img,
            "input" => Tag::Input,
            "li" => Tag::Li,
            "link" => Tag::Link,
            "main" => Tag::Main,
            "meta" => Tag::Meta,
            "nav" | "menu" => Tag::Nav,
            "noscript" => Tag::Noscript,
            "object" | "audio" | "video" | "canvas" | "map" => Tag::Object,
            "ol" => Tag::Ol,
            "option" => Tag::Option,
            "p" => Tag::P,
            "pre" | "listing" => Tag::Pre,
            "xmp" | "noembed" | "noframes" => Tag::Raw,
            "rt" | "rp" | "rtc" => Tag::Ruby,
            "kbd" | "samp" | "tt" | "var" => Tag::Samp,
            "script" => Tag::Script,
            "section" => Tag::Section,
            "select" | "datalist" => Tag::Select,
            "span" => Tag::Span,
            "style" => Tag::Style,
            "summary" => Tag::Summary,
            "sup" => Tag::Sup,
            "svg" | "math" => Tag::Svg,
            "table" => Tag::Table,
            "tbody" | "thead" | "tfoot" => Tag::Tbody,
            "td" => Tag::Td,
            "template" => Tag::Template,
            "textarea" => Tag::Textarea,
            "th" => Tag::Th,
            "time" => Tag::Time,
            "title" => Tag::Title,
            "tr" => Tag::Tr,
            "ul" => Tag::Ul,
            "base" => Tag::Base,
            "area" | "col" | "embed" | "param" | "source" | "track" | "wbr" => Tag::Void,
            _ => Tag::Other,
        }
    }

    /// Its name where style sheets are likely to name it; empty for others.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tag::A => "a",
            Tag::Article => "article",
            Tag::Aside => "aside",
            Tag::B => "b",
            Tag::Body => "body",
            Tag::Div => "div",
            Tag::Footer => "footer",
            Tag::H1 => "h1",
            Tag::H2 => "h2",
            Tag::H3 => "h3",
            Tag::Header => "header",
            Tag::Html => "html",
            Tag::I => "i",
            Tag::Li => "li",
            Tag::Main => "main",
            Tag::P => "p",
            Tag::Pre => "pre",
            Tag::Section => "section",
            Tag::Span => "span",
            Tag::Table => "table",
            Tag::Td => "td",
            Tag::Tr => "tr",
            Tag::Ul => "ul",
            _ => "",
        }
    }

    /// Whether it begins and ends a block.
    pub(super) fn is_block(self) -> bool {
        !matches!(
            self,
            Tag::A
                | Tag::B
                | Tag::Base
                | Tag::Br
                | Tag::Button
                | Tag::Code
                | Tag::Del
                | Tag::I
                | Tag::Img
                | Tag::Input
                | Tag::Link
                | Tag::Meta
                | Tag::Option
                | Tag::Other
                | Tag::Samp
                | Tag::Select
                | Tag::Span
                | Tag::Sup
                | Tag::Time
                | Tag::Void
                | Tag::Script
                | Tag::Style
        )
    }

    /// Whether it has no inside.
    pub(super) fn is_void(self) -> bool {
        matches!(self, Tag::Base | Tag::Br | Tag::Frame | Tag::Hr | Tag::Iframe | Tag::Img | Tag::Input | Tag::Link | Tag::Meta | Tag::Void)
    }

    /// Whether it is one of the six headings.
    pub(super) fn is_heading(self) -> bool {
        self.heading_level().is_some()
    }

    /// 1 to 6 for a heading.
    pub(super) fn heading_level(self) -> Option<usize> {
        Some(match self {
            Tag::H1 => 1,
            Tag::H2 => 2,
            Tag::H3 => 3,
            Tag::H4 => 4,
            Tag::H5 => 5,
            Tag::H6 => 6,
            _ => return None,
        })
    }

    /// Whether a paragraph that is open ends where this begins.
    pub(super) fn closes_paragraph(self) -> bool {
        self.is_block()
            && !matches!(
                self,
                Tag::Td | Tag::Th | Tag::Tr | Tag::Tbody | Tag::Caption | Tag::Iframe | Tag::Object | Tag::Textarea | Tag::Title
            )
    }

    /// Whether it can stand in the head of a page.
    pub(super) fn belongs_to_head(self) -> bool {
        matches!(
            self,
            Tag::Base
                | Tag::Meta
                | Tag::Link
                | Tag::Title
                | Tag::Script
                | Tag::Style
                | Tag::Noscript
                | Tag::Void
                | Tag::Template
                | Tag::Raw
        )
    }

    /// Whether a drawing ends where this begins, because it was never closed.
    pub(super) fn breaks_out(self) -> bool {
        matches!(self, Tag::P | Tag::Div | Tag::Ul | Tag::Ol | Tag::Table | Tag::Blockquote | Tag::Pre | Tag::Body) || self.is_heading()
    }
}
