//! The words that models are given. The texts are plain files in `prompts/`; `{name}` stands for a value.

use crate::protocol::Effort;

const SYSTEM: &str = include_str!("../prompts/system.md");
const FINAL: &str = include_str!("../prompts/final_answer.md");
const COMPACTION: &str = include_str!("../prompts/compaction.md");

/// What a run begins with. `today` is `YYYY-MM-DD`.
pub fn system(today: &str, effort: Effort, max_steps: u32) -> String {
    let depth = match effort {
        Effort::S => "quick: one round of searching is usually enough",
        Effort::M => "balanced: search, read, and check what matters twice",
        Effort::L => "thorough: look from several sides and resolve contradictions",
    };
    fill(SYSTEM, &[("today", today), ("depth", depth), ("max_steps", &max_steps.to_string())])
}

/// Asks for the answer because a limit was reached; `why` is a sentence.
pub fn final_answer(why: &str) -> String {
    fill(FINAL, &[("why", why)])
}

/// Asks for a summary of what was found so far.
pub fn compaction(question: &str, words: u32, material: &str) -> String {
    fill(COMPACTION, &[("question", question), ("words", &words.to_string()), ("material", material)])
}

fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 200);
    let mut rest = template.trim_end();
    // One pass, so that a value that looks like a placeholder stays as it is.
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let found = values.iter().find(|(name, _)| rest[open + 1..].strip_prefix(name).is_some_and(|after| after.starts_with('}')));
        match found {
            Some((name, value)) => {
                out.push_str(value);
                rest = &rest[open + name.len() + 2..];
            }
            None => {
                out.push('{');
                rest = &rest[open + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_placeholder_is_left_and_values_are_not_templates() {
        for text in
            [system("2026-01-02", Effort::S, 8), final_answer("Time is up."), compaction("why {words}?", 500, "text with {question}")]
        {
            assert!(!text.contains("{today}") && !text.contains("{max_steps}") && !text.contains("{why}") && !text.contains("{material}"));
        }
        assert!(compaction("why {words}?", 500, "{question}").contains("why {words}?"));
        assert!(system("2026-01-02", Effort::M, 16).contains("2026-01-02"));
    }

    #[test]
    fn the_system_prompt_is_short_enough_for_small_models() {
        assert!(system("2026-01-02", Effort::L, 32).split_whitespace().count() < 330);
    }
}
