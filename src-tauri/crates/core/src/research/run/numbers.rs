//! The numbers of private text, however their digits are written, and strewn over words and queries.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

/// Digits in a row that tell a number, in one word of a query.
const IN_A_WORD: usize = 5;
/// The same in digits that are strewn over words and queries, where more of them meet by chance.
const STREWN: usize = 6;
/// A number as short as this is recognised only by itself, with at most one digit more.
const SHORT: usize = 4;

/// Rows of digits that may be learned of one text from outside. One that holds more may hold all there are, and would
/// make every number of this length look public.
const OF_A_TEXT: usize = 400;
/// Short numbers, and rows of longer ones, that are learned from outside in one run: 4 in 100 of all short ones.
const SHORT_FROM_OUTSIDE: usize = 400;
const FROM_OUTSIDE: usize = 4_000;

/// Where the digits of other scripts begin, each ten in a row (Unicode's decimal digits that its compatibility forms
/// do not turn into ours).
const ZEROS: [u32; 37] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040,
    0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50,
    0xABF0, 0x104A0, 0x11066,
];

/// Digits in a row, as a number each.
#[derive(Debug, Clone, Default)]
struct Rows {
    short: BTreeSet<u32>,
    in_a_word: BTreeSet<u32>,
    strewn: BTreeSet<u32>,
}

impl Rows {
    fn learn(&mut self, text: &str) {
        let words = words(text);
        for (digits, _) in &words {
            if digits.len() == SHORT {
                self.short.extend(rows(digits, SHORT));
            }
        }
        // A number may be written in groups: `8823 0019 47`.
        let mut at = 0;
        while at < words.len() {
            let end = (at..words.len()).find(|place| !words[*place].1).unwrap_or(words.len()).max(at + 1);
            let whole: Vec<u8> = words[at..end].iter().flat_map(|(digits, _)| digits.iter().copied()).collect();
            self.in_a_word.extend(rows(&whole, IN_A_WORD));
            self.strewn.extend(rows(&whole, STREWN));
            at = end;
        }
    }
}

impl Rows {
    fn count(&self) -> usize {
        self.short.len() + self.in_a_word.len() + self.strewn.len()
    }

    fn take_in(&mut self, other: Self) {
        self.short.extend(other.short);
        self.in_a_word.extend(other.in_a_word);
        self.strewn.extend(other.strewn);
    }
}

/// What is known of the numbers of a conversation, and the last digits that left.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers {
    secret: Rows,
    /// Of the person's own words.
    public: Rows,
    /// Of pages and search results, whose writers may want to make a number look public.
    outside: Rows,
    sent: Vec<u8>,
}

impl Numbers {
    pub(super) fn learn(&mut self, text: &str, secret: bool) {
        if secret { &mut self.secret } else { &mut self.public }.learn(text);
    }

    /// Learns the numbers of a text that others wrote, unless it holds more of them than such texts do; whether it did.
    pub(super) fn learn_from_outside(&mut self, text: &str) -> bool {
        let mut rows = Rows::default();
        rows.learn(text);
        let has_room = rows.count() <= OF_A_TEXT
            && self.outside.short.len() + rows.short.len() <= SHORT_FROM_OUTSIDE
            && self.outside.count() + rows.count() <= FROM_OUTSIDE;
        if has_room {
            self.outside.take_in(rows);
        }
        has_room
    }

    fn is_secret(&self, digits: &[u8], length: usize, rows_of: impl Fn(&Rows) -> &BTreeSet<u32>) -> bool {
        let (secret, public, outside) = (rows_of(&self.secret), rows_of(&self.public), rows_of(&self.outside));
        rows(digits, length).any(|row| secret.contains(&row) && !public.contains(&row) && !outside.contains(&row))
    }

    /// Whether a query holds digits of a private number.
    pub(super) fn are_in(&self, query: &str) -> bool {
        let words = words(query);
        let both = |digits: &[u8]| [digits.to_vec(), digits.iter().rev().copied().collect()];
        let in_words = words.iter().flat_map(|(digits, _)| both(digits)).any(|digits| self.in_a_row(&digits));
        let all: Vec<u8> = words.iter().flat_map(|(digits, _)| digits.iter().copied()).collect();
        if all.is_empty() || in_words {
            return in_words;
        }
        // Where there are few digits in all, they are one number in pieces.
        let in_pieces = all.len() <= STREWN && both(&all).iter().any(|digits| self.in_a_row(digits));
        let stream: Vec<u8> = self.sent.iter().chain(&all).copied().collect();
        in_pieces || both(&stream).iter().any(|digits| self.is_secret(digits, STREWN, |rows| &rows.strewn))
    }

    fn in_a_row(&self, digits: &[u8]) -> bool {
        let is_short = (SHORT..=SHORT + 1).contains(&digits.len()) && self.is_secret(digits, SHORT, |rows| &rows.short);
        is_short || self.is_secret(digits, IN_A_WORD, |rows| &rows.in_a_word)
    }

    /// A query leaves.
    pub(super) fn sends(&mut self, query: &str) {
        self.sent.extend(words(query).into_iter().flat_map(|(digits, _)| digits));
        self.sent.drain(..self.sent.len().saturating_sub(STREWN - 1));
    }
}

/// All rows of so many digits.
fn rows(digits: &[u8], length: usize) -> impl Iterator<Item = u32> {
    digits.windows(length).map(|row| row.iter().fold(0, |sum, digit| sum * 10 + u32::from(*digit)))
}

/// The digits of each word that has any, and whether it holds no letters beside them.
fn words(text: &str) -> Vec<(Vec<u8>, bool)> {
    let mut out = Vec::new();
    for word in text.split_whitespace() {
        // Most words have neither digits nor other forms.
        if word.is_ascii() && !word.bytes().any(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let plain: String = word.nfkc().collect();
        let digits: Vec<u8> = plain.chars().filter_map(digit).collect();
        if !digits.is_empty() {
            out.push((digits, !plain.chars().any(char::is_alphabetic)));
        }
    }
    out
}

fn digit(c: char) -> Option<u8> {
    let code = u32::from(c);
    let zero = match c {
        '0'..='9' => u32::from('0'),
        _ if c.is_numeric() => *ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code))?,
        _ => return None,
    };
    u8::try_from(code - zero).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_found_however_they_are_written() {
        let mut numbers = Numbers::default();
        numbers.learn("The account is 8823001947, the code 4711, the other one 5510 2234 81. Built in 1877 and 1931.", true);
        numbers.learn("It was built in 1877. Order 66, 123456 pieces.", false);
        for query in [
            "x8823001947",
            "8823001947a",
            "08823001947",
            "8 8 2 3 0 0 1 9 4 7",
            "8_8_2_3_0_0_1_9_4_7",
            "٨٨٢٣٠٠١٩٤٧",
            "८८२३००१९४७",
            "⁸⁸²³⁰⁰¹⁹⁴⁷",
            "⑧⑧②③⓪⓪①⑨④⑦",
            "𝟖𝟖𝟐𝟑𝟎𝟎𝟏𝟗𝟒𝟕",
            "8\u{fe0f}\u{20e3}8\u{fe0f}\u{20e3}2\u{fe0f}\u{20e3}3\u{fe0f}\u{20e3}0\u{fe0f}\u{20e3}0\u{fe0f}\u{20e3}1",
            "88 apples 23 pears 00 plums 19 nuts 47",
            "account 88230",
            "01947",
            "47 apples 11 pears",
            "88 apples 23 pears 0 plums",
            "7491003288",
            "x4711",
            "04711",
            "5510223481",
        ] {
            assert!(numbers.are_in(query), "{query}");
        }
        assert!(!numbers.learn_from_outside(&(0..10_000).map(|code| format!("{code:04} ")).collect::<String>()));
        assert!(numbers.are_in("x4711"), "a list of all codes makes none of them public");
        for query in ["lighthouse 1877", "order 66", "123456 pieces", "step 5 9999", "year 2026 population", "4 or 7", ""] {
            assert!(!numbers.are_in(query), "{query}");
        }
    }

    #[test]
    fn what_others_wrote_makes_few_numbers_public() {
        let mut numbers = Numbers::default();
        numbers.learn("code 4711, house 2040", true);
        assert!(numbers.learn_from_outside("The code 2040 is in every book."));
        assert!(numbers.are_in("4711") && !numbers.are_in("2040"));
        // All there are, a few on each page.
        for page in 0..100 {
            numbers.learn_from_outside(&(0..100).map(|code| format!("{:04} ", page * 100 + code)).collect::<String>());
        }
        assert!(numbers.are_in("4711"));
        // One long row that holds every number of five digits.
        let row: String = (0..100_000).map(|code| format!("{code:05}")).collect();
        assert!(!numbers.learn_from_outside(&row));
    }

    #[test]
    fn pieces_in_several_queries_are_put_together() {
        let mut numbers = Numbers::default();
        numbers.learn("account 8823001947", true);
        for piece in ["item 882", "item 30"] {
            assert!(!numbers.are_in(piece), "{piece}");
            numbers.sends(piece);
        }
        assert!(numbers.are_in("item 0194"));
        assert!(!numbers.are_in("item 777"));
    }
}
