//! Being asked to end from outside: the session is over, or somebody stops the program.

use tauri::{AppHandle, Runtime};

/// Waits until the system asks the app to end, and ends it as a person would: otherwise the library would be left open, and
/// the next start would look through all of it. Asked again, it ends at once.
#[cfg(unix)]
pub(crate) async fn end_when_asked<R: Runtime>(app: AppHandle<R>) {
    use tokio::signal::unix::{SignalKind, signal};
    // What whoever started the app had it ignore, as `nohup` does, stays ignored.
    let ignored = ignored();
    let heard = |kind: SignalKind| (ignored >> (kind.as_raw_value() - 1)) & 1 == 0;
    let kinds = [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()];
    let mut signals = match kinds.into_iter().filter(|kind| heard(*kind)).map(signal).collect::<Result<Vec<_>, _>>() {
        Ok(signals) => signals,
        Err(error) => {
            tracing::warn!(%error, "signals of the system are not heard");
            return;
        }
    };
    for asked in 0.. {
        let next = futures::future::select_all(signals.iter_mut().map(|signal| Box::pin(signal.recv())));
        if next.await.0.is_none() {
            return;
        }
        if asked > 0 {
            std::process::exit(1);
        }
        app.exit(0);
    }
}

/// The signals that this program began to ignore with, a bit each from the first one on; all where that cannot be found out,
/// but for the one that asks a program to end.
#[cfg(unix)]
fn ignored() -> u64 {
    let unknown = !(1 << (tokio::signal::unix::SignalKind::terminate().as_raw_value() - 1));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(unknown)
}

/// Elsewhere the system closes the windows of a program that is to end.
#[cfg(not(unix))]
pub(crate) async fn end_when_asked<R: Runtime>(_app: AppHandle<R>) {}
