//! Ink on ground: text in the colour of what stands behind it, which may be the page's own white.

use super::{Colour, Style, colour, colour_within, near, sheets};

/// Rules that are kept of a page.
const RULES: usize = 300;

/// What is known of the colours of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PageColours {
    rules: Vec<Rule>,
    /// Sheets that are not in the page may say anything about classes and ids.
    has_other_sheets: bool,
    /// Nothing in the page chooses any ground, so that all of it is white.
    pub is_plain: bool,
}

/// A rule with a simple selector: `p`, `.name` or `#name`.
#[derive(Debug, Clone, PartialEq)]
struct Rule {
    selector: String,
    foreground: Known,
    background: Known,
}

/// A colour as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Known {
    /// Nothing is said.
    #[default]
    Unsaid,
    Is(Colour),
    /// A picture, a variable, or different ones for different screens.
    Unclear,
}

impl Known {
    fn foreground(style: &Style) -> Self {
        match style.value("color") {
            None => Self::Unsaid,
            Some(value) => colour(value).map_or(Self::Unclear, Self::Is),
        }
    }

    fn background(style: &Style) -> Self {
        let Some(value) = style.background() else { return Self::Unsaid };
        match colour_within(value) {
            _ if value.contains("url(") || value.contains("gradient") || value.contains("var(") => Self::Unclear,
            Some(found) if found.3 < 0.5 => Self::Unsaid,
            Some(found) => Self::Is(found),
            None if matches!(value, "none" | "inherit" | "initial" | "unset") => Self::Unsaid,
            None => Self::Unclear,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unsaid, known) | (known, Self::Unsaid) => known,
            (Self::Is(a), Self::Is(b)) if a == b => self,
            _ => Self::Unclear,
        }
    }
}

/// An element as it is looked at.
#[derive(Default)]
pub(crate) struct Element<'a> {
    pub tag: &'a str,
    pub classes: &'a str,
    pub id: &'a str,
    pub style: &'a str,
    /// Its attributes `color` and `bgcolor`, as HTML has them from times before style sheets.
    pub color: &'a str,
    pub bgcolor: &'a str,
}

impl PageColours {
    /// What the sheets of a page say.
    pub(crate) fn of(html: &str) -> Self {
        let lower = html.to_ascii_lowercase();
        let mut out = Self {
            has_other_sheets: lower.contains("stylesheet") || lower.contains("@import"),
            is_plain: !lower.contains("background") && !lower.contains("bgcolor") && !lower.contains("stylesheet"),
            ..Self::default()
        };
        for sheet in sheets(html) {
            out.read(&sheet);
        }
        out
    }

    fn read(&mut self, sheet: &str) {
        for rule in sheet.split('}') {
            let Some((selectors, declarations)) = rule.rsplit_once('{') else { continue };
            let selectors = selectors.rsplit(['{', ';']).next().unwrap_or_default();
            let style = Style::read(declarations);
            let (foreground, background) = (Known::foreground(&style), Known::background(&style));
            if (foreground, background) == (Known::Unsaid, Known::Unsaid) {
                continue;
            }
            for selector in selectors.split(',').map(str::trim) {
                let name = selector.strip_prefix(['.', '#']).unwrap_or(selector);
                let is_simple = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
                // What a longer selector says counts for its last part, as far as that it is unclear.
                let (selector, foreground, background) = if is_simple {
                    (selector.to_owned(), foreground, background)
                } else {
                    let last = selector.rsplit([' ', '>', '+', '~']).next().unwrap_or_default();
                    let at = last.rfind(['.', '#']).unwrap_or(0);
                    let part: String =
                        last[at..].chars().take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '#' | '-' | '_')).collect();
                    let unclear = |known: Known| if known == Known::Unsaid { Known::Unsaid } else { Known::Unclear };
                    (part, unclear(foreground), unclear(background))
                };
                if self.rules.len() < RULES && !selector.is_empty() {
                    self.rules.push(Rule { selector: selector.to_ascii_lowercase(), foreground, background });
                }
            }
        }
    }

    fn said(&self, element: &Element<'_>, what: impl Fn(&Rule) -> Known, own: Known) -> Known {
        // Its own style wins.
        if own != Known::Unsaid {
            return own;
        }
        let names = |rule: &&Rule| match rule.selector.split_at_checked(1) {
            Some((".", name)) => element.classes.split_ascii_whitespace().any(|class| class.eq_ignore_ascii_case(name)),
            Some(("#", name)) => element.id.eq_ignore_ascii_case(name),
            _ => rule.selector == element.tag || rule.selector == "*",
        };
        self.rules.iter().filter(names).map(what).fold(Known::Unsaid, Known::and)
    }

    /// Whether an element writes in the colour of its ground; `around` are the elements around it, the nearest first.
    /// Where that cannot be told for certain it does not.
    pub(crate) fn hide<'a>(&self, element: &Element<'_>, around: impl Iterator<Item = Element<'a>>) -> bool {
        let old = |value: &str| match value {
            "" => Known::Unsaid,
            value => colour(&value.to_ascii_lowercase()).map_or(Known::Unclear, Known::Is),
        };
        // Any style sheet goes before the old attributes.
        let or_old = |said: Known, value: &str| if said == Known::Unsaid { old(value) } else { said };
        let said = self.said(element, |rule| rule.foreground, Known::foreground(&Style::read(element.style)));
        let Known::Is(foreground) = or_old(said, element.color) else { return false };
        if foreground.3 < 0.5 {
            return foreground.3 < 0.05;
        }
        let ground_of = |element: &Element<'_>| {
            or_old(self.said(element, |rule| rule.background, Known::background(&Style::read(element.style))), element.bgcolor)
        };
        let is_unknown = |element: &Element<'_>| self.has_other_sheets && !(element.classes.is_empty() && element.id.is_empty());
        let mut background = ground_of(element);
        if background == Known::Unsaid && is_unknown(element) {
            return false;
        }
        for outer in around {
            if background != Known::Unsaid {
                break;
            }
            background = ground_of(&outer);
            if background == Known::Unsaid && is_unknown(&outer) {
                return false;
            }
        }
        match background {
            Known::Is(background) => near(foreground, background),
            Known::Unclear => false,
            Known::Unsaid => near(foreground, (255.0, 255.0, 255.0, 1.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element<'a>(tag: &'a str, classes: &'a str, style: &'a str) -> Element<'a> {
        Element { tag, classes, style, ..Element::default() }
    }

    #[test]
    fn white_is_hidden_on_white_and_not_on_what_may_be_dark() {
        let hidden = |html: &str, own: Element<'_>, around: Vec<Element<'static>>| PageColours::of(html).hide(&own, around.into_iter());
        let white = || element("p", "", "color: #fff");
        assert!(hidden("<p>", white(), vec![element("div", "", ""), element("body", "main", "")]));
        assert!(!hidden("<p>", white(), vec![element("div", "", "background: #123")]));
        assert!(!hidden("<p>", white(), vec![element("div", "", "background: url(x.png) white")]));
        assert!(hidden("<p>", element("p", "", "color: #101010"), vec![element("div", "", "background: #111")]));
        let dark = "<style>body { background: #101418 } .note { color: #eee }</style>";
        assert!(!hidden(dark, element("p", "note", ""), vec![element("body", "", "")]));
        assert!(hidden(dark, element("p", "", "color: #121518"), vec![element("body", "", "")]));
        // As it was done before there were style sheets.
        let old = |color, bgcolor| Element { tag: "font", color, bgcolor, ..Element::default() };
        assert!(hidden("<p>", old("White", ""), vec![]) && hidden("<p>", old("#010101", ""), vec![old("", "black")]));
        assert!(!hidden("<p>", old("#fff", ""), vec![old("", "#102030")]) && !hidden("<p>", old("", ""), vec![]));
        // Two schemes: it cannot be told.
        let both = "<style>body { background: white } @media (prefers-color-scheme: dark) { body { background: black } }</style>";
        assert!(!hidden(both, white(), vec![element("body", "", "")]));
        // A sheet that is elsewhere may say anything about what has a class, and nothing about what has none.
        let other = "<link rel=stylesheet href=a.css>";
        assert!(!hidden(other, white(), vec![element("div", "hero", "")]));
        assert!(hidden(other, white(), vec![element("div", "", "")]));
        assert!(!hidden(
            "<style>.hero p { color: white } .hero { background: navy }</style>",
            element("p", "", ""),
            vec![element("div", "hero", "")]
        ));
        assert!(!hidden("<p>", element("p", "", "color: inherit"), vec![]) && !hidden("<p>", element("p", "", ""), vec![]));
    }
}
