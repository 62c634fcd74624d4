//! From the handles that a model cites by to the numbers that people read.
//!
//! While a run goes on, every page has a handle: the number under which the model was shown it. Handles follow
//! the order in which pages arrive, which depends on the network. People read numbers that follow the text: the
//! first source of the first answer is 1.

use std::collections::BTreeMap;

use super::{Marker, citations, find::definitions};
use crate::text;

/// Bytes behind an open bracket or backtick that are held back while an answer arrives.
const HELD: usize = 400;

/// An answer whose citations name the numbers of the thread.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Numbered {
    pub answer: String,
    /// One bracket for each number, in order.
    pub markers: Vec<Marker>,
    /// Where what was replaced ends, before and after.
    ends: Vec<(usize, usize)>,
}

impl Numbered {
    /// Where a byte of the answer with handles is now; it must not lie within a citation.
    pub fn moved(&self, at: usize) -> usize {
        let before = self.ends.partition_point(|(end, _)| *end <= at);
        match before.checked_sub(1).map(|index| self.ends[index]) {
            Some((old, new)) => new + (at - old),
            None => at,
        }
    }
}

/// Handles in the order in which an answer cites them first; those that `is_known` refuses are left out.
pub fn order(markers: &[Marker], is_known: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut out = Vec::new();
    for handle in markers.iter().flat_map(|marker| &marker.numbers) {
        if is_known(*handle) && !out.contains(handle) {
            out.push(*handle);
        }
    }
    out
}

/// Writes the numbers of `numbers` in place of handles, `[1][4]` for `[7, 2]`, also where a handle is defined as a
/// link. A bracket of which no source has a number stays as it was written.
pub fn renumber(answer: &str, markers: &[Marker], numbers: &BTreeMap<u32, u32>) -> Numbered {
    let defined = definitions(answer);
    let mut all: Vec<(&Marker, bool)> = markers.iter().map(|marker| (marker, true)).collect();
    all.extend(defined.iter().filter(|marker| !markers.contains(marker)).map(|marker| (marker, false)));
    all.sort_by_key(|(marker, _)| marker.range.start);
    let mut out = Numbered { answer: String::with_capacity(answer.len()), markers: Vec::with_capacity(markers.len()), ends: Vec::new() };
    let mut at = 0;
    for (marker, is_citation) in all {
        out.answer.push_str(&answer[at..marker.range.start]);
        at = marker.range.end;
        let is_known = marker.numbers.iter().any(|handle| numbers.contains_key(handle));
        let whole = out.answer.len()..out.answer.len() + marker.range.len();
        if !is_known {
            out.answer.push_str(&answer[marker.range.clone()]);
        }
        for handle in &marker.numbers {
            let number = numbers.get(handle).copied().unwrap_or(*handle);
            let start = out.answer.len();
            if is_known {
                out.answer.push_str(&format!("[{number}]"));
            }
            let range = if is_known { start..out.answer.len() } else { whole.clone() };
            if is_citation {
                out.markers.push(Marker { range, numbers: vec![number] });
            }
        }
        out.ends.push((at, out.answer.len()));
    }
    out.answer.push_str(&answer[at..]);
    out
}

/// An answer as it arrives, with numbers in place of handles.
#[derive(Debug, Clone, Default)]
pub struct Arriving {
    /// What has been shown.
    shown: String,
    /// Bytes of the model's own text that this came from.
    taken: usize,
    order: Vec<u32>,
}

impl Arriving {
    /// What has been shown so far.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// What can be shown now that the model's text has grown to `whole`. `number` gives the number of a handle,
    /// which may depend on the handles that were cited before it; none where no source has it.
    pub fn grow(&mut self, whole: &str, number: impl Fn(u32, &mut Vec<u32>) -> Option<u32>) -> String {
        let end = safe_end(whole, self.taken);
        if end <= self.taken || !whole.is_char_boundary(self.taken) {
            return String::new();
        }
        let piece = &whole[self.taken..end];
        let mut out = String::with_capacity(piece.len());
        let mut at = self.taken;
        if piece.contains([']', '】', '］']) {
            for marker in citations(whole).iter().filter(|marker| marker.range.start >= self.taken && marker.range.end <= end) {
                out.push_str(&whole[at..marker.range.start]);
                at = marker.range.end;
                let numbers: Vec<(u32, Option<u32>)> =
                    marker.numbers.iter().map(|handle| (*handle, number(*handle, &mut self.order))).collect();
                if numbers.iter().all(|(_, number)| number.is_none()) {
                    out.push_str(&whole[marker.range.clone()]);
                    continue;
                }
                for (handle, number) in numbers {
                    out.push_str(&format!("[{}]", number.unwrap_or(handle)));
                }
            }
        }
        out.push_str(&whole[at..end]);
        self.taken = end;
        self.shown.push_str(&out);
        out
    }

    /// The handles cited so far, in order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }
}

/// Up to where a text that is still arriving means the same whatever follows: not within a bracket, not right
/// behind one, and not behind a backtick that may open code.
fn safe_end(text: &str, from: usize) -> usize {
    let from = text::floor_char(text, from);
    let mut end = text.len();
    let tail = text::floor_char(text, text.len().saturating_sub(HELD)).max(from);
    if let Some(open) = text[tail..].rfind(['[', '【', '［']).map(|at| at + tail) {
        let closed = text[open..].find([']', '】', '］']).map(|at| at + open);
        match closed {
            None if text.len() - open <= 62 => end = end.min(open),
            // `(` or `:` may follow.
            Some(close) if text[close..].chars().count() == 1 => end = end.min(open),
            _ => {}
        }
    }
    let paragraph = text[tail..].rfind("\n\n").map_or(tail, |at| at + tail + 2);
    let is_fenced = text[..paragraph].lines().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1;
    if !is_fenced && text[paragraph..].matches('`').count() % 2 == 1 {
        let open = text[paragraph..].rfind('`').map_or(end, |at| at + paragraph);
        if text.len() - open <= HELD {
            end = end.min(open);
        }
    }
    end.max(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(handle: u32, order: &mut Vec<u32>) -> Option<u32> {
        if handle > 9 {
            return None;
        }
        if !order.contains(&handle) {
            order.push(handle);
        }
        order.iter().position(|known| *known == handle).and_then(|at| u32::try_from(at + 1).ok())
    }

    #[test]
    fn what_is_streamed_is_what_is_kept() {
        for answer in [
            "It fell [7]. Then `a[3]` rose [2, 7][12], see [1](https://e.org).\n\n```\nb[4]\n```\n\nAnd **more.**[5-6]",
            "No numbers at all, only `code and [text.",
            "A 【3】 and [4†L2] and [2024] [x] and [9",
        ] {
            let markers = citations(answer);
            let order = order(&markers, |handle| handle <= 9);
            let numbers = order.iter().zip(1..).map(|(handle, number)| (*handle, number)).collect();
            let wanted = renumber(answer, &markers, &numbers).answer;
            for size in [1, 2, 3, 7, 50] {
                let mut arriving = Arriving::default();
                let (mut whole, mut seen) = (String::new(), String::new());
                let chars: Vec<char> = answer.chars().collect();
                for piece in chars.chunks(size) {
                    whole.extend(piece);
                    seen.push_str(&arriving.grow(&whole, number));
                }
                assert!(wanted.starts_with(&seen), "{size}: {seen}\n{wanted}");
                assert!(wanted.len() - seen.len() < 80 && arriving.shown() == seen);
            }
        }
    }

    #[test]
    fn numbers_follow_the_text() {
        let markers = citations("B [7, 2]. A [2][40].");
        let numbers = BTreeMap::from([(7, 1), (2, 2)]);
        let found = renumber("B [7, 2]. A [2][40].", &markers, &numbers);
        assert_eq!(found.answer, "B [1][2]. A [2][40].");
        let text = "pH of [3-5], B [7].\n\n[7]: https://e.org\n";
        assert_eq!(renumber(text, &citations(text), &numbers).answer, "pH of [3-5], B [1].\n\n[1]: https://e.org\n");
        assert_eq!(
            found.markers.iter().map(|marker| &found.answer[marker.range.clone()]).collect::<Vec<_>>(),
            ["[1]", "[2]", "[2]", "[40]"]
        );
    }
}
