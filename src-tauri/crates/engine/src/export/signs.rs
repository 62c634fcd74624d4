//! Signs behind statements that their sources do not bear out, and behind those that a second look changed.

use nexi_core::{
    markdown::for_others,
    protocol::{Ending, Support},
};
use nexi_messages::say;

/// Whether supported citations get a sign, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signs {
    All,
    Doubts,
}

/// The answer as it leaves Nexi, with signs behind its citations, and behind statements without one, that say how well
/// they are supported.
pub(super) fn labelled(ending: &Ending, signs: Signs) -> String {
    let mut places: Vec<(usize, char)> = marked(ending, signs);
    places.sort_by_key(|(at, _)| *at);
    let mut out = String::with_capacity(ending.answer.len() + places.len() * 4);
    let mut at = 0;
    for (place, sign) in places {
        // Turns of other programs have no places.
        let Some(piece) = ending.answer.get(at..place) else { continue };
        out.push_str(piece);
        if matches!(sign, UNCITED | CHANGED) {
            out.push(' ');
        }
        out.push(sign);
        at = place;
    }
    out.push_str(&ending.answer[at..]);
    for_others(&out)
}

/// What the signs of [`labelled`] mean, those that occur in it.
pub(super) fn legend(ending: &Ending, signs: Signs) -> Option<String> {
    let used = marked(ending, signs);
    let meanings = [
        ('✓', "supported"),
        ('≈', "partly_supported"),
        ('✗', "not_supported"),
        ('≠', "contradicted"),
        (UNCITED, "uncited"),
        ('?', "unknown"),
        (CHANGED, "changed"),
    ];
    let words: Vec<String> = meanings
        .into_iter()
        .filter(|(sign, _)| used.iter().any(|(_, used)| used == sign))
        .map(|(sign, code)| format!("{sign} {}", say!(&format!("answers-legend.{code}"))))
        .collect();
    (!words.is_empty()).then(|| words.join(" · "))
}

/// The sign of a statement without a citation.
const UNCITED: char = '∅';
/// The sign of a statement that a second look changed.
pub(super) const CHANGED: char = '✎';

/// Every sign with the byte of the answer behind which it belongs.
fn marked(ending: &Ending, signs: Signs) -> Vec<(usize, char)> {
    let cited = ending.citations.iter().map(|citation| (citation.end, if citation.known { sign(citation.support) } else { '?' }));
    let uncited = ending.statements.iter().filter(|statement| statement.support == Support::Uncited);
    let labels = cited.filter(|(_, sign)| signs == Signs::All || *sign != '✓').chain(uncited.map(|statement| (statement.end, UNCITED)));
    labels.chain(changed(ending).map(|end| (end, CHANGED))).collect()
}

/// Where the statements end that a second look changed.
pub(super) fn changed(ending: &Ending) -> impl Iterator<Item = usize> {
    let corrections = ending.check.iter().flat_map(|check| &check.corrections);
    corrections.map(|correction| correction.end)
}

/// How a label is written where there are no colours.
pub(super) fn sign(support: Support) -> char {
    match support {
        Support::Supported => '✓',
        Support::PartlySupported => '≈',
        Support::NotSupported => '✗',
        Support::Contradicted => '≠',
        Support::Uncited => UNCITED,
    }
}
