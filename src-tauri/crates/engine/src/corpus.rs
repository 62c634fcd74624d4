//! A corpus that several people share, in PostgreSQL: made and given files here, filled by `work`, searched by `search`, part of
//! questions by `source`.

mod search;
mod source;
mod work;

use std::path::{Path, PathBuf};

use nexi_core::{
    ports::{DatabaseCause, Embedder},
    settings::Settings,
    urls,
};
use nexi_messages::say;
use nexi_postgres::{CorpusEmbedder, Removal, StoredDocument};
use secrecy::SecretString;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use url::Url;

pub use nexi_postgres::{CorpusStatus, FailedJob, GroupStatus};
pub use source::SharedCorpus;
pub(crate) use work::WorkTools;
pub use work::{Progress, Worked};

use crate::{
    EngineError,
    aside::blocking,
    database::{DatabaseKind, SharedDatabase},
    documents::{self, Meaning},
};

/// So many files may be gone from a folder although they were most of what it had.
const FEW_GONE: i64 = 3;

/// Where a corpus is, and who asks.
#[derive(Clone)]
pub struct Corpus {
    database: SharedDatabase,
    /// Makes vectors of queries.
    meaning: Option<Meaning>,
}

impl Corpus {
    /// At this address, without connecting yet. `roots` are certificates that are trusted besides those of the system, in PEM
    /// form.
    ///
    /// # Errors
    /// When it is no address, or holds a password.
    pub fn at(address: &str, password: Option<SecretString>, roots: Vec<Vec<u8>>) -> Result<Self, DatabaseCause> {
        SharedDatabase::at(address, password, roots, DatabaseKind::Corpus).map(Self::new)
    }

    /// In this database.
    pub(crate) fn new(database: SharedDatabase) -> Self {
        Self { database, meaning: None }
    }

    /// The same with a password.
    #[must_use]
    pub fn with_password(self, password: SecretString) -> Self {
        Self { database: self.database.with_password(password), ..self }
    }

    /// The same, which finds what means the same in other words, too, where the corpus has vectors of this model.
    #[must_use]
    pub fn with_meaning(self, meaning: Option<Meaning>) -> Self {
        Self { meaning, ..self }
    }

    /// Makes the tables, with groups of those who are members of these roles; false where there are some already.
    ///
    /// # Errors
    /// When the user may not make any.
    pub(crate) async fn create(&self, groups: &[String], embedder: Option<&dyn Embedder>) -> Result<bool, EngineError> {
        let mut database = self.database.connect().await?;
        let is_new = database.create_corpus(groups).await?;
        // Vectors may come later, as long as nothing has been read.
        let Some(embedder) = embedder else { return Ok(is_new) };
        // How long its vectors are is seen from one.
        let vectors = documents::embedded(embedder, &["vector".to_owned()], &CancellationToken::new()).await?;
        let dimensions = vectors.first().map_or(0, Vec::len);
        let wanted = CorpusEmbedder { id: embedder.id().to_owned(), dimensions: i32::try_from(dimensions).unwrap_or(i32::MAX) };
        database.add_vectors(&wanted).await?;
        Ok(is_new)
    }

    /// Puts files, the documents of folders, and pages of the web into the queue; only members of the group may see them.
    /// Documents whose files are gone from such a folder are forgotten, unless most of them are: a drive may only be missing, or
    /// the folder of that path may be another one here.
    ///
    /// # Errors
    /// When a path cannot be read, there is no such group, or the database refuses.
    pub async fn enqueue(&self, settings: &Settings, paths: &[PathBuf], group: Option<&str>) -> Result<Queued, EngineError> {
        let mut database = self.database.open().await?;
        let group = database.group(group).await?;
        let (rules, paths) = (documents::Rules::of(settings).0, paths.to_vec());
        let places = blocking(move || paths.iter().map(|path| Given::at(path, &rules)).collect::<Result<Vec<_>, _>>()).await??;
        let mut out = Queued::default();
        for Given { folder, addresses, is_whole } in places {
            if let Some(folder) = folder {
                let (known, gone) = database.count_others(&folder, &addresses, group).await?;
                match !is_whole || gone * 2 > known && (gone > FEW_GONE || addresses.is_empty()) {
                    true => out.kept += gone.unsigned_abs(),
                    false => out.forgotten += database.forget_others(&folder, &addresses, group).await?,
                }
            }
            out.queued += database.enqueue(&addresses, group).await?;
        }
        Ok(out)
    }

    /// Removes files, what was read of folders, and pages of the web, whether or not they are still where they were: for
    /// everybody and for every group, or for one group alone. Without any, all of that group, and the group with it. How many
    /// documents.
    ///
    /// # Errors
    /// When a path is none, there is no such group, or the database refuses.
    pub async fn remove(&self, paths: &[PathBuf], group: Option<&str>) -> Result<u64, EngineError> {
        let mut database = self.database.open().await?;
        if let (true, Some(role)) = (paths.is_empty(), group) {
            return Ok(database.remove_group(role).await?);
        }
        let mut removal = Removal { group: database.group(group).await?, of_all: group.is_none(), ..Removal::default() };
        let paths = paths.to_vec();
        let addresses = blocking(move || paths.iter().map(|path| formerly_at(path)).collect::<Result<Vec<_>, _>>()).await??;
        for (address, folder) in addresses {
            removal.addresses.push(address);
            removal.folders.extend(folder);
        }
        Ok(database.remove_documents(&removal).await?)
    }

    /// How many documents there are that this user may see, and how far the queue is.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn status(&self, failures: u32) -> Result<CorpusStatus, EngineError> {
        Ok(self.database.open().await?.status(failures.into()).await?)
    }

    /// The document of this number, with its text.
    async fn document(&self, number: i64) -> Result<StoredDocument, DatabaseCause> {
        self.database.asked(|database| async move { database.document(number).await }).await?.ok_or(DatabaseCause::NoDocument)
    }

    /// What a document was made from.
    ///
    /// # Errors
    /// When it is not there any more, or the database refuses.
    pub async fn original(&self, number: i64) -> Result<Original, EngineError> {
        let original = self.database.asked(|database| async move { database.original(number).await }).await?;
        let (address, hash) = original.ok_or(DatabaseCause::NoDocument)?;
        let Some(path) = urls::file_path(&address) else { return Ok(Original::Page(address)) };
        // Whoever fills the corpus chooses the path, and must not choose which of the person's own files is opened.
        blocking(move || match path.is_file() && work::hash(&path).is_ok_and(|own| own == hash) {
            true => Original::File(path),
            false => Original::Elsewhere(path),
        })
        .await
    }
}

/// What a source was made from, as far as it can be reached from here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Original {
    File(PathBuf),
    /// A page of the web, or something that has an address of Nexi's own.
    Page(String),
    /// A document of a corpus whose very file this computer does not have by that path.
    Elsewhere(PathBuf),
    Gone,
}

/// What putting files into the queue has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Queued {
    /// Files that wait now and did not before.
    pub queued: u64,
    /// Documents whose files are no longer there.
    pub forgotten: u64,
    /// Those that stay although their files are not here, since so many are missing.
    pub kept: u64,
}

/// Why there is nothing at a path that was named.
fn unread(path: &Path, error: &std::io::Error) -> String {
    say!("arguments-unreadable", path = path.display().to_string(), why = error.to_string())
}

/// The address of what is or was at a path, and how those below it begin; of a page of the web its own alone. What is gone was
/// at this path below whatever of it is still there.
fn formerly_at(path: &Path) -> Result<(String, Option<String>), EngineError> {
    if let Some(page) = web_address(path) {
        return Ok((page.into(), None));
    }
    let whole = std::path::absolute(path).map_err(|error| EngineError::invalid("paths", unread(path, &error)))?;
    let there = whole.ancestors().find_map(|folder| Some((dunce::canonicalize(folder).ok()?, whole.strip_prefix(folder).ok()?)));
    let real = there.map_or_else(|| whole.clone(), |(real, rest)| if rest.as_os_str().is_empty() { real } else { real.join(rest) });
    let no_path = || EngineError::invalid("paths", unread(path, &std::io::ErrorKind::InvalidInput.into()));
    let address = Url::from_file_path(&real).map_err(|()| no_path())?;
    let folder = Url::from_directory_path(&real).map_err(|()| no_path())?;
    Ok((address.into(), Some(folder.into())))
}

/// The page of the web that this is an address of.
fn web_address(given: &Path) -> Option<Url> {
    let mut url = Url::parse(given.to_str()?).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    // A place in a page is no page of its own.
    url.set_fragment(None);
    Some(url)
}

/// A file, a folder with its documents, or a page of the web.
struct Given {
    /// How addresses in the folder begin.
    folder: Option<String>,
    addresses: Vec<String>,
    /// Whether all of it could be looked through.
    is_whole: bool,
}

impl Given {
    fn at(path: &Path, rules: &documents::Rules) -> Result<Self, EngineError> {
        if let Some(page) = web_address(path) {
            return Ok(Self { folder: None, addresses: vec![page.into()], is_whole: true });
        }
        let real = dunce::canonicalize(path).map_err(|error| EngineError::invalid("paths", unread(path, &error)))?;
        let address = |file: &Path| Url::from_file_path(file).ok().map(String::from);
        if !real.is_dir() {
            return Ok(Self { folder: None, addresses: address(&real).into_iter().collect(), is_whole: true });
        }
        let folder = Url::from_directory_path(&real).ok().map(String::from);
        let (entries, is_whole) = documents::all_documents_below(&real, rules);
        Ok(Self { folder, addresses: entries.iter().filter_map(|entry| address(entry.path())).collect(), is_whole })
    }
}
