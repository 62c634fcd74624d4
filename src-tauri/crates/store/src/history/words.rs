//! From what a person types to what the full-text index understands.

use nexi_core::protocol::Piece;

/// Terms of a query beyond this are left out.
const MAX_TERMS: usize = 16;
/// Letters of a word that is but begun.
const BEGUN: usize = 4;
/// The columns in which words are looked for; `letters` has its own.
const WORDS: &str = "{question answer found}";
/// Characters of an excerpt around its first hit.
const AROUND: usize = 60;

/// A query of the full-text index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expression {
    pub text: String,
    pub terms: usize,
    /// Whether the best shall come first: not for one word, and not while the last one is but begun,
    /// because then nearly everything fits.
    pub ranked: bool,
    /// The first run of characters of a script without blanks, if that is all there is.
    pub letters: Option<String>,
}

/// Whether a script writes its words without blanks between them.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The characters of such scripts, each by itself; runs are separated by lines.
pub(super) fn letters(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in text.chars() {
        if is_unspaced(c) {
            if !out.is_empty() {
                // A word in between keeps phrases from reaching over a gap.
                out.push_str(if inside { " " } else { " x " });
            }
            out.push(c);
            inside = true;
        } else {
            inside = false;
        }
    }
    out
}

/// What to look for; none where the text holds nothing that could be found. All words must occur,
/// the last one may go on, and what stands in quotation marks must stand together.
pub(super) fn expression(text: &str) -> Option<Expression> {
    let mut parts: Vec<String> = Vec::new();
    let mut unspaced: Option<String> = None;
    let mut spaced = false;
    let is_open = !text.ends_with(char::is_whitespace) && !text.ends_with('"');
    for (index, stretch) in text.split('"').enumerate() {
        let quoted = index % 2 == 1;
        let mut phrase: Vec<String> = Vec::new();
        for word in stretch.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            for run in runs(word) {
                if run.chars().all(is_unspaced) {
                    let apart: Vec<String> = run.chars().map(String::from).collect();
                    parts.push(format!("letters : \"{}\"", apart.join(" ")));
                    unspaced.get_or_insert(run);
                } else {
                    phrase.push(run);
                }
            }
        }
        spaced |= !phrase.is_empty();
        if quoted && !phrase.is_empty() {
            parts.push(format!("{WORDS} : \"{}\"", phrase.join(" ")));
        } else {
            parts.extend(phrase.iter().map(|word| format!("{WORDS} : \"{word}\"")));
        }
    }
    parts.truncate(MAX_TERMS);
    if is_open
        && let Some(last) = parts.last_mut()
        && !last.starts_with("letters")
    {
        last.push('*');
    }
    let terms = parts.len();
    let last = text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let ranked = terms > 1 && (!is_open || last.chars().count() > BEGUN);
    let letters = unspaced.filter(|_| !spaced);
    (terms > 0).then(|| Expression { text: parts.join(" AND "), terms, ranked, letters })
}

/// A word cut where its script changes between one with and one without blanks.
fn runs(word: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut last = None;
    for c in word.chars() {
        let kind = is_unspaced(c);
        if last == Some(kind)
            && let Some(run) = out.last_mut()
        {
            run.push(c);
        } else {
            out.push(c.to_string());
        }
        last = Some(kind);
    }
    out
}

/// The stretch around the first place where `wanted` stands.
pub(super) fn excerpt(text: &str, wanted: &str) -> Vec<Piece> {
    let plain = |text: String| Piece { text, hit: false };
    let Some(at) = text.find(wanted) else {
        return vec![plain(nexi_core::text::truncate(text, 2 * AROUND))];
    };
    let before: Vec<char> = text[..at].chars().rev().take(AROUND).collect();
    let cut = before.len() < text[..at].chars().count();
    let before: String = before.into_iter().rev().collect();
    let after: String = text[at + wanted.len()..].chars().take(AROUND).collect();
    let start = if cut { "…" } else { "" };
    let pieces = [plain(format!("{start}{before}")), Piece { text: wanted.to_owned(), hit: true }, plain(after)];
    pieces.into_iter().filter(|piece| !piece.text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_an_expression_that_cannot_be_broken() {
        let text = |typed: &str| expression(typed).map(|found| (found.text.replace("{question answer found} : ", ""), found.terms));
        assert_eq!(text("bridge ope"), Some(("\"bridge\" AND \"ope\"*".into(), 2)));
        assert_eq!(text("bridge "), Some(("\"bridge\"".into(), 1)));
        assert_eq!(text("\"solid state\" cars"), Some(("\"solid state\" AND \"cars\"*".into(), 2)));
        assert_eq!(text("a\" OR b* NEAR(c"), Some(("\"a\" AND \"OR b NEAR c\"*".into(), 2)));
        assert_eq!(text("-^():*"), None);
        assert_eq!(text("  "), None);
        let found = expression("東京タワー").unwrap();
        assert_eq!((found.text.as_str(), found.letters.as_deref()), ("letters : \"東 京 タ ワ ー\"", Some("東京タワー")));
        assert_eq!(letters("高さは333メートル、東京"), "高 さ は x メ ー ト ル x 東 京");
    }

    #[test]
    fn excerpts_show_what_was_looked_for() {
        let pieces = excerpt("東京タワーの高さは333メートルである。", "高さ");
        assert_eq!(pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>(), ["東京タワーの", "高さ", "は333メートルである。"]);
        assert!(pieces[1].hit);
    }
}
