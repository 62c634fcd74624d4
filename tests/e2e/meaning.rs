//! Documents that are found by what they mean, and what of them is sent where.

use nexi_testkit::{EmbeddingServer, FileServer};

use crate::support::{KEY, Place, json, stderr, stdout};

/// Forty notes about nothing in particular, and one that matters.
fn write_notes(place: &Place) {
    let folder = place.path("notes");
    std::fs::create_dir_all(&folder).unwrap();
    for index in 0..40 {
        std::fs::write(folder.join(format!("note{index}.md")), format!("# Note {index}\n\nThe garden needed water on day {index}.\n"))
            .unwrap();
    }
    std::fs::write(folder.join("drive.md"), "# Purchase\n\nWe chose an inexpensive automobile last spring.\n").unwrap();
}

fn settings(place: &Place, embeddings: &str, provider: &str) -> String {
    format!(
        "search_backends = [\"documents\"]\n[documents]\nfolders = [\"{}\"]\n[embeddings]\n{embeddings}\n[providers.work]\ntype = \"openai_compatible\"\n\
         model = \"chat\"\napi_key_env = \"TEST_KEY\"\n{provider}\n",
        place.path("notes").display()
    )
}

fn found(place: &Place, query: &str) -> Vec<String> {
    let output = place.run(&["search", query, "--json"]);
    let report = json(&output);
    let results = report["searches"][0]["results"].as_array().cloned().unwrap_or_default();
    let name = |result: &serde_json::Value| result["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    results.iter().map(name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_on_this_computer_finds_other_words_for_the_same_thing() {
    let server = EmbeddingServer::start().await;
    let place = Place::new("");
    write_notes(&place);
    let write = |embeddings: &str| {
        let text = settings(&place, embeddings, &format!("base_url = \"{}/v1\"", server.base_url));
        std::fs::write(place.path("config.toml"), text).unwrap();
    };
    write("");
    let off = place.run(&["docs", "embed"]);
    assert!(off.status.code() == Some(2) && stderr(&off).contains("embeddings.model: is not set"), "{}", stderr(&off));
    assert!(stdout(&place.run(&["docs", "status"])).contains("nexi docs fetch"));
    assert_eq!(found(&place, "cheap car"), [] as [&str; 0]);
    assert_eq!(server.texts(), [] as [&str; 0]);

    write("model = \"work/embed-1\"");
    let embedded = place.run(&["docs", "embed"]);
    assert!(embedded.status.success() && stdout(&embedded).contains("also found by meaning, with work/embed-1"), "{}", stderr(&embedded));
    let sent = server.texts().len();
    assert!(sent > 41 && server.texts().iter().any(|text| text.contains("inexpensive automobile")), "{sent}");
    assert!(server.keys().iter().all(|key| key.as_deref() == Some(KEY)));
    assert_eq!(found(&place, "cheap car"), ["drive.md"]);
    // Nothing is sent twice, and a question is answered from what was found.
    assert!(stdout(&place.run(&["docs", "embed"])).starts_with("0 passages"));
    assert_eq!(server.texts().len(), sent + 1, "the query of the search");
    let status = json(&place.run(&["docs", "status", "--json"]));
    assert_eq!(status["meaning"]["state"]["kind"], "ready", "{status}");
    assert_eq!(status["meaning"]["vectors"], status["meaning"]["passages"]);

    // A service that is gone leaves the words.
    server.set_failing(true);
    assert_eq!(found(&place, "inexpensive automobile"), ["drive.md"]);
    std::fs::write(place.path("notes/new.md"), "# New\n\nSomething new.\n").unwrap();
    let failed = place.run(&["docs", "embed"]);
    assert!(failed.status.code() == Some(1) && stderr(&failed).contains("this model is not loaded"), "{}", stderr(&failed));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_to_another_computer_before_the_person_allows_it() {
    let server = EmbeddingServer::start().await;
    let place = Place::new("");
    write_notes(&place);
    // The name is known to the proxy alone, which is the service.
    let elsewhere = format!("base_url = \"http://embeddings.example/v1\"\n[network]\nproxy = \"{}\"", server.base_url);
    let write = |folders: &[&str]| {
        let mut text = settings(&place, "model = \"work/embed-1\"", &elsewhere);
        if !folders.is_empty() {
            let all: Vec<String> = folders.iter().map(|name| format!("{:?}", place.path(name).display().to_string())).collect();
            let own = format!("folders = [{:?}]", place.path("notes").display().to_string());
            text = text.replace(&own, &format!("folders = [{}]", all.join(", ")));
        }
        std::fs::write(place.path("config.toml"), text).unwrap();
    };
    write(&[]);
    let asked = place.run(&["docs", "embed"]);
    let said = stderr(&asked);
    assert!(asked.status.code() == Some(2) && said.contains("embeddings.remote_folders") && said.contains("notes"), "{said}");
    assert_eq!(found(&place, "inexpensive automobile"), ["drive.md"]);
    assert_eq!(server.texts(), [] as [&str; 0]);
    let status = stdout(&place.run(&["docs", "status"]));
    assert!(status.contains("none of your folders may be sent to work/embed-1"), "{status}");

    let allowed = place.run(&["docs", "embed", "--yes"]);
    assert!(allowed.status.success(), "{}", stderr(&allowed));
    assert_eq!(found(&place, "cheap car"), ["drive.md"]);
    let config = std::fs::read_to_string(place.path("config.toml")).unwrap();
    assert!(config.contains("remote_folders"), "{config}");

    // A question may quote a folder that is kept back, so none is sent while one is searched.
    std::fs::create_dir_all(place.path("secret")).unwrap();
    std::fs::write(place.path("secret/diary.md"), "# Diary\n\nThe canary sings at noon.\n").unwrap();
    let both = config.replace(
        &format!("folders = [{:?}]\n[embeddings]", place.path("notes").display().to_string()),
        &format!(
            "folders = [{:?}, {:?}]\n[embeddings]",
            place.path("notes").display().to_string(),
            place.path("secret").display().to_string()
        ),
    );
    assert_ne!(both, config);
    std::fs::write(place.path("config.toml"), both).unwrap();
    let before = server.texts().len();
    assert_eq!(found(&place, "when does the canary sing"), ["diary.md"]);
    let unasked = place.run(&["docs", "embed"]);
    assert!(unasked.status.code() == Some(2) && stderr(&unasked).contains("secret"), "{}", stderr(&unasked));
    assert!(server.texts().len() == before && !server.texts().iter().any(|text| text.contains("canary")), "{:?}", server.texts().last());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_fetched_as_published_or_not_at_all() {
    let server = FileServer::start(b"not the model".to_vec(), 0, true).await;
    let place = Place::new("");
    let fetch = |model: &str| place.nexi(&["docs", "fetch", model]).env("HF_ENDPOINT", &server.base_url).output().unwrap();
    let unknown = fetch("local/gpt-5");
    assert!(unknown.status.code() == Some(2) && stderr(&unknown).contains("local/multilingual-e5-small"), "{}", stderr(&unknown));
    for model in ["local/all-MiniLM-L6-v2", "local/multilingual-e5-small"] {
        let failed = fetch(model);
        assert!(failed.status.code() == Some(1) && !stderr(&failed).is_empty(), "{}", stderr(&failed));
        let config = std::fs::read_to_string(place.path("config.toml")).unwrap();
        assert!(!config.contains("embeddings"), "{config}");
    }
    // Settings that name a model that is not there yet say what to do, and break nothing.
    std::fs::write(place.path("config.toml"), "[documents]\nfolders = [\"~\"]\n[embeddings]\nmodel = \"local/all-MiniLM-L6-v2\"\n")
        .unwrap();
    let status = stdout(&place.run(&["docs", "status"]));
    assert!(status.contains("nexi docs fetch local/all-MiniLM-L6-v2"), "{status}");
    let doctor = stdout(&place.run(&["doctor", "--offline"]));
    assert!(doctor.contains("meaning: The embedding model local/all-MiniLM-L6-v2 is not there yet"), "{doctor}");
    assert!(place.run(&["ask", "Where does Nexi keep my keys?"]).status.success());
    let embed = place.run(&["docs", "embed"]);
    assert!(embed.status.code() == Some(1) && stderr(&embed).contains("config.json"), "{}", stderr(&embed));
}
