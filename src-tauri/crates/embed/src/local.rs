//! A model in a folder, loaded when it is first needed and let go when it has had nothing to do for a while.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use candle_core::{DType, Tensor};
use data_encoding::HEXLOWER;
use nexi_core::ports::{EmbedPurpose, Embedder, Failure};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokenizers::{Tokenizer, TruncationParams};
use tokio_util::sync::CancellationToken;

use crate::{
    KnownModel, ModelFault,
    bert::{Bert, Config, mask},
    tensors::Tensors,
};

/// The files that a model's folder must hold.
pub const FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// Tokens of a text that are looked at.
const MAX_TOKENS: usize = 512;
/// Tokens that the model works on at once, filling included; more need more memory and save no time.
const AT_ONCE: usize = 2048;
/// How long a model stays in memory that nobody asks.
const IDLE: Duration = Duration::from_secs(120);

/// An embedding model that runs on this computer.
pub struct LocalEmbedder {
    id: String,
    inner: Arc<Inner>,
}

struct Inner {
    folder: PathBuf,
    prompts: Prompts,
    loaded: Mutex<Option<Loaded>>,
    threads: rayon::ThreadPool,
}

struct Loaded {
    model: Bert,
    tokenizer: Tokenizer,
    pooling: Pooling,
    max_tokens: usize,
    used: Instant,
}

/// What is put before a text, so that the model knows what it is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Prompts {
    query: String,
    passage: String,
}

/// How the vectors of tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pooling {
    Mean,
    /// That of the first token.
    First,
}

impl LocalEmbedder {
    /// A model in a folder with the files of [`FILES`]. Nothing is loaded yet.
    ///
    /// # Errors
    /// When a file is not there.
    pub fn open(folder: &Path) -> Result<Self, ModelFault> {
        for file in FILES {
            let path = folder.join(file);
            std::fs::metadata(&path).map_err(|error| ModelFault::unreadable(&path, &error))?;
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let known = KnownModel::find(&name).filter(|known| is_size_of(folder, known));
        let id = match known {
            Some(known) => format!("local/{}", known.name),
            // Another model in a folder of the same name must not be taken for this one.
            None => format!("local/{name}@{}", mark(folder)?),
        };
        // A person goes on working while documents are embedded.
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(cores.div_ceil(2))
            .thread_name(|_| "embedding".into())
            .build()
            .map_err(|error| ModelFault::Read(error.to_string()))?;
        let inner = Inner { folder: folder.to_owned(), prompts: Prompts::of(folder, &name), loaded: Mutex::new(None), threads };
        Ok(Self { id, inner: Arc::new(inner) })
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    fn is_local(&self) -> bool {
        true
    }

    async fn embed(&self, texts: &[String], purpose: EmbedPurpose, cancel: &CancellationToken) -> Result<Vec<Vec<f32>>, Failure> {
        let (inner, cancel) = (self.inner.clone(), cancel.clone());
        let prompt = match purpose {
            EmbedPurpose::Query => &inner.prompts.query,
            EmbedPurpose::Passage => &inner.prompts.passage,
        };
        let texts: Vec<String> = texts.iter().map(|text| format!("{prompt}{text}")).collect();
        let work = inner.clone();
        let vectors = tokio::task::spawn_blocking(move || work.embed(&texts, &cancel))
            .await
            .map_err(|_| Failure::new("the embedding model stopped unexpectedly."))??;
        tokio::spawn(async move {
            tokio::time::sleep(IDLE + Duration::from_secs(1)).await;
            inner.let_go();
        });
        Ok(vectors)
    }
}

impl Inner {
    fn embed(&self, texts: &[String], cancel: &CancellationToken) -> Result<Vec<Vec<f32>>, Failure> {
        let mut guard = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = match guard.as_mut() {
            Some(loaded) => loaded,
            None => guard.insert(Loaded::new(&self.folder)?),
        };
        loaded.used = Instant::now();
        let out = self.threads.install(|| loaded.embed(texts, cancel));
        loaded.used = Instant::now();
        out
    }

    fn let_go(&self) {
        // One that is at work is not idle.
        if let Ok(mut loaded) = self.loaded.try_lock()
            && loaded.as_ref().is_some_and(|loaded| loaded.used.elapsed() >= IDLE)
        {
            *loaded = None;
        }
    }
}

impl Loaded {
    fn new(folder: &Path) -> Result<Self, ModelFault> {
        let path = folder.join("config.json");
        let text = std::fs::read(&path).map_err(|error| ModelFault::unreadable(&path, &error))?;
        let config: Config = serde_json::from_slice(&text).map_err(|_| ModelFault::Unsupported(path.clone()))?;
        if !config.is_supported() {
            return Err(ModelFault::Unsupported(path));
        }
        let path = folder.join("tokenizer.json");
        let mut tokenizer = Tokenizer::from_file(&path).map_err(|_| ModelFault::Damaged(path.clone()))?;
        let max_tokens = config.max_tokens().min(MAX_TOKENS);
        let truncation = TruncationParams { max_length: max_tokens, ..TruncationParams::default() };
        tokenizer.with_truncation(Some(truncation)).map_err(|_| ModelFault::Damaged(path))?;
        tokenizer.with_padding(None);
        let pooling = Pooling::of(folder);
        let model = Bert::load(Tensors::open(&folder.join("model.safetensors"))?, config)?;
        Ok(Self { model, tokenizer, pooling, max_tokens, used: Instant::now() })
    }

    fn embed(&self, texts: &[String], cancel: &CancellationToken) -> Result<Vec<Vec<f32>>, Failure> {
        let unusual = |error: tokenizers::Error| ModelFault::Read(error.to_string());
        let mut tokens = Vec::with_capacity(texts.len());
        for (place, text) in texts.iter().enumerate() {
            let mut ids = self.tokenizer.encode(text.as_str(), true).map_err(unusual)?.get_ids().to_vec();
            ids.truncate(self.max_tokens);
            tokens.push((place, ids));
        }
        // Texts of one length stand together: filling is work, too.
        tokens.sort_by_key(|(_, ids)| ids.len());
        let mut out = vec![Vec::new(); texts.len()];
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            if cancel.is_cancelled() {
                return Err(Failure::cancelled());
            }
            let fits = |count: &usize| *count == 1 || *count * rest[*count - 1].1.len() <= AT_ONCE;
            let count = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
            let (batch, later) = rest.split_at(count);
            let vectors = self.run(batch)?;
            for ((place, _), vector) in batch.iter().zip(vectors) {
                out[*place] = vector;
            }
            rest = later;
        }
        Ok(out)
    }

    fn run(&self, batch: &[(usize, Vec<u32>)]) -> Result<Vec<Vec<f32>>, ModelFault> {
        let length = batch.iter().map(|(_, ids)| ids.len()).max().unwrap_or_default().max(1);
        let filled = |with: fn(u32) -> u32| -> Vec<Vec<u32>> {
            let row = |(_, ids): &(usize, Vec<u32>)| {
                let mut row: Vec<u32> = ids.iter().map(|id| with(*id)).collect();
                row.resize(length, 0);
                row
            };
            batch.iter().map(row).collect()
        };
        let mask = mask(filled(|_| 1))?;
        let state = self.model.forward(&filled(|id| id), &mask)?;
        let pooled = match self.pooling {
            Pooling::First => state.narrow(1, 0, 1)?.squeeze(1)?,
            Pooling::Mean => {
                let weights = mask.to_dtype(DType::F32)?.unsqueeze(2)?;
                let sum = state.broadcast_mul(&weights)?.sum(1)?;
                sum.broadcast_div(&weights.sum(1)?.clamp(1.0, f32::MAX)?)?
            }
        };
        let length: Tensor = pooled.sqr()?.sum_keepdim(1)?.sqrt()?.clamp(1e-12, f32::MAX)?;
        Ok(pooled.broadcast_div(&length)?.to_vec2()?)
    }
}

impl Prompts {
    /// What the model's publisher says, or what is known of its family.
    fn of(folder: &Path, name: &str) -> Self {
        #[derive(Deserialize)]
        struct Published {
            #[serde(default)]
            prompts: std::collections::HashMap<String, String>,
        }
        let published = std::fs::read(folder.join("config_sentence_transformers.json")).ok();
        let prompts = published.and_then(|text| serde_json::from_slice::<Published>(&text).ok()).map(|published| published.prompts);
        let of = |names: &[&str]| prompts.as_ref().and_then(|prompts| names.iter().find_map(|name| prompts.get(*name)).cloned());
        let is_e5 = name.to_lowercase().split(['-', '_']).any(|part| part == "e5");
        let family = |prompt: &str| if is_e5 { prompt.to_owned() } else { String::new() };
        Self {
            query: of(&["query"]).unwrap_or_else(|| family("query: ")),
            passage: of(&["passage", "document"]).unwrap_or_else(|| family("passage: ")),
        }
    }
}

impl Pooling {
    fn of(folder: &Path) -> Self {
        #[derive(Deserialize)]
        struct Published {
            #[serde(default)]
            pooling_mode_cls_token: bool,
        }
        let published = std::fs::read(folder.join("1_Pooling").join("config.json")).ok();
        let first = published.and_then(|text| serde_json::from_slice::<Published>(&text).ok());
        if first.is_some_and(|published| published.pooling_mode_cls_token) { Pooling::First } else { Pooling::Mean }
    }
}

/// Whether the files have the sizes of a model that is known.
fn is_size_of(folder: &Path, known: &KnownModel) -> bool {
    known.files.iter().all(|file| std::fs::metadata(folder.join(file.name)).is_ok_and(|found| found.len() == file.size))
}

/// What tells the weights of a folder from others: the size of their file and its first and last bytes.
fn mark(folder: &Path) -> Result<String, ModelFault> {
    use std::io::{Read, Seek, SeekFrom};
    const PART: u64 = 64 * 1024;
    let path = folder.join("model.safetensors");
    let failed = |error: std::io::Error| ModelFault::unreadable(&path, &error);
    let mut file = std::fs::File::open(&path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let mut hash = Sha256::new();
    hash.update(size.to_le_bytes());
    for from in [0, size.saturating_sub(PART)] {
        let mut part = Vec::new();
        file.seek(SeekFrom::Start(from)).map_err(failed)?;
        Read::by_ref(&mut file).take(PART).read_to_end(&mut part).map_err(failed)?;
        hash.update(&part);
    }
    Ok(HEXLOWER.encode(&hash.finalize()[..6]))
}

#[cfg(test)]
mod tests;
