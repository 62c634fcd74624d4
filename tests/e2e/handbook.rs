//! What people ask a new app, in the words of somebody who never read its handbook, and whether the first passage
//! that they are shown answers it.

use serde_json::Value;

use crate::figure::figure;
use crate::support::{Place, index_alone, json as parsed};

/// Questions with the passages of the handbook that answer them. Somebody wrote them who knew the README alone, and
/// looked for the answers afterwards; the questions of `handbook/asked` were weighed on them.
const KNOWN: &str = include_str!("handbook-questions.jsonl");
/// The same by three people who saw nothing of each other's: one wrote the questions from a description of two
/// paragraphs, one judged the passages, one wrote the questions of `handbook/asked`. No rule was made on these, but variants were
/// compared on them; some have no answer.
const UNSEEN: &str = include_str!("handbook-questions-unseen.jsonl");
/// Once more by two others, written and judged after the questions of `handbook/asked` were doubled and before anything was
/// measured on them.
const FRESH: &str = include_str!("handbook-questions-fresh.jsonl");

/// The paragraph, list or table of a chapter that holds these words, with white space folded.
fn paragraphs(chapter: &str) -> Vec<String> {
    chapter.split("\n\n").map(folded).collect()
}

fn folded(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !matches!(c, '*' | '`' | '|')).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Of how many questions the best passage of the index alone answers: some 120 words, in which the right paragraph begins.
fn answered_by_index_alone(place: &Place, items: &[Value]) -> usize {
    let is_answered = |item: &&Value| {
        index_alone(place, item["question"].as_str().unwrap(), 1).into_iter().any(|(path, body)| {
            let body = folded(&body);
            item["passages"].as_array().unwrap().iter().any(|passage| {
                path.ends_with(passage["chapter"].as_str().unwrap()) && body.contains(&folded(passage["excerpt"].as_str().unwrap()))
            })
        })
    };
    items.iter().filter(is_answered).count()
}

/// Asks every question; the numbers of those that are answered, of those whose first passage is right, of those with
/// a right one among the others, and of those without an answer that are said to have none.
fn ask_all(name: &str, questions: &str) -> (usize, usize) {
    let place = Place::new("search_backends = [\"documents\"]");
    let verbose = std::env::var_os("NEXI_SHOW").is_some();
    let (mut all, mut first, mut any, mut unanswered, mut said) = (0, 0, 0, 0, 0);
    let items: Vec<Value> = questions.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for item in &items {
        let question = item["question"].as_str().unwrap();
        let report = parsed(&place.run(&["ask", question, "--json", "--quiet"]));
        if item["passages"].as_array().unwrap().is_empty() {
            unanswered += 1;
            let hedged = report["answer"].as_str().is_some_and(|answer| answer.starts_with("No source answers"));
            said += usize::from(hedged || report["state"] == "nothing_found");
            continue;
        }
        // In the order of the answer.
        let quotes: Vec<(String, String)> = report["citations"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|citation| {
                let source = report["sources"].as_array()?.iter().find(|source| source["number"] == citation["number"])?;
                let quote = source["passages"][usize::try_from(citation["passage"].as_u64()?).ok()?]["quote"].as_str()?;
                Some((source["url"].as_str()?.rsplit('/').next()?.to_owned(), folded(quote)))
            })
            .collect();
        let answers = |quote: &(String, String)| {
            item["passages"].as_array().unwrap().iter().any(|passage| {
                let name = passage["chapter"].as_str().unwrap();
                let chapter = std::fs::read_to_string(place.path(&format!("data/handbook/{name}"))).unwrap();
                let excerpt = folded(passage["excerpt"].as_str().unwrap());
                let found = paragraphs(&chapter).into_iter().find(|paragraph| paragraph.contains(&excerpt));
                let paragraph = found.unwrap_or_else(|| panic!("{name} has no {excerpt:?} any more: change the passages of {question:?}"));
                quote.0 == name && (paragraph.contains(&quote.1) || quote.1.contains(&excerpt))
            })
        };
        all += 1;
        let right = quotes.first().is_some_and(answers);
        first += usize::from(right);
        any += usize::from(quotes.iter().any(answers));
        if verbose && !right {
            println!("{question}\n    {:?}\n    wanted {}", quotes.first(), item["passages"]);
        }
    }
    let share = |count: usize| 100.0 * count as f64 / all as f64;
    figure(&format!(
        "built-in researcher, handbook, {name}: {all} questions, first passage right {:.1} % (the index's best passage {:.1} %), any {:.1} %; {said} of {unanswered} without an answer said to be so",
        share(first),
        share(answered_by_index_alone(&place, &items)),
        share(any),
    ));
    (first, all)
}

/// The shares that were reached, less five points for changes of the handbook.
fn most_are_answered(name: &str, questions: &str, wanted: usize) {
    let (first, all) = ask_all(name, questions);
    assert!(100 * first >= wanted * all, "{name}: {first} of {all}");
}

#[test]
fn newcomers_find_the_passage_that_answers() {
    most_are_answered("known", KNOWN, 75);
}

#[test]
fn others_find_it_too() {
    most_are_answered("unseen", UNSEEN, 71);
}

#[test]
fn so_do_people_who_came_later() {
    most_are_answered("fresh", FRESH, 75);
}
