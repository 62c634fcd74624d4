//! Which files of a folder are documents: patterns that a person gave, and whether pictures are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::overrides::{Override, OverrideBuilder};
use nexi_core::settings::{Problem, Settings};
use nexi_formats::Kind;
use nexi_messages::say;
use nexi_store::paths::expand_home;
use unicode_normalization::UnicodeNormalization;

use super::is_document;

/// What is looked at in the folders.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// The patterns of all folders, by folder.
    patterns: Arc<BTreeMap<PathBuf, Override>>,
    /// In which languages scanned pages and pictures are read, as Tesseract takes them; none where they are not read.
    languages: Option<Arc<str>>,
}

impl Rules {
    /// The patterns of the settings, and what is wrong with some of them, which are left out.
    pub fn of(settings: &Settings) -> (Self, Vec<Problem>) {
        let languages = settings.ocr.enabled.then(|| settings.ocr.code().into());
        let settings = &settings.documents;
        let mut problems = Vec::new();
        let mut by_folder: BTreeMap<PathBuf, Override> = BTreeMap::new();
        let folders: std::collections::BTreeSet<&String> = settings.include.keys().chain(settings.exclude.keys()).collect();
        for folder in folders {
            let place = expand_home(folder);
            let place = dunce::canonicalize(&place).unwrap_or(place);
            let mut builder = OverrideBuilder::new(folded(&place));
            // The last pattern that fits wins: what is left out is left out of what was named.
            for (kind, patterns, sign) in [("include", settings.include.get(folder), ""), ("exclude", settings.exclude.get(folder), "!")] {
                for pattern in patterns.into_iter().flatten() {
                    // Patterns begin in the folder, however they are written.
                    let below = pattern.trim_start_matches('!');
                    let below = Path::new(below).strip_prefix(&place).ok().and_then(Path::to_str).unwrap_or(below);
                    let below = below.strip_prefix("./").unwrap_or(below);
                    if let Err(error) = builder.add(&format!("{sign}{}", fold(below))) {
                        problems.push(Problem::told(
                            format!("documents.{kind}.{folder:?}"),
                            say!("arguments-folder.no_pattern", pattern = pattern, why = error.to_string()),
                        ));
                    }
                }
            }
            match builder.build() {
                Ok(made) => drop(by_folder.insert(place, made)),
                Err(error) => problems.push(Problem::told(
                    format!("documents.include.{folder:?}"),
                    say!("arguments-folder.unusable", why = error.to_string()),
                )),
            }
        }
        (Self { patterns: Arc::new(by_folder), languages }, problems)
    }

    /// In which languages scanned pages are read, as Tesseract takes them; none where they are not read.
    pub fn languages(&self) -> Option<&str> {
        self.languages.as_deref()
    }

    /// Whether a file is a document, by its name; pictures are where text is recognised in them.
    pub(super) fn takes(&self, path: &Path) -> bool {
        let ending = || path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        is_document(path) || (self.languages.is_some() && Kind::of_ending(ending()) == Some(Kind::Picture))
    }

    /// Whether any folder has patterns.
    pub(super) fn has_patterns(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// Whether patterns leave a file or folder out: those of the innermost folder around it that has some.
    pub(super) fn leave_out(&self, path: &Path, is_folder: bool) -> bool {
        let patterns = path.ancestors().skip(1).find_map(|folder| self.patterns.get(folder));
        patterns.is_some_and(|patterns| patterns.matched(folded(path), is_folder).is_ignore())
    }
}

/// Names as patterns are compared with them: `*.md` means `README.MD`, too, and a letter with its mark is one letter, as
/// not every system writes it.
fn fold(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).collect()
}

fn folded(path: &Path) -> PathBuf {
    path.to_str().map_or_else(|| path.to_owned(), |path| fold(path).into())
}

#[cfg(test)]
mod tests {
    use nexi_core::settings::Documents;

    use super::super::walk;
    use super::*;

    #[test]
    fn patterns_choose_files_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
        std::fs::create_dir_all(root.join("drafts/deep")).unwrap();
        for name in ["a.md", "b.pdf", "c.txt", "drafts/d.md", "drafts/deep/e.pdf"] {
            std::fs::write(root.join(name), "x").unwrap();
        }
        let found = |include: &[&str], exclude: &[&str], below: &str| {
            let key = root.to_string_lossy().into_owned();
            let list = |patterns: &[&str]| BTreeMap::from([(key.clone(), patterns.iter().map(|text| (*text).to_owned()).collect())]);
            let documents = Documents { include: list(include), exclude: list(exclude), ..Documents::default() };
            let settings = Settings { documents, ..Settings::default() };
            let (rules, problems) = Rules::of(&settings);
            let mut names: Vec<String> = walk(&root.join(below), &rules)
                .filter(|entry| entry.path().is_file())
                .map(|entry| entry.path().strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/"))
                .collect();
            names.sort();
            (names.join(" "), problems.len())
        };
        assert_eq!(found(&[], &[], ""), ("a.md b.pdf c.txt drafts/d.md drafts/deep/e.pdf".into(), 0));
        assert_eq!(found(&["*.pdf", "*.md"], &[], "").0, "a.md b.pdf drafts/d.md drafts/deep/e.pdf");
        assert_eq!(found(&[], &["drafts/**", "*.txt"], "").0, "a.md b.pdf");
        assert_eq!(found(&["*.pdf"], &["drafts"], "").0, "b.pdf");
        assert_eq!(found(&[], &["./drafts/**", &format!("{}/*.txt", root.display())], "").0, "a.md b.pdf");
        assert_eq!(found(&[], &["*.pdf"], "drafts").0, "drafts/d.md", "they hold below the folder, too");
        assert_eq!(found(&["*.PDF"], &["DRAFTS/deep"], "").0, "b.pdf", "capitals say nothing");
        std::fs::create_dir(root.join("\u{dc}ber")).unwrap();
        std::fs::write(root.join("\u{dc}ber/f.md"), "x").unwrap();
        assert_eq!(found(&["*.md"], &["\u{fc}BER"], "").0, "a.md drafts/d.md", "of any alphabet");
        assert_eq!(found(&["*.md"], &["u\u{308}ber/**"], "").0, "a.md drafts/d.md", "however a letter is written");
        std::fs::remove_dir_all(root.join("\u{dc}ber")).unwrap();
        assert_eq!(found(&[], &["a[", "*.txt"], ""), ("a.md b.pdf drafts/d.md drafts/deep/e.pdf".into(), 1));
    }

    #[test]
    fn patterns_of_a_folder_within_another_hold_there() {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
        std::fs::create_dir_all(root.join("drafts/old")).unwrap();
        for name in ["a.txt", "drafts/b.txt", "drafts/c.md", "drafts/old/d.md"] {
            std::fs::write(root.join(name), "x").unwrap();
        }
        let inner = root.join("drafts").to_string_lossy().into_owned();
        let documents = Documents {
            include: BTreeMap::from([(inner.clone(), vec!["*.md".to_owned()])]),
            exclude: BTreeMap::from([(inner, vec!["old".to_owned()])]),
            ..Documents::default()
        };
        let (rules, _) = Rules::of(&Settings { documents, ..Settings::default() });
        let mut names: Vec<String> = walk(&root, &rules)
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.path().strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/"))
            .collect();
        names.sort();
        assert_eq!(names, ["a.txt", "drafts/c.md"]);
    }
}
