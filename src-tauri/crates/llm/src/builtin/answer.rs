//! From pages to an answer made of quotes.

use std::cmp::Reverse;
use std::ops::Range;

use nexi_core::{
    evidence,
    ports::{Answering, Cause, Failure, Found},
    quotes,
    rank::{
        Candidate, Question, Quote,
        confidence::{Best, Confidence, confidence},
        select,
    },
    run::ReadPage,
    text,
    urls::page_key,
};

use super::{Material, Words};

/// Below this coverage the quotes are close to the question but may not answer it.
const DIRECT: f64 = 0.45;

/// The answer in Markdown, the best quote first and the others below; and whether nothing was found.
pub(super) fn compose(material: &Material<'_>, words: &Words) -> (String, bool) {
    let question = Question::new(&joined_question(material));
    let candidates = candidates(material);
    let known = answering(material, &question, &candidates);
    if !known.is_empty() {
        return (listed(material, words, &candidates, &known), false);
    }
    let found = select(&question, &candidates, quotes::MAX_WORDS, quotes::MAX_QUOTES);
    if found.is_empty() {
        return (nothing(material, words), true);
    }
    let confidence = judged(material, &question, &candidates, &found);
    // What probably does not answer the question is said to be no answer, and shown once; of what the person gave along
    // they want to see more than that.
    let most = if confidence == Confidence::Answered || material.attached > 0 { found.len() } else { 1 };
    let listed = listed(material, words, &candidates, &found[..most]);
    match confidence {
        Confidence::Answered => (listed, false),
        Confidence::Doubtful => (format!("{}\n\n{listed}", words.doubtful), false),
        Confidence::Nothing => (format!("{}\n\n{listed}", words.other), true),
    }
}

/// Quotations as Markdown.
fn listed(material: &Material<'_>, words: &Words, candidates: &[Candidate<'_>], found: &[Quote]) -> String {
    let line = |(quote, around): (&Quote, Range<usize>)| {
        let page = material.pages[quote.candidate];
        quotes::Line::new(&page.text, &around, &quote.range, &page.url, page.number)
    };
    let lines: Vec<quotes::Line<'_>> = found.iter().zip(quotes::with_context(found, candidates)).map(line).collect();
    quotes::listed(&lines, &words.also)
}

/// From the passages that stand under questions like this one, the sentences that fit it best; the best passage first.
fn answering(material: &Material<'_>, question: &Question, candidates: &[Candidate<'_>]) -> Vec<Quote> {
    let found = material.searches.iter().filter_map(|search| search.found.as_ref().ok());
    let mut known: Vec<&Answering> = found.filter_map(|found| found.collection.as_deref()).flat_map(|known| &known.answering).collect();
    known.sort_by_key(|known| Reverse(known.fit));
    let mut out: Vec<Quote> = Vec::new();
    for passage in known {
        let Some(candidate) = material.pages.iter().position(|page| page_key(&page.url) == page_key(&passage.url)) else { continue };
        let whole = candidates[candidate].text;
        let Some(start) = whole.find(&passage.passage) else { continue };
        let range = start..start + passage.passage.len();
        if out.iter().any(|quote| quote.candidate == candidate && range.contains(&quote.range.start)) {
            continue;
        }
        let alone = Candidate { text: &whole[range.clone()], hot: Vec::new(), ..candidates[candidate].clone() };
        let best = select(question, &[alone], quotes::MAX_WORDS, 1).into_iter().next();
        let first = || text::sentences(&whole[range.clone()]).into_iter().next().unwrap_or(0..range.len());
        let sentence = best.map_or_else(first, |quote| quote.range);
        let range = start + sentence.start..start + sentence.end;
        out.push(Quote { candidate, range, score: f64::from(passage.fit) / 1000.0, coverage: 1.0, is_relevant: true });
    }
    out.truncate(quotes::MAX_QUOTES);
    out
}

/// Whether the quotations answer the question. Of documents it is known how rare its words are; of the web it is not.
fn judged(material: &Material<'_>, question: &Question, candidates: &[Candidate<'_>], found: &[Quote]) -> Confidence {
    let quote = &found[0];
    let page = material.pages[quote.candidate];
    let searches = || material.searches.iter().filter_map(|search| search.found.as_ref().ok());
    let hit = searches().flat_map(|found| &found.hits).next();
    let collection = searches().find_map(|found| found.collection.as_deref());
    match (collection, hit) {
        (Some(collection), Some(hit)) if page.url.starts_with("file:") => {
            let passage = format!("{} {}", hit.title, hit.snippet);
            let candidate = &candidates[quote.candidate];
            let best = Best { passage: &passage, quoted: &candidate.text[quote.range.clone()], quote };
            confidence(question, collection, &best)
        }
        _ if found.iter().any(|quote| quote.coverage >= DIRECT) => Confidence::Answered,
        _ => Confidence::Doubtful,
    }
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

/// What each service had that failed, of a search that came to nothing.
fn causes(found: &Result<Found, Failure>) -> Vec<Cause> {
    match found {
        // Journals of earlier versions have sentences alone.
        Ok(found) if found.causes().next().is_none() => {
            found.failures.iter().map(|message| Cause::Words { message: message.clone() }).collect()
        }
        Ok(found) => found.causes().cloned().collect(),
        Err(failure) => match failure.cause() {
            Cause::All { causes } => causes,
            cause => vec![cause],
        },
    }
}

fn nothing(material: &Material<'_>, words: &Words) -> String {
    let searched = material.searches.len();
    let found: usize = material.searches.iter().filter_map(|search| search.found.as_ref().ok()).map(|found| found.hits.len()).sum();
    let failed = material.searches.iter().filter(|search| search.found.is_err()).count();
    let why = if searched > 0 && failed == searched {
        &words.no_search
    } else if found == 0 {
        &words.no_results
    } else if material.pages.is_empty() {
        &words.no_page
    } else {
        &words.other_things
    };
    let mut out = format!("{} {why}", words.nothing);
    let mut reasons: Vec<String> = Vec::new();
    for cause in material.searches.iter().flat_map(|search| causes(&search.found)) {
        let reason = (words.cause)(&cause);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    if reasons.is_empty() {
        out.push(' ');
    } else {
        out.push_str(&format!("\n\n{}\n", words.failed));
        for reason in reasons {
            out.push_str("\n- ");
            out.push_str(&quotes::clean(&reason, false));
        }
        out.push_str("\n\n");
    }
    out.push_str(&words.advice);
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
        let hits = pages
            .iter()
            .map(|page| Hit { title: page.title.clone(), url: page.url.clone(), snippet: String::new(), date: None, ..Hit::default() })
            .collect();
        let search = QueryResult {
            documents_only: false,
            query: "q".into(),
            found: Ok(Found { hits, backend: "documents".into(), failures: Vec::new(), ..Found::default() }),
        };
        let material = Material {
            question: "When did the Aldermoor bridge open?",
            searches: vec![&search],
            pages: pages.iter().collect(),
            ..Material::default()
        };
        let (answer, nothing) = compose(&material, &Words::default());
        assert!(!nothing);
        assert!(answer.starts_with("“**The Aldermoor bridge opened in May 1931 (2).** It is \"green\"."), "{answer}");
        assert!(answer.contains("[3]") && !answer.contains("[7]"), "{answer}");
    }

    #[test]
    fn finding_nothing_is_said() {
        let pages = [page(1, "Cats sleep a lot.")];
        let material = Material { question: "When did the Aldermoor bridge open?", pages: pages.iter().collect(), ..Material::default() };
        let (answer, nothing) = compose(&material, &Words::default());
        assert!(nothing && answer.contains("nothing relevant"), "{answer}");
    }
}
