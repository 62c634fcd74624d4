use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use nexi_core::ports::{Query, SearchBackend};

use super::super::{DocumentSearch, resolve, sync};
use super::*;

/// Knows a few things by several names, and counts how often it is asked.
#[derive(Default)]
struct Synonyms {
    asked: AtomicUsize,
    fails: bool,
    elsewhere: bool,
}

const SAME: [&[&str]; 4] = [&["car", "automobile", "vehicle"], &["cheap", "inexpensive"], &["doctor", "physician"], &["sea", "ocean"]];

#[async_trait]
impl Embedder for Synonyms {
    fn id(&self) -> &'static str {
        "test/synonyms"
    }

    fn is_local(&self) -> bool {
        !self.elsewhere
    }

    async fn embed(&self, texts: &[String], _: EmbedPurpose, _: &CancellationToken) -> Result<Vec<Vec<f32>>, Failure> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.fails {
            return Err(Failure::of(Fault::Transient, "it could not be reached"));
        }
        let count = |text: &str, names: &[&str]| {
            text.to_lowercase().split(|c: char| !c.is_alphabetic()).filter(|word| names.contains(word)).count()
        };
        let vector = |text: &String| SAME.iter().map(|names| count(text, names) as f32).chain([0.1]).collect();
        Ok(texts.iter().map(vector).collect())
    }
}

struct Place {
    folder: tempfile::TempDir,
    index: Arc<DocumentIndex>,
    roots: Vec<PathBuf>,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs).unwrap();
        let index = Arc::new(DocumentIndex::open(&folder.path().join("d.db")).unwrap());
        let place = Self { roots: resolve(&[docs]), folder, index };
        for (name, text) in files {
            place.write(name, text);
        }
        place.sync();
        place
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join("docs").join(name), text).unwrap();
    }

    fn sync(&self) {
        sync(&self.index, &self.roots, &Default::default(), &|_, _| {}).unwrap();
    }

    async fn build(&self, meaning: &Meaning, goes_on: &(dyn Fn() -> bool + Send + Sync)) -> Built {
        meaning.build(&self.index, &|_, _| {}, goes_on, &CancellationToken::new()).await.unwrap()
    }

    async fn found(&self, meaning: Option<&Meaning>, query: &str) -> Vec<String> {
        let search = DocumentSearch::new(self.index.clone(), &self.roots).with_meaning(meaning.cloned());
        let hits = search.search(&Query::new(query), &CancellationToken::new()).await.unwrap();
        hits.iter().map(|hit| Path::new(&hit.url).file_stem().unwrap().to_string_lossy().into_owned()).collect()
    }
}

/// Forty notes about nothing in particular, and two that matter.
fn notes() -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> =
        (0..40).map(|index| (format!("note{index}.md"), format!("# Note {index}\n\nThe garden needed water on day {index}.\n"))).collect();
    out.push(("drive.md".into(), "# Purchase\n\nWe chose an inexpensive automobile last spring.\n".into()));
    out.push(("clinic.md".into(), "# Visit\n\nThe physician was kind and the waiting room full.\n".into()));
    out
}

fn place() -> Place {
    let notes = notes();
    Place::new(&notes.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>())
}

#[tokio::test]
async fn other_words_for_the_same_thing_are_found() {
    let place = place();
    let meaning = Meaning::new(Arc::new(Synonyms::default()), &place.roots);
    // Words alone do not know it, and neither do vectors that are not there yet.
    assert_eq!(place.found(None, "cheap car").await, [] as [&str; 0]);
    assert_eq!(place.found(Some(&meaning), "cheap car").await, [] as [&str; 0]);
    let built = place.build(&meaning, &|| true).await;
    assert_eq!((built.passages, built.paused), (42, false));
    assert_eq!(place.found(Some(&meaning), "cheap car").await, ["drive"]);
    assert_eq!(place.found(Some(&meaning), "doctor").await, ["clinic"]);
    // What has both the words and the meaning comes before what has one of them.
    assert_eq!(place.found(Some(&meaning), "inexpensive car").await[0], "drive");
    // What is about none of it stays away, as it does without vectors.
    assert_eq!(place.found(Some(&meaning), "quantum chromodynamics").await, [] as [&str; 0]);
}

#[tokio::test]
async fn only_what_is_new_gets_a_vector_and_a_pause_loses_nothing() {
    let place = place();
    let embedder = Arc::new(Synonyms::default());
    let meaning = Meaning::new(embedder.clone(), &place.roots);
    let asked = AtomicUsize::new(0);
    // The power is pulled after the first batch.
    let built = place.build(&meaning, &|| asked.fetch_add(1, Ordering::Relaxed) == 0).await;
    assert_eq!((built.passages, built.paused), (32, true));
    assert_eq!(meaning.count(&place.index, None).await.unwrap(), (42, 10));
    let built = place.build(&meaning, &|| true).await;
    assert_eq!((built.passages, built.paused), (10, false));
    assert_eq!(embedder.asked.load(Ordering::Relaxed), 2);
    assert_eq!(place.build(&meaning, &|| true).await, Built::default());
    place.write("drive.md", "# Purchase\n\nWe sailed the ocean instead.\n");
    place.sync();
    assert_eq!(place.build(&meaning, &|| true).await.passages, 1);
    assert_eq!(place.found(Some(&meaning), "sea").await, ["drive"]);
    assert_eq!(place.found(Some(&meaning), "cheap car").await, [] as [&str; 0]);
}

#[tokio::test]
async fn a_model_that_fails_leaves_the_words() {
    let place = place();
    let meaning = Meaning::new(Arc::new(Synonyms { fails: true, ..Synonyms::default() }), &place.roots);
    let failed = meaning.build(&place.index, &|_, _| {}, &|| true, &CancellationToken::new()).await.unwrap_err();
    assert_eq!(failed.to_string(), "it could not be reached");
    assert_eq!(place.found(Some(&meaning), "inexpensive automobile").await, ["drive"]);
}

#[tokio::test]
async fn a_query_that_may_not_leave_is_not_sent_to_a_service() {
    let place = place();
    for elsewhere in [false, true] {
        let embedder = Arc::new(Synonyms { elsewhere, ..Synonyms::default() });
        let meaning = Meaning::new(embedder.clone(), &place.roots);
        let search = DocumentSearch::new(place.index.clone(), &place.roots).with_meaning(Some(meaning));
        let query = Query { documents_only: true, ..Query::new("inexpensive automobile") };
        let hits = search.search(&query, &CancellationToken::new()).await.unwrap();
        assert_eq!((hits.len(), embedder.asked.load(Ordering::Relaxed)), (1, usize::from(!elsewhere)));
        search.search(&Query::new("car"), &CancellationToken::new()).await.unwrap();
        assert_eq!(embedder.asked.load(Ordering::Relaxed), 1 + usize::from(!elsewhere));
    }
}
