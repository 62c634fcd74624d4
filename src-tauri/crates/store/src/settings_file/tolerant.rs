//! Settings of a file with mistakes: what is wrong counts as if it were not there.

use std::path::Path;

use nexi_core::settings::{Problem, Wrong};
use toml_edit::{DocumentMut, Item, TableLike};

use super::{Loaded, SettingsError, document, parse, path_of, read};

/// Reads the settings with defaults in the place of what is wrong, and tells what that is: a file that is no TOML at
/// all counts as empty. A file that does not exist has the defaults, unless `must_exist`.
///
/// # Errors
/// When the file cannot be read.
pub fn read_tolerantly(path: &Path, must_exist: bool) -> Result<(Loaded, Vec<Problem>), SettingsError> {
    match read(path, must_exist) {
        Ok(loaded) => Ok((loaded, Vec::new())),
        Err(SettingsError::Syntax { message, .. }) => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Ok((Loaded::default(), vec![Problem::new(name, Wrong::NoToml { message })]))
        }
        Err(SettingsError::Invalid { .. }) => Ok(tolerant(&document(path)?)),
        Err(error @ SettingsError::File { .. }) => Err(error),
    }
}

/// Rounds of leaving out what is wrong; taking one thing out may make another one wrong.
const ROUNDS: usize = 16;

/// The settings of a document with defaults in the place of what is wrong, and everything that is.
pub(super) fn tolerant(document: &DocumentMut) -> (Loaded, Vec<Problem>) {
    let mut sound = document.clone();
    let mut all: Vec<Problem> = Vec::new();
    for _ in 0..ROUNDS {
        let Ok((loaded, problems)) = parse(&sound.to_string()) else { break };
        if problems.is_empty() {
            return (loaded, all);
        }
        for problem in problems {
            leave_out(&mut sound, &problem.field);
            if !all.contains(&problem) {
                all.push(problem);
            }
        }
    }
    (Loaded::default(), all)
}

/// Takes the field that a problem names out of a document, or the nearest table around it that is there.
fn leave_out(document: &mut DocumentMut, field: &str) {
    let field = field.split('[').next().unwrap_or_default();
    let mut names = path_of(field).unwrap_or_default();
    // Without its type, all of a provider means nothing.
    if names.first().is_some_and(|table| table == "providers") && names.len() == 3 && names[2] == "type" {
        names.pop();
    }
    for depth in (1..=names.len()).rev() {
        let mut table: Option<&mut dyn TableLike> = Some(document.as_table_mut());
        for name in &names[..depth - 1] {
            table = table.and_then(|table| table.get_mut(name)).and_then(Item::as_table_like_mut);
        }
        if table.is_some_and(|table| table.remove(&names[depth - 1]).is_some()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_has_its_default_and_everything_else_counts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        let text = "max_steps_ahead = 1\nmax_context = 3\nllm_backends = [\"wrok\"]\n[desktop]\ntheme = \"purple\"\npopup_width = 4\n\
                    [search]\ncount = 5\nlanguage = 7\n[providers.work]\ntype = \"openai_compatible\"\nbase_url = 5\nmodel = \"m\"\n";
        std::fs::write(&file, text).unwrap();
        assert!(read(&file, true).is_err());
        let (loaded, problems) = read_tolerantly(&file, true).unwrap();
        let fields: Vec<&str> = problems.iter().map(|problem| problem.field.as_str()).collect();
        for wrong in ["max_context", "desktop.theme", "search.language", "providers.work.base_url"] {
            assert!(fields.contains(&wrong), "{wrong}: {fields:?}");
        }
        let standard = nexi_core::settings::Settings::default();
        assert_eq!((loaded.settings.max_context, loaded.settings.search.count), (standard.max_context, 5));
        assert_eq!(loaded.settings.llm_backends, ["builtin"]);
        // One mistake after the other can be mended, and nothing else is touched.
        for (path, value) in [(vec!["desktop", "theme"], serde_json::json!("dark")), (vec!["max_context"], serde_json::json!(64000))] {
            let path = path.into_iter().map(str::to_owned).collect();
            super::super::change(&file, &[super::super::Change { path, value }]).unwrap();
        }
        let now = std::fs::read_to_string(&file).unwrap();
        assert_eq!(now, text.replace("purple", "dark").replace("max_context = 3", "max_context = 64000"));
        // What is no TOML at all has the defaults, and is not written over.
        std::fs::write(&file, "max_context = [").unwrap();
        let (loaded, problems) = read_tolerantly(&file, true).unwrap();
        assert_eq!((loaded.settings.max_context, problems.len()), (standard.max_context, 1));
        assert!(super::super::change(&file, &[]).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "max_context = [");
        std::fs::write(&file, b"max_context = 64000\n# f\xfcr mich\n").unwrap();
        let (loaded, problems) = read_tolerantly(&file, true).unwrap();
        assert_eq!(loaded.settings, Loaded::default().settings);
        assert!(super::super::told::problem(&problems[0]).contains("line 2: holds a character that is not UTF-8"), "{problems:?}");
        assert!(read_tolerantly(&folder.path().join("none.toml"), true).is_err());
    }
}
