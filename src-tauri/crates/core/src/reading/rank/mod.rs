//! Ranking of text for a question, locally and without a model.
//!
//! [`terms`] turns text into comparable words, [`passages`] cuts a page into passages and
//! [`chunks`] into smaller pieces,
//! [`score`] ranks them, [`question`] knows what kind of answer a question wants, and
//! [`select`] chooses the sentences to quote.

pub mod chunks;
pub mod confidence;
pub mod fuse;
pub mod passages;
pub mod question;
pub mod score;
pub mod select;
pub mod terms;

pub use passages::{PassageSpan, split};
pub use question::{Kind, Question};
pub use score::{Corpus, Weights};
pub use select::{Candidate, Quote, SentenceWeights, select};
