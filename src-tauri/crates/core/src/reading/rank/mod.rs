//! Ranking of text for a question, locally and without a model.
//!
//! [`terms`] turns text into comparable words, [`passages`] cuts a page into passages and
//! [`chunks`] into smaller pieces,
//! [`score`] ranks them, [`indexed`] orders what an index has found, [`guide`] knows passages by the questions that they answer, [`related`] knows words that belong together, [`question`] knows what kind of answer a question wants, and
//! [`sentences`] knows what speaks for each sentence, and [`select`] chooses those to quote.

pub mod alike;
mod candidate;
pub mod chunks;
pub mod confidence;
mod function_words;
pub mod fuse;
pub mod guide;
pub mod indexed;
pub mod passages;
pub mod question;
pub mod related;
pub mod score;
pub mod select;
pub mod sentences;
pub mod terms;

pub use candidate::Candidate;
pub use passages::{PassageSpan, split};
pub use question::{Kind, Question};
pub use score::{TermStats, Weights};
pub use select::{Quote, select};
