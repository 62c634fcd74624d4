//! What a person gives along with a question: files, folders, texts, addresses and earlier threads.

use std::path::{Path, PathBuf};

use nexi_core::{
    ids::{ThreadId, TurnId},
    ports::Page,
    protocol::Focus,
    run::{Attachment, rests_on_private},
    text, urls,
};
use nexi_messages::say;
use nexi_store::History;
use url::Url;

use super::{Engine, EngineError, thread::asked_of};
use crate::earlier;

/// Attachments of one question.
pub const MAX_ATTACHED: usize = 20;
/// Bytes of a text that is given with a question.
pub const MAX_ATTACHED_TEXT: usize = 8 * 1024 * 1024;
/// Characters of a text that become its title, where it has none.
const TITLE: usize = 60;

/// One thing that is given along with a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attach {
    /// Read at once, wherever it lies; a folder is searched instead of those of the settings.
    Path(PathBuf),
    /// Of the web.
    Address(String),
    /// Typed, pasted or piped.
    Text { title: Option<String>, text: String },
    /// Past research, as a source.
    Thread(ThreadId),
    /// A host, such as `example.org`: the web is searched there alone.
    Site(String),
}

/// Attachments as a run takes them.
#[derive(Debug, Clone, Default)]
pub(super) struct Attached {
    pub attachments: Vec<Attachment>,
    /// Folders to be searched, and no others.
    pub folders: Vec<PathBuf>,
    /// Hosts to be searched, and no others.
    pub sites: Vec<String>,
}

/// The files among the attachments of a run, which may be read wherever they lie.
pub(super) fn files(attachments: &[Attachment]) -> Vec<PathBuf> {
    let path = |attachment: &Attachment| match attachment {
        Attachment::Address { url } => urls::file_path(url),
        Attachment::Text { .. } => None,
    };
    attachments.iter().filter_map(path).collect()
}

/// An attachment of a run as it would be given again.
fn as_given(attachment: Attachment) -> Attach {
    match attachment {
        Attachment::Address { url } => match urls::file_path(&url) {
            Some(path) => Attach::Path(path),
            None => Attach::Address(url),
        },
        Attachment::Text { page } => match urls::thread_of(&page.url) {
            // Its newest answers belong to it, too.
            Some(thread) => Attach::Thread(thread.into()),
            None => Attach::Text { title: Some(page.title), text: page.text },
        },
    }
}

impl Engine {
    /// What was attached to the question of a turn; empty where its journal does not tell.
    ///
    /// # Errors
    /// When there is no such turn, or the library cannot be read.
    pub(super) async fn given_with(&self, turn: &TurnId) -> Result<Vec<Attach>, EngineError> {
        let Some(asked) = self.with_turn(turn, asked_of).await? else { return Ok(Vec::new()) };
        // What its space gave, the space gives again.
        let folders = if asked.only_folders && asked.of_space.folders == 0 { asked.folders } else { Vec::new() };
        let folders = folders.into_iter().map(|folder| Attach::Path(folder.into()));
        let sites = asked.sites.into_iter().map(Attach::Site);
        Ok(asked.attached.into_iter().map(as_given).chain(folders).chain(sites).collect())
    }

    /// Looks at everything that is given along with a question.
    ///
    /// # Errors
    /// When there is too much of it, or something cannot be given; the message names it.
    pub(super) async fn attached(&self, given: &[Attach], focus: Focus) -> Result<Attached, EngineError> {
        let wrong = |index: usize, message: String| EngineError::invalid(say!("arguments-attachment.field", number = index + 1), message);
        if given.len() > MAX_ATTACHED {
            let message = say!("arguments-attachment.too_many", count = given.len(), most = MAX_ATTACHED);
            return Err(EngineError::invalid("attachments", message));
        }
        let mut out = Attached::default();
        for (index, attach) in given.iter().enumerate() {
            let attachment = match attach {
                Attach::Path(path) if path.is_dir() => {
                    std::fs::read_dir(path).map_err(|error| wrong(index, unopened(path, &error)))?;
                    if focus == Focus::Web {
                        return Err(wrong(index, say!("arguments-attachment.folder_for_web")));
                    }
                    out.folders.push(path.clone());
                    continue;
                }
                Attach::Path(path) => Attachment::Address { url: file(path).map_err(|message| wrong(index, message))? },
                Attach::Address(address) => Attachment::Address { url: web(address, focus).map_err(|message| wrong(index, message))? },
                Attach::Site(_) if focus == Focus::Documents => {
                    return Err(wrong(index, say!("arguments-attachment.site_for_documents")));
                }
                Attach::Site(host) => {
                    out.sites.push(site(host).map_err(|message| wrong(index, message))?);
                    continue;
                }
                Attach::Text { title, text } => {
                    Attachment::Text { page: Box::new(given_text(title.as_deref(), text).map_err(|message| wrong(index, message))?) }
                }
                Attach::Thread(thread) => {
                    let turns = self.turns(thread).await?;
                    let title = self.thread_facts(thread).await?.title;
                    let handbook = self.handbook_address();
                    let held_private = self.in_thread(thread, History::held_private).await?;
                    let private = held_private || turns.iter().any(|turn| rests_on_private(turn, &handbook));
                    let page = earlier::page(&urls::thread_address(thread.as_str(), private), &title, &turns);
                    Attachment::Text {
                        page: Box::new(page.ok_or_else(|| wrong(index, say!("arguments-attachment.no_answer", title = title)))?),
                    }
                }
            };
            if !out.attachments.iter().any(|known| known.url() == attachment.url()) {
                out.attachments.push(attachment);
            }
        }
        Ok(out)
    }
}

/// The address of a file that can be opened.
fn file(path: &Path) -> Result<String, String> {
    let name = || path.display().to_string();
    let real = dunce::canonicalize(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => say!("arguments-attachment.not_there", name = name()),
        _ => unopened(path, &error),
    })?;
    let metadata = real.metadata().map_err(|error| unopened(path, &error))?;
    if !metadata.is_file() {
        return Err(say!("arguments-attachment.no_file", name = name()));
    }
    std::fs::File::open(&real).map_err(|error| unopened(path, &error))?;
    Url::from_file_path(&real).map(String::from).map_err(|()| say!("arguments-attachment.no_address", name = name()))
}

fn unopened(path: &Path, error: &std::io::Error) -> String {
    say!("arguments-attachment.unopened", name = path.display().to_string(), why = error.to_string())
}

/// What is meant by a web address with or without its scheme.
pub(super) fn web_url(typed: &str) -> Option<Url> {
    let full = if typed.contains("://") { typed.to_owned() } else { format!("https://{typed}") };
    Url::parse(&full).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some())
}

fn web(address: &str, focus: Focus) -> Result<String, String> {
    let address = address.trim();
    match web_url(address) {
        None => Err(say!("arguments-attachment.no_page", address = address)),
        Some(_) if focus == Focus::Documents => Err(say!("arguments-attachment.page_for_documents", address = address)),
        Some(url) => Ok(url.into()),
    }
}

fn site(host: &str) -> Result<String, String> {
    let url = Url::parse(&format!("https://{}/", host.trim().trim_start_matches("https://").trim_end_matches('/'))).ok();
    let named = url.as_ref().and_then(Url::host_str).filter(|name| name.contains('.') && url.as_ref().is_some_and(|url| url.path() == "/"));
    named.map(str::to_owned).ok_or_else(|| say!("arguments-attachment.no_site", host = host))
}

fn given_text(title: Option<&str>, full: &str) -> Result<Page, String> {
    if full.trim().is_empty() {
        return Err(say!("arguments-attachment.empty_text"));
    }
    if full.len() > MAX_ATTACHED_TEXT {
        return Err(say!("arguments-attachment.long_text", mib = MAX_ATTACHED_TEXT / 1024 / 1024));
    }
    let title = title
        .map(str::trim)
        .filter(|title| !title.is_empty())
        .map_or_else(|| text::truncate_chars(&text::fold_space(full.trim().lines().next().unwrap_or_default()), TITLE), str::to_owned);
    Ok(Page { url: urls::text_address(&name_of(full)), title, text: full.replace("\r\n", "\n"), ..Page::default() })
}

/// The same text has the same address, so that it is one source however often it is given.
fn name_of(full: &str) -> String {
    uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, full.as_bytes()).simple().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_texts_are_checked() {
        assert_eq!(web("example.org/a", Focus::Both).unwrap(), "https://example.org/a");
        for bad in ["", "file:///etc/passwd", "ftp://a.example/", "javascript://x", "https://"] {
            assert!(web(bad, Focus::Both).is_err(), "{bad}");
        }
        assert!(web("https://example.org/", Focus::Documents).unwrap_err().contains("documents alone"));
        let page = given_text(None, "First line\r\nsecond").unwrap();
        assert_eq!((page.title.as_str(), page.text.as_str()), ("First line", "First line\nsecond"));
        assert_eq!(page.url, given_text(Some("Other"), "First line\r\nsecond").unwrap().url);
        assert!(nexi_core::run::is_private(&page.url, "") && given_text(None, " \n").is_err());
    }
}
