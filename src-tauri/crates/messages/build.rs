//! Makes the files of the catalogue part of the program: one list for each folder of `src-tauri/locales`.

use std::path::Path;
use std::{env, fs};

fn main() {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../locales");
    println!("cargo::rerun-if-changed={}", locales.display());
    let mut out = String::new();
    for folder in names(&locales) {
        let files = locales.join(&folder);
        println!("cargo::rerun-if-changed={}", files.display());
        out.push_str(&format!("pub(crate) const {}: Files = &[\n", folder.to_uppercase()));
        for file in names(&files) {
            let name = file.strip_suffix(".ftl").unwrap_or_else(|| panic!("{file} is no file of messages"));
            let path = files.join(&file);
            out.push_str(&format!("    ({name:?}, include_str!({:?})),\n", path.display().to_string()));
        }
        out.push_str("];\n");
    }
    let target = env::var_os("OUT_DIR").expect("cargo names a folder for what is generated");
    fs::write(Path::new(&target).join("files.rs"), out).expect("that folder can be written to");
}

/// What a folder holds, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
