//! Vectors from services, and files that are fetched once.

use std::time::Duration;

use nexi_core::ports::{EmbedPurpose, Embedder, Fault};
use nexi_core::settings::Route;
use nexi_testkit::{EmbeddingServer, FileServer};
use nexi_web::{
    Registry, Service,
    client::{ApiClient, Download},
    embedding::{EmbeddingApi, EmbeddingService},
};
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

fn service(base: &str, key: Option<&str>) -> Service {
    let client = ApiClient::new(Duration::from_secs(5), &Route::default()).unwrap();
    let mut service = Service::new("work".into(), base, client, Registry::default().of("work"));
    service.keys = key.into_iter().map(|key| SecretString::from(key.to_owned())).collect();
    service
}

fn texts(count: usize) -> Vec<String> {
    (0..count).map(|index| if index % 2 == 0 { format!("car {index}") } else { format!("ocean {index}") }).collect()
}

#[tokio::test]
async fn every_text_gets_its_own_vector_in_either_format() {
    let server = EmbeddingServer::start().await;
    for (api, path, id) in
        [(EmbeddingApi::OpenAi, "/v1", "work/text-embedding-3-small"), (EmbeddingApi::Ollama, "/v1/", "work/nomic-embed-text")]
    {
        let model = id.split('/').next_back().unwrap();
        let embedder = EmbeddingService::new(id, api, model, service(&format!("{}{path}", server.base_url), Some("sk-1")), true);
        assert_eq!((embedder.id(), embedder.is_local()), (id, true));
        // More than one request holds.
        let vectors = embedder.embed(&texts(70), EmbedPurpose::Passage, &CancellationToken::new()).await.unwrap();
        assert_eq!(vectors.len(), 70);
        assert!(vectors.iter().enumerate().all(|(index, vector)| (vector[0] > 0.0) == (index % 2 == 0)), "{vectors:?}");
        embedder.embed(&["a".repeat(9000)], EmbedPurpose::Query, &CancellationToken::new()).await.unwrap();
    }
    let sent = server.texts();
    assert_eq!((sent[0].as_str(), sent[70].len()), ("car 0", 8000));
    // This family of models wants to know what a text is for.
    assert!(sent[71] == "search_document: car 0" && sent[141].starts_with("search_query: a"), "{:?}", &sent[71]);
    assert!(server.keys().iter().all(|key| key.as_deref() == Some("sk-1")));
}

#[tokio::test]
async fn a_refusal_is_passed_on_in_the_words_of_the_service() {
    let server = EmbeddingServer::start().await;
    server.set_failing(true);
    let embedder = EmbeddingService::new("work/m", EmbeddingApi::OpenAi, "m", service(&format!("{}/v1", server.base_url), None), false);
    let failure = embedder.embed(&texts(1), EmbedPurpose::Query, &CancellationToken::new()).await.unwrap_err();
    assert!(failure.message.contains("this model is not loaded"), "{failure}");
}

/// Of 30 letters a, as the sha256sum of coreutils gives it.
const SHA30: &str = "3a54fc0cbc0b0ef48b6507b7788096235d10292dd3ae24e22f5aa062d4f9864a";

#[tokio::test]
async fn a_file_is_fetched_on_where_it_broke_off() {
    let bytes = vec![b'a'; 30];
    for knows_ranges in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("models/one/model.safetensors");
        let server = FileServer::start(bytes.clone(), 1, knows_ranges).await;
        let url = format!("{}/file", server.base_url);
        let download = Download { url: &url, size: 30, sha256: SHA30 };
        let fetch = async || download.fetch(&path, &Route::default(), &|_| {}, &CancellationToken::new()).await;
        let broken = fetch().await.unwrap_err();
        assert!(broken.fault == Fault::Transient && broken.message.contains("ended early") && !path.exists(), "{broken}");
        fetch().await.unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        assert_eq!(server.ranges(), [None, Some("bytes=15-".into())]);
        // What is there is not fetched again.
        fetch().await.unwrap();
        assert_eq!(server.ranges().len(), 2);
    }
}

#[tokio::test]
async fn another_file_than_the_known_one_is_thrown_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    for bytes in [vec![b'b'; 30], vec![b'a'; 31]] {
        let server = FileServer::start(bytes, 0, true).await;
        let url = format!("{}/file", server.base_url);
        let download = Download { url: &url, size: 30, sha256: SHA30 };
        let failure = download.fetch(&path, &Route::default(), &|_| {}, &CancellationToken::new()).await.unwrap_err();
        assert!(failure.message.contains("another file"), "{failure}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
    let download = Download { url: "http://127.0.0.1:9/file", size: 30, sha256: SHA30 };
    let failure = download.fetch(&path, &Route::default(), &|_| {}, &CancellationToken::new()).await.unwrap_err();
    assert!(failure.message.contains("127.0.0.1"), "{failure}");
}
