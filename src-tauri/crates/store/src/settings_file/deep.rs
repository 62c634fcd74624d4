//! The table `deep`.

use nexi_core::settings::{PlanApproval, Problem, Settings};
use toml_edit::TableLike;

use super::Reading;

impl Reading {
    pub(super) fn deep(&mut self, table: &dyn TableLike, out: &mut Settings) {
        let Some(deep) = self.table(table, "deep") else { return };
        self.unknown_keys("deep.", deep, &["parallel", "plan", "tools", "save_report", "report_folder"]);
        if let Some(count) = self.whole("deep.", deep, "parallel") {
            out.deep.parallel = count;
        }
        if let Some(word) = self.text("deep.", deep, "plan") {
            match PlanApproval::parse(&word) {
                Some(approval) => out.deep.plan = approval,
                None => self.problems.push(Problem::new("deep.plan", format!("must be ask or go, not {word:?}"))),
            }
        }
        self.texts("deep.", deep, "tools", &mut out.deep.tools);
        self.switch("deep.", deep, "save_report", &mut out.deep.save_report);
        out.deep.report_folder = self.text("deep.", deep, "report_folder");
    }
}
