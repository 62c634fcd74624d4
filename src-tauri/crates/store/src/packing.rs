//! Texts in less room.

use std::io::{Read, Write};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

/// Bytes of a text that are unpacked at most.
const MAX_UNPACKED_BYTES: u64 = 1 << 30;

/// A text, packed.
pub(crate) fn pack(text: &str) -> std::io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::with_capacity(text.len() / 3), Compression::fast());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

/// What [`pack`] was given.
///
/// # Errors
/// When that is not what this is.
pub(crate) fn unpack(packed: &[u8]) -> std::io::Result<String> {
    let mut text = String::new();
    DeflateDecoder::new(packed).take(MAX_UNPACKED_BYTES).read_to_string(&mut text)?;
    Ok(text)
}
