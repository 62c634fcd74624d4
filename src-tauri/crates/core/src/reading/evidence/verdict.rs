//! From what was measured to a label.

use std::ops::Range;

use super::Finding;
use crate::reading::Support;

/// How a stretch of a source compares with a sentence. Shares are 0 to 1, of the weight of the sentence's words.
#[derive(Debug, Clone)]
pub struct Measures {
    /// Bytes of the source's text.
    pub range: Range<usize>,
    /// What the stretch and the title hold; every further sentence costs something.
    pub coverage: f64,
    /// What the fullest sentence of the stretch holds.
    pub fullest: f64,
    /// The weightiest word that is missing.
    pub heaviest: f64,
    /// Whether the last content word is held.
    pub ends: bool,
    /// Content words of the sentence.
    pub words: usize,
    /// Those that are missing.
    pub unsaid: usize,
    /// A number or name is missing.
    pub lacks_facts: bool,
    /// A number stands in another sentence than most of the words.
    pub apart: bool,
    /// It is the first, the largest or the only one, and the stretch says nothing of the kind.
    pub unranked: bool,
    /// It is denied, has another unit, or the opposite.
    pub otherwise: bool,
    /// There is another number in the place of one.
    pub clashes: bool,
    /// Where there is another name in the place of one, the share of words that stand in the same order.
    pub exchanged: f64,
    /// Words of the sentence that are not there, as it writes them.
    pub missing: Vec<String>,
}

/// What there is to decide by.
#[derive(Debug, Clone)]
pub enum Measured {
    /// The very words were found.
    Certain(Finding),
    /// The stretch that comes nearest; `misquotes` where words in quotation marks are not the source's.
    Compared { measures: Measures, misquotes: bool },
}

/// By what is decided. The values were chosen on labelled pairs; see `tests/evidence.rs`.
#[derive(Debug, Clone, Copy)]
pub struct Thresholds {
    /// What has to be covered.
    pub supported: f64,
    /// The same where the claim's last content word is not there.
    pub without_end: f64,
    /// What one sentence of a stretch has to cover.
    pub one_sentence: f64,
    /// The largest share of a claim's weight that one word may have that is not there.
    pub heaviest: f64,
    /// Claims of so few content words need all of them.
    pub short: usize,
    /// Claims of so few content words need their numbers in one sentence with them.
    pub together: usize,
    /// With so many words in the same order, another name in the place of one means something else.
    pub aligned: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { supported: 0.48, without_end: 0.7, one_sentence: 0.35, heaviest: 0.25, short: 3, together: 8, aligned: 0.6 }
    }
}

/// What has to be covered before anything is said.
const PARTLY: f64 = 0.40;
/// Share of a claim's weight that one sentence has to cover before it can be said to contradict it.
const CONTRADICTED: f64 = 0.62;

impl Measured {
    /// The label; none where nothing comes near.
    pub fn support(&self, thresholds: &Thresholds) -> Option<Support> {
        match self {
            Self::Certain(finding) => Some(finding.support),
            Self::Compared { measures, misquotes } => {
                let support = measures.support(thresholds)?;
                Some(if *misquotes { support.max(Support::PartlySupported) } else { support })
            }
        }
    }

    /// The label with its passage.
    pub fn verdict(self, thresholds: &Thresholds) -> Option<Finding> {
        let support = self.support(thresholds)?;
        match self {
            Self::Certain(finding) => Some(finding),
            Self::Compared { measures, misquotes } => {
                let says_it = support == Support::Supported || misquotes && measures.support(thresholds) == Some(Support::Supported);
                let missing = if says_it { Vec::new() } else { measures.missing };
                Some(Finding { range: measures.range, support, missing })
            }
        }
    }
}

impl Measures {
    fn support(&self, thresholds: &Thresholds) -> Option<Support> {
        let complete = self.words > thresholds.short || self.unsaid == 0;
        let wanted = if self.ends { thresholds.supported } else { thresholds.without_end };
        let says_it =
            complete && self.coverage >= wanted && self.fullest >= thresholds.one_sentence && self.heaviest <= thresholds.heaviest;
        let scattered = self.apart && self.words <= thresholds.together;
        let agrees = !self.lacks_facts && !scattered && self.exchanged < thresholds.aligned;
        if says_it && agrees && !self.unranked && !self.otherwise {
            return Some(Support::Supported);
        }
        let close = self.coverage >= CONTRADICTED && self.fullest >= CONTRADICTED;
        match self.coverage >= PARTLY {
            true if close && (self.otherwise || self.clashes) => Some(Support::Contradicted),
            true => Some(Support::PartlySupported),
            false => None,
        }
    }
}
