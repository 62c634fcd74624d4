//! What is given along with a question on the command line: `--attach`, `@PATH` in a session, and piped text.

use std::io::{IsTerminal, Read};
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use nexi_engine::core::ids::ThreadId;
use nexi_engine::{Attach, Engine, MAX_ATTACHED_TEXT, expand_home};
use nexi_messages::say;

use crate::args::Usage;
use crate::output::note;

/// How long Nexi waits for piped text before it says that it is waiting.
const PIPE_NOTICE: Duration = Duration::from_secs(2);
/// How an earlier thread is named.
const THREAD: &str = "thread:";
/// How a site is named that alone is to be searched.
const SITE: &str = "site:";

/// What one argument means.
///
/// # Errors
/// When there is no such thread.
pub async fn one(engine: &Engine, text: &str) -> Result<Attach> {
    if let Some(id) = text.strip_prefix(THREAD) {
        return Ok(Attach::Thread(engine.find_thread(id).await?));
    }
    if let Some(host) = text.strip_prefix(SITE) {
        return Ok(Attach::Site(host.to_owned()));
    }
    Ok(named_here(text).unwrap_or_else(|| Attach::Path(expand_home(text))))
}

/// The same for all of them.
pub async fn all(engine: &Engine, texts: &[String]) -> Result<Vec<Attach>> {
    let mut out = Vec::new();
    for text in texts {
        out.push(one(engine, text).await?);
    }
    Ok(out)
}

/// A web address, a site, an earlier thread by its whole id, or a path that exists.
fn named_here(text: &str) -> Option<Attach> {
    if let Some(id) = text.strip_prefix(THREAD) {
        let is_id = id.len() > 20 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        return is_id.then(|| Attach::Thread(ThreadId(id.to_owned())));
    }
    if let Some(host) = text.strip_prefix(SITE) {
        return Some(Attach::Site(host.to_owned())).filter(|_| host.contains('.'));
    }
    if text.starts_with("http://") || text.starts_with("https://") {
        return Some(Attach::Address(text.to_owned()));
    }
    let path = expand_home(text);
    path.exists().then_some(Attach::Path(path))
}

/// What names something behind an `@`, so that [`named`] finds it; none where a line cannot name it.
pub fn name_of(attach: &Attach) -> Option<String> {
    Some(match attach {
        Attach::Path(path) => path.to_str()?.to_owned(),
        Attach::Address(address) => address.clone(),
        Attach::Thread(thread) => format!("{THREAD}{thread}"),
        Attach::Site(host) => format!("{SITE}{host}"),
        Attach::Text { .. } => return None,
    })
}

/// A question without the words that begin with `@` and name something that exists, and those things. `@"a b.pdf"` may
/// hold blanks.
pub fn named(question: &str) -> (String, Vec<Attach>) {
    let mut out = String::new();
    let mut found = Vec::new();
    let mut rest = question;
    while let Some(at) = rest.find('@') {
        let begins_word = rest[..at].chars().next_back().is_none_or(char::is_whitespace);
        let after = &rest[at + 1..];
        let (name, length) = match after.strip_prefix('"').and_then(|inner| Some((inner, inner.find('"')?))) {
            Some((inner, end)) => (&inner[..end], end + 2),
            None => {
                let end = after.find(char::is_whitespace).unwrap_or(after.len());
                (&after[..end], end)
            }
        };
        match named_here(name).filter(|_| begins_word && !name.is_empty()) {
            Some(attach) => {
                out.push_str(&rest[..at]);
                // The question still says what is meant.
                let thread = say!("nexi-ask-attached-thread");
                out.push_str(match &attach {
                    Attach::Thread(_) => &thread,
                    Attach::Site(host) => host,
                    _ => Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or(name),
                });
                found.push(attach);
                rest = &after[length..];
            }
            None => {
                out.push_str(&rest[..=at]);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    (out.trim().to_owned(), found)
}

/// The text that was piped in beside a question; none where standard input is a terminal or holds nothing.
///
/// # Errors
/// When it is too large or no text.
pub async fn piped() -> Result<Option<Attach>> {
    if std::io::stdin().is_terminal() || !is_pipe_or_file() {
        return Ok(None);
    }
    let reading = tokio::task::spawn_blocking(|| {
        let mut bytes = Vec::new();
        std::io::stdin().take(MAX_ATTACHED_TEXT as u64 + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    let mut reading = std::pin::pin!(reading);
    let bytes = tokio::select! {
        bytes = &mut reading => bytes,
        () = tokio::time::sleep(PIPE_NOTICE) => {
            note(&say!("nexi-ask-waiting-for-input"));
            reading.await
        }
    };
    let bytes = bytes?.map_err(|error| Usage(say!("nexi-ask-input-unreadable", why = error.to_string())))?;
    if bytes.len() > MAX_ATTACHED_TEXT {
        return Err(Usage(say!("nexi-ask-input-too-large", mib = MAX_ATTACHED_TEXT >> 20)).into());
    }
    let text = String::from_utf8(bytes).map_err(|_| Usage(say!("nexi-ask-input-not-text")))?;
    Ok((!text.trim().is_empty()).then_some(Attach::Text { title: Some(say!("nexi-ask-standard-input")), text }))
}

/// Whether somebody piped something in; what services and editors leave open as standard input is no text.
#[cfg(unix)]
fn is_pipe_or_file() -> bool {
    let kind = rustix::fs::fstat(std::io::stdin()).map(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode));
    matches!(kind, Ok(rustix::fs::FileType::Fifo | rustix::fs::FileType::RegularFile))
}

#[cfg(not(unix))]
fn is_pipe_or_file() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_in_a_question() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a b.md");
        std::fs::write(&file, "x").unwrap();
        let quoted = format!("What does @\"{}\" say, mail me@example.org", file.display());
        let (question, found) = named(&quoted);
        assert_eq!(question, "What does a b.md say, mail me@example.org");
        assert_eq!(found, [Attach::Path(file)]);
        let (question, found) = named("Ask @nobody and @https://example.org/x now");
        assert_eq!((question.as_str(), found.len()), ("Ask @nobody and x now", 1));
        let thread = Attach::Thread(ThreadId("0198c1a2-7b3c-7d4e-8f50-123456789abc".into()));
        let (question, found) = named(&format!("Is @{} still right, says @site:example.org ?", name_of(&thread).unwrap()));
        assert_eq!(question, "Is the attached thread still right, says example.org ?");
        assert_eq!(found, [thread, Attach::Site("example.org".into())]);
    }
}
