//! Markdown: how answers are parsed, and words of others that it shows as they are.

use std::ops::Range;

use comrak::nodes::{LineColumn, NodeValue};
use comrak::{Arena, parse_document};

use crate::urls;

/// How often tags are taken out of what was left when tags were taken out.
const HTML_ROUNDS: usize = 4;

/// How the Markdown of an answer is parsed, wherever that is done.
pub fn options() -> comrak::Options<'static> {
    let mut options = comrak::Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.math_dollars = true;
    options.extension.math_latex = true;
    // Off is the default; it is said here because everything rests on it.
    options.render.r#unsafe = false;
    options
}

/// How programs parse a text that know no formulas, where it may hold any: what stands in one is Markdown for them.
fn without_formulas(text: &str) -> Option<comrak::Options<'static>> {
    let mut plain = options();
    plain.extension.math_dollars = false;
    plain.extension.math_latex = false;
    ["$", "\\(", "\\["].iter().any(|sign| text.contains(sign)).then_some(plain)
}

/// How programs parse a text, those that know formulas and those that do not.
fn readers(text: &str) -> impl Iterator<Item = comrak::Options<'static>> {
    std::iter::once(options()).chain(without_formulas(text))
}

/// A text with other words in these places, which are in order and do not overlap.
fn replaced<'a>(text: &str, changes: impl IntoIterator<Item = (Range<usize>, &'a str)>) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for (range, words) in changes {
        out.push_str(&text[from..range.start]);
        out.push_str(words);
        from = range.end;
    }
    out.push_str(&text[from..]);
    out
}

/// The same text with links in place of images, so that showing it fetches nothing that a model or a page has chosen.
/// Code stays as it is.
pub fn without_images(text: &str) -> String {
    readers(text).fold(text.to_owned(), |text, reader| without_images_for(&text, &reader))
}

fn without_images_for(text: &str, reader: &comrak::Options<'_>) -> String {
    if !text.contains("![") {
        return text.to_owned();
    }
    let lines = Lines::of(text);
    let arena = Arena::new();
    let images = parse_document(&arena, text, reader).descendants().filter_map(|node| {
        let data = node.data();
        matches!(data.value, NodeValue::Image(_)).then(|| data.sourcepos.start)
    });
    let mut places: Vec<usize> = images.filter_map(|start| lines.byte(start)).collect();
    places.retain(|at| text.get(*at..).is_some_and(|rest| rest.starts_with("![")));
    places.sort_unstable();
    places.dedup();
    let out = replaced(text, places.into_iter().map(|at| (at..at + 1, "")));
    // Within tables and lists the parser is not always sure of a place.
    if has_images(&out, reader) { out.replace("![", "[") } else { out }
}

/// The same text with its tags shown as text: what an answer holds must not act in whatever opens it. Code stays as it
/// is, and so do addresses in angle brackets.
pub fn without_html(text: &str) -> String {
    let known = without_html_for(text, &options(), "&lt;");
    match without_formulas(text) {
        // In a formula a blank says nothing, and makes the rest no tag.
        Some(plain) => without_html_for(&known, &plain, "< "),
        None => known,
    }
}

fn without_html_for(text: &str, reader: &comrak::Options<'_>, instead: &str) -> String {
    let mut out = text.to_owned();
    // What a tag hid from the parser may be a tag itself.
    for _ in 0..HTML_ROUNDS {
        let places = tags(&out, reader);
        if places.is_empty() {
            return out;
        }
        out = replaced(&out, places.into_iter().map(|at| (at..at + 1, instead)));
    }
    if has_html(&out, reader) { out.replace('<', "&lt;") } else { out }
}

/// Where the tags of a text begin.
fn tags(text: &str, reader: &comrak::Options<'_>) -> Vec<usize> {
    if !text.contains('<') {
        return Vec::new();
    }
    let lines = Lines::of(text);
    let arena = Arena::new();
    let mut places = Vec::new();
    for node in parse_document(&arena, text, reader).descendants() {
        let data = node.data();
        let is_text = matches!(data.value, NodeValue::Text(_));
        if !is_text && !matches!(data.value, NodeValue::HtmlInline(_) | NodeValue::HtmlBlock(_)) {
            continue;
        }
        let (Some(start), Some(end)) = (lines.byte(data.sourcepos.start), lines.byte(data.sourcepos.end)) else { continue };
        let Some(written) = text.get(start..=end.min(text.len().saturating_sub(1))) else { continue };
        let opens = |at: usize| {
            if is_text {
                return is_tag_for_browsers(&written[at..]) && !written[..at].ends_with('\\');
            }
            let next = written[at + 1..].chars().next();
            next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'))
        };
        places.extend(written.match_indices('<').map(|(at, _)| at).filter(|at| opens(*at)).map(|at| start + at));
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// Elements that load, run or send something where a browser shows them.
const ACTIVE: [&str; 22] = [
    "a", "audio", "base", "body", "button", "embed", "form", "frame", "iframe", "image", "img", "input", "link", "math", "meta", "object",
    "script", "source", "style", "svg", "track", "video",
];
/// How far behind a name an attribute is looked for.
const ATTRIBUTES: usize = 500;

/// Whether a text begins with something that Markdown does not take for a tag but a browser does: `<name/attribute`, with
/// a slash instead of a space after the name, an active element, or any with attributes that Markdown finds odd
/// (`<p style=a=b>`).
fn is_tag_for_browsers(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('<') else { return false };
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return false;
    }
    let is_apart = behind.starts_with([' ', '\t', '\n', '\r', '\x0c', '>']);
    let is_active = || ACTIVE.iter().any(|active| name.eq_ignore_ascii_case(active));
    let has_attributes = || behind.bytes().take(ATTRIBUTES).take_while(|byte| *byte != b'>').any(|byte| byte == b'=');
    (behind.starts_with('/') && !behind.starts_with("//")) || (is_apart && (is_active() || has_attributes()))
}

fn has_html(text: &str, reader: &comrak::Options<'_>) -> bool {
    let arena = Arena::new();
    let is_html = |value: &NodeValue| matches!(value, NodeValue::HtmlInline(_) | NodeValue::HtmlBlock(_));
    parse_document(&arena, text, reader).descendants().any(|node| is_html(&node.data().value))
}

/// An answer as it leaves Nexi, for programs that may load what they show: no tags, no images, bare addresses as code,
/// and the host behind every link whose text does not name it.
pub fn for_others(text: &str) -> String {
    let text = without_images(&without_html(text));
    let out = readers(&text).fold(text.clone(), |text, reader| with_hosts(text, &reader));
    // Where the parser was not sure of a place an address loses what makes it one.
    if is_harmless(&out) {
        return out;
    }
    let out = without_html(&without_schemes(&out, true).replace("![", "["));
    if is_harmless(&out) { out } else { without_html(&without_schemes(&out, false)) }
}

/// A text with bare addresses as code and hosts behind its links.
fn with_hosts(text: String, reader: &comrak::Options<'_>) -> String {
    let mut changes = addresses(&text, reader);
    if changes.is_empty() {
        return text;
    }
    changes.sort_by_key(|(range, _)| range.start);
    let mut end = 0;
    changes.retain(|(range, _)| {
        let is_behind = range.start >= end;
        end = if is_behind { range.end } else { end };
        is_behind
    });
    replaced(&text, changes.iter().map(|(range, words)| (range.clone(), words.as_str())))
}

/// Whether no program that shows a text loads anything, or makes a link, by itself.
fn is_harmless(text: &str) -> bool {
    readers(text).all(|reader| {
        !has_images(text, &reader) && !has_html(text, &reader) && addresses(text, &reader).iter().all(|(range, _)| range.is_empty())
    })
}

/// The host of a link, unless its text names it.
pub fn host_of_link(url: &str, words: &str) -> Option<String> {
    let url = url.trim();
    let full = if url.starts_with("//") { format!("https:{url}") } else { url.to_owned() };
    let parsed = url::Url::parse(&full).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = urls::site(parsed.as_str());
    // The first name that looks like a host is the one a reader believes.
    let words = words.to_lowercase();
    let named = words
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-')))
        .map(|token| token.trim_matches(['.', '-']))
        .find(|token| token.contains('.') || *token == host);
    let is_named = named.is_some_and(|token| token == host || token.strip_prefix("www.") == Some(host.as_str()));
    (!host.is_empty() && !is_named).then_some(host)
}

/// What [`for_others`] puts where: hosts behind links, code in place of bare addresses.
fn addresses(text: &str, reader: &comrak::Options<'_>) -> Vec<(Range<usize>, String)> {
    if !text.contains("](") && !text.contains("][") && !text.contains("://") && !text.contains("www.") {
        return Vec::new();
    }
    let lines = Lines::of(text);
    let arena = Arena::new();
    let mut changes = Vec::new();
    for node in parse_document(&arena, text, reader).descendants() {
        let data = node.data();
        let NodeValue::Link(link) = &data.value else { continue };
        let (Some(start), Some(end)) = (lines.byte(data.sourcepos.start), lines.byte(data.sourcepos.end)) else { continue };
        let Some(written) = text.get(start..=end) else { continue };
        if written.starts_with('[') {
            let words: String = node.descendants().filter_map(|node| node.data().value.text().map(str::to_owned)).collect();
            if let Some(host) = host_of_link(&link.url, &words) {
                changes.push((end + 1..end + 1, format!(" ({host})")));
            }
        // What has no scheme, a mail address among them, is the target of a link whose place the parser was not sure of.
        } else if link.url.contains("://") {
            let address = written.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(written);
            let fence = if address.contains('`') { "``" } else { "`" };
            changes.push((start..end + 1, format!("{fence}{address}{fence}")));
        }
    }
    // A host that is there already.
    changes.retain(|(range, words)| !range.is_empty() || !text[range.start..].starts_with(words));
    changes
}

/// The text without what makes an address one, but for the targets of links where they are kept.
fn without_schemes(text: &str, keep_targets: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = ["https://", "http://", "ftp://", "www."].iter().filter_map(|sign| Some((rest.find(sign)?, sign.len()))).min() {
        out.push_str(&rest[..at.0]);
        if keep_targets && out.ends_with("](") {
            out.push_str(&rest[at.0..at.0 + at.1]);
        }
        rest = &rest[at.0 + at.1..];
    }
    out + rest
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The byte of a place of the parser's, which counts lines and bytes from one.
    fn byte(&self, place: LineColumn) -> Option<usize> {
        Some(self.0.get(place.line.checked_sub(1)?)? + place.column.saturating_sub(1))
    }
}

fn has_images(text: &str, reader: &comrak::Options<'_>) -> bool {
    let arena = Arena::new();
    parse_document(&arena, text, reader).descendants().any(|node| matches!(node.data().value, NodeValue::Image(_)))
}

/// A line of text that Markdown shows as it is: no markup, no formula, and nothing that could be
/// taken for a citation: a number in brackets gets parentheses.
///
/// Other brackets stay as they are where nothing can be made of them: behind a backslash they would begin a formula.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let chars: Vec<char> = text.chars().collect();
    let number = chars.iter().take_while(|c| c.is_ascii_digit()).count();
    let has_backslash = text.contains('\\');
    let mut is_number = false;
    let mut escaped_next = false;
    for (at, c) in chars.iter().copied().enumerate() {
        let before = at.checked_sub(1).map_or(' ', |at| chars[at]);
        let after = chars.get(at + 1).copied().unwrap_or(' ');
        let is_first = at == 0;
        match c {
            // Within a word an underscore is only an underscore.
            '_' if before.is_alphanumeric() && after.is_alphanumeric() => out.push(c),
            '[' if after.is_ascii_digit() || after == '^' => {
                is_number = true;
                out.push('(');
            }
            ']' if std::mem::take(&mut is_number) => out.push(')'),
            // A line may begin with a task or a definition. What closes a formula is written nowhere else,
            // unless the text has it.
            '[' if is_first => out.push_str(if has_backslash { "&#91;" } else { "\\[" }),
            ']' if after == '(' => {
                out.push(c);
                escaped_next = true;
            }
            '(' if std::mem::take(&mut escaped_next) => out.push_str(if has_backslash { "&#40;" } else { "\\(" }),
            '\\' | '`' | '*' | '_' | '<' | '>' | '#' | '~' | '|' | '&' | '$' => {
                out.push('\\');
                out.push(c);
            }
            // What would begin a list or a line.
            '-' | '+' | '=' if is_first => {
                out.push('\\');
                out.push(c);
            }
            '.' | ')' if number > 0 && at == number => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_become_links_and_code_stays() {
        for (text, wanted) in [
            ("See ![a](https://e.org/x.png?said=secret).", "See [a](https://e.org/x.png?said=secret)."),
            ("[![a](https://e.org/x.png)](https://e.org)", "[[a](https://e.org/x.png)](https://e.org)"),
            ("![a][ref]\n\n[ref]: https://e.org/x.png", "[a][ref]\n\n[ref]: https://e.org/x.png"),
            (
                "| ![a](https://e.org/x) | b |\n|---|---|\n| c | ![](https://e.org/y) |",
                "| [a](https://e.org/x) | b |\n|---|---|\n| c | [](https://e.org/y) |",
            ),
            ("`vec![1]` and ![a](b)", "`vec![1]` and [a](b)"),
            ("```\nvec![1]\n```", "```\nvec![1]\n```"),
            ("Really?![1] Yes! ![a](b)", "Really?![1] Yes! [a](b)"),
            ("- ![a](b)\n  - so![2]\n\n> ![c](d) end", "- [a](b)\n  - so![2]\n\n> [c](d) end"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(without_images(text), wanted);
            assert_eq!(without_images(wanted), wanted, "once is enough");
        }
    }

    #[test]
    fn what_leaves_shows_hosts_and_holds_no_live_address() {
        for (text, wanted) in [
            ("See https://e.org/x?a=b.", "See `https://e.org/x?a=b`."),
            ("See <https://e.org/x> and www.e.org/y", "See `https://e.org/x` and `www.e.org/y`"),
            ("[the docs](https://docs.e.org/x) say", "[the docs](https://docs.e.org/x) (docs.e.org) say"),
            ("[docs.e.org](https://docs.e.org/x)", "[docs.e.org](https://docs.e.org/x)"),
            ("[a bank](https://bank.org.evil.net/)", "[a bank](https://bank.org.evil.net/) (bank.org.evil.net)"),
            ("[ref][1x]\n\n[1x]: https://e.org/x", "[ref][1x] (e.org)\n\n[1x]: https://e.org/x"),
            ("`curl https://e.org` and\n\n```\nhttps://e.org\n```", "`curl https://e.org` and\n\n```\nhttps://e.org\n```"),
            ("- a\n  - https://e.org/ü ends\n\n> *https://e.org*", "- a\n  - `https://e.org/ü` ends\n\n> *`https://e.org`*"),
            (
                "| a | b |\n|---|---|\n| ü https://e.org/x | [c](http://e.org/y) |",
                "| a | b |\n|---|---|\n| ü `https://e.org/x` | [c](http://e.org/y) (e.org) |",
            ),
            ("![a](https://e.org/x.png)", "[a](https://e.org/x.png) (e.org)"),
            ("write to me@e.org", "write to me@e.org"),
            // Neither a part of a name nor a later name hides a host.
            ("[microsoft.com](https://t.co/x)", "[microsoft.com](https://t.co/x) (t.co)"),
            ("[bank.org, not evil.net](HTTPS://evil.net/)", "[bank.org, not evil.net](HTTPS://evil.net/) (evil.net)"),
            ("a <img src=\"https://e.org/x\"> b", "a &lt;img src=\"`https://e.org/x\">` b"),
            ("```a```\n<img src=x>", "```a```\n&lt;img src=x>"),
            ("\\`<img src=x>\\`", "\\`&lt;img src=x>\\`"),
            ("`` ` ``<img src=x>`` ` ``", "`` ` ``&lt;img src=x>`` ` ``"),
            ("\\\\<img src=x>", "\\\\&lt;img src=x>"),
            ("<div>\n\n<script>x</script>", "&lt;div>\n\n&lt;script>x&lt;/script>"),
            ("`<b>` and a < b", "`<b>` and a < b"),
            ("a <svg/onload=alert(1)> b", "a &lt;svg/onload=alert(1)> b"),
            ("a <img src=https://evil.example/y.png?a=b> b", "a &lt;img src=`https://evil.example/y.png?a=b>` b"),
            ("is x <a number> or <imagery of", "is x &lt;a number> or <imagery of"),
            ("a <p style=background:url(//evil.example/y?a=b)> b", "a &lt;p style=background:url(//evil.example/y?a=b)> b"),
            ("a <img/src/onerror=x", "a &lt;img/src/onerror=x"),
            ("`<svg/onload=x>` and x</2 and \\<svg/onload=x>", "`<svg/onload=x>` and x</2 and \\<svg/onload=x>"),
            // For programs that know no formulas, what stands in one is Markdown.
            ("$![m](https://e.org/x)$", "$[m](https://e.org/x) (e.org)$"),
            ("$$![m](https://e.org/x)$$", "$$[m](https://e.org/x) (e.org)$$"),
            ("\\( ![m](https://e.org/x) \\)", "\\( [m](https://e.org/x) (e.org) \\)"),
            ("\\[ ![m](https://e.org/x) \\]", "\\[ [m](https://e.org/x) (e.org) \\]"),
            ("$<img src=\"x\">$", "$< img src=\"x\">$"),
            ("$$\n<img src=x>\n$$", "$$\n< img src=x>\n$$"),
            ("$$ https://e.org/x $$", "$$ `https://e.org/x` $$"),
            ("$a_i < b$ and $n!$ and $x[1](y)$", "$a_i < b$ and $n!$ and $x[1](y)$"),
            // The parser loses its place in such a table.
            (
                "\\|> https://e.org/[t](https://e.org)```\nhttps://e.org/|```\n|---|---|\n",
                "\\|>`` e.org/[t](e.org)`````\n`e.org/`|```\n|---|---|\n",
            ),
        ] {
            assert_eq!(for_others(text), wanted);
            assert_eq!(for_others(wanted), wanted, "once is enough");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_address_is_live_in_what_leaves(pieces in proptest::collection::vec(
            proptest::sample::select(vec!["https://e.org/", "<http://a.b>", "www.x.org", "[t](https://e.org)", "![i](https://e.org)", "|", "\n", "\n\n",
                "> ", "- ", "`", "**", "_", "~~", "ü", " ", "\\", "[", "]", "(", ")", "<", ">", "a", "|---|---|\n", "    ", "$", "[^1]", "```\n", "&amp;", "<img src=x>", "<!-- ", "</b>", "```", "\\`", "<div>\n"]),
            0..24,
        )) {
            let out = for_others(&pieces.concat());
            proptest::prop_assert!(is_harmless(&out), "{out:?}");
        }
    }

    #[test]
    fn brackets_are_no_formulas_and_no_citations() {
        assert_eq!(escape("x[i] <b> #tag"), "x[i] \\<b\\> \\#tag");
        assert_eq!(escape("[1] *x*, a [link](x), 2[3]"), "(1) \\*x\\*, a [link]\\(x), 2(3)");
        assert_eq!(escape("1. FC, snake_case, $5"), "1\\. FC, snake_case, \\$5");
    }
}
