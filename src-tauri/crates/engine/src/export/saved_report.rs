//! The report of a deep run as a file of its own, and the folder it goes to.

use crate::sentences;
use std::io::Write;
use std::path::{Path, PathBuf};

use nexi_core::{
    ids::TurnId,
    protocol::{Mode, Turn},
    urls,
};
use nexi_messages::say;

use super::{
    change, line, markdown, method, name, opinion,
    signs::{Signs, labelled, legend},
};
use crate::{Engine, EngineError, create_new, report};

/// Folders that a report goes to where there is one of them, in this order.
const SUBFOLDERS: [&str; 6] = ["research", "docs", "doc", "ref", "references", "notes"];
/// Folders of the system, in which nobody wants to find a report.
#[cfg(not(windows))]
const SYSTEM: [&str; 16] = [
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/opt", "/proc", "/root", "/run", "/sbin", "/sys", "/usr", "/var", "/System",
    "/Library",
];
#[cfg(windows)]
const SYSTEM: [&str; 4] = ["C:\\Windows", "C:\\Program Files", "C:\\Program Files (x86)", "C:\\ProgramData"];

/// Where a report goes that was asked for in `folder`: into a subfolder for such things where there is one; else there,
/// but not into the home folder or one of the system's, where `documents` takes its place.
pub fn report_folder(folder: &Path, home: Option<&Path>, documents: &Path) -> PathBuf {
    let folder = dunce::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let home = home.map(|home| dunce::canonicalize(home).unwrap_or_else(|_| home.to_path_buf()));
    let is_home = home.as_ref() == Some(&folder);
    let in_home = home.as_ref().is_some_and(|home| folder.starts_with(home) && !is_home);
    let is_system = folder.parent().is_none()
        || (!in_home
            && SYSTEM
                .iter()
                .any(|system| folder.starts_with(system) || dunce::canonicalize(system).is_ok_and(|real| folder.starts_with(real))));
    if is_home || (is_system && !folder.starts_with(std::env::temp_dir())) {
        return documents.to_path_buf();
    }
    let entries: Vec<PathBuf> = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    let named = |wanted: &str| {
        let fits =
            |path: &&PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().eq_ignore_ascii_case(wanted)) && path.is_dir();
        entries.iter().find(fits).cloned()
    };
    SUBFOLDERS.iter().find_map(|wanted| named(wanted)).unwrap_or(folder)
}

/// A new file `nexi-research-<slug>-<hash>.md`; another hash where the name is taken.
fn new_report(folder: &Path, title: &str, seed: u32) -> std::io::Result<(PathBuf, std::fs::File)> {
    let slug = name(title, "md");
    let slug = slug.trim_end_matches(".md");
    // A letter and a digit: 260 names before giving up.
    for attempt in 0..260 {
        let hash = (seed + attempt * 37) % 260;
        let letter = char::from(b'a' + u8::try_from(hash / 10).unwrap_or_default());
        let path = folder.join(format!("nexi-research-{slug}-{letter}{}.md", hash % 10));
        match create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::Error::new(std::io::ErrorKind::AlreadyExists, "there are too many reports of this name"))
}

/// The whole report: text with labels, sources with their passages, method.
pub fn report_text(turn: &Turn) -> String {
    let ending = &turn.ending;
    let mut labelled = turn.clone();
    labelled.ending.answer = self::labelled(&turn.ending, Signs::All);
    let body = super::without_html(&labelled.ending.answer);
    let mut parts = Vec::new();
    if !body.trim_start().starts_with("# ") {
        let title = ending.method.as_ref().map(|method| method.title.as_str()).filter(|title| !title.is_empty()).unwrap_or(&turn.question);
        parts.push(format!("# {}", line(title)));
    }
    parts.push(body);
    if let Some(reason) = sentences::reason_told(&ending.reason) {
        parts.push(format!("> {}", line(&reason)));
    }
    let cited: Vec<String> = ending
        .sources
        .iter()
        .filter(|source| source.cited)
        .map(|source| {
            let date = source.date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
            let passage = source.passages.first().map(|passage| format!("\n  > {}", line(&passage.quote))).unwrap_or_default();
            let address = if urls::opens_nothing(&source.url) {
                line(&sentences::site(source))
            } else {
                format!("<{}>", source.url.replace(['<', '>'], ""))
            };
            format!("- [{}] {}{date}. {address}{passage}", source.number, line(&source.title))
        })
        .collect();
    if !cited.is_empty() {
        parts.push(format!("## {}\n\n{}", say!("answers-sources"), cited.join("\n")));
    }
    let checked: Vec<String> = report::statements_line(turn).into_iter().chain(legend(&turn.ending, Signs::All)).collect();
    if !checked.is_empty() {
        parts.push(checked.join("  \n"));
    }
    let sections = [change::change(turn, "##"), method::method(turn, "##"), opinion::opinion(turn, "##")];
    parts.extend(sections.iter().map(|section| section.trim_end().to_owned()).filter(|section| !section.is_empty()));
    parts.push(format!("*{}*", markdown::facts(turn)));
    parts.join("\n\n") + "\n"
}

impl Engine {
    /// A turn whose report the settings want in a file: one of a deep run that may leave something on
    /// the disk.
    pub async fn report_wanted(&self, turn: &TurnId) -> Option<Turn> {
        if !self.settings().deep.save_report {
            return None;
        }
        let turn = self.turn(turn).await.ok().filter(|turn| turn.mode == Mode::Deep)?;
        let facts = self.thread_facts(&turn.thread).await.ok()?;
        (!facts.private).then_some(turn)
    }

    /// Writes the report of a turn into a new file: in `chosen`, else in the folder of the settings,
    /// else where the rules of [`report_folder`] say for `folder`. The path stands at the end of the file, too.
    ///
    /// # Errors
    /// When there is no such turn, it has no answer, or the folder cannot be written.
    pub async fn save_report(&self, turn: &TurnId, chosen: Option<&Path>, folder: &Path) -> Result<PathBuf, EngineError> {
        let turn = self.turn(turn).await?;
        if turn.ending.answer.trim().is_empty() {
            return Err(EngineError::invalid("turn", say!("arguments-turn.nothing_to_save")));
        }
        let set = self.settings().deep.report_folder.map(|folder| nexi_store::paths::expand_home(&folder));
        let chosen = chosen.map(Path::to_path_buf).or(set);
        // The rules are for a folder that one happens to be in; one that was chosen is the right one.
        let documents = nexi_store::paths::documents_folder();
        let folder = chosen.unwrap_or_else(|| report_folder(folder, Some(&nexi_store::paths::expand_home("~")), &documents));
        let failed = |source| EngineError::File { path: folder.clone(), source };
        let title = turn.ending.method.as_ref().map(|method| method.title.clone()).filter(|title| !title.is_empty());
        let seed = u32::try_from(jiff::Timestamp::now().as_nanosecond().rem_euclid(260)).unwrap_or_default();
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let (path, mut file) = new_report(&folder, &title.unwrap_or_else(|| turn.question.clone()), seed).map_err(failed)?;
        let text = format!("{}\n*{}*\n", report_text(&turn), say!("answers-saved-as", path = line(&path.display().to_string())));
        // Shown on a terminal, the file must not steer it.
        let text: String = text.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect();
        file.write_all(text.as_bytes()).map_err(failed)?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_goes_where_such_things_are() {
        let base = tempfile::tempdir().unwrap();
        let base = dunce::canonicalize(base.path()).unwrap();
        let (home, work) = (base.join("home"), base.join("home/work"));
        std::fs::create_dir_all(&work).unwrap();
        let documents = home.join("Documents");
        let report_folder = |folder: &Path, home: Option<&Path>| super::report_folder(folder, home, &documents);
        assert_eq!(report_folder(&home, Some(&home)), documents, "the home folder is not cluttered");
        assert_eq!(report_folder(Path::new("/"), Some(&home)), documents);
        #[cfg(unix)]
        assert_eq!(report_folder(Path::new("/usr/bin"), Some(&home)), documents);
        assert_eq!(report_folder(&work, Some(&home)), work);
        std::fs::create_dir(work.join("notes")).unwrap();
        assert_eq!(report_folder(&work, Some(&home)), work.join("notes"));
        std::fs::create_dir(work.join("Docs")).unwrap();
        assert_eq!(report_folder(&work, Some(&home)), work.join("Docs"), "whatever the case, and docs before notes");
        std::fs::write(work.join("research"), "a file").unwrap();
        assert_eq!(report_folder(&work, Some(&home)), work.join("Docs"), "a file is no folder");
    }

    #[test]
    fn a_taken_name_gets_another_hash() {
        let folder = tempfile::tempdir().unwrap();
        let mut names = std::collections::BTreeSet::new();
        for _ in 0..260 {
            let (path, _) = new_report(folder.path(), "Rust: async runtimes?", 3).unwrap();
            assert!(names.insert(path.file_name().unwrap().to_string_lossy().into_owned()));
        }
        assert!(names.iter().all(|name| name.starts_with("nexi-research-rust-async-runtimes-") && name.len() == 39), "{names:?}");
        assert!(new_report(folder.path(), "Rust: async runtimes?", 3).is_err());
    }
}
