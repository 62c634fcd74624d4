//! Gives the crate a fingerprint of its source: two programs that were built from the same read documents in the same way.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Of this crate, and of the core, whose types are sent.
const FOLDERS: [&str; 2] = ["src", "../core/src/reading"];

fn main() {
    // What is read, how it is sent, and the parsers with their versions.
    const LOCK: &str = "../../../Cargo.lock";
    let mut files = vec![PathBuf::from(LOCK)];
    for folder in FOLDERS {
        collect(Path::new(folder), &mut files);
        println!("cargo::rerun-if-changed={folder}");
    }
    println!("cargo::rerun-if-changed={LOCK}");
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in &files {
        file.hash(&mut hasher);
        std::fs::read(file).expect("a file of the source").hash(&mut hasher);
    }
    println!("cargo::rustc-env=NEXI_FORMATS_FINGERPRINT={}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the source") {
        let path = entry.expect("an entry of it").path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
