//! What runs use.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Tokens and money a run has used so far. All zero for the built-in researcher, which uses no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
pub struct Usage {
    #[ts(type = "number")]
    pub prompt: u64,
    #[ts(type = "number")]
    pub completion: u64,
    /// In millionths of a US dollar; 0 where no price is known.
    #[serde(default)]
    #[ts(type = "number")]
    pub cost: u64,
    /// Part of it was counted here, because the provider did not say.
    #[serde(default)]
    pub estimated: bool,
    /// Tokens of the prompt that the service had cached, which cost less.
    #[serde(skip_serializing_if = "is_zero", default)]
    #[ts(as = "Option<u32>", optional)]
    pub cached: u64,
    /// Tokens of the prompt that the service put into its cache, which may cost more.
    #[serde(skip_serializing_if = "is_zero", default)]
    #[ts(skip)]
    pub cache_written: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Usage {
    /// Tokens that the provider counted, without a price.
    pub fn tokens(prompt: u64, completion: u64) -> Self {
        Self { prompt, completion, ..Self::default() }
    }

    /// Prompt and completion together.
    pub fn total(self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt = self.prompt.saturating_add(other.prompt);
        self.completion = self.completion.saturating_add(other.completion);
        self.cost = self.cost.saturating_add(other.cost);
        self.estimated = self.estimated || other.estimated;
        self.cached = self.cached.saturating_add(other.cached);
        self.cache_written = self.cache_written.saturating_add(other.cache_written);
    }
}
