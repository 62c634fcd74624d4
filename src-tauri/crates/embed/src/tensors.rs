//! The weights of a model, from a file in the safetensors format: eight bytes that give the length of a header, the header
//! as JSON, and the numbers of all tensors behind it.
//!
//! Only what is needed is read. The table of words, which is most of a multilingual model, stays on the disk, and the
//! rows of the words at hand are read from it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use candle_core::{DType, Device, Tensor};
use serde::Deserialize;

use crate::ModelFault;

/// Bytes of a header; those of real models have some ten thousand.
const MAX_HEADER: u64 = 16 * 1024 * 1024;

/// A file of weights.
pub(crate) struct Tensors {
    file: Mutex<File>,
    entries: HashMap<String, Entry>,
    /// Where the numbers begin.
    begin: u64,
    /// What stands before the names: checkpoints of larger models carry the name of the part.
    prefix: &'static str,
}

#[derive(Debug, Clone, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [u64; 2],
}

impl Tensors {
    /// Reads the header.
    pub(crate) fn open(path: &Path) -> Result<Self, ModelFault> {
        let mut file = File::open(path).map_err(|error| ModelFault::unreadable(path, &error))?;
        let size = file.metadata().map_err(|error| ModelFault::unreadable(path, &error))?.len();
        let damaged = || ModelFault::Damaged(path.to_owned());
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(|_| damaged())?;
        let length = u64::from_le_bytes(length);
        if length > MAX_HEADER || length + 8 > size {
            return Err(damaged());
        }
        let mut header = vec![0; usize::try_from(length).map_err(|_| damaged())?];
        file.read_exact(&mut header).map_err(|_| damaged())?;
        let header: HashMap<String, serde_json::Value> = serde_json::from_slice(&header).map_err(|_| damaged())?;
        let begin = length + 8;
        let mut entries = HashMap::new();
        for (name, value) in header.into_iter().filter(|(name, _)| name != "__metadata__") {
            let entry: Entry = serde_json::from_value(value).map_err(|_| damaged())?;
            let [from, to] = entry.data_offsets;
            if from > to || to > size - begin {
                return Err(damaged());
            }
            entries.insert(name, entry);
        }
        let known = |prefix: &&str| entries.contains_key(&format!("{prefix}embeddings.word_embeddings.weight"));
        let prefix = ["", "bert.", "roberta."].into_iter().find(known).ok_or_else(|| ModelFault::Unsupported(path.to_owned()))?;
        Ok(Self { file: Mutex::new(file), entries, begin, prefix })
    }

    fn entry(&self, name: &str) -> Result<(&Entry, DType), ModelFault> {
        let name = format!("{}{name}", self.prefix);
        let entry = self.entries.get(&name).ok_or_else(|| ModelFault::Missing(name.clone()))?;
        let dtype = match entry.dtype.as_str() {
            "F32" => DType::F32,
            "F16" => DType::F16,
            "BF16" => DType::BF16,
            _ => return Err(ModelFault::Missing(name)),
        };
        let numbers = entry.shape.iter().try_fold(dtype.size_in_bytes(), |size, side| size.checked_mul(*side));
        if numbers.map(|size| size as u64) != Some(entry.data_offsets[1] - entry.data_offsets[0]) {
            return Err(ModelFault::Missing(name));
        }
        Ok((entry, dtype))
    }

    /// The sides of a tensor.
    pub(crate) fn shape(&self, name: &str) -> Result<Vec<usize>, ModelFault> {
        Ok(self.entry(name)?.0.shape.clone())
    }

    /// A whole tensor.
    pub(crate) fn get(&self, name: &str) -> Result<Tensor, ModelFault> {
        let (entry, dtype) = self.entry(name)?;
        let [from, to] = entry.data_offsets;
        let mut bytes = vec![0; usize::try_from(to - from).map_err(|_| ModelFault::Missing(name.to_owned()))?];
        self.read(from, &mut bytes)?;
        Ok(Tensor::from_raw_buffer(&bytes, dtype, &entry.shape, &Device::Cpu)?.to_dtype(DType::F32)?)
    }

    /// Rows of a table, one after the other.
    pub(crate) fn rows(&self, name: &str, rows: &[u32]) -> Result<Tensor, ModelFault> {
        let (entry, dtype) = self.entry(name)?;
        let &[count, width] = entry.shape.as_slice() else { return Err(ModelFault::Missing(name.to_owned())) };
        let length = width * dtype.size_in_bytes();
        let mut bytes = vec![0; rows.len() * length];
        for (row, into) in rows.iter().zip(bytes.chunks_exact_mut(length.max(1))) {
            let row = (*row as usize).min(count.saturating_sub(1));
            self.read(entry.data_offsets[0] + (row * length) as u64, into)?;
        }
        Ok(Tensor::from_raw_buffer(&bytes, dtype, &[rows.len(), width], &Device::Cpu)?.to_dtype(DType::F32)?)
    }

    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), ModelFault> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.begin + from))
            .and_then(|_| file.read_exact(into))
            .map_err(|error| ModelFault::Read(error.to_string()))
    }
}
