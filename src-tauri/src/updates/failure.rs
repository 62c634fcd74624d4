//! What the updater's errors mean to a person.

use nexi_engine::core::text::innermost;
use nexi_engine::views::UpdateFailure;
use tauri_plugin_updater::Error;

/// Why nobody knows whether there is a new version.
pub(super) fn of_check(error: &Error) -> UpdateFailure {
    match error {
        Error::TargetNotFound(_) | Error::TargetsNotFound(_) | Error::UnsupportedArch | Error::UnsupportedOs => {
            UpdateFailure::NotForThisSystem
        }
        Error::Reqwest(error) if !error.is_decode() => UpdateFailure::Unreachable { why: innermost(error) },
        Error::ReleaseNotFound | Error::Reqwest(_) | Error::Serialization(_) | Error::Semver(_) | Error::UrlParse(_) => {
            UpdateFailure::NoRelease
        }
        other => UpdateFailure::Unreachable { why: innermost(other) },
    }
}

/// Why a version that there is could not be downloaded.
pub(super) fn of_download(error: &Error) -> UpdateFailure {
    match error {
        Error::Minisign(_) | Error::Base64(_) | Error::SignatureUtf8(_) | Error::MissingSignedVersion => UpdateFailure::BadSignature,
        Error::SignedVersionMismatch { signed, .. } => UpdateFailure::OtherVersion { signed: signed.clone() },
        other => UpdateFailure::DownloadBroke { why: innermost(other) },
    }
}

/// Why a version that was downloaded is not there.
pub(super) fn of_install(error: &Error) -> UpdateFailure {
    if let Error::PreviousAppNotRestored(path) = error {
        return UpdateFailure::NotRestored { path: path.display().to_string() };
    }
    match of_download(error) {
        UpdateFailure::DownloadBroke { why } => UpdateFailure::NotReplaced { why },
        other => other,
    }
}
