//! Pairs of claims and sources with what is true of them: of other people, where their data is
//! there, and made of real questions and pages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nexi_core::{rank::terms, text};
use serde_json::Value;

/// A claim, a source, and whether the source says it.
pub struct Pair {
    /// Where it comes from.
    pub set: &'static str,
    /// What people called it, or how it was made.
    pub kind: String,
    pub claim: String,
    /// Index of the source.
    pub doc: usize,
    pub supported: bool,
}

/// All pairs with their sources; empty where the data is not there.
#[derive(Default)]
pub struct Pairs {
    pub docs: Vec<Doc>,
    pub pairs: Vec<Pair>,
}

fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    if path.join("nq-dev").exists() && path.join("judged").exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is not there", path.display());
    None
}

impl Pairs {
    /// Everything that is there.
    pub fn load() -> Self {
        let mut out = Self::default();
        let Some(data) = data() else { return out };
        out.made(&data.join("nq-dev"));
        out.judged(&data.join("judged"));
        out
    }

    fn add(&mut self, set: &'static str, kind: &str, claim: String, doc: usize, supported: bool) {
        self.pairs.push(Pair { set, kind: kind.to_owned(), claim, doc, supported });
    }

    /// WiCE's development set with whole pages, and half of Factcheck-GPT with its snippets.
    fn judged(&mut self, folder: &Path) {
        let lines = |name: &str| -> Vec<Value> {
            let text = std::fs::read_to_string(folder.join(name)).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        for item in lines("wice-dev.jsonl") {
            let sentences: Vec<&str> = item["evidence"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            const TITLE: &str = "(meta data) TITLE: ";
            let title = sentences.iter().find_map(|line| line.strip_prefix(TITLE)).unwrap_or_default().to_owned();
            let text = sentences.iter().filter(|line| !line.starts_with(TITLE)).copied().collect::<Vec<_>>().join("\n\n");
            self.docs.push(Doc::new(String::new(), title, text));
            let label = item["label"].as_str().unwrap();
            self.add("wice", label, item["claim"].as_str().unwrap().to_owned(), self.docs.len() - 1, label == "supported");
        }
        for item in lines("factcheck-dev.jsonl") {
            let claim = item["claim"].as_str().unwrap().to_owned();
            let text = item["evidence"].as_str().unwrap().to_owned();
            self.docs.push(Doc::new(String::new(), String::new(), text));
            let stance = item["stance"].as_str().unwrap();
            self.add("factcheck", stance, claim, self.docs.len() - 1, stance == "completely-support");
        }
    }

    /// True statements about pages, the same with a planted error, and pages that are near but wrong.
    fn made(&mut self, folder: &Path) {
        self.docs = docs(folder);
        let claims = claims(folder, &self.docs);
        let names: Vec<String> = claims
            .iter()
            .filter(|claim| !claim.number && claim.fact.starts_with(char::is_uppercase))
            .map(|claim| claim.fact.clone())
            .collect();
        for (index, claim) in claims.iter().enumerate() {
            let page = self.docs[claim.doc].text.clone();
            self.add("own", "true", claim.text.clone(), claim.doc, true);
            let mut planted = |kind: &str, text: Option<String>| {
                if let Some(text) = text.filter(|text| *text != claim.text) {
                    self.add("own", kind, text, claim.doc, false);
                }
            };
            if claim.number {
                let other = other_number(&claim.fact, index);
                planted("new number", (!page.contains(&other)).then(|| claim.text.replace(&claim.fact, &other)));
                planted(
                    "number of another sentence",
                    number_elsewhere(&page, &claim.fact).map(|other| claim.text.replace(&claim.fact, &other)),
                );
            } else if claim.fact.starts_with(char::is_uppercase) {
                let other = names.iter().cycle().skip(index * 7 % names.len()).take(names.len()).find(|name| !page.contains(*name));
                planted("new name", other.map(|other| claim.text.replace(&claim.fact, other)));
                planted(
                    "name of another sentence",
                    name_elsewhere(&page, &claim.fact).map(|other| claim.text.replace(&claim.fact, &other)),
                );
            }
            planted("word turned round", turned(&claim.text));
            planted("roles exchanged", exchanged(&claim.text));
            planted("negated", negated(&claim.text));
            // The pages that share most words with the sentence are the hardest wrong sources.
            let wanted = terms::content_words(&claim.text);
            let mut near: Vec<(usize, usize)> = self
                .docs
                .iter()
                .enumerate()
                .filter(|(doc, other)| *doc != claim.doc && other.title != self.docs[claim.doc].title && !other.text.contains(&claim.fact))
                .map(|(doc, other)| (wanted.iter().filter(|word| other.lower.contains(word.as_str())).count(), doc))
                .collect();
            near.sort_by(|a, b| b.cmp(a));
            for (_, doc) in near.into_iter().take(WRONG) {
                self.add("own", "wrong source", claim.text.clone(), doc, false);
            }
        }
    }
}

/// A number of another sentence that looks like this one: as many digits.
fn number_elsewhere(page: &str, fact: &str) -> Option<String> {
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).count();
    let own: Vec<String> =
        text::sentences(page).into_iter().map(|range| page[range].to_owned()).filter(|sentence| sentence.contains(fact)).collect();
    let fact_digits: Vec<&str> = fact.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let [one] = fact_digits[..] else { return None };
    let other = page.split(|c: char| !c.is_ascii_digit()).find(|word| {
        !word.is_empty() && digits(word) == one.len() && *word != one && !own.iter().any(|sentence| sentence.contains(word))
    })?;
    Some(fact.replace(one, other))
}

/// A name of another sentence: two capitalised words in its middle.
fn name_elsewhere(page: &str, fact: &str) -> Option<String> {
    let sentences: Vec<&str> = text::sentences(page).into_iter().map(|range| &page[range]).collect();
    let own: Vec<&&str> = sentences.iter().filter(|sentence| sentence.contains(fact)).collect();
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic) && word.len() > 2;
    for sentence in sentences.iter().filter(|sentence| !sentence.contains(fact)) {
        let words: Vec<&str> = sentence.split_whitespace().collect();
        for pair in words.windows(3).map(|three| &three[1..]) {
            let name = pair.join(" ");
            if is_name(pair[0]) && is_name(pair[1]) && !own.iter().any(|sentence| sentence.contains(&name)) {
                return Some(name);
            }
        }
    }
    None
}

/// Words that are turned round to make a claim false.
const TURNED: [(&str, &str); 20] = [
    ("first", "last"),
    ("last", "first"),
    ("north", "south"),
    ("south", "north"),
    ("northern", "southern"),
    ("eastern", "western"),
    ("largest", "smallest"),
    ("oldest", "youngest"),
    ("highest", "lowest"),
    ("won", "lost"),
    ("before", "after"),
    ("after", "before"),
    ("most", "least"),
    ("longest", "shortest"),
    ("east", "west"),
    ("west", "east"),
    ("male", "female"),
    ("born", "died"),
    ("began", "ended"),
    ("all", "half"),
];

fn turned(claim: &str) -> Option<String> {
    let words: Vec<&str> = claim.split(' ').collect();
    let at = words.iter().position(|word| TURNED.iter().any(|(one, _)| one == word))?;
    let other = TURNED.iter().find(|(one, _)| *one == words[at])?.1;
    let mut out = words;
    out[at] = other;
    Some(out.join(" "))
}

/// The claim with its first and its last name in each other's place.
fn exchanged(claim: &str) -> Option<String> {
    let words: Vec<&str> = claim.trim_end_matches('.').split(' ').collect();
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic) && word.len() > 2;
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let from = at;
        while at < words.len() && is_name(words[at]) {
            at += 1;
        }
        // A lone word at the beginning may be no name.
        if at > from && (from > 0 || at > 1) {
            runs.push((from, at));
        }
        at = at.max(from + 1);
    }
    let (first, last) = (runs.first()?, runs.last()?);
    if first == last || words[first.0..first.1] == words[last.0..last.1] {
        return None;
    }
    let parts = [&words[..first.0], &words[last.0..last.1], &words[first.1..last.0], &words[first.0..first.1], &words[last.1..]];
    Some(parts.concat().join(" ") + ".")
}

fn negated(claim: &str) -> Option<String> {
    [" is ", " was ", " were ", " are ", " has ", " had "].iter().find_map(|verb| {
        let at = claim.find(verb)?;
        Some(format!("{}{verb}not {}", &claim[..at], &claim[at + verb.len()..]))
    })
}

/// Pages that are tried as the wrong source of one sentence.
const WRONG: usize = 2;

/// A source.
pub struct Doc {
    pub name: String,
    pub title: String,
    pub text: String,
    lower: String,
}

impl Doc {
    fn new(name: String, title: String, text: String) -> Self {
        Self { name, title, lower: text.to_lowercase(), text }
    }
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
            Doc::new(path.file_name().unwrap().to_string_lossy().into_owned(), decode(&between("<title>", "</title>")), decode(&body))
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
