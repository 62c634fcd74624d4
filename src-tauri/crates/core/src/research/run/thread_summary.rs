//! Long threads. Earlier turns have half of the context window; before they fill it, a summary takes the place of the
//! oldest ones. It is made once, kept with the turn whose run made it, and grown from there.

use super::{Asked, Earlier, Limits, budget::TokenBudget, conversation::tokens_of, fit::fit};
use crate::{
    model::{Message, ModelRequest},
    ports::TokenCounter,
    pricing::Price,
    prompts::{Prompts, disarm},
    protocol::{EarlierSummary, Usage},
    text,
};

/// The share of the room from which the person sees how full it is.
pub(super) const SOFT: f64 = 0.75;
/// The share at which the oldest turns are summarised.
const HARD: f64 = 0.9;
/// What earlier turns may take of the room after that.
const AFTER: f64 = 0.5;
/// What a summary may take of the room.
const SUMMARY: f64 = 0.25;
/// Tokens that the words of the request take besides the material.
const AROUND: usize = 600;
/// Bytes of an earlier question that are summarised.
const MAX_QUESTION: usize = 1000;
/// Tokens of an answer that are summarised at least.
const LEAST: usize = 60;

/// Tokens that earlier turns may take.
fn room(limits: &Limits) -> usize {
    limits.compaction_threshold() / 2
}

fn share(room: usize, part: f64) -> usize {
    (room as f64 * part) as usize
}

fn size(earlier: &Earlier, counter: &dyn TokenCounter) -> usize {
    counter.count(&earlier.question) + counter.count(&earlier.answer)
}

fn summary_size(summary: Option<&EarlierSummary>, counter: &dyn TokenCounter) -> usize {
    summary.map_or(0, |summary| counter.count(&summary.text))
}

/// Bytes of the earlier turns. A token is at least a byte, so most threads need no counting at all.
fn bytes(asked: &Asked) -> usize {
    let turns = asked.earlier.iter().map(|earlier| earlier.question.len() + earlier.answer.len()).sum::<usize>();
    turns + asked.summary.as_ref().map_or(0, |summary| summary.text.len())
}

/// How much of the room the earlier turns fill, in per cent, or 0 where that cannot be much, and how many of the oldest have to give way to a summary.
pub(super) fn filling(asked: &Asked, counter: &dyn TokenCounter) -> (u32, usize) {
    let room = room(&asked.limits).max(1);
    if bytes(asked) < share(room, SOFT) {
        return (0, 0);
    }
    let sizes: Vec<usize> = asked.earlier.iter().map(|earlier| size(earlier, counter)).collect();
    let kept = summary_size(asked.summary.as_ref(), counter);
    let mut total = sizes.iter().sum::<usize>() + kept;
    let percent = u32::try_from(total * 100 / room).unwrap_or(u32::MAX);
    let mut turns = 0;
    if total > share(room, HARD) {
        while turns < sizes.len() && total > share(room, AFTER) {
            total -= sizes[turns];
            turns += 1;
        }
    }
    (percent, turns)
}

/// Leaves out the oldest turns that there is no room for; how many.
pub(super) fn leave_out(asked: &mut Asked, counter: &dyn TokenCounter) -> u32 {
    let room = room(&asked.limits);
    if bytes(asked) <= room {
        return 0;
    }
    let mut total: usize = asked.earlier.iter().map(|earlier| size(earlier, counter)).sum();
    total += summary_size(asked.summary.as_ref(), counter);
    let mut turns = 0;
    while total > room && turns < asked.earlier.len() {
        total -= size(&asked.earlier[turns], counter);
        turns += 1;
    }
    asked.earlier.drain(..turns);
    u32::try_from(turns).unwrap_or(u32::MAX)
}

/// What a model is asked for a summary of these turns, the oldest ones of a thread, and of the summary before them. None
/// where a limit of cost or tokens leaves no room for it.
pub fn request(
    before: Option<&EarlierSummary>,
    turns: &[Earlier],
    prompts: &Prompts,
    limits: &Limits,
    price: Option<Price>,
    counter: &dyn TokenCounter,
) -> Option<ModelRequest> {
    let messages = messages(before, turns, prompts, limits, counter);
    let budget = TokenBudget::new(limits, price, Usage::default());
    let most = if budget.is_limited() { budget.answer(tokens_of(&messages, counter)) } else { Some(limits.max_output_tokens) };
    most.map(|most| ModelRequest::for_text(messages, most))
}

pub(super) fn messages(
    before: Option<&EarlierSummary>,
    turns: &[Earlier],
    prompts: &Prompts,
    limits: &Limits,
    counter: &dyn TokenCounter,
) -> Vec<Message> {
    let all = limits.compaction_threshold().saturating_sub(AROUND).max(500);
    let mut parts: Vec<String> = before.iter().map(|summary| format!("Summary of what came before:\n{}", summary.text)).collect();
    let mut left = all.saturating_sub(summary_size(before, counter));
    for (index, turn) in turns.iter().enumerate() {
        // What a short answer leaves is there for those behind it.
        let each = (left / (turns.len() - index)).max(LEAST);
        let question = text::truncate(&turn.question, MAX_QUESTION);
        let answer = fit(&turn.answer, each.saturating_sub(counter.count(&question)).max(LEAST / 2), counter);
        let part = format!("Question: {question}\n\nAnswer: {answer}");
        left = left.saturating_sub(counter.count(&part));
        parts.push(part);
    }
    let material = disarm(&fit(&parts.join("\n\n---\n\n"), all, counter));
    let words = limits.compact_target_words.min(limits.max_output_tokens / 2).min(words_of(share(room(limits), SUMMARY))).max(50);
    vec![Message::User { text: prompts.thread_summary(words, &material) }]
}

/// Words that so many tokens hold, with some to spare.
fn words_of(tokens: usize) -> u32 {
    u32::try_from(tokens * 3 / 5).unwrap_or(u32::MAX)
}

/// The summary that a model wrote of these turns; none where it wrote nothing, or it is not known which turns they are.
pub fn made(
    written: &str,
    before: Option<&EarlierSummary>,
    turns: &[Earlier],
    limits: &Limits,
    counter: &dyn TokenCounter,
) -> Option<EarlierSummary> {
    let written = text::without_thinking(written.trim()).trim();
    let through = turns.last()?.turn.clone()?;
    let written = fit(written, share(room(limits), AFTER), counter);
    (!written.is_empty()).then(|| EarlierSummary {
        text: written,
        through,
        turns: before.map_or(0, |summary| summary.turns) + u32::try_from(turns.len()).unwrap_or(u32::MAX),
        private: before.is_some_and(|summary| summary.private) || turns.iter().any(|turn| turn.private),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ids::TurnId, ports::ApproximateTokens};

    fn turn(number: u32, words: usize) -> Earlier {
        Earlier {
            turn: Some(TurnId(number.to_string())),
            question: format!("Question {number}?"),
            answer: "word ".repeat(words),
            private: number == 2,
        }
    }

    #[test]
    fn the_oldest_turns_give_way_at_the_hard_line() {
        let limits = Limits { max_context: 8000, max_output_tokens: 1000, ..Limits::default() };
        let of = |turns: u32| Asked {
            limits,
            assisted: true,
            earlier: (1..=turns).map(|number| turn(number, 300)).collect(),
            ..Asked::default()
        };
        let counter = &ApproximateTokens;
        let each = size(&turn(1, 300), counter);
        let most = share(room(&limits), HARD) / each;
        let (percent, folded) = filling(&of(u32::try_from(most).unwrap()), counter);
        assert!(folded == 0 && percent <= 90, "{percent} {folded}");
        let (percent, folded) = filling(&of(u32::try_from(most + 1).unwrap()), counter);
        assert!(percent > 90 && (most + 1 - folded) * each <= share(room(&limits), AFTER), "{percent} {folded}");
    }

    #[test]
    fn a_short_thread_is_not_counted() {
        struct Never;
        impl TokenCounter for Never {
            fn count(&self, text: &str) -> usize {
                panic!("{text} is counted")
            }
        }
        let limits = Limits { max_context: 128_000, max_output_tokens: 8000, ..Limits::default() };
        let mut asked = Asked { limits, assisted: true, earlier: (1..=6).map(|number| turn(number, 300)).collect(), ..Asked::default() };
        assert_eq!((filling(&asked, &Never), leave_out(&mut asked, &Never)), ((0, 0), 0));
        assert_eq!(asked.earlier.len(), 6);
    }

    #[test]
    fn a_request_holds_something_of_each_turn_and_fits() {
        let limits = Limits { max_context: 8000, max_output_tokens: 1000, ..Limits::default() };
        let turns: Vec<Earlier> = (1..=40).map(|number| turn(number, 2000)).collect();
        let body = request(None, &turns, &Prompts::default(), &limits, None, &ApproximateTokens).expect("no limit");
        let Message::User { text } = &body.messages[0] else { panic!("{body:?}") };
        assert!(text.contains("Question 1?") && text.contains("Question 40?"), "{text}");
        assert!(ApproximateTokens.count(text) <= limits.compaction_threshold());
        let made = made("All of it.", None, &turns, &limits, &ApproximateTokens).unwrap();
        assert_eq!((made.turns, made.through.as_str(), made.private), (40, "40", true));
    }
}
