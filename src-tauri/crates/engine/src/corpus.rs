//! A corpus that several people share, in PostgreSQL: asked here; filled by `work`.

mod work;

use std::path::{Path, PathBuf};

use nexi_core::{
    place::PassagePlace,
    ports::Hit,
    rank::{
        Corpus as Counts, Question,
        indexed::{Indexed, order_indexed},
        terms,
    },
    settings::Settings,
    text,
};
use nexi_messages::say;
use nexi_postgres::{Address, Database, Found};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use url::Url;

pub use nexi_postgres::{CorpusStatus, DatabaseProblem, FailedJob, GroupStatus};
pub use work::{Progress, Worked};

use crate::{EngineError, documents, engine::blocking};

/// Passages that the database is asked for, before they are ranked here.
const CANDIDATES: i32 = 100;

/// Where a corpus is, and who asks.
#[derive(Clone)]
pub struct Corpus {
    address: Address,
    password: Option<SecretString>,
}

impl Corpus {
    /// At this address, without connecting yet.
    ///
    /// # Errors
    /// When it is no address, or holds a password.
    pub fn at(address: &str, password: Option<SecretString>) -> Result<Self, EngineError> {
        Ok(Self { address: Address::parse(address)?, password })
    }

    /// The same with a password.
    #[must_use]
    pub fn with_password(self, password: SecretString) -> Self {
        Self { password: Some(password), ..self }
    }

    async fn connect(&self) -> Result<Database, DatabaseProblem> {
        Database::connect(&self.address, self.password.as_ref().map(ExposeSecret::expose_secret)).await
    }

    async fn open(&self) -> Result<Database, DatabaseProblem> {
        let database = self.connect().await?;
        database.check_version().await?;
        Ok(database)
    }

    /// Makes the tables, with groups of those who are members of these roles.
    ///
    /// # Errors
    /// When there are some already, or the user may not make any.
    pub async fn create(&self, groups: &[String]) -> Result<(), EngineError> {
        Ok(self.connect().await?.create_corpus(groups).await?)
    }

    /// Puts files, and the documents of folders, into the queue; only members of the group may see them. Documents whose files are
    /// gone from such a folder are forgotten, unless the folder is empty: its drive may only be missing.
    ///
    /// # Errors
    /// When a path cannot be read, there is no such group, or the database refuses.
    pub async fn enqueue(&self, settings: &Settings, paths: &[PathBuf], group: Option<&str>) -> Result<Queued, EngineError> {
        let database = self.open().await?;
        let group = database.group(group).await?;
        let (rules, paths) = (documents::Rules::of(settings).0, paths.to_vec());
        let places = blocking(move || paths.iter().map(|path| Given::at(path, &rules)).collect::<Result<Vec<_>, _>>()).await??;
        let mut out = Queued::default();
        for Given { folder, addresses } in places {
            if let Some(folder) = folder.filter(|_| !addresses.is_empty()) {
                out.forgotten += database.forget_others(&folder, &addresses, group).await?;
            }
            out.queued += database.enqueue(&addresses, group).await?;
        }
        Ok(out)
    }

    /// How many documents there are that this user may see, and how far the queue is.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn status(&self, failures: u32) -> Result<CorpusStatus, EngineError> {
        Ok(self.open().await?.status(failures.into()).await?)
    }

    /// Passages that answer a question, best first.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn search(&self, question: &str, most: usize) -> Result<Vec<Hit>, EngineError> {
        let found = self.open().await?.candidates(question, CANDIDATES).await?;
        let question = question.to_owned();
        blocking(move || ranked(&question, &found, most)).await
    }
}

/// What putting files into the queue has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Queued {
    /// Files that wait now and did not before.
    pub queued: u64,
    /// Documents whose files are no longer there.
    pub forgotten: u64,
}

/// A file, or a folder with its documents.
struct Given {
    /// How addresses in the folder begin.
    folder: Option<String>,
    addresses: Vec<String>,
}

impl Given {
    fn at(path: &Path, rules: &documents::Rules) -> Result<Self, EngineError> {
        let unread = |error: std::io::Error| say!("arguments-unreadable", path = path.display().to_string(), why = error.to_string());
        let real = path.canonicalize().map_err(|error| EngineError::invalid("paths", unread(error)))?;
        let address = |file: &Path| Url::from_file_path(file).ok().map(String::from);
        if !real.is_dir() {
            return Ok(Self { folder: None, addresses: address(&real).into_iter().collect() });
        }
        let folder = Url::from_directory_path(&real).ok().map(String::from);
        Ok(Self { folder, addresses: documents::documents_below(&real, rules).filter_map(|entry| address(entry.path())).collect() })
    }
}

/// What the database has found, in the order in which documents of this computer would stand.
fn ranked(question: &str, found: &[Found], most: usize) -> Vec<Hit> {
    let question = Question::new(question);
    let above = |found: &Found| format!("{} {} {}", found.title, found.heading, documents::name_words(&found.address));
    let units: Vec<_> = found.iter().map(|found| (terms::terms(&above(found)), terms::terms(&found.body))).collect();
    let titles: Vec<Vec<&str>> = found.iter().map(|found| documents::titles(&found.title, &found.heading)).collect();
    let counts = Counts::from_units(&question, units.iter().map(|(_, body)| body.as_slice()));
    let indexed: Vec<Indexed<'_>> = found
        .iter()
        .zip(&units)
        .zip(&titles)
        .map(|((found, (above, terms)), titles)| Indexed { score: found.score, share: 1.0, titles, body: &found.body, terms, above })
        .collect();
    let order = order_indexed(&question, &counts, &indexed);
    let relevant = order.into_iter().filter(|(_, coverage)| *coverage >= documents::RELEVANT).map(|(place, _)| &found[place]);
    documents::spread(relevant, |found| found.document).take(most).map(hit).collect()
}

fn hit(found: &Found) -> Hit {
    Hit {
        title: found.title.clone(),
        url: found.address.clone(),
        snippet: text::fold_space(&found.body),
        date: found.date.clone(),
        place: serde_json::from_value::<PassagePlace>(found.place.clone()).ok().filter(|place| place.from > 0),
        ..Hit::default()
    }
}

#[cfg(test)]
mod tests {
    use nexi_messages::{Language, Messages};
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_that_can_be_wrong_with_a_database_has_a_message() {
        let text = || "x".to_owned();
        let all = [
            DatabaseProblem::BadAddress { message: text() },
            DatabaseProblem::PasswordInAddress,
            DatabaseProblem::Unencrypted { host: text() },
            DatabaseProblem::Unreached { host: text(), message: text() },
            DatabaseProblem::NoTls { host: text(), message: text() },
            DatabaseProblem::PasswordMissing { user: text() },
            DatabaseProblem::WrongPassword { host: text(), user: text() },
            DatabaseProblem::NoDatabase { name: text() },
            DatabaseProblem::OldServer { found: text() },
            DatabaseProblem::NoCorpus,
            DatabaseProblem::CorpusExists,
            DatabaseProblem::OtherVersion { found: 2, known: 1 },
            DatabaseProblem::NoGroup { role: text() },
            DatabaseProblem::NoRole { role: text() },
            DatabaseProblem::NotAllowed { user: text(), message: text() },
            DatabaseProblem::Gone { host: text(), message: text() },
            DatabaseProblem::Refused { message: text() },
        ];
        for problem in all {
            let code = serde_json::to_value(&problem).unwrap()["code"].as_str().unwrap().to_owned();
            for language in Language::ALL {
                assert!(Messages::of(language).has(&format!("corpus-problem.{code}")), "{code}");
            }
            // Panics where something that the sentence needs is missing.
            assert!(!EngineError::from(problem).to_string().is_empty());
        }
    }

    #[test]
    fn candidates_stand_in_the_order_of_documents() {
        let found = |document: i64, ordinal: i32, body: &str, score: f64| Found {
            document,
            ordinal,
            heading: String::new(),
            body: body.into(),
            place: json!({"from": 3, "to": 4}),
            score,
            title: format!("Report {document}"),
            address: format!("file:///srv/report{document}.md"),
            date: None,
        };
        let all = [
            found(1, 1, "The weather was fine in all of May.", 3.0),
            found(2, 1, "The lease of the old mill ends in March, and the mill is sold.", 2.0),
            found(2, 2, "The mill has two wheels.", 1.9),
            found(2, 3, "A mill of this kind is rare.", 1.8),
            found(3, 1, "A lease of land near the mill was refused.", 1.0),
        ];
        let hits = ranked("When does the lease of the mill end?", &all, 3);
        let urls: Vec<&str> = hits.iter().map(|hit| hit.url.as_str()).collect();
        assert_eq!(urls[0], "file:///srv/report2.md", "{hits:?}");
        assert!(urls.contains(&"file:///srv/report3.md") && !urls.contains(&"file:///srv/report1.md"), "{hits:?}");
        assert_eq!(hits[0].place.as_ref().map(|place| (place.from, place.to)), Some((3, 4)));
    }
}
