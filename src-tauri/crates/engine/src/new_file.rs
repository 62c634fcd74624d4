//! Files that were not there before.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::EngineError;

/// Files of the same name that are tried before giving up.
const MAX_SAME: u32 = 1000;
/// Endings of two parts, which stay behind the number.
const DOUBLE_ENDINGS: [&str; 1] = ["csl.json"];

/// A file of this name in `folder` that was not there before, with a number where the name is taken.
///
/// # Errors
/// When the folder cannot be written.
pub fn new_file(folder: &Path, name: &str) -> std::io::Result<(PathBuf, File)> {
    std::fs::create_dir_all(folder)?;
    let double = DOUBLE_ENDINGS.iter().find_map(|ending| Some((name.strip_suffix(ending)?.strip_suffix('.')?, *ending)));
    let (stem, ending) = double.unwrap_or_else(|| name.rsplit_once('.').unwrap_or((name, "txt")));
    for number in 1..=MAX_SAME {
        let name = if number == 1 { format!("{stem}.{ending}") } else { format!("{stem} ({number}).{ending}") };
        let path = folder.join(name);
        match create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

/// Writes a text into a new file of this name in `folder`; the file.
///
/// # Errors
/// When the folder cannot be written.
pub(crate) fn write_new(folder: &Path, name: &str, text: &str) -> Result<PathBuf, EngineError> {
    let failed = |source| EngineError::File { path: folder.to_path_buf(), source };
    let (path, mut out) = new_file(folder, name).map_err(failed)?;
    out.write_all(text.as_bytes()).map_err(failed)?;
    Ok(path)
}

/// A file that was not there before and that nobody else may read: research can be about anything.
///
/// # Errors
/// When it is there, or cannot be written.
pub fn create_new(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}
