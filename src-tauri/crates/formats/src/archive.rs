//! Archives that office files and books are. What they unpack to is bounded.

use std::io::{Cursor, Read};

use zip::{ZipArchive, result::ZipError};

use crate::{
    FormatError,
    xml::{self, Node},
};

/// Bytes that one entry may unpack to.
const MAX_ENTRY: u64 = 64 * 1024 * 1024;
/// And all that are read together.
const MAX_ALL: u64 = 128 * 1024 * 1024;
/// Entries that an archive may have.
const MAX_ENTRIES: usize = 20_000;

/// An archive in memory.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    read: u64,
}

impl<'a> Archive<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, FormatError> {
        // Office files with a password are another kind of container.
        if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
            return Err(FormatError::Encrypted);
        }
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| FormatError::Broken)?;
        if zip.len() > MAX_ENTRIES {
            return Err(FormatError::TooComplex);
        }
        Ok(Self { zip, read: 0 })
    }

    /// The names of all entries.
    pub(crate) fn names(&self) -> Vec<String> {
        self.zip.file_names().flatten().map(std::borrow::Cow::into_owned).collect()
    }

    /// An entry's bytes; none where there is no such entry.
    pub(crate) fn entry(&mut self, name: &str) -> Result<Option<Vec<u8>>, FormatError> {
        let file = match self.zip.by_name(name) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(why)) if why.contains("assword") => return Err(FormatError::Encrypted),
            Err(_) => return Err(FormatError::Broken),
        };
        if file.size() > MAX_ENTRY || self.read + file.size() > MAX_ALL {
            return Err(FormatError::TooComplex);
        }
        let mut out = Vec::new();
        // The size that an archive gives may be a lie.
        let room = MAX_ENTRY.min(MAX_ALL.saturating_sub(self.read));
        file.take(room + 1).read_to_end(&mut out).map_err(|_| FormatError::Broken)?;
        // What was too long was unpacked all the same.
        self.read += out.len() as u64;
        if out.len() as u64 > room {
            return Err(FormatError::TooComplex);
        }
        Ok(Some(out))
    }

    /// An entry that has to be there.
    pub(crate) fn need(&mut self, name: &str) -> Result<Vec<u8>, FormatError> {
        self.entry(name)?.ok_or(FormatError::Broken)
    }
}

/// Ids of relations and where they lead.
pub(crate) fn relations(bytes: &[u8]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let _ = xml::walk(bytes, |node| {
        if let Node::Open("Relationship", attributes) = node
            && let (Some(id), Some(target)) = (attributes.get("Id"), attributes.get("Target"))
        {
            out.push((id, target));
        }
    });
    out
}

/// Where a relative address that stands in an entry of `folder` leads, as the name of an entry.
pub(crate) fn resolve(folder: &str, address: &str) -> String {
    if let Some(whole) = address.strip_prefix('/') {
        return whole.to_owned();
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in address.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}
