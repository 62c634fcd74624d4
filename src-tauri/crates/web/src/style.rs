//! What a style keeps from people's eyes, so that no model reads it, either.

mod background;
mod plain;

use std::borrow::Cow;

pub(crate) use background::{Element, PageColours};
use plain::plain;

/// Lengths from which on something is out of sight, in pixels.
const FAR: f64 = 500.0;
/// Up to this size, in pixels, nothing can be read.
const TINY: f64 = 2.0;
/// Bytes of style sheets of a page that are looked at.
const SHEETS: usize = 256 * 1024;

/// Whether an element with these declarations shows nothing of its text.
pub(crate) fn hides(style: &str) -> bool {
    let style = Style::read(style);
    style.is("display", &["none"]) || style.is("visibility", &["hidden", "collapse"]) || style.hides_present_text()
}

/// The same but for what is folded away, which a press may bring up.
pub(crate) fn hides_present_text(style: &str) -> bool {
    Style::read(style).hides_present_text()
}

/// Classes and ids, with their `.` or `#` and as they stand together in a selector, that the style sheets of a page use to
/// put text where nobody sees it although it is there. What is folded away (`display: none`) is no such thing: a press may bring it up.
pub(crate) fn hiding_names(html: &str) -> Vec<String> {
    let mut out = Vec::new();
    for sheet in sheets(html) {
        names(&sheet, &mut out);
    }
    out
}

/// Whether one of these names, as [`hiding_names`] has them, is that of an element with these classes and this id.
pub(crate) fn is_named(hiding: &[String], classes: &str, id: &str) -> bool {
    let has = |name: &str| match name.strip_prefix('#') {
        Some(wanted) => wanted == id,
        None => classes.split_ascii_whitespace().any(|class| name.strip_prefix('.') == Some(class)),
    };
    hiding.iter().any(|compound| parts(compound).all(has))
}

/// `.a#b` as `.a` and `#b`.
fn parts(compound: &str) -> impl Iterator<Item = &str> {
    let ends = compound.char_indices().skip(1).filter(|(_, c)| matches!(c, '.' | '#')).map(|(at, _)| at).chain([compound.len()]);
    ends.scan(0, |start, end| Some(&compound[std::mem::replace(start, end)..end]))
}

/// The style sheets within a page without comments and escapes, up to [`SHEETS`] bytes of them.
fn sheets(html: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let (mut rest, mut looked_at) = (html, 0);
    std::iter::from_fn(move || {
        if looked_at >= SHEETS {
            return None;
        }
        let start = find_tag(rest)?;
        let open = rest[start..].find('>')?;
        let sheet = &rest[start + open + 1..];
        let end = sheet.find("</").unwrap_or(sheet.len()).min(SHEETS - looked_at);
        let text = sheet.get(..end).unwrap_or_default();
        looked_at += end;
        rest = &sheet[text.len()..];
        Some(plain(text))
    })
}

fn find_tag(html: &str) -> Option<usize> {
    let is_style = |at: &usize| html.as_bytes()[*at..].get(..6).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<style"));
    html.match_indices('<').map(|(at, _)| at).find(is_style)
}

fn names(sheet: &str, out: &mut Vec<String>) {
    for rule in sheet.split('}') {
        let Some((selectors, declarations)) = rule.rsplit_once('{') else { continue };
        // The selectors of a rule within `@media` stand behind another bracket.
        let selectors = selectors.rsplit(['{', ';']).next().unwrap_or_default();
        if !Style::read(declarations).hides_present_text() {
            continue;
        }
        for selector in selectors.split(',').map(str::trim) {
            let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
            let at = selector.find(['.', '#']).unwrap_or(selector.len());
            let (tag, compound) = selector.split_at(at);
            let is_compound = !compound.is_empty() && parts(compound).all(|part| is_name(&part[1..]));
            if tag.chars().all(char::is_alphanumeric) && is_compound && out.len() < 1000 {
                out.push(compound.to_owned());
            }
        }
    }
}

struct Style(Vec<(String, String)>);

impl Style {
    fn read(style: &str) -> Self {
        let style = plain(style);
        let declarations = style.split(';').filter_map(|declaration| {
            let (name, value) = declaration.split_once(':')?;
            let value = value.to_ascii_lowercase().replace("!important", "");
            Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        });
        Self(declarations.collect())
    }

    /// The last declaration counts.
    fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn is(&self, name: &str, values: &[&str]) -> bool {
        self.value(name).is_some_and(|value| values.contains(&value))
    }

    fn length(&self, name: &str) -> Option<f64> {
        self.value(name).and_then(pixels)
    }

    /// Text that is there, takes part in the page, and cannot be seen.
    fn hides_present_text(&self) -> bool {
        let small = |name: &str| self.length(name).is_some_and(|length| (0.0..=TINY).contains(&length));
        let far = |name: &str| self.length(name).is_some_and(|length| length <= -FAR);
        let clips = self.is("overflow", &["hidden", "clip"])
            || self.is("overflow-y", &["hidden", "clip"])
            || self.is("overflow-x", &["hidden", "clip"]);
        let lifted = self.is("position", &["absolute", "fixed"]);
        let moved = lifted
            && (["left", "top", "right", "bottom"].iter().any(|side| far(side))
                || ["left", "top"].iter().any(|side| self.length(side).is_some_and(|length| length >= 10.0 * FAR)));
        let shape = self.value("clip-path").is_some_and(|clip| {
            let shares: Vec<f64> = arguments(clip, "inset").filter_map(|share| share.strip_suffix('%')?.parse().ok()).collect();
            let inset = shares
                .first()
                .copied()
                .into_iter()
                .chain(shares.iter().copied().filter(|share| *share >= 100.0))
                .fold(None, |most: Option<f64>, share| Some(most.map_or(share, |most| most.max(share))));
            let circle = arguments(clip, "circle").next().or_else(|| arguments(clip, "ellipse").next());
            // A polygon whose corners all lie in one place.
            let mut corners = clip.trim_start_matches("polygon(").trim_end_matches(')').split(',').map(str::trim);
            let first = corners.next();
            inset.is_some_and(|share| share >= 50.0)
                || circle.and_then(pixels).is_some_and(|radius| radius <= 1.0)
                || (clip.starts_with("polygon(") && corners.all(|corner| Some(corner) == first))
        });
        let rectangle = self.value("clip").is_some_and(|clip| {
            let numbers = clip.trim_start_matches("rect(").trim_end_matches(')').replace(',', " ");
            clip.starts_with("rect(")
                && numbers.split_whitespace().all(|number| pixels(number).is_some_and(|length| (0.0..=1.0).contains(&length)))
        });
        let shrunk = self.value("transform").is_some_and(|transform| {
            let scaled = ["scale", "scalex", "scaley"].iter().flat_map(|way| arguments(transform, way));
            let shifted = ["translate", "translatex", "translatey", "translate3d"].iter().flat_map(|way| arguments(transform, way));
            scaled.filter_map(|factor| factor.parse::<f64>().ok()).any(|factor| factor.abs() <= 0.05)
                || shifted.filter_map(pixels).any(|length| length.abs() >= FAR)
        }) || self.value("scale").is_some_and(|scale| scale.split_whitespace().any(|factor| factor.parse() == Ok(0.0)))
            || self.value("translate").is_some_and(|shift| shift.split_whitespace().filter_map(pixels).any(|length| length.abs() >= FAR));
        // `font: 0/0 a` and the like.
        let tiny_font = self.value("font").is_some_and(|font| {
            // What stands behind a slash is the height of lines, and numbers without a unit are weights.
            let font = font.replace(" /", "/").replace("/ ", "/");
            let mut sizes = font.split_whitespace().filter_map(|part| part.split('/').next());
            let size = sizes
                .find(|part| *part == "0" || (part.starts_with(|c: char| c.is_ascii_digit() || c == '.') && part.parse::<f64>().is_err()));
            size.and_then(pixels).is_some_and(|size| size <= TINY)
        });
        // `margin: 0 0 0 -9999px`.
        let margin = self.value("margin").is_some_and(|margin| margin.split_whitespace().filter_map(pixels).any(|length| length <= -FAR));
        small("font-size")
            || self.value("opacity").and_then(|opacity| opacity.parse::<f64>().ok()).is_some_and(|opacity| opacity <= 0.05)
            || far("text-indent")
            || tiny_font
            || margin
            || ["margin-left", "margin-top", "margin-right", "margin-inline-start"].iter().any(|side| far(side))
            || moved
            || (clips && ["height", "max-height", "width", "max-width"].iter().any(|side| small(side)))
            || shape
            || rectangle
            || shrunk
            || self.is_colour_on_colour()
    }

    fn is_colour_on_colour(&self) -> bool {
        let Some(foreground) = self.value("color").and_then(colour) else { return false };
        if foreground.3 < 0.05 {
            return true;
        }
        self.background().and_then(colour_within).is_some_and(|background| background.3 > 0.5 && near(foreground, background))
    }

    /// What is said of the ground, a colour or a picture.
    fn background(&self) -> Option<&str> {
        self.value("background-color").or_else(|| self.value("background"))
    }
}

/// What stands between the brackets of each `way(…)` in a value.
fn arguments<'a>(value: &'a str, way: &str) -> impl Iterator<Item = &'a str> {
    let calls = value.split(')').filter_map(|call| call.split_once('('));
    let way = way.to_owned();
    calls
        .filter(move |(name, _)| name.trim() == way)
        .flat_map(|(_, inner)| inner.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty()))
}

/// A length in pixels; none for shares of something else.
fn pixels(value: &str) -> Option<f64> {
    let unit = value.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(value.len());
    let number: f64 = value[..unit].trim().parse().ok()?;
    let factor = match &value[unit..] {
        "" | "px" => 1.0,
        "pt" => 1.33,
        "em" | "rem" => 16.0,
        "vw" | "vh" => 10.0,
        // Nothing of anything is nothing.
        _ if number == 0.0 => 0.0,
        _ => return None,
    };
    Some(number * factor)
}

/// Red, green, blue to 255, and how much of it there is.
type Colour = (f64, f64, f64, f64);

/// Whether nobody can tell one colour from the other.
fn near(a: Colour, b: Colour) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 12.0;
    near(a.0, b.0) && near(a.1, b.1) && near(a.2, b.2)
}

/// The colour that a value is or holds.
fn colour_within(value: &str) -> Option<Colour> {
    colour(value).or_else(|| value.split_whitespace().find_map(colour))
}

fn colour(value: &str) -> Option<Colour> {
    let value = value.trim();
    if let Some(hex) = value.strip_prefix('#') {
        let digits: Vec<f64> = hex.chars().map(|c| c.to_digit(16).map(f64::from)).collect::<Option<_>>()?;
        let one = |at: usize| digits[at] * 17.0;
        let two = |at: usize| digits[at] * 16.0 + digits[at + 1];
        return match digits.len() {
            3 => Some((one(0), one(1), one(2), 1.0)),
            4 => Some((one(0), one(1), one(2), one(3) / 255.0)),
            6 => Some((two(0), two(2), two(4), 1.0)),
            8 => Some((two(0), two(2), two(4), two(6) / 255.0)),
            _ => None,
        };
    }
    if let Some(inner) = value.strip_prefix("rgba(").or_else(|| value.strip_prefix("rgb(")) {
        let parts = inner.trim_end_matches(')').split([',', ' ', '/']).filter(|part| !part.is_empty());
        // Shares are of 255, and those of how much there is are of one.
        let numbers: Vec<f64> = parts
            .enumerate()
            .map(|(place, part)| match part.strip_suffix('%') {
                Some(share) => share.parse::<f64>().ok().map(|share| share / 100.0 * if place < 3 { 255.0 } else { 1.0 }),
                None => part.parse().ok(),
            })
            .collect::<Option<_>>()?;
        return match numbers[..] {
            [r, g, b] => Some((r, g, b, 1.0)),
            [r, g, b, a] => Some((r, g, b, a)),
            _ => None,
        };
    }
    if let Some(inner) = value.strip_prefix("hsla(").or_else(|| value.strip_prefix("hsl(")) {
        return from_hsl(inner.trim_end_matches(')'));
    }
    Some(match value {
        "transparent" => (0.0, 0.0, 0.0, 0.0),
        "white" => (255.0, 255.0, 255.0, 1.0),
        "black" => (0.0, 0.0, 0.0, 1.0),
        "snow" | "ghostwhite" | "ivory" | "whitesmoke" => (250.0, 250.0, 250.0, 1.0),
        "red" => (255.0, 0.0, 0.0, 1.0),
        "blue" => (0.0, 0.0, 255.0, 1.0),
        "gray" | "grey" => (128.0, 128.0, 128.0, 1.0),
        "silver" | "lightgray" | "lightgrey" => (200.0, 200.0, 200.0, 1.0),
        _ => return None,
    })
}

/// A colour by hue, saturation and lightness: `120, 50%, 50%` or `120deg 50% 50% / 0.5`.
fn from_hsl(inner: &str) -> Option<Colour> {
    let parts: Vec<&str> = inner.split([',', ' ', '/']).filter(|part| !part.is_empty()).collect();
    let (hue, saturation, lightness, rest) = match parts.as_slice() {
        [hue, saturation, lightness, rest @ ..] => (hue, saturation, lightness, rest),
        _ => return None,
    };
    let share = |part: &str| part.trim_end_matches('%').parse::<f64>().ok().map(|share| share / 100.0);
    let hue: f64 = hue.trim_end_matches("deg").parse().ok()?;
    let (saturation, lightness) = (share(saturation)?, share(lightness)?);
    let there = match rest.first() {
        Some(part) if part.ends_with('%') => share(part)?,
        Some(part) => part.parse().ok()?,
        None => 1.0,
    };
    // As CSS Color has it.
    let channel = |n: f64| {
        let k = (n + hue / 30.0).rem_euclid(12.0);
        let amount = saturation * lightness.min(1.0 - lightness);
        255.0 * (lightness - amount * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0))
    };
    Some((channel(0.0), channel(8.0), channel(4.0), there))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_hidden_and_nothing_else() {
        for style in [
            "display: none",
            "VISIBILITY:hidden !important",
            "font-size:0",
            "font-size: 1px; color: #333",
            "opacity:0.01",
            "position:absolute;left:-9999px",
            "position: fixed; top: -100em",
            "text-indent: -9999px; overflow: hidden",
            "height:0;overflow:hidden",
            "max-height: 1px; overflow-y: clip",
            "width:1px;height:1px;overflow:hidden",
            "clip: rect(0, 0, 0, 0)",
            "clip:rect(1px 1px 1px 1px)",
            "clip-path: inset(50%)",
            "color:white;background:#fff",
            "background-color: rgb(250, 250, 250); color: #ffffff",
            "color: transparent",
            "color: rgba(0, 0, 0, 0)",
            "transform: scale(0)",
            "color:#fff;background:url(x.png) white",
            "font-size:/**/0",
            "/* a note */font-size:0",
            "fo\\6e t-size:0",
            "font: 0/0 a",
            "font: bold 1px/1 serif",
            "clip-path: inset(99%)",
            "clip-path: inset(0 0 100% 0)",
            "clip-path: circle(0px at 50% 50%)",
            "clip-path: polygon(0 0, 0 0, 0 0)",
            "transform: translateX(-10000px)",
            "transform: rotate(3deg) scale(0.01)",
            "margin: 0 0 0 -9999px",
            "color: rgb(100% 100% 100%); background: white",
            "color: hsl(0, 0%, 100%); background: #fff",
            "color: hsl(0 0% 0% / 0)",
        ] {
            assert!(hides(style), "{style}");
        }
        for style in [
            "",
            "color: white",
            "color:#fff;background:#000",
            "font-size: 0.9em",
            "font-size:11px",
            "height: 0",
            "overflow:hidden",
            "position:absolute;left:-20px",
            "opacity:0.8",
            "margin-left:-15px",
            "background: white; color: #333",
            "width:100%;overflow:hidden",
            "left:-9999px",
            "font: 700 14px/1.4 serif",
            "font: 16px / 1.5 Georgia",
            "font: italic 1.1em/1 serif",
            "clip-path: inset(10% 0 0 0)",
            "clip-path: inset(10px)",
            "clip-path: circle(50%)",
            "transform: translateX(-50%) scale(0.9)",
            "margin: -10px auto",
            "color: rgb(10% 10% 10%); background: white",
            "color: hsl(220 40% 30%); background: white",
            "color: currentcolor; background: currentcolor",
            "a:b:c;;;:x",
        ] {
            assert!(!hides(style), "{style}");
        }
    }

    #[test]
    fn style_sheets_name_what_they_hide() {
        let html = "<STYLE type='text/css'>body{margin:0} p.trap, #bait { position:absolute; left:-9999px }\n.menu{display:none}\n\
                    @media screen { .small { font-size: 0 } }\n.a .b{font-size:0} p.c.d#e{opacity:0} .j:hover{opacity:0}</STYLE><span>x</span><style>.late{color:#fff;background:#fff}";
        assert_eq!(hiding_names(html), [".trap", "#bait", ".small", ".c.d#e", ".late"]);
        let noted = "<style>/* a */ .trap{font-size:0} .x/**/{/*b*/opacity:0} /* unclosed .y{opacity:0}</style>";
        assert_eq!(hiding_names(noted), [".trap", ".x"]);
        let hiding = hiding_names(html);
        assert!(is_named(&hiding, "x d c", "e") && is_named(&hiding, "small y", "") && is_named(&hiding, "", "bait"));
        assert!(!is_named(&hiding, "c d", "") && !is_named(&hiding, "d", "e") && !is_named(&hiding, "smaller", "x"));
        assert!(hiding_names("<style").is_empty() && hiding_names("<style>{}}{").is_empty());
        // Nothing in it makes this slow.
        assert!(hiding_names(&"<style>".repeat(50_000)).is_empty());
        assert!(hiding_names(&format!("<style>{}", ".x{".repeat(100_000))).is_empty());
    }
}
