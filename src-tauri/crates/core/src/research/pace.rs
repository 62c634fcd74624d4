//! How a limit of requests a minute is kept.

use std::num::NonZeroU32;

/// Requests that may be made at once, and then evenly; in no minute more than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// At once, after a pause.
    pub burst: NonZeroU32,
    /// Evenly, in a minute.
    pub rate: NonZeroU32,
}

/// Most requests at once, however high the limit is.
const MOST_AT_ONCE: u32 = 5;

impl Pace {
    /// The pace that keeps this limit of requests a minute.
    pub fn of(limit: NonZeroU32) -> Self {
        let burst = (limit.get() / 5).clamp(1, MOST_AT_ONCE);
        let positive = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        // What goes out at once at the beginning of a minute goes off what follows in it.
        Self { burst: positive(burst), rate: positive(limit.get() - (burst - 1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_minute_has_more_than_the_limit() {
        for limit in 1..=300 {
            let pace = Pace::of(NonZeroU32::new(limit).unwrap());
            assert!(pace.burst.get() - 1 + pace.rate.get() <= limit, "{limit}: {pace:?}");
            assert!(pace.rate.get() * 4 >= limit * 3, "{limit} is hardly used: {pace:?}");
        }
    }
}
