//! What a run has used, and what requests that are still going on may use.

use super::{
    Asked,
    budget::TokenBudget,
    conversation::{size, tokens_of},
};
use crate::{
    model::{Message, ModelRequest, Reply, ToolCall},
    ports::TokenCounter,
    pricing::Price,
    protocol::Usage,
};

/// What requests that are going on use at most, by their numbers; without a ceiling that is not counted.
#[derive(Debug, Default)]
pub(super) struct Reservations(Vec<(u32, Usage)>);

impl Reservations {
    pub(super) fn add(&mut self, request: u32, at_most: Usage) {
        self.0.push((request, at_most));
    }

    /// The request is over.
    pub(super) fn release(&mut self, request: u32) {
        self.0.retain(|(known, _)| *known != request);
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn total(&self) -> Usage {
        let mut all = Usage::default();
        for (_, usage) in &self.0 {
            all += *usage;
        }
        all
    }
}

/// The spending of one run.
#[derive(Debug, Default)]
pub(super) struct Spending {
    used: Usage,
    /// What others have used of the same budget.
    others: Usage,
    /// Of requests beside the conversation.
    pub(super) reserved: Reservations,
}

impl Spending {
    /// What this run has used, without what others have.
    pub(super) fn used(&self) -> Usage {
        self.used
    }

    pub(super) fn add(&mut self, usage: Usage) {
        self.used += usage;
    }

    pub(super) fn set_others(&mut self, others: Usage) {
        self.others = others;
    }

    /// What may still be spent.
    pub(super) fn budget(&self, asked: &Asked) -> TokenBudget {
        let mut spent = self.used;
        spent += self.others;
        spent += self.reserved.total();
        TokenBudget::new(&asked.limits, asked.price, spent)
    }
}

/// What a reply used; counted here where the provider does not say. `calls` are those of the reply that are carried out.
pub(super) fn usage_of(
    reply: &Reply,
    calls: &[ToolCall],
    request: Option<&ModelRequest>,
    asked: &Asked,
    counter: &dyn TokenCounter,
) -> Usage {
    if let Some(usage) = reply.usage {
        return usage;
    }
    if !asked.assisted {
        return Usage::default();
    }
    let prompt = request.map_or(0, |body| tokens_of(&body.messages, counter));
    let said = Message::said(reply.text.clone(), calls.to_vec());
    price_of(asked).estimated(prompt, size(&said, counter) as u64)
}

/// The usage of abandoned requests, which are paid for all the same. `written` is what had arrived of their replies, in
/// tokens. How much more they would have written is unknown, so under a ceiling (`is_limited`) each counts with all the
/// output it was allowed.
pub(super) fn usage_of_abandoned<'a>(
    requests: impl Iterator<Item = &'a ModelRequest>,
    written: u64,
    is_limited: bool,
    asked: &Asked,
    counter: &dyn TokenCounter,
) -> Usage {
    let (mut prompt, mut completion) = (0, written);
    for body in requests {
        prompt += tokens_of(&body.messages, counter);
        completion += if is_limited { u64::from(body.max_output_tokens) } else { 0 };
    }
    price_of(asked).estimated(prompt, completion)
}

/// A price of nothing where none is known.
fn price_of(asked: &Asked) -> Price {
    asked.price.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ports::ApproximateTokens, run::Limits};

    fn asked(max_tokens: Option<u64>) -> Asked {
        Asked { assisted: true, limits: Limits { max_tokens, ..Limits::default() }, ..Asked::default() }
    }

    #[test]
    fn what_is_reserved_counts_until_its_request_is_over() {
        let mut spending = Spending::default();
        spending.add(Usage::tokens(100, 0));
        spending.set_others(Usage::tokens(200, 0));
        spending.reserved.add(7, Usage::tokens(5_000, 0));
        let asked = asked(Some(6_000));
        assert_eq!(spending.used(), Usage::tokens(100, 0));
        assert!(spending.budget(&asked).step(100).is_none());
        spending.reserved.release(7);
        assert!(spending.budget(&asked).step(100).is_some());
    }

    #[test]
    fn an_abandoned_request_costs_its_prompt_and_at_a_ceiling_all_it_was_allowed() {
        let body = ModelRequest::for_text(vec![Message::User { text: "word ".repeat(100) }], 1_000);
        let prompt = tokens_of(&body.messages, &ApproximateTokens);
        let free = usage_of_abandoned(std::iter::once(&body), 10, false, &asked(None), &ApproximateTokens);
        let limited = usage_of_abandoned(std::iter::once(&body), 10, true, &asked(Some(9_000)), &ApproximateTokens);
        assert_eq!((free.prompt, free.completion), (prompt, 10));
        assert_eq!((limited.prompt, limited.completion), (prompt, 1_010));
    }
}
