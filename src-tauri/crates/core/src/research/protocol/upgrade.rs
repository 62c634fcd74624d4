//! Endings as earlier versions kept them.

use super::{Citation, Ending, TurnState};
use crate::citations::{self, statements};

impl Ending {
    /// Fills in what earlier versions did not note: where citations stand, and the statements. What was found for the
    /// citations stays as it was.
    pub fn upgrade(&mut self) {
        let is_old = self.citations.iter().any(|citation| citation.end == 0);
        if !is_old || self.state == TurnState::Running {
            return;
        }
        let mut markers = citations::citations(&self.answer);
        markers.truncate(statements::MAX_STATEMENTS);
        let mut known = std::mem::take(&mut self.citations);
        known.truncate(statements::MAX_STATEMENTS);
        for marker in &markers {
            for number in &marker.numbers {
                // They were counted in the same order, but not everywhere in the same places.
                let Some(at) = known.iter().position(|citation| citation.number == *number) else { continue };
                let ordinal = u32::try_from(self.citations.len()).unwrap_or(u32::MAX);
                let citation = known.remove(at);
                self.citations.push(Citation { ordinal, start: marker.range.start, end: marker.range.end, ..citation });
            }
        }
        if self.statements.is_empty() {
            self.statements = statements::judged(&self.answer, &markers, &self.citations, |_, _| false);
        }
    }
}
