//! A range of a document, with the numbers that a citation would show.

use crate::{ports::Page, text, tools::LineRange};

/// Lines that are shown in one call.
const MAX_LINES: usize = 200;
/// Bytes that are shown in one call.
const MAX_BYTES: usize = 40_000;

/// The lines of a page whose number lies in the range: numbers of lines, of pages where the document is printed, and
/// of its places (slides, rows, chapters, messages) where it has those. What there is more of is said at the end.
pub(super) fn lines(page: &Page, range: LineRange) -> String {
    let number = |index: usize| match page.lines.get(index) {
        Some(number) => *number,
        None if page.lines.is_empty() => u32::try_from(index).unwrap_or(u32::MAX - 1) + 1,
        None => page.lines.last().copied().unwrap_or_default(),
    };
    let all = page.text.lines().enumerate().map(|(index, line)| (number(index), line));
    let last = all.clone().map(|(number, _)| number).max().unwrap_or_default();
    let mut out = String::new();
    let mut shown = 0;
    let mut more_from = None;
    let mut before = 0;
    for (number, line) in all.filter(|(number, _)| range.holds(*number)) {
        if shown == MAX_LINES || out.len() > MAX_BYTES {
            more_from = Some(number);
            break;
        }
        // A page or slide has many lines; its number stands before the first of them.
        let label = if number == before { String::new() } else { label(page, number) };
        before = number;
        out.push_str(&format!("{label}{}\n", text::truncate(line, MAX_BYTES / 4)));
        shown += 1;
    }
    let unit = unit(page);
    if shown == 0 {
        return format!("There is nothing there: the document has {unit} 1 to {last}.");
    }
    if let Some(number) = more_from {
        out.push_str(&format!("\n(Cut off here: {MAX_LINES} lines at a time. Go on from {number}; the document has {unit} 1 to {last}.)"));
    }
    out
}

fn label(page: &Page, number: u32) -> String {
    if page.paged {
        return format!("(p. {number})\n");
    }
    match number.checked_sub(1).and_then(|index| page.places.get(index as usize)) {
        Some(place) => format!("({number}: {place}) "),
        None if page.places.is_empty() => format!("{number}: "),
        None => String::new(),
    }
}

fn unit(page: &Page) -> &'static str {
    match (page.paged, page.places.is_empty()) {
        (true, _) => "pages",
        (false, false) => "places",
        (false, true) => "lines",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;

    fn range(from: u32, to: Option<u32>) -> LineRange {
        LineRange { from, to }
    }

    #[test]
    fn lines_pages_and_places_are_shown_by_their_numbers() {
        let text: String = (1..=500).map(|line| format!("line {line}\n")).collect();
        let plain = Page { text, ..Page::default() };
        assert_eq!(lines(&plain, range(3, Some(4))), "3: line 3\n4: line 4\n");
        let long = lines(&plain, range(100, None));
        assert!(long.starts_with("100: line 100\n") && long.contains("299: line 299\n") && !long.contains("300: line"));
        assert!(long.contains("Go on from 300; the document has lines 1 to 500."), "{long}");
        assert_eq!(lines(&plain, range(501, None)), "There is nothing there: the document has lines 1 to 500.");
        let paged = Page { text: "a\nb\nc\n".into(), lines: vec![1, 2, 2], paged: true, ..Page::default() };
        assert_eq!(lines(&paged, range(2, Some(2))), "(p. 2)\nb\nc\n");
        let places = vec![Place::Slide { number: 1 }, Place::Slide { number: 2 }];
        let slides = Page { text: "a\nb\n".into(), lines: vec![1, 2], places, ..Page::default() };
        assert_eq!(lines(&slides, range(2, None)), "(2: slide 2) b\n");
    }
}
