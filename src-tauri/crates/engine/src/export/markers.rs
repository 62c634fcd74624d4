//! The `[n]` of an answer, and what stands in their place.

use nexi_core::citations;

/// The numbers of markers that stand together, once for each place.
pub(super) fn clusters(answer: &str) -> Vec<Vec<u32>> {
    let mut out = Vec::new();
    replace(answer, |numbers| {
        out.push(numbers.to_vec());
        None
    });
    out
}

/// Replaces the markers of an answer; `by` is given the numbers of markers that stand together.
pub(super) fn replace(answer: &str, mut by: impl FnMut(&[u32]) -> Option<String>) -> String {
    let markers = citations::citations(answer);
    let mut out = String::with_capacity(answer.len());
    let mut at = 0;
    let mut index = 0;
    while index < markers.len() {
        let start = markers[index].range.start;
        let mut end = markers[index].range.end;
        let mut numbers = markers[index].numbers.clone();
        while let Some(next) = markers.get(index + 1).filter(|next| answer[end..next.range.start].trim().is_empty()) {
            numbers.extend(&next.numbers);
            end = next.range.end;
            index += 1;
        }
        index += 1;
        if let Some(new) = by(&numbers) {
            out.push_str(&answer[at..start]);
            out.push_str(&new);
            at = end;
        }
    }
    out.push_str(&answer[at..]);
    out
}
