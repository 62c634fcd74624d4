//! What is wrong with settings, as sentences of the catalogue.

use nexi_core::settings::{
    Problem, Wrong, hide_keys,
    schema::{Found, Kind, Word},
};
use nexi_messages::{Messages, coded, say};

/// What is wrong, behind the name of its field.
pub fn problem(problem: &Problem) -> String {
    // Somebody may have taken a key for a name.
    say!("problems-of", field = hide_keys(&problem.field), sentence = wrong(&problem.wrong))
}

/// What is wrong, as it follows the name of a field. A key that was put into the wrong line is not shown.
pub fn wrong(wrong: &Wrong) -> String {
    let sentence = match wrong {
        Wrong::Told { sentence } => sentence.clone(),
        Wrong::Unfit { wanted, found } => {
            say!("problems-wrong.unfit", wanted = self::wanted(Messages::current(), wanted), found = self::found(found))
        }
        Wrong::Needed { need } => {
            say!("problems-wrong.needed", need = Messages::current().text(&format!("problems-need.{need}"), &[]))
        }
        other => coded("problems-wrong", other),
    };
    hide_keys(&sentence)
}

/// What a setting may be, in words that follow "must be".
pub fn wanted(messages: &Messages, kind: &Kind) -> String {
    let text = |part: &str| messages.text(&format!("problems-wanted.{part}"), &[]);
    let number = |number: u64| number.to_string().into();
    match kind {
        Kind::Text => text("text"),
        Kind::Switch => text("switch"),
        Kind::Whole(from, Some(to)) => {
            messages.text("problems-wanted.whole_between", &[("from", number(from.unwrap_or(0))), ("to", number(*to))])
        }
        Kind::Whole(from, None) => messages.text("problems-wanted.whole_from", &[("from", number(from.unwrap_or(0)))]),
        Kind::Decimal => text("decimal"),
        Kind::Word(words) => any_of(messages, words),
        Kind::Texts => text("texts"),
        Kind::Words(words) => messages.text("problems-wanted.words", &[("words", any_of(messages, words).into())]),
        Kind::NamedTexts => text("named_texts"),
        Kind::NamedLists => text("named_lists"),
        Kind::Table => text("table"),
    }
}

/// `a, b or c`.
fn any_of(messages: &Messages, words: &[Word]) -> String {
    messages.joined("problems-wanted.or", &words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>())
}

fn found(found: &Found) -> String {
    match found {
        Found::Word(word) => say!("problems-found.word", word = word),
        Found::Whole(number) => number.clone(),
        Found::Large => say!("problems-found.large"),
        Found::Fraction => say!("problems-found.fraction"),
        Found::NoNumber => say!("problems-found.no_number"),
        Found::Text => say!("problems-found.text"),
        Found::Switch => say!("problems-found.switch"),
        Found::Date => say!("problems-found.date"),
        Found::List => say!("problems-found.list"),
        Found::OddList => say!("problems-found.odd_list"),
        Found::Table => say!("problems-found.table"),
        Found::Nothing => say!("problems-found.nothing"),
    }
}
