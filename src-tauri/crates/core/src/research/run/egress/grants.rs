//! Which of the person's own tools may be called without being asked about, and how often.

use std::collections::{BTreeMap, BTreeSet};

/// The grants of one research. Researchers share them.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Grants {
    granted: BTreeSet<String>,
    /// How often a tool may still be called, where that is limited.
    left: BTreeMap<String, u32>,
}

impl Grants {
    /// The person grants all calls of this tool in this research.
    pub(in super::super) fn give(&mut self, tool: &str) {
        self.granted.insert(tool.to_owned());
    }

    /// The same for so many calls.
    pub(in super::super) fn give_calls(&mut self, tool: &str, calls: u32) {
        self.give(tool);
        self.left.insert(tool.to_owned(), calls);
    }

    /// Counts a call; false where there is none left.
    pub(in super::super) fn takes_call(&mut self, tool: &str) -> bool {
        match self.left.get_mut(tool) {
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
            None => true,
        }
    }

    /// Whether calls of this tool are granted.
    pub(in super::super) fn has(&self, tool: &str) -> bool {
        self.granted.contains(tool)
    }
}
