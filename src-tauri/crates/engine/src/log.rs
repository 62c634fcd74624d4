//! The log: a file a day in the data folder, a week of them, and standard error when asked for.
//! No key is ever in it: known keys and whatever looks like one are taken out as lines are written.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use nexi_core::settings::hide_keys;
use nexi_store::keys;
use tracing::instrument::WithSubscriber;
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::{EnvFilter, Layer, fmt::MakeWriter, layer::SubscriberExt, util::SubscriberInitExt};

/// Days that are kept.
const KEPT: usize = 7;
/// What the log tells: every decision, call, token count and wait of a run.
const OWN: &str = "nexi=LEVEL,nexi_core=LEVEL,nexi_engine=LEVEL,nexi_llm=LEVEL,nexi_store=LEVEL,nexi_tools=LEVEL,nexi_web=LEVEL,rmcp=off,nexi_desktop=LEVEL";

/// What is worth telling without being asked: our own failures. Libraries may repeat what a service
/// sent, and what they mind becomes an error of ours anyway.
const QUIET: &str = "error,async_openai=off,reqwest_eventsource=off,rmcp=off,rustls_platform_verifier=off";

/// Begins to log into `folder`, and to standard error if `verbose`. Only the first call of a
/// process has an effect. A folder that cannot be written is no reason not to start.
pub fn init(folder: &Path, verbose: bool) {
    let filter = |level: &str| EnvFilter::new(OWN.replace("LEVEL", level));
    let to_error = tracing_subscriber::fmt::layer()
        .with_writer(Redacted::new(Box::new(io::stderr())))
        .with_ansi(false)
        .without_time()
        .with_filter(if verbose { filter("debug") } else { EnvFilter::new(QUIET) });
    let to_file = open(folder).map(|file| {
        tracing_subscriber::fmt::layer()
            .with_writer(Redacted::new(Box::new(file)))
            .with_ansi(false)
            .with_target(false)
            .with_filter(filter("info"))
    });
    let _ = tracing_subscriber::registry().with(to_error).with(to_file).try_init();
}

/// Spawns a task that is silent where its parent is: what a private run does must not be in the log.
pub(crate) fn spawn<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> tokio::task::JoinHandle<T> {
    tokio::spawn(work.with_current_subscriber())
}

/// The same task, and all that [`spawn`] makes of it, without a word in the log.
pub(crate) fn silenced<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    work.with_subscriber(tracing::subscriber::NoSubscriber::new())
}

fn open(folder: &Path) -> Option<RollingFileAppender> {
    std::fs::create_dir_all(folder).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    }
    RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("nexi")
        .filename_suffix("log")
        .max_log_files(KEPT)
        .build(folder)
        .ok()
}

/// A writer that takes keys out of what passes through it, a line at a time.
#[derive(Clone)]
struct Redacted {
    to: Arc<Mutex<Box<dyn Write + Send>>>,
}

impl Redacted {
    fn new(to: Box<dyn Write + Send>) -> Self {
        Self { to: Arc::new(Mutex::new(to)) }
    }
}

impl<'a> MakeWriter<'a> for Redacted {
    type Writer = Redacted;

    fn make_writer(&'a self) -> Redacted {
        self.clone()
    }
}

impl Write for Redacted {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = redact(&String::from_utf8_lossy(line));
        // A terminal or pipe that is gone is no reason to fail.
        let _ = self.to.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.to.lock().unwrap_or_else(PoisonError::into_inner).flush();
        Ok(())
    }
}

/// A text without keys: those that were used, and whatever looks like one.
pub fn redact(text: &str) -> String {
    let mut out = hide_keys(&keys::without_known(text));
    for mark in ["Bearer ", "bearer ", "api_key=", "key=", "token=", "x-api-key: "] {
        out = without_marked(&out, mark);
    }
    out
}

/// Long tokens behind a mark are keys; a word such as `key=value` is short and stays.
fn without_marked(text: &str, mark: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(mark) {
        let (before, found) = rest.split_at(at + mark.len());
        let length = found.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(found.len());
        out.push_str(before);
        if length >= 16 {
            out.push_str("[key]");
        } else {
            out.push_str(&found[..length]);
        }
        rest = &found[length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_out_and_words_are_not() {
        assert_eq!(redact("Authorization: Bearer abcdefghijklmnop.qrst next"), "Authorization: Bearer [key] next");
        assert_eq!(redact("url?api_key=0123456789abcdef0123&x=1"), "url?api_key=[key]&x=1");
        assert_eq!(redact("the sk-proj-0123456789abcdefABCDEF was refused"), "the [key] was refused");
        assert_eq!(redact("gsk_0123456789abcdefABCDEF and ghp_0123456789abcdefABCDEF"), "[key] and [key]");
        assert_eq!(redact("key=value, Bearer of news, step=3"), "key=value, Bearer of news, step=3");
    }
}
