// Included by tests that measure quality.

/// Prints a figure, and keeps it for the end of `make test`, which says where in `NEXI_FIGURES`.
pub fn figure(line: &str) {
    use std::io::Write;
    println!("{line}");
    let Some(path) = std::env::var_os("NEXI_FIGURES") else { return };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    // One write, for other tests write at the same time.
    file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes())).expect("the figure is kept");
}
