//! What models cost and how much they can hold: one table, which the settings can change.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{protocol::Usage, settings::Problem};

/// What a million tokens cost, in US dollars; which is the same as millionths of a dollar for one.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Price {
    pub input: f64,
    pub output: f64,
}

impl Price {
    /// What this many tokens cost, in millionths of a dollar, rounded up.
    pub fn cost(self, prompt: u64, completion: u64) -> u64 {
        (prompt as f64 * self.input + completion as f64 * self.output).ceil() as u64
    }

    /// Tokens with their cost.
    pub fn priced(self, usage: Usage) -> Usage {
        Usage { cost: self.cost(usage.prompt, usage.completion), ..usage }
    }

    /// Tokens that were counted here and not told by the provider, with their cost.
    pub fn estimated(self, prompt: u64, completion: u64) -> Usage {
        self.priced(Usage { estimated: true, ..Usage::tokens(prompt, completion) })
    }
}

/// Millionths of a US dollar as people read them.
pub fn dollars(cost: u64) -> String {
    format!("${:.4}", cost as f64 / 1e6)
}

/// An entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ModelFacts {
    /// The context window, in tokens.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub context: Option<u32>,
    /// US dollars for a million tokens read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<f64>,
    /// US dollars for a million tokens written.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output: Option<f64>,
}

impl ModelFacts {
    /// The price, where both halves are known.
    pub fn price(self) -> Option<Price> {
        Some(Price { input: self.input?, output: self.output? })
    }
}

/// The table that comes with the program.
static KNOWN: LazyLock<BTreeMap<String, ModelFacts>> = LazyLock::new(|| table(include_str!("../data/models.toml")));

/// Reads the lines of the table; the file is ours, and a test reads every line of it.
fn table(text: &str) -> BTreeMap<String, ModelFacts> {
    let line = |line: &str| -> Option<(String, ModelFacts)> {
        let (name, rest) = line.strip_prefix('"')?.split_once("\" = {")?;
        let mut facts = ModelFacts::default();
        for part in rest.trim().trim_end_matches('}').split(',') {
            let (key, value) = part.split_once('=')?;
            match key.trim() {
                "context" => facts.context = value.trim().parse().ok(),
                "input" => facts.input = value.trim().parse().ok(),
                "output" => facts.output = value.trim().parse().ok(),
                _ => return None,
            }
        }
        Some((name.to_owned(), facts))
    };
    text.lines().filter_map(line).collect()
}

/// What is known of a model, by the settings' own table first. The longest entry that the name
/// begins with counts; a path such as `openai/gpt-4.1` is looked up by its last part.
pub fn facts(model: &str, own: &BTreeMap<String, ModelFacts>) -> ModelFacts {
    let lower = model.to_ascii_lowercase();
    let short = lower.rsplit('/').next().unwrap_or(&lower);
    let best = |table: &BTreeMap<String, ModelFacts>| {
        table
            .iter()
            .filter(|(name, _)| {
                let name = name.to_ascii_lowercase();
                lower == name || short.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', ':', '@']))
            })
            .max_by_key(|(name, _)| name.len())
            .map(|(_, facts)| *facts)
            .unwrap_or_default()
    };
    let (own, known) = (best(own), best(&KNOWN));
    ModelFacts { context: own.context.or(known.context), input: own.input.or(known.input), output: own.output.or(known.output) }
}

/// What is wrong with the settings' table.
pub fn problems(own: &BTreeMap<String, ModelFacts>) -> Vec<Problem> {
    let mut out = Vec::new();
    for (name, facts) in own {
        for (key, value) in [("input", facts.input), ("output", facts.output)] {
            if value.is_some_and(|value| !(0.0..=100_000.0).contains(&value)) {
                out.push(Problem::new(format!("models.{name}.{key}"), "must be US dollars for a million tokens, between 0 and 100000"));
            }
        }
        if facts.context.is_some_and(|tokens| tokens < 2000) {
            out.push(Problem::new(format!("models.{name}.context"), "must be a whole number of at least 2000 tokens"));
        }
        if facts.input.is_some() != facts.output.is_some() {
            let missing = if facts.input.is_some() { "output" } else { "input" };
            out.push(Problem::new(format!("models.{name}.{missing}"), "is missing; a price needs both input and output"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_understood() {
        let lines = include_str!("../data/models.toml").lines().filter(|line| line.starts_with('"')).count();
        assert_eq!(KNOWN.len(), lines);
        assert!(KNOWN.values().all(|facts| facts.context.is_some() && facts.price().is_some()));
    }

    #[test]
    fn the_longest_name_that_fits_counts_and_the_settings_come_first() {
        let none = BTreeMap::new();
        assert_eq!(facts("gpt-4.1-mini-2025-04-14", &none).input, Some(0.40));
        assert_eq!(facts("openai/gpt-4o", &none).input, Some(2.50));
        assert_eq!(facts("gpt-4ox", &none), ModelFacts::default());
        let own = BTreeMap::from([("gpt-4o".to_owned(), ModelFacts { input: Some(9.0), output: Some(9.0), context: None })]);
        assert_eq!(facts("gpt-4o", &own), ModelFacts { context: Some(128_000), input: Some(9.0), output: Some(9.0) });
    }

    #[test]
    fn costs_are_rounded_up() {
        let price = Price { input: 0.15, output: 0.60 };
        assert_eq!((price.cost(1, 0), price.cost(1_000_000, 1_000_000)), (1, 750_000));
    }
}
