//! How deep runs go about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Problem, Wrong};
use crate::ports::SearchTool;

/// Deep runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Deep {
    /// Researchers that work at the same time.
    #[schemars(range(min = 1, max = 5))]
    pub parallel: u32,
    /// Whether the plan is shown before it is carried out.
    pub plan: PlanApproval,
    /// What researchers may use besides the search backends: `stackexchange`, `security_search`, `grep`, `library_search`.
    pub tools: Vec<String>,
    /// Whether every report is written into a file, too.
    pub save_report: bool,
    /// Where reports are written; without it the folder for downloads, or the one that the command line is in.
    pub report_folder: Option<String>,
}

impl Default for Deep {
    fn default() -> Self {
        let tools = SearchTool::ALL.into_iter().filter(|tool| !tool.is_web()).map(|tool| tool.call().to_owned()).collect();
        Self { parallel: 3, plan: PlanApproval::default(), tools, save_report: false, report_folder: None }
    }
}

/// What happens between a plan and its first researcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanApproval {
    /// The person looks at it, may edit it, and lets it begin.
    #[default]
    Ask,
    /// It is carried out at once.
    Go,
}

impl Deep {
    /// The searching tools that are named, in the order in which they are offered.
    pub fn search_tools(&self) -> Vec<SearchTool> {
        SearchTool::ALL.into_iter().filter(|tool| tool.is_web() || self.tools.iter().any(|name| name == tool.call())).collect()
    }

    pub(super) fn check(&self, out: &mut Vec<Problem>) {
        for (index, name) in self.tools.iter().enumerate() {
            if !SearchTool::ALL.into_iter().any(|tool| !tool.is_web() && tool.call() == name) {
                out.push(Problem::new(format!("deep.tools[{index}]"), Wrong::NoTool { name: name.clone() }));
            }
        }
        if self.report_folder.as_ref().is_some_and(|folder| folder.trim().is_empty()) {
            out.push(Problem::new("deep.report_folder", Wrong::EmptyFolderOrNone));
        }
    }
}
