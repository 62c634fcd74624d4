//! The processes of an app: which they are, their memory, and their time on the processors.

use crate::support::Window;

/// The processes that were started with this folder.
pub fn processes_of(data: &std::path::Path) -> Vec<u32> {
    let data = data.display().to_string();
    processes_with(|command| command.contains(&data) && !command.contains("Driver"))
}

pub fn processes_with(wanted: impl Fn(&str) -> bool) -> Vec<u32> {
    let is_one = |id: &u32| wanted(&String::from_utf8_lossy(&std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default()));
    ids().into_iter().filter(is_one).collect()
}

fn ids() -> Vec<u32> {
    let names = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    names.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// What stands behind the name of a process in its `stat`: the first is its state, the second its parent.
fn stat(id: u32) -> Vec<String> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit(')').next().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// The processes that were started with this folder, and all that they started.
pub fn family(data: &std::path::Path) -> Vec<u32> {
    let mut family = processes_of(data);
    let parents: Vec<(u32, u32)> =
        ids().into_iter().map(|id| (id, stat(id).get(1).and_then(|parent| parent.parse().ok()).unwrap_or(0))).collect();
    loop {
        let more: Vec<u32> =
            parents.iter().filter(|(id, parent)| family.contains(parent) && !family.contains(id)).map(|(id, _)| *id).collect();
        if more.is_empty() {
            return family;
        }
        family.extend(more);
    }
}

/// Their time on the processors so far, in hundredths of a second.
pub fn processor_time(family: &[u32]) -> u64 {
    let of_one = |id: &u32| stat(*id).get(11..13).map_or(0, |both| both.iter().filter_map(|ticks| ticks.parse::<u64>().ok()).sum());
    family.iter().map(of_one).sum()
}

impl Window {
    /// Proportional memory of the app and of all that it started, in MB.
    pub fn memory(&self) -> u64 {
        let pss = |id: &u32| {
            let rollup = std::fs::read_to_string(format!("/proc/{id}/smaps_rollup")).unwrap_or_default();
            rollup.lines().find_map(|line| line.strip_prefix("Pss:")?.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0)
        };
        family(&self.path("data")).iter().map(pss).sum::<u64>() / 1024
    }
}
