//! Readers: what fetches a page and cleans it.

mod builtin;
mod charset;
mod feed;
mod format;
pub mod pdf;
mod service;
pub mod wall;

pub use builtin::BuiltinReader;
pub use charset::decode;
pub use service::{ReaderApi, ReaderService};
