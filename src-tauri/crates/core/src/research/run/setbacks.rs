//! What has gone wrong with the model in a run, and how much of it is borne before the run goes on without it.

/// Replies that may be cut off while thinking.
const MAX_CUT_THOUGHTS: u32 = 2;
/// Overflows of the context window that are answered by making room.
const MAX_OVERFLOWS: u32 = 4;
/// Empty replies in a row after which the model is asked once more.
const MAX_EMPTY: u32 = 1;

/// Setbacks so far.
#[derive(Debug, Default)]
pub(super) struct Setbacks {
    /// In a row.
    empty_replies: u32,
    cut_thoughts: u32,
    overflows: u32,
    /// How large the last request was that did not fit: tokens of the conversation and of the reply.
    overflowed_at: Option<(usize, u32)>,
}

impl Setbacks {
    /// An empty reply came. Whether the model may be asked again.
    pub(super) fn empty_reply(&mut self) -> bool {
        self.empty_replies += 1;
        self.empty_replies <= MAX_EMPTY
    }

    /// A reply came that was not empty.
    pub(super) fn reply(&mut self) {
        self.empty_replies = 0;
    }

    /// A reply was cut off while the model was thinking. Whether it may be asked again.
    pub(super) fn cut_thoughts(&mut self) -> bool {
        self.cut_thoughts += 1;
        self.cut_thoughts <= MAX_CUT_THOUGHTS
    }

    /// Whether a request of this size is worth making: it has not overflowed too often, and something became smaller since one
    /// did not fit.
    pub(super) fn allows(&self, (conversation, reply): (usize, u32)) -> bool {
        self.overflows < MAX_OVERFLOWS && self.overflowed_at.is_none_or(|(before, room)| conversation < before || reply < room)
    }

    /// A request of this size did not fit the context window.
    pub(super) fn overflowed(&mut self, size: (usize, u32)) {
        self.overflows += 1;
        self.overflowed_at = Some(size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_empty_reply_in_a_row_is_one_too_many() {
        let mut setbacks = Setbacks::default();
        assert!(setbacks.empty_reply());
        setbacks.reply();
        assert!(setbacks.empty_reply());
        assert!(!setbacks.empty_reply());
    }

    #[test]
    fn a_request_that_did_not_fit_is_not_made_again_as_it_was() {
        let mut setbacks = Setbacks::default();
        assert!(setbacks.allows((900, 100)));
        setbacks.overflowed((900, 100));
        assert!(!setbacks.allows((900, 100)));
        assert!(setbacks.allows((800, 100)) && setbacks.allows((900, 50)));
        for _ in 1..MAX_OVERFLOWS {
            setbacks.overflowed((900, 100));
        }
        assert!(!setbacks.allows((1, 1)));
    }
}
