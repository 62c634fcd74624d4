//! How this copy of Nexi comes to a new version.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use nexi_engine::views::{PackageManager, UpdateMeans};

/// How it does. Blocks the first time.
pub(super) fn means() -> UpdateMeans {
    static MEANS: OnceLock<UpdateMeans> = OnceLock::new();
    *MEANS.get_or_init(|| {
        if app_image().is_some() {
            return UpdateMeans::Itself;
        }
        let program = std::env::current_exe().unwrap_or_default();
        match manager(&program) {
            Some(manager) => UpdateMeans::Package { manager },
            None if is_replaceable(&program) => UpdateMeans::Itself,
            None => UpdateMeans::ByHand,
        }
    })
}

/// The AppImage that this runs from, if it does. The variable alone says nothing: whatever is started from another AppImage
/// has that one's.
pub(super) fn app_image() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|_| cfg!(target_os = "linux"));
    let (image, mounted) = (variable("APPIMAGE")?, variable("APPDIR")?);
    let program = std::env::current_exe().ok()?;
    let is_within = program.starts_with(dunce::canonicalize(mounted).ok()?);
    Some(image).filter(|image| is_within && image.is_file())
}

/// Whether the updater knows how to replace what this runs from although it is more than a file.
fn is_replaceable(program: &Path) -> bool {
    if cfg!(target_os = "macos") {
        let is_app = program.ancestors().any(|folder| folder.extension().is_some_and(|end| end == "app"));
        // Disk images cannot be written, nor can the place from which macOS runs what was not moved since its download.
        let is_fixed = program.starts_with("/Volumes") || program.iter().any(|part| part == "AppTranslocation");
        return is_app && !is_fixed;
    }
    // There it was put by an installer, or stands where it was built.
    cfg!(windows) && program.parent().is_some_and(|folder| folder.join("uninstall.exe").is_file())
}

/// The package manager that has put this program where it is.
fn manager(program: &Path) -> Option<PackageManager> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let owns = |command: &str, option: &str| {
        let mut asked = Command::new(command);
        asked.arg(option).arg(program).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        asked.status().is_ok_and(|status| status.success())
    };
    if owns("dpkg-query", "--search") {
        Some(PackageManager::Dpkg)
    } else if owns("rpm", "-qf") {
        Some(PackageManager::Rpm)
    } else {
        None
    }
}
