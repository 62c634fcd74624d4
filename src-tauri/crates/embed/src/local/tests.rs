use std::collections::BTreeMap;

use super::*;

/// A model of the given size with numbers that look random, the same every time.
fn small_model(folder: &Path, kind: &str) {
    const SIZE: usize = 8;
    const WIDE: usize = 16;
    const WORDS: usize = 12;
    const POSITIONS: usize = 20;
    let mut shapes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut both = |name: &str, out: usize, into: usize| {
        shapes.insert(format!("{name}.weight"), vec![out, into]);
        shapes.insert(format!("{name}.bias"), vec![out]);
    };
    for index in 0..2 {
        for part in ["query", "key", "value"] {
            both(&format!("encoder.layer.{index}.attention.self.{part}"), SIZE, SIZE);
        }
        both(&format!("encoder.layer.{index}.attention.output.dense"), SIZE, SIZE);
        both(&format!("encoder.layer.{index}.intermediate.dense"), WIDE, SIZE);
        both(&format!("encoder.layer.{index}.output.dense"), SIZE, WIDE);
    }
    let norms = [
        "embeddings",
        "encoder.layer.0.attention.output",
        "encoder.layer.0.output",
        "encoder.layer.1.attention.output",
        "encoder.layer.1.output",
    ];
    for norm in norms {
        for part in ["weight", "bias"] {
            shapes.insert(format!("{norm}.LayerNorm.{part}"), vec![SIZE]);
        }
    }
    for (table, rows) in [("word", WORDS), ("position", POSITIONS), ("token_type", 2)] {
        shapes.insert(format!("embeddings.{table}_embeddings.weight"), vec![rows, SIZE]);
    }
    let (mut header, mut numbers, mut seed) = (serde_json::Map::new(), Vec::<u8>::new(), 1_u32);
    for (name, shape) in &shapes {
        let from = numbers.len();
        for _ in 0..shape.iter().product::<usize>() {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            numbers.extend(((seed >> 8) as f32 / 8_388_608.0 - 1.0).to_le_bytes());
        }
        let prefix = if kind == "bert" { "" } else { "roberta." };
        header.insert(
            format!("{prefix}{name}"),
            serde_json::json!({ "dtype": "F32", "shape": shape, "data_offsets": [from, numbers.len()] }),
        );
    }
    let header = serde_json::to_vec(&header).unwrap();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header);
    file.extend(numbers);
    std::fs::write(folder.join("model.safetensors"), file).unwrap();
    let config = serde_json::json!({
        "model_type": kind, "hidden_size": SIZE, "num_attention_heads": 2, "num_hidden_layers": 2,
        "max_position_embeddings": POSITIONS, "pad_token_id": 1, "layer_norm_eps": 1e-12, "hidden_act": "gelu",
    });
    std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let words = ["[UNK]", "a", "b", "c", "d", "e", "f", "g", "h", "query", "passage", ":"];
    let vocabulary: BTreeMap<&str, usize> = words.iter().enumerate().map(|(id, word)| (*word, id)).collect();
    let tokenizer = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": { "type": "Whitespace" }, "post_processor": null, "decoder": null,
        "model": { "type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]" },
    });
    std::fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
}

async fn vectors(embedder: &LocalEmbedder, texts: &[&str]) -> Vec<Vec<f32>> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    embedder.embed(&texts, EmbedPurpose::Passage, &CancellationToken::new()).await.unwrap()
}

fn same(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4)
}

#[tokio::test]
async fn a_text_has_one_vector_whatever_stands_beside_it() {
    for kind in ["bert", "xlm-roberta"] {
        let folder = tempfile::tempdir().unwrap();
        small_model(folder.path(), kind);
        let embedder = LocalEmbedder::open(folder.path()).unwrap();
        let long = "a b c d e f g h a b c d e f g h a b c d e f g h";
        let together = vectors(&embedder, &["a b c", long, "", "d", "a b c"]).await;
        let lengths: Vec<f32> = together.iter().map(|vector| vector.iter().map(|number| number * number).sum()).collect();
        // This tokenizer makes nothing of an empty text, and what is nothing points nowhere.
        assert!(same(&lengths, &[1.0, 1.0, 0.0, 1.0, 1.0]), "{kind}: {lengths:?}");
        assert!(same(&together[0], &together[4]) && !same(&together[0], &together[3]), "{kind}");
        for (place, text) in ["a b c", long, "", "d"].into_iter().enumerate() {
            assert!(same(&vectors(&embedder, &[text]).await[0], &together[place]), "{kind}: {text:?}");
        }
        // Words in another order say something else.
        assert!(!same(&vectors(&embedder, &["c b a"]).await[0], &together[0]), "{kind}");
    }
}

#[tokio::test]
async fn questions_and_passages_are_told_apart_where_the_model_wants_it() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, e5) = (folder.path().join("small"), folder.path().join("my-e5-small"));
    for folder in [&plain, &e5] {
        std::fs::create_dir(folder).unwrap();
        small_model(folder, "bert");
    }
    let both = async |folder: &Path| {
        let embedder = LocalEmbedder::open(folder).unwrap();
        let (cancel, texts) = (CancellationToken::new(), ["a b".to_owned()]);
        let one = |purpose| embedder.embed(&texts, purpose, &cancel);
        (one(EmbedPurpose::Query).await.unwrap(), one(EmbedPurpose::Passage).await.unwrap())
    };
    let (query, passage) = both(&plain).await;
    assert_eq!(query, passage);
    let (query, passage) = both(&e5).await;
    assert_ne!(query, passage);
    std::fs::write(plain.join("config_sentence_transformers.json"), r#"{"prompts":{"query":"query : ","document":"a "}}"#).unwrap();
    let (query, passage) = both(&plain).await;
    assert_ne!(query, passage);
    std::fs::create_dir(plain.join("1_Pooling")).unwrap();
    std::fs::write(plain.join("1_Pooling/config.json"), r#"{"pooling_mode_cls_token":true}"#).unwrap();
    assert_ne!(both(&plain).await.0, query);
}

#[tokio::test]
async fn what_is_wrong_with_a_model_is_said_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let missing = LocalEmbedder::open(folder.path()).err().unwrap().to_string();
    assert!(missing.contains("config.json"), "{missing}");
    small_model(folder.path(), "bert");
    let id = LocalEmbedder::open(folder.path()).unwrap().id().to_owned();
    let say = async || {
        let embedder = LocalEmbedder::open(folder.path()).unwrap();
        embedder.embed(&["a".to_owned()], EmbedPurpose::Query, &CancellationToken::new()).await.unwrap_err().message
    };
    let weights = folder.path().join("model.safetensors");
    let whole = std::fs::read(&weights).unwrap();
    for (bytes, wanted) in [
        (whole[..whole.len() - 4].to_vec(), "damaged"),
        (whole[..20].to_vec(), "damaged"),
        (vec![255; 100], "damaged"),
        (Vec::new(), "damaged"),
        ([&2_u64.to_le_bytes()[..], b"{}"].concat(), "not a model"),
    ] {
        std::fs::write(&weights, bytes).unwrap();
        let said = say().await;
        assert!(said.contains(wanted) && said.contains("model.safetensors"), "{said}");
    }
    std::fs::write(&weights, &whole).unwrap();
    // Other weights are another model.
    let mut other = whole.clone();
    *other.last_mut().unwrap() ^= 1;
    std::fs::write(&weights, other).unwrap();
    assert_ne!(LocalEmbedder::open(folder.path()).unwrap().id(), id);
    std::fs::write(folder.path().join("tokenizer.json"), "{}").unwrap();
    assert!(say().await.contains("tokenizer.json"));
    std::fs::write(folder.path().join("config.json"), r#"{"model_type":"gpt2"}"#).unwrap();
    assert!(say().await.contains("config.json"));
}

#[tokio::test]
async fn work_that_is_cancelled_ends() {
    let folder = tempfile::tempdir().unwrap();
    small_model(folder.path(), "bert");
    let embedder = LocalEmbedder::open(folder.path()).unwrap();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let failure = embedder.embed(&["a".to_owned()], EmbedPurpose::Query, &cancel).await.unwrap_err();
    assert_eq!(failure, Failure::cancelled());
    assert_eq!(embedder.embed(&[], EmbedPurpose::Query, &CancellationToken::new()).await.unwrap(), Vec::<Vec<f32>>::new());
}
