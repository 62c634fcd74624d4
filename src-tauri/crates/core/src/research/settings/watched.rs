//! What watched questions may cost, and when they are left alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Problem, Wrong};

/// How questions are asked again by themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Watched {
    /// US dollars that the checks of all watched questions may cost in a calendar month.
    pub max_cost_month: f64,
    /// Whether questions are checked while the computer runs on its battery.
    pub on_battery: bool,
    /// Whether questions are checked on networks that cost by use.
    pub on_metered: bool,
}

impl Default for Watched {
    fn default() -> Self {
        Self { max_cost_month: 5.0, on_battery: false, on_metered: false }
    }
}

impl Watched {
    pub(super) fn check(&self, out: &mut Vec<Problem>) {
        if !self.max_cost_month.is_finite() || self.max_cost_month <= 0.0 {
            out.push(Problem::new("watched.max_cost_month", Wrong::DollarsMonth));
        }
    }
}
