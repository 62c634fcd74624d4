//! Readers: what fetches a page and cleans it.

mod builtin;
mod charset;
pub mod extract;
mod jina;

pub use builtin::BuiltinReader;
pub use charset::decode;
pub use jina::JinaReader;
