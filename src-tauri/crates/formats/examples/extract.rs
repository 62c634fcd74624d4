//! Prints what a document says: `cargo run -p nexi-formats --example extract FILE...`
#![allow(clippy::print_stdout, reason = "it is there to print")]

fn main() {
    nexi_formats::serve();
    for path in std::env::args().skip(1) {
        let path = std::path::PathBuf::from(path);
        let Some(kind) = path.extension().and_then(|end| end.to_str()).and_then(nexi_formats::Kind::of_ending) else {
            println!("{}: not a kind that is known", path.display());
            continue;
        };
        match nexi_formats::read(kind, &path) {
            Ok(found) => {
                println!("{}: {:?} by {:?}, {:?}", path.display(), found.title, found.authors, found.date);
                for part in found.parts {
                    let place = part.place.map(|place| place.to_string()).unwrap_or_default();
                    println!("[{place}] {}", part.text);
                }
            }
            Err(error) => println!("{}: {error}", path.display()),
        }
    }
}
