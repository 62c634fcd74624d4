//! The encoder that small embedding models are made of: BERT as published by Devlin et al. (2018), and RoBERTa, which
//! counts its positions from another number.

use candle_core::{D, DType, Device, Tensor};
use candle_nn::{LayerNorm, Linear, Module, ops};
use serde::Deserialize;

use crate::{ModelFault, tensors::Tensors};

/// What `config.json` says of a model.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Config {
    #[serde(default)]
    pub model_type: String,
    pub hidden_size: usize,
    pub num_attention_heads: usize,
    pub num_hidden_layers: usize,
    pub max_position_embeddings: usize,
    #[serde(default)]
    pub pad_token_id: usize,
    #[serde(default = "usual_epsilon")]
    pub layer_norm_eps: f64,
    #[serde(default)]
    pub hidden_act: String,
    #[serde(default)]
    pub position_embedding_type: Option<String>,
}

fn usual_epsilon() -> f64 {
    1e-12
}

impl Config {
    /// Whether it is a model that this file can run.
    pub(crate) fn is_supported(&self) -> bool {
        matches!(self.model_type.as_str(), "bert" | "roberta" | "xlm-roberta")
            && matches!(self.hidden_act.as_str(), "gelu" | "")
            && self.position_embedding_type.as_deref().is_none_or(|kind| kind == "absolute")
            && self.num_attention_heads > 0
            && self.hidden_size.is_multiple_of(self.num_attention_heads)
            && self.max_position_embeddings > self.first_position() + 2
    }

    fn first_position(&self) -> usize {
        if self.model_type == "bert" { 0 } else { self.pad_token_id + 1 }
    }

    /// Tokens that fit.
    pub(crate) fn max_tokens(&self) -> usize {
        self.max_position_embeddings - self.first_position()
    }
}

/// An encoder, ready to be used.
pub(crate) struct Bert {
    tensors: Tensors,
    positions: Tensor,
    kind: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
    config: Config,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    joined: Linear,
    joined_norm: LayerNorm,
    wide: Linear,
    narrow: Linear,
    narrow_norm: LayerNorm,
}

impl Bert {
    pub(crate) fn load(tensors: Tensors, config: Config) -> Result<Self, ModelFault> {
        let linear = |name: &str| -> Result<Linear, ModelFault> {
            Ok(Linear::new(tensors.get(&format!("{name}.weight"))?, Some(tensors.get(&format!("{name}.bias"))?)))
        };
        let norm = |name: &str| -> Result<LayerNorm, ModelFault> {
            Ok(LayerNorm::new(tensors.get(&format!("{name}.weight"))?, tensors.get(&format!("{name}.bias"))?, config.layer_norm_eps))
        };
        let layer = |index: usize| -> Result<Layer, ModelFault> {
            let place = format!("encoder.layer.{index}");
            Ok(Layer {
                query: linear(&format!("{place}.attention.self.query"))?,
                key: linear(&format!("{place}.attention.self.key"))?,
                value: linear(&format!("{place}.attention.self.value"))?,
                joined: linear(&format!("{place}.attention.output.dense"))?,
                joined_norm: norm(&format!("{place}.attention.output.LayerNorm"))?,
                wide: linear(&format!("{place}.intermediate.dense"))?,
                narrow: linear(&format!("{place}.output.dense"))?,
                narrow_norm: norm(&format!("{place}.output.LayerNorm"))?,
            })
        };
        let layers = (0..config.num_hidden_layers).map(layer).collect::<Result<_, _>>()?;
        let positions = tensors.get("embeddings.position_embeddings.weight")?;
        // All text is of the first kind.
        let kind = tensors.get("embeddings.token_type_embeddings.weight")?.narrow(0, 0, 1)?;
        let norm = norm("embeddings.LayerNorm")?;
        tensors.shape(WORDS)?;
        Ok(Self { positions, kind, norm, layers, config, tensors })
    }

    /// What the model makes of texts that all have been filled up to the same number of tokens: a vector for each token,
    /// as (texts, tokens, numbers). `mask` is 1 for tokens and 0 for filling.
    pub(crate) fn forward(&self, texts: &[Vec<u32>], mask: &Tensor) -> Result<Tensor, ModelFault> {
        let (count, length) = (texts.len(), texts.first().map_or(0, Vec::len));
        let words = self.tensors.rows(WORDS, &texts.concat())?.reshape((count, length, self.config.hidden_size))?;
        let positions = self.positions.narrow(0, self.config.first_position(), length)?;
        let mut state = self.norm.forward(&words.broadcast_add(&positions)?.broadcast_add(&self.kind)?)?;
        // What is filling is not looked at: it gets next to no weight.
        let unseen = ((mask.to_dtype(DType::F32)? - 1.0)? * 1e9)?.reshape((count, 1, 1, length))?;
        for layer in &self.layers {
            state = layer.forward(&state, &unseen, self.config.num_attention_heads)?;
        }
        Ok(state)
    }
}

const WORDS: &str = "embeddings.word_embeddings.weight";

impl Layer {
    fn forward(&self, state: &Tensor, unseen: &Tensor, heads: usize) -> Result<Tensor, ModelFault> {
        let (count, length, size) = state.dims3()?;
        let width = size / heads;
        let apart = |tensor: Tensor| tensor.reshape((count, length, heads, width))?.transpose(1, 2)?.contiguous();
        let query = (apart(self.query.forward(state)?)? / (width as f64).sqrt())?;
        let key = apart(self.key.forward(state)?)?;
        let value = apart(self.value.forward(state)?)?;
        let weights = query.matmul(&key.transpose(D::Minus1, D::Minus2)?.contiguous()?)?.broadcast_add(unseen)?;
        let seen = ops::softmax_last_dim(&weights)?.matmul(&value)?.transpose(1, 2)?.reshape((count, length, size))?;
        let state = self.joined_norm.forward(&(self.joined.forward(&seen)? + state)?)?;
        let wide = self.wide.forward(&state)?.gelu_erf()?;
        Ok(self.narrow_norm.forward(&(self.narrow.forward(&wide)? + state)?)?)
    }
}

/// The tensor that tells tokens from filling, 1 and 0, as (texts, tokens).
pub(crate) fn mask(rows: Vec<Vec<u32>>) -> Result<Tensor, ModelFault> {
    Ok(Tensor::new(rows, &Device::Cpu)?)
}
