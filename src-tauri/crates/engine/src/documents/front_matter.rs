//! What a text says of itself at its beginning: YAML between lines of dashes, the keywords of Org, the commands of LaTeX,
//! the title and fields of reStructuredText and AsciiDoc.

use nexi_core::text;
use serde::Deserialize;
use serde_norway::Value;

/// Bytes of it that are looked at.
const MAX: usize = 16 * 1024;
/// Lines among which keywords and fields stand.
const LINES: usize = 40;

/// Title, authors and day of a note.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FrontMatter {
    pub title: Option<String>,
    pub authors: Vec<String>,
    /// `YYYY-MM-DD`, or `YYYY-MM` where it says no more.
    pub date: Option<String>,
}

#[derive(Deserialize)]
struct Yaml {
    #[serde(default)]
    title: Option<Value>,
    #[serde(default)]
    author: Option<Value>,
    #[serde(default)]
    authors: Option<Value>,
    #[serde(default)]
    date: Option<Value>,
    #[serde(default)]
    created: Option<Value>,
    #[serde(default)]
    updated: Option<Value>,
}

impl FrontMatter {
    /// What stands at the beginning of a text; nothing where there is no such thing, or it is damaged.
    pub(super) fn of(full: &str, ending: &str) -> Self {
        match ending {
            "org" => Self::of_org(full),
            "tex" => Self::of_latex(full),
            "rst" | "adoc" | "asciidoc" => Self::of_fields(full),
            "md" | "markdown" | "mdx" => Self::of_yaml(full).or_else(|| Self::of_toml(full)).unwrap_or_default(),
            _ => Self::default(),
        }
    }

    /// `\title{…}`, `\author{…}` and `\date{…}`.
    fn of_latex(full: &str) -> Self {
        let head = &full[..text::floor_char(full, MAX)];
        let said = |command: &str| {
            let from = head.find(&format!("\\{command}{{"))? + command.len() + 2;
            // Braces within it come in pairs.
            let mut depth = 1;
            let end = head[from..].find(|c| {
                depth += match c {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                depth == 0
            })?;
            let inner = head[from..from + end].replace("\\\\", " ").replace(['{', '}', '~'], " ");
            Some(text::fold_space(&inner)).filter(|said| !said.is_empty())
        };
        Self {
            title: said("title"),
            authors: said("author").map(|names| names.split("\\and").map(|name| name.trim().to_owned()).collect()).unwrap_or_default(),
            date: said("date").and_then(|date| day(&date)),
        }
    }

    /// A first line that is underlined or begins with `=`, and fields such as `:author: Ann Lee`.
    fn of_fields(full: &str) -> Self {
        let lines: Vec<&str> = full.lines().take(LINES).map(str::trim_end).collect();
        let is_rule = |line: &str| {
            line.len() >= 3 && line.starts_with(['=', '-', '~', '^', '#', '*', '+', '"']) && line.chars().all(|c| line.starts_with(c))
        };
        // Labels and comments come before a title.
        let is_other =
            |line: &str| line.is_empty() || is_rule(line) || line.starts_with("..") || line.starts_with(' ') || line.starts_with("//");
        let first = lines.iter().position(|line| !is_other(line)).unwrap_or_default();
        let title = match (lines.get(first), lines.get(first + 1)) {
            (Some(line), _) if line.starts_with("= ") => Some(line[2..].trim()),
            (Some(line), Some(rule)) if is_rule(rule) && rule.len() >= line.chars().count() => Some(line.trim()),
            _ => None,
        };
        let mut out = Self { title: title.map(str::to_owned), ..Self::default() };
        for line in lines {
            let Some((name, value)) = line.strip_prefix(':').and_then(|line| line.split_once(':')) else { continue };
            match name.to_ascii_lowercase().as_str() {
                "author" | "authors" => {
                    out.authors = value.split([';', ',']).map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
                }
                "date" | "revdate" => out.date = day(value.trim()),
                _ => {}
            }
        }
        out
    }

    fn of_yaml(full: &str) -> Option<Self> {
        let rest = full.strip_prefix("---")?;
        let rest = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"))?;
        let head = &rest[..text::floor_char(rest, MAX)];
        let end = head.find("\n---").or_else(|| head.find("\n..."))?;
        let found: Yaml = serde_norway::from_str(&head[..end]).ok()?;
        let authors = found.author.or(found.authors).map(|value| match value {
            Value::Sequence(items) => items.iter().filter_map(words).collect(),
            value => words(&value).into_iter().collect(),
        });
        Some(Self {
            title: found.title.as_ref().and_then(words),
            authors: authors.unwrap_or_default(),
            date: [found.date, found.created, found.updated].iter().flatten().find_map(|date| day(&words(date)?)),
        })
    }

    /// The lines of TOML that say something of their own, between lines of plus signs.
    fn of_toml(full: &str) -> Option<Self> {
        let rest = full.strip_prefix("+++")?.trim_start_matches('\r').strip_prefix('\n')?;
        let head = &rest[..text::floor_char(rest, MAX)];
        let found: toml_edit::DocumentMut = head[..head.find("\n+++")? + 1].parse().ok()?;
        let said = |value: &toml_edit::Value| {
            let text = value.as_str().map(text::fold_space).or_else(|| value.as_datetime().map(ToString::to_string));
            text.filter(|text| !text.is_empty())
        };
        let value = |name: &str| found.get(name).and_then(toml_edit::Item::as_value);
        let names = |value: &toml_edit::Value| match value.as_array() {
            Some(all) => all.iter().filter_map(said).collect(),
            None => said(value).into_iter().collect(),
        };
        Some(Self {
            title: value("title").and_then(said),
            authors: ["author", "authors"].into_iter().find_map(value).map(names).unwrap_or_default(),
            date: ["date", "created", "updated"].into_iter().filter_map(value).find_map(|value| day(&said(value)?)),
        })
    }

    fn of_org(full: &str) -> Self {
        let mut out = Self::default();
        for line in full.lines().take(LINES) {
            let Some((name, value)) = line.strip_prefix("#+").and_then(|line| line.split_once(':')) else { continue };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "title" => out.title = Some(value.to_owned()).filter(|title| !title.is_empty()),
                "author" => out.authors = value.split(';').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect(),
                "date" => out.date = day(value.trim_start_matches(['<', '['])),
                _ => {}
            }
        }
        out
    }
}

/// A value that is one line of text.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text::fold_space(text),
        Value::Number(number) => number.to_string(),
        // An author as a table with a name.
        Value::Mapping(table) => text::fold_space(table.get("name")?.as_str()?),
        _ => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}

/// Names of months, as English and German write them; three letters are enough.
const MONTHS: [&[&str]; 12] = [
    &["jan", "jän"],
    &["feb"],
    &["mar", "mär"],
    &["apr"],
    &["may", "mai"],
    &["jun"],
    &["jul"],
    &["aug"],
    &["sep"],
    &["oct", "okt"],
    &["nov"],
    &["dec", "dez"],
];

/// The day of a date, whatever stands behind it: `2024-06-03`, `2024/06/03`, `03.06.2024`, `3 June 2024`, `June 3, 2024`; its
/// month or year where there is no more: `2024-06`, `June 2024`, `2024`. Days with slashes and the year at their end say something else in
/// every country and are none.
fn day(date: &str) -> Option<String> {
    let date = date.trim();
    if let Some(day) = date.get(..10).map(|day| day.replace(['/', '.'], "-")).as_deref().and_then(whole_day) {
        return Some(day);
    }
    let words: Vec<&str> = date.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(3).collect();
    let month = |word: &str| {
        let word = word.to_lowercase();
        let at = MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name)))?;
        Some((at + 1).to_string())
    };
    if let [year] = words[..] {
        return (year.len() == 4).then(|| whole_day(&format!("{year}-01-01")))?.map(|day| day[..4].to_owned());
    }
    if let [first, second] = words[..] {
        let (year, month) = month(first).map_or((first, second.to_owned()), |month| (second, month));
        return (year.len() == 4).then(|| whole_day(&format!("{year}-{month:0>2}-01")))?.map(|day| day[..7].to_owned());
    }
    let [first, second, third] = words[..] else { return None };
    let (day, month, year) = match (month(first), month(second)) {
        (Some(month), _) => (second, month, third),
        (_, Some(month)) => (first, month, third),
        _ if date.contains('.') => (first, second.to_owned(), third),
        _ => return None,
    };
    let day = day.trim_end_matches(char::is_alphabetic);
    (year.len() == 4).then(|| whole_day(&format!("{year}-{month:0>2}-{day:0>2}")))?
}

fn whole_day(text: &str) -> Option<String> {
    (text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()).then(|| text.to_owned())
}

/// The day in the name of a file, such as `2024-06-12.md` or `Screenshot 2024-06-12 at 10.14.png`.
pub(super) fn day_in_name(name: &str) -> Option<String> {
    let is_digit = |at: Option<usize>| at.and_then(|at| name.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    name.match_indices("-").filter_map(|(at, _)| Some((at.checked_sub(4)?, name.get(at.checked_sub(4)?..at + 6)?))).find_map(
        |(at, text)| {
            let stands_alone = !is_digit(at.checked_sub(1)) && !is_digit(Some(at + 10));
            whole_day(text).filter(|_| stands_alone)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_and_marked_up_text_name_their_authors() {
        let latex = "\\documentclass{article}\n\\title{The {Orvik} Lighthouse\\\\ and its lamp}\n\\author{Ann Lee \\and Bo Sand}\n\\date{2024-03-18}\n";
        let said = FrontMatter::of(latex, "tex");
        assert_eq!(said.title.as_deref(), Some("The Orvik Lighthouse and its lamp"));
        assert_eq!((said.authors.join("; ").as_str(), said.date.as_deref()), ("Ann Lee; Bo Sand", Some("2024-03-18")));
        assert_eq!(FrontMatter::of("\\title{never ends", "tex"), FrontMatter::default());
        let labelled = FrontMatter::of(".. _lamps:\n\nLamps\n=====\n", "rst");
        assert_eq!(labelled.title.as_deref(), Some("Lamps"));
        let said = FrontMatter::of("=======\nArchive\n=======\n\n:Author: Ann Lee\n:Date: 2024-03-18\n\nText.\n", "rst");
        assert_eq!((said.title.as_deref(), said.authors.len(), said.date.as_deref()), (Some("Archive"), 1, Some("2024-03-18")));
        assert_eq!(FrontMatter::of("= Lamps\n:revdate: 2023-01-02\n", "adoc").title.as_deref(), Some("Lamps"));
        assert_eq!(FrontMatter::of("Just a line.\nAnother one.\n", "rst"), FrontMatter::default());
    }

    #[test]
    fn notes_tell_their_title_authors_and_day() {
        let of = |full: &str, ending: &str| FrontMatter::of(full, ending);
        let wanted = |title: &str, authors: &[&str], date: &str| FrontMatter {
            title: Some(title.to_owned()).filter(|title| !title.is_empty()),
            authors: authors.iter().map(|name| (*name).to_owned()).collect(),
            date: Some(date.to_owned()).filter(|date| !date.is_empty()),
        };
        assert_eq!(
            of("---\ntitle: \"Roses\"\ndate: 2024-06-01T10:00:00+02:00\nauthor: Ida\n---\n# Text", "md"),
            wanted("Roses", &["Ida"], "2024-06-01")
        );
        assert_eq!(
            of("---\r\nauthors:\r\n  - Ida\r\n  - name: Bo\r\ncreated: 1999-12-31\r\n---\r\nText", "md"),
            wanted("", &["Ida", "Bo"], "1999-12-31")
        );
        assert_eq!(
            of("#+TITLE: Roses\n#+AUTHOR: Ida; Bo\n#+DATE: <2024-06-01 Sat>\n\nText", "org"),
            wanted("Roses", &["Ida", "Bo"], "2024-06-01")
        );
        assert_eq!(of("---\ndate: 2024-06-01\nupdated: 2025-01-01\n---\nText", "md").date.as_deref(), Some("2024-06-01"));
        assert_eq!(of("---\nupdated: 15.06.2024\n---\nText", "md").date.as_deref(), Some("2024-06-15"));
        assert_eq!(
            of("+++\ntitle = 'Roses'\nauthors = [\"Ida\", \"Bo\"]\ndate = 2024-06-01T10:00:00+02:00\ndraft = false\n+++\nText", "md"),
            wanted("Roses", &["Ida", "Bo"], "2024-06-01")
        );
        assert_eq!(of("+++\ntitle = \n+++\n", "md"), FrontMatter::default());
        for (written, wanted) in [
            ("2024/06/03", Some("2024-06-03")),
            ("3 June 2024", Some("2024-06-03")),
            ("3. Juni 2024", Some("2024-06-03")),
            ("June 3rd, 2024", Some("2024-06-03")),
            ("3.6.2024", Some("2024-06-03")),
            ("31.06.2024", None),
            ("03/06/2024", None),
            ("June 2024", Some("2024-06")),
            ("2024-06", Some("2024-06")),
            ("2024-13", None),
            ("page 12", None),
            ("soon", None),
        ] {
            assert_eq!(day(written).as_deref(), wanted, "{written}");
        }
        for (name, wanted) in [
            ("2024-06-12.md", Some("2024-06-12")),
            ("Screenshot 2024-05-13 at 10.png", Some("2024-05-13")),
            ("12024-06-12.md", None),
            ("4021-2024-06-12-x.pdf", Some("2024-06-12")),
            ("2024-13-12.md", None),
            ("é-ü.md", None),
        ] {
            assert_eq!(day_in_name(name).as_deref(), wanted, "{name}");
        }
        for nothing in ["# Text", "---\ntitle: [\n---\n", "---\ndate: soon\n---\n", "---\nno end", "----\n", ""] {
            assert_eq!(of(nothing, "md"), FrontMatter::default(), "{nothing:?}");
        }
    }
}
