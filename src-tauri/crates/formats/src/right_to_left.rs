//! Hebrew and Arabic of PDF, whose letters many programs write as they stand on the page, from left to right.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Words that are looked at to learn how a document is written.
const MOST_WORDS: usize = 20_000;
/// Hebrew letters that have this form at the end of a word only.
const FINAL: [char; 5] = ['ך', 'ם', 'ן', 'ף', 'ץ'];
/// What most Arabic words begin with that have an article.
const ARTICLE: [char; 2] = ['ا', 'ل'];

/// Puts the letters of words into the order in which they are read, where a document has them the other way round.
pub(crate) fn put_in_order(pages: &mut [String]) {
    if !pages.iter().any(|page| page.chars().any(is_right_to_left)) {
        return;
    }
    for page in pages.iter_mut().filter(|page| page.chars().any(is_presentation)) {
        *page = page.nfkc().collect();
    }
    if are_turned_round(pages) {
        for page in pages {
            *page = page.split('\n').map(read_backwards).collect::<Vec<_>>().join("\n");
        }
    }
}

/// Whether more words begin as they should end than the other way round.
fn are_turned_round(pages: &[String]) -> bool {
    let words = pages.iter().flat_map(|page| page.split(|c: char| !is_right_to_left(c)));
    let mut turned = 0_i32;
    for word in words.take(MOST_WORDS) {
        let letters: Vec<char> = word.chars().filter(|letter| !is_combining_mark(*letter)).collect();
        let [first, second, .., before, last] = letters[..] else { continue };
        turned += i32::from(FINAL.contains(&first)) - i32::from(FINAL.contains(&last));
        turned += i32::from([last, before] == ARTICLE) - i32::from([first, second] == ARTICLE);
    }
    turned > 0
}

/// A line whose letters from right to left are turned round; numbers and words of other scripts stay as they are.
fn read_backwards(line: &str) -> String {
    let letters: Vec<char> = line.chars().collect();
    let is_of_others = |letter: &char| letter.is_alphanumeric() && !is_right_to_left(*letter);
    let mut out = String::with_capacity(line.len());
    let mut at = 0;
    while at < letters.len() {
        if is_of_others(&letters[at]) {
            // Blanks and signs between two such words belong to them.
            let rest = &letters[at..];
            let next = rest.iter().position(|letter| is_right_to_left(*letter)).unwrap_or(rest.len());
            let end = rest[..next].iter().rposition(is_of_others).map_or(1, |last| last + 1);
            out.extend(&rest[..end]);
            at += end;
            continue;
        }
        let rest = &letters[at..];
        let end = rest.iter().position(is_of_others).unwrap_or(rest.len());
        turn(&rest[..end], &mut out);
        at += end;
    }
    out
}

/// Turns letters round; marks stay behind theirs. What holds no letter from right to left stays as it is.
fn turn(letters: &[char], out: &mut String) {
    if !letters.iter().any(|letter| is_right_to_left(*letter)) {
        out.extend(letters);
        return;
    }
    let mut end = letters.len();
    for at in (0..letters.len()).rev() {
        if at == 0 || !is_combining_mark(letters[at]) {
            out.extend(&letters[at..end]);
            end = at;
        }
    }
}

fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{65f}' | '\u{66e}'..='\u{6ef}' | '\u{6fa}'..='\u{8ff}') || is_presentation(letter)
}

/// A letter in the form that it has at a place within a word.
fn is_presentation(letter: char) -> bool {
    matches!(letter, '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(text: &str) -> String {
        let mut pages = [text.to_owned()];
        put_in_order(&mut pages);
        pages[0].clone()
    }

    #[test]
    fn letters_are_put_into_the_order_of_reading() {
        // As LibreOffice 7.4 writes it.
        let hebrew = "( הרונמהFresnel lens תנשב הפלחוה )1987.בזע ןורחאה רמושהו ,";
        assert_eq!(ordered(hebrew), "המנורה (Fresnel lens) הוחלפה בשנת 1987, והשומר האחרון עזב.");
        let turned = |text: &str| text.chars().rev().collect::<String>();
        let arabic = ["الحارس الأخير", "في البيت الصغير"];
        assert_eq!(ordered(&arabic.map(turned).join("\n")), arabic.join("\n"));
    }

    #[test]
    fn what_is_in_order_stays() {
        for text in
            ["המנורה הוחלפה בשנת 1987, והשומר האחרון עזב.", "كان الحارس الأخير في البيت", "The lamp was lit in 1931, (1,234.5 times)."]
        {
            assert_eq!(ordered(text), text);
        }
        assert_eq!(ordered("\u{fe91}\u{fef4}\u{fe96}"), "بيت", "letters in the forms of print are plain ones");
    }
}
