//! Documents as a reader.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use nexi_core::ports::{Caching, Cause, Failure, OwnCause, Page, ReadOutcome, ReadRequest, Reader};
use nexi_store::DocumentIndex;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{Bibliography, Rules, Scans, SkipReason, file};

/// Reads files, and nothing outside the folders that the user chose.
pub struct DocumentReader {
    index: Arc<DocumentIndex>,
    roots: Vec<PathBuf>,
    /// Files that the person gave along with the question; they may lie anywhere.
    files: Vec<PathBuf>,
    rules: Rules,
}

impl DocumentReader {
    /// Reads below `roots`, which have been through [`super::resolve`].
    pub fn new(index: Arc<DocumentIndex>, roots: Vec<PathBuf>) -> Self {
        Self { index, roots, files: Vec::new(), rules: Rules::default() }
    }

    /// Looks for bibliographies where these patterns let it.
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Reads these files, too. They are as [`std::path::Path::canonicalize`] has them.
    pub fn with_files(self, files: &[PathBuf]) -> Self {
        Self { files: files.to_vec(), ..self }
    }
}

#[async_trait]
impl Reader for DocumentReader {
    fn name(&self) -> &str {
        "documents"
    }

    fn accepts(&self, url: &Url) -> bool {
        url.scheme() == "file"
    }

    async fn read(&self, request: &ReadRequest, cancel: &CancellationToken) -> Result<ReadOutcome, Failure> {
        let url = &request.url;
        let refused = || Failure::because(Cause::NotInFolders);
        let path = url.to_file_path().map_err(|()| refused())?;
        // Resolved before it is compared: neither `..` nor a link leads out.
        let real = dunce::canonicalize(&path).map_err(|_| refused())?;
        let inside = self.roots.iter().any(|root| real.starts_with(root));
        // Only files that were indexed; hidden and ignored ones are never read.
        let given = self.files.contains(&real);
        let known = given || (inside && self.index.contains(&real.to_string_lossy()).unwrap_or(false));
        if inside && !known && real.exists() {
            return Err(Failure::because(left_out(&self.index, &real)));
        }
        if !known || !real.is_file() {
            return Err(refused());
        }
        let (target, rules) = (real.clone(), self.rules.clone());
        // A file that was named on its own is read right away.
        let alone = given || self.roots.contains(&real);
        let (scans, stop) = (Scans::new(self.index.clone(), &self.rules), cancel.clone());
        let root = self.roots.iter().find(|root| real.starts_with(root)).cloned();
        let read = move || {
            let bibliography = root.map(|root| Bibliography::of(&root, &rules));
            let opened =
                file::open(&target, |scanned| if alone { scans.read_now(&target, scanned, &stop) } else { scans.of_file(&target) });
            opened.read.map(|file| file.with(bibliography.as_ref().and_then(|known| known.get(&target))))
        };
        let file = tokio::task::spawn_blocking(read).await.map_err(|_| Failure::because(OwnCause::FileUnread))?;
        let file = file.map_err(|reason| Failure::because(OwnCause::FileNotRead { name: file_name(&real), why: reason.to_string() }))?;
        let changed =
            std::fs::metadata(&real).and_then(|metadata| metadata.modified()).ok().and_then(|time| jiff::Timestamp::try_from(time).ok());
        let url = Url::from_file_path(&real).map_err(|()| refused())?;
        let page = Page {
            url: url.into(),
            title: file.title,
            byline: Some(file.authors.join("; ")).filter(|names| !names.is_empty()),
            // The day of the file says nothing about what it says.
            date: file.date,
            modified: changed.map(|time| time.strftime("%Y-%m-%d").to_string()),
            doi: file.doi,
            text: file.text,
            lines: file.lines,
            paged: file.paged,
            places: file.places,
            ..Page::default()
        };
        // Files are read in no time, and may change at any time.
        Ok(ReadOutcome::Page(Box::new(page), Caching::default()))
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Why a file that lies in one of the folders is not among the documents.
fn left_out(index: &DocumentIndex, path: &Path) -> OwnCause {
    let skipped = index.skipped(&path.to_string_lossy()).unwrap_or_default();
    let name = file_name(path);
    match skipped.first().and_then(|skipped| serde_json::from_str::<SkipReason>(&skipped.reason).ok()) {
        Some(reason) => OwnCause::FileLeftOut { name, why: reason.to_string() },
        None => OwnCause::FileNotListed { name },
    }
}

#[cfg(all(test, unix))]
mod tests {
    use nexi_core::ports::Validators;

    use super::*;

    #[tokio::test]
    async fn nothing_outside_the_folders_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("docs"), folder.path().join("secret.md"));
        std::fs::create_dir(&root).unwrap();
        std::fs::write(&outside, "secret").unwrap();
        std::fs::write(root.join("a b.md"), "# Fine\n\nText.").unwrap();
        std::os::unix::fs::symlink(&outside, root.join("link.md")).unwrap();
        std::fs::write(root.join(".secret.md"), "hidden").unwrap();
        std::fs::write(root.join("ignored.md"), "ignored").unwrap();
        std::fs::write(root.join(".gitignore"), "ignored.md").unwrap();
        let index = Arc::new(DocumentIndex::open(&folder.path().join("d.db")).unwrap());
        let roots = super::super::resolve(std::slice::from_ref(&root));
        super::super::sync(&index, &roots, &Rules::default(), &|_, _| {}).unwrap();
        let reader = DocumentReader::new(index, roots);
        let read = async |path: PathBuf| {
            let url = Url::from_file_path(path).unwrap();
            let request = ReadRequest { url, ahead: None, validators: Validators::default() };
            reader.read(&request, &CancellationToken::new()).await
        };
        let ReadOutcome::Page(page, _) = read(root.join("a b.md")).await.unwrap() else { panic!("no page") };
        assert_eq!(page.title, "Fine");
        for path in [
            outside.clone(),
            root.join("link.md"),
            root.join(".secret.md"),
            root.join("ignored.md"),
            root.join("../secret.md"),
            "/etc/passwd".into(),
        ] {
            assert!(read(path.clone()).await.is_err(), "{}", path.display());
        }
        let sneaky: Url = format!("file://{}/%2e%2e/secret.md", root.display()).parse().unwrap();
        let request = ReadRequest { url: sneaky, ahead: None, validators: Validators::default() };
        assert!(reader.read(&request, &CancellationToken::new()).await.is_err());
    }
}
