//! Which pages will probably be asked for: they are fetched while the model still thinks.

use super::{Effect, QueryResult, machine::Run};
use crate::{
    ports::Hit,
    protocol::Focus,
    rank::{Question, TermStats, Weights, score, terms},
    tools::MAX_URLS,
};

impl Run {
    /// After searches: asks for the most promising pages that nobody has asked for yet, as many as one call can read.
    pub(super) fn prefetch(&mut self, searches: &[QueryResult], out: &mut Vec<Effect>) {
        let left = (self.asked.ahead as usize).saturating_sub(self.trail.prefetched()).min(MAX_URLS);
        if left == 0 || self.asked.focus == Focus::Documents {
            return;
        }
        let question = Question::new(&self.asked.question);
        let found = searches.iter().filter_map(|search| search.found.as_ref().ok());
        let hits: Vec<(usize, &Hit)> = found.flat_map(|found| found.hits.iter().enumerate()).collect();
        let units: Vec<_> = hits.iter().map(|(_, hit)| (terms::terms(&hit.title), terms::terms(&hit.snippet))).collect();
        let corpus = TermStats::from_units(&question, units.iter().map(|(_, body)| body.as_slice()));
        let mut order: Vec<(f64, usize)> = score::rank_passages(&question, &corpus, &Weights::default(), &units)
            .into_iter()
            // The backend's own order counts, too, and most for its first places.
            .map(|(index, score)| (score + 1.5 / (1.0 + hits[index].0 as f64), index))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut urls = Vec::new();
        for (_, index) in order {
            let url = &hits[index].1.url;
            // Files are read in no time, and only when they are asked for.
            if urls.len() < left && url.starts_with("http") && !self.book.has(url) && self.trail.note_prefetch(url) {
                urls.push(url.clone());
            }
        }
        if !urls.is_empty() {
            out.push(Effect::Prefetch { urls });
        }
    }
}
