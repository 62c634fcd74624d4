//! What a run may still spend: tokens and money, counted before a request is made, so that a
//! ceiling is reached and not broken.

use crate::protocol::EndReason;
use crate::{pricing::Price, protocol::Usage, run::Limits};

/// Tokens of output with which a step can do something useful.
const USEFUL_STEP: u32 = 256;
/// Tokens of output that a last answer needs at least.
const USEFUL_ANSWER: u32 = 128;
/// Tokens of output that are kept back for the last answer, where there are that many.
const KEPT_BACK: u32 = 1000;
/// Tokens by which the conversation may grow before the last answer.
const GROWTH: u64 = 600;

/// The state of a run's budget.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenBudget {
    max_tokens: Option<u64>,
    /// In millionths of a dollar.
    max_cost: Option<u64>,
    most_output: u32,
    price: Price,
    spent: Usage,
}

impl TokenBudget {
    /// `spent` holds what was used and what requests that are still going on may use.
    pub(super) fn new(limits: &Limits, price: Option<Price>, spent: Usage) -> Self {
        Self {
            max_tokens: limits.max_tokens,
            // Without a price there is nothing to hold a ceiling against.
            max_cost: limits.max_cost.filter(|_| price.is_some()),
            most_output: limits.max_output_tokens,
            price: price.unwrap_or_default().at_most(),
            spent,
        }
    }

    /// Whether there is any ceiling; without one nothing needs to be counted.
    pub(super) fn is_limited(&self) -> bool {
        self.max_tokens.is_some() || self.max_cost.is_some()
    }

    /// Tokens of output that a request with this prompt can have when `aside` is kept back.
    fn output(&self, prompt: u64, aside: Usage, most: u32) -> u32 {
        let mut room = u64::from(most.min(self.most_output));
        if let Some(max) = self.max_tokens {
            room = room.min(max.saturating_sub(self.spent.total().saturating_add(aside.total()).saturating_add(prompt)));
        }
        if let Some(max) = self.max_cost {
            let left = max.saturating_sub(self.spent.cost.saturating_add(aside.cost).saturating_add(self.price.cost(prompt, 0)));
            if self.price.output > 0.0 {
                // One token less than fits, because costs are rounded up.
                room = room.min(((left as f64 / self.price.output).floor() as u64).saturating_sub(1));
            } else if left == 0 {
                room = 0;
            }
        }
        u32::try_from(room).unwrap_or(u32::MAX)
    }

    /// What a last answer would use after a request with this prompt and output.
    fn last(&self, prompt: u64, output: u32) -> Usage {
        let usage = Usage::tokens(prompt + u64::from(output) + GROWTH, u64::from(KEPT_BACK.min(self.most_output)));
        self.price.priced(usage)
    }

    /// Tokens of output for a step, if enough remains for an answer after it.
    pub(super) fn step(&self, prompt: u64) -> Option<u32> {
        let output = self.output(prompt, self.last(prompt, USEFUL_STEP), u32::MAX);
        (output >= USEFUL_STEP.min(self.most_output)).then_some(output)
    }

    /// Tokens of output for a request beside the conversation, such as an extraction.
    pub(super) fn side(&self, prompt: u64, conversation: u64, most: u32) -> Option<u32> {
        let output = self.output(prompt, self.last(conversation, most), most);
        (output >= most.min(self.most_output) / 2).then_some(output)
    }

    /// Tokens of output for the last answer.
    pub(super) fn answer(&self, prompt: u64) -> Option<u32> {
        let output = self.output(prompt, Usage::default(), u32::MAX);
        (output >= USEFUL_ANSWER.min(self.most_output)).then_some(output)
    }

    /// The longest prompt that a last answer can have.
    pub(super) fn longest_prompt(&self) -> u64 {
        let mut room = u64::MAX;
        let output = u64::from(USEFUL_ANSWER.min(self.most_output)) + 2;
        if let Some(max) = self.max_tokens {
            room = room.min(max.saturating_sub(self.spent.total() + output));
        }
        if let Some(max) = self.max_cost
            && self.price.input > 0.0
        {
            let left = max.saturating_sub(self.spent.cost + self.price.cost(0, output) + 1);
            room = room.min((left as f64 / self.price.input).floor() as u64);
        }
        room
    }

    /// What a request uses at most.
    pub(super) fn at_most(&self, prompt: u64, output: u32) -> Usage {
        self.price.priced(Usage::tokens(prompt, u64::from(output)))
    }

    /// Which ceiling is near.
    pub(super) fn reason(&self) -> EndReason {
        match (self.max_cost, self.max_tokens) {
            (Some(millionths), None) => EndReason::CostLimit { millionths },
            (None, Some(tokens)) => EndReason::TokenLimit { tokens },
            _ => EndReason::LimitNear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(max_tokens: Option<u64>, max_cost: Option<u64>, spent: Usage) -> TokenBudget {
        let limits = Limits { max_tokens, max_cost, max_output_tokens: 4000, ..Limits::default() };
        TokenBudget::new(&limits, Some(Price::new(1.0, 4.0)), spent)
    }

    #[test]
    fn without_a_ceiling_everything_is_granted() {
        let free = of(None, None, Usage::tokens(1_000_000, 1_000_000));
        assert!(!free.is_limited());
        assert_eq!(free.step(100_000), Some(4000));
    }

    #[test]
    fn what_is_granted_never_breaks_the_ceiling() {
        for max in (0..40_000).step_by(613) {
            for prompt in [10, 500, 3000, 9000] {
                let spent = Price::new(1.0, 4.0).priced(Usage::tokens(2000, 100));
                let by_tokens = of(Some(max), None, spent);
                let by_money = of(None, Some(max), spent);
                for grant in [by_tokens.step(prompt), by_tokens.answer(prompt), by_tokens.side(prompt, prompt, 900)].into_iter().flatten() {
                    assert!(spent.total() + by_tokens.at_most(prompt, grant).total() <= max);
                }
                for grant in [by_money.step(prompt), by_money.answer(prompt), by_money.side(prompt, prompt, 900)].into_iter().flatten() {
                    assert!(spent.cost + by_money.at_most(prompt, grant).cost <= max);
                }
                if by_money.step(prompt).is_some() {
                    assert!(by_money.answer(prompt + u64::from(USEFUL_STEP)).is_some(), "an answer is possible after a step");
                }
            }
        }
    }

    #[test]
    fn the_longest_prompt_can_be_answered() {
        for max in [3000, 12_000, 40_000] {
            for budget in [of(Some(max), None, Usage::tokens(100, 50)), of(None, Some(max), Usage::tokens(100, 50))] {
                assert!(budget.answer(budget.longest_prompt()).is_some());
            }
        }
    }
}
