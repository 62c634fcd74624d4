//! From pages to an answer made of quotes.

use nexi_core::{
    evidence,
    rank::{Candidate, Question, SentenceWeights, select},
    run::ReadPage,
    text,
    urls::page_key,
};

use super::Material;

/// Words that all quotes together may have.
const MAX_WORDS: usize = 118;
/// Quotes at most; sentences that follow each other are one.
const MAX_QUOTES: usize = 5;
/// Below this coverage the quotes are close to the question but may not answer it.
const DIRECT: f64 = 0.45;

/// The answer in Markdown: the best quote first, the others below.
pub(super) fn compose(material: &Material<'_>) -> String {
    let question = Question::new(&joined_question(material));
    let candidates = candidates(material);
    let quotes = select(&question, &candidates, &SentenceWeights::default(), MAX_WORDS, MAX_QUOTES);
    if quotes.is_empty() {
        return nothing(material);
    }
    let lines: Vec<String> = quotes
        .iter()
        .map(|quote| {
            let page = material.pages[quote.candidate];
            let words = clean(&candidates[quote.candidate].text[quote.range.clone()], is_markdown(&page.url));
            format!("“{words}” [{}]", page.number)
        })
        .collect();
    let is_direct = quotes.iter().any(|quote| quote.coverage >= DIRECT);
    let mut out = if is_direct {
        lines[0].clone()
    } else {
        format!("Nothing I found speaks of all that you ask. What comes closest:\n\n{}", lines[0])
    };
    if lines.len() > 1 {
        out.push_str("\n\nAlso in the sources:\n\n");
        for line in &lines[1..] {
            out.push_str("- ");
            out.push_str(line);
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

/// The question, with the one before it where it leans on that.
fn joined_question(material: &Material<'_>) -> String {
    super::queries::derive(material.question, material.before)
        .first()
        .filter(|query| {
            material.before.is_some() && query.split_whitespace().count() > nexi_core::rank::terms::content_words(material.question).len()
        })
        .map_or_else(|| material.question.to_owned(), |query| format!("{} {query}", material.question))
}

fn candidates<'a>(material: &Material<'a>) -> Vec<Candidate<'a>> {
    let ranking = material.ranking();
    material
        .pages
        .iter()
        .map(|page| {
            let key = page_key(&page.url);
            let rank = ranking.iter().find(|(url, _)| page_key(url) == key).map_or(PAGES_BEHIND, |(_, rank)| *rank);
            Candidate { title: &page.title, text: &page.text, rank, hot: hot(material, page, &key) }
        })
        .collect()
}

/// Where a page stands that no search result points at.
const PAGES_BEHIND: usize = 10;

/// The passages of this page that the search results showed.
fn hot(material: &Material<'_>, page: &ReadPage, key: &str) -> Vec<(std::ops::Range<usize>, usize)> {
    material
        .hits()
        .filter(|(_, hit)| page_key(&hit.url) == key)
        .filter_map(|(place, hit)| evidence::locate(&page.text, &hit.snippet).map(|range| (range, place)))
        .collect()
}

/// Whether a page's text holds marks of Markdown: web pages and HTML were turned into it.
fn is_markdown(url: &str) -> bool {
    let end = url.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    !url.starts_with("file:") || matches!(end.as_str(), "md" | "markdown" | "mdx" | "html" | "htm" | "xhtml")
}

/// A quote that Markdown shows as it is: marks of the source's own markup are gone, and nothing in
/// it can be taken for a citation of ours.
fn clean(quote: &str, is_markdown: bool) -> String {
    let plain = if is_markdown { text::plain(quote) } else { text::fold_space(quote) };
    let mut out = String::with_capacity(plain.len() + 8);
    let mut before = ' ';
    for (at, c) in plain.char_indices() {
        let after = plain[at + c.len_utf8()..].chars().next().unwrap_or(' ');
        // Within a word an underscore is only an underscore.
        let inside_word = before.is_alphanumeric() && after.is_alphanumeric();
        let previous = std::mem::replace(&mut before, c);
        match c {
            '_' if inside_word => out.push(c),
            '“' | '”' => out.push('"'),
            // "[2]" in a source is not a citation of ours.
            '[' if after.is_ascii_digit() => out.push('('),
            ']' if previous.is_ascii_digit() => out.push(')'),
            '\\' | '`' | '*' | '_' | '<' | '>' | '#' | '~' | '|' | '[' | ']' | '&' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

fn nothing(material: &Material<'_>) -> String {
    let searched = material.searches.len();
    let found: usize = material.searches.iter().filter_map(|search| search.found.as_ref().ok()).map(|found| found.hits.len()).sum();
    let failed = material.searches.iter().filter(|search| search.found.is_err()).count();
    let mut out = String::from("I found nothing relevant to this question.");
    if searched > 0 && failed == searched {
        out.push_str(" None of the searches could be carried out.");
    } else if found == 0 {
        out.push_str(" The searches had no results.");
    } else if material.pages.is_empty() {
        out.push_str(" There were results, but none of the pages could be read.");
    } else {
        out.push_str(" The pages I read are about other things.");
    }
    let mut reasons: Vec<&str> = Vec::new();
    for search in &material.searches {
        match &search.found {
            Ok(found) if found.hits.is_empty() => reasons.extend(found.failures.iter().map(String::as_str)),
            Ok(_) => {}
            Err(failure) => reasons.push(&failure.message),
        }
    }
    reasons.dedup();
    if !reasons.is_empty() {
        out.push_str("\n\nNot every search worked:\n");
        for reason in reasons {
            out.push_str("\n- ");
            out.push_str(&clean(reason, false));
        }
        out.push_str("\n\n");
    } else {
        out.push(' ');
    }
    out.push_str("Add folders with documents, try other words, or connect a model in Settings.");
    out
}

#[cfg(test)]
mod tests {
    use nexi_core::{
        ports::{Found, Hit},
        run::QueryResult,
    };

    use super::*;

    fn page(number: u32, text: &str) -> ReadPage {
        ReadPage {
            number,
            url: format!("file:///docs/{number}.md"),
            title: format!("Page {number}"),
            date: None,
            text: text.into(),
            shown: nexi_core::run::Shown::Whole,
            fetched: None,
            links: Vec::new(),
        }
    }

    #[test]
    fn answers_are_quotes_with_numbers() {
        let pages =
            [page(3, "The Aldermoor bridge opened in *May 1931* [2]. It is \"green\". Ships pass below."), page(7, "Cats sleep a lot.")];
        let hits =
            pages.iter().map(|page| Hit { title: page.title.clone(), url: page.url.clone(), snippet: String::new(), date: None }).collect();
        let search = QueryResult { query: "q".into(), found: Ok(Found { hits, backend: "documents".into(), failures: Vec::new() }) };
        let material = Material {
            question: "When did the Aldermoor bridge open?",
            searches: vec![&search],
            pages: pages.iter().collect(),
            ..Material::default()
        };
        let answer = compose(&material);
        assert!(answer.starts_with("“The Aldermoor bridge opened in May 1931 (2)."), "{answer}");
        assert!(answer.contains("[3]") && !answer.contains("[7]"), "{answer}");
    }

    #[test]
    fn quotes_of_plain_files_keep_every_character() {
        assert_eq!(clean("area = 6 * 7, x[i] <b> #tag", false), "area = 6 \\* 7, x\\[i\\] \\<b\\> \\#tag");
        assert_eq!(clean("**bold** [a](https://e.org) [2]", true), "bold a (2)");
    }

    #[test]
    fn finding_nothing_is_said() {
        let pages = [page(1, "Cats sleep a lot.")];
        let material = Material { question: "When did the Aldermoor bridge open?", pages: pages.iter().collect(), ..Material::default() };
        assert!(compose(&material).contains("nothing relevant"));
    }
}
