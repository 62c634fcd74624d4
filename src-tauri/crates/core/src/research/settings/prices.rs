//! What the models of a provider cost.

use std::collections::BTreeMap;

use super::Provider;
use crate::pricing::{self, KnownModel, ModelFacts, Price, known};

impl Provider {
    /// What is known of a model of this service without asking it.
    pub fn known(&self, model: &str) -> Option<KnownModel> {
        known(self.vendor()?.id, model)
    }

    /// What a model of this service costs: what the settings' own table says, nothing on this computer
    /// unless a preset says that a service elsewhere stands behind the address, or the published price.
    pub fn price(&self, model: &str, own: &BTreeMap<String, ModelFacts>) -> Option<Price> {
        let is_free = self.is_local() && (self.preset.is_none() || self.vendor().is_some_and(|vendor| vendor.local));
        let free = is_free.then(Price::default);
        pricing::own(model, own).price().or(free).or_else(|| self.known(model)?.price)
    }
}
