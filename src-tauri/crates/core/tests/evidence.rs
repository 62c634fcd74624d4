//! How well citations are judged, measured on pairs of sentences and sources made of real
//! questions and pages, where they are there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nexi_core::evidence::Evidence;
use nexi_core::protocol::Support;
use nexi_core::{rank::terms, text};
use serde_json::Value;

/// Pages that are tried as the wrong source of one sentence.
const WRONG: usize = 2;

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/nq-dev");
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is not there", path.display());
    None
}

struct Doc {
    name: String,
    title: String,
    text: String,
}

/// The pages are small: a title and paragraphs.
fn docs(folder: &Path) -> Vec<Doc> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder.join("pages")).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
        .iter()
        .map(|path| {
            let html = std::fs::read_to_string(path).unwrap();
            let between = |from: &str, to: &str| {
                let start = html.find(from).map_or(0, |at| at + from.len());
                html[start..].split(to).next().unwrap_or_default().to_owned()
            };
            let decode = |text: &str| {
                text.replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&quot;", "\"")
                    .replace("&#39;", "'")
                    .replace("&#x27;", "'")
                    .replace("&amp;", "&")
            };
            let mut body = String::new();
            let mut inside = false;
            for c in between("<body>", "</body>").replace("</p>", "\n\n").replace("</h1>", "\n\n").chars() {
                match c {
                    '<' => inside = true,
                    '>' => inside = false,
                    _ if !inside => body.push(c),
                    _ => {}
                }
            }
            Doc {
                name: path.file_name().unwrap().to_string_lossy().into_owned(),
                title: decode(&between("<title>", "</title>")),
                text: decode(&body),
            }
        })
        .collect()
}

/// A claim with the page it is true of, and the stretch that can be exchanged to make it false.
struct Claim {
    text: String,
    doc: usize,
    fact: String,
    /// What kind of thing the fact is, so that it is exchanged for one of the same.
    number: bool,
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().collect::<String>() + chars.as_str())
}

/// Writes the words of a question as the page does: names with their capitals.
fn recased(question: &str, page: &str) -> String {
    let mut forms: BTreeMap<String, bool> = BTreeMap::new();
    for word in page.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        let is_lower = word == lower;
        let known = forms.entry(lower).or_insert(false);
        *known |= is_lower;
    }
    question
        .split_whitespace()
        .map(|word| {
            let bare: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
            let named = forms.get(&bare).is_some_and(|seen_lower| !seen_lower) && !terms::is_stop(&bare);
            if named { capital(word) } else { word.to_owned() }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// A question and its answer as a statement, in other words than the page's.
fn statement(question: &str, answer: &str) -> Option<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let (first, rest) = words.split_first()?;
    let rest_of = |from: usize| words.get(from..).map(|rest| rest.join(" ")).unwrap_or_default();
    let auxiliary = |word: &str| matches!(word, "is" | "was" | "were" | "are" | "did" | "does" | "do" | "has" | "have" | "will" | "the");
    let text = match *first {
        "who" => format!("{answer} {}", rest.join(" ")),
        "when" if rest.first().is_some_and(|word| auxiliary(word)) => format!("{} in {answer}", rest_of(2)),
        "where" if rest.first().is_some_and(|word| auxiliary(word)) => format!("{} in {answer}", rest_of(2)),
        "what" | "which" if rest.first().is_some_and(|word| auxiliary(word)) => format!("{} {} {answer}", rest_of(2), rest[0]),
        "what" | "which" => format!("{answer} {}", rest_of(2)),
        "how" if rest.len() > 2 => format!("{} {answer}", rest_of(3)),
        _ => return None,
    };
    Some(capital(&text) + ".")
}

fn has_number(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit())
}

/// Statements made of questions and answers, and shortened sentences of the pages themselves.
fn claims(folder: &Path, docs: &[Doc]) -> Vec<Claim> {
    let questions: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(folder.join("questions.json")).unwrap()).unwrap();
    let mut out = Vec::new();
    for item in &questions {
        let Some(doc) = docs.iter().position(|doc| Some(doc.name.as_str()) == item["page"].as_str()) else { continue };
        let page = &docs[doc];
        let lower = page.text.to_lowercase();
        let answer =
            item["answers"].as_array().unwrap().iter().filter_map(Value::as_str).find(|answer| lower.contains(&answer.to_lowercase()));
        let Some(answer) = answer else { continue };
        if let Some(text) = statement(&recased(item["question"].as_str().unwrap(), &page.text), answer) {
            out.push(Claim { text, doc, fact: answer.to_owned(), number: has_number(answer) });
        }
        // One sentence of the page that holds the answer, without what stands in brackets and without
        // the words in front of its first comma.
        let sentence =
            text::sentences(&page.text).into_iter().map(|range| page.text[range].to_owned()).find(|sentence| sentence.contains(answer));
        if let Some(sentence) = sentence {
            let mut short = String::new();
            let mut depth = 0;
            for c in sentence.chars() {
                match c {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ if depth == 0 => short.push(c),
                    _ => {}
                }
            }
            let short = match short.split_once(", ") {
                Some((lead, rest))
                    if rest.contains(answer) && rest.split_whitespace().count() >= 8 && lead.split_whitespace().count() <= 6 =>
                {
                    capital(rest)
                }
                _ => short,
            };
            let words = short.split_whitespace().count();
            if short.contains(answer) && (8..=40).contains(&words) && short != sentence {
                out.push(Claim { text: text::fold_space(&short), doc, fact: answer.to_owned(), number: has_number(answer) });
            }
        }
    }
    out
}

/// Another number of about the same look.
fn other_number(fact: &str, salt: usize) -> String {
    let mut shift = salt % 7 + 1;
    let digits = fact.chars().filter(char::is_ascii_digit).count();
    let mut place = 0;
    fact.chars()
        .map(|c| match c.to_digit(10) {
            Some(digit) => {
                place += 1;
                // The last two digits change: 1931 becomes 1954.
                if place + 2 > digits {
                    shift += 2;
                    char::from_digit((digit + u32::try_from(shift % 9).unwrap_or(1) + 1) % 10, 10).unwrap_or('7')
                } else {
                    c
                }
            }
            None => c,
        })
        .collect()
}

#[derive(Default)]
struct Tally {
    all: usize,
    supported: usize,
    weak: usize,
}

#[test]
fn support_is_told_from_its_absence() {
    let Some(folder) = shared() else { return };
    let docs = docs(&folder);
    let claims = claims(&folder, &docs);
    assert!(claims.len() > 300, "only {} claims", claims.len());
    let prepared: Vec<Evidence<'_>> = docs.iter().map(|doc| Evidence::new(&doc.title, &doc.text)).collect();
    let names: Vec<&str> = claims
        .iter()
        .filter(|claim| !claim.number && claim.fact.starts_with(char::is_uppercase))
        .map(|claim| claim.fact.as_str())
        .collect();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let verbose = std::env::var_os("NEXI_SHOW").is_some();
    let mut judge = |kind: &'static str, doc: usize, sentence: &str| {
        let support = prepared[doc].judge(sentence).map(|finding| finding.support);
        let tally = tallies.entry(kind).or_default();
        tally.all += 1;
        tally.supported += usize::from(support == Some(Support::Supported));
        tally.weak += usize::from(support == Some(Support::Weak));
        let wrong = (kind == "true") != (support == Some(Support::Supported));
        if verbose && wrong {
            let passage = prepared[doc].judge(sentence).map(|finding| docs[doc].text[finding.range].to_owned());
            println!("{kind} {support:?}: {sentence}\n    {}: {}", docs[doc].title, passage.unwrap_or_default());
        }
    };
    for (index, claim) in claims.iter().enumerate() {
        judge("true", claim.doc, &claim.text);
        // What stands elsewhere on the page would not make the sentence false.
        let page = &docs[claim.doc].text;
        if claim.number {
            let other = other_number(&claim.fact, index);
            if other != claim.fact && !page.contains(&other) {
                judge("number changed", claim.doc, &claim.text.replace(&claim.fact, &other));
            }
        } else if claim.fact.starts_with(char::is_uppercase) {
            let other = names.iter().cycle().skip(index * 7 % names.len()).take(names.len()).find(|name| !page.contains(**name));
            if let Some(other) = other {
                judge("name changed", claim.doc, &claim.text.replace(&claim.fact, other));
            }
        }
        // The pages that share most words with the sentence are the hardest wrong sources.
        let wanted = terms::content_words(&claim.text);
        let mut near: Vec<(usize, usize)> = docs
            .iter()
            .enumerate()
            .filter(|(doc, other)| *doc != claim.doc && other.title != docs[claim.doc].title && !other.text.contains(&claim.fact))
            .map(|(doc, other)| (wanted.iter().filter(|word| other.text.to_lowercase().contains(word.as_str())).count(), doc))
            .collect();
        near.sort_by(|a, b| b.cmp(a));
        for (_, doc) in near.into_iter().take(WRONG) {
            judge("wrong source", doc, &claim.text);
        }
    }
    let mut right = 0;
    let mut called = 0;
    for (kind, tally) in &tallies {
        let share = |count: usize| 100.0 * count as f64 / tally.all as f64;
        println!("{kind}: {} pairs, supported {:.1} %, weak {:.1} %", tally.all, share(tally.supported), share(tally.weak));
        called += tally.supported;
        right += if *kind == "true" { tally.supported } else { 0 };
    }
    let precision = right as f64 / called as f64;
    let recall = right as f64 / tallies["true"].all as f64;
    println!("supported: precision {:.1} %, recall {:.1} %", precision * 100.0, recall * 100.0);
    assert!(precision >= 0.9 && recall >= 0.75, "precision {precision:.3}, recall {recall:.3}");
}
