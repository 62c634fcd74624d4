//! `.epub`: the chapters in the order in which they are read.

use nexi_core::place::Place;

use crate::{
    Extracted, FormatError, Part,
    archive::{self, Archive},
    xml::{self, Node, day},
};

/// Chapters that are read.
const MAX_CHAPTERS: usize = 5000;

pub(crate) fn extract(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let mut archive = Archive::open(bytes)?;
    if archive.names().iter().any(|name| name == "META-INF/rights.xml" || name == "META-INF/license.lcpl") {
        return Err(FormatError::Encrypted);
    }
    let container = archive.need("META-INF/container.xml")?;
    let mut package = None;
    xml::walk(&container, |node| {
        if let Node::Open("rootfile", attributes) = node {
            package = package.take().or_else(|| attributes.get("full-path"));
        }
    })?;
    let package = package.ok_or(FormatError::Broken)?;
    let opf = archive.need(&package)?;
    let folder = package.rsplit_once('/').map_or("", |(folder, _)| folder);
    let [title, author, date] = xml::texts(&opf, ["title", "creator", "date"]);
    let (mut items, mut spine, mut contents) = (Vec::new(), Vec::new(), None);
    xml::walk(&opf, |node| match node {
        Node::Open("item", attributes) => {
            if let (Some(id), Some(href)) = (attributes.get("id"), attributes.get("href")) {
                let kind = attributes.get("media-type").unwrap_or_default();
                let is_nav = attributes.get("properties").is_some_and(|all| all.split_whitespace().any(|one| one == "nav"));
                if is_nav || (contents.is_none() && kind == "application/x-dtbncx+xml") {
                    contents = Some((href.clone(), is_nav));
                }
                // The table of contents is no chapter.
                if !is_nav {
                    items.push((id, href, kind));
                }
            }
        }
        Node::Open("itemref", attributes) => spine.extend(attributes.get("idref")),
        _ => {}
    })?;
    let names = match contents {
        Some((href, is_nav)) => {
            let file = resolve(folder, &href);
            let base = file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            archive.entry(&file)?.map(|bytes| chapter_names(&bytes, is_nav, &base)).unwrap_or_default()
        }
        None => Vec::new(),
    };
    let mut out = Extracted {
        title: title.trim().to_owned(),
        authors: Some(author.trim().to_owned()).filter(|name| !name.is_empty()).into_iter().collect(),
        date: day(&date),
        ..Extracted::default()
    };
    let mut current = None;
    for id in spine.iter().take(MAX_CHAPTERS) {
        let Some((_, href, kind)) = items.iter().find(|(known, _, _)| known == id) else { continue };
        if !kind.contains("html") && !kind.contains("xml") {
            continue;
        }
        let file = resolve(folder, href);
        let Some(bytes) = archive.entry(&file)? else { continue };
        let text = crate::decode(&bytes);
        let mut begins: Vec<(usize, &str)> =
            names.iter().filter(|chapter| chapter.file == file).map(|chapter| (chapter.begin(&text), chapter.name.as_str())).collect();
        begins.sort_by_key(|(at, _)| *at);
        begins.dedup_by_key(|(at, _)| *at);
        // What stands before the first name goes on with the chapter before it.
        let mut from = 0;
        for (at, name) in begins {
            if !text[from..at].trim().is_empty() {
                out.parts.push(Part { place: current.clone(), text: text[from..at].to_owned(), html: true });
            }
            current = Some(Place::Chapter { name: nexi_core::text::truncate(name, 120) });
            from = at;
        }
        out.parts.push(Part { place: current.clone(), text: text[from..].to_owned(), html: true });
    }
    Ok(out)
}

/// An entry of the table of contents.
struct Chapter {
    file: String,
    /// The id of the element that it begins with, where it is not the first of its file.
    element: Option<String>,
    name: String,
}

impl Chapter {
    /// Where it begins in its file.
    fn begin(&self, text: &str) -> usize {
        let Some(element) = &self.element else { return 0 };
        let found = ['"', '\''].iter().find_map(|quote| text.find(&format!("id={quote}{element}{quote}")));
        // One that is not there begins with its file.
        found.and_then(|at| text[..at].rfind('<')).unwrap_or(0)
    }
}

/// Which chapter begins where, by the table of contents.
fn chapter_names(bytes: &[u8], is_nav: bool, base: &str) -> Vec<Chapter> {
    let mut out: Vec<Chapter> = Vec::new();
    let (mut target, mut label, mut within) = (None, String::new(), false);
    let mut put = |target: Option<String>, label: &str| {
        let label = nexi_core::text::fold_space(label);
        if let Some(target) = target
            && !label.is_empty()
        {
            let file = resolve(base, &target);
            let element = target.split_once('#').map(|(_, element)| element.to_owned());
            if !out.iter().any(|known| known.file == file && known.element == element) {
                out.push(Chapter { file, element, name: label });
            }
        }
    };
    let _ = xml::walk(bytes, |node| match node {
        Node::Open("a", attributes) if is_nav => {
            (target, within) = (attributes.get("href"), true);
            label.clear();
        }
        Node::Close("a") if is_nav => {
            within = false;
            put(target.take(), &label);
        }
        Node::Open("navPoint", _) if !is_nav => label.clear(),
        Node::Open("text", _) if !is_nav => within = true,
        Node::Close("text") if !is_nav => within = false,
        Node::Open("content", attributes) if !is_nav => put(attributes.get("src"), &label),
        Node::Text(text) if within => label.push_str(text),
        _ => {}
    });
    out
}

/// An address of the book as the name of an entry.
fn resolve(folder: &str, href: &str) -> String {
    let path = href.split('#').next().unwrap_or_default();
    archive::resolve(folder, &percent_encoding::percent_decode_str(path).decode_utf8_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_begin_where_the_contents_say() {
        let nav = b"<nav><a href='a.xhtml'>One</a><a href='a.xhtml#two'>Two</a><a href='a.xhtml#gone'>Gone</a></nav>";
        let names = chapter_names(nav, true, "");
        let text = "<body><h1>One</h1><p>First.</p><h1 class='c' id='two'>Two</h1><p>Second.</p></body>";
        let begins: Vec<(&str, usize)> = names.iter().map(|chapter| (chapter.name.as_str(), chapter.begin(text))).collect();
        assert_eq!(begins, [("One", 0), ("Two", text.find("<h1 class").unwrap()), ("Gone", 0)]);
    }

    #[test]
    fn addresses_become_names_of_entries() {
        for (folder, href, name) in [
            ("OEBPS", "text/one.xhtml#a", "OEBPS/text/one.xhtml"),
            ("OEBPS/text", "../a%20b.xhtml", "OEBPS/a b.xhtml"),
            ("", "./c.xhtml", "c.xhtml"),
            ("", "100%.xhtml", "100%.xhtml"),
        ] {
            assert_eq!(resolve(folder, href), name);
        }
    }
}
